// SPDX-License-Identifier: MIT
// Operations on a registry, compared with the reference after every step: create, destroy, claim, clear, and
// in the partitioned subjects ranges too. The first byte chooses the subject.
#include "support/registry_subjects.hpp"
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0 || size > 4096) return 0;
    const std::span<const test::registry_subject> subjects = test::registry_subjects();
    if (!subjects[data[0] % subjects.size()].agrees({data + 1, size - 1})) std::abort();
    return 0;
}
