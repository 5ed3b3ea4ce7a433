// SPDX-License-Identifier: MIT
// ecs.world: components that are entities, archetype storage, queries.
export module ecs.world;
export import ecs.id;
export import ecs.registry;
export import ecs.relation;
