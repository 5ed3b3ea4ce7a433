// SPDX-License-Identifier: MIT
// The lanes of a pool: one for each handle at once, made when all that exist are busy and never unmade, and
// a few that threads without a handle share.
//
//   lanes -> lane -> lane -> ...      busy while a handle lives
//   shared   | lane | lane | ...      busy for one operation
//
// Threads: a lane is entered by one exchange, and a busy one is passed over; nobody waits. Lock-free.
export module ecs.registry:lane_list;
import ecs.std;
import :lane;

namespace ecs {

template <class Parts> class lane_list {
    using order = typename Parts::order;

  public:
    using lane_type = typename Parts::lane_type;

    lane_list() = default;
    lane_list(const lane_list&) = delete;
    lane_list& operator=(const lane_list&) = delete;
    ~lane_list() {
        // Relaxed: whoever destroys the registry has synchronised with all who used it.
        for (lane_type* l = lanes_.load(std::memory_order_relaxed); l;) delete std::exchange(l, l->next);
    }

    /// A lane of the caller's own. Throws std::bad_alloc.
    [[nodiscard]] lane_type& enter_own() {
        for (lane_type* l = lanes_.load(order::lane_find); l; l = l->next)
            if (l->enter()) return *l;
        return add_lane();
    }

    /// A lane for one operation of a thread that has none: a shared one that nobody is in, else one of its
    /// own. Throws std::bad_alloc.
    [[nodiscard]] lane_type& enter_any() {
        const std::size_t hint = Parts::atomics::thread_hint();
        for (std::size_t i = 0; i < Parts::geometry::shared_lanes; ++i)
            if (lane_type& l = shared_[(hint + i) % Parts::geometry::shared_lanes]; l.enter()) return l;
        return enter_own();
    }

    [[nodiscard]] bool is_shared(const lane_type& l) const noexcept {
        return std::ranges::any_of(shared_, [&](const lane_type& s) { return &s == &l; });
    }

    /// Calls visit(lane) for every shared lane that nobody is in, and is in it meanwhile.
    void for_each_idle(auto visit) noexcept {
        for (lane_type& idle : shared_) {
            if (!idle.enter()) continue;
            visit(idle);
            idle.leave();
        }
    }

    void for_each(auto visit) const noexcept {
        for (const lane_type& l : shared_) visit(l);
        for (const lane_type* l = lanes_.load(order::lane_find); l; l = l->next) visit(*l);
    }
    void for_each(auto visit) noexcept {
        std::as_const(*this).for_each([&](const lane_type& l) { visit(const_cast<lane_type&>(l)); });
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

    alignas(apart) typename Parts::atomics::template atomic<lane_type*> lanes_{};
    lane_type shared_[Parts::geometry::shared_lanes];
};

} // namespace ecs
