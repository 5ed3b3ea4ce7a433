// SPDX-License-Identifier: MIT
// The walk: a pool's indices from the first to the last, a block at a time, each block to one thread alone.
//
//   first                cursor                        last
//     |---- handed out ----|---- nobody has had these ---|     but for those that were claimed, or carved out
//
// It also says which indices are the pool's at all: a range that was set apart is carved out, and a block
// that lies within carved indices is stepped over.
//
// Threads: one exchange hands a block out; carve and restart are exclusive.
export module ecs.registry:index_walk;
import ecs.std;
import :pool_ground;
import :lane;

namespace ecs {

template <class Parts> class index_walk {
    using word = typename Parts::word;
    using state = typename Parts::state;
    using lane_type = typename Parts::lane_type;

    static constexpr std::uint32_t magazine = Parts::geometry::magazine;

  public:
    index_walk(pool_ground<Parts>& ground, index_run indices)
        : run(indices),
          ground_(ground),
          uncarved_(indices.last - indices.first + 1),
          cursor_{indices.first / magazine} {}

    const index_run run; ///< All indices, those that were carved out among them.

    /// Whether the index is certainly the pool's: one comparison, which says no to all once something was
    /// carved out.
    [[nodiscard]] bool surely_has(std::uint64_t index) const noexcept {
        return index - run.first < uncarved_;
    }

    [[nodiscard]] bool carved(std::uint64_t index) const noexcept {
        return std::ranges::any_of(carved_, [&](const index_run& away) { return away.contains(index); });
    }

    /// How many indices there are, without the carved ones.
    [[nodiscard]] std::uint64_t capacity() const noexcept {
        std::uint64_t indices = run.last - run.first + 1;
        for (const index_run& away : carved_) indices -= away.last - away.first + 1;
        return indices;
    }

    /// Every index from here on has never been handed out, unless it was claimed. Exact while nobody creates.
    [[nodiscard]] std::uint64_t unwalked() const noexcept {
        return cursor_.load(std::memory_order_relaxed) * magazine; // Relaxed: see above.
    }

    /// Offers blocks to the caller, one that is his alone after the other, until take(block) has had enough;
    /// false when there are no more. Throws std::bad_alloc when a new page is needed and there is no memory
    /// for it. Lock-free.
    template <class Take> bool go(Take take) {
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
    /// down, and moved to its front where some of the block was not free. False when nothing was.
    bool gather(lane_type& l, std::uint64_t block) const noexcept {
        const std::uint32_t count =
            for_each_free(block, [&](std::uint32_t n, word id) { l.ready[magazine - 1 - n] = id; });
        if (count != magazine) [[unlikely]]
            for (std::uint32_t n = 0; n < count; ++n) l.ready[n] = l.ready[magazine - count + n];
        l.set_ready(count);
        return count != 0;
    }

    /// Every index from here on has never been used, unless it was claimed. Exact while nobody creates.
    [[nodiscard]] std::uint64_t unused() const noexcept { return std::max(unwalked(), used_end_); }

    // Exclusive.

    void carve(index_run away) {
        carved_.push_back(away);
        uncarved_ = 0;
    }

    /// Starts again at the first index; those before the end have been used.
    void restart(std::uint64_t used_end) noexcept {
        used_end_ = std::max(used_end_, used_end);
        cursor_.store(run.first / magazine, std::memory_order_relaxed);
    }

  private:
    /// The block after this one, or the first that does not lie within carved indices as this one does.
    [[nodiscard]] std::uint64_t after_carved(std::uint64_t block) const noexcept {
        for (const index_run& away : carved_)
            if (away.contains(block * magazine) && away.contains(block * magazine + magazine))
                return (away.last + 1) / magazine;
        return block + 1;
    }

    pool_ground<Parts>& ground_;
    std::vector<index_run> carved_; // Changes only while exclusive, as does
    std::uint64_t uncarved_;        // the number of all indices, or 0, and
    std::uint64_t used_end_ = 0;    // how far walks came before this one, and claims.
    // The block to be handed out next.
    alignas(apart) typename Parts::atomics::template atomic<std::uint64_t> cursor_;
};

} // namespace ecs
