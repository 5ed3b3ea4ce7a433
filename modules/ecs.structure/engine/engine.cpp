// SPDX-License-Identifier: MIT
// The short paths of the engine: what is a matter of rows ends here, all else on an upper floor.
module ecs.structure;
import ecs.std;

namespace ecs {

engine::engine(const id_space& space) : rows_(space) { types_.bootstrap(); }

engine::engine(store::replica_tag tag, std::uint8_t world) : rows_(tag, world) {}

engine::~engine() { rows_.end_values(); }

namespace {

/// Keeps the register that clang may address the frame of a caller by. The calling convention of these
/// functions does not save it, and clang 19 forgets that in callers (fault base_pointer).
class base_pointer_guard {
  public:
#if __has_cpp_attribute(clang::preserve_none) && defined(__x86_64__)
    [[gnu::always_inline]] inline base_pointer_guard() { asm volatile("" : "=b"(kept_)); }
    [[gnu::always_inline]] inline ~base_pointer_guard() { asm volatile("" : : "b"(kept_)); }
    base_pointer_guard(const base_pointer_guard&) = delete;
    base_pointer_guard& operator=(const base_pointer_guard&) = delete;

  private:
    std::uint64_t kept_;
#endif
};

} // namespace

add_result engine::later(entity e, const component_info& info, value_constructor make,
                         change_with_value change) {
    return gate_.later(e, [this, e, change, kept = std::make_unique<value_buffer>(info, make)] {
        change(*this, e, kept->get());
    });
}

row_ref engine::move(row_ref from, const move_plan& along, row_constructor construct,
                     const given_values& given) {
    return core_.move(from, along, construct, given);
}

// The functions that programs call thousands of times call no function when only words have to be moved, so
// that they save no registers for a call.

std::byte* engine::move_for(entity e, std::uint64_t slot, id component, std::size_t size) {
    [[maybe_unused]] const base_pointer_guard guard;
    if (std::byte * value{}; rows_.moves_words_for(e, slot, component, size, value)) [[likely]]
        return value;
    return move_bytes_for(e, slot, component);
}

std::byte* engine::move_bytes_for(entity e, std::uint64_t slot, id component) {
    const row_ref at = rows_.row_behind(slot, e);
    const move_plan* const along = trivial_edge(edge_kind::adding, at, component);
    if (!along) return nullptr;
    const row_ref there = along->to->next_row();
    rows_.give_row(at, *along);
    return along->added.front()->value(there);
}

add_result engine::add(entity e, id word) {
    [[maybe_unused]] const base_pointer_guard guard;
    if (rows_.moves_words(edge_kind::adding, e, word)) [[likely]]
        return add_result::added;
    return add_slowly(e, word);
}

add_result engine::remove(entity e, id word) {
    [[maybe_unused]] const base_pointer_guard guard;
    if (rows_.moves_words(edge_kind::removing, e, word)) [[likely]]
        return add_result::removed;
    return remove_slowly(e, word);
}

add_result engine::remove_outside(entity e, id component) {
    if (rows_.is_unlocked() && core_.erases_and_tells(e, component)) return add_result::removed;
    return gate_.remove(e, component);
}

add_result engine::add_slowly(entity e, id word) {
    const row_ref at = rows_.locate(e);
    const move_plan* const along = known_edge(edge_kind::adding, at, word);
    if (along && along->told && core_.moves_and_tells(*along, at, {})) return add_result::added;
    if (!along || !along->trivial || !along->to->has_room() || !along->added.empty())
        return gate_.add(e, word);
    rows_.give_row(at, *along);
    return add_result::added;
}

add_result engine::remove_slowly(entity e, id word) {
    const row_ref at = rows_.locate(e);
    const move_plan* const along =
        at && gate_.is_open() ? at.block->owner->edges.find_again(edge_kind::removing, word) : nullptr;
    if (!along) return gate_.remove(e, word);
    if (along->told && core_.moves_and_tells(*along, at, {})) return add_result::removed;
    move(at, *along, [](row_ref) noexcept {});
    return add_result::removed;
}

add_result engine::despawn(entity e) {
    [[maybe_unused]] const base_pointer_guard guard;
    if (events_.tracked().empty() && rows_.ends_words(e)) [[likely]]
        return add_result::removed;
    return despawn_slowly(e);
}

add_result engine::set_enabled(entity e, id word, bool enabled) {
    bool changes{};
    if (!events_.has_observers() && rows_.toggles(e, word, !enabled, changes)) [[likely]]
        return structure::toggled(changes, enabled);
    return set_enabled_slowly(e, word, enabled);
}

add_result engine::despawn_slowly(entity e) {
    const row_ref at = rows_.locate(e);
    if (!at || !gate_.is_open() || !rows_.has_no_references(e, at)) [[unlikely]]
        return gate_.despawn(e);
    events_.end_ticks(e);
    at.is_rowless() ? rows_.end_rowless(e) : rows_.end_row(at);
    rows_.entities().destroy(e);
    return add_result::removed;
}

add_result engine::set_enabled_slowly(entity e, id word, bool enabled) {
    const row_ref at = rows_.locate(e);
    if (!at || !word.is_entity() || events_.has_observers() || !at.block->owner->togglable()) [[unlikely]]
        return gate_.set_enabled(e, word, enabled);
    table& in = *at.block->owner;
    const std::uint32_t position = in.position_of(rows_.entities().resolve(word.as_entity()));
    if (position == table::absent || reads_.is_of_pair(at, word)) [[unlikely]]
        return gate_.set_enabled(e, word, enabled);
    in.note_toggled(word, position);
    return structure::toggled(in.set_disabled(position, at, !enabled), enabled);
}

namespace {

/// Calls bulk for the entities that are left. Where that does nothing for the first of them, calls one for
/// that entity alone.
std::size_t count_done(notifier& events, std::span<const entity> all, const auto& bulk, const auto& one) {
    auto series = events.series();
    std::size_t done = 0;
    while (!all.empty()) {
        std::size_t together = bulk(all);
        done += together;
        if (together == 0) {
            done += succeeded(one(all.front()));
            together = 1;
        }
        all = all.subspan(together);
    }
    series.finish();
    return done;
}

} // namespace

/// Where there is no memory to move many, to move them one by one reports it.
std::size_t engine::move_some(edge_kind kind, entity_list all, id word) try {
    const move_plan* const along = gate_.is_open() ? core_.plan_of_many(kind, all[0], word) : nullptr;
    return along ? move_in_bulk(rows_, *along, all) : 0;
} catch (const std::bad_alloc&) {
    return 0;
}

std::size_t engine::add(std::span<const entity> all, id word) {
    word = rows_.resolve(word);
    const auto bulk = [&](std::span<const entity> some) {
        return move_some(edge_kind::adding, entity_list::of(some), word);
    };
    return count_done(events_, all, bulk, [&](entity e) { return add(e, word); });
}

std::size_t engine::remove(std::span<const entity> all, id word) {
    word = rows_.resolve(word);
    const auto bulk = [&](std::span<const entity> some) {
        return move_some(edge_kind::removing, entity_list::of(some), word);
    };
    return count_done(events_, all, bulk, [&](entity e) { return remove(e, word); });
}

std::size_t engine::despawn_whole(table& in) {
    return gate_.is_open() && events_.tracked().empty() ? end_whole(rows_, in) : 0;
}

/// Ends entities one at a time where something is tracked: ticks are about one entity. Ends that observers
/// are told of are left to despawn as well.
std::size_t engine::despawn(std::span<const entity> all) {
    const auto bulk = [&](std::span<const entity> some) {
        return gate_.is_open() && events_.tracked().empty() ? end_in_bulk(rows_, some) : 0;
    };
    return count_done(events_, all, bulk, [&](entity e) { return despawn(e); });
}

} // namespace ecs
