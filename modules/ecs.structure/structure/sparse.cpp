// SPDX-License-Identifier: MIT
// Operations on components that are kept outside tables.
module ecs.structure;
import ecs.std;
import ecs.storage;

namespace ecs {

namespace {

/// A value that cannot be moved. It is made in its slot before the entity has it, and ends unless the entity
/// gets it. Nothing else takes the slot meanwhile: what comes along is of other components.
class value_in_slot {
  public:
    value_in_slot(sparse_set& in, std::uint32_t index, value_constructor construct)
        : destroy_(in.info().operations.destroy), made_(in.reserve(index)) {
        construct(made_);
    }
    value_in_slot(const value_in_slot&) = delete;
    value_in_slot& operator=(const value_in_slot&) = delete;
    ~value_in_slot() {
        if (made_ && destroy_) destroy_(made_);
    }
    void keep() noexcept { made_ = nullptr; }

  private:
    void (*destroy_)(void* value) noexcept;
    std::byte* made_; ///< Null: the entity has it.
};

} // namespace

/// Something that a base has has changed, and with it what its instances have.
void structure::note_sparse_change(entity e) { outdate_heirs(*rows_.locate(e).block->owner); }

add_result structure::add_sparse(entity e, sparse_set& sparse, value_constructor construct, bool sets,
                                 bool hidden) {
    if (!sparse.constrained) [[likely]] {
        place_sparse(e, sparse, construct, sets, hidden);
        return add_result::added;
    }
    // The value may be made from what moves when other things come along.
    if (!sparse.info().operations.movable) {
        value_in_slot made(sparse, index_of(e), construct);
        return add_constrained(e, sparse, [&](std::byte*) noexcept { made.keep(); }, sets, hidden);
    }
    value_buffer made(sparse.info(), construct);
    return add_constrained(e, sparse, [&](std::byte* to) { made.move_to(to); }, sets, hidden);
}

add_result structure::add_constrained(entity e, sparse_set& sparse, value_constructor construct, bool sets,
                                      bool hidden) {
    return events_.as_one_occasion([&] { // Changes that observers ask for meanwhile are made after all of it.
        const add_result result = prepare_add(e, sparse.word);
        if (succeeded(result)) place_sparse(e, sparse, construct, sets, hidden);
        return succeeded(result) ? add_result::added : result;
    });
}

void structure::place_untold(entity e, sparse_set& sparse, value_constructor construct, bool hidden) {
    if (sparse.tracked) events_.reserve_ticks(e);
    sparse.place(e, construct, hidden);
    if (rows_.has_bases()) [[unlikely]]
        note_sparse_change(e);
}

/// Instances learn of it before observers, which may end the entity.
void structure::place_sparse(entity e, sparse_set& sparse, value_constructor construct, bool sets,
                             bool hidden) {
    place_untold(e, sparse, construct, hidden);
    if (sparse.tracked) [[unlikely]]
        events_.announce_sparse(e, sparse, sets, hidden);
}

bool structure::places_and_tells(entity e, id component, std::span<const std::byte> value) {
    sparse_set* const set = rows_.free_set(component);
    const told_steps* const told = set && rows_.has_row(e) ? events_.steps_to_tell(e, *set) : nullptr;
    if (!told || set->contains(index_of(e))) return false;
    std::byte* const to = set->reserve(index_of(e));
    copy_bytes(to, value.data(), value.size());
    set->commit(e);
    events_.tell_arrival(*told, e, to, true);
    return true;
}

/// An instance begins with a copy of what its nearest base has, which counts as set.
add_result structure::add_default_sparse(entity e, sparse_set& sparse) {
    if (sparse.contains(index_of(e))) return add_result::already_there;
    const component_info& info = sparse.info();
    const entity from = info.operations.copyable && info.size != 0 ? reads_.sparse_base(e, sparse) : entity{};
    if (from) {
        const auto copy = [&](std::byte* to) {
            column_like(sparse.word, info).copy(to, sparse.find(index_of(from)));
        };
        return add_sparse(e, sparse, copy);
    }
    if (!info.operations.constructible && info.size != 0) return add_result::not_constructible;
    const auto construct = [&](std::byte* to) { // Which is reserved.
        const store::write_lock holding(rows_);
        if (info.size != 0) column_like(sparse.word, info).construct(to);
    };
    return add_sparse(e, sparse, construct, false);
}

/// A value that is there stays in its place, if it can be moved: the copy is made first, and cannot fail to
/// move there.
add_result structure::set_sparse_copy(entity e, sparse_set& sparse, const void* value) {
    const component_info& info = sparse.info();
    if (info.size == 0) return add_result::no_value;
    if (!info.operations.copyable) return add_result::not_copyable;
    const auto copy = [&](std::byte* to) { column_like(sparse.word, info).copy(to, value); };
    if (!sparse.contains(index_of(e))) return add_sparse(e, sparse, copy);
    value_write writing(events_, e, {&sparse.word, 1});
    if (info.operations.movable) {
        value_buffer fresh(info, copy);
        fresh.replace(sparse.find(index_of(e)));
    } else {
        sparse.replace(index_of(e), copy);
    }
    writing.tell();
    return add_result::already_there;
}

add_result structure::remove_sparse(entity e, sparse_set& sparse) {
    if (!sparse.contains(index_of(e))) return add_result::not_there;
    if (!sparse.tracked) [[likely]]
        erase_sparse(e, sparse);
    else if (!erases_and_tells(e, sparse))
        events_.as_one([&] { remove_tracked(e, sparse); });
    return add_result::removed;
}

bool structure::erases_and_tells(entity e, sparse_set& sparse) {
    const told_steps* const told = events_.steps_to_tell(e, sparse);
    if (!told) return false;
    change_queue::open_change whole(events_.queue(), events_);
    events_.tell_departure(*told, e, sparse.value_of(index_of(e)));
    erase_sparse(e, sparse);
    whole.close();
    return true;
}

bool structure::erases_and_tells(entity e, id component) {
    sparse_set* const set = rows_.free_set(component);
    return set && set->tracked && rows_.has_row(e) && set->contains(index_of(e)) && erases_and_tells(e, *set);
}

void structure::erase_sparse(entity e, sparse_set& sparse) {
    sparse.erase(index_of(e));
    if (rows_.has_bases()) [[unlikely]]
        note_sparse_change(e);
}

void structure::remove_tracked(entity e, sparse_set& sparse) {
    if (change_ticks* const ticks = events_.ticks_of(sparse.word)) {
        const bool inherits = static_cast<bool>(reads_.sparse_base(e, sparse));
        ticks->remove(index_of(e), events_.now());
        if (inherits) ticks->change(index_of(e), events_.now()); // Now the entity sees the base's value.
    }
    if (events_.has_observers()) events_.begin_occasion();
    if (events_.has_observers()) events_.announce(event::removed, e, sparse.word);
    erase_sparse(e, sparse);
    if (events_.has_observers()) events_.announce_match(event::matching, e, sparse.word);
}

} // namespace ecs
