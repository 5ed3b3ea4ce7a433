// SPDX-License-Identifier: MIT
#include "scenario.hpp"
#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <thread>
#include <unordered_map>
#include <utility>

import ecs;

#include "battle.hpp"

namespace skirmish {

namespace {

constexpr int unit_health = 12;
constexpr int turret_damage = 12;
constexpr unsigned turret_loads = 40; ///< Ticks.
constexpr float turret_range = 640;
constexpr float melee_cell = 24; ///< Units in the same square of this size fight.
constexpr float last_square = 1e6F;
constexpr float walking_speed = 2.2F;

/// A float in [0, 1) that is the same with every standard library, unlike the distributions'.
float roll(std::mt19937_64& dice) { return static_cast<float>(dice() >> 40) * 0x1p-24F; }

/// Bits that depend on the order of what is mixed in.
void mix(std::uint64_t& sum, std::uint64_t bits) { sum = (sum ^ bits) * 0x100'0000'01B3U + (sum >> 31); }

struct square {
    std::vector<ecs::entity> units[2]; ///< Of the first army that came, and of all others.
    std::uint32_t first_army{};
};

/// Who has run over the left or upper edge is counted as on it: squares have no negative numbers. Who is
/// nowhere, too.
std::uint32_t square_at(float along) {
    return along > 0 ? static_cast<std::uint32_t>(std::min(along / melee_cell, last_square)) : 0;
}

std::uint64_t square_of(const Position& at) {
    return (std::uint64_t{square_at(at.y)} << 32) | square_at(at.x);
}

} // namespace

battle::battle(const scenario& plan, unsigned workers)
    : plan_(plan), workers_(std::max(1U, workers)), ranks_(plan.armies.size()), dice_(plan.seed) {
    for (std::uint32_t army = 0; army < plan_.armies.size(); ++army) build_army(army);
    add_systems();
    arrive();
}

void battle::build_army(std::uint32_t army) {
    const army_plan& plan = plan_.armies[army];
    const ecs::entity all = world_.spawn(plan.name);
    for (const platoon_plan& platoon : plan.platoons)
        platoons_.push_back(
            {world_.spawn(platoon.name, ecs::pair(ecs::child_of, all)), army, platoon, 0, 0, {}});
    for (const ship_plan& ship : plan.ships) build_ship(ship, army, all);
}

void battle::build_ship(const ship_plan& ship, std::uint32_t army, ecs::entity of) {
    const ecs::entity hull =
        world_.spawn(ship.name, Position{ship.x, ship.y}, Side{army}, ecs::pair(ecs::child_of, of));
    for (unsigned i = 0; i < ship.turrets; ++i) {
        const Position at{ship.x,
                          ship.y + 14 * (static_cast<float>(i) - static_cast<float>(ship.turrets) / 2)};
        const ecs::entity gun = world_.spawn(at, Side{army}, Turret{turret_range, 5 * i % turret_loads, {}});
        world_.add(gun, ecs::pair(ecs::child_of, hull));
        world_.set_name(gun, "Turret_" + std::to_string(i + 1));
    }
}

/// A platoon that somebody has ended gets no more recruits.
void battle::disband() {
    std::erase_if(platoons_, [&](const platoon_state& platoon) { return !world_.alive(platoon.tag); });
}

/// Every platoon is recruited by one worker, from dice of its own and under a key of its own: neither the
/// identifiers nor the numbers depend on which thread that is.
void battle::arrive() {
    std::vector<std::jthread> workers;
    workers.reserve(workers_);
    for (unsigned w = 0; w < workers_; ++w)
        workers.emplace_back([this, w] {
            for (std::size_t p = w; p < platoons_.size(); p += workers_) recruit(p);
        });
    workers.clear();
    world_.flush();
    for (platoon_state& platoon : platoons_) name_newcomers(platoon);
}

/// All of a platoon at first, then the reinforcements of a round, spread over its ticks.
unsigned battle::arrivals(const platoon_plan& platoon) const {
    if (now_ == 0) return platoon.units;
    const std::uint64_t all = platoon.reinforcements, round = plan_.buff.every, tick = now_ % round;
    return static_cast<unsigned>(all * (tick + 1) / round - all * tick / round);
}

void battle::recruit(std::size_t platoon) {
    platoon_state& state = platoons_[platoon];
    std::mt19937_64 dice(plan_.seed * 1'000'003 + platoon * 1'000'033 + now_);
    auto commands = world_.commands(static_cast<std::uint32_t>(platoon));
    const unsigned units = arrivals(state.plan);
    const float ahead = state.plan.x < plan_.width / 2 ? walking_speed : -walking_speed;
    for (unsigned i = 0; i < units; ++i) {
        const float x = state.plan.x + (roll(dice) - 0.5F) * 2 * state.plan.spread;
        const float y = state.plan.y + (roll(dice) - 0.5F) * 2 * state.plan.spread;
        const Position at{std::clamp(x, 0.0F, plan_.width), std::clamp(y, 0.0F, plan_.height)};
        const Velocity walk{ahead * (0.5F + roll(dice)), (roll(dice) - 0.5F) * walking_speed};
        const ecs::entity unit = commands.spawn(at, walk, Health{unit_health}, Side{state.army});
        commands.add(unit, state.tag);
        commands.add(unit, ecs::pair(ecs::child_of, state.tag));
    }
    state.arrived += units;
}

/// Identifiers on the network come from a range of the army's own.
void battle::name_newcomers(platoon_state& platoon) {
    const bool client = plan_.armies[platoon.army].partition == "client";
    for (const ecs::entity e :
         world_.query().with(platoon.tag).with<Health>().without<NetworkId>().entities()) {
        world_.set(e, NetworkId{client ? network_.create<"client">() : network_.create<"server">()});
        name(e, platoon);
    }
}

/// The next name that nobody in the platoon has.
void battle::name(ecs::entity unit, platoon_state& platoon) {
    std::string free;
    do {
        free = "Unit_" + std::to_string(++platoon.named);
    } while (world_.lookup(platoon.tag, free));
    world_.set_name(unit, free);
}

void battle::add_systems() {
    schedule_.add("walk", [](Position& p, const Velocity& v, const Haste* haste) {
        const float factor = haste ? haste->factor : 1;
        p.x += v.x * factor;
        p.y += v.y * factor;
    });
    schedule_.add("turn back at the edge",
                  [width = plan_.width, height = plan_.height](const Position& p, Velocity& v) {
                      if ((p.x < 0 && v.x < 0) || (p.x > width && v.x > 0)) v.x = -v.x;
                      if ((p.y < 0 && v.y < 0) || (p.y > height && v.y > 0)) v.y = -v.y;
                  });
    schedule_.add("run out", [](ecs::query<ecs::pair_of<Expiry, ecs::wildcard>>& buffs) {
        buffs.each([](Expiry& left) { left.ticks -= left.ticks > 0; });
    });
    schedule_.phase("fight");
    schedule_.add("end buffs", [this](ecs::world&) { expire_buffs(); });
    schedule_.add("muster", [this](ecs::world&) { muster(); });
    schedule_.add("aim", [this](ecs::world&) { aim(); });
    schedule_.add("strike", [this](ecs::world&) { fight(); });
}

void battle::tick() {
    disband();
    if (now_ != 0) arrive();
    if (now_ % plan_.buff.every == 0) grant_buffs();
    schedule_.run(world_, workers_);
    find_the_fallen();
    bury();
    if (!over()) count_population();
    ++now_;
}

/// One unit in eight is shielded, another runs faster, for a while.
void battle::grant_buffs() {
    muster();
    for (const auto& rank : ranks_)
        for (const ecs::entity e : rank) {
            const std::uint64_t die = dice_() % 8;
            if (die == 0) {
                world_.set(e, Shield{plan_.buff.shield});
                world_.set<ecs::pair_of<Expiry, Shield>>(e, Expiry{plan_.buff.lasts});
            } else if (die == 1) {
                world_.set(e, Haste{plan_.buff.haste});
                world_.set<ecs::pair_of<Expiry, Haste>>(e, Expiry{plan_.buff.lasts});
            }
        }
}

/// One system for all buffs: whatever an Expiry is about ends with it.
void battle::expire_buffs() {
    std::vector<ecs::entity> ending;
    world_.query<const ecs::pair_of<Expiry, ecs::wildcard>>().each([&](ecs::entity e, const Expiry& left) {
        if (left.ticks == 0) ending.push_back(e);
    });
    for (const ecs::entity e : ending) end_expired(e);
}

void battle::end_expired(ecs::entity e) {
    const ecs::entity expiry = world_.component<Expiry>();
    const auto targets = world_.targets(e, expiry);
    for (const ecs::entity buff : std::vector<ecs::entity>(targets.begin(), targets.end())) {
        const ecs::id left = ecs::pair(expiry, buff);
        const auto* const value = static_cast<const Expiry*>(world_.try_get(e, left));
        if (!value || value->ticks != 0) continue;
        world_.remove(e, left);
        world_.remove(e, buff);
        ++story_.expired_buffs;
    }
}

void battle::muster() {
    for (auto& rank : ranks_) rank.clear();
    world_.query<const Side>().with<Health, Position>().each([&](ecs::entity e, const Side& side) {
        if (side.army < ranks_.size()) ranks_[side.army].push_back(e);
    });
}

void battle::aim() {
    std::vector<ecs::entity> hit;
    world_.query<Turret, const Position, const Side>().each(
        [&](Turret& turret, const Position& at, const Side& side) {
            if (turret.loading != 0) {
                --turret.loading;
                return;
            }
            turret.loading = turret_loads;
            if (turret.target && !world_.alive(turret.target)) {
                ++story_.lost_targets;
                story_.reused_targets += is_index_in_use(turret.target);
                turret.target = {};
            }
            retarget(turret, at, side.army);
            if (turret.target) hit.push_back(turret.target);
        });
    for (const ecs::entity e : hit) strike(e, turret_damage);
}

/// Whether somebody else has the index of a handle that is dead.
bool battle::is_index_in_use(ecs::entity dead) const {
    return std::ranges::any_of(ranks_, [&](const auto& rank) {
        return std::ranges::find(rank, dead.index(), &ecs::entity::index) != rank.end();
    });
}

void battle::retarget(Turret& turret, const Position& from, std::uint32_t army) {
    const auto within_range = [&](ecs::entity e) {
        const Position* const at = world_.try_get<Position>(e);
        return at && std::hypot(at->x - from.x, at->y - from.y) <= turret.range;
    };
    if (turret.target && within_range(turret.target)) return;
    turret.target = {};
    const auto& enemies = ranks_[(army + 1 + dice_() % (ranks_.size() - 1)) % ranks_.size()];
    for (int tries = 0; tries < 8 && !enemies.empty() && !turret.target; ++tries) {
        const ecs::entity candidate = enemies[dice_() % enemies.size()];
        if (within_range(candidate)) turret.target = candidate;
    }
}

/// In every square where units of two armies meet, each strikes one of the other side.
void battle::fight() {
    std::unordered_map<std::uint64_t, square> squares;
    for (std::uint32_t army = 0; army < ranks_.size(); ++army)
        for (const ecs::entity e : ranks_[army]) {
            square& here =
                squares.try_emplace(square_of(world_.get<Position>(e)), square{{}, army}).first->second;
            here.units[army != here.first_army].push_back(e);
        }
    for (const auto& [where, here] : squares) {
        const auto& [ours, theirs] = here.units;
        if (ours.empty() || theirs.empty()) continue;
        for (std::size_t i = 0; i < ours.size(); ++i) strike(theirs[i % theirs.size()], 1);
        for (std::size_t i = 0; i < theirs.size(); ++i) strike(ours[i % ours.size()], 1);
    }
}

void battle::strike(ecs::entity e, int damage) {
    if (Shield* const shield = world_.try_get<Shield>(e); shield && shield->hits > 0) {
        --shield->hits;
        return;
    }
    if (Health* const health = world_.try_get<Health>(e))
        health->points = std::max(health->points - damage, 0);
}

void battle::find_the_fallen() {
    world_.query<const Health>().each([&](ecs::entity e, const Health& health) {
        if (health.points <= 0) dying_.push_back(e);
    });
}

/// A worker records orders for the fallen before it hears of it: at the flush they are dropped and counted.
void battle::bury() {
    {
        auto late_orders = world_.commands();
        for (const ecs::entity e : dying_) late_orders.set(e, Velocity{0, 0});
    }
    for (const ecs::entity e : dying_) {
        if (const auto* const known = world_.try_get<NetworkId>(e)) network_.destroy(known->id);
        world_.despawn(e);
    }
    dying_.clear();
    story_.refused_commands += world_.flush().dropped();
}

void battle::count_population() {
    for (platoon_state& platoon : platoons_)
        platoon.population.push_back(world_.query().with(platoon.tag).count());
}

std::size_t battle::ships_turrets(const army_plan& army, const ship_plan& ship) {
    std::size_t turrets = 0;
    const ecs::entity hull = world_.lookup(army.name + "/" + ship.name);
    for ([[maybe_unused]] const ecs::entity gun : world_.children(hull)) ++turrets;
    return turrets;
}

/// Rows are in the order in which platoons were flushed and units fell, whoever recruited them. Identifiers
/// are left out: they would be the same, too, but not in a world that takes the place of one that has ended.
std::uint64_t battle::checksum() {
    std::uint64_t sum = plan_.seed;
    world_.query<const Position, const Health, const Side>().each(
        [&](const Position& at, const Health& health, const Side& side) {
            mix(sum, static_cast<std::uint64_t>(std::llround(at.x * 64)));
            mix(sum, static_cast<std::uint64_t>(std::llround(at.y * 64)));
            mix(sum, static_cast<std::uint64_t>(health.points));
            mix(sum, side.army);
        });
    return sum;
}

} // namespace skirmish
