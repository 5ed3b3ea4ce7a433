// SPDX-License-Identifier: MIT
// Worlds that give out identifiers of a space of their own, and take over those of other worlds.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>
import ecs.id;
import ecs.world;

namespace spaces_test {
namespace {

using ecs::id_status;

struct position {
    float x, y;
};
struct chosen {
    static constexpr auto kept_in = ecs::storage::bits;
};

using network =
    ecs::partitions<ecs::layouts::entity, ecs::partition<"components", 1, 255>,
                    ecs::partition<"clients", 1000, 5000>, ecs::partition<"server", 5001, 0xFFFF'FFFF>>;
constexpr ecs::id_space clients = ecs::space_of<network, "clients">();
constexpr ecs::id_space server = ecs::space_of<network, "server">();
static_assert(clients == ecs::id_space{.first = 1000, .last = 5000});
static_assert(server == ecs::id_space{.first = 5001, .last = ecs::id_space::last_index});

/// A space of so many indices that no world had before: what an earlier world of the process used up stays
/// so.
ecs::id_space fresh_space(std::uint32_t size) {
    static std::uint32_t next = 5'000'000;
    next += size;
    return {.first = next - size, .last = next - 1};
}

ecs::entity handle(std::uint64_t index, std::uint64_t generation) {
    return *ecs::try_make<ecs::layouts::entity, "index", "generation", "world">(index, generation, 1);
}

/// One of an index that no world had before.
ecs::entity fresh_handle(std::uint64_t generation) { return handle(fresh_space(1).first, generation); }

/// Spawns until there is no index left.
std::vector<ecs::entity> fill(ecs::world& world) {
    std::vector<ecs::entity> made;
    EXPECT_THROW(for (;;) made.push_back(world.spawn(position{})), std::length_error);
    return made;
}

std::set<std::uint64_t> indices_of(const std::vector<ecs::entity>& all) {
    std::set<std::uint64_t> found;
    for (const ecs::entity e : all) found.insert(e.index());
    EXPECT_EQ(found.size(), all.size()) << "each index is used once";
    return found;
}

// What a world gives out.

TEST(spaces, world_gives_out_the_indices_of_its_space_and_no_others) {
    for (const ecs::id_space space :
         {fresh_space(1), fresh_space(4), ecs::id_space{4'100'090, 4'100'110},
          ecs::id_space{4'104'192, 4'108'287}, ecs::id_space{4'109'000, 4'134'000},
          ecs::id_space{ecs::id_space::last_index - 5000, ecs::id_space::last_index}}) {
        ecs::world world(space);
        const std::set<std::uint64_t> given = indices_of(fill(world));
        EXPECT_EQ(*given.begin(), space.first);
        EXPECT_EQ(*given.rbegin(), space.last);
        EXPECT_EQ(given.size(), space.last - space.first + 1);
    }
}

TEST(spaces, full_world_is_as_it_was_and_goes_on_when_somebody_ends) {
    ecs::world world(fresh_space(4));
    const std::vector<ecs::entity> all = fill(world);
    ASSERT_EQ(all.size(), 4U);
    std::array<ecs::entity, 2> out{};
    EXPECT_THROW(world.spawn_into(out, position{}), std::length_error);
    EXPECT_THROW(std::ignore = world.clone(all[0]), std::length_error);
    EXPECT_THROW(world.spawn("named", position{}), std::length_error);
    EXPECT_THROW(world.spawn_children(all[0], 1), std::length_error);
    EXPECT_EQ(world.query<position>().count(), 4U);
    EXPECT_EQ(world.entities().size(), 4U);

    world.despawn(all[2]);
    EXPECT_THROW(world.spawn_into(out, position{}), std::length_error) << "there is one index, not two";
    const ecs::entity next = world.spawn(position{7, 0});
    EXPECT_EQ(next.index(), all[2].index());
    EXPECT_EQ(next.generation(), all[2].generation() + 1);
    EXPECT_FALSE(world.alive(all[2]));
}

TEST(spaces, index_whose_generations_are_spent_retires) {
    ecs::id_space space = fresh_space(4);
    space.first_generation = ecs::id_space::last_generation - 1;
    ecs::world world(space);
    std::size_t issued = 0;
    EXPECT_THROW(
        for (;;) {
            const ecs::entity e = world.spawn();
            EXPECT_GE(e.generation(), ecs::id_space::last_generation - 1);
            ++issued;
            world.despawn(e);
        },
        std::length_error);
    EXPECT_EQ(issued, 8U) << "four indices, two generations";
    EXPECT_EQ(world.status(handle(space.first, ecs::id_space::last_generation)), id_status::retired);
}

TEST(spaces, what_is_retired_stays_so_in_the_next_world_of_the_number) {
    ecs::id_space space = fresh_space(8);
    {
        ecs::id_space half = space;
        half.last = space.first + 3;
        half.first_generation = ecs::id_space::last_generation;
        ecs::world world(half);
        EXPECT_EQ(fill(world).size(), 4U);
    }
    ecs::world world(space);
    const std::set<std::uint64_t> left = indices_of(fill(world));
    EXPECT_EQ(left.size(), 4U);
    EXPECT_EQ(*left.begin(), space.first + 4);
}

TEST(spaces, first_generation_keeps_handles_of_an_earlier_run_dead) {
    ecs::world world(ecs::id_space{.first = 800, .last = 810, .first_generation = 50});
    const ecs::entity e = world.spawn();
    EXPECT_GE(e.generation(), 50U);
    EXPECT_FALSE(world.alive(e.with<"generation">(49)));
}

TEST(spaces, impossible_space_is_refused) {
    using ecs::id_space;
    for (const id_space space :
         {id_space{511, 600}, id_space{600, id_space::last_index + 1}, id_space{601, 600},
          id_space{.first_generation = 0}, id_space{.first_generation = id_space::last_generation + 1}})
        EXPECT_THROW(ecs::world{space}, std::invalid_argument);
    ecs::world world;
    EXPECT_EQ(world.space(), id_space{});
}

TEST(spaces, workers_share_the_space) {
    ecs::world world(ecs::id_space{.first = 20'000, .last = 29'999});
    std::array<std::vector<ecs::entity>, 4> made;
    {
        std::vector<std::jthread> workers;
        for (auto& mine : made)
            workers.emplace_back([&world, &mine] {
                auto commands = world.commands();
                for (int i = 0; i < 1500; ++i) mine.push_back(commands.spawn(position{}));
            });
    }
    EXPECT_EQ(world.flush().spawned(), 6000U);
    std::vector<ecs::entity> all;
    for (const auto& mine : made) all.insert(all.end(), mine.begin(), mine.end());
    for (const ecs::entity e : all)
        EXPECT_TRUE(world.space().contains(static_cast<std::uint32_t>(e.index())));
    const std::vector<ecs::entity> rest = fill(world);
    all.insert(all.end(), rest.begin(), rest.end());
    EXPECT_EQ(indices_of(all).size(), 10'000U);
}

TEST(spaces, worker_that_spawns_little_holds_little) {
    ecs::world world(fresh_space(100));
    auto commands = world.commands();
    std::ignore = commands.spawn(position{});
    EXPECT_GE(fill(world).size(), 98U);
}

TEST(spaces, keys_draw_from_the_whole_blocks_of_the_space) {
    ecs::world world(ecs::id_space{.first = 5000, .last = 40'000});
    world.make_deterministic(2);
    std::vector<ecs::entity> all;
    for (std::uint32_t key = 0; key < 2; ++key) {
        auto commands = world.commands(key);
        for (int i = 0; i < 100; ++i) all.push_back(commands.spawn(position{}));
    }
    EXPECT_EQ(world.flush().spawned(), 200U);
    for (const ecs::entity e : indices_of(all).empty() ? std::vector<ecs::entity>{} : all)
        EXPECT_TRUE(world.space().contains(static_cast<std::uint32_t>(e.index())));
    const std::vector<ecs::entity> rest = fill(world);
    for (const ecs::entity e : rest)
        EXPECT_TRUE(world.space().contains(static_cast<std::uint32_t>(e.index())));
}

/// Handles of entities that have never been would be those of the next ones.
TEST(spaces, too_many_at_once_leave_no_handle_in_the_span) {
    ecs::world world(fresh_space(4));
    std::vector<ecs::entity> out(5);
    EXPECT_THROW(world.spawn_into(out), std::length_error);
    EXPECT_EQ(out, std::vector<ecs::entity>(5));
    EXPECT_THROW(world.spawn_into(out, position{1, 2}), std::length_error);
    EXPECT_EQ(out, std::vector<ecs::entity>(5));
    EXPECT_EQ(fill(world).size(), 4U);
}

TEST(spaces, components_are_outside_every_space) {
    ecs::world world(fresh_space(4));
    EXPECT_EQ(fill(world).size(), 4U);
    EXPECT_LT(world.component<chosen>().index(), ecs::id_space::first_index);
}

TEST(spaces, world_that_takes_over_a_number_has_its_own_space) {
    const std::uint32_t first = fresh_space(100).first + 1;
    ecs::entity old;
    {
        ecs::world world(ecs::id_space{.first = first, .last = first + 3});
        old = fill(world).front();
    }
    ecs::world other(ecs::id_space{.first = first - 1, .last = first + 97});
    const std::vector<ecs::entity> all = fill(other);
    EXPECT_EQ(indices_of(all).size(), 99U);
    EXPECT_FALSE(other.alive(old));
    for (const ecs::entity e : all) EXPECT_NE(e, old);
}

TEST(spaces, world_goes_back_to_a_state_of_its_space) {
    ecs::world world(ecs::id_space{.first = 4090, .last = 4100});
    const ecs::entity kept = world.spawn(position{1, 2});
    const ecs::snapshot then = world.snapshot();
    std::ignore = fill(world);
    world.restore(then);
    EXPECT_EQ(world.get<position>(kept).x, 1);
    EXPECT_EQ(fill(world).size(), 10U);
}

TEST(spaces, indices_of_a_loaded_world_are_not_given_out_again) {
    const ecs::id_space space = fresh_space(30'000);
    std::vector<std::byte> bytes;
    {
        ecs::world world(space);
        for (const ecs::entity e : world.spawn_n(20'000, position{1, 2}))
            if (e.index() % 3 != 0) world.despawn(e);
        bytes = ecs::save(world);
    }
    ecs::world world(space);
    std::ignore = world.component<position>();
    ecs::load(world, bytes);
    const std::size_t loaded = world.entities().size();
    EXPECT_EQ(fill(world).size(), 30'000 - loaded);
    EXPECT_EQ(indices_of(world.entities()).size(), 30'000U);
}

// What a world takes over.

TEST(claims, client_takes_over_what_the_server_gave_out) {
    ecs::world on_server(server);
    ecs::world on_client(clients);
    const ecs::entity boss = on_server.spawn(position{3, 4});
    const ecs::entity here = on_client.claim(boss);
    EXPECT_TRUE(on_client.alive(here));
    EXPECT_EQ(here.index(), boss.index());
    EXPECT_EQ(here.generation(), boss.generation());
    EXPECT_EQ(on_client.set(here, position{3, 4}), ecs::add_result::added);
    const ecs::entity own = on_client.spawn();
    EXPECT_EQ(on_client.add(own, ecs::pair(ecs::child_of, here)), ecs::add_result::added);
    EXPECT_TRUE(on_client.despawn(here));
    EXPECT_FALSE(on_client.alive(own));
    EXPECT_FALSE(on_client.alive(here));
}

TEST(claims, a_new_world_of_the_same_number_claims_what_an_earlier_one_has_claimed) {
    ecs::world on_server(server);
    const ecs::entity boss = on_server.spawn();
    std::vector<ecs::entity> claimed;
    for (int connection = 0; connection != 3; ++connection) {
        ecs::world on_client(clients);
        claimed.push_back(on_client.claim(boss));
        ASSERT_TRUE(on_client.alive(claimed.back())) << connection;
        on_client.despawn(claimed.back());
        EXPECT_FALSE(on_client.claim(boss)) << "it has ended here";
    }
}

TEST(claims, what_an_earlier_world_of_the_number_gave_out_stays_dead) {
    const ecs::id_space theirs = fresh_space(4);
    ecs::entity old;
    {
        ecs::world earlier(theirs);
        old = earlier.spawn();
    }
    for (int again = 0; again != 2; ++again) {
        ecs::world later(fresh_space(4));
        EXPECT_FALSE(later.claim(handle(old.index(), old.generation()))) << again;
        const ecs::entity next = later.claim(handle(old.index(), old.generation() + 1U));
        EXPECT_TRUE(later.alive(next)) << again;
        EXPECT_FALSE(later.alive(old)) << again;
    }
}

TEST(claims, joins_find_pairs_of_indices_that_are_far_apart) {
    ecs::world world(fresh_space(100));
    const ecs::entity near = world.spawn();
    const ecs::entity far = world.claim(handle(2'000'000'000, 1));
    const ecs::entity farther = world.claim(handle(4'000'000'000, 1));
    const ecs::entity leads_to = world.spawn();
    world.add(near, ecs::pair(leads_to, far));
    world.add(far, ecs::pair(leads_to, farther));
    auto paths = world.query()
                     .with(ecs::pair(leads_to, ecs::var("x")))
                     .with(ecs::pair(leads_to, ecs::var("y")), ecs::var("x"));
    EXPECT_EQ(paths.first(), near);
    EXPECT_EQ(paths.count(), 1U);
    world.add(farther, ecs::pair(leads_to, near));
    EXPECT_EQ(paths.count(), 3U);
    world.remove(far, ecs::pair(leads_to, farther));
    EXPECT_EQ(paths.count(), 1U);
    EXPECT_EQ(paths.first(), farther);
}

TEST(claims, handle_is_claimed_once_and_never_under_an_earlier_generation) {
    ecs::world world(fresh_space(4));
    const ecs::entity fifth = fresh_handle(5);
    const ecs::entity sixth = fifth.with<"generation">(6);
    const ecs::entity e = world.claim(fifth);
    ASSERT_TRUE(e);
    EXPECT_FALSE(world.claim(fifth)) << "in use";
    EXPECT_FALSE(world.claim(sixth)) << "in use under another generation";
    world.despawn(e);
    EXPECT_FALSE(world.claim(fifth)) << "the handle is dead";
    EXPECT_FALSE(world.claim(fifth.with<"generation">(4)));
    EXPECT_EQ(world.status(e), id_status::stale);
    const ecs::entity again = world.claim(sixth);
    EXPECT_TRUE(world.alive(again));
    EXPECT_FALSE(world.alive(e));
}

TEST(claims, last_generation_of_an_index_is_claimed_once) {
    ecs::world world(fresh_space(4));
    const ecs::entity e = world.claim(fresh_handle(ecs::id_space::last_generation));
    world.despawn(e);
    EXPECT_FALSE(world.claim(e));
    EXPECT_EQ(world.status(e), id_status::retired);
}

TEST(claims, claimed_index_is_not_given_out) {
    const std::uint32_t first = fresh_space(6000).first + 1;
    ecs::world world(ecs::id_space{.first = first, .last = first + 4400});
    std::vector<ecs::entity> all;
    for (const std::uint32_t index : {first - 1, first + 4401, first + 5000})
        all.push_back(world.claim(handle(index, 1)));
    world.despawn(all[1]);
    const std::vector<ecs::entity> given = fill(world);
    EXPECT_EQ(given.size(), 4401U);
    all.insert(all.end(), given.begin(), given.end());
    EXPECT_EQ(indices_of(all).size(), 4404U);
}

TEST(claims, what_is_nobody_elses_is_refused_and_changes_nothing) {
    ecs::world world(ecs::id_space{.first = 600, .last = 603});
    const ecs::entity own = world.spawn();
    const auto text_of = [&](ecs::entity e) -> std::string {
        try {
            std::ignore = world.claim(e);
        } catch (const std::invalid_argument& refusal) {
            return refusal.what();
        }
        return "claimed";
    };
    EXPECT_EQ(
        text_of(handle(601, 9)),
        "entity 601v9 cannot be claimed: its index is in the space of this world, which gives it out itself");
    EXPECT_EQ(text_of(handle(20, 1)),
              "entity 20v1 cannot be claimed: its index is one of components, which manifests name");
    EXPECT_EQ(text_of(handle(0xFFFF'FFFF, 1)),
              "entity 4294967295v1 cannot be claimed: no world has an index above 4294963199");
    EXPECT_EQ(text_of({}), "entity null cannot be claimed: it is no entity");
    EXPECT_NE(text_of(ecs::entity::assume_word(ecs::pair(own, own).value())), "claimed");
    EXPECT_NE(text_of(ecs::entity::assume_word(fresh_handle(1).value() & ~(std::uint64_t{0xFFFFF} << 32))),
              "claimed");
    EXPECT_EQ(world.entities().size(), 1U);
}

TEST(claims, structure_does_not_change_within_a_loop) {
    ecs::world world(fresh_space(4));
    world.spawn(position{});
    const ecs::entity elsewhere = fresh_handle(1);
    world.each([&](position&) { EXPECT_THROW(std::ignore = world.claim(elsewhere), ecs::iteration_error); });
    EXPECT_TRUE(world.claim(elsewhere));
}

TEST(claims, observers_are_told_of_a_claimed_entity_that_gets_components) {
    ecs::world world(fresh_space(4));
    int told = 0;
    world.observe(ecs::event::added, world.component<position>(), [&] { ++told; });
    world.set(world.claim(fresh_handle(1)), position{});
    EXPECT_EQ(told, 1);
}

TEST(claims, index_far_away_costs_a_page) {
    ecs::world world(fresh_space(4));
    const std::size_t before = world.memory_bytes();
    const ecs::entity far = world.claim(handle(ecs::id_space::last_index, 100));
    world.set(far, position{1, 2});
    world.add<chosen>(far);
    world.disable<chosen>(far);
    EXPECT_LT(world.memory_bytes() - before, std::size_t{1} << 22);
    EXPECT_TRUE(world.alive(far));
}

TEST(spaces, monitor_of_an_index_far_away_costs_a_page) {
    ecs::world world(ecs::id_space{.first = ecs::id_space::last_index - 4});
    int matching = 0;
    auto query = world.query<position>();
    world.monitor(query, [&](ecs::entity, bool begins) { matching += begins ? 1 : -1; });
    EXPECT_NO_THROW(world.spawn(position{1, 2})) << "there is no memory for all indices below it";
    EXPECT_EQ(matching, 1);
}

TEST(claims, snapshots_know_claimed_entities) {
    ecs::world world(fresh_space(4));
    const ecs::entity kept = world.claim(fresh_handle(3));
    world.set(kept, position{1, 2});
    const ecs::snapshot then = world.snapshot();
    world.despawn(kept);
    const ecs::entity later = world.claim(kept.with<"generation">(4));
    world.restore(then);
    EXPECT_TRUE(world.alive(kept));
    EXPECT_FALSE(world.alive(later));
    world.despawn(kept);
    EXPECT_FALSE(world.claim(kept.with<"generation">(4))) << "it was used, though the world has gone back";
    EXPECT_TRUE(world.claim(kept.with<"generation">(5)));
}

TEST(claims, saved_world_has_them_wherever_it_is_loaded) {
    const ecs::id_space space = fresh_space(4);
    const ecs::entity claimed = fresh_handle(3);
    std::vector<std::byte> bytes;
    {
        ecs::world world(space);
        std::ignore = world.spawn(position{5, 6});
        const std::size_t before = ecs::save(world).size();
        world.set(world.claim(claimed), position{1, 2});
        bytes = ecs::save(world);
        EXPECT_LT(bytes.size() - before, 200U) << "gaps take no room";
    }
    ecs::world other(fresh_space(10));
    std::ignore = other.component<position>();
    ecs::load(other, bytes);
    EXPECT_EQ(other.query<position>().count(), 2U);
    EXPECT_EQ(indices_of(other.entities()), (std::set<std::uint64_t>{space.first, claimed.index()}));
    EXPECT_EQ(fill(other).size(), 10U) << "its own space is all there";
}

TEST(spaces, that_are_small_are_shared_with_those_who_record) {
    for (const auto& [size, own] :
         {std::pair(100U, 1U), {100U, 70U}, {100U, 99U}, {1000U, 1U}, {4500U, 1U}}) {
        ecs::world world({.first = 1000, .last = 999 + size});
        std::ignore = world.spawn_n(own);
        std::size_t recorded = 0;
        for (int flushes = 0; flushes < 3; ++flushes) {
            auto commands = world.commands();
            try {
                for (;; ++recorded) std::ignore = commands.spawn(position{});
            } catch (const std::length_error&) { // Every index is taken, but for those that the world holds.
            }
            world.flush();
        }
        EXPECT_EQ(recorded, size - own) << size;
    }
}

} // namespace
} // namespace spaces_test
