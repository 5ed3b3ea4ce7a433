// SPDX-License-Identifier: MIT
// The slot words of a world, one for each index, in pages that never move: any thread may look at a slot
// while pages are being added.
//
//   directory   | * | 0 | * | ...     an entry for each page there can be; zero memory costs nothing
//   untouched
//                 |       |
//                 v       v
//   page        | word word word ... |     4096 words; zero means: never used. Fewer where indices have fewer
//                                          than 24 bits: about as many words in a page as there are pages.
//
// Threads: read is wait-free, from any thread. A word is written by whoever owns its index at the time: the
// thread that drew it until it hands it over, the world's thread afterwards. Words are atomic so that reading
// one while it changes is defined; relaxed order is enough because a word promises nothing about any other
// memory: whoever wants to see an entity's components synchronises with the world's thread anyway.
//
// The interleaving explorer runs this source with atomics and a geometry of its own, and finds each of its
// orders weakened: tests/model/world.
export module ecs.world:slot_pages;
import ecs.std;
import ecs.id;
import :atomics;

namespace ecs {

/// The pages of production.
struct slot_geometry {
    static constexpr unsigned index_bits = field_of<layouts::entity, "index">.width();
    static constexpr unsigned page_bits = std::min(12U, index_bits / 2);
};

/// See the head of this file. Exported for the explorer.
export template <class Atomics, class Geometry> class basic_slot_pages {
    using order = typename Atomics::order;

  public:
    static constexpr unsigned page_bits = Geometry::page_bits;
    static constexpr std::uint32_t page_size = 1U << page_bits;
    static constexpr std::uint32_t pages_max = 1U << (Geometry::index_bits - page_bits);

    /// Throws std::bad_alloc.
    basic_slot_pages() : directory_(Atomics::template allocate_directory<entry>(pages_max)) {}
    basic_slot_pages(const basic_slot_pages&) = delete;
    basic_slot_pages& operator=(const basic_slot_pages&) = delete;
    ~basic_slot_pages() {
        for (page* const one : made_) Atomics::template deallocate<page>(one, 1);
        Atomics::template deallocate_directory<entry>(directory_, pages_max);
    }

    /// The word of any index; 0 while its page does not exist, and of numbers that are no index, which words
    /// that are no handles may have. Wait-free.
    [[nodiscard]] inline std::uint64_t read(std::uint32_t index) const {
        if (std::uint64_t{index} >> Geometry::index_bits != 0) return 0; // Never, where an index has 32 bits.
        const page* const found = directory_[index >> page_bits].load(order::page_find);
        return found ? found->words[index % page_size].load(std::memory_order_relaxed) : 0;
    }

    /// Writes the word of an index that is the caller's; its page exists, and the caller knows so.
    inline void write(std::uint32_t index, std::uint64_t word) noexcept {
        word_at(index).store(word, std::memory_order_relaxed);
    }

    /// The same, but for the bits to keep, which stay as they are.
    inline void write(std::uint32_t index, std::uint64_t word, std::uint64_t kept) noexcept {
        auto& there = word_at(index);
        there.store((there.load(std::memory_order_relaxed) & kept) | word, std::memory_order_relaxed);
    }

    /// The word of an index whose page the caller knows to exist.
    [[nodiscard]] inline std::uint64_t known(std::uint32_t index) const {
        return word_at(index).load(std::memory_order_relaxed);
    }

    /// The first index whose word is such a one, of those before `end`, which are in one page that exists;
    /// `end` when there is none.
    [[nodiscard]] std::uint32_t find(std::uint32_t first, std::uint32_t end, auto&& is_such) const {
        const page& in = page_at(first);
        while (first != end && !is_such(in.words[first % page_size].load(std::memory_order_relaxed))) ++first;
        return first;
    }

    /// Lets the word come while the caller does something else. The page of the index is known to exist.
    inline void prefetch(std::uint32_t index) const noexcept { __builtin_prefetch(&word_at(index)); }

    /// Makes the page exist. Throws std::bad_alloc. One thread at a time.
    void ensure(std::uint32_t number) {
        if (exists(number)) return;
        if (made_.size() == made_.capacity()) made_.reserve(2 * made_.size() + 1);
        made_.push_back(Atomics::template allocate<page>(1));
        directory_[number].store(made_.back(), order::page_publish);
        pages_.fetch_add(1, std::memory_order_relaxed); // Relaxed: a number.
    }

    [[nodiscard]] inline bool exists(std::uint32_t number) const {
        // Relaxed: nothing of the page is read.
        return directory_[number].load(std::memory_order_relaxed) != nullptr;
    }

    /// How many pages exist.
    [[nodiscard]] inline std::size_t pages() const { return pages_.load(std::memory_order_relaxed); }

    /// Bytes of the pages that exist.
    [[nodiscard]] inline std::size_t memory_bytes() const { return pages() * sizeof(page); }

  private:
    struct page {
        typename Atomics::template atomic<std::uint64_t> words[page_size];
    };
    using entry = typename Atomics::template atomic<page*>;

    [[nodiscard]] inline page& page_at(std::uint32_t index) const {
        // Relaxed: the caller was given the index by one who had found the page.
        return *directory_[index >> page_bits].load(std::memory_order_relaxed);
    }
    [[nodiscard]] inline auto& word_at(std::uint32_t index) const {
        return page_at(index).words[index % page_size];
    }

    entry* directory_;
    std::vector<page*> made_; ///< By whoever makes pages. Checkers of leaks do not look into the directory.
    typename Atomics::template atomic<std::size_t> pages_{}; ///< Relaxed: a number.
};

using slot_pages = basic_slot_pages<world_atomics, slot_geometry>;

} // namespace ecs
