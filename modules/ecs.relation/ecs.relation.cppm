// SPDX-License-Identifier: MIT
// ecs.relation: what one word means when it is added to an entity.
export module ecs.relation;
export import ecs.id;
