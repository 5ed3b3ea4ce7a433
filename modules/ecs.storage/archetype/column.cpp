// SPDX-License-Identifier: MIT
// Runs of values go from one column to another.
module ecs.storage;
import ecs.std;

namespace ecs {

void relocate_run(const column& to, row_ref there, const column& from, row_ref here,
                  std::uint32_t rows) noexcept {
    if (!to.operations.relocate) {
        std::memcpy(to.value(there), from.value(here), std::size_t{rows} * to.size);
        return;
    }
    for (std::uint32_t i = 0; i < rows; ++i)
        to.relocate(to.value({there.block, there.row + i}), from.value({here.block, here.row + i}));
}

} // namespace ecs
