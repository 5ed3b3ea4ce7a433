// SPDX-License-Identifier: MIT
// What one key issues identifiers from, whatever others do meanwhile: indices that were dealt to it, and then
// pages that are its own (see :turn_walk).
//
//   dealt    | index index index ... |   the last is used first; as many as the key ever used between
//                                        two deals
//   window   | index ... | rest of the page of its turn
//
// Threads: a key is used by one thread at a time. A second one is told that the lane is busy and goes on
// without a key: what it gets depends on who came first, and nothing is lost.
export module ecs.registry:key_lane;
import ecs.std;
import :turn_walk;

namespace ecs {

/// All that decides what a key issues next.
struct key_stock {
    std::vector<std::uint32_t> dealt;
    index_window window;
    std::size_t lent{};    ///< Drawn since the last deal, without those that came back.
    std::size_t most{};    ///< The most that were used between two deals: as many are dealt.
    std::uint32_t turns{}; ///< Pages taken since the turns began.

    [[nodiscard]] std::size_t size() const { return dealt.size() + window.size(); }
};

template <class Atomics> class key_lane {
    using order = typename Atomics::order;

  public:
    key_stock stock;

    /// While it lives, no other thread uses the lane; false when another thread does.
    class use {
      public:
        explicit use(key_lane& of) noexcept
            : of_(&of), mine_(of.busy_.exchange(1, order::key_lane_take) == 0) {}
        use(const use&) = delete;
        use& operator=(const use&) = delete;
        ~use() {
            if (mine_) of_->busy_.store(0, order::key_lane_pass_on); // Pairs with key_lane_take.
        }
        [[nodiscard]] explicit operator bool() const noexcept { return mine_; }

      private:
        key_lane* of_;
        bool mine_;
    };

  private:
    typename Atomics::template atomic<std::uint32_t> busy_{};
};

} // namespace ecs
