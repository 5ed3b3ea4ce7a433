// SPDX-License-Identifier: MIT
// A bit for each index, in pages: an index far from the others costs a page, not all that lies between.
export module ecs.core:bit_pages;
import ecs.std;

export namespace ecs {

/// See the head of this file. Every bit is 0 until it is set. Not thread-safe.
class bit_pages {
  public:
    [[nodiscard]] inline bool test(std::uint32_t index) const {
        const page* const in = page_of(index);
        return in && ((*in)[word_of(index)] & bit_of(index)) != 0;
    }

    [[nodiscard]] inline bool has_room(std::uint32_t index) const { return page_of(index) != nullptr; }

    /// Makes room for the index, so that setting it cannot fail. Throws std::bad_alloc.
    inline void make_room(std::uint32_t index) {
        const std::size_t number = index / bits_per_page;
        if (pages_.size() <= number) pages_.resize(number + 1);
        if (!pages_[number]) pages_[number] = std::make_unique<page>();
    }

    /// There is room.
    inline void set(std::uint32_t index) noexcept { (*page_of(index))[word_of(index)] |= bit_of(index); }
    inline void reset(std::uint32_t index) noexcept {
        if (page* const in = page_of(index)) (*in)[word_of(index)] &= ~bit_of(index);
    }

    /// Becomes a copy; this one is empty. Throws std::bad_alloc.
    inline void copy(const bit_pages& from) {
        for (const auto& p : from.pages_) pages_.push_back(p ? std::make_unique<page>(*p) : nullptr);
    }

    /// Every bit is 0, and takes no memory.
    inline void clear() noexcept { std::exchange(pages_, std::vector<std::unique_ptr<page>>()); }

    [[nodiscard]] inline std::size_t memory_bytes() const {
        const auto made = std::ranges::count_if(pages_, [](const auto& p) { return p != nullptr; });
        return static_cast<std::size_t>(made) * sizeof(page) + pages_.capacity() * sizeof(page*);
    }

  private:
    static constexpr std::uint32_t bits_per_page = 1U << 15;
    using page = std::array<std::uint64_t, bits_per_page / 64>;

    [[nodiscard]] inline page* page_of(std::uint32_t index) const {
        const std::size_t number = index / bits_per_page;
        return number < pages_.size() ? pages_[number].get() : nullptr;
    }
    [[nodiscard]] static constexpr std::size_t word_of(std::uint32_t index) {
        return index % bits_per_page / 64;
    }
    [[nodiscard]] static constexpr std::uint64_t bit_of(std::uint32_t index) {
        return std::uint64_t{1} << (index % 64);
    }

    std::vector<std::unique_ptr<page>> pages_;
};

} // namespace ecs
