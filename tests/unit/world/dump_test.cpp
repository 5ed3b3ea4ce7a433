// SPDX-License-Identifier: MIT
// What dump says of entities, of pairs, of queries and of worlds.
#include <boost/hana/define_struct.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
import ecs.world;

namespace dump_test {
namespace {

struct spot {
    BOOST_HANA_DEFINE_STRUCT(spot, (int, x), (double, y));
};
struct card {
    BOOST_HANA_DEFINE_STRUCT(card, (std::string, title), (bool, open), (spot, place), (ecs::entity, owner));
};
class opaque {
  public:
    opaque() = default;

  private:
    [[maybe_unused]] int a_ = 0, b_ = 0;
};
enum class mood : std::uint8_t { calm, angry };
struct plain_parts {
    struct corner {
        int x, y;
    } inner;
    mood now;
    int list[2];
};
struct marked {};
struct likes {};
struct owes {
    BOOST_HANA_DEFINE_STRUCT(owes, (int, coins));
};
struct aside {
    static constexpr ecs::storage kept_in = ecs::storage::sparse;
    char letter;
};

std::string in_world(ecs::entity e) {
    return to_string(e) + " in world " + std::to_string(e.world()) + ", alive";
}

/// The names of types here are long: what comes before the last colons is left out.
std::string without_scopes(std::string text) {
    const std::string scope = "dump_test::(anonymous namespace)::";
    for (std::size_t at = text.find(scope); at != std::string::npos; at = text.find(scope))
        text.erase(at, scope.size());
    return text;
}

std::string dumped(const ecs::world& in, ecs::id word) { return without_scopes(ecs::dump(in, word)); }

} // namespace

TEST(dump, says_who_an_entity_is_and_what_it_has) {
    ecs::world world;
    const ecs::entity plain = world.spawn();
    EXPECT_EQ(dumped(world, plain), in_world(plain) + ", without components");
    const ecs::entity e = world.spawn(spot{10, 2.5});
    EXPECT_EQ(dumped(world, e), in_world(e) + ": spot{10, 2.5}");
    const ecs::entity bob = world.spawn("Bob", marked{});
    EXPECT_EQ(dumped(world, bob),
              to_string(bob) + " \"Bob\" in world " + std::to_string(bob.world()) + ", alive: marked");
}

TEST(dump, writes_values_member_by_member_where_they_are_known) {
    ecs::world world;
    const ecs::entity bob = world.spawn("Bob");
    world.component<spot>(); // The members of a member are known when its type is a component, too.
    const ecs::entity e = world.spawn(card{"say \"hi\"", true, {1, 2}, bob});
    EXPECT_EQ(dumped(world, e), in_world(e) + ": card{\"say \\\"hi\\\"\", true, {1, 2}, Bob}");
    const ecs::entity other = world.spawn(opaque{});
    EXPECT_EQ(dumped(world, other), in_world(other) + ": opaque{8 bytes}");
    const ecs::entity third = world.spawn(plain_parts{{1, 2}, mood::angry, {3, 4}});
    EXPECT_EQ(dumped(world, third), in_world(third) + ": plain_parts{{1, 2}, angry, {3, 4}}");
    world.get<plain_parts>(third).now = mood{7};
    EXPECT_EQ(dumped(world, third), in_world(third) + ": plain_parts{{1, 2}, 7, {3, 4}}");
}

TEST(dump, names_the_two_of_a_pair_and_shows_its_value) {
    ecs::world world;
    const ecs::entity bob = world.spawn("Bob");
    const ecs::entity e = world.spawn();
    world.add<likes>(e, bob);
    EXPECT_EQ(dumped(world, e), in_world(e) + ": (likes, Bob)");
    world.remove<likes>(e, bob);
    world.set<owes>(e, bob, {7});
    EXPECT_EQ(dumped(world, e), in_world(e) + ": (owes, Bob){7}");
    world.remove<owes>(e, bob);
    world.add(e, pair(ecs::child_of, bob));
    EXPECT_EQ(dumped(world, e), in_world(e) + ": (child_of, Bob)");
    const ecs::id pair_of_two = pair(world.component<likes>(), e);
    EXPECT_EQ(dumped(world, pair_of_two), "(likes, " + to_string(e) + ")");
    EXPECT_EQ(dumped(world, pair(ecs::child_of, ecs::any)), "(child_of, *)");
    EXPECT_EQ(dumped(world, value_pair(world.component<owes>(), 5)), "(owes, number 5)");
    world.despawn(e);
    const std::string dead = "(likes, " + std::to_string(e.index()) + " (dead))";
    EXPECT_EQ(dumped(world, pair_of_two), dead);
    const ecs::entity next = world.spawn("Next");
    ASSERT_EQ(next.index(), e.index());
    EXPECT_EQ(dumped(world, pair_of_two), dead) << "another one has the index now";
    EXPECT_EQ(dumped(world, pair(world.component<likes>(), next)), "(likes, Next)");
}

TEST(dump, shows_what_is_outside_tables_and_what_is_disabled) {
    ecs::world world;
    const ecs::entity e = world.spawn(spot{1, 2}, aside{'x'});
    EXPECT_EQ(dumped(world, e), in_world(e) + ": spot{1, 2}, aside{120}");
    world.disable<spot>(e);
    EXPECT_EQ(dumped(world, e), in_world(e) + ": spot{1, 2} (disabled), aside{120}");
}

TEST(dump, says_why_a_handle_is_dead) {
    ecs::world world;
    const ecs::world other;
    const ecs::entity e = world.spawn();
    EXPECT_EQ(ecs::dump(other, e), other.explain(e));
    world.despawn(e);
    EXPECT_EQ(ecs::dump(world, e), world.explain(e));
    EXPECT_EQ(ecs::dump(world, ecs::entity()), "null is no identifier");
    EXPECT_EQ(ecs::dump(world, ecs::id()), "null is no identifier");
}

TEST(dump, says_that_an_entity_waits_for_the_flush) {
    ecs::world world;
    auto commands = world.commands();
    const ecs::entity e = commands.spawn(spot{1, 2});
    EXPECT_EQ(dumped(world, e), in_world(e) + ", on its way: what it has comes with the flush");
    world.flush();
    EXPECT_EQ(dumped(world, e), in_world(e) + ": spot{1, 2}");
}

TEST(dump, reads_stand_ins_as_entities_of_the_world) {
    const ecs::world world;
    EXPECT_NE(ecs::dump(world, ecs::id(ecs::child_of)).find("\"child_of\" in world"), std::string::npos);
}

TEST(dump, counts_the_entities_of_a_world_by_table) {
    ecs::world world;
    const std::string head = "world " + std::to_string(world.spawn().world()) + ": ";
    EXPECT_EQ(ecs::dump(world), head + "1 entity in 1 table\n  []: 1");
    for (int i = 0; i < 3; ++i) world.spawn(spot{});
    world.spawn(aside{'x'});
    EXPECT_EQ(without_scopes(ecs::dump(world)),
              head + "5 entities in 2 tables\n  []: 2\n  [spot]: 3\n  aside, outside tables: 1");
}

TEST(dump, of_a_query_is_its_text) {
    ecs::world world;
    auto query = world.query<spot, const opaque>();
    query.without<marked>();
    EXPECT_EQ(ecs::dump(query), query.text());
    EXPECT_EQ(without_scopes(ecs::dump(query)), "[inout] \"spot\", \"opaque\", !\"marked\"");
}

} // namespace dump_test
