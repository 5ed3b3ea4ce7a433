// SPDX-License-Identifier: MIT
// Parents and children, their names, and the ways along their chains.
#include "support/sanitized.hpp"
#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <stdexcept>
#include <tuple>
#include <vector>

import ecs.world;

#include "relations.hpp"

namespace {

// Hierarchies.

TEST_F(relations, child_ends_with_its_parent_and_leaves_its_list_when_it_goes) {
    world.add(b, pair(child_of, a));
    world.add(c, pair(child_of, a));
    EXPECT_EQ(children_of(world, a), (std::vector{b, c}));
    EXPECT_EQ(world.parent(b), a);
    world.despawn(b);
    EXPECT_EQ(children_of(world, a), std::vector{c});
    world.add(c, pair(child_of, likes));
    EXPECT_TRUE(world.children(a).empty());
    EXPECT_EQ(world.parent(c), likes);
    world.remove(c, pair(child_of, likes));
    EXPECT_EQ(world.parent(c), entity{});
    world.despawn(likes);
    EXPECT_TRUE(world.alive(c));
}

TEST_F(relations, what_every_world_has_relates_as_any_other_relation_does) {
    EXPECT_EQ(world.add(b, child_of, a), ecs::add_result::added);
    EXPECT_TRUE(world.has(b, child_of, a));
    EXPECT_EQ(world.parent(b), a);
    EXPECT_EQ(world.remove(b, child_of, a), ecs::add_result::removed);
    EXPECT_FALSE(world.has(b, child_of, a));

    auto commands = world.commands();
    commands.add(b, child_of, a);
    world.flush();
    EXPECT_EQ(world.parent(b), a);
    commands.remove(b, child_of, a);
    world.flush();
    EXPECT_FALSE(world.parent(b));
}

TEST_F(relations, what_every_world_has_looks_at_the_whole_handle_of_its_target) {
    const entity dead = world.spawn();
    world.despawn(dead);
    EXPECT_EQ(world.add(b, child_of, dead), ecs::add_result::not_alive_id);
    EXPECT_FALSE(world.has(b, child_of, dead));
}

TEST_F(relations, long_chain_ends_without_recursion) {
    constexpr int length = test::is_sanitized ? 100'000 : 1'000'000;
    entity last = a;
    for (int i = 0; i < length; ++i) {
        const entity next = world.spawn();
        world.add(next, pair(child_of, last));
        last = next;
    }
    EXPECT_EQ(world.add(a, pair(child_of, last)), add_result::would_make_a_cycle);
    EXPECT_TRUE(world.despawn(a));
    EXPECT_FALSE(world.alive(last));
}

TEST_F(relations, children_may_end_while_a_loop_walks_over_them) {
    for (int i = 0; i < 10; ++i) world.add(world.spawn(), pair(child_of, a));
    int seen = 0;
    for (const entity child : world.children(a)) {
        ++seen;
        EXPECT_TRUE(world.despawn(child));
    }
    EXPECT_EQ(seen, 10);
    EXPECT_TRUE(world.children(a).empty());
}

// Names.

TEST_F(relations, a_loop_over_children_ends_where_they_do) {
    world.add(world.spawn(), pair(child_of, a));
    std::vector<entity> seen;
    for (const entity child : world.children(a)) {
        seen.push_back(child);
        world.add(child, pair(child_of, b)); // The last child of a.
        world.spawn_children(c, 3);          // They may be kept where those of a were.
    }
    EXPECT_EQ(seen.size(), 1U) << "children of another parent are not a's";
    EXPECT_EQ(children_of(world, b), seen);
}

TEST_F(relations, a_loop_over_children_ends_with_their_parent) {
    world.spawn_children(a, 2);
    int seen = 0;
    for ([[maybe_unused]] const entity child : world.children(a)) {
        ++seen;
        world.despawn(a);
        const entity next = world.spawn();
        EXPECT_EQ(next.index(), a.index());
        world.spawn_children(next, 3);
    }
    EXPECT_EQ(seen, 1) << "children of who has the index next are not a's";
}

TEST_F(relations, a_range_of_children_is_kept) {
    const auto kept = world.children(a);
    const std::vector<entity> first = world.spawn_children(a, 1);
    EXPECT_EQ(kept.size(), 1U);
    world.despawn(first[0]);
    world.spawn_children(b, 2);
    EXPECT_TRUE(kept.empty());
    const std::vector<entity> second = world.spawn_children(a, 3);
    EXPECT_EQ(kept.size(), 3U);
    EXPECT_EQ(std::vector(kept.as_span().begin(), kept.as_span().end()), second);
    world.despawn(a);
    EXPECT_EQ(kept.begin(), kept.end());
    EXPECT_TRUE(kept.as_span().empty());
}

TEST_F(relations, a_loop_over_children_goes_on_in_the_past) {
    const std::vector<entity> then = world.spawn_children(a, 3);
    const ecs::snapshot past = world.snapshot();
    world.spawn_children(a, 20);
    std::vector<entity> seen;
    for (const entity child : world.children(a)) {
        seen.push_back(child);
        if (seen.size() == 2) world.restore(past);
    }
    EXPECT_EQ(seen, then);
}

TEST_F(relations, name_is_unique_among_the_children_of_a_parent) {
    const entity ship = world.spawn("Ship");
    const entity gun = world.spawn("Gun");
    EXPECT_THROW(world.spawn("Gun"), ecs::name_error);
    world.add(gun, pair(child_of, ship));
    const entity other = world.spawn("Gun");
    EXPECT_EQ(world.add(other, pair(child_of, ship)), add_result::name_taken);
    EXPECT_EQ(world.parent(other), entity{});
    EXPECT_EQ(world.remove(gun, pair(child_of, ship)), add_result::name_taken);
    EXPECT_EQ(world.lookup("Ship/Gun"), gun);
    EXPECT_EQ(world.lookup(ship, "Gun"), gun);
    EXPECT_EQ(world.lookup("Gun"), other);
    EXPECT_EQ(world.path_of(gun), "Ship/Gun");
    EXPECT_EQ(world.lookup("Ship/Gun/Barrel"), entity{});
}

TEST_F(relations, name_goes_with_its_entity) {
    const entity ship = world.spawn("Ship");
    world.set_name(ship, "Boat");
    EXPECT_EQ(world.lookup("Ship"), entity{});
    EXPECT_EQ(world.lookup("Boat"), ship);
    EXPECT_EQ(world.name_of(ship), "Boat");
    world.remove(ship, world.lookup("ecs::name"));
    EXPECT_EQ(world.lookup("Boat"), entity{});
    world.set_name(ship, "Ship");
    world.despawn(ship);
    EXPECT_EQ(world.lookup("Ship"), entity{});
    EXPECT_NO_THROW(world.spawn("Ship"));
}

TEST_F(relations, component_name_is_in_nobodys_way) {
    const entity component = world.component({.name = "Health", .size = 4});
    EXPECT_EQ(world.lookup("Health"), component);
    const entity user = world.spawn("Health");
    EXPECT_EQ(world.lookup("Health"), user);
    world.despawn(user);
    EXPECT_EQ(world.lookup("Health"), component);
}

TEST_F(relations, a_path_is_found_or_spawned) {
    const entity gun = world.find_or_spawn("Ship/Turret/Gun");
    const entity turret = world.parent(gun), ship = world.parent(turret);
    EXPECT_EQ(world.path_of(gun), "Ship/Turret/Gun");
    EXPECT_EQ(world.parent(ship), entity{});
    const std::size_t before = world.entities().size();
    EXPECT_EQ(world.find_or_spawn("Ship/Turret/Gun"), gun);
    EXPECT_EQ(world.find_or_spawn("Ship"), ship);
    EXPECT_EQ(world.find_or_spawn(ship, "Turret"), turret);
    EXPECT_EQ(world.find_or_spawn(entity{}, "Ship/Turret"), turret);
    EXPECT_EQ(world.find_or_spawn("child_of"), world.lookup("child_of"));
    EXPECT_EQ(world.entities().size(), before);
    const entity mast = world.find_or_spawn(ship, "Mast");
    EXPECT_EQ(world.lookup("Ship/Mast"), mast);
    EXPECT_EQ(world.entities().size(), before + 1);
    EXPECT_EQ(world.path_of(world.find_or_spawn(ship, world.name_of(ship))), "Ship/Ship");
}

TEST_F(relations, a_path_that_cannot_be_leaves_nothing) {
    const std::size_t before = world.entities().size();
    for (const char* const path : {"", "/", "/Ship", "Ship/", "Ship//Gun"}) {
        EXPECT_THROW(world.find_or_spawn(path), ecs::name_error) << path;
        EXPECT_THROW(world.find_or_spawn(a, path), ecs::name_error) << path;
    }
    world.despawn(c);
    EXPECT_THROW(world.find_or_spawn(c, "Gun"), ecs::access_error);
    EXPECT_EQ(world.entities().size(), before - 1);
    ecs::world restricted;
    const entity group = restricted.spawn();
    restricted.add(restricted.lookup("child_of"), pair(ecs::one_of, group));
    EXPECT_THROW(restricted.find_or_spawn("Ship/Gun"), std::invalid_argument)
        << "the ship is not in the group";
    EXPECT_EQ(restricted.entities(), std::vector{group});
    EXPECT_EQ(restricted.lookup("Ship"), entity{});
}

TEST_F(relations, a_path_is_found_in_a_loop_and_not_spawned) {
    const entity ship = world.find_or_spawn("Ship");
    world.set(a, health{1});
    int visited = 0;
    world.each([&](health&) {
        ++visited;
        EXPECT_EQ(world.find_or_spawn("Ship"), ship);
        EXPECT_THROW(world.find_or_spawn("Ship/Gun"), ecs::iteration_error);
    });
    EXPECT_EQ(visited, 1);
    EXPECT_EQ(world.lookup("Ship/Gun"), entity{});
}

TEST_F(relations, a_path_that_an_observer_asks_for_is_there_when_it_has_returned) {
    const entity ship = world.find_or_spawn("Ship");
    entity gun;
    world.observe<ecs::event::added, health>([&](ecs::world& in, entity) {
        EXPECT_EQ(in.find_or_spawn("Ship"), ship);
        gun = in.find_or_spawn("Ship/Turret/Gun");
        EXPECT_EQ(in.lookup("Ship/Turret"), entity{});
    });
    world.set(a, health{1});
    EXPECT_EQ(world.path_of(gun), "Ship/Turret/Gun");
    EXPECT_EQ(world.parent(world.parent(gun)), ship);
}

TEST_F(relations, a_path_whose_name_is_taken_when_the_observer_has_returned_has_not_been) {
    entity first, second;
    world.observe<ecs::event::added, health>([&](ecs::world& in, entity) {
        first = in.find_or_spawn("Fleet/First");
        second = in.find_or_spawn("Fleet/Second");
    });
    EXPECT_THROW(world.set(a, health{1}), ecs::name_error);
    EXPECT_EQ(world.path_of(first), "Fleet/First");
    EXPECT_FALSE(world.alive(second)) << "it ends with what would have been the second fleet";
    EXPECT_EQ(world.lookup("Second"), entity{});
}

// Ways through a hierarchy.

TEST_F(relations, ways_through_a_tree_meet_everything_below_once) {
    const entity d = world.spawn();
    world.add(b, pair(child_of, a));
    world.add(c, pair(child_of, b));
    world.add(d, pair(child_of, a));
    EXPECT_EQ(world.depth_first(a), (std::vector{b, c, d}));
    EXPECT_EQ(world.breadth_first(a), (std::vector{b, d, c}));
    world.set(a, health{9});
    EXPECT_EQ(world.up(c, world.component<health>()), a);
    ASSERT_NE(world.up<health>(c), nullptr);
    EXPECT_EQ(world.up<health>(c)->amount, 9);
    EXPECT_EQ(world.up<expiry>(c), nullptr);
    world.add(likes, ecs::transitive);
    relate(a, b);
    relate(b, a);
    EXPECT_EQ(world.up(a, world.component<expiry>(), likes), entity{}) << "a ring is walked once";
    EXPECT_EQ(world.breadth_first(a, likes), std::vector{b});
}

TEST_F(relations, way_up_leads_over_every_target) {
    world.add<frozen>(c);
    relate(a, world.spawn());
    relate(a, b);
    relate(b, a);
    relate(b, c);
    EXPECT_EQ(world.up(a, world.component<frozen>(), likes), c);
    EXPECT_FALSE(world.up(a, world.component<health>(), likes));
}

TEST_F(relations, children_are_made_many_at_a_time) {
    world.add(b, pair(child_of, a));
    const std::vector<entity> made = world.spawn_children(a, 12'000, frozen{}, [](std::size_t i) {
        return std::tuple{health{static_cast<int>(i)}, armour{1}};
    });
    std::vector<entity> all{b};
    all.insert(all.end(), made.begin(), made.end());
    EXPECT_EQ(children_of(world, a), all);
    for (std::size_t i = 0; i < made.size(); ++i) {
        ASSERT_EQ(world.parent(made[i]), a);
        ASSERT_EQ(world.get<health>(made[i]).amount, static_cast<int>(i));
    }
    EXPECT_EQ(world.query<const armour>().with<frozen>().with(pair(child_of, a)).count(), 12'000U);
    world.despawn(made.front());
    EXPECT_EQ(world.children(a).size(), 12'000U);
    EXPECT_EQ(children_of(world, a)[1], made.back()) << "the last child fills the hole";
    EXPECT_TRUE(world.spawn_children(b, 0).empty());
    EXPECT_EQ(world.spawn_children(b, 2).size(), 2U);
    world.despawn(a);
    EXPECT_FALSE(world.alive(made.back()));
}

struct fragile {
    explicit fragile(std::size_t number) {
        if (number == 10'000) throw std::runtime_error("enough");
    }
};

TEST_F(relations, children_that_cannot_all_be_made_are_none) {
    world.add(b, pair(child_of, a));
    const auto make = [](std::size_t i) { return fragile(i); };
    EXPECT_THROW(world.spawn_children(a, 12'000, make), std::runtime_error);
    EXPECT_EQ(children_of(world, a), std::vector{b});
    EXPECT_THROW(world.spawn_children(c, 12'000, make), std::runtime_error);
    EXPECT_TRUE(world.children(c).empty());
    EXPECT_EQ(world.query().with<fragile>().count(), 0U);
    world.despawn(c);
    EXPECT_THROW(world.spawn_children(c, 1), ecs::access_error);
}

TEST_F(relations, children_made_many_at_a_time_obey_every_rule) {
    const entity prefab = world.prefab();
    EXPECT_TRUE(world.has(world.spawn_children(prefab, 2).back(), ecs::prefab_tag));
    int told = 0;
    world.observe(ecs::event::added, pair(child_of, a), [&](const ecs::event_context&) { ++told; });
    world.spawn_children(a, 2, health{1});
    EXPECT_EQ(told, 2);
    ecs::world restricted;
    const entity group = restricted.spawn();
    const entity other = restricted.spawn();
    restricted.add(restricted.lookup("child_of"), pair(ecs::one_of, group));
    EXPECT_THROW(restricted.spawn_children(other, 2), std::invalid_argument);
    EXPECT_EQ(restricted.entities().size(), 2U);
    EXPECT_THROW(world.each([&](entity, health&) { world.spawn_children(a, 1); }), ecs::iteration_error);
}

TEST_F(relations, children_made_by_an_observer_come_when_it_has_returned) {
    std::vector<entity> made;
    world.observe<ecs::event::added, health>([&](ecs::world& in, entity e) {
        made = in.spawn_children(e, 2, armour{3});
        EXPECT_TRUE(in.children(e).empty());
    });
    world.set(a, health{1});
    EXPECT_EQ(children_of(world, a), made);
    EXPECT_EQ(world.get<armour>(made.back()).amount, 3);
}

TEST_F(relations, children_are_put_into_another_order) {
    world.add(world.lookup("child_of"), ecs::ordered);
    const std::vector<entity> made = world.spawn_children(a, 4);
    const std::vector<entity> wanted{made[2], made[0], made[3], made[1]};
    world.reorder(a, wanted);
    EXPECT_EQ(children_of(world, a), wanted);
    world.despawn(made[0]);
    EXPECT_EQ(children_of(world, a), (std::vector{made[2], made[3], made[1]}));
    EXPECT_EQ(world.sources(a, child_of), children_of(world, a));
    EXPECT_THROW(world.reorder(a, std::vector{made[2], made[3]}), std::invalid_argument);
    EXPECT_THROW(world.reorder(a, std::vector{made[2], made[3], made[3]}), std::invalid_argument);
    EXPECT_THROW(world.reorder(a, std::vector{made[2], made[3], b}), std::invalid_argument);
    EXPECT_THROW(world.reorder(a, std::vector{b}, likes), std::invalid_argument);
    EXPECT_EQ(children_of(world, a), (std::vector{made[2], made[3], made[1]}));
}

TEST_F(relations, children_go_from_parent_to_parent_any_number_of_times) {
    const entity follows = world.spawn();
    world.add(follows, ecs::ordered);
    world.add(follows, ecs::non_fragmenting);
    std::vector<entity> parents, children;
    for (int i = 0; i < 7; ++i) parents.push_back(world.spawn());
    for (int i = 0; i < 40; ++i) children.push_back(world.spawn());
    std::vector<std::vector<entity>> lists(parents.size());
    std::vector<std::size_t> of(children.size(), parents.size());
    int told = 0;
    for (std::size_t step = 0; step < 600; ++step) {
        const std::size_t child = step * 7 % children.size(),
                          parent = (step * step + step / 11) % parents.size();
        if (step == 400) world.observe(ecs::event::added, pair(follows, ecs::any), [&](entity) { ++told; });
        const bool is_there = of[child] == parent;
        EXPECT_EQ(world.add(children[child], follows, parents[parent]),
                  is_there ? ecs::add_result::already_there : ecs::add_result::added);
        world.add(children[child], child_of, parents[parent]);
        if (is_there) continue;
        if (step >= 400) --told;
        if (of[child] != parents.size()) std::erase(lists[of[child]], children[child]);
        lists[of[child] = parent].push_back(children[child]);
    }
    EXPECT_EQ(told, 0);
    for (std::size_t parent = 0; parent < parents.size(); ++parent) {
        EXPECT_EQ(world.sources(parents[parent], follows), lists[parent]); // In the order in which they came.
        std::vector<entity> sorted = children_of(world, parents[parent]);
        std::ranges::sort(sorted);
        std::ranges::sort(lists[parent]);
        EXPECT_EQ(sorted, lists[parent]);
    }
    EXPECT_EQ(world.add(parents[0], child_of, children[0]), world.parent(children[0]) == parents[0]
                                                                ? ecs::add_result::would_make_a_cycle
                                                                : ecs::add_result::added);
}

TEST_F(relations, a_child_that_goes_on_is_refused_what_it_was_refused_before) {
    const entity left = world.spawn(), right = world.spawn(), prefab = world.prefab("whole");
    const entity child = world.spawn();
    const auto go = [&](entity to) { return world.add(child, child_of, to); };
    for (const entity parent : {left, right, left, right}) EXPECT_EQ(go(parent), ecs::add_result::added);
    EXPECT_EQ(go(right), ecs::add_result::already_there);
    const entity below = world.spawn(pair(child_of, child));
    EXPECT_EQ(go(below), ecs::add_result::would_make_a_cycle);
    EXPECT_EQ(go(child), ecs::add_result::would_make_a_cycle);
    world.despawn(left);
    EXPECT_EQ(go(left), ecs::add_result::not_alive_id);
    EXPECT_EQ(world.parent(child), right);
    world.despawn(below);
    EXPECT_EQ(go(prefab), ecs::add_result::added);
    EXPECT_TRUE(world.has(child, ecs::prefab_tag));
}

TEST_F(relations, usual_way_into_a_hierarchy_refuses_what_the_first_one_does) {
    const entity ended = world.spawn();
    const ecs::id below_ended = pair(child_of, ended);
    world.despawn(ended);
    const entity reused = world.spawn();
    ASSERT_EQ(reused.index(), ended.index());
    world.add(world.spawn(), pair(child_of, reused));
    EXPECT_EQ(world.add(a, below_ended), add_result::not_alive_id) << "of an earlier owner of the index";
    EXPECT_EQ(world.add(a, pair(child_of, a)), add_result::would_make_a_cycle);
    EXPECT_EQ(world.add(a, pair(child_of, reused)), add_result::added);
    EXPECT_EQ(children_of(world, reused).size(), 2U);
}

TEST(names, value_of_a_name_is_given_as_set_name_gives_it) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    const ecs::entity component = world.component<ecs::name>();
    const ecs::name first("first");
    EXPECT_EQ(world.set(e, component, &first), ecs::add_result::added);
    EXPECT_EQ(world.lookup("first"), e);
    const ecs::name second("second");
    EXPECT_EQ(world.set(e, component, &second), ecs::add_result::already_there);
    EXPECT_EQ(world.lookup("second"), e);
    EXPECT_FALSE(world.lookup("first"));
    EXPECT_THROW(world.set(world.spawn(), component, &second), ecs::name_error);
    EXPECT_EQ(world.get<ecs::name>(e).text(), "second");
}

TEST(names, an_edit_names_the_entity_where_it_is_afterwards) {
    ecs::world world;
    const ecs::entity house = world.spawn("house"), e = world.spawn("door"), other = world.spawn("gate");
    world.edit(e).set_name("gate").add(pair(child_of, house));
    EXPECT_EQ(world.path_of(e), "house/gate");
    EXPECT_EQ(world.lookup("gate"), other);
    EXPECT_EQ(world.edit(e).set_name("gate").remove(pair(child_of, house)).commit(), add_result::name_taken);
    EXPECT_EQ(world.path_of(e), "house/gate");
    EXPECT_THROW(world.edit(e).set_name("a/b").commit(), ecs::name_error);
}

} // namespace
