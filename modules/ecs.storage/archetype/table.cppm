// SPDX-License-Identifier: MIT
// A table holds the entities that have exactly the same set of identifiers added: its type. All chunks but
// the last are full, so that a loop over a table is a loop over arrays. A table that fits one chunk keeps it
// small and lets it grow; from then on chunks are of full size and nothing moves any more.
export module ecs.storage:table;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import :byte_column;
import :chunk;
import :chunk_directory;
import :chunk_pool;
import :column;
import :column_starts;
import :entities;
import :in_place_columns;
import :move_plan;

export namespace ecs {

/// What a table knows of one of its identifiers when it is made.
struct typed_id {
    id word;
    const component_info* info; ///< Null for a tag.
};

/// What the operations on the rows of a table have to attend to besides their values.
struct table_traits {
    bool named{};         ///< Whether the entities have names.
    bool linked{};        ///< Whether targets are kept in a column: the lists of targets have the entities.
    bool no_target{};     ///< Whether the entities are relations that cannot be targets.
    bool prefab{};        ///< Whether the entities are prefabs: what becomes part of them is one, too.
    bool holds_objects{}; ///< Whether the entities are linked to objects of the host program.
    bool inherits{};      ///< Whether the entities are instances of something.
    bool inherited{};     ///< Whether something is an instance of the entities: changes concern others.
    std::uint32_t only_base{}; ///< The index of what the entities are instances of; 0 for nothing, and where
                               ///< it is more than one.

    /// Whether what instances inherit may depend on what the entities have. A part of a prefab counts also
    /// when it is no base, because no other entity has a pair between two parts of the prefab.
    [[nodiscard]] inline bool is_pattern() const { return inherited || prefab; }
};

/// See the head of this file. Not thread-safe.
class table : public table_traits {
  public:
    table(std::span<const typed_id> type, chunk_directory& directory);
    table(const table&) = delete;
    table& operator=(const table&) = delete;
    ~table();

    static constexpr std::uint32_t absent = ~std::uint32_t{0};

    /// The identifiers, in the order of their words.
    [[nodiscard]] inline std::span<const id> type() const { return type_; }
    [[nodiscard]] inline std::span<const column> columns() const { return columns_; }
    [[nodiscard]] inline std::span<chunk* const> chunks() const { return chunks_; }
    [[nodiscard]] inline std::size_t size() const {
        return chunks_.empty() ? 0 : (chunks_.size() - 1) * capacity_ + open_->count;
    }

    /// Position among all tables.
    [[nodiscard]] inline std::uint32_t ordinal() const { return indexed.ordinal; }

    [[nodiscard]] inline bool has(id word) const { return position_of(word) != absent; }

    /// Where the identifier stands in the type; absent when it does not. Logarithmic.
    [[nodiscard]] inline std::uint32_t position_of(id word) const {
        const auto found = std::ranges::lower_bound(type_, word);
        return found != type_.end() && *found == word ? static_cast<std::uint32_t>(found - type_.begin())
                                                      : absent;
    }

    /// The column of the identifier, or nullptr when it has none here.
    [[nodiscard]] inline const column* column_of(id word) const {
        const std::uint32_t position = position_of(word);
        return position == absent ? nullptr : column_at(position);
    }

    [[nodiscard]] inline const column* column_at(std::uint32_t position) const {
        const std::uint32_t c = positions_[position].column;
        return c == absent ? nullptr : &columns_[c];
    }

    /// Whether a query tracks, or an observer observes, the identifier at that position.
    [[nodiscard]] inline bool tracks(std::uint32_t position) const { return positions_[position].tracked; }
    /// Whether that is so of something that the table has and the other has not.
    [[nodiscard]] bool tracks_more_than(const table& other) const;
    /// Says whether anything of the table is tracked, whether new entities are, and which of the positions.
    /// What plans know of it is decided anew.
    template <class Is> void set_tracked(bool any_of_it, bool spawns, const Is& is_tracked) noexcept {
        bool changes = std::exchange(tracked, any_of_it) != any_of_it;
        tells_of_spawns = spawns || (tracked && inherits);
        for (std::uint32_t position = 0; position != positions_.size(); ++position) {
            const bool now = is_tracked(position);
            changes |= std::exchange(positions_[position].tracked, now) != now;
            tells_of_spawns |= now;
        }
        if (changes) review();
    }

    /// First position at or after `from` that the pattern stands for; absent when there is none.
    [[nodiscard]] std::uint32_t find_match(id pattern, std::uint32_t from = 0) const;

    /// Makes room for one more row at the end, and returns where it will be once commit_row is called. Throws
    /// std::bad_alloc, and then nothing has changed, except perhaps the place of the rows.
    [[nodiscard, gnu::always_inline]] inline row_ref reserve_row() {
        if (!has_room()) [[unlikely]]
            make_room();
        return next_row();
    }

    /// The row that is to be committed next; there is room for it.
    [[nodiscard]] inline row_ref next_row() const { return {open_, open_->count}; }

    /// The row that was committed last; there is one.
    [[nodiscard]] inline row_ref last_row() const { return {open_, open_->count - 1}; }

    /// Makes room for that many more rows: until these are used up, reserve_row allocates nothing for rows,
    /// and moves none. Throws std::bad_alloc, or std::length_error when there would be too many chunks; some
    /// of the room may have been made then, and rows may have moved.
    void reserve(std::size_t rows);

    /// The reserved row now belongs to the entity; all its values are constructed.
    inline void commit_row(row_ref at, entity owner) noexcept {
        at.block->entities()[at.row] = owner;
        add_rows(at, 1);
    }

    /// From the reserved row on, that many rows now belong to their entities, which are written.
    inline void add_rows(row_ref first, std::uint32_t rows) noexcept {
        if (first.is_rowless()) return directory_->note_rowless(rows);
        first.block->count += rows;
        note_row_change();
    }

    /// From now on, another entity may have what an entity of the table has.
    inline void note_row_change() noexcept { directory_->note_row_change(); }

    /// The chunk in which the last row is; a chunk without rows while there is none.
    [[nodiscard]] inline chunk* last_chunk() const { return open_; }

    /// Whether reserve_row will leave every row where it is.
    [[nodiscard]] inline bool has_room() const { return open_->count != open_->capacity; }

    /// Ends a reservation that came to nothing: a chunk made for it alone goes. Other calls rely on every
    /// chunk having rows.
    inline void drop_empty_chunk() noexcept {
        if (!chunks_.empty() && chunks_.back()->count == 0) retire_last_chunk();
    }

    /// Closes the hole of a row whose values are gone: the last row moves there, and `places` learns of it.
    inline void remove_row(row_ref hole, entity_index& places) noexcept {
        if (hole.is_rowless()) return directory_->note_end_of_rowless();
        const row_ref last = last_row();
        if (hole != last)
            move_row(last, hole, places);
        else if (togglable_)
            clear_toggles(hole);
        drop_row(last);
    }

    /// The same for rows that stand one behind the other. The rows behind them have values.
    void remove_rows(row_ref first, std::uint32_t rows, entity_index& places) noexcept;

    /// Moves a row to the place reserved for it along a plan that is trivial, and closes the hole. The added
    /// values are constructed. `places` learns of both rows.
    void give_row(row_ref at, const move_plan& along, entity_index& places) noexcept;
    /// The same along a plan that moves words alone, to a row that is free; the owner's slot is known. What
    /// is made in the new row is made afterwards. What is counted is written first: then little has to be in
    /// registers while the values move.
    [[gnu::always_inline]] inline void give_words(row_ref at, const move_plan& along, row_ref there,
                                                  entity owner, std::uint64_t slot,
                                                  entity_index::places_at_hand places) noexcept {
        there.block->count = there.row + 1;
        there.block->entities()[there.row] = owner;
        places.place(owner, slot, there);
        const row_ref last = last_row();
        last.block->count = last.row;
        const entity follower = last.block->entities()[last.row];
        if (start_of<entity>(at) == start_of<entity>(last)) { // One comparison.
            along.words.copy(at, there);
        } else {
            at.block->entities()[at.row] = follower;
            places.take_place(index_of(follower), slot);
            along.words.pass(last, at, there);
        }
        if (last.row == 0 && chunks_.size() > 1) [[unlikely]]
            retire_last_chunk();
    }

    /// Whether a row that ends consists of words alone, or of nothing, and concerns no other entity.
    [[nodiscard]] inline bool ends_in_words() const { return ends_in_words_; }
    /// Closes the hole of a row of words.
    [[gnu::always_inline]] inline void end_words(row_ref at, std::uint64_t slot,
                                                 entity_index::places_at_hand places) noexcept {
        const row_ref last = last_row();
        last.block->count = last.row;
        if (start_of<entity>(at) != start_of<entity>(last)) {
            const entity follower = last.block->entities()[last.row];
            at.block->entities()[at.row] = follower;
            places.take_place(index_of(follower), slot);
            plain_columns_.copy_words(last, at);
        }
        if (last.row == 0 && chunks_.size() > 1) [[unlikely]]
            retire_last_chunk();
    }

    /// Gives the entity, which had no row, the next row. There is room for it, and its values are made.
    inline void take_rowless(entity owner, entity_index& places) noexcept {
        const row_ref at = next_row();
        places.place(index_of(owner), {at.block->number(), at.row});
        directory_->note_end_of_rowless();
        commit_row(at, owner);
    }
    /// The same where the slot is known; the values of the row are made afterwards.
    [[gnu::always_inline]] inline void take_rowless(row_ref at, entity owner, std::uint64_t slot,
                                                    entity_index::places_at_hand places) noexcept {
        places.place(owner, slot, at);
        directory_->note_end_of_rowless();
        commit_row(at, owner);
    }

    /// Takes all rows out of the last chunk: their values are gone, and nothing of them is disabled.
    inline void drop_last_rows() noexcept { drop_row({open_, 0}); }

    /// Whether a copy of the bytes is a copy of each value.
    [[nodiscard]] inline bool copies_as_bytes() const { return copies_as_bytes_; }
    /// Copies the values of a row, which are copied as bytes, to a row that has none.
    inline void copy_bytes_of(row_ref from, row_ref to) const noexcept { plain_columns_.copy(from, to); }

    /// Whether the end of a value of some column needs a call.
    [[nodiscard]] inline bool destroys_values() const { return needs_destruction_; }

    inline void destroy_values(row_ref at) const noexcept {
        if (!needs_destruction_) return;
        for (const column& c : columns_) c.destroy(c.value(at));
    }

    // The table of entities without components gives them no rows. It has no chunks, and row_store knows the
    // entities.

    [[nodiscard]] inline bool is_rowless() const { return rowless_; }
    /// Gives entities no rows from now on; the table is empty.
    void leave_rows_out() noexcept;
    /// Gives entities rows from now on, at first these, all that had none; `places` learns of the rows.
    /// Throws std::bad_alloc, and then nothing has changed.
    void begin_rows(std::span<const entity> all, entity_index& places);

    /// Uses chunks of full size from the first row on; the table is empty.
    void start_full() noexcept;

    /// A chunk of full size for a table without rows that says how it is laid out. Throws std::bad_alloc.
    [[nodiscard]] inline unique_chunk make_loose_chunk() const { return unique_chunk(make_chunk()); }
    /// Takes memory for that many chunks from another pool, as far as it has some.
    void stock(chunk_pool& from, std::size_t chunks) noexcept;

    /// Takes every row of chunks that are laid out as the other table says, whose n-th column has the same
    /// values as columns[n] of this one. Chunks that are full and laid out alike come whole, and leave null;
    /// other rows are copied, column by column, and their chunks give back the numbers that were lent to
    /// them. Throws std::bad_alloc, and then the rows that have not come are still there. Constant time for a
    /// whole chunk that has a number.
    void adopt(std::span<unique_chunk> rows, const table& layout, std::span<const column* const> columns,
               entity_index& places);

    /// Copies the rows of a table of the same type, chunk for chunk, under the numbers that the chunks have
    /// there; this table is empty. Throws what a copy throws, and then some of the rows may be there.
    void copy_rows(const table& from);

    /// Adds that many rows in one step. own(entities, place) writes the entities of the next rows, which are
    /// at that place and behind it; then come the values, one column after the other: make(column, place,
    /// rows) makes the next values, up to that many and at least one, and returns how many. When either
    /// throws, none of the rows has been.
    template <class Own, class Make> void append_rows(std::size_t rows, const Own& own, const Make& make) {
        if (rowless_) return append_rowless(rows, own);
        const std::size_t before = size();
        std::size_t made = 0;
        try {
            make_room_for(before + rows);
            for_each_run(before, rows, [&](row_ref at, std::uint32_t run) {
                own(std::span(at.block->entities() + at.row, run), location{at.block->number(), at.row});
            });
            for (const column& c : columns_)
                for_each_run(before, rows, [&](row_ref at, std::uint32_t run) {
                    for (std::uint32_t i = 0; i < run;) {
                        const std::uint32_t done = make(c, c.value({at.block, at.row + i}), run - i);
                        i += done;
                        made += done;
                    }
                });
        } catch (...) {
            while (made-- > 0)
                columns_[made / rows].destroy(columns_[made / rows].value(row_at(before + made % rows)));
            drop_empty_chunks();
            throw;
        }
        for_each_run(before, rows, [&](row_ref at, std::uint32_t run) { add_rows(at, run); });
    }

    /// The n-th row; its chunk is there.
    [[nodiscard]] inline row_ref row_at(std::size_t n) const {
        return {chunks_[n / capacity_], static_cast<std::uint32_t>(n % capacity_)};
    }

    /// The number of a row that is there: row_at leads back to it.
    [[nodiscard]] inline std::size_t number_of(row_ref at) const {
        return std::size_t{at.block->position} * capacity_ + at.row;
    }

    /// Puts rows into another order: the rows with these numbers, which are all different, stand in their
    /// places in this order afterwards, and `places` learns of it. Throws std::bad_alloc, and then nothing
    /// has changed. Sorts the numbers.
    void arrange(std::span<const std::size_t> order, entity_index& places);

    /// The chunks are in another directory now, under the same numbers.
    inline void move_to(chunk_directory& directory) noexcept {
        directory_ = &directory;
        note_last_chunk();
    }

    /// Whether chunks of full size have the columns in the same places, so that adopt need not copy.
    [[nodiscard]] bool is_laid_out_like(const table& from, std::span<const column* const> columns) const;

    /// Destroys every row's values and forgets the rows.
    void clear() noexcept;

    /// Gives back the memory that no row needs.
    void shrink() noexcept;

    /// Bytes of a chunk, as chunks are now.
    [[nodiscard]] inline std::size_t chunk_bytes() const { return bytes_for(capacity_); }

    /// Bytes held for rows, used or not.
    [[nodiscard]] std::size_t memory_bytes() const;

    [[nodiscard]] inline bool is_disabled(std::uint32_t position, row_ref at) const {
        return togglable_ && at.block->disabled->test(position, at.row);
    }

    /// Whether a component of some row was ever disabled: only then the rows have bits for it.
    [[nodiscard]] inline bool togglable() const { return togglable_; }
    void make_togglable();

    /// Sets or clears the disabled bit of an identifier in a row, and returns whether that changed it. Throws
    /// std::bad_alloc the first time in a table.
    inline bool set_disabled(std::uint32_t position, row_ref at, bool value) {
        if (!togglable_) [[unlikely]] {
            if (!value) return false;
            make_togglable();
        }
        note_row_change();
        return at.block->disabled->assign(position, at.row, value);
    }

    /// The member that was disabled or enabled last in a row, by the word that was used for it. The position
    /// is absent while there was none.
    struct toggled_member {
        id word;
        std::uint32_t position = absent;
    };
    [[nodiscard]] inline const toggled_member& toggled_last() const { return toggled_last_; }
    inline void note_toggled(id word, std::uint32_t position) noexcept { toggled_last_ = {word, position}; }

    /// Carries the disabled bits of a row over to a row of another table that can hold them.
    void copy_toggles(row_ref from, row_ref to) const noexcept;

    /// What some of the rows have, or had, beside their columns.
    [[nodiscard]] inline std::span<in_place_columns* const> in_place() const { return in_place_; }
    [[nodiscard]] inline bool keeps_in_place(const in_place_columns& values) const {
        return std::ranges::find(in_place_, &values) != in_place_.end();
    }

    /// From now on rows may have these values, beside all chunks that there are and will be; they are not on
    /// the list yet. Throws std::bad_alloc, and then nothing has changed.
    void keep_in_place(in_place_columns& values);
    /// No row has one of these values any more.
    void forget_in_place(const in_place_columns& values) noexcept;

    /// Carries what a row has in place over to a row of another table that keeps the same components.
    void carry_in_place(row_ref from, row_ref to) const noexcept;

    /// The plan of moves to another table; made when there is none. Throws std::bad_alloc.
    [[nodiscard]] move_plan& plan_to(table& there);

    /// Decides anew what is true of the table now: see move_plan::review. Code that changes the table in this
    /// respect calls it.
    void review() noexcept;

    table_edges edges;
    /// Where the table index has the table. The table index writes this.
    struct index_position {
        std::uint32_t ordinal{}; ///< The position among all tables.
        /// By position in the type: in the list of the identifier's record.
        std::vector<std::uint32_t> slots;
    };
    index_position indexed;
    mutable std::unique_ptr<floor_note> note; ///< Of the floor that tells observers.

    bool tracked{}; ///< What comes, goes or is written in its rows may concern a query or an observer.
    bool tells_of_spawns{}; ///< That holds for entities that begin in the table.

  private:
    void lay_out(std::uint32_t capacity);
    [[nodiscard]] std::size_t bytes_for(std::uint32_t capacity) const;
    void make_room();
    void grow_first_chunk(std::uint32_t capacity);
    void append_chunk(std::uint32_t number);
    void enter_chunk(chunk* block) noexcept;
    void move_row(row_ref from, row_ref to, entity_index& places) noexcept;
    void move_others(row_ref from, row_ref to) noexcept;
    void move_rows(row_ref from, row_ref to, std::uint32_t rows, entity_index& places) noexcept;
    void move_beside(row_ref from, row_ref to) noexcept;
    void move_toggles(row_ref from, row_ref to) noexcept;
    void make_room_beside(std::uint32_t chunk_number, std::uint32_t rows);
    void begin_beside(std::uint32_t chunk_number);
    void drop_beside(std::uint32_t chunk_number) noexcept;
    void drop_unused_beside() noexcept;
    inline void note_beside() noexcept { has_beside_ = togglable_ || !in_place_.empty(); }
    void clear_toggles(row_ref at) noexcept;
    void retire_last_chunk() noexcept;
    [[nodiscard]] chunk* take_spare() noexcept;
    [[nodiscard]] std::size_t spares() const noexcept;
    void drop_spares() noexcept;
    void prepare(chunk& block) const noexcept;
    [[nodiscard]] chunk* make_chunk() const;
    void make_full();
    void take_chunk(unique_chunk& from, entity_index& places);
    void take_rows(chunk& from, const table& layout, std::span<const column* const> columns,
                   entity_index& places);
    void make_room_for(std::size_t rows);
    void drop_empty_chunks() noexcept;
    /// Calls visit(first, rows) for the rows from the n-th on, for each chunk once; the rows are there.
    void for_each_run(std::size_t n, std::size_t rows, const auto& visit) const {
        for (std::size_t end = n + rows; n != end;) {
            const row_ref at = row_at(n);
            const auto run = static_cast<std::uint32_t>(std::min<std::size_t>(end - n, capacity_ - at.row));
            visit(at, run);
            n += run;
        }
    }
    /// The same as append_rows, for entities without a row.
    void append_rowless(std::size_t count, const auto& own) {
        for (std::size_t n = 0; n != count; ++n) {
            entity owner;
            own(std::span(&owner, 1), location{chunk_directory::rowless, 0});
        }
        directory_->note_rowless(count);
    }
    void copy_columns(chunk& to, chunk& from) const;
    void place_rows(chunk& block, std::uint32_t first, std::uint32_t end, entity_index& places) noexcept;
    void drop_superfluous_chunk() noexcept;
    inline static void settle(row_ref at, entity owner, entity_index& places) noexcept {
        at.block->entities()[at.row] = owner;
        places.place(index_of(owner), {at.block->number(), at.row});
    }
    /// Drops that row of the last chunk and the rows behind it, whose values are gone.
    inline void drop_row(row_ref last) noexcept {
        last.block->count = last.row;
        note_row_change();
        if (last.row == 0) [[unlikely]]
            drop_superfluous_chunk();
    }
    void note_last_chunk() noexcept;

    std::vector<id> type_;
    std::vector<column> columns_;
    byte_columns plain_columns_; ///< The columns whose values move as bytes, where they are now.
    /// What belongs to one identifier of the type.
    struct placed {
        std::uint32_t column = absent;
        bool tracked{};
    };
    std::vector<placed> positions_;
    std::vector<chunk*> chunks_;
    chunk* open_;    ///< The last chunk, which may have room; a chunk of no rows while there is none.
    chunk* spare_{}; ///< The first of the chunks without rows that are kept for later.
    chunk_directory* directory_;
    std::uint32_t capacity_{};      ///< Rows of each chunk now.
    std::uint32_t full_capacity_{}; ///< Rows of a chunk of full size.
    std::uint32_t alignment_ = cache_line;
    bool needs_destruction_{};
    bool copies_as_bytes_ = true;
    bool togglable_{};
    bool rowless_{};
    bool ends_in_words_{};
    bool has_beside_{}; ///< Rows have more than columns: bits that hide components, or values in place.
    toggled_member toggled_last_;
    std::vector<in_place_columns*> in_place_;
    std::vector<low_column> low_columns_; ///< Where the columns, and tags, of low index are now.
};

} // namespace ecs
