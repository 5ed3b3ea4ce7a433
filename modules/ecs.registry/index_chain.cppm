// SPDX-License-Identifier: MIT
// Free indices that take no memory of their own: each names, in its own slot, the index that came eight
// before it. A thread that takes indices thus knows the next eight, and has asked for their slots before they
// are needed; with a list in which each names the next, it would wait for every slot in turn.
//
//   pushed    a b c d e f g h i j            taken: j i h g ...
//   first     c d e f g h i j                one for each way; of way 0 it is i, whose next is a
//
// Last in, first out: what ended last is still in the cache. The links of the eight oldest indices
// have no meaning; the size says when these are reached. The words are those of :lent_word.
//
// Threads: a chain and its slots belong to one thread. Any thread may look at the slots meanwhile.
export module ecs.registry:index_chain;
import ecs.std;
import :lent_word;

namespace ecs {

/// See the head of this file. Words are those of a lent_word; `in` is where the slots are, see lent_slots.
/// Constant time, but where it says otherwise.
template <class Words> class index_chain {
  public:
    using word = typename Words::word;

    [[nodiscard, gnu::always_inline]] inline bool empty() const { return size_ == 0; }
    [[nodiscard]] inline std::size_t size() const { return size_; }

    /// Puts an index in front that waits for its use under the generation, whose bits lie where those of a
    /// handle do; 0 where it has had no use.
    [[gnu::always_inline]] inline void push(const auto& in, std::uint32_t index,
                                            word generation_to_come) noexcept {
        std::uint32_t& first = first_[size_ % ways];
        in.write(index, static_cast<word>(Words::unused_mark | generation_to_come | first));
        first = index;
        ++size_;
    }

    /// Puts that many indices, which follow each other, in front, the first of them first.
    inline void push_run(const auto& in, std::uint32_t index, std::uint32_t count,
                         word generation_to_come) noexcept {
        const std::uint32_t end = index + count;
        for (const std::uint32_t others = index + std::min(count, ways); index != others; ++index)
            push(in, index, generation_to_come);
        if (index == end) return;
        size_ += end - index;
        const word waiting = static_cast<word>(Words::unused_mark | generation_to_come);
        for (; index != end; ++index) in.write(index, static_cast<word>(waiting | (index - ways)));
        for (std::uint32_t way = 1; way <= ways; ++way) first_[(size_ - way) % ways] = end - way;
    }

    /// Puts an index in front that had no use since it was taken.
    [[gnu::always_inline]] inline void give_back(const auto& in, std::uint32_t index) noexcept {
        push(in, index, Words::generation_bits(in.known(index)));
    }

    /// Takes the index in front; there is one.
    [[nodiscard, gnu::always_inline]] inline std::uint32_t take(const auto& in) noexcept {
        std::uint32_t& first = first_[--size_ % ways];
        const std::uint32_t taken = first;
        first = static_cast<std::uint32_t>(Words::payload_of(in.known(taken)));
        in.prefetch(first);
        return taken;
    }

    /// Calls visit(index) for each index, beginning with the first. Linear in their number.
    void for_each(const auto& in, auto&& visit) const {
        for (index_chain left = *this; !left.empty();) visit(left.take(in));
    }

  private:
    static constexpr std::uint32_t ways = 8;

    std::array<std::uint32_t, ways> first_{}; ///< Without meaning for a way that has none.
    std::size_t size_{};
};

} // namespace ecs
