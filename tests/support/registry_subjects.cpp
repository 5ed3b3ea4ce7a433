// SPDX-License-Identifier: MIT
#include "support/registry_subjects.hpp"
#include "support/sanitized.hpp"
#include <array>
#include <cstdint>
#include <span>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace test {

namespace {

using ecs::free_lists::linked;
using ecs::free_lists::ready;

template <class Layout, class Exhaustion, class FreeList> constexpr registry_subject named(const char* name) {
    return {name, [](std::span<const std::uint8_t> operations) {
                return agree_after<Layout, Exhaustion, FreeList>(operation_stream(operations));
            }};
}

template <class Exhaustion, class FreeList> constexpr registry_subject in_parts(const char* name) {
    return {name, [](std::span<const std::uint8_t> operations) {
                return partitions_agree_after<Exhaustion, FreeList>(operation_stream(operations));
            }};
}

constexpr auto some = std::to_array<registry_subject>({
    named<layouts::tiny, ecs::retire, ready>("tiny_retire_ready"),
    named<layouts::tiny, ecs::quarantine<3>, linked>("tiny_quarantine_linked"),
    named<layouts::two_bit_generation, ecs::wrap, ready>("two_bit_generation_wrap_ready"),
    named<layouts::tagged, ecs::quarantine<3>, linked>("tagged_quarantine_linked"),
    named<layouts::worldly, ecs::quarantine<4>, ready>("worldly_quarantine_ready"),
    named<ecs::layouts::entity, ecs::retire, ready>("entity_retire_ready"),
    in_parts<ecs::retire, ready>("in_parts_retire_ready"),
    in_parts<ecs::retire, linked>("in_parts_retire_linked"),
    in_parts<ecs::quarantine<3>, ready>("in_parts_quarantine_ready"),
});

/// Not with a sanitizer: what that looks for does not depend on how layouts and rules are combined.
template <bool IsSanitized> constexpr auto others = std::array<registry_subject, 0>{};
template <>
[[maybe_unused]] constexpr auto others<false> = std::to_array<registry_subject>({
    named<layouts::two_bit_generation, ecs::retire, ready>("two_bit_generation_retire_ready"),
    named<layouts::two_bit_generation, ecs::wrap, linked>("two_bit_generation_wrap_linked"),
    named<layouts::tagged, ecs::quarantine<8>, ready>("tagged_quarantine_ready"),
    named<layouts::tagged, ecs::retire, linked>("tagged_retire_linked"),
    named<layouts::single_use, ecs::retire, ready>("single_use_retire_ready"),
    named<layouts::single_use, ecs::quarantine<2>, linked>("single_use_quarantine_linked"),
    named<layouts::worldly, ecs::retire, ready>("worldly_retire_ready"),
    named<ecs::layouts::ecr, ecs::retire, linked>("ecr_retire_linked"),
    named<ecs::layouts::entity, ecs::quarantine<16>, ready>("entity_quarantine_ready"),
});
constexpr auto all = joined(some, others<is_sanitized>);

} // namespace

std::span<const registry_subject> registry_subjects() { return all; }

} // namespace test
