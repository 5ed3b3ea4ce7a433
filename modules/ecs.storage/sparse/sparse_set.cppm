// SPDX-License-Identifier: MIT
// What entities have besides the types of their tables, found by the index of the entity: adding and removing
// moves nothing else.
//
//   sparse     index -> slot -> value. A value stays where it was made until it ends, so that a type whose
//              move may throw, or that has none, can be kept here.
//   bits       index -> one bit, for tags that come and go often.
//   in_place   index -> row -> bit and value beside the row, for loops: see :in_place_columns.
export module ecs.storage:sparse_set;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import :chunk;
import :entities;
import :in_place_columns;
import :move_plan;
import :place_word;
import :table;
import :value_buffer;

export namespace ecs {

class store;

/// The entities that have one component, and its values. Not thread-safe.
class sparse_set {
  public:
    /// A set for entities of the store.
    sparse_set(const component_info& info, store& home);
    sparse_set(const sparse_set&) = delete;
    sparse_set& operator=(const sparse_set&) = delete;
    ~sparse_set();

    [[nodiscard]] inline bool contains(std::uint32_t index) const {
        return is_plain_ ? place_of(index) != 0 : contains_otherwise(index);
    }

    /// Whether the entity has the component and it is not disabled.
    [[nodiscard]] inline bool enabled(std::uint32_t index) const {
        if (!is_plain_) return enabled_otherwise(index);
        const std::uint32_t place = place_of(index);
        return place != 0 && (place & hidden_place) == 0;
    }

    /// The value, or for a tag a pointer that is not null; nullptr when the entity does not have the
    /// component.
    [[nodiscard]] inline std::byte* find(std::uint32_t index) const {
        if (const std::uint32_t place = place_of(index)) [[likely]]
            return value((place & ~hidden_place) - 1);
        return beside_ ? find_beside(index) : nullptr;
    }

    /// The value; nullptr for a tag, and when the entity does not have the component.
    [[nodiscard]] inline std::byte* value_of(std::uint32_t index) const {
        return info_.size != 0 ? find(index) : nullptr;
    }

    /// Makes room for the value of an entity that has none, and returns where to construct it, before commit
    /// is called. Throws std::bad_alloc, and then nothing has changed.
    [[nodiscard, gnu::always_inline]] inline std::byte* reserve(std::uint32_t index) {
        if (!is_plain_) return reserve_otherwise(index);
        if (!has_room(index)) [[unlikely]]
            make_room(index);
        return value(next_slot());
    }
    [[gnu::always_inline]] inline void commit(entity owner) noexcept {
        ++size_;
        if (is_plain_)
            place_at(index_of(owner)) = take_next_slot(owner) + 1;
        else
            enter_otherwise(index_of(owner));
    }

    /// Reserves and commits, and construct makes the value in between. A hidden component is disabled from
    /// the start.
    template <class Construct>
    [[gnu::always_inline]] inline void place(entity owner, Construct&& construct, bool hidden = false) {
        std::byte* const to = reserve(index_of(owner));
        std::forward<Construct>(construct)(to);
        commit(owner);
        if (hidden) [[unlikely]]
            set_enabled(index_of(owner), false);
    }

    /// Gives back the memory that no value needs. No value moves.
    void shrink() noexcept;

    /// Makes room for that many more values. Throws std::bad_alloc.
    void reserve_values(std::size_t more);

    /// Puts a new value, which construct makes first, in the place of the present one. When construct throws,
    /// nothing has changed.
    template <class Construct> void replace(std::uint32_t index, const Construct& construct) {
        if (beside_) [[unlikely]] {
            value_buffer fresh(info_, construct);
            return replace_beside(index, fresh);
        }
        std::byte* const fresh = reserve(index);
        construct(fresh);
        exchange_slot(index);
    }

    /// Becomes a copy of another set of the same component, of a store whose tables have the same rows; this
    /// one is empty. Throws what a copy throws.
    void copy(const sparse_set& from);

    /// Destroys the value, if there is one.
    [[gnu::always_inline]] inline bool erase(std::uint32_t index) noexcept {
        if (is_plain_) return erase_in_slot(index);
        if (!contains_otherwise(index)) return false;
        --size_;
        erase_otherwise(index);
        return true;
    }

    /// Enables or disables the component of an entity that has it. Throws std::bad_alloc the first time.
    void set_enabled(std::uint32_t index, bool enabled);

    [[nodiscard]] inline std::size_t size() const { return size_; }
    [[nodiscard]] inline const component_info& info() const { return info_; }
    [[nodiscard]] std::size_t memory_bytes() const;

    id word;            ///< The component.
    bool tracked{};     ///< A query tracks it, or an observer observes it.
    bool constrained{}; ///< The component has traits, which are asked before an entity gets it.
    mutable std::unique_ptr<floor_note> note; ///< Of the floor that tells observers.

    /// Which of the 64 rows of a chunk from row 64 * block on have the component enabled. Of rows that lack
    /// it, `inherited` says whether they inherit it.
    [[nodiscard]] std::uint64_t enabled_rows(const chunk& in, std::uint32_t block, bool inherited) const;

    /// The values beside the rows of tables, when they are kept there; nullptr otherwise.
    [[nodiscard]] inline in_place_columns* in_place() const { return beside_.get(); }

    // For a caller that knows that the values are kept in place.

    /// The row of an index; nowhere, a place without values, when no entity has the index.
    [[nodiscard]] inline location where(std::uint32_t index) const { return entities_->location_at(index); }
    /// The value, or nullptr when the row does not have the component.
    [[nodiscard]] inline std::byte* find_in_place(location at) const {
        return beside_->has(at) ? beside_->value(at) : nullptr;
    }
    /// The same as place; returns whether the entity of the row did not have the component.
    template <class Construct>
    [[gnu::always_inline]] inline bool place_in_row(std::uint32_t index, location at,
                                                    const Construct& construct) {
        if (!beside_->has_column(at.chunk_number)) [[unlikely]]
            at = begin_beside(index);
        const in_place_columns::member found = beside_->member_of(at);
        if (found.is_there()) return false;
        construct(beside_->value(at));
        ++size_;
        found.enter();
        return true;
    }
    /// The same as erase.
    inline bool erase_in_row(location at) noexcept {
        if (!beside_->has(at)) return false;
        --size_;
        erase_beside(at);
        return true;
    }

    // For a caller that knows that the set keeps neither bits nor values beside rows.

    /// The same as place; returns whether the entity did not have the component.
    template <class Construct>
    [[gnu::always_inline]] inline bool place_in_slot(entity owner, const Construct& construct) {
        std::uint32_t* place = places_.find(index_of(owner));
        if (place && *place != 0) return false;
        const std::uint32_t slot = next_slot();
        if (!place || !has_room_in(slot)) [[unlikely]] {
            make_room(index_of(owner));
            place = places_.find(index_of(owner));
        }
        construct(value(slot));
        ++size_;
        take_slot(slot, owner);
        *place = slot + 1;
        return true;
    }
    /// The same as erase.
    [[gnu::always_inline]] inline bool erase_in_slot(std::uint32_t index) noexcept {
        std::uint32_t* const place = places_.find(index);
        if (!place || *place == 0) return false;
        --size_;
        free_slot((std::exchange(*place, 0) & ~hidden_place) - 1);
        return true;
    }

    // For a caller that knows that the set keeps bits.

    /// The same as place; returns whether the entity did not have the component. Throws std::bad_alloc.
    inline bool place_bit(std::uint32_t index) {
        const bool is_new = present_.insert(index);
        size_ += is_new;
        return is_new;
    }
    /// The same as erase.
    inline bool erase_bit(std::uint32_t index) noexcept {
        if (!present_.erase(index)) return false;
        --size_;
        hidden_.erase(index);
        return true;
    }

    /// Whether rows of the table may have the component. The store's cache_version changes when they begin
    /// to.
    [[nodiscard]] inline bool may_be_in(const table& in) const {
        return !beside_ || in.keeps_in_place(*beside_);
    }

    /// From now on the entities are those of this store.
    void live_in(store& home) noexcept;

  private:
    static constexpr std::uint32_t hidden_place = std::uint32_t{1} << 31;

    void make_room(std::uint32_t index);

    // For bits, and for what is in place. These are calls, so that loops over other sets have their code in
    // one piece.

    [[nodiscard]] bool contains_otherwise(std::uint32_t index) const;
    [[nodiscard]] bool enabled_otherwise(std::uint32_t index) const;
    [[nodiscard]] std::byte* reserve_otherwise(std::uint32_t index);
    void enter_otherwise(std::uint32_t index) noexcept;
    void erase_otherwise(std::uint32_t index) noexcept;
    [[nodiscard]] std::byte* find_beside(std::uint32_t index) const;
    void replace_beside(std::uint32_t index, value_buffer& fresh) const noexcept;
    location begin_beside(std::uint32_t index);
    void copy_beside(const sparse_set& from);

    /// 0, or the slot + 1 and whether the component is disabled.
    [[nodiscard]] inline std::uint32_t place_of(std::uint32_t index) const {
        return places_.value_or_default(index);
    }
    /// The same for an entity for which there is room.
    [[nodiscard]] inline std::uint32_t& place_at(std::uint32_t index) noexcept { return places_[index]; }
    [[nodiscard]] inline bool has_room(std::uint32_t index) const {
        return places_.has_room(index) && has_room_in(next_slot());
    }
    [[nodiscard]] inline bool has_room_in(std::uint32_t slot) const {
        return slot < owners_.size() && (info_.size == 0 || (slot >> block_bits_) < blocks_.size());
    }
    [[nodiscard]] inline std::byte* value(std::uint32_t slot) const {
        if (info_.size == 0) return const_cast<std::byte*>(&tag_);
        return blocks_[slot >> block_bits_] + (slot & block_mask_) * info_.size;
    }
    [[nodiscard]] inline std::uint32_t next_slot() const {
        return free_count_ == 0 ? used_slots_ : free_[free_count_ - 1];
    }
    /// Gives the next slot to the owner.
    [[gnu::always_inline]] inline void take_slot(std::uint32_t next, entity owner) noexcept {
        owners_[next] = owner;
        free_count_ == 0 ? ++used_slots_ : --free_count_;
    }
    [[gnu::always_inline]] inline std::uint32_t take_next_slot(entity owner) noexcept {
        const std::uint32_t slot = next_slot();
        take_slot(slot, owner);
        return slot;
    }
    [[gnu::always_inline]] inline void free_slot(std::uint32_t slot) noexcept {
        owners_[slot] = {};
        free_[free_count_++] = slot;
        if (info_.operations.destroy) end_value(value(slot));
    }
    inline void erase_beside(location at) noexcept {
        beside_->forget(at);
        if (info_.operations.destroy) end_value(beside_->value(at));
    }
    void end_value(std::byte* gone) const noexcept;
    [[nodiscard]] std::size_t block_bytes() const { return info_.size << block_bits_; }
    void reserve_slots(std::size_t count);
    void add_block();
    void free_block() noexcept;
    void forget_free_slots() noexcept;
    void exchange_slot(std::uint32_t index) noexcept;

    component_info info_;
    bool is_plain_; ///< Values are neither bits nor in place.
    bool is_bits_;
    std::unique_ptr<in_place_columns> beside_; ///< Where the values are when they are kept in place.
    store* home_;
    const entity_index* entities_; ///< The entities of home_.
    std::uint32_t block_bits_{};   ///< A block has two to the power of it values,
    std::uint32_t block_mask_{};   ///< of which these bits of a slot tell one.
    std::byte tag_{};
    std::size_t size_{};
    bit_pages present_;
    bit_pages hidden_;
    paged_array<std::uint32_t, 4096> places_;
    std::vector<std::byte*> blocks_;
    std::uint32_t used_slots_{};      ///< The slots from there on have never been used.
    std::uint32_t free_count_{};      ///< How many other slots are free: they come first in free_.
    std::vector<entity> owners_;      ///< By slot, as far as there is room; null where a slot is free.
    std::vector<std::uint32_t> free_; ///< A place for each slot, so that erase cannot fail.
};

} // namespace ecs
