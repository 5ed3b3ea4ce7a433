// SPDX-License-Identifier: MIT
// A pool allocates the identifiers of one run of indices: slots, a cursor, and the free indices behind it.
//
//    first          cursor              slots end                         last
//     |---- issued ----|-- claimed ahead --|---- claimed far ahead ---------|
//     |  every slot is |  most slots are   |  the few claimed ones are in   |
//     |  in use, free  |  untouched        |  a hash table; all others are  |
//     |  or retired    |                   |  untouched                     |
//
// Create takes a free index behind the cursor, and advances the cursor when there is none (or not enough,
// under quarantine). Claim never moves the cursor; the cursor steps over what it finds claimed. An identifier
// that was claimed ahead and destroyed again waits, under its next generation, until the cursor comes by:
// what others sent does not change the order in which create issues.
export module ecs.registry:index_pool;
import ecs.std;
import ecs.id;
import :free_list;
import :policy;
import :slot;
import :sparse_slots;
import :status;

namespace ecs {

/// What a registry, a partition or a range has and has had. Every index is live, free, retired or untouched.
export struct index_counts {
    std::uint64_t capacity{};  ///< Indices in all.
    std::uint64_t live{};      ///< In use.
    std::uint64_t free{};      ///< Destroyed, to be used again.
    std::uint64_t retired{};   ///< Spent: never used again.
    std::uint64_t remaining{}; ///< How many creates succeed from now on if nothing is destroyed.

    /// Never used.
    [[nodiscard]] constexpr std::uint64_t untouched() const { return capacity - live - free - retired; }

    constexpr index_counts& operator+=(const index_counts& other) {
        capacity += other.capacity;
        live += other.live;
        free += other.free;
        retired += other.retired;
        remaining += other.remaining;
        return *this;
    }

    friend constexpr bool operator==(const index_counts&, const index_counts&) = default;
};

/// Not constexpr on purpose: a constant expression that spends an index under trap does not compile.
[[noreturn]] inline void trap_spent_index(std::uint64_t index) {
    std::fprintf(stderr, "ecs: the generations of index %llu are spent, and the policy is to trap\n",
                 static_cast<unsigned long long>(index));
    std::abort();
}

template <class Layout, class Exhaustion, class FreeList> class index_pool {
  public:
    using codec = slot_codec<Layout>;
    using word = word_of<Layout>;
    using id_type = basic_id<Layout>;

    /// The indices first to last, both included; none when last is first - 1. Identifiers carry the stamp:
    /// tags and world. The owner is the partition or range that the pool serves.
    constexpr index_pool(std::uint64_t first, std::uint64_t last, word stamp, std::size_t owner)
        : first_(first), last_(last), stamp_(stamp), owner_(owner) {}

    [[nodiscard]] constexpr std::uint64_t first() const { return first_; }
    [[nodiscard]] constexpr std::uint64_t last() const { return last_; }
    [[nodiscard]] constexpr std::size_t owner() const { return owner_; }
    [[nodiscard]] constexpr std::uint64_t capacity() const { return last_ - first_ + 1; }
    [[nodiscard]] constexpr bool contains(std::uint64_t index) const { return index - first_ < capacity(); }
    [[nodiscard]] constexpr bool overlaps(std::uint64_t first, std::uint64_t last) const {
        return capacity() != 0 && first <= last_ && first_ <= last;
    }

    [[nodiscard]] constexpr index_counts counts() const {
        const std::uint64_t touched = cursor() + claimed_ahead_;
        const std::uint64_t waiting = free_.size();
        const std::uint64_t usable =
            waiting > Exhaustion::minimum_free ? waiting - Exhaustion::minimum_free : 0;
        return {.capacity = capacity(),
                .live = touched - waiting - free_ahead_ - retired_,
                .free = waiting + free_ahead_,
                .retired = retired_,
                .remaining = capacity() - touched + free_ahead_ + usable};
    }

    /// Null when the pool is exhausted. May throw std::bad_alloc, and has changed nothing then.
    [[nodiscard]] constexpr id_type create() {
        if (free_.size() > Exhaustion::minimum_free) return recycle();
        return claimed_ahead_ == 0 ? append() : advance_over_claims();
    }

    /// Fills the span; no more than remain, and after reserve_ahead, so that nothing can fail.
    constexpr void create(std::span<id_type> out) {
        while (!out.empty() && (claimed_ahead_ != 0 || free_.size() > Exhaustion::minimum_free)) {
            out.front() = create();
            out = out.subspan(1);
        }
        append(out);
    }

    /// Room for so many indices: create and destroy allocate nothing up to there.
    constexpr void reserve(std::uint64_t indices) {
        const auto wanted = static_cast<std::size_t>(std::min(indices, capacity()));
        slots_.reserve(wanted);
        free_.reserve_more(wanted);
    }

    /// Room for so many more creates, growing as a vector grows.
    constexpr void reserve_ahead(std::size_t creates) {
        const std::uint64_t recycled = std::min<std::uint64_t>(creates, free_.size());
        const std::uint64_t needed = std::min(cursor() + claimed_ahead_ + (creates - recycled), capacity());
        if (claimed_ahead_ != 0 && needed > slots_.size())
            grow(needed);
        else if (needed > slots_.capacity())
            slots_.reserve(static_cast<std::size_t>(std::max<std::uint64_t>(needed, 2 * slots_.capacity())));
    }

    [[nodiscard]] constexpr bool alive(id_type id) const {
        const std::uint64_t offset = offset_of(id);
        if (offset < slots_.size()) return slots_[static_cast<std::size_t>(offset)] == id.value();
        if (far_.empty()) return false;
        return is_alive_far(id);
    }

    /// False when the identifier is not live. The array of ready identifiers may throw std::bad_alloc, and
    /// the identifier lives on then.
    constexpr bool destroy(id_type id) {
        const std::uint64_t offset = offset_of(id);
        if (offset < cursor() && slots_[static_cast<std::size_t>(offset)] == id.value()) [[likely]] {
            release(id);
            return true;
        }
        return offset >= cursor() && destroy_ahead(id);
    }

    /// Takes an identifier from elsewhere into use. The caller has seen that its status is never_issued.
    constexpr void claim(id_type id) {
        const std::uint64_t index = index_of(id);
        if (index - first_ < cursor()) {
            free_.remove(view(), index);
            view()[index] = id.value();
            return;
        }
        const bool was_untouched = slot_of(index) == codec::untouched;
        put_ahead(index, id.value());
        if (was_untouched)
            ++claimed_ahead_;
        else
            --free_ahead_;
    }

    /// The status of an identifier of this registry's tags and world whose index is the pool's.
    [[nodiscard]] constexpr id_status status(id_type id) const {
        const std::uint64_t index = index_of(id);
        const word slot = slot_of(index);
        if (slot == id.value()) return id_status::live;
        if (is_retired(slot, index)) return id_status::retired;
        const bool in_use = codec::index_of(slot) == index;
        const std::uint64_t last_used = codec::generation_of(slot) - (in_use ? 0 : 1);
        return codec::generation_of(id.value()) <= last_used ? id_status::stale : id_status::never_issued;
    }

    /// The live identifier of the index, or null.
    [[nodiscard]] constexpr id_type live_at(std::uint64_t index) const {
        const word slot = slot_of(index);
        return id_type::assume_word(codec::index_of(slot) == index ? slot : word{0});
    }

    /// The generation of the next use of an index that is not live.
    [[nodiscard]] constexpr std::uint64_t next_generation(std::uint64_t index) const {
        return codec::generation_of(slot_of(index));
    }

    /// Destroys everything that lives; the lowest indices are the first to be used again. May throw
    /// std::bad_alloc, and has changed nothing then.
    constexpr void clear() {
        free_.reserve_more(static_cast<std::size_t>(counts().live));
        std::vector<id_type> far;
        collect_far(far);
        for (const id_type id : far) destroy(id);
        const std::uint64_t slots = slots_.size();
        for (std::uint64_t n = 0; n < slots; ++n) {
            const std::uint64_t oldest_first = first_ + n;
            const std::uint64_t newest_first = first_ + (slots - 1 - n);
            const id_type id = live_at(Exhaustion::minimum_free > 0 ? oldest_first : newest_first);
            if (id) destroy(id);
        }
    }

    /// Number of slots that next_live can be asked for.
    [[nodiscard]] constexpr std::uint64_t near_slots() const { return slots_.size(); }

    /// The identifier that lives in the slot, or null.
    [[nodiscard]] constexpr id_type live_in_slot(std::uint64_t offset) const {
        return live_at(first_ + offset);
    }

    /// Adds the identifiers that live far ahead, in order of index.
    constexpr void collect_far(std::vector<id_type>& out) const {
        if (far_.empty()) return;
        for (const auto& [index, slot] : far_.sorted())
            if (index - first_ >= slots_.size() && codec::index_of(slot) == index)
                out.push_back(id_type::assume_word(slot));
    }

    /// Whether all indices first to last are ahead of the cursor and untouched.
    [[nodiscard]] constexpr bool untouched(std::uint64_t first, std::uint64_t last) const {
        if (first - first_ < cursor()) return false;
        bool none = true;
        for_each_ahead([&](std::uint64_t index, word) { none = none && (index < first || last < index); });
        return none;
    }

    /// Gives up all indices from first on, and returns the pool of those above last; what was claimed there
    /// stays claimed. The indices first to last are untouched. May throw std::bad_alloc, and has changed
    /// nothing then.
    [[nodiscard]] constexpr index_pool split(std::uint64_t first, std::uint64_t last) {
        index_pool upper(last + 1, last_, stamp_, owner_);
        for_each_ahead([&](std::uint64_t index, word slot) {
            if (index > last) upper.adopt(index, slot);
        });
        far_ = far_.within(first_, first - 1);
        last_ = first - 1;
        if (slots_.size() > capacity()) {
            slots_ahead_ -= slots_.size() - capacity();
            slots_.resize(static_cast<std::size_t>(capacity()));
        }
        free_ahead_ -= upper.free_ahead_;
        retired_ -= upper.retired_;
        pass_claims(upper.claimed_ahead_);
        return upper;
    }

  private:
    /// How many indices create has come past.
    [[nodiscard]] constexpr std::uint64_t cursor() const { return slots_.size() - slots_ahead_; }

    [[nodiscard]] static constexpr std::uint64_t index_of(id_type id) { return codec::index_of(id.value()); }
    [[nodiscard]] constexpr std::uint64_t offset_of(id_type id) const { return index_of(id) - first_; }
    [[nodiscard]] constexpr slot_view<word> view() { return {slots_, first_}; }

    [[nodiscard]] constexpr id_type issue(std::uint64_t index, std::uint64_t generation) const {
        return id_type::assume_word(static_cast<word>(codec::pack(index, generation) | stamp_));
    }

    [[nodiscard]] static constexpr bool is_retired(word slot, std::uint64_t index) {
        return Exhaustion::when_spent == spent_index::retired && slot == codec::retired(index);
    }

    [[nodiscard]] constexpr word slot_of(std::uint64_t index) const {
        if (index - first_ < slots_.size()) return slots_[static_cast<std::size_t>(index - first_)];
        const word* far = far_.find(index);
        return far ? *far : codec::untouched;
    }

    [[nodiscard]] constexpr bool is_alive_far(id_type id) const {
        const word* far = far_.find(index_of(id));
        return far && *far == id.value();
    }

    [[nodiscard]] constexpr id_type recycle() {
        const auto id = id_type::assume_word(free_.pop(view(), stamp_));
        view()[index_of(id)] = id.value();
        return id;
    }

    /// Issues the index at the cursor, where nothing is claimed ahead.
    [[nodiscard]] constexpr id_type append() {
        if (slots_.size() == capacity()) [[unlikely]]
            return {};
        const id_type id = issue(first_ + slots_.size(), 1);
        slots_.push_back(id.value());
        return id;
    }

    /// The same for a whole run of indices.
    constexpr void append(std::span<id_type> out) {
        const std::size_t old_size = slots_.size();
        const word base = issue(first_ + old_size, 1).value();
        for (std::size_t n = 0; n < out.size(); ++n)
            out[n] = id_type::assume_word(static_cast<word>(base + (word(n) << codec::index_field.low)));
        slots_.resize(old_size + out.size());
        for (std::size_t n = 0; n < out.size(); ++n) slots_[old_size + n] = out[n].value();
    }

    // What seldom happens is kept out of line, so that create and destroy stay small enough for registers.
    [[nodiscard, gnu::noinline, gnu::cold]] constexpr id_type advance_over_claims() {
        while (claimed_ahead_ != 0) {
            if (slots_ahead_ == 0) grow(cursor() + 1);
            if (const id_type id = pass_slot()) return id;
        }
        return append();
    }

    /// Moves the cursor over one slot, and issues its index unless it is in use or retired.
    [[nodiscard]] constexpr id_type pass_slot() {
        const std::uint64_t index = first_ + cursor();
        const word slot = view()[index];
        const bool usable = codec::index_of(slot) != index && !is_retired(slot, index);
        const id_type id = usable ? issue(index, codec::generation_of(slot)) : id_type{};
        if (usable) view()[index] = id.value();
        --slots_ahead_;
        if (slot == codec::untouched) return id;
        free_ahead_ -= usable;
        pass_claims(1);
        return id;
    }

    /// So many claims are no longer ahead of the cursor. When none is left, nothing is kept of what lies
    /// ahead: create has one condition to test.
    constexpr void pass_claims(std::uint64_t claims) {
        claimed_ahead_ -= claims;
        if (claimed_ahead_ != 0) return;
        slots_.resize(static_cast<std::size_t>(cursor()));
        slots_ahead_ = 0;
        far_ = {};
    }

    /// Slots for the first so many indices at least; what was far ahead moves in.
    constexpr void grow(std::uint64_t slots) {
        const std::uint64_t geometric = std::max<std::uint64_t>(slots, slots_.size() + slots_.size() / 2);
        const std::uint64_t size = std::min(geometric, capacity());
        auto rest = far_.empty() ? sparse_slots<word>{} : far_.within(first_ + size, last_);
        const std::size_t old_size = slots_.size();
        slots_.resize(static_cast<std::size_t>(size), codec::untouched);
        slots_ahead_ += size - old_size;
        if (far_.empty()) return;
        for (std::size_t offset = old_size; offset < size; ++offset)
            if (const word* far = far_.find(first_ + offset)) slots_[offset] = *far;
        far_ = std::move(rest);
    }

    constexpr void release(id_type id) {
        if (codec::generation_of(id.value()) < codec::generation_max) [[likely]]
            free_.push(view(), codec::next_use(id.value()));
        else
            spend(id);
    }

    [[gnu::noinline, gnu::cold]] constexpr void spend(id_type id) {
        const std::uint64_t index = index_of(id);
        if constexpr (Exhaustion::when_spent == spent_index::retired) {
            view()[index] = codec::retired(index);
            ++retired_;
        } else if constexpr (Exhaustion::when_spent == spent_index::reused) {
            free_.push(view(), codec::first_use(id.value()));
        } else {
            trap_spent_index(index);
        }
    }

    [[gnu::noinline, gnu::cold]] constexpr bool destroy_ahead(id_type id) {
        if (!alive(id)) return false;
        const std::uint64_t index = index_of(id);
        const word slot = slot_after(index, codec::generation_of(id.value()));
        put_ahead(index, slot);
        if (is_retired(slot, index))
            ++retired_;
        else if (slot == codec::untouched)
            pass_claims(1); // Under wrap, the index is as good as new.
        else
            ++free_ahead_;
        return true;
    }

    /// What the slot of an index that is destroyed under the generation holds next, outside the free list.
    [[nodiscard]] static constexpr word slot_after(std::uint64_t index, std::uint64_t generation) {
        if (generation < codec::generation_max) return codec::pack(0, generation + 1);
        if constexpr (Exhaustion::when_spent == spent_index::retired)
            return codec::retired(index);
        else if constexpr (Exhaustion::when_spent == spent_index::reused)
            return codec::pack(0, 1);
        else
            trap_spent_index(index);
    }

    constexpr void adopt(std::uint64_t index, word slot) {
        put_ahead(index, slot);
        ++claimed_ahead_;
        if (is_retired(slot, index))
            ++retired_;
        else if (codec::index_of(slot) != index)
            ++free_ahead_;
    }

    /// Writes the slot of an index ahead of the cursor, among the slots while at least a quarter of them
    /// would be in use, and far ahead otherwise.
    constexpr void put_ahead(std::uint64_t index, word slot) {
        const std::uint64_t offset = index - first_;
        const bool is_near = offset < 4 * (cursor() + claimed_ahead_) + 8;
        if (offset >= slots_.size() && (!is_near || far_.find(index))) {
            far_.set(index, slot);
            return;
        }
        if (offset >= slots_.size()) grow(offset + 1);
        slots_[static_cast<std::size_t>(offset)] = slot;
    }

    constexpr void for_each_ahead(auto visit) const {
        for (std::uint64_t offset = cursor(); offset < slots_.size(); ++offset)
            if (const word slot = slots_[static_cast<std::size_t>(offset)]; slot != codec::untouched)
                visit(first_ + offset, slot);
        for (const auto& [index, slot] : far_.sorted())
            if (index - first_ >= slots_.size() && slot != codec::untouched) visit(index, slot);
    }

    using list = typename FreeList::template list<codec, (Exhaustion::minimum_free > 0)>;

    std::uint64_t first_;
    std::uint64_t last_;
    word stamp_;
    std::size_t owner_;
    std::vector<word> slots_;
    std::uint64_t slots_ahead_{}; // Slots ahead of the cursor; none while nothing is claimed ahead.
    list free_;
    sparse_slots<word> far_;
    std::uint64_t claimed_ahead_{}; // Touched indices ahead of the cursor, of which
    std::uint64_t free_ahead_{};    // so many are destroyed and not retired.
    std::uint64_t retired_{};
};

} // namespace ecs
