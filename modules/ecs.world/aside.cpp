// SPDX-License-Identifier: MIT
// Operations on components that are kept outside tables.
module ecs.world;
import ecs.std;
import :edit;
import :store;

namespace ecs {

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
add_result store::set_copy_aside(entity e, side_set& side, const void* value) {
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
    if (stamp_book* const book = stamps_of(side.word)) {
        const bool inherits = static_cast<bool>(base_aside(e, side));
        book->remove(index_of(e), now());
        if (inherits) book->change(index_of(e), now()); // Now it sees the base's.
    }
    if (observers_) observers_->changes.begin_occasion();
    if (observers_) announce(event::removed, e, side.word);
    side.erase(index_of(e));
    if (observers_) announce_match(event::matching, e, side.word);
}

} // namespace ecs
