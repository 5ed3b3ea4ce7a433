// SPDX-License-Identifier: MIT
// Components that are kept outside tables come and go without a move of the row. Observers who act meanwhile,
// and entities that wait for a flush, are as with any other component.
#include <array>
#include <gtest/gtest.h>
#include <type_traits>
#include <vector>
import ecs.world;

namespace outside_tables_test {
namespace {

using ecs::add_result;
using ecs::entity;

struct base_value {
    int points = 0;
};
struct companion {
    int points = 0;
};
struct enemy {};

struct kept_sparse {
    static constexpr auto kept_in = ecs::storage::sparse;
    int points = 0;
};
struct kept_in_place {
    static constexpr auto kept_in = ecs::storage::in_place;
    int points = 0;
};
struct kept_as_bits {
    static constexpr auto kept_in = ecs::storage::bits;
};

constexpr auto laws = ecs::properties(ecs::needs_type<companion>, ecs::excludes_type<enemy>);
struct needing_sparse : kept_sparse {
    static constexpr auto properties = laws;
};
struct needing_in_place : kept_in_place {
    static constexpr auto properties = laws;
};
struct needing_as_bits : kept_as_bits {
    static constexpr auto properties = laws;
};

template <class T> class OutsideTables : public testing::Test {
  protected:
    OutsideTables() { world.spawn(ecs::pair(ecs::is_a, world.prefab(base_value{}))); }

    void add(entity e) {
        if constexpr (std::is_empty_v<T>)
            world.add<T>(e);
        else
            world.set(e, T{});
    }

    ecs::world world; ///< With an instance, so that what changes may be inherited.
};
using kinds_of_storage = testing::Types<kept_sparse, kept_in_place, kept_as_bits>;
TYPED_TEST_SUITE(OutsideTables, kinds_of_storage);

TYPED_TEST(OutsideTables, ObserverMayEndWhoeverGetsOne) {
    this->world.template observe<ecs::event::added, TypeParam>([this](entity e) { this->world.despawn(e); });
    const entity one = this->world.spawn(), other = this->world.spawn(base_value{});
    this->add(one);
    EXPECT_FALSE(this->world.alive(one));
    this->world.template add<TypeParam>(std::array{other, this->world.spawn()});
    EXPECT_FALSE(this->world.alive(other));
    EXPECT_EQ(this->world.template query<>().template with<TypeParam>().count(), 0U);
}

TYPED_TEST(OutsideTables, ObserverMayEndWhoeverLosesOne) {
    const entity one = this->world.spawn(base_value{}), other = this->world.spawn();
    this->add(one), this->add(other);
    this->world.template observe<ecs::event::removed, TypeParam>(
        [this](entity e) { this->world.despawn(e); });
    this->world.template remove<TypeParam>(one);
    EXPECT_FALSE(this->world.alive(one));
    ecs::commands commands = this->world.commands();
    commands.template remove<TypeParam>(other);
    this->world.flush();
    EXPECT_FALSE(this->world.alive(other));
}

TYPED_TEST(OutsideTables, WhoWaitsForAFlushGetsNone) {
    ecs::commands commands = this->world.commands();
    const entity waiting = commands.spawn(base_value{1});
    EXPECT_EQ(this->world.template add<TypeParam>(waiting), add_result::not_alive);
    EXPECT_EQ(this->world.template remove<TypeParam>(waiting), add_result::not_alive);
    if constexpr (!std::is_empty_v<TypeParam>) {
        EXPECT_EQ(this->world.set(waiting, TypeParam{}), add_result::not_alive);
        EXPECT_EQ(this->world.set(std::array{waiting}, TypeParam{}), 0U);
    }
    this->world.flush();
    EXPECT_FALSE(this->world.template has<TypeParam>(waiting));
    EXPECT_EQ(this->world.template add<TypeParam>(waiting), add_result::added);
}

TYPED_TEST(OutsideTables, ValueIsThereWhenObserversAreToldOfTheSpawn) {
    ecs::world& in = this->world;
    const entity trigger = in.spawn();
    int of_component = 0, of_query = 0;
    std::vector<bool> found;
    in.template observe<ecs::event::spawned, TypeParam>([&](entity) { ++of_component; });
    in.template observe<ecs::event::spawned>(in.template query<>().template with<TypeParam>(),
                                             [&](entity) { ++of_query; });
    in.observe(ecs::event::spawned, [&](entity e) { found.push_back(in.template has<TypeParam>(e)); });
    in.template observe<ecs::event::added, enemy>([&](entity) { in.spawn(TypeParam{}); });
    const entity one = in.spawn(TypeParam{});
    in.clone(one);
    EXPECT_EQ(in.spawn_n(2, base_value{1}, TypeParam{}).size(), 2U);
    in.template add<enemy>(trigger);
    EXPECT_EQ(found, std::vector<bool>(5, true));
    EXPECT_EQ(of_component, 5);
    EXPECT_EQ(of_query, 5);
}

template <int Number> struct numbered {
    static constexpr auto kept_in = ecs::storage::sparse;
    int points = Number;
};

TEST(CopiesOutsideTables, ObserversMayRegisterComponentsMeanwhile) {
    ecs::world world;
    const entity e = world.spawn(numbered<0>{}, numbered<1>{}, numbered<2>{});
    world.observe<ecs::event::added, numbered<0>>([&](entity on) {
        world.add<numbered<3>, numbered<4>, numbered<5>, numbered<6>, numbered<7>, numbered<8>>(on);
    });
    for (const entity copy : {world.clone(e), world.clone_tree(e), world.clone_n(e, 1).front()})
        EXPECT_TRUE((world.has<numbered<0>, numbered<1>, numbered<2>, numbered<3>, numbered<8>>(copy)));
}

/// What observers of the companion do comes when that is there which brought it.
template <class T> class WithACompanion : public testing::Test {
  protected:
    /// Gives an entity the component, and its companion's observer does something about the entity.
    template <class F> entity give(F act) {
        world.observe<ecs::event::added, companion>([this, act](entity e) { act(world, e); });
        world.observe<ecs::event::added, T>([this](entity) { ++told; });
        const entity e = world.spawn();
        world.add<T>(e);
        return e;
    }
    void expect_lawful(entity e) {
        EXPECT_EQ(world.has<T>(e), true);
        EXPECT_TRUE(world.has<companion>(e));
        EXPECT_FALSE(world.has<enemy>(e));
        EXPECT_EQ(told, 1);
    }

    ecs::world world;
    int told = 0;
};
using needing = testing::Types<needing_sparse, needing_in_place, needing_as_bits>;
TYPED_TEST_SUITE(WithACompanion, needing);

TYPED_TEST(WithACompanion, ObserverMayEndTheEntity) {
    const entity e = this->give([](ecs::world& in, entity of) { in.despawn(of); });
    EXPECT_FALSE(this->world.alive(e));
    EXPECT_EQ(this->world.template query<>().template with<TypeParam>().count(), 0U);
}

TYPED_TEST(WithACompanion, ObserverCannotTakeTheCompanionAway) {
    this->expect_lawful(this->give([](ecs::world& in, entity of) { in.remove<companion>(of); }));
}

TYPED_TEST(WithACompanion, ObserverCannotBringWhatIsExcluded) {
    this->expect_lawful(this->give([](ecs::world& in, entity of) { in.add<enemy>(of); }));
}

TYPED_TEST(WithACompanion, ObserverThatAddsTheSameAddsNothing) {
    this->expect_lawful(this->give([](ecs::world& in, entity of) { in.add<TypeParam>(of); }));
}

} // namespace
} // namespace outside_tables_test
