// SPDX-License-Identifier: MIT
// See join_plan.cppm. The order is greedy: what comes next depends on what has a value already.
module ecs.query;
import ecs.std;
import ecs.relation;
import ecs.storage;
import ecs.structure;
import :join_plan;
import :joins;
import :relation_lists;
import :relation_pairs;

namespace ecs {

namespace {

bool is_binary(const join_term& t) { return t.target != join_term::none; }

/// A pair with a target that others may lead to in several steps.
bool follows_chains(const engine& in, id word) {
    return word.is_pair() && word.target_index() != 0 && word.relation_index() != 0 &&
           in.rows().traits_of(word).any_of(trait::transitive);
}

} // namespace

relation_pairs& join_memory::pairs_of(const engine& in, entity relation) {
    std::unique_ptr<relation_pairs>& known = pairs_[index_of(relation)];
    if (!known || known->relation() != relation) known = std::make_unique<relation_pairs>(relation);
    known->survey(in);
    return *known;
}

void join_memory::refresh(const engine& in, join_subjects& subjects) {
    const row_state now = row_state::of(in);
    ++search_;
    if (stays_ && now == asked_at_) return;
    asked_at_ = now;
    subjects_ = subjects.count();
    stays_ = subjects.stay();
    asked_.clear();
    are_subjects_.clear();
}

bool join_memory::is_subject(const engine& in, join_subjects& among, std::uint32_t index) {
    if (asked_.test(index)) return are_subjects_.test(index);
    asked_.make_room(index);
    are_subjects_.make_room(index);
    asked_.set(index);
    const bool is_one = among.contain(in.rows().entities().at(index));
    if (is_one) are_subjects_.set(index);
    return is_one;
}

const std::vector<std::uint32_t>& join_memory::holders(engine& in, id word) {
    std::unique_ptr<known_holders>& known = holders_[word.value()];
    if (!known) known = std::make_unique<known_holders>(known_holders{query_of_holders(in, word)});
    const row_state now = row_state::of(in);
    const bool is_known =
        std::exchange(known->search, search_) == search_ || (known->stays && known->found_at == now);
    if (is_known) return known->found;
    known->found = sorted_indices(known->asking.entities());
    known->found.erase(std::ranges::unique(known->found).begin(), known->found.end());
    known->found_at = now;
    known->stays = known->asking.untyped().asks_tables_alone();
    return known->found;
}

join_plan::join_plan(engine& of, join_subjects& subjects, std::span<const join_term> terms,
                     std::span<const std::string> names, std::span<const entity> given, join_memory& kept)
    : engine_(of),
      subjects_(subjects),
      terms_(terms),
      names_(names),
      given_(given),
      kept_(kept),
      bound_(names.size()),
      used_(terms.size()) {
    kept.refresh(of, subjects);
    while (levels_.size() != names_.size()) {
        const choice next = cheapest();
        if (next.from == choice::source::nothing) refuse();
        bind(next);
    }
}

relation_lists& join_plan::lists_of(id word) {
    const std::uint32_t relation = word.relation_index();
    if (const std::uint32_t* const known = number_of_lists_.find(relation)) return lists_[*known];
    number_of_lists_[relation] = static_cast<std::uint32_t>(lists_.size());
    return lists_.emplace_back(engine_, word,
                               kept_.pairs_of(engine_, engine_.rows().entities().at(relation)));
}

/// Whoever has the identifier of a term with one variable. A chain goes through steps that are disabled,
/// which a query would not find.
index_list join_plan::holders_of(const join_term& t) {
    if (!follows_chains(engine_, t.word)) return kept_.holders(engine_, t.word);
    if (!t.constant || !engine_.rows().entities().alive(t.constant)) return {};
    const id links = pair(engine_.rows().entities().at(t.word.relation_index()), any);
    return lists_of(links).sources_of(index_of(t.constant));
}

// Which variable is next.

join_plan::choice join_plan::cheapest() {
    choice best;
    for (std::size_t v = 0; v != names_.size(); ++v) {
        if (bound_[v]) continue;
        if (given_[v]) return {v, choice::source::given, nullptr, 1};
        consider_edges(best, v);
    }
    if (!bound_[0]) consider(best, {0, choice::source::subjects, nullptr, kept_.subjects()});
    for (const join_term& t : terms_)
        if (!t.negated) consider_term(best, t);
    return best;
}

void join_plan::consider(choice& best, const choice& other) const {
    if (other.cost < best.cost) best = other;
}

/// Candidates on the list of a value that is known: about as many as a list has on average.
void join_plan::consider_edges(choice& best, std::size_t variable) {
    for (const join_term& t : terms_) {
        if (t.negated || !is_binary(t) || t.variable == t.target) continue;
        if (t.target == variable && bound_[t.variable])
            consider(best, {variable, choice::source::edges, &t,
                            1 + lists_of(t.word).pairs() / lists_of(t.word).sources()});
        if (t.variable == variable && bound_[t.target])
            consider(best, {variable, choice::source::edges, &t,
                            1 + lists_of(t.word).pairs() / lists_of(t.word).targets()});
    }
}

/// Candidates that depend on nothing: whoever has an identifier, or a pair in the relation.
void join_plan::consider_term(choice& best, const join_term& t) {
    if (is_binary(t)) {
        if (!bound_[t.variable])
            consider(best, {t.variable, choice::source::sources, &t, lists_of(t.word).sources()});
        if (!bound_[t.target] && t.variable != t.target)
            consider(best, {t.target, choice::source::targets, &t, lists_of(t.word).targets()});
    } else if (!bound_[t.variable]) {
        consider(best, {t.variable, choice::source::holders, &t, holders_of(t).size()});
    }
}

void join_plan::refuse() const {
    const auto open = static_cast<std::size_t>(std::ranges::find(bound_, false) - bound_.begin());
    throw std::invalid_argument("variable \"" + names_[open] +
                                "\" stands for nothing: no term says what it has or who has it");
}

// What has to hold for it.

void join_plan::bind(const choice& chosen) {
    join_level level;
    level.variable = chosen.variable;
    take_candidates(chosen, level);
    bound_[chosen.variable] = true;
    take_terms(level, chosen);
    level.asks_subjects = chosen.variable == 0 && chosen.from != choice::source::subjects;
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
    else if (chosen.from == source::sources)
        level.listed = lists_of(t->word).all_sources();
    else if (chosen.from == source::targets)
        level.listed = lists_of(t->word).all_targets();
    // A query may find an entity once for each match.
    if (level.among) level.among->erase(std::ranges::unique(*level.among).begin(), level.among->end());
}

/// Terms whose variables have values from now on: a list for each that leads here, a check for the others.
void join_plan::take_terms(join_level& level, const choice& chosen) {
    for (std::size_t i = 0; i != terms_.size(); ++i) {
        const join_term& t = terms_[i];
        if (used_[i] || !is_bound(t.variable) || !is_bound(t.target)) continue;
        used_[i] = true;
        const bool leads_here = !t.negated && is_binary(t) && t.variable != t.target;
        if (leads_here) {
            relation_lists& lists = lists_of(t.word);
            lists.expect(expected_);
            const bool forwards = t.target == chosen.variable;
            level.edges.push_back({&lists, forwards ? t.variable : t.target, forwards});
        } else if (&t != chosen.term || chosen.from != choice::source::holders) {
            level.checks.push_back(&t);
        }
    }
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
                              "sources in a relation"};
    static_assert(from.size() == static_cast<std::size_t>(choice::source::sources) + 1);
    std::string text = name_of(chosen.variable) + ": " + from[static_cast<std::size_t>(chosen.from)] +
                       ", about " + std::to_string(chosen.cost);
    for (const join_edge& e : level.edges)
        text += std::string(e.forwards ? "; a target of " : "; a source of ") + name_of(e.other);
    if (level.asks_subjects) text += "; has to satisfy the query";
    if (!level.checks.empty()) text += "; checks: " + std::to_string(level.checks.size());
    return text;
}

std::string join_plan::text() const {
    std::string all;
    for (std::size_t i = 0; i != levels_.size(); ++i) all += explained(levels_[i], choices_[i]) + '\n';
    return all;
}

} // namespace ecs
