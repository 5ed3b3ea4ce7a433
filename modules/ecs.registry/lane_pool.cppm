// SPDX-License-Identifier: MIT
// A pool issues the indices first to last: of a partition, of a range, or of the whole space.
//
//                 +---- depot ----+   spill, refill          +--------+    create, destroy
//   [first ....   | full   loose  |  <------------------->   |  lane  |  <----------------> a thread
//    cursor ..->  | held  waiting |     a batch at a time    +--------+
//          last]  +---------------+                          one for each live handle, and a few
//      |  walk: a block at a time      ^                     that threads without a handle share
//      +-------------------------------+
//
// Every index at or below the cursor is in exactly one place: live, retired, in one lane, in one node, or in
// one thread's hands. Indices beyond the cursor belong to the walk, except those that were claimed.
//
// Threads: everything by any thread at once, each with a lane it has entered, except where a function says
// "exclusive": no other thread may then be inside the registry or any of its handles.
export module ecs.registry:lane_pool;
import ecs.std;
import ecs.id;
import :atomics;
import :depot;
import :index_walk;
import :lane;
import :lane_list;
import :pool_depot;
import :pool_ground;
import :turn_walk;

namespace ecs {

/// In which order a pool hands out indices that nobody has had.
template <class Parts> struct walk_of {
    using type = index_walk<Parts>;
};
template <class Parts>
    requires Parts::takes_turns
struct walk_of<Parts> {
    using type = turn_walk<Parts>;
};

template <class Parts> class lane_pool {
    using word = typename Parts::word;
    using state = typename Parts::state;

  public:
    using lane_type = typename Parts::lane_type;
    using walk_type = typename walk_of<Parts>::type;

    lane_pool(pool_ground<Parts>& ground, index_run indices)
        : ground_(ground), walk_(ground, indices), depot_(ground, walk_), lane_limit_(2 * walk_.batch) {}
    lane_pool(const lane_pool&) = delete;
    lane_pool& operator=(const lane_pool&) = delete;

    /// The indices that the pool issues, except those that were carved out.
    [[nodiscard]] const index_run& run() const noexcept { return walk_.run; }

    [[nodiscard]] walk_type& walk() noexcept { return walk_; }
    [[nodiscard]] const walk_type& walk() const noexcept { return walk_; }

    /// How many identifiers move between a lane and the rest at once.
    [[nodiscard]] std::uint32_t batch() const noexcept { return walk_.batch; }

    /// Whether the index is one of this pool's.
    [[nodiscard]] bool issues(std::uint64_t index) const noexcept {
        return walk_.run.contains(index) && !walk_.carved(index);
    }

    /// The same as a quick look, which may say no where ranges were carved out.
    [[nodiscard]] bool surely_issues(std::uint64_t index) const noexcept { return walk_.surely_has(index); }

    // Lanes.

    /// A lane of the caller's own, which leaves it flushed. Throws std::bad_alloc. Lock-free.
    [[nodiscard]] lane_type& enter_own() {
        return lanes_.enter_own([&](std::uint32_t group) { depot_.ensure_for_lanes(group); });
    }
    void leave_own(lane_type& l) noexcept {
        flush(l);
        lanes_.leave_own(l);
    }

    /// A lane for one operation of a thread that has none: a shared one that no other thread is in, else one
    /// of its own. Throws std::bad_alloc. Lock-free.
    class visit {
      public:
        explicit visit(lane_pool& pool)
            : pool_(pool), shared_(pool.lanes_.enter_shared()), own_(shared_ ? nullptr : &pool.enter_own()) {}
        visit(const visit&) = delete;
        visit& operator=(const visit&) = delete;
        ~visit() {
            if (shared_) [[likely]]
                shared_->leave();
            else
                pool_.leave_as_guest(*own_);
        }

        [[nodiscard]] lane_type& lane() const noexcept { return shared_ ? shared_->lane : *own_; }

      private:
        lane_pool& pool_;
        typename lane_list<Parts>::shared_type* shared_;
        lane_type* own_;
    };

    // Identifiers in and out of lanes.

    /// Makes the slot of the index exist, and room for it when it waits. Throws std::bad_alloc. Lock-free
    /// apart from the system's memory.
    void ensure(std::uint64_t index) {
        depot_.ensure_for(index);
        ground_.pages.ensure(index);
    }

    /// The same for all that create asks for while it issues that many of the next indices, or all that are
    /// left.
    void reserve(std::uint64_t indices) {
        walk_.for_each_block_ahead(indices, [&](std::uint64_t index) {
            ensure(index);
            depot_.ensure_for(
                std::min(index + pool_depot<Parts>::chunk_size, walk_.run.last)); // See make_nodes_ahead.
        });
    }

    /// Gives an empty lane identifiers to create from; false when none are left. Throws std::bad_alloc when a
    /// new page is needed and there is no memory for it. Lock-free.
    [[nodiscard, gnu::noinline]] bool refill(lane_type& l) {
        const auto fill = [&](std::uint64_t block) { return walk_.gather(l, block); };
        return depot_.refill(l) || go(fill) || scavenge(l);
    }

    /// Gives an empty lane identifiers that wait, as far as that is how the search looks; false when it found
    /// none. Lock-free.
    [[nodiscard]] bool refill_from_waiting(lane_type& l, look how) noexcept { return depot_.refill(l, how); }

    /// Whether no index waited a moment ago.
    [[nodiscard]] bool looks_empty() const noexcept { return depot_.looks_empty(); }

    /// Makes room for the index when it waits, whose slot exists. Throws std::bad_alloc.
    void make_room_for(std::uint64_t index) { depot_.ensure_for(index); }

    /// Gives the next block of the walk straight to the caller, through give(n, id), when nothing else waits
    /// to be used; returns how many. They count as created through the lane. Throws as refill does.
    /// Lock-free.
    std::uint32_t draw_block(lane_type& l, auto give) {
        if (!depot_.looks_empty()) return 0;
        std::uint32_t count = 0;
        go([&](std::uint64_t block) {
            count = walk_.for_each_free(block, give);
            return count != 0;
        });
        l.expect(count);
        return count;
    }

    /// Keeps an identifier, whose turn comes next, for later use.
    void keep(lane_type& l, word id) noexcept {
        if constexpr (pool_depot<Parts>::waits) {
            if (l.waiting.count() == walk_.batch) depot_.push_waiting(l);
            l.waiting.append(id);
        } else {
            const std::uint32_t count = l.ready.count();
            if (count == lane_limit_) [[unlikely]]
                return keep_in_full(l, id);
            l.put(id, count);
        }
    }

    /// Keeps an identifier that must not be used before release_held.
    void keep_quarantined(lane_type& l, word id) noexcept {
        if (l.held.count() == walk_.batch) depot_.push_held(l);
        l.held.append(id);
    }

    /// Keeps an unused identifier that the lane gave out.
    void put_back(lane_type& l, word id) noexcept {
        const std::uint32_t count = l.ready.count();
        if (count == lane_limit_) return keep_in_full(l, id);
        l.put(id, count);
    }

    /// Returns everything in the lane. Lock-free.
    void flush(lane_type& l) noexcept { depot_.flush(l); }
    /// Returns what the lane keeps in quarantine. Lock-free.
    void flush_held(lane_type& l) noexcept { depot_.push_held(l); }

    /// Lets quarantined indices be used again, through the lane. Lock-free.
    void release_held(lane_type& l) noexcept {
        depot_.release_held([&](word id) {
            l.expect(1);
            keep(l, id);
        });
    }

    /// Notes that an index was destroyed whose generations are spent.
    void retire(lane_type& l) noexcept {
        l.lose();
        count_retired();
    }

    // Counts. Exact while no thread creates or destroys, a moment's estimate otherwise.

    [[nodiscard]] std::uint64_t live_count() const noexcept {
        std::int64_t live = claimed_live_;
        lanes_.for_each([&](const lane_type& l) { live += l.live(); });
        return static_cast<std::uint64_t>(std::max<std::int64_t>(live, 0));
    }
    [[nodiscard]] std::uint64_t retired_count() const noexcept {
        return retired_.load(std::memory_order_relaxed); // Relaxed: a number.
    }

    /// Indices the pool may issue in all.
    [[nodiscard]] std::uint64_t capacity() const noexcept { return walk_.capacity(); }

    /// Indices that are neither live nor retired: never used, waiting, or kept by a handle.
    [[nodiscard]] std::uint64_t free_count() const noexcept {
        const std::uint64_t all = capacity();
        return all - std::min(all, live_count() + retired_count());
    }

    /// Every index from this one on has never left the walk, unless it was claimed. Exact while no thread
    /// creates.
    [[nodiscard]] std::uint64_t unwalked() const noexcept { return walk_.unwalked(); }
    /// The same for all walks, also earlier ones.
    [[nodiscard]] std::uint64_t unused() const noexcept { return walk_.unused(); }

    void count_retired() noexcept { retired_.fetch_add(1, std::memory_order_relaxed); } // Relaxed: a number.

    // Exclusive.

    void count_claimed() noexcept { ++claimed_live_; }

    /// Whether a handle has quarantined one of the indices.
    [[nodiscard]] bool holds_any(index_run wanted) noexcept {
        const auto is_it = [=](word id) { return wanted.contains(state::index_of(id)); };
        bool found = depot_.holds(is_it);
        lanes_.for_each([&](const lane_type& l) { found = found || l.held.contains(is_it); });
        return found;
    }

    /// Takes an index that waits out of circulation, because it is live.
    void withdraw(std::uint64_t index) noexcept {
        ground_.verify = true;
        const bool was_in_lane = forget_if([=](word id) { return state::index_of(id) == index; });
        if (!was_in_lane) depot_.count_outdated();
    }

    /// Leaves the indices of the range to another pool.
    void carve(index_run away) {
        walk_.carve(away);
        forget_if([&](word id) { return away.contains(state::index_of(id)); });
    }

    /// Forgets every identifier that waits, and starts again at the first index; those before the end have
    /// been used.
    void restart(std::uint64_t used_end) noexcept {
        depot_.restart();
        forget_if([](word) { return true; });
        lanes_.for_each([](lane_type& l) { l.forget_live(); });
        claimed_live_ = 0;
        walk_.restart(used_end);
    }

  private:
    bool go(auto take) {
        return walk_.go([&](std::uint64_t index) { ensure(index); },
                        [&](std::uint64_t block) {
                            make_nodes_ahead(block);
                            return take(block);
                        });
    }

    /// Threads that come to new indices at once would each make the nodes, all but one in vain, while the
    /// system lets one thread at a time change what memory there is. So who gets the block in the middle of a
    /// chunk makes the next one, where it has several blocks.
    void make_nodes_ahead(std::uint64_t block) noexcept {
        constexpr std::uint64_t chunk = pool_depot<Parts>::chunk_size;
        if (block * walk_.batch % chunk == chunk / 2 && chunk >= 4 * walk_.batch) [[unlikely]]
            make_next_nodes();
    }

    [[gnu::noinline]] void make_next_nodes() noexcept {
        try {
            if (const auto index = walk_.index_after(pool_depot<Parts>::chunk_size / 2))
                depot_.ensure_for(*index);
        } catch (const std::bad_alloc&) { // Who needs them asks again.
        }
    }

    [[gnu::noinline]] void leave_as_guest(lane_type& l) noexcept {
        leave_own(l);
        guests_.fetch_add(1, std::memory_order_relaxed); // Relaxed: compared with an earlier value.
    }

    [[gnu::noinline]] void keep_in_full(lane_type& l, word id) noexcept {
        depot_.spill(l);
        l.put(id, l.ready.count());
    }

    template <class Predicate> bool forget_if(Predicate outdated) noexcept {
        bool found = false;
        lanes_.for_each([&](lane_type& l) { found = l.forget_if(outdated) || found; });
        return found;
    }

    /// The last resort before exhaustion: what waits in this lane, and what idle shared lanes hold. Looks
    /// again when a call that was in progress has ended meanwhile, because it may have left something.
    /// Lock-free: each turn but the first follows from what another thread has done.
    bool scavenge(lane_type& l) noexcept {
        depot_.push_waiting(l);
        for (calls_in_progress before = look_into_shared_lanes();;) {
            if (depot_.refill(l, look::everywhere)) return true;
            const calls_in_progress now = look_into_shared_lanes();
            if (now == before) return depot_.refill(l, look::everywhere);
            before = now;
        }
    }

    /// Tells whether a call without a handle has ended since.
    struct calls_in_progress {
        std::uint64_t guests;
        typename lane_list<Parts>::turns turns;
        bool operator==(const calls_in_progress&) const = default;
    };

    /// Returns what idle shared lanes hold.
    calls_in_progress look_into_shared_lanes() noexcept {
        const std::uint64_t guests = guests_.load(std::memory_order_relaxed); // Relaxed: a number.
        return {guests, lanes_.search_shared([&](lane_type& idle) {
                    const bool found = idle.keeps_any();
                    if (found) flush(idle);
                    return found;
                })};
    }

    pool_ground<Parts>& ground_;
    walk_type walk_;
    pool_depot<Parts> depot_;
    lane_list<Parts> lanes_;
    const std::uint32_t lane_limit_; // The most ready identifiers that a lane keeps.
    std::int64_t claimed_live_ = 0;  // Changes only while exclusive.
    alignas(apart) typename Parts::atomics::template atomic<std::uint64_t> retired_{};
    typename Parts::atomics::template atomic<std::uint64_t> guests_{};
};

} // namespace ecs
