// SPDX-License-Identifier: MIT
//
// A registry so small that programs of a few operations reach every slow path, and the laws that every
// execution is held to.
//
//   7 indices, 3 generations, magazines of one identifier, pages of two slots, chunks of two nodes,
//   nodes that are used no more after four pushes, one shared lane
//
// The laws (settle checks the last three when all threads have ended):
//   no identifier is issued twice; one is live for its creator at once; of those who destroy an identifier
//   exactly one is told so; what is destroyed never lives again; what is not is live; no index is lost: what
//   is neither live nor retired can be created; plain data that belongs to the owner of an index is never
//   raced for.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
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
    static constexpr unsigned chunk_bits = 1;
    static constexpr std::uint64_t extra_nodes = 16;
    static constexpr std::uint32_t version_max = 3;
    static constexpr std::size_t shared_lanes = 1;
};

inline constexpr std::uint64_t indices = 7;

inline std::string text(id i) {
    return std::to_string(unsigned{i.index()}) + 'v' + std::to_string(unsigned{i.generation()});
}

template <class Atomics, class Exhaustion = ecs::retire, class Geometry = geometry> class subject {
  public:
    using registry_type = ecs::basic_concurrent_registry<layout, ecs::whole_index_space<layout>, Exhaustion,
                                                         ecs::no_payload, Atomics, Geometry>;
    using handle = typename registry_type::handle;

    registry_type registry;

    /// Creates through a handle or the registry, and holds the result to the laws.
    template <class Creator> std::optional<id> create(Creator& creator) {
        const std::optional<id> made = creator.try_create();
        explorer::note(made ? "created " + text(*made) : "found nothing to create");
        if (!made) return made;
        explorer::require(issued_.insert(made->value()).second, "an identifier was issued twice");
        explorer::require(registry.alive(*made) || destroyed_.contains(made->value()),
                          "an identifier was born dead");
        belongings_[made->index()] =
            explorer::plain<int>(1); // Written by the owner alone: a race if there are two.
        return made;
    }

    /// Destroys an identifier that the thread owns, or that it and others race for.
    template <class Destroyer> bool destroy(Destroyer& destroyer, id i) {
        const bool won = destroyer.destroy(i);
        explorer::note((won ? "destroyed " : "did not destroy ") + text(i));
        if (!won) return false;
        mourn(i);
        explorer::require(!registry.alive(i), "an identifier outlived its destruction");
        return true;
    }

    /// Takes note that an identifier was destroyed.
    void mourn(id i) {
        explorer::require(destroyed_.insert(i.value()).second, "an identifier was destroyed twice");
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
        for (const auto word : issued_) {
            const id i = id::assume_word(word);
            explorer::require(registry.alive(i) == !destroyed_.contains(word),
                              "a survivor is dead, or a victim lives");
        }
        const auto live = issued_.size() - destroyed_.size();
        explorer::require(registry.live_count() == live, "the live are miscounted");
        std::uint64_t creatable = 0;
        while (create(registry)) ++creatable;
        explorer::require(live + creatable + registry.retired_count() == indices, "an index was lost");
    }

  private:
    std::set<std::uint8_t> issued_, destroyed_;
    std::array<explorer::plain<int>, indices + 1> belongings_;
};

} // namespace model
