// SPDX-License-Identifier: MIT
// What is saved is what is loaded, and what is wrong with the bytes is found before the world has changed.
#include "life.hpp"
#include "support/sanitized.hpp"
#include <algorithm>
#include <array>
#include <boost/hana/define_struct.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;
#include "mended.hpp"

namespace {

using ecs::add_result;
using ecs::entity;
using ecs::pair;
using ecs::snapshot_refusal;
using mending::mended;
using bytes = std::vector<std::byte>;

struct position {
    float x, y;
    friend bool operator==(const position&, const position&) = default;
};
struct health {
    std::int32_t points;
};
/// Says itself how it is saved.
struct label {
    std::string text;
    std::vector<std::uint16_t> numbers;

    void save(ecs::snapshot_writer& to) const {
        to.write(text);
        to.write(numbers);
    }
    static label load(ecs::snapshot_reader& from) {
        label made{from.read<std::string>(), {}};
        made.numbers = from.read<std::vector<std::uint16_t>>();
        return made;
    }
    friend bool operator==(const label&, const label&) = default;
};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    std::int32_t strength = 1;
};
struct motto {
    static constexpr auto kept_in = ecs::storage::sparse;
    std::string text;
};
struct selected {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct enemy {};
struct likes {};
struct distance {
    std::int32_t steps;
};
struct gravity {
    float g;
};
struct unsaved {
    std::string text;
};
/// Writes nothing.
struct silent {
    void save(ecs::snapshot_writer&) const {}
    static silent load(ecs::snapshot_reader&) { return {}; }
};
struct crowd {
    std::vector<silent> all;
    void save(ecs::snapshot_writer& to) const { to.write(all); }
    static crowd load(ecs::snapshot_reader& from) { return {from.read<std::vector<silent>>()}; }
};

} // namespace

/// Somebody else says how it is saved.
template <> struct ecs::snapshot_traits<motto> {
    static void save(const motto& value, snapshot_writer& to) { to.write_text(value.text); }
    static motto load(snapshot_reader& from) {
        motto made{from.read_text()};
        if (made.text == "refused") throw std::invalid_argument("not this motto");
        return made;
    }
};

namespace {

void register_forward(ecs::world& world) {
    world.component<position>(), world.component<health>(), world.component<label>();
    world.component<buff>(), world.component<motto>(), world.component<selected>();
    world.component<enemy>(), world.component<likes>(), world.component<distance>();
    world.component<gravity>();
}

/// One of everything a world can have.
struct sample {
    explicit sample(ecs::world& world) {
        ship = world.spawn("Ship", position{1, 2}, health{100});
        for (int i = 0; i < 5; ++i) {
            turrets.push_back(world.spawn(position{float(i), 0}, label{"turret", {1, 2}}));
            world.add(turrets.back(), pair(ecs::child_of, ship));
        }
        world.set_name(turrets[3], "Last");
        world.despawn(turrets[1]);
        ended = turrets[1];
        turrets.erase(turrets.begin() + 1);
        orc = world.prefab(health{7});
        grunt = world.spawn(position{3, 3});
        world.add(grunt, pair(ecs::is_a, orc));
        world.set(grunt, buff{9});
        world.set(ship, motto{"ahoy"});
        world.disable<motto>(ship);
        world.add<selected>(grunt);
        world.disable<position>(turrets[0]);
        world.disable(turrets[2]);
        world.add(grunt, pair(world.component<likes>(), ship));
        world.set<ecs::pair_of<distance, likes>>(grunt, distance{12});
        world.add(grunt, ecs::value_pair(world.component<likes>(), 77));
        married = world.spawn("Married");
        world.add(married, ecs::symmetric);
        world.add(grunt, pair(married, ship));
        world.add(world.component<enemy>(), ecs::togglable);
        world.add<enemy>(ship);
        world.set_singleton(gravity{9.81F});
        for (int i = 0; i < 12; ++i) world.spawn(health{i}); // Enough to be written as a run of such.
    }
    void check(ecs::world& world) const;

    entity ship, orc, grunt, married, ended;
    std::vector<entity> turrets;
};

void sample::check(ecs::world& world) const {
    EXPECT_EQ(world.lookup("Ship"), ship);
    EXPECT_EQ(world.lookup("Ship/Last"), turrets[2]);
    EXPECT_EQ(world.get<position>(ship), (position{1, 2}));
    EXPECT_EQ(world.get<health>(ship).points, 100);
    std::vector<entity> children;
    for (const entity child : world.children(ship)) children.push_back(child);
    EXPECT_EQ(children, (std::vector{turrets[0], turrets[3], turrets[1], turrets[2]}));
    for (const entity turret : turrets) EXPECT_EQ(world.get<label>(turret), (label{"turret", {1, 2}}));
    EXPECT_EQ(world.status(ended), ecs::id_status::stale);
    EXPECT_EQ(world.get<health>(grunt).points, 7);
    EXPECT_EQ(world.try_get<health>(grunt), world.try_get<health>(orc));
    EXPECT_EQ(world.get<buff>(grunt).strength, 9);
    EXPECT_EQ(world.get<motto>(ship).text, "ahoy");
    EXPECT_FALSE(world.is_enabled<motto>(ship));
    EXPECT_TRUE(world.has<selected>(grunt) && !world.has<selected>(ship));
    EXPECT_FALSE(world.is_enabled<position>(turrets[0]));
    EXPECT_TRUE(world.is_enabled<position>(turrets[1]));
    EXPECT_FALSE(world.is_enabled(turrets[2]));
    EXPECT_TRUE(world.has(grunt, pair(world.component<likes>(), ship)));
    EXPECT_EQ((world.get<ecs::pair_of<distance, likes>>(grunt).steps), 12);
    EXPECT_TRUE(world.has(grunt, ecs::value_pair(world.component<likes>(), 77)));
    EXPECT_TRUE(world.has(ship, pair(married, grunt)));
    EXPECT_TRUE(world.has(world.component<enemy>(), ecs::togglable));
    EXPECT_EQ(world.singleton<gravity>().g, 9.81F);
    EXPECT_EQ(world.query<position>().with<enemy>().count(), 1U);
}

/// The reason for which the bytes are refused; nothing when they are not.
std::optional<snapshot_refusal> refusal_of(ecs::world& world, const bytes& from) {
    try {
        ecs::load(world, from);
    } catch (const ecs::snapshot_error& error) {
        return error.reason;
    }
    return {};
}

std::string message_of(ecs::world& world, const bytes& from) {
    try {
        ecs::load(world, from);
    } catch (const ecs::snapshot_error& error) {
        return error.what();
    }
    return "";
}

TEST(persistence, everything_comes_back_to_the_world_that_saved_it) {
    ecs::world world;
    const sample kept(world);
    const bytes saved = ecs::save(world);
    const entity born = world.spawn(position{});
    world.despawn(kept.ship);
    world.clear();
    ecs::load(world, saved);
    kept.check(world);
    EXPECT_FALSE(world.alive(born));
}

TEST(persistence, another_world_knows_components_by_name) {
    ecs::world first;
    const sample kept(first);
    const bytes saved = ecs::save(first);
    using game =
        ecs::manifest<gravity, distance, selected, enemy, likes, motto, buff, label, health, position>;
    ecs::world second{game{}}; // Indices are others than those of the first world.
    EXPECT_NE(second.component<position>().index(), first.component<position>().index());
    ecs::load(second, saved);
    EXPECT_EQ(second.query<position>().with<enemy>().count(), 1U);
    // Handles differ in the number of the world alone.
    const entity ship = second.lookup("Ship");
    EXPECT_EQ(ship.index(), kept.ship.index());
    EXPECT_EQ(ship.generation(), kept.ship.generation());
    EXPECT_EQ(second.children(ship).size(), 4U);
    EXPECT_EQ(second.get<motto>(ship).text, "ahoy");
    EXPECT_EQ(second.singleton<gravity>().g, 9.81F);
    EXPECT_EQ(ecs::save(second).size(), saved.size());
    EXPECT_EQ(ecs::differences(first, second), std::vector<ecs::difference>());
}

TEST(persistence, handles_that_ended_in_either_world_stay_dead) {
    ecs::world world;
    const entity first = world.spawn();
    world.despawn(first);
    const bytes saved = ecs::save(world);
    std::vector<entity> ended{first};
    for (int i = 0; i < 5; ++i) {
        ended.push_back(world.spawn());
        world.despawn(ended.back());
    }
    ecs::load(world, saved);
    for (int i = 0; i < 20; ++i) {
        const entity e = world.spawn();
        EXPECT_EQ(std::ranges::count(ended, e), 0);
        world.despawn(e);
    }
}

TEST(persistence, marks_of_a_restored_world_are_saved) {
    ecs::world world;
    const entity e = world.spawn();
    const auto then = world.snapshot();
    world.despawn(e);
    const entity later = world.spawn();
    ASSERT_EQ(later.index(), e.index());
    world.restore(then);
    const bytes saved = ecs::save(world);
    ecs::world other;
    ecs::load(other, saved);
    ASSERT_EQ(other.entities().size(), 1U);
    EXPECT_TRUE(other.despawn(other.entities().front()));
    const entity next = other.spawn();
    ASSERT_EQ(next.index(), e.index());
    EXPECT_GT(next.generation(), later.generation());
}

TEST(persistence, the_mark_of_a_base_stays_permanent) {
    ecs::world world;
    const entity shared = world.spawn(position{1, 2});
    const entity heir = world.spawn(pair(ecs::is_a, shared));
    ASSERT_EQ(world.remove(shared, ecs::base), add_result::is_permanent);
    ecs::load(world, ecs::save(world));
    EXPECT_EQ(world.remove(shared, ecs::base), add_result::is_permanent);
    EXPECT_EQ(world.get<position>(heir).y, 2);
}

/// Puts another index where the only word with that one is.
void replace_index(bytes& saved, std::uint32_t index, std::uint32_t other) {
    const auto found = std::ranges::search(saved, std::as_bytes(std::span(&index, 1)));
    ASSERT_FALSE(found.empty());
    std::memcpy(&*found.begin(), &other, sizeof(other));
}

TEST(persistence, a_base_without_its_mark_is_refused) {
    ecs::world world, other;
    const entity shared = world.spawn(position{1, 2});
    world.spawn(pair(ecs::is_a, shared));
    std::ignore = other.component<position>();
    bytes saved = ecs::save(world);
    EXPECT_EQ(message_of(other, saved), "");
    replace_index(saved, ecs::base.index(), ecs::disabled.index());
    EXPECT_EQ(message_of(other, mended(saved)),
              "the snapshot is inconsistent: an entity is a base and is not marked as one");
}

TEST(persistence, a_component_with_the_index_of_a_built_in_entity_is_refused) {
    ecs::world world, other;
    world.spawn("Bob");
    const std::string_view name = "ecs::name";
    for (const std::uint32_t index : {0U, ecs::child_of.index(), ecs::exclusive.index(), 511U}) {
        bytes saved = ecs::save(world);
        const auto found = std::ranges::search(saved, std::as_bytes(std::span(name)));
        ASSERT_FALSE(found.empty());
        std::memcpy(&*found.end(), &index, sizeof(index)); // The index follows the name.
        EXPECT_EQ(message_of(other, mended(saved)),
                  "the snapshot is inconsistent: component ecs::name has the index of a built-in entity, or "
                  "none");
    }
}

TEST(persistence, rows_keep_their_order) {
    ecs::world world;
    auto all = world.spawn_n(9000, [](std::size_t i) { return position{float(i), 0}; });
    for (std::size_t i = 0; i < all.size(); i += 3) world.despawn(all[i]);
    for (std::size_t i = 1; i < all.size(); i += 30) world.set(all[i], health{int(i)});
    const auto rows = [&] {
        std::vector<entity> order;
        world.each([&](entity e, const position&) { order.push_back(e); });
        return order;
    };
    const auto before = rows();
    const bytes saved = ecs::save(world);
    for (std::size_t i = 1; i < all.size(); i += 7) world.despawn(all[i]);
    ecs::load(world, saved);
    EXPECT_EQ(rows(), before);
    EXPECT_EQ(world.get<position>(all[31]).x, 31);
    EXPECT_EQ(world.get<health>(all[31]).points, 31);
}

TEST(persistence, a_handle_that_the_snapshot_has_as_well_is_its_entity_and_every_other_is_dead) {
    const ecs::id_space alike{.first_generation = 50'000};
    ecs::world first(alike), second(alike);
    const std::vector<entity> saved = first.spawn_n(3, position{1, 2});
    first.despawn(saved[2]);
    const std::vector<entity> mine = second.spawn_n(4, position{3, 4});
    const entity later = (second.despawn(mine[3]), second.spawn());
    ASSERT_EQ(saved[0].index(), mine[0].index());
    ecs::load(second, ecs::save(first));
    for (const std::size_t i : {0U, 1U}) {
        ASSERT_TRUE(second.alive(mine[i])) << "it has the index and the generation of a saved one";
        EXPECT_EQ(second.get<position>(mine[i]), (position{1, 2}));
    }
    const std::vector<entity> born = second.spawn_n(20);
    for (const entity gone : {mine[2], mine[3], later}) EXPECT_FALSE(second.alive(gone));
    EXPECT_FALSE(second.alive(saved[0])) << "a handle of the other world";
}

TEST(persistence, a_world_that_begins_with_later_generations_gives_out_no_handle_of_a_snapshot) {
    ecs::world first;
    first.spawn_n(20, position{1, 2});
    ecs::world second(ecs::id_space{.first_generation = 500'000});
    const std::vector<entity> mine = second.spawn_n(20, position{3, 4});
    ecs::load(second, ecs::save(first));
    const std::vector<entity> loaded = second.entities();
    EXPECT_EQ(loaded.size(), 20U);
    second.clear();
    second.spawn_n(50);
    for (const std::vector<entity>& all : {mine, loaded})
        for (const entity e : all) EXPECT_FALSE(second.alive(e));
}

TEST(persistence, rules_hold_after_loading) {
    ecs::world world;
    const sample kept(world);
    ecs::load(world, ecs::save(world));
    EXPECT_EQ(world.add(kept.ship, pair(ecs::child_of, kept.turrets[0])), add_result::would_make_a_cycle);
    const entity other = world.spawn();
    world.add(kept.turrets[0], pair(kept.married, other));
    EXPECT_TRUE(world.has(other, pair(kept.married, kept.turrets[0])));
    EXPECT_THROW(world.spawn("Ship"), ecs::name_error);
    world.despawn(kept.ship);
    EXPECT_FALSE(world.alive(kept.turrets[0]));
    EXPECT_FALSE(world.has(kept.grunt, pair(kept.married, ecs::any)));
}

TEST(persistence, queries_made_before_see_what_was_loaded) {
    ecs::world world;
    auto standing = world.query<const position>();
    world.spawn(position{1, 1});
    const bytes saved = ecs::save(world);
    world.clear();
    EXPECT_EQ(standing.count(), 0U);
    ecs::load(world, saved);
    EXPECT_EQ(standing.count(), 1U);
    EXPECT_EQ(standing.first(), world.query<position>().single());
}

TEST(persistence, components_that_nobody_has_need_not_be_known) {
    ecs::world first;
    first.component<unsaved>();
    first.component<health>();
    first.spawn(position{1, 1});
    const bytes saved = ecs::save(first);
    ecs::world second;
    second.component<position>();
    ecs::load(second, saved);
    EXPECT_EQ(second.query<position>().count(), 1U);
}

struct unused_relation {
    static constexpr auto properties = ecs::properties(ecs::exclusive);
};
struct unused_companion {
    static constexpr auto properties = ecs::properties(ecs::with_type<health>);
};

TEST(persistence, components_with_properties_that_nothing_saved_has_or_names_need_not_be_known) {
    ecs::world first;
    first.component<unused_relation>();
    first.component<unused_companion>();
    first.spawn(position{1, 1});
    ecs::world second;
    second.component<position>();
    EXPECT_EQ(message_of(second, ecs::save(first)), "");
    EXPECT_EQ(second.query<position>().count(), 1U);
}

TEST(persistence, properties_of_a_component_that_nothing_saved_has_stay_as_they_are) {
    ecs::world world;
    const entity unused = world.component<unused_relation>();
    const entity scripted = world.component({.name = "scripted"});
    world.add(scripted, ecs::exclusive);
    const std::vector<std::byte> bytes = ecs::save(world);
    world.add(scripted, ecs::acyclic);
    ecs::load(world, bytes);
    EXPECT_TRUE(world.has(unused, ecs::exclusive));
    EXPECT_TRUE(world.has(scripted, ecs::exclusive));
}

/// Whoever has the first gets the second by a property, and whoever has that the third.
TEST(persistence, properties_of_components_that_properties_name_are_saved) {
    const auto named = [](ecs::world& world, const char* name) { return world.component({.name = name}); };
    const auto learn = [&](ecs::world& world) {
        return std::array{named(world, "third"), named(world, "second"), named(world, "first")};
    };
    ecs::world world, other, stranger;
    const auto [third, second, first] = learn(world);
    const entity e = world.spawn("e");
    world.add(e, first);
    world.add(first, pair(ecs::with, second));
    world.add(second, pair(ecs::with, third));
    world.add(third, ecs::togglable);
    const auto [third_there, second_there, first_there] = learn(other);
    ecs::load(other, ecs::save(world));
    EXPECT_TRUE(other.has(first_there, pair(ecs::with, second_there)));
    EXPECT_TRUE(other.has(second_there, pair(ecs::with, third_there)));
    EXPECT_TRUE(other.has(third_there, ecs::togglable));
    named(stranger, "first"), named(stranger, "second");
    EXPECT_EQ(refusal_of(stranger, ecs::save(world)), snapshot_refusal::unknown_component);
    world.remove(e, first);
    EXPECT_EQ(message_of(stranger, ecs::save(world)), "") << "nothing saved has them any more";
}

TEST(persistence, components_described_at_run_time_are_saved) {
    ecs::world first;
    const entity scripted = first.component({.name = "scripted", .size = 4});
    const std::int32_t value = 5;
    first.set(first.spawn("it"), scripted, &value);
    const bytes saved = ecs::save(first);
    ecs::world second;
    EXPECT_EQ(message_of(second, saved), "the world does not know component scripted: register it before the "
                                         "snapshot is loaded");
    const entity here = second.component({.name = "scripted", .size = 4});
    ecs::load(second, saved);
    EXPECT_EQ(*static_cast<const std::int32_t*>(second.try_get(second.lookup("it"), here)), 5);
}

TEST(persistence, what_cannot_be_saved_is_refused_by_name) {
    ecs::world world;
    world.spawn(unsaved{"x"});
    try {
        std::ignore = ecs::save(world);
        FAIL();
    } catch (const ecs::snapshot_error& error) {
        EXPECT_EQ(error.reason, snapshot_refusal::not_savable);
        EXPECT_NE(std::string_view(error.what()).find("unsaved: its values are more than bytes"),
                  std::string_view::npos)
            << error.what();
    }
}

TEST(persistence, values_of_pairs_that_cannot_be_saved_are_refused_by_the_names_of_both) {
    ecs::world world;
    const entity e = world.spawn(), seat = world.spawn("seat");
    const auto refusal = [&] {
        try {
            std::ignore = ecs::save(world);
        } catch (const ecs::snapshot_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    world.set<ecs::pair_of<likes, unsaved>>(e, unsaved{"x"});
    std::string said = refusal();
    EXPECT_NE(said.find("unsaved in pairs of "), std::string::npos) << said;
    EXPECT_NE(said.find("likes: its values are more than bytes"), std::string::npos) << said;
    EXPECT_NE(said.find("or leave out the relation with all its pairs"), std::string::npos) << said;
    EXPECT_FALSE(ecs::save(world, {.without = {world.component<likes>()}}).empty());
    world.remove<ecs::pair_of<likes, unsaved>>(e);
    const unsaved value{"y"};
    world.set(e, pair(seat, world.component<unsaved>()), &value);
    said = refusal();
    EXPECT_NE(said.find("unsaved in pairs of seat: its values"), std::string::npos) << said;
}

TEST(persistence, a_list_that_nobody_could_load_is_refused) {
    ecs::world world;
    world.spawn(crowd{std::vector<silent>(3)});
    try {
        std::ignore = ecs::save(world);
        FAIL();
    } catch (const ecs::snapshot_error& error) {
        EXPECT_EQ(error.reason, snapshot_refusal::not_savable);
    }
}

TEST(persistence, components_that_differ_are_refused) {
    const auto with_size = [](std::size_t size, ecs::storage kept_in, std::vector<ecs::member> members) {
        ecs::world world;
        const entity scripted = world.component(
            {.name = "scripted", .size = size, .kept_in = kept_in, .members = std::move(members)});
        const std::array<std::byte, 16> value{};
        world.set(world.spawn(), scripted, value.data());
        return ecs::save(world);
    };
    ecs::world world;
    world.component({.name = "scripted", .size = 8, .members = {{"a", "int", 0, 4}}});
    const auto message = [&](const bytes& saved) { return message_of(world, saved); };
    using enum ecs::storage;
    EXPECT_EQ(refusal_of(world, with_size(16, table, {})), snapshot_refusal::component_differs);
    EXPECT_EQ(message(with_size(16, table, {})),
              "component scripted has another size in the snapshot: 16, not 8");
    world.component({.name = "words", .size = 8, .alignment = 4});
    ecs::world aligned;
    aligned.add(aligned.spawn(), aligned.component({.name = "words", .size = 8}));
    EXPECT_EQ(message(ecs::save(aligned)), "component words has another alignment in the snapshot: 8, not 4");
    EXPECT_EQ(message(with_size(8, sparse, {})), "component scripted has another storage in the snapshot");
    EXPECT_EQ(message(with_size(8, table, {{"b", "int", 0, 4}})),
              "component scripted has another list of members in the snapshot");
    EXPECT_EQ(message(with_size(8, table, {})), "");
}

/// The same size, as another program knows it: members that the compiler has found are compared with those
/// that were told.
TEST(persistence, members_that_the_compiler_finds_are_compared) {
    ecs::world first;
    first.spawn(position{1, 2});
    const std::string name(ecs::type_name<position>);
    const bytes saved = ecs::save(first);
    const auto message = [&](std::vector<ecs::member> members) {
        ecs::world second;
        second.component({.name = name, .size = 8, .alignment = 4, .members = std::move(members)});
        return message_of(second, saved);
    };
    EXPECT_EQ(message({{"x", "float", 0, 4}, {"y", "float", 4, 4}}), "");
    EXPECT_EQ(message({}), "");
    EXPECT_EQ(message({{"y", "float", 0, 4}, {"x", "float", 4, 4}}),
              "component " + name + " has another list of members in the snapshot");
}

TEST(persistence, values_that_a_function_wrote_are_no_bytes_to_copy) {
    ecs::world first;
    first.spawn(label{"text", {}});
    const std::string name(ecs::type_name<label>);
    ecs::world second;
    second.component({.name = name, .size = sizeof(label), .alignment = alignof(label)});
    EXPECT_EQ(message_of(second, ecs::save(first)),
              "component " + name +
                  " has another way of writing values (a function, or their bytes) in the snapshot");
}

TEST(persistence, same_world_gives_the_same_bytes_when_it_has_gone_back_or_loaded_them) {
    ecs::world world;
    for (int n = 0; n < 20; ++n) {
        const entity parent = world.spawn(position{}), other = world.spawn(buff{n}, motto{"m"});
        for (int k = 0; k < 3; ++k) world.add(world.spawn(), pair(ecs::child_of, k == 1 ? other : parent));
    }
    const bytes saved = ecs::save(world);
    const ecs::snapshot then = world.snapshot();
    world.rewind(then);
    EXPECT_EQ(ecs::save(world), saved);
    for (int times = 0; times < 2; ++times) {
        ecs::load(world, saved);
        EXPECT_EQ(ecs::save(world), saved) << times;
    }
}

struct first_kept {
    static constexpr auto properties = ecs::properties(ecs::not_inheritable);
    int value = 0;
};
struct second_kept {
    static constexpr auto properties = ecs::properties(ecs::not_inheritable);
    int value = 0;
};
struct in_a_column {
    static constexpr auto properties = ecs::properties(ecs::exclusive, ecs::non_fragmenting);
};

TEST(persistence, same_world_gives_the_same_bytes_whatever_was_there_and_whichever_component_came_first) {
    ecs::world world;
    world.component<first_kept>();
    world.component<second_kept>();
    world.spawn(first_kept{}, second_kept{}); // What nobody has is not saved.
    const entity source = world.spawn(), target = world.spawn(), parent = world.spawn();
    world.add<in_a_column>(source, target);
    world.remove<in_a_column>(source, target);
    world.add(target, ecs::child_of, parent);
    world.despawn(target);
    const bytes saved = ecs::save(world);
    ecs::load(world, saved);
    EXPECT_EQ(ecs::save(world), saved);
}

/// A text has 32 bytes with one standard library and 24 with another.
TEST(persistence, component_that_a_function_reads_may_have_another_size) {
    ecs::world first;
    first.spawn("Bob");
    bytes saved = ecs::save(first);
    const std::string_view name = "ecs::name";
    const auto found = std::ranges::search(saved, std::as_bytes(std::span(name)));
    const auto place_of_size = static_cast<std::size_t>(found.begin() - saved.begin()) + name.size() + 4 + 1 +
                               1; // Index, storage and form.
    ecs::world second;
    mending::write(saved, place_of_size, 0);
    EXPECT_EQ(message_of(second, mended(saved)),
              "component ecs::name has another size in the snapshot: 0, not " +
                  std::to_string(sizeof(std::string)));
    mending::write(saved, place_of_size, 24);
    mending::write(saved, place_of_size + 8, 4); // The alignment.
    EXPECT_EQ(message_of(second, mended(saved)), "");
    EXPECT_TRUE(second.lookup("Bob"));
}

/// What an heir has from its base closes a ring, in a world that allows it, and is loaded by one that does
/// not.
TEST(persistence, rings_through_what_is_inherited_are_refused) {
    const auto ring_in = [](ecs::world& world) {
        const entity leads = world.component({.name = "leads"});
        world.add(leads, ecs::inheritable);
        const entity base = world.spawn(), variant = world.spawn(), heir = world.spawn();
        world.add(variant, pair(ecs::is_a, base));
        world.add(heir, pair(ecs::is_a, variant));
        return world.add(base, pair(leads, heir));
    };
    ecs::world lax, strict;
    EXPECT_EQ(ring_in(lax), ecs::add_result::added);
    strict.add(strict.component({.name = "leads"}), ecs::acyclic);
    EXPECT_EQ(ring_in(strict), ecs::add_result::would_make_a_cycle);
    const std::size_t before = strict.entities().size();
    EXPECT_NE(message_of(strict, ecs::save(lax)).find("leads: a relation has a cycle"), std::string::npos);
    EXPECT_EQ(strict.entities().size(), before);
}

TEST(persistence, targets_that_are_not_allowed_here_are_refused) {
    const auto pair_in = [](ecs::world& world, bool below_group) {
        const entity chosen = world.spawn(), group = world.component({.name = "group"});
        if (below_group) world.add(chosen, pair(ecs::child_of, group));
        return world.add(world.spawn(), pair(world.component({.name = "chooses"}), chosen));
    };
    ecs::world lax, sound, strict;
    EXPECT_EQ(pair_in(lax, false), ecs::add_result::added);
    EXPECT_EQ(pair_in(sound, true), ecs::add_result::added);
    strict.add(strict.component({.name = "chooses"}), pair(ecs::one_of, strict.component({.name = "group"})));
    EXPECT_NE(message_of(strict, ecs::save(lax)).find("chooses: a target is no child of the group"),
              std::string::npos);
    EXPECT_EQ(message_of(strict, ecs::save(sound)), "");
    EXPECT_EQ(pair_in(strict, false), ecs::add_result::target_not_allowed);
}

struct steps_to {
    static constexpr auto properties = ecs::properties(ecs::exclusive, ecs::non_fragmenting);
    std::int32_t steps;
};

TEST(persistence, relations_that_are_had_here_with_entities_only_are_refused_otherwise) {
    const auto named = [](ecs::world& world) { return world.component({.name = "likes"}); };
    const auto refusal = [&](ecs::id property, const auto& give) {
        ecs::world lax, strict;
        give(lax, lax.spawn(), named(lax));
        strict.add(named(strict), property);
        return message_of(strict, ecs::save(lax));
    };
    const auto give_alone = [](ecs::world& world, entity e, entity likes) { world.add(e, likes); };
    const auto give_number = [](ecs::world& world, entity e, entity likes) {
        world.add(e, ecs::value_pair(likes, 3));
    };
    EXPECT_NE(refusal(ecs::exclusive, give_alone).find("likes: an entity has it without a target"),
              std::string::npos);
    EXPECT_NE(refusal(ecs::transitive, give_alone).find("likes: an entity has it without a target"),
              std::string::npos);
    EXPECT_NE(refusal(ecs::symmetric, give_number).find("likes: an entity has it with a number"),
              std::string::npos);
    EXPECT_EQ(refusal(ecs::exclusive, give_number), "");
    EXPECT_EQ(refusal(ecs::togglable, give_alone), "");
}

TEST(persistence, values_of_pairs_whose_targets_are_in_a_column_are_no_components_alone) {
    ecs::world world, other;
    const entity goal = world.spawn("goal");
    world.set<steps_to>(world.spawn("source"), goal, {3});
    std::ignore = other.component<steps_to>();
    EXPECT_EQ(message_of(other, ecs::save(world)), "");
    EXPECT_EQ(other.get<steps_to>(other.lookup("source"), other.lookup("goal")).steps, 3);
}

/// The row of the component has the property before anything is loaded.
TEST(persistence, a_declared_property_that_is_disabled_comes_back_so) {
    ecs::world world, other;
    ASSERT_TRUE(succeeded(world.disable(world.component<steps_to>(), ecs::exclusive)));
    world.spawn(pair(ecs::child_of, world.component<steps_to>())); // Something that is saved names it.
    std::ignore = other.component<steps_to>();
    ecs::load(other, ecs::save(world));
    EXPECT_FALSE(other.is_enabled(other.component<steps_to>(), ecs::exclusive));
    EXPECT_TRUE(other.is_enabled(other.component<steps_to>(), ecs::non_fragmenting));
}

TEST(persistence, instances_of_what_is_final_here_are_refused) {
    ecs::world lax, strict;
    const entity heir = lax.spawn(pair(ecs::is_a, lax.component({.name = "fleet"})));
    strict.add(strict.component({.name = "fleet"}), ecs::final);
    const std::size_t before = strict.entities().size();
    EXPECT_NE(message_of(strict, ecs::save(lax)), "");
    EXPECT_EQ(strict.entities().size(), before);
    lax.despawn(heir);
    EXPECT_EQ(message_of(strict, ecs::save(lax)), "");
}

TEST(persistence, a_function_that_throws_changes_nothing) {
    ecs::world world;
    const entity e = world.spawn(position{1, 1});
    world.set(e, motto{"refused"});
    const bytes saved = ecs::save(world);
    world.set(e, motto{"kept"});
    EXPECT_THROW(ecs::load(world, saved), std::invalid_argument);
    EXPECT_EQ(world.get<motto>(e).text, "kept");
}

TEST(persistence, is_refused_while_commands_wait_and_inside_a_loop) {
    ecs::world world;
    world.spawn(position{});
    const bytes saved = ecs::save(world);
    EXPECT_THROW(world.each([&](position&) { ecs::load(world, saved); }), ecs::iteration_error);
    auto commands = world.commands();
    std::ignore = commands.spawn(position{});
    EXPECT_EQ(refusal_of(world, saved), snapshot_refusal::commands_pending);
    world.flush();
    EXPECT_EQ(world.query<position>().count(), 2U);
}

/// A world that must not change, and says when it has.
struct bystander {
    bystander() {
        register_forward(world);
        e = world.spawn("only", position{4, 4});
    }
    void check() {
        EXPECT_TRUE(world.alive(e));
        EXPECT_EQ(world.lookup("only"), e);
        EXPECT_EQ(world.get<position>(e), (position{4, 4}));
        EXPECT_EQ(world.query<position>().count(), 1U);
    }
    ecs::world world;
    entity e;
};

template <class T> T read_at(const bytes& from, std::size_t place) {
    T value;
    std::memcpy(&value, from.data() + place, sizeof(value));
    return value;
}

/// A sanitizer looks at some.
constexpr std::size_t places_at_a_time = test::is_sanitized ? 3 : 1;

/// Every byte of a saved world, but of each run of indices only the first few: the number of a world may have
/// had worlds with many.
std::vector<std::size_t> places_of(const bytes& saved) {
    std::vector<std::size_t> places;
    std::size_t next = 0;
    const auto take = [&](std::size_t end) {
        for (; next < end; next += places_at_a_time) places.push_back(next);
    };
    std::size_t run = mending::header_bytes + 8;
    for (auto left = read_at<std::uint64_t>(saved, mending::header_bytes); left != 0; --left) {
        const std::size_t states = run + 4 + 4 + 8;
        const bool alike = read_at<std::uint32_t>(saved, run + 4) != 0;
        const auto size = alike ? 1 : static_cast<std::size_t>(read_at<std::uint64_t>(saved, run + 8));
        take(states + 8 * std::min<std::size_t>(size, 32));
        run = next = states + 8 * size;
    }
    take(saved.size());
    return places;
}

TEST(persistence, component_that_is_a_parent_and_nothing_else_is_saved) {
    struct folder {};
    ecs::world world;
    world.set_name(world.spawn(pair(ecs::child_of, world.component<folder>())), "inside");
    ecs::world other;
    other.component<folder>();
    load(other, ecs::save(world));
    EXPECT_TRUE(other.lookup(other.component<folder>(), "inside"));
}

TEST(persistence, every_truncation_is_refused) {
    ecs::world world;
    const sample kept(world);
    const bytes saved = ecs::save(world);
    bystander other;
    for (const std::size_t length : places_of(saved)) {
        const bytes cut(saved.begin(), saved.begin() + static_cast<std::ptrdiff_t>(length));
        EXPECT_EQ(refusal_of(other.world, cut), snapshot_refusal::truncated) << length;
        if (length >= mending::header_bytes)
            EXPECT_NE(refusal_of(other.world, mended(cut)), std::nullopt) << length;
    }
    other.check();
}

TEST(persistence, every_changed_bit_is_refused) {
    ecs::world world;
    const sample kept(world);
    const bytes saved = ecs::save(world);
    bystander other;
    for (const std::size_t place : places_of(saved))
        for (unsigned bit = 0; bit < 8; ++bit) {
            bytes changed = saved;
            changed[place] ^= std::byte{1} << bit;
            const std::optional<snapshot_refusal> refusal = refusal_of(other.world, changed);
            EXPECT_NE(refusal, std::nullopt) << place;
            if (place >= mending::header_bytes) EXPECT_EQ(refusal, snapshot_refusal::damaged) << place;
        }
    other.check();
}

constexpr std::size_t bits_at_a_time = test::is_sanitized ? 7 : 1;

/// Behind the checksum every bit is somebody's to check: the world that comes of it works, or none does.
TEST(persistence, every_changed_bit_with_a_right_checksum_is_refused_or_harmless) {
    ecs::world first;
    const sample kept(first);
    const bytes saved = ecs::save(first);
    std::size_t refused = 0;
    const std::vector<std::size_t> places = places_of(saved);
    auto other = std::make_unique<bystander>();
    for (std::size_t bit = mending::header_bytes * 8; bit < places.size() * 8; bit += bits_at_a_time) {
        bytes changed = saved;
        changed[places[bit / 8]] ^= std::byte{1} << (bit % 8);
        if (refusal_of(other->world, mended(changed))) {
            ++refused;
            other->check();
            continue;
        }
        const bytes again = ecs::save(other->world);
        EXPECT_EQ(refusal_of(other->world, again), std::nullopt) << bit;
        other->world.clear();
        EXPECT_TRUE(other->world.entities().empty()) << bit;
        other = std::make_unique<bystander>();
    }
    EXPECT_GT(refused * bits_at_a_time, places.size()); // Most bits are no values.
}

TEST(persistence, every_reason_has_a_text_of_its_own) {
    std::set<std::string_view> texts{"unknown"};
    for (unsigned reason = 0; reason <= unsigned(snapshot_refusal::inconsistent); ++reason)
        EXPECT_TRUE(texts.insert(to_string(snapshot_refusal(reason))).second) << reason;
}

TEST(persistence, bytes_that_are_no_snapshot_are_refused) {
    bystander other;
    EXPECT_EQ(refusal_of(other.world, bytes(1000)), snapshot_refusal::not_a_snapshot);
    EXPECT_EQ(message_of(other.world, bytes(1000)), "these bytes are no snapshot, or one of another version");
    bytes saved = ecs::save(other.world);
    saved.push_back({});
    EXPECT_EQ(message_of(other.world, saved), "the snapshot is inconsistent: bytes follow its end");
    saved.pop_back();
    saved[20] ^= std::byte{1};
    EXPECT_EQ(refusal_of(other.world, saved), snapshot_refusal::layouts_differ);
    other.check();
}

// Runs of indices whose entities live alike.

/// The first run of the body, which is one of such: from the first ordinary index on, all of generation 1.
struct first_run {
    std::uint32_t first = 512;
    std::uint32_t form = 1;
    std::uint64_t count{};
    std::uint32_t live = 1;
    std::uint32_t next = 2;
};

class runs : public ::testing::Test {
  protected:
    runs() {
        for (int i = 0; i < 100; ++i) world.spawn(health{i});
        saved = ecs::save(world);
    }
    static constexpr std::size_t place = mending::header_bytes + sizeof(std::uint64_t);

    [[nodiscard]] first_run run() const {
        first_run found;
        std::memcpy(&found, saved.data() + place, sizeof(found));
        return found;
    }
    [[nodiscard]] std::string refusal_with(const first_run& other) {
        bytes changed = saved;
        std::memcpy(changed.data() + place, &other, sizeof(other));
        bystander beside;
        return message_of(beside.world, mended(changed));
    }

    ecs::world world;
    bytes saved;
};

TEST_F(runs, of_entities_that_live_alike_take_the_place_of_one) {
    EXPECT_EQ(run().form, 1U);
    EXPECT_EQ(run().count, 100U);
    ecs::world larger;
    for (int i = 0; i < 1100; ++i) larger.spawn(health{i});
    EXPECT_EQ(ecs::save(larger).size() - saved.size(), 1000 * (sizeof(std::uint32_t) + sizeof(health)));
}

TEST_F(runs, that_cannot_be_are_refused) {
    const std::string start = "the snapshot is inconsistent: ";
    EXPECT_EQ(refusal_with({.count = 101}), start + "index 612 lives and is in no table");
    EXPECT_EQ(refusal_with({.count = 400}), "the snapshot ends before 400 more things it announces");
    EXPECT_EQ(refusal_with({.count = 100, .live = 0}), start + "a run of entities that live has none");
    EXPECT_EQ(refusal_with({.form = 2, .count = 100}), start + "a run has another form than there are");
    EXPECT_EQ(refusal_with({.count = 100, .next = 1}), start + "index 512 has impossible generations");
    EXPECT_EQ(refusal_with({.first = 511, .count = 100}),
              start + "indices are not in their order, or too large");
    EXPECT_EQ(refusal_with(run()), "");
}

/// As many as there could be, and then as many again: refused before there is memory for them.
TEST_F(runs, of_more_than_can_have_a_place_are_refused) {
    const auto insert = [&](std::uint32_t first) {
        const first_run more{.first = first, .count = 150};
        const auto raw = std::as_bytes(std::span(&more, 1));
        saved.insert(saved.begin() + place + sizeof(more), raw.begin(), raw.end());
    };
    insert(700);
    insert(900);
    mending::write(saved, mending::header_bytes, 3);
    bystander other;
    EXPECT_EQ(message_of(other.world, mended(saved)),
              "the snapshot is inconsistent: more entities live than have a table");
    other.check();
}

/// Runs as long as are worth one, a little shorter, and with one that has another generation in the middle.
TEST(persistence, runs_of_any_length_come_back) {
    for (const std::size_t length : {1U, 6U, 7U, 8U, 9U, 20U, 600U})
        for (const bool again : {false, true}) {
            ecs::world world;
            std::vector<entity> all(3 * length);
            for (entity& e : all) e = world.spawn(health{1});
            for (std::size_t i = length; i < 2 * length; ++i) world.despawn(all[i]);
            if (again) world.spawn(health{2});
            ecs::world other;
            other.component<health>();
            ecs::load(other, ecs::save(world));
            EXPECT_EQ(ecs::save(other).size(), ecs::save(world).size()) << length;
            EXPECT_TRUE(std::ranges::equal(other.entities(), world.entities(), [](entity a, entity b) {
                return a.index() == b.index() && a.generation() == b.generation();
            })) << length;
            EXPECT_EQ(ecs::differences(world, other), std::vector<ecs::difference>()) << length;
        }
}

/// Where the partition of components is full, one has an index as entities have.
TEST(persistence, an_entity_with_the_index_of_a_component_is_refused) {
    ecs::world here;
    for (int i = 0; i < 300; ++i) here.component({.name = "scripted " + std::to_string(i)});
    const entity late = here.lookup("scripted 299");
    ASSERT_GE(late.index(), ecs::id_space::first_index);
    ecs::world first;
    std::vector<entity> others;
    entity same = first.spawn();
    for (; same.index() < late.index(); same = first.spawn()) others.push_back(same);
    ASSERT_EQ(same.index(), late.index());
    EXPECT_EQ(refusal_of(here, ecs::save(first)), snapshot_refusal::index_in_use);
    first.despawn(others); // It is written on its own now, and not as one of many that live alike.
    EXPECT_EQ(refusal_of(here, ecs::save(first)), snapshot_refusal::index_in_use);
    EXPECT_TRUE(here.alive(late));
    EXPECT_EQ(here.lookup("scripted 299"), late);
}

/// A number that announces more than there is: refused before room is made for it.
TEST(persistence, huge_counts_are_refused_at_once) {
    bystander other;
    bytes saved = ecs::save(other.world);
    for (const std::size_t place : places_of(saved))
        for (const std::uint64_t huge : {std::uint64_t{1} << 62, std::uint64_t{1} << 34, ~std::uint64_t{0}}) {
            if (place < mending::header_bytes || place + 8 > saved.size()) continue;
            bytes changed = saved;
            mending::write(changed, place, huge);
            std::ignore = refusal_of(other.world, mended(changed));
            if (!other.world.alive(other.e)) ecs::load(other.world, saved);
        }
    EXPECT_LT(other.world.memory_bytes(), 1U << 22);
}

TEST(persistence, counts_of_more_than_there_is_are_refused) {
    bystander other;
    const bytes saved = ecs::save(other.world);
    // The counts of runs, of the indices of the first one, of sets and of lists: of these there are none.
    for (const std::size_t place :
         {mending::header_bytes, mending::header_bytes + 16, saved.size() - 16, saved.size() - 8})
        for (const std::uint64_t huge : {std::uint64_t{1} << 62, std::uint64_t{1} << 34, ~std::uint64_t{0}}) {
            bytes changed = saved;
            mending::write(changed, place, huge);
            EXPECT_NE(refusal_of(other.world, mended(changed)), std::nullopt) << place;
        }
    other.check();
}

struct outside {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 7;
};

TEST(persistence, component_that_has_something_outside_tables_is_saved_with_it) {
    ecs::world world, other;
    world.add<outside>(world.component<position>());
    std::ignore = other.component<outside>();
    std::ignore = other.component<position>();
    ecs::load(other, ecs::save(world));
    ASSERT_TRUE(other.has<outside>(other.component<position>()));
    EXPECT_EQ(other.get<outside>(other.component<position>()).value, 7);
}

TEST(persistence, pairs_with_entities_that_wait_for_the_flush_are_not_kept) {
    ecs::world world;
    const entity child = world.spawn();
    auto commands = world.commands();
    const entity parent = commands.spawn(position{});
    bytes kept(3);
    EXPECT_NO_THROW(std::ignore = ecs::save(world));
    world.add(child, ecs::child_of, parent);
    const auto refusal = [](auto keep) {
        try {
            keep();
        } catch (const ecs::snapshot_error& e) {
            return std::optional(e.reason);
        }
        return std::optional<snapshot_refusal>();
    };
    EXPECT_EQ(refusal([&] { ecs::save(world, kept); }), snapshot_refusal::commands_pending);
    EXPECT_TRUE(kept.empty());
    EXPECT_EQ(refusal([&] { std::ignore = world.snapshot(); }), snapshot_refusal::commands_pending);
    world.flush();
    ecs::world other;
    std::ignore = other.component<position>();
    ecs::load(other, ecs::save(world));
    EXPECT_EQ(other.count<position>(), 1);
}

} // namespace
