// SPDX-License-Identifier: MIT
// See join_search.cppm.
module ecs.query;
import ecs.std;
import ecs.relation;
import ecs.storage;
import ecs.structure;

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

/// Whether the value is on all lists, which are then left from that value on; `over` is set when a list has
/// come to its end.
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

/// Calls take for each value that is on all lists, until it returns false. The first list is the shortest.
template <class Take> void intersect(std::span<index_list> lists, const Take& take) {
    const std::span<index_list> others = lists.subspan(1);
    bool over = false;
    for (const std::uint32_t value : lists.front()) {
        if (is_on_all(others, value, over) && !take(value)) return;
        if (over) return;
    }
}

std::size_t count_of(std::span<index_list> lists) {
    if (lists.size() == 1) return lists.front().size();
    std::size_t count = 0;
    intersect(lists, [&](std::uint32_t) {
        ++count;
        return true;
    });
    return count;
}

/// The subject of a search within a search, which the outer search has found.
class known_subject final : public join_subjects {
  public:
    [[nodiscard]] std::size_t count() override { return 1; }
    [[nodiscard]] std::vector<entity> all() override { return {}; }
    [[nodiscard]] bool contain(entity) override { return true; }
    [[nodiscard]] bool stay() override { return true; }
};

/// A search goes from level to level for each candidate, so what it does for one is part of the same code as
/// the loop: calls would take longer than the lists of a sparse relation do.
class join_search {
  public:
    join_search(engine& of, join_subjects& subjects, join_memory& memory, join_plan& plan,
                std::span<const std::string> names, const join::wish& asked);

    std::size_t run();

  private:
    /// What is done with the candidates of a level.
    enum class way : std::uint8_t { are_tried, are_counted, lead_to_counted };
    /// What follows when the variable of a level has its value.
    enum class next : std::uint8_t { answer, length_of_list, lengths_of_lists, level };
    /// What is done at a level.
    struct course {
        way candidates;
        next then;
    };

    [[nodiscard]] way way_of(std::size_t depth) const;
    [[nodiscard]] next next_of(std::size_t depth) const;
    void go(std::size_t depth);
    [[nodiscard]] bool gather(std::size_t depth);
    [[gnu::always_inline]] inline void note_tried();
    [[nodiscard, gnu::always_inline]] inline bool take(std::size_t depth, std::uint32_t candidate);
    void take_nothing(std::size_t depth);
    [[gnu::always_inline]] inline void go_below(std::size_t depth);
    [[nodiscard, gnu::always_inline]] inline bool passes(const join_level& level);
    [[nodiscard]] bool is_excluded(const join_level& level);
    [[nodiscard]] bool are_found(const join_terms& all);
    [[nodiscard]] std::optional<join_terms> known_part(const join_terms& all) const;
    void answer();
    [[nodiscard]] bool is_counted(std::size_t depth) const;
    [[nodiscard]] bool is_passed_through(std::size_t depth) const;
    [[gnu::always_inline]] inline void count_through(index_list candidates);
    [[nodiscard, gnu::always_inline]] inline index_list list_of(const join_edge& e) const;
    [[nodiscard]] index_list list_of(const join_ends& e) const;
    [[nodiscard]] index_list found_by_binder(std::size_t depth);
    [[nodiscard]] id word_of(const join_term& t) const;
    [[nodiscard]] bool holds(const join_term& t) const;

    engine* engine_;
    join_subjects* subjects_;
    join_memory* memory_;
    join_plan* plan_;
    std::span<const join_level> levels_;
    std::span<const std::string> names_;
    const join::wish* asked_;
    std::uint32_t tried_{};
    std::vector<std::uint32_t> indices_;                    ///< Of what the variables stand for, or no_index,
    std::vector<entity> values_;                            ///< and the values themselves.
    std::vector<std::vector<index_list>> lists_;            ///< For each level, what is left of its lists.
    std::vector<std::vector<std::uint32_t>> bound_by_term_; ///< Of levels with a binder: who satisfies it.
    std::vector<course> courses_;                           ///< The course of each level.
    bool needs_values_; ///< The values are looked at, before or when all of them are there.
    bool counts_lists_; ///< The last variable is on one list, and is only counted.
    std::size_t answers_ = 0;
    std::optional<join_memory> within_; ///< What searches within this one know.
};

} // namespace

join_search::join_search(engine& of, join_subjects& subjects, join_memory& memory, join_plan& plan,
                         std::span<const std::string> names, const join::wish& asked)
    : engine_(&of),
      subjects_(&subjects),
      memory_(&memory),
      plan_(&plan),
      levels_(plan.levels()),
      names_(names),
      asked_(&asked),
      indices_(names.size(), no_index),
      values_(names.size()),
      lists_(names.size()),
      bound_by_term_(names.size()) {
    const auto has_checks = [](const join_level& level) {
        return !level.checks.empty() || !level.exclusions.empty() || !level.own_exclusions.empty() ||
               level.binder;
    };
    needs_values_ = asked.visit || std::ranges::any_of(levels_, has_checks);
    const join_level& last = levels_.back();
    counts_lists_ = levels_.size() > 1 && is_counted(levels_.size() - 1) && last.edges.size() == 1 &&
                    last.edges.front().lists && !last.ends && !last.among && !last.listed;
    for (std::size_t depth = 0; depth != levels_.size(); ++depth)
        courses_.push_back({way_of(depth), next_of(depth)});
}

join_search::way join_search::way_of(std::size_t depth) const {
    return is_counted(depth)          ? way::are_counted
           : is_passed_through(depth) ? way::lead_to_counted
                                      : way::are_tried;
}

join_search::next join_search::next_of(std::size_t depth) const {
    const std::size_t below = depth + 1;
    if (below == levels_.size()) return next::answer;
    if (counts_lists_ && below + 1 == levels_.size()) return next::length_of_list;
    return is_passed_through(below) && levels_[below].edges.size() == 1 ? next::lengths_of_lists
                                                                        : next::level;
}

std::size_t join_search::run() {
    go(0);
    return answers_;
}

index_list join_search::list_of(const join_edge& e) const {
    const std::uint32_t of = e.other == join_term::none ? e.constant : indices_[e.other];
    relation_lists* const lists = e.lists ? e.lists : plan_->lists_of_relation(indices_[e.relation]);
    if (!lists || of == no_index) return {};
    return e.forwards ? lists->targets_of(of) : lists->sources_of(of);
}

index_list join_search::list_of(const join_ends& e) const {
    relation_lists* const lists = plan_->lists_of_relation(indices_[e.relation]);
    if (!lists) return {};
    if (e.which == join_end::holders) return lists->all_holders();
    return e.which == join_end::sources ? lists->all_sources() : lists->all_targets();
}

/// A candidate is tried: now and then whoever watches the search is told, and may end it.
void join_search::note_tried() {
    if (++tried_ % join::candidates_of_a_step == 0 && asked_->on_step) [[unlikely]]
        asked_->on_step();
}

/// Those of the candidates for which the level's term, which may be missing, holds.
index_list join_search::found_by_binder(std::size_t depth) {
    const join_level& level = levels_[depth];
    const index_list all = lists_[depth].front();
    std::vector<std::uint32_t>& found = bound_by_term_[depth];
    found.clear();
    for (const std::uint32_t candidate : all) {
        note_tried();
        indices_[level.variable] = candidate;
        values_[level.variable] = engine_->rows().entities().at(candidate);
        if (holds(*level.binder)) found.push_back(candidate);
    }
    return found;
}

/// Gathers the lists on which the candidates of a level are; false when there are none.
bool join_search::gather(std::size_t depth) {
    const join_level& level = levels_[depth];
    std::vector<index_list>& lists = lists_[depth];
    lists.clear();
    for (const join_edge& e : level.edges) lists.push_back(list_of(e));
    if (level.ends) lists.push_back(list_of(*level.ends));
    if (level.among)
        lists.emplace_back(*level.among);
    else if (level.listed)
        lists.push_back(*level.listed);
    if (lists.empty()) return false;
    if (level.binder) lists.front() = found_by_binder(depth);
    for (index_list& list : lists)
        if (list.size() < lists.front().size()) std::swap(list, lists.front());
    return !lists.front().empty();
}

void join_search::go(std::size_t depth) {
    if (!gather(depth)) {
        if (levels_[depth].optional) take_nothing(depth);
        return;
    }
    switch (courses_[depth].candidates) {
    case way::are_counted: answers_ += count_of(lists_[depth]); return;
    case way::lead_to_counted: count_through(lists_[depth].front()); return;
    case way::are_tried:
        intersect(lists_[depth], [&](std::uint32_t candidate) { return take(depth, candidate); });
    }
}

/// Whether each candidate of the level only leads to the list of the last variable.
bool join_search::is_passed_through(std::size_t depth) const {
    const join_level& level = levels_[depth];
    const std::size_t lists =
        level.edges.size() + (level.ends ? 1 : 0) + (level.among || level.listed ? 1 : 0);
    return counts_lists_ && depth + 2 == levels_.size() && level.checks.empty() && level.exclusions.empty() &&
           level.own_exclusions.empty() && !level.asks_subjects && !level.optional && lists == 1 &&
           levels_.back().edges.front().other == level.variable;
}

void join_search::count_through(index_list candidates) {
    const join_edge& last = levels_.back().edges.front();
    answers_ += last.lists->count_ends_of(candidates, last.forwards);
}

/// Whether the candidates of the level are answers that are only counted.
bool join_search::is_counted(std::size_t depth) const {
    const join_level& level = levels_[depth];
    return depth + 1 == levels_.size() && !asked_->visit && level.checks.empty() &&
           level.exclusions.empty() && level.own_exclusions.empty() && !level.asks_subjects &&
           !level.optional;
}

/// Tries a value; false when enough answers were found.
bool join_search::take(std::size_t depth, std::uint32_t candidate) {
    const join_level& level = levels_[depth];
    note_tried();
    indices_[level.variable] = candidate;
    if (needs_values_) values_[level.variable] = engine_->rows().entities().at(candidate);
    if (level.asks_subjects && !memory_->is_subject(*engine_, *subjects_, candidate)) return true;
    if (!passes(level)) return true;
    go_below(depth);
    return answers_ < asked_->limit;
}

/// Gives the variable, which may be missing, no value.
void join_search::take_nothing(std::size_t depth) {
    indices_[levels_[depth].variable] = no_index;
    values_[levels_[depth].variable] = {};
    if (passes(levels_[depth])) go_below(depth);
}

bool join_search::passes(const join_level& level) {
    const auto all_hold = [&](const join_terms* all) {
        return std::ranges::all_of(*all, [&](const join_term& t) { return holds(t); });
    };
    return std::ranges::all_of(level.checks, [&](const join_term* t) { return holds(*t); }) &&
           !std::ranges::any_of(level.exclusions, all_hold) &&
           (level.own_exclusions.empty() || !is_excluded(level));
}

/// Whether an earlier alternative holds for some values of its own variables.
bool join_search::is_excluded(const join_level& level) {
    if (!within_) {
        known_subject any_one;
        within_.emplace().refresh(*engine_, any_one);
    }
    return std::ranges::any_of(level.own_exclusions, [&](const join_terms* all) { return are_found(*all); });
}

/// Searches for values of the variables that have none here, for which all terms hold.
bool join_search::are_found(const join_terms& all) {
    const std::optional<join_terms> asked = known_part(all);
    if (!asked) return false;
    std::vector<entity> given(values_.size());
    std::vector<bool> open(values_.size(), true);
    const auto give = [&](std::size_t v) {
        given[v] = values_[v];
        open[v] = !given[v];
    };
    for (const join_term& t : *asked) t.for_each_variable(give);
    give(0);
    known_subject subject;
    const join_branch branch(*asked, {}, open, given, names_);
    join_plan plan(*engine_, subject, branch, names_, given, *within_);
    const join::wish one{.on_step = asked_->on_step, .limit = 1};
    join_search inner(*engine_, subject, *within_, plan, names_, one);
    inner.tried_ = tried_; // A step is that many candidates of both together.
    const bool found = inner.run() != 0;
    tried_ = inner.tried_;
    return found;
}

/// The terms of which is known what they ask; nothing when one cannot hold, as a variable that may be missing
/// stands for nobody.
std::optional<join_terms> join_search::known_part(const join_terms& all) const {
    join_terms known;
    for (const join_term& t : all) {
        bool lacks_value = false;
        t.for_each_variable(
            [&](std::size_t v) { lacks_value = lacks_value || (!values_[v] && !plan_->branch().lacks(v)); });
        if (lacks_value && !t.negated) return {};
        if (!lacks_value) known.push_back(t);
    }
    return known;
}

void join_search::go_below(std::size_t depth) {
    switch (courses_[depth].then) {
    case next::answer: answer(); return;
    case next::length_of_list: answers_ += list_of(levels_.back().edges.front()).size(); return;
    case next::lengths_of_lists: count_through(list_of(levels_[depth + 1].edges.front())); return;
    case next::level: go(depth + 1);
    }
}

void join_search::answer() {
    ++answers_;
    if (asked_->visit) asked_->visit(bindings(names_, values_));
}

/// The word with the values of the variables; null when the relation or the target is such a variable and has
/// no value.
id join_search::word_of(const join_term& t) const {
    if (t.relation == join_term::none && t.target == join_term::none) {
        const bool is_meant = t.constant ? engine_->rows().entities().alive(t.constant) : !t.names_target();
        return is_meant ? t.word : id();
    }
    const entity target = t.target != join_term::none ? values_[t.target] : t.constant;
    if (!target && t.target == join_term::none && !t.names_target())
        return plan_->is_relation(indices_[t.relation]) ? pair(values_[t.relation], any) : id();
    if (!target || !engine_->rows().entities().alive(target)) return {};
    if (t.relation == join_term::none && t.word.relation_index() == 0) return pair(any, target);
    if (t.relation == join_term::none) {
        const entity relation = engine_->rows().entities().at(t.word.relation_index());
        return relation ? pair(relation, target) : id();
    }
    return plan_->is_relation(indices_[t.relation]) ? pair(values_[t.relation], target) : id();
}

bool join_search::holds(const join_term& t) const {
    const entity holder = t.variable != join_term::none ? values_[t.variable] : t.holder;
    const id word = holder ? word_of(t) : id();
    if (!word) return t.negated;
    return engine_->reads().is_enabled(holder, word) != t.negated;
}

std::size_t run_plan(engine& of, join_subjects& subjects, join_memory& memory, join_plan& plan,
                     std::span<const std::string> names, const join::wish& asked) {
    return join_search(of, subjects, memory, plan, names, asked).run();
}

} // namespace ecs
