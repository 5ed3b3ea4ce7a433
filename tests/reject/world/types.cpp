// SPDX-License-Identifier: MIT
// A type that is no component is refused where it is named, and the first error says why.
#include <memory>
#include <mutex>
import ecs.world;

// A case has a type of its own: a compiler says once what is wrong with one.
template <int> struct position_of {
    float x = 0;
};
using position = position_of<0>;
/// Is neither copied nor moved, and an aggregate.
struct pinned {
    std::mutex guard;
};
template <int> struct shape_of {
    virtual void draw() = 0;
    virtual ~shape_of() = default;
};
template <int> struct declared;
template <int> struct rude_of {
    rude_of() = default;
    ~rude_of() noexcept(false) {}
};
class keeper {
    ~keeper() = default;
};
struct named {
    std::unique_ptr<shape_of<0>> shape;
};

void use(ecs::world& world, ecs::entity e) {
#ifdef ECS_EXPECT_OK
    const ecs::world& reader = world;
    world.set<position>(e, position{1});
    world.emplace<pinned>(e);
    world.add<pinned>(e);
    world.spawn(position{}, named{});
    world.spawn(std::make_unique<int>(1));
    world.spawn_n(5, [](std::size_t) { return std::make_unique<int>(1); });
    const position one;
    world.spawn_n(5, one);
    world.each([](const position&, named*) {});
    (void)world.get<const position>(e);
    (void)world.has<const position>(e);
    (void)world.getter<position>();
    (void)reader.getter<position>();
    (void)world.component<position>();
    world.set_singleton(position{1});
#else
    // refused: this is no type of a component, which is written without const, [*], & and ..
    world.set<const position_of<1>>(e, position_of<1>{1});
    // refused: set moves its value into place, and this type cannot be moved: write emplace<T>.e, arguments
    world.set(e, pinned{});
    // refused: each entity gets a copy of the value, and this type cannot be copied: give a function that
    world.spawn_n(5, std::make_unique<int>(1));
    // refused: each entity gets a copy of the value, and this type cannot be copied
    {
        std::unique_ptr<float> one;
        world.spawn_n(5, one);
    }
    // refused: which has a public destructor that does not throw
    world.add<keeper>(e);
    // refused: this is no type of a component
    world.add<void>(e);
    // refused: this is no type of a component
    world.add<int(int)>(e);
    // refused: this is no type of a component, which is written without const, [*], & and ..
    world.spawn(&world);
    // refused: this is no type of a component, which is written without const, [*], & and ..
    {
        int numbers[3]{};
        world.spawn(position{}, numbers);
    }
    // refused: which has a public destructor that does not throw
    world.spawn(rude_of<1>{});
    // refused: an abstract class has no values of its own: write a component that has a std::unique_ptr
    world.add<shape_of<1>>(e);
    // refused: an abstract class has no values of its own
    world.each([](shape_of<2>&) {});
    // refused: an abstract class has no values of its own
    (void)world.query<const shape_of<3>>();
    // refused: an abstract class has no values of its own
    (void)world.get<shape_of<4>>(e);
    // refused: the type is only declared here: include its definition
    world.add<declared<1>>(e);
    // refused: the type is only declared here
    (void)world.get<declared<2>>(e);
    // refused: the type is only declared here
    (void)world.try_get<declared<3>>(e);
    // refused: the type is only declared here
    (void)world.has<declared<4>>(e);
    // refused: the type is only declared here|invalid use of incomplete type
    world.each([](declared<5>&) {});
    // refused: the type is only declared here
    (void)world.query<const declared<6>>();
    // refused: the type is only declared here
    (void)world.observe<ecs::event::set, declared<7>>([] {});
    // refused: this is no type of a component, which is written without const
    (void)world.getter<const position_of<2>>();
    // refused: this is no type of a component, which is written without const
    (void)world.component<const position_of<3>>();
    // refused: this is no type of a component, which is written without const
    world.emplace<const position_of<4>>(e, 1.0F);
    // refused: this is no type of a component, which is written without const
    world.set_singleton<const position_of<5>>({});
#endif
}
