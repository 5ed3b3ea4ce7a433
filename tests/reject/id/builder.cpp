// SPDX-License-Identifier: MIT
// What the builder and the accessors refuse.
#include "either.hpp"
#include <cstdint>

import ecs.id;

using ecr = ecs::layout<std::uint64_t, ecs::index<"key", 19, 0>, ecs::generation<"version", 52, 20>,
                        ecs::reserved<"unused", 63, 53>>;
template <unsigned Low>
using clash =
    ecs::layout<std::uint64_t, ecs::index<"key", 19, 0>, ecs::generation<"version", 52, EITHER(20, Low)>>;

// refused: value_does_not_fit_the_field.*"key".*bits<19, 0>.*at_most<1048575>
// refused: \(1048576\)
constexpr auto fitting = ecs::build<ecr>().set<"key">(EITHER(1'048'575, 1'048'576)).id();

// refused: value_does_not_fit_the_field
// refused: \(-1\)
constexpr auto positive = ecs::build<ecr>().set<"version">(EITHER(1, -1)).id();

// refused: a field holds a whole number
constexpr auto whole = ecs::build<ecr>().set<"key">(EITHER(1, 1.5)).id();

// refused: a field holds a whole number
const auto whole_later = ecs::entity{}.with<"index">(EITHER(1, 1.5F));

// refused: a field holds a whole number
const auto whole_tried = ecs::entity{}.try_with<"index">(EITHER(1, 1.5L));

// refused: unknown_field<.*"team".*fields_are<.*"key".*"version".*"unused"
constexpr auto known_field = ecs::build<ecr>().set<EITHER("key", "team")>(1).id();

// refused: field_is_constant<.*"unused"
constexpr auto free_field = ecs::build<ecr>().set<EITHER("key", "unused")>(0).id();

// refused: field_is_constant<.*"kind"
constexpr auto free_of_tag = ecs::build<ecs::layouts::entity>().set<EITHER("index", "kind")>(1).id();

// refused: call to consteval function[^\n]*"key"
// refused: (parameter 'unknown'|unknown[^\n]*is not a constant expression)
constexpr std::uint64_t known = 1;
auto built(std::uint64_t unknown) { return ecs::build<ecr>().set<"key">(EITHER(known, unknown)).id(); }

// refused: fields_overlap<.*"key".*"version".*bits<19, 18>
constexpr auto good_layout = ecs::build<clash<18>>().id();

// refused: fields_overlap<.*"key".*"version".*bits<19, 17>
const auto good_word = ecs::decode<clash<17>>(1);

// refused: (call to|use of) deleted function .*decode
const auto decoded = ecs::decode<ecs::layouts::entity>(EITHER(1, 1.5));

// refused: unknown_field<.*"indexx".*fields_are<.*"kind".*"index"
constexpr auto found = ecs::entity{}.get<EITHER("index", "indexx")>();

// refused: unknown_field<.*"team"
const auto changed = ecs::entity{}.with<EITHER("index", "team")>(1);

// refused: field_is_constant<.*"kind"
const auto retagged = ecs::basic_id<ecs::layouts::pair>{}.with<EITHER("target", "kind")>(1);

// refused: unknown_field<.*"crew"
const auto tried = ecs::try_make<ecr, EITHER("key", "crew")>(1);
