// SPDX-License-Identifier: MIT
// A query that is kept while tables end finds what one finds that is made now, in the same order.
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <vector>
import ecs.world;

namespace dropped_tables_test {
namespace {

using ecs::entity;

struct first {
    int x = 0;
};
struct second {
    int x = 0;
};

/// A world whose tables come with the targets of pairs, and go with them.
class changing_world {
  public:
    explicit changing_world(unsigned seed) : random_(seed) { world.add<first>(base_); }

    void step() {
        switch (below(8)) {
        case 0:
        case 1: targets_.push_back(world.spawn()); break;
        case 2: end_one(targets_); break;
        case 3: end_one(entities_); break;
        case 4: entities_.push_back(world.spawn(first{}, second{})); break;
        case 5: entities_.push_back(world.spawn(first{})); break;
        default: link(); break;
        }
        if (below(64) == 0) inherit();
    }

    [[nodiscard]] std::size_t below(std::size_t end) { return random_() % end; }

    ecs::world world;
    entity likes = world.spawn();
    entity hates = world.spawn();

  private:
    void end_one(std::vector<entity>& of) {
        if (of.empty()) return;
        const std::size_t which = below(of.size());
        world.despawn(of[which]);
        of.erase(of.begin() + static_cast<std::ptrdiff_t>(which));
    }
    void link() {
        if (targets_.empty() || entities_.empty()) return;
        const entity to = targets_[below(targets_.size())];
        world.add(entities_[below(entities_.size())], ecs::pair(below(2) == 0 ? likes : hates, to));
    }
    void inherit() {
        if (!entities_.empty()) world.add(entities_[below(entities_.size())], ecs::pair(ecs::is_a, base_));
    }

    std::mt19937 random_;
    entity base_ = world.spawn();
    std::vector<entity> targets_;
    std::vector<entity> entities_;
};

template <class Query> std::vector<entity> found_by(Query& q) {
    std::vector<entity> found;
    q.each([&](entity e, const first&) { found.push_back(e); });
    return found;
}

using maker = std::function<ecs::query<const first>(changing_world&)>;

const maker ways_to_ask[]{
    [](changing_world& in) { return in.world.query<const first>(); },
    [](changing_world& in) { return in.world.query<const first>().with<second>(); },
    [](changing_world& in) { return in.world.query<const first>().with(ecs::pair(in.likes, ecs::any)); },
    [](changing_world& in) { return in.world.query<const first>().without(ecs::pair(in.hates, ecs::any)); },
    [](changing_world& in) {
        auto made = in.world.query<const first>();
        made.group_by(in.likes);
        return made;
    },
};

/// Compares kept queries with new ones after a few steps, again and again; before(world) comes before each
/// look.
template <class Before> void expect_followed(Before before) {
    for (unsigned seed = 0; seed < 24; ++seed)
        for (const maker& make : ways_to_ask) {
            SCOPED_TRACE(testing::Message() << "seed " << seed << ", query " << &make - ways_to_ask);
            changing_world in(seed);
            auto kept = make(in);
            for (int look = 0; look < 40; ++look) {
                for (std::size_t steps = in.below(12); steps != 0; --steps) in.step();
                before(in.world);
                auto made_now = make(in);
                const std::vector<entity> expected = found_by(made_now);
                ASSERT_EQ(found_by(kept), expected) << look;
                for (const entity e : expected) ASSERT_TRUE(kept.contains(e));
            }
        }
}

TEST(dropped_tables, are_followed_by_queries_that_are_kept) {
    expect_followed([](ecs::world&) {});
}

TEST(dropped_tables, are_followed_when_the_world_shrinks) {
    expect_followed([](ecs::world& world) { world.shrink(); });
}

TEST(dropped_tables, of_pairs_that_nobody_has_go_when_the_world_shrinks) {
    ecs::world world;
    const ecs::entity visits = world.spawn();
    const std::vector<entity> cells = world.spawn_n(1'000);
    const entity wanderer = world.spawn(first{});
    auto kept = world.query<const first>().with(ecs::pair(visits, ecs::any));
    for (const entity cell : cells) {
        if (const entity before = world.target_of(wanderer, visits))
            world.remove(wanderer, ecs::pair(visits, before));
        world.add(wanderer, ecs::pair(visits, cell));
    }
    EXPECT_EQ(found_by(kept), std::vector{wanderer});
    EXPECT_GT(world.tables().size(), cells.size());
    world.shrink();
    EXPECT_LT(world.tables().size(), 20U);
    EXPECT_EQ(found_by(kept), std::vector{wanderer});
    EXPECT_EQ(world.targets(wanderer, visits), std::vector{cells.back()});
    world.add(wanderer, ecs::pair(visits, cells.front()));
    EXPECT_EQ(found_by(kept), std::vector{wanderer});
    EXPECT_EQ(world.sources(cells.front(), visits), std::vector{wanderer});
}

TEST(dropped_tables, that_are_more_than_are_remembered_are_followed_too) {
    changing_world in(7);
    auto kept = in.world.query<const first>();
    const std::vector<entity> targets = in.world.spawn_n(200);
    std::vector<entity> all;
    for (const entity target : targets) {
        all.push_back(in.world.spawn(first{}));
        in.world.add(all.back(), ecs::pair(in.likes, target));
    }
    ASSERT_EQ(kept.count(), 201);
    std::size_t next = 0;
    for (std::size_t ends : {1U, 31U, 32U, 33U, 64U}) {
        for (; ends != 0; --ends) in.world.despawn(targets[next++]);
        auto made_now = in.world.query<const first>();
        ASSERT_EQ(found_by(kept), found_by(made_now));
        ASSERT_EQ(kept.count(), 201);
    }
}

TEST(dropped_tables, of_a_relation_that_meets_itself_take_that_rule_with_them) {
    ecs::world world;
    const entity near = world.spawn(), place = world.spawn(first{}), other = world.spawn(first{});
    world.add(near, ecs::reflexive);
    world.add(other, ecs::pair(near, place));
    auto kept = world.query<const first>().with(ecs::pair(near, place));
    ASSERT_EQ(kept.count(), 2);
    world.despawn(near);
    EXPECT_EQ(kept.count(), 0);
}

} // namespace
} // namespace dropped_tables_test
