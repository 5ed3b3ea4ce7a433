// SPDX-License-Identifier: MIT
// The lanes of a pool: one for each handle at once, and a few that threads without a handle share.
//
//   group 0   idle  1                 lane
//   group 1   idle  01                lane lane              a group is made when no lane of those that exist
//   group 2   idle  1101              lane lane lane lane    is idle, and has twice as many as the one before
//   ...
//   shared    | lane | lane | ...     entered for one operation
//
// Threads: whoever clears the bit of an idle lane has it; a shared lane is entered by one exchange, and a
// busy one is passed over, so that no thread waits. Lock-free.
export module ecs.registry:lane_list;
import ecs.std;
import :atomics;
import :depot;
import :lane;

namespace ecs {

/// Lanes that were made together.
template <class Lane, class Atomics> class lane_group {
    using set = number_set<Atomics>;

  public:
    /// Twice as many lanes as the group before; all but the first are idle. Throws std::bad_alloc.
    explicit lane_group(std::uint32_t number)
        : count_(1U << number), idle_((count_ + 63) / 64), lanes_(new Lane[count_]) {
        for (std::uint32_t n = 1; n < count_; ++n) put_idle(n);
    }

    /// An idle lane, which is the caller's then, or nothing.
    [[nodiscard]] Lane* take() noexcept {
        for (std::uint32_t w = 0; w * 64 < count_; ++w)
            if (const std::uint32_t n = set::take(idle_[w], 0, look::everywhere); n != set::none)
                return &lanes_[w * 64 + n];
        return nullptr;
    }

    [[nodiscard]] bool has(const Lane& l) const noexcept {
        return !std::less<>{}(&l, &lanes_[0]) && std::less<>{}(&l, &lanes_[0] + count_);
    }
    void put(const Lane& l) noexcept { put_idle(static_cast<std::uint32_t>(&l - &lanes_[0])); }

    [[nodiscard]] Lane& first() noexcept { return lanes_[0]; }

    void for_each(auto visit) const noexcept {
        for (std::uint32_t n = 0; n < count_; ++n) visit(lanes_[n]);
    }

  private:
    void put_idle(std::uint32_t n) noexcept { set::put(idle_[n / 64], n % 64); }

    std::uint32_t count_;
    owned_block<typename set::word_type, Atomics> idle_;
    std::unique_ptr<Lane[]> lanes_;
};

template <class Parts> class lane_list {
    using order = typename Parts::order;
    using atomics = typename Parts::atomics;

  public:
    using lane_type = typename Parts::lane_type;
    using shared_type = shared_lane<lane_type, atomics>;

    lane_list() = default;
    lane_list(const lane_list&) = delete;
    lane_list& operator=(const lane_list&) = delete;
    ~lane_list() {
        // Relaxed: whoever destroys the registry has synchronised with all who used it.
        for (auto& place : groups_) delete place.load(std::memory_order_relaxed);
    }

    /// A lane of the caller's own. prepare(n) makes what the n-th group needs besides. Throws std::bad_alloc.
    [[nodiscard]] lane_type& enter_own(auto prepare) {
        for (;;) {
            if (lane_type* idle = take_idle()) return *idle;
            if (lane_type* made = add_group(prepare)) return *made;
        }
    }

    void leave_own(lane_type& l) noexcept {
        for_each_group([&](group& g) {
            if (g.has(l)) g.put(l);
        });
    }

    /// A shared lane that no other thread was in, or nothing.
    [[nodiscard]] shared_type* enter_shared() noexcept {
        const std::size_t hint = atomics::thread_hint();
        for (std::size_t i = 0; i < Parts::geometry::shared_lanes; ++i)
            if (auto& l = shared_[(hint + i) % Parts::geometry::shared_lanes]; l.enter()) return &l;
        return nullptr;
    }

    using turns = std::array<std::uint32_t, Parts::geometry::shared_lanes>;

    /// Searches every shared lane that no thread is in, and says the turns of all; see shared_lane::search.
    turns search_shared(auto visit) noexcept {
        turns after{};
        for (std::size_t n = 0; n < after.size(); ++n) after[n] = shared_[n].search(visit);
        return after;
    }

    void for_each(auto visit) const noexcept {
        for (const auto& s : shared_) visit(s.lane);
        for_each_group([&](const group& g) { g.for_each(visit); });
    }
    void for_each(auto visit) noexcept {
        std::as_const(*this).for_each([&](const lane_type& l) { visit(const_cast<lane_type&>(l)); });
    }

  private:
    using group = lane_group<lane_type, atomics>;

    void for_each_group(auto visit) const noexcept {
        for (const auto& place : groups_) {
            group* g = place.load(order::lane_group_find); // Pairs with lane_group_publish.
            if (!g) return;
            visit(*g);
        }
    }

    lane_type* take_idle() noexcept {
        lane_type* idle = nullptr;
        for_each_group([&](group& g) {
            if (!idle) idle = g.take();
        });
        return idle;
    }

    /// The first lane of a new group, or nothing when another thread has made that group.
    lane_type* add_group(auto prepare) {
        std::uint32_t number = 0;
        for_each_group([&](group&) { ++number; });
        if (number == Parts::geometry::lane_groups) throw std::bad_alloc();
        prepare(number);
        auto made = std::make_unique<group>(number);
        group* none = nullptr;
        // Relaxed on failure: the group of the thread that was faster is found by looking for it.
        if (!groups_[number].compare_exchange_strong(none, made.get(), order::lane_group_publish,
                                                     std::memory_order_relaxed))
            return nullptr;
        return &made.release()->first();
    }

    typename atomics::template atomic<group*> groups_[Parts::geometry::lane_groups]{};
    shared_type shared_[Parts::geometry::shared_lanes];
};

} // namespace ecs
