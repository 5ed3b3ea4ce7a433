// SPDX-License-Identifier: MIT
// Rows of a table: how chunks are begun and filled, how rows move, and how holes are filled.
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

/// Large enough that the step from chunk to chunk does not show.
constexpr std::size_t full_chunk_bytes = std::size_t{316} * 1024;
constexpr std::uint32_t second_rows = 8;
/// A look at so many plans takes longer than to clear a whole chunk.
constexpr std::size_t many_plans = 64;
constexpr std::size_t row_bytes_max = std::size_t{1} << 30; ///< Offsets within a chunk have 32 bits.

chunk no_rows; ///< Where a table without chunks looks for room, and finds none. It is never written to.

constexpr std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

/// The number of rows of a chunk of full size. Worlds that have room for few entities have small chunks. A
/// loop that takes several rows at a time has none left over, unless rows are large.
std::uint32_t rows_of_a_full_chunk(std::size_t row_bytes) {
    constexpr std::size_t together = 64;
    constexpr std::size_t share_of_a_world = 16;
    constexpr std::size_t most = std::min<std::size_t>(
        rows_max,
        std::max<std::size_t>((std::size_t{id_space::last_index} + 1) / share_of_a_world, together));
    const std::size_t rows = std::clamp<std::size_t>(full_chunk_bytes / row_bytes, 1, most);
    return static_cast<std::uint32_t>(rows < together ? rows : rows / together * together);
}

/// Whether the identifier is found by the starts of columns; see :column_starts.
bool is_low(id word) { return word.is_entity() && word.as_entity().index() < low_ids; }

/// Whether the column is of values of pairs, whose targets have a column, too: nobody has the relation alone.
bool is_of_pairs(id word, std::span<const typed_id> type) {
    return std::ranges::any_of(
        type, [&](const typed_id& other) { return other.word == pair(word.as_entity(), any); });
}

std::uint8_t low_index(id word) { return static_cast<std::uint8_t>(word.as_entity().index()); }

std::unique_ptr<move_plan> plan(table& from, table& to) {
    auto made = std::make_unique<move_plan>();
    made->from = &from;
    made->to = &to;
    for (const column& c : to.columns())
        if (const column* const old = from.column_of(c.component))
            made->kept.push_back({old, &c});
        else
            made->added.push_back(&c);
    for (const column& c : from.columns())
        if (c.operations.destroy && !to.has(c.component)) made->dropped.push_back(&c);
    const auto others = std::ranges::partition(
        made->kept, [](const move_plan::kept_column& both) { return !both.to->operations.relocate; });
    made->plain.resize(made->kept.size() - others.size());
    made->stays.resize(static_cast<std::size_t>(std::ranges::count_if(
        from.columns(), [&](const column& c) { return !c.operations.relocate && !to.has(c.component); })));
    made->words.reserve(made->plain.size() + made->stays.size());
    made->review();
    return made;
}

} // namespace

table::table(std::span<const typed_id> type, chunk_directory& directory)
    : positions_(type.size()), open_(&no_rows), directory_(&directory) {
    std::size_t row_bytes = sizeof(entity);
    for (const auto& [word, info] : type) {
        type_.push_back(word);
        if (is_low(word) && !is_of_pairs(word, type)) low_columns_.push_back({low_index(word), 0});
        if (!info || info->size == 0) continue;
        const auto position = static_cast<std::uint32_t>(type_.size() - 1);
        positions_[position].column = static_cast<std::uint32_t>(columns_.size());
        columns_.push_back({word, position, 0, static_cast<std::uint32_t>(info->size),
                            static_cast<std::uint32_t>(info->alignment), info->operations});
        row_bytes += info->size + info->alignment;
        alignment_ = std::max(alignment_, static_cast<std::uint32_t>(info->alignment));
        needs_destruction_ |= info->operations.destroy != nullptr;
        copies_as_bytes_ &= info->operations.copyable && !info->operations.copy && !info->operations.relocate;
    }
    plain_columns_.resize(static_cast<std::size_t>(
        std::ranges::count_if(columns_, [](const column& c) { return !c.operations.relocate; })));
    if (row_bytes > row_bytes_max)
        throw std::length_error("the components of one entity may take " + std::to_string(row_bytes_max) +
                                " bytes, not " + std::to_string(row_bytes));
    full_capacity_ = rows_of_a_full_chunk(row_bytes);
    lay_out(std::min(few_rows, full_capacity_));
}

table::~table() {
    clear();
    drop_spares();
}

std::size_t table::bytes_for(std::uint32_t capacity) const {
    std::size_t bytes = sizeof(chunk) + capacity * sizeof(entity);
    for (const column& c : columns_) bytes = c.start_after(bytes, capacity) + std::size_t{capacity} * c.size;
    return rounded_up(bytes, alignment_);
}

void table::lay_out(std::uint32_t capacity) {
    capacity_ = capacity;
    std::size_t end = sizeof(chunk) + capacity * sizeof(entity);
    for (column& c : columns_) {
        c.offset = static_cast<std::uint32_t>(c.start_after(end, capacity));
        end = c.offset + std::size_t{capacity} * c.size;
        if (!is_low(c.component)) continue;
        const auto low = std::ranges::find(low_columns_, low_index(c.component), &low_column::index);
        if (low != low_columns_.end()) low->offset = c.offset;
    }
    plain_columns_.assign([&](std::span<byte_column> all) {
        std::size_t plain = 0;
        for (const column& c : columns_)
            if (!c.operations.relocate) all[plain++] = {c.offset, c.offset, c.size};
    });
    review();
}

void table::review() noexcept {
    edges.review(*this);
    const bool are_words = plain_columns_.size() == columns_.size() && plain_columns_.are_words();
    const bool concerns_others = tracked || named || linked || holds_objects || has_beside_;
    ends_in_words_ = are_words && !needs_destruction_ && !concerns_others;
}

bool table::tracks_more_than(const table& other) const {
    if (!tracked) return false;
    for (std::uint32_t position = 0; position != positions_.size(); ++position)
        if (tracks(position) && !other.has(type_[position])) return true;
    return false;
}

std::uint32_t table::find_match(id pattern, std::uint32_t from) const {
    if (!pattern.is_wildcard()) {
        const std::uint32_t position = position_of(pattern);
        return position >= from ? position : absent;
    }
    for (std::uint32_t position = from; position < type_.size(); ++position)
        if (matches(pattern, type_[position])) return position;
    return absent;
}

move_plan& table::plan_to(table& there) {
    if (move_plan* const known = edges.to(there)) return *known;
    return edges.open(plan(*this, there));
}

/// When the first chunk grows, every move plan from and to this table is measured again. With many plans it
/// grows to full size at once, so that this happens only once.
void table::make_room() {
    const bool has_many_plans = edges.plan_count() > many_plans;
    if (chunks_.size() == 1 && capacity_ < full_capacity_)
        grow_first_chunk(has_many_plans ? full_capacity_
                                        : std::min(std::max(capacity_ * 2, second_rows), full_capacity_));
    else
        append_chunk(chunk_directory::pending);
}

void table::prepare(chunk& block) const noexcept {
    block.owner = const_cast<table*>(this);
    block.capacity = capacity_;
    block.count = 0;
}

void table::append_chunk(std::uint32_t number) {
    const bool has_number = number != chunk_directory::pending;
    directory_->reserve(has_number ? 0 : 1, low_columns_);
    unique_chunk block(spare_ ? take_spare() : make_chunk());
    if (togglable_) block->disabled = std::make_unique<toggle_bits>(type_.size(), capacity_);
    begin_beside(has_number ? number : directory_->next_number());
    block->set_number(number);
    enter_chunk(block.release());
}

/// Enters the chunk behind the others; there is room for it. It keeps its number, or gets the next one if its
/// number is pending.
void table::enter_chunk(chunk* block) noexcept {
    block->position = static_cast<std::uint32_t>(chunks_.size());
    chunks_.push_back(block);
    if (block->number() == chunk_directory::pending)
        directory_->insert(block, low_columns_);
    else
        directory_->place(block, low_columns_);
    note_last_chunk();
}

void table::note_last_chunk() noexcept {
    open_ = rowless_ ? &directory_->chunk_of_rowless() : chunks_.empty() ? &no_rows : chunks_.back();
}

chunk* table::make_chunk() const {
    chunk* const made = directory_->pool().take(bytes_for(capacity_), alignment_);
    prepare(*made);
    return made;
}

void table::stock(chunk_pool& from, std::size_t chunks) noexcept {
    directory_->pool().stock(from, chunks, bytes_for(capacity_), alignment_);
}

void table::grow_first_chunk(std::uint32_t capacity) {
    chunk* const small = chunks_.front();
    const std::vector<column> old_columns = columns_;
    unique_chunk large(directory_->pool().take(bytes_for(capacity), alignment_));
    if (togglable_) {
        large->disabled = std::make_unique<toggle_bits>(type_.size(), capacity);
        large->disabled->adopt(*small->disabled);
    }
    make_room_beside(small->number(), capacity);
    lay_out(capacity);
    prepare(*large);
    large->count = small->count;
    std::copy_n(small->entities(), small->count, large->entities());
    for (std::size_t c = 0; c < columns_.size(); ++c)
        relocate_run(columns_[c], {large.get(), 0}, old_columns[c], {small, 0}, small->count);
    directory_->replace(small->number(), large.get(), low_columns_);
    chunks_.front() = large.release();
    note_last_chunk();
    directory_->pool().give(small);
    drop_spares(); // The spare chunks still have the earlier size.
}

void table::leave_rows_out() noexcept {
    rowless_ = true;
    note_last_chunk();
    review();
}

void table::begin_rows(std::span<const entity> all, entity_index& places) {
    rowless_ = false;
    note_last_chunk();
    try {
        reserve(all.size());
        for (const entity e : all) {
            const row_ref at = reserve_row();
            settle(at, e, places);
            add_rows(at, 1);
        }
    } catch (...) {
        leave_rows_out();
        throw;
    }
    review();
    directory_->forget_rowless();
}

void table::reserve(std::size_t rows) {
    if (rowless_) return;
    const std::size_t wanted = size() + rows;
    if (chunks_.size() <= 1 && capacity_ < std::min<std::size_t>(wanted, full_capacity_)) {
        const auto capacity = static_cast<std::uint32_t>(std::min<std::size_t>(wanted, full_capacity_));
        if (!chunks_.empty()) {
            grow_first_chunk(capacity);
        } else {
            drop_spares();
            lay_out(capacity);
        }
    }
    const std::size_t chunks = (wanted + capacity_ - 1) / capacity_;
    if (chunks <= chunks_.size()) return;
    chunks_.reserve(chunks);
    directory_->reserve(chunks - chunks_.size(), low_columns_);
    for (std::size_t there = chunks_.size() + spares(); there < chunks; ++there) {
        chunk* const made = make_chunk();
        made->next_spare = std::exchange(spare_, made);
    }
}

void table::give_row(row_ref at, const move_plan& along, entity_index& places) noexcept {
    if (at.is_rowless()) return along.to->take_rowless(at.owner(), places);
    const row_ref there = along.to->next_row();
    const row_ref last = last_row();
    const entity owner = at.owner();
    if (at == last) {
        along.plain.copy(at, there);
    } else {
        along.plain.pass(last, at, there);
        along.stays.copy(last, at);
        settle(at, last.owner(), places);
    }
    settle(there, owner, places);
    along.to->add_rows(there, 1);
    drop_row(last);
}

void table::move_row(row_ref from, row_ref to, entity_index& places) noexcept {
    plain_columns_.copy(from, to);
    if (plain_columns_.size() != columns_.size()) [[unlikely]]
        move_others(from, to);
    settle(to, from.owner(), places);
    if (has_beside_) [[unlikely]]
        move_beside(from, to);
}

void table::move_rows(row_ref from, row_ref to, std::uint32_t rows, entity_index& places) noexcept {
    for (const column& c : columns_) relocate_run(c, to, c, from, rows);
    std::copy_n(from.block->entities() + from.row, rows, to.block->entities() + to.row);
    place_rows(*to.block, to.row, to.row + rows, places);
}

/// Does what remove_row does from the last hole on, but for as many rows at once as stand behind them.
void table::remove_rows(row_ref first, std::uint32_t rows, entity_index& places) noexcept {
    if (has_beside_) {
        while (rows-- != 0) remove_row({first.block, first.row + rows}, places);
        return;
    }
    while (rows != 0) {
        const std::uint32_t end = first.row + rows;
        chunk* const last = open_;
        const std::uint32_t behind = last == first.block ? last->count - end : last->count;
        if (behind == 0) return drop_row(first);
        const std::uint32_t together = std::min(rows, behind);
        move_rows({last, last->count - together}, {first.block, end - together}, together, places);
        drop_row({last, last->count - together});
        rows -= together;
    }
}

void table::arrange(std::span<const std::size_t> order, entity_index& places) {
    if (std::ranges::is_sorted(order)) return;
    std::vector<std::size_t> from(order.begin(), order.end());
    std::vector<std::size_t> to = from;
    std::ranges::sort(to);
    const row_ref spare = reserve_row(); // Numbers stay, wherever that moves the rows.
    for (std::size_t first = 0; first != to.size(); ++first) {
        if (from[first] == to[first]) continue;
        move_row(row_at(to[first]), spare, places);
        std::size_t hole = first;
        while (from[hole] != to[first]) {
            move_row(row_at(from[hole]), row_at(to[hole]), places);
            const std::size_t left = std::exchange(from[hole], to[hole]);
            hole = static_cast<std::size_t>(std::ranges::lower_bound(to, left) - to.begin());
        }
        move_row(spare, row_at(to[hole]), places);
        from[hole] = to[hole];
    }
    drop_empty_chunk();
    note_row_change();
}

/// Moves the values that take more than a copy of their bytes.
void table::move_others(row_ref from, row_ref to) noexcept {
    for (const column& c : columns_)
        if (c.operations.relocate) c.operations.relocate(c.value(to), c.value(from));
}

void table::retire_last_chunk() noexcept {
    chunk* const empty = chunks_.back();
    drop_beside(empty->number());
    directory_->erase(empty->number(), low_columns_);
    chunks_.pop_back();
    note_last_chunk();
    empty->disabled.reset();
    if (spare_) directory_->pool().give(take_spare()); // One is enough, unless more have been reserved.
    empty->next_spare = std::exchange(spare_, empty);
}

/// A table keeps its first chunk.
void table::drop_superfluous_chunk() noexcept {
    if (chunks_.size() > 1) retire_last_chunk();
}

chunk* table::take_spare() noexcept {
    chunk* const taken = spare_;
    spare_ = std::exchange(taken->next_spare, nullptr);
    return taken;
}

std::size_t table::spares() const noexcept {
    std::size_t count = 0;
    for (const chunk* block = spare_; block; block = block->next_spare) ++count;
    return count;
}

void table::drop_spares() noexcept {
    while (spare_) directory_->pool().give(take_spare());
}

void table::clear() noexcept {
    note_row_change();
    for (chunk* block : chunks_) {
        for (std::uint32_t row = 0; row < block->count; ++row) destroy_values({block, row});
        drop_beside(block->number());
        directory_->erase(block->number(), low_columns_);
        directory_->pool().give(block);
    }
    chunks_.clear();
    note_last_chunk();
}

void table::shrink() noexcept {
    drop_spares();
    drop_unused_beside();
    if (size() != 0) return;
    clear();
    lay_out(std::min(few_rows, full_capacity_));
}

std::size_t table::memory_bytes() const {
    std::size_t bytes = 0;
    for (const chunk* const block : chunks_) bytes += block->bytes_in_all;
    for (const chunk* block = spare_; block; block = block->next_spare) bytes += block->bytes_in_all;
    return bytes;
}

/// All chunks get their bits, or none.
void table::make_togglable() {
    std::vector<std::unique_ptr<toggle_bits>> fresh(chunks_.size());
    for (std::size_t i = 0; i != chunks_.size(); ++i)
        if (!chunks_[i]->disabled)
            fresh[i] = std::make_unique<toggle_bits>(type_.size(), chunks_[i]->capacity);
    for (std::size_t i = 0; i != chunks_.size(); ++i)
        if (fresh[i]) chunks_[i]->disabled = std::move(fresh[i]);
    togglable_ = true;
    note_beside();
    review();
}

void table::keep_in_place(in_place_columns& values) {
    reserve_one(in_place_);
    try {
        for (const chunk* block : chunks_) values.make_room(block->number(), block->capacity);
    } catch (...) {
        for (const chunk* block : chunks_) values.drop(block->number());
        throw;
    }
    in_place_.push_back(&values);
    note_beside();
    review();
}

void table::forget_in_place(const in_place_columns& values) noexcept {
    if (std::erase(in_place_, &values) == 0) return;
    note_beside();
    review();
}

void table::make_room_beside(std::uint32_t chunk_number, std::uint32_t rows) {
    for (in_place_columns* const values : in_place_) values->make_room(chunk_number, rows);
}

/// Makes room beside a chunk to come. From here on nothing can fail before the chunk is entered: a column of
/// a number without a chunk would be taken for that of the next chunk with the number.
void table::begin_beside(std::uint32_t chunk_number) {
    reserve_one(chunks_);
    try {
        make_room_beside(chunk_number, capacity_);
    } catch (...) {
        drop_beside(chunk_number);
        throw;
    }
}

void table::drop_beside(std::uint32_t chunk_number) noexcept {
    for (in_place_columns* const values : in_place_) values->drop(chunk_number);
}

/// Drops columns in which no row has a value; the next value begins them again.
void table::drop_unused_beside() noexcept {
    const auto is_unused = [&](const in_place_columns* values) {
        return !std::ranges::any_of(chunks_,
                                    [&](const chunk* block) { return values->is_used(block->number()); });
    };
    for (in_place_columns* const values : in_place_)
        if (is_unused(values))
            for (const chunk* block : chunks_) values->drop(block->number());
    if (std::erase_if(in_place_, is_unused) == 0) return;
    note_beside();
    review();
}

void table::carry_in_place(row_ref from, row_ref to) const noexcept {
    for (in_place_columns* const values : in_place_)
        values->move({from.block->number(), from.row}, {to.block->number(), to.row});
}

/// Moves what a row has beside its columns to another row of this table.
void table::move_beside(row_ref from, row_ref to) noexcept {
    if (togglable_) move_toggles(from, to);
    carry_in_place(from, to);
}

void table::move_toggles(row_ref from, row_ref to) noexcept {
    for (std::uint32_t position = 0; position < type_.size(); ++position)
        to.block->disabled->assign(position, to.row, from.block->disabled->test(position, from.row));
    clear_toggles(from);
}

void table::copy_toggles(row_ref from, row_ref to) const noexcept {
    const table& other = *to.block->owner;
    for (std::uint32_t position = 0; position < type_.size(); ++position) {
        const std::uint32_t there = other.position_of(type_[position]);
        if (there != absent)
            to.block->disabled->assign(there, to.row, from.block->disabled->test(position, from.row));
    }
}

void table::clear_toggles(row_ref at) noexcept {
    for (std::uint32_t position = 0; position < type_.size(); ++position)
        at.block->disabled->assign(position, at.row, false);
}

} // namespace ecs
