// SPDX-License-Identifier: MIT
// The numbers of worlds: 1 to 255, or as many as a handle has room for. A number is used again, and so is the
// index of the world that had it before: its generations go on where they were, so that a handle of a world
// that has ended is dead in every world that comes. When the built-in entities have had all of theirs, after
// 2^20 - 1 worlds of the usual handles, the number is never used again.
export module ecs.storage:worlds;
import ecs.std;
import :entities;

export namespace ecs {

/// The index for a new world, under the lowest free number. Throws too_many_worlds. Thread-safe.
[[nodiscard]] std::unique_ptr<entity_index> acquire_world();

/// Ends every entity of the index and keeps it for the next world of its number. Thread-safe.
void release_world(std::unique_ptr<entity_index> index) noexcept;

} // namespace ecs
