// SPDX-License-Identifier: MIT
// How a concurrent registry creates and destroys: through a lane of the pool that issues the index, whichever
// thread entered it. Handles bring a lane of their own; a call without a handle gets a shared lane while it
// runs. Handles and registry both come here, so that there is one place to check what may be changed.
export module ecs.registry:concurrent_core;
import ecs.std;
import ecs.id;
import :atomics;
import :errors;
import :identity;
import :index_counts;
import :local_handle;
import :policy;
import :pool_ground;
import :pool_map;
import :slot_life;
import :status;

namespace ecs {

template <class Parts, class Partitions> class concurrent_core {
    using word = typename Parts::word;
    using state = typename Parts::state;
    using layout = typename Parts::layout;

  public:
    using pools_type = pool_map<Parts, Partitions>;
    using pool_type = typename pools_type::pool_type;
    using lane_type = typename Parts::lane_type;
    using life = slot_life<Parts>;
    using id_type = typename life::id_type;

    explicit concurrent_core(word stamp) : ground(stamp), pools(ground) {}

    pool_ground<Parts> ground;
    pools_type pools;

    // Create.

    /// Returns null when nothing is left. Throws std::bad_alloc when a page is needed and there is no memory
    /// for it.
    id_type create_in(pool_type& pool, lane_type& lane) {
        std::uint32_t count = lane.ready.count();
        if (count == 0) [[unlikely]] {
            if (!pool.refill(lane)) return {};
            count = lane.ready.count();
        }
        return life::issue(ground.pages, lane.take(count));
    }

    /// Fills the front of the span with as many as can be had. Throws std::bad_alloc when not even the first
    /// could be.
    std::size_t fill_front_in(pool_type& pool, lane_type& lane, std::span<id_type> out) {
        std::size_t drawn = 0;
        try {
            draw(pool, lane, out, drawn);
        } catch (const std::bad_alloc&) {
            if (drawn == 0) throw;
        }
        life::issue_all(ground.pages, out.first(drawn));
        return drawn;
    }

    /// Fills the whole span, or nothing, and then what had been filled holds null. Throws std::bad_alloc, and
    /// then nothing is filled, too.
    bool fill_in(pool_type& pool, lane_type& lane, std::span<id_type> out) {
        std::size_t drawn = 0;
        try {
            draw(pool, lane, out, drawn);
        } catch (const std::bad_alloc&) {
            put_back(pool, lane, out.first(drawn));
            throw;
        }
        if (drawn != out.size()) {
            put_back(pool, lane, out.first(drawn));
            return false;
        }
        life::issue_all(ground.pages, out);
        return true;
    }

    // Destroy.

    template <destroys Destroys, reuse Reuse> bool destroy_in(pool_type& pool, lane_type& lane, id_type id) {
        if (state::is_last(id.value())) [[unlikely]]
            return destroy_last<Destroys, Reuse>(pool, lane, id);
        const word next = state::next_use(id.value());
        if (!life::template end<Destroys>(ground.pages, id, state::free_slot(next))) return false;
        keep_for_later<Reuse>(pool, lane, next);
        return true;
    }

    /// Destroys through a lane of the pool to which the index belongs.
    template <destroys Destroys, reuse Reuse> bool destroy_elsewhere(id_type id) {
        pool_type* pool = pools.find(life::index_of(id));
        if (!pool || !pools.allows(*pool)) return false;
        return with_lane(*pool, [&](lane_type& lane) {
            const bool ended = destroy_in<Destroys, Reuse>(*pool, lane, id);
            if constexpr (Reuse == reuse::after_release) pool->flush_held(lane);
            return ended;
        });
    }

    // Without a handle.

    id_type create_through_lane(pool_type& pool) {
        if (!pools.allows(pool)) return {};
        return with_lane(pool, [&](lane_type& lane) { return create_in(pool, lane); });
    }

    /// Calls the action with a lane of the pool that no other thread is in.
    auto with_lane(pool_type& pool, const auto& action) {
        const typename pool_type::visit here(pool);
        return action(here.lane());
    }

    // Ask.

    /// Calls visit(id) for every identifier of the pool that is seen alive, in order of index.
    void for_each_live(const pool_type& pool, auto& visit) const {
        for_each_word(pool, [&](std::uint64_t index, word bits) {
            if (state::is_live(bits, index)) visit(id_type::assume_word(bits));
        });
    }

    /// Calls visit(id) for every index of the pool that has been used, with its last identifier.
    void for_each_used(const pool_type& pool, auto& visit) const {
        for_each_word(pool, [&](std::uint64_t index, word bits) {
            if (const word last = state::last_use(bits, index))
                visit(id_type::assume_word(static_cast<word>(last | ground.stamp)));
        });
    }

    /// Counts the indices. Looks at every index once, so that none counts twice, whatever other threads do
    /// meanwhile.
    [[nodiscard]] index_counts counts(const pool_type& pool) const noexcept {
        index_counts sum{.capacity = pool.capacity()};
        pools.for_each_used(pool, pool.unused(), [&](std::uint64_t index, const auto& slot) {
            const word bits = slot.word.load(std::memory_order_relaxed); // Relaxed: a number.
            if (bits == state::never_issued) return;
            ++(state::is_live(bits, index) ? sum.live : state::is_free(bits, index) ? sum.free : sum.retired);
        });
        constexpr std::uint64_t held_back = Parts::exhaustion::minimum_free;
        sum.remaining = sum.untouched() + sum.free - std::min(sum.free, held_back);
        return sum;
    }

    // Refuse.

    /// The status where only one pool may be changed, or every pool that the registry allows.
    [[nodiscard]] id_status status_within(id_type id, const pool_type* only) const noexcept {
        const word bits = id.value();
        if (const id_status origin = identity<layout>::origin_of(bits, ground.stamp);
            origin != id_status::live)
            return origin;
        const pool_type* pool = pools.find(life::index_of(id));
        if (!pool || !pools.allows(*pool) || (only && only != pool)) return id_status::out_of_partition;
        return life::status(ground.pages, bits);
    }

    /// Throws. Other threads may keep what is free, so that fewer are left than were wanted.
    [[noreturn, gnu::noinline, gnu::cold]] void refuse(const pool_type& pool, std::size_t wanted = 1) const {
        if (!pools.allows(pool)) refuse_restricted(pool, *pools.allowed, "the registry");
        const std::uint64_t free = pool.free_count();
        constexpr std::uint64_t held_back = Parts::exhaustion::minimum_free;
        const std::uint64_t usable = free - std::min(free, held_back);
        throw exhausted_error(pools.title_of(pool),
                              {.capacity = pool.capacity(),
                               .live = pool.live_count(),
                               .free = free,
                               .retired = pool.retired_count(),
                               .remaining = std::min<std::uint64_t>(wanted - 1, usable)},
                              wanted, usable >= wanted);
    }

    [[noreturn, gnu::noinline, gnu::cold]] void
    refuse_restricted(const pool_type& pool, const pool_type& allowed, std::string_view who) const {
        throw restricted_error(pools.title_of(pool), pools.title_of(allowed), who);
    }

    // Exclusive.

    /// Ends everything that lives in the pool, and starts its walk again.
    void clear(pool_type& pool) {
        std::uint64_t used_end = 0;
        pools.for_each_used(pool, pool.unwalked(), [&](std::uint64_t index, auto& slot) {
            clear_slot(pool, index, slot);
            ground.pages.forget_claim(index);
            used_end = index + 1;
        });
        pool.restart(used_end);
    }

    /// Whether a handle has quarantined the index.
    [[nodiscard]] bool is_quarantined(std::uint64_t index) const noexcept {
        return pools.find(index)->holds_any({index, index});
    }

    /// Brings an identifier to life whose index no other one uses: its status is never_issued, and its index
    /// is neither in use nor quarantined. Throws std::bad_alloc, and has changed nothing then.
    void claim(id_type id) {
        const std::uint64_t index = life::index_of(id);
        pool_type& pool = *pools.find(index);
        pool.ensure(index);
        const bool waits = index < pool.unwalked() || ground.pages.run_from(index).claimed & 1;
        life::issue(ground.pages, id.value());
        if (waits)
            pool.withdraw(index);
        else
            ground.pages.set_claimed(index);
        pool.count_claimed();
    }

  private:
    /// Calls visit(index, word) for the slot of every index that may have been used, in order of index.
    void for_each_word(const pool_type& pool, const auto& visit) const {
        pools.for_each_used(pool, pool.unused(), [&](std::uint64_t index, const auto& slot) {
            visit(index, slot.word.load(Parts::order::slot_read_visit)); // Pairs with slot_create, as alive.
        });
    }

    /// Fills the span with identifiers that are not live yet; `drawn`, from 0 on, says how many there are,
    /// also when std::bad_alloc is thrown.
    void draw(pool_type& pool, lane_type& lane, std::span<id_type> out, std::size_t& drawn) {
        const auto giving = [&] {
            return [to = out.data() + drawn](std::uint32_t n, word id) { to[n] = id_type::assume_word(id); };
        };
        for (;;) {
            drawn += lane.take_many(out.size() - drawn, giving());
            while (out.size() - drawn >= pool.batch()) {
                const std::uint32_t block = pool.draw_block(lane, giving());
                if (block == 0) break;
                drawn += block;
            }
            if (drawn == out.size() || !pool.refill(lane)) return;
        }
    }

    /// Keeps identifiers that were drawn and are not needed; the span holds null identifiers then.
    static void put_back(pool_type& pool, lane_type& lane, std::span<id_type> drawn) noexcept {
        for (const id_type id : drawn) pool.put_back(lane, id.value());
        std::ranges::fill(drawn, id_type{});
    }

    /// Kept out of line, because it happens seldom, so that the rest of destroy needs few registers.
    template <destroys Destroys, reuse Reuse>
    [[gnu::noinline, gnu::cold]] bool destroy_last(pool_type& pool, lane_type& lane, id_type id) {
        if (!life::template end_last<Destroys>(ground.pages, id)) return false;
        if constexpr (life::when_spent == spent_index::reused)
            keep_for_later<Reuse>(pool, lane, state::first_use(id.value()));
        else
            pool.retire(lane);
        return true;
    }

    template <reuse Reuse> static void keep_for_later(pool_type& pool, lane_type& lane, word id) noexcept {
        if constexpr (Reuse == reuse::at_once)
            pool.keep(lane, id);
        else
            pool.keep_quarantined(lane, id);
    }

    void clear_slot(pool_type& pool, std::uint64_t index, auto& slot) {
        const word bits = slot.word.load(std::memory_order_relaxed); // Relaxed: exclusive.
        if (!state::is_live(bits, index)) return;
        const id_type id = id_type::assume_word(bits);
        if (!state::is_last(bits)) {
            life::template end<destroys::alone>(ground.pages, id, state::free_slot(state::next_use(bits)));
            return;
        }
        life::template end_last<destroys::alone>(ground.pages, id);
        if constexpr (life::when_spent != spent_index::reused) pool.count_retired();
    }
};

} // namespace ecs
