// SPDX-License-Identifier: MIT
// The parts of which an owned registry is made, and its slots as owners and lanes see them.
export module ecs.registry:owned_parts;
import ecs.std;
import ecs.id;
import :atomics;
import :geometry;
import :lane;
import :lent_word;
import :policy;
import :slot_pages;

namespace ecs {

/// The dimensions of an owned registry: pages of 4096 slots, which are also what a key and the owner take at
/// once, or about as many slots in a page as there are pages; and no more shared lanes than there must be.
export template <allocatable_layout Layout> struct owned_geometry : default_geometry<Layout> {
    static constexpr unsigned page_bits = std::min(12U, slot_codec<Layout>::index_field.width() / 2);
    static constexpr unsigned chunk_bits =
        std::clamp(slot_codec<Layout>::index_field.width(), page_bits, 16U);
    static constexpr std::uint32_t magazine =
        std::min(default_geometry<Layout>::magazine, std::uint32_t{1} << page_bits);
    static constexpr std::size_t shared_lanes = 1;
};

static_assert(registry_geometry<owned_geometry<layouts::entity>>);

template <lending_layout Layout, class Atomics, registry_geometry Geometry> struct owned_parts {
    using layout = Layout;
    using state = lent_word<Layout>;
    using word = word_of<Layout>;
    using exhaustion = retire;
    using payload = no_payload;
    using atomics = Atomics;
    using order = typename Atomics::order;
    using geometry = Geometry;
    using pages = slot_pages<Layout, no_payload, Atomics, Geometry>;
    using slot_type = typename pages::slot_type;
    using lane_type = lane<word, Atomics, Geometry, false>;

    static constexpr bool takes_turns = true;
};

/// Lets the slot come from memory that lies that many bytes behind the first. Any address may be given.
template <class Parts>
[[gnu::always_inline]] inline void prefetch_slot(const typename Parts::slot_type* first,
                                                 std::uintptr_t bytes) {
    using slot = typename Parts::slot_type;
    const auto* const there = reinterpret_cast<const slot*>(reinterpret_cast<std::uintptr_t>(first) + bytes);
    if constexpr (requires { Parts::atomics::prefetch(there, std::size_t{1}); })
        Parts::atomics::prefetch(there, 1);
}

/// The words of the slots of one page, for code that goes over all of them: the page is found once.
template <class Parts> class slots_of_page {
  public:
    using word = typename Parts::word;

    /// The slots of the page of the index; none of a number that is no index.
    [[gnu::always_inline]] inline slots_of_page(const typename Parts::pages& pages, std::uint32_t index)
        : first_(index & ~last_of_page), slots_(is_index(index) ? pages.find(first_) : nullptr) {}

    [[nodiscard, gnu::always_inline]] inline bool has(std::uint32_t index) const {
        return index - first_ <= last_of_page;
    }
    /// As lent_slots::read, of an index of the page; 0 where there is no such page.
    [[nodiscard, gnu::always_inline]] inline word read(std::uint32_t index) const {
        return slots_ ? known(index) : word{0};
    }
    /// The same where the page is there.
    [[nodiscard, gnu::always_inline]] inline word known(std::uint32_t index) const {
        // Relaxed, as in lent_slots: a word promises nothing about other memory.
        return slots_[index - first_].word.load(std::memory_order_relaxed);
    }
    /// As lent_slots::write, of an index of the page, which is there.
    [[gnu::always_inline]] inline void write(std::uint32_t index, word bits) const {
        slots_[index - first_].word.store(bits, std::memory_order_relaxed); // Likewise.
    }
    /// Lets what is some way behind the slot of the index come from memory: code that goes over many slots
    /// and does little with each waits for them otherwise (docs/decisions/copies.md).
    [[gnu::always_inline]] inline void prefetch_behind(std::uint32_t index) const {
        constexpr std::uintptr_t way = 4096;
        prefetch_slot<Parts>(slots_, (index - first_) * sizeof(typename Parts::slot_type) + way);
    }
    static constexpr std::uint32_t in_a_line = 64 / sizeof(typename Parts::slot_type);

  private:
    static constexpr std::uint32_t last_of_page = (std::uint32_t{1} << Parts::pages::page_bits) - 1;

    /// Always, where an index has 32 bits.
    [[nodiscard, gnu::always_inline]] static inline bool is_index(std::uint32_t number) {
        constexpr unsigned width = Parts::state::index_field.width();
        return std::uint64_t{number} >> width == 0;
    }

    std::uint32_t first_;
    typename Parts::pages::slot_type* slots_;
};

/// The same for code that goes from index to index, most of which are in the page of the one before.
template <class Parts> class slot_walk {
  public:
    using word = typename Parts::word;

    [[gnu::always_inline]] inline explicit slot_walk(const typename Parts::pages& pages)
        : pages_(&pages), here_(pages, 0) {}

    [[nodiscard, gnu::always_inline]] inline word read(std::uint32_t index) {
        go_to(index);
        here_.prefetch_behind(index);
        return here_.read(index);
    }
    [[gnu::always_inline]] inline void write(std::uint32_t index, word bits) {
        go_to(index);
        here_.write(index, bits);
    }

  private:
    [[gnu::always_inline]] inline void go_to(std::uint32_t index) {
        if (!here_.has(index)) [[unlikely]]
            here_ = slots_of_page<Parts>(*pages_, index);
    }

    const typename Parts::pages* pages_;
    slots_of_page<Parts> here_;
};

/// The words of slots, by index. Relaxed, throughout: a word promises nothing about other memory. A thread
/// that wants to see more than who lives, and where, synchronises with the owner anyway.
template <class Parts> class lent_slots {
  public:
    using word = typename Parts::word;

    [[gnu::always_inline]] inline explicit lent_slots(const typename Parts::pages& pages) : pages_(&pages) {}

    /// The word of any index; 0 where nothing is, also for numbers that are no index. Wait-free.
    [[nodiscard, gnu::always_inline]] inline word read(std::uint32_t index) const noexcept {
        constexpr unsigned width = Parts::state::index_field.width();
        if (std::uint64_t{index} >> width != 0) return 0; // Never, where an index has 32 bits.
        return pages_->read(index, std::memory_order_relaxed);
    }
    /// The word of an index whose page the caller knows to exist.
    [[nodiscard, gnu::always_inline]] inline word known(std::uint32_t index) const noexcept {
        return pages_->at(index).word.load(std::memory_order_relaxed);
    }
    /// Writes the word of an index that is the caller's, as is the next.
    [[gnu::always_inline]] inline void write(std::uint32_t index, word bits) const noexcept {
        pages_->at(index).word.store(bits, std::memory_order_relaxed);
    }
    /// Writes the word, except the bits to keep.
    [[gnu::always_inline]] inline void write(std::uint32_t index, word bits, word kept) const noexcept {
        write_to(pages_->at(index), bits, kept);
    }
    /// The same of a slot that was found already.
    [[gnu::always_inline]] static inline void write_to(typename Parts::slot_type& slot, word bits,
                                                       word kept) noexcept {
        // Relaxed, as all that is here: a word promises nothing about other memory.
        write_over(slot, slot.word.load(std::memory_order_relaxed), bits, kept);
    }
    /// The same of a slot whose word is known.
    [[gnu::always_inline]] static inline void write_over(typename Parts::slot_type& slot, word known,
                                                         word bits, word kept) noexcept {
        slot.word.store((known & kept) | bits, std::memory_order_relaxed); // Likewise.
    }
    /// Lets the word come while the caller does something else.
    [[gnu::always_inline]] inline void prefetch(std::uint32_t index) const noexcept {
        if constexpr (requires { Parts::atomics::prefetch(&pages_->at(index), std::size_t{1}); })
            Parts::atomics::prefetch(&pages_->at(index), 1);
    }

  private:
    const typename Parts::pages* pages_;
};

} // namespace ecs
