// SPDX-License-Identifier: MIT
// A pool issues the indices first to last: of a partition, of a range, or of the whole space.
//
//                 +-- full  -----+   spill, refill          +--------+    create, destroy
//   [first ....   |   loose      |  <------------------->   |  lane  |  <----------------> a thread
//    cursor ..->  |   held       |     a node at a time     +--------+
//          last]  |   waiting    |                          one for each live handle, and a few
//      |          +--------------+                          that threads without a handle share
//      |  walk: a block at a time      ^                          ^
//      +-------------------------------|--------------------------+
//
//   full      nodes of as many identifiers as a magazine holds
//   loose     nodes of fewer, from handles that ended; merged when the next one ends
//   held      quarantined by a handle until release_held: not used again before
//   waiting   under the policy quarantine<N>: used again, oldest first, while N others wait
//
// Every index at or below the cursor is in exactly one place: live, retired, in one lane, in one node, or in
// one thread's hands. Indices beyond the cursor belong to the walk, except those that were claimed.
//
// Threads: everything by any thread at once, each with a lane it has entered, except where a function says
// "exclusive": no other thread may then be inside the registry or any of its handles.
export module ecs.registry:lane_pool;
import ecs.std;
import ecs.id;
import :policy;
import :slot;
import :atomics;
import :slot_pages;
import :depot;
import :lane;

namespace ecs {

/// The parts a concurrent registry is put together from.
template <class Layout, class Exhaustion, class Payload, class Atomics, class Geometry>
struct concurrent_parts {
    using state = slot_state<Layout>;
    using word = word_of<Layout>;
    using exhaustion = Exhaustion;
    using atomics = Atomics;
    using order = typename Atomics::order;
    using geometry = Geometry;
    using pages = slot_pages<Layout, Payload, Atomics, Geometry>;
    using spares = spare_nodes<word, Atomics, Geometry>;
    using stack = versioned_stack<word, Atomics, Geometry>;
    using node = depot_node<word, Atomics, Geometry>;
    using lane_type = lane<word, Atomics, Geometry>;
};

struct index_run {
    std::uint64_t first;
    std::uint64_t last;

    [[nodiscard]] constexpr bool contains(std::uint64_t index) const {
        return first <= index && index <= last;
    }
    [[nodiscard]] constexpr bool overlaps(const index_run& other) const {
        return first <= other.last && other.first <= last;
    }
};

/// What all pools of a registry use.
template <class Parts> struct pool_ground {
    explicit pool_ground(typename Parts::word tags_and_world)
        : stamp(tags_and_world),
          spares(Parts::state::index_max / Parts::geometry::magazine + Parts::geometry::extra_nodes) {}

    [[nodiscard]] typename Parts::word live(std::uint64_t index, std::uint64_t generation) const noexcept {
        return static_cast<typename Parts::word>(stamp | Parts::state::pack(index, generation));
    }

    typename Parts::word stamp; ///< The tags and the world of every identifier.
    bool verify = false;        ///< An index was taken by force: identifiers in nodes may be outdated.
    typename Parts::pages pages;
    typename Parts::spares spares;
};

template <class Parts> class lane_pool {
    using word = typename Parts::word;
    using state = typename Parts::state;
    using order = typename Parts::order;
    using geometry = typename Parts::geometry;
    using ground = pool_ground<Parts>;
    using stack = typename Parts::stack;
    template <class T> using atomic = typename Parts::atomics::template atomic<T>;

    static constexpr std::uint32_t magazine = geometry::magazine;
    static constexpr bool waits = Parts::exhaustion::minimum_free > 0;

  public:
    using lane_type = typename Parts::lane_type;

    lane_pool(ground& shared, index_run indices)
        : run(indices), ground_(shared), cursor_{indices.first / magazine} {}
    lane_pool(const lane_pool&) = delete;
    lane_pool& operator=(const lane_pool&) = delete;
    ~lane_pool() {
        // Relaxed: whoever destroys the registry has synchronised with all who used it.
        for (lane_type* l = lanes_.load(std::memory_order_relaxed); l;) delete std::exchange(l, l->next);
    }

    const index_run run; ///< What it issues, except what was carved out.

    /// Whether the index is one of this pool's.
    [[nodiscard]] bool issues(std::uint64_t index) const noexcept {
        return run.contains(index) && !carved(index);
    }

    // Lanes.

    /// A lane of the caller's own, which leaves it flushed. Throws std::bad_alloc. Lock-free.
    [[nodiscard]] lane_type& enter_own() {
        for (lane_type* l = lanes_.load(order::lane_find); l; l = l->next)
            if (l->enter()) return *l;
        return add_lane();
    }

    /// A lane for one operation of a thread that has none: a shared one that nobody is in, else one of its
    /// own. Throws std::bad_alloc. Lock-free.
    [[nodiscard]] lane_type& enter_any() {
        const std::size_t hint = Parts::atomics::thread_hint();
        for (std::size_t i = 0; i < geometry::shared_lanes; ++i)
            if (lane_type& l = shared_[(hint + i) % geometry::shared_lanes]; l.enter()) return l;
        return enter_own();
    }

    void leave_any(lane_type& l) noexcept {
        if (!is_shared(l)) flush(l);
        l.leave();
    }

    // Identifiers in and out of lanes.

    /// Gives an empty lane identifiers to create from; false when none are left. Throws std::bad_alloc when a
    /// new page is needed and there is no memory for it. Lock-free.
    [[nodiscard]] bool refill(lane_type& l) {
        const auto fill = [&](std::uint64_t block) { return gather(l, block); };
        return refill_from_depot(l) || walk(fill) || scavenge(l);
    }

    /// The next block of the walk straight to the caller, through give(n, id), when nothing else waits to be
    /// used; says how many. They count as created through the lane. Throws as refill does. Lock-free.
    std::uint32_t draw_block(lane_type& l, auto give) {
        if (!full_.looks_empty() || !loose_.looks_empty()) return 0;
        std::uint32_t count = 0;
        walk([&](std::uint64_t block) {
            count = for_each_free(block, give);
            return count != 0;
        });
        l.expect(count);
        return count;
    }

    /// Keeps an identifier, whose turn comes next, for later use.
    void keep(lane_type& l, word id) noexcept {
        if constexpr (waits) {
            hold(l, id);
        } else {
            if (l.ready_count() == lane_type::capacity && !spill(l)) return lose(l);
            l.put(id);
        }
    }

    /// Keeps an identifier that must not be used before release_held, in a lane that quarantines.
    void keep_quarantined(lane_type& l, word id) noexcept { hold(l, id); }

    /// The same without such a lane.
    void quarantine_at_once(lane_type& l, word id) noexcept {
        l.lose();
        typename Parts::atomics::template plain<word> ids[] = {id};
        if (!store(held_, ids, 1)) abandon(1);
    }

    /// Returns everything in the lane. Lock-free.
    void flush(lane_type& l) noexcept {
        while (l.ready_count() >= magazine && spill(l)) {
        }
        if (l.ready_count() != 0) merge_loose(l);
        push_waiting(l);
    }

    /// Lets quarantined indices be used again, through the lane. Lock-free.
    void release_held(lane_type& l) noexcept {
        while (const std::uint32_t n = held_.pop(ground_.spares.nodes)) {
            const auto& node = ground_.spares.nodes[n];
            for (std::uint32_t i = 0; i < node.count; ++i)
                if (trusted(node.ids[i])) {
                    l.expect(1);
                    keep(l, node.ids[i]);
                }
            ground_.spares.give(n);
        }
    }

    /// An index was destroyed and is not kept: it is never used again.
    void lose(lane_type& l) noexcept {
        l.lose();
        abandon(1);
    }

    /// Counts indices that are never used again.
    void abandon(std::uint64_t indices) noexcept {
        retired_.fetch_add(indices, std::memory_order_relaxed); // Relaxed: a number.
    }

    // Counts. Exact while nobody creates or destroys, a moment's estimate otherwise.

    [[nodiscard]] std::uint64_t live_count() const noexcept {
        std::int64_t live = claimed_live_;
        for_each_lane([&](const lane_type& l) { live += l.live(); });
        return static_cast<std::uint64_t>(std::max<std::int64_t>(live, 0));
    }
    [[nodiscard]] std::uint64_t retired_count() const noexcept {
        return retired_.load(std::memory_order_relaxed); // Relaxed: a number.
    }

    /// Indices the pool may issue in all.
    [[nodiscard]] std::uint64_t capacity() const noexcept {
        std::uint64_t indices = run.last - run.first + 1;
        for (const index_run& away : carved_) indices -= away.last - away.first + 1;
        return indices;
    }

    /// Neither live nor retired: never used, waiting, or kept by a handle.
    [[nodiscard]] std::uint64_t free_count() const noexcept {
        const std::uint64_t all = capacity();
        return all - std::min(all, live_count() + retired_count());
    }

    /// Every index from here on has never left the walk, unless it was claimed. Exact while nobody creates.
    [[nodiscard]] std::uint64_t unwalked() const noexcept {
        return cursor_.load(std::memory_order_relaxed) * magazine; // Relaxed: see above.
    }

    // Exclusive.

    void count_claimed() noexcept { ++claimed_live_; }

    /// Leaves the indices of the range to another pool.
    void carve(index_run away) {
        carved_.push_back(away);
        forget_if([&](word id) { return away.contains(state::index_of(id)); });
    }

    template <class Predicate> void forget_if(Predicate outdated) noexcept {
        for_each_lane([&](lane_type& l) { l.forget_if(outdated); });
    }

    /// Forgets every identifier that waits, and starts again at the first index.
    void restart() noexcept {
        for (stack* s : {&full_, &loose_, &held_, &waiting_})
            while (const std::uint32_t n = s->pop(ground_.spares.nodes)) ground_.spares.give(n);
        forget_if([](word) { return true; });
        for_each_lane([](lane_type& l) { l.forget_live(); });
        claimed_live_ = 0;
        // Relaxed, twice: exclusive.
        free_.store(0, std::memory_order_relaxed);
        cursor_.store(run.first / magazine, std::memory_order_relaxed);
    }

  private:
    lane_type& add_lane() {
        auto* made = new lane_type;
        // Relaxed but for the exchange that publishes the lane; the link is only passed on.
        constexpr auto relaxed = std::memory_order_relaxed;
        made->busy.store(1, relaxed);
        made->next = lanes_.load(relaxed);
        while (!lanes_.compare_exchange_strong(made->next, made, order::lane_publish, relaxed)) {
        }
        return *made;
    }

    [[nodiscard]] bool is_shared(const lane_type& l) const noexcept {
        return std::ranges::any_of(shared_, [&](const lane_type& s) { return &s == &l; });
    }

    void for_each_lane(auto visit) const noexcept {
        for (const lane_type& l : shared_) visit(l);
        for (const lane_type* l = lanes_.load(order::lane_find); l; l = l->next) visit(*l);
    }
    void for_each_lane(auto visit) noexcept {
        std::as_const(*this).for_each_lane([&](const lane_type& l) { visit(const_cast<lane_type&>(l)); });
    }

    // The walk: indices nobody has had.

    /// Offers blocks to the caller, one that is his alone after the other, until take(block) has had enough.
    template <class Take> bool walk(Take take) {
        for (;;) {
            // Relaxed, here and below: the block's number is all that is taken.
            constexpr auto relaxed = std::memory_order_relaxed;
            std::uint64_t block = cursor_.load(relaxed);
            if (block > run.last / magazine) return false;
            const std::uint64_t next = after_carved(block);
            if (next == block + 1) ground_.pages.ensure(block * magazine);
            if (cursor_.compare_exchange_strong(block, next, relaxed, relaxed) && next == block + 1 &&
                take(block))
                return true;
        }
    }

    /// The block after this one, or the first that does not lie within carved indices as this one does.
    [[nodiscard]] std::uint64_t after_carved(std::uint64_t block) const noexcept {
        for (const index_run& away : carved_)
            if (away.contains(block * magazine) && away.contains(block * magazine + magazine))
                return (away.last + 1) / magazine;
        return block + 1;
    }

    /// Calls give(n, id) for what is free of a block that is the caller's, lowest index first; says how many.
    std::uint32_t for_each_free(std::uint64_t block, auto give) const noexcept {
        const std::uint64_t begin = std::max(run.first, block * magazine);
        const std::uint64_t end = std::min(run.last, block * magazine + magazine - 1);
        const auto slots = ground_.pages.run_from(begin);
        const bool all_ours = slots.claimed == 0 && carved_.empty();
        word first_use = ground_.live(begin, 1);
        std::uint32_t count = 0;
        for (std::uint64_t i = 0; i <= end - begin; ++i, first_use = state::beside(first_use)) {
            // Relaxed: the slot is the caller's.
            const word bits = slots.slots[i].word.load(std::memory_order_relaxed);
            if (!all_ours && ((slots.claimed >> i & 1) || carved(begin + i))) continue;
            if (bits == state::never_issued) [[likely]]
                give(count++, first_use);
            else if (state::is_free(bits, begin + i))
                give(count++, ground_.live(begin + i, state::next_generation(bits)));
        }
        return count;
    }

    /// Fills an empty lane from a block, so that the lowest index is used first: from the magazine's end
    /// down, and moved to its front where some of the block was not free.
    bool gather(lane_type& l, std::uint64_t block) noexcept {
        const std::uint32_t count =
            for_each_free(block, [&](std::uint32_t n, word id) { l.ready[magazine - 1 - n] = id; });
        if (count != magazine) [[unlikely]]
            for (std::uint32_t n = 0; n < count; ++n) l.ready[n] = l.ready[magazine - count + n];
        l.set_ready(count);
        return count != 0;
    }

    [[nodiscard]] bool carved(std::uint64_t index) const noexcept {
        return std::ranges::any_of(carved_, [&](const index_run& away) { return away.contains(index); });
    }

    // The depot: identifiers that were destroyed, or handed back unused.

    bool refill_from_depot(lane_type& l) noexcept {
        if (!reserve_reuse()) return false;
        while (const std::uint32_t n = take_node())
            if (unload(l, n)) break;
        count_free(magazine, l.ready_count());
        return l.ready_count() != 0;
    }

    std::uint32_t take_node() noexcept {
        auto& nodes = ground_.spares.nodes;
        if (const std::uint32_t n = full_.pop(nodes)) return n;
        if (const std::uint32_t n = loose_.pop(nodes)) return n;
        if constexpr (waits) return oldest_waiting();
        return 0;
    }

    /// Turns the waiting nodes over, so that the oldest comes first, and takes it.
    std::uint32_t oldest_waiting() noexcept {
        auto& nodes = ground_.spares.nodes;
        std::uint32_t oldest = waiting_.pop(nodes);
        for (std::uint32_t older = oldest; older != 0;) {
            older = waiting_.pop(nodes);
            if (older != 0) full_.push(nodes, std::exchange(oldest, older));
        }
        return oldest;
    }

    /// Moves a node's identifiers into the lane, except outdated ones.
    bool unload(lane_type& l, std::uint32_t n) noexcept {
        const auto& node = ground_.spares.nodes[n];
        std::uint32_t count = l.ready_count();
        for (std::uint32_t i = 0; i < node.count; ++i)
            if (trusted(node.ids[i])) l.ready[count++] = node.ids[i];
        l.set_ready(count);
        ground_.spares.give(n);
        return count != 0;
    }

    /// Whether an identifier that waits can still be used: it always can, unless its index was taken by
    /// force.
    [[nodiscard]] bool trusted(word id) const noexcept {
        if (!ground_.verify) return true;
        const auto index = state::index_of(id);
        const word bits =
            ground_.pages.at(index).word.load(std::memory_order_relaxed); // Relaxed: taken when exclusive.
        return bits == state::free(state::generation_of(id)) && !carved(index);
    }

    bool spill(lane_type& l) noexcept {
        const std::uint32_t left = l.ready_count() - magazine;
        if (!store(full_, &l.ready[left], magazine)) return false;
        l.set_ready(left);
        return true;
    }

    bool store(stack& to, auto* ids, std::uint32_t count) noexcept {
        const std::uint32_t n = ground_.spares.take();
        if (n == 0) return false;
        auto& node = ground_.spares.nodes[n];
        node.count = count;
        for (std::uint32_t i = 0; i < count; ++i) node.ids[i] = ids[i];
        to.push(ground_.spares.nodes, n);
        if (&to != &held_) count_free(count, 0);
        return true;
    }

    void hold(lane_type& l, word id) noexcept {
        if (l.waiting_count() == magazine) push_waiting(l);
        l.wait(id);
    }

    void push_waiting(lane_type& l) noexcept {
        stack& where = l.quarantines ? held_ : waiting_;
        const std::uint32_t count = l.waiting_count();
        if (count != 0 && !store(where, l.waiting, count)) abandon(count);
        l.set_waiting(0);
    }

    /// Puts fewer identifiers than a magazine away together with those the last handle that ended left.
    void merge_loose(lane_type& l) noexcept {
        if (const std::uint32_t n = loose_.pop(ground_.spares.nodes)) {
            const std::uint32_t before = l.ready_count();
            unload(l, n);
            count_free(0, l.ready_count() - before);
        }
        if (l.ready_count() >= magazine) spill(l);
        const std::uint32_t count = l.ready_count();
        if (count != 0 && !store(loose_, l.ready, count)) abandon(count);
        l.set_ready(0);
    }

    /// The last resort before exhaustion: what shared lanes that nobody is in hold, and what waits in this
    /// one.
    bool scavenge(lane_type& l) noexcept {
        push_waiting(l);
        for (lane_type& idle : shared_) {
            if (&idle == &l || !idle.enter()) continue;
            flush(idle);
            idle.leave();
        }
        return refill_from_depot(l);
    }

    // The policy quarantine<N>: how many indices wait, counted where it matters.

    void count_free([[maybe_unused]] std::uint64_t more, [[maybe_unused]] std::uint64_t fewer) noexcept {
        if constexpr (waits) free_.fetch_add(more - fewer, std::memory_order_relaxed); // Relaxed: a number.
    }

    bool reserve_reuse() noexcept {
        if constexpr (waits) {
            // Relaxed: a number; the nodes are taken by their own synchronisation.
            constexpr auto relaxed = std::memory_order_relaxed;
            std::uint64_t free = free_.load(relaxed);
            do {
                if (free < Parts::exhaustion::minimum_free + magazine) return false;
            } while (!free_.compare_exchange_strong(free, free - magazine, relaxed, relaxed));
        }
        return true;
    }

    ground& ground_;
    std::vector<index_run> carved_;               // Changes only while exclusive.
    std::int64_t claimed_live_ = 0;               // Likewise.
    alignas(apart) atomic<std::uint64_t> cursor_; // The block to be handed out next.
    alignas(apart) stack full_{};
    alignas(apart) stack loose_{};
    alignas(apart) stack held_{};
    alignas(apart) stack waiting_{};
    atomic<std::uint64_t> free_{};
    alignas(apart) atomic<lane_type*> lanes_{};
    atomic<std::uint64_t> retired_{};
    lane_type shared_[geometry::shared_lanes];
};

} // namespace ecs
