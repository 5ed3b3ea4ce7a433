// SPDX-License-Identifier: MIT
#include "orders.hpp"
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <thread>

import ecs;

#include "game.hpp"

namespace server {

namespace {

constexpr std::int32_t field_side = 100;
constexpr std::int32_t stride = 4;       ///< How far a miner comes in a tick.
constexpr std::int32_t capacity = 8;     ///< What a miner can carry.
constexpr std::int32_t price = 15;       ///< Of a miner, in gold.
constexpr std::int32_t inheritance = 60; ///< The gold with which a player begins.
constexpr std::int32_t richest = 60;     ///< A seam has from 1 to as much ore.
constexpr unsigned find_every = 6;       ///< Ticks until another seam is found.

std::int32_t below(std::int32_t limit, std::uint64_t chance) {
    return static_cast<std::int32_t>(chance % static_cast<std::uint64_t>(limit));
}

Position somewhere(std::uint64_t chance) {
    return {below(field_side, chance), below(field_side, chance >> 20)};
}

std::int32_t step_towards(std::int32_t from, std::int32_t to) {
    return from + std::clamp(to - from, -stride, stride);
}

std::int32_t distance(const Position& a, const Position& b) {
    return std::max(std::abs(a.x - b.x), std::abs(a.y - b.y));
}

/// Bits that depend on the order of what is mixed in.
void mix(std::uint64_t& sum, std::uint64_t bits) { sum = scrambled(sum ^ bits); }

// The systems.

/// A miner with a full load walks home, and any other to its seam.
void aim(const ecs::world& world, ecs::entity e, const Miner& miner, Goal& goal) {
    const ecs::entity to = miner.load < capacity ? world.target_of<DigsAt>(e) : world.target_of<OwnedBy>(e);
    if (to) goal.at = world.get<Position>(to);
}

void walk(Position& p, const Goal& goal) { p = {step_towards(p.x, goal.at.x), step_towards(p.y, goal.at.y)}; }

/// Several miners dig at one seam, so that this is a system of one thread.
void dig(ecs::world& world) {
    world.query<const Position, Miner>().each([&](ecs::entity e, const Position& at, Miner& miner) {
        const ecs::entity from = world.target_of<DigsAt>(e);
        if (!from || miner.load == capacity || at != world.get<Position>(from)) return;
        Seam& seam = world.get<Seam>(from);
        const std::int32_t dug = std::min(seam.ore, 1);
        seam.ore -= dug;
        miner.load += dug;
    });
}

void deliver(ecs::world& world) {
    world.query<const Position, Miner>().each([&](ecs::entity e, const Position& at, Miner& miner) {
        const ecs::entity home = world.target_of<OwnedBy>(e);
        if (miner.load != capacity || at != world.get<Position>(home)) return;
        world.get<Purse>(home).gold += miner.load;
        miner.load = 0;
    });
}

/// Whoever digs there has nowhere to go then, because the pairs that lead to a seam end with it.
void close(ecs::entity e, const Seam& seam, ecs::commands& commands) {
    if (seam.ore == 0) commands.despawn(e);
}

void prospect(ecs::resource<const Match> match, ecs::commands& commands) {
    if (match->tick % find_every != 0) return;
    const std::uint64_t chance = scrambled(match->seed ^ scrambled(match->tick));
    commands.spawn(somewhere(chance), Seam{1 + below(richest, chance >> 40)});
}

using idle_miners =
    ecs::query<ecs::entity, const Position, const Miner, ecs::without<ecs::pair_of<DigsAt, ecs::wildcard>>>;
using seams = ecs::query<ecs::entity, const Position, const Seam>;

ecs::entity nearest(seams& all, const Position& to) {
    ecs::entity found{};
    std::int32_t least = std::numeric_limits<std::int32_t>::max();
    all.each([&](ecs::entity e, const Position& at, const Seam& seam) {
        if (seam.ore == 0 || distance(at, to) >= least) return;
        least = distance(at, to);
        found = e;
    });
    return found;
}

void look_for_work(idle_miners& idle, seams& all, ecs::commands& commands) {
    idle.each([&](ecs::entity e, const Position& at, const Miner&) {
        if (const ecs::entity found = nearest(all, at)) commands.add<DigsAt>(e, found);
    });
}

} // namespace

/// What the threads that record have to know of a player: they do not look into the world.
struct game::headquarters {
    ecs::entity player{};
    Position home{};
    std::int32_t gold{};
    std::vector<ecs::entity> miners{};
    std::vector<ecs::entity> seams{};

    void obey(const order& given, ecs::commands& commands) {
        switch (given.kind) {
        case order_kind::hire: return hire(given.choice, commands);
        case order_kind::send: return send(given.choice, commands);
        case order_kind::dismiss: return dismiss(given.choice, commands);
        }
    }

    void hire(std::uint32_t choice, ecs::commands& commands) {
        if (gold < price) return;
        commands.set(player, Purse{gold -= price});
        const ecs::entity miner = commands.spawn(home, Goal{home}, Miner{0});
        commands.add<OwnedBy>(miner, player);
        if (!seams.empty()) commands.add<DigsAt>(miner, seams[choice % seams.size()]);
        miners.push_back(miner);
    }

    void send(std::uint32_t choice, ecs::commands& commands) {
        if (seams.empty()) return;
        for (const ecs::entity miner : miners) commands.add<DigsAt>(miner, seams[choice % seams.size()]);
    }

    void dismiss(std::uint32_t choice, ecs::commands& commands) {
        if (miners.empty()) return;
        const auto who = miners.begin() + static_cast<std::ptrdiff_t>(choice % miners.size());
        commands.despawn(*who);
        miners.erase(who);
    }
};

/// A world that is to go back has its keys, its components and one run of its schedule before the first
/// snapshot.
game::game(std::uint32_t players, std::uint64_t seed, unsigned threads) : threads_(threads) {
    register_components();
    world_.make_deterministic(players);
    add_systems();
    world_.set_singleton(Match{0, seed});
    run_systems();
    found_houses(players);
}

void game::register_components() {
    world_.component<Position>();
    world_.component<Goal>();
    world_.component<Miner>();
    world_.component<Seam>();
    world_.component<Purse>();
    world_.component<Match>();
    world_.component<OwnedBy>();
    world_.component<DigsAt>();
}

void game::found_houses(std::uint32_t players) {
    const std::uint64_t seed = world_.singleton<Match>().seed;
    for (std::uint32_t p = 0; p < players; ++p)
        world_.spawn("Player_" + std::to_string(p), somewhere(scrambled(seed + p)), Purse{inheritance});
}

void game::add_systems() {
    schedule_.phase("walk");
    schedule_.add("aim", [](const ecs::world& world, ecs::entity e, const Miner& miner, Goal& goal) {
        aim(world, e, miner, goal);
    });
    schedule_.add("walk", walk);
    schedule_.phase("work");
    schedule_.add("dig", dig);
    schedule_.add("deliver", deliver);
    schedule_.phase("change");
    schedule_.add("close", close);
    schedule_.add("prospect", prospect);
    schedule_.phase("plan");
    schedule_.add("look for work", look_for_work);
}

/// On a thread for each processor, unless one is to do everything.
void game::run_systems() {
    if (threads_ == 1)
        schedule_.run(world_, 1U);
    else
        schedule_.run(world_);
}

void game::tick(std::span<const order> orders) {
    if (!orders.empty()) record(orders);
    world_.flush();
    run_systems();
    ++world_.singleton<Match>().tick;
}

/// Each player's orders are one thread's, under the key of the player: neither the world nor its identifiers
/// depend on which thread that is.
void game::record(std::span<const order> orders) {
    std::vector<headquarters> all = survey();
    std::vector<std::jthread> workers;
    workers.reserve(threads_);
    for (unsigned w = 0; w < threads_; ++w)
        workers.emplace_back([&, w] {
            for (std::uint32_t player = w; player < all.size(); player += threads_) {
                ecs::commands commands = world_.commands(player);
                for (const order& o : orders)
                    if (o.player == player) all[player].obey(o, commands);
            }
        });
}

std::vector<game::headquarters> game::survey() {
    const std::vector<ecs::entity> open = world_.query<const Seam>().entities();
    std::vector<headquarters> all;
    world_.query<const Position, const Purse>().each(
        [&](ecs::entity e, const Position& at, const Purse& purse) {
            all.push_back({e, at, purse.gold, world_.sources<OwnedBy>(e), open});
        });
    return all;
}

/// An entity is mixed in by its index and generation: two worlds have different numbers, which are a part of
/// their handles.
fingerprint game::mark() {
    fingerprint marked{now(), now()};
    world_.query<const Position, const Miner*, const Seam*, const Purse*>().each(
        [&](const Position& p, const Miner* miner, const Seam* seam, const Purse* purse) {
            const std::int32_t own = miner ? miner->load : seam ? seam->ore : purse ? purse->gold : 0;
            for (const std::int32_t value : {p.x, p.y, own})
                mix(marked.values, static_cast<std::uint32_t>(value));
        });
    for (const ecs::entity e : world_.entities())
        mix(marked.identifiers, std::uint64_t{e.generation()} << 32 | e.index());
    return marked;
}

score game::standing() {
    std::int64_t gold = 0;
    world_.query<const Purse>().each([&](const Purse& purse) { gold += purse.gold; });
    return {world_.query<const Miner>().count(), world_.query<const Seam>().count(), gold};
}

} // namespace server
