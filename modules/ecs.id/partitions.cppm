// SPDX-License-Identifier: MIT
// Named ranges of the index, as a type: components low, a gap for modules, clients and a server apart.
module;
#include <boost/hana/concat.hpp>
#include <boost/hana/flatten.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/type.hpp>
export module ecs.id:partitions;
import ecs.std;
import :field;
import :layout;
import :list;
import :proofs;
import :text;
import :diagnosis;
import :fingerprint;

namespace ecs {

/// A partition as a value: the indices first to last, both included.
export struct partition_description {
    std::string_view name;
    std::uint64_t first{};
    std::uint64_t last{};

    [[nodiscard]] constexpr bool is_named(std::string_view wanted) const { return name == wanted; }

    [[nodiscard]] constexpr bool contains(std::uint64_t index) const {
        return first <= index && index <= last;
    }
};

/// The indices First to Last, both included, under a name.
export template <fixed_string Name, std::uint64_t First, std::uint64_t Last> struct partition {
    static constexpr auto name = Name;
    static constexpr partition_description description{name.view(), First, Last};
};

template <class T>
concept any_partition = requires {
    T::name.view();
    T::description.contains(0);
};

/// A map of the index space of Layout. Gaps are allowed and belong to no partition.
export template <class Layout, class... Parts> struct partitions {
    using layout_type = Layout;

    static constexpr std::array<partition_description, sizeof...(Parts)> parts{Parts::description...};
};

template <class T> inline constexpr bool is_partitions = false;
template <any_layout Layout, any_partition... Parts>
inline constexpr bool is_partitions<partitions<Layout, Parts...>> = true;

/// A map of a layout, good or bad, whose parts are partitions.
export template <class T>
concept any_partitions = is_partitions<T>;

/// A partition without indices shares none.
constexpr bool ranges_are_disjoint(const partition_description& a, const partition_description& b) {
    return a.last < a.first || b.last < b.first || a.last < b.first || b.last < a.first;
}

constexpr bool part_names_differ(const partition_description& a, const partition_description& b) {
    return !a.is_named(b.name);
}

constexpr bool lies_in_index(const partition_description& p, std::uint64_t largest_index) {
    return 1 <= p.first && p.first <= p.last && p.last <= largest_index;
}

/// The largest index of the layout; 0 when it has no index field.
template <any_layout Layout> consteval std::uint64_t largest_index() {
    if constexpr (has_role<Layout, field_role::index>)
        return field_with_role<Layout, field_role::index>.max();
    else
        return 0;
}

template <any_partitions Map> consteval bool all_parts_lie_in_index() {
    return all_items(Map::parts, [](const partition_description& p) {
        return lies_in_index(p, largest_index<typename Map::layout_type>());
    });
}

/// No index belongs to two partitions.
export template <class Map>
concept disjoint_partitions = any_partitions<Map> && all_pairs(Map::parts, ranges_are_disjoint);

/// Every partition has an index, none has index 0, which is null, and none leaves the index field of the
/// layout.
export template <class Map>
concept partitions_within_index =
    any_partitions<Map> && valid_layout<typename Map::layout_type> && all_parts_lie_in_index<Map>();

/// No two partitions have the same name.
export template <class Map>
concept unique_partition_names = any_partitions<Map> && all_pairs(Map::parts, part_names_differ);

/// A map that a registry can allocate from.
export template <class Map>
concept valid_partitions =
    disjoint_partitions<Map> && partitions_within_index<Map> && unique_partition_names<Map>;

/// Position of the partition that has the index; the number of partitions when it lies in a gap.
export template <any_partitions Map> [[nodiscard]] constexpr std::size_t partition_with(std::uint64_t index) {
    const auto has_index = [index](const partition_description& p) { return p.contains(index); };
    return position_in(Map::parts, has_index);
}

// What can be wrong with a map.

template <std::uint64_t First, std::uint64_t Last> struct indices {
    static constexpr void write(text_sink& out) { out.put_number(First).put(" to ").put_number(Last); }
};

template <fixed_string A, fixed_string B, class Shared> struct partitions_overlap {
    static constexpr void write(text_sink& out) {
        out.put("partitions ").put_quoted(A.view()).put(" and ").put_quoted(B.view());
        Shared::write(out.put(" share indices "));
    }
};

template <fixed_string Name> struct partition_name_is_given_twice {
    static constexpr void write(text_sink& out) {
        out.put("two partitions are named ").put_quoted(Name.view());
    }
};

template <fixed_string Name, class Range, class Allowed> struct partition_leaves_the_index {
    static constexpr void write(text_sink& out) {
        Range::write(out.put("partition ").put_quoted(Name.view()).put(" has indices "));
        Allowed::write(out.put(", and the layout has "));
    }
};

template <fixed_string Name, std::uint64_t First, std::uint64_t Last> struct partition_has_no_indices {
    static constexpr void write(text_sink& out) {
        out.put("partition ").put_quoted(Name.view()).put(" goes from ").put_number(First);
        out.put(" to ").put_number(Last).put(": write the first index first");
    }
};

template <class Layout> struct layout_has_no_index {
    static constexpr void write(text_sink& out) { out.put("the layout is not valid or has no index"); }
};

template <class Part, std::uint64_t Largest> consteval auto check_part() {
    constexpr auto p = Part::description;
    if constexpr (p.last < p.first)
        return report<true, partition_has_no_indices<Part::name, p.first, p.last>>();
    else
        return report<
            !lies_in_index(p, Largest),
            partition_leaves_the_index<Part::name, indices<p.first, p.last>, indices<1, Largest>>>();
}

template <class A, class B> consteval auto check_parts(hana::basic_type<A>, hana::basic_type<B>) {
    constexpr auto a = A::description;
    constexpr auto b = B::description;
    return hana::concat(
        report<!ranges_are_disjoint(a, b),
               partitions_overlap<A::name, B::name,
                                  indices<larger_of(a.first, b.first), smaller_of(a.last, b.last)>>>(),
        report<!part_names_differ(a, b), partition_name_is_given_twice<A::name>>());
}

template <class Layout, class... Parts>
consteval auto find_map_defects(std::type_identity<partitions<Layout, Parts...>>) {
    if constexpr (!valid_layout<Layout> || largest_index<Layout>() == 0)
        return defect_list<layout_has_no_index<Layout>>{};
    else
        return as_defect_list(hana::flatten(
            hana::make_tuple(check_part<Parts, largest_index<Layout>()>()...,
                             check_pairs<Parts...>([](auto a, auto b) { return check_parts(a, b); }))));
}

template <class Map> using map_defects_of = decltype(find_map_defects(std::type_identity<Map>{}));

/// Compiles for a valid map, and for any other stops with an error that names the partitions and the indices.
export template <any_partitions Map> consteval bool verify() {
    if constexpr (!valid_partitions<Map>) return map_defects_of<Map>::require();
    return true;
}

/// What is wrong with the map, in words; empty for a valid one.
export template <any_partitions Map> [[nodiscard]] constexpr std::string_view explain() {
    if constexpr (valid_partitions<Map>)
        return {};
    else
        return map_defects_of<Map>::explanation();
}

template <any_partitions Map> consteval std::uint64_t partitions_fingerprint_of() {
    fnv1a hash;
    hash.add(fingerprint<typename Map::layout_type>);
    for (const auto& p : Map::parts) hash.add(p.name).add(p.first).add(p.last);
    return hash.value();
}

/// Stands for the layout and the name, first and last index of every partition, in their order.
export template <valid_partitions Map>
inline constexpr std::uint64_t partitions_fingerprint = partitions_fingerprint_of<Map>();

} // namespace ecs
