// SPDX-License-Identifier: MIT
// Whether an entity may have an identifier, and whether it may lose one. A floor of ecs.structure: it owns
// nothing, asks the store and the lookup, and changes nothing. Every answer is an add_result: added or
// removed when nothing forbids it, else the reason.
export module ecs.structure:constraints;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import :lookup;

export namespace ecs {

/// What an entity loses in a change. Entities at the other ends of its symmetric pairs lose the mirror
/// images.
class leaving_words {
  public:
    leaving_words() = default;
    /// `renamed`: the entity gets another name.
    leaving_words(const store& rows, entity loser, std::span<const id> words, bool renamed = false)
        : rows_(&rows), loser_(loser), words_(words), renamed_(renamed) {}

    /// What the entity loses, without mirror images.
    [[nodiscard]] inline std::span<const id> words_of(entity e) const {
        return e == loser_ ? words_ : std::span<const id>();
    }
    [[nodiscard]] inline bool empty() const { return words_.empty(); }
    /// Whether the entity loses the identifier.
    [[nodiscard]] bool has(entity e, id word) const;
    /// Whether the entity has another name afterwards, or none.
    [[nodiscard]] inline bool changes_name(entity e) const {
        return e == loser_ && (renamed_ || has(e, rows_->registered<name>()));
    }

  private:
    const store* rows_{};
    entity loser_{};
    std::span<const id> words_{};
    bool renamed_{};
};

/// See the head of this file.
class constraints {
  public:
    constraints(const store& rows, const lookup& reads) : rows_(rows), reads_(reads) {}
    constraints(const constraints&) = delete;
    constraints& operator=(const constraints&) = delete;

    // The floors below, for the helpers of its sources.
    [[nodiscard]] inline const store& rows() const { return rows_; }
    [[nodiscard]] inline const lookup& reads() const { return reads_; }

    /// Why an identifier cannot be added to any entity; added when it can.
    [[nodiscard]] add_result check_addable(id word) const;
    /// The size, the operations and the storage of a component: the world alone gives them, once.
    [[nodiscard]] bool says_what_a_component_is(id word) const;
    /// Why the entity cannot lose all of the identifiers together; removed when it can. In the same change it
    /// gets others in place of what is replaced, and perhaps another name. Changes nothing.
    [[nodiscard]] add_result check_departures(entity e, std::span<const id> words,
                                              std::span<const id> replaced = {}, bool renamed = false) const;
    /// Whether the identifier, once added, needs one of the others.
    [[nodiscard]] bool needs_any(id word, std::span<const id> others) const;
    /// Whether one of the others has to come before the identifier, which needs it or would bring it along.
    [[nodiscard]] bool comes_after_any(id word, std::span<const id> others) const;
    /// The positions of the identifiers in an order in which nothing comes before what it needs or would
    /// bring along; empty when any order will do.
    [[nodiscard]] std::vector<std::size_t> order_of_coming(std::span<const id> words) const;

    /// Those of the components, and of their plain companions, whose traits have to be looked at when an
    /// entity is spawned with them.
    [[nodiscard]] std::vector<id> ids_with_required(std::span<const id> words) const;
    /// What comes with the components of a new entity, of itself or with one another, as far as it is no more
    /// than components of tables that have default values and cannot be refused.
    [[nodiscard]] std::vector<id> plain_companions(std::span<const id> words) const;
    /// Throws std::invalid_argument when one of the components can be added in a pair only.
    void require_whole(std::span<const id> words) const;
    /// Whether the entity may get the identifier, as far as that can be said before anything has changed;
    /// cycles, names and groups are not checked. Identifiers that leave go before.
    [[nodiscard]] add_result check_add(entity e, id word, const traits& own,
                                       const leaving_words& leaving = {}) const;
    /// Whether the groups of relations (one_of) allow the pair, to whose relation the traits belong.
    [[nodiscard]] add_result check_groups(entity e, id word, const traits& own) const;
    /// Whether the entity may get all of the identifiers in one change, with what comes along, while others
    /// leave. The name is the one that it is given, if it gets another. Changes nothing.
    [[nodiscard]] add_result check_arrivals(entity e, std::span<const id> words, std::span<const id> leaving,
                                            const name* given = nullptr) const;
    /// Whether the pair would close a cycle that its relation must not have. No pair points at an entity that
    /// is not referred to, so that no chain can lead back to it.
    [[nodiscard]] bool closes_cycle(entity e, id word) const;
    /// The entity with the same name among the children of the parent that the pair gives to the entity; null
    /// when there is none.
    [[nodiscard]] entity name_conflict(entity e, id word) const;
    /// Whether the entities, which are sorted, may have the identifier, when what leaves is gone.
    [[nodiscard]] add_result check_inherited(std::span<const entity> those, id word,
                                             const leaving_words& leaving = {}) const;
    /// The identifiers with rules that an instance of the entity inherits from it and from its bases.
    [[nodiscard]] std::vector<id> rules_for_instances(entity from) const;
    /// Whether the entity, and the entities that inherit from it, may have what there is to inherit from the
    /// base, when what leaves is gone.
    [[nodiscard]] add_result check_inheritance(entity instance, entity from,
                                               const leaving_words& leaving = {}) const;
    /// Whether the entity has something that the traits exclude.
    [[nodiscard]] bool is_excluded(entity e, const traits& own, const leaving_words& leaving = {}) const;
    /// Whether the target of the pair would lose another partner, or its one source, to the entity.
    [[nodiscard]] bool parts_others(entity e, id word) const;
    /// Whether the entity is the target of a relation that allows only children of this entity's parent as
    /// targets, when what leaves is gone.
    [[nodiscard]] bool is_kept_in_group(entity e, const leaving_words& leaving = {}) const;
    /// Whether the entity has to keep the identifier, and the entity at the other end its mirror image.
    [[nodiscard]] add_result check_keeping(entity e, id word, const leaving_words& leaving) const;
    /// Why the entity cannot lose an identifier that it has, others leaving with it; removed when it can.
    [[nodiscard]] add_result check_departure(entity e, id word, const leaving_words& leaving) const;
    /// Whether no entity may have both properties.
    [[nodiscard]] static bool contradict(id one, id other);
    /// Whether the entity may get a property, whose target is sound if it has one.
    [[nodiscard]] add_result check_property(entity relation, id property) const;
    /// Whether the property agrees with how the entity is used so far.
    [[nodiscard]] add_result check_traits(entity of, trait added, entity target) const;
    /// Whether the entities of the word may be where they are in it: alone, as relation, as target.
    [[nodiscard]] add_result check_places(id word) const;

  private:
    [[nodiscard]] bool is_plain_companion(entity component) const;
    [[nodiscard]] bool is_any_among(id word, std::span<const entity> asked, std::span<const id> others) const;
    [[nodiscard]] bool parts_with(entity e, entity what, const leaving_words& leaving) const;
    [[nodiscard]] bool is_excluded_below(entity e, id word, const traits& own) const;
    [[nodiscard]] bool may_lead_to(entity from, entity relation, std::span<const entity> those) const;
    [[nodiscard]] bool closes_cycle_below(entity e, id word) const;
    [[nodiscard]] bool is_needed_by_others(entity e, id word, const leaving_words& leaving) const;
    [[nodiscard]] add_result check_retraction(entity relation, id property,
                                              const leaving_words& leaving) const;

    const store& rows_;
    const lookup& reads_;
};

} // namespace ecs
