// SPDX-License-Identifier: MIT
// A bit for each index.
export module ecs.core:bit_pages;
import ecs.std;
import :paged_array;

export namespace ecs {

/// Every bit is 0 until it is set. Not thread-safe.
class bit_pages {
  public:
    [[nodiscard]] inline bool test(std::uint32_t index) const {
        return (words_.value_or_default(index / 64) & bit_of(index)) != 0;
    }

    [[nodiscard]] inline bool has_room(std::uint32_t index) const { return words_.has_room(index / 64); }

    /// Makes room for the index, so that setting it cannot fail. Throws std::bad_alloc.
    inline void make_room(std::uint32_t index) { words_.make_room(index / 64); }

    /// Sets the bit; there is room.
    inline void set(std::uint32_t index) noexcept { words_[index / 64] |= bit_of(index); }
    inline void reset(std::uint32_t index) noexcept {
        if (std::uint64_t* const word = words_.find(index / 64)) *word &= ~bit_of(index);
    }

    /// Sets the bit, and returns whether it was not set. Throws std::bad_alloc.
    inline bool insert(std::uint32_t index) {
        if (!has_room(index)) [[unlikely]]
            make_room(index);
        std::uint64_t& word = words_[index / 64];
        const std::uint64_t before = word;
        word = before | bit_of(index);
        return word != before;
    }
    /// Resets the bit, and returns whether it was set.
    inline bool erase(std::uint32_t index) noexcept {
        std::uint64_t* const word = words_.find(index / 64);
        if (!word || (*word & bit_of(index)) == 0) return false;
        *word ^= bit_of(index);
        return true;
    }

    /// Becomes a copy; this object is empty. Throws std::bad_alloc.
    inline void copy(const bit_pages& from) { words_.copy(from.words_); }

    /// Sets every bit to 0, and gives all memory back.
    inline void clear() noexcept { words_.clear(); }

    [[nodiscard]] inline std::size_t memory_bytes() const { return words_.memory_bytes(); }

  private:
    [[nodiscard]] static constexpr std::uint64_t bit_of(std::uint32_t index) {
        return std::uint64_t{1} << (index % 64);
    }

    paged_array<std::uint64_t, 512> words_;
};

} // namespace ecs
