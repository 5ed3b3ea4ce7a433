// SPDX-License-Identifier: MIT
#include "canvas.hpp"
#include "crowd.hpp"
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>
#include <tuple>
#include <vector>

import ecs;

#include "flock.hpp"

namespace swarm {

namespace {

constexpr float fastest = 3;        ///< Pixels in a frame.
constexpr float alignment = 0.12F;  ///< The part of the difference from the others that a bird makes up for.
constexpr float separation = 0.05F; ///< How hard a bird leaves for where there are fewer.
constexpr float near = 60;          ///< Nearer than this a leader pulls less.
constexpr float swirl = 0.8F;       ///< How much a leader pulls sideways.
constexpr float bait_pull = 14;

/// Bits that look like chance and follow from the number: splitmix64.
std::uint64_t scrambled(std::uint64_t number) {
    number += 0x9E37'79B9'7F4A'7C15U;
    number = (number ^ (number >> 30)) * 0xBF58'476D'1CE4'E5B9U;
    number = (number ^ (number >> 27)) * 0x94D0'49BB'1331'11EBU;
    return number ^ (number >> 31);
}

/// From 0 to 1, without the 1.
float part_of(std::uint64_t bits) { return static_cast<float>(bits >> 40) * 0x1p-24F; }

/// The same place, seen from the nearest side: the field has no edges.
float nearest(float distance, float side) {
    if (distance > side / 2) return distance - side;
    return distance < -side / 2 ? distance + side : distance;
}

/// On the field again, after a step over its edge.
float wrapped(float along, float side) {
    const float back = along < 0 ? along + side : along >= side ? along - side : along;
    return back < side ? back : 0; // A tiny step to the left of 0 is rounded to the side itself.
}

/// A leader of some strength, and where it is.
struct attraction {
    float x, y, pull;
};

void follow(Velocity& v, const Position& p, const attraction& to, const field& size) {
    const float x = nearest(to.x - p.x, size.width), y = nearest(to.y - p.y, size.height);
    const float strength = to.pull / (x * x + y * y + near * near);
    v.x += (x - y * swirl) * strength;
    v.y += (y + x * swirl) * strength;
}

void join_the_others(Velocity& v, const feeling& here) {
    v.x += (here.x - v.x) * alignment - here.slope_x * separation;
    v.y += (here.y - v.y) * alignment - here.slope_y * separation;
}

float speed_of(const Velocity& v) { return std::sqrt(v.x * v.x + v.y * v.y); }

void keep_to_the_limit(Velocity& v) {
    const float speed = speed_of(v);
    if (speed <= fastest) return;
    v.x *= fastest / speed;
    v.y *= fastest / speed;
}

/// (1 - t^2) / (1 + t^2) and 2 t / (1 + t^2) are a cosine and a sine that every machine computes alike.
Leader leader(float x, float y, float t, float pull) {
    return {x, y, (1 - t * t) / (1 + t * t), 2 * t / (1 + t * t), pull};
}

void turn(Leader& l) {
    l = {l.x * l.cosine - l.y * l.sine, l.x * l.sine + l.y * l.cosine, l.cosine, l.sine, l.pull};
}

} // namespace

flock::flock(field size, std::size_t birds, std::uint64_t seed, ecs::executor& on)
    : size_(size), executor_(&on), birds_(world_.query<const Position, const Velocity>()) {
    world_.set_singleton(crowd(size.width, size.height, birds));
    hatch(birds, seed);
    appoint_leaders();
    add_systems();
}

void flock::hatch(std::size_t birds, std::uint64_t seed) {
    world_.spawn_n(birds, [&](std::size_t i) {
        const std::uint64_t chance = scrambled(seed ^ scrambled(i));
        const Position at{part_of(chance) * size_.width, part_of(scrambled(chance)) * size_.height};
        const Velocity flies{part_of(scrambled(chance + 1)) - 0.5F, part_of(scrambled(chance + 2)) - 0.5F};
        return std::tuple(at, flies);
    });
}

void flock::appoint_leaders() {
    const float half = size_.height / 2;
    world_.spawn(leader(half * 1.1F, 0, 0.004F, 5));
    world_.spawn(leader(-half * 0.9F, half * 0.3F, 0.006F, 4));
    world_.spawn(leader(0, half * 0.6F, -0.009F, 3));
    world_.spawn(leader(half * 0.2F, -half * 0.7F, -0.005F, 3));
}

void flock::add_systems() {
    schedule_.phase("feel");
    schedule_.add("turn", [](Leader& l) { turn(l); });
    schedule_.add("feel the others",
                  [this](ecs::query<const Position, const Velocity>& birds, ecs::resource<crowd> others) {
                      crowd& all = *others;
                      all.clear();
                      birds.par_each(*executor_, [&](const Position& p, const Velocity& v) {
                          all.add(p.x, p.y, v.x, v.y);
                      });
                      all.settle();
                  });
    schedule_.phase("fly");
    schedule_.add("steer", [this](ecs::query<const Position, Velocity>& birds,
                                  ecs::query<const Leader>& leaders, ecs::resource<const crowd> others) {
        const crowd& all = *others;
        std::vector<attraction> to;
        leaders.each(
            [&](const Leader& l) { to.push_back({size_.width / 2 + l.x, size_.height / 2 + l.y, l.pull}); });
        birds.par_each(*executor_, [&](const Position& p, Velocity& v) {
            join_the_others(v, all.at(p.x, p.y));
            for (const attraction& a : to) follow(v, p, a, size_);
            keep_to_the_limit(v);
        });
    });
    schedule_.add("move", [this](ecs::query<Position, const Velocity>& birds) {
        birds.par_each(*executor_, [&](Position& p, const Velocity& v) {
            p = {wrapped(p.x + v.x, size_.width), wrapped(p.y + v.y, size_.height)};
        });
    });
}

void flock::fly() { schedule_.run(world_, *executor_); }

void flock::draw(canvas& onto) {
    onto.clear();
    birds_.par_each(*executor_, [&](const Position& p, const Velocity& v) {
        onto.add(p.x, p.y, std::min(speed_of(v) / fastest, 1.0F));
    });
}

void flock::lure(float x, float y) {
    if (!world_.alive(bait_)) bait_ = world_.spawn();
    world_.set(bait_, Leader{x - size_.width / 2, y - size_.height / 2, 1, 0, bait_pull});
}

void flock::let_go() {
    if (world_.alive(bait_)) world_.despawn(bait_);
}

std::uint64_t flock::checksum() {
    std::uint64_t sum = 0;
    birds_.each([&](const Position& p, const Velocity& v) {
        for (const float value : {p.x, p.y, v.x, v.y})
            sum = scrambled(sum ^ std::bit_cast<std::uint32_t>(value));
    });
    return sum;
}

} // namespace swarm
