// SPDX-License-Identifier: MIT
// What entities have: by their rows, by the traits of relations and by inheritance. A floor of ecs.structure:
// it owns nothing, reads the store and changes nothing.
export module ecs.structure:lookup;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;

export namespace ecs {

/// How far an identifier is from being in every row of a table.
enum class presence : std::uint8_t {
    no,
    in_table,  ///< Every row has it.
    inherited, ///< Every row has it from a base.
    by_row,    ///< It has to be asked for each row.
};

/// The entity whose value is handed out for a pattern, and the identifier of the value.
struct held_value {
    entity holder;
    id word;
};

/// Moves the pair with the parent, of which there is one at most, behind the other identifiers.
void put_parent_last(std::vector<id>& words);

/// See the head of this file.
class lookup {
  public:
    explicit lookup(const store& rows) : rows_(rows) {}
    lookup(const lookup&) = delete;
    lookup& operator=(const lookup&) = delete;

    // The floors below, for the helpers of its sources.
    [[nodiscard]] inline const store& rows() const { return rows_; }

    /// All entities except components and the entities that every world has.
    [[nodiscard]] std::vector<entity> ordinary_entities() const;

    // What an entity has.

    /// Everything the entity itself has: a pair for each target.
    [[nodiscard]] std::vector<id> ids_of(entity e) const;

    /// All components, in the order of their indices.
    [[nodiscard]] std::vector<entity> components() const;
    /// The name of a component, or of the component that gives a pair its values; else the index. Where that
    /// is the pair's target, the relation is named behind it.
    [[nodiscard]] std::string text_of_component(id word) const;
    [[nodiscard]] inline bool has(entity e, id word) const {
        const row_ref at = rows_.locate(e);
        return at && has_at(e, at, word);
    }
    /// The same for an entity whose row is known.
    [[nodiscard]] bool has_at(entity e, row_ref at, id word) const;
    /// Whether add would change nothing, because the entity itself has the identifiers: then a loop may add
    /// them, too.
    [[nodiscard]] bool adds_nothing(entity e, std::span<const id> words) const;

    /// The entity's own or inherited value; nullptr when the entity is not alive or has none.
    [[nodiscard]] inline std::byte* find(entity e, id word) const {
        const row_ref at = rows_.locate(e);
        return at ? find_at(e, at, word) : nullptr;
    }
    /// The same for an entity whose row is known.
    [[nodiscard]] inline std::byte* find_at(entity e, row_ref at, id word) const {
        word = rows_.resolve(word);
        if (word.is_wildcard()) [[unlikely]]
            return find_any(at, word);
        if (std::byte* const own = store::value_at(at, word)) return is_of_pair(at, word) ? nullptr : own;
        return rows_.all_sparse_sets().empty() || !rows_.sparse_of(word) ? find_elsewhere(at, word)
                                                                         : find_sparse(e, word);
    }

    /// The value of an identifier that has no column in the row's table: inherited, or the one that an
    /// exclusive relation keeps under its own name.
    [[nodiscard]] inline std::byte* find_elsewhere(row_ref at, id word) const {
        const table& in = *at.block->owner;
        return in.inherits || (in.linked && word.is_pair()) ? find_by_rule(at, word) : nullptr;
    }

    /// The end of a sentence that says that a live entity has nothing before the next flush; empty for other
    /// entities.
    [[nodiscard]] std::string wait_of(entity e) const;

    /// The end of a sentence that says who ended the entity; empty when that was not written down.
    [[nodiscard]] std::string end_of(entity e) const;

    /// Throws the access_error that says why the entity has no such value; `is_observed` says that an
    /// observer is being told, who may wait for what he himself has asked for.
    [[noreturn]] void refuse_access(entity e, id word, std::string_view component,
                                    bool is_observed = false) const;
    /// The same for the value of the component at itself; null where the world has not met the component.
    [[noreturn]] void refuse_singleton(entity component, std::string_view text) const;
    /// The same where the value was to be added, which was refused.
    [[noreturn]] void refuse_addition(entity e, id word, std::string_view component, add_result why) const;
    /// The same where the value was there, and has been written.
    [[noreturn]] void refuse_after_patch(entity e, id word, std::string_view component) const;
    /// The same for the value of a relation to the target.
    [[noreturn]] void refuse_pair_access(entity e, id word, entity target, std::string_view relation) const;

    /// The entity from which the entity, which is alive, has the component: itself, or a base; null when it
    /// does not have the component.
    [[nodiscard]] inline entity sparse_holder(entity e, const sparse_set& sparse) const {
        return sparse.contains(index_of(e)) ? e : sparse_base(e, sparse);
    }
    /// Whether the entity shows the identifier. What is inherited, or has its target in a column, cannot be
    /// hidden.
    [[nodiscard]] bool is_enabled(entity e, id word) const;
    /// Whether the entity itself has the identifier and hides it.
    [[nodiscard]] bool is_hidden(entity e, id word) const;
    /// The entity and the identifier whose value find(e, word) returns; {e, word} when there is none.
    [[nodiscard]] held_value held(entity e, id word) const;
    /// What the entity has of that for which the pattern stands: what it has itself, hidden or shown as is
    /// asked, comes before what it inherits, and what has a value before the rest. Null when there is
    /// nothing.
    [[nodiscard]] held_value match_of(entity e, id pattern, bool hidden = false) const;
    /// Whether the value of the identifier that rows of the inheriting table have from a base has changed
    /// since, by the ticks of the identifier.
    [[nodiscard]] bool has_inherited_news(const table& instance, id word, const change_ticks& ticks,
                                          change_tick since) const;
    /// Whether adding, setting or removing the identifier is a matter of moving a row: no trait has to be
    /// followed, and no value is kept elsewhere.
    [[nodiscard]] bool moves_plainly(id word) const;
    /// The same of all of the identifiers.
    [[nodiscard]] bool move_plainly(std::span<const id> words) const;

    /// The target of the relation, the first in the order of the words when there are several; null when
    /// there is none.
    [[nodiscard]] entity target_of(entity e, entity relation) const;
    /// The same, but an inherited target when the entity has none itself.
    [[nodiscard]] inline entity target_had(entity e, entity relation) const {
        const entity own = target_of(e, relation);
        if (own || !rows_.traits_of(rows_.entities().resolve(relation)).any_of(trait::inheritable)) [[likely]]
            return own;
        const std::vector<entity> inherited = targets_had(e, relation);
        return inherited.empty() ? entity{} : inherited.front();
    }

    /// The component whose type the values of the identifier have: itself, a pair's relation, or its target;
    /// null when there are none, and for a wildcard.
    [[nodiscard]] entity value_type_of(id word) const;

    /// The value that an observer of the pattern is handed at the entity when it is told of an identifier:
    /// `value`, if the pattern stands for that identifier, and otherwise what the entity has under the
    /// pattern; nullptr where there is none, or it is of another type.
    [[nodiscard]] void* value_told(id pattern, id told, void* value, entity e) const;

    /// The target of a pair; null when it has ended or the word is no pair.
    [[nodiscard]] entity target_of_pair(id word) const;

    /// Every target of the relation that the entity itself has.
    [[nodiscard]] std::vector<entity> targets_of(entity e, entity relation) const;

    /// The same with those that it inherits, which come last.
    [[nodiscard]] std::vector<entity> targets_had(entity e, entity relation) const;

    /// What the rows of the table inherit in the relation; a target for each base that has it.
    [[nodiscard]] std::vector<entity> targets_inherited(const table& instance, entity relation) const;

    /// Every entity that has the pair. When the relation is null, every entity that has a pair of any
    /// relation with the target, once for each such pair. Empty when the target is no entity that is alive.
    [[nodiscard]] std::vector<entity> sources_of(entity target, id relation) const;

    /// Every entity that itself has exactly this pair, with any kind of target, and does not inherit it.
    /// Linear in the number of these entities, and in that of the tables that have had the pair.
    [[nodiscard]] std::vector<entity> own_sources(id word) const;

    /// Whether an entity itself has the component, and not only a pair of it. The values of pairs whose
    /// targets are in a column stand beside them, under the component's name.
    [[nodiscard]] bool is_had_without_target(entity component) const;

    /// Every entity t for which has(e, pair(relation, t)) is true, for the relation of the word.
    [[nodiscard]] std::vector<entity> related_from(entity e, id word) const;
    /// Every entity e for which has(e, pair(relation, target)) is true.
    [[nodiscard]] std::vector<entity> related_to(entity target, id word) const;

    /// The pair that a base has for a pattern; the word itself when nothing is inherited.
    [[nodiscard]] id pair_behind(entity giver, id word) const;

    /// The nearest entity along the chains of the relation that has the identifier; if `shown`, only entities
    /// that show it to queries count. Null when there is none.
    [[nodiscard]] entity up(entity e, entity relation, id word, bool shown = false) const;
    /// The same among entities that show it to queries; if `itself`, the search begins with the entity
    /// itself.
    [[nodiscard]] entity nearest(entity e, entity relation, id word, bool itself) const;

    /// Everything below the entity: each before its children, or each generation before the next.
    [[nodiscard]] std::vector<entity> depth_first(entity root, id relation) const;
    [[nodiscard]] std::vector<entity> breadth_first(entity root, id relation) const;

    /// Whether a chain of the relation leads from one entity to the other, in one step or more; inherited
    /// steps count.
    [[nodiscard]] bool leads_to(entity from, entity relation, entity to) const;

    /// Whether the column of the word keeps values of pairs whose targets are in a column, and not values of
    /// a component.
    [[nodiscard]] inline bool is_value_of_link(const table& in, id word) const {
        return in.linked && keeps_values_of_links(word);
    }
    /// The same for what stands in the row.
    [[nodiscard]] inline bool is_of_pair(row_ref at, id word) const {
        return is_value_of_link(*at.block->owner, word);
    }

    /// Every entity from which a chain leads to the target of the pair; nullptr when the relation is not
    /// transitive. Linear in what is found.
    [[nodiscard]] std::shared_ptr<const chain_sources> sources_by_chains(id word) const;

    /// Whether the table's rows have what the pattern stands for. When `known` is what sources_by_chains
    /// returned for the pattern, no chain is followed.
    [[nodiscard]] presence presence_in(const table& candidate, id pattern,
                                       const chain_sources* known = nullptr) const;
    /// Whether the row has the pair, which has a target. `known` is used as in presence_in.
    [[nodiscard]] bool has_in_row(row_ref at, id word, const chain_sources* known) const;

    /// The base that the rows of an inheriting table have the identifier from; null when there is none.
    [[nodiscard]] entity base_with(const table& instance, id word) const;

    /// What the rows of the table inherit of what the pattern stands for, and do not have themselves: each
    /// identifier once, with the base that gives it. For a relation that keeps targets in a column, the
    /// pattern stands for its only pair.
    [[nodiscard]] std::vector<held_value> inherited_matches(const table& instance, id pattern) const;

    /// The bases from which the rows of an inheriting table inherit, directly or not, the nearest first.
    [[nodiscard]] std::vector<entity> bases_of(const table& instance) const;

    /// See entity_graph::counterpart.
    [[nodiscard]] entity counterpart(entity instance, entity part) const;
    /// The link to the object; null while no entity is linked to it.
    [[nodiscard]] id link_of(id relation, const void* object, std::uint32_t type) const;
    /// The object of the link; nullptr when the object has left, or is of another type.
    [[nodiscard]] void* object_behind(id word, std::uint32_t type) const;
    /// The first object that the entity has in the relation.
    [[nodiscard]] void* object_of(entity e, id relation, std::uint32_t type) const;

    /// The entity of a path such as "Ship/Turret/Barrel", from the scope inwards; null when there is none.
    /// In the outermost scope, components are found by their names where no entity has the name.
    [[nodiscard]] entity find_path(std::string_view path, entity scope = {}) const;

    /// The names from the outermost parent to the entity, joined by '/'.
    [[nodiscard]] std::string path_of(entity e) const;
    [[nodiscard]] void* own_value_of(entity e, id word) const;
    /// What the entity itself has, with the pairs that are kept in columns, and what is kept outside tables.
    /// The order does not depend on where things are kept, so that observers of an end do not notice it.
    [[nodiscard]] std::vector<id> words_of(entity e) const;
    /// Whether the rows of the table, or their entities outside it, may have a value of the identifier: a tag
    /// has none.
    [[nodiscard]] bool has_value(const table& in, id word) const;
    /// Whether the entities that the identifier names are alive.
    [[nodiscard]] bool is_meant(id word) const;
    /// The entity from which the rows of a table have what is tracked: the entity itself, or a base; null
    /// when there is none.
    [[nodiscard]] entity giver_of(const table& in, const component_record& record, entity e) const;
    [[nodiscard]] entity sparse_base(entity e, const sparse_set& sparse) const;
    /// The entity, and all entities that inherit from it, directly or not; sorted.
    [[nodiscard]] std::vector<entity> instances_of(entity from) const;
    /// Whether another entity inherits what the entity gets.
    [[nodiscard]] bool passes_on(entity from, id word) const;
    /// The required component that comes with the identifier; for a relation, a relation to the same target.
    [[nodiscard]] id with_same_target(id word, entity required) const;
    /// Whether the entity has the component or relation, by itself or in a pair.
    [[nodiscard]] bool carries(entity e, entity what) const;
    /// Whether the row has the identifier itself, neither by inheritance nor by a chain.
    [[nodiscard]] bool is_stored(row_ref at, id word) const;
    [[nodiscard]] bool has_default(id word) const;
    /// Whether there is a value to begin with: a default one, or a copy of what the row inherits.
    [[nodiscard]] bool has_beginning(row_ref at, id word) const;
    /// Whether the entity itself has the identifier, in a table or outside.
    [[nodiscard]] bool owns(entity e, id word) const;
    /// What the entity itself has of what the identifier, which may be a pattern, stands for.
    [[nodiscard]] std::vector<id> own_matches(entity e, id pattern) const;
    /// Whether the pair's target is a value in a column.
    [[nodiscard]] inline bool keeps_in_column(id word) const {
        return word.is_pair() && rows_.traits_of(word).any_of(trait::non_fragmenting);
    }
    /// Pairs are inherited when their relation says so; components unless they say what the entity itself is.
    [[nodiscard]] bool is_heritable(id word) const;
    /// The entity, and the entities of which it is an instance.
    [[nodiscard]] std::vector<entity> lineage_of(entity e) const;
    /// (relation, any) for a pair, and for any other identifier with a relation.
    [[nodiscard]] id conflicts_of(id word) const;
    /// Whether the pair leads from one part of a prefab to another: then it stays there, and instances have
    /// one between their own parts.
    [[nodiscard]] bool stays_within(entity source, id stored) const;
    /// What the entity has, itself or from its bases, and of which every instance gets a copy. Pairs of
    /// child_of and is_a are left out: they are said already.
    [[nodiscard]] std::vector<id> auto_overridden_of(entity from) const;

  private:
    /// Every entity that has the pair, each once; entities that inherit it come last.
    [[nodiscard]] std::vector<entity> sources_had(entity target, entity relation) const;
    [[nodiscard]] std::byte* find_sparse(entity e, id word) const;

    [[nodiscard]] bool keeps_values_of_links(id word) const;
    [[nodiscard]] bool has_by_rule(row_ref at, id word, const chain_sources* known = nullptr) const;
    [[nodiscard]] bool is_had_by_chain(entity e, id word, const traits& own,
                                       const chain_sources* known) const;
    [[nodiscard]] std::byte* find_by_rule(row_ref at, id word) const;
    [[nodiscard]] std::byte* find_any(row_ref at, id pattern) const;
    [[nodiscard]] id valued_match(row_ref at, id pattern) const;
    [[nodiscard]] id heritable_match(row_ref from, id pattern) const;
    [[nodiscard]] bool gives_to_instances(entity from, id word) const;
    [[nodiscard]] row_ref row_of_base_with(const table& instance, id word) const;
    [[nodiscard]] std::optional<row_ref> row_along_bases(const table& instance, id component) const;
    [[nodiscard]] std::optional<bool> is_instance_along(entity instance, entity from) const;
    /// The first inherited identifier with a value that the pattern stands for, and the base that gives it;
    /// null when there is none.
    [[nodiscard]] held_value inherited_value(const table& instance, id pattern) const;

    const store& rows_;
};

} // namespace ecs
