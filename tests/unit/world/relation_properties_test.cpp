// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

#include "../../fuzz/world/relation_model.hpp"

namespace {

void expect_agreement(const relation_model::circumstances& around) {
    EXPECT_TRUE(rc::check("a world agrees with a set of triples after every operation", [&] {
        const auto bytes = *rc::gen::resize(300, rc::gen::arbitrary<std::vector<std::uint8_t>>());
        const std::string wrong = relation_model::differences(bytes, 1, around);
        if (!wrong.empty()) RC_FAIL(wrong);
    }));
}

TEST(relation_properties, world_agrees_with_a_set_of_triples) { expect_agreement({}); }

TEST(relation_properties, world_agrees_when_observers_end_entities) { expect_agreement({.avenged = true}); }

/// Long enough for what two changes of one relation and one target have to do with each other.
TEST(relation_properties, world_agrees_after_long_programs) {
    std::mt19937 random;
    for (int program = 0; program < 20; ++program) {
        std::vector<std::uint8_t> bytes(1600);
        std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
        EXPECT_EQ(relation_model::differences(bytes, 50), "");
    }
}

/// Each program takes a million uses of an index to prepare: a few have to do.
TEST(relation_properties, world_agrees_when_indices_are_spent) {
    std::mt19937 random;
    std::size_t spent = 0;
    for (const bool avenged : {false, true, false, true}) {
        std::vector<std::uint8_t> bytes(600);
        std::ranges::generate(bytes, [&] { return static_cast<std::uint8_t>(random()); });
        EXPECT_EQ(relation_model::differences(bytes, 1, {.avenged = avenged, .spent = &spent}), "");
    }
    EXPECT_GT(spent, 0U);
}

/// What a few entities have, and from whom they inherit. Looks at all of it to say whether the laws hold.
struct lineages {
    static constexpr std::size_t entities = 6;
    using edges = std::array<std::array<bool, entities>, entities>;

    edges bases{};                                    ///< Of the heir, then of the base.
    edges steps{};                                    ///< Of a relation that is acyclic and inheritable.
    std::array<std::array<bool, entities>, 2> tags{}; ///< Which exclude each other.

    /// Who leads to whom in one step or more.
    static edges closed(edges of) {
        for (std::size_t by = 0; by < entities; ++by)
            for (std::size_t from = 0; from < entities; ++from)
                for (std::size_t to = 0; to < entities; ++to)
                    of[from][to] = of[from][to] || (of[from][by] && of[by][to]);
        return of;
    }
    static bool has_cycle(const edges& of) {
        const edges all = closed(of);
        bool found = false;
        for (std::size_t e = 0; e < entities; ++e) found = found || all[e][e];
        return found;
    }
    bool has_tag(std::size_t which, std::size_t e) const {
        const edges above = closed(bases);
        bool found = tags[which][e];
        for (std::size_t from = 0; from < entities; ++from)
            found = found || (above[e][from] && tags[which][from]);
        return found;
    }
    /// The steps with those that are inherited, whether hidden or not.
    edges all_steps() const {
        const edges above = closed(bases);
        edges all = steps;
        for (std::size_t heir = 0; heir < entities; ++heir)
            for (std::size_t from = 0; from < entities; ++from)
                for (std::size_t to = 0; to < entities; ++to)
                    all[heir][to] = all[heir][to] || (above[heir][from] && steps[from][to]);
        return all;
    }
    bool is_lawful() const {
        for (std::size_t e = 0; e < entities; ++e)
            if (has_tag(0, e) && has_tag(1, e)) return false;
        return !has_cycle(bases) && !has_cycle(all_steps());
    }
};

/// A world beside what it should be.
class inheriting_world {
  public:
    explicit inheriting_world(bool exclusive) : exclusive_(exclusive) {
        for (ecs::entity& e : all_) e = world_.spawn();
        for (ecs::entity& tag : tags_) tag = world_.spawn();
        world_.add(tags_[0], ecs::pair(ecs::excludes, tags_[1]));
        for (const ecs::builtin property : {ecs::acyclic, ecs::inheritable}) world_.add(in_, property);
        if (exclusive) world_.add(in_, ecs::exclusive);
    }

    /// Whether the world does as it should.
    bool change(unsigned what, std::size_t e, std::size_t other) {
        const bool adds = what % 4 != 0;
        lineages wanted = known_;
        ecs::id word;
        if (what / 4 % 3 == 0) {
            word = tags_[other % 2];
            wanted.tags[other % 2][e] = adds;
        } else if (what / 4 % 3 == 1) {
            word = ecs::pair(ecs::is_a, all_[other]);
            wanted.bases[e][other] = adds;
        } else {
            word = ecs::pair(in_, all_[other]);
            if (adds && exclusive_) wanted.steps[e] = {};
            wanted.steps[e][other] = adds;
        }
        const bool is_lawful = wanted.is_lawful();
        if (is_lawful) known_ = wanted;
        if (!adds) return world_.remove(all_[e], word), is_lawful && agrees();
        return succeeded(world_.add(all_[e], word)) == is_lawful && agrees();
    }

  private:
    bool agrees() const {
        const lineages::edges steps = known_.all_steps();
        for (std::size_t e = 0; e < lineages::entities; ++e) {
            for (const std::size_t which : {0U, 1U})
                if (world_.has(all_[e], tags_[which]) != known_.has_tag(which, e)) return false;
            for (std::size_t to = 0; !exclusive_ && to < lineages::entities; ++to)
                if (world_.has(all_[e], ecs::pair(in_, all_[to])) != steps[e][to]) return false;
        }
        return true;
    }

    bool exclusive_;
    ecs::world world_;
    ecs::entity in_ = world_.spawn();
    std::array<ecs::entity, lineages::entities> all_;
    std::array<ecs::entity, 2> tags_;
    lineages known_;
};

TEST(relation_properties, what_is_inherited_breaks_no_law) {
    EXPECT_TRUE(rc::check("a world refuses what a look at everything says is against the laws", [] {
        inheriting_world world(*rc::gen::arbitrary<bool>());
        const auto bytes = *rc::gen::resize(200, rc::gen::arbitrary<std::vector<std::uint32_t>>());
        for (const std::uint32_t next : bytes)
            RC_ASSERT(
                world.change(next % 12, next / 12 % lineages::entities, next / 72 % lineages::entities));
    }));
}

} // namespace
