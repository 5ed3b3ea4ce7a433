// SPDX-License-Identifier: MIT
// One word for each index says whether it is in use, and under which generation.
//
//   never issued   0
//   live           (index i, generation g) with tags and world: the identifier itself
//   free           (index 0, generation g), to be used next under g > 1
//   retired        (index 0, generation 1): its generations are spent
//
//   0 -> live(1) -> free(2) -> live(2) -> ... -> live(max) -> retired
//
// It is the word of :slot, except that untouched is 0 here: that is what memory from the system holds.
//
// Being live is being equal to the word, so identifiers of another world or kind are never live. The slot of
// index 0, which is nobody's, holds the word of another index: no identifier equals it, not even the null
// one.
//
//   flat    | word payload | word payload | ...   all indices ...   | claimed bits | pages in use |
//
// All slots lie in one range of addresses, zeroed, of which the system makes memory where it is touched: the
// slot of an index is base + index, and every index may be asked for, whether or not it was ever used. Where
// so many addresses cannot be had, none are taken, and there are pages:
//
//   directory   | * | * | 0 | ...        an entry for each page, in memory the system zeroes when touched;
//                 |   |                  for one thread, for each page up to the last one
//                 v   v
//   page        | word payload | word payload | ... | claimed bits |     zeroed likewise; never moves
//
// Threads: find is wait-free. What is flat is there from the beginning. A page appears at once and for good
// (one exchange; the loser frees its own).
export module ecs.registry:slot_pages;
import ecs.std;
import ecs.id;
import :atomics;
import :slot;

namespace ecs {

/// How a slot's word is read and written; see the banner.
template <allocatable_layout Layout> struct slot_state : slot_codec<Layout> {
    using codec = slot_codec<Layout>;
    using word = word_of<Layout>;

    /// Indices beyond 2^32 - 1 are not issued.
    static constexpr std::uint64_t index_max = std::min(codec::index_max, std::uint64_t{0xFFFF'FFFF});
    static constexpr word never_issued = 0;

    /// The word of an index that waits for its use under the generation.
    static constexpr word free(std::uint64_t generation) {
        return generation == 1 ? never_issued : codec::pack(0, generation);
    }
    /// Without a generation field, where nothing waits for a second use, another index says that one is
    /// spent.
    static constexpr word retired(std::uint64_t index) {
        return codec::has_generation ? codec::pack(0, 1) : codec::pack(index == 1 ? 2 : 1, 1);
    }

    static constexpr bool is_live(word bits, std::uint64_t index) { return codec::index_of(bits) == index; }
    /// Whether the index is neither live nor retired: it can be used, under next_generation.
    static constexpr bool is_free(word bits, std::uint64_t index) {
        return bits == never_issued || (!is_live(bits, index) && bits != retired(index));
    }
    /// Whether the slot waits to be issued as that identifier.
    static constexpr bool waits_as(word bits, word id) { return bits == free(codec::generation_of(id)); }
    /// The last identifier of the index, without its stamp if it has ended; 0 when there was none, or when
    /// the index begins anew.
    static constexpr word last_use(word bits, std::uint64_t index) {
        if (is_live(bits, index)) return bits;
        const std::uint64_t next =
            is_free(bits, index) ? next_generation(bits) : std::uint64_t{codec::generation_max} + 1;
        return next > 1 ? codec::pack(index, next - 1) : word{0};
    }
    static constexpr std::uint64_t next_generation(word bits) {
        return bits == never_issued ? 1 : codec::generation_of(bits);
    }

    /// The identifier of the next index, under the same generation.
    static constexpr word beside(word id) { return static_cast<word>(id + index_unit); }
    /// Whether the identifier has the last generation.
    static constexpr bool is_last(word id) { return (id & generation_mask) == generation_mask; }

  private:
    static constexpr word index_unit = static_cast<word>(std::uint64_t{1} << codec::index_field.low);
    static constexpr word generation_mask = static_cast<word>(codec::generation_field.mask());
};

/// No payload: a slot is as large as an identifier.
export struct no_payload {};

template <class Word, class Payload, class Atomics> struct shared_slot {
    typename Atomics::template atomic<Word> word;
    [[no_unique_address]] Payload payload;
};

/// The slots of consecutive indices, and which of these were claimed before the walk reached them.
template <class Slot, class Atomics, std::uint64_t Size> struct slot_block {
    Slot slots[Size];
    typename Atomics::template plain<std::uint64_t> claimed[(Size + 63) / 64];
};

/// The slots of a registry, found by index.
template <class Layout, class Payload, class Atomics, class Geometry> class slot_pages {
    using state = slot_state<Layout>;
    using order = typename Atomics::order;

  public:
    using word = word_of<Layout>;
    using slot_type = shared_slot<word, Payload, Atomics>;

    /// Slots in a page, as a power of two. Flat slots are taken into use by the page as well.
    static constexpr unsigned page_bits = std::min(Geometry::page_bits, state::index_field.width());

    /// `flat` false: the slots lie in pages on the heap from the start, and the directory grows with the
    /// number of the last one. For registries that are made and destroyed often, of which one thread at a
    /// time makes pages, while no other thread looks for one.
    explicit slot_pages(bool flat = true) : flat_(flat ? reserve_flat() : nullptr) {
        if (flat_) // Relaxed: nobody sees the registry before it is made.
            flat_->all.slots[0].word.store(nobody, std::memory_order_relaxed);
        else if (flat)
            directory_ = Atomics::template allocate_directory<entry>(entries_ = page_count);
    }
    slot_pages(const slot_pages&) = delete;
    slot_pages& operator=(const slot_pages&) = delete;
    ~slot_pages() {
        if (flat_)
            Atomics::release_reserved(flat_);
        else
            release_pages();
    }

    /// The slot of any index; null where no thread can have used it. Wait-free.
    [[nodiscard, gnu::always_inline]] inline slot_type* find(std::uint64_t index) const noexcept {
        if (exceeds_all(index)) return nullptr;
        if (flat_) [[likely]]
            return &flat_->all.slots[index];
        return find_in_pages(index);
    }

    /// What the slot of any index says, or would say: no identifier of the index equals it but the live one.
    /// Wait-free.
    [[nodiscard, gnu::always_inline]] inline word read(std::uint64_t index,
                                                       std::memory_order how) const noexcept {
        if (flat_ && !exceeds_all(index)) [[likely]]
            return flat_->all.slots[index].word.load(how);
        return read_in_pages(index, how);
    }

    /// The slots of all indices, one behind the other; null where they are in pages. It stays so.
    [[nodiscard, gnu::always_inline]] inline slot_type* flat_slots() const noexcept {
        return flat_ ? flat_->all.slots : nullptr;
    }

    /// The slot of an index that the caller holds: its page exists, and the caller knows so.
    [[nodiscard, gnu::always_inline]] inline slot_type& at(std::uint64_t index) const noexcept {
        if (flat_) [[likely]]
            return flat_->all.slots[index];
        return known(index).slots[index & page_mask];
    }

    /// How many slots follow that of the index in its page, itself included.
    [[nodiscard]] static constexpr std::uint64_t left_in_page(std::uint64_t index) noexcept {
        return page_size - (index & page_mask);
    }

    /// Makes the page of the index exist: for_each_used visits it from now on, in every thread that calls
    /// this or is given one of its indices. Throws std::bad_alloc. Lock-free apart from the system's memory.
    void ensure(std::uint64_t index) {
        const std::uint64_t number = index >> page_bits;
        if (flat_) [[likely]]
            return take_into_use(number);
        if (number >= entries_) [[unlikely]]
            grow(number + 1);
        // Pairs with page_publish: the caller goes on to read the directory relaxed.
        if (!directory_[number].load(order::page_ensure)) publish(number, make_page(number));
    }

    /// Slots of consecutive indices in one page, and which of these were claimed before the walk reached
    /// them, a bit for each: such an index is the circulation's, not the walk's.
    struct run {
        slot_type* slots;
        std::uint64_t claimed;
    };
    /// The run that begins with an index that the caller holds; at most to the next multiple of 64.
    [[nodiscard]] run run_from(std::uint64_t index) const noexcept {
        return {&at(index), claims(index) >> index % 64};
    }

    void set_claimed(std::uint64_t index) {
        auto& bits = claims(index);
        bits = bits | std::uint64_t{1} << index % 64;
    }
    void forget_claim(std::uint64_t index) {
        auto& bits = claims(index);
        bits = bits & ~(std::uint64_t{1} << index % 64);
    }

    /// Calls visit(index, slot) for every index of an existing page within [first, last], in increasing
    /// order, except those from `unused` on that were not claimed. Flat, a page exists when ensure has seen
    /// it.
    template <class Visit>
    void for_each_used(std::uint64_t first, std::uint64_t last, std::uint64_t unused, Visit visit) const {
        const std::uint64_t end = std::min((last >> page_bits) + 1, pages_end());
        for (auto number = next_page(first >> page_bits, end); number < end;
             number = next_page(number + 1, end))
            visit_page(number, first, last, unused, visit);
    }

    /// Calls visit(number) for every page that exists, in increasing order, as for_each_used.
    void for_each_page(auto visit) const {
        const std::uint64_t end = pages_end();
        for (auto number = next_page(0, end); number < end; number = next_page(number + 1, end))
            visit(static_cast<std::uint32_t>(number));
    }

  private:
    static constexpr std::uint64_t page_size = std::uint64_t{1} << page_bits;
    static constexpr std::uint64_t page_mask = page_size - 1;
    static constexpr std::uint64_t page_count = (state::index_max >> page_bits) + 1;

    using page = slot_block<slot_type, Atomics, page_size>;
    using entry = typename Atomics::template atomic<page*>;
    using claims_type = typename Atomics::template plain<std::uint64_t>;
    template <class T> using atomic = typename Atomics::template atomic<T>;

    /// Addresses of 32 bits are too few even to say how large the slots are.
    static constexpr bool may_be_flat = sizeof(void*) >= sizeof(std::uint64_t);

    struct flat {
        slot_block<slot_type, Atomics, may_be_flat ? state::index_max + 1 : page_size> all;
        atomic<std::uint64_t> in_use[(page_count + 63) / 64]; ///< The pages that ensure was called for.
    };

    static flat* reserve_flat() {
        if constexpr (may_be_flat)
            return Atomics::template try_reserve<flat>();
        else
            return nullptr;
    }

    /// What slot 0 holds: a word that no identifier of index 0 equals.
    static constexpr word nobody = state::pack(1, 1);

    static constexpr bool exceeds_all([[maybe_unused]] std::uint64_t index) {
        if constexpr (state::codec::index_max > state::index_max) return index > state::index_max;
        return false;
    }

    /// The first page that exists from the number on; the end or more when there is none before it.
    [[nodiscard]] std::uint64_t next_page(std::uint64_t number, std::uint64_t end) const noexcept {
        if (flat_) [[likely]]
            return next_in_use(number, end);
        // Pairs with page_publish.
        while (number < end && !directory_[number].load(order::page_visit)) ++number;
        return number;
    }

    [[nodiscard]] claims_type& claims(std::uint64_t index) const noexcept {
        if (flat_) [[likely]]
            return flat_->all.claimed[index / 64];
        return known(index).claimed[(index & page_mask) / 64];
    }

    [[nodiscard]] std::uint64_t pages_end() const noexcept {
        return pages_end_.load(std::memory_order_relaxed); // Relaxed: see raise_to.
    }

    // Flat.

    /// Those of the pages in use that share a word with this one and do not come before it, from bit 0 on.
    [[nodiscard]] std::uint64_t in_use_from(std::uint64_t number) const noexcept {
        // Relaxed: a thread sees what it did itself, and what those did who gave it an index.
        return flat_->in_use[number / 64].load(std::memory_order_relaxed) >> number % 64;
    }

    [[nodiscard]] std::uint64_t next_in_use(std::uint64_t number, std::uint64_t end) const noexcept {
        for (; number < end; number = (number | 63) + 1)
            if (const std::uint64_t left = in_use_from(number))
                return number + static_cast<std::uint64_t>(std::countr_zero(left));
        return number;
    }

    void take_into_use(std::uint64_t number) noexcept {
        // Also where the bit is there: a thread that sees it may not see yet how far its setter had raised.
        raise_to(pages_end_, number + 1);
        if (in_use_from(number) & 1) return;
        // Relaxed: the slots are there from the beginning.
        flat_->in_use[number / 64].fetch_or(std::uint64_t{1} << number % 64, std::memory_order_relaxed);
    }

    // Pages.

    // Out of line, so that a question for a slot takes few instructions where it is inlined.

    [[gnu::noinline, gnu::cold, clang::preserve_most]] slot_type*
    find_in_pages(std::uint64_t index) const noexcept {
        if (index >> page_bits >= entries_) return nullptr;
        page* found = directory_[index >> page_bits].load(order::page_find); // Pairs with page_publish.
        return found ? &found->slots[index & page_mask] : nullptr;
    }
    [[gnu::noinline, gnu::cold, clang::preserve_most]] word
    read_in_pages(std::uint64_t index, std::memory_order how) const noexcept {
        if (const slot_type* slot = exceeds_all(index) ? nullptr : find_in_pages(index))
            return slot->word.load(how);
        return index == 0 ? nobody : state::never_issued;
    }

    page& known(std::uint64_t index) const noexcept {
        // Relaxed: the caller has found the page before, or was given the index by a thread that had.
        return *directory_[index >> page_bits].load(std::memory_order_relaxed);
    }

    page* make_page(std::uint64_t number) {
        page* made = Atomics::template allocate<page>(1);
        // Relaxed: nobody sees the page before it is published.
        if (number == 0) made->slots[0].word.store(nobody, std::memory_order_relaxed);
        return made;
    }

    void publish(std::uint64_t number, page* made) noexcept {
        raise_to(pages_end_, number + 1); // First, so that a thread that finds the page visits it.
        page* none = nullptr;
        // On failure it pairs with the publication by the thread that was faster, whose page is used then.
        if (!directory_[number].compare_exchange_strong(none, made, order::page_publish,
                                                        order::page_publish_late))
            Atomics::template deallocate<page>(made, 1);
    }

    void release_pages() noexcept {
        for (std::uint64_t number = 0; number < pages_end(); ++number)
            // Relaxed: whoever destroys the registry has synchronised with all who used it.
            if (page* p = directory_[number].load(std::memory_order_relaxed))
                Atomics::template deallocate<page>(p, 1);
        release_directory();
    }
    void release_directory() noexcept {
        if (entries_ == page_count)
            Atomics::template deallocate_directory<entry>(directory_, page_count);
        else
            Atomics::template deallocate<entry>(directory_, entries_);
    }

    /// Makes a directory of at least so many entries, and of twice as many as before; of all, where those are
    /// more than a few: the system does not clear what is never touched.
    void grow(std::uint64_t needed) {
        constexpr std::uint64_t few = std::min<std::uint64_t>(4096, page_count);
        const std::uint64_t more = std::max({needed, 2 * entries_, std::uint64_t{16}});
        replace_directory(more < few ? more : page_count);
    }
    void replace_directory(std::uint64_t entries) {
        entry* const made = entries == page_count ? Atomics::template allocate_directory<entry>(page_count)
                                                  : Atomics::template allocate<entry>(entries);
        for (std::uint64_t number = 0; number < entries_; ++number) // Relaxed: no other thread looks.
            made[number].store(directory_[number].load(std::memory_order_relaxed), std::memory_order_relaxed);
        release_directory();
        directory_ = made;
        entries_ = entries;
    }

    template <class Visit>
    void visit_page(std::uint64_t number, std::uint64_t first, std::uint64_t last, std::uint64_t unused,
                    Visit& visit) const {
        const std::uint64_t end = std::min(last, (number << page_bits) + page_mask);
        for (std::uint64_t index = std::max(first, number << page_bits); index <= end;
             index = (index | 63) + 1)
            visit_run(index, std::min(end, index | 63), unused, visit);
    }

    template <class Visit>
    void visit_run(std::uint64_t first, std::uint64_t last, std::uint64_t unused, Visit& visit) const {
        const run here = run_from(first);
        if (first >= unused && here.claimed == 0) return;
        for (std::uint64_t n = 0; n <= last - first; ++n)
            if (first + n < unused || (here.claimed >> n & 1)) visit(first + n, here.slots[n]);
    }

    flat* flat_;                        // All slots, or
    entry* directory_ = nullptr;        // the pages of those that are used,
    std::uint64_t entries_ = 0;         // of which it has so many.
    atomic<std::uint64_t> pages_end_{}; // One more than the last page in use.
};

} // namespace ecs
