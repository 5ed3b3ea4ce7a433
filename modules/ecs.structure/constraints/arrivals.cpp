// SPDX-License-Identifier: MIT
// Several identifiers that an entity is to get together, with all that comes along: asked before the first of
// them comes, so that none does where one may not.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// The identifiers of one change.
class arrival_check {
  public:
    arrival_check(const constraints& in, entity e, std::span<const id> leaving)
        : in_(&in), e_(e), leaving_(leaving) {}

    [[nodiscard]] add_result check(std::span<const id> words) {
        for (const id word : words)
            if (!stays(word)) coming_.push_back(word);
        const std::size_t asked_for = coming_.size();
        for (std::size_t next = 0; next < coming_.size(); ++next)
            if (const add_result refusal = check(coming_[next], next >= asked_for); !succeeded(refusal))
                return refusal;
        return add_result::added;
    }

  private:
    [[nodiscard]] bool stays(id word) const {
        return in_->reads().owns(e_, word) && std::ranges::find(leaving_, word) == leaving_.end();
    }

    [[nodiscard]] add_result check(id word, bool is_companion) {
        const traits& own = in_->rows().traits_of(word);
        if (is_companion && !has_beginning(word)) return add_result::not_constructible;
        if (own.bits == 0) return add_result::added;
        if (const add_result refusal = in_->check_addable(word); !succeeded(refusal)) return refusal;
        if (const add_result refusal = in_->check_add(e_, word, own, leaving_); !succeeded(refusal))
            return refusal;
        if (word.is_pair() && in_->closes_cycle(e_, word)) return add_result::would_make_a_cycle;
        if (word.is_pair() && in_->name_conflict(e_, word)) return add_result::name_taken;
        const auto is_conflict = [&](id other) { return excludes(own, other); };
        if (std::ranges::any_of(coming_, is_conflict)) return add_result::excluded;
        for (const entity companion : own.with) bring(word, companion, own);
        return add_result::added;
    }

    [[nodiscard]] bool has_beginning(id word) const {
        return in_->rows().sparse_of(word) ? in_->reads().has_default(word)
                                           : in_->reads().has_beginning(in_->rows().locate(e_), word);
    }

    /// As constraints::is_excluded, of one that comes as well.
    [[nodiscard]] static bool excludes(const traits& own, id other) {
        return std::ranges::any_of(own.conflicts, [&](entity conflict) {
            return other == id(conflict) ||
                   (other.has_relation() && other.relation_index() == index_of(conflict));
        });
    }

    /// As structure::add_required. What leads to an object of the program is there when that is.
    void bring(id word, entity companion, const traits& own) {
        const id other = in_->reads().with_same_target(word, companion);
        if (object_table::concerns(other)) return;
        const bool is_needed = std::ranges::find(own.needs, companion) != own.needs.end();
        const bool is_there = is_needed ? stays(other) : in_->reads().has(e_, other);
        if (!is_there && std::ranges::find(coming_, other) == coming_.end()) coming_.push_back(other);
    }

    const constraints* in_;
    entity e_;
    std::span<const id> leaving_;
    std::vector<id> coming_; ///< Those that were asked for first.
};

} // namespace

add_result constraints::check_arrivals(entity e, std::span<const id> words,
                                       std::span<const id> leaving) const {
    const auto has_rules = [&](id word) { return rows_.traits_of(word).bits != 0; };
    if (!std::ranges::any_of(words, has_rules)) return add_result::added;
    return arrival_check(*this, e, leaving).check(words);
}

} // namespace ecs
