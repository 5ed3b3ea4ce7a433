// SPDX-License-Identifier: MIT
// Numbers that one thread lays out, and that all threads take.
//
//    numbers   | 40 | 41 | 42 | 43 | 44 |
//    tickets     4    3    2    1    0       the n-th ticket is for the n-th number from the end
//
// Threads: take, by any thread while no thread lays out; wait-free. Everything else by the world's thread,
// while no thread takes.
export module ecs.core:number_lot;
import ecs.std;
import :atomics;
import :shared_counts;

export namespace ecs {

/// See the head of this file. Exported for the explorer.
template <class Atomics> class basic_number_lot {
  public:
    /// A number that no other thread takes, or `otherwise` when none is left.
    [[nodiscard]] std::uint32_t take(std::uint32_t otherwise) noexcept {
        const std::size_t ticket = tickets_.take();
        return ticket < numbers_.size() ? numbers_[numbers_.size() - 1 - ticket] : otherwise;
    }

    /// Forgets the numbers that were taken, and returns how many. What is left keeps its order.
    std::size_t settle() noexcept {
        const std::size_t taken = std::min(tickets_.restart(), numbers_.size());
        numbers_.resize(numbers_.size() - taken);
        return taken;
    }

    /// The numbers that can be taken, the last first. Nothing has been taken since the numbers were settled.
    [[nodiscard]] std::vector<std::uint32_t>& numbers() noexcept { return numbers_; }

  private:
    std::vector<std::uint32_t> numbers_;
    basic_ticket_count<Atomics> tickets_;
};

} // namespace ecs
