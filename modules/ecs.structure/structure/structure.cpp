// SPDX-License-Identifier: MIT
// Structural changes: which table an entity's row is in, and how it gets from one to another.
module ecs.structure;
import ecs.std;
import ecs.storage;

namespace ecs {

std::vector<id> structure::without_id(std::span<const id> type, id word) {
    std::vector<id> result(type.begin(), type.end());
    std::erase(result, word);
    return result;
}

table& structure::table_of(std::span<const id> type) {
    if (table* const known = rows_.find_table(type)) return *known;
    table& made = rows_.make_table(type);
    events_.note_new_table(made);
    return made;
}

table& structure::table_of_set(id* words, std::size_t count) {
    std::sort(words, words + count);
    return table_of({words, std::unique(words, words + count)});
}

/// An edge is kept when its identifier can be added or removed without asking the traits again.
bool structure::is_plain(const table& from, id word) const {
    return !from.inherited && !object_table::concerns(word) &&
           (rows_.traits_of(word).bits & momentary_traits) == 0 && has_required(from, word);
}

/// Whether everything that comes with the identifier is in the table already.
bool structure::has_required(const table& in, id word) const {
    return std::ranges::all_of(rows_.traits_of(word).with, [&](entity required) {
        return in.has(reads_.with_same_target(word, required));
    });
}

std::vector<id> structure::destination(const table& from, id word) const {
    std::vector<id> type(from.type().begin(), from.type().end());
    if (word.has_relation() && rows_.traits_of(word).any_of(trait::exclusive))
        std::erase_if(type, [&](id other) {
            return other.has_relation() && other.relation_index() == word.relation_index();
        });
    type.insert(std::ranges::lower_bound(type, word), word);
    return type;
}

/// Makes the values of the added columns: what was inherited so far is copied, the rest gets its default
/// value. When one of them throws, the values made so far end again. Rows are reserved: a constructor that
/// changes the world is refused.
void structure::construct_added(const move_plan& along, row_ref from, row_ref to) const {
    const store::write_lock holding(rows_);
    std::size_t made = 0;
    try {
        for (; made < along.added.size(); ++made) {
            const column& c = *along.added[made];
            const std::byte* const inherited = reads_.find_elsewhere(from, c.component);
            if (inherited && c.operations.copyable)
                c.copy(c.value(to), inherited);
            else
                c.construct(c.value(to));
        }
    } catch (...) {
        while (made-- > 0) along.added[made]->destroy(along.added[made]->value(to));
        throw;
    }
}

/// Whether the value that the row would begin with is a copy of what it inherits: unlike a default one, that
/// counts as set.
bool structure::begins_with_copy(row_ref at, id word) const {
    return reads_.find_elsewhere(at, word) && rows_.info_of_id(word).operations.copyable;
}

/// The same for a move that adds one identifier; false where nobody has to be told.
bool structure::adds_copy(const move_plan& along, row_ref from) const {
    return along.told && !along.added.empty() && begins_with_copy(from, along.added.front()->component);
}

/// Rows of the other table can hold what the row has beside its columns.
void structure::prepare_move(row_ref from, const move_plan& along) {
    if (along.from->togglable() && !along.to->togglable()) rows_.make_togglable(*along.to);
    if (!along.from->in_place().empty()) rows_.make_room_in_place(from, *along.to);
}

row_ref structure::move_with_care(row_ref from, const move_plan& along, row_constructor construct,
                                  const given_values& given) {
    prepare_move(from, along);
    if (along.told || (along.tracked && !given.these.empty()))
        return events_.as_one([&] { return move_tracked(from, along, construct, given); });
    const row_ref to = along.to->reserve_row();
    store::construct_reserved(to, construct);
    rows_.finish_move(from, to, along);
    return to;
}

/// Observers are told of what goes before it goes, and of what came when it is there.
row_ref structure::move_tracked(row_ref from, const move_plan& along, row_constructor construct,
                                const given_values& given) {
    const table& left = *along.from;
    const entity e = from.owner();
    const told_steps* const told = events_.steps_of(along);
    const row_changes& changes = along.changes();
    events_.reserve_ticks(e);
    const row_ref to = along.to->reserve_row();
    store::construct_reserved(to, construct);
    events_.note_move(left, *along.to, e);
    for (const id word : given.these)
        if (reads_.has_value(*along.to, word)) events_.touch(e, word, events_.now());
    events_.announce_departure(from, changes, told, e);
    along.bare ? rows_.give_row(from, along) : rows_.finish_move(from, to, along);
    events_.announce_arrival(left, to, changes, told, e, given);
    return to;
}

void structure::move_fresh(row_ref from, const move_plan& along) {
    prepare_move(from, along);
    const row_ref to = along.to->reserve_row();
    store::construct_reserved(to, [&](row_ref at) { construct_added(along, from, at); });
    along.bare ? rows_.give_row(from, along) : rows_.finish_move(from, to, along);
}

const move_plan& structure::adding(table& from, id word) {
    if (const move_plan* const known = known_adding(from, word)) return *known;
    move_plan& made = from.plan_to(from.has(word) ? from : table_of(destination(from, word)));
    return is_plain(from, word) ? from.edges.add_edge(edge_kind::adding, word, made) : made;
}

const move_plan& structure::removing(table& from, id word) {
    if (const move_plan* const known = known_removing(from, word)) return *known;
    move_plan& made = from.plan_to(table_of(without_id(from.type(), word)));
    return is_plain(from, word) ? from.edges.add_edge(edge_kind::removing, word, made) : made;
}

/// Whether the entity may get the identifier, or lose it, with nothing but a move of its row.
bool structure::may_be_plain(entity e, edge_kind kind, id word) const {
    const table& from = *rows_.locate(e).block->owner;
    if (word.kind() == id_kind::null || word.is_wildcard() || rows_.sparse_of(word)) return false;
    if (from.has(word) == (kind == edge_kind::adding)) return false;
    if (kind == edge_kind::removing)
        return is_plain(from, word) && succeeded(checks_.check_departure(e, word, {}));
    if (!succeeded(checks_.check_addable(word)) || !is_plain(from, word)) return false;
    const traits& own = rows_.traits_of(word);
    return own.bits == 0 || succeeded(checks_.check_add(e, word, own));
}

const move_plan* structure::plan_of_many(edge_kind kind, entity first, id word) {
    const row_ref at = rows_.locate(first);
    if (!at) return nullptr;
    table& from = *at.block->owner;
    if (const move_plan* const known = from.edges.find(kind, word)) return known;
    if (!may_be_plain(first, kind, word)) return nullptr;
    return kind == edge_kind::adding ? &adding(from, word) : &removing(from, word);
}

add_result structure::add(entity e, id word) {
    word = rows_.resolve(word);
    const row_ref at = rows_.locate(e);
    if (!at) return add_result::not_alive;
    if (word.is_pair() && link_quickly(at, word)) return add_result::added;
    if (const move_plan* const along = at.block->owner->edges.find_again(edge_kind::adding, word)) [[likely]]
        return add_along(at, *along);
    if (sparse_set* const sparse = rows_.sparse_of(word)) return add_default_sparse(e, *sparse);
    return events_.as_one_occasion([&] { return add_new(e, word); });
}

add_result structure::add_along(row_ref at, const move_plan& along) {
    if (along.to == along.from) return add_result::already_there;
    if (along.added.empty()) {
        move(at, along, [](row_ref) noexcept {});
        return add_result::added;
    }
    const column& added = *along.added.front();
    if (!added.operations.constructible && !reads_.has_beginning(at, added.component))
        return add_result::not_constructible;
    move(at, along, [&](row_ref to) { construct_added(along, at, to); }, {.all_new = adds_copy(along, at)});
    return add_result::added;
}

add_result structure::add_with(row_ref at, id word, value_constructor construct) {
    const move_plan* const known = at.block->owner->edges.find_again(edge_kind::adding, word);
    if (!known) [[unlikely]]
        return events_.as_one_occasion([&] { return add_new_with(at.owner(), word, construct); });
    const column& added = *known->added.front();
    move(at, *known, [&](row_ref to) { construct(added.value(to)); }, {.all_new = true});
    return add_result::added;
}

/// Where the table has to make room, values of this world are about to move.
add_result structure::add_before_moving(row_ref at, id word, value_constructor construct) {
    const move_plan* const known = known_adding(*at.block->owner, word);
    if (known && known->to->has_room()) return add_with(at, word, construct);
    value_buffer made(rows_.info_of_id(word), construct);
    return add_with(at, word, [&](std::byte* to) { made.move_to(to); });
}

/// Adds an identifier that may have traits.
add_result structure::add_new_with(entity e, id word, value_constructor construct) {
    if (const add_result refusal = checks_.check_addable(word); !succeeded(refusal)) return refusal;
    if (rows_.info_of_id(word).size == 0) return add_result::no_value;
    if (const add_result refusal = prepare_add(e, word); !succeeded(refusal)) return refusal;
    if (reads_.keeps_in_column(word)) return link_with(e, word, construct);
    const row_ref at = rows_.locate(e);
    const move_plan& along = adding(*at.block->owner, word);
    const column& added = *along.added.front();
    move(at, along, [&](row_ref to) { construct(added.value(to)); }, {.all_new = true});
    return finish_add(e, word);
}

const move_plan& structure::adding_all(table& from, std::uint64_t key, std::span<const id> words) {
    const id list = id::assume_word(key);
    if (const move_plan* const known = known_adding(from, list)) return *known;
    std::vector<id> type(from.type().begin(), from.type().end());
    for (const id word : words)
        if (!std::ranges::binary_search(type, word)) type.insert(std::ranges::lower_bound(type, word), word);
    return from.edges.add_edge(edge_kind::adding, list, from.plan_to(table_of(type)));
}

const move_plan& structure::removing_all(table& from, std::uint64_t key, std::span<const id> words) {
    const id list = id::assume_word(key);
    if (const move_plan* const known = known_removing(from, list)) return *known;
    std::vector<id> type(from.type().begin(), from.type().end());
    for (const id word : words) std::erase(type, word);
    return from.edges.add_edge(edge_kind::removing, list, from.plan_to(table_of(type)));
}

add_result structure::add_all(entity e, std::uint64_t key, std::span<const id> words) {
    const row_ref at = rows_.locate(e);
    if (!at) return add_result::not_alive;
    for (const id word : words)
        if (const add_result refusal = checks_.check_addable(word); !succeeded(refusal)) return refusal;
    if (!reads_.move_plainly(words)) return events_.as_one_occasion([&] { return add_one_by_one(e, words); });
    const move_plan& along = adding_all(*at.block->owner, key, words);
    const auto is_refused = [&](const column* c) {
        return !c->operations.constructible && !begins_with_copy(at, c->component);
    };
    if (std::ranges::any_of(along.added, is_refused)) return add_result::not_constructible;
    if (along.to == at.block->owner) return add_result::already_there;
    const std::vector<id> copied = words_copied(along, at);
    const bool is_of_base = along.to->is_pattern(); // What observers ask for may end the table.
    move(at, along, [&](row_ref to) { construct_added(along, at, to); }, {.these = copied});
    if (is_of_base) rows_.bump_inheritance_version();
    return add_result::added;
}

/// The components that the row would begin with copies of, where somebody has to be told.
std::vector<id> structure::words_copied(const move_plan& along, row_ref from) const {
    std::vector<id> copied;
    if (!along.told) return copied;
    for (const column* const c : along.added)
        if (begins_with_copy(from, c->component)) copied.push_back(c->component);
    return copied;
}

void structure::outdate_heirs(const table& now) const noexcept {
    if (now.is_pattern()) rows_.bump_inheritance_version();
}

/// Returns the first refusal; else `added` when an identifier was added.
add_result structure::add_one_by_one(entity e, std::span<const id> words) {
    if (const add_result refusal = checks_.check_arrivals(e, words, {}); !succeeded(refusal)) return refusal;
    add_result result = add_result::already_there;
    for (const id word : words) {
        const add_result one = add(e, word);
        if (!succeeded(one)) return one;
        if (one == add_result::added) result = one;
    }
    return result;
}

add_result structure::remove_all(entity e, std::uint64_t key, std::span<const id> words) {
    const row_ref at = rows_.locate(e);
    if (!at) return add_result::not_alive;
    if (!reads_.move_plainly(words))
        return events_.as_one_occasion([&] { return remove_one_by_one(e, words); });
    const move_plan& along = removing_all(*at.block->owner, key, words);
    if (along.to == at.block->owner) return add_result::not_there;
    const bool is_of_base = along.to->is_pattern(); // What observers ask for may end the table.
    move(at, along, [](row_ref) noexcept {});
    if (is_of_base) rows_.bump_inheritance_version();
    return add_result::removed;
}

add_result structure::remove_one_by_one(entity e, std::span<const id> words) {
    if (const add_result refusal = checks_.check_departures(e, words); !succeeded(refusal)) return refusal;
    std::vector<id> leaving;
    for (const id word : words)
        if (word.is_wildcard())
            for (const id one : reads_.own_matches(e, word)) leaving.push_back(one);
        else
            leaving.push_back(word);
    if (!events_.has_listeners()) return remove_in_turn(e, std::move(leaving)); // Nobody sees the steps.
    const std::vector<id> plain = take_plain(e, leaving); // They go last: others may need them.
    const add_result result = remove_in_turn(e, std::move(leaving));
    return move_out(e, plain) ? add_result::removed : result;
}

add_result structure::set_name_like(entity e, const name& value) {
    const bool had_one = !rows_.name_of(e).empty();
    set_name(e, value.text());
    return had_one ? add_result::already_there : add_result::added;
}

add_result structure::set(entity e, id word, const void* value) {
    word = rows_.resolve(word);
    const row_ref at = rows_.locate(e);
    if (!at) return add_result::not_alive;
    if (!value) return add_result::no_value;
    if (word.is_wildcard()) return add_result::wildcard;
    if (word == id(rows_.registered<name>())) return set_name_like(e, *static_cast<const name*>(value));
    if (checks_.says_what_a_component_is(word)) return add_result::is_built_in;
    if (word.is_entity() && reads_.is_value_of_link(*at.block->owner, word)) return add_result::needs_target;
    if (std::byte* const present = rows_.own_value(at, word)) {
        value_write writing(events_, e, {&word, 1});
        const add_result result = replace_value(column_like(word, rows_.info_of_id(word)), present, value);
        if (succeeded(result)) writing.tell();
        return result;
    }
    if (sparse_set* const sparse = rows_.sparse_of(word)) return set_sparse_copy(e, *sparse, value);
    if (const add_result refusal = checks_.check_addable(word); !succeeded(refusal)) return refusal;
    const component_info facts = rows_.info_of_id(word);
    if (facts.size == 0) return add_result::no_value;
    if (!facts.operations.copyable) return add_result::not_copyable;
    return add_before_moving(at, word, [&](std::byte* to) { column_like(word, facts).copy(to, value); });
}

add_result structure::remove(entity e, id word) {
    word = rows_.resolve(word);
    const row_ref at = rows_.locate(e);
    if (!at) return add_result::not_alive;
    if (sparse_set* const sparse = rows_.sparse_of(word); sparse && !sparse->constrained)
        return remove_sparse(e, *sparse);
    const move_plan* const along = known_removing(*at.block->owner, word);
    if (!along) [[unlikely]]
        return events_.as_one_occasion([&] { return remove_known(e, word); });
    move(at, *along, [](row_ref) noexcept {});
    return add_result::removed;
}

bool structure::moves_and_tells(const move_plan& along, row_ref at, std::span<const std::byte> value) {
    if (!along.bare || along.added.empty() != value.empty() || !events_.tells_observers_alone()) return false;
    const told_steps* const told = events_.steps_of(along);
    const entity e = at.owner();
    if (!told || events_.is_told_of_end(e)) return false;
    const row_ref to = along.to->reserve_row();
    if (!value.empty()) copy_bytes(along.added.front()->value(to), value.data(), value.size());
    change_queue::open_change whole(events_.queue(), events_);
    const std::uint64_t version = told->version; // What an observer does may change the steps.
    events_.queue().begin_occasion();
    events_.tell_current_steps(told->leaving, told->leaving.count, version, at, e);
    rows_.move_bare(along, at, to, e);
    events_.queue().begin_occasion();
    events_.tell_steps(told->coming, told->coming.count, version, to, e);
    if (version != events_.version()) [[unlikely]]
        events_.tell_rest_of_arrival(*along.from, to, along.changes(), e);
    whole.close();
    return true;
}

/// Without observers, and where the table has bits for it, it is done without a call.
add_result structure::set_enabled(entity e, id word, bool enabled) {
    word = rows_.resolve(word);
    const row_ref at = rows_.locate(e);
    if (!at) return add_result::not_alive;
    table& in = *at.block->owner;
    const std::uint32_t position = in.position_of(word);
    if (position == table::absent || word.is_wildcard() || reads_.is_of_pair(at, word)) [[unlikely]]
        return toggle_sparse(e, word, enabled);
    if (!enabled && !in.togglable()) [[unlikely]]
        rows_.make_togglable(in);
    const bool changes = in.set_disabled(position, at, !enabled);
    if (changes && events_.has_observers()) [[unlikely]]
        events_.announce_toggle(e, word, enabled);
    return toggled(changes, enabled);
}

/// The same for what is not in the type of the entity's table.
add_result structure::toggle_sparse(entity e, id word, bool enabled) {
    sparse_set* const sparse = rows_.sparse_of(word);
    if (!sparse) {
        if (word.is_wildcard()) return add_result::wildcard;
        return reads_.keeps_in_column(word) && reads_.has(e, word) ? add_result::contradiction
                                                                   : add_result::not_there;
    }
    if (!sparse->contains(index_of(e))) return add_result::not_there;
    const bool changes = sparse->enabled(index_of(e)) != enabled;
    sparse->set_enabled(index_of(e), enabled);
    if (changes && events_.has_observers()) [[unlikely]]
        events_.announce_toggle(e, word, enabled);
    return toggled(changes, enabled);
}

add_result structure::link_object(entity e, id relation, std::shared_ptr<void> object, std::uint32_t type) {
    relation = rows_.resolve(relation);
    if (!object) return add_result::no_value;
    if (!rows_.entities().alive(relation.as_entity())) return add_result::not_alive_id;
    const void* const address = object.get();
    try {
        const add_result result = add(e, rows_.objects().enter(std::move(object), type, relation));
        rows_.release_object(rows_.objects().slot_of(address, type));
        return result;
    } catch (...) {
        rows_.release_object(rows_.objects().slot_of(address, type));
        throw;
    }
}

} // namespace ecs
