// SPDX-License-Identifier: MIT
// Operations on components that are kept outside tables.
module ecs.structure;
import ecs.std;
import ecs.storage;
import :structure;

namespace ecs {

/// What a base has has changed, and with it what its instances have.
void structure::note_aside(entity e) {
    if (rows_.locate(e).block->owner->inherited) rows_.note_new_meaning();
}

/// An instance begins with a copy of what its nearest base has.
add_result structure::add_default_aside(entity e, side_set& side) {
    if (side.contains(index_of(e))) return add_result::already_there;
    const component_info& info = side.info();
    const entity from = info.operations.copyable && info.size != 0 ? ask_.base_aside(e, side) : entity{};
    if (from) {
        const auto copy = [&](std::byte* to) {
            column_like(side.word, info).copy(to, side.find(index_of(from)));
        };
        return add_aside(e, side, copy, false);
    }
    if (!info.operations.constructible && info.size != 0) return add_result::not_constructible;
    const auto construct = [&](std::byte* to) {
        if (info.size != 0) column_like(side.word, info).construct(to);
    };
    return add_aside(e, side, construct, false);
}

/// A value that is there stays in its place, if it can be moved: the copy is made first, and cannot fail to
/// move there.
add_result structure::set_copy_aside(entity e, side_set& side, const void* value) {
    const component_info& info = side.info();
    if (info.size == 0) return add_result::no_value;
    if (!info.operations.copyable) return add_result::not_copyable;
    const auto copy = [&](std::byte* to) { column_like(side.word, info).copy(to, value); };
    if (!side.contains(index_of(e))) return add_aside(e, side, copy);
    if (info.operations.movable) {
        loose_value fresh(info, copy);
        std::byte* const present = side.find(index_of(e));
        column_like(side.word, info).destroy(present);
        fresh.move_to(present);
    } else {
        side.replace(index_of(e), copy);
    }
    if (notices_.is_attended()) notices_.written(e, side.word);
    return add_result::already_there;
}

add_result structure::remove_aside(entity e, side_set& side) {
    if (!side.contains(index_of(e))) return add_result::not_there;
    if (!side.watched) [[likely]]
        side.erase(index_of(e));
    else
        notices_.as_one([&] { remove_watched(e, side); });
    if (rows_.has_bases()) [[unlikely]]
        note_aside(e);
    return add_result::removed;
}

void structure::remove_watched(entity e, side_set& side) {
    if (stamp_book* const book = notices_.stamps_of(side.word)) {
        const bool inherits = static_cast<bool>(ask_.base_aside(e, side));
        book->remove(index_of(e), notices_.now());
        if (inherits) book->change(index_of(e), notices_.now()); // Now it sees the base's.
    }
    if (notices_.has_observers()) notices_.begin_occasion();
    if (notices_.has_observers()) notices_.announce(event::removed, e, side.word);
    side.erase(index_of(e));
    if (notices_.has_observers()) notices_.announce_match(event::matching, e, side.word);
}

} // namespace ecs
