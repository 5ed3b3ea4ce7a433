// SPDX-License-Identifier: MIT
// Where the indices of a world come from when several threads need them: free indices that somebody handed
// back, and blocks of indices nobody has had, a page each.
//
//    world's thread           supply                        a commands object
//   +--------------+   refill, share   +----------+   draw, give_back   +---------+
//   | free, window | <---------------> | free     | <-----------------> |  stock  |
//   +--------------+                   | blocks   |                     +---------+
//                                      +----------+
//
// An index is in exactly one of these places, or in use, or retired. Threads: everything, under one lock,
// which the world's thread takes once in 4096 entities, and a commands object once in 64 to 4096.
export module ecs.world:id_supply;
import ecs.std;
import :slot_pages;

namespace ecs {

/// Indices a holder can use without asking: recycled ones, last in first out, then a run of fresh ones.
struct id_stock {
    std::vector<std::uint32_t> free;
    std::uint32_t fresh{};     ///< First of the run.
    std::uint32_t fresh_end{}; ///< One behind the last.

    [[nodiscard]] inline bool empty() const { return free.empty() && fresh == fresh_end; }
    [[nodiscard]] inline std::size_t size() const { return free.size() + (fresh_end - fresh); }
    /// An index; the stock is not empty.
    [[nodiscard]] inline std::uint32_t take() {
        if (free.empty()) return fresh++;
        const std::uint32_t index = free.back();
        free.pop_back();
        return index;
    }
};

/// See the head of this file.
class id_supply {
  public:
    static constexpr std::uint32_t block_size = slot_pages::page_size;

    explicit id_supply(slot_pages& slots) : slots_(&slots) {}

    /// Fills an empty stock with up to that many indices. Throws std::bad_alloc, or std::length_error when
    /// every index is taken.
    void draw(id_stock& into, std::uint32_t count);

    /// Takes everything back that is left in a stock.
    void give_back(id_stock& from);

    /// Takes recycled indices back, to be drawn from the end.
    void give_back(std::span<const std::uint32_t> indices);

    /// One behind the last block that somebody has had.
    [[nodiscard]] std::uint32_t blocks_end() const;

    /// Forgets all free indices; blocks nobody has had stay. The caller owns every index of every page.
    void forget_free();

    /// Makes the pages of all blocks before that one. Throws std::bad_alloc.
    void make_pages(std::uint32_t blocks_end);

    /// All blocks before that one are the caller's, and their pages are there.
    void hand_out(std::uint32_t blocks_end);

  private:
    void take_block(id_stock& into);
    void take_window(id_stock& into, std::uint32_t count);
    void stock_block(id_stock& into, std::uint32_t block);

    mutable std::mutex guard_;
    slot_pages* slots_;
    id_stock loose_;               ///< Returned indices, and the rest of a block that is drawn from in part.
    std::uint32_t next_block_ = 1; ///< Block 0 is the world's own from the start.
};

} // namespace ecs
