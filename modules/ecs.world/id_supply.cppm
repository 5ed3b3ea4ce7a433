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
//
// Who gets which index depends on who comes first, unless there are lanes. A lane has a stock of its own, and
// blocks that nobody else can take, so that what it hands out follows from what was asked of it alone:
//
//   block     | 0 ... | F     F+1     F+2   | F+3   F+4     F+5   | ...    with two lanes
//   whose     | had   | all   lane 0  lane 1| all   lane 0  lane 1| ...    "all" is whoever has no lane
//   turn      |       |          0          |          1          |
//
// F moves when the lanes are dealt new stocks, in their order: behind the last block that somebody has had.
// Blocks before F that nobody took are handed out first. A block that nobody took may have a page: of a
// future from which the world has come back, or of an earlier world of its number.
//
// All of them are of the world's space, a range of indices. Blocks that lie wholly in it are dealt as above,
// from the one it begins in; what is left of the one it ends in comes last, and is for whoever has no lane:
//
//               first                                   end
//   block     |   [####|########|   ...   |########|####)   |
//                 from the start                     tail
//
// A world that takes over a number starts with the lowest index again, as the first one of that number did.
export module ecs.world:id_supply;
import ecs.std;
import :index_chain;
import :slot_pages;

namespace ecs {

/// Indices nobody has had, one behind the other.
struct fresh_run {
    std::uint32_t first{};
    std::uint32_t end{}; ///< One behind the last.

    [[nodiscard]] inline bool empty() const { return first == end; }
    [[nodiscard]] inline std::uint32_t size() const { return end - first; }
    /// An index; there is one.
    [[nodiscard]] inline std::uint32_t take() { return first++; }
};

/// Indices a holder can use without asking: recycled ones, last in first out, then fresh ones.
struct id_stock {
    std::vector<std::uint32_t> free;
    fresh_run fresh;

    [[nodiscard]] inline bool empty() const { return free.empty() && fresh.empty(); }
    [[nodiscard]] inline std::size_t size() const { return free.size() + fresh.size(); }
    /// An index; the stock is not empty.
    [[nodiscard]] inline std::uint32_t take() {
        if (free.empty()) return fresh.take();
        const std::uint32_t index = free.back();
        free.pop_back();
        return index;
    }
};

/// The same for those who own the slots of what they have, for any number of indices: takes no memory.
struct chained_stock {
    index_chain free;
    fresh_run fresh;

    [[nodiscard]] inline bool empty() const { return free.empty() && fresh.empty(); }
    [[nodiscard]] inline std::size_t size() const { return free.size() + fresh.size(); }
    /// An index; the stock is not empty.
    [[nodiscard]] inline std::uint32_t take(const slot_pages& slots) {
        return free.empty() ? fresh.take() : free.take(slots);
    }
};

/// What one key spawns with, whatever others do meanwhile.
struct id_lane {
    id_stock dealt;
    std::size_t lent{};    ///< Drawn since the last deal, but for what came back.
    std::size_t most{};    ///< Used between two deals, ever: as many are dealt.
    std::uint32_t turns{}; ///< Blocks taken since the last deal.
};

/// All that decides who gets which index next.
struct supply_state {
    static constexpr std::uint32_t block_size = slot_pages::page_size;

    std::vector<std::uint32_t> loose; ///< Indices somebody returned, the first to be handed out first.
    fresh_run loose_fresh;
    std::vector<id_lane> lanes;
    std::uint32_t turns{};
    std::uint32_t first_turn{};
    std::uint32_t passed_over{};
    std::uint32_t pages_end{};
    fresh_run tail;
    std::vector<bool> taken;

    /// Whether somebody has had the block of an index of the space.
    [[nodiscard]] inline bool has_taken(std::uint32_t index) const {
        const std::uint32_t block = index / block_size;
        return index >= tail_first ? tail.empty() : block < taken.size() && taken[block];
    }
    std::uint32_t tail_first{}; ///< Where the tail begins, or began.
};

/// See the head of this file.
class id_supply {
  public:
    static constexpr std::uint32_t block_size = slot_pages::page_size;
    /// 32 bits hold the end of the last one.
    static constexpr std::uint32_t blocks_max =
        std::min(slot_pages::pages_max, ~std::uint32_t{0} / block_size);
    static constexpr std::uint32_t indices_max = blocks_max * block_size;
    static constexpr std::uint32_t no_lane = ~std::uint32_t{0};

    /// Has nothing to hand out before begin.
    explicit id_supply(slot_pages& slots) : slots_(&slots) {}

    /// All indices of the space, which is not empty and ends at indices_max at the latest, are the supply's,
    /// but for those that are retired. None of it is in use, and there are no lanes.
    void begin(fresh_run space) noexcept;

    /// Fills an empty stock with up to that many indices. Throws std::bad_alloc, or std::length_error when
    /// every index is taken.
    void draw(id_stock& into, std::uint32_t count);
    void draw(chained_stock& into, std::uint32_t count);

    /// Whether there are certainly so many indices for one who has no lane; no means that nobody has counted.
    [[nodiscard]] bool surely_has(std::size_t count) const;

    /// Takes everything back that is left in a stock.
    void give_back(id_stock& from) noexcept;

    /// Takes recycled indices back, to be drawn in their order.
    void give_back(index_chain& indices) noexcept;

    /// Makes lanes until there are so many. Throws std::bad_alloc, or std::length_error when there would be
    /// more lanes than blocks.
    void make_lanes(std::size_t count);

    /// Fills an empty stock with all that the lane has been dealt, or with the lane's next block. Throws
    /// std::bad_alloc, or std::length_error when all blocks of the lane are taken; dealing helps then, if
    /// others have left blocks.
    void draw_from_lane(id_stock& into, std::uint32_t lane);
    void give_back_to_lane(id_stock& from, std::uint32_t lane);

    /// Gives every lane as many indices as it ever used between two deals, in the order of the lanes, as far
    /// as there are any. Linear in the lanes.
    void deal() noexcept;

    /// One behind the last block that has a page.
    [[nodiscard]] std::uint32_t pages_end() const;

    [[nodiscard]] std::size_t lanes() const;

    /// Throws std::bad_alloc.
    [[nodiscard]] supply_state state() const;

    /// Becomes the supply of a copy, which hands nothing out and has begun with the same space.
    void mirror(supply_state&& of) noexcept;

    /// Goes on from there. Nobody holds a stock, and every index of the state has its page and is free, but
    /// for the tail.
    void return_to(supply_state&& then) noexcept;

    /// Makes the page of an index that the supply does not hand out: outside the space, or in a copy. Throws
    /// std::bad_alloc.
    void make_page(std::uint32_t block);

    /// Makes every page that is there. Throws std::bad_alloc.
    void make_pages_of(const slot_pages& other, std::uint32_t pages_end);

    /// Every index of the space that has a page is the caller's. Turns begin anew if any was not.
    void take_pages() noexcept;

  private:
    /// One behind the last block that lies wholly in the space, but for where the space begins.
    [[nodiscard]] inline std::uint32_t whole_end() const { return space_.end / block_size; }

    void draw_fresh(fresh_run& into, std::uint32_t count);
    [[nodiscard]] bool take_block(fresh_run& into);
    [[nodiscard]] bool take_next(fresh_run& into);
    void take_window(fresh_run& into, std::uint32_t count);
    [[nodiscard]] bool take_turn(fresh_run& into, std::uint32_t& turns, std::uint32_t place);
    void take_whole(fresh_run& into, std::uint32_t block);
    void take_run(fresh_run& into, fresh_run of);
    [[nodiscard]] inline std::uint32_t tail_first() const {
        return std::max(space_.first, whole_end() * block_size);
    }
    void ensure_page(std::uint32_t block);
    void note_taken(std::uint32_t block) noexcept;
    void begin_turns() noexcept;
    [[nodiscard]] inline bool is_taken(std::uint32_t block) const {
        return block < taken_.size() && taken_[block];
    }
    void top_up(id_stock& into, std::size_t size);

    mutable std::mutex guard_;
    slot_pages* slots_;
    chained_stock loose_; ///< Returned indices, and the rest of a block that is drawn from in part.
    std::vector<id_lane> lanes_;
    fresh_run space_;
    std::uint32_t share_ = 1;     ///< At most so many indices of the space go to one holder at once.
    std::uint32_t turns_{};       ///< Blocks taken since the last deal by those without a lane.
    std::uint32_t first_turn_{};  ///< F.
    std::uint32_t passed_over_{}; ///< Every whole block of the space before this one is taken.
    std::vector<bool> taken_;     ///< The blocks that somebody has had, but for the tail. Ends with the last.
    fresh_run tail_;              ///< Empty when somebody has had it.
    std::uint32_t pages_end_{};
    std::vector<std::uint32_t> kept_loose_; ///< In a copy: what is in the chain of the original.
};

} // namespace ecs
