// SPDX-License-Identifier: MIT
#include "support/registry_subjects.hpp"
#include "support/sanitized.hpp"
#include "support/short_of_addresses.hpp"
#include <array>
#include <cstdint>
#include <span>

import ecs.id;
import ecs.registry;
import test.registry_model;
import test.concurrent_model;

namespace test {

namespace {

using paged = short_of_addresses<ecs::std_atomics>;

template <class Layout, class Exhaustion, class Atomics = ecs::std_atomics>
constexpr registry_subject named(const char* name) {
    return {name, [](std::span<const std::uint8_t> operations) {
                return concurrent_agree_after<Layout, Exhaustion, Atomics>(operation_stream(operations));
            }};
}

constexpr auto some = std::to_array<registry_subject>({
    named<layouts::tiny, ecs::retire>("tiny_retire"),
    named<layouts::tiny, ecs::quarantine<3>>("tiny_quarantine"),
    named<layouts::two_bit_generation, ecs::retire>("two_bit_generation_retire"),
    named<layouts::tagged, ecs::quarantine<8>>("tagged_quarantine"),
    named<layouts::single_use, ecs::retire>("single_use_retire"),
    named<layouts::worldly, ecs::retire>("worldly_retire"),
    named<ecs::layouts::entity, ecs::retire>("entity_retire"),
    named<layouts::tiny, ecs::retire, paged>("tiny_retire_paged"),
});

/// Not with a sanitizer, as of registries of one thread.
template <bool IsSanitized> constexpr auto others = std::array<registry_subject, 0>{};
template <>
[[maybe_unused]] constexpr auto others<false> = std::to_array<registry_subject>({
    named<ecs::layouts::ecr, ecs::retire>("ecr_retire"),
    named<ecs::layouts::entity, ecs::retire, paged>("entity_retire_paged"),
});
constexpr auto all = joined(some, others<is_sanitized>);

} // namespace

std::span<const registry_subject> concurrent_registry_subjects() { return all; }

} // namespace test
