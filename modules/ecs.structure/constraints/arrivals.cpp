// SPDX-License-Identifier: MIT
// Checks several identifiers that an entity is to get together, with all that comes along. The check is made
// before the first of them is added, so that none is added where one of them may not be.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// The identifiers of one change: those that are asked for, what comes along with them, and what the targets
/// of symmetric relations get in return.
class arrival_check {
  public:
    arrival_check(const constraints& in, entity e, std::span<const id> leaving)
        : in_(&in), e_(e), leaving_(leaving) {}

    [[nodiscard]] add_result check(std::span<const id> words) {
        for (const id word : words)
            if (!stays(e_, word)) coming_.push_back({e_, word});
        const std::size_t asked_for = coming_.size();
        for (std::size_t next = 0; next < coming_.size(); ++next)
            if (const add_result refusal = check(arrival(coming_[next]), next >= asked_for);
                !succeeded(refusal))
                return refusal;
        return check_together();
    }

  private:
    struct arrival {
        entity to;
        id word;
        bool operator==(const arrival&) const = default;
    };

    [[nodiscard]] std::span<const id> leaving(entity e) const {
        return e == e_ ? leaving_ : std::span<const id>();
    }
    [[nodiscard]] bool stays(entity e, id word) const {
        return in_->reads().owns(e, word) && std::ranges::find(leaving(e), word) == leaving(e).end();
    }
    [[nodiscard]] entity target_of(id word) const { return in_->rows().entities().at(word.target_index()); }
    /// The mirror image of a pair with a symmetric relation: the target gets a pair that leads to the entity.
    [[nodiscard]] arrival image_of(const arrival& one) const {
        return {target_of(one.word), pair(in_->rows().entities().at(one.word.relation_index()), one.to)};
    }

    [[nodiscard]] add_result check(const arrival& one, bool is_companion) {
        const traits& own = in_->rows().traits_of(one.word);
        const bool is_later_link = is_companion && object_table::concerns(one.word); // It is not known yet.
        if (is_companion && !is_later_link && !has_beginning(one)) return add_result::not_constructible;
        if (own.bits == 0) return add_result::added;
        if (!is_later_link)
            if (const add_result refusal = in_->check_addable(one.word); !succeeded(refusal)) return refusal;
        if (const add_result refusal = in_->check_add(one.to, one.word, own, leaving(one.to));
            !succeeded(refusal))
            return refusal;
        if (one.word.is_pair() && closes_cycle(one, own)) return add_result::would_make_a_cycle;
        if (one.word.is_pair() && in_->name_conflict(one.to, one.word)) return add_result::name_taken;
        const auto is_conflict = [&](const arrival& other) {
            return other.to == one.to && excludes(own, other.word);
        };
        if (std::ranges::any_of(coming_, is_conflict)) return add_result::excluded;
        for (const entity companion : own.with) bring(one, companion, own);
        if (one.word.is_pair() && own.any_of(trait::symmetric)) answer(image_of(one));
        return add_result::added;
    }

    /// An identifier that is allowed beside what the entity has may still be forbidden by another one of the
    /// same change.
    [[nodiscard]] add_result check_together() const {
        for (const arrival& one : coming_)
            if (in_->rows().traits_of(one.word).any_of(trait::property))
                if (const add_result refusal = check_declaration(one); !succeeded(refusal)) return refusal;
        if (std::ranges::any_of(coming_, [&](const arrival& one) { return replaces_what_is_needed(one); }))
            return add_result::needed;
        return inherits_what_is_excluded() || gets_what_is_excluded() ? add_result::excluded
                                                                      : add_result::added;
    }

    /// Whether something that comes behind a base excludes what the base gives its instances for their own.
    [[nodiscard]] bool gets_what_is_excluded() const {
        for (std::size_t n = 0; n != coming_.size(); ++n) {
            const arrival& one = coming_[n];
            if (one.to != e_ || !in_->rows().traits_of(one.word).any_of(trait::inheritance)) continue;
            for (const id given : given_by(target_of(one.word)))
                if (std::ranges::any_of(std::span(coming_).subspan(n + 1), [&](const arrival& other) {
                        return other.to == e_ && excludes(in_->rows().traits_of(given), other.word);
                    }))
                    return true;
        }
        return false;
    }

    /// What instances get for their own: what is under the flag of automatic override, and pairs between
    /// parts.
    [[nodiscard]] std::vector<id> given_by(entity base) const {
        std::vector<id> given;
        const entity part = in_->rows().resolve(child_of).as_entity();
        for (const id word : in_->reads().words_of(base))
            if (word.is_pair() && in_->reads().leads_to(target_of(word), part, base)) given.push_back(word);
        for (const entity giver : in_->reads().lineage_of(base))
            for (const id word : in_->rows().locate(giver).block->owner->type())
                if (has_flag(flags_of(word), type_flags::auto_override)) given.push_back(without_flags(word));
        return given;
    }

    /// Whether another target of an exclusive relation comes beside the one that something else needs.
    [[nodiscard]] bool replaces_what_is_needed(const arrival& one) const {
        const traits& own = in_->rows().traits_of(one.word);
        if (!one.word.has_relation() || !own.any_of(trait::exclusive) || !own.any_of(trait::needed))
            return false;
        const auto is_other_target = [&](const arrival& other) {
            return other.to == one.to && other.word.has_relation() && other.word != one.word &&
                   other.word.relation_index() == one.word.relation_index();
        };
        const auto needs_it = [&](const arrival& other) {
            return other.to == one.to && in_->needs_any(other.word, {&one.word, 1});
        };
        return std::ranges::any_of(coming_, is_other_target) && std::ranges::any_of(coming_, needs_it);
    }

    /// A property is declared before the first use of the entity, and with none that contradicts it.
    [[nodiscard]] add_result check_declaration(const arrival& declared) const {
        const auto uses = [&](id word) {
            return !in_->rows().traits_of(word).any_of(trait::property) && names(word, declared.to);
        };
        for (const arrival& other : coming_) {
            if (other.to != declared.to) continue;
            if (uses(other.word)) return add_result::relation_in_use;
            if (in_->rows().traits_of(other.word).any_of(trait::property) &&
                constraints::contradict(declared.word, other.word))
                return add_result::contradiction;
        }
        return std::ranges::any_of(leaving(declared.to), uses) ? add_result::relation_in_use
                                                               : add_result::added;
    }

    [[nodiscard]] static bool names(id word, entity e) {
        return word.is_entity() ? word.as_entity() == e
                                : word.target_index() == index_of(e) ||
                                      (word.has_relation() && word.relation_index() == index_of(e));
    }

    /// Whether something that comes, or that a base which comes hands down, excludes what such a base hands
    /// down.
    [[nodiscard]] bool inherits_what_is_excluded() const {
        std::vector<id> inherited;
        for (const arrival& one : coming_)
            if (one.to == e_ && in_->rows().traits_of(one.word).any_of(trait::inheritance))
                std::ranges::copy(in_->rules_for_instances(target_of(one.word)),
                                  std::back_inserter(inherited));
        return std::ranges::any_of(inherited, [&](id word) {
            const traits& own = in_->rows().traits_of(word);
            const auto is_conflict = [&](id other) { return excludes(own, other); };
            return own.any_of(trait::excludes) && (std::ranges::any_of(inherited, is_conflict) ||
                                                   std::ranges::any_of(coming_, [&](const arrival& other) {
                                                       return other.to == e_ && is_conflict(other.word);
                                                   }));
        });
    }

    [[nodiscard]] bool closes_cycle(const arrival& one, const traits& own) const {
        return in_->closes_cycle(one.to, one.word) ||
               (own.any_of(trait::acyclic) && std::ranges::find(coming_, image_of(one)) != coming_.end());
    }

    [[nodiscard]] bool has_beginning(const arrival& one) const {
        return in_->rows().sparse_of(one.word)
                   ? in_->reads().has_default(one.word)
                   : in_->reads().has_beginning(in_->rows().locate(one.to), one.word);
    }

    /// The same as constraints::is_excluded, for an identifier that comes in the same change.
    [[nodiscard]] static bool excludes(const traits& own, id other) {
        return std::ranges::any_of(own.conflicts, [&](entity conflict) {
            return other == id(conflict) ||
                   (other.has_relation() && other.relation_index() == index_of(conflict));
        });
    }

    /// As structure::add_required.
    void bring(const arrival& with, entity companion, const traits& own) {
        const id other = in_->reads().with_same_target(with.word, companion);
        const bool is_needed = std::ranges::find(own.needs, companion) != own.needs.end();
        const bool is_there = is_needed ? stays(with.to, other) : in_->reads().has(with.to, other);
        if (!is_there) come({with.to, other});
    }
    void answer(const arrival& image) {
        if (!stays(image.to, image.word)) come(image);
    }
    void come(const arrival& one) {
        if (std::ranges::find(coming_, one) == coming_.end()) coming_.push_back(one);
    }

    const constraints* in_;
    entity e_;
    std::span<const id> leaving_;
    std::vector<arrival> coming_; ///< The identifiers that were asked for come first.
};

} // namespace

add_result constraints::check_arrivals(entity e, std::span<const id> words,
                                       std::span<const id> leaving) const {
    const auto has_traits = [&](id word) { return rows_.traits_of(word).bits != 0; };
    if (!std::ranges::any_of(words, has_traits)) return add_result::added;
    return arrival_check(*this, e, leaving).check(words);
}

} // namespace ecs
