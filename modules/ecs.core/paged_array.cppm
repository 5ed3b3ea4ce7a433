// SPDX-License-Identifier: MIT
// A value for each index, in pages: an index far from the others costs a page, not all that lies between.
export module ecs.core:paged_array;
import ecs.std;

export namespace ecs {

/// Values of a trivially copyable T, each T{} until it is written. Pages have PageSize values, a power of
/// two. Threads may use different values at the same time, but for make_room. Not otherwise thread-safe.
template <class T, std::size_t PageSize> class paged_array {
    static_assert(std::is_trivially_copyable_v<T> && std::has_single_bit(PageSize));

  public:
    /// nullptr where there is no room, and the value is T{}. Constant time.
    [[nodiscard]] inline T* find(std::size_t index) const {
        const std::size_t number = index / PageSize;
        return number < pages_.size() && pages_[number] ? &(*pages_[number])[index % PageSize] : nullptr;
    }
    /// The value of an index for which there is room.
    [[nodiscard]] inline T& operator[](std::size_t index) const noexcept {
        return (*pages_[index / PageSize])[index % PageSize];
    }
    [[nodiscard]] inline T value_or_default(std::size_t index) const {
        const T* const known = find(index);
        return known ? *known : T{};
    }
    /// The 64 values from an index on that is a multiple of 64; none where there is no room. Constant time.
    [[nodiscard]] inline std::span<const T> line_from(std::size_t first) const {
        static_assert(PageSize % 64 == 0, "a line lies in one page");
        const T* const known = find(first);
        return {known, known ? std::size_t{64} : 0};
    }
    [[nodiscard]] inline bool has_room(std::size_t index) const { return find(index) != nullptr; }

    /// Makes room for the index, so that writing its value cannot fail. Throws std::bad_alloc.
    inline void make_room(std::size_t index) {
        const std::size_t number = index / PageSize;
        if (pages_.size() <= number) pages_.resize(number + 1);
        if (!pages_[number]) pages_[number] = std::make_unique<page>();
    }

    /// Becomes a copy; this array is empty. Throws std::bad_alloc.
    inline void copy(const paged_array& from) {
        for (const auto& p : from.pages_) pages_.push_back(p ? std::make_unique<page>(*p) : nullptr);
    }

    /// Gives back the pages of which every value is T{}.
    inline void shrink() noexcept {
        for (auto& p : pages_)
            if (p && std::ranges::all_of(*p, [](const T& value) { return value == T{}; })) p.reset();
    }

    /// Sets every value to T{}, and gives all memory back.
    inline void clear() noexcept { std::exchange(pages_, std::vector<std::unique_ptr<page>>()); }

    [[nodiscard]] inline std::size_t memory_bytes() const {
        const auto made = std::ranges::count_if(pages_, [](const auto& p) { return p != nullptr; });
        return static_cast<std::size_t>(made) * sizeof(page) + pages_.capacity() * sizeof(page*);
    }

  private:
    using page = std::array<T, PageSize>;

    std::vector<std::unique_ptr<page>> pages_;
};

} // namespace ecs
