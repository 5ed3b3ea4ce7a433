// SPDX-License-Identifier: MIT
// Single rows of a store: what a row keeps in columns of targets, how it goes to another table, and how it
// ends, with its place on the lists of its targets, its name and its links to objects.
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

/// The name in a row; empty when the row has none.
std::string_view text_at(const store& in, row_ref at) {
    const std::byte* const found = store::value_at(at, in.registered<name>());
    return found ? std::string_view(reinterpret_cast<const name*>(found)->text()) : std::string_view();
}

/// Ends what the row does not take along. Meanwhile a new row is reserved and the old one is still there, so
/// that a destructor must not change rows; it may record commands.
void end_dropped(store& in, row_ref at, const move_plan& along) noexcept {
    const store::write_lock holding(in);
    for (const column* const c : along.dropped) c->destroy(c->value(at));
}

/// Ends the values of a row that is about to go. A destructor must not move it.
void end_row_values(store& in, row_ref at) noexcept {
    const store::write_lock holding(in);
    at.block->owner->destroy_values(at);
}

} // namespace

/// When a copy throws, the values made so far end again.
void store::copy_row(row_ref from, row_ref to) const {
    const table& in = *to.block->owner;
    const bool is_same = from.block->owner == &in;
    if (is_same && in.copies_as_bytes()) return in.copy_bytes_of(from, to);
    const std::span<const column> columns = in.columns();
    std::size_t made = 0;
    try {
        for (; made < columns.size(); ++made) {
            const column& c = columns[made];
            c.copy(c.value(to), is_same ? c.value(from) : value_at(from, c.component));
        }
    } catch (...) {
        while (made-- > 0) columns[made].destroy(columns[made].value(to));
        throw;
    }
}

/// When the last source leaves the list, no other has to move.
void store::leave_list(row_ref at, id key, const column& links) noexcept {
    const link left = *reinterpret_cast<const link*>(links.value(at));
    source_lists& lists = *lists_.find(key.relation_index());
    if (lists.remove_last(index_of(left.target), left.position)) return;
    const bool keep_order = traits_of(key).any_of(trait::ordered);
    lists.remove(index_of(left.target), left.position, keep_order, [&](entity moved, std::uint32_t position) {
        const row_ref there = locate(moved); // Often in the same table.
        std::byte* const value =
            there.block->owner == at.block->owner ? links.value(there) : value_at(there, key);
        reinterpret_cast<link*>(value)->position = position;
    });
}

void store::leave_lists(row_ref at) noexcept {
    for (const column& c : at.block->owner->columns())
        if (c.component.is_wildcard()) leave_list(at, c.component, c);
}

void store::place_sources(entity target, std::uint32_t relation_index,
                          std::span<const entity> sources) noexcept {
    if (sources.empty()) return;
    std::uint32_t position = lists_.find(relation_index)->assign(index_of(target), sources);
    const id key = pair(entities_->at(relation_index), any);
    for (const entity source : sources)
        reinterpret_cast<link*>(value_at(locate(source), key))->position = position++;
}

std::string_view store::name_of(entity e) const {
    const row_ref at = locate(e);
    return at && at.block->owner->named ? text_at(*this, at) : std::string_view();
}

entity store::find_name(entity scope, std::string_view text) const {
    return names_.find(hash_of_name(scope, text), [&](entity candidate) {
        return parent_of(candidate) == scope && name_of(candidate) == text;
    });
}

void store::forget_name(row_ref at) noexcept {
    if (const std::string_view text = text_at(*this, at); !text.empty())
        names_.erase(
            hash_of_name(at.block->owner->linked ? linked_target(at, pair(child_of, any)) : entity{}, text),
            at.owner());
}

/// There is room for the name: the entry that goes makes it.
void store::rescope_name(entity e, entity from, entity to) noexcept {
    const std::string_view text = name_of(e);
    if (text.empty()) return;
    names_.erase(hash_of_name(from, text), e);
    names_.insert(hash_of_name(to, text), e);
}

/// The object ends when the table is whole: its end may do anything to the host program.
void store::release_object(std::uint32_t slot) noexcept {
    const object_table::object* const known = slot != 0 ? objects_.find(slot) : nullptr;
    if (!known || std::ranges::any_of(known->words, [&](id word) { return is_had(word); })) return;
    const std::shared_ptr<void> last = objects_.take(slot);
}

/// A row has left the table, for another one or for good. The rows that are still in the table are linked,
/// too.
void store::release_objects(const table& left, const table* now_in) noexcept {
    if (left.size() != 0) return;
    for (const id word : left.type())
        if (object_table::concerns(word) && !(now_in && now_in->has(word))) release_object(word.number());
}

/// Whether the pattern, which may be a pair, stands for the pair of that target with the relation of a
/// column.
static bool stands_for(id pattern, id column, entity target) {
    constexpr std::uint64_t generations = field_of<layouts::pair, "target_generation">.max();
    if (pattern.relation_index() != 0 && pattern.relation_index() != column.relation_index()) return false;
    if (pattern.target_index() == 0) return true;
    return pattern.target_index() == index_of(target) &&
           (pattern.is_wildcard() || pattern.target_generation() == (target.generation() & generations));
}

bool store::has_linked(row_ref at, id pattern) const {
    const table& in = *at.block->owner;
    for (std::uint32_t position = 0; position != in.type().size(); ++position) {
        const id member = in.type()[position];
        if (!member.is_wildcard()) continue;
        const std::byte* const target = in.column_at(position)->value(at);
        if (stands_for(pattern, member, reinterpret_cast<const link*>(target)->target)) return true;
    }
    return false;
}

std::byte* store::linked_value(row_ref at, id word) const {
    return has_linked(at, word) ? value_at(at, entities_->at(word.relation_index())) : nullptr;
}

void store::finish_move(row_ref from, row_ref to, const move_plan& along) noexcept {
    table& left = *from.block->owner;
    const entity owner = from.owner();
    along.move_kept(from, to);
    if (!along.dropped.empty()) end_dropped(*this, from, along);
    if (left.togglable()) left.copy_toggles(from, to);
    left.carry_in_place(from, to);
    along.to->commit_row(to, owner);
    entities_->place(index_of(owner), {to.block->number(), to.row});
    left.remove_row(from, *entities_);
    if (left.holds_objects) [[unlikely]]
        release_objects(left, along.to);
}

/// A table without components has nothing to hide.
void store::make_togglable(table& t) {
    if (t.type().empty()) return;
    t.make_togglable();
    ++cache_version_;
}

void store::keep_in_place(in_place_columns& values, location of) {
    directory_[of.chunk_number]->owner->keep_in_place(values);
    ++cache_version_; // Queries have passed over the table.
}

void store::make_room_in_place(row_ref coming, table& in) {
    const location at{coming.block->number(), coming.row};
    for (in_place_columns* const values : coming.block->owner->in_place())
        if (values->has(at) && !in.keeps_in_place(*values)) {
            if (in.is_rowless()) give_rows_to_all(); // It was met while the world was held still.
            in.keep_in_place(*values);
            ++cache_version_; // As above.
        }
}

void store::end_outside(std::uint32_t index) noexcept {
    for (sparse_set* const sparse : sparse_sets_) sparse->erase(index);
}

void store::end_row(row_ref at) noexcept {
    table& left = *at.block->owner;
    if (left.named) forget_name(at);
    if (left.linked) leave_lists(at);
    end_outside(index_of(at.owner()));
    if (left.destroys_values()) end_row_values(*this, at);
    left.remove_row(at, *entities_);
    if (left.holds_objects) release_objects(left);
}

const std::vector<entity>* store::find_list(entity target, std::uint32_t relation_index) const {
    const source_lists* const lists = lists_.find(relation_index);
    return lists && entities_->alive(target) ? lists->find(index_of(target)) : nullptr;
}

std::span<const entity> store::list_of(entity target, std::uint32_t relation_index) const {
    const std::vector<entity>* const list = find_list(target, relation_index);
    return list ? std::span<const entity>(*list) : std::span<const entity>();
}

source_range store::range_of(entity target, std::uint32_t relation_index) const {
    source_range made;
    made.list_ = find_list(target, relation_index);
    made.retired_ = &lists_.retired();
    made.seen_ = lists_.retired();
    made.in_ = this;
    made.target_ = target;
    made.relation_ = relation_index;
    return made;
}

source_range source_range::found_again() const { return in_->range_of(target_, relation_); }

void store::end_pending(entity e) noexcept {
    if (!locate(e) && entities_->alive(e)) entities_->destroy(e);
}

} // namespace ecs
