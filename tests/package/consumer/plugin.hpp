// SPDX-License-Identifier: MIT
// What a program and its shared library know of each other. Included after the import.
#pragma once

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};

[[gnu::visibility("default")]] ecs::entity plugin_position(ecs::world& world);
[[gnu::visibility("default")]] ecs::entity plugin_velocity(ecs::world& world);
[[gnu::visibility("default")]] ecs::entity plugin_spawn(ecs::world& world);
[[gnu::visibility("default")]] int plugin_count(ecs::world& world);
[[gnu::visibility("default")]] void plugin_get_what_is_missing(ecs::world& world, ecs::entity e);

/// Found by this name after dlopen.
extern "C" [[gnu::visibility("default")]] int opened_count(ecs::world& world);
