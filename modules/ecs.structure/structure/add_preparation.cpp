// SPDX-License-Identifier: MIT
// What has to come, or to go, before an entity gets an identifier with traits. First the constraints are
// asked, which changes nothing; then what has to go goes.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// Prepares an entity for an identifier with traits: what it needs comes before it, and what cannot stay
/// beside it goes.
class add_preparation {
  public:
    add_preparation(structure& in, entity e, id word, const traits& own)
        : in_(&in), e_(e), word_(word), own_(&own) {}

    /// Why the identifier may not come; added when it may.
    [[nodiscard]] add_result check() const {
        if (const add_result refusal = in_->checks().check_add(e_, word_, *own_); !succeeded(refusal))
            return refusal;
        if (const add_result refusal = in_->checks().check_groups(e_, word_, *own_); !succeeded(refusal))
            return refusal;
        if (word_.is_pair() && in_->checks().closes_cycle(e_, word_)) return add_result::would_make_a_cycle;
        if (word_.is_pair() && in_->checks().name_conflict(e_, word_)) return add_result::name_taken;
        return add_result::added;
    }

    /// Does what has to be done before the identifier comes; it may come.
    add_result make() {
        if (own_->any_of(trait::property))
            if (const add_result refusal = in_->prepare_to_declare(e_, word_); !succeeded(refusal))
                return refusal;
        if (own_->any_of(trait::with))
            if (const add_result refusal = in_->add_required(e_, word_, *own_); !succeeded(refusal))
                return refusal;
        part_with_partners();
        return own_->any_of(trait::single_source) ? displace_sources() : add_result::added;
    }

  private:
    /// An exclusive relation that is symmetric gives up its other pair on both sides.
    void part_with_partners() {
        if (!word_.is_pair() || !own_->any_of(trait::exclusive) || !own_->any_of(trait::symmetric)) return;
        if (in_->reads().is_stored(in_->rows().locate(e_), word_)) return;
        const entity relation = in_->rows().entities().at(word_.relation_index());
        for (const entity partner : in_->reads().sources_of(e_, relation))
            if (index_of(partner) != word_.target_index()) in_->remove(partner, pair(relation, e_));
        for (const id other : in_->reads().own_matches(e_, pair(relation, any)))
            std::ignore = in_->remove_stored(e_, other);
    }

    /// Takes the pair from the other entity that has it.
    add_result displace_sources() {
        for (const entity source : in_->reads().own_sources(word_))
            if (source != e_)
                if (const add_result refusal = in_->remove(source, word_); !succeeded(refusal))
                    return refusal;
        return add_result::added;
    }

    structure* in_;
    entity e_;
    id word_;
    const traits* own_;
};

} // namespace

/// Whether the identifier, which is sound, may be added to the entity; what has to be there before it is
/// there then. The same holds for the mirror image of a pair: no observer is told of a pair that cannot stay
/// without it. What comes along is asked for before the first of it comes.
add_result structure::prepare_add(entity e, id word) {
    const traits& own = rows_.traits_of(word);
    if (own.bits == 0) return add_result::added;
    if (own.any_of(trait::with))
        if (const add_result refusal = checks_.check_arrivals(e, {&word, 1}, {}); !succeeded(refusal))
            return refusal;
    add_preparation coming(*this, e, word, own);
    if (const add_result refusal = coming.check(); !succeeded(refusal)) return refusal;
    if (!word.is_pair() || !own.any_of(trait::symmetric)) return coming.make();
    const entity target = rows_.entities().at(word.target_index());
    const id image = pair(rows_.entities().at(word.relation_index()), e);
    if (image == word || reads_.is_stored(rows_.locate(target), image)) return coming.make();
    add_preparation image_coming(*this, target, image, own);
    if (const add_result refusal = image_coming.check(); !succeeded(refusal)) return refusal;
    if (const add_result refusal = coming.make(); !succeeded(refusal)) return refusal;
    return image_coming.make();
}

} // namespace ecs
