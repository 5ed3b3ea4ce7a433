// SPDX-License-Identifier: MIT
// Named ranges of the index, as a type: components low, a gap for modules, clients and a server apart.
module;
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
export module ecs.id:partitions;
import :field;
import :layout;
import :proofs;

namespace ecs {

/// A partition as a value: the indices first to last, both included.
export struct partition_description {
    std::string_view name;
    std::uint64_t first{};
    std::uint64_t last{};
};

/// The indices First to Last, both included, under a name.
export template <fixed_string Name, std::uint64_t First, std::uint64_t Last> struct partition {
    static constexpr partition_description description{Name.view(), First, Last};
};

/// A map of the index space of Layout. Gaps are allowed and belong to nobody.
export template <class Layout, class... Parts> struct partitions {
    using layout_type = Layout;

    static constexpr std::array<partition_description, sizeof...(Parts)> parts{Parts::description...};
};

template <class T> inline constexpr bool is_partitions = false;
template <class Layout, class... Parts>
inline constexpr bool is_partitions<partitions<Layout, Parts...>> = true;

/// Any specialisation of partitions, good or bad.
export template <class T>
concept any_partitions = is_partitions<T>;

template <any_partitions Map> consteval bool all_pairs_of_parts(auto law) {
    const auto& parts = Map::parts;
    for (std::size_t a = 0; a < parts.size(); ++a)
        for (std::size_t b = a + 1; b < parts.size(); ++b)
            if (!law(parts[a], parts[b])) return false;
    return true;
}

constexpr bool ranges_are_disjoint(const partition_description& a, const partition_description& b) {
    return a.last < b.first || b.last < a.first;
}

constexpr bool part_names_differ(const partition_description& a, const partition_description& b) {
    return a.name != b.name;
}

/// No index belongs to two partitions.
export template <class Map>
concept disjoint_partitions = any_partitions<Map> && all_pairs_of_parts<Map>(ranges_are_disjoint);

/// Every partition has an index, none has index 0, which is null, and none leaves the index field of the
/// layout.
export template <class Map>
concept partitions_within_index = any_partitions<Map> && valid_layout<typename Map::layout_type> &&
                                  has_role<typename Map::layout_type, field_role::index> &&
                                  std::ranges::all_of(Map::parts,
                                                      [](const auto& p) {
                                                          return 1 <= p.first && p.first <= p.last &&
               p.last <= field_with_role<typename Map::layout_type, field_role::index>.max();
                                                      });

/// No two partitions have the same name.
export template <class Map>
concept unique_partition_names = any_partitions<Map> && all_pairs_of_parts<Map>(part_names_differ);

/// A map that a registry can allocate from.
export template <class Map>
concept valid_partitions =
    disjoint_partitions<Map> && partitions_within_index<Map> && unique_partition_names<Map>;

} // namespace ecs
