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
    arrival_check(const constraints& in, entity e, std::span<const id> leaving, const name* given)
        : in_(&in), e_(e), leaving_(in.rows(), e, leaving, given != nullptr), given_(given) {}

    [[nodiscard]] add_result check(std::span<const id> words) {
        for (const id word : words)
            if (!stays(e_, word)) coming_.push_back({e_, word});
        asked_for_ = coming_.size();
        for (std::size_t next = 0; next < coming_.size(); ++next)
            if (const add_result refusal = check(arrival(coming_[next]), next >= asked_for_);
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

    [[nodiscard]] bool stays(entity e, id word) const {
        return in_->reads().owns(e, word) && !leaving_.has(e, word);
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
        if (const add_result refusal = in_->check_add(one.to, one.word, own, leaving_); !succeeded(refusal))
            return refusal;
        if (one.word.is_pair() && closes_cycle(one, own)) return add_result::would_make_a_cycle;
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
        for (const arrival& one : coming_)
            if (const add_result refusal = check_place(one); !succeeded(refusal)) return refusal;
        if (takes_a_name()) return add_result::name_taken;
        if (is_part_before_instance()) return add_result::would_make_a_cycle;
        if (std::ranges::any_of(coming_, [&](const arrival& one) { return replaces_what_is_needed(one); }))
            return add_result::needed;
        if (std::ranges::any_of(coming_, [&](const arrival& one) { return replaces_what_is_permanent(one); }))
            return add_result::is_permanent;
        return inherits_what_is_excluded() || gets_what_is_excluded() ? add_result::excluded
                                                                      : add_result::added;
    }

    /// As constraints::check_groups, with the parents that entities have afterwards.
    [[nodiscard]] add_result check_place(const arrival& one) const {
        if (!one.word.is_pair()) return add_result::added;
        const traits& own = in_->rows().traits_of(one.word);
        const bool mirrored = own.any_of(trait::symmetric);
        if (own.any_of(trait::one_of))
            if (parent_of(target_of(one.word)) != own.group || (mirrored && parent_of(one.to) != own.group))
                return add_result::target_not_allowed;
        const bool moves = gives_parent(one.word) && target_of(one.word) != in_->rows().parent_of(one.to);
        return moves && in_->is_kept_in_group(one.to, leaving_) ? add_result::relation_in_use
                                                                : add_result::added;
    }

    [[nodiscard]] static bool gives_parent(id word) {
        return word.is_pair() && word.relation_index() == child_of.index();
    }
    /// The parent that the entity has afterwards.
    [[nodiscard]] entity parent_of(entity e) const {
        entity parent = in_->rows().parent_of(e);
        if (parent && leaving_.has(e, pair(child_of, parent))) parent = entity{};
        for (const arrival& one : coming_)
            if (one.to == e && gives_parent(one.word)) parent = target_of(one.word);
        return parent;
    }

    /// The name that the entity has afterwards.
    [[nodiscard]] std::string_view name_of(entity e) const {
        if (!leaving_.changes_name(e)) return in_->rows().name_of(e);
        return given_ ? std::string_view(given_->text()) : std::string_view();
    }
    /// Whether another entity has the name.
    [[nodiscard]] bool is_taken(entity e, entity scope, std::string_view text) const {
        const entity holder = text.empty() ? entity{} : in_->rows().find_name(scope, text);
        return holder && holder != e;
    }
    /// Whether another entity has the name where the entity is afterwards. A new name comes before a new
    /// parent or after it, so that one of the two ways has to be open.
    [[nodiscard]] bool takes_a_name() const {
        const auto is_taken_there = [&](const arrival& one) {
            return gives_parent(one.word) && is_taken(one.to, target_of(one.word), name_of(one.to));
        };
        if (std::ranges::any_of(coming_, is_taken_there)) return true;
        if (!given_) return false;
        const entity here = in_->rows().parent_of(e_), there = parent_of(e_);
        return is_taken(e_, there, given_->text()) || (here != there && is_taken(e_, here, given_->text()) &&
                                                       is_taken(e_, there, in_->rows().name_of(e_)));
    }

    /// Whether an entity would become a part of its base before it is an instance: an instance may become a
    /// part of its base, but a part does not become an instance of its whole.
    [[nodiscard]] bool is_part_before_instance() const {
        const auto is_base = [&](const arrival& one) {
            return in_->rows().traits_of(one.word).any_of(trait::inheritance);
        };
        if (!std::ranges::any_of(coming_, is_base)) return false;
        const std::vector<arrival> order = order_of_making();
        for (std::size_t n = 0; n != order.size(); ++n) {
            if (!is_base(order[n])) continue;
            const entity whole = target_of(order[n].word);
            if (std::ranges::any_of(std::span(order).first(n), [&](const arrival& earlier) {
                    return earlier.to == order[n].to && gives_parent(earlier.word) &&
                           is_within(target_of(earlier.word), whole);
                }))
                return true;
        }
        return false;
    }
    [[nodiscard]] bool is_within(entity part, entity whole) const {
        return part == whole || in_->reads().leads_to(part, in_->rows().resolve(child_of).as_entity(), whole);
    }

    /// What is asked for, each with what comes along before it.
    [[nodiscard]] std::vector<arrival> order_of_making() const {
        const std::span asked = std::span(coming_).first(asked_for_);
        std::vector<id> words;
        for (const arrival& one : asked) words.push_back(one.word);
        std::vector<arrival> order;
        for (const bool waits : {false, true})
            for (const arrival& one : asked)
                if (in_->comes_after_any(one.word, words) == waits) note_order(one, order);
        return order;
    }
    void note_order(const arrival& one, std::vector<arrival>& order) const {
        const bool comes = std::ranges::find(coming_, one) != coming_.end();
        if (!comes || std::ranges::find(order, one) != order.end()) return;
        for (const entity companion : in_->rows().traits_of(one.word).with)
            note_order({one.to, in_->reads().with_same_target(one.word, companion)}, order);
        order.push_back(one);
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

    /// Whether another target of the exclusive relation comes to the same entity.
    [[nodiscard]] bool has_rival(const arrival& one) const {
        if (!one.word.has_relation() || !in_->rows().traits_of(one.word).any_of(trait::exclusive))
            return false;
        return std::ranges::any_of(coming_, [&](const arrival& other) {
            return other.to == one.to && other.word.has_relation() && other.word != one.word &&
                   other.word.relation_index() == one.word.relation_index();
        });
    }
    /// Whether another target of an exclusive relation comes beside the one that something else needs.
    [[nodiscard]] bool replaces_what_is_needed(const arrival& one) const {
        const auto needs_it = [&](const arrival& other) {
            return other.to == one.to && in_->needs_any(other.word, {&one.word, 1});
        };
        return in_->rows().traits_of(one.word).any_of(trait::needed) && has_rival(one) &&
               std::ranges::any_of(coming_, needs_it);
    }
    [[nodiscard]] bool replaces_what_is_permanent(const arrival& one) const {
        return in_->rows().traits_of(one.word).any_of(trait::permanent) && has_rival(one);
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
        return std::ranges::any_of(leaving_.words_of(declared.to), uses) ? add_result::relation_in_use
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
    leaving_words leaving_;
    const name* given_; ///< Null when the entity gets no other name.
    std::size_t asked_for_{};
    std::vector<arrival> coming_; ///< The identifiers that were asked for come first.
};

} // namespace

add_result constraints::check_arrivals(entity e, std::span<const id> words, std::span<const id> leaving,
                                       const name* given) const {
    const auto has_traits = [&](id word) { return rows_.traits_of(word).bits != 0; };
    if (!std::ranges::any_of(words, has_traits)) return add_result::added;
    return arrival_check(*this, e, leaving, given).check(words);
}

} // namespace ecs
