// SPDX-License-Identifier: MIT
// Operations of one thread with several handles on a concurrent registry, compared with the reference after
// every step. The first byte chooses the subject.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

import ecs.id;
import ecs.registry;
import test.registry_model;
import test.concurrent_model;

namespace {

namespace layouts = test::layouts;

bool agrees(unsigned subject, test::operation_stream operations) {
    switch (subject % 5) {
    case 0: return test::concurrent_agree_after<layouts::tiny, ecs::retire>(operations);
    case 1: return test::concurrent_agree_after<layouts::two_bit_generation, ecs::retire>(operations);
    case 2: return test::concurrent_agree_after<layouts::tagged, ecs::quarantine<3>>(operations);
    case 3: return test::concurrent_agree_after<layouts::worldly, ecs::retire>(operations);
    default: return test::concurrent_agree_after<ecs::layouts::entity, ecs::retire>(operations);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0 || size > 4096) return 0;
    if (!agrees(data[0], test::operation_stream({data + 1, size - 1}))) std::abort();
    return 0;
}
