// SPDX-License-Identifier: MIT
// What the traits say to an identifier that an entity is to get, and to one that it is to lose. Whether the
// identifier is sound at all is asked in records.cpp, what instances would have in instance_traits.cpp, and
// what a new property would break in properties.cpp.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// Traits for which an entity that is spawned with a component is looked at.
constexpr std::uint32_t traits_of_coming =
    bits_of(trait::with, trait::excludes, trait::singleton) | traits_of_parts;

/// Traits by which the target has to be there itself: it gets a pair, too, or is copied.
constexpr std::uint32_t traits_of_two = bits_of(trait::symmetric, trait::inheritance);

/// Checks what can be decided whatever else there is.
add_result check_form(entity e, id word, const traits& own) {
    if (word.is_entity() && (own.bits & relation_traits) != 0) return add_result::needs_target;
    if (word.is_entity() && own.any_of(trait::target_only)) return add_result::is_target_only;
    if (word.is_entity() && own.any_of(trait::singleton) && word.as_entity() != e)
        return add_result::is_singleton;
    if (word.has_relation() && !word.is_pair() && (own.bits & traits_for_entities) != 0)
        return add_result::target_not_allowed;
    if (word.is_link() && own.any_of(trait::single_source)) // The object would end with the first link to it.
        return add_result::target_not_allowed;
    return add_result::added;
}

/// Checks an identifier with traits that an entity is to get. Asks also the entities that would lose a
/// partner by it, or get its mirror image. Changes nothing.
class add_check {
  public:
    add_check(const constraints& in, entity e, id word, const traits& own, const leaving_words& leaving)
        : in_(&in), e_(e), word_(word), own_(&own), leaving_(&leaving) {}

    /// Whether the pairs that a new pair of an exclusive relation would replace may go.
    [[nodiscard]] add_result check_replacement() const {
        const entity partner = word_.is_pair() ? target() : entity{};
        const add_result refusal = check_others_of(e_, partner);
        const bool mirrored = partner && own_->any_of(trait::symmetric);
        return succeeded(refusal) && mirrored ? check_others_of(partner, e_) : refusal;
    }

    /// Whether every other entity that has the pair may lose it.
    [[nodiscard]] add_result check_displacement() const {
        for (const entity source : in_->reads().own_sources(word_))
            if (source != e_)
                if (const add_result refusal = in_->check_departure(source, word_, {}); !succeeded(refusal))
                    return refusal;
        return add_result::added;
    }

    /// Whether the entity may have the target, and with a symmetric relation the target the entity.
    [[nodiscard]] add_result check_target() const {
        if (own_->any_of(trait::symmetric))
            if (const add_result refusal = check_image(pair(relation(), e_)); !succeeded(refusal))
                return refusal;
        if (!own_->any_of(trait::inheritance)) return add_result::added;
        if (in_->reads().has(target(), final)) return add_result::is_final;
        if (in_->reads().leads_to(e_, in_->rows().resolve(child_of).as_entity(), target()))
            return add_result::would_make_a_cycle;
        return in_->check_inheritance(e_, target(), *leaving_);
    }

  private:
    [[nodiscard]] entity relation() const { return in_->rows().entities().at(word_.relation_index()); }
    [[nodiscard]] entity target() const { return in_->rows().entities().at(word_.target_index()); }

    /// Whether the entity may lose its pairs of the relation, except the pair with the partner that stays.
    [[nodiscard]] add_result check_others_of(entity e, entity stays) const {
        for (const id other : in_->reads().own_matches(e, pair(relation(), any)))
            if (!other.is_pair() || other.target_index() != index_of(stays))
                if (const add_result refusal = in_->check_keeping(e, other, *leaving_); !succeeded(refusal))
                    return refusal;
        return add_result::added;
    }

    [[nodiscard]] add_result check_image(id image) const {
        return in_->reads().has_default(image) ? in_->check_places(image) : add_result::not_constructible;
    }

    const constraints* in_;
    entity e_;
    id word_;
    const traits* own_;
    const leaving_words* leaving_;
};

} // namespace

bool leaving_words::has(entity e, id word) const {
    const auto is_named = [&](id one) { return std::ranges::find(words_, one) != words_.end(); };
    if (words_.empty() || e == loser_) return is_named(word);
    if (word.kind() != id_kind::pair || !rows_->traits_of(word).any_of(trait::symmetric)) return false;
    const entity_index& known = rows_->entities();
    return known.at(word.target_index()) == loser_ && is_named(pair(known.at(word.relation_index()), e));
}

add_result constraints::check_add(entity e, id word, const traits& own, const leaving_words& leaving) const {
    if (const add_result refusal = check_form(e, word, own); !succeeded(refusal)) return refusal;
    if (own.any_of(trait::property))
        if (const add_result refusal = check_property(e, word); !succeeded(refusal)) return refusal;
    if (own.any_of(trait::excludes) && (is_excluded(e, own, leaving) || is_excluded_below(e, word, own)))
        return add_result::excluded;
    if (word.is_pair() && (own.bits & traits_of_two) != 0 &&
        !rows_.locate(rows_.entities().at(word.target_index())))
        return add_result::not_alive_id; // Its components come with the next flush.
    const add_check coming(*this, e, word, own, leaving);
    if (own.any_of(trait::exclusive) && (own.bits & traits_of_keeping) != 0)
        if (const add_result refusal = coming.check_replacement(); !succeeded(refusal)) return refusal;
    if (own.any_of(trait::single_source))
        if (const add_result refusal = coming.check_displacement(); !succeeded(refusal)) return refusal;
    return word.is_pair() ? coming.check_target() : add_result::added;
}

add_result constraints::check_groups(entity e, id word, const traits& own) const {
    if (!word.is_pair()) return add_result::added;
    const entity target = rows_.entities().at(word.target_index());
    const bool mirrored = own.any_of(trait::symmetric);
    if (own.any_of(trait::one_of))
        if (rows_.parent_of(target) != own.group || (mirrored && rows_.parent_of(e) != own.group))
            return add_result::target_not_allowed;
    const bool moves = word.relation_index() == child_of.index() && target != rows_.parent_of(e);
    return moves && is_kept_in_group(e) ? add_result::relation_in_use : add_result::added;
}

bool constraints::closes_cycle(entity e, id word) const {
    const traits& own = rows_.traits_of(word);
    if (!own.any_of(trait::acyclic)) return false;
    const entity target = rows_.entities().at(word.target_index());
    if (e == target || !rows_.entities().is_used_as_id(e)) return e == target;
    return own.any_of(trait::inheritable)
               ? closes_cycle_below(e, word)
               : reads_.leads_to(target, rows_.entities().at(word.relation_index()), e);
}

entity constraints::name_conflict(entity e, id word) const {
    if (word.relation_index() != child_of.index() || !rows_.locate(e).block->owner->named) return {};
    const entity holder = rows_.find_name(rows_.entities().at(word.target_index()), rows_.name_of(e));
    return holder != e ? holder : entity{};
}

bool constraints::is_excluded(entity e, const traits& own, const leaving_words& leaving) const {
    return std::ranges::any_of(own.conflicts, [&](entity conflict) {
        return reads_.carries(e, conflict) && !parts_with(e, conflict, leaving);
    });
}

/// Whether everything that the entity itself has of the component or relation is leaving.
bool constraints::parts_with(entity e, entity what, const leaving_words& leaving) const {
    if (leaving.empty()) return false;
    std::vector<id> had = reads_.own_matches(e, what);
    if (can_relate(what)) std::ranges::copy(reads_.own_matches(e, pair(what, any)), std::back_inserter(had));
    const auto leaves = [&](id one) { return leaving.has(e, one); };
    return !had.empty() && std::ranges::all_of(had, leaves);
}

std::vector<id> constraints::ids_with_required(std::span<const id> words) const {
    std::vector<id> found;
    const auto note = [&](id word) {
        if ((rows_.traits_of(word).bits & traits_of_coming) != 0) found.push_back(word);
    };
    std::ranges::for_each(words, note);
    if (!found.empty()) std::ranges::for_each(plain_companions(words), note); // Else none has companions.
    return found;
}

std::vector<id> constraints::plain_companions(std::span<const id> words) const {
    std::vector<id> all;
    const auto is_known = [&](id word) {
        return std::ranges::find(words, word) != words.end() || std::ranges::find(all, word) != all.end();
    };
    const auto follow = [&](id word) {
        for (const entity companion : rows_.traits_of(word).with)
            if (is_plain_companion(companion) && !is_known(companion)) all.emplace_back(companion);
    };
    std::ranges::for_each(words, follow);
    for (std::size_t next = 0; next != all.size();) follow(all[next++]);
    return all;
}

/// Whether it is no more than a component of tables that has a default value, which nothing keeps away.
bool constraints::is_plain_companion(entity component) const {
    constexpr std::uint32_t others =
        (traits_of_coming & ~bits_of(trait::with)) | bits_of(trait::property, trait::name);
    return !rows_.sparse_of(component) && (rows_.traits_of(component).bits & others) == 0 &&
           rows_.info_of_id(component).operations.constructible;
}

void constraints::require_whole(std::span<const id> words) const {
    for (const id word : words) {
        const traits& own = rows_.traits_of(word);
        if (own.any_of(trait::singleton))
            throw std::invalid_argument(std::string(rows_.name_of_component(word.as_entity())) +
                                        " is a singleton, and nobody has it but its own entity");
        if ((own.bits & traits_of_parts) == 0) continue;
        throw std::invalid_argument(std::string(rows_.name_of_component(word.as_entity())) +
                                    (own.any_of(trait::target_only)
                                         ? " is a target, and nobody has it without a relation"
                                         : " is a relation, and nobody has it without a target"));
    }
}

bool constraints::is_any_among(id word, std::span<const entity> asked, std::span<const id> others) const {
    return std::ranges::any_of(asked, [&](entity one) {
        return std::ranges::find(others, reads_.with_same_target(word, one)) != others.end();
    });
}

bool constraints::needs_any(id word, std::span<const id> others) const {
    return is_any_among(word, rows_.traits_of(word).needs, others);
}

bool constraints::comes_after_any(id word, std::span<const id> others) const {
    return needs_any(word, others) || is_any_among(word, rows_.traits_of(word).with, others);
}

std::vector<std::size_t> constraints::order_of_coming(std::span<const id> words) const {
    std::vector<std::size_t> order;
    if (!std::ranges::any_of(words, [&](id word) { return !rows_.traits_of(word).with.empty(); }))
        return order;
    std::vector<id> left(words.begin(), words.end());
    const auto position_of = [&](id word) {
        return static_cast<std::size_t>(std::ranges::find(words, word) - words.begin());
    };
    while (!left.empty()) {
        const auto ready = std::ranges::find_if(left, [&](id word) { return !comes_after_any(word, left); });
        const auto next = ready == left.end() ? left.begin() : ready;
        order.push_back(position_of(*next));
        left.erase(next);
    }
    return order;
}

bool constraints::parts_others(entity e, id word) const {
    const traits& own = rows_.traits_of(word);
    if (word.has_relation() && own.any_of(trait::single_source))
        return std::ranges::any_of(reads_.own_sources(word), [&](entity one) { return one != e; });
    if (!word.is_pair() || !own.any_of(trait::exclusive) || !own.any_of(trait::symmetric)) return false;
    const auto is_other = [&](id one) { return !one.is_pair() || one.target_index() != index_of(e); };
    return std::ranges::any_of(
        reads_.own_matches(rows_.entities().at(word.target_index()), reads_.conflicts_of(word)), is_other);
}

/// Whether something that the entity has and that is not leaving needs the identifier.
bool constraints::is_needed_by_others(entity e, id word, const leaving_words& leaving) const {
    return std::ranges::any_of(rows_.traits_of(word).dependents, [&](entity dependent) {
        const id other = reads_.with_same_target(word, dependent);
        return reads_.owns(e, other) && !leaving.has(e, other);
    });
}

add_result constraints::check_keeping(entity e, id word, const leaving_words& leaving) const {
    const traits& own = rows_.traits_of(word);
    if (own.any_of(trait::permanent)) return add_result::is_permanent;
    if (!own.any_of(trait::needed)) return add_result::removed;
    if (is_needed_by_others(e, word, leaving)) return add_result::needed;
    if (!word.is_pair() || !own.any_of(trait::symmetric)) return add_result::removed;
    const id image = pair(rows_.entities().at(word.relation_index()), e);
    return is_needed_by_others(rows_.entities().at(word.target_index()), image, leaving)
               ? add_result::needed
               : add_result::removed;
}

bool constraints::is_kept_in_group(entity e, const leaving_words& leaving) const {
    const entity group = rows_.entities().is_used_as_id(e) ? rows_.parent_of(e) : entity{};
    const component_record* const restriction =
        group ? rows_.records().find(pair(rows_.resolve(one_of), group)) : nullptr;
    if (!restriction) return false;
    return std::ranges::any_of(rows_.holders_of(*restriction), [&](entity relation) {
        const id word = pair(relation, e);
        const bool is_target = !rows_.list_of(e, index_of(relation)).empty() || rows_.is_had(word);
        if (!is_target || leaving.empty()) return is_target;
        return std::ranges::any_of(reads_.own_sources(word),
                                   [&](entity source) { return !leaving.has(source, word); });
    });
}

add_result constraints::check_departure(entity e, id word, const leaving_words& leaving) const {
    if (says_what_a_component_is(word)) return add_result::is_built_in;
    const traits& own = rows_.traits_of(word);
    if (own.any_of(trait::property))
        if (const add_result refusal = check_retraction(e, word, leaving); !succeeded(refusal))
            return refusal;
    if (word.is_pair() && word.relation_index() == child_of.index()) {
        if (is_kept_in_group(e, leaving)) return add_result::relation_in_use;
        const bool keeps_name = rows_.locate(e).block->owner->named && !leaving.changes_name(e);
        if (keeps_name && rows_.find_name({}, rows_.name_of(e))) return add_result::name_taken;
    }
    return check_keeping(e, word, leaving);
}

add_result constraints::check_departures(entity e, std::span<const id> words, std::span<const id> replaced,
                                         bool renamed) const {
    const auto has_traits = [&](id word) { return word.is_wildcard() || rows_.traits_of(word).bits != 0; };
    if (!std::ranges::any_of(words, has_traits)) return add_result::removed;
    std::vector<id> going;
    for (const id word : words)
        for (const id one : reads_.own_matches(e, word)) going.push_back(one);
    std::vector<id> gone = going;
    gone.insert(gone.end(), replaced.begin(), replaced.end());
    const leaving_words leaving(rows_, e, gone, renamed);
    for (const id word : going)
        if (const add_result refusal = check_departure(e, word, leaving); !succeeded(refusal)) return refusal;
    return add_result::removed;
}

} // namespace ecs
