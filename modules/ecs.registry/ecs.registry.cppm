// SPDX-License-Identifier: MIT
// ecs.registry: allocates identifiers with generations, so that no old handle comes back to life.
//
//   status         what can be said about an identifier somebody holds
//   policy         what happens when the generations of an index are spent
//   slot           the one word that is known of an index
//   free_list      which free index is used next: ECR's linked list, or an array of ready identifiers
//   sparse_slots   slots of identifiers claimed far ahead
//   index_pool     allocation in one run of indices
//   partition_id   partitions and identifiers by name, in the type system
//   index_range    ranges decided at run time
//   errors         what is thrown
//   restriction    a scope in which only one partition or range may be changed
//   live_ids       the live identifiers as a range
//   registry       the single-threaded registry
//
//   concurrent_registry   any thread creates and destroys, at any time
//   local_handle          a thread's fast lane into it
//   lane_pool             how identifiers get from one thread to another
//   lane                  the magazine a thread allocates from
//   depot                 versioned stacks of magazines
//   slot_pages            the word and payload of every index, in memory that never moves
//   geometry              how all of that is dimensioned
//   atomics               the atomics as a policy, and every memory order by name
export module ecs.registry;
export import ecs.id;
export import :status;
export import :policy;
export import :slot;
export import :free_list;
export import :sparse_slots;
export import :index_pool;
export import :partition_id;
export import :index_range;
export import :errors;
export import :restriction;
export import :live_ids;
export import :registry;
export import :atomics;
export import :geometry;
export import :slot_pages;
export import :depot;
export import :lane;
export import :lane_pool;
export import :local_handle;
export import :concurrent_registry;
