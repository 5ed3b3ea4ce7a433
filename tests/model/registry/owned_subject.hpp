// SPDX-License-Identifier: MIT
//
// An owned registry in the shape in which a world uses it, and the laws that every execution is held to.
//
//   indices 1 to 6, 3 generations, batches of one identifier, pages of two slots, payloads of three bits
//
// The laws (settle checks the last three when all threads have ended):
//   no identifier is issued twice; what is in a lane, or was issued, is one thread's: plain data that belongs
//   to it is never raced for; what was seen alive and then dead never lives again; a payload that is seen
//   under an identifier was written for it; what was ended is dead, and what was not is alive; what is
//   retired has had all its generations; no index is lost: what is neither live nor retired can be created.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

import ecs.registry;

#include "subject.hpp"

namespace model {

template <class Atomics, class Geometry> class owned_subject {
  public:
    using registry_type = ecs::basic_owned_registry<layout, Atomics, Geometry>;
    using lane_type = typename registry_type::lane_type;
    using words = typename registry_type::words;

    static constexpr std::uint32_t no_key = registry_type::no_key;
    static constexpr ecs::index_space whole{1, registry_type::last_index};

    registry_type registry{0};

    explicit owned_subject(const ecs::index_space& space) { registry.open(space); }

    // Payloads say whose they are: the generation, and whether the owner has written them since.

    static std::uint8_t first_payload(id i) { return static_cast<std::uint8_t>(i.generation()); }
    static constexpr std::uint8_t moved_bit = 0b100;

    // For the owner.

    std::optional<id> create() {
        try {
            const std::uint32_t index = registry.take_index();
            return welcome(registry.issue_at(index, first_payload(registry.promise(index))), false);
        } catch (const std::length_error&) {
            explorer::note("found nothing to create");
            return {};
        }
    }
    std::optional<id> claim(id elsewhere) {
        const id claimed = registry.claim(elsewhere, first_payload(elsewhere));
        return claimed ? std::optional(welcome(claimed, false)) : std::nullopt;
    }
    void move(id i) { registry.set_payload(number(i), moved_bit, first_payload(i)); }
    void end(id i) {
        explorer::note("ends " + text(i));
        belongings_[i.index()] = explorer::plain<int>(2);
        of(i).change([](life& l) { l.ended = true; });
        registry.destroy(i);
        explorer::require(!registry.alive(i), "an identifier outlived its end");
    }

    // For a thread with a lane.

    std::optional<id> issue(lane_type& lane, std::uint32_t key) {
        if (lane.ready.count() == 0 && !fill(lane, key)) return {};
        const auto next = id::assume_word(lane.ready[lane.ready.count() - 1]);
        return welcome(registry.issue_from(lane, first_payload(next)), true);
    }
    bool fill(lane_type& lane, std::uint32_t key) {
        const bool filled = registry.refill(lane, key);
        for (std::uint32_t n = 0; n < lane.ready.count(); ++n) {
            const auto next = id::assume_word(lane.ready[n]);
            explorer::note("has in its lane " + text(next));
            belongings_[next.index()] = explorer::plain<int>(1);
        }
        return filled;
    }

    /// For any thread: what is seen of an identifier.
    bool look(id i) {
        const std::uint8_t slot = registry.slot_of(i);
        if (slot == 0) return false;
        const unsigned seen = words::payload_of(slot) & ~moved_bit;
        explorer::require(seen == first_payload(i), "a payload was written for another identifier");
        return true;
    }

    /// All threads have ended, and there are no lanes.
    void settle() {
        const counts before = count();
        registry.count_issued(before.by_lanes);
        explorer::require(registry.live_count() == before.live, "the live are miscounted");
        std::uint32_t more = 0;
        while (create()) ++more;
        for (std::uint32_t key = 0; key < registry.keys(); ++key) more += use_up(key);
        explorer::require(before.in_space + more + retired() == registry.space().last, "an index was lost");
    }

  private:
    struct life {
        unsigned issued = 0;
        bool ended = false;
        bool by_lane = false;
    };
    struct counts {
        std::uint32_t live = 0, in_space = 0, by_lanes = 0;
    };

    static std::uint32_t number(id i) { return static_cast<std::uint32_t>(i.index()); }

    /// Holds a new identifier to the laws.
    id welcome(id i, bool by_lane) {
        explorer::note("issued " + text(i));
        const bool first = of(i).change([=](life& l) {
            l.by_lane = by_lane;
            return ++l.issued == 1;
        });
        explorer::require(first, "an identifier was issued twice");
        explorer::require(look(i) && registry.alive(i), "an identifier was born dead");
        belongings_[i.index()] = explorer::plain<int>(1);
        return i;
    }

    counts count() {
        counts all;
        for (std::size_t word = 0; word < lives_.size(); ++word) {
            const life l = lives_[word];
            const auto i = id::assume_word(static_cast<std::uint8_t>(word));
            if (l.issued == 0) continue;
            const bool lives = !l.ended;
            explorer::require(registry.alive(i) == lives, "a survivor is dead, or a victim lives");
            all.live += lives;
            all.in_space += lives && registry.space().contains(i.index());
            all.by_lanes += l.by_lane;
        }
        return all;
    }

    std::uint32_t use_up(std::uint32_t key) {
        std::uint32_t more = 0;
        lane_type& lane = registry.enter_lane();
        while (issue(lane, key)) ++more;
        registry.leave_lane(lane, key);
        return more;
    }

    std::uint32_t retired() {
        std::uint32_t all = 0;
        for (std::uint32_t index = 1; index <= registry.space().last; ++index) {
            if (registry.slot_at(index) != words::retired_word) continue;
            const life last = of(id::assume_word(static_cast<std::uint8_t>(words::generation_mask | index)));
            explorer::require(last.ended, "an index was given up");
            ++all;
        }
        return all;
    }

    explorer::shared<life>& of(id i) { return lives_[i.value()]; }

    std::array<explorer::shared<life>, 32> lives_; // By word.
    std::array<explorer::plain<int>, indices + 1> belongings_;
};

/// What one thread sees of one identifier: unborn, alive, dead, in this order.
template <class Subject> class onlooker {
  public:
    onlooker(Subject& at, id i) : at_(&at), id_(i) {}

    void look() {
        see(at_->registry.alive(id_));
        see(at_->look(id_));
    }

  private:
    void see(bool alive) {
        explorer::require(!(alive && died_), "an identifier came back to life");
        died_ = died_ || (lived_ && !alive);
        lived_ = alive;
    }

    Subject* at_;
    id id_;
    bool lived_ = false, died_ = false;
};

/// An owned registry under the laws, and lanes for its threads.
template <class Atomics, class Geometry = geometry> struct owned_stage {
    using subject_type = owned_subject<Atomics, Geometry>;
    static constexpr std::uint32_t no_key = subject_type::no_key;

    struct hand {
        typename subject_type::lane_type* lane;
        std::uint32_t key = no_key;
    };

    subject_type s;
    std::vector<hand> hands;

    explicit owned_stage(const std::vector<std::uint32_t>& keys, std::uint32_t count_of_keys = 0,
                         const ecs::index_space& space = subject_type::whole)
        : s(space) {
        if (count_of_keys != 0) s.registry.make_keys(count_of_keys);
        for (const std::uint32_t key : keys) hands.push_back({&s.registry.enter_lane(), key});
    }

    std::optional<id> issue(std::size_t n) { return s.issue(*hands[n].lane, hands[n].key); }
    void leave(std::size_t n) {
        if (auto* const lane = std::exchange(hands[n].lane, nullptr))
            s.registry.leave_lane(*lane, hands[n].key);
    }

    /// Creates that many, and ends them.
    void create_and_end(std::size_t count) {
        std::vector<id> made;
        for (std::size_t n = 0; n < count; ++n) made.push_back(*s.create());
        for (const id i : made) s.end(i);
    }

    void settle() {
        for (std::size_t n = 0; n < hands.size(); ++n) leave(n);
        s.settle();
    }
};

} // namespace model
