// SPDX-License-Identifier: MIT
// The lanes of a pool: one for each handle at once, and a few that threads without a handle share.
//
//   own       groups of lanes         taken and put back by handles
//   shared    | lane | lane | ...     entered for one operation
//
// Threads: whoever takes a lane of its own has it; a shared lane is entered by one exchange, and a busy one
// is passed over, so that no thread waits. Lock-free.
export module ecs.registry:lane_list;
import ecs.std;
import :group_list;
import :lane;

namespace ecs {

template <class Parts> class lane_list {
    using atomics = typename Parts::atomics;

  public:
    using lane_type = typename Parts::lane_type;
    using shared_type = shared_lane<lane_type, atomics>;

    /// A lane of the caller's own. prepare(n) makes what the n-th group needs besides. Throws std::bad_alloc.
    [[nodiscard]] lane_type& enter_own(auto prepare) { return own_.take(prepare); }
    void leave_own(const lane_type& l) noexcept { own_.put(l); }

    /// A shared lane that no other thread was in, or nothing.
    [[nodiscard]] shared_type* enter_shared() noexcept {
        const std::size_t hint = atomics::thread_hint();
        for (std::size_t i = 0; i < Parts::geometry::shared_lanes; ++i)
            if (auto& l = shared_[(hint + i) % Parts::geometry::shared_lanes]; l.enter()) return &l;
        return nullptr;
    }

    using turns = std::array<std::uint32_t, Parts::geometry::shared_lanes>;

    /// Searches every shared lane that no thread is in, and returns the turns of all; see
    /// shared_lane::search.
    turns search_shared(auto visit) noexcept {
        turns after{};
        for (std::size_t n = 0; n < after.size(); ++n) after[n] = shared_[n].search(visit);
        return after;
    }

    void for_each(auto visit) const noexcept {
        for (const auto& s : shared_) visit(s.lane);
        own_.for_each(visit);
    }
    void for_each(auto visit) noexcept {
        std::as_const(*this).for_each([&](const lane_type& l) { visit(const_cast<lane_type&>(l)); });
    }

  private:
    group_list<lane_type, atomics, Parts::geometry::lane_groups> own_;
    shared_type shared_[Parts::geometry::shared_lanes];
};

} // namespace ecs
