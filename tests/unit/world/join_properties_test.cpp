// SPDX-License-Identifier: MIT
// Queries with variables find what trying every assignment finds.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

namespace {

using ecs::entity;
using ecs::pair;

constexpr std::size_t entities = 6;
constexpr std::array names{"", "x", "y"};

/// What the variables stand for: the names, then "r", which is a relation, "z", which may be nobody, and "w",
/// of which only one of two alternatives speaks.
using answer = std::array<entity, 6>;

/// A world with one relation of each kind, and random terms about it: some must hold, of others one of two,
/// some with a variable for the relation, one may be missing, and one of two may have a variable of its own.
class join_case {
  public:
    explicit join_case(const std::vector<std::uint8_t>& bytes) : bytes_(bytes) {
        for (std::size_t i = 0; i < entities; ++i) world_.add(all_.emplace_back(world_.spawn()), member_);
        for (std::size_t i = 0; i < 7; ++i) relations_.push_back(world_.spawn());
        world_.add(relations_[1], ecs::symmetric);
        world_.add(relations_[2], ecs::transitive);
        world_.add(relations_[3], ecs::non_fragmenting);
        world_.add(relations_[4], ecs::reflexive);
        world_.add(relations_[5], ecs::inheritable);
        for (std::size_t n = next() % 24; n != 0; --n) change();
        for (std::size_t n = 1 + next() % 4; n != 0; --n) terms_.push_back(any_term());
        if (uses_relations_) terms_.push_back(term_for_relation());
        for (const term& t : terms_) query_.with(asked(t));
        for (std::size_t n = next() % 3; n != 0; --n) {
            alternatives_.push_back(any_alternatives());
            query_.where(condition(alternatives_.back()));
        }
        if (next() % 3 == 0) query_.optional(asked(*(optional_ = term_about(nobody))));
        if (next() % 3 == 0) query_.where(condition(*(with_own_ = alternatives_with_own())));
    }

    /// A pair comes or goes, is hidden or shown again, an entity becomes an instance, loses its tag, or ends.
    void change() {
        const entity from = any_entity();
        const ecs::id word = pair(any_relation(), any_entity());
        switch (next() % 16) {
        case 0: world_.remove(from, own_word(from)); break;
        case 1:
        case 7: world_.disable(from, own_word(from)); break;
        case 2: world_.enable(from, own_word(from)); break;
        case 3: world_.add(from, tag_); break;
        case 4: world_.remove(from, tag_); break;
        case 5: world_.add(from, pair(ecs::is_a, any_entity())); break;
        case 6: replace(from); break;
        default: world_.add(from, word); break;
        }
    }

    [[nodiscard]] std::multiset<answer> joined() {
        std::multiset<answer> found;
        query_.each([&](const ecs::bindings& b) {
            found.insert({b.subject(), b["x"], b["y"], uses_relations_ ? b["r"] : entity{},
                          optional_ ? b["z"] : entity{}, with_own_ ? b["w"] : entity{}});
        });
        return found;
    }
    [[nodiscard]] std::size_t counted() { return query_.count(); }
    [[nodiscard]] bool first_is_among(const std::multiset<answer>& found) {
        const auto begins_it = [first = query_.first()](const answer& a) { return a[0] == first; };
        return found.empty() ? query_.empty() : std::ranges::any_of(found, begins_it);
    }

    /// The same with one variable given.
    [[nodiscard]] std::multiset<answer> joined_with_x(entity x) {
        query_.set("x", x);
        std::multiset<answer> found = joined();
        query_.unset("x");
        return found;
    }
    [[nodiscard]] std::multiset<answer> with_x(std::multiset<answer> all, entity x) const {
        std::erase_if(all, [&](const answer& a) { return a[1] != x; });
        return all;
    }
    entity any_entity() { return all_[next() % all_.size()]; }

    [[nodiscard]] std::multiset<answer> tried() const {
        std::multiset<answer> found;
        for (const entity s : all_)
            for (const entity x : all_)
                for (const entity y : all_)
                    for (const entity r : uses_relations_ ? used_relations() : std::vector<entity>(1))
                        if (const answer one{s, x, y, r}; holds(one)) add_with_w(found, one);
        return found;
    }

  private:
    struct term {
        std::size_t subject; ///< Number of a variable; behind them, one entity.
        entity relation;     ///< Null: the tag, unless a variable is the relation.
        std::size_t target;  ///< Number of a variable; behind them, a constant.
        entity constant;
        bool negated;
        bool any_relation; ///< The variable "r" is the relation.
        entity holder;     ///< The one entity.
    };
    /// One of two holds: all of the first, or all of the second.
    using two = std::array<std::vector<term>, 2>;

    static constexpr std::size_t nobody =
        names.size() + 1; ///< The number of the variable that may be missing,
    static constexpr std::size_t of_one = names.size() + 2; ///< and that of the one of one alternative.

    std::uint8_t next() { return at_ < bytes_.size() ? bytes_[at_++] : std::uint8_t{0}; }
    ecs::id own_word(entity e) {
        const std::vector<ecs::id> all = world_.ids(e);
        return all.empty() ? ecs::id(tag_) : all[next() % all.size()];
    }
    void replace(entity e) {
        world_.despawn(e);
        entity& place = *std::ranges::find(all_, e);
        world_.add(place = world_.spawn(), member_);
    }
    entity any_relation() { return relations_[next() % relations_.size()]; }
    term any_term() {
        const std::uint8_t kind = next();
        const entity relation = kind % 5 == 0 ? entity{} : any_relation();
        const std::size_t subject = next() % (names.size() + 1);
        const std::size_t target = next() % (names.size() + 1);
        return {subject,     relation, target, any_entity(), kind % 7 == 0, uses_relations_ && kind % 2 == 0,
                any_entity()};
    }
    term term_for_relation() {
        term made = any_term();
        made.negated = false;
        made.any_relation = true;
        return made;
    }
    /// Whom the subject is related to, if it is.
    term term_about(std::size_t target) {
        const std::size_t subject = next() % (names.size() + 1);
        return {subject, any_relation(), target, {}, false, uses_relations_ && next() % 4 == 0, any_entity()};
    }
    /// The first has a variable of its own, of which it may say more than one thing.
    two alternatives_with_own() {
        two made{{{term_about(of_one)}, {any_term()}}};
        if (next() % 2 != 0) return made;
        made[0].push_back(any_term());
        made[0].back().subject = of_one;
        made[0].back().negated = next() % 2 == 0;
        return made;
    }
    two any_alternatives() {
        two made{{{any_term()}, {any_term()}}};
        if (next() % 2 == 0) made[1].push_back(any_term());
        return made;
    }

    [[nodiscard]] ecs::joined_word asked(const term& t) const {
        const ecs::joined_word word =
            t.subject == names.size() ? word_of(t).of(t.holder) : word_of(t).of(ecs::var(name(t.subject)));
        return t.negated ? !word : word;
    }
    [[nodiscard]] ecs::joined_word word_of(const term& t) const {
        const bool to_variable = t.target != names.size();
        const ecs::variable relation = ecs::var("r");
        const ecs::variable target = ecs::var(to_variable ? name(t.target) : "");
        if (t.any_relation) return to_variable ? pair(relation, target) : pair(relation, t.constant);
        if (!t.relation) return ecs::joined_word(ecs::id(tag_));
        if (to_variable) return pair(t.relation, target);
        return ecs::joined_word(ecs::id(pair(t.relation, t.constant)));
    }
    [[nodiscard]] static const char* name(std::size_t variable) {
        return variable == nobody ? "z" : variable == of_one ? "w" : names.at(variable);
    }
    [[nodiscard]] ecs::joined_condition condition(const two& either) const {
        return all_asked(either[0]) || all_asked(either[1]);
    }
    [[nodiscard]] ecs::joined_condition all_asked(const std::vector<term>& terms) const {
        ecs::joined_condition all = asked(terms.front());
        for (const term& t : std::span(terms).subspan(1)) all = all && asked(t);
        return all;
    }

    /// All relations that somebody has a pair of, whether it shows it or not.
    [[nodiscard]] std::vector<entity> used_relations() const {
        std::set<entity> found;
        for (const entity e : all_)
            for (const ecs::id word : world_.ids(e))
                if (word.is_pair()) found.insert(world_.relation_of(word));
        return {found.begin(), found.end()};
    }

    /// Once for each value for which the first alternative holds or, where there is none, once without if the
    /// second does.
    void add_with_w(std::multiset<answer>& found, answer one) const {
        if (!with_own_) return add_with_z(found, one);
        bool any = false;
        for (const entity w : all_) {
            one[5] = w;
            if (!all_hold(one, with_own_->front())) continue;
            add_with_z(found, one);
            any = true;
        }
        one[5] = {};
        if (!any && all_hold(one, with_own_->back())) add_with_z(found, one);
    }

    /// Once for each that the optional term finds, or once without.
    void add_with_z(std::multiset<answer>& found, answer one) const {
        bool any = false;
        for (const entity z : optional_ ? all_ : std::vector<entity>()) {
            const entity relation = optional_->any_relation ? one[3] : optional_->relation;
            if (!shows(subject_of(one, *optional_), pair(relation, z))) continue;
            one[4] = z;
            found.insert(one);
            any = true;
        }
        if (!any) found.insert(one);
    }

    [[nodiscard]] bool holds(const answer& a) const {
        if (!std::ranges::all_of(std::span(a).first(3), [&](entity e) { return shows(e, member_); }))
            return false;
        const auto one_holds = [&](const two& either) {
            return all_hold(a, either.front()) || all_hold(a, either.back());
        };
        return all_hold(a, terms_) && std::ranges::all_of(alternatives_, one_holds);
    }
    [[nodiscard]] bool all_hold(const answer& a, const std::vector<term>& terms) const {
        return std::ranges::all_of(terms, [&](const term& t) { return holds(a, t); });
    }
    [[nodiscard]] bool holds(const answer& a, const term& t) const {
        const bool is_pair = t.relation || t.any_relation;
        const entity target = t.target == of_one ? a[5] : t.target < names.size() ? a[t.target] : t.constant;
        if (is_pair && t.target == names.size() && !world_.alive(t.constant)) return t.negated;
        const ecs::id word = is_pair ? pair(t.any_relation ? a[3] : t.relation, target) : ecs::id(tag_);
        return shows(subject_of(a, t), word) != t.negated;
    }
    [[nodiscard]] static entity subject_of(const answer& a, const term& t) {
        return t.subject == of_one ? a[5] : t.subject < names.size() ? a[t.subject] : t.holder;
    }

    /// What is disabled at the entity counts as missing.
    [[nodiscard]] bool shows(entity e, ecs::id word) const {
        if (!world_.alive(e)) return false;
        const std::vector<ecs::id> own = world_.ids(e);
        const bool owns = std::ranges::find(own, word) != own.end();
        return world_.has(e, word) && !(owns && !world_.is_enabled(e, word));
    }

    const std::vector<std::uint8_t>& bytes_;
    std::size_t at_ = 0;
    ecs::world world_;
    entity member_ = world_.spawn();
    entity tag_ = world_.spawn();
    std::vector<entity> all_;
    std::vector<entity> relations_;
    bool uses_relations_ = next() % 4 == 0;
    std::vector<term> terms_;
    std::vector<two> alternatives_;
    std::optional<term> optional_;
    std::optional<two> with_own_;
    ecs::joined_query<> query_ =
        world_.query().with(member_, ecs::var("x")).with(member_, ecs::var("y")).with(member_);
};

/// Returns the number of answers.
std::size_t compare_answers() {
    const auto any_byte = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint8_t>());
    const auto bytes = *rc::gen::container<std::vector<std::uint8_t>>(240, any_byte);
    join_case one(bytes);
    std::size_t answers = 0;
    for (int round = 0; round < 4; ++round) { // The query is kept while the world changes.
        const auto found = one.joined();
        answers += found.size();
        RC_ASSERT(found == one.tried());
        RC_ASSERT(one.counted() == found.size());
        RC_ASSERT(one.first_is_among(found));
        const entity x = one.any_entity();
        RC_ASSERT(one.joined_with_x(x) == one.with_x(found, x));
        one.change();
    }
    return answers;
}

TEST(join_properties, join_finds_what_trying_everything_finds) {
    std::size_t answers = 0;
    EXPECT_TRUE(rc::check("a join finds each answer once", [&] {
        for (int worlds = 0; worlds < 10; ++worlds) answers += compare_answers();
    }));
    EXPECT_GT(answers, 0U);
}

/// The numbers of a relation, of who has it, and of whom it leads to: nodes of a world, or variables of a
/// query.
struct edge {
    std::size_t relation;
    std::size_t from;
    std::size_t to;
};

std::vector<edge> some_edges(std::size_t count, std::size_t ends) {
    std::vector<edge> made(count);
    for (edge& e : made)
        e = {*rc::gen::inRange<std::size_t>(0, 4), *rc::gen::inRange<std::size_t>(0, ends),
             *rc::gen::inRange<std::size_t>(0, ends)};
    return made;
}

/// Pairs, and a query about nothing else but a tag of its subject: what is counted of it are lists.
class counted_case {
  public:
    counted_case() {
        world_.add(relations_[2], ecs::non_fragmenting);
        world_.add(relations_[3], ecs::transitive);
        for (const entity e : nodes_)
            if (*rc::gen::inRange(0, 4) != 0) world_.add(e, tag_);
        change();
        for (const edge& e : some_edges(*rc::gen::inRange<std::size_t>(0, 4), variables.size())) with(e);
    }
    void change() {
        for (const edge& e : some_edges(*rc::gen::inRange<std::size_t>(1, 16), nodes_.size()))
            world_.add(nodes_[e.from], pair(relations_[e.relation], nodes_[e.to]));
    }
    [[nodiscard]] std::size_t visited() {
        std::size_t found = 0;
        query_.each([&](const ecs::bindings&) { ++found; });
        return found;
    }
    [[nodiscard]] std::size_t counted() { return query_.count(); }
    void set_a() { query_.set("a", nodes_[*rc::gen::inRange<std::size_t>(0, nodes_.size())]); }

  private:
    static constexpr std::array variables{"this", "a", "b", "c"};

    void with(const edge& e) {
        query_.with(pair(relations_[e.relation], ecs::var(variables[e.to])), ecs::var(variables[e.from]));
    }
    [[nodiscard]] std::vector<entity> some_entities(std::size_t count) {
        std::vector<entity> made(count);
        for (entity& e : made) e = world_.spawn();
        return made;
    }

    ecs::world world_;
    entity tag_ = world_.spawn();
    std::vector<entity> relations_ = some_entities(4);
    std::vector<entity> nodes_ = some_entities(6);
    ecs::joined_query<> query_ = world_.query().with(tag_).with(pair(relations_[0], ecs::var("a")));
};

/// Returns the number of answers.
std::size_t compare_counts() {
    counted_case one;
    std::size_t answers = 0;
    for (int round = 0; round < 3; ++round) {
        const std::size_t found = one.visited();
        answers += found;
        RC_ASSERT(one.counted() == found);
        one.change();
        if (round == 1) one.set_a();
    }
    return answers;
}

TEST(join_properties, counting_finds_as_many_as_visiting) {
    std::size_t answers = 0;
    EXPECT_TRUE(rc::check("as many answers are counted as are visited", [&] {
        for (int queries = 0; queries < 10; ++queries) answers += compare_counts();
    }));
    EXPECT_GT(answers, 0U);
}

} // namespace
