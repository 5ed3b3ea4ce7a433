// SPDX-License-Identifier: MIT
// Walking over entities, and what is refused meanwhile.
#include <cstddef>
#include <gtest/gtest.h>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
import ecs.world;

namespace iteration_test {
namespace {

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
struct frozen {};

TEST(iteration, structural_change_is_refused_with_a_reason) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2});
    world.component<frozen>();
    world.each([&](position&) {
        EXPECT_THROW(world.spawn(), ecs::iteration_error);
        EXPECT_THROW(world.spawn(position{}), ecs::iteration_error);
        EXPECT_THROW(world.add<frozen>(e), ecs::iteration_error);
        EXPECT_THROW(world.set(e, velocity{}), ecs::iteration_error);
        EXPECT_THROW(world.remove<position>(e), ecs::iteration_error);
        EXPECT_THROW(world.despawn(e), ecs::iteration_error);
        EXPECT_NO_THROW(world.set(e, position{5, 6})) << "a value that is there can be written";
    });
    EXPECT_EQ(world.get<position>(e).x, 5);
    EXPECT_FALSE(world.has<velocity>(e));
    EXPECT_NO_THROW(world.add<frozen>(e));
}

TEST(iteration, entities_are_taken_back_between_loops_alone) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2});
    const auto discard = [&] { world.discard(std::span(&e, 1)); };
    EXPECT_THROW(world.each([&](const position&) { discard(); }), ecs::iteration_error);
    EXPECT_TRUE(world.alive(e));
    discard();
    EXPECT_FALSE(world.alive(e));
}

/// A table that is about to be filled has no row yet, but needs its memory.
TEST(iteration, memory_is_given_back_between_loops_alone) {
    ecs::world world;
    world.spawn_n(3, [&](std::size_t) {
        EXPECT_THROW(world.shrink(), ecs::iteration_error);
        return position{1, 2};
    });
    world.each([&](position&) { EXPECT_THROW(world.shrink(), ecs::iteration_error); });
    world.observe<ecs::event::removed, position>([&](ecs::entity) { world.shrink(); });
    world.clear();
    EXPECT_TRUE(world.entities().empty());
}

/// Kept outside tables.
struct burning {
    static constexpr auto kept_in = ecs::storage::sparse;
    int heat = 0;
};
struct hidden {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct likes {
    int strength = 0;
};

TEST(iteration, setting_what_is_there_is_no_structural_change) {
    ecs::world world;
    const ecs::entity friendly = world.spawn();
    const ecs::entity e = world.spawn(position{}, velocity{}, frozen{}, burning{}, hidden{});
    const ecs::entity mana = world.component({.name = "mana", .size = sizeof(int)});
    const int none = 0, some = 7;
    world.set(e, mana, &none);
    world.set<likes>(e, friendly, {});
    for (const bool observed : {false, true}) {
        int told = 0;
        ecs::observer watches = world.observe<ecs::event::set, position>([&](ecs::entity) { ++told; });
        if (!observed) watches.end();
        world.each([&](const position&) {
            EXPECT_EQ(world.set(e, position{1, 0}), ecs::add_result::already_there);
            EXPECT_EQ(world.set(e, frozen{}), ecs::add_result::already_there);
            EXPECT_EQ(world.set(e, burning{2}), ecs::add_result::already_there);
            EXPECT_EQ(world.set(e, hidden{}), ecs::add_result::already_there);
            EXPECT_EQ(world.set(e, mana, &some), ecs::add_result::already_there);
            EXPECT_EQ(world.set<likes>(e, friendly, {3}), ecs::add_result::already_there);
            EXPECT_EQ(world.set(e, position{4, 0}, velocity{5, 0}), ecs::add_result::already_there);
            EXPECT_EQ(world.set(e, position{5, 0}, burning{6}), ecs::add_result::already_there);
            EXPECT_EQ(world.add<position>(e), ecs::add_result::already_there);
            EXPECT_EQ(world.add<frozen>(e), ecs::add_result::already_there);
            EXPECT_EQ((world.add<position, frozen>(e)), ecs::add_result::already_there);
            EXPECT_NO_THROW(world.edit(e).set(position{6, 0}).set(velocity{7, 0}).commit());
        });
        EXPECT_EQ(told, observed ? 4 : 0);
        EXPECT_EQ(world.get<position>(e).x, 6);
    }
}

TEST(iteration, setting_several_of_which_one_is_missing_is_refused_and_changes_none) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2}, velocity{});
    const ecs::entity burns = world.spawn(burning{3});
    world.component<hidden>();
    for (const bool observed : {false, true}) {
        int told = 0;
        ecs::observer watches = world.observe<ecs::event::set, position>([&](ecs::entity) { ++told; });
        if (!observed) watches.end();
        world.each([&](const velocity&) {
            EXPECT_THROW(world.set(e, position{7, 0}, burning{6}), ecs::iteration_error);
            EXPECT_THROW(world.set(e, position{7, 0}, hidden{}), ecs::iteration_error);
            EXPECT_THROW(world.set(burns, burning{7}, position{}), ecs::iteration_error);
        });
        EXPECT_EQ(told, 0);
        EXPECT_EQ(world.get<position>(e).x, 1);
        EXPECT_EQ(world.get<burning>(burns).heat, 3);
        EXPECT_FALSE(world.has<burning>(e));
    }
}

TEST(iteration, registering_is_refused_with_the_name_of_the_component) {
    struct unheard_of {};
    ecs::world world;
    std::ignore = world.spawn(position{});
    int refused = 0;
    world.each([&](const position&) {
        try {
            world.component<unheard_of>();
        } catch (const ecs::iteration_error& error) {
            ++refused;
            EXPECT_NE(std::string(error.what()).find("unheard_of"), std::string::npos) << error.what();
        }
    });
    EXPECT_EQ(refused, 1);
}

TEST(iteration, registering_in_a_system_is_refused_without_speaking_of_a_loop_alone) {
    struct unheard_of_by_systems {};
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("count", [](const ecs::world& in) { (void)in.count<unheard_of_by_systems>(); });
    try {
        schedule.run(world, 1);
        FAIL() << "nothing was thrown";
    } catch (const ecs::schedule_error& error) {
        const std::string text = error.what();
        EXPECT_NE(text.find("unheard_of_by_systems"), std::string::npos) << text;
        EXPECT_NE(text.find("or a system runs that does not take world&: call component() for it before"),
                  std::string::npos)
            << text;
    }
}

TEST(iteration, loop_left_by_an_exception_is_over) {
    ecs::world world;
    std::ignore = world.spawn(position{});
    EXPECT_THROW(world.each([](position&) { throw std::runtime_error("out"); }), std::runtime_error);
    EXPECT_NO_THROW(world.spawn(position{}));
}

TEST(iteration, loops_may_be_nested) {
    ecs::world world;
    for (int i = 0; i < 10; ++i) std::ignore = world.spawn(position{static_cast<float>(i), 0});
    int pairs = 0;
    world.each([&](const position& a) { world.each([&](const position& b) { pairs += a.x < b.x; }); });
    EXPECT_EQ(pairs, 45);
}

TEST(iteration, kept_query_learns_of_new_tables_and_forgets_those_that_vanish) {
    ecs::world world;
    auto positions = world.query<const position>();
    EXPECT_EQ(positions.count(), 0);
    const ecs::entity tag = world.spawn();
    const ecs::entity e = world.spawn(position{});
    EXPECT_EQ(positions.count(), 1);
    world.add(e, tag);
    EXPECT_EQ(positions.count(), 1);
    world.despawn(tag);
    EXPECT_EQ(positions.count(), 1);
    std::set<ecs::entity> seen;
    positions.each([&](ecs::entity found, const position&) { seen.insert(found); });
    EXPECT_EQ(seen, std::set{e});
}

TEST(iteration, every_row_of_many_chunks_is_visited_once) {
    ecs::world world;
    for (int i = 0; i < 20'000; ++i) {
        const ecs::entity e = world.spawn(position{static_cast<float>(i), 0});
        if (i % 3 == 0) world.set(e, velocity{1, 1});
        if (i % 5 == 0) world.add<frozen>(e);
    }
    std::set<float> seen;
    world.query<const position>().without<frozen>().each([&](const position& p) { seen.insert(p.x); });
    EXPECT_EQ(seen.size(), 16'000);
    EXPECT_EQ((world.query<position, velocity>().count()), 6667);
    EXPECT_EQ((world.query<position>().any_of<velocity, frozen>().count()), 9333);
}

/// Four threads, as it says, of which it counts how many get something to do.
struct counted_threads {
    [[nodiscard]] unsigned concurrency() const { return 4; }
    struct group {
        explicit group(counted_threads& in) : of(&in) {}
        void run(const auto& task) { ++of->begun, task(); }
        void wait() {}
        counted_threads* of;
    };
    int begun = 0;
};

TEST(iteration, few_rows_are_divided_among_threads_where_the_program_says_so) {
    ecs::world world;
    for (int i = 0; i < 1000; ++i) world.spawn(position{});
    for (int i = 0; i < 300; ++i) world.spawn(position{}, frozen{});
    counted_threads threads;
    ecs::job_executor on(threads);
    const auto threads_for = [&](std::size_t rows_of_a_thread) {
        threads.begun = 0;
        std::size_t visited = 0;
        const auto visit = [&](position& p) { p.x += 1, ++visited; };
        world.par_each(on, visit, {.rows_of_a_thread = rows_of_a_thread});
        world.query<position>().par_each(on, visit, {.rows_of_a_thread = rows_of_a_thread});
        EXPECT_EQ(visited, 2600U);
        return threads.begun / 2;
    };
    EXPECT_EQ(threads_for(8192), 0) << "the caller visits them alone";
    EXPECT_EQ(threads_for(650), 2);
    EXPECT_EQ(threads_for(1), 4);
    EXPECT_EQ(threads_for(0), 4);
    std::size_t changed = 0;
    auto news = world.query<const position>().changed<position>();
    news.mark_seen();
    world.set(*world.query<const position>().entities().begin(), position{9, 9});
    news.par_each(on, [&](const position&) { ++changed; }, {.rows_of_a_thread = 1});
    EXPECT_EQ(changed, 1U);
    EXPECT_EQ(world.get<position>(world.query<const position, const frozen>().first()).x, 8);
}

TEST(iteration, threads_are_handed_spans_that_together_are_all_rows_once) {
    ecs::world world;
    for (int i = 0; i < 20'000; ++i) {
        const ecs::entity e = world.spawn(position{static_cast<float>(i), 0});
        if (i % 2 == 0) world.set(e, velocity{1, 1});
        if (i % 7 == 0) world.disable<position>(e);
    }
    counted_threads threads;
    ecs::job_executor on(threads);
    auto query = world.query<position>();
    std::size_t rows = 0, runs = 0, unaligned = 0;
    query.par_each_chunk(on,
                         [&](std::span<const ecs::entity> all, std::span<position> values) {
                             rows += all.size(), ++runs;
                             for (std::size_t i = 0; i != all.size(); ++i)
                                 values[i].y += world.get<position>(all[i]).x + 1;
                         },
                         {.rows_of_a_thread = 1});
    EXPECT_EQ(rows, 17'142U);
    EXPECT_EQ(rows, query.count());
    EXPECT_EQ(threads.begun, 4);
    std::size_t wrong = 0;
    query.each([&](const position& p) { wrong += p.y != p.x + 1; });
    EXPECT_EQ(wrong, 0U);

    ecs::world plain;
    plain.spawn_n(20'000, position{});
    plain.query<const position>().par_each_chunk(
        on,
        [&](std::span<const position> values) {
            unaligned += reinterpret_cast<std::uintptr_t>(values.data()) % 64 != 0;
            rows += values.size(), ++runs;
        },
        {.rows_of_a_thread = 1000});
    EXPECT_EQ(rows, 17'142U + 20'000U);
    EXPECT_EQ(unaligned, 0U);
}

TEST(iteration, threads_are_handed_spans_of_a_list_and_none_in_an_order) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (int i = 0; i < 4000; ++i) all.push_back(world.spawn(position{}));
    auto news = world.query<const position>().changed<position>();
    news.mark_seen();
    for (int i = 100; i < 140; ++i) world.set(all[static_cast<std::size_t>(i)], position{1, 1});
    counted_threads threads;
    ecs::job_executor on(threads);
    std::vector<ecs::entity> seen;
    std::size_t longest = 0;
    const auto visit = [&](std::span<const ecs::entity> run, std::span<const position>) {
        seen.insert(seen.end(), run.begin(), run.end());
        longest = std::max(longest, run.size());
    };
    news.par_each_chunk(on, visit, {.rows_of_a_thread = 64});
    EXPECT_TRUE(std::ranges::equal(seen, std::span(all).subspan(100, 40)));
    EXPECT_EQ(longest, 8U) << "a piece of the list ends a run";
    news.par_each_chunk(on, visit, {.rows_of_a_thread = 64});
    EXPECT_EQ(seen.size(), 40U) << "the loop has looked";
    auto sorted = world.query<const position>().sort_by<position>(
        [](const position& a, const position& b) { return a.x < b.x; });
    EXPECT_THROW(sorted.par_each_chunk(on, visit), std::invalid_argument);
}

} // namespace
} // namespace iteration_test
