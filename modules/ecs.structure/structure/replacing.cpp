// SPDX-License-Identifier: MIT
// A target gets other sources: which leave and which come is known, and checked, before anything changes.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// The sources that a target is to have, beside those that it has.
class replacing {
  public:
    replacing(structure& in, entity target, entity relation, std::span<const entity> sources)
        : in_(&in), target_(target), word_(pair(relation, target)) {
        for (const entity e : sources) sources_.push_back(in.rows().entities().resolve(e));
    }

    /// Why the sources cannot become those of the target; added when they can. Changes nothing.
    [[nodiscard]] add_result check() {
        if (const add_result refusal = in_->checks().check_addable(word_); !succeeded(refusal))
            return refusal;
        if (const add_result refusal = check_list(); !succeeded(refusal)) return refusal;
        compare();
        for (const entity e : leaving_)
            if (const add_result refusal = in_->checks().check_departure(e, word_, {}); !succeeded(refusal))
                return refusal;
        if (!coming_.empty()) note_above();
        for (const entity e : coming_)
            if (const add_result refusal = check_coming(e); !succeeded(refusal)) return refusal;
        return check_images();
    }

    /// Makes the changes. Sources that leave are last on the list then, so that no other has to move up.
    add_result make() {
        std::vector<entity> order;
        std::ranges::copy_if(sources_, std::back_inserter(order), [&](entity e) { return is_had(e); });
        order.insert(order.end(), leaving_.begin(), leaving_.end());
        place(order);
        for (auto at = leaving_.rbegin(); at != leaving_.rend(); ++at)
            if (const add_result refusal = in_->remove(*at, word_); !succeeded(refusal)) return refusal;
        for (const entity e : is_symmetric() ? sources_ : coming_) // A mirror image may be missing.
            if (const add_result refusal = in_->add(e, word_); !succeeded(refusal)) return refusal;
        place(sources_);
        return leaving_.empty() && coming_.empty() ? add_result::already_there : add_result::added;
    }

  private:
    enum mark : std::uint8_t { named = 1, had = 2, above = 4 };

    [[nodiscard]] bool is(entity e, mark asked) const {
        const std::uint8_t* const known = marks_.find(e.value());
        return known && (*known & asked) != 0;
    }
    [[nodiscard]] bool is_had(entity e) const { return is(e, had); }

    [[nodiscard]] add_result check_list() {
        if (sources_.size() > 1 && goes_to_one(word_)) return add_result::sources_not_allowed;
        for (const entity e : sources_) {
            if (!in_->rows().locate(e)) return add_result::not_alive;
            if (is(e, named)) return add_result::sources_not_allowed;
            marks_[e.value()] |= named;
        }
        return add_result::added;
    }

    /// Whether the target has one source of the pair at most.
    [[nodiscard]] bool goes_to_one(id word) const {
        const traits& own = in_->rows().traits_of(word);
        const bool is_mirrored = own.any_of(trait::exclusive) && own.any_of(trait::symmetric);
        return word.is_pair() && (is_mirrored || own.any_of(trait::single_source));
    }

    [[nodiscard]] bool is_symmetric() const { return in_->rows().traits_of(word_).any_of(trait::symmetric); }

    /// The present sources. For a symmetric relation, also entities of which nothing but the mirror image has
    /// stayed when memory ran out.
    [[nodiscard]] std::vector<entity> present() const {
        std::vector<entity> all = in_->reads().own_sources(word_);
        if (!is_symmetric()) return all;
        const std::vector<entity> images =
            in_->reads().targets_of(target_, in_->rows().entities().at(word_.relation_index()));
        all.insert(all.end(), images.begin(), images.end());
        return all;
    }

    void compare() {
        for (const entity e : present()) {
            if (!is(e, named) && !is_had(e)) leaving_.push_back(e);
            marks_[e.value()] |= had;
        }
        std::ranges::copy_if(sources_, std::back_inserter(coming_), [&](entity e) { return !is_had(e); });
    }

    /// Marks the target and the entities that it leads to, if those must not become its sources. Where
    /// instances have a say, closes_cycle asks for each source.
    void note_above() {
        const traits& own = in_->rows().traits_of(word_);
        if (!own.any_of(trait::acyclic) || own.any_of(trait::inheritable)) return;
        const entity relation = in_->rows().entities().at(word_.relation_index());
        std::vector<entity> open{target_};
        while (!open.empty()) {
            const entity next = open.back();
            open.pop_back();
            if (is(next, above)) continue;
            marks_[next.value()] |= above;
            for (const entity e : in_->reads().targets_of(next, relation)) open.push_back(e);
        }
    }

    [[nodiscard]] add_result check_coming(entity e) {
        if (const add_result refusal = check_pair(e, word_); !succeeded(refusal)) return refusal;
        const bool inherits = in_->rows().traits_of(word_).any_of(trait::inheritable);
        if (is(e, above) || (inherits && in_->checks().closes_cycle(e, word_)))
            return add_result::would_make_a_cycle;
        const entity holder = in_->checks().name_conflict(e, word_);
        const bool stays = holder && is(holder, named);
        const bool is_child = word_.relation_index() == child_of.index();
        const std::string_view text = is_child ? in_->rows().name_of(e) : std::string_view();
        const bool is_second = !text.empty() && !names_.insert(text).second;
        return stays || is_second ? add_result::name_taken : check_required(e, word_);
    }

    [[nodiscard]] add_result check_pair(entity e, id word) const {
        if (!in_->reads().has_default(word) && !in_->reads().find_elsewhere(in_->rows().locate(e), word))
            return add_result::not_constructible;
        const traits& own = in_->rows().traits_of(word);
        const add_result refusal = in_->checks().check_add(e, word, own);
        return succeeded(refusal) ? in_->checks().check_groups(e, word, own) : refusal;
    }

    /// Checks also what comes along.
    [[nodiscard]] add_result check_required(entity e, id word) const {
        for (const entity required : in_->rows().traits_of(word).with) {
            const id other = in_->reads().with_same_target(word, required);
            if (in_->reads().owns(e, other)) continue;
            if (coming_.size() > 1 && goes_to_one(other)) return add_result::sources_not_allowed;
            if (const add_result refusal = in_->checks().check_addable(other); !succeeded(refusal))
                return refusal;
            if (const add_result refusal = check_pair(e, other); !succeeded(refusal)) return refusal;
            if (in_->checks().closes_cycle(e, other)) return add_result::would_make_a_cycle;
            if (in_->checks().name_conflict(e, other)) return add_result::name_taken;
            if (const add_result refusal = check_required(e, other); !succeeded(refusal)) return refusal;
        }
        return add_result::added;
    }

    /// Checks what comes to the other end of a symmetric relation, with what that brings along. Where nothing
    /// is brought along or excluded, the pairs themselves have been asked for both ends.
    [[nodiscard]] add_result check_images() const {
        const traits& own = in_->rows().traits_of(word_);
        if (!own.any_of(trait::symmetric) || !own.any_of(trait::with, trait::excludes))
            return add_result::added;
        return in_->checks().check_arrivals(target_, images_of(coming_), images_of(leaving_));
    }
    [[nodiscard]] std::vector<id> images_of(const std::vector<entity>& sources) const {
        const entity relation = in_->rows().entities().at(word_.relation_index());
        std::vector<id> images;
        images.reserve(sources.size());
        for (const entity e : sources) images.push_back(pair(relation, e));
        return images;
    }

    /// Puts the target's list, if there is one, into this order.
    void place(const std::vector<entity>& order) const noexcept {
        const std::span<const entity> list = in_->rows().list_of(target_, word_.relation_index());
        if (list.size() == order.size()) in_->rows().place_sources(target_, word_.relation_index(), order);
    }

    structure* in_;
    entity target_;
    id word_;
    std::vector<entity> sources_;
    std::vector<entity> leaving_;
    std::vector<entity> coming_;
    flat_map<std::uint8_t> marks_;
    std::unordered_set<std::string_view> names_; ///< The names of the children that come.
};

} // namespace

add_result structure::replace_sources(entity target, std::span<const entity> sources, id relation) {
    const entity on = rows_.entities().resolve(target);
    const entity along = rows_.resolve(relation).as_entity();
    if (!rows_.entities().alive(on)) return add_result::not_alive;
    if (!rows_.entities().alive(along)) return add_result::not_alive_id;
    replacing change(*this, on, along, sources);
    if (const add_result refusal = change.check(); !succeeded(refusal)) return refusal;
    return events_.as_one_occasion([&] { return change.make(); });
}

} // namespace ecs
