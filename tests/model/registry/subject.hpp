// SPDX-License-Identifier: MIT
//
// A registry so small that programs of a few operations reach every slow path, and the laws that every
// execution is held to.
//
//   7 indices, 3 generations, batches of one identifier, pages of two slots, one shared lane
//
// The laws (settle checks the last four when all threads have ended):
//   no identifier is issued twice, or, under the policy wrap, not before it was destroyed; one is live for
//   its creator at once; of those who destroy an identifier exactly one is told so; plain data that belongs
//   to the owner of an index is never raced for; what is destroyed never lives again; what is not is live; no
//   index is lost: what is neither live nor retired can be created, or is held back by the policy
//   quarantine<N>; the counts say what there is.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "modelled_atomics.hpp"

import ecs.registry;

namespace model {

using layout = ecs::layout<std::uint8_t, ecs::index<"index", 2, 0>, ecs::generation<"generation", 4, 3>,
                           ecs::reserved<"unused", 7, 5>>;
using id = ecs::basic_id<layout>;

struct geometry {
    static constexpr std::uint32_t magazine = 1;
    static constexpr unsigned page_bits = 1;
    static constexpr unsigned chunk_bits = page_bits;
    static constexpr std::uint64_t share = 1;
    static constexpr std::uint32_t lane_groups = 3;
    static constexpr std::size_t shared_lanes = 1;
};

inline constexpr std::uint64_t indices = 7;

inline std::string text(id i) {
    return std::to_string(unsigned{i.index()}) + 'v' + std::to_string(unsigned{i.generation()});
}

/// What the test remembers of an identifier. Every number only grows, but for attempts that fail.
struct biography {
    unsigned issued = 0;
    unsigned doomed = 0; ///< Attempts to destroy it, from before they begin on. Those that fail do not count.
    unsigned destroyed = 0;

    bool lives() const { return issued != destroyed; }
};

template <class Atomics, class Exhaustion = ecs::retire, class Geometry = geometry,
          class Payload = ecs::no_payload>
class subject {
  public:
    using registry_type = ecs::basic_concurrent_registry<layout, ecs::whole_index_space<layout>, Exhaustion,
                                                         Payload, Atomics, Geometry>;
    using handle = typename registry_type::handle;

    registry_type registry;

    /// Creates through a handle or the registry, and holds the result to the laws.
    template <class Creator> std::optional<id> create(Creator& creator) {
        const std::optional<id> made = creator.try_create();
        explorer::note(made ? "created " + text(*made) : "found nothing to create");
        if (made) welcome(*made);
        return made;
    }

    /// Creates `count` at once, or none.
    template <class Creator> std::vector<id> create_span(Creator& creator, std::size_t count) {
        std::vector<id> made(count);
        try {
            creator.create(std::span<id>(made));
        } catch (const ecs::exhausted_error&) {
            explorer::note("was refused a span");
            return {};
        }
        for (const id i : made) explorer::note("created in a span " + text(i)), welcome(i);
        return made;
    }

    /// Creates at most `count` at once.
    template <class Creator> std::size_t create_front(Creator& creator, std::size_t count) {
        std::vector<id> made(count);
        made.resize(creator.try_create(std::span<id>(made)));
        for (const id i : made) explorer::note("created in a span " + text(i)), welcome(i);
        return made.size();
    }

    /// Destroys an identifier that the thread owns, or that it and others race for.
    template <class Destroyer> bool destroy(Destroyer& destroyer, id i) {
        doom(i);
        const bool won = destroyer.destroy(i);
        explorer::note((won ? "destroyed " : "did not destroy ") + text(i));
        if (!won) return spare(i), false;
        mourn(i);
        explorer::require(reissues || !registry.alive(i), "an identifier outlived its destruction");
        return true;
    }

    /// Takes note that an identifier is about to be destroyed by the thread, and what became of it. For
    /// programs that call destroy of the registry themselves.
    void doom(id i) {
        of(i).change([](biography& b) { ++b.doomed; });
    }
    void spare(id i) {
        of(i).change([](biography& b) { --b.doomed; });
    }
    void mourn(id i) {
        const bool first = of(i).change([](biography& b) { return ++b.destroyed == 1 || reissues; });
        explorer::require(first, "an identifier was destroyed twice");
    }

    /// As destroy, for an identifier that nobody else destroys.
    template <class Destroyer> void destroy_own(Destroyer& destroyer, id i) {
        belongings_[i.index()] = explorer::plain<int>(2);
        explorer::require(destroy(destroyer, i), "an owner could not destroy its identifier");
    }

    /// Asks twice: what is dead stays dead.
    bool alive(id i) {
        const bool before = registry.alive(i);
        const bool after = registry.alive(i);
        explorer::require(before || !after, "an identifier came back to life");
        return after;
    }

    /// All handles have ended: nothing is lost, and nothing lives that should not.
    void settle() {
        const std::uint64_t live = count_survivors();
        explorer::require(registry.live_count() == live, "the live are miscounted");
        const ecs::index_counts counts = registry.counts();
        explorer::require(counts.live == live, "something is live that nobody created");
        explorer::require(counts.retired == registry.retired_count(), "the retired are miscounted");
        explorer::require(!reissues || counts.retired == 0, "an index was given up");
        use_up(counts);
    }

  private:
    static constexpr bool reissues = Exhaustion::when_spent == ecs::spent_index::reused;

    /// A batch of what quarantine<N> holds back waits for others to come.
    static constexpr std::uint64_t most_kept =
        Exhaustion::minimum_free == 0 ? 0 : Exhaustion::minimum_free + Geometry::magazine - 1;

    /// Creates as many as can be had, of indices that are in these states.
    void use_up(const ecs::index_counts& counts) {
        std::uint64_t creatable = 0;
        while (create(registry)) ++creatable;
        const std::uint64_t kept = registry.free_count();
        explorer::require(counts.live + creatable + counts.retired + kept == indices, "an index was lost");
        explorer::require(kept <= most_kept, "an index is kept from all for nothing");
        explorer::require(kept >= std::min<std::uint64_t>(Exhaustion::minimum_free, counts.free),
                          "an index was used before its turn");
        explorer::require(creatable <= counts.remaining && counts.remaining < creatable + Geometry::magazine,
                          "what remains is miscounted");
    }

    /// Holds a new identifier to the laws.
    void welcome(id i) {
        const biography now = of(i).change([](biography& b) {
            ++b.issued;
            return b;
        });
        explorer::require(now.issued == 1 || (reissues && now.issued <= now.doomed + 1),
                          "an identifier was issued twice");
        const bool born = registry.alive(i);
        explorer::require(born || of(i).read([](const biography& b) { return b.doomed >= b.issued; }),
                          "an identifier was born dead");
        // Written by the owner alone: a race if there are two.
        belongings_[i.index()] = explorer::plain<int>(1);
    }

    std::uint64_t count_survivors() {
        std::uint64_t live = 0;
        for (std::size_t word = 0; word < biographies_.size(); ++word) {
            const biography b = biographies_[word];
            explorer::require(b.issued == 0 || registry.alive(id::assume_word(
                                                   static_cast<std::uint8_t>(word))) == b.lives(),
                              "a survivor is dead, or a victim lives");
            live += b.lives();
        }
        return live;
    }

    explorer::shared<biography>& of(id i) { return biographies_[i.value()]; }

    std::array<explorer::shared<biography>, 32> biographies_; // By word.
    std::array<explorer::plain<int>, indices + 1> belongings_;
};

} // namespace model
