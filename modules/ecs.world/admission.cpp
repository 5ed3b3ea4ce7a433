// SPDX-License-Identifier: MIT
// Whether an entity may have an identifier, and what has to come or to go before. First the rules are asked,
// which changes nothing; then way is made.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

namespace {

/// Rules that only an entity can follow: a number or an object as target is refused.
constexpr std::uint32_t rules_for_entities =
    bits_of(rule::non_fragmenting, rule::symmetric, rule::one_of, rule::inheritance, rule::property);

/// Rules by which the target has to be there itself: it gets a pair, too, or is copied.
constexpr std::uint32_t rules_of_two = bits_of(rule::symmetric, rule::inheritance);

/// What can be said whatever else there is.
add_result check_form(entity e, id word, const rules& own) {
    if (word.is_entity() && (own.bits & relation_rules) != 0) return add_result::needs_target;
    if (word.is_entity() && own.any_of(rule::target_only)) return add_result::is_target_only;
    if (word.is_entity() && own.any_of(rule::singleton) && word.as_entity() != e)
        return add_result::is_singleton;
    if (word.has_relation() && !word.is_pair() && (own.bits & rules_for_entities) != 0)
        return add_result::target_not_allowed;
    if (word.is_link() && own.any_of(rule::single_source)) // The object would end with the first link to it.
        return add_result::target_not_allowed;
    return add_result::added;
}

} // namespace

/// An identifier with rules that an entity is to get, and what those who would be parted by it, or related,
/// have against it. Changes nothing.
class store::arrival {
  public:
    arrival(const store& in, entity e, id word, const rules& own)
        : in_(&in), e_(e), word_(word), own_(&own) {}

    /// Whether those that a new pair of an exclusive relation would replace may go.
    [[nodiscard]] add_result check_replacement() const {
        const entity partner = word_.is_pair() ? target() : entity{};
        const add_result refusal = check_others_of(e_, partner);
        const bool mirrored = partner && own_->any_of(rule::symmetric);
        return succeeded(refusal) && mirrored ? check_others_of(partner, e_) : refusal;
    }

    /// Whether whoever else has the pair may lose it.
    [[nodiscard]] add_result check_displacement() const {
        for (const entity source : in_->own_sources(word_))
            if (source != e_)
                if (const add_result refusal = in_->check_departure(source, word_, {}); !succeeded(refusal))
                    return refusal;
        return add_result::added;
    }

    /// Whether the entity may have the target, and with a symmetric relation the target the entity.
    [[nodiscard]] add_result check_target() const {
        const bool mirrored = own_->any_of(rule::symmetric);
        if (own_->any_of(rule::one_of))
            if (in_->parent_of(target()) != own_->group || (mirrored && in_->parent_of(e_) != own_->group))
                return add_result::target_not_allowed;
        if (mirrored)
            if (const add_result refusal = check_image(pair(relation(), e_)); !succeeded(refusal))
                return refusal;
        if (own_->any_of(rule::inheritance)) {
            if (in_->has(target(), final)) return add_result::is_final;
            if (in_->leads_to(e_, in_->localize(child_of).as_entity(), target()))
                return add_result::would_make_a_cycle;
            return in_->check_inheritance(e_, target());
        }
        const bool moves = word_.relation_index() == child_of.index() && target() != in_->parent_of(e_);
        return moves && in_->is_kept_in_group(e_) ? add_result::relation_in_use : add_result::added;
    }

  private:
    [[nodiscard]] entity relation() const { return in_->entities_->at(word_.relation_index()); }
    [[nodiscard]] entity target() const { return in_->entities_->at(word_.target_index()); }

    /// Whether the entity may lose its pairs of the relation, but for that with the one who stays.
    [[nodiscard]] add_result check_others_of(entity e, entity stays) const {
        for (const id other : in_->own_matches(e, pair(relation(), any)))
            if (!other.is_pair() || other.target_index() != index_of(stays))
                if (const add_result refusal = in_->check_keeping(e, other, {}); !succeeded(refusal))
                    return refusal;
        return add_result::added;
    }

    [[nodiscard]] add_result check_image(id image) const {
        return in_->has_default(image) ? in_->check_places(image) : add_result::not_constructible;
    }

    const store* in_;
    entity e_;
    id word_;
    const rules* own_;
};

/// Makes way for an identifier with rules: what has to be there before it comes, and what cannot stay goes.
class store::admission {
  public:
    admission(store& in, entity e, id word, const rules& own) : in_(&in), e_(e), word_(word), own_(&own) {}

    /// Why the identifier may not come; added when it may.
    add_result make() {
        if (const add_result refusal = in_->check_arrival(e_, word_, *own_); !succeeded(refusal))
            return refusal;
        if (word_.is_pair() && in_->closes_cycle(e_, word_)) return add_result::would_make_a_cycle;
        if (word_.is_pair() && in_->namesake(e_, word_)) return add_result::name_taken;
        if (own_->any_of(rule::property)) in_->prepare_to_declare(e_, word_);
        if (own_->any_of(rule::with))
            if (const add_result refusal = in_->add_companions(e_, word_, *own_); !succeeded(refusal))
                return refusal;
        part_with_partners();
        return own_->any_of(rule::single_source) ? displace_sources() : add_result::added;
    }

  private:
    /// An exclusive relation that is symmetric gives up its other pair on both sides.
    void part_with_partners() {
        if (!word_.is_pair() || !own_->any_of(rule::exclusive) || !own_->any_of(rule::symmetric)) return;
        if (in_->is_stored(in_->locate(e_), word_)) return;
        const entity relation = in_->entities_->at(word_.relation_index());
        for (const entity partner : in_->sources_of(e_, relation))
            if (index_of(partner) != word_.target_index()) in_->remove(partner, pair(relation, e_));
        for (const id other : in_->own_matches(e_, pair(relation, any)))
            std::ignore = in_->remove_stored(e_, other);
    }

    /// Takes the pair from whoever else has it.
    add_result displace_sources() {
        for (const entity source : in_->own_sources(word_))
            if (source != e_)
                if (const add_result refusal = in_->remove(source, word_); !succeeded(refusal))
                    return refusal;
        return add_result::added;
    }

    store* in_;
    entity e_;
    id word_;
    const rules* own_;
};

/// Whether the identifier, which is sound, may be added to the entity; what has to be there before it is
/// there then. The same holds for the mirror image of a pair: nobody is told of a pair that cannot stay
/// without it.
add_result store::admit(entity e, id word) {
    const rules& own = rules_of(word);
    if (own.bits == 0) return add_result::added;
    const add_result result = admission(*this, e, word, own).make();
    if (!succeeded(result) || !word.is_pair() || !own.any_of(rule::symmetric)) return result;
    const entity target = entities_->at(word.target_index());
    const id image = pair(entities_->at(word.relation_index()), e);
    return image == word || is_stored(locate(target), image) ? add_result::added
                                                             : admission(*this, target, image, own).make();
}

/// Whether it may, as far as that can be said before anything has changed, and without cycles and names.
add_result store::check_arrival(entity e, id word, const rules& own) const {
    if (const add_result refusal = check_form(e, word, own); !succeeded(refusal)) return refusal;
    if (own.any_of(rule::property))
        if (const add_result refusal = check_property(e, word); !succeeded(refusal)) return refusal;
    if (own.any_of(rule::excludes) && (is_excluded(e, own) || is_excluded_below(e, word, own)))
        return add_result::excluded;
    if (word.is_pair() && (own.bits & rules_of_two) != 0 && !locate(entities_->at(word.target_index())))
        return add_result::not_alive_id; // Its components come with the next flush.
    const arrival coming(*this, e, word, own);
    if (own.any_of(rule::exclusive) && (own.bits & rules_of_keeping) != 0)
        if (const add_result refusal = coming.check_replacement(); !succeeded(refusal)) return refusal;
    if (own.any_of(rule::single_source))
        if (const add_result refusal = coming.check_displacement(); !succeeded(refusal)) return refusal;
    return word.is_pair() ? coming.check_target() : add_result::added;
}

/// Whether the pair would close a cycle that its relation must not have. Nobody points at an entity that is
/// not referred to, so that no chain can lead back to it.
bool store::closes_cycle(entity e, id word) const {
    const rules& own = rules_of(word);
    if (!own.any_of(rule::acyclic)) return false;
    const entity target = entities_->at(word.target_index());
    if (e == target || !entities_->is_referred(e)) return e == target;
    return own.any_of(rule::inheritable) ? closes_cycle_below(e, word)
                                         : leads_to(target, entities_->at(word.relation_index()), e);
}

/// Who has the entity's name among those whose parent the pair would make its own; null when nobody has.
entity store::namesake(entity e, id word) const {
    if (word.relation_index() != child_of.index() || !locate(e).block->owner->named) return {};
    const entity holder = find_name(entities_->at(word.target_index()), name_of(e));
    return holder != e ? holder : entity{};
}

} // namespace ecs
