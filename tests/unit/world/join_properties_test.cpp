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
        for (std::size_t i = 0; i < 5; ++i) relations_.push_back(world_.spawn());
        world_.add(relations_[1], ecs::symmetric);
        world_.add(relations_[2], ecs::transitive);
        world_.add(relations_[3], ecs::non_fragmenting);
        world_.add(relations_[4], ecs::reflexive);
        for (std::size_t n = next() % 24; n != 0; --n) {
            const entity from = any_entity();
            world_.add(from, pair(any_relation(), any_entity()));
        }
        for (std::size_t n = next() % 4; n != 0; --n) world_.add(any_entity(), tag_);
        for (std::size_t n = 1 + next() % 4; n != 0; --n) terms_.push_back(any_term());
    }

    [[nodiscard]] std::multiset<answer> joined() {
        auto query = world_.query().with(member_, ecs::var("x")).with(member_, ecs::var("y")).with(member_);
        for (const term& t : terms_) add(query, t);
        std::multiset<answer> found;
        query.each([&](const ecs::bindings& b) { found.insert({b.subject(), b["x"], b["y"]}); });
        return found;
    }

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
    entity any_entity() { return all_[next() % all_.size()]; }
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
        return std::ranges::all_of(terms_, [&](const term& t) {
            const entity target = t.target < names.size() ? a[t.target] : t.constant;
            const ecs::id word = t.relation ? pair(t.relation, target) : ecs::id(tag_);
            return world_.has(a[t.subject], word) != t.negated;
        });
    }

    const std::vector<std::uint8_t>& bytes_;
    std::size_t at_ = 0;
    ecs::world world_;
    entity member_ = world_.spawn();
    entity tag_ = world_.spawn();
    std::vector<entity> all_;
    std::vector<entity> relations_;
    std::vector<term> terms_;
};

TEST(join_properties, join_finds_what_trying_everything_finds) {
    std::size_t answers = 0;
    EXPECT_TRUE(rc::check("a join finds each answer once", [&] {
        const auto bytes =
            *rc::gen::container<std::vector<std::uint8_t>>(100, rc::gen::arbitrary<std::uint8_t>());
        join_case one(bytes);
        const auto found = one.joined();
        answers += found.size();
        RC_ASSERT(found == one.tried());
    }));
    EXPECT_GT(answers, 0U);
}

} // namespace
