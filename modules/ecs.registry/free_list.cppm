// SPDX-License-Identifier: MIT
// Which index is used next: the free indices of a pool, last in first out, or first in first out where a
// policy keeps indices in quarantine. Both lists issue the same identifiers for the same calls.
//
//   linked   ECR's: the free slots themselves are the list. No memory beside the slots; taking an index reads
//            the slot to find the next one, so that cold slots are a chain of cache misses.
//   ready    an array of the identifiers to issue next. Taking one only writes its slot, so that cold slots
//            are independent cache misses. One word more for each free index.
export module ecs.registry:free_list;
import ecs.std;
import ecs.id;
import :slot;

namespace ecs {

/// The slots of a pool, by index; two words, so that it travels in registers.
template <class Word> class slot_view {
  public:
    constexpr slot_view(std::span<Word> slots, std::uint64_t first) : slots_(slots.data()), first_(first) {}

    [[nodiscard]] constexpr Word& operator[](std::uint64_t index) const { return slots_[index - first_]; }

  private:
    Word* slots_;
    std::uint64_t first_;
};

/// The implicit list: a free slot holds the index of the next free slot, 0 at the end.
template <class Codec, bool FirstInFirstOut> class linked_list {
  public:
    using word = typename Codec::word;
    using slots = slot_view<word>;

    [[nodiscard]] constexpr std::uint64_t size() const { return size_; }
    constexpr void reserve_more(std::size_t) {}

    /// Puts the index in the list: it waits to be issued as the identifier `next`.
    constexpr void push(slots s, word next) {
        const std::uint64_t index = Codec::index_of(next);
        const std::uint64_t generation = Codec::generation_of(next);
        if constexpr (FirstInFirstOut)
            append(s, index, generation);
        else
            prepend(s, index, generation);
        ++size_;
    }

    /// Takes the next identifier to issue, which carries the stamp; the list is not empty.
    [[nodiscard]] constexpr word pop(slots s, word stamp) {
        const std::uint64_t index = head_;
        const word slot = s[index];
        head_ = Codec::index_of(slot);
        --size_;
        return static_cast<word>(Codec::pack(index, Codec::generation_of(slot)) | stamp);
    }

    /// Takes one index out of turn: linear in the number of free indices.
    constexpr void remove(slots s, std::uint64_t index) {
        const std::uint64_t next = Codec::index_of(s[index]);
        const std::uint64_t previous = predecessor(s, index);
        if (previous == 0)
            head_ = next;
        else
            s[previous] = Codec::pack(next, Codec::generation_of(s[previous]));
        if (tail_ == index) tail_ = previous;
        --size_;
    }
    constexpr void forget_left_behind(slots) {}

  private:
    constexpr void prepend(slots s, std::uint64_t index, std::uint64_t generation) {
        s[index] = Codec::pack(head_, generation);
        head_ = index;
    }

    constexpr void append(slots s, std::uint64_t index, std::uint64_t generation) {
        s[index] = Codec::pack(0, generation);
        if (size_ == 0)
            head_ = index;
        else
            s[tail_] = Codec::pack(index, Codec::generation_of(s[tail_]));
        tail_ = index;
    }

    [[nodiscard]] constexpr std::uint64_t predecessor(slots s, std::uint64_t index) const {
        std::uint64_t previous = 0;
        for (std::uint64_t at = head_; at != index; at = Codec::index_of(s[at])) previous = at;
        return previous;
    }

    std::uint64_t head_{};
    std::uint64_t tail_{}; // Only first in, first out keeps it.
    std::uint64_t size_{};
};

/// The array of ready identifiers. An index taken out of turn leaves its entry behind; such an entry is
/// recognised because its slot is not free under its generation, and entries left behind never outnumber the
/// others by more than a constant.
template <class Codec, bool FirstInFirstOut> class ready_list {
  public:
    using word = typename Codec::word;
    using slots = slot_view<word>;

    [[nodiscard]] constexpr std::uint64_t size() const {
        if constexpr (FirstInFirstOut)
            return entries_.size() - taken_ - left_behind_;
        else
            return entries_.size() - left_behind_;
    }
    /// Makes room. When first in, first out, as many entries that are gone may stand before those that wait.
    constexpr void reserve_more(std::size_t indices) {
        entries_.reserve(entries_.size() + (FirstInFirstOut ? 2 * indices : indices));
    }

    constexpr void push(slots s, word next) {
        entries_.push_back(next); // May throw, and has changed nothing then.
        s[Codec::index_of(next)] = Codec::free_slot(next);
    }

    [[nodiscard]] constexpr word pop(slots s, word) {
        const word next = take();
        return left_behind_ == 0 ? next : current_from(s, next);
    }

    /// Constant time, amortised.
    constexpr void remove(slots s, std::uint64_t index) {
        ++left_behind_;
        if (left_behind_ > size() + spare) tidy(s, index);
    }

  private:
    static constexpr std::uint64_t spare = 16;

    [[nodiscard]] static constexpr bool is_current(slots s, word entry) {
        return s[Codec::index_of(entry)] == Codec::free_slot(entry);
    }

    [[nodiscard]] constexpr word take() {
        if constexpr (FirstInFirstOut) {
            const word entry = entries_[taken_++];
            if (2 * taken_ > entries_.size()) drop_taken();
            return entry;
        } else {
            const word entry = entries_.back();
            entries_.pop_back();
            return entry;
        }
    }

    /// The next entry that was not left behind.
    [[nodiscard, gnu::noinline, gnu::cold]] constexpr word current_from(slots s, word next) {
        while (!is_current(s, next)) {
            --left_behind_;
            next = take();
        }
        return next;
    }

    constexpr void drop_taken() {
        entries_.erase(entries_.begin(), entries_.begin() + static_cast<std::ptrdiff_t>(taken_));
        taken_ = 0;
    }

  public:
    /// Forgets all entries that were left behind, before a generation comes again.
    constexpr void forget_left_behind(slots s) {
        if (left_behind_ != 0) tidy(s, 0);
    }

  private:
    constexpr void tidy(slots s, std::uint64_t removed) {
        const std::uint64_t waiting = size();
        drop_taken();
        std::erase_if(entries_,
                      [&](word entry) { return Codec::index_of(entry) == removed || !is_current(s, entry); });
        left_behind_ = entries_.size() - waiting;
    }

    std::vector<word> entries_;
    std::size_t taken_{}; // Entries at the front that are gone; first in, first out only.
    std::uint64_t left_behind_{};
};

/// How a registry remembers its free indices.
export namespace free_lists {

/// ECR's implicit list: no memory beside the slots.
struct linked {
    template <class Codec, bool FirstInFirstOut> using list = linked_list<Codec, FirstInFirstOut>;
};

/// An array of identifiers ready to be issued: the default, because cold slots cost it least.
struct ready {
    template <class Codec, bool FirstInFirstOut> using list = ready_list<Codec, FirstInFirstOut>;
};

} // namespace free_lists

} // namespace ecs
