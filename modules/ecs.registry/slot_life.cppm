// SPDX-License-Identifier: MIT
// The two steps of a shared slot: the store at which an identifier comes to life, and the exchange at which
// it dies. Everything else in the concurrent registry moves indices between places.
//
//   0 or free ----issue: store----> live ----end: exchange----> free, or retired
//
// Threads: issue by whoever holds the index alone; end by anybody, exactly one wins; status is wait-free.
export module ecs.registry:slot_life;
import ecs.std;
import ecs.id;
import :atomics;
import :local_handle;
import :policy;
import :pool_ground;
import :slot_pages;
import :status;

namespace ecs {

template <class Parts> struct slot_life {
    using word = typename Parts::word;
    using state = typename Parts::state;
    using order = typename Parts::order;
    using pages = typename Parts::pages;
    using slot_type = typename Parts::slot_type;
    using id_type = basic_id<typename Parts::layout>;

    static constexpr spent_index when_spent = Parts::exhaustion::when_spent;

    static constexpr std::uint64_t index_of(id_type id) noexcept { return state::index_of(id.value()); }

    // Issue.

    static id_type issue(const pages& slots, word id) noexcept {
        slots.at(state::index_of(id)).word.store(id, order::slot_create); // Pairs with slot_read_*.
        return id_type::assume_word(id);
    }

    static void issue_all(const pages& slots, std::span<const id_type> ids) noexcept {
        while (!ids.empty()) ids = ids.subspan(issue_run(slots, ids));
    }

    /// Brings the identifiers to life that lie side by side in one page, from the first on; says how many.
    static std::size_t issue_run(const pages& slots, std::span<const id_type> ids) noexcept {
        const std::uint64_t first = index_of(ids.front());
        const std::size_t most = std::min<std::uint64_t>(ids.size(), pages::left_in_page(first));
        slot_type* slot = &slots.at(first);
        word next = ids.front().value();
        std::size_t n = 0;
        for (; n < most && ids[n].value() == next; ++n, ++slot, next = state::beside(next))
            slot->word.store(next, order::slot_create_run); // Pairs with slot_read_*.
        return n;
    }

    // End.

    /// From an identifier to what its slot holds after it; false when it was not live.
    template <destroys Destroys> static bool end(const pages& slots, id_type id, word after) noexcept {
        slot_type* slot = slots.find(index_of(id));
        if (!slot) return false;
        word found = id.value();
        if constexpr (Destroys == destroys::beside_others) // Pairs with slot_create* and slot_read_*.
            return slot->word.compare_exchange_strong(found, after, order::slot_destroy,
                                                      std::memory_order_relaxed);
        // Relaxed: the caller has synchronised with the creator, and nobody else destroys.
        if (slot->word.load(std::memory_order_relaxed) != found) return false;
        slot->word.store(after, order::slot_destroy_alone); // Pairs with slot_read_*.
        return true;
    }

    /// The same for an identifier of the last generation: its index is spent, or as good as new.
    template <destroys Destroys> static bool end_last(const pages& slots, id_type id) noexcept {
        const std::uint64_t index = index_of(id);
        if constexpr (when_spent == spent_index::fatal)
            if (status(slots, id.value()) == id_status::live) trap_spent_index(index);
        const bool is_new = when_spent == spent_index::reused;
        return end<Destroys>(slots, id, is_new ? state::never_issued : state::retired(index));
    }

    // Ask.

    /// The status of an identifier of the layout and the world.
    static id_status status(const pages& slots, word id) noexcept {
        const std::uint64_t index = state::index_of(id);
        const word bits =
            slots.read(index, order::slot_read_status); // Pairs with slot_create*, slot_destroy*.
        if (bits == id) return id_status::live;
        if (!state::is_live(bits, index) && !state::is_free(bits, index)) return id_status::retired;
        const std::uint64_t last_used = state::next_generation(bits) - (state::is_live(bits, index) ? 0 : 1);
        return state::generation_of(id) <= last_used ? id_status::stale : id_status::never_issued;
    }
};

} // namespace ecs
