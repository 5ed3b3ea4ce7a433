// SPDX-License-Identifier: MIT
// A layout of one's own, two fields of which share bits if FIELDS_OVERLAP is defined.
import ecs.id;

#ifdef FIELDS_OVERLAP
constexpr unsigned lowest = 18;
#else
constexpr unsigned lowest = 20;
#endif

ecs::basic_id<
    ecs::layout<unsigned long long, ecs::index<"key", 19, 0>, ecs::generation<"version", 52, lowest>>>
    made;
