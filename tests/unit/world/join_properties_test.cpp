// SPDX-License-Identifier: MIT
// Queries with variables find what trying every assignment finds.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
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
using answer = std::array<entity, names.size()>;

/// A world with one relation of each kind, and random terms about it.
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
        for (const term& t : terms_) add(query_, t);
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
        query_.each([&](const ecs::bindings& b) { found.insert({b.subject(), b["x"], b["y"]}); });
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
                    if (holds({s, x, y})) found.insert({s, x, y});
        return found;
    }

  private:
    struct term {
        std::size_t subject;
        entity relation;    ///< Null: the tag.
        std::size_t target; ///< Number of a variable; behind them, a constant.
        entity constant;
        bool negated;
    };

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
        return {next() % names.size(), relation, next() % (names.size() + 1), any_entity(), kind % 7 == 0};
    }

    template <class Query> void add(Query& to, const term& t) const {
        const ecs::variable subject = ecs::var(names[t.subject]);
        const auto both = [&](auto word) { t.negated ? to.without(word, subject) : to.with(word, subject); };
        if (!t.relation)
            both(ecs::id(tag_));
        else if (t.target < names.size())
            both(pair(t.relation, ecs::var(names[t.target])));
        else
            both(pair(t.relation, t.constant));
    }

    [[nodiscard]] bool holds(const answer& a) const {
        if (!std::ranges::all_of(a, [&](entity e) { return shows(e, member_); })) return false;
        return std::ranges::all_of(terms_, [&](const term& t) {
            const entity target = t.target < names.size() ? a[t.target] : t.constant;
            const ecs::id word = t.relation ? pair(t.relation, target) : ecs::id(tag_);
            if (t.relation && t.target == names.size() && !world_.alive(t.constant)) return t.negated;
            return shows(a[t.subject], word) != t.negated;
        });
    }

    /// What is disabled at the entity counts as missing.
    [[nodiscard]] bool shows(entity e, ecs::id word) const {
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
    std::vector<term> terms_;
    ecs::joined_query<> query_ =
        world_.query().with(member_, ecs::var("x")).with(member_, ecs::var("y")).with(member_);
};

TEST(join_properties, join_finds_what_trying_everything_finds) {
    std::size_t answers = 0;
    EXPECT_TRUE(rc::check("a join finds each answer once", [&] {
        const auto bytes =
            *rc::gen::container<std::vector<std::uint8_t>>(160, rc::gen::arbitrary<std::uint8_t>());
        join_case one(bytes);
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
    }));
    EXPECT_GT(answers, 0U);
}

} // namespace
