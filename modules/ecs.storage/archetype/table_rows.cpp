// SPDX-License-Identifier: MIT
// How a table takes over the rows of another: whole chunks by their address, the rest column by column.
module ecs.storage;
import ecs.std;

namespace ecs {

void table::start_full() noexcept { lay_out(full_capacity_); }

bool table::is_laid_out_like(const table& from, std::span<const column* const> columns) const {
    std::size_t end = sizeof(chunk) + full_capacity_ * sizeof(entity);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (columns[c] != &columns_[c]) return false;
        end = columns_[c].start_after(end, full_capacity_);
        if (end != from.columns_[c].offset) return false;
        end += std::size_t{full_capacity_} * columns_[c].size;
    }
    return from.capacity_ == full_capacity_;
}

void table::adopt(std::span<unique_chunk> rows, const table& layout, std::span<const column* const> columns,
                  entity_index& places) {
    const bool alike = !rowless_ && is_laid_out_like(layout, columns);
    for (unique_chunk& block : rows)
        if (alike && block && block->count == full_capacity_) {
            make_full();
            take_chunk(block, places);
        }
    if (chunks_.size() > 1 || (alike && capacity_ == full_capacity_)) drop_empty_chunk();
    for (unique_chunk& block : rows) {
        if (!block || block->count == 0) continue;
        if (alike && capacity_ == full_capacity_ && !has_room())
            take_chunk(block, places);
        else
            take_rows(*block, layout, columns, places);
    }
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

void table::copy_rows(const table& from) {
    rowless_ = from.rowless_;
    togglable_ = from.togglable_;
    note_beside();
    lay_out(from.capacity_); // Decides how rows move: by what they have beside their columns, too.
    for (chunk* const block : from.chunks_) {
        append_chunk(block->number());
        chunk& made = *chunks_.back();
        copy_columns(made, *block);
        std::copy_n(block->entities(), block->count, made.entities());
        made.count = block->count;
        if (block->disabled) *made.disabled = *block->disabled;
    }
    note_last_chunk();
}

/// Copies the values of a chunk that is laid out alike; when a copy throws, the values made so far end again.
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

/// Makes the chunk the last full chunk of the table.
void table::take_chunk(unique_chunk& from, entity_index& places) {
    const bool has_number = from->number() != chunk_directory::pending;
    directory_->reserve(has_number ? 0 : 1, low_columns_);
    std::unique_ptr<toggle_bits> bits;
    if (togglable_) bits = std::make_unique<toggle_bits>(type_.size(), capacity_);
    begin_beside(has_number ? from->number() : directory_->next_number());
    chunk* const block = from.release();
    block->owner = this;
    block->disabled = std::move(bits);
    note_row_change();
    enter_chunk(block);
    if (chunks_.size() > 1 && chunks_[chunks_.size() - 2]->count != capacity_) {
        std::swap(chunks_[chunks_.size() - 2], chunks_.back());
        std::swap(chunks_[chunks_.size() - 2]->position, chunks_.back()->position);
    }
    note_last_chunk();
    if (!has_number) place_rows(*block, 0, block->count, places);
}

/// Takes the last rows first, so that the rows that are left are still there.
void table::take_rows(chunk& from, const table& layout, std::span<const column* const> columns,
                      entity_index& places) {
    // As far as the first chunk can grow: rows that come in several parts are in another order afterwards.
    const std::size_t together = std::min<std::size_t>(size() + from.count, full_capacity_);
    while (!rowless_ && chunks_.size() <= 1 && capacity_ * chunks_.size() < together) make_room();
    while (from.count != 0) {
        const row_ref to = reserve_row();
        const std::uint32_t rows = std::min(from.count, to.block->capacity - to.row);
        const row_ref first{&from, from.count - rows};
        for (std::size_t c = 0; c < columns.size(); ++c)
            relocate_run(*columns[c], to, layout.columns_[c], first, rows);
        std::copy_n(from.entities() + first.row, rows, to.block->entities() + to.row);
        add_rows(to, rows);
        from.count -= rows;
        place_rows(*to.block, to.row, to.row + rows, places);
    }
    if (from.number() == chunk_directory::pending) return;
    directory_->erase(from.number(), {});
    from.set_number(chunk_directory::pending);
}

/// Slots are asked for ahead where there are many: an address ahead that nobody has touched yet takes the
/// processor as long as several rows.
void table::place_rows(chunk& block, std::uint32_t first, std::uint32_t end, entity_index& places) noexcept {
    constexpr std::uint32_t many = 16;
    const auto place_with = [&](auto& all) {
        for (std::uint32_t row = first; row < end; ++row)
            all.place(index_of(block.entities()[row]), {block.number(), row});
    };
    if (end - first < many) return place_with(places);
    entity_index::near_places ahead(places);
    place_with(ahead);
}

} // namespace ecs
