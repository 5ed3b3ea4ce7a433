// SPDX-License-Identifier: MIT
// A lane is what one thread at a time allocates from: up to two batches of ready-made identifiers.
//
//   ready     | id id id id ... |   create takes the last, destroy appends
//   held      | id id ... |         destroyed by a handle that quarantines: not used before they are
//                                   released
//   waiting   | id id ... |         destroyed under the policy quarantine<N>: not used before they have
//                                   passed through the depot
//
// Everything in a lane belongs to the thread that has it, except that others may read how many identifiers
// are live through it. That number costs create and destroy nothing: it follows from what came in and went
// out a batch at a time, and from what is there. No two lanes share a cache line, nor the pair of lines that
// processors fetch together.
export module ecs.registry:lane;
import ecs.std;
import :atomics;

namespace ecs {

/// The distance of data that two threads write.
inline constexpr std::size_t apart = 128;

/// Identifiers of one kind in a lane, of which others may read the number. Relaxed, throughout: one thread
/// writes, whatever passes the lane from thread to thread orders the writers, and the others want a number,
/// not what it stands for.
template <class Word, class Atomics, std::uint32_t Capacity> class lane_ids {
  public:
    // Relaxed, twice: see above.
    [[nodiscard]] std::uint32_t count() const noexcept { return count_.load(std::memory_order_relaxed); }
    void set_count(std::uint32_t count) noexcept { count_.store(count, std::memory_order_relaxed); }

    [[nodiscard]] auto& operator[](std::uint32_t n) noexcept { return ids_[n]; }

    void append(Word id) noexcept {
        const std::uint32_t n = count();
        ids_[n] = id;
        set_count(n + 1);
    }

    [[nodiscard]] bool contains(auto wanted) const noexcept {
        return std::ranges::any_of(ids_, ids_ + count(), wanted);
    }

    /// Keeps those that `outdated` does not name; returns how many are left.
    template <class Predicate> std::uint32_t pack_without(Predicate outdated) noexcept {
        std::uint32_t left = 0;
        for (std::uint32_t i = 0; i < count(); ++i)
            if (const Word id = ids_[i]; !outdated(id)) ids_[left++] = id;
        return left;
    }

  private:
    typename Atomics::template atomic<std::uint32_t> count_{};
    typename Atomics::template plain<Word> ids_[Capacity];
};

template <class Word, class Atomics, class Geometry, bool Waits> struct alignas(apart) lane {
    using order = typename Atomics::order;
    template <class T> using atomic = typename Atomics::template atomic<T>;

    static constexpr std::uint32_t capacity = 2 * Geometry::magazine;

    lane_ids<Word, Atomics, capacity> ready;
    lane_ids<Word, Atomics, Geometry::magazine> held;
    lane_ids<Word, Atomics, Waits ? Geometry::magazine : 1> waiting;

    /// Created minus destroyed through this lane, as far as is known to the caller: what came in by other
    /// ways than destruction and did not leave by other ways than creation.
    [[nodiscard]] std::int64_t live() const noexcept {
        return balance_.load(std::memory_order_relaxed) - kept(); // Relaxed: see lane_ids.
    }

    /// Whether there is anything in the lane.
    [[nodiscard]] bool keeps_any() const noexcept { return kept() != 0; }

    // Creation and destruction: one identifier changes between the lane and life.

    /// Takes the last of `count` identifiers, which is the number there is.
    [[nodiscard]] Word take(std::uint32_t count) noexcept {
        ready.set_count(count - 1);
        return ready[count - 1];
    }
    /// Takes as many as there are, at most `most`, from the last on; give(n, id) gets the n-th.
    std::uint32_t take_many(std::size_t most, auto give) noexcept {
        const std::uint32_t count = ready.count();
        const auto taken = static_cast<std::uint32_t>(std::min<std::size_t>(most, count));
        for (std::uint32_t n = 0; n < taken; ++n) give(n, static_cast<Word>(ready[count - 1 - n]));
        ready.set_count(count - taken);
        return taken;
    }
    /// Appends to `count`, which is the number there is.
    void put(Word id, std::uint32_t count) noexcept {
        ready[count] = id;
        ready.set_count(count + 1);
    }
    /// Notes that an identifier was destroyed that the lane does not keep.
    void lose() noexcept { expect(-1); }

    // Everything else: identifiers come from and go to other places, and none begins or ends to live.

    /// Sets the number of identifiers of one kind.
    void set(auto& ids, std::uint32_t count) noexcept {
        expect(std::int64_t{count} - ids.count());
        ids.set_count(count);
    }
    /// Notes that identifiers from elsewhere are about to be put or to wait, or were created on the spot.
    void expect(std::int64_t count) noexcept {
        // Relaxed, twice: see lane_ids.
        balance_.store(balance_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
    }

    /// Notes that no identifier is live any more.
    void forget_live() noexcept { expect(-live()); }

    /// Drops every identifier that `outdated` names; returns whether there was one.
    template <class Predicate> bool forget_if(Predicate outdated) noexcept {
        const std::int64_t before = kept();
        set(ready, ready.pack_without(outdated));
        set(held, held.pack_without(outdated));
        set(waiting, waiting.pack_without(outdated));
        return kept() != before;
    }

  private:
    [[nodiscard]] std::int64_t kept() const noexcept {
        return std::int64_t{ready.count()} + held.count() + waiting.count();
    }

    atomic<std::int64_t> balance_{};
};

/// A lane that many threads use, one at a time, each for one operation, and into which a thread looks that
/// finds nothing elsewhere.
///
///   turn   even        idle           odd   a thread is in it for its operation
///          + searched  a thread looks into it, and leaves the turn as it was unless it finds something
template <class Lane, class Atomics> class alignas(apart) shared_lane {
    using order = typename Atomics::order;

  public:
    /// Makes the lane the caller's; false when another thread has it.
    [[nodiscard]] bool enter() noexcept {
        std::uint32_t turn = now();
        return take(turn, turn + 1);
    }
    void leave() noexcept { pass_on(now() + 1); }

    /// Looks into the lane, if it is idle: visit(lane) says whether it took something. The turn after that,
    /// which changes when an operation begins or ends, or something was taken, and not by looking alone: two
    /// threads that look must not take each other for a reason to look again.
    std::uint32_t search(auto visit) noexcept {
        std::uint32_t turn = now();
        if (!take(turn, turn | searched)) return turn & ~searched;
        return pass_on(visit(lane) ? turn + 2 : turn);
    }

    Lane lane;

  private:
    static constexpr std::uint32_t searched = 1U << 31;

    // Relaxed: taking decides, and only the thread that has the lane changes it.
    [[nodiscard]] std::uint32_t now() const noexcept { return turn_.load(std::memory_order_relaxed); }

    /// Takes an idle lane; `turn` is what it was, or is instead.
    [[nodiscard]] bool take(std::uint32_t& turn, std::uint32_t next) noexcept {
        const bool idle = turn % 2 == 0 && turn < searched;
        // Relaxed on failure: nothing of the lane is touched then.
        return idle &&
               turn_.compare_exchange_strong(turn, next, order::shared_lane_take, std::memory_order_relaxed);
    }

    /// Leaves the lane to the next thread, whose turn it is.
    std::uint32_t pass_on(std::uint32_t turn) noexcept {
        turn_.store(turn & ~searched, order::shared_lane_pass_on); // Pairs with shared_lane_take.
        return turn & ~searched;
    }

    typename Atomics::template atomic<std::uint32_t> turn_{};
};

} // namespace ecs
