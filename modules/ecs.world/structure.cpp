// SPDX-License-Identifier: MIT
// Structural changes: which table an entity's row is in, and how it gets from one to another.
module;
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>
#include <vector>
module ecs.world;
import :store;

namespace ecs {

namespace {

std::uint64_t hash_of(std::span<const id> type) {
    std::uint64_t hash = 0x9E37'79B9'7F4A'7C15U;
    for (const id word : type) hash = (hash ^ word.value()) * 0x100'0000'01B3U + (hash >> 29);
    return hash | 1; // Keys of a flat_map are not zero.
}

void reserve_one(auto& list) {
    if (list.size() == list.capacity()) list.reserve(2 * list.size() + 1);
}

std::vector<id> with_id(std::span<const id> type, id word) {
    std::vector<id> result(type.begin(), type.end());
    result.insert(std::ranges::lower_bound(result, word), word);
    return result;
}

std::vector<id> without_id(std::span<const id> type, id word) {
    std::vector<id> result(type.begin(), type.end());
    std::erase(result, word);
    return result;
}

/// A copy of a value in memory of its own, until it moves to its place.
class value_beside {
  public:
    value_beside(const column& like, const void* value)
        : like_(&like), memory_(static_cast<std::byte*>(::operator new(like.size, alignment()))) {
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
        if (!moved_) like_->destroy(memory_);
        ::operator delete(static_cast<void*>(memory_), alignment());
    }

    void move_to(std::byte* to) noexcept {
        like_->relocate(to, memory_);
        moved_ = true;
    }

  private:
    [[nodiscard]] std::align_val_t alignment() const { return std::align_val_t{like_->alignment}; }

    const column* like_;
    std::byte* memory_;
    bool moved_{};
};

/// Default values of the added columns; those made so far end again when one throws.
void construct_added(const transition& along, row_ref at) {
    std::size_t made = 0;
    try {
        for (; made < along.added.size(); ++made) along.added[made]->construct(along.added[made]->value(at));
    } catch (...) {
        while (made-- > 0) along.added[made]->destroy(along.added[made]->value(at));
        throw;
    }
}

} // namespace

table& store::table_of(std::span<const id> type) {
    if (const std::vector<table*>* const candidates = std::as_const(tables_by_hash_).find(hash_of(type)))
        for (table* const t : *candidates)
            if (std::ranges::equal(t->type(), type)) return *t;
    return make_table(type);
}

table& store::make_table(std::span<const id> type) {
    std::vector<typed_id> typed;
    for (const id word : type) typed.push_back({word, &record_of(word).info});
    auto fresh = std::make_unique<table>(typed, directory_);
    std::vector<table*>& same_hash = tables_by_hash_[hash_of(type)];
    // Room first: from then on nothing can fail half-way.
    for (const id word : type) reserve_one(record_of(word).tables);
    reserve_one(same_hash);
    reserve_one(tables_);
    table& made = *tables_.emplace_back(std::move(fresh));
    made.named = made.has(registered<name>());
    made.ordinal = static_cast<std::uint32_t>(tables_.size() - 1);
    same_hash.push_back(&made);
    for (const id word : type) record_of(word).tables.push_back(&made);
    return made;
}

std::unique_ptr<transition> store::plan(table& from, table& to) const {
    auto made = std::make_unique<transition>();
    made->to = &to;
    for (const column& c : to.columns())
        if (const column* const old = from.column_of(c.component))
            made->kept.push_back({old, &c});
        else
            made->added.push_back(&c);
    for (const column& c : from.columns())
        if (c.operations.destroy && !to.has(c.component)) made->dropped.push_back(&c);
    return made;
}

const transition& store::between(table& from, table& to) {
    std::unique_ptr<transition>& known = from.transitions[reinterpret_cast<std::uintptr_t>(&to)];
    if (!known) known = plan(from, to);
    return *known;
}

const transition& store::adding(table& from, id word) {
    if (const transition* const* const known = std::as_const(from.add_edges).find(word.value()))
        return **known;
    const transition& made = between(from, from.has(word) ? from : table_of(with_id(from.type(), word)));
    from.add_edges[word.value()] = &made;
    return made;
}

const transition& store::removing(table& from, id word) {
    if (const transition* const* const known = std::as_const(from.remove_edges).find(word.value()))
        return **known;
    const transition& made = between(from, table_of(without_id(from.type(), word)));
    from.remove_edges[word.value()] = &made;
    return made;
}

void store::finish_move(row_ref from, row_ref to, const transition& along) noexcept {
    table& left = *from.block->owner;
    const entity owner = from.owner();
    for (const auto& [old, fresh] : along.kept) fresh->relocate(fresh->value(to), old->value(from));
    for (const column* const c : along.dropped) c->destroy(c->value(from));
    if (left.togglable()) left.copy_toggles(from, to);
    along.to->commit_row(to, owner);
    entities_->place(index_of(owner), {to.block->number, to.row});
    left.remove_row(from, *entities_);
}

add_result store::add(entity e, id word) {
    require_still();
    word = localize(word);
    const row_ref at = locate(e);
    if (!at) return add_result::not_alive;
    const transition* along = known_adding(*at.block->owner, word);
    if (!along) {
        if (const add_result refusal = check_addable(word); !succeeded(refusal)) return refusal;
        along = &adding(*at.block->owner, word);
    }
    if (along->to == at.block->owner) return add_result::already_there;
    if (!along->added.empty() && !along->added.front()->operations.constructible)
        return add_result::not_constructible;
    move(at, *along, [along](row_ref to) { construct_added(*along, to); });
    return add_result::added;
}

add_result store::check_addable(id word) const {
    if (word.is_wildcard()) return add_result::wildcard;
    if (word.is_entity())
        return entities_->alive(word.as_entity()) ? add_result::added : add_result::not_alive_id;
    const entity target = entities_->at(word.target_index());
    const bool known = entities_->at(word.relation_index()) && target &&
                       pair(target, target).target_generation() == word.target_generation();
    return known ? add_result::added : add_result::not_alive_id;
}

add_result store::set(entity e, id word, const void* value) {
    word = localize(word);
    const row_ref at = locate(e);
    if (!at) return add_result::not_alive;
    if (!value) return add_result::no_value;
    if (const column* const present = at.block->owner->column_of(word))
        return replace_value(*present, present->value(at), value);
    require_still();
    if (const add_result refusal = check_addable(word); !succeeded(refusal)) return refusal;
    const component_info& facts = record_of(word).info;
    if (facts.size == 0) return add_result::no_value;
    if (!facts.operations.copyable) return add_result::not_copyable;
    const transition& along = adding(*at.block->owner, word);
    const column& added = *along.added.front();
    if (along.to->has_room()) {
        move(at, along, [&](row_ref to) { added.copy(added.value(to), value); });
        return add_result::added;
    }
    // The value may be of this world and about to move, now that the table has to make room.
    value_beside fresh(added, value);
    move(at, along, [&](row_ref to) noexcept { fresh.move_to(added.value(to)); });
    return add_result::added;
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
    require_still();
    word = localize(word);
    const row_ref at = locate(e);
    if (!at) return add_result::not_alive;
    const transition* along = known_removing(*at.block->owner, word);
    if (!along) {
        if (word.is_wildcard()) return remove_matches(e, word);
        if (!at.block->owner->has(word)) return add_result::not_there;
        along = &removing(*at.block->owner, word);
    }
    move(at, *along, [](row_ref) noexcept {});
    return add_result::removed;
}

add_result store::remove_matches(entity e, id pattern) {
    add_result result = add_result::not_there;
    for (;;) {
        const row_ref at = locate(e);
        const std::uint32_t position = at.block->owner->find_match(pattern);
        if (position == table::absent) return result;
        result = remove(e, at.block->owner->type()[position]);
    }
}

bool store::has(entity e, id word) const {
    const row_ref at = locate(e);
    return at && at.block->owner->find_match(localize(word)) != table::absent;
}

add_result store::set_enabled(entity e, id word, bool enabled) {
    word = localize(word);
    const row_ref at = locate(e);
    if (!at) return add_result::not_alive;
    const std::uint32_t position = at.block->owner->position_of(word);
    if (position == table::absent) return add_result::not_there;
    at.block->owner->set_disabled(position, at, !enabled);
    return add_result::already_there;
}

bool store::is_enabled(entity e, id word) const {
    const row_ref at = locate(e);
    const std::uint32_t position = at ? at.block->owner->position_of(localize(word)) : table::absent;
    return position != table::absent && !at.block->owner->is_disabled(position, at);
}

bool store::despawn(entity e) {
    require_still();
    if (!locate(e)) return false;
    if (entities_->is_referred(e) || index_of(e) < entity_index::first_ordinary) [[unlikely]] {
        if (is_needed(e)) return false;
        purge(e);
    }
    const row_ref at = locate(e);
    forget_name(at);
    end_row(at);
    entities_->destroy(e);
    return true;
}

void store::end_row(row_ref at) noexcept {
    table& left = *at.block->owner;
    left.destroy_values(at);
    left.remove_row(at, *entities_);
}

void store::purge(entity e) {
    const auto index = index_of(e);
    std::vector<id> ending;
    records_.for_each([&](std::uint64_t key, const auto&) {
        const id word = id::assume_word(key);
        const bool concerns =
            word.is_pair() ? word.relation_index() == index || word.target_index() == index : word == id(e);
        if (concerns) ending.push_back(word);
    });
    std::ranges::sort(ending);
    for (const id word : ending) remove_everywhere(word);
    if (index < low_ids)
        std::ranges::replace(low_indices_, static_cast<std::uint8_t>(index), std::uint8_t{0});
    const auto known = std::ranges::find(components_, e);
    if (known == components_.end()) return;
    *known = {};
    ++removals_; // Whoever knows the type by this entity has to ask again.
    ++forgotten_types_;
}

/// Whether the world itself needs the entity.
bool store::is_needed(entity e) const {
    const bool is_builtin = index_of(e) >= low_ids && index_of(e) < entity_index::first_ordinary;
    return is_builtin || e == registered<component_info>() || e == registered<name>();
}

void store::remove_everywhere(id word) {
    const std::vector<table*> affected = record_of(word).tables;
    for (table* const t : affected) {
        const transition& along = removing(*t, word);
        while (t->size() != 0) {
            chunk* const last = t->chunks().back();
            move({last, last->count - 1}, along, [](row_ref) {});
        }
    }
    for (table* const t : affected) drop_table(*t);
    records_.erase(word.value());
}

void store::drop_table(table& emptied) {
    for (const id word : emptied.type()) std::erase(record_of(word).tables, &emptied);
    std::erase(tables_by_hash_[hash_of(emptied.type())], &emptied);
    for (const auto& t : tables_) t->forget_edges();
    const std::size_t hole = emptied.ordinal;
    tables_[hole] = std::move(tables_.back());
    tables_[hole]->ordinal = static_cast<std::uint32_t>(hole);
    tables_.pop_back();
    ++removals_;
}

} // namespace ecs
