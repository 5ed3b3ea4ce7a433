// SPDX-License-Identifier: MIT
// A plan is made for each search, from what the world holds then: the steps in order of their estimated cost.
module ecs.query;
import ecs.std;
import ecs.component;
import ecs.structure;
import :joins;
import :query;

namespace ecs {

namespace {

/// Takes a term, and binds a variable with it or checks it.
struct join_step {
    enum class kind : std::uint8_t { check, bind_subject, bind_holder, bind_source, bind_target };

    kind what{};
    join_term term;
    std::size_t binds{};            ///< Number of the variable.
    std::vector<entity> candidates; ///< Of a variable that depends on no other.
};

/// All entities that have the identifier, prefabs and disabled entities among them.
ecs::query<> holders(engine& in, id word) {
    ecs::query<> found(in);
    found.optional(prefab_tag).optional(disabled);
    const bool everybody = word.is_wildcard() && in.rows().traits_of(word).any_of(trait::reflexive);
    if (!everybody) found.with(word);
    return found;
}

/// Puts the steps in order.
class join_planner {
  public:
    join_planner(engine& of, join_subjects& subjects, std::span<const join_term> terms, std::size_t variables)
        : engine_(&of), subjects_(&subjects), open_(terms.begin(), terms.end()), bound_(variables) {}

    /// Throws std::invalid_argument when a variable cannot be bound.
    [[nodiscard]] std::vector<join_step> plan(std::span<const std::string> names) {
        check_what_is_bound();
        while (!std::ranges::all_of(bound_, std::identity{})) {
            join_step next = cheapest();
            if (next.binds == join_term::none) refuse(names);
            bound_[next.binds] = true;
            steps_.push_back(std::move(next));
            check_what_is_bound();
        }
        return std::move(steps_);
    }

  private:
    [[nodiscard]] bool is_bound(std::size_t variable) const {
        return variable == join_term::none || bound_[variable];
    }

    /// Terms without an open variable are checked at once.
    void check_what_is_bound() {
        const auto is_closed = [&](const join_term& t) { return is_bound(t.variable) && is_bound(t.target); };
        for (const join_term& t : open_)
            if (is_closed(t)) steps_.push_back({join_step::kind::check, t, join_term::none, {}});
        std::erase_if(open_, is_closed);
    }

    /// The step that is expected to leave the fewest candidates.
    [[nodiscard]] join_step cheapest() {
        join_step best{join_step::kind::check, {}, join_term::none, {}};
        std::size_t least = ~std::size_t{0};
        const auto consider = [&](join_step::kind what, const join_term& t, std::size_t binds,
                                  std::size_t cost) {
            if (cost >= least) return;
            least = cost;
            best = {what, t, binds, {}};
        };
        if (!bound_[0]) consider(join_step::kind::bind_subject, {}, 0, subjects_->count());
        for (const join_term& t : open_) {
            if (t.negated) continue;
            if (is_bound(t.variable))
                consider(join_step::kind::bind_target, t, t.target, targets_each(t.word));
            else if (t.constant)
                consider(join_step::kind::bind_source, t, t.variable, sources_of(t));
            else if (is_bound(t.target) && t.target != join_term::none)
                consider(join_step::kind::bind_source, t, t.variable, sources_each(t.word));
            else
                consider(join_step::kind::bind_holder, t, t.variable, holders(*engine_, t.word).count());
        }
        gather(best);
        return best;
    }

    /// Candidates that are the same whatever the other variables stand for.
    void gather(join_step& step) {
        if (step.what == join_step::kind::bind_subject) step.candidates = subjects_->all();
        if (step.what == join_step::kind::bind_holder)
            step.candidates = holders(*engine_, step.term.word).entities();
    }

    [[nodiscard]] std::size_t sources_of(const join_term& t) const {
        return engine_->reads().related_to(t.constant, t.word).size();
    }
    [[nodiscard]] std::size_t targets_each(id word) const {
        const auto [pairs, targets] = engine_->reads().count_pairs(word);
        return 1 + pairs / std::max<std::size_t>(1, holders(*engine_, word).count());
    }
    [[nodiscard]] std::size_t sources_each(id word) const {
        const auto [pairs, targets] = engine_->reads().count_pairs(word);
        return 1 + pairs / std::max<std::size_t>(1, targets);
    }

    [[noreturn]] void refuse(std::span<const std::string> names) const {
        const auto open = static_cast<std::size_t>(std::ranges::find(bound_, false) - bound_.begin());
        throw std::invalid_argument("variable \"" + names[open] +
                                    "\" stands for nothing: no term says what it has or who has it");
    }

    engine* engine_;
    join_subjects* subjects_;
    std::vector<join_term> open_;
    std::vector<bool> bound_;
    std::vector<join_step> steps_;
};

/// Goes through the steps; the stack is as deep as there are steps.
class join_search {
  public:
    join_search(engine& of, join_subjects& subjects, std::span<const join_step> steps, std::size_t variables)
        : engine_(&of), subjects_(&subjects), steps_(steps), values_(variables) {}

    template <class Visit> void run(const Visit& visit) { go(0, visit); }
    [[nodiscard]] std::span<const entity> values() const { return values_; }

  private:
    template <class Visit> void go(std::size_t at, const Visit& visit) {
        if (at == steps_.size()) return visit();
        const join_step& step = steps_[at];
        if (step.what == join_step::kind::check) {
            if (holds(step.term)) go(at + 1, visit);
            return;
        }
        const auto try_one = [&](entity candidate) {
            values_[step.binds] = candidate;
            if (step.binds == 0 && step.what != join_step::kind::bind_subject &&
                !subjects_->contain(candidate))
                return;
            go(at + 1, visit);
        };
        if (step.what == join_step::kind::bind_subject || step.what == join_step::kind::bind_holder)
            std::ranges::for_each(step.candidates, try_one);
        else
            std::ranges::for_each(related(step), try_one);
    }

    [[nodiscard]] std::vector<entity> related(const join_step& step) const {
        const join_term& t = step.term;
        if (step.what == join_step::kind::bind_target)
            return engine_->reads().related_from(values_[t.variable], t.word);
        return engine_->reads().related_to(t.constant ? t.constant : values_[t.target], t.word);
    }

    [[nodiscard]] bool holds(const join_term& t) const {
        if (t.constant && !engine_->rows().entities().alive(t.constant)) return t.negated;
        id word = t.word;
        if (t.target != join_term::none)
            word = pair(engine_->rows().entities().at(word.relation_index()), values_[t.target]);
        return engine_->has(values_[t.variable], word) != t.negated;
    }

    engine* engine_;
    join_subjects* subjects_;
    std::span<const join_step> steps_;
    std::vector<entity> values_;
};

} // namespace

entity bindings::operator[](std::string_view variable) const {
    const auto found = std::ranges::find(names_, variable);
    if (found == names_.end() || variable.empty())
        throw std::invalid_argument("the query has no variable \"" + std::string(variable) + "\"");
    return values_[static_cast<std::size_t>(found - names_.begin())];
}

std::size_t join::number_of(std::string_view variable) {
    const auto found = std::ranges::find(names_, variable);
    if (found == names_.end()) names_.emplace_back(variable);
    return static_cast<std::size_t>(std::ranges::find(names_, variable) - names_.begin());
}

void join::add(id word, std::string_view variable, bool negated) {
    word = query_core::require_asked(engine_->rows().resolve(word));
    const bool has_target = word.is_pair() && word.target_index() != 0 && word.relation_index() != 0;
    const entity target = has_target ? engine_->reads().target_of_pair(word) : entity{};
    terms_.push_back({number_of(variable), word, join_term::none, target, negated});
}

void join::add(const pair_with_variable& word, std::string_view variable, bool negated) {
    const id relation = engine_->rows().resolve(word.relation);
    const std::size_t subject = number_of(variable);
    terms_.push_back({subject, pair(relation, any), number_of(word.target.name), {}, negated});
}

void join::each(join_subjects& subjects, const std::function<void(const bindings&)>& visit) const {
    const std::vector<join_step> steps = join_planner(*engine_, subjects, terms_, names_.size()).plan(names_);
    const store::iteration_lock walking(engine_->rows());
    join_search search(*engine_, subjects, steps, names_.size());
    search.run([&] { visit(bindings(names_, search.values())); });
}

} // namespace ecs
