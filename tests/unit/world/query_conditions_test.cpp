// SPDX-License-Identifier: MIT
// Conditions: alternatives, negations, one entity for all rows, and whoever is above; against a loop that
// asks each entity.
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

namespace query_conditions_test {
namespace {

using ecs::changed;
using ecs::has;
using ecs::has_id;

struct position {
    float x, y;
};
struct frozen {};
struct burning {};
struct wet {};
struct paused {};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength;
};
struct poisoned {
    static constexpr auto kept_in = ecs::storage::bits;
};

std::size_t count(ecs::world& world, const ecs::query_condition& asked) {
    return world.query<const position>().where(asked).count();
}

TEST(conditions, every_group_of_alternatives_holds_by_itself) {
    ecs::world world;
    std::ignore = world.spawn(position{}, frozen{});
    std::ignore = world.spawn(position{}, frozen{}, burning{});
    std::ignore = world.spawn(position{}, wet{}, burning{});
    std::ignore = world.spawn(position{}, wet{});
    EXPECT_EQ((world.query<position>().any_of<frozen, wet>().any_of<burning, paused>().count()), 2);
    EXPECT_EQ(count(world, (has<frozen>() || has<wet>()) && (has<burning>() || has<paused>())), 2);
    EXPECT_EQ(count(world, !(has<frozen>() && has<burning>())), 3);
    EXPECT_EQ(count(world, !(has<frozen>() || has<burning>())), 1);
    EXPECT_EQ(count(world, has_id(world.component<wet>()) && !has<burning>()), 1);
}

TEST(conditions, a_kept_query_learns_of_new_tables) {
    ecs::world world;
    auto dry = world.query<const position>().where(!(has<wet>() || has<frozen>()));
    std::ignore = world.spawn(position{}, wet{});
    EXPECT_EQ(dry.count(), 0);
    const ecs::entity e = world.spawn(position{}, burning{});
    EXPECT_EQ(dry.count(), 1);
    world.add<frozen>(e);
    EXPECT_EQ(dry.count(), 0);
    EXPECT_FALSE(dry.contains(e));
}

TEST(conditions, one_entity_decides_for_all_rows) {
    ecs::world world;
    const ecs::entity game = world.spawn();
    const auto all = world.spawn_n(100, position{});
    auto running = world.query<const position>().where(!has<paused>().of(game));
    auto stopped = world.query<const position>().where(has<paused>().of(game));
    EXPECT_EQ(running.count(), 100);
    EXPECT_EQ(stopped.count(), 0);
    world.add<paused>(game);
    EXPECT_EQ(running.count(), 0);
    EXPECT_EQ(stopped.count(), 100);
    EXPECT_TRUE(stopped.contains(all[3]));
    world.disable<paused>(game);
    EXPECT_EQ(running.count(), 100);
    world.enable<paused>(game);
    world.despawn(game);
    EXPECT_EQ(running.count(), 100);
    EXPECT_EQ(stopped.count(), 0);
}

TEST(conditions, look_above_and_at_the_entity_itself) {
    ecs::world world;
    const ecs::entity root = world.spawn(position{}, frozen{});
    const ecs::entity child = world.spawn(position{}, ecs::pair(ecs::child_of, root));
    const ecs::entity leaf = world.spawn(position{}, ecs::pair(ecs::child_of, child));
    const ecs::entity other = world.spawn(position{});
    auto above = world.query<const position>().where(has<frozen>().up());
    auto anywhere = world.query<const position>().where(has<frozen>().self_or_up());
    auto nowhere = world.query<const position>().where(!has<frozen>().self_or_up());
    EXPECT_EQ(above.entities(), (std::vector{child, leaf}));
    EXPECT_EQ(anywhere.count(), 3);
    EXPECT_EQ(nowhere.entities(), std::vector{other});
    world.disable<frozen>(root);
    EXPECT_EQ(anywhere.count(), 0);
    world.add<frozen>(child);
    EXPECT_EQ(anywhere.count(), 2);
    EXPECT_EQ(nowhere.count(), 2);
}

TEST(conditions, find_a_chain_from_the_row_itself_beside_what_is_above_it) {
    ecs::world world;
    const ecs::entity root = world.spawn(), part = world.spawn(), whole = world.spawn();
    world.add(part, ecs::transitive);
    const ecs::entity half = world.spawn(position{}), piece = world.spawn(position{});
    world.add(half, ecs::pair(part, whole));
    world.add(piece, ecs::pair(part, half)); // By way of the half it is a part of the whole.
    for (const ecs::entity e : {half, piece}) world.add(e, ecs::pair(ecs::child_of, root));
    world.add<frozen>(root);
    const ecs::query_condition of_whole = has_id(ecs::pair(part, whole)).self_or_up();
    EXPECT_EQ(count(world, of_whole), 2);
    EXPECT_EQ(count(world, of_whole && has<frozen>().up()), 2);
    world.disable(half, ecs::pair(part, whole));
    EXPECT_EQ(count(world, of_whole && has<frozen>().up()), 1) << "the chain goes on";
}

TEST(conditions, look_above_for_what_is_kept_outside_tables) {
    ecs::world world;
    const ecs::entity root = world.spawn(position{}, buff{1});
    const ecs::entity child = world.spawn(position{}, ecs::pair(ecs::child_of, root));
    std::ignore = world.spawn(position{});
    EXPECT_EQ(world.query<const position>().up(world.component<buff>()).entities(), std::vector{child});
    EXPECT_EQ(count(world, has<buff>().self_or_up()), 2);
    EXPECT_EQ(count(world, has<buff>().up()), 1);
}

TEST(conditions, ask_for_one_change_or_another) {
    ecs::world world;
    struct speed {
        float value;
    };
    const auto all = world.spawn_n(100, [](std::size_t) { return std::tuple(position{}, speed{}); });
    auto moved = world.query<const position>().where(changed<position>() || changed<speed>());
    EXPECT_EQ(moved.count(), 100);
    moved.mark_seen();
    EXPECT_EQ(moved.count(), 0);
    world.set(all[3], position{1, 1});
    world.set(all[70], speed{2});
    EXPECT_EQ(moved.entities(), (std::vector{all[3], all[70]}));
    moved.mark_seen();
    world.add<frozen>(all[5]);
    auto got = world.query<const position>().where(ecs::added<frozen>() || ecs::removed<speed>());
    got.mark_seen();
    world.add<frozen>(all[6]);
    world.remove<speed>(all[7]);
    EXPECT_EQ(got.count(), 2);
}

TEST(conditions, refuse_null_and_changes_of_others) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{});
    auto all = world.query<const position>();
    EXPECT_THROW(all.where(has_id(ecs::id{})), std::invalid_argument);
    EXPECT_THROW(all.where(has<frozen>() || has<frozen>().of({})), std::invalid_argument);
    EXPECT_THROW(all.where(has_id(world.component<position>()).changed().of(e)), std::invalid_argument);
    EXPECT_THROW(all.where(has_id(world.component<position>()).changed().up()), std::invalid_argument);
    EXPECT_THROW(all.where(has<position>().of(e).up()), std::invalid_argument);
    EXPECT_EQ(all.count(), 1);
}

TEST(conditions, are_nested_to_a_limit) {
    ecs::world world;
    ecs::query_condition wide = has<frozen>();
    for (int i = 0; i < 1000; ++i) wide = wide || has<wet>();
    EXPECT_NO_THROW(std::ignore = count(world, wide));
    ecs::query_condition deep = has<frozen>();
    for (std::size_t i = 1; i < ecs::query_condition::max_depth; ++i) deep = has<wet>() || deep;
    auto all = world.query<const position>().where(has<wet>()).where(deep);
    EXPECT_EQ(all.count(), 0);
    EXPECT_THROW(deep = has<wet>() || deep, std::invalid_argument);
}

/// A random condition, and the same as a function of an entity.
struct random_condition {
    std::mt19937& random;
    ecs::world& world;
    ecs::entity other;
    using answer = std::function<bool(ecs::entity)>;

    bool shows(ecs::entity e, ecs::id word) const { return world.has(e, word) && world.is_enabled(e, word); }

    std::pair<ecs::query_condition, answer> question() const {
        const std::vector<ecs::entity> words{world.component<frozen>(), world.component<burning>(),
                                             world.component<buff>(), world.component<poisoned>()};
        const ecs::id word = words[random() % words.size()];
        const auto above = [this, word](ecs::entity e) {
            for (ecs::entity at = world.parent(e); at; at = world.parent(at))
                if (shows(at, word)) return true;
            return false;
        };
        switch (random() % 5) {
        case 0: return {has_id(word).of(other), [this, word](ecs::entity) { return shows(other, word); }};
        case 1: return {has_id(word).up(), above};
        case 2:
            return {has_id(word).self_or_up(),
                    [this, word, above](ecs::entity e) { return shows(e, word) || above(e); }};
        default: return {has_id(word), [this, word](ecs::entity e) { return shows(e, word); }};
        }
    }

    std::pair<ecs::query_condition, answer> make(int depth) const {
        if (depth == 0 || random() % 4 == 0) return question();
        auto [one, is_one] = make(depth - 1);
        if (random() % 3 == 0) return {!one, [is_one](ecs::entity e) { return !is_one(e); }};
        auto [two, is_two] = make(depth - 1);
        if (random() % 2 == 0)
            return {one && two, [is_one, is_two](ecs::entity e) { return is_one(e) && is_two(e); }};
        return {one || two, [is_one, is_two](ecs::entity e) { return is_one(e) || is_two(e); }};
    }
};

struct random_world {
    std::mt19937& random;
    ecs::world world;
    std::vector<ecs::entity> all = world.spawn_n(150, position{});

    void change() {
        const ecs::entity e = all[random() % all.size()];
        switch (random() % 8) {
        case 0: world.add<frozen>(e); break;
        case 1: world.add<burning>(e); break;
        case 2: world.set(e, buff{1}); break;
        case 3: world.add<poisoned>(e); break;
        case 4: world.remove<frozen>(e); break;
        case 5:
            world.has<burning>(e) && random() % 2 ? world.disable<burning>(e) : world.enable<burning>(e);
            break;
        case 6: world.remove<poisoned>(e); break;
        default: std::ignore = world.add(e, ecs::pair(ecs::child_of, all[random() % all.size()])); break;
        }
    }
};

TEST(conditions, find_what_a_loop_over_everything_finds) {
    std::mt19937 random(7);
    for (int round = 0; round < 40; ++round) {
        random_world in{random, {}};
        for (int i = 0; i < 300; ++i) in.change();
        const random_condition make{random, in.world, in.all[0]};
        for (int tries = 0; tries < 10; ++tries) {
            const auto [asked, answer] = make.make(4);
            auto query = in.world.query<const position>().where(asked);
            for (int again = 0; again < 3; ++again) {
                for (const ecs::entity e : in.all)
                    ASSERT_EQ(query.contains(e), answer(e)) << "round " << round << ", try " << tries;
                std::size_t expected = 0;
                for (const ecs::entity e : in.all) expected += answer(e);
                ASSERT_EQ(query.count(), expected);
                for (int i = 0; i < 20; ++i) in.change();
            }
        }
    }
}

} // namespace
} // namespace query_conditions_test
