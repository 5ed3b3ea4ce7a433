// SPDX-License-Identifier: MIT
// See join_plan.cppm. The order is greedy: what comes next depends on what has a value already.
module ecs.query;
import ecs.std;
import ecs.relation;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

bool is_binary(const join_term& t) { return t.target != join_term::none; }

/// Guesses, where the relation is not known before the search.
constexpr std::size_t pairs_of_one = 16;
constexpr std::size_t ends_of_relation = 1024;

/// Whether the word is a pair with a target to which others may lead in several steps.
bool follows_chains(const engine& in, id word) {
    return word.is_pair() && word.target_index() != 0 && word.relation_index() != 0 &&
           in.rows().traits_of(word).any_of(trait::transitive);
}

} // namespace

relation_pairs& join_memory::pairs_of(const engine& in, std::uint32_t index) {
    const entity relation = in.rows().entities().at(index);
    std::unique_ptr<relation_pairs>& known = pairs_[index];
    if (!known || known->relation() != relation) known = std::make_unique<relation_pairs>(relation);
    known->survey(in);
    return *known;
}

std::vector<std::uint32_t> join_memory::relations(const engine& in) const {
    std::vector<std::uint32_t> found = in.rows().records().relations();
    std::ranges::sort(found);
    return found;
}

void join_memory::refresh(const engine& in, join_subjects& subjects) {
    const row_state now = row_state::of(in);
    ++search_;
    if (stays_ && now == asked_at_) return;
    subjects_.reset();
    asked_.clear();
    are_subjects_.clear();
    stays_ = subjects.stay(); // When this throws, the next search forgets them as well.
    asked_at_ = now;
}

std::size_t join_memory::number_of(join_subjects& subjects) {
    if (!subjects_) subjects_ = subjects.count();
    return *subjects_;
}

bool join_memory::ask_subject(const engine& in, join_subjects& among, std::uint32_t index) {
    asked_.make_room(index);
    are_subjects_.make_room(index);
    const bool is_one = among.contain(in.rows().entities().at(index)); // First: it may throw.
    asked_.set(index);
    if (is_one) are_subjects_.set(index);
    return is_one;
}

const std::vector<std::uint32_t>& join_memory::holders(engine& in, id word, entity target) {
    std::unique_ptr<known_holders>& known = holders_[word.value()];
    if (!known || known->target != target)
        known = std::make_unique<known_holders>(known_holders{query_of_holders(in, word), target});
    const row_state now = row_state::of(in);
    const bool is_known =
        std::exchange(known->search, search_) == search_ || (known->stays && known->found_at == now);
    if (is_known) return known->found;
    known->found = sorted_indices(known->asking.entities());
    known->found_at = now;
    known->stays = known->asking.untyped().asks_tables_alone();
    return known->found;
}

join_plan::join_plan(engine& of, join_subjects& subjects, const join_branch& branch,
                     std::span<const std::string> names, std::span<const entity> given, join_memory& kept,
                     bool subjects_first)
    : engine_(of),
      subjects_(subjects),
      branch_(branch),
      names_(names),
      given_(given),
      kept_(kept),
      bound_(names.size()),
      subjects_first_(subjects_first),
      used_(branch.terms().size()),
      excluding_(branch.exclusions().size()) {
    for (std::size_t v = 0; v != bound_.size(); ++v) bound_[v] = branch.lacks(v);
    while (!all_needed_bound()) {
        const choice next = cheapest();
        if (next.from == choice::source::nothing) refuse(first_open());
        bind(next);
    }
    for (const join_branch::binder& next : branch.binders()) bind_optional(next);
}

join_plan::join_plan(const join_plan& whole, index_list subjects) : join_plan(whole) {
    levels_.front().among.emplace(subjects.begin(), subjects.end());
    const auto own = [&](const relation_lists* theirs) {
        const auto is_theirs = [&](const relation_lists& lists) { return &lists == theirs; };
        return &lists_[static_cast<std::size_t>(std::ranges::find_if(whole.lists_, is_theirs) -
                                                whole.lists_.begin())];
    };
    for (join_level& level : levels_)
        for (join_edge& e : level.edges)
            if (e.lists) e.lists = own(e.lists);
}

void join_plan::prepare() {
    const auto asks_ends = [](const join_level& level) { return level.ends.has_value(); };
    const auto varies = [](const join_term& t) { return t.relation != join_term::none; };
    if (std::ranges::any_of(branch_.terms(), varies))
        for (const std::uint32_t relation : relations()) std::ignore = lists_of_relation(relation);
    for (relation_lists& lists : lists_) lists.prepare(std::ranges::any_of(levels_, asks_ends));
}

bool join_plan::all_needed_bound() const {
    for (std::size_t v = 0; v != bound_.size(); ++v)
        if (branch_.needs(v) && !bound_[v]) return false;
    return true;
}

// Lists.

/// The lists of the word's relation; empty for a relation that has ended.
relation_lists& join_plan::lists_of(id word) {
    const std::uint32_t relation = word.relation_index();
    if (const std::uint32_t* const known = number_of_lists_.find(relation)) return lists_[*known];
    number_of_lists_[relation] = static_cast<std::uint32_t>(lists_.size());
    return lists_.emplace_back(engine_, word, kept_.pairs_of(engine_, relation));
}

index_list join_plan::relations() {
    if (!relations_) relations_ = kept_.relations(engine_);
    return *relations_;
}

bool join_plan::is_relation(std::uint32_t index) { return std::ranges::binary_search(relations(), index); }

relation_lists* join_plan::lists_of_relation(std::uint32_t index) {
    return is_relation(index) ? &lists_of(pair(engine_.rows().entities().at(index), any)) : nullptr;
}

/// Whether the term is a pair whose relation is known when the variables have their values.
bool join_plan::has_relation(const join_term& t) const {
    return t.relation != join_term::none || (is_binary(t) && t.word.relation_index() != 0);
}

/// The list of candidates that a term gives for the variable when its other variables have values; nothing
/// when the term has to be asked for each.
std::optional<join_edge> join_plan::edge_to(std::size_t variable, const join_term& t) {
    constexpr std::size_t none = join_term::none;
    if (t.negated || !has_relation(t) || t.relation == variable || t.variable == t.target) return {};
    if (t.target == none && !t.names_target()) return {}; // No list is of all targets.
    relation_lists* const lists = t.relation == none ? &lists_of(t.word) : nullptr;
    if (t.target == variable) return join_edge{lists, t.relation, t.variable, index_if_alive(t.holder), true};
    if (t.variable != variable) return {};
    return join_edge{lists, t.relation, t.target, index_if_alive(t.constant), false};
}

/// no_index for null and for an entity that has ended.
std::uint32_t join_plan::index_if_alive(entity e) const {
    return e && engine_.rows().entities().alive(e) ? index_of(e) : no_index;
}

std::size_t join_plan::length_of(const join_edge& e) const {
    if (!e.lists) return pairs_of_one;
    return 1 + e.lists->pairs() / (e.forwards ? e.lists->sources() : e.lists->targets());
}

/// The entities that have the identifier of a term with one variable. A chain goes through steps that are
/// disabled, which a query would not find.
index_list join_plan::holders_of(const join_term& t) {
    if (t.names_target() && index_if_alive(t.constant) == no_index) return {};
    if (!follows_chains(engine_, t.word)) return kept_.holders(engine_, t.word, t.constant);
    const entity relation = engine_.rows().entities().at(t.word.relation_index());
    if (!relation) return {};
    return lists_of(pair(relation, any)).sources_of(index_of(t.constant));
}

// Which variable is next.

join_plan::choice join_plan::cheapest() {
    choice best;
    if (subjects_first_ && !bound_[0])
        return {0, choice::source::subjects, nullptr, kept_.number_of(subjects_)};
    for (std::size_t v = 0; v != names_.size(); ++v) {
        if (bound_[v] || !branch_.needs(v)) continue;
        if (given_[v]) return {v, choice::source::given, nullptr, 1};
        consider_edges(best, v);
    }
    if (!bound_[0]) consider(best, {0, choice::source::subjects, nullptr, kept_.number_of(subjects_)});
    for (const join_term& t : branch_.terms())
        if (!t.negated && !t.optional) consider_term(best, t);
    return best;
}

void join_plan::consider(choice& best, const choice& other) const {
    if (other.cost < best.cost) best = other;
}

/// Considers candidates on the list of a value that is known: about as many as a list has on average.
void join_plan::consider_edges(choice& best, std::size_t variable) {
    for (const join_term& t : branch_.terms()) {
        if (t.optional) continue;
        const auto is_other = [&](std::size_t v) { return v != variable && is_open(v); };
        if (is_other(t.variable) || is_other(t.relation) || is_other(t.target)) continue;
        if (const std::optional<join_edge> edge = edge_to(variable, t))
            consider(best, {variable, choice::source::edges, &t, length_of(*edge)});
    }
}

/// Considers candidates that depend on nothing but the relation: all entities that have an identifier, or a
/// pair.
void join_plan::consider_term(choice& best, const join_term& t) {
    if (is_open(t.relation))
        consider(best, {t.relation, choice::source::relations, &t, relations().size()});
    else if (has_relation(t))
        consider_pair(best, t);
    else if (!is_binary(t) && is_open(t.variable))
        consider(best, {t.variable, choice::source::holders, &t, holders_of(t).size()});
}

void join_plan::consider_pair(choice& best, const join_term& t) {
    const bool is_known = t.relation == join_term::none;
    if (is_open(t.variable))
        consider(best, {t.variable, choice::source::sources, &t,
                        is_known ? lists_of(t.word).sources() : ends_of_relation});
    if (is_open(t.target) && t.variable != t.target)
        consider(best, {t.target, choice::source::targets, &t,
                        is_known ? lists_of(t.word).targets() : ends_of_relation});
}

std::size_t join_plan::first_open() const {
    std::size_t open = 0;
    while (bound_[open] || !branch_.needs(open)) ++open;
    return open;
}

void join_plan::refuse(std::size_t variable) const {
    throw std::invalid_argument(
        "variable \"" + names_[variable] +
        "\" stands for nothing: no term says what it has or who has it. Write a term that finds it, such "
        "as (likes, $x) or rich($x), or ($r, $x) for what is in any relation at all, or give it a value with "
        "set");
}

// What has to hold for a variable.

void join_plan::bind(const choice& chosen) {
    join_level level;
    level.variable = chosen.variable;
    take_candidates(chosen, level);
    bound_[chosen.variable] = true;
    take_terms(level, chosen);
    level.asks_subjects = chosen.variable == 0 && chosen.from != choice::source::subjects;
    settle(std::move(level), chosen);
}

/// Takes the candidates of the term that may be missing; what other terms say of the variable is checked.
void join_plan::bind_optional(const join_branch::binder& next) {
    const join_term& t = branch_.terms()[next.term];
    join_level level;
    level.variable = next.variable;
    level.optional = true;
    choice chosen{next.variable, choice::source::term_that_may_be_missing, &t, pairs_of_one};
    if (const std::optional<join_edge> edge = edge_to(next.variable, t)) {
        level.edges.push_back(*edge);
    } else {
        level.binder = &t;
        take_all_candidates(t, level);
    }
    bound_[next.variable] = true;
    take_terms(level, chosen);
    settle(std::move(level), chosen);
}

/// Takes all candidates for a variable to which no list leads.
void join_plan::take_all_candidates(const join_term& t, join_level& level) {
    if (t.relation == level.variable)
        level.listed = relations();
    else if (has_relation(t))
        take_ends(t, true, level);
    else if (is_binary(t))
        refuse(level.variable);
    else
        level.listed = holders_of(t);
}

void join_plan::settle(join_level&& level, const choice& chosen) {
    take_exclusions(level);
    choices_.push_back(chosen);
    expected_ *= std::max<std::size_t>(1, std::min<std::size_t>(chosen.cost, 1U << 20));
    expected_ = std::min<std::size_t>(expected_, 1ULL << 40);
    levels_.push_back(std::move(level));
}

void join_plan::take_candidates(const choice& chosen, join_level& level) {
    using source = choice::source;
    const join_term* const t = chosen.term;
    if (chosen.from == source::given)
        level.among = {index_of(given_[chosen.variable])};
    else if (chosen.from == source::subjects)
        level.among = sorted_indices(subjects_.all());
    else if (chosen.from == source::holders)
        level.listed = holders_of(*t);
    else if (chosen.from == source::relations)
        level.listed = relations();
    else if (chosen.from == source::sources || chosen.from == source::targets)
        take_ends(*t, chosen.from == source::sources, level);
}

void join_plan::take_ends(const join_term& t, bool sources, join_level& level) {
    const bool has_any_target = t.target == join_term::none && !t.names_target();
    if (t.relation != join_term::none)
        level.ends = join_ends{t.relation, has_any_target ? join_end::holders
                                           : sources      ? join_end::sources
                                                          : join_end::targets};
    else
        level.listed = sources ? lists_of(t.word).all_sources() : lists_of(t.word).all_targets();
}

bool join_plan::all_bound(const join_term& t) const {
    bool all = true;
    t.for_each_variable([&](std::size_t v) { all = all && bound_[v]; });
    return all;
}

/// Takes the terms whose variables all have values from now on: a list for each term that leads here, a check
/// for each other term.
void join_plan::take_terms(join_level& level, const choice& chosen) {
    for (std::size_t i = 0; i != branch_.terms().size(); ++i) {
        const join_term& t = branch_.terms()[i];
        if (used_[i] || t.optional || !all_bound(t)) continue;
        used_[i] = true;
        const std::optional<join_edge> edge = edge_to(chosen.variable, t);
        if (edge && !level.optional) {
            if (edge->lists) edge->lists->expect(expected_);
            level.edges.push_back(*edge);
        } else if (&t != chosen.term || chosen.from != choice::source::holders) {
            level.checks.push_back(&t);
        }
    }
}

void join_plan::take_exclusions(join_level& level) {
    for (std::size_t i = 0; i != branch_.exclusions().size(); ++i) {
        const join_terms& all = branch_.exclusions()[i];
        const auto is_open = [&](const join_term& t) { return !all_bound(t); };
        if (excluding_[i] || std::ranges::any_of(all, is_open)) continue;
        const bool has_own = has_own_variables(all);
        if (has_own && !bound_[0]) continue; // The search for these takes the subject as known.
        excluding_[i] = true;
        (has_own ? level.own_exclusions : level.exclusions).push_back(&all);
    }
}

/// Whether a variable of the terms occurs in no term that answers of this branch hold.
bool join_plan::has_own_variables(const join_terms& all) const {
    bool has_own = false;
    for (const join_term& t : all)
        t.for_each_variable([&](std::size_t v) { has_own = has_own || branch_.lacks(v); });
    return has_own;
}

bool join_plan::has_own_exclusions() const {
    return std::ranges::any_of(levels_,
                               [](const join_level& level) { return !level.own_exclusions.empty(); });
}

// In words.

std::string join_plan::name_of(std::size_t variable) const {
    return variable == 0 ? "$this" : "$" + names_[variable];
}

std::string join_plan::explained(const join_level& level, const choice& chosen) const {
    constexpr std::array from{"nothing",
                              "set before",
                              "entities of the query",
                              "neighbours of what is known",
                              "who has a component",
                              "targets in a relation",
                              "sources in a relation",
                              "relations",
                              "whoever there is, or nobody"};
    static_assert(from.size() == static_cast<std::size_t>(choice::source::term_that_may_be_missing) + 1);
    std::string text = name_of(chosen.variable) + ": " + from[static_cast<std::size_t>(chosen.from)] +
                       ", about " + std::to_string(chosen.cost);
    for (const join_edge& e : level.edges)
        text += std::string(e.forwards ? "; a target of " : "; a source of ") +
                (e.other == join_term::none ? "an entity" : name_of(e.other));
    if (level.asks_subjects) text += "; has to satisfy the query";
    const std::size_t checks = level.checks.size() + level.exclusions.size() + level.own_exclusions.size();
    if (checks != 0) text += "; checks: " + std::to_string(checks);
    return text;
}

std::string join_plan::text() const {
    std::string all;
    for (std::size_t i = 0; i != levels_.size(); ++i) all += explained(levels_[i], choices_[i]) + '\n';
    return all;
}

} // namespace ecs
