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

  public:
    index_walk(pool_ground<Parts>& ground, index_run indices)
        : run(indices),
          batch(batch_of(indices)),
          ground_(ground),
          uncarved_(indices.last - indices.first + 1),
          cursor_{indices.first / batch} {}

    const index_run run;       ///< All indices, those that were carved out among them.
    const std::uint32_t batch; ///< How many of them a block has, a power of two.

    /// Whether the index certainly belongs to the pool: one comparison, which says no to all indices once
    /// something was carved out.
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

    /// Every index from this one on has never been handed out, unless it was claimed. Exact while no thread
    /// creates.
    [[nodiscard]] std::uint64_t unwalked() const noexcept {
        return cursor_.load(std::memory_order_relaxed) * batch; // Relaxed: see above.
    }

    /// Offers blocks to the caller, one after the other, each of which belongs to the caller alone, until
    /// take(block) returns true; false when there are no more. prepare(index) makes what the indices of a
    /// block need, before the block is drawn; what it throws is passed on. Lock-free.
    bool go(auto prepare, auto take) {
        for (;;) {
            // Relaxed, here and below: the block's number is all that is taken.
            constexpr auto relaxed = std::memory_order_relaxed;
            std::uint64_t block = cursor_.load(relaxed);
            if (block > run.last / batch) return false;
            const std::uint64_t next = after_carved(block);
            if (next == block + 1) prepare(std::max(run.first, block * batch));
            if (cursor_.compare_exchange_strong(block, next, relaxed, relaxed) && next == block + 1 &&
                take(block))
                return true;
        }
    }

    /// Calls give(n, id) for the free indices of a block that belongs to the caller, lowest index first;
    /// returns how many.
    std::uint32_t for_each_free(std::uint64_t block, auto give) const noexcept {
        const std::uint64_t begin = std::max(run.first, block * batch);
        const std::uint64_t end = std::min(run.last, block * batch + batch - 1);
        const auto slots = ground_.pages.run_from(begin);
        const bool all_ours = slots.claimed == 0 && carved_.empty();
        const std::uint64_t least = ground_.first_generation;
        word first_use = ground_.live(begin, least);
        std::uint32_t count = 0;
        for (std::uint64_t i = 0; i <= end - begin; ++i, first_use = state::beside(first_use)) {
            // Relaxed: the slot is the caller's.
            const word bits = slots.slots[i].word.load(std::memory_order_relaxed);
            if (!all_ours && ((slots.claimed >> i & 1) || carved(begin + i))) continue;
            if (bits == state::never_issued) [[likely]]
                give(count++, first_use);
            else if (state::is_free(bits, begin + i))
                give(count++, ground_.live(begin + i, std::max(state::next_generation(bits), least)));
        }
        return count;
    }

    /// Fills an empty lane from a block, so that the lowest index is used first: from the batch's end down,
    /// and moved to its front where some of the block was not free. False when nothing of it was free.
    bool gather(lane_type& l, std::uint64_t block) const noexcept {
        const std::uint32_t count =
            for_each_free(block, [&](std::uint32_t n, word id) { l.ready[batch - 1 - n] = id; });
        if (count != batch) [[unlikely]]
            for (std::uint32_t n = 0; n < count; ++n) l.ready[n] = l.ready[batch - count + n];
        l.set(l.ready, count);
        return count != 0;
    }

    /// Calls visit(index) for an index of each block that go prepares while it hands out that many more
    /// indices, and of the block after these, as far as there are any. Linear in blocks.
    void for_each_block_ahead(std::uint64_t indices, auto visit) const {
        for (std::uint64_t block = unwalked() / batch; block <= run.last / batch;
             block = after_carved(block)) {
            visit(std::max(run.first, block * batch));
            const std::uint64_t here = indices_in(block);
            if (indices < here) return;
            indices -= here;
        }
    }

    /// The index that comes when that many more have been handed out; nothing when the walk ends before.
    [[nodiscard]] std::optional<std::uint64_t> index_after(std::uint64_t more) const noexcept {
        const std::uint64_t index = unwalked() + more;
        return index <= run.last ? std::optional(index) : std::nullopt;
    }

    /// Every index from this one on has never been used, unless it was claimed. Exact while no thread
    /// creates.
    [[nodiscard]] std::uint64_t unused() const noexcept { return std::max(unwalked(), used_end_); }

    // Exclusive.

    void carve(index_run away) {
        carved_.push_back(away);
        uncarved_ = 0;
    }

    /// Starts again at the first index; those before the end have been used.
    void restart(std::uint64_t used_end) noexcept {
        used_end_ = std::max(used_end_, used_end);
        cursor_.store(run.first / batch, std::memory_order_relaxed);
    }

  protected:
    using cursor_type = typename Parts::atomics::template atomic<std::uint64_t>;

    [[nodiscard]] cursor_type& cursor() noexcept { return cursor_; }
    [[nodiscard]] const cursor_type& cursor() const noexcept { return cursor_; }

  private:
    static std::uint32_t batch_of(const index_run& run) {
        const std::uint64_t indices = run.last - run.first + 1;
        const std::uint64_t part = (indices + 1) / Parts::geometry::share;
        return static_cast<std::uint32_t>(
            std::bit_floor(std::clamp<std::uint64_t>(part, 1, Parts::geometry::magazine)));
    }

    /// The block after this one, or the first that does not lie within carved indices as this one does.
    [[nodiscard]] std::uint64_t after_carved(std::uint64_t block) const noexcept {
        for (const index_run& away : carved_)
            if (away.contains(block * batch) && away.contains(block * batch + batch))
                return (away.last + 1) / batch;
        return block + 1;
    }

    /// How many indices of the block were not carved out.
    [[nodiscard]] std::uint64_t indices_in(std::uint64_t block) const noexcept {
        const index_run all{std::max(run.first, block * batch),
                            std::min(run.last, block * batch + batch - 1)};
        std::uint64_t count = all.last - all.first + 1;
        for (const index_run& away : carved_)
            if (away.overlaps(all))
                count -= std::min(away.last, all.last) - std::max(away.first, all.first) + 1;
        return count;
    }

    pool_ground<Parts>& ground_;
    std::vector<index_run> carved_; // Changes only while exclusive, as does
    std::uint64_t uncarved_;        // the number of all indices, or 0, and
    std::uint64_t used_end_ = 0;    // how far walks came before this one, and claims.
    // The block to be handed out next.
    alignas(apart) cursor_type cursor_;
};

} // namespace ecs
