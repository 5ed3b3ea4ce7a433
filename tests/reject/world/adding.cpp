// SPDX-License-Identifier: MIT
// What cannot be added to an entity does not compile when the types say so.
#include <functional>
#include <memory>
#include <mutex>
import ecs.world;

// A case has types of its own where a compiler would say once what is wrong with one.
template <int> struct likes_as {
    static constexpr auto properties = ecs::properties(ecs::symmetric);
};
struct wants {
    static constexpr auto properties = ecs::properties(ecs::tag_only);
};
struct health {
    int amount;
};
struct undead {
    static constexpr auto properties = ecs::properties(ecs::excludes_type<health>);
};
struct eats {
    static constexpr auto properties = ecs::properties(ecs::relation_only);
};
template <int> struct apples_of {
    static constexpr auto properties = ecs::properties(ecs::target_only);
};
template <int> struct gravity_of {
    static constexpr auto properties = ecs::properties(ecs::singleton);
    float g = 9.8F;
};
/// Is neither copied nor moved, and has no default value.
template <int> struct anchor_of {
    explicit anchor_of(int given) : depth(given) {}
    anchor_of(const anchor_of&) = delete;
    anchor_of& operator=(const anchor_of&) = delete;
    int depth;
};
/// Stays where it is.
template <int> struct pinned_of {
    std::mutex guard;
    int number = 0;
};
struct copied {
    copied() = default;
    copied(const copied& other) noexcept : number(other.number) {}
    copied& operator=(const copied&) = default;
    int number = 0;
};
using likes = likes_as<0>;
using apples = apples_of<0>;
using gravity = gravity_of<0>;

void use(ecs::world& world, ecs::entity e) {
#ifdef ECS_EXPECT_OK
    world.add<ecs::pair_of<likes, health>>(e);
    world.set<ecs::pair_of<likes, health>>(e, health{1});
    world.add<ecs::pair_of<wants, health>>(e);
    world.edit(e).add<wants>().commit();
    (void)world.has<ecs::pair_of<likes, ecs::wildcard>>(e);
    world.remove<ecs::pair_of<likes, ecs::wildcard>>(e);
    world.spawn(health{1});
    world.spawn(undead{});
    world.add<likes>(e, e);
    world.set<health>(e, e, {1});
    world.add<ecs::pair_of<eats, apples>>(e);
    world.set_singleton(gravity{1});
    world.set(world.component<gravity>(), gravity{2});
    world.commands().spawn(health{1});
    world.add<ecs::pair_of<likes, apples>>(e);
    world.add<eats>(e, e);
    world.commands().add<eats>(e, e);
    world.add<pinned_of<0>>(e);
    world.add<ecs::pair_of<wants, pinned_of<0>>>(e);
    (void)world.has<pinned_of<0>>(e, e);
    world.remove<pinned_of<0>>(e, e);
    world.commands().remove<pinned_of<0>>(e, e);
    world.emplace<anchor_of<0>>(e, 5);
    world.commands().emplace<anchor_of<0>>(e, 5);
    const copied one;
    world.set(e, one);
    world.set(e, one, health{1});
    world.commands().set(e, one);
    world.add(e, ecs::value_pair(world.component<likes>(), 3));
    world.add(e, world.component<undead>());
    ecs::schedule().add("system", [](health& h, const ecs::tick& now) { h.amount += now.seconds > 1; });
    world.query<health, ecs::up<const apples>>().par_each([](health&, const apples&) {});
    world.query<health, ecs::up<const gravity>>().par_each([](health&, const gravity&) {});
    world.query<const health, ecs::up<const health>>().par_each([](const health&, const health&) {});
    world.query<ecs::pair_of<gravity, health>, ecs::up<const ecs::pair_of<gravity, apples>>>().par_each(
        [](gravity&, const gravity&) {});
#else
    // refused: par_each cannot write what is above an entity.*ask for up<const T>
    world.query<const health, ecs::up<gravity>>().par_each([](const health&, gravity&) {});
    // refused: par_each cannot write a component and read it above
    world.query<health, ecs::up<const health>>().par_each([](health&, const health&) {});
    // refused: par_each cannot write a component and read it above
    world.query<health, ecs::up<const health>, const undead*>()
        .with(ecs::pair(world.component<gravity>(), ecs::var("x")))
        .par_each([](health&, const health&) {});
    // refused: par_each cannot write a component and read it above
    world.query<ecs::pair_of<gravity, ecs::wildcard>, ecs::up<const ecs::pair_of<gravity, apples>>>()
        .par_each([](gravity&, const gravity&) {});
    // refused: par_each cannot write a component and read it above
    world.query<ecs::pair_of<gravity, apples>, ecs::up<const ecs::pair_of<gravity, ecs::wildcard>>>()
        .par_each([](gravity&, const gravity&) {});
    // refused: a relation needs a target: add pair_of<Relation, Target>
    world.add<likes_as<1>>(e);
    // refused: a relation needs a target
    world.spawn(health{1}, likes_as<2>{});
    // refused: two of the components exclude each other
    world.spawn(health{1}, undead{});
    // refused: a relation needs a target
    world.edit(e).add<likes_as<3>>();
    // refused: the type is target_only: add pair_of<Relation, Target> with it as the target
    world.add<apples_of<1>>(e);
    // refused: the type is target_only
    world.spawn(apples_of<2>{});
    // refused: the relation is target_only: it can only be the target of a pair
    world.add<ecs::pair_of<apples_of<3>, health>>(e);
    // refused: the relation is target_only
    world.add<apples_of<4>>(e, e);
    // refused: the relation is target_only
    world.commands().add<apples_of<5>>(e, e);
    // refused: tables keep the values of pairs, and this type's move may throw
    world.add<pinned_of<1>>(e, e);
    // refused: tables keep the values of pairs
    world.add<ecs::pair_of<pinned_of<2>, health>>(e);
    // refused: tables keep the values of pairs
    world.edit(e).add<ecs::pair_of<likes, pinned_of<3>>>();
    // refused: tables keep the values of pairs
    world.commands().add<pinned_of<4>>(e, e);
    // refused: tables keep the values of pairs
    world.replace_sources<pinned_of<5>>(e, {});
    // refused: a relation needs a target
    world.add<eats>(e);
    // refused: the target is relation_only: it can only be the relation of a pair
    world.add<ecs::pair_of<likes_as<4>, eats>>(e);
    // refused: the component is a singleton, and no new entity has it: use set_singleton
    world.spawn(health{1}, gravity_of<1>{});
    // refused: the component is a singleton
    world.spawn_n(2, gravity_of<2>{});
    // refused: the component is a singleton
    world.commands().spawn(gravity_of<3>{});
    // refused: a relation needs a target
    world.commands().spawn(likes_as<5>{});
    // refused: a wildcard can be asked for, not added: name the relation and the target
    world.add<ecs::pair_of<likes_as<6>, ecs::wildcard>>(e);
    // refused: a wildcard can be asked for, not added
    world.set<ecs::pair_of<health, ecs::wildcard>>(e, health{1});
    // refused: a wildcard can be asked for, not added
    world.commands().add<ecs::pair_of<ecs::wildcard, health>>(e);
    // refused: the relation is tag_only: its pairs have no value to set
    world.set<ecs::pair_of<wants, health>>(e, health{1});
    // refused: the relation is an empty type, which has no values: use add
    world.set<likes_as<7>>(e, e, {});
    // refused: a name is given as text
    world.spawn(ecs::name("bob"));
    // refused: an entity is no value of a component: add it
    world.set(e, e);
    // refused: this is no type of a component, which is written without const, [*], & and ..
    world.set(e, &world);
    // refused: this is no type of a component, which is written without const, [*]
    (void)world.has<health*>(e);
    // refused: add makes a default value, .* or emplace<T>.e, arguments.... for a type that cannot be moved
    world.add<anchor_of<1>>(e);
    // refused: set moves its value into place, and this type cannot be moved: write emplace<T>.e, arguments
    world.set(e, anchor_of<2>(5));
    // refused: set moves its value into place, and this type cannot be moved
    world.set(e, anchor_of<3>(5), health{1});
    // refused: set moves its value into place, and this type cannot be moved
    world.commands().set(e, anchor_of<4>(5));
    // refused: std::move what cannot be copied, and emplace what cannot be moved
    {
        std::unique_ptr<int> owner;
        world.spawn(owner);
    }
    // refused: std::move what cannot be copied, and emplace what cannot be moved
    world.spawn(std::mutex());
    // refused: a component that can be called is given in a std::span
    world.spawn_n(2, std::function<void(int)>());
    // refused: those of a generic lambda have none: name them
    ecs::schedule().add("system", [](auto& h) { ++h.amount; });
    // refused: this is no component: a system takes commands&, query<...>&, world&
    world.each([](ecs::world&, health&) {});
    // refused: (call to|use of) deleted function .*value_pair
    world.add(e, ecs::value_pair(world.component<likes>(), 1.5));
#endif
}
