// SPDX-License-Identifier: MIT
// The umbrella: `import ecs;` is every module of the library but ecs.json and ecs.remote.
export module ecs;
export import ecs.id;
export import ecs.registry;
export import ecs.relation;
export import ecs.world;
