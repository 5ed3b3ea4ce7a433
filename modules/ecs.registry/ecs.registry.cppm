// SPDX-License-Identifier: MIT
// ecs.registry: allocates identifiers with generations, so that no old handle comes back to life.
//
//   status   what can be said about an identifier somebody holds
//   policy   what happens when the generations of an index are spent
export module ecs.registry;
export import ecs.id;
export import :status;
export import :policy;
