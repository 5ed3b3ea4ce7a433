// SPDX-License-Identifier: MIT
// What a component is, before there is a world: facts of its type, what it declares of itself, and how a
// change is answered.
//
//   component        the facts of a C++ type, and its number in the process
//   type_facts       what the compiler knows of its members; shape, how it finds them
//   type_name        what it is called; spelling, the same with each compiler
//   reflection       what its values are made of; bytes, how they are saved
//   property_list    what a type declares of itself; manifest, in which order types are registered
//   traits           what a relation demands beyond being there
//   result           how a change is answered, and which errors there are
//
// An internal module: it exports all it has to the modules of this library. ecs.world passes on what is for
// users.
export module ecs.component;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.registry;
import ecs.core;
export import :bytes;
export import :component;
export import :manifest;
export import :property_list;
export import :reflection;
export import :result;
export import :shape;
export import :spelling;
export import :traits;
export import :type_facts;
export import :type_name;
