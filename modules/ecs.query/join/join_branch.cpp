// SPDX-License-Identifier: MIT
// Alternatives one by one; see join_branch.cppm.
module ecs.query;
import ecs.std;

namespace ecs {

join_branch::join_branch(join_terms terms, std::vector<join_terms> exclusions,
                         const std::vector<bool>& bindable, std::span<const entity> given,
                         std::span<const std::string> names)
    : terms_(std::move(terms)),
      exclusions_(std::move(exclusions)),
      given_(given),
      names_(names),
      uses_(names.size(), use::missing) {
    note_needed();
    note_missing(bindable);
    find_binders();
    while (require_term_of_given()) find_binders();
    require_given();
    require_no_open();
}

/// The variables of terms that have to hold are needed. Others are open for now when a term that may be
/// missing has them.
void join_branch::note_needed() {
    uses_[0] = use::needed;
    for (const join_term& t : terms_)
        if (t.optional)
            t.for_each_variable([&](std::size_t v) {
                if (uses_[v] == use::missing) uses_[v] = use::open;
            });
        else if (!t.negated)
            t.for_each_variable([&](std::size_t v) { uses_[v] = use::needed; });
}

/// A variable that nothing could bind may still be given; a variable of another alternative may not.
void join_branch::note_missing(const std::vector<bool>& bindable) {
    for (std::size_t v = 0; v != uses_.size(); ++v) {
        if (uses_[v] != use::missing) continue;
        if (bindable[v])
            possible_ = possible_ && !given_[v];
        else
            uses_[v] = given_[v] ? use::needed : use::open;
    }
}

void join_branch::find_binders() {
    while (bind_next()) {
    }
}

/// The first term that may be missing and has exactly one open variable gives that variable its values.
bool join_branch::bind_next() {
    for (std::size_t i = 0; i != terms_.size(); ++i) {
        if (!terms_[i].optional) continue;
        std::size_t open = join_term::none;
        bool several = false;
        terms_[i].for_each_variable([&](std::size_t v) {
            if (uses_[v] != use::open || v == open) return;
            several |= open != join_term::none;
            open = v;
        });
        if (open == join_term::none || several) continue;
        uses_[open] = use::optional;
        binders_.push_back({open, i});
        return true;
    }
    return false;
}

/// No term says what several open variables of one term are. Where one of them has a given value, the term
/// has to hold, and says what the others stand for.
bool join_branch::require_term_of_given() {
    for (join_term& t : terms_) {
        bool is_given = false;
        t.for_each_variable([&](std::size_t v) { is_given |= uses_[v] == use::open && bool(given_[v]); });
        if (!t.optional || !is_given) continue;
        t.optional = false;
        t.for_each_variable([&](std::size_t v) { require(v); });
        return true;
    }
    return false;
}

/// A variable with a given value has to be found: the terms that could be missing then have to hold.
void join_branch::require_given() {
    for (std::size_t v = 0; v != uses_.size(); ++v)
        if (given_[v] && uses_[v] == use::optional) require(v);
    std::erase_if(binders_, [&](const binder& b) { return uses_[b.variable] == use::needed; });
}

void join_branch::require(std::size_t variable) {
    if (uses_[variable] == use::open) uses_[variable] = use::needed;
    if (uses_[variable] != use::optional) return;
    uses_[variable] = use::needed;
    const auto own = std::ranges::find(binders_, variable, &binder::variable);
    terms_[own->term].optional = false;
    terms_[own->term].for_each_variable([&](std::size_t v) {
        possible_ = possible_ && uses_[v] != use::missing;
        require(v);
    });
}

void join_branch::require_no_open() const {
    const auto open = std::ranges::find(uses_, use::open);
    if (open == uses_.end()) return;
    throw std::invalid_argument("variable \"" + names_[static_cast<std::size_t>(open - uses_.begin())] +
                                "\" stands for nothing: no term says what it has or who has it, or one that "
                                "may be missing says so of several variables. Write a term that finds it, "
                                "such as (likes, $x) or rich($x), or give it a value with set");
}

void for_each_branch(const join_terms& terms, std::span<const std::vector<join_terms>> groups,
                     const std::vector<bool>& bindable, std::span<const entity> given,
                     std::span<const std::string> names, const std::function<bool(join_branch&)>& visit) {
    std::vector<std::size_t> chosen(groups.size());
    const auto step = [&] { // Goes to the next combination; false after the last.
        for (std::size_t g = groups.size(); g != 0; --g) {
            if (++chosen[g - 1] != groups[g - 1].size()) return true;
            chosen[g - 1] = 0;
        }
        return false;
    };
    do {
        join_terms all = terms;
        std::vector<join_terms> exclusions;
        for (std::size_t g = 0; g != groups.size(); ++g) {
            const std::vector<join_terms>& alternatives = groups[g];
            all.insert(all.end(), alternatives[chosen[g]].begin(), alternatives[chosen[g]].end());
            exclusions.insert(exclusions.end(), alternatives.begin(),
                              alternatives.begin() + static_cast<std::ptrdiff_t>(chosen[g]));
        }
        join_branch branch(std::move(all), std::move(exclusions), bindable, given, names);
        if (branch.is_possible() && !visit(branch)) return;
    } while (step());
}

} // namespace ecs
