// SPDX-License-Identifier: MIT
// What cannot be added to an entity does not compile when the types say so.
#if defined(SPAWN_WITH_A_COPY_OF_WHAT_HAS_NONE)
#include <memory>
#elif defined(SPAWN_WITH_WHAT_STAYS)
#include <mutex>
#elif defined(SPAWN_MANY_WITH_WHAT_IS_CALLED)
#include <functional>
#endif
import ecs.world;

struct likes {
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
struct apples {
    static constexpr auto properties = ecs::properties(ecs::target_only);
};
struct gravity {
    static constexpr auto properties = ecs::properties(ecs::singleton);
    float g = 9.8F;
};

void use(ecs::world& world, ecs::entity e) {
#if defined(ECS_EXPECT_OK)
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
    world.add(e, ecs::value_pair(world.component<likes>(), 3));
    world.add(e, world.component<undead>());
    ecs::schedule().add("system", [](health& h, const ecs::tick& now) { h.amount += now.seconds > 1; });
    world.query<health, ecs::up<const apples>>().par_each([](health&, const apples&) {});
    world.query<health, ecs::up<const gravity>>().par_each([](health&, const gravity&) {});
    world.query<const health, ecs::up<const health>>().par_each([](const health&, const health&) {});
    world.query<ecs::pair_of<gravity, health>, ecs::up<const ecs::pair_of<gravity, apples>>>().par_each(
        [](gravity&, const gravity&) {});
#elif defined(SHARE_WHAT_IS_ABOVE)
    world.query<const health, ecs::up<gravity>>().par_each([](const health&, gravity&) {});
#elif defined(WRITE_WHAT_IS_READ_ABOVE)
    world.query<health, ecs::up<const health>>().par_each([](health&, const health&) {});
#elif defined(WRITE_BY_WILDCARD_WHAT_IS_READ_ABOVE)
    world.query<ecs::pair_of<gravity, ecs::wildcard>, ecs::up<const ecs::pair_of<gravity, apples>>>()
        .par_each([](gravity&, const gravity&) {});
#elif defined(WRITE_WHAT_IS_READ_BY_WILDCARD_ABOVE)
    world.query<ecs::pair_of<gravity, apples>, ecs::up<const ecs::pair_of<gravity, ecs::wildcard>>>()
        .par_each([](gravity&, const gravity&) {});
#elif defined(ADD_A_BARE_RELATION)
    world.add<likes>(e);
#elif defined(SPAWN_WITH_A_BARE_RELATION)
    world.spawn(health{1}, likes{});
#elif defined(SPAWN_WITH_RIVALS)
    world.spawn(health{1}, undead{});
#elif defined(EDIT_A_BARE_RELATION)
    world.edit(e).add<likes>();
#elif defined(ADD_A_TARGET_ALONE)
    world.add<apples>(e);
#elif defined(SPAWN_A_TARGET_ALONE)
    world.spawn(apples{});
#elif defined(ADD_A_TARGET_AS_RELATION)
    world.add<ecs::pair_of<apples, health>>(e);
#elif defined(RELATE_BY_A_TARGET)
    world.add<apples>(e, e);
#elif defined(RECORD_A_RELATION_BY_A_TARGET)
    world.commands().add<apples>(e, e);
#elif defined(ADD_A_RELATION_ALONE)
    world.add<eats>(e);
#elif defined(ADD_A_RELATION_AS_TARGET)
    world.add<ecs::pair_of<likes, eats>>(e);
#elif defined(SPAWN_WITH_A_SINGLETON)
    world.spawn(health{1}, gravity{});
#elif defined(SPAWN_MANY_WITH_A_SINGLETON)
    world.spawn_n(2, gravity{});
#elif defined(RECORD_A_SPAWN_WITH_A_SINGLETON)
    world.commands().spawn(gravity{});
#elif defined(RECORD_A_SPAWN_WITH_A_RELATION)
    world.commands().spawn(likes{});
#elif defined(ADD_ANY_TARGET)
    world.add<ecs::pair_of<likes, ecs::wildcard>>(e);
#elif defined(SET_ANY_TARGET)
    world.set<ecs::pair_of<health, ecs::wildcard>>(e, health{1});
#elif defined(RECORD_ANY_TARGET)
    world.commands().add<ecs::pair_of<ecs::wildcard, health>>(e);
#elif defined(SET_A_TAG_ONLY_PAIR)
    world.set<ecs::pair_of<wants, health>>(e, health{1});
#elif defined(SET_A_VALUE_OF_AN_EMPTY_RELATION)
    world.set<likes>(e, e, {});
#elif defined(SPAWN_WITH_A_NAME_AS_VALUE)
    world.spawn(ecs::name("bob"));
#elif defined(SET_A_NAME_AS_VALUE)
    world.set(e, ecs::name("bob"));
#elif defined(RECORD_A_NAME_AS_VALUE)
    world.commands().set(e, ecs::name("bob"));
#elif defined(SET_AN_ENTITY)
    world.set(e, e);
#elif defined(SET_A_POINTER)
    world.set(e, &world);
#elif defined(HAVE_A_POINTER)
    (void)world.has<health*>(e);
#elif defined(SPAWN_WITH_A_COPY_OF_WHAT_HAS_NONE)
    std::unique_ptr<int> owner;
    world.spawn(owner);
#elif defined(SPAWN_WITH_WHAT_STAYS)
    world.spawn(std::mutex());
#elif defined(SPAWN_MANY_WITH_WHAT_IS_CALLED)
    world.spawn_n(2, std::function<void(int)>());
#elif defined(SYSTEM_WITHOUT_TYPES)
    ecs::schedule().add("system", [](auto& h) { ++h.amount; });
#elif defined(TAKE_CONST_COMMANDS)
    ecs::schedule().add("system", [](const ecs::commands&) {});
#elif defined(LOOP_WITH_THE_WORLD)
    world.each([](ecs::world&, health&) {});
#elif defined(RELATE_TO_A_FRACTION)
    world.add(e, ecs::value_pair(world.component<likes>(), 1.5));
#endif
}
