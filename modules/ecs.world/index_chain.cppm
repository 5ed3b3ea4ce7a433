// SPDX-License-Identifier: MIT
// Free indices that take no memory of their own: each names, in its own slot, the one that came eight before
// it. Who takes them thus knows the next eight, and has asked for their slots before they are needed; a list
// in which each names the next would wait for every slot in turn.
//
//   pushed    a b c d e f g h i j            taken: j i h g ...
//   first     c d e f g h i j                one for each way; of way 0 it is i, whose next is a
//   last      a b c d e f g h                the eight that were pushed first
//
//    63  62          52 51                32 31                                0
//   +---+--------------+--------------------+-----------------------------------+
//   | 1 |      0       | generation to come |          index of the next        |   a slot without an entity
//   +---+--------------+--------------------+-----------------------------------+
//
// Last in, first out: what ended last is still in the cache. The top bit tells such a slot from that of an
// entity, whose kind leaves it 0. A generation to come of 0 says that the index has had no entity. Of the
// eight at the bottom the next means nothing: the size tells when they are reached.
//
// Threads: a chain and its slots belong to one thread, or to whoever holds the lock of the supply. Anybody
// may look at the slots meanwhile.
export module ecs.world:index_chain;
import ecs.std;
import ecs.id;
import :slot_pages;

namespace ecs {

/// See the head of this file. Every index has its page. Constant time, but where it says otherwise. Functions
/// that issue and end are templates, so that the explorer, for which this is exported, can run them over
/// pages of its own.
export class index_chain {
  public:
    /// Where a handle has its index, and what is above that one.
    static constexpr std::uint64_t lower_half =
        (std::uint64_t{1} << field_of<layouts::entity, "generation">.low) - 1;
    static_assert((field_of<layouts::entity, "index">.mask() & ~lower_half) == 0);

    /// Set in the slot of an index that is free or retired.
    static constexpr std::uint64_t unused_mark = std::uint64_t{1} << 63;
    static_assert((constant_bits<layouts::entity> & unused_mark) == 0);
    static_assert((constant_mask<layouts::entity> & unused_mark) != 0);

    /// The slot of an index that is never used again, and in no chain: no index is what it names as its next.
    static constexpr std::uint64_t retired = unused_mark | lower_half;

    [[nodiscard]] inline bool empty() const { return size_ == 0; }
    [[nodiscard]] inline std::size_t size() const { return size_; }

    /// Puts an index in front whose entity has ended. The generation lies where a handle has it.
    inline void push(auto& in, std::uint32_t index, std::uint64_t generation_to_come) noexcept {
        std::uint32_t& first = first_[size_ % ways];
        in.write(index, unused_mark | generation_to_come | first);
        if (size_ < ways) [[unlikely]]
            last_[size_] = index;
        first = index;
        ++size_;
    }

    /// Puts an index in front that had no entity since it was taken.
    inline void give_back(auto& in, std::uint32_t index) noexcept {
        push(in, index, in.known(index) & ~lower_half);
    }

    /// Takes the index in front; there is one.
    [[nodiscard]] inline std::uint32_t take(const auto& in) noexcept {
        std::uint32_t& first = first_[--size_ % ways];
        const std::uint32_t taken = first;
        first = next_of(in, taken);
        in.prefetch(first);
        return taken;
    }

    /// Takes so many from the front, in their order; there are as many. Linear in their number.
    [[nodiscard]] index_chain split(slot_pages& in, std::size_t count) noexcept;

    /// Puts all of another chain in front, in their order, and empties it.
    void take_all(slot_pages& in, index_chain& other) noexcept;

    /// Calls visit(index) for each, the first first.
    void for_each(const slot_pages& in, auto&& visit) const {
        for (index_chain left = *this; !left.empty();) visit(left.take(in));
    }

  private:
    [[nodiscard]] inline static std::uint32_t next_of(const auto& in, std::uint32_t index) {
        return static_cast<std::uint32_t>(in.known(index));
    }

    static constexpr std::size_t ways = 8;

    std::array<std::uint32_t, ways> first_{}; ///< Of no meaning in a way that has none, as is last_.
    std::array<std::uint32_t, ways> last_{};
    std::size_t size_{};
};

} // namespace ecs
