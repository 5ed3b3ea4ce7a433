// SPDX-License-Identifier: MIT
// See relation_lists.cppm.
module ecs.query;
import ecs.std;
import ecs.component;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

/// Whether no rule adds pairs to those that entities themselves have.
bool is_plain(const engine& in, id word) {
    const traits& own = in.rows().traits_of(word);
    return !own.any_of(trait::transitive) && !own.any_of(trait::reflexive) && !own.any_of(trait::inheritable);
}

} // namespace

std::vector<std::uint32_t> sorted_indices(const std::vector<entity>& all) {
    std::vector<std::uint32_t> found;
    found.reserve(all.size());
    for (const entity e : all) found.push_back(index_of(e));
    std::ranges::sort(found);
    found.erase(std::ranges::unique(found).begin(), found.end());
    return found;
}

static query<> query_of_everybody(engine& in) {
    query<> found(in);
    found.optional(prefab_tag).optional(disabled);
    return found;
}

query<> query_of_holders(engine& in, id word) {
    query<> found = query_of_everybody(in);
    found.with(word);
    return found;
}

relation_lists::relation_lists(engine& in, id word, relation_pairs& kept)
    : in_(&in), word_(word), kept_(&kept), has_arrays_(is_plain(in, word) && !kept.may_be_disabled()) {}

std::size_t relation_lists::targets() const {
    const source_lists* const lists = in_->rows().lists().find(word_.relation_index());
    return std::max<std::size_t>(1, in_->rows().records().of_relation(word_.relation_index()).size() +
                                        (lists ? lists->targets() : 0));
}

/// To read a list from the arrays costs almost nothing; to find one takes about as long as to sort a few
/// pairs.
void relation_lists::expect(std::size_t lists) {
    if (!ready_ && lists * 4 >= sources()) make_ready();
}

void relation_lists::make_ready() {
    if (has_arrays_ && !ready_) ready_ = has_arrays_ = kept_->refresh();
}

void relation_lists::prepare(bool with_ends) {
    make_ready();
    if (!with_ends) return;
    std::ignore = all_sources();
    std::ignore = all_targets();
    std::ignore = all_holders();
}

index_list relation_lists::find(std::uint32_t index, bool forwards) {
    if (const std::uint32_t* const number = numbers_[forwards].find(index)) return lists_[*number];
    expect(++found_);
    if (ready_) return forwards ? kept_->targets().of(index) : kept_->sources_of().of(index);
    const entity e = in_->rows().entities().at(index);
    auto related = forwards ? in_->reads().related_from(e, word_) : in_->reads().related_to(e, word_);
    if (kept_->may_be_disabled())
        std::erase_if(related, [&](entity other) {
            return in_->reads().is_hidden(forwards ? e : other,
                                          pair(kept_->relation(), forwards ? other : e));
        });
    numbers_[forwards][index] = static_cast<std::uint32_t>(lists_.size());
    return lists_.emplace_back(sorted_indices(related));
}

index_list relation_lists::all_sources() {
    make_ready();
    if (ready_) return kept_->targets().all();
    if (ends_[1]) return *ends_[1];
    const bool is_everybody = in_->rows().traits_of(word_).any_of(trait::reflexive);
    std::vector<entity> all =
        (is_everybody ? query_of_everybody(*in_) : query_of_holders(*in_, word_)).entities();
    kept_->append_owners(all); // A pair that is disabled is a step of a chain.
    return *(ends_[1] = sorted_indices(all));
}

index_list relation_lists::all_holders() {
    if (!holders_) holders_ = sorted_indices(query_of_holders(*in_, word_).entities());
    return *holders_;
}

index_list relation_lists::all_targets() {
    make_ready();
    if (ready_) return kept_->sources_of().all();
    if (ends_[0]) return *ends_[0];
    std::vector<std::uint32_t> all;
    for (const std::uint32_t source : all_sources()) {
        const index_list targets = targets_of(source);
        all.insert(all.end(), targets.begin(), targets.end());
    }
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    return *(ends_[0] = std::move(all));
}

} // namespace ecs
