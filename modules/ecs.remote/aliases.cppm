// SPDX-License-Identifier: MIT
// The names that clients of Flecs use for the entities that every world has.
export module ecs.remote:aliases;
import ecs.std;
import ecs.world;

namespace ecs::remote {

/// The library's name for what Flecs calls by this name, with or without "flecs.core." before it; empty when
/// there is none.
[[nodiscard]] std::string_view own_name(std::string_view name);

/// The name of Flecs for a component or built-in entity of the library; empty when Flecs has none.
[[nodiscard]] std::string_view name_of_flecs(std::string_view own);

/// Whether the name is that of something built into Flecs.
[[nodiscard]] bool is_of_flecs(std::string_view name);

} // namespace ecs::remote
