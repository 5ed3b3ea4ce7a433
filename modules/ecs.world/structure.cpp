// SPDX-License-Identifier: MIT
// Structural changes: which table an entity's row is in, and how it gets from one to another.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

namespace {

/// A copy of a value in memory of its own, until it moves to its place.
class value_beside {
  public:
    value_beside(const column& like, const void* value)
        : like_(like), memory_(static_cast<std::byte*>(::operator new(like.size, alignment()))) {
        try {
            like.copy(memory_, value);
        } catch (...) {
            ::operator delete(static_cast<void*>(memory_), alignment());
            throw;
        }
    }
    value_beside(const value_beside&) = delete;
    value_beside& operator=(const value_beside&) = delete;
    ~value_beside() {
        if (!moved_) like_.destroy(memory_);
        ::operator delete(static_cast<void*>(memory_), alignment());
    }

    void move_to(std::byte* to) noexcept {
        like_.relocate(to, memory_);
        moved_ = true;
    }
    [[nodiscard]] const std::byte* get() const { return memory_; }

  private:
    [[nodiscard]] std::align_val_t alignment() const { return std::align_val_t{like_.alignment}; }

    column like_;
    std::byte* memory_;
    bool moved_{};
};

} // namespace

std::vector<id> store::without_id(std::span<const id> type, id word) {
    std::vector<id> result(type.begin(), type.end());
    std::erase(result, word);
    return result;
}

table& store::table_of(std::span<const id> type) {
    table* const known = tables_.find(type);
    return known ? *known : make_table(type);
}

table& store::table_of_set(id* words, std::size_t count) {
    std::sort(words, words + count);
    return table_of({words, std::unique(words, words + count)});
}

table& store::make_table(std::span<const id> type) {
    std::vector<typed_id> typed;
    for (const id word : type) typed.push_back({word, &record_of(word).info});
    auto fresh = std::make_unique<table>(typed, directory_);
    for (const id word : type) note_traits(*fresh, word);
    table& made = tables_.enter(std::move(fresh), records_);
    made.watched = is_watched(made);
    announce_table(event::table_created, made);
    return made;
}

/// What the operations on the rows of a table have to attend to because of one of its identifiers.
void store::note_traits(table& made, id word) {
    made.named |= word == id(registered<name>());
    made.linked |= word.is_wildcard();
    made.holds_objects |= object_table::concerns(word);
    made.no_target |= word.is_entity() && index_of(word.as_entity()) == relation_only.index();
    made.prefab |= word.is_entity() && index_of(word.as_entity()) == prefab_tag.index();
    made.inherits |= word.is_pair() && word.relation_index() == is_a.index();
    made.inherited |= word.is_entity() && index_of(word.as_entity()) == base.index();
    has_bases_ |= made.inherited;
    if (rules_of(word).any_of(rule::togglable) || has_flag(flags_of(word), type_flags::togglable))
        made.make_togglable();
}

/// An edge is kept when its identifier can be added or removed without asking the rules again.
bool store::is_plain(const table& from, id word) const {
    return !from.inherited && !object_table::concerns(word) &&
           (rules_of(word).bits & rules_of_the_moment) == 0 && has_companions(from, word);
}

/// Whether everything that comes with the identifier is in the table already.
bool store::has_companions(const table& in, id word) const {
    return std::ranges::all_of(rules_of(word).with,
                               [&](entity companion) { return in.has(beside(word, companion)); });
}

const transition& store::adding(table& from, id word) {
    if (const transition* const known = known_adding(from, word)) return *known;
    transition& made = from.way_to(from.has(word) ? from : table_of(destination(from, word)));
    return is_plain(from, word) ? from.ways.lead(edge_kind::adding, word, made) : made;
}

const transition& store::removing(table& from, id word) {
    if (const transition* const known = known_removing(from, word)) return *known;
    transition& made = from.way_to(table_of(without_id(from.type(), word)));
    return is_plain(from, word) ? from.ways.lead(edge_kind::removing, word, made) : made;
}

void store::finish_move(row_ref from, row_ref to, const transition& along) noexcept {
    table& left = *from.block->owner;
    const entity owner = from.owner();
    along.move_kept(from, to);
    for (const column* const c : along.dropped) c->destroy(c->value(from));
    if (left.togglable()) left.copy_toggles(from, to);
    along.to->commit_row(to, owner);
    entities_->place(index_of(owner), {to.block->number, to.row});
    left.remove_row(from, *entities_);
    if (left.holds_objects) [[unlikely]]
        release_objects(left, along.to);
}

add_result store::add(entity e, id word) {
    const row_ref at = locate(e);
    const transition* const along = bare_way(edge_kind::adding, at, word);
    if (!along || !along->added.empty()) return add_with_care(e, word);
    along->from->give_row(at, *along, *entities_);
    return add_result::added;
}

add_result store::add_with_care(entity e, id word) {
    word = localize(word);
    if (!is_still()) [[unlikely]] {
        if (!deferring_ && adds_nothing(e, {&word, 1})) return add_result::already_there;
        return later(e, [=](store& in) { in.add(e, word); });
    }
    const row_ref at = locate(e);
    if (!at) return add_result::not_alive;
    if (word.is_pair() && link_quickly(at, word)) return add_result::added;
    if (const transition* const along = known_adding(*at.block->owner, word)) [[likely]]
        return add_along(at, *along);
    if (side_set* const side = side_of(word)) return add_default_aside(e, *side);
    return as_one([&] { return add_new(e, word); });
}

add_result store::add_along(row_ref at, const transition& along) {
    if (along.to == along.from) return add_result::already_there;
    if (along.added.empty()) {
        move(at, along, [](row_ref) noexcept {});
        return add_result::added;
    }
    const column& added = *along.added.front();
    if (!added.operations.constructible && !has_beginning(at, added.component))
        return add_result::not_constructible;
    move(at, along, [&](row_ref to) { construct_added(along, at, to); });
    return add_result::added;
}

const transition& store::adding_all(table& from, std::uint64_t key, std::span<const id> words) {
    const id list = id::assume_word(key);
    if (const transition* const known = known_adding(from, list)) return *known;
    std::vector<id> type(from.type().begin(), from.type().end());
    for (const id word : words)
        if (!std::ranges::binary_search(type, word)) type.insert(std::ranges::lower_bound(type, word), word);
    return from.ways.lead(edge_kind::adding, list, from.way_to(table_of(type)));
}

const transition& store::removing_all(table& from, std::uint64_t key, std::span<const id> words) {
    const id list = id::assume_word(key);
    if (const transition* const known = known_removing(from, list)) return *known;
    std::vector<id> type(from.type().begin(), from.type().end());
    for (const id word : words) std::erase(type, word);
    return from.ways.lead(edge_kind::removing, list, from.way_to(table_of(type)));
}

/// No rule has to be followed, and no value is inherited or kept elsewhere.
bool store::moves_plainly(const table& in, id word) const {
    return word.is_entity() && !in.inherits && !in.inherited && !side_of(word) &&
           (rules_of(word).bits & ~rules_of_instances) == 0;
}

bool store::move_plainly(const table& in, std::span<const id> words) const {
    return std::ranges::all_of(words, [&](id word) { return moves_plainly(in, word); });
}

add_result store::add_all(entity e, std::uint64_t key, std::span<const id> words) {
    if (!is_still()) [[unlikely]] {
        if (!deferring_ && adds_nothing(e, words)) return add_result::already_there;
        return later(e, [=, all = std::vector<id>(words.begin(), words.end())](store& in) {
            in.add_all(e, key, all);
        });
    }
    const row_ref at = locate(e);
    if (!at) return add_result::not_alive;
    for (const id word : words)
        if (const add_result refusal = check_addable(word); !succeeded(refusal)) return refusal;
    if (!move_plainly(*at.block->owner, words)) return as_one([&] { return add_one_by_one(e, words); });
    const transition& along = adding_all(*at.block->owner, key, words);
    const auto is_refused = [](const column* c) { return !c->operations.constructible; };
    if (std::ranges::any_of(along.added, is_refused)) return add_result::not_constructible;
    if (along.to == at.block->owner) return add_result::already_there;
    move(at, along, [&](row_ref to) { construct_added(along, at, to); });
    return add_result::added;
}

/// The first refusal; else added when one was.
add_result store::add_one_by_one(entity e, std::span<const id> words) {
    add_result result = add_result::already_there;
    for (const id word : words) {
        const add_result one = add(e, word);
        if (!succeeded(one)) return one;
        if (one == add_result::added) result = one;
    }
    return result;
}

add_result store::remove_all(entity e, std::uint64_t key, std::span<const id> words) {
    if (!is_still()) [[unlikely]]
        return later(e, [=, all = std::vector<id>(words.begin(), words.end())](store& in) {
            in.remove_all(e, key, all);
        });
    const row_ref at = locate(e);
    if (!at) return add_result::not_alive;
    if (!move_plainly(*at.block->owner, words)) return as_one([&] { return remove_one_by_one(e, words); });
    const transition& along = removing_all(*at.block->owner, key, words);
    if (along.to == at.block->owner) return add_result::not_there;
    move(at, along, [](row_ref) noexcept {});
    return add_result::removed;
}

add_result store::remove_one_by_one(entity e, std::span<const id> words) {
    if (const add_result refusal = check_departures(e, words); !succeeded(refusal)) return refusal;
    std::vector<id> leaving;
    for (const id word : words)
        if (word.is_wildcard())
            for (const id one : own_matches(e, word)) leaving.push_back(one);
        else
            leaving.push_back(word);
    return remove_in_turn(e, std::move(leaving));
}

add_result store::set_name_like(entity e, const name& value) {
    const bool had_one = !name_of(e).empty();
    set_name(e, value.text());
    return had_one ? add_result::already_there : add_result::added;
}

add_result store::set(entity e, id word, const void* value) {
    word = localize(word);
    if (deferring_) [[unlikely]]
        return set_later(e, word, value);
    const row_ref at = locate(e);
    if (!at) return add_result::not_alive;
    if (!value) return add_result::no_value;
    if (word.is_wildcard()) return add_result::wildcard;
    if (word == id(registered<name>())) return set_name_like(e, *static_cast<const name*>(value));
    if (word.is_entity() && is_value_of_link(*at.block->owner, word)) return add_result::needs_target;
    if (const column* const present = at.block->owner->column_of(word)) {
        const add_result result = replace_value(*present, present->value(at), value);
        if (attended_ && succeeded(result)) written(e, word);
        return result;
    }
    if (side_set* const side = side_of(word)) return set_copy_aside(e, *side, value);
    require_still();
    if (const add_result refusal = check_addable(word); !succeeded(refusal)) return refusal;
    const component_info facts = info_of_id(word);
    if (facts.size == 0) return add_result::no_value;
    if (!facts.operations.copyable) return add_result::not_copyable;
    const transition* const along = known_adding(*at.block->owner, word);
    if (along && along->to->has_room())
        return add_with(at, word, [&](std::byte* to) { along->added.front()->copy(to, value); });
    // The value may be of this world and about to move, now that the table has to make room.
    value_beside fresh(column_like(word, facts), value);
    return add_with(at, word, [&](std::byte* to) noexcept { fresh.move_to(to); });
}

/// An observer asks: the value is copied now, and set when the observers have been told.
add_result store::set_later(entity e, id word, const void* value) {
    const component_info facts = info_of_id(word);
    if (facts.size == 0 || !value) return add_result::no_value;
    if (!facts.operations.copyable) return add_result::not_copyable;
    return later(e, [=, copy = std::make_unique<value_beside>(column_like(word, facts), value)](store& in) {
        in.set(e, word, copy->get());
    });
}

/// Copies beside the old value first: a copy that throws leaves it as it was.
add_result store::replace_value(const column& in, std::byte* present, const void* value) {
    if (!in.operations.copyable) return add_result::not_copyable;
    if (!in.operations.copy) {
        std::memmove(present, value, in.size);
        return add_result::already_there;
    }
    value_beside fresh(in, value);
    in.destroy(present);
    fresh.move_to(present);
    return add_result::already_there;
}

add_result store::remove(entity e, id word) {
    const row_ref at = locate(e);
    const transition* const along = bare_way(edge_kind::removing, at, word);
    if (!along) return remove_with_care(e, word);
    along->from->give_row(at, *along, *entities_);
    return add_result::removed;
}

add_result store::remove_with_care(entity e, id word) {
    word = localize(word);
    if (!is_still()) [[unlikely]]
        return later(e, [=](store& in) { in.remove(e, word); });
    const row_ref at = locate(e);
    if (!at) return add_result::not_alive;
    if (side_set* const side = side_of(word); side && !side->ruled) return remove_aside(e, *side);
    const transition* const along = known_removing(*at.block->owner, word);
    if (!along) [[unlikely]]
        return as_one([&] { return remove_known(e, word); });
    move(at, *along, [](row_ref) noexcept {});
    return add_result::removed;
}

bool store::has(entity e, id word) const {
    const row_ref at = locate(e);
    if (!at) return false;
    word = localize(word);
    if (const side_set* const side = side_of(word)) return static_cast<bool>(holder_aside(e, *side));
    const table& in = *at.block->owner;
    if (in.linked && is_value_of_link(in, word)) [[unlikely]]
        return false;
    return in.find_match(word) != table::absent || ((word.is_pair() || in.inherits) && has_by_rule(at, word));
}

namespace {

add_result toggled(bool changes, bool enabled) {
    if (!changes) return add_result::already_there;
    return enabled ? add_result::enabled : add_result::disabled;
}

} // namespace

/// Whether adding the identifiers would change nothing, because the entity itself has them. No for those that
/// add refuses: patterns, and relations that keep a value for their pairs.
bool store::adds_nothing(entity e, std::span<const id> words) const {
    const row_ref at = locate(e);
    return at && std::ranges::all_of(words, [&](id word) {
               return !word.is_wildcard() && !is_value_of_link(*at.block->owner, word) && owns(e, word);
           });
}

/// What nobody observes and the table has bits for is done without a call.
add_result store::set_enabled(entity e, id word, bool enabled) {
    if (observers_ || !word.is_entity()) [[unlikely]]
        return toggle(e, word, enabled);
    const row_ref at = locate(e);
    if (!at || !at.block->owner->togglable()) [[unlikely]]
        return toggle(e, word, enabled);
    table& in = *at.block->owner;
    const std::uint32_t position = in.position_of(entities_->localize(word.as_entity()));
    if (position == table::absent) [[unlikely]]
        return toggle(e, word, enabled);
    return toggled(in.set_disabled(position, at, !enabled), enabled);
}

add_result store::toggle(entity e, id word, bool enabled) {
    word = localize(word);
    if (deferring_) [[unlikely]]
        return later(e, [=](store& in) { in.toggle(e, word, enabled); });
    const row_ref at = locate(e);
    if (!at) return add_result::not_alive;
    table& in = *at.block->owner;
    const std::uint32_t position = in.position_of(word);
    if (position == table::absent || word.is_wildcard()) [[unlikely]]
        return toggle_aside(e, word, enabled);
    if (!enabled && !in.togglable()) [[unlikely]]
        make_togglable(in);
    const bool changes = in.set_disabled(position, at, !enabled);
    if (changes && observers_) [[unlikely]]
        announce_toggle(e, word, enabled);
    return toggled(changes, enabled);
}

/// The same for what is not in the type of the entity's table.
add_result store::toggle_aside(entity e, id word, bool enabled) {
    side_set* const side = side_of(word);
    if (!side) {
        if (word.is_wildcard()) return add_result::wildcard;
        return keeps_in_column(word) && has(e, word) ? add_result::contradiction : add_result::not_there;
    }
    if (!side->contains(index_of(e))) return add_result::not_there;
    const bool changes = side->enabled(index_of(e)) != enabled;
    side->set_enabled(index_of(e), enabled);
    if (changes && observers_) [[unlikely]]
        announce_toggle(e, word, enabled);
    return toggled(changes, enabled);
}

void store::make_togglable(table& t) {
    t.make_togglable();
    ++removals_;
}

/// What is inherited, or has its target in a column, cannot be hidden at the entity.
bool store::is_enabled(entity e, id word) const {
    word = localize(word);
    if (!has(e, word)) return false;
    if (!word.is_wildcard()) return !is_hidden(e, word);
    const std::vector<id> own = own_matches(e, word);
    return own.empty() || std::ranges::any_of(own, [&](id one) { return !is_hidden(e, one); });
}

bool store::despawn(entity e) {
    if (!is_still()) [[unlikely]]
        return succeeded(later(e, [=](store& in) { in.despawn(e); }));
    const row_ref at = locate(e);
    if (!at) return false;
    if (entities_->is_referred(e) || index_of(e) < entity_index::first_ordinary || at.block->owner->watched)
        [[unlikely]]
        return as_one([&] { return end_referred(e); });
    end_row(at);
    entities_->destroy(e);
    return true;
}

void store::end_row(row_ref at) noexcept {
    table& left = *at.block->owner;
    if (left.named) forget_name(at);
    if (left.linked) leave_lists(at);
    for (side_set* const side : sides_) side->erase(index_of(at.owner()));
    watched_.entity_ended(at.owner());
    left.destroy_values(at);
    left.remove_row(at, *entities_);
    if (left.holds_objects) release_objects(left);
}

void store::take_back(entity e) noexcept {
    end_row(locate(e));
    entities_->destroy(e);
}

} // namespace ecs
