// SPDX-License-Identifier: MIT
// Terms with variables, and what they ask; the search itself is in join_plan and join_search.
module ecs.query;
import ecs.std;
import ecs.relation;
import ecs.structure;

namespace ecs {

namespace {

/// Gives back what a search has borrowed, also when the search throws.
struct memory_loan {
    std::unique_ptr<join_memory>& owner;
    std::unique_ptr<join_memory>& lent;
    ~memory_loan() { owner = std::move(lent); }
};

/// Counts a search while it runs: terms and values cannot change meanwhile.
class search_count {
  public:
    explicit search_count(std::size_t& of) : searches_(of) { ++searches_; }
    search_count(const search_count&) = delete;
    search_count& operator=(const search_count&) = delete;
    ~search_count() { --searches_; }

  private:
    std::size_t& searches_;
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
      bindable_(other.bindable_),
      terms_(other.terms_),
      groups_(other.groups_),
      memory_(std::make_unique<join_memory>()) {}
join::join(join&& other) noexcept = default;
join& join::operator=(const join& other) { return *this = join(other); }
join& join::operator=(join&& other) noexcept = default;
join::~join() = default;

// Terms.

/// The search that goes on refers to them.
void join::require_no_search() const {
    if (searches_ != 0)
        throw iteration_error("the terms and values of a query cannot change while a loop over it runs");
}

void join::forget() { memory_ = std::make_unique<join_memory>(); }

std::size_t join::number_of(std::string_view variable) {
    if (variable.empty() || variable == "this") return 0;
    const auto found = std::ranges::find(names_, variable);
    const auto number = static_cast<std::size_t>(found - names_.begin());
    if (found == names_.end()) {
        given_.reserve(number + 1);
        bindable_.reserve(number + 1);
        names_.emplace_back(variable);
        given_.emplace_back();
        bindable_.push_back(false);
    }
    return number;
}

join_term join::term_of(const joined_word& asked) {
    const id word = query_core::require_asked(
        engine_->rows().resolve(asked.word_of ? asked.word_of(*engine_) : asked.word));
    engine_->rows().note_asked(word);
    if (asked.of_other && !asked.other)
        throw std::invalid_argument("a term is about null: of() takes an entity or a variable");
    join_term made{.word = word};
    made.holder = engine_->rows().entities().resolve(asked.other);
    made.variable = asked.of_other ? join_term::none : number_of(asked.subject);
    if (!asked.relation.empty()) made.relation = number_of(asked.relation);
    if (!asked.target.empty()) made.target = number_of(asked.target);
    made.constant = made.names_target() ? engine_->reads().target_of_pair(word) : entity{};
    made.negated = asked.negated;
    return made;
}

void join::note_bound(const join_term& t) {
    if (!t.negated) t.for_each_variable([&](std::size_t v) { bindable_[v] = true; });
}

/// Of a term that is refused no variable is left: no other term would say what it stands for.
void join::take_variables_back_on_failure(const auto& adding) {
    const std::size_t known = names_.size();
    try {
        adding();
    } catch (...) {
        names_.resize(known);
        given_.resize(known);
        bindable_.resize(known);
        throw;
    }
}

void join::add(const joined_word& asked) {
    require_no_search();
    take_variables_back_on_failure([&] { terms_.push_back(term_of(asked)); });
    note_bound(terms_.back());
}

void join::add_optional(const joined_word& asked) {
    if (asked.negated)
        throw std::invalid_argument(
            "a term that may be missing is not negated: it says what a variable stands "
            "for, if there is something");
    add(asked);
    terms_.back().optional = true;
}

void join::add(const joined_condition& asked) {
    require_no_search();
    std::size_t branches = asked.alternatives().size();
    for (const std::vector<join_terms>& group : groups_) branches *= group.size();
    if (branches > joined_condition::max_words)
        throw std::invalid_argument("the conditions of the query have more than " +
                                    std::to_string(joined_condition::max_words) +
                                    " combinations of alternatives");
    take_variables_back_on_failure([&] {
        std::vector<join_terms> group;
        for (const joined_condition::alternative& words : asked.alternatives()) {
            join_terms& all = group.emplace_back();
            for (const joined_word& word : words) all.push_back(term_of(word));
        }
        groups_.push_back(std::move(group));
    });
    for (const join_terms& all : groups_.back())
        for (const join_term& t : all) note_bound(t);
}

/// Where the value of a variable is that was set, to be changed.
entity& join::given_value(std::string_view variable) {
    require_no_search();
    const auto found = std::ranges::find(names_, variable == "this" ? std::string_view() : variable);
    if (found == names_.end() || variable.empty())
        throw std::invalid_argument("no term of the query has a variable \"" + std::string(variable) + "\"");
    return given_[static_cast<std::size_t>(found - names_.begin())];
}

void join::require_value(std::string_view variable, entity e) {
    if (!e)
        throw std::invalid_argument("the value of the variable \"" + std::string(variable) +
                                    "\" is null: give it an entity that is alive, or take the value back by "
                                    "unset");
}

void join::set(std::string_view variable, entity e) {
    entity& value = given_value(variable);
    require_value(variable, e);
    value = engine_->rows().entities().resolve(e);
}

void join::unset(std::string_view variable) { given_value(variable) = entity(); }

bool join::has_dead_value() const {
    return std::ranges::any_of(given_, [&](entity e) { return e && !engine_->rows().entities().alive(e); });
}

// Searches.

std::size_t join::search(join_subjects& subjects, const wish& asked) {
    if (has_dead_value()) return 0;
    // A search that a visitor begins finds the memory in use.
    std::unique_ptr<join_memory> memory = memory_ ? std::move(memory_) : std::make_unique<join_memory>();
    const search_count counting(searches_);
    const memory_loan giving_back{memory_, memory};
    std::size_t answers = 0;
    memory->refresh(*engine_, subjects);
    for_each_branch(terms_, groups_, bindable_, given_, names_, [&](join_branch& branch) {
        join_plan plan(*engine_, subjects, branch, names_, given_, *memory);
        const store::iteration_lock walking(engine_->rows());
        wish rest = asked;
        rest.limit -= answers;
        answers += run_plan(*engine_, subjects, *memory, plan, names_, rest);
        return answers < asked.limit;
    });
    return answers;
}

bool join::has_answer(join_subjects& subjects, entity subject) {
    const entity wanted = given_[0];
    if (wanted && wanted != subject) return false;
    given_[0] = subject;
    try {
        const bool has = search(subjects, {.limit = 1}) != 0;
        given_[0] = wanted;
        return has;
    } catch (...) {
        given_[0] = wanted;
        throw;
    }
}

/// Lists of subjects that are in the same chunk, each once and in the order of their indices.
std::vector<std::vector<std::uint32_t>> join::by_chunks(join_subjects& subjects) const {
    std::vector<std::pair<std::uintptr_t, std::uint32_t>> all;
    for (const entity e : subjects.all())
        all.emplace_back(reinterpret_cast<std::uintptr_t>(engine_->rows().locate(e).block), index_of(e));
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    std::vector<std::vector<std::uint32_t>> pieces;
    for (std::size_t i = 0; i != all.size(); ++i) {
        if (i == 0 || all[i].first != all[i - 1].first) pieces.emplace_back();
        pieces.back().push_back(all[i].second);
    }
    return pieces;
}

namespace {

/// Goes over lists of subjects, each of which is a piece of work: run(list) does it.
void run_pieces(const std::vector<std::vector<std::uint32_t>>& pieces, executor& on, parallel_options how,
                const auto& run) {
    constexpr std::size_t rows_of_a_subject = 16; // A subject is as much work as that many rows of a loop.
    parallel_for work(how);
    for (const std::vector<std::uint32_t>& piece : pieces) work.add(&piece, piece.size() * rows_of_a_subject);
    work.run(on, [&](const void* piece, const chunk_part&) {
        run(*static_cast<const std::vector<std::uint32_t>*>(piece));
    });
}

} // namespace

void join::par_each(join_subjects& subjects, executor& on, const visitor_lender& lend, parallel_options how) {
    if (given_[0])
        return lend([&](const visitor& visit) { std::ignore = search(subjects, {.visit = visit}); });
    if (has_dead_value()) return;
    const search_count counting(searches_);
    join_memory memory;
    memory.refresh(*engine_, subjects);
    const std::vector<std::vector<std::uint32_t>> pieces = by_chunks(subjects);
    for_each_branch(terms_, groups_, bindable_, given_, names_, [&](join_branch& branch) {
        join_plan plan(*engine_, subjects, branch, names_, given_, memory, true);
        const bool alone = plan.has_own_exclusions();
        if (!alone) plan.prepare();
        const store::iteration_lock walking(engine_->rows());
        const auto run = [&](join_plan& own) {
            lend([&](const visitor& visit) {
                std::ignore = run_plan(*engine_, subjects, memory, own, names_, {.visit = visit});
            });
        };
        const auto run_piece = [&](const std::vector<std::uint32_t>& piece) {
            join_plan own(plan, piece);
            run(own);
        };
        alone ? run(plan) : run_pieces(pieces, on, how, run_piece);
        return true;
    });
}

std::string join::explain(join_subjects& subjects) {
    join_memory memory;
    memory.refresh(*engine_, subjects);
    std::string text;
    for_each_branch(terms_, groups_, bindable_, given_, names_, [&](join_branch& branch) {
        if (!text.empty()) text += "or else:\n";
        text += join_plan(*engine_, subjects, branch, names_, given_, memory).text();
        return true;
    });
    return text;
}

} // namespace ecs
