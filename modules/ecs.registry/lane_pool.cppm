// SPDX-License-Identifier: MIT
// A pool issues the indices first to last: of a partition, of a range, or of the whole space.
//
//                 +---- depot ----+   spill, refill          +--------+    create, destroy
//   [first ....   | full   loose  |  <------------------->   |  lane  |  <----------------> a thread
//    cursor ..->  | held  waiting |     a node at a time     +--------+
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
import :index_walk;
import :lane;
import :lane_list;
import :pool_depot;
import :pool_ground;

namespace ecs {

template <class Parts> class lane_pool {
    using word = typename Parts::word;
    using state = typename Parts::state;

  public:
    using lane_type = typename Parts::lane_type;

    lane_pool(pool_ground<Parts>& ground, index_run indices)
        : walk_(ground, indices), depot_(ground, walk_) {}
    lane_pool(const lane_pool&) = delete;
    lane_pool& operator=(const lane_pool&) = delete;

    /// What it issues, except what was carved out.
    [[nodiscard]] const index_run& run() const noexcept { return walk_.run; }

    /// Whether the index is one of this pool's.
    [[nodiscard]] bool issues(std::uint64_t index) const noexcept {
        return walk_.run.contains(index) && !walk_.carved(index);
    }

    /// The same, but for a doubt where ranges were carved out: a quick look.
    [[nodiscard]] bool surely_issues(std::uint64_t index) const noexcept { return walk_.surely_has(index); }

    // Lanes.

    /// A lane of the caller's own, which leaves it flushed. Throws std::bad_alloc. Lock-free.
    [[nodiscard]] lane_type& enter_own() { return lanes_.enter_own(); }

    /// A lane for one operation of a thread that has none. Throws std::bad_alloc. Lock-free.
    [[nodiscard]] lane_type& enter_any() { return lanes_.enter_any(); }

    void leave_any(lane_type& l) noexcept {
        if (!lanes_.is_shared(l)) flush(l);
        l.leave();
    }

    // Identifiers in and out of lanes.

    /// Gives an empty lane identifiers to create from; false when none are left. Throws std::bad_alloc when a
    /// new page is needed and there is no memory for it. Lock-free.
    [[nodiscard, gnu::noinline]] bool refill(lane_type& l) {
        const auto fill = [&](std::uint64_t block) { return walk_.gather(l, block); };
        return depot_.refill(l) || walk_.go(fill) || scavenge(l);
    }

    /// The next block of the walk straight to the caller, through give(n, id), when nothing else waits to be
    /// used; says how many. They count as created through the lane. Throws as refill does. Lock-free.
    std::uint32_t draw_block(lane_type& l, auto give) {
        if (!depot_.looks_empty()) return 0;
        std::uint32_t count = 0;
        walk_.go([&](std::uint64_t block) {
            count = walk_.for_each_free(block, give);
            return count != 0;
        });
        l.expect(count);
        return count;
    }

    /// Keeps an identifier, whose turn comes next, for later use.
    void keep(lane_type& l, word id) noexcept {
        if constexpr (pool_depot<Parts>::waits) {
            keep_waiting(l, id);
        } else {
            const std::uint32_t count = l.ready_count();
            if (count == lane_type::capacity) [[unlikely]]
                return keep_in_full(l, id);
            l.put(id, count);
        }
    }

    /// Keeps an identifier that must not be used before release_held, in a lane that quarantines.
    void keep_quarantined(lane_type& l, word id) noexcept { keep_waiting(l, id); }

    /// The same without such a lane.
    void quarantine_at_once(lane_type& l, word id) noexcept {
        l.lose();
        depot_.hold(id);
    }

    /// Returns everything in the lane. Lock-free.
    void flush(lane_type& l) noexcept { depot_.flush(l); }

    /// Lets quarantined indices be used again, through the lane. Lock-free.
    void release_held(lane_type& l) noexcept {
        depot_.release_held([&](word id) {
            l.expect(1);
            keep(l, id);
        });
    }

    /// An index was destroyed and is not kept: it is never used again.
    void lose(lane_type& l) noexcept {
        l.lose();
        depot_.abandon(1);
    }

    // Counts. Exact while nobody creates or destroys, a moment's estimate otherwise.

    [[nodiscard]] std::uint64_t live_count() const noexcept {
        std::int64_t live = claimed_live_;
        lanes_.for_each([&](const lane_type& l) { live += l.live(); });
        return static_cast<std::uint64_t>(std::max<std::int64_t>(live, 0));
    }
    [[nodiscard]] std::uint64_t retired_count() const noexcept { return depot_.retired_count(); }

    /// Indices the pool may issue in all.
    [[nodiscard]] std::uint64_t capacity() const noexcept { return walk_.capacity(); }

    /// Neither live nor retired: never used, waiting, or kept by a handle.
    [[nodiscard]] std::uint64_t free_count() const noexcept {
        const std::uint64_t all = capacity();
        return all - std::min(all, live_count() + retired_count());
    }

    /// Every index from here on has never left the walk, unless it was claimed. Exact while nobody creates.
    [[nodiscard]] std::uint64_t unwalked() const noexcept { return walk_.unwalked(); }
    /// The same for all walks there were.
    [[nodiscard]] std::uint64_t unused() const noexcept { return walk_.unused(); }

    // Exclusive.

    void count_claimed() noexcept { ++claimed_live_; }
    void count_retired() noexcept { depot_.abandon(1); }

    /// Leaves the indices of the range to another pool.
    void carve(index_run away) {
        walk_.carve(away);
        forget_if([&](word id) { return away.contains(state::index_of(id)); });
    }

    template <class Predicate> void forget_if(Predicate outdated) noexcept {
        lanes_.for_each([&](lane_type& l) { l.forget_if(outdated); });
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
    [[gnu::noinline]] void keep_in_full(lane_type& l, word id) noexcept {
        if (depot_.spill(l))
            l.put(id, l.ready_count());
        else
            lose(l);
    }

    void keep_waiting(lane_type& l, word id) noexcept {
        if (l.waiting_count() == Parts::geometry::magazine) depot_.push_waiting(l);
        l.wait(id);
    }

    /// The last resort before exhaustion: what shared lanes that nobody is in hold, and what waits in this
    /// one.
    bool scavenge(lane_type& l) noexcept {
        depot_.push_waiting(l);
        lanes_.for_each_idle([&](lane_type& idle) { flush(idle); });
        return depot_.refill(l);
    }

    index_walk<Parts> walk_;
    pool_depot<Parts> depot_;
    lane_list<Parts> lanes_;
    std::int64_t claimed_live_ = 0; // Changes only while exclusive.
};

} // namespace ecs
