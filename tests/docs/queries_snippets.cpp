// SPDX-License-Identifier: MIT
// The examples of docs/queries.md, in its order. Where there are two forms they have to find the same
// entities.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

using namespace ecs;

// NOLINTBEGIN(readability-identifier-naming): named as in the manuals of the peers.
struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};
struct Fleet {
    int number;
};
struct Gravity {
    float value;
};
struct Weapon {};
struct Sword {};
struct Solid {};
struct Frozen {};
struct Tired {};
struct Paused {};
struct Rich {};
struct Likes {};
// NOLINTEND(readability-identifier-naming)

namespace {

/// As sets: text has no order of its own.
std::vector<std::uint64_t> found(auto& query) {
    std::vector<std::uint64_t> all;
    for (const entity e : query.entities()) all.push_back(e.value());
    std::ranges::sort(all);
    return all;
}

void require(bool holds, int line) {
    if (holds) return;
    std::printf("queries_snippets.cpp:%d: the two forms differ, or find nothing\n", line);
    std::exit(1);
}

std::vector<std::uint64_t> found_by_variables(auto& query) {
    std::vector<std::uint64_t> all;
    query.each([&](entity e, const bindings&) { all.push_back(e.value()); });
    std::ranges::sort(all);
    return all;
}

#define EXPECT_SAME(typed) require(found(typed) == found(same) && !found(same).empty(), __LINE__)

struct scene {
    ecs::world world;
    entity game = world.spawn(std::string("game"));
    entity docked_at = world.spawn(std::string("docked_at"));
    entity member_of = world.spawn(std::string("member_of"));
    entity red = world.spawn(std::string("red"));
    entity bob = world.spawn(std::string("Bob"), Position{}, Rich{});
    entity alice = world.spawn(std::string("Alice"), Position{1, 0}, Velocity{1, 0}, Fleet{3});
    id likes = world.component<Likes>();

    scene() {
        world.component<Tired>();
        world.component<Paused>();
        world.component<Weapon>();
        world.set_singleton(Gravity{9.8F});
        world.add<Likes>(alice, bob);
        world.add(alice, pair(member_of, red));
        world.add(world.component<Sword>(), pair(is_a, world.component<Weapon>()));
        world.add<Sword>(bob);
        world.spawn(Position{2, 0}, pair(child_of, alice), Solid{}, Frozen{});
        world.spawn(Position{3, 0}, Velocity{}, Tired{}, Solid{});
    }
};

void terms(scene& in) {
    auto& [world, game, docked_at, member_of, red, bob, alice, likes] = in;
    {
        auto movers = world.query<Position, const Velocity>();
        auto same = world.query("[inout] Position, Velocity");
        EXPECT_SAME(movers);
    }
    {
        auto maybe = world.query<const Position, const Velocity*>();
        auto same = world.query("Position, ?Velocity");
        EXPECT_SAME(maybe);
    }
    {
        auto standing = world.query<const Position>().without<Velocity>().with<Solid>();
        auto same = world.query("Position, !Velocity, [none] Solid");
        EXPECT_SAME(standing);
    }
    {
        auto slow = world.query<const Position>().any_of<Frozen, Tired>().any_of<Solid, Velocity>();
        auto same = world.query("Position, Frozen || Tired, Solid || Velocity");
        EXPECT_SAME(slow);
    }
    {
        auto odd = world.query<const Position>().where(!(has<Frozen>() && has<Velocity>()) &&
                                                       (has<Solid>() || !has<Tired>()));
        auto same = world.query("Position, !{Frozen, Velocity}, Solid || !Tired");
        EXPECT_SAME(odd);
    }
    {
        auto falling = world.query<const Position>().where(has<Gravity>().of(world.component<Gravity>()) &&
                                                           !has<Paused>().of(game));
        auto same = world.query("Position, Gravity($), !Paused(game)");
        EXPECT_SAME(falling);
    }
}

void relations(scene& in) {
    auto& [world, game, docked_at, member_of, red, bob, alice, likes] = in;
    {
        auto fans = world.query().with<Likes>(bob);
        auto same = world.query("(Likes, Bob)");
        EXPECT_SAME(fans);
    }
    {
        auto each_like = world.query<const matched>().with(pair(world.component<Likes>(), any));
        auto same = world.query("(Likes, *)");
        EXPECT_SAME(each_like);
    }
    {
        auto crew = world.query<const Position, up<const Fleet>>();
        auto same = world.query("Position, Fleet(up)");
        EXPECT_SAME(crew);
    }
    {
        auto painted = world.query<self_or_up<const Fleet>>();
        auto same = world.query("Fleet(self|up)");
        EXPECT_SAME(painted);
    }
    {
        auto adrift = world.query<const Position>().where(!has<Fleet>().self_or_up(docked_at));
        auto same = world.query("Position, !Fleet(self|up docked_at)");
        EXPECT_SAME(adrift);
    }
    {
        auto armed = world.query().with_kind_of<Weapon>();
        auto same = world.query("Weapon(kind)");
        EXPECT_SAME(armed);
    }
}

void variables(scene& in) {
    auto& [world, game, docked_at, member_of, red, bob, alice, likes] = in;
    {
        auto rivals = world.query()
                          .with(pair(likes, var("x")))
                          .with<Rich>(var("x"))
                          .without(pair(likes, var("x")), var("x"));
        auto same = world.query("(Likes, $x), Rich($x), !Likes($x, $x)");
        require(found_by_variables(rivals) == found(same) && !found(same).empty(), __LINE__);
    }
    {
        auto related = world.query().with(pair(var("r"), bob)).with(pair(var("r"), var("y")));
        auto same = world.query("($r, Bob), ($r, $y)");
        require(found_by_variables(related) == found(same) && !found(same).empty(), __LINE__);
    }
    {
        auto shared = world.query().with(pair(likes, var("x"))).with(has_id(pair(likes, var("x"))).of(alice));
        auto same = world.query("(Likes, $x), Likes(Alice, $x)");
        require(found_by_variables(shared) == found(same) && !found(same).empty(), __LINE__);
    }
    {
        auto supplied =
            world.query().with(pair(likes, var("x"))).where(has<Rich>().of(var("x")) || has<Position>());
        auto same = world.query("(Likes, $x), Rich($x) || Position($this)");
        require(found_by_variables(supplied) == found(same) && !found(same).empty(), __LINE__);
    }
    {
        auto all =
            world.query().with<Position>().where(has<Rich>().of(var("this"))).optional(pair(likes, var("x")));
        auto same = world.query("Position, Rich($this), ?(Likes, $x)");
        require(found_by_variables(all) == found(same) && !found(same).empty(), __LINE__);
    }
}

void changes(scene& in) {
    auto& [world, game, docked_at, member_of, red, bob, alice, likes] = in;
    {
        auto moved = world.query<const Position>().changed<Position>();
        auto same = world.query("Position, Position(changed)");
        EXPECT_SAME(moved);
    }
    {
        auto news = world.query<const Position>().where(changed<Position>() || added<Velocity>());
        auto same = world.query("Position, Position(changed) || Velocity(added)");
        EXPECT_SAME(news);
    }
}

void answers(scene& in) {
    auto& [world, game, docked_at, member_of, red, bob, alice, likes] = in;
    world.query<Position, const Velocity>().each([](entity, Position& p, const Velocity& v) { p.x += v.x; });
    for (auto [e, p, v] : world.query<Position, const Velocity>()) p.x += v.x;
    world.query("[inout] Position, Velocity").each([](const text_match& m) {
        m.get<Position>(0).x += m.get<const Velocity>(1).x;
    });
    require(world.get<Position>(alice).x == 4, __LINE__);

    std::vector<entity> marked;
    const auto mark = [&](entity e) { marked.push_back(e); };
    const std::vector<entity> selection{alice, game, bob};
    std::vector<std::pair<entity, entity>> hits;
    const auto touch = [](const Position& a, const Position& b) { return a.y == b.y; };
    auto [first, second] = world.query<Position>().get_many(std::array{alice, bob});
    world.query<const Position>().each_of(selection, [&](entity e, const Position&) { mark(e); });
    world.query<const Position>().each_pair([&](const auto& a, const auto& b) {
        if (touch(std::get<1>(a), std::get<1>(b))) hits.emplace_back(std::get<0>(a), std::get<0>(b));
    });
    require(std::get<0>(first) == alice && std::get<0>(second) == bob && marked.size() == 2 &&
                hits.size() == 6,
            __LINE__);

    const auto distance = [&in](entity e) { return in.world.get<Position>(e).x; };
    const auto layer_of = [](std::span<const id> has) { return has.size() > 2 ? 2U : 1U; };
    auto by_distance =
        world.query<const Position>().sort_by([&](entity a, entity b) { return distance(a) < distance(b); });
    auto by_team = world.query<const Position>().group_by(member_of);
    by_team.each_in_group(red, [&](entity e, const Position&) { mark(e); });
    auto layers =
        world.query<const Position>().group_by([&](std::span<const id> has) { return layer_of(has); });
    layers.each_in_group(2, [&](entity e, const Position&) { mark(e); });
    require(by_distance.first() == bob && marked[2] == alice && marked.size() > 3, __LINE__);
}

} // namespace

int main() {
    scene in;
    terms(in);
    relations(in);
    variables(in);
    changes(in);
    answers(in);
}
