// SPDX-License-Identifier: MIT
// What the pools of a concurrent registry are built on: the types that its parameters choose, and the slots
// and what all pools share.
export module ecs.registry:pool_ground;
import ecs.std;
import ecs.id;
import :slot;
import :atomics;
import :slot_pages;
import :lane;

namespace ecs {

/// The parts of which a concurrent registry is made.
template <class Layout, class Exhaustion, class Payload, class Atomics, class Geometry>
struct concurrent_parts {
    using layout = Layout;
    using state = slot_state<Layout>;
    using word = word_of<Layout>;
    using exhaustion = Exhaustion;
    using payload = Payload;
    using atomics = Atomics;
    using order = typename Atomics::order;
    using geometry = Geometry;
    using pages = slot_pages<Layout, Payload, Atomics, Geometry>;
    using slot_type = typename pages::slot_type;
    using lane_type = lane<word, Atomics, Geometry, (Exhaustion::minimum_free > 0)>;
};

struct index_run {
    std::uint64_t first;
    std::uint64_t last;

    [[nodiscard]] constexpr bool contains(std::uint64_t index) const {
        return first <= index && index <= last;
    }
    [[nodiscard]] constexpr bool overlaps(const index_run& other) const {
        return first <= other.last && other.first <= last;
    }
};

/// What all pools of a registry use.
template <class Parts> struct pool_ground {
    explicit pool_ground(typename Parts::word tags_and_world, bool flat = true)
        : stamp(tags_and_world), pages(flat) {}

    [[nodiscard]] typename Parts::word live(std::uint64_t index, std::uint64_t generation) const noexcept {
        return static_cast<typename Parts::word>(stamp | Parts::state::pack(index, generation));
    }

    typename Parts::word stamp;         ///< The tags and the world of every identifier.
    std::uint64_t first_generation = 1; ///< Unused indices are issued under it, others no earlier.
    bool verify = false; ///< An index was taken by force: identifiers in nodes may be outdated.
    typename Parts::pages pages;
};

} // namespace ecs
