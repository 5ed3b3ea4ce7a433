// SPDX-License-Identifier: MIT
// Operations on components that are kept outside tables, and copies of whole entities.
module ecs.world;
import ecs.std;
import :edit;
import :store;

namespace ecs {

namespace {

/// How the values of a side set are handled, in the form that columns have.
column column_like(const component_info& info) {
    return {{},
            0,
            0,
            static_cast<std::uint32_t>(info.size),
            static_cast<std::uint32_t>(info.alignment),
            info.operations};
}

} // namespace

side_set* store::side_of_record(id word) const {
    const id_record* const known = records_.find(word);
    return known ? known->side.get() : nullptr;
}

std::byte* store::find_aside(entity e, id word) const {
    const side_set* const side = side_of(word);
    if (!side || side->info().size == 0) return nullptr;
    const entity holder = holder_aside(e, *side);
    return holder ? side->find(index_of(holder)) : nullptr;
}

entity store::base_aside(entity e, const side_set& side) const {
    const row_ref at = locate(e);
    return at && at.block->owner->inherits ? base_with(*at.block->owner, side.word) : entity{};
}

/// What a base has has changed, and with it what its instances have.
void store::note_aside(entity e) {
    if (locate(e).block->owner->inherited) ++meanings_;
}

/// An instance begins with a copy of what its nearest base has.
add_result store::add_default_aside(entity e, side_set& side) {
    if (side.contains(index_of(e))) return add_result::already_there;
    const component_info& info = side.info();
    const entity from = info.operations.copyable && info.size != 0 ? base_aside(e, side) : entity{};
    if (from) {
        const auto copy = [&](std::byte* to) { column_like(info).copy(to, side.find(index_of(from))); };
        return add_aside(e, side, copy, false);
    }
    if (!info.operations.constructible && info.size != 0) return add_result::not_constructible;
    const auto construct = [&](std::byte* to) {
        if (info.size != 0) column_like(info).construct(to);
    };
    return add_aside(e, side, construct, false);
}

/// A value that is there stays in its place, if it can be moved: the copy is made first, and cannot fail to
/// move there.
add_result store::set_copy_aside(entity e, side_set& side, const void* value) {
    const component_info& info = side.info();
    if (info.size == 0) return add_result::no_value;
    if (!info.operations.copyable) return add_result::not_copyable;
    const auto copy = [&](std::byte* to) { column_like(info).copy(to, value); };
    if (!side.contains(index_of(e))) return add_aside(e, side, copy);
    if (info.operations.movable) {
        loose_value fresh(info, copy);
        std::byte* const present = side.find(index_of(e));
        column_like(info).destroy(present);
        fresh.move_to(present);
    } else {
        side.replace(index_of(e), copy);
    }
    if (attended_) written(e, side.word);
    return add_result::already_there;
}

add_result store::remove_aside(entity e, side_set& side) {
    require_still();
    if (!side.contains(index_of(e))) return add_result::not_there;
    if (!side.watched) [[likely]]
        side.erase(index_of(e));
    else
        as_one([&] { remove_watched(e, side); });
    if (has_bases_) [[unlikely]]
        note_aside(e);
    return add_result::removed;
}

void store::remove_watched(entity e, side_set& side) {
    if (stamp_book* const book = stamps_of(side.word)) book->remove(index_of(e), now());
    if (observers_) observers_->changes.begin_occasion();
    if (observers_) announce(event::removed, e, side.word);
    side.erase(index_of(e));
    if (observers_) announce_match(event::matching, e, side.word);
}

void store::require_copyable(entity e, const table& in) const {
    const auto refuse = [&](id component) {
        throw access_error(e, component, id_status::live,
                           "entity " + std::to_string(e.index()) + "v" + std::to_string(e.generation()) +
                               " cannot be cloned: the values of component " +
                               name_of_component(component.as_entity()) + " cannot be copied");
    };
    for (const column& c : in.columns())
        if (!c.operations.copyable) refuse(c.component);
    for (const side_set* const side : sides_)
        if (side->contains(index_of(e)) && side->info().size != 0 && !side->info().operations.copyable)
            refuse(side->word);
}

entity store::clone(entity e) {
    if (!is_still()) [[unlikely]]
        return clone_later(e);
    return as_one([&] { return clone_row(e, {}); });
}

/// A copy in limbo, which is of the entity as it is when the observers have been told.
entity store::clone_later(entity e) {
    if (!entities_->alive(e)) refuse_access(e, {}, "components");
    return spawn_later([e](store& in, entity copy) { in.clone_row(e, copy); });
}

/// The copy is in limbo, or null: then it is made.
entity store::clone_row(entity e, entity copy) {
    if (!locate(e)) refuse_access(e, {}, "components");
    require_copyable(e, *locate(e).block->owner);
    copy = clone_values(e, copy);
    try {
        for (const id word : ruled_words_of(e)) add_like(copy, word, e, word);
    } catch (...) {
        end_together({copy});
        throw;
    }
    return copy;
}

/// The same for what follows no rules, and can be copied: no names, properties, pairs.
entity store::clone_values(entity e, entity copy) {
    table& from = *locate(e).block->owner;
    std::vector<id> plain;
    std::ranges::copy_if(from.type(), std::back_inserter(plain), [&](id word) {
        return word.is_entity() && word != id(registered<name>()) &&
               !rules_of(word).any_of(rule::non_fragmenting, rule::property,
                                      rule::singleton); // A pair's value.
    });
    table& to = table_of(plain);
    if (from.togglable() && !to.togglable()) make_togglable(to);
    const auto construct = [&](row_ref at) { copy_row(locate(e), at); };
    if (copy)
        materialize(copy, to, construct);
    else
        copy = spawn_in(to, construct);
    try {
        if (from.togglable()) from.copy_toggles(locate(e), locate(copy));
        copy_sides(e, copy);
    } catch (...) {
        despawn(copy);
        throw;
    }
    return copy;
}

/// Properties and pairs that the entity itself has: they are added as anybody would, so that the rules hold
/// for who gets them, too.
std::vector<id> store::ruled_words_of(entity e) const {
    std::vector<id> words = words_of(e);
    std::erase_if(words, [&](id word) { return word.is_entity() && !rules_of(word).any_of(rule::property); });
    return words;
}

/// Adds an identifier, with a copy of the value that the other entity has under another one. A partner stays
/// with whom it has.
void store::add_like(entity e, id word, entity other, id had) {
    if (parts_others(e, word)) return;
    const std::byte* const value = own_value(locate(other), had);
    value ? set(e, word, value) : add(e, word);
}

/// Copies values to a row that has none; those made so far end again when one throws.
void store::copy_row(row_ref from, row_ref to) const {
    const std::span<const column> columns = to.block->owner->columns();
    std::size_t made = 0;
    try {
        for (; made < columns.size(); ++made)
            columns[made].copy(columns[made].value(to), value_at(from, columns[made].component));
    } catch (...) {
        while (made-- > 0) columns[made].destroy(columns[made].value(to));
        throw;
    }
}

void store::copy_sides(entity from, entity to) {
    for (side_set* const side : sides_) {
        const std::uint32_t index = index_of(from);
        if (!side->contains(index)) continue;
        add_aside(to, *side, [&](std::byte* place) {
            if (side->info().size != 0) column_like(side->info()).copy(place, side->find(index));
        });
        if (!side->enabled(index)) side->set_enabled(index_of(to), false);
    }
}

} // namespace ecs
