// SPDX-License-Identifier: MIT
// See join_search.cppm.
module ecs.query;
import ecs.std;
import ecs.relation;
import ecs.storage;
import ecs.structure;
import :join_search;

namespace ecs {

namespace {

/// Leaves out what comes before the value: a few steps one by one, more by doubling.
[[gnu::always_inline]] inline void advance_to(index_list& list, std::uint32_t value) {
    const std::uint32_t* at = list.data();
    const std::uint32_t* const end = at + list.size();
    for (int steps = 0; steps < 8; ++steps, ++at)
        if (at == end || *at >= value) {
            list = {at, end};
            return;
        }
    std::ptrdiff_t step = 8;
    while (end - at > step && at[step] < value) {
        at += step;
        step *= 2;
    }
    list = {std::ranges::lower_bound(at, std::min(at + step + 1, end), value), end};
}

/// Whether the value is on all lists, which are left from there on; `over` when one of them has come to its
/// end.
[[gnu::always_inline]] inline bool is_on_all(std::span<index_list> lists, std::uint32_t value, bool& over) {
    for (index_list& list : lists) {
        advance_to(list, value);
        if (list.empty()) {
            over = true;
            return false;
        }
        if (list.front() != value) return false;
    }
    return true;
}

/// Calls take for each value that is on all lists. The first is the shortest.
template <class Take> void intersect(std::span<index_list> lists, const Take& take) {
    const std::span<index_list> others = lists.subspan(1);
    bool over = false;
    for (const std::uint32_t value : lists.front()) {
        if (is_on_all(others, value, over)) take(value);
        if (over) return;
    }
}

std::size_t count_of(std::span<index_list> lists) {
    if (lists.size() == 1) return lists.front().size();
    std::size_t count = 0;
    intersect(lists, [&](std::uint32_t) { ++count; });
    return count;
}

} // namespace

join_search::join_search(const engine& of, join_subjects& subjects, const join_plan& plan,
                         std::span<const std::string> names, const join::visitor* visit)
    : engine_(&of),
      subjects_(&subjects),
      levels_(plan.levels()),
      names_(names),
      visit_(visit),
      indices_(names.size()),
      values_(names.size()),
      lists_(names.size()) {}

std::size_t join_search::run() {
    go(0);
    return answers_;
}

/// The lists that the candidates of a level are on; false when there are none.
bool join_search::gather(std::size_t depth) {
    const join_level& level = levels_[depth];
    std::vector<index_list>& lists = lists_[depth];
    lists.clear();
    for (const join_edge& e : level.edges)
        lists.push_back(e.forwards ? e.relation->targets_of(indices_[e.other])
                                   : e.relation->sources_of(indices_[e.other]));
    if (level.among)
        lists.emplace_back(*level.among);
    else if (level.listed.data())
        lists.push_back(level.listed);
    if (lists.empty()) return false;
    for (index_list& list : lists)
        if (list.size() < lists.front().size()) std::swap(list, lists.front());
    return !lists.front().empty();
}

void join_search::go(std::size_t depth) {
    if (!gather(depth)) return;
    if (is_counted(depth)) {
        answers_ += count_of(lists_[depth]);
        return;
    }
    intersect(lists_[depth], [&](std::uint32_t candidate) { take(depth, candidate); });
}

/// Whether the candidates of the level are answers, and nobody wants to see them.
bool join_search::is_counted(std::size_t depth) const {
    const join_level& level = levels_[depth];
    return depth + 1 == levels_.size() && !visit_ && level.checks.empty() && !level.asks_subjects;
}

void join_search::take(std::size_t depth, std::uint32_t candidate) {
    const join_level& level = levels_[depth];
    const entity e = engine_->rows().entities().at(candidate);
    indices_[level.variable] = candidate;
    values_[level.variable] = e;
    if (level.asks_subjects && !is_subject(e)) return;
    for (const join_term* const t : level.checks)
        if (!holds(*t)) return;
    depth + 1 == levels_.size() ? answer() : go(depth + 1);
}

void join_search::answer() {
    ++answers_;
    if (visit_) (*visit_)(bindings(names_, values_));
}

bool join_search::is_subject(entity e) {
    const std::uint32_t index = index_of(e);
    if (asked_.test(index)) return are_subjects_.test(index);
    asked_.make_room(index);
    are_subjects_.make_room(index);
    asked_.set(index);
    const bool is_one = subjects_->contain(e);
    if (is_one) are_subjects_.set(index);
    return is_one;
}

bool join_search::holds(const join_term& t) const {
    if (t.constant && !engine_->rows().entities().alive(t.constant)) return t.negated;
    id word = t.word;
    if (t.target != join_term::none)
        word = pair(engine_->rows().entities().at(word.relation_index()), values_[t.target]);
    const entity holder = values_[t.variable];
    return (engine_->has(holder, word) && !engine_->reads().is_hidden(holder, word)) != t.negated;
}

} // namespace ecs
