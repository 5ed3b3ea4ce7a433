// SPDX-License-Identifier: MIT
// The ways of the search above a row that are not at hand; see ancestor_finder.cppm.
module ecs.query;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

/// The targets of the rows, where a column keeps them.
const link* links_of(chunk* block, entity relation) {
    if (!block->owner->linked || !relation || !can_relate(relation)) return nullptr;
    const column* const targets = block->owner->column_of(ecs::pair(relation, any));
    return targets ? reinterpret_cast<const link*>(targets->block(block)) : nullptr;
}

} // namespace

ancestor_finder::ancestor_finder(const engine& in, chunk* block, entity relation, id word, bool starts_at_row)
    : engine_(&in),
      entities_(block->entities()),
      links_(links_of(block, relation)),
      relation_(relation),
      word_(word),
      starts_at_row_(starts_at_row),
      ends_at_row_(starts_at_row && shows(*block->owner)) {}

entity ancestor_finder::find_hidden(std::size_t row) const {
    const entity e = entities_[row];
    if (starts_at_row_ && engine_->has(e, word_)) return e;
    return engine_->reads().up(e, relation_, word_, false);
}

std::uint64_t ancestor_finder::find_values(std::uint32_t first, std::uint32_t end, std::byte** values) {
    const entity_index::flat_slots slots = engine_->rows().entities().slots_at_hand();
    const link* const links = starts_at_row_ ? nullptr : links_;
    chunk_of_values last;
    std::uint64_t missing = 0;
    for (std::uint32_t row = first; row != end; ++row) {
        std::byte* value = links ? value_at_hand(slots, links[row].target, last) : nullptr;
        if (!value) [[unlikely]] {
            value = find_value(row);
            missing |= std::uint64_t{value == nullptr} << (row - first);
        }
        values[row - first] = value;
    }
    return ~std::uint64_t{0} >> (64 - (end - first)) & ~missing;
}

/// The value of the target, if it is in a chunk whose entities all show one; nullptr where more is to be
/// asked.
inline std::byte* ancestor_finder::value_at_hand(entity_index::flat_slots slots, entity target,
                                                 chunk_of_values& last) {
    std::uint64_t slot{};
    if (!slots.find(target, slot)) [[unlikely]]
        return nullptr;
    const location where = place_word::location_in(slot);
    if (where.chunk_number != last.number) [[unlikely]]
        last = values_in(where.chunk_number, engine_->rows().row_behind(slot, target).block);
    return last.values ? last.values + where.row * last.size : nullptr;
}

ancestor_finder::chunk_of_values ancestor_finder::values_in(std::uint32_t number, chunk* block) {
    if (!block || !shows(*block->owner) || !shown_values_) return {number};
    return {number, shown_values_->block(block), shown_values_->size};
}

std::byte* ancestor_finder::find_value(std::size_t row) {
    const entity owner = find(row);
    return owner ? value_of(owner) : nullptr;
}

std::byte* ancestor_finder::look_for_value(entity owner) {
    const row_ref at = engine_->rows().locate(owner);
    note_table(*at.block->owner);
    return column_ ? column_->value(at) : engine_->find(owner, word_);
}

entity ancestor_finder::look(std::size_t row) {
    const entity e = entities_[row];
    const lookup& reads = engine_->reads();
    const entity target = links_ ? links_[row].target : entity{};
    if (!target) return reads.nearest(e, relation_, word_, starts_at_row_);
    if (starts_at_row_ && reads.is_enabled(e, word_)) return e;
    if (target != last_) {
        const row_ref at = engine_->rows().locate(target);
        const bool ends_there = at && shows(*at.block->owner); // It may wait for its row.
        found_ = ends_there ? target : reads.up(e, relation_, word_, true);
        place_ = ends_there ? at : row_ref{};
        last_ = target;
    }
    return found_;
}

/// Whether all entities of the table have it themselves and hide nothing; else that is to be looked for.
bool ancestor_finder::shows(const table& in) {
    note_table(in);
    if (!has_ || in.togglable()) return false;
    if (std::exchange(shown_, &in) != &in) place_ = {}; // It is a row of the other table.
    shown_values_ = column_;
    return true;
}

void ancestor_finder::note_table(const table& in) {
    if (std::exchange(table_, &in) == &in) return;
    has_ = !word_.is_wildcard() && in.has(word_) && !engine_->reads().is_value_of_link(in, word_);
    column_ = has_ ? in.column_of(word_) : nullptr;
}

} // namespace ecs
