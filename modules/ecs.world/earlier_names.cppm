// SPDX-License-Identifier: MIT
// Earlier names, which compile with a warning for one release. docs/migration.md lists all of them.
export module ecs.world:earlier_names;
import ecs.std;
import ecs.relation;
import ecs.structure;
import :observe;

export namespace ecs {

using occurrence [[deprecated("it is called event_context now")]] = event_context;

using travel [[deprecated("it is called propagation now")]] = propagation;
[[deprecated("it is called propagate_along now")]] [[nodiscard]] constexpr propagation along(id relation) {
    return propagate_along(relation);
}
[[deprecated("it is called propagate_to_parents now")]] inline constexpr propagation upwards =
    propagate_to_parents;

[[deprecated("write event::added")]] inline constexpr event on_add = event::added;
[[deprecated("write event::set")]] inline constexpr event on_set = event::set;
[[deprecated("write event::removed")]] inline constexpr event on_remove = event::removed;
[[deprecated("write event::disabled")]] inline constexpr event on_disable = event::disabled;
[[deprecated("write event::enabled")]] inline constexpr event on_enable = event::enabled;
[[deprecated("write event::spawned")]] inline constexpr event on_spawn = event::spawned;
[[deprecated("write event::despawned")]] inline constexpr event on_despawn = event::despawned;
[[deprecated("write event::table_created")]] inline constexpr event on_table_create = event::table_created;
[[deprecated("write event::table_removed")]] inline constexpr event on_table_remove = event::table_removed;

} // namespace ecs
