// SPDX-License-Identifier: MIT
// Each change passes on when the gate is open, and waits or is refused when it is not; see gate.cppm.
module ecs.structure;
import ecs.std;
import ecs.storage;

namespace ecs {

void gate::require_deferring() const {
    if (!defers()) store::refuse_to_change();
}

entity gate::wait_for_row(waiting_row* row) {
    return events_.wait_for_row(std::unique_ptr<waiting_row>(row));
}

/// A loop may only add what the entity has already.
add_result gate::add_later(entity e, id word) {
    word = rows_.resolve(word);
    if (!defers() && reads_.adds_nothing(e, {&word, 1})) return add_result::already_there;
    return later(e, [=, this] { add(e, word); });
}

add_result gate::add_all(entity e, std::uint64_t key, std::span<const id> words) {
    if (is_open()) [[likely]]
        return core_.add_all(e, key, words);
    if (!defers() && reads_.adds_nothing(e, words)) return add_result::already_there;
    return later(e, [=, this, all = std::vector<id>(words.begin(), words.end())] { add_all(e, key, all); });
}

add_result gate::remove_later(entity e, id word) {
    return later(e, [=, this] { remove(e, word); });
}

add_result gate::remove_all(entity e, std::uint64_t key, std::span<const id> words) {
    if (is_open()) [[likely]]
        return core_.remove_all(e, key, words);
    return later(e,
                 [=, this, all = std::vector<id>(words.begin(), words.end())] { remove_all(e, key, all); });
}

add_result gate::clear(entity e) {
    if (is_open()) [[likely]]
        return core_.clear(e);
    return later(e, [=, this] { clear(e); });
}

/// A loop may only write a value that the entity has already.
add_result gate::set(entity e, id word, const void* value) {
    if (is_open()) [[likely]]
        return core_.set(e, word, value);
    word = rows_.resolve(word);
    if (defers()) return set_later(e, word, value);
    if (set_moves(e, word, value)) store::refuse_to_change();
    return core_.set(e, word, value);
}

/// A component that an observer registers gets its row when the observers have been told.
void gate::require_whole() const {
    if (events_.is_amid_change())
        throw iteration_error(
            "a world is not kept while an observer is told of a change, which may be half made: keep "
            "it behind the change, in a queued observer, or in one of an event of your own");
    if (!defers()) return;
    rows_.records().for_each([&](const component_record& record) {
        const entity component = record.word.as_entity();
        if (component && record.info.alignment != 0 && !rows_.locate(component))
            throw iteration_error(
                "component " + std::string(rows_.name_of_component(component)) +
                " is registered when the observers have been told: keep the world before, or then");
    });
}

/// Whether set would give the entity an identifier that it does not have.
bool gate::set_moves(entity e, id word, const void* value) const {
    const row_ref at = rows_.locate(e);
    if (!at || !value || word.is_wildcard()) return false;
    if (word.is_entity() && reads_.is_value_of_link(*at.block->owner, word)) return false;
    if (const sparse_set* const sparse = rows_.sparse_of(word)) {
        const component_info& info = sparse->info();
        return info.size != 0 && info.operations.copyable && !sparse->contains(index_of(e));
    }
    return word == id(rows_.registered<name>()) || !rows_.own_value(at, word);
}

/// For an observer: the value is copied now, and set when the observers have been told.
add_result gate::set_later(entity e, id word, const void* value) {
    const component_info facts = rows_.info_of_id(word);
    if (facts.size == 0 || !value) return add_result::no_value;
    if (!facts.operations.copyable) return add_result::not_copyable;
    const auto copy_to = [&](std::byte* to) { column_like(word, facts).copy(to, value); };
    return later(
        e, [=, this, copy = std::make_unique<value_buffer>(facts, copy_to)] { set(e, word, copy->get()); });
}

/// A loop may disable and enable what its entities have: no row moves for that.
add_result gate::set_enabled(entity e, id word, bool enabled) {
    if (!defers()) [[likely]]
        return core_.set_enabled(e, word, enabled);
    return later(e, [=, this] { set_enabled(e, word, enabled); });
}

add_result gate::link_object(entity e, id relation, std::shared_ptr<void> object, std::uint32_t type) {
    if (is_open()) [[likely]]
        return core_.link_object(e, relation, std::move(object), type);
    return later(e, [=, this, kept = std::move(object)] { link_object(e, relation, kept, type); });
}

void gate::set_name(entity e, std::string_view text) {
    require_sound_name(text);
    if (is_open()) [[likely]]
        return core_.set_name(e, text);
    if (!rows_.entities().alive(e)) reads_.refuse_access(e, rows_.registered<name>(), "name");
    defer([this, e, kept = std::string(text)] {
        if (rows_.locate(e)) set_name(e, kept);
    });
}

void gate::reorder(entity target, std::span<const entity> sources, id relation) {
    require_open();
    core_.reorder(target, sources, relation);
}

add_result gate::replace_sources(entity target, std::span<const entity> sources, id relation) {
    if (is_open()) [[likely]]
        return core_.replace_sources(target, sources, relation);
    return later(target, [=, this, all = std::vector<entity>(sources.begin(), sources.end())] {
        replace_sources(target, all, relation);
    });
}

entity gate::claim(entity elsewhere) {
    require_open();
    return spawns_.claim(elsewhere);
}

void gate::adopt_fresh(entity parent, std::span<entity> all) {
    try {
        if (!is_open())
            return defer([this, parent, kept = std::vector<entity>(all.begin(), all.end())]() mutable {
                std::erase_if(kept, [&](entity e) { return !rows_.locate(e); });
                adopt_fresh(parent, kept);
            });
        for (const entity e : all)
            if (const add_result refusal = core_.add(e, pair(rows_.resolve(child_of), parent));
                !succeeded(refusal))
                throw std::invalid_argument("the parent is refused: " + std::string(ecs::to_string(refusal)));
    } catch (...) {
        discard(all);
        std::ranges::fill(all, entity{});
        throw;
    }
}

void gate::discard(std::span<const entity> made) {
    if (is_open()) [[likely]]
        return despawns_.despawn_alone(made);
    for (const entity e : made) despawn(e);
}

void gate::require_free_name(entity parent, std::string_view text) const {
    require_sound_name(text);
    if (is_open() && rows_.find_name(parent, text)) refuse_name(text);
}

void gate::name_or_despawn(entity e, std::string_view text) {
    try {
        require_sound_name(text);
        if (is_open()) [[likely]]
            return core_.set_name(e, text);
        defer([this, e, kept = std::string(text)] {
            if (rows_.locate(e)) name_or_despawn(e, kept);
        });
    } catch (...) {
        discard({&e, 1});
        throw;
    }
}

void gate::tag_or_despawn(entity e, id tag) {
    try {
        if (!is_open())
            return defer([this, e, tag] {
                if (rows_.locate(e)) tag_or_despawn(e, tag);
            });
        if (const add_result result = core_.add(e, tag); !succeeded(result))
            throw std::invalid_argument("the entity cannot be a prefab: " + std::string(to_string(result)));
    } catch (...) {
        discard({&e, 1});
        throw;
    }
}

/// While observers are told, the copy waits for its row; it copies the entity as it is then.
entity gate::copy(entity e, copying made) {
    if (is_open()) [[likely]]
        return events_.as_one_occasion([&] { return (copies_.*made)(e, {}); });
    if (!rows_.entities().alive(e)) reads_.refuse_access(e, {}, "components");
    return spawn_later(
        [=, this](entity copy) { events_.as_one_occasion([&] { std::ignore = (copies_.*made)(e, copy); }); });
}

void gate::withdraw(std::span<entity> waiting) noexcept {
    for (entity& e : waiting) rows_.end_pending(std::exchange(e, entity{}));
}

entity gate::clone(entity e) { return copy(e, &cloner::clone); }

entity gate::clone_tree(entity root) { return copy(root, &cloner::clone_tree); }

std::size_t gate::sync(entity prefab) {
    require_open();
    return instances_.sync(prefab);
}

add_result gate::despawn_later(entity e) {
    return later(e, [=, this] { despawn(e); });
}

void gate::clear() {
    if (is_open()) [[likely]]
        return despawns_.clear();
    defer([this] { clear(); });
}

std::size_t gate::dispatch() {
    if (events_.has_observers()) require_open();
    return events_.dispatch();
}

/// An identifier of an entity that has ended is not tracked: it cannot change.
void gate::track(id word) {
    if (!reads_.is_meant(word) || events_.ticks_of(word)) return;
    if (!is_open())
        throw iteration_error(reads_.text_of_component(word) +
                              " is not tracked yet, and tracking cannot begin while a loop walks over the "
                              "world, an observer is told, or a system runs that does not take world&: make "
                              "a query for its changes before");
    events_.track(word);
}

} // namespace ecs
