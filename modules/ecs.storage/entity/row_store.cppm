// SPDX-License-Identifier: MIT
// Where entities have their values: each entity that is alive has one row in the chunks, or none because it
// has no components, or is pending, on the way to the first one.
//
//   handle -> slot word -> chunk and row -> column -> value
//
// These are the paths from a handle to a value, and those by which new entities get rows: either the entity
// is there with its row and all values, or nothing has happened. While a loop goes over the rows, no entity
// comes or goes; a function that makes a change asks first.
export module ecs.storage:row_store;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import :chunk;
import :chunk_directory;
import :column;
import :column_starts;
import :entities;
import :place_word;
import :rowless_list;
import :table;

export namespace ecs {

/// Parks the index of a world that ends, also of a world that could not be made. The index of a replica just
/// ends.
struct release_of_world {
    bool is_replica{};
    void operator()(entity_index* index) const noexcept;
};
using index_of_world = std::unique_ptr<entity_index, release_of_world>;

/// Refers to a function of the caller's that makes the values of a place which is free, so that what is done
/// around it is compiled once and not for every set of components.
template <class Place> class constructor_at {
  public:
    template <callable_with<Place> F> constructor_at(const F& f) : f_(&f), call_(&call<F>) {}

    void operator()(Place at) const { call_(f_, at); }

  private:
    template <class F> static void call(const void* f, Place at) { (*static_cast<const F*>(f))(at); }

    const void* f_;
    void (*call_)(const void*, Place);
};
using row_constructor = constructor_at<row_ref>;
using value_constructor = constructor_at<std::byte*>;

/// Where a value is: how far behind the start of its column. Code that asks whether there is a value asks for
/// the column, and not for the sum: so the processor adds while it still looks, and the compiler keeps rare
/// code apart.
struct value_place {
    std::byte* column{}; ///< Null where there is no value.
    std::size_t offset{};

    [[nodiscard, gnu::always_inline]] inline explicit operator bool() const { return column; }
    [[nodiscard, gnu::always_inline]] inline std::byte* value() const { return column + offset; }
};

/// Where the value in the row of a slot is, by an array of :column_starts.
[[nodiscard, gnu::always_inline]] inline value_place
value_behind(std::uint64_t slot, column_starts::by_chunk starts, std::size_t size) {
    const location where = place_word::location_in(slot);
    return {starts[where.chunk_number], where.row * size};
}

/// The same for an entity; when the result has no column, nothing is known about the entity.
[[nodiscard, gnu::always_inline]] inline value_place
value_at_hand(entity_index::flat_slots slots, column_starts::by_chunk starts, entity e, std::size_t size) {
    std::uint64_t slot{};
    if (!slots.find(e, slot)) [[unlikely]]
        return {};
    return value_behind(slot, starts, size);
}

/// See the head of this file. A store is built on it; it is no class by itself, because only the store makes
/// tables. Not thread-safe, except where a function says so.
class row_store {
  public:
    row_store(const row_store&) = delete;
    row_store& operator=(const row_store&) = delete;

    [[nodiscard]] inline entity_index& entities() { return *entities_; }
    [[nodiscard]] inline const entity_index& entities() const { return *entities_; }

    /// The row of an entity; empty when it is not alive or its components are still on their way.
    [[nodiscard]] inline row_ref locate(entity e) const {
        if (const std::uint64_t slot = entities_->slots_at_hand().slot_of(e)) [[likely]]
            return row_behind(slot, e);
        return locate_elsewhere(e);
    }

    /// The same, but for an entity without a row, the row in the chunks that loops go to. Throws
    /// std::bad_alloc.
    [[nodiscard]] inline row_ref locate_in_loops(entity e) const {
        const row_ref at = locate(e);
        return at && at.is_rowless() ? rowless_.row_of(e, directory_, *entities_) : at;
    }

    /// Calls visit(entity) for each entity of the table, in the order of loops. Asks for no memory.
    void for_each_entity(const table& in, const auto& visit) const {
        if (in.is_rowless()) return entities_->for_each_rowless(visit);
        for (const chunk* const block : in.chunks())
            for (const entity e : std::span(block->entities(), block->count)) visit(e);
    }

    /// Where loops find the entities of the table: its chunks, or those made for entities without a row. For
    /// any thread, while nothing changes. Throws std::bad_alloc.
    [[nodiscard]] inline std::span<chunk* const> chunks_of(const table& in) const {
        return in.is_rowless() ? rowless_.chunks(directory_, *entities_) : in.chunks();
    }
    /// The number of entities of the table. Constant time.
    [[nodiscard]] inline std::size_t size_of(const table& in) const {
        return in.is_rowless() ? directory_.rowless_count() : in.size();
    }
    /// See chunk_directory::rowless_changes.
    [[nodiscard]] inline std::uint64_t rowless_changes() const { return directory_.rowless_changes(); }

    /// The component of a type, and where its values begin in each chunk; see column_starts::typed.
    template <class T> [[nodiscard]] const column_starts::typed& typed() const {
        return directory_.starts().of_type(early_type_number<T>());
    }
    /// Where the values of the component begin in each chunk; null where that has to be asked of each table,
    /// as of a component that has ended.
    [[nodiscard]] inline column_starts::by_chunk starts_of(id component) const {
        if (!component.is_entity()) return nullptr;
        const std::uint32_t index = index_of(component.as_entity());
        return entities_->at(index) == component.as_entity() ? directory_.starts().of(index) : nullptr;
    }
    /// See column_starts::mark_heard.
    void mark_heard_types(const auto& is_heard) noexcept { directory_.starts().mark_heard(is_heard); }

    /// The row of the slot of an entity that is alive.
    [[nodiscard]] inline row_ref row_behind(std::uint64_t slot, entity e) const {
        return row_at(place_word::location_in(slot), e);
    }
    /// The row of an entity that has this place.
    [[nodiscard, gnu::always_inline]] inline row_ref row_at(location where, entity e) const {
        const bool is_rowless = where.chunk_number == chunk_directory::rowless;
        return {directory_[where.chunk_number], is_rowless ? index_of(e) : where.row};
    }

    /// The value in a row; nullptr when there is none.
    [[nodiscard]] inline static std::byte* value_at(row_ref at, id word) {
        const column* const found = at.block->owner->column_of(word);
        return found ? found->value(at) : nullptr;
    }

    /// See chunk_directory::row_changes.
    [[nodiscard]] inline std::uint64_t row_changes() const { return directory_.row_changes(); }

    /// See chunk_directory::pool.
    [[nodiscard]] inline chunk_pool& chunk_memory() { return directory_.pool(); }

    /// See chunk_directory::chunk_changes.
    [[nodiscard]] inline std::uint64_t chunk_changes() const { return directory_.chunk_changes(); }

    /// Numbers for chunks that other threads fill; see chunk_directory::lend.
    inline void lend_numbers(std::vector<std::uint32_t>& numbers, std::size_t count) {
        directory_.lend(numbers, count);
    }

    /// Counts the loops that walk over tables, in any thread; while there is one, structural changes are
    /// refused.
    class iteration_lock {
      public:
        inline explicit iteration_lock(row_store& walked) : walked_(&walked) {
            walked_->locks_.fetch_add(1, std::memory_order_relaxed); // Relaxed: see locks_.
        }
        iteration_lock(const iteration_lock&) = delete;
        inline iteration_lock(iteration_lock&& other) noexcept
            : walked_(std::exchange(other.walked_, nullptr)) {}
        iteration_lock& operator=(const iteration_lock&) = delete;
        inline iteration_lock& operator=(iteration_lock&& other) noexcept {
            std::swap(walked_, other.walked_);
            return *this;
        }
        // Relaxed: see locks_.
        inline ~iteration_lock() {
            if (walked_) walked_->locks_.fetch_sub(1, std::memory_order_relaxed);
        }

      private:
        row_store* walked_; ///< Null when another has taken the lock over.
    };

    /// Refuses structural changes while a value is written or an observer is told. Where no loop walks over
    /// the tables, the thread that does it has the world alone, and needs no exchange; where a loop does,
    /// changes are refused already.
    class write_lock {
      public:
        inline explicit write_lock(row_store& written)
            : written_(written.is_unlocked() ? &written : nullptr) {
            if (written_) written_->lock_alone();
        }
        write_lock(const write_lock&) = delete;
        write_lock& operator=(const write_lock&) = delete;
        inline ~write_lock() {
            if (written_) written_->unlock_alone();
        }

      private:
        row_store* written_; ///< Null when changes were refused already.
    };

    /// The same for those who know that nothing is locked.
    class sole_lock {
      public:
        inline explicit sole_lock(row_store& written) : written_(&written) { written_->lock_alone(); }
        sole_lock(const sole_lock&) = delete;
        sole_lock& operator=(const sole_lock&) = delete;
        inline ~sole_lock() { written_->unlock_alone(); }

      private:
        row_store* written_;
    };

    /// Whether neither a loop walks over the tables nor an observer is being told.
    [[nodiscard]] inline bool is_unlocked() const { return locks_.load(std::memory_order_relaxed) == 0; }

    /// Throws iteration_error otherwise.
    inline void require_unlocked() const {
        if (!is_unlocked()) [[unlikely]]
            refuse_to_change();
    }

    [[noreturn]] static void refuse_to_change();

    /// Whether new entities without components have no rows, and no observer is told of them.
    [[nodiscard, gnu::always_inline]] inline bool spawns_rowless() const {
        const table* const in = directory_.owner_of_rowless();
        return in && in->is_rowless() && !in->tells_of_spawns;
    }
    /// Makes an entity without components and without a row. Throws std::bad_alloc, or std::length_error when
    /// every index is spent.
    [[gnu::always_inline]] inline entity spawn_rowless() {
        const entity e = entities_->create_rowless();
        directory_.note_rowless(1);
        return e;
    }

    /// The same for each place of `out`: when there are not so many indices, no entity is made.
    inline void spawn_rowless(std::span<entity> out) {
        entities_->create_all_rowless(out);
        directory_.note_rowless(out.size());
    }

    /// Makes a new entity where nothing can fail but the issue of its index. The index comes first: what
    /// construct calls may use up the indices at hand.
    template <class Construct> entity spawn_in_room(table& in, Construct&& construct) {
        const std::uint32_t index = entities_->take_index();
        const row_ref at = in.reserve_row();
        std::forward<Construct>(construct)(at);
        const entity e = entities_->issue_at(index, {at.block->number(), at.row});
        in.commit_row(at, e);
        return e;
    }

    /// Makes a new entity. prepare(e) comes before its row, and construct(row) makes the values. What either
    /// of them throws is passed on, and then there is no entity.
    template <class Prepare, class Construct>
    entity spawn_row(table& in, const Prepare& prepare, Construct&& construct) {
        const std::uint32_t index = entities_->take_index();
        try {
            prepare(entities_->promise(index));
            const row_ref at = in.reserve_row();
            std::forward<Construct>(construct)(at);
            const entity e = entities_->issue_at(index, {at.block->number(), at.row});
            in.commit_row(at, e);
            return e;
        } catch (...) {
            entities_->give_back(index);
            in.drop_empty_chunk();
            throw;
        }
    }

    /// Makes new entities in the rows from `first` on, which are free, as spawn_row does, but for all of them
    /// at once: prepare takes the list, and make(first, count) makes the values of all rows, or of none when
    /// it throws.
    template <class Prepare, class Make>
    void spawn_run(row_ref first, std::span<entity> out, const Prepare& prepare, const Make& make) {
        const iteration_lock walking(*this); // What make calls must not take the rows.
        const auto count = static_cast<std::uint32_t>(out.size());
        bool promised = false;
        try {
            entities_->promise_all(out);
            promised = true;
            prepare(out);
            make(first, count);
        } catch (...) {
            if (promised)
                for (auto at = out.rbegin(); at != out.rend(); ++at) entities_->give_back(index_of(*at));
            first.block->owner->drop_empty_chunk();
            throw;
        }
        entities_->issue_all(out, {first.block->number(), first.row});
        std::ranges::copy(out, first.block->entities() + first.row);
        first.block->owner->add_rows(first, count);
    }

    /// Calls construct(row, i) for that many rows from `first` on. When it throws, the values made before
    /// end.
    template <class Construct>
    static void make_each(row_ref first, std::uint32_t count, const Construct& construct) {
        const auto row = [&](std::uint32_t i) { return row_ref{first.block, first.row + i}; };
        std::uint32_t made = 0;
        try {
            for (; made < count; ++made) construct(row(made), made);
        } catch (...) {
            while (made != 0) first.block->owner->destroy_values(row(--made));
            throw;
        }
    }

    /// Gives a pending entity its first row. When construct(row) throws, the entity still has none.
    template <class Construct> void settle_in(table& in, entity e, Construct&& construct) {
        const row_ref at = in.reserve_row();
        construct_reserved(at, std::forward<Construct>(construct));
        settle(e, at);
    }

    /// Calls construct(row) for a row that was reserved; when that throws, the reservation ends.
    template <class Construct> static void construct_reserved(row_ref at, Construct&& construct) {
        if constexpr (noexcept(construct(at))) {
            construct(at);
        } else {
            try {
                construct(at);
            } catch (...) {
                at.block->owner->drop_empty_chunk();
                throw;
            }
        }
    }

    /// The same for an entity whose slot is not at hand, or that is not alive.
    [[nodiscard, gnu::cold]] row_ref locate_elsewhere(entity e) const;

  protected:
    explicit row_store(index_of_world entities) : entities_(std::move(entities)) {}
    ~row_store() = default;

    chunk_directory directory_;
    index_of_world entities_;
    mutable rowless_list rowless_;

  private:
    inline void settle(entity e, row_ref at) noexcept {
        at.block->owner->commit_row(at, e);
        entities_->place(index_of(e), {at.block->number(), at.row});
    }

    inline void lock_alone() noexcept { locks_.store(1, std::memory_order_relaxed); } // Relaxed: see locks_.
    /// A loop that began meanwhile and goes on keeps its count.
    inline void unlock_alone() noexcept {
        // Relaxed, both: see locks_.
        locks_.store(locks_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    }

    /// Relaxed: a thread that may change the world has synchronised with all loops.
    std::atomic<int> locks_{};
};

} // namespace ecs
