// SPDX-License-Identifier: MIT
// The rows of a world and all indexes that lead to them: tables, sparse sets, identifiers, names. The floors
// of ecs.structure stand on it. It does what it is told: it asks no trait whether an entity may have
// something, tells no observer, and does not ask whether the world is locked.
export module ecs.storage:store;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import ecs.core;
import ecs.component;
import :change_history;
import :chunk;
import :component_index;
import :component_registry;
import :drop_log;
import :entities;
import :in_place_columns;
import :move_plan;
import :names;
import :objects;
import :place_word;
import :row_store;
import :sources;
import :sparse_set;
import :sparse_sets;
import :table;
import :table_index;

export namespace ecs {

/// The name of an entity, given by spawn or set_name, which know which other entity has it.
class name {
  public:
    static constexpr bool is_given_as_text = true;

    explicit name(std::string text) : text_(std::move(text)) {}

    [[nodiscard]] inline const std::string& text() const { return text_; }

    inline void save(snapshot_writer& to) const { to.write_text(text_); }
    [[nodiscard]] static inline name load(snapshot_reader& from) { return name(from.read_text()); }

  private:
    std::string text_;
};

/// The column that keeps the targets of a relation that does not fragment is that of (relation, any).
inline constexpr component_info link_info{sizeof(link), alignof(link)};

/// The edge of the table for adding an identifier, if it is known: then the identifier is sound, because the
/// edges to the tables of an identifier are forgotten when it ends.
[[nodiscard]] inline const move_plan* known_adding(const table& from, id word) {
    return from.edges.find(edge_kind::adding, word);
}
[[nodiscard]] inline const move_plan* known_removing(const table& from, id word) {
    return from.edges.find(edge_kind::removing, word);
}

/// See the head of this file. Not thread-safe, except where a function says so.
class store : public row_store {
  public:
    /// The rows of a new world: no entity, and the table of entities without components. Throws
    /// too_many_worlds.
    explicit store(const id_space& space);
    ~store();

    /// Ends all rows with their values, and nothing else.
    inline void end_values() noexcept { tables_.clear(); }

    struct replica_tag {};

    /// Rows under the number of a world that do not belong to that world, and no table. Slots are in pages of
    /// the heap, which has memory for them that an earlier replica had. Throws std::bad_alloc.
    store(replica_tag tag, std::uint8_t world);

    /// Becomes a copy of everything but identifiers and loops; there is nothing here yet. Throws what copying
    /// a value throws.
    void mirror(const store& other);
    /// The same for the identifiers, and where their rows are. Throws std::bad_alloc.
    void mirror_identifiers(const store& other);

    /// Exchanges what the two stores have. This store gets the identifiers, for which the plan was made.
    void exchange(store& other, const entity_index& identifiers, entity_index::return_plan&& plan) noexcept;

    /// See entity_index::waiting_target.
    [[nodiscard]] entity waiting_target() const { return entities_->waiting_target(directory_); }
    /// See entity_index::for_each_state.
    void for_each_state(const auto& visit) const { entities_->for_each_state(directory_, visit); }

    // Indexes.

    [[nodiscard]] inline component_registry& component_types() { return components_; }
    [[nodiscard]] inline const component_registry& component_types() const { return components_; }
    [[nodiscard]] inline component_index& records() { return records_; }
    [[nodiscard]] inline const component_index& records() const { return records_; }
    [[nodiscard]] inline trait_index& all_traits() { return traits_; }
    [[nodiscard]] inline const trait_index& all_traits() const { return traits_; }
    [[nodiscard]] inline name_index& names() { return names_; }
    [[nodiscard]] inline object_table& objects() { return objects_; }
    [[nodiscard]] inline const object_table& objects() const { return objects_; }
    [[nodiscard]] inline source_directory& lists() { return lists_; }
    [[nodiscard]] inline const source_directory& lists() const { return lists_; }

    // Components.

    /// The entity of a component type that the store has met; null otherwise.
    template <class T> [[nodiscard]] entity registered() const {
        return components_.of_type(type_number<T>());
    }

    /// Makes the component that of the type, for which there is room, and returns it.
    entity enter_type(std::uint32_t number, entity component) noexcept;
    /// The component ends: neither a type nor a name leads to it any more. Linear in the number of
    /// components.
    void forget_type(entity component) noexcept;

    /// The facts of the values an identifier stands for: a component's own, a pair's relation's or else its
    /// target's.
    [[nodiscard]] component_info info_of_id(id word) const;

    /// Replaces stand-ins, which are entities of world 0, by entities of this world.
    [[nodiscard]] inline id resolve(id word) const {
        return word.is_entity() ? id(entities_->resolve(word.as_entity())) : resolve_pair(word);
    }

    /// The component, or built-in entity, of that name; null when there is none.
    [[nodiscard]] inline entity component_named(std::string_view text) const {
        return components_.named(text);
    }
    /// The name of the component; empty when there is none.
    [[nodiscard]] inline std::string name_of_component(entity component) const {
        return components_.name_of(component);
    }

    /// The value that the row itself has; nullptr when it has none.
    [[nodiscard]] inline std::byte* own_value(row_ref at, id word) const {
        std::byte* const found = value_at(at, word);
        return found || !at.block->owner->linked || !word.is_pair() ? found : linked_value(at, word);
    }

    // Fast paths, for a component that a quiet set knows of, and an entity whose row is found at once. The
    // result is empty when the path was not taken.

    [[nodiscard, gnu::always_inline]] inline std::optional<add_result> remove_quickly(entity e,
                                                                                      id word) const {
        sparse_set* const set = quiet_set(word);
        if (!set || !is_place(place_at_hand(e))) [[unlikely]]
            return {};
        return set->erase_in_slot(index_of(e)) ? add_result::removed : add_result::not_there;
    }
    /// The same for a component that is kept in place.
    [[nodiscard, gnu::always_inline]] inline std::optional<add_result>
    remove_in_place_quickly(entity e, id word) const {
        sparse_set* const set = quiet_set(word);
        const location at = place_at_hand(e);
        if (!set || !is_place(at)) [[unlikely]]
            return {};
        return set->erase_in_row(at) ? add_result::removed : add_result::not_there;
    }
    /// The same for a component that is kept as bits.
    [[nodiscard, gnu::always_inline]] inline std::optional<add_result> remove_bit_quickly(entity e,
                                                                                          id word) const {
        sparse_set* const set = quiet_set(word);
        if (!set || !is_place(place_at_hand(e))) [[unlikely]]
            return {};
        return set->erase_bit(index_of(e)) ? add_result::removed : add_result::not_there;
    }
    /// Adds a component that is kept as bits. Throws std::bad_alloc.
    [[nodiscard, gnu::always_inline]] inline std::optional<add_result>
    add_bit_quickly(entity e, sparse_set& quiet) const {
        if (!is_place(place_at_hand(e))) [[unlikely]]
            return {};
        return quiet.place_bit(index_of(e)) ? add_result::added : add_result::already_there;
    }
    /// Adds a component that the entity does not have. Throws std::bad_alloc and what construct does, and
    /// then nothing has changed.
    template <class Construct>
    [[nodiscard, gnu::always_inline]] inline std::optional<add_result>
    add_sparse_quickly(entity e, sparse_set& quiet, const Construct& construct) const {
        if (!is_place(place_at_hand(e))) [[unlikely]]
            return {};
        return quiet.place_in_slot(e, construct) ? add_result::added : add_result::already_there;
    }
    /// The same for a component that is kept in place.
    template <class Construct>
    [[nodiscard, gnu::always_inline]] inline std::optional<add_result>
    add_in_place_quickly(entity e, sparse_set& quiet, const Construct& construct) const {
        const location at = place_at_hand(e);
        if (!is_place(at)) [[unlikely]]
            return {};
        return quiet.place_in_row(index_of(e), at, construct) ? add_result::added : add_result::already_there;
    }

    /// The set, when nothing has to be asked about it; nullptr otherwise.
    [[nodiscard]] inline sparse_set* free_set(id word) const {
        sparse_set* const sparse = sparse_of(word);
        return !sparse || sparse->constrained || has_bases_ ? nullptr : sparse;
    }
    /// The set, when nothing has to be asked about it and no observer is told of it.
    [[nodiscard]] inline sparse_set* quiet_set(id word) const {
        sparse_set* const free = free_set(word);
        return free && !free->tracked ? free : nullptr;
    }
    /// Whether the entity is alive, and its row found at once.
    [[nodiscard]] inline bool has_row(entity e) const { return is_place(place_at_hand(e)); }

    /// The set of a component that is kept outside tables; nullptr for all others.
    [[nodiscard]] inline sparse_set* sparse_of(id word) const {
        if (sparse_sets_.empty() || !word.is_entity()) return nullptr;
        return sparse_sets::is_low(word) ? sparse_sets_.low(word) : sparse_of_record(word);
    }

    /// Whether the entity is a component, or one that every world has: a fixture. When fixtures come and go,
    /// observers are told only of the components that they have.
    [[nodiscard]] bool is_fixture(entity e) const;

    // Tables.

    [[nodiscard]] inline std::span<const std::unique_ptr<table>> tables() const { return tables_.all(); }
    [[nodiscard]] inline table& root() const { return tables_.root(); }

    /// Changes whenever a table is removed or begins to hide rows, so that queries and bundles that remember
    /// tables forget them.
    [[nodiscard]] inline std::uint64_t cache_version() const { return cache_version_; }
    /// The tables that were removed last: each changed the version once.
    [[nodiscard]] inline const drop_log& drops() const { return drops_; }

    /// Changes whenever the entity of a component type ends: the type will get another.
    [[nodiscard]] inline std::uint64_t forgotten_types() const { return components_.forgotten_types(); }

    /// The cached edge, if the move is a plain copy and the destination has a free row; nullptr: take the
    /// slow path.
    [[nodiscard]] inline const move_plan* trivial_edge(edge_kind kind, row_ref at, id word) const {
        const move_plan* const known = at.block->owner->edges.find_again(kind, word);
        return known && known->trivial && known->to->has_room() ? known : nullptr;
    }

    /// Moves the entity's row along an edge that is at hand, if the edge moves words alone, nothing is made
    /// in the new row, and the destination has a free row. False when nothing was done.
    [[nodiscard, gnu::always_inline]] inline bool moves_words(edge_kind kind, entity e, id word) {
        std::uint64_t slot{};
        if (!entities_->slots_at_hand().find(e, slot)) [[unlikely]]
            return false;
        short_move found;
        if (!find_short_move<&table_edges::shortcut::words_alone>(kind, slot, word, found)) [[unlikely]]
            return false;
        move_words(found, e, slot);
        return true;
    }

    /// The same for a live entity that gets a value of that size: writes where the caller has to make it
    /// afterwards.
    [[nodiscard, gnu::always_inline]] inline bool moves_words_for(entity e, std::uint64_t slot, id word,
                                                                  std::size_t size, std::byte*& value) {
        short_move found;
        if (!find_short_move<&table_edges::shortcut::along>(edge_kind::adding, slot, word, found))
            [[unlikely]]
            return false;
        value = found.there.block->bytes() + found.along->added_start + found.there.row * size;
        if (found.along->in_words) [[likely]]
            move_words(found, e, slot);
        else if (found.along->from_no_row)
            found.to->take_rowless(found.there, e, slot, entities_->places_to_write());
        else
            return false;
        return true;
    }

    /// Moves a row along a bare plan to the next row of its destination, whose added values are made already.
    [[gnu::always_inline]] inline void move_bare(const move_plan& along, row_ref at, row_ref there,
                                                 entity e) noexcept {
        std::uint64_t slot{};
        if (along.bare_words && entities_->slots_at_hand().find(e, slot)) [[likely]]
            move_words({&along, along.from, along.to, at, there}, e, slot);
        else
            give_row(at, along);
    }

    /// Disables or enables what the row has as that word, if it is the member of its table that was disabled
    /// or enabled last, and says whether that is a change. False when nothing was done.
    [[nodiscard, gnu::always_inline]] inline bool toggles(entity e, id word, bool hidden, bool& changes) {
        std::uint64_t slot{};
        if (!entities_->slots_at_hand().find(e, slot)) [[unlikely]]
            return false;
        const location where = place_word::location_in(slot);
        const chunk_directory::entry& in = directory_.entry_of(where.chunk_number);
        if (!in.owner) [[unlikely]]
            return false;
        const table::toggled_member& last = in.owner->toggled_last();
        if (last.word != word || last.position == table::absent) [[unlikely]]
            return false;
        directory_.note_row_change();
        changes = in.block->disabled->assign(last.position, where.row, hidden);
        return true;
    }

    /// Ends the entity, if it has no row, or a row in which only words have to be moved. False when nothing
    /// was done.
    [[nodiscard, gnu::always_inline]] inline bool ends_words(entity e) {
        std::uint64_t slot{};
        if (!entities_->slots_at_hand().find(e, slot)) [[unlikely]]
            return false;
        const location where = place_word::location_in(slot);
        const chunk_directory::entry& in = directory_.entry_of(where.chunk_number);
        const bool has_references =
            (slot & place_word::used_as_id_bit) != 0 || index_of(e) < entity_index::first_ordinary;
        if (!in.owner || !in.owner->ends_in_words() || has_references || !is_unlocked()) [[unlikely]]
            return false;
        if (!sparse_sets_.empty()) [[unlikely]]
            end_outside(index_of(e));
        if (where.chunk_number == chunk_directory::rowless) {
            directory_.note_end_of_rowless();
        } else {
            directory_.note_row_change();
            in.owner->end_words({in.block, where.row}, slot, entities_->places_to_write());
        }
        entities_->destroy(e);
        return true;
    }

    /// Moves a row to the place reserved for it along a plan that is trivial; see table::give_row.
    void give_row(row_ref at, const move_plan& along) noexcept;

    /// Moves a row along the edge that trivial_edge gave; construct(row) makes the added values.
    template <callable_with<row_ref> Construct>
    void move_trivially(row_ref from, const move_plan& along, Construct&& construct) {
        construct(along.to->next_row());
        give_row(from, along);
    }

    /// Moves a row along a bare move plan; construct(row) makes the added values. When it throws, nothing
    /// has changed. Returns the new row.
    template <callable_with<row_ref> Construct>
    row_ref move_row(row_ref from, const move_plan& along, Construct&& construct) {
        const row_ref to = along.to->reserve_row();
        construct_reserved(to, std::forward<Construct>(construct));
        give_row(from, along);
        return to;
    }

    /// The list of a target whose relation does not fragment; empty for other relations. Good until a source
    /// comes or goes.
    [[nodiscard]] std::span<const entity> list_of(entity target, std::uint32_t relation_index) const;
    /// The same for a loop in which sources come and go.
    [[nodiscard]] source_range range_of(entity target, std::uint32_t relation_index) const;

    [[nodiscard]] inline entity parent_of(entity e) const {
        const row_ref at = locate(e);
        return at && at.block->owner->linked ? linked_target(at, pair(child_of, any)) : entity{};
    }

    /// The target that a row keeps in the column of (relation, any); null when there is none.
    [[nodiscard]] inline static entity linked_target(row_ref at, id link_word) {
        const std::byte* const value = value_at(at, link_word);
        return value ? reinterpret_cast<const link*>(value)->target : entity{};
    }

    /// What a member of the type of the row's table stands for at the row: a member that is a pattern is a
    /// column of targets, and stands for the pair with the target in it. All other members stand for
    /// themselves.
    [[nodiscard]] inline id member_at(row_ref at, id member) const {
        return member.is_wildcard() ? pair(entities_->at(member.relation_index()), linked_target(at, member))
                                    : member;
    }

    [[nodiscard]] inline const traits& traits_of(id word) const {
        if (word.is_entity()) return traits_.of(index_of(word.as_entity()));
        return traits_.of(word.has_relation() ? word.relation_index() : 0);
    }
    /// Whether the word is a pair that comes and goes as a tag does: no trait has to be followed, and nothing
    /// else follows.
    [[nodiscard]] inline bool is_pair_without_traits(id word) const {
        return word.kind() == id_kind::pair && traits_of(word).bits == 0;
    }

    /// The sets of components that are kept outside tables.
    [[nodiscard]] inline const sparse_sets& all_sparse_sets() const { return sparse_sets_; }

    /// Changes whenever what a table's rows have changes without a change of the table: by inheritance, or by
    /// a chain of a transitive relation.
    [[nodiscard]] inline std::uint64_t inheritance_version() const { return inheritance_version_; }
    /// The same, except for chains.
    [[nodiscard]] inline std::uint64_t heirs_version() const { return heirs_version_; }

    /// The name of the entity; empty when it has none or is not alive.
    [[nodiscard]] std::string_view name_of(entity e) const;

    // The last changes.

    /// The last changes; null while they are not to be written down.
    [[nodiscard]] inline change_history* history() const {
        return history_ && history_->is_on() ? history_.get() : nullptr;
    }
    /// Begins anew with the room of this one.
    inline void keep_history(std::unique_ptr<change_history> fresh) noexcept {
        // A change_history::acting may hold a pointer to the one that is there, which is not replaced.
        if (history_)
            history_->restart(std::move(*fresh));
        else
            history_ = std::move(fresh);
    }

    // Memory.

    /// Gives back the memory no row needs.
    void shrink();
    [[nodiscard]] std::size_t memory_bytes() const;

    // Rows. The caller has asked the constraints, and tells the notifier.

    /// Copies values to a row that has none. Throws what a copy throws, and then the row has none.
    void copy_row(row_ref from, row_ref to) const;
    /// Ends the move of a row to where the move plan leads, with its new values made: what the row keeps goes
    /// there, the rest ends.
    void finish_move(row_ref from, row_ref to, const move_plan& along) noexcept;
    /// Whether the end of the entity, whose row it is, is a matter of that row: no identifier names it, and
    /// no observer or tick has to do with what it has.
    [[nodiscard]] inline bool has_no_references(entity e, row_ref at) const {
        return is_named_by_none(e) && !at.block->owner->tracked;
    }
    /// Whether no identifier names the entity, and the world does not need it.
    [[nodiscard]] inline bool is_named_by_none(entity e) const {
        return !entities_->is_used_as_id(e) && index_of(e) >= entity_index::first_ordinary;
    }
    /// Ends an entity without a row. The handle is still good.
    inline void end_rowless(entity e) noexcept {
        end_outside(index_of(e));
        directory_.note_end_of_rowless();
    }
    /// Takes the row out of its table and of all that leads to it. The handle of its entity is still good.
    void end_row(row_ref at) noexcept;
    /// Ends an entity that has no row yet.
    void end_pending(entity e) noexcept;

    // Tables.

    /// The table of exactly these identifiers; nullptr when there is none.
    [[nodiscard]] inline table* find_table(std::span<const id> type) const { return tables_.find(type); }
    /// A table of a type that has none, in the order of the words. Throws std::bad_alloc.
    table& make_table(std::span<const id> type);
    /// Ends a table without rows.
    void drop_table(table& emptied) noexcept;
    void make_togglable(table& t);
    /// Puts rows of the table into another order; see table::arrange.
    inline void arrange(table& t, std::span<const std::size_t> order) { t.arrange(order, *entities_); }
    /// From now on entities without components have rows, too: values in place are kept beside rows. Throws
    /// std::bad_alloc, and then nothing has changed.
    void give_rows_to_all();
    /// From now on rows of the table of that row may have these values; none had one before. Throws
    /// std::bad_alloc.
    void keep_in_place(in_place_columns& values, location of);
    /// Makes room in a table for what a row that is to come there has in place. Throws std::bad_alloc.
    void make_room_in_place(row_ref coming, table& in);
    /// Traits have changed: what was added without asking has to be asked again.
    void invalidate_edges();
    inline void bump_cache_version() noexcept { ++cache_version_; }
    /// From now on a query asks for pairs of the relation, so that no other entity gets its index when it
    /// ends: pairs have no room for its generation. For threads that read the world. Throws std::bad_alloc.
    void note_asked(id word);
    /// Whether there ever was a pair of the relation, or a query has asked for one.
    [[nodiscard]] bool was_relation(std::uint32_t index) const;
    /// Inherited values may come from other entities now: tables that inherit may answer otherwise than
    /// before.
    inline void bump_inheritance_version() noexcept {
        ++inheritance_version_;
        ++heirs_version_;
    }
    /// Chains of pairs may lead elsewhere. What tables have and inherit is as before.
    inline void bump_chains_version() noexcept { ++inheritance_version_; }
    /// Whether some entity is, or was, an instance of another.
    [[nodiscard]] inline bool has_bases() const { return has_bases_; }

    // Identifiers.

    [[nodiscard]] bool is_component(entity e) const;
    /// The record of the identifier; made when there is none. Throws std::bad_alloc.
    [[nodiscard]] component_record& record_of(id word);
    component_record& make_record(id word, const component_info& info);
    void forget_record(component_record& record) noexcept;
    /// Every entity that has the identifier. Linear in all indices when it is kept outside tables.
    [[nodiscard]] std::vector<entity> holders_of(const component_record& record) const;
    /// Whether some row has the identifier.
    [[nodiscard]] bool is_had(id word) const;
    /// Enters the property into the digest; there is room for it.
    void set_trait(entity relation, id property);
    /// Takes the property out of the digest.
    void clear_trait(entity relation, id property) noexcept;

    // Targets in columns.

    [[nodiscard]] bool has_linked(row_ref at, id pattern) const;
    /// The value of a pair whose target is kept in a column is kept under the relation's own name.
    [[nodiscard]] std::byte* linked_value(row_ref at, id word) const;
    /// Takes the entity of the row off the list of the target that the column names.
    void leave_list(row_ref at, id key, const column& links) noexcept;
    /// Puts the sources, which are those of the target, into this order.
    void place_sources(entity target, std::uint32_t relation_index, std::span<const entity> sources) noexcept;

    // Objects and names.

    /// The object leaves if no row has a link to it.
    void release_object(std::uint32_t slot) noexcept;
    [[nodiscard]] entity find_name(entity scope, std::string_view text) const;
    void forget_name(row_ref at) noexcept;
    /// The entity keeps its name and takes it to another scope, in which the name is free.
    void rescope_name(entity e, entity from, entity to) noexcept;

  private:
    /// Resolves the parts of a pair. Pairs are told apart by their target's generation; for a built-in
    /// target, this world's generation is used.
    [[nodiscard]] id resolve_pair(id word) const;
    [[nodiscard]] sparse_set* sparse_of_record(id word) const;
    /// The place of an entity that is alive; no place when it is not alive, or has to be searched for.
    [[nodiscard, gnu::always_inline]] inline location place_at_hand(entity e) const {
        return place_word::location_in(entities().slots_at_hand().slot_of(e));
    }
    /// Whether the place is that of a row: not while the chunk is to come with the next flush.
    [[nodiscard, gnu::always_inline]] inline bool is_place(location at) const {
        return directory_.is_in_use(at.chunk_number);
    }
    /// A move along an edge that is at hand, to a row that is free. Each of its parts is found by few loads
    /// that need each other: where one change follows the other, their sum is what it takes.
    struct short_move {
        const move_plan* along{};
        table* from{};
        table* to{};
        row_ref at; ///< The row of an entity that has one.
        row_ref there;
    };
    /// Plan says which plan of the edge is used.
    template <const move_plan* table_edges::shortcut::* Plan>
    [[nodiscard, gnu::always_inline]] inline bool find_short_move(edge_kind kind, std::uint64_t slot, id word,
                                                                  short_move& found) const {
        const location where = place_word::location_in(slot);
        const chunk_directory::entry& in = directory_.entry_of(where.chunk_number);
        if (!in.owner || !is_unlocked()) [[unlikely]]
            return false;
        const table_edges::shortcut& edge = in.owner->edges.at_hand(kind, word);
        if (edge.word != word || !(edge.*Plan) || !edge.to->has_room()) [[unlikely]]
            return false;
        found = {edge.*Plan, in.owner, edge.to, {in.block, where.row}, edge.to->next_row()};
        return true;
    }
    [[gnu::always_inline]] inline void move_words(const short_move& found, entity e, std::uint64_t slot) {
        directory_.note_row_change();
        found.from->give_words(found.at, *found.along, found.there, e, slot, entities_->places_to_write());
    }

    /// Ends the values of an entity that are not in tables.
    void end_outside(std::uint32_t index) noexcept;
    void note_traits(table& made, id word);
    void leave_lists(row_ref at) noexcept;
    [[nodiscard]] const std::vector<entity>* find_list(entity target, std::uint32_t relation_index) const;
    void release_objects(const table& left, const table* now_in = nullptr) noexcept;
    void mirror_sparse_sets(const store& other);

    component_registry components_;
    table_index tables_;
    component_index records_;
    source_directory lists_; ///< Lists of relations that do not fragment.
    trait_index traits_;
    name_index names_;
    object_table objects_;
    sparse_sets sparse_sets_; ///< All components that are kept outside tables.
    std::uint64_t cache_version_{};
    std::mutex noting_;
    flat_map<bool> asked_relations_; ///< Relations that queries asked for before there was a pair.
    drop_log drops_;                 ///< The drops of this store, whichever tables it has got by exchange.
    bool has_bases_{};               ///< Whether some entity is, or was, an instance of another.
    std::uint64_t inheritance_version_{};
    std::uint64_t heirs_version_{};
    std::unique_ptr<change_history> history_;
};

} // namespace ecs
