// SPDX-License-Identifier: MIT
// What entities have, and what happens when that changes. Each floor knows those below it alone:
//
//   engine/          holds all of them, by value
//   registration/    types and descriptions become components
//   gate/            lets changes pass, or wait until observers have been told
//   operations/      row_spawner, despawner, instantiation, cloner
//   structure/       changes what entities have
//   notifier/        observers, hooks, ticks, and changes that wait for observers to be told
//   constraints/     may an entity have it, or lose it?
//   lookup/          what do entities have?
//
// and below all of them the rows, which ecs.storage keeps.
//
// An internal module: it exports all it has to the modules of this library. ecs.world passes on what is for
// users.
export module ecs.structure;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.registry;
import ecs.core;
import ecs.component;
import ecs.storage;
export import :change_queue;
export import :cloner;
export import :constraints;
export import :despawner;
export import :engine;
export import :gate;
export import :hooks;
export import :instantiation;
export import :lookup;
export import :notifier;
export import :observer;
export import :observer_index;
export import :owner;
export import :pattern_index;
export import :previous_values;
export import :registrar;
export import :row_spawner;
export import :structure;
export import :told_steps;
