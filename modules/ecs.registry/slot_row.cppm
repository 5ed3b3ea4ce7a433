// SPDX-License-Identifier: MIT
// The slots of one run of indices, as they lie in memory.
//
//    first          cursor              slots end                         last
//     |---- issued ----|-- claimed ahead --|---- claimed far ahead ---------|
//     |  every slot is |  most slots are   |  the few claimed ones are in   |
//     |  in use, free  |  untouched        |  a hash table; all others are  |
//     |  or retired    |                   |  untouched                     |
//
// The row knows where a slot is, and not what its word means for the counts of a pool: see :index_pool.
export module ecs.registry:slot_row;
import ecs.std;
import :free_list;
import :sparse_slots;

namespace ecs {

template <class Codec> class slot_row {
  public:
    using word = typename Codec::word;

    /// The indices first to last, both included; none when last is first - 1.
    constexpr slot_row(std::uint64_t first, std::uint64_t last) : first_(first), last_(last) {}

    [[nodiscard]] constexpr std::uint64_t first() const { return first_; }
    [[nodiscard]] constexpr std::uint64_t last() const { return last_; }
    [[nodiscard]] constexpr std::uint64_t capacity() const { return last_ - first_ + 1; }
    /// The offset of an index. For an index before the first it is huge, so that it is in no array.
    [[nodiscard]] constexpr std::uint64_t offset_of(std::uint64_t index) const { return index - first_; }

    /// How many slots are in the array.
    [[nodiscard]] constexpr std::uint64_t size() const { return slots_.size(); }
    [[nodiscard]] constexpr bool is_full() const { return slots_.size() == capacity(); }
    /// How many indices create has come past.
    [[nodiscard]] constexpr std::uint64_t cursor() const { return slots_.size() - slots_ahead_; }

    /// Slots in the array, by index and by offset.
    [[nodiscard]] constexpr slot_view<word> view() { return {slots_, first_}; }
    [[nodiscard]] constexpr word at_offset(std::uint64_t offset) const {
        return slots_[static_cast<std::size_t>(offset)];
    }

    /// The slot of any index of the run.
    [[nodiscard]] constexpr word slot_of(std::uint64_t index) const {
        if (offset_of(index) < slots_.size()) return at_offset(offset_of(index));
        const word* far = far_.find(index);
        return far ? *far : Codec::untouched;
    }

    /// Whether the slot of the identifier's index holds it; any index.
    [[nodiscard]] constexpr bool holds(word id) const {
        const std::uint64_t offset = offset_of(Codec::index_of(id));
        if (offset < slots_.size()) return at_offset(offset) == id;
        if (far_.empty()) return false;
        return far_holds(id);
    }

    /// Calls visit(index, slot) for every slot ahead of the cursor that is not untouched.
    constexpr void for_each_ahead(auto visit) const {
        for (std::uint64_t offset = cursor(); offset < slots_.size(); ++offset)
            if (const word slot = at_offset(offset); slot != Codec::untouched) visit(first_ + offset, slot);
        for_each_far([&](std::uint64_t index, word slot) {
            if (slot != Codec::untouched) visit(index, slot);
        });
    }

    /// Calls visit(index, slot) for every slot in the hash table, in order of index.
    constexpr void for_each_far(auto visit) const {
        if (far_.empty()) return;
        for (const auto& [index, slot] : far_.sorted())
            if (offset_of(index) >= slots_.size()) visit(index, slot);
    }

    constexpr void reserve(std::size_t slots) { slots_.reserve(slots); }

    /// Makes room for that many slots, growing as a vector grows; they exist where some are claimed ahead.
    constexpr void reserve_ahead(std::uint64_t slots, bool with_claims) {
        const std::uint64_t needed = std::min(slots, capacity());
        if (with_claims && needed > slots_.size())
            grow(needed);
        else if (needed > slots_.capacity())
            slots_.reserve(static_cast<std::size_t>(std::max<std::uint64_t>(needed, 2 * slots_.capacity())));
    }

    /// The next slot, where none is ahead of the cursor.
    constexpr void append(word slot) { slots_.push_back(slot); }

    /// Appends that many untouched slots, for the caller to write.
    [[nodiscard]] constexpr std::span<word> append_many(std::size_t count) {
        slots_.resize(slots_.size() + count, Codec::untouched);
        return std::span(slots_).last(count);
    }

    /// Makes sure that there is a slot at the cursor.
    constexpr void reach_cursor() {
        if (slots_ahead_ == 0) grow(cursor() + 1);
    }

    /// Moves the cursor over the slot there, which exists.
    constexpr void pass_slot() { --slots_ahead_; }

    /// Forgets everything ahead of the cursor, which is untouched.
    constexpr void drop_ahead() {
        slots_.resize(static_cast<std::size_t>(cursor()));
        slots_ahead_ = 0;
        far_ = {};
        taken_in_ = 0;
    }

    /// Writes the slot of an index ahead of the cursor: among the slots while at least a quarter of them
    /// would be in use, and far ahead otherwise. `touched` indices are in use, or have been.
    constexpr void put_ahead(std::uint64_t index, word slot, std::uint64_t touched) {
        const std::uint64_t offset = offset_of(index);
        const bool is_near = offset < 4 * touched + 8;
        if (offset >= slots_.size() && (!is_near || far_.find(index))) {
            far_.set(index, slot);
            return;
        }
        if (offset >= slots_.size()) grow(offset + 1);
        slots_[static_cast<std::size_t>(offset)] = slot;
    }

    /// Gives up all indices from first on, which are ahead of the cursor.
    constexpr void end_before(std::uint64_t first) {
        far_ = far_.within(first_ + slots_.size(), first - 1);
        taken_in_ = 0;
        last_ = first - 1;
        if (slots_.size() <= capacity()) return;
        slots_ahead_ -= slots_.size() - capacity();
        slots_.resize(static_cast<std::size_t>(capacity()));
    }

  private:
    [[nodiscard]] constexpr bool far_holds(word id) const {
        const word* far = far_.find(Codec::index_of(id));
        return far && *far == id;
    }

    /// Makes slots for at least that many of the first indices; what was far ahead moves in. What lies ahead
    /// may be given up soon, so that half as much of it is added, and not of all.
    constexpr void grow(std::uint64_t slots) {
        const std::uint64_t geometric = std::max<std::uint64_t>(slots, slots_.size() + slots_ahead_ / 2);
        const std::uint64_t size = std::min(geometric, capacity());
        const std::size_t old_size = slots_.size();
        slots_.resize(static_cast<std::size_t>(size), Codec::untouched);
        slots_ahead_ += size - old_size;
        if (!far_.empty()) [[unlikely]]
            take_in(old_size);
    }

    /// Moves in what was far ahead: the slots from there on are new. It stays in the table as well, where
    /// nothing looks for it: a table goes only when all of it is left behind.
    constexpr void take_in(std::size_t from) {
        for (std::size_t offset = from; offset < slots_.size(); ++offset)
            if (const word* far = far_.find(first_ + offset)) {
                slots_[offset] = *far;
                ++taken_in_;
            }
        if (taken_in_ == far_.size()) {
            far_ = {};
            taken_in_ = 0;
        }
    }

    std::uint64_t first_;
    std::uint64_t last_;
    std::vector<word> slots_;
    std::uint64_t slots_ahead_{}; // Slots ahead of the cursor; none while nothing is claimed ahead.
    sparse_slots<word> far_;
    std::size_t taken_in_{}; // How many of the far ones have a slot in the array.
};

} // namespace ecs
