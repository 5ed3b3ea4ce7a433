// SPDX-License-Identifier: MIT
// Which handles a world accepts, why it refuses the others, and what outlives a world: nothing.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <random>
#include <ranges>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

namespace handles_test {
namespace {

using ecs::add_result;
using ecs::id_status;

struct position {
    float x, y;
};
struct frozen {};

TEST(handles, entity_is_live_until_despawned_and_stale_ever_after) {
    ecs::world world;
    const ecs::entity first = world.spawn(position{1, 2});
    EXPECT_EQ(world.status(first), id_status::live);
    EXPECT_TRUE(world.despawn(first));
    EXPECT_EQ(world.status(first), id_status::stale);
    EXPECT_FALSE(world.despawn(first));

    const ecs::entity second = world.spawn(position{3, 4});
    EXPECT_EQ(second.index(), first.index()) << "the index is used again";
    EXPECT_NE(second, first);
    EXPECT_FALSE(world.alive(first));
    EXPECT_EQ(world.try_get<position>(first), nullptr);
    EXPECT_EQ(world.get<position>(second).x, 3);
}

TEST(handles, each_refusal_has_its_reason) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    EXPECT_EQ(world.status(ecs::entity{}), id_status::null);
    EXPECT_EQ(world.status(ecs::entity::assume_word(e.value() + 1000)), id_status::never_issued);
    EXPECT_EQ(world.status(ecs::entity::assume_word(e.value() + (std::uint64_t{1} << 32))),
              id_status::never_issued);
    EXPECT_EQ(world.status(ecs::entity::assume_word(std::uint64_t{0xF} << 60)), id_status::malformed);
    const ecs::id pair = ecs::pair(e, e);
    EXPECT_EQ(world.status(ecs::entity::assume_word(pair.value())), id_status::not_an_entity);
    ecs::world other;
    EXPECT_EQ(other.status(e), id_status::foreign_world);
    EXPECT_FALSE(other.alive(e));
}

TEST(handles, other_kinds_of_identifier_are_told_from_malformed_words) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    EXPECT_EQ(world.status(ecs::pair(e, e)), id_status::not_an_entity);
    EXPECT_EQ(world.status(ecs::pair(e, ecs::any)), id_status::not_an_entity);
    EXPECT_EQ(world.status(ecs::id(ecs::value_pair(e, 7))), id_status::not_an_entity);
    EXPECT_EQ(world.status(ecs::id(e)), id_status::live);
    EXPECT_EQ(world.status(ecs::id{}), id_status::null);
}

TEST(handles, whatever_can_be_added_to_an_entity_is_printed_in_short) {
    const auto printed = [](ecs::id word) {
        std::ostringstream out;
        out << word;
        EXPECT_EQ(out.str(), to_string(word));
        return out.str();
    };
    constexpr ecs::entity twelve =
        ecs::build<ecs::layouts::entity>().set<"index">(12).set<"generation">(3).id();
    EXPECT_EQ(printed({}), "null");
    EXPECT_EQ(printed(twelve), to_string(twelve));
    EXPECT_EQ(printed(twelve), "12v3");
    EXPECT_EQ(printed(ecs::child_of), "256v1");
    EXPECT_EQ(printed(pair(ecs::child_of, twelve)), "(256, 12)");
    EXPECT_EQ(printed(pair(ecs::child_of, ecs::any)), "(256, *)");
    EXPECT_EQ(printed(pair(ecs::any, twelve)), "(*, 12)");
    EXPECT_EQ(printed(pair(ecs::any, ecs::any)), "(*, *)");
    EXPECT_EQ(printed(ecs::value_pair(twelve, 7)), "(12, number 7)");
    EXPECT_EQ(printed(ecs::value_pair(twelve, 0)), "(12, number 0)");
    EXPECT_EQ(printed(ecs::link_to_slot(twelve, 0)), "(12, link 0)");
    EXPECT_EQ(printed(ecs::type_flags::togglable | ecs::id(twelve)), "2|12v3");
    EXPECT_EQ(printed(ecs::type_flags::user_2 | pair(twelve, twelve)), "8|(12, 12)");
    EXPECT_EQ(printed(ecs::id::assume_word(std::uint64_t{0xF} << 60)), "no identifier of this library");
}

TEST(handles, status_is_explained_in_a_sentence) {
    ecs::world world;
    ecs::world other;
    const ecs::entity e = world.spawn();
    const std::string index = std::to_string(e.index());
    const std::string name = index + "v" + std::to_string(e.generation());
    EXPECT_EQ(world.explain(e), name + " is live");
    EXPECT_EQ(world.explain({}), "null is no identifier");
    EXPECT_EQ(other.explain(e), name + " is of a foreign world: it is of world " + std::to_string(e.world()) +
                                    ", and this is world " + std::to_string(other.spawn().world()));
    world.despawn(e);
    EXPECT_EQ(world.explain(e), name + " is stale: index " + index + " is free");
    const ecs::entity next = world.spawn();
    EXPECT_EQ(world.explain(e), name + " is stale: index " + index + " is in use under generation " +
                                    std::to_string(next.generation()));
}

TEST(names, are_what_text_in_the_first_place_is) {
    ecs::world world;
    const std::string text = "ship" + std::to_string(1);
    const ecs::entity constant = world.spawn(text, position{1, 2});
    std::string other = "ship2";
    const ecs::entity variable = world.spawn(other);
    const ecs::entity temporary = world.spawn("ship" + std::to_string(3), position{});
    const ecs::entity viewed = world.spawn(std::string_view("ship4"));
    auto commands = world.commands();
    const ecs::entity recorded = commands.spawn("ship" + std::to_string(5), position{});
    const ecs::entity plain = commands.spawn("ship6");
    world.flush();
    const std::vector all{constant, variable, temporary, viewed, recorded, plain};
    for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_EQ(world.lookup("ship" + std::to_string(i + 1)), all[i]);
    EXPECT_FALSE(world.has<std::string>(constant) || world.has<std::string>(recorded));
    EXPECT_THROW(world.spawn(text), ecs::name_error);
}

TEST(handles, refused_handle_changes_nothing) {
    ecs::world world;
    ecs::world other;
    const ecs::entity foreign = other.spawn(position{1, 1});
    const ecs::entity stale = world.spawn(position{2, 2});
    world.despawn(stale);
    const ecs::entity pair = ecs::entity::assume_word(ecs::pair(foreign, foreign).value());
    for (const ecs::entity bad : {ecs::entity{}, foreign, stale, pair}) {
        EXPECT_EQ(world.add<frozen>(bad), add_result::not_alive);
        EXPECT_EQ(world.set(bad, position{}), add_result::not_alive);
        EXPECT_EQ(world.remove<position>(bad), add_result::not_alive);
        EXPECT_EQ(world.disable<position>(bad), add_result::not_alive);
        EXPECT_FALSE(world.has<position>(bad));
        EXPECT_EQ(world.try_get<position>(bad), nullptr);
        EXPECT_FALSE(world.despawn(bad));
    }
    EXPECT_EQ(other.get<position>(foreign).x, 1);
    EXPECT_EQ(world.query<position>().count(), 0);
}

TEST(handles, identifier_that_is_not_alive_is_not_added) {
    ecs::world world;
    ecs::world other;
    const ecs::entity e = world.spawn();
    const ecs::entity dead = world.spawn();
    world.despawn(dead);
    EXPECT_EQ(world.add(e, dead), add_result::not_alive_id);
    EXPECT_EQ(world.add(e, other.spawn()), add_result::not_alive_id);
    EXPECT_EQ(world.add(e, ecs::id{}), add_result::not_alive_id);
    EXPECT_EQ(world.add(e, ecs::pair(e, dead)), add_result::not_alive_id);
    EXPECT_EQ(world.add(e, ecs::pair(e, ecs::any)), add_result::wildcard);
    EXPECT_FALSE(world.has(e, dead));
}

TEST(handles, failed_access_names_entity_component_and_reason) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    const auto text_of = [&](ecs::entity subject) {
        try {
            std::ignore = world.get<position>(subject);
        } catch (const ecs::access_error& error) {
            EXPECT_EQ(error.subject, subject);
            return std::to_string(static_cast<int>(error.status == id_status::live)) + error.what();
        }
        return std::string("nothing was thrown");
    };
    const std::string number = "entity " + std::to_string(e.index()) + "v" + std::to_string(e.generation());
    EXPECT_EQ(text_of(e), "1" + number + " has no handles_test::(anonymous namespace)::position");
    world.despawn(e);
    EXPECT_EQ(text_of(e),
              "0" + number +
                  " is stale: no handles_test::(anonymous namespace)::position can be read from it");
}

TEST(handles, handle_of_an_ended_world_is_dead_in_every_later_world) {
    std::vector<ecs::entity> old;
    for (int round = 0; round < 5; ++round) {
        ecs::world world;
        for (const ecs::entity e : old) {
            EXPECT_FALSE(world.alive(e));
            EXPECT_NE(world.status(e), id_status::live);
        }
        old.push_back(world.spawn(position{}));
        old.push_back(world.spawn());
        old.push_back(world.component<position>());
    }
    ecs::world last;
    for (int i = 0; i < 100; ++i) std::ignore = last.spawn();
    for (const ecs::entity e : old) EXPECT_FALSE(last.alive(e));
}

/// What it spawns, by index, until it has spawned so many.
std::vector<std::uint64_t> indices_of_new(ecs::world& world, std::size_t count) {
    std::vector<std::uint64_t> indices;
    for (std::size_t i = 0; i < count; ++i) indices.push_back(world.spawn().index());
    return indices;
}

/// The indices of those, in the order in which it uses them again: others come first, which a world has at
/// hand and uses before it asks for what it has shared.
std::vector<std::uint64_t> indices_used_again(ecs::world& world, std::span<const ecs::entity> ended) {
    std::set<std::uint64_t> left;
    for (const ecs::entity e : ended) left.insert(e.index());
    std::vector<std::uint64_t> indices;
    for (int i = 0; i < 100'000 && !left.empty(); ++i)
        if (const std::uint64_t index = world.spawn().index(); left.erase(index) != 0)
            indices.push_back(index);
    return indices;
}

TEST(handles, indices_are_used_again_the_last_ended_first) {
    ecs::world world;
    std::vector<ecs::entity> all = world.spawn_n(10'000);
    std::ranges::shuffle(all, std::mt19937(7));
    std::vector<std::uint64_t> expected;
    for (const ecs::entity e : all) world.despawn(e);
    for (const ecs::entity e : all | std::views::reverse) expected.push_back(e.index());
    EXPECT_EQ(indices_used_again(world, all), expected);
}

/// A flush lets other threads have some of them; what they do not use comes back.
TEST(handles, every_index_is_used_again_however_often_some_are_shared) {
    ecs::world world;
    std::mt19937 random(3);
    std::vector<ecs::entity> living = world.spawn_n(12'000);
    std::set<std::uint64_t> ended;
    const auto end_one = [&] {
        std::swap(living[random() % living.size()], living.back());
        ended.insert(living.back().index());
        world.despawn(living.back());
        living.pop_back();
    };
    std::size_t never_used = 0;
    const auto spawn_one = [&] {
        living.push_back(world.spawn());
        never_used += ended.erase(living.back().index()) == 0;
    };
    for (int turn = 0; turn < 300; ++turn) {
        const bool grows = turn / 50 % 2 != 0;
        for (auto left = random() % 400; left != 0; --left) grows ? spawn_one() : end_one();
        if (random() % 3 == 0) world.flush();
    }
    while (!ended.empty()) spawn_one();
    EXPECT_LE(never_used, 4096U) << "the rest of a page may come first";
}

TEST(handles, index_is_never_used_by_two_whoever_takes_of_what_is_shared) {
    ecs::world world;
    auto commands = world.commands();
    std::mt19937 random(5);
    std::vector<ecs::entity> living = world.spawn_n(12'000);
    std::set<std::uint64_t> in_use;
    for (const ecs::entity e : living) in_use.insert(e.index());
    for (int turn = 0; turn < 20'000; ++turn) {
        const auto what = random() % 100;
        if (what == 0) world.flush();
        if (what < 55 && !living.empty()) {
            std::swap(living[random() % living.size()], living.back());
            if (!world.despawn(living.back())) continue; // Still on its way.
            in_use.erase(living.back().index());
            living.pop_back();
        } else {
            living.push_back(what < 75 ? commands.spawn() : world.spawn());
            ASSERT_TRUE(in_use.insert(living.back().index()).second) << living.back().index();
        }
    }
    world.flush();
    for (const ecs::entity e : living) ASSERT_TRUE(world.alive(e));
}

TEST(handles, indices_taken_from_below_those_that_the_world_has_drawn_are_not_used_twice) {
    ecs::world world;
    auto commands = world.commands();
    const std::vector<ecs::entity> all = world.spawn_n(12'000);
    std::set<std::uint64_t> ended;
    for (const ecs::entity e : all) ended.insert(e.index());
    for (const ecs::entity e : all) world.despawn(e);
    world.flush();
    while (ended.erase(world.spawn().index()) == 0) { // Now it has drawn a part of what is shared,
    }
    ended.erase(commands.spawn().index()); // and so have the commands, of what was below.
    world.flush();
    std::set<std::uint64_t> again;
    for (int i = 0; i < 20'000; ++i) {
        const std::uint64_t index = world.spawn().index();
        ASSERT_TRUE(again.insert(index).second) << index;
        ended.erase(index);
    }
    EXPECT_LT(ended.size(), 64U) << "those the commands have";
}

TEST(handles, indices_of_ended_entities_come_to_commands_and_back) {
    ecs::world world;
    auto commands = std::make_unique<ecs::commands>(world.commands());
    const std::vector<ecs::entity> all = world.spawn_n(1000);
    for (const ecs::entity e : all) world.despawn(e);
    world.flush();
    EXPECT_EQ(commands->spawn().index(), all[999].index()) << "what ended last is used first";
    EXPECT_EQ(commands->spawn().index(), all[998].index());
    EXPECT_EQ(world.status(all[900]), id_status::stale) << "whoever has the index meanwhile";
    world.flush();
    commands.reset();
    EXPECT_EQ(indices_used_again(world, std::span(all).first(998)).size(), 998U);
}

TEST(handles, index_that_was_taken_in_vain_has_had_no_entity) {
    ecs::world world;
    const ecs::entity before = world.spawn();
    EXPECT_THROW(world.spawn_n(10, [](std::size_t) -> position { throw std::runtime_error("no"); }),
                 std::runtime_error);
    for (std::uint64_t i = 1; i <= 10; ++i) {
        const ecs::entity promised = ecs::entity::assume_word(before.value() + i);
        EXPECT_EQ(world.status(promised), id_status::never_issued);
        EXPECT_FALSE(world.alive(promised));
    }
    for (std::uint64_t i = 1; i <= 10; ++i) EXPECT_EQ(world.spawn().index(), before.index() + i);
}

/// Free slots are marked by a bit that is 0 in every kind; somebody may come with it all the same.
TEST(handles, word_that_resembles_a_free_slot_is_nobody) {
    ecs::world world;
    std::vector<ecs::entity> all = world.spawn_n(9000, position{1, 2});
    for (const ecs::entity e : all) world.despawn(e);
    world.spawn_n(100, position{3, 4});
    for (const ecs::entity e : all) {
        const std::uint64_t next = e.value() % (std::uint64_t{1} << 52) + (std::uint64_t{1} << 32);
        for (const std::uint64_t mark : {std::uint64_t{0}, std::uint64_t{1} << 63}) {
            const ecs::entity forged = ecs::entity::assume_word(mark | next);
            ASSERT_EQ(world.status(forged), id_status::malformed);
            ASSERT_FALSE(world.alive(forged));
            ASSERT_EQ(world.try_get<position>(forged), nullptr);
            ASSERT_EQ(world.add<frozen>(forged), add_result::not_alive);
            ASSERT_FALSE(world.despawn(forged));
        }
    }
}

TEST(handles, next_world_of_a_number_begins_with_the_lowest_index_again) {
    std::optional<ecs::world> world(std::in_place);
    const std::vector<ecs::entity> first = world->spawn_n(10'000);
    const ecs::entity relation = world->spawn();
    world->add(first[0], ecs::pair(relation, first[1]));
    world->despawn(relation);
    ASSERT_EQ(world->status(relation), id_status::retired);
    for (std::size_t i = 0; i < first.size(); i += 7) world->despawn(first[i]);
    world->make_deterministic(3); // Keys that nobody uses leave holes between the indices that are used.
    std::ignore = world->commands(2).spawn();
    world->flush();
    world.reset();

    world.emplace();
    ASSERT_EQ(world->spawn().index(), first.front().index());
    const std::vector<std::uint64_t> again = indices_of_new(*world, 30'000);
    EXPECT_TRUE(std::ranges::is_sorted(std::span(again).first(10'000)));
    std::vector<std::uint64_t> sorted = again;
    std::ranges::sort(sorted);
    EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
    EXPECT_FALSE(std::ranges::binary_search(sorted, relation.index()));
    EXPECT_TRUE(std::ranges::binary_search(sorted, relation.index() + 1));
    EXPECT_LT(sorted.back(), 2U * 30'000) << "few are left out: what a key took and did not use";
    EXPECT_EQ(world->status(relation), id_status::retired);
}

TEST(handles, what_the_world_needs_is_not_despawned) {
    ecs::world world;
    const ecs::entity e = world.spawn("named", position{});
    EXPECT_FALSE(world.despawn(world.component<ecs::component_info>()));
    EXPECT_FALSE(world.despawn(world.lookup("ecs::name")));
    EXPECT_FALSE(world.despawn(world.lookup("child_of")));
    EXPECT_EQ(world.name_of(e), "named");
    EXPECT_TRUE(world.has<ecs::component_info>(world.component<position>()));
}

} // namespace
TEST(words, say_what_they_are_and_refuse_what_they_cannot_hold) {
    enum class step : std::int8_t { back = -1, ahead = 1 };
    EXPECT_EQ(to_string(ecs::id::assume_word(0)), "null");
    EXPECT_EQ(to_string(ecs::id::assume_word(5)), "no identifier of this library");
    EXPECT_THROW(std::ignore = ecs::value_pair(ecs::child_of, step::back), ecs::pair_error);
    EXPECT_EQ(ecs::value_pair(ecs::child_of, step::ahead).number(), 1U);
    EXPECT_TRUE((static_cast<ecs::type_flags>(0x40) | ecs::id(ecs::child_of)).is_flagged());
    EXPECT_FALSE(ecs::from_2020(std::uint64_t{0x7F} << 56)) << "a child of null";
    EXPECT_FALSE(ecs::from_2020((std::uint64_t{0x7F} << 56) | (std::uint64_t{1} << 40) | 5))
        << "no field has the bit";
    EXPECT_FALSE(ecs::from_2020((std::uint64_t{0x40} << 56) | 5)) << "a trait that is null";
    EXPECT_TRUE(ecs::from_2020((std::uint64_t{0x7F} << 56) | 5));
}

} // namespace handles_test
