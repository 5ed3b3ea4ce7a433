// SPDX-License-Identifier: MIT
// Layouts of every width, for tests that run over all of them; two bits of generation among them. Include
// this after the import.
#pragma once
#include <cstdint>
#include <gtest/gtest.h>

import ecs.id;

namespace samples {

using byte = ecs::layout<std::uint8_t, ecs::index<"index", 5, 0>, ecs::generation<"generation", 7, 6>>;
using half = ecs::layout<std::uint16_t, ecs::fixed<"kind", 15, 14, 0b10>,
                         ecs::generation<"generation", 13, 12>, ecs::index<"index", 11, 0>>;
using gapped = ecs::layout<std::uint32_t, ecs::index<"index", 17, 2>, ecs::generation<"generation", 30, 22>>;
using word = ecs::layout<std::uint32_t, ecs::index<"index", 19, 0>, ecs::generation<"generation", 31, 20>>;
using ecr = ecs::layout<std::uint64_t, ecs::index<"index", 19, 0>, ecs::generation<"generation", 52, 20>,
                        ecs::reserved<"unused", 63, 53>>;

using layouts = ::testing::Types<byte, half, gapped, word, ecr, ecs::layouts::entity,
                                 ecs::layouts::flecs_entity, ecs::layouts::fennecs_entity>;

} // namespace samples
