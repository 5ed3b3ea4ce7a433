// SPDX-License-Identifier: MIT
// Queries with variables beside terms of every other form, typed and as text, kept while random worlds
// change, find what trying every entity finds.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

#include "query_questions.hpp"

namespace query_variables_test {
namespace {

using ecs::entity;
using ecs::id;
using query_model::asked_word;
using query_model::choices;
using query_model::scene;
using query_model::term;

constexpr std::array variables{"this", "x", "y"};
constexpr std::size_t no_variable = variables.size();
using answer = std::array<entity, variables.size()>;

/// Who has it, and what it leads to, by the numbers of variables.
struct joined_term {
    std::size_t subject;
    asked_word asked;
    std::size_t target; ///< no_variable: what the word says.
    bool negated;

    /// How many variables have a value when the term can be asked.
    [[nodiscard]] std::size_t depth() const {
        return target == no_variable ? subject : std::max(subject, target);
    }
};

class joined_case {
  public:
    joined_case(scene& in, choices& from) : in_(&in) {
        ecs::query<> subjects = in.world.query();
        for (std::size_t count = from.below(3); count != 0; --count) add(subjects, some_term(in, from));
        subjects_.emplace(subjects);
        // Each variable is in a term that is not negated.
        joined_.push_back({0, {pair(in.some_relation(), ecs::any), {}}, 1, false});
        joined_.push_back({from.below(2), {pair(in.some_relation(), ecs::any), {}}, 2, false});
        for (std::size_t count = from.below(4); count != 0; --count) joined_.push_back(some_joined(from));
        const ecs::pair_with_variable first = pair(relation_of(joined_.front()), ecs::var("x"));
        query_.emplace(std::move(subjects).with(first)); // Said twice, it is the same term.
        for (const joined_term& t : joined_) add(t);
    }

    /// What is wrong; empty when nothing is.
    [[nodiscard]] std::string ask(choices& from) {
        const std::multiset<answer> expected = tried();
        if (found() != expected) return "the bindings of " + text() + " in " + in_->text();
        if (query_->count() != expected.size()) return "the count of " + text() + " in " + in_->text();
        if (!is_right_about_subjects(from, expected))
            return "the subjects of " + text() + " in " + in_->text();
        if (!is_right_given(from, expected))
            return "a variable that is set, of " + text() + " in " + in_->text();
        if (everybody_lives() && !is_right_as_text(expected))
            return "the text " + text() + " in " + in_->text();
        return {};
    }
    [[nodiscard]] std::size_t matches() { return tried().size(); }

  private:
    // Making.

    void add(ecs::query<>& to, term t) {
        if (query_model::asks_for_news(t))
            return; // Of what has happened, one query knows what another does not.
        query_model::forms<ecs::query<>>[t.form].say(to, t);
        mentioned_.merge(query_model::mentions_of(t));
        named_.merge(query_model::names_of(t));
        terms_.push_back(std::move(t));
    }
    void add(const joined_term& t) {
        const ecs::variable subject = ecs::var(variables[t.subject]);
        const auto say = [&](auto word) {
            t.negated ? query_->without(word, subject) : query_->with(word, subject);
        };
        if (t.target == no_variable)
            say(t.asked.word);
        else
            say(pair(relation_of(t), ecs::var(variables[t.target])));
        named_.insert(t.asked.target);
        joined_text_ += (joined_text_.empty() ? "" : ", ") + text_of(t);
    }

    joined_term some_joined(choices& from) {
        const bool negated = from.one_in(3);
        if (from.one_in(2))
            return {from.below(3), {pair(in_->some_relation(), ecs::any), {}}, from.below(3), negated};
        const std::size_t subject =
            1 + from.below(2); // Of the entity itself it would be no term with a variable.
        return {subject, in_->some_word(), no_variable, negated};
    }

    [[nodiscard]] entity relation_of(const joined_term& t) const {
        return in_->world.at(t.asked.word.relation_index());
    }
    [[nodiscard]] static std::string name(entity e) {
        return '#' + std::to_string(e.index()) + 'v' + std::to_string(e.generation());
    }
    [[nodiscard]] std::string text_of(const joined_term& t) const {
        const id word = t.asked.word;
        const std::string sign = t.negated ? "!" : "";
        const std::string holder = std::string("($") + variables[t.subject];
        if (word.is_entity()) return sign + name(word.as_entity()) + holder + ')';
        const std::string relation = word.relation_index() == 0 ? "_" : name(relation_of(t));
        const std::string target = t.target != no_variable ? std::string("$") + variables[t.target]
                                   : word.is_value_pair()  ? std::to_string(word.number())
                                   : t.asked.target        ? name(t.asked.target)
                                                           : "_";
        return sign + relation + holder + ", " + target + ')';
    }

    /// With the names of today.
    [[nodiscard]] std::string text() const {
        const std::string first = subjects_->text();
        return first + (first.empty() ? "" : ", ") + joined_text_;
    }

    // What single entities say.

    [[nodiscard]] bool holds(const joined_term& t, const answer& a) const {
        if (t.target == no_variable) return in_->shows_plainly(a[t.subject], t.asked) != t.negated;
        return in_->shows_plainly(a[t.subject], {pair(relation_of(t), a[t.target]), a[t.target]}) !=
               t.negated;
    }
    [[nodiscard]] bool satisfies(entity e) const {
        return !in_->is_passed_over(e, mentioned_) && std::ranges::all_of(terms_, [&](const term& t) {
            return query_model::forms<ecs::query<>>[t.form].holds(*in_, t, e, 0);
        });
    }
    [[nodiscard]] std::multiset<answer> tried() const {
        std::multiset<answer> found;
        answer a{};
        try_from(0, a, found);
        return found;
    }
    void try_from(std::size_t depth, answer& a, std::multiset<answer>& found) const {
        if (depth == a.size()) return static_cast<void>(found.insert(a));
        for (const entity e : in_->all()) {
            a[depth] = e;
            if ((depth != 0 || satisfies(e)) && std::ranges::all_of(joined_, [&](const joined_term& t) {
                    return t.depth() != depth || holds(t, a);
                }))
                try_from(depth + 1, a, found);
        }
    }

    // Comparing.

    [[nodiscard]] std::multiset<answer> found() {
        std::multiset<answer> all;
        query_->each([&](const ecs::bindings& b) { all.insert({b.subject(), b["x"], b["y"]}); });
        return all;
    }
    [[nodiscard]] bool is_right_about_subjects(choices& from, const std::multiset<answer>& expected) {
        std::set<entity> subjects;
        for (const answer& a : expected) subjects.insert(a[0]);
        const entity e = from.among(in_->all());
        return std::ranges::equal(query_->entities(), subjects) &&
               query_->contains(e) == subjects.contains(e);
    }
    [[nodiscard]] bool is_right_given(choices& from, std::multiset<answer> expected) {
        const std::size_t which = from.below(variables.size());
        const entity e = from.among(in_->all());
        std::erase_if(expected, [&](const answer& a) { return a[which] != e; });
        query_->set(variables[which], e);
        const std::multiset<answer> all = found();
        query_->unset(variables[which]);
        return all == expected;
    }
    [[nodiscard]] bool everybody_lives() const {
        return std::ranges::all_of(named_, [&](entity e) { return !e || in_->world.alive(e); });
    }
    [[nodiscard]] bool is_right_as_text(const std::multiset<answer>& expected) const {
        ecs::text_query read = in_->world.query(text());
        ecs::text_query again = in_->world.query(read.text());
        return found_by(read) == expected && found_by(again) == expected && again.text() == read.text();
    }
    [[nodiscard]] static std::multiset<answer> found_by(ecs::text_query& query) {
        std::multiset<answer> all;
        query.each([&](const ecs::text_match& m) { all.insert({m.subject(), m["x"], m["y"]}); });
        return all;
    }

    scene* in_;
    std::vector<term> terms_;
    std::vector<joined_term> joined_;
    std::set<id> mentioned_;
    std::set<entity> named_;
    std::optional<ecs::query<>> subjects_; ///< The terms without variables.
    std::string joined_text_;
    std::optional<ecs::joined_query<>> query_;
};

TEST(query_variables, kept_queries_find_what_trying_everything_finds) {
    std::size_t matches = 0;
    EXPECT_TRUE(rc::check("queries with variables find what trying everything finds", [&] {
        const auto any_byte = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint8_t>());
        const auto program = *rc::gen::container<std::vector<std::uint8_t>>(400, any_byte);
        choices from(program);
        scene in(from);
        joined_case one(in, from);
        for (int round = 0; round < 4; ++round) {
            if (const std::string wrong = one.ask(from); !wrong.empty()) RC_FAIL(wrong);
            matches += one.matches();
            for (std::size_t changes = from.below(4); changes != 0; --changes) in.change();
        }
    }));
    EXPECT_GT(matches, 0U);
}

} // namespace
} // namespace query_variables_test
