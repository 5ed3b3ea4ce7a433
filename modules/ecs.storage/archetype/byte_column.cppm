// SPDX-License-Identifier: MIT
// How the values of a row go somewhere else when they are nothing but bytes. Most values are words: columns
// are in classes by size, so that no column is asked for its size while a row moves.
//
//   | 8 bytes | 8 bytes | 4 bytes | 12 bytes | 1 byte |
//     eights . . . . . . fours . . . others . . . . . .
export module ecs.storage:byte_column;
import ecs.std;
import :chunk;

export namespace ecs {

/// Where a column of plain bytes begins in two chunks, in bytes from their start.
struct byte_column {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t size; ///< Bytes of a value.
};

/// The same for a column whose size is known.
struct word_column {
    std::uint32_t from;
    std::uint32_t to;
};

template <class Word> [[gnu::always_inline]] inline void copy_word(std::byte* to, const std::byte* from) {
    Word word;
    std::memcpy(&word, from, sizeof(Word));
    std::memcpy(to, &word, sizeof(Word));
}

/// Copies bytes to where there is no value yet. Up to sixteen, two copies that may overlap do for every size.
inline void copy_bytes(std::byte* to, const std::byte* from, std::size_t size) noexcept {
    const auto copy_ends = [&]<class Word>(Word first) {
        Word last;
        std::memcpy(&first, from, sizeof(Word));
        std::memcpy(&last, from + size - sizeof(Word), sizeof(Word));
        std::memcpy(to, &first, sizeof(Word));
        std::memcpy(to + size - sizeof(Word), &last, sizeof(Word));
    };
    if (size >= 8 && size <= 16) [[likely]]
        copy_ends(std::uint64_t{});
    else if (size >= 4 && size < 8)
        copy_ends(std::uint32_t{});
    else
        std::memcpy(to, from, size);
}

/// Where the row's value would be if its column began at the start of the chunk: the start of the column is
/// added to that. The values have the size of Word.
template <class Word> [[nodiscard]] inline std::byte* start_of(row_ref at) noexcept {
    return at.block->bytes() + at.row * sizeof(Word);
}

/// Columns of plain bytes of one table, or of two; see the head of this file.
class byte_columns {
  public:
    [[nodiscard]] inline std::size_t size() const { return all_.size(); }

    /// Whether all values have eight or four bytes.
    [[nodiscard]] inline bool are_words() const { return words_ == all_.size(); }

    /// Makes room for that many columns. Throws std::bad_alloc.
    inline void resize(std::size_t count) { all_.resize(count); }

    /// Sets the columns, for which there is room: fill(all) writes them.
    void assign(auto&& fill) noexcept {
        fill(std::span(all_));
        const auto others = std::ranges::partition(all_, [](const byte_column& c) { return c.size == 8; });
        eights_ = static_cast<std::size_t>(others.begin() - all_.begin());
        const auto rest = std::ranges::partition(others, [](const byte_column& c) { return c.size == 4; });
        words_ = static_cast<std::size_t>(rest.begin() - all_.begin());
    }

    /// Copies a row's values to a row that has none.
    [[gnu::always_inline]] inline void copy(row_ref from, row_ref to) const noexcept {
        copy_all<std::uint64_t>(eights(), from, to);
        copy_all<std::uint32_t>(fours(), from, to);
        for (const byte_column& c : others()) copy_bytes(value(to, c.to, c), value(from, c.from, c), c.size);
    }

    /// The same where all values are words.
    [[gnu::always_inline]] inline void copy_words(row_ref from, row_ref to) const noexcept {
        const columns four = fours();
        copy_all<std::uint64_t>(eights(), from, to);
        copy_all<std::uint32_t>(four, from, to);
    }

    /// The same; then the last row's values go to where the values of `from` were. In a call, one of three
    /// rows would go through memory, in halves that the processor has to wait for.
    [[gnu::always_inline]] inline void pass(row_ref last, row_ref from, row_ref to) const noexcept {
        pass_all<std::uint64_t>(eights(), last, from, to);
        pass_all<std::uint32_t>(fours(), last, from, to);
        for (const byte_column& c : others()) {
            copy_bytes(value(to, c.to, c), value(from, c.from, c), c.size);
            copy_bytes(value(from, c.from, c), value(last, c.from, c), c.size);
        }
    }

    using columns = std::span<const byte_column>;

    /// The columns whose values have eight bytes, and four.
    [[nodiscard]] inline columns eights() const { return {all_.data(), eights_}; }
    [[nodiscard]] inline columns fours() const { return {all_.data() + eights_, words_ - eights_}; }

  private:
    [[nodiscard]] inline columns others() const { return columns(all_).subspan(words_); }

    [[nodiscard]] static inline std::byte* value(row_ref at, std::uint32_t start, const byte_column& c) {
        return at.block->bytes() + start + std::size_t{at.row} * c.size;
    }
    template <class Word>
    [[gnu::always_inline]] static inline void copy_all(columns all, row_ref from, row_ref to) noexcept {
        const std::byte* const here = from.block->bytes() + from.row * sizeof(Word);
        std::byte* const there = to.block->bytes() + to.row * sizeof(Word);
        for (const byte_column& c : all) copy_word<Word>(there + c.to, here + c.from);
    }
    template <class Word>
    [[gnu::always_inline]] static inline void pass_all(columns all, row_ref last, row_ref from,
                                                       row_ref to) noexcept {
        const std::byte* const tail = last.block->bytes() + last.row * sizeof(Word);
        std::byte* const here = from.block->bytes() + from.row * sizeof(Word);
        std::byte* const there = to.block->bytes() + to.row * sizeof(Word);
        for (const byte_column& c : all) {
            copy_word<Word>(there + c.to, here + c.from);
            copy_word<Word>(here + c.from, tail + c.from);
        }
    }

    std::vector<byte_column> all_;
    std::size_t eights_{}; ///< How many columns have values of eight bytes,
    std::size_t words_{};  ///< and how many of eight or four.
};

/// The same for rows whose values are words alone, in one list that is gone through once:
///
///   | eights that go along | fours that go along | eights that stay | fours that stay |
///
/// The columns that stay behind take the last row's values, which go to where the row was.
class word_moves {
  public:
    word_moves() = default;
    word_moves(const word_moves&) = delete;
    word_moves& operator=(const word_moves&) = delete;

    /// Makes room for that many columns. Throws std::bad_alloc.
    inline void reserve(std::size_t count) { all_.reserve(count); }

    /// Sets the columns, for which there is room.
    void assign(const byte_columns& along, const byte_columns& staying) noexcept;

    /// Copies the values of a row, which is the last, to a row that has none.
    [[gnu::always_inline]] inline void copy(row_ref from, row_ref to) const noexcept {
        const iterator fours = fours_;
        const iterator staying = staying_;
        copy_all<std::uint64_t>(first_, fours, start_of<std::uint64_t>(from), start_of<std::uint64_t>(to));
        if (fours != staying)
            copy_all<std::uint32_t>(fours, staying, start_of<std::uint32_t>(from),
                                    start_of<std::uint32_t>(to));
    }

    /// The same; then the last row's values go to where the values of `from` were.
    [[gnu::always_inline]] inline void pass(row_ref last, row_ref from, row_ref to) const noexcept {
        const iterator fours = fours_;
        const bool are_all = fours == end_;
        std::byte* tail = start_of<std::uint64_t>(last);
        std::byte* here = start_of<std::uint64_t>(from);
        std::byte* there = start_of<std::uint64_t>(to);
        pass_all<std::uint64_t>(first_, fours, tail, here, there);
        if (are_all) return;
        copy_all<std::uint64_t>(staying_, staying_fours_, tail, here);
        tail -= last.row * sizeof(std::uint32_t); // Not from the chunk: it need not be in a register.
        here -= from.row * sizeof(std::uint32_t);
        there -= to.row * sizeof(std::uint32_t);
        pass_all<std::uint32_t>(fours, staying_, tail, here, there);
        copy_all<std::uint32_t>(staying_fours_, end_, tail, here);
    }

  private:
    using iterator = const word_column*;

    template <class Word>
    [[gnu::always_inline]] static inline void copy_all(iterator first, iterator end, const std::byte* from,
                                                       std::byte* to) noexcept {
        for (; first != end; ++first) copy_word<Word>(to + first->to, from + first->from);
    }
    template <class Word>
    [[gnu::always_inline]] static inline void pass_all(iterator first, iterator end, const std::byte* last,
                                                       std::byte* from, std::byte* to) noexcept {
        for (; first != end; ++first) {
            const std::uint32_t column = first->from; // Once: what is written might be the list.
            copy_word<Word>(to + first->to, from + column);
            copy_word<Word>(from + column, last + column);
        }
    }

    std::vector<word_column> all_;
    iterator first_{};
    iterator fours_{}; ///< Where the fours begin, and so on.
    iterator staying_{};
    iterator staying_fours_{};
    iterator end_{};
};

} // namespace ecs
