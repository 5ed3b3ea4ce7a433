// SPDX-License-Identifier: MIT
// A relation gets a property, or loses one: the digest of the traits follows, and edges that were found under
// other traits are forgotten.
module ecs.structure;
import ecs.std;

namespace ecs {

add_result structure::prepare_to_declare(entity relation, id property) {
    rows_.all_traits().reserve_one(index_of(relation));
    const trait added = trait_of_property(property);
    if (added == trait::non_fragmenting) return add(relation, exclusive);
    if (added != trait::needs) return add_result::added;
    rows_.all_traits().reserve_one(property.target_index());
    return add(relation, pair(rows_.resolve(with), rows_.entities().at(property.target_index())));
}

void structure::declare(entity relation, id property) noexcept {
    rows_.set_trait(relation, property);
    rows_.invalidate_edges();
    events_.note_trait_change();
    if (trait_of_property(property) == trait::tag_only) forget_unused_pairs(relation);
}

void structure::retract(entity relation, id property) noexcept {
    rows_.clear_trait(relation, property);
    rows_.invalidate_edges();
    events_.note_trait_change();
    if (trait_of_property(property) == trait::tag_only) forget_unused_pairs(relation);
}

/// Forgets the pairs of the relation that no entity has, unless queries track them: whether they have values
/// is decided anew, when the next pair comes. A forgotten record leaves the list, whose last record takes its
/// place.
void structure::forget_unused_pairs(entity relation) noexcept {
    const std::uint32_t index = index_of(relation);
    for (std::size_t left = rows_.records().of_relation(index).size(); left-- != 0;)
        if (component_record& record = *rows_.records().of_relation(index)[left]; record.rows() == 0)
            record.ticks ? renew_unused(record) : forget_unused(record);
}

/// Queries see by the ticks of the record what changes: it stays, and is as it would be if it were made now.
void structure::renew_unused(component_record& record) noexcept {
    while (!record.tables.empty()) drop_empty(*record.tables.back());
    record.info = rows_.info_of_id(record.word);
}

void structure::forget_unused(component_record& record) noexcept {
    while (!record.tables.empty()) drop_empty(*record.tables.back());
    events_.forget_ticks(record);
    rows_.forget_record(record);
}

/// From the last table on: the last one takes the place of one that is dropped.
void structure::drop_unused_pairs() noexcept {
    const auto is_pair = [](id word) { return word.kind() == id_kind::pair; };
    for (std::size_t left = rows_.tables().size(); left-- != 0;)
        if (table& t = *rows_.tables()[left]; t.size() == 0 && std::ranges::any_of(t.type(), is_pair))
            drop_empty(t);
}

void structure::drop_empty(table& emptied) noexcept {
    events_.announce_table(event::table_removed, emptied);
    rows_.drop_table(emptied);
}

} // namespace ecs
