// SPDX-License-Identifier: MIT
// A lane is what one thread at a time allocates from: a magazine of ready-made identifiers.
//
//   ready     | id id id id ... |   up to two depot nodes' worth; create takes the last, destroy appends
//   waiting   | id id ... |         destroyed, and not to be used before they have passed through the depot
//
// While a lane is busy everything in it belongs to the thread that entered it, except that others may read
// how many identifiers are live through it. That number costs create and destroy nothing: it follows from
// what came in and went out a magazine at a time, and from what is there. No two lanes share a cache line,
// nor the pair of lines that processors fetch together.
export module ecs.registry:lane;
import ecs.std;
import :atomics;

namespace ecs {

/// Apart enough for two threads that write.
inline constexpr std::size_t apart = 128;

template <class Word, class Atomics, class Geometry> struct alignas(apart) lane {
    using order = typename Atomics::order;
    template <class T> using plain = typename Atomics::template plain<T>;
    template <class T> using atomic = typename Atomics::template atomic<T>;

    static constexpr std::uint32_t capacity = 2 * Geometry::magazine;

  private:
    atomic<std::uint32_t> ready_count_{};
    atomic<std::uint32_t> waiting_count_{};
    atomic<std::int64_t> balance_{}; ///< See live.

  public:
    plain<bool> quarantines{}; ///< What waits here waits for release_quarantine.
    atomic<std::uint32_t> busy{};
    lane* next = nullptr; ///< The lane made before; fixed before the lane can be found.
    plain<Word> ready[capacity];
    plain<Word> waiting[Geometry::magazine];

    /// Makes the lane the caller's; false when it is somebody's.
    [[nodiscard]] bool enter() noexcept {
        std::uint32_t idle = 0;
        // Relaxed: on failure nothing of the lane is touched.
        return busy.compare_exchange_strong(idle, 1, order::lane_enter, std::memory_order_relaxed);
    }
    void leave() noexcept { busy.store(0, order::lane_leave); }

    [[nodiscard]] std::uint32_t ready_count() const noexcept { return get(ready_count_); }
    [[nodiscard]] std::uint32_t waiting_count() const noexcept { return get(waiting_count_); }

    /// Created minus destroyed through this lane, as far as is known to the caller: what came in by other
    /// ways than destruction and did not leave by other ways than creation.
    [[nodiscard]] std::int64_t live() const noexcept {
        return get(balance_) - std::int64_t{get(ready_count_)} - std::int64_t{get(waiting_count_)};
    }

    // Creation and destruction: one identifier changes between the lane and life.

    /// Takes the last of `count`, which is the number there is.
    [[nodiscard]] Word take(std::uint32_t count) noexcept {
        set(ready_count_, count - 1);
        return ready[count - 1];
    }
    /// Takes as many as there are, at most `most`, from the last on; give(n, id) gets the n-th.
    std::uint32_t take_many(std::size_t most, auto give) noexcept {
        const std::uint32_t count = ready_count();
        const auto taken = static_cast<std::uint32_t>(std::min<std::size_t>(most, count));
        for (std::uint32_t n = 0; n < taken; ++n) give(n, static_cast<Word>(ready[count - 1 - n]));
        set(ready_count_, count - taken);
        return taken;
    }
    /// Appends to `count`, which is the number there is.
    void put(Word id, std::uint32_t count) noexcept {
        ready[count] = id;
        set(ready_count_, count + 1);
    }
    void wait(Word id) noexcept {
        const std::uint32_t count = waiting_count();
        waiting[count] = id;
        set(waiting_count_, count + 1);
    }
    /// An identifier was destroyed that the lane does not keep.
    void lose() noexcept { set(balance_, get(balance_) - 1); }

    // Everything else: identifiers come from and go to other places, and nobody is born or dies.

    void set_ready(std::uint32_t count) noexcept {
        set(balance_, get(balance_) + count - ready_count());
        set(ready_count_, count);
    }
    void set_waiting(std::uint32_t count) noexcept {
        set(balance_, get(balance_) + count - waiting_count());
        set(waiting_count_, count);
    }
    /// Identifiers from elsewhere are about to be put or to wait, or were created on the spot.
    void expect(std::uint32_t count) noexcept { set(balance_, get(balance_) + count); }

    /// Nothing is live any more.
    void forget_live() noexcept { set(balance_, std::int64_t{ready_count()} + waiting_count()); }

    /// Drops every identifier that `outdated` names.
    template <class Predicate> void forget_if(Predicate outdated) noexcept {
        set_ready(without(ready, ready_count(), outdated));
        set_waiting(without(waiting, waiting_count(), outdated));
    }

  private:
    template <class Predicate>
    static std::uint32_t without(plain<Word>* ids, std::uint32_t count, Predicate outdated) noexcept {
        std::uint32_t left = 0;
        for (std::uint32_t i = 0; i < count; ++i)
            if (const Word id = ids[i]; !outdated(id)) ids[left++] = id;
        return left;
    }

    // Relaxed, twice: one thread writes, lane_enter and lane_leave order the writers, and others want a
    // number, not what it stands for.
    template <class T> static T get(const atomic<T>& number) noexcept {
        return number.load(std::memory_order_relaxed);
    }
    template <class T> static void set(atomic<T>& number, std::type_identity_t<T> value) noexcept {
        number.store(value, std::memory_order_relaxed); // See get.
    }
};

} // namespace ecs
