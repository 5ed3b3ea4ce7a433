// SPDX-License-Identifier: MIT
// The depot of a pool: indices that wait to be used again, in nodes on four stacks, and how they get from
// lanes to there and back.
//
//   full      nodes of as many identifiers as a magazine holds
//   loose     nodes of fewer, from handles that ended; merged when the next one ends
//   held      quarantined by a handle until released: not used again before
//   waiting   under the policy quarantine<N>: used again, oldest first, while N others wait
//
// Where there is no memory for a node, what it should have held is abandoned: those indices are never used
// again, and counted as retired.
//
// Threads: any, each with a lane it has entered; lock-free. restart is exclusive.
export module ecs.registry:pool_depot;
import ecs.std;
import :atomics;
import :depot;
import :index_walk;
import :lane;
import :policy;
import :pool_ground;

namespace ecs {

template <class Parts> class pool_depot {
    using word = typename Parts::word;
    using state = typename Parts::state;
    using stack = typename Parts::stack;
    using lane_type = typename Parts::lane_type;
    template <class T> using atomic = typename Parts::atomics::template atomic<T>;

    static constexpr std::uint32_t magazine = Parts::geometry::magazine;

  public:
    /// Whether the policy is that indices wait before they are used again.
    static constexpr bool waits = Parts::exhaustion::minimum_free > 0;

    pool_depot(pool_ground<Parts>& ground, const index_walk<Parts>& walk) : ground_(ground), walk_(walk) {}

    /// Whether nothing was there to be taken a moment ago.
    [[nodiscard]] bool looks_empty() const noexcept { return full_.looks_empty() && loose_.looks_empty(); }

    /// Gives an empty lane a node's identifiers; false when there is none that may be used.
    bool refill(lane_type& l) noexcept {
        if (!reserve_reuse()) return false;
        while (const std::uint32_t n = take_node())
            if (unload(l, n)) break;
        count_free(magazine, l.ready_count());
        return l.ready_count() != 0;
    }

    /// Takes a magazine out of a lane that has one; false, and nothing has changed, without memory.
    bool spill(lane_type& l) noexcept {
        const std::uint32_t left = l.ready_count() - magazine;
        if (!store(full_, &l.ready[left], magazine)) return false;
        l.set_ready(left);
        return true;
    }

    /// Takes everything out of a lane.
    void flush(lane_type& l) noexcept {
        while (l.ready_count() >= magazine) spill_or_abandon(l);
        if (l.ready_count() != 0) merge_loose(l);
        push_waiting(l);
    }

    /// Takes out of a lane what waits in it.
    void push_waiting(lane_type& l) noexcept {
        stack& where = l.quarantines ? held_ : waiting_;
        const std::uint32_t count = l.waiting_count();
        if (count != 0 && !store(where, l.waiting, count)) abandon(count);
        l.set_waiting(0);
    }

    /// Holds one identifier without a lane that quarantines.
    void hold(word id) noexcept {
        typename Parts::atomics::template plain<word> ids[] = {id};
        if (!store(held_, ids, 1)) abandon(1);
    }

    /// Calls keep(id) for everything that is held, and holds it no longer.
    void release_held(auto keep) noexcept {
        while (const std::uint32_t n = held_.pop(ground_.spares.nodes)) {
            const auto& node = ground_.spares.nodes[n];
            for (std::uint32_t i = 0; i < node.count; ++i)
                if (trusted(node.ids[i])) keep(node.ids[i]);
            ground_.spares.give(n);
        }
    }

    /// Counts indices that are never used again.
    void abandon(std::uint64_t indices) noexcept {
        retired_.fetch_add(indices, std::memory_order_relaxed); // Relaxed: a number.
    }
    [[nodiscard]] std::uint64_t retired_count() const noexcept {
        return retired_.load(std::memory_order_relaxed); // Relaxed: a number.
    }

    /// Forgets everything that waits. Exclusive.
    void restart() noexcept {
        for (stack* s : {&full_, &loose_, &held_, &waiting_})
            while (const std::uint32_t n = s->pop(ground_.spares.nodes)) ground_.spares.give(n);
        free_.store(0, std::memory_order_relaxed); // Relaxed: exclusive.
    }

  private:
    /// The same without fail: less than a magazine has to be left, for that is what a node can hold.
    void spill_or_abandon(lane_type& l) noexcept {
        if (spill(l)) return;
        abandon(magazine);
        l.set_ready(l.ready_count() - magazine);
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
        return bits == state::free(state::generation_of(id)) && !walk_.carved(index);
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

    /// Puts fewer identifiers than a magazine away together with those the last handle that ended left.
    void merge_loose(lane_type& l) noexcept {
        if (const std::uint32_t n = loose_.pop(ground_.spares.nodes)) {
            const std::uint32_t before = l.ready_count();
            unload(l, n);
            count_free(0, l.ready_count() - before);
        }
        if (l.ready_count() >= magazine) spill_or_abandon(l);
        const std::uint32_t count = l.ready_count();
        if (count != 0 && !store(loose_, l.ready, count)) abandon(count);
        l.set_ready(0);
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

    pool_ground<Parts>& ground_;
    const index_walk<Parts>& walk_;
    alignas(apart) stack full_{};
    alignas(apart) stack loose_{};
    alignas(apart) stack held_{};
    alignas(apart) stack waiting_{};
    atomic<std::uint64_t> free_{};
    alignas(apart) atomic<std::uint64_t> retired_{};
};

} // namespace ecs
