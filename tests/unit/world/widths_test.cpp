// SPDX-License-Identifier: MIT
// What follows from the widths of a handle's fields, whichever they are: the tests are built for the usual
// ones and for others.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>
import ecs.id;
import ecs.world;

namespace widths_test {
namespace {

using ecs::id_status;

constexpr auto index_field = ecs::field_of<ecs::layouts::entity, "index">;
constexpr auto generation_field = ecs::field_of<ecs::layouts::entity, "generation">;
constexpr auto world_field = ecs::field_of<ecs::layouts::entity, "world">;

struct position {
    float x, y;
};
struct likes {};

/// So many indices, of which the last is the highest there is.
ecs::id_space highest(std::uint32_t indices) {
    return {.first = ecs::id_space::last_index - indices + 1, .last = ecs::id_space::last_index};
}

/// Spawns and calls `made(entity)` until there is no index left.
template <class F> void exhaust(ecs::world& world, F made) {
    EXPECT_THROW(for (;;) made(world.spawn(position{})), std::length_error);
}

TEST(widths, there_are_as_many_worlds_as_the_tag_has_numbers) {
    std::vector<std::unique_ptr<ecs::world>> worlds;
    std::vector<ecs::entity> entities;
    for (std::uint64_t i = 0; i < world_field.max(); ++i) {
        worlds.push_back(std::make_unique<ecs::world>());
        entities.push_back(worlds.back()->spawn(position{static_cast<float>(i), 0}));
    }
    EXPECT_THROW(ecs::world(), ecs::too_many_worlds);
    for (std::size_t i = 0; i < worlds.size(); ++i) {
        EXPECT_EQ(worlds[i]->get<position>(entities[i]).x, static_cast<float>(i));
        EXPECT_EQ(worlds[i]->status(entities[(i + 1) % worlds.size()]), id_status::foreign_world);
    }
    const std::size_t middle = worlds.size() / 2;
    worlds[middle].reset();
    ecs::world reborn;
    EXPECT_FALSE(reborn.alive(entities[middle]));
    EXPECT_EQ(reborn.query<position>().count(), 0);
}

TEST(widths, handle_of_which_any_bit_is_changed_is_nobody) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2});
    for (unsigned bit = 0; bit < 64; ++bit) {
        const std::uint64_t changed = std::uint64_t{1} << bit;
        const ecs::entity forged = ecs::entity::assume_word(e.value() ^ changed);
        EXPECT_NE(world.status(forged), id_status::live) << bit;
        EXPECT_FALSE(world.alive(forged)) << bit;
        EXPECT_EQ(world.try_get<position>(forged), nullptr) << bit;
        EXPECT_EQ(world.set(forged, position{}), ecs::add_result::not_alive) << bit;
        EXPECT_FALSE(world.despawn(forged)) << bit;
        if ((ecs::constant_mask<ecs::layouts::entity> & changed) == 0) continue;
        EXPECT_TRUE(world.status(forged) == id_status::malformed ||
                    world.status(forged) == id_status::not_an_entity)
            << bit;
    }
    EXPECT_EQ(world.get<position>(e).x, 1);
}

TEST(widths, world_gives_out_the_highest_index_and_no_other_behind_it) {
    ecs::world world(highest(20));
    std::set<std::uint64_t> given;
    exhaust(world, [&](ecs::entity e) { EXPECT_TRUE(given.insert(e.index()).second); });
    EXPECT_EQ(given.size(), 20U);
    EXPECT_EQ(*given.rbegin(), ecs::id_space::last_index);
    EXPECT_LE(ecs::id_space::last_index, index_field.max());
    EXPECT_THROW(ecs::world(ecs::id_space{.first = 512, .last = ecs::id_space::last_index + 1}),
                 std::invalid_argument);
}

TEST(widths, index_has_an_entity_of_each_generation_and_then_none) {
    constexpr std::uint32_t last = ecs::id_space::last_index - 100;
    constexpr std::uint32_t uses = std::min(3U, ecs::id_space::last_generation);
    ecs::world world(ecs::id_space{
        .first = last - 3, .last = last, .first_generation = ecs::id_space::last_generation - uses + 1});
    std::set<ecs::entity> issued;
    exhaust(world, [&](ecs::entity e) {
        EXPECT_TRUE(issued.insert(e).second);
        EXPECT_LE(e.generation(), generation_field.max());
        world.despawn(e);
        EXPECT_FALSE(world.alive(e));
    });
    EXPECT_EQ(issued.size(), 4U * uses);
    for (const ecs::entity e : issued) EXPECT_EQ(world.status(e), id_status::retired);
}

TEST(widths, relation_is_refused_if_its_index_does_not_fit_a_pair) {
    ecs::world world(ecs::id_space{.first = 512, .last = 600});
    const ecs::entity e = world.spawn();
    const ecs::entity far = world.claim(
        e.with<"index">(ecs::id_space::last_index - 50).with<"generation">(ecs::id_space::last_generation));
    EXPECT_EQ(world.add(e, ecs::pair(e, far)), ecs::add_result::added);
    EXPECT_EQ(world.target_of(e, e), far);
    EXPECT_EQ(world.target_of(ecs::pair(e, far)), far);
    EXPECT_EQ(world.add(e, ecs::pair(ecs::child_of, far)), ecs::add_result::added);
    EXPECT_EQ(world.parent(e), far);
    EXPECT_EQ(world.add(far, ecs::pair(ecs::is_a, world.prefab())), ecs::add_result::added);
    if (far.index() > ecs::field_of<ecs::layouts::pair, "relation">.max())
        EXPECT_THROW(std::ignore = ecs::pair(far, e), ecs::pair_error);
    else
        EXPECT_EQ(world.add(e, ecs::pair(far, e)), ecs::add_result::added);
    EXPECT_EQ(world.remove(e, ecs::pair(ecs::child_of, far)), ecs::add_result::removed);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(world.add(world.spawn(), ecs::pair(ecs::child_of, far)), ecs::add_result::added);
    EXPECT_TRUE(world.despawn(far));
    EXPECT_EQ(world.target_of(e, e), ecs::entity{});
}

/// Where a relation has fewer bits than an index, such an entity is everything but a relation.
TEST(widths, entity_of_a_high_index_is_a_tag_with_properties) {
    ecs::world world(ecs::id_space{.first = 512, .last = 600});
    const ecs::entity e = world.spawn();
    const ecs::entity other = world.spawn();
    const auto high = [&](std::uint32_t below) {
        return world.claim(e.with<"index">(ecs::id_space::last_index - below));
    };
    const ecs::entity needing = high(60);
    const ecs::entity excluding = high(61);
    const ecs::entity deadly = high(62);
    for (const ecs::entity tag : {needing, excluding, deadly})
        EXPECT_EQ(world.add(tag, ecs::type_flags::togglable | ecs::id(tag)), ecs::add_result::added);
    EXPECT_EQ(world.add(needing, ecs::permanent), ecs::add_result::added);
    EXPECT_EQ(world.add(needing, ecs::pair(ecs::needs, excluding)), ecs::add_result::added);
    EXPECT_EQ(world.add(excluding, ecs::pair(ecs::excludes, deadly)), ecs::add_result::added);
    EXPECT_EQ(world.add(deadly, ecs::pair(ecs::on_delete, ecs::delete_it)), ecs::add_result::added);
    EXPECT_EQ(world.add(e, needing), ecs::add_result::added);
    EXPECT_TRUE(world.has(e, excluding));
    EXPECT_EQ(world.target_of(e, needing), ecs::entity{});
    EXPECT_TRUE(world.targets(e, needing).empty());
    EXPECT_FALSE(succeeded(world.add(e, deadly)));
    EXPECT_EQ(world.add(other, deadly), ecs::add_result::added);
    EXPECT_TRUE(world.despawn(deadly));
    EXPECT_FALSE(world.alive(other));
    EXPECT_TRUE(world.despawn(needing));
    EXPECT_EQ(world.remove(e, excluding), ecs::add_result::removed);
}

TEST(widths, numbers_and_objects_are_told_apart_by_all_of_their_32_bits) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    const ecs::entity relation = world.spawn();
    for (unsigned bit = 0; bit < 32; ++bit) {
        const std::uint32_t number = std::uint32_t{1} << bit;
        EXPECT_EQ(ecs::value_pair(relation, number).number(), number);
        EXPECT_EQ(world.add(e, ecs::value_pair(relation, number)), ecs::add_result::added);
        EXPECT_FALSE(world.has(e, ecs::value_pair(relation, number + 1))) << bit;
    }
    int object = 7;
    int other = 8;
    EXPECT_EQ(world.link(e, world.component<likes>(), object), ecs::add_result::added);
    EXPECT_EQ(world.link(e, world.component<likes>(), other), ecs::add_result::added);
    EXPECT_EQ(world.object_of<int>(e, world.component<likes>()), &object);
}

TEST(widths, keys_and_threads_have_indices_of_their_own) {
    ecs::world world;
    world.make_deterministic(2);
    std::set<ecs::entity> made;
    for (int round = 0; round < 3; ++round) {
        for (std::uint32_t key = 0; key < 2; ++key) {
            ecs::commands commands = world.commands(key);
            for (int i = 0; i < 20; ++i) EXPECT_TRUE(made.insert(commands.spawn(position{})).second);
        }
        for (int i = 0; i < 20; ++i) EXPECT_TRUE(made.insert(world.spawn(position{})).second);
        EXPECT_EQ(world.flush().spawned(), 40U);
    }
    std::set<std::uint64_t> indices;
    for (const ecs::entity e : made) EXPECT_TRUE(world.alive(e) && indices.insert(e.index()).second);
}

/// What a saved world says of the layouts, as it has been published for some widths.
struct published {
    unsigned index, generation, world;
    std::uint64_t layouts;

    [[nodiscard]] constexpr bool is_here() const {
        return index == index_field.width() && generation == generation_field.width() &&
               world == world_field.width();
    }
};
constexpr published known_layouts[]{{32, 20, 8, 0x416bcf60df172892}, {10, 2, 7, 0x5b581f56352705d8}};
constexpr std::size_t place_of_layouts = 16;

TEST(widths, saved_world_of_other_widths_is_refused) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2});
    std::vector<std::byte> bytes = ecs::save(world);
    std::uint64_t layouts{};
    std::memcpy(&layouts, &bytes[place_of_layouts], sizeof(layouts));
    std::size_t here = 0;
    for (const published& p : known_layouts) {
        if (p.is_here()) {
            EXPECT_EQ(p.layouts, layouts) << std::hex << layouts;
            ++here;
            continue;
        }
        std::memcpy(&bytes[place_of_layouts], &p.layouts, sizeof(p.layouts));
        try {
            ecs::load(world, bytes);
            ADD_FAILURE() << "loaded";
        } catch (const ecs::snapshot_error& error) {
            EXPECT_EQ(error.reason, ecs::snapshot_refusal::layouts_differ) << error.what();
        }
        EXPECT_TRUE(world.alive(e));
    }
    EXPECT_EQ(here, 1U) << "every program of the tests has widths that are known";
    std::memcpy(&bytes[place_of_layouts], &layouts, sizeof(layouts));
    ecs::load(world, bytes);
    EXPECT_EQ(world.query<position>().count(), 1U);
}

} // namespace
} // namespace widths_test
