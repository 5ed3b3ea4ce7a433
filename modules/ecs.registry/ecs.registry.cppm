// SPDX-License-Identifier: MIT
// ecs.registry: allocates identifiers with generations, so that no old handle comes back to life.
//
//   status         what can be said about an identifier somebody holds
//   policy         what happens when the generations of an index are spent
//   slot           the one word that is known of an index
//   identity       what the identifiers of a registry have in common: kind, tags, world
//   partition_id   partitions and identifiers by name, in the type system
//   index_range    ranges decided at run time
//   restriction    a scope in which only one partition or range may be changed
//   registry_laws  what a registry asks of its parameters
//   index_counts   how many indices are in which state
//   errors         what is thrown
//
//   registry           the single-threaded registry: what changes it
//   registry_reader    what can be asked of it
//   live_ids           its live identifiers as a range
//   partition_pools    which pool issues an index
//   index_pool         allocation in one run of indices
//   slot_row           the slots of that run, and what is claimed ahead of its cursor
//   sparse_slots       slots of identifiers claimed far ahead
//   free_list          which free index is used next: ECR's linked list, or an array of ready identifiers
//
//   concurrent_registry   any thread creates and destroys, at any time
//   concurrent_reader     what can be asked of it
//   local_handle          a thread's fast lane into it
//   concurrent_core       how both create and destroy: through a lane
//   slot_life             the two steps at which an identifier comes to life and dies
//   pool_map              which pool issues an index
//   lane_pool             how identifiers get from one thread to another
//   index_walk            indices that nobody has had, a block to a thread at a time
//   pool_depot            indices that wait to be used again
//   lane_list             the lanes of a pool, and who may be in one
//   pool_ground           what all pools stand on
//   group_list            members that threads take and put back, of which there are always enough
//   lane                  what a thread allocates from
//   depot                 free identifiers in batches, and sets that find them
//   slot_pages            the word and payload of every index, in memory that never moves
//   geometry              how all of that is dimensioned
//   atomics               the atomics as a policy, and every memory order by name
//
//   owned_registry   one thread creates and ends, others create; its slots lend bits to their owner
//   owned_supply     where it takes identifiers from
//   owned_copies     how it is copied, and goes back to a copy
//   owned_state      what decides about the next identifier
//   owned_parts      what it is put together from
//   lent_word        what its slots say
//   index_chain      its free indices, linked through their slots
//   key_lane         what one key issues, whatever others do
//   turn_walk        which pages are a key's
export module ecs.registry;
export import ecs.id;
export import :status;
export import :policy;
export import :slot;
export import :identity;
export import :partition_id;
export import :index_range;
export import :restriction;
export import :registry_laws;
export import :index_counts;
export import :errors;
export import :free_list;
export import :sparse_slots;
export import :slot_row;
export import :index_pool;
export import :partition_pools;
export import :live_ids;
export import :registry_reader;
export import :registry;
export import :atomics;
export import :geometry;
export import :slot_pages;
export import :depot;
export import :group_list;
export import :lane;
export import :pool_ground;
export import :index_walk;
export import :pool_depot;
export import :lane_list;
export import :lane_pool;
export import :pool_map;
export import :local_handle;
export import :slot_life;
export import :concurrent_core;
export import :concurrent_reader;
export import :concurrent_registry;
export import :turn_walk;
export import :lent_word;
export import :index_chain;
export import :key_lane;
export import :owned_state;
export import :owned_parts;
export import :owned_registry;
export import :owned_supply;
export import :owned_copies;
