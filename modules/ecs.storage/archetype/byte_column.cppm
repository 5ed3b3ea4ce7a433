// SPDX-License-Identifier: MIT
// How a row's values go somewhere else when their bytes are all there is to them.
export module ecs.storage:byte_column;
import ecs.std;
import :chunk;

export namespace ecs {

/// Where a column of such values begins in two chunks, in bytes from their start.
struct byte_column {
    std::uint32_t from;
    std::uint32_t to;
    std::uint32_t size; ///< Bytes of a value.
};

template <class Word> [[gnu::always_inline]] inline void copy_word(std::byte* to, const std::byte* from) {
    Word word;
    std::memcpy(&word, from, sizeof(Word));
    std::memcpy(to, &word, sizeof(Word));
}

/// Copies so many bytes to where there are none. Up to sixteen, two copies that may overlap do for every
/// size.
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

/// Copies a row's values to a row that has none.
inline void copy_row(std::span<const byte_column> columns, row_ref from, row_ref to) noexcept {
    for (const byte_column& c : columns)
        copy_bytes(to.block->bytes() + c.to + std::size_t{to.row} * c.size,
                   from.block->bytes() + c.from + std::size_t{from.row} * c.size, c.size);
}

/// The same, and the last row's values come to where they were. It is asked once for both copies how large a
/// value is: most are words.
inline void pass_row(std::span<const byte_column> columns, row_ref last, row_ref from, row_ref to) noexcept {
    for (const byte_column& c : columns) {
        std::byte* const there = to.block->bytes() + c.to + std::size_t{to.row} * c.size;
        std::byte* const left = from.block->bytes() + c.from + std::size_t{from.row} * c.size;
        const std::byte* const tail = last.block->bytes() + c.from + std::size_t{last.row} * c.size;
        if (c.size == sizeof(std::uint64_t)) {
            copy_word<std::uint64_t>(there, left);
            copy_word<std::uint64_t>(left, tail);
        } else if (c.size == sizeof(std::uint32_t)) {
            copy_word<std::uint32_t>(there, left);
            copy_word<std::uint32_t>(left, tail);
        } else {
            copy_bytes(there, left, c.size);
            copy_bytes(left, tail, c.size);
        }
    }
}

} // namespace ecs
