// SPDX-License-Identifier: MIT
// What both registries require of their parameters, in sentences: the first base of each registry, so that a
// wrong parameter is named before anything is made of it.
export module ecs.registry:registry_laws;
import ecs.std;
import ecs.id;
import :policy;
import :slot;

namespace ecs {

/// Does not compile for a part of a layout that is no field.
template <class Part> consteval bool require_field() {
    static_assert(any_layout<layout<std::uint32_t, Part>>,
                  "behind its word a layout has fields alone: write ecs::index, ecs::generation, "
                  "ecs::world_tag, ecs::flags, ecs::field, ecs::fixed or ecs::reserved");
    return true;
}

/// Whether the type is written as a layout. Does not compile where a part of it is no field.
template <class T> inline constexpr bool has_form_of_layout = false;
template <class Word, class... Parts>
inline constexpr bool has_form_of_layout<layout<Word, Parts...>> = (require_field<Parts>() && ...);

template <class Layout, class Partitions, class Exhaustion> struct registry_laws {
    static_assert(has_form_of_layout<Layout>,
                  "a registry is of a layout: write ecs::basic_registry<ecs::layout<...>>");
    static_assert(
        requires { typename Partitions::layout_type; },
        "behind the layout of a registry stand its partitions, as ecs::partitions<...>, or "
        "ecs::whole_index_space<Layout> for one that holds every index, and then what becomes of an index "
        "that is spent");
    static_assert(verify<Layout>());
    static_assert(allocatable_layout<Layout>,
                  "identifiers are allocated by index: give the layout a field ecs::index (of two bits at "
                  "least where it has no ecs::generation)");
    static_assert(std::same_as<typename Partitions::layout_type, Layout>,
                  "the partitions must be partitions of the registry's own layout");
    static_assert(verify<Partitions>());
    static_assert(
        valid_partitions<Partitions>,
        "partitions must be disjoint, have names of their own and lie within the index field, from 1");
    static_assert(exhaustion_policy<Exhaustion>,
                  "the exhaustion policy must say minimum_free and when_spent, as ecs::retire does");
};

} // namespace ecs
