// SPDX-License-Identifier: MIT
// Operations on a registry, compared with the reference after every step: create, destroy, claim, clear, and
// in the partitioned subjects ranges too. The first byte chooses the subject.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

import ecs.id;
import ecs.registry;
import test.registry_model;

namespace {

namespace layouts = test::layouts;
using ecs::free_lists::linked;
using ecs::free_lists::ready;

bool agrees(unsigned subject, test::operation_stream operations) {
    switch (subject % 8) {
    case 0: return test::agree_after<layouts::tiny, ecs::retire, ready>(operations);
    case 1: return test::agree_after<layouts::two_bit_generation, ecs::wrap, ready>(operations);
    case 2: return test::agree_after<layouts::tagged, ecs::quarantine<3>, linked>(operations);
    case 3: return test::agree_after<layouts::worldly, ecs::quarantine<3>, ready>(operations);
    case 4: return test::agree_after<ecs::layouts::entity, ecs::retire, ready>(operations);
    case 5: return test::partitions_agree_after<ecs::retire, linked>(operations);
    case 6: return test::partitions_agree_after<ecs::quarantine<3>, ready>(operations);
    default: return test::partitions_agree_after<ecs::retire, ready>(operations);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0 || size > 4096) return 0;
    if (!agrees(data[0], test::operation_stream({data + 1, size - 1}))) std::abort();
    return 0;
}
