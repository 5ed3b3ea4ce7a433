// SPDX-License-Identifier: MIT
// A query that is kept remembers the chunks that it went to. Its loops find what is there now, however chunks
// have come, gone, grown and hidden rows since, and all forms of loop find the same.
#include <gtest/gtest.h>
#include <utility>
#include <vector>

import ecs.world;

namespace kept_loops_test {
namespace {

using ecs::entity;

struct position {
    int value;
};
struct velocity {
    int value;
};
struct frozen {};
struct burning {
    static constexpr auto kept_in = ecs::storage::sparse;
    int heat = 1;
};
struct damp {
    static constexpr auto kept_in = ecs::storage::in_place;
    int drops = 1;
};

using row = std::pair<entity, const position*>;

class kept_loops : public testing::Test {
  protected:
    std::vector<row> by_each() {
        std::vector<row> found;
        query_.each([&](entity e, const position& p) { found.emplace_back(e, &p); });
        return found;
    }
    std::vector<row> by_range() {
        std::vector<row> found;
        for (auto [e, p] : query_) found.emplace_back(e, &p);
        return found;
    }
    std::vector<row> by_chunk() {
        std::vector<row> found;
        query_.each_chunk([&](std::span<const entity> all, std::span<const position> values) {
            for (std::size_t i = 0; i < all.size(); ++i) found.emplace_back(all[i], &values[i]);
        });
        return found;
    }
    /// Of so many entities.
    void expect_all(std::size_t count) {
        const std::vector<row> found = by_each();
        ASSERT_EQ(found.size(), count);
        for (const auto& [e, p] : found) ASSERT_EQ(p, world_.try_get<position>(e));
        EXPECT_EQ(by_range(), found);
        EXPECT_EQ(by_chunk(), found);
    }

    ecs::world world_;
    ecs::query<const position> query_ = world_.query<const position>();
};

TEST_F(kept_loops, find_rows_of_a_chunk_that_grows) {
    for (int i = 1; i <= 300; ++i) {
        world_.spawn(position{i});
        expect_all(static_cast<std::size_t>(i));
    }
}

TEST_F(kept_loops, find_chunks_that_come_and_go) {
    std::vector<entity> all;
    for (const std::size_t count : {5000U, 100U, 9000U, 0U, 2500U}) {
        while (all.size() < count) all.push_back(world_.spawn(position{static_cast<int>(all.size())}));
        for (; all.size() > count; all.pop_back()) world_.despawn(all.back());
        expect_all(count);
        world_.shrink();
        expect_all(count);
    }
}

TEST_F(kept_loops, find_tables_that_come_and_go) {
    const entity e = world_.spawn(position{1});
    expect_all(1);
    world_.set(e, velocity{2});
    expect_all(1);
    world_.add<frozen>(e);
    expect_all(1);
    world_.remove<position>(e);
    expect_all(0);
}

TEST_F(kept_loops, find_rows_that_commands_bring_as_chunks) {
    expect_all(0);
    auto commands = world_.commands();
    static_cast<void>(commands.spawn_n(21'000, position{3}));
    world_.flush();
    expect_all(21'000);
}

TEST_F(kept_loops, find_the_rows_of_then_after_going_back) {
    for (int i = 0; i < 9000; ++i) world_.spawn(position{i});
    const ecs::snapshot then = world_.snapshot();
    expect_all(9000);
    for (int i = 0; i < 12'000; ++i) world_.spawn(position{i});
    expect_all(21'000);
    world_.restore(then);
    expect_all(9000);
}

TEST_F(kept_loops, pass_over_what_has_been_disabled_since) {
    std::vector<entity> all;
    for (int i = 0; i < 9000; ++i) all.push_back(world_.spawn(position{i}));
    expect_all(9000);
    world_.disable<position>(all[5]);
    world_.disable<position>(all[8999]);
    expect_all(8998);
    world_.enable<position>(all[5]);
    world_.enable<position>(all[8999]);
    expect_all(9000);
}

TEST_F(kept_loops, of_a_copy_go_to_its_own_tables) {
    world_.spawn(position{1});
    expect_all(1);
    auto copy = std::make_unique<ecs::query<const position>>(query_);
    world_.spawn(position{2}, velocity{2});
    std::size_t found = 0;
    copy->each([&](const position&) { ++found; });
    EXPECT_EQ(found, 2U);
    query_ = *copy;
    copy.reset();
    expect_all(2);
}

/// What a loop hands out for a row: where the values are, or null.
struct handed {
    entity owner;
    const void* position_of;
    const void* velocity_of;
    const void* burning_of;
    const void* damp_of;
    bool is_frozen;

    bool operator==(const handed&) const = default;
};

TEST(range_for, hands_out_what_each_does_where_rows_differ) {
    ecs::world world;
    const entity base = world.prefab(position{7});
    std::vector<entity> all;
    for (int i = 0; i < 400; ++i) {
        all.push_back(i % 5 == 0 ? world.spawn(ecs::pair(ecs::is_a, base)) : world.spawn(position{i}));
        const entity e = all.back();
        if (i % 2 == 0) world.set(e, velocity{i});
        if (i % 3 == 0) world.set(e, burning{i});
        if (i % 4 == 0) world.set(e, damp{i});
        if (i % 7 == 0) world.add<frozen>(e);
        if (i % 6 == 0) world.disable<velocity>(e);
        if (i % 11 == 0 && i % 5 != 0) world.disable<position>(e);
    }
    auto query = world.query<const position, const velocity*, const burning*, const damp*, const frozen*>();
    std::vector<handed> by_each, by_range;
    query.each([&](entity e, const position& p, const velocity* v, const burning* b, const damp* d,
                   const frozen* f) { by_each.push_back({e, &p, v, b, d, f != nullptr}); });
    for (auto [e, p, v, b, d, f] : query) by_range.push_back({e, &p, v, b, d, f != nullptr});
    EXPECT_GT(by_each.size(), 300U);
    EXPECT_EQ(by_range, by_each);
}

TEST(range_for, marks_what_it_hands_out_to_be_written) {
    ecs::world world;
    auto changed = world.query<const position>().changed<position>();
    const entity a = world.spawn(position{1}), b = world.spawn(position{2});
    EXPECT_EQ(changed.count(), 2U);
    changed.mark_seen();
    for (auto [e, p] : world.query<position>())
        if (e == a) p.value = 5;
    std::vector<entity> found = changed.entities();
    EXPECT_EQ(found, (std::vector<entity>{a, b})) << "what is handed out to be written counts as written";
}

} // namespace
} // namespace kept_loops_test
