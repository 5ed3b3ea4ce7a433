// SPDX-License-Identifier: MIT
// Changes to what entities have. A floor of ecs.structure: it asks the constraints, moves rows, and has the
// notifier tell what happened.
//
// A structural change has two halves. The first may throw and changes nothing that could be seen: the row in
// the table to come is reserved and its new values are constructed. The second cannot fail: values move and
// places change.
export module ecs.structure:structure;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import :change_queue;
import :constraints;
import :lookup;
import :notifier;
import :observer;
import :told_steps;

export namespace ecs {

class instantiation;

/// See the head of this file.
class structure {
  public:
    structure(store& rows, const lookup& reads, const constraints& checks, notifier& events,
              instantiation& instances)
        : rows_(rows), reads_(reads), checks_(checks), events_(events), instances_(instances) {}
    structure(const structure&) = delete;
    structure& operator=(const structure&) = delete;

    // The floors below, for the helpers of its sources.
    [[nodiscard]] inline store& rows() const { return rows_; }
    [[nodiscard]] inline const lookup& reads() const { return reads_; }
    [[nodiscard]] inline const constraints& checks() const { return checks_; }

    /// As world::add and world::set.
    add_result add(entity e, id word);
    add_result set(entity e, id word, const void* value);
    /// Adds an identifier that the entity of the row does not have; construct makes the value.
    add_result add_with(row_ref at, id word, value_constructor construct);
    /// The same where construct may read values of this world: it is called before any row moves.
    add_result add_before_moving(row_ref at, id word, value_constructor construct);

    /// Adds all of the components in one move. The key, which no identifier's word equals, stands for the
    /// list.
    add_result add_all(entity e, std::uint64_t key, std::span<const id> words);
    /// The same for identifiers that go.
    add_result remove_all(entity e, std::uint64_t key, std::span<const id> words);

    /// As world::remove and world::clear.
    add_result remove(entity e, id word);
    add_result clear(entity e);

    /// The plan by which the entity, and the others of its table, get the identifier or lose it; nullptr
    /// where something has to be asked for each entity. Whether such a move was made before plays no part:
    /// the order of rows must not depend on that. Throws std::bad_alloc.
    [[nodiscard]] const move_plan* plan_of_many(edge_kind kind, entity first, id word);

    /// Adds a component that is kept outside tables and that the entity, which is alive, does not have;
    /// construct makes the value, which counts as set unless it is a default. A hidden one is disabled before
    /// an observer is told of it.
    add_result add_sparse(entity e, sparse_set& sparse, value_constructor construct, bool sets = true,
                          bool hidden = false);

    /// The same, whatever the traits of the component say, and no observer is told of it yet.
    void place_untold(entity e, sparse_set& sparse, value_constructor construct, bool hidden);

    /// Refused for pairs whose targets are kept in a column: a row has one of them or none.
    add_result set_enabled(entity e, id word, bool enabled);
    /// The result for a component that is enabled or disabled now.
    [[nodiscard]] inline static add_result toggled(bool changes, bool enabled) {
        if (!changes) return add_result::already_there;
        return enabled ? add_result::enabled : add_result::disabled;
    }

    /// The short path where only bytes have to be moved and all that observers are told is known beforehand:
    /// moves the row along a plan of its table, while no loop goes over rows. What is added gets a copy of
    /// the value, which is bytes; a tag has none. False when nothing was done. Throws std::bad_alloc, and
    /// what an observer throws.
    bool moves_and_tells(const move_plan& along, row_ref at, std::span<const std::byte> value);
    /// Gives the entity a component that it does not have, which is kept outside tables and is no more than
    /// these bytes, and tells observers. False, and nothing has changed, where more has to be asked or told.
    bool places_and_tells(entity e, id component, std::span<const std::byte> value);
    /// Takes the component from the entity, and tells observers. False, and nothing has changed, where the
    /// entity does not have it, or more has to be asked or told.
    bool erases_and_tells(entity e, id component);

    /// The table of exactly these identifiers, in the order of their words; made when there is none.
    [[nodiscard]] table& table_of(std::span<const id> type);
    /// The same for identifiers in any order, each perhaps more than once; they are sorted on the way.
    [[nodiscard]] table& table_of_set(id* words, std::size_t count);
    [[nodiscard]] const move_plan& adding_all(table& from, std::uint64_t key, std::span<const id> words);
    /// Others may inherit something else, because a row that has come to the table has or lacks it.
    void outdate_heirs(const table& now) const noexcept;

    /// Moves a row along the move plan. Construct makes the added columns' values in the new row; when it
    /// throws, nothing has changed. Returns the new row. `given` says which values are no defaults; construct
    /// may also write those that the old row keeps, unless it can throw.
    template <callable_with<row_ref> Construct>
    row_ref move(row_ref from, const move_plan& along, Construct&& construct,
                 const given_values& given = {}) {
        if (!along.trivial || (along.tracked && !given.these.empty())) [[unlikely]]
            return move_with_care(from, along, construct, given);
        return rows_.move_row(from, along, std::forward<Construct>(construct));
    }

    /// See world::reorder.
    void reorder(entity target, std::span<const entity> sources, id relation);
    /// See world::replace_sources.
    add_result replace_sources(entity target, std::span<const entity> sources, id relation);

    // Objects of the host program; see objects.cppm.

    /// Adds a link to the object, which the world owns as far as the pointer does.
    add_result link_object(entity e, id relation, std::shared_ptr<void> object, std::uint32_t type);

    // Names.

    /// Throws name_error when the text is empty, contains '/', or is the name of another entity of the same
    /// parent.
    void set_name(entity e, std::string_view text);

    /// The same as move, where more has to be done than to move bytes. Not inlined, so that move is.
    row_ref move_with_care(row_ref from, const move_plan& along, row_constructor construct,
                           const given_values& given);
    /// Moves the row of an entity of which nobody has been told. The added columns get their default values;
    /// when that throws, nothing has changed.
    void move_fresh(row_ref from, const move_plan& along);
    [[nodiscard]] static std::vector<id> without_id(std::span<const id> type, id word);
    /// The type of a table with one identifier more: an exclusive relation gives up its other pair.
    [[nodiscard]] std::vector<id> destination(const table& from, id word) const;
    void remove_tracked(entity e, sparse_set& sparse);
    /// The same, where all that is told of it is known; otherwise false, and nothing has changed.
    bool erases_and_tells(entity e, sparse_set& sparse);
    /// Adds what comes with the identifier.
    [[nodiscard]] add_result add_required(entity e, id word, const traits& own);
    /// Completes what follows from an identifier that the entity has: it may have failed for want of memory.
    add_result complete(entity e, id word);
    /// Removes an identifier that nothing keeps, or completes a removal that ran out of memory half-way.
    add_result remove_checked(entity e, id word);
    add_result remove_stored(entity e, id word);

    /// Makes the value of a pair; empty where the pair has none.
    using value_maker = std::function<void(std::byte*)>;
    /// Gives the entity the target, in place of another if there is one, and the pair's value.
    add_result link_to(entity e, id word, const value_maker& make);
    void finish_link(entity e, id word, entity before, entity target);
    /// The plan of moves to a table with a column for (relation, any), and for the relation's values when
    /// there are any.
    [[nodiscard]] const move_plan& linking(table& from, id key, id relation);
    /// Takes the link of (relation, any) out of the entity's row, with the value that belongs to the pair.
    void unlink_from(entity e, id key);
    /// Makes room for what declare writes down, and adds what the property implies.
    [[nodiscard]] add_result prepare_to_declare(entity relation, id property);
    void retract(entity relation, id property) noexcept;
    /// Forgets an identifier that no entity has, with its tables.
    void forget_unused(component_record& record) noexcept;
    void renew_unused(component_record& record) noexcept;
    /// Ends a table without rows.
    void drop_empty(table& emptied) noexcept;
    /// Drops the tables of pairs in which nobody is: entities that went from target to target have left one
    /// for each. Linear in the tables.
    void drop_unused_pairs() noexcept;

  private:
    void prepare_move(row_ref from, const move_plan& along);
    [[nodiscard]] const move_plan& adding(table& from, id word);
    [[nodiscard]] const move_plan& removing(table& from, id word);
    [[nodiscard]] const move_plan& removing_all(table& from, std::uint64_t key, std::span<const id> words);

    row_ref move_tracked(row_ref from, const move_plan& along, row_constructor construct,
                         const given_values& given);
    add_result add_new_with(entity e, id word, value_constructor construct);
    add_result set_name_like(entity e, const name& value);
    add_result add_along(row_ref at, const move_plan& along);
    add_result toggle_sparse(entity e, id word, bool enabled);
    add_result add_one_by_one(entity e, std::span<const id> words);
    add_result remove_one_by_one(entity e, std::span<const id> words);
    [[nodiscard]] bool is_plain(const table& from, id word) const;
    [[nodiscard]] bool has_required(const table& in, id word) const;
    [[nodiscard]] bool may_be_plain(entity e, edge_kind kind, id word) const;
    void construct_added(const move_plan& along, row_ref from, row_ref to) const;
    [[nodiscard]] bool adds_copy(const move_plan& along, row_ref from) const;
    [[nodiscard]] bool begins_with_copy(row_ref at, id word) const;
    [[nodiscard]] std::vector<id> words_copied(const move_plan& along, row_ref from) const;
    void note_sparse_change(entity e);
    void place_sparse(entity e, sparse_set& sparse, value_constructor construct, bool sets, bool hidden);
    void erase_sparse(entity e, sparse_set& sparse);
    add_result add_constrained(entity e, sparse_set& sparse, value_constructor construct, bool sets,
                               bool hidden);
    add_result add_default_sparse(entity e, sparse_set& sparse);
    add_result set_sparse_copy(entity e, sparse_set& sparse, const void* value);
    add_result remove_sparse(entity e, sparse_set& sparse);
    [[nodiscard]] add_result prepare_add(entity e, id word);
    add_result add_new(entity e, id word);
    void add_plain(entity e, id word);
    add_result finish_add(entity e, id word);
    add_result add_image(entity e, id word);
    void finish_remove(entity e, id word);
    add_result remove_known(entity e, id word);
    add_result remove_in_turn(entity e, std::vector<id> words);
    [[nodiscard]] std::vector<id> take_plain(entity e, std::vector<id>& words) const;
    bool move_out(entity e, std::span<const id> plain);
    add_result remove_everything(entity e);
    add_result remove_images(entity e, id pattern, add_result so_far);
    add_result remove_matches(entity e, id pattern);
    [[nodiscard]] value_maker maker_of_beginning(entity e, id word) const;
    [[nodiscard]] bool link_quickly(row_ref at, id word);
    [[nodiscard]] bool relink_quickly(row_ref at, id key, entity target);
    void note_relinking(table& of, id key);
    add_result link_with(entity e, id word, value_constructor make);
    [[nodiscard]] add_result link_from_beginning(entity e, id word);
    void place_link(row_ref at, id key, entity target, const value_maker& make);
    [[nodiscard]] link enlist(entity e, id key, entity target) noexcept;
    void relink(row_ref at, id key, entity target) noexcept;
    [[nodiscard]] bool is_between_parts(entity e, id word) const;
    void outdate_what_follows(entity e, id word);
    void share_mark(entity e, entity parent);
    void mark_parts(entity whole);
    add_result unlink(entity e, id word);
    void declare(entity relation, id property) noexcept;
    void forget_unused_pairs(entity relation) noexcept;

    void change_name(entity e, std::string_view text);
    void give_name(row_ref at, name&& fresh, std::uint64_t hash);

    store& rows_;
    const lookup& reads_;
    const constraints& checks_;
    notifier& events_;
    instantiation& instances_; ///< Asked only for what an entity gets that gets a base.
};

} // namespace ecs
