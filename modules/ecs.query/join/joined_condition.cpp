// SPDX-License-Identifier: MIT
// Conditions with variables become alternatives; see joined_condition.cppm.
module ecs.query;
import ecs.std;

namespace ecs {

joined_word joined_condition::plain(const single_condition& one) {
    if (one.above || one.kind != term_kind::with)
        throw std::invalid_argument(
            "beside variables a condition asks what an entity has itself and now: ask "
            "for changes, for what is hidden and for what is above in a term of its own");
    joined_word asked;
    asked.word = one.word;
    asked.word_of = one.word_of;
    return one.of_other ? asked.of(one.subject) : asked;
}

joined_condition::joined_condition(const query_condition& several) {
    using step_kind = query_condition::step_kind;
    std::vector<joined_condition> waiting;
    for (const query_condition::step& s : several.steps()) {
        if (s.what == step_kind::ask) {
            waiting.emplace_back(several.asked()[s.asked]);
            continue;
        }
        const joined_condition last = std::move(waiting.back());
        waiting.pop_back();
        if (s.what == step_kind::negated)
            waiting.push_back(opposite(last));
        else if (s.what == step_kind::both)
            waiting.back() = both(waiting.back(), last);
        else
            waiting.back() = either(std::move(waiting.back()), last);
    }
    *this = std::move(waiting.back());
}

void joined_condition::require_few() const {
    std::size_t words = 0;
    for (const alternative& one : alternatives_) words += one.size();
    if (words > max_words || alternatives_.size() > max_words)
        throw std::invalid_argument("the condition has more than " + std::to_string(max_words) +
                                    " questions in all of its alternatives: ask in several terms");
}

condition_tree condition_tree::join(form how, const condition_tree& one, const condition_tree& other) {
    condition_tree made{.what = how};
    for (const condition_tree* const part : {&one, &other})
        if (part->what == how)
            made.parts.insert(made.parts.end(), part->parts.begin(), part->parts.end());
        else
            made.parts.push_back(*part);
    return made;
}

joined_condition joined_condition::both(const joined_condition& one, const joined_condition& other) {
    joined_condition made;
    made.said_ = condition_tree::join(condition_tree::form::both, one.said_, other.said_);
    for (const alternative& first : one.alternatives_)
        for (const alternative& second : other.alternatives_) {
            alternative& all = made.alternatives_.emplace_back(first);
            all.insert(all.end(), second.begin(), second.end());
            made.require_few();
        }
    return made;
}

joined_condition joined_condition::either(joined_condition one, const joined_condition& other) {
    one.said_ = condition_tree::join(condition_tree::form::either, one.said_, other.said_);
    one.alternatives_.insert(one.alternatives_.end(), other.alternatives_.begin(), other.alternatives_.end());
    one.require_few();
    return one;
}

joined_condition joined_condition::opposite_of_all(const alternative& words) {
    joined_condition made;
    for (const joined_word& word : words) made.alternatives_.push_back({!word});
    return made;
}

joined_condition joined_condition::opposite(const joined_condition& of) {
    joined_condition made = opposite_of_all(of.alternatives_.front());
    for (const alternative& words : std::span(of.alternatives_).subspan(1))
        made = both(made, opposite_of_all(words));
    made.said_ = {.what = condition_tree::form::negated, .parts = {of.said_}};
    return made;
}

} // namespace ecs
