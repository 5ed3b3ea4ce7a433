// SPDX-License-Identifier: MIT
// Rows leave a run at a time, and then the holes are filled.
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

/// How many rows from that one on, up to `most`, belong to the entities of the list, in its order. An entity
/// that has ended has no row, nor has null, which stands in rows that have just been left.
std::uint32_t length_of_run(entity_list all, row_ref at, std::size_t most) {
    const entity* const standing = at.block->entities() + at.row;
    most = std::min({most, all.count, std::size_t{at.block->count} - at.row});
    std::uint32_t rows = 1;
    while (rows != most && standing[rows] == all[rows] && all[rows]) ++rows;
    return rows;
}

/// The number of the last bit below `below` that is set, or is not; ~0 when there is none.
std::uint32_t last_bit(std::span<const std::uint64_t> words, std::uint32_t below, bool set) {
    while (below != 0) {
        const std::uint32_t word = (below - 1) / 64;
        const std::uint32_t unwanted = 64 * (word + 1) - below; // Bits at the upper end of the word.
        const std::uint64_t bits = (set ? words[word] : ~words[word]) << unwanted >> unwanted;
        if (bits != 0) return 64 * word + static_cast<std::uint32_t>(std::bit_width(bits)) - 1;
        below = 64 * word;
    }
    return ~0U;
}

/// Calls visit(first, count) for each run of bits that are set, the last one first.
void for_each_run_from_the_end(std::span<const std::uint64_t> words, const auto& visit) {
    std::uint32_t end = 64 * static_cast<std::uint32_t>(words.size());
    while ((end = last_bit(words, end, true) + 1) != 0) {
        const std::uint32_t first = last_bit(words, end, false) + 1;
        visit(first, end - first);
        end = first;
    }
}

bool begins_with_run(entity_list all, row_ref at) {
    constexpr std::uint32_t enough = 4;
    return at && !at.is_rowless() && length_of_run(all, at, enough) == enough;
}

} // namespace

bool begins_with_run(const store& in, entity_list all) { return begins_with_run(all, in.locate(all[0])); }

void row_holes::reserve(const chunk& block) {
    if (&block == last_block_) return;
    last_ = &marks_in(block);
    last_block_ = &block;
}

row_holes::marks& row_holes::marks_in(const chunk& block) {
    const auto key = reinterpret_cast<std::uintptr_t>(&block);
    if (const std::unique_ptr<marks>* const known = marks_.find(key)) return **known;
    auto fresh = std::make_unique<marks>(); // First: without memory for it, the chunk is not entered.
    return *(marks_[key] = std::move(fresh));
}

void row_holes::mark(row_ref first, std::uint32_t rows) noexcept {
    std::fill_n(first.block->entities() + first.row, rows, entity{});
    last_->count += rows;
    for (std::uint32_t row = first.row; row != first.row + rows; ++row)
        last_->bits[row / 64] |= std::uint64_t{1} << (row % 64);
}

/// Begins from the end: then the last row is never a hole that is still to be closed.
void row_holes::close() noexcept {
    for (std::size_t c = of_->chunks().size(); c-- > 0;) {
        chunk& block = *of_->chunks()[c];
        if (const std::unique_ptr<marks>* const in = marks_.find(reinterpret_cast<std::uintptr_t>(&block)))
            close(block, **in);
    }
}

void row_holes::close(chunk& block, const marks& in) noexcept {
    if (in.count == block.count && &block == of_->last_chunk()) return of_->drop_last_rows();
    for_each_run_from_the_end(in.bits, [&](std::uint32_t first, std::uint32_t rows) {
        of_->remove_rows({&block, first}, rows, in_->entities());
    });
}

bool bulk_move::is_possible(const table& from, const move_plan& along) {
    return along.to != &from && along.added.size() <= 1 && along.dropped.empty() && !along.told &&
           !from.holds_objects && !from.togglable() && from.in_place().empty() && !along.to->togglable();
}

bulk_move::run bulk_move::move_some(entity_list all) {
    const row_ref at = in_->locate(all[0]);
    if (!begins_with_run(all, at) || at.block->owner != from_) return {};
    left_.reserve(*at.block);
    const row_ref to = along_->to->reserve_row();
    const std::uint32_t rows = length_of_run(all, at, to.block->capacity - to.row);
    move_rows(to, at, rows);
    left_.mark(at, rows);
    return {to, rows};
}

void bulk_move::move_rows(row_ref to, row_ref at, std::uint32_t rows) noexcept {
    if (rows == 1)
        along_->move_kept(at, to);
    else
        for (const move_plan::kept_column& c : along_->kept) relocate_run(*c.to, to, *c.from, at, rows);
    const entity* const owners = at.block->entities() + at.row;
    std::copy_n(owners, rows, to.block->entities() + to.row);
    for (std::uint32_t i = 0; i < rows; ++i)
        in_->entities().place(index_of(owners[i]), {to.block->number(), to.row + i});
    to.block->owner->add_rows(to, rows);
}

bool bulk_end::is_possible(const store& in, const table& of) {
    const auto is_quiet = [](const sparse_set* set) {
        return set->size() == 0 || !set->info().operations.destroy;
    };
    return !of.tracked && !of.named && !of.linked && !of.holds_objects && !of.togglable() &&
           !of.destroys_values() && std::ranges::all_of(in.all_sparse_sets(), is_quiet);
}

namespace {

/// Ends the entities of the list; nothing but their rows is left of them then.
void end_entities(store& in, std::span<const entity> all) {
    for (sparse_set* const set : in.all_sparse_sets())
        if (set->size() != 0)
            for (const entity e : all) set->erase(index_of(e));
    in.entities().destroy_all(all);
}

/// The same as store::has_no_references, for entities that have rows. Their slots are looked at in runs,
/// because entities in neighbouring rows have neighbouring indices in most worlds.
bool have_no_references(const store& in, std::span<const entity> all) {
    while (!all.empty()) {
        const std::uint32_t run = length_of_index_run(all);
        const std::uint32_t first = index_of(all.front());
        if (first < entity_index::first_ordinary || in.entities().is_any_used_as_id(first, run)) return false;
        all = all.subspan(run);
    }
    return true;
}

} // namespace

std::size_t end_whole(store& in, table& of) {
    const auto rows_of = [](const chunk* block) {
        return std::span<const entity>(block->entities(), block->count);
    };
    const auto is_alone = [&](const chunk* block) { return have_no_references(in, rows_of(block)); };
    if (!bulk_end::is_possible(in, of) || !std::ranges::all_of(of.chunks(), is_alone)) return 0;
    const std::size_t ended = of.size();
    for (const chunk* const block : of.chunks()) end_entities(in, rows_of(block));
    while (of.size() != 0) of.drop_last_rows();
    return ended;
}

std::size_t bulk_end::end_some(std::span<const entity> all) {
    const row_ref at = in_->locate(all.front());
    if (!begins_with_run(entity_list::of(all), at) || at.block->owner != of_) return 0;
    left_.reserve(*at.block);
    const std::uint32_t standing = length_of_run(entity_list::of(all), at, all.size());
    const bool none_concern_others = !of_->tracked && have_no_references(*in_, all.first(standing));
    std::uint32_t rows = none_concern_others ? standing : 0;
    while (rows != standing && in_->has_no_references(all[rows], at)) ++rows;
    left_.mark(at, rows);
    end_entities(*in_, all.first(rows));
    return rows;
}

namespace {

/// Whether the values that the plan adds begin as zeroes.
bool adds_zeroes(const move_plan& along) {
    return std::ranges::all_of(
        along.added, [](const column* c) { return c->operations.constructible && !c->operations.construct; });
}

} // namespace

std::size_t move_in_bulk(store& in, const move_plan& along, entity_list all) {
    table& from = *along.from;
    if (!begins_with_run(all, in.locate(all[0])) || !bulk_move::is_possible(from, along) ||
        !adds_zeroes(along))
        return 0;
    if (!along.added.empty() && from.inherits) return 0; // A base may have the value.
    bulk_move moving(in, from, along);
    std::size_t done = 0;
    try {
        while (done != all.count) {
            const auto [to, rows] = moving.move_some(all.without_first(done));
            if (rows == 0) break;
            for (const column* const c : along.added)
                std::memset(c->value(to), 0, std::size_t{rows} * c->size);
            done += rows;
        }
    } catch (const std::bad_alloc&) { // Those that have gone are in their new table.
    }
    return done;
}

std::size_t end_in_bulk(store& in, std::span<const entity> all) {
    const row_ref at = in.locate(all.front());
    if (!begins_with_run(entity_list::of(all), at) || !bulk_end::is_possible(in, *at.block->owner)) return 0;
    bulk_end ending(in, *at.block->owner);
    std::size_t done = 0;
    while (done != all.size()) {
        const std::size_t ended = ending.end_some(all.subspan(done));
        if (ended == 0) break;
        done += ended;
    }
    return done;
}

} // namespace ecs
