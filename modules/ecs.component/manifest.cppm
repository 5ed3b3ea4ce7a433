// SPDX-License-Identifier: MIT
// Components whose indices are decided at compile time, so that they are the same in every world, on the
// client and on the server, whatever is used first.
export module ecs.component:manifest;
import ecs.std;
import ecs.relation;
import :component;

export namespace ecs {

inline constexpr std::uint32_t first_manifest_index = 16; ///< The components of the library are below it.
inline constexpr std::uint32_t manifest_components_max = 112;

template <class C, class... T> [[nodiscard]] consteval std::uint32_t place_in_manifest() {
    std::uint32_t place = 0;
    (void)((std::same_as<C, T> || (++place, false)) || ...);
    return place;
}

/// using game = ecs::manifest<Position, Velocity>; ecs::world world(game{}); then game::of<Position> is the
/// component in every such world. A component keeps its index as long as those before it stay the same.
template <component_type... T> struct manifest {
    static_assert(sizeof...(T) <= manifest_components_max, "a manifest has room for 112 components");
    static_assert(all_different<T...>, "a manifest names a component once");

    /// The index of the component.
    template <class C>
        requires(std::same_as<C, T> || ...)
    static constexpr std::uint32_t index_of = first_manifest_index + place_in_manifest<C, T...>();

    /// The component as a constant that each world reads as its own.
    template <class C>
        requires(std::same_as<C, T> || ...)
    static constexpr builtin of{index_of<C>};
};

} // namespace ecs
