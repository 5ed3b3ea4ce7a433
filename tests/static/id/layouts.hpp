// SPDX-License-Identifier: MIT
// Layouts that the static tests share: good ones of every width, and one bad one for every law. Include this
// after the import.
#pragma once
#include <cstdint>
#include <string>

import ecs.id;

namespace samples {

using ecs::field;
using ecs::fixed;
using ecs::generation;
using ecs::index;
using ecs::layout;
using ecs::reserved;
using ecs::world_tag;

// Good ones.
using byte = layout<std::uint8_t, index<"index", 5, 0>, generation<"generation", 7, 6>>;
using half = layout<std::uint16_t, index<"index", 11, 0>, generation<"generation", 15, 12>>;
using word = layout<std::uint32_t, index<"index", 19, 0>, generation<"version", 31, 20>>;
using ecr =
    layout<std::uint64_t, index<"key", 19, 0>, generation<"version", 52, 20>, reserved<"unused", 63, 53>>;
using tagged = layout<std::uint64_t, index<"index", 31, 0>, generation<"generation", 59, 32>,
                      fixed<"kind", 63, 60, 0xE>>;
using whole = layout<std::uint64_t, field<"all", 63, 0>>;
using gap = layout<std::uint8_t, index<"index", 2, 0>, field<"colour", 7, 5>>;
using nothing = layout<std::uint8_t>;

// One bad one for every law.
using clash = layout<std::uint64_t, index<"key", 19, 0>, generation<"version", 52, 18>>;
using spill = layout<std::uint32_t, index<"key", 19, 0>, generation<"version", 32, 20>>;
using upside_down = layout<std::uint32_t, index<"key", 0, 19>>;
using twice = layout<std::uint64_t, index<"key", 19, 0>, generation<"key", 52, 20>>;
using wide_tag = layout<std::uint8_t, index<"key", 3, 0>, fixed<"kind", 7, 4, 0x10>>;
using two_indices = layout<std::uint8_t, index<"a", 3, 0>, index<"b", 7, 4>>;
using two_generations = layout<std::uint8_t, generation<"a", 3, 0>, generation<"b", 7, 4>>;
using two_worlds = layout<std::uint8_t, world_tag<"a", 3, 0>, world_tag<"b", 7, 4>>;
using beyond = layout<std::uint64_t, index<"key", 4'000'000'000, 70>>;
using everything = layout<std::uint64_t, index<"key", 4'294'967'295, 0>>;

// Words that are none, fields that are none, and types that are no layout.
using signed_word = layout<std::int32_t, index<"key", 19, 0>>;
using truth = layout<bool, index<"key", 0, 0>>;
using character = layout<char16_t, index<"key", 15, 0>>;
using text = layout<std::string, index<"key", 15, 0>>;
using no_word = layout<void, index<"key", 15, 0>>;
using several_words = layout<std::uint64_t[2], index<"key", 15, 0>>;
using call = layout<std::uint64_t(), index<"key", 15, 0>>;
using no_fields = layout<std::uint64_t, int, std::string>;

} // namespace samples
