// SPDX-License-Identifier: MIT
// Terms with variables, and what is asked of them; the search itself is in join_plan and join_search.
module ecs.query;
import ecs.std;
import ecs.relation;
import ecs.structure;
import :join_plan;
import :join_search;
import :joins;
import :query;

namespace ecs {

namespace {

/// Gives back what a search has borrowed, however it ends.
struct memory_loan {
    std::unique_ptr<join_memory>& owner;
    std::unique_ptr<join_memory>& lent;
    ~memory_loan() { owner = std::move(lent); }
};

} // namespace

entity bindings::operator[](std::string_view variable) const {
    if (variable == "this") return subject();
    const auto found = std::ranges::find(names_, variable);
    if (found == names_.end() || variable.empty())
        throw std::invalid_argument("the query has no variable \"" + std::string(variable) + "\"");
    return values_[static_cast<std::size_t>(found - names_.begin())];
}

join::join(engine& of) : engine_(&of), memory_(std::make_unique<join_memory>()) {}
join::join(const join& other)
    : engine_(other.engine_),
      names_(other.names_),
      given_(other.given_),
      terms_(other.terms_),
      memory_(std::make_unique<join_memory>()) {}
join::join(join&& other) noexcept = default;
join& join::operator=(const join& other) { return *this = join(other); }
join& join::operator=(join&& other) noexcept = default;
join::~join() = default;

std::size_t join::number_of(std::string_view variable) {
    if (variable == "this") return 0;
    const auto found = std::ranges::find(names_, variable);
    if (found == names_.end()) {
        names_.emplace_back(variable);
        given_.emplace_back();
    }
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

void join::set(std::string_view variable, entity e) {
    const auto found = std::ranges::find(names_, variable == "this" ? std::string_view() : variable);
    if (found == names_.end() || variable.empty())
        throw std::invalid_argument("no term of the query has a variable \"" + std::string(variable) + "\"");
    given_[static_cast<std::size_t>(found - names_.begin())] = engine_->rows().entities().resolve(e);
}

std::size_t join::search(join_subjects& subjects, const wish& asked) {
    const auto has_ended = [&](entity e) { return e && !engine_->rows().entities().alive(e); };
    if (std::ranges::any_of(given_, has_ended)) return 0;
    // A search that a visitor begins finds the memory in use.
    std::unique_ptr<join_memory> memory = memory_ ? std::move(memory_) : std::make_unique<join_memory>();
    const memory_loan giving_back{memory_, memory};
    const join_plan plan(*engine_, subjects, terms_, names_, given_, *memory);
    const store::iteration_lock walking(engine_->rows());
    return join_search(*engine_, subjects, *memory, plan, names_, asked).run();
}

std::string join::explain(join_subjects& subjects) {
    join_memory memory;
    return join_plan(*engine_, subjects, terms_, names_, given_, memory).text();
}

} // namespace ecs
