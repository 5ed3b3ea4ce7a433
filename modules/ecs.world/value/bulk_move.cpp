// SPDX-License-Identifier: MIT
// Many rows from one table to another: a run of rows at a time, and then the holes are filled.
module ecs.world;
import ecs.std;
import :bulk_move;

namespace ecs {

bool bulk_move::is_possible(const table& from, const move_plan& along) {
    return along.to != &from && along.added.size() == 1 && along.dropped.empty() && !along.tracked &&
           !from.holds_objects && !from.togglable() && !along.to->togglable();
}

bulk_move::run bulk_move::move_some(entity_list all) {
    const row_ref at = in_->rows().locate(all[0]);
    if (at.block->owner != from_) return {};
    holes& left = holes_in(*at.block);
    const row_ref to = along_->to->reserve_row();
    const auto most = static_cast<std::uint32_t>(std::min(
        {all.count, std::size_t{to.block->capacity} - to.row, std::size_t{at.block->count} - at.row}));
    const entity* const standing = at.block->entities() + at.row;
    std::uint32_t rows = 1;
    while (rows != most && standing[rows] == all[rows]) ++rows; // An entity that has ended has no row.
    move_rows(to, at, rows);
    for (std::uint32_t row = at.row; row != at.row + rows; ++row)
        left[row / 64] |= std::uint64_t{1} << (row % 64);
    return {to, rows};
}

bulk_move::holes& bulk_move::holes_in(const chunk& block) {
    const auto key = reinterpret_cast<std::uintptr_t>(&block);
    if (const std::unique_ptr<holes>* const known = holes_.find(key)) return **known;
    auto fresh = std::make_unique<holes>(); // First: without memory for it, the chunk is not entered.
    return *(holes_[key] = std::move(fresh));
}

void bulk_move::move_rows(row_ref to, row_ref at, std::uint32_t rows) noexcept {
    if (rows == 1)
        along_->move_kept(at, to);
    else
        for (const move_plan::kept_column& c : along_->kept) relocate_run(*c.to, to, *c.from, at, rows);
    entity* const owners = at.block->entities() + at.row;
    std::copy_n(owners, rows, to.block->entities() + to.row);
    for (std::uint32_t i = 0; i < rows; ++i)
        in_->rows().entities().place(index_of(std::exchange(owners[i], entity{})),
                                     {to.block->number, to.row + i});
    to.block->count += rows;
}

/// From the end: then the last row is never a hole that is still to be closed.
void bulk_move::close_holes() noexcept {
    for (std::size_t c = from_->chunks().size(); c-- > 0;) {
        chunk& block = *from_->chunks()[c];
        if (const std::unique_ptr<holes>* const of = holes_.find(reinterpret_cast<std::uintptr_t>(&block)))
            close_holes(block, **of);
    }
}

void bulk_move::close_holes(chunk& block, const holes& of) noexcept {
    for (std::size_t word = of.size(); word-- > 0;)
        for (std::uint64_t bits = of[word]; bits != 0;) {
            const auto bit = static_cast<std::uint32_t>(std::bit_width(bits) - 1);
            bits ^= std::uint64_t{1} << bit;
            from_->remove_row({&block, static_cast<std::uint32_t>(word * 64) + bit}, in_->rows().entities());
        }
}

} // namespace ecs
