// SPDX-License-Identifier: MIT
// The entities of a world: identifiers of an owned registry of ecs.registry, whose slots lend the world the
// bits in which it keeps where the components are (see :place_word). This file has what a world adds to that:
// places, the partition of components, and what a copy of a world's rows takes over.
export module ecs.storage:entities;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import ecs.core;
import :chunk_directory;
import :place_word;

export namespace ecs {

/// The index of an entity in the width that arrays use.
[[nodiscard]] constexpr std::uint32_t index_of(entity e) { return static_cast<std::uint32_t>(e.value()); }

/// The registry of the entities of one world.
using entity_registry = basic_owned_registry<layouts::entity, world_atomics::registry>;
extern template class basic_owned_registry<layouts::entity, world_atomics::registry>;

/// Which identifiers a world gives out to entities other than components: the indices from `first` to `last`,
/// each from that generation on. Several programs that exchange entities give each world a space of its own,
/// and take entities of other spaces over with world::claim. A first generation above 1 keeps handles dead
/// that an earlier run gave out.
struct id_space {
    static constexpr std::uint32_t first_index = 512; ///< Those before it are for components and the library.
    static constexpr std::uint32_t last_index = entity_registry::last_index;
    static constexpr std::uint32_t last_generation =
        static_cast<std::uint32_t>(field_of<layouts::entity, "generation">.max());

    std::uint32_t first = first_index;
    std::uint32_t last = last_index;
    std::uint32_t first_generation = 1;

    [[nodiscard]] constexpr bool contains(std::uint32_t index) const {
        return first <= index && index <= last;
    }

    bool operator==(const id_space&) const = default;
};

/// The space that a partition of a map is, as far as worlds have indices: space_of<my_partitions,
/// "clients">().
template <valid_partitions Map, fixed_string Name>
    requires std::same_as<typename Map::layout_type, layouts::entity> && has_partition<Map, Name>
[[nodiscard]] consteval id_space space_of() {
    constexpr partition_description part =
        *std::ranges::find(Map::parts, Name.view(), &partition_description::name);
    static_assert(part.first >= id_space::first_index && part.first <= id_space::last_index,
                  "the indices of a world's space are from id_space::first_index, 512, to last_index: those "
                  "before it are for components");
    return {static_cast<std::uint32_t>(part.first),
            static_cast<std::uint32_t>(std::min<std::uint64_t>(part.last, id_space::last_index))};
}

/// The entities of one world, and where their rows are. For one thread, except functions that say that they
/// are for any thread, at any time. What is not described here is as in basic_owned_registry.
class entity_index : entity_registry {
    using place_bits = place_word;

  public:
    using lane = entity_registry::lane_type;
    using return_plan = entity_registry::return_plan;
    using entity_registry::no_key;
    using entity_registry::page_size;

    /// Issues components alone before begin. Throws std::bad_alloc.
    explicit entity_index(std::uint8_t world, bool in_pages = false);

    /// Issues identifiers of that space from now on; no entity is alive. Throws std::invalid_argument when
    /// there is no such space, and std::bad_alloc.
    void begin(const id_space& space);
    /// The same for the index of a replica, which issues nothing.
    void begin_replica(const id_space& space);
    [[nodiscard]] inline const id_space& space() const { return space_; }

    using entity_registry::alive;
    using entity_registry::at;
    using entity_registry::status;

    /// A new entity, pending until place. Throws std::bad_alloc, or std::length_error when every index is
    /// spent.
    [[nodiscard]] inline entity create() { return entity_registry::create(place_bits::is_pending); }

    /// A new entity without components, which needs no row. Throws as create.
    [[nodiscard, gnu::always_inline]] inline entity create_rowless() {
        return entity_registry::create(place_bits::is_rowless);
    }

    /// As create, for a component for which the partition of components has no index left.
    [[nodiscard]] entity create_late_component();

    /// Whether there are components among the ordinary entities, or there were. For any thread.
    [[nodiscard]] inline bool has_late_components() const {
        // Relaxed: who despawns a component was told of it by the thread that registered it.
        return late_components_.load(std::memory_order_relaxed);
    }
    /// Whether the entity may be a component; when this says no, as for null, it is none. For any thread.
    [[nodiscard]] inline bool may_be_component(entity e) const {
        return e && (index_of(e) < first_ordinary || (has_late_components() && is_used_as_id(e)));
    }

    /// The entity of that index of the component or built-in partition, pending until place; null when it is
    /// taken or retired.
    [[nodiscard]] inline entity create_at(std::uint32_t index) {
        return entity_registry::create_at(index, place_bits::is_pending);
    }

    /// The entity that has the index and the generation of one from elsewhere, pending until place; null
    /// when the index is in use, or had that generation before. Throws std::invalid_argument when it is no
    /// entity, or not outside the space, and std::bad_alloc.
    [[nodiscard]] entity claim_outside(entity elsewhere);
    /// The world has ended: the next one of its number may claim what this one has claimed. What an earlier
    /// world of the number gave out itself stays dead.
    void forget_claims() noexcept;
    using entity_registry::take_back_claim;

    /// Where the entity's row is: nowhere when the entity is not alive.
    [[nodiscard]] inline location locate(entity e) const { return place_bits::location_in(slot_of(e)); }

    /// The same for the entity that is alive with the index.
    [[nodiscard]] inline location location_at(std::uint32_t index) const {
        const std::uint64_t slot = slot_at(index);
        return place_bits::is_live(slot) ? place_bits::location_in(slot) : location{};
    }

    /// Slots that are found at once, for place_word::location_in.
    using entity_registry::flat_slots;
    [[nodiscard, gnu::always_inline]] inline flat_slots slots_at_hand() const { return flat_slots(*this); }

    /// The same for writing: for entities that are alive while there are slots at hand.
    class places_at_hand : public flat_slots {
      public:
        [[gnu::always_inline]] inline explicit places_at_hand(const entity_registry& of) : flat_slots(of) {}
        [[gnu::always_inline]] inline void place(std::uint32_t index, location where) const noexcept {
            flat_slots::set_payload(index, place_bits::word_of(where), place_bits::used_as_id_bit);
        }
        /// The same for an entity whose slot is known.
        [[gnu::always_inline]] inline void place(entity e, std::uint64_t slot, row_ref at) const noexcept {
            flat_slots::set_payload_of(index_of(e), slot, at.block->first_place | at.row,
                                       place_bits::used_as_id_bit);
        }
        /// Places the entity of the index where the entity of the other slot was.
        [[gnu::always_inline]] inline void take_place(std::uint32_t index, std::uint64_t of) const noexcept {
            flat_slots::set_payload(index, place_bits::place_in(of), place_bits::used_as_id_bit);
        }
    };
    [[nodiscard, gnu::always_inline]] inline places_at_hand places_to_write() {
        return places_at_hand(*this);
    }

    /// The entities of indices, and their places, where most indices are near the one before.
    class near_places : entity_registry::near_slots {
      public:
        [[gnu::always_inline]] inline explicit near_places(const entity_index& of) : near_slots(of) {}

        [[gnu::always_inline]] inline void place(std::uint32_t index, location where) noexcept {
            place(index, slot_at(index), where);
        }
        /// Places the entity of the index, and returns it; null where there is none, or it is not pending.
        [[nodiscard, gnu::always_inline]] inline entity settle(std::uint32_t index, location where) noexcept {
            const std::uint64_t slot = slot_at(index);
            if (!is_pending_slot(slot)) return {};
            place(index, slot, where);
            return id_in(slot, index);
        }

      private:
        [[gnu::always_inline]] inline void place(std::uint32_t index, std::uint64_t slot,
                                                 location where) noexcept {
            set_payload_of(index, slot, place_bits::word_of(where), place_bits::used_as_id_bit);
        }
    };

    inline void place(std::uint32_t index, location where) noexcept {
        set_payload(index, place_bits::word_of(where), place_bits::used_as_id_bit);
    }

    using entity_registry::give_back;
    using entity_registry::promise;
    using entity_registry::promise_all;
    using entity_registry::require;
    using entity_registry::reserve;
    using entity_registry::take_index;

    /// Makes the new entity of an index that take_index gave, with its row.
    inline entity issue_at(std::uint32_t index, location where) noexcept {
        return entity_registry::issue_at(index, place_bits::word_of(where));
    }
    /// Makes all promised entities alive, in rows one behind the other.
    inline void issue_all(std::span<const entity> promised, location first) noexcept {
        entity_registry::issue_all(promised, place_bits::word_of(first));
    }

    /// Makes entities without components and rows, one in each place. Throws as create, and then none has
    /// been created.
    inline void create_all_rowless(std::span<entity> out) {
        entity_registry::create_all(out, place_bits::is_rowless);
    }

    using entity_registry::destroy;
    using entity_registry::destroy_all;
    using entity_registry::retire;

    [[nodiscard]] inline bool is_used_as_id(entity e) const {
        return (slot_at(index_of(e)) & (place_bits::unused_mark | place_bits::used_as_id_bit)) ==
               place_bits::used_as_id_bit;
    }
    /// The same for any of that many live entities, whose indices follow each other from that one on.
    [[nodiscard]] inline bool is_any_used_as_id(std::uint32_t first, std::uint32_t count) const {
        return (bits_of_slots(first, count) & place_bits::used_as_id_bit) != 0;
    }
    inline void mark_used_as_id(std::uint32_t index) {
        set_payload(index, place_bits::used_as_id_bit, place_bits::lent_mask);
    }

    /// Reads a stand-in, which is an entity of world 0, as this world's of the same index: a built-in one, of
    /// which each world has its own generation, or one that is alive in the generation that it says. For any
    /// thread.
    [[nodiscard]] inline entity resolve(entity e) const {
        if (e.world() != 0) [[likely]]
            return e;
        const entity own = at(index_of(e));
        return index_of(e) < first_ordinary || own.generation() == e.generation() ? own : e;
    }

    /// The pair of the relation and the target; null when one of them is not alive in this world.
    [[nodiscard]] inline id pair_to(entity relation, entity target) const {
        return alive(resolve(relation)) && alive(resolve(target)) ? pair(relation, target) : id{};
    }

    using entity_registry::clear;

    /// Whether the index of a component or a built-in entity is retired.
    [[nodiscard]] inline bool is_spent(std::uint32_t index) const {
        return slot_at(index) == place_bits::retired_word;
    }
    /// Whether each built-in entity has a generation left, so that a world can begin when all have ended.
    [[nodiscard]] bool can_begin() const;

    using entity_registry::live_count;
    using entity_registry::memory_bytes;
    [[nodiscard]] inline std::uint8_t world() const {
        return static_cast<std::uint8_t>(entity_registry::world());
    }

    // Entities issued by other threads, through lanes.

    using entity_registry::count_issued;
    using entity_registry::deal;
    using entity_registry::enter_lane;
    using entity_registry::issued_by_others;
    using entity_registry::leave_lane;
    using entity_registry::make_keys;
    using entity_registry::put_back;
    using entity_registry::refill;
    using entity_registry::refuse;
    using entity_registry::require_keys;
    using entity_registry::share;

    /// Makes a new entity from a lane that has one: alive at once, and pending while no chunk of that number
    /// is in the world. For any thread.
    inline entity issue_from(lane& from, location where) noexcept {
        return entity_registry::issue_from(from, place_bits::word_of(where));
    }
    /// The same for entities that were taken from a lane, in rows one behind the other. For any thread.
    inline void issue_run(std::span<const entity> taken, location first) noexcept {
        entity_registry::issue_run(taken, place_bits::word_of(first));
    }

    // Copies, for worlds that go back to an earlier state. A copy has the same entities alive, in rows of the
    // same chunks by number, and hands out the same indices in the same order.

    /// Becomes a copy; nothing has been issued yet. Entities that are pending, because their row is not in
    /// those chunks, are not alive in the copy. Throws std::bad_alloc.
    void mirror(const entity_index& other, const chunk_directory& rows);
    /// Makes the entity, whose index is free, alive in this copy. Throws std::bad_alloc.
    inline void adopt(entity e) { entity_registry::adopt(e, place_bits::is_pending); }

    using entity_registry::for_each_index;
    using entity_registry::make_page;
    /// Calls visit(index) for every index that has an entity in this copy that is pending.
    void for_each_pending(const auto& visit) const {
        entity_registry::for_each_slot([&](std::uint32_t index, std::uint64_t slot) {
            if (is_pending_slot(slot)) visit(index);
        });
    }
    /// Calls visit(entity) for every entity without a row, in the order of their indices.
    void for_each_rowless(const auto& visit) const {
        entity_registry::for_each_slot([&](std::uint32_t index, std::uint64_t slot) {
            if (place_bits::is_live(slot) && is_rowless_slot(slot)) visit(at(index));
        });
    }
    /// Calls visit(index, count, state) for the indices that for_each_index visits: for `count` of them from
    /// that index on, which are in the same state. An entity that is pending, because its row is not in those
    /// chunks, does not live.
    void for_each_state(const chunk_directory& rows, const auto& visit) const {
        settled_chunk known(rows);
        entity_registry::for_each_state(
            place_bits::chunk_mask, [&](std::uint64_t slot) { return known.has(slot); }, visit);
    }
    /// An entity that is pending, because its row is not in those chunks, and is used in pairs; null when
    /// there is none. Linear in indices.
    [[nodiscard]] entity waiting_target(const chunk_directory& rows) const;
    using entity_registry::pass_over_used_pages;
    /// See basic_owned_registry::state_writer. An entity that lives is pending.
    class state_writer : entity_registry::state_writer {
      public:
        explicit state_writer(entity_index& to) : entity_registry::state_writer(to) {}
        [[gnu::always_inline]] inline void write(std::uint32_t index, index_state state) {
            entity_registry::state_writer::write(index, state, place_bits::is_pending);
        }
        inline void write_run(std::uint32_t first, std::uint32_t count, index_state state) {
            entity_registry::state_writer::write_run(first, count, state, place_bits::is_pending);
        }
    };

    /// Whether the index has an entity in this copy, where no entity is on the way to a row.
    [[nodiscard]] inline bool is_settled(std::uint32_t index) const {
        return is_settled_slot(slot_at(index));
    }

    /// Plans how to go back to a copy. Throws std::bad_alloc, and then nothing has changed.
    [[nodiscard]] return_plan plan_return(const entity_index& past, generations_after_return generations);
    /// Gives the entities and their places the state of the copy; indices are handed out as they were then.
    /// See basic_owned_registry::return_to.
    void return_to(const entity_index& past, return_plan&& plan) noexcept;

    static constexpr std::uint32_t first_ordinary = id_space::first_index;

  private:
    /// Says which entities have their place already. The entities of one chunk stand one behind the other in
    /// most worlds, so that the chunk that was asked for last is remembered.
    class settled_chunk {
      public:
        explicit settled_chunk(const chunk_directory& rows) : rows_(&rows) {}

        [[nodiscard]] inline bool has(std::uint64_t slot) {
            const std::uint32_t number = place_bits::location_in(slot).chunk_number;
            if (number_ != number) {
                number_ = number;
                is_there_ = rows_->is_in_use(number);
            }
            return is_there_;
        }

      private:
        const chunk_directory* rows_;
        std::uint32_t number_ = chunk_directory::nowhere;
        bool is_there_{};
    };

    [[nodiscard]] static inline bool is_settled_slot(std::uint64_t slot) {
        return place_bits::is_live(slot) && (slot & place_bits::chunk_mask) > place_bits::is_pending;
    }
    [[nodiscard]] static inline bool is_pending_slot(std::uint64_t slot) {
        return place_bits::is_live(slot) && (slot & place_bits::chunk_mask) == place_bits::is_pending;
    }
    [[nodiscard]] static inline bool is_rowless_slot(std::uint64_t slot) {
        return (slot & place_bits::chunk_mask) == place_bits::is_rowless;
    }
    [[nodiscard]] static index_space checked(const id_space& space);
    void require_outside(entity elsewhere) const;

    id_space space_;
    flat_map<std::uint64_t> claimed_; ///< The slots of claimed indices, as they were before the first claim.
    std::atomic<bool> late_components_{}; ///< Whether components have ordinary indices.
};

} // namespace ecs
