// SPDX-License-Identifier: MIT
// What clients that know Flecs call the entities that every world has.
export module ecs.remote:aliases;
import ecs.std;
import ecs.world;

namespace ecs::remote {

/// The name that the library has for what Flecs calls so, with or without "flecs.core." before it; empty when
/// it has none.
[[nodiscard]] std::string_view own_name(std::string_view name);

/// The name of Flecs for a component or built-in entity of the library; empty when Flecs has none.
[[nodiscard]] std::string_view name_of_flecs(std::string_view own);

/// Whether Flecs has built in what is called so.
[[nodiscard]] bool is_of_flecs(std::string_view name);

} // namespace ecs::remote
