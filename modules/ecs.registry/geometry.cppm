// SPDX-License-Identifier: MIT
// The dimensions of a concurrent registry: a trait, so that models of a few operations reach every slow path.
export module ecs.registry:geometry;
import ecs.std;
import ecs.id;
import :slot;

namespace ecs {

/// What a concurrent registry requires of its dimensions.
export template <class Geometry>
concept registry_geometry = Geometry::magazine >= 1 && Geometry::magazine <= 64 &&
                            (Geometry::magazine & (Geometry::magazine - 1)) == 0 &&
                            Geometry::magazine <= (1U << Geometry::page_bits) &&
                            Geometry::page_bits <= Geometry::chunk_bits && Geometry::shared_lanes >= 1 &&
                            Geometry::share >= 1 && Geometry::lane_groups >= 1 && Geometry::lane_groups <= 20;

constexpr unsigned magazine_bits(unsigned index_bits) { return std::clamp(index_bits, 10U, 16U) - 10; }

/// The dimensions for a layout: an index space of 2^16 or more is handled 64 identifiers at a time; in a
/// smaller one, and in a small partition or range, a handle keeps 1/512 of the space or two identifiers.
export template <class Layout> struct default_geometry {
    /// The most identifiers in a node of the depot, and in a block of the walk. A lane holds twice as many.
    static constexpr std::uint32_t magazine = 1U << magazine_bits(slot_codec<Layout>::index_field.width());
    /// Slots in a page, as a power of two: half a megabyte of 8-byte slots, of which only what is touched
    /// exists.
    static constexpr unsigned page_bits = std::clamp(slot_codec<Layout>::index_field.width(), 1U, 16U);
    /// Indices whose nodes are made together, as a power of two, no fewer than a page has.
    static constexpr unsigned chunk_bits = page_bits;
    /// A node holds at most this part of the indices of its partition or range, or one: not more than that
    /// can be out of reach in each call that is in progress.
    static constexpr std::uint64_t share = 1024;
    /// Lanes in each partition for threads that have no handle.
    static constexpr std::size_t shared_lanes = 32;
    /// There are at most 2^lane_groups - 1 handles of a partition or range at once.
    static constexpr std::uint32_t lane_groups = 20;
};

static_assert(registry_geometry<default_geometry<layouts::entity>>);

} // namespace ecs
