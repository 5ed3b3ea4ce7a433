// SPDX-License-Identifier: MIT
// How a table takes over the rows of another: whole chunks by their address, the rest column by column.
module ecs.world;
import ecs.std;
import :table;

namespace ecs {

void table::start_full() noexcept { lay_out(full_capacity_); }

bool table::is_laid_out_like(const table& from, std::span<const column* const> columns) const {
    std::size_t end = sizeof(chunk) + full_capacity_ * sizeof(entity);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (columns[c] != &columns_[c]) return false;
        end = columns_[c].start_after(end);
        if (end != from.columns_[c].offset) return false;
        end += std::size_t{full_capacity_} * columns_[c].size;
    }
    return from.capacity_ == full_capacity_;
}

void table::adopt(table& from, std::span<const column* const> columns, entity_index& places) {
    if (is_laid_out_like(from, columns)) {
        while (!from.chunks_.empty() && from.chunks_.front()->count == full_capacity_) {
            make_full();
            take_chunk(from, places);
        }
        drop_empty_chunk();
        if (from.size() != 0 && capacity_ == full_capacity_ && !has_room()) take_chunk(from, places);
    }
    while (from.size() != 0) take_rows(from, columns, places);
}

void table::make_room_for(std::size_t rows) {
    if (chunks_.empty() && rows >= full_capacity_ && capacity_ != full_capacity_) {
        drop_spares();
        start_full();
    }
    while (chunks_.size() * capacity_ < rows) make_room();
}

void table::drop_empty_chunks() noexcept {
    while (!chunks_.empty() && chunks_.back()->count == 0) retire_last_chunk();
}

void table::settle_rows(std::size_t first, std::span<const entity> owners, entity_index* places) noexcept {
    for (std::size_t i = 0; i < owners.size(); ++i) {
        const row_ref at = row_at(first + i);
        commit_row(at, owners[i]);
        if (places) places->place(index_of(owners[i]), {at.block->number, at.row});
    }
}

void table::copy_rows(const table& from, entity_index& places) {
    lay_out(from.capacity_);
    togglable_ = from.togglable_;
    for (chunk* const block : from.chunks_) {
        append_chunk();
        chunk& made = *chunks_.back();
        copy_columns(made, *block);
        std::copy_n(block->entities(), block->count, made.entities());
        made.count = block->count;
        if (block->disabled) *made.disabled = *block->disabled;
        place_rows(made, 0, made.count, places);
    }
}

/// Copies the values of a chunk that is laid out alike; those made so far end again when one throws.
void table::copy_columns(chunk& to, chunk& from) const {
    std::size_t made = 0;
    const auto value = [](const column& c, chunk& in, std::size_t i) {
        return c.value({&in, static_cast<std::uint32_t>(i % in.count)});
    };
    const std::size_t all = columns_.size() * from.count;
    to.count = from.count; // So that rows are numbered alike.
    try {
        while (made < all) {
            const column& c = columns_[made / from.count];
            if (c.operations.copy) {
                c.copy(value(c, to, made), value(c, from, made));
                ++made;
            } else {
                std::memcpy(c.block(&to), c.block(&from), std::size_t{from.count} * c.size);
                made += from.count;
            }
        }
    } catch (...) {
        while (made-- > 0) columns_[made / from.count].destroy(value(columns_[made / from.count], to, made));
        to.count = 0;
        throw;
    }
}

/// Lets the only chunk grow to full size.
void table::make_full() {
    drop_empty_chunk();
    if (chunks_.empty() && capacity_ != full_capacity_) {
        drop_spares();
        start_full();
    }
    if (capacity_ != full_capacity_) grow_first_chunk(full_capacity_);
}

void table::drop_empty_chunk() noexcept {
    if (!chunks_.empty() && chunks_.back()->count == 0) retire_last_chunk();
}

/// The first chunk of the other table becomes the last full chunk of this one.
void table::take_chunk(table& from, entity_index& places) {
    directory_->reserve_one();
    chunk* const block = from.chunks_.front();
    std::unique_ptr<toggle_bits> bits;
    if (togglable_) bits = std::make_unique<toggle_bits>(type_.size(), capacity_);
    chunks_.push_back(block);
    from.chunks_.erase(from.chunks_.begin());
    from.note_last_chunk();
    from.directory_->erase(block->number);
    const std::uint32_t rows = block->count;
    prepare(*block);
    block->count = rows;
    block->disabled = std::move(bits);
    directory_->insert(block, low_columns_);
    if (chunks_.size() > 1 && chunks_[chunks_.size() - 2]->count != capacity_)
        std::swap(chunks_[chunks_.size() - 2], chunks_.back());
    note_last_chunk();
    place_rows(*block, 0, rows, places);
}

/// Copies the last rows of the other table, as many as there is room for in one chunk.
void table::take_rows(table& from, std::span<const column* const> columns, entity_index& places) {
    const row_ref to = reserve_row();
    chunk& source = *from.chunks_.back();
    const std::uint32_t rows = std::min(source.count, to.block->capacity - to.row);
    const row_ref first{&source, source.count - rows};
    for (std::size_t c = 0; c < columns.size(); ++c)
        relocate_run(*columns[c], to, from.columns_[c], first, rows);
    std::copy_n(source.entities() + first.row, rows, to.block->entities() + to.row);
    to.block->count += rows;
    source.count -= rows;
    if (source.count == 0 && from.chunks_.size() > 1) from.retire_last_chunk();
    place_rows(*to.block, to.row, to.row + rows, places);
}

void table::place_rows(chunk& block, std::uint32_t first, std::uint32_t end, entity_index& places) noexcept {
    for (std::uint32_t row = first; row < end; ++row)
        places.place(index_of(block.entities()[row]), {block.number, row});
}

} // namespace ecs
