// SPDX-License-Identifier: MIT
// A pool allocates the identifiers of one run of indices: a row of slots, a cursor, and the free indices
// behind it. Every index is live, free, retired or untouched, and the pool counts how many are.
//
//    create: a free index behind the cursor ---- none, or not enough under quarantine ---> the cursor's own
//    destroy: free, or spent                     claim: live, wherever it lies
//
// Claim never moves the cursor; the cursor steps over what it finds claimed. An identifier that was claimed
// ahead and destroyed again waits, under its next generation, until the cursor comes by: what others sent
// does not change the order in which create issues.
export module ecs.registry:index_pool;
import ecs.std;
import ecs.id;
import :free_list;
import :index_counts;
import :policy;
import :slot;
import :slot_row;
import :status;

namespace ecs {

template <class Layout, class Exhaustion, class FreeList> class index_pool {
  public:
    using codec = slot_codec<Layout>;
    using word = word_of<Layout>;
    using id_type = basic_id<Layout>;

    /// The indices first to last, both included; none when last is first - 1. Identifiers carry the stamp:
    /// tags and world. The owner is the partition or range that the pool serves.
    constexpr index_pool(std::uint64_t first, std::uint64_t last, word stamp, std::size_t owner)
        : row_(first, last), stamp_(stamp), owner_(owner) {}

    [[nodiscard]] constexpr std::uint64_t first() const { return row_.first(); }
    [[nodiscard]] constexpr std::uint64_t last() const { return row_.last(); }
    [[nodiscard]] constexpr std::size_t owner() const { return owner_; }
    [[nodiscard]] constexpr std::uint64_t capacity() const { return row_.capacity(); }
    [[nodiscard]] constexpr bool contains(std::uint64_t index) const {
        return row_.offset_of(index) < capacity();
    }
    [[nodiscard]] constexpr bool overlaps(std::uint64_t first, std::uint64_t last) const {
        return capacity() != 0 && first <= row_.last() && row_.first() <= last;
    }

    [[nodiscard]] constexpr index_counts counts() const {
        const std::uint64_t touched = this->touched();
        const std::uint64_t waiting = free_.size();
        return {.capacity = capacity(),
                .live = touched - waiting - free_ahead_ - retired_,
                .free = waiting + free_ahead_,
                .retired = retired_,
                .remaining = capacity() - touched + free_ahead_ + recyclable()};
    }

    /// Creates an identifier; null when the pool is exhausted. May throw std::bad_alloc, and has changed
    /// nothing then.
    [[nodiscard]] constexpr id_type create() {
        if (free_.size() > Exhaustion::minimum_free) return recycle();
        return claimed_ahead_ == 0 ? append() : advance_over_claims();
    }

    /// Fills the span, which is no longer than what remains; reserve_ahead comes before, so that nothing can
    /// fail.
    constexpr void create(std::span<id_type> out) {
        while (!out.empty() && (claimed_ahead_ != 0 || free_.size() > Exhaustion::minimum_free)) {
            out.front() = create();
            out = out.subspan(1);
        }
        append(out);
    }

    /// Makes room for that many indices: until they are used up, create and destroy allocate nothing.
    constexpr void reserve(std::uint64_t indices) {
        const auto wanted = static_cast<std::size_t>(std::min(indices, capacity()));
        row_.reserve(wanted);
        free_.reserve_more(wanted);
    }

    /// Makes room for that many more creates, growing as a vector grows.
    constexpr void reserve_ahead(std::size_t creates) {
        const std::uint64_t recycled = std::min<std::uint64_t>(creates, recyclable());
        row_.reserve_ahead(touched() + (creates - recycled), claimed_ahead_ != 0);
    }

    [[nodiscard]] constexpr bool alive(id_type id) const { return row_.holds(id.value()); }

    /// Destroys the identifier; false when it is not live. The array of ready identifiers may throw
    /// std::bad_alloc, and the identifier lives on then.
    constexpr bool destroy(id_type id) {
        const std::uint64_t offset = row_.offset_of(index_of(id));
        if (offset < row_.cursor() && row_.at_offset(offset) == id.value()) [[likely]] {
            release(id);
            return true;
        }
        return offset >= row_.cursor() && destroy_ahead(id);
    }

    /// Takes an identifier from elsewhere into use. The caller has seen that its status is never_issued.
    constexpr void claim(id_type id) {
        const std::uint64_t index = index_of(id);
        if (is_behind_cursor(index)) {
            free_.remove(row_.view(), index);
            row_.view()[index] = id.value();
            return;
        }
        const bool was_untouched = row_.slot_of(index) == codec::untouched;
        row_.put_ahead(index, id.value(), touched());
        if (was_untouched)
            ++claimed_ahead_;
        else
            --free_ahead_;
    }

    /// The status of an identifier of this registry's tags and world whose index is the pool's.
    [[nodiscard]] constexpr id_status status(id_type id) const {
        const std::uint64_t index = index_of(id);
        const word slot = row_.slot_of(index);
        if (slot == id.value()) return id_status::live;
        if (is_retired(slot, index)) return id_status::retired;
        const bool in_use = codec::index_of(slot) == index;
        const std::uint64_t last_used = codec::generation_of(slot) - (in_use ? 0 : 1);
        return codec::generation_of(id.value()) <= last_used ? id_status::stale : id_status::never_issued;
    }

    /// The live identifier of the index, or null.
    [[nodiscard]] constexpr id_type live_at(std::uint64_t index) const {
        const word slot = row_.slot_of(index);
        return id_type::assume_word(codec::index_of(slot) == index ? slot : word{0});
    }

    /// The generation of the next use of an index that is not live.
    [[nodiscard]] constexpr std::uint64_t next_generation(std::uint64_t index) const {
        return codec::generation_of(row_.slot_of(index));
    }

    /// Makes room for clear, and adds the identifiers that live far ahead. May throw std::bad_alloc.
    constexpr void prepare_to_clear(std::vector<id_type>& far) {
        free_.reserve_more(static_cast<std::size_t>(counts().live));
        collect_far(far);
    }

    /// Destroys everything that lives; the lowest indices are the first to be used again. In `far`, the
    /// pool's own identifiers stand first.
    constexpr void clear(std::span<const id_type>& far) {
        for (; !far.empty() && contains(index_of(far.front())); far = far.subspan(1)) destroy(far.front());
        const std::uint64_t slots = row_.size();
        for (std::uint64_t n = 0; n < slots; ++n) {
            const std::uint64_t oldest_first = row_.first() + n;
            const std::uint64_t newest_first = row_.first() + (slots - 1 - n);
            const id_type id = live_at(Exhaustion::minimum_free > 0 ? oldest_first : newest_first);
            if (id) destroy(id);
        }
    }

    /// The number of slots for which live_in_slot can be called.
    [[nodiscard]] constexpr std::uint64_t near_slots() const { return row_.size(); }

    /// The identifier that lives in the slot, or null.
    [[nodiscard]] constexpr id_type live_in_slot(std::uint64_t offset) const {
        return live_at(row_.first() + offset);
    }

    /// Adds the identifiers that live far ahead, in order of index.
    constexpr void collect_far(std::vector<id_type>& out) const {
        row_.for_each_far([&](std::uint64_t index, word slot) {
            if (codec::index_of(slot) == index) out.push_back(id_type::assume_word(slot));
        });
    }

    /// Calls visit(id) for every index that has been used, with the identifier that it was issued as last.
    constexpr void for_each_used(auto& visit) const {
        const auto visit_used = [&](std::uint64_t index, word slot) {
            if (const id_type last = last_use(index, slot)) visit(last);
        };
        for (std::uint64_t offset = 0; offset < row_.size(); ++offset)
            visit_used(row_.first() + offset, row_.at_offset(offset));
        row_.for_each_far(visit_used);
    }

    /// Whether all indices first to last are ahead of the cursor and untouched.
    [[nodiscard]] constexpr bool untouched(std::uint64_t first, std::uint64_t last) const {
        if (is_behind_cursor(first)) return false;
        bool none = true;
        row_.for_each_ahead(
            [&](std::uint64_t index, word) { none = none && (index < first || last < index); });
        return none;
    }

    /// Gives up all indices from first on, and returns the pool of those above last; what was claimed there
    /// stays claimed. The indices first to last are untouched. May throw std::bad_alloc, and has changed
    /// nothing then.
    [[nodiscard]] constexpr index_pool split(std::uint64_t first, std::uint64_t last) {
        index_pool upper(last + 1, row_.last(), stamp_, owner_);
        row_.for_each_ahead([&](std::uint64_t index, word slot) {
            if (index > last) upper.adopt(index, slot);
        });
        row_.end_before(first);
        free_ahead_ -= upper.free_ahead_;
        retired_ -= upper.retired_;
        pass_claims(upper.claimed_ahead_);
        return upper;
    }

  private:
    [[nodiscard]] static constexpr std::uint64_t index_of(id_type id) { return codec::index_of(id.value()); }
    [[nodiscard]] constexpr bool is_behind_cursor(std::uint64_t index) const {
        return row_.offset_of(index) < row_.cursor();
    }
    /// How many free indices behind the cursor may be used again.
    [[nodiscard]] constexpr std::uint64_t recyclable() const {
        return free_.size() - std::min<std::uint64_t>(free_.size(), Exhaustion::minimum_free);
    }
    /// How many indices are in use, or have been.
    [[nodiscard]] constexpr std::uint64_t touched() const { return row_.cursor() + claimed_ahead_; }

    [[nodiscard]] constexpr id_type issue(std::uint64_t index, std::uint64_t generation) const {
        return id_type::assume_word(static_cast<word>(codec::pack(index, generation) | stamp_));
    }

    [[nodiscard]] static constexpr bool is_retired(word slot, std::uint64_t index) {
        return Exhaustion::when_spent == spent_index::retired && slot == codec::retired(index);
    }

    /// Null for an index that has not been used, or that begins anew.
    [[nodiscard]] constexpr id_type last_use(std::uint64_t index, word slot) const {
        if (slot == codec::untouched) return {};
        if (codec::index_of(slot) == index) return id_type::assume_word(slot);
        if (is_retired(slot, index)) return issue(index, codec::generation_max);
        const std::uint64_t next = codec::generation_of(slot);
        return next > 1 ? issue(index, next - 1) : id_type{};
    }

    [[nodiscard]] constexpr id_type recycle() {
        const auto id = id_type::assume_word(free_.pop(row_.view(), stamp_));
        row_.view()[index_of(id)] = id.value();
        return id;
    }

    /// Issues the index at the cursor, where nothing is claimed ahead.
    [[nodiscard]] constexpr id_type append() {
        if (row_.is_full()) [[unlikely]]
            return {};
        const id_type id = issue(row_.first() + row_.size(), 1);
        row_.append(id.value());
        return id;
    }

    /// The same for a whole run of indices.
    constexpr void append(std::span<id_type> out) {
        const word base = issue(row_.first() + row_.size(), 1).value();
        for (std::size_t n = 0; n < out.size(); ++n)
            out[n] = id_type::assume_word(static_cast<word>(base + (word(n) << codec::index_field.low)));
        const std::span<word> slots = row_.append_many(out.size());
        for (std::size_t n = 0; n < out.size(); ++n) slots[n] = out[n].value();
    }

    // What seldom happens is kept out of line, so that create and destroy stay small enough for registers.
    [[nodiscard, gnu::noinline, gnu::cold]] constexpr id_type advance_over_claims() {
        while (claimed_ahead_ != 0) {
            row_.reach_cursor();
            if (const id_type id = pass_slot()) return id;
        }
        return append();
    }

    /// Moves the cursor over one slot, and issues its index unless it is in use or retired.
    [[nodiscard]] constexpr id_type pass_slot() {
        const std::uint64_t index = row_.first() + row_.cursor();
        const word slot = row_.view()[index];
        const bool usable = codec::index_of(slot) != index && !is_retired(slot, index);
        const id_type id = usable ? issue(index, codec::generation_of(slot)) : id_type{};
        if (usable) row_.view()[index] = id.value();
        row_.pass_slot();
        if (slot == codec::untouched) return id;
        free_ahead_ -= usable;
        pass_claims(1);
        return id;
    }

    /// Notes that this many claims are no longer ahead of the cursor. When none is left, nothing is kept of
    /// what lies ahead: create has one condition to test.
    constexpr void pass_claims(std::uint64_t claims) {
        claimed_ahead_ -= claims;
        if (claimed_ahead_ == 0) row_.drop_ahead();
    }

    constexpr void release(id_type id) {
        if (codec::generation_of(id.value()) < codec::generation_max) [[likely]]
            free_.push(row_.view(), codec::next_use(id.value()));
        else
            spend(id);
    }

    [[gnu::noinline, gnu::cold]] constexpr void spend(id_type id) {
        const std::uint64_t index = index_of(id);
        if constexpr (Exhaustion::when_spent == spent_index::retired) {
            row_.view()[index] = codec::retired(index);
            ++retired_;
        } else if constexpr (Exhaustion::when_spent == spent_index::reused) {
            free_.forget_left_behind(row_.view()); // Else old entries would be current again.
            free_.push(row_.view(), codec::first_use(id.value()));
        } else {
            trap_spent_index(index);
        }
    }

    [[gnu::noinline, gnu::cold]] constexpr bool destroy_ahead(id_type id) {
        if (!alive(id)) return false;
        const std::uint64_t index = index_of(id);
        const word slot = slot_after(index, codec::generation_of(id.value()));
        row_.put_ahead(index, slot, touched());
        if (is_retired(slot, index))
            ++retired_;
        else if (slot == codec::untouched)
            pass_claims(1); // Under wrap, the index is as good as new.
        else
            ++free_ahead_;
        return true;
    }

    /// What the slot of an index that is destroyed under the generation holds afterwards, outside the free
    /// list.
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
        row_.put_ahead(index, slot, touched());
        ++claimed_ahead_;
        if (is_retired(slot, index))
            ++retired_;
        else if (codec::index_of(slot) != index)
            ++free_ahead_;
    }

    using list = typename FreeList::template list<codec, (Exhaustion::minimum_free > 0)>;

    slot_row<codec> row_;
    word stamp_;
    std::size_t owner_;
    list free_;
    std::uint64_t claimed_ahead_{}; // Touched indices ahead of the cursor, of which
    std::uint64_t free_ahead_{};    // that many are destroyed and not retired.
    std::uint64_t retired_{};
};

} // namespace ecs
