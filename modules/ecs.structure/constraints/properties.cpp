// SPDX-License-Identifier: MIT
// Properties are components of the relation; the trait index is their digest. A property that would have to
// hold for pairs that exist already is refused, and so is one that contradicts another.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// Two sets of traits: no trait of the one goes with any trait of the other.
struct contradiction {
    std::uint32_t one;
    std::uint32_t other;
};

constexpr contradiction contradictions[]{
    {bits_of(trait::symmetric), bits_of(trait::acyclic)}, // A pair and its mirror image are a cycle of two.
    {bits_of(trait::reflexive), bits_of(trait::acyclic)}, // An entity related to itself is a cycle of one.
    {bits_of(trait::inheritable, trait::auto_overridden), bits_of(trait::not_inheritable)},
    {bits_of(trait::target_only), relation_traits},
    {bits_of(trait::singleton), traits_of_parts}, // Its own entity has it by itself.
    // A mirror image makes a source of every target, and an instance is a source beside its base.
    {bits_of(trait::single_source), bits_of(trait::symmetric, trait::inheritable, trait::auto_overridden)},
};

constexpr bool contradicts(std::uint32_t bits, trait added) {
    const bool is_of_kinds = (bits & bits_of(trait::inheritance)) != 0;
    return std::ranges::any_of(contradictions, [&](const contradiction& c) {
        if (is_of_kinds && c.one == bits_of(trait::reflexive))
            return false; // A pair of an entity with itself is stored nowhere.
        return ((bits_of(added) & c.one) != 0 && (bits & c.other) != 0) ||
               ((bits_of(added) & c.other) != 0 && (bits & c.one) != 0);
    });
}

/// Properties that say which pairs there may be, so that pairs must not be there before them.
constexpr std::uint32_t traits_of_pairs =
    bits_of(trait::exclusive, trait::symmetric, trait::acyclic, trait::non_fragmenting, trait::one_of,
            trait::tag_only, trait::ordered, trait::single_source);

/// Whether the values that the relation has as a component forbid the property.
bool contradicts_values(const component_info& values, trait added) {
    return (added == trait::tag_only && values.size != 0) ||
           (added == trait::non_fragmenting && values.kept_in != storage::table);
}

/// Whether the library gave the property to a relation of its own.
bool is_trait(entity relation, trait property) {
    return std::ranges::any_of(builtin_traits, [&](const builtin_trait& law) {
        return law.relation.index() == index_of(relation) && trait_of(law.property.index()) == property;
    });
}

bool is_among(const std::vector<entity>& all, entity e) { return std::ranges::find(all, e) != all.end(); }

/// How an entity is used so far, as a component, a relation and a target: a property that it gets has to
/// agree with that. Changes nothing.
class trait_check {
  public:
    trait_check(const constraints& in, entity of) : in_(&in), of_(of) {}

    /// Whether there is something that the property would forbid.
    [[nodiscard]] bool breaks(trait added) const {
        switch (added) {
        case trait::final: return in_->rows().is_had(pair(in_->rows().resolve(is_a), of_));
        case trait::relation_only: return is_had_alone() || is_targeted();
        case trait::singleton: return is_had_elsewhere();
        case trait::target_only: return is_had_alone() || has_pairs();
        case trait::inheritable: return instances_break_pairs();
        default:
            return ((bits_of(added) & traits_of_pairs) != 0 && has_pairs()) ||
                   ((bits_of(added) & relation_traits) != 0 && is_had_alone());
        }
    }

    /// Nothing excludes itself, and two things that an entity has together do not exclude each other.
    [[nodiscard]] add_result check_exclusion(entity other) const {
        const auto brings = [&](entity one, entity another) {
            return is_among(in_->rows().traits_of(one).with, another) ||
                   is_among(in_->rows().traits_of(one).needs, another);
        };
        if (of_ == other || brings(of_, other) || brings(other, of_)) return add_result::contradiction;
        if (!is_carried(of_) || !is_carried(other)) return add_result::added;
        for (const auto& t : in_->rows().tables())
            for (chunk* const rows : in_->rows().chunks_of(*t))
                for (const entity e : std::span(rows->entities(), rows->count))
                    if (in_->reads().carries(e, of_) && in_->reads().carries(e, other))
                        return add_result::relation_in_use;
        return add_result::added;
    }

    /// Whether the checks forbid what instances would inherit if the entity were inherited.
    [[nodiscard]] bool instances_break_it() const {
        const component_record* const alone = in_->rows().records().find(of_);
        return alone && instances_break(*alone);
    }

    /// A component needs nothing that comes with it or that it excludes, and every entity that has the
    /// component has what it needs already.
    [[nodiscard]] add_result check_need(entity needed) const {
        if (in_->reads().leads_to(needed, in_->rows().resolve(with).as_entity(), of_))
            return add_result::would_make_a_cycle;
        if (is_among(in_->rows().traits_of(of_).conflicts, needed)) return add_result::contradiction;
        const auto lacks_it = [&](const component_record* record) { // Under flags nobody has what is flagged.
            return record && !record->word.is_flagged() && is_had_without(*record, needed);
        };
        const bool is_lacking =
            lacks_it(in_->rows().records().find(of_)) ||
            std::ranges::any_of(in_->rows().records().of_relation(index_of(of_)), lacks_it);
        return is_lacking ? add_result::relation_in_use : add_result::added;
    }

    /// Whether an entity has a pair of the relation.
    [[nodiscard]] bool has_pairs() const {
        return std::ranges::any_of(in_->rows().records().of_relation(index_of(of_)),
                                   [](const component_record* record) { return record->rows() != 0; });
    }

  private:
    /// Whether the checks forbid what instances would inherit if the pairs of the relation were inherited.
    [[nodiscard]] bool instances_break_pairs() const {
        return std::ranges::any_of(in_->rows().records().of_relation(index_of(of_)),
                                   [&](const component_record* record) { return instances_break(*record); });
    }

    /// Whether an instance of an entity that has the identifier must not have it.
    [[nodiscard]] bool instances_break(const component_record& record) const {
        if (!in_->rows().has_bases() || record.word.is_flagged())
            return false; // Nothing is inherited under flags.
        return std::ranges::any_of(in_->rows().holders_of(record), [&](entity giver) {
            const id word = word_of(record, giver);
            return in_->rows().locate(giver).block->owner->inherited && in_->reads().owns(giver, word) &&
                   !in_->reads().stays_within(giver, word) &&
                   !succeeded(in_->check_inherited(in_->reads().instances_of(giver), word));
        });
    }

    /// The identifier that the owner has by the record: a pair, where the target is in a column.
    [[nodiscard]] id word_of(const component_record& record, entity owner) const {
        return record.word.is_wildcard()
                   ? pair(of_, store::linked_target(in_->rows().locate(owner), record.word))
                   : record.word;
    }

    /// Whether an entity has the component by itself, or under a flag, and not only in a pair.
    [[nodiscard]] bool is_had_alone() const {
        return in_->reads().is_had_without_target(of_) ||
               std::ranges::any_of(
                   in_->rows().records().of_target(index_of(of_)), [](const component_record* record) {
                       return record->word.kind() == id_kind::flagged_entity && record->rows() != 0;
                   });
    }

    /// Whether an entity other than the component itself has the component.
    [[nodiscard]] bool is_had_elsewhere() const {
        const component_record* const record = in_->rows().records().find(of_);
        if (!record) return false;
        const std::size_t all = record->rows() + (record->sparse ? record->sparse->size() : 0);
        return all > std::size_t{in_->reads().owns(of_, of_)};
    }

    /// Whether an entity has this one as the target of a relation that is no property.
    [[nodiscard]] bool is_targeted() const {
        bool found = std::ranges::any_of(
            in_->rows().records().of_target(index_of(of_)), [](const component_record* record) {
                const std::uint32_t relation = parts_of(record->word).relation;
                return relation != 0 && !is_property(relation) && record->rows() != 0;
            });
        in_->rows().lists().for_each([&](std::uint32_t relation, const auto&) {
            found |= !in_->rows().list_of(of_, relation).empty();
        });
        return found;
    }

    /// Whether an entity has the component by itself or in a pair.
    [[nodiscard]] bool is_carried(entity what) const {
        const sparse_set* const sparse = in_->rows().sparse_of(what);
        return (sparse && sparse->size() != 0) || in_->rows().is_had(what) ||
               trait_check(*in_, what).has_pairs();
    }

    [[nodiscard]] bool is_had_without(const component_record& record, entity needed) const {
        return std::ranges::any_of(in_->rows().holders_of(record), [&](entity owner) {
            const id word = word_of(record, owner);
            return in_->reads().owns(owner, word) &&
                   !in_->reads().owns(owner, in_->reads().with_same_target(word, needed));
        });
    }

    const constraints* in_;
    entity of_;
};

} // namespace

bool constraints::contradict(id one, id other) {
    const trait one_trait = trait_of_property(one), other_trait = trait_of_property(other);
    if (contradicts(bits_of(one_trait), other_trait)) return true;
    const auto excludes_what_comes = [](trait keeps_away, trait brings) {
        return keeps_away == trait::excludes && (brings == trait::with || brings == trait::needs);
    };
    return one.is_pair() && other.is_pair() && one.target_index() == other.target_index() &&
           (excludes_what_comes(one_trait, other_trait) || excludes_what_comes(other_trait, one_trait));
}

add_result constraints::check_property(entity relation, id property) const {
    const trait added = trait_of_property(property);
    if (takes_target(added) != property.is_pair())
        return takes_target(added) ? add_result::needs_target : add_result::target_not_allowed;
    const std::uint32_t target = property.is_pair() ? property.target_index() : 0;
    if (takes_policy(added) && (target < remove_it.index() || target > refuse_it.index()))
        return add_result::target_not_allowed;
    if (contradicts(rows_.all_traits().of(index_of(relation)).bits, added) ||
        contradicts_values(rows_.info_of_id(relation), added))
        return add_result::contradiction;
    return check_traits(relation, added, property.is_pair() ? rows_.entities().at(target) : entity{});
}

add_result constraints::check_traits(entity of, trait added, entity target) const {
    const trait_check so_far(*this, of);
    switch (added) {
    case trait::with:
        return is_among(rows_.traits_of(of).conflicts, target) ? add_result::contradiction
                                                               : add_result::added;
    case trait::excludes: return so_far.check_exclusion(target);
    case trait::needs: return so_far.check_need(target);
    default: return so_far.breaks(added) ? add_result::relation_in_use : add_result::added;
    }
}

/// Why a property cannot be taken back; added when it can. What needs brings along may go with it.
add_result constraints::check_retraction(entity relation, id property, const leaving_words& leaving) const {
    const trait removed = trait_of_property(property);
    if (is_trait(relation, removed)) return add_result::is_built_in;
    const bool implied =
        removed == trait::exclusive && rows_.traits_of(relation).any_of(trait::non_fragmenting);
    if (implied) return add_result::contradiction;
    if (removed == trait::with) {
        const entity target = rows_.entities().at(property.target_index());
        const bool is_needed = is_among(rows_.traits_of(relation).needs, target) &&
                               !leaving.has(relation, pair(rows_.resolve(needs), target));
        return is_needed ? add_result::contradiction : add_result::added;
    }
    const trait_check so_far(*this, relation);
    constexpr auto shapes_rows = bits_of(trait::non_fragmenting, trait::tag_only);
    const bool is_kept = ((bits_of(removed) & shapes_rows) != 0 && so_far.has_pairs()) ||
                         (removed == trait::not_inheritable && so_far.instances_break_it());
    return is_kept ? add_result::relation_in_use : add_result::added;
}

} // namespace ecs
