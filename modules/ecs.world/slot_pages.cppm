// SPDX-License-Identifier: MIT
// The slot words of a world, one for each index, in pages that never move: any thread may look at a slot
// while pages are being added.
//
//   directory   | * | 0 | * | ...     an entry for each page there can be; zero memory costs nothing
//   untouched
//                 |       |
//                 v       v
//   page        | word word word ... |     4096 words; zero means: never used
//
// Threads: read is wait-free, from any thread. A word is written by whoever owns its index at the time: the
// thread that drew it until it hands it over, the world's thread afterwards. Words are atomic so that reading
// one while it changes is defined; relaxed order is enough because a word promises nothing about any other
// memory: whoever wants to see an entity's components synchronises with the world's thread anyway.
export module ecs.world:slot_pages;
import ecs.std;

namespace ecs {

/// See the head of this file.
class slot_pages {
  public:
    static constexpr unsigned page_bits = 12;
    static constexpr std::uint32_t page_size = 1U << page_bits;
    static constexpr std::uint32_t pages_max = 1U << (32 - page_bits);

    /// Throws std::bad_alloc.
    slot_pages();
    slot_pages(const slot_pages&) = delete;
    slot_pages& operator=(const slot_pages&) = delete;
    ~slot_pages();

    /// The word of any index; 0 while its page does not exist. Wait-free.
    [[nodiscard]] inline std::uint64_t read(std::uint32_t index) const {
        // Acquire: the zeroes of a page are visible to whoever finds it (partner: ensure).
        const page* const found = entry(index >> page_bits).load(std::memory_order_acquire);
        return found ? found->words[index % page_size].load(std::memory_order_relaxed) : 0;
    }

    /// Writes the word of an index that is the caller's; its page exists, and the caller knows so.
    inline void write(std::uint32_t index, std::uint64_t word) noexcept {
        word_at(index).store(word, std::memory_order_relaxed);
    }

    /// The word of an index whose page the caller knows to exist.
    [[nodiscard]] inline std::uint64_t known(std::uint32_t index) const {
        return word_at(index).load(std::memory_order_relaxed);
    }

    /// The first index whose word is such a one, of those before `end`, which are in one page that exists;
    /// `end` when there is none.
    [[nodiscard]] std::uint32_t find(std::uint32_t first, std::uint32_t end, auto&& is_such) const {
        const page& in = *entry(first >> page_bits).load(std::memory_order_relaxed); // See word_at.
        while (first != end && !is_such(in.words[first % page_size].load(std::memory_order_relaxed))) ++first;
        return first;
    }

    /// Lets the word come while the caller does something else. The page of the index is known to exist.
    inline void prefetch(std::uint32_t index) const noexcept { __builtin_prefetch(&word_at(index)); }

    /// Makes the page exist. Throws std::bad_alloc. One thread at a time.
    void ensure(std::uint32_t number);

    [[nodiscard]] inline bool exists(std::uint32_t number) const {
        // Relaxed: nothing of the page is read.
        return entry(number).load(std::memory_order_relaxed) != nullptr;
    }

    /// How many pages exist.
    [[nodiscard]] inline std::size_t pages() const { return pages_.load(std::memory_order_relaxed); }

    /// Bytes of the pages that exist.
    [[nodiscard]] inline std::size_t memory_bytes() const { return pages() * sizeof(page); }

  private:
    struct page {
        std::atomic<std::uint64_t> words[page_size];
    };

    [[nodiscard]] inline std::atomic_ref<page*> entry(std::uint32_t number) const {
        return std::atomic_ref<page*>(directory_[number]);
    }
    [[nodiscard]] inline std::atomic<std::uint64_t>& word_at(std::uint32_t index) const {
        // Relaxed: the caller was given the index by one who had found the page.
        return entry(index >> page_bits).load(std::memory_order_relaxed)->words[index % page_size];
    }

    page** directory_;
    std::atomic<std::size_t> pages_{}; ///< Relaxed: a number.
};

} // namespace ecs
