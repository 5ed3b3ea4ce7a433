// SPDX-License-Identifier: MIT
// A query that is kept remembers the chunks that it went to. Its loops find what is there now, however chunks
// have come, gone, grown and hidden rows since, and all forms of loop find the same.
#include <gtest/gtest.h>
#include <memory>
#include <random>
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

/// Queries with an order that are kept, beside new ones that know of no loop before.
class kept_orders : public testing::Test {
  protected:
    using query = ecs::query<const position>;

    std::vector<query> make() {
        const auto by_value = [](const position& a, const position& b) { return a.value < b.value; };
        const auto by_entity = [this](entity a, entity b) {
            return world_.get<position>(a).value > world_.get<position>(b).value;
        };
        const auto any = [this] { return world_.query<const position>(); };
        return {any().sort_by<position>(by_value),
                any().sort_by(by_entity),
                any().cascade(),
                any().cascade().sort_by<position>(by_value),
                any().group_by(likes_).sort_by<position>(by_value),
                any().without<frozen>().sort_by<position>(by_value),
                any().with<burning>().sort_by<position>(by_value),
                any().with(ecs::pair(ecs::child_of, root_)).sort_by<position>(by_value),
                any().with(ecs::pair(likes_, ecs::any)).sort_by<position>(by_value),
                any().sort_by<position>(by_value).uncached()};
    }

    static std::vector<row> rows_of(query& asked) {
        std::vector<row> found;
        asked.each([&](entity e, const position& p) { found.emplace_back(e, &p); });
        return found;
    }

    void expect_as_new(int step) {
        std::vector<query> fresh = make();
        for (std::size_t i = 0; i < fresh.size(); ++i)
            ASSERT_EQ(rows_of(kept_[i]), rows_of(fresh[i])) << i << " after step " << step;
    }

    entity any_one() { return all_[random_() % all_.size()]; }

    void change() {
        const entity e = any_one();
        const int value = static_cast<int>(random_() % 50);
        switch (random_() % 14) {
        case 0: return all_.push_back(world_.spawn(position{value})), void();
        case 1: return all_.push_back(world_.spawn(position{value}, frozen{})), void();
        case 2:
            return world_.despawn(e), void(std::erase_if(all_, [&](entity x) { return !world_.alive(x); }));
        case 3: return world_.has<frozen>(e) ? world_.remove<frozen>(e) : world_.add<frozen>(e), void();
        case 4: return world_.has<burning>(e) ? world_.remove<burning>(e) : world_.add<burning>(e), void();
        case 5: return world_.add(e, ecs::child_of, any_one()), void();
        case 6: return world_.add(e, ecs::pair(likes_, any_one())), void();
        case 7:
            return world_.is_enabled<position>(e) ? world_.disable<position>(e) : world_.enable<position>(e),
                   void();
        case 8: return world_.shrink();
        case 9: return world_.restore(then_), all_ = all_then_, void();
        case 10: return kept_[random_() % kept_.size()].sort_rows();
        default: world_.get<position>(e).value = value;
        }
    }

    ecs::world world_;
    entity likes_ = world_.spawn();
    entity root_ = world_.spawn(position{0});
    std::vector<entity> all_{root_, world_.spawn(position{3}), world_.spawn(position{2}),
                             world_.spawn(position{2})};
    std::vector<entity> all_then_ = all_;
    ecs::snapshot then_ = world_.snapshot();
    std::minstd_rand random_{7};
    std::vector<query> kept_ = make();
};

TEST_F(kept_orders, are_those_of_new_queries_whatever_happens_in_between) {
    for (int step = 0; step < 400; ++step) {
        for (auto changes = random_() % 3; changes != 0; --changes) {
            change();
            if (!world_.alive(root_)) world_.restore(then_), all_ = all_then_;
        }
        expect_as_new(step);
    }
}

TEST_F(kept_orders, are_found_again_within_a_loop_and_by_a_copy) {
    auto& sorted = kept_.front();
    const std::vector<row> before = rows_of(sorted);
    auto copy = sorted;
    world_.get<position>(all_[1]).value = -1;
    EXPECT_EQ(rows_of(copy).front().first, all_[1]);
    std::size_t inner = 0;
    sorted.each([&](const position&) { inner += rows_of(sorted).size(); });
    EXPECT_EQ(inner, before.size() * before.size());
    EXPECT_EQ(rows_of(sorted).front().first, all_[1]);
    sorted.sort_by<position>([](const position& a, const position& b) { return a.value > b.value; });
    EXPECT_EQ(rows_of(sorted).back().first, all_[1]);
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
