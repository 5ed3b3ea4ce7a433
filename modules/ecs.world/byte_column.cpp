// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :byte_column;

namespace ecs {

void fill_row(std::span<const byte_column> columns, row_ref last, row_ref to) noexcept {
    if (to == last) return;
    for (const byte_column& c : columns)
        copy_bytes(to.block->bytes() + c.from + std::size_t{to.row} * c.size,
                   last.block->bytes() + c.from + std::size_t{last.row} * c.size, c.size);
}

void pass_row(std::span<const byte_column> columns, row_ref last, row_ref from, row_ref to) noexcept {
    copy_row(columns, from, to);
    fill_row(columns, last, from);
}

} // namespace ecs
