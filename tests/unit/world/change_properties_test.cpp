// SPDX-License-Identifier: MIT
// A query for changes finds exactly those whose seen value is another than at the last look, when no value is
// ever written twice: their own value or their base's, and those of pairs, wherever they are kept. Only where
// chains of bases change, it may find other heirs, too.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

namespace {

using ecs::entity;

struct number {
    int value = 0;
};
struct apart {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 0;
};
struct likes {
    int value = 0;
};
struct lives_at {
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting);
    int value = 0;
};
struct mark {};

using entities = std::set<entity>;
/// What an entity shows, by what it is the value of: null for its component.
using shown = std::map<entity, int>;

template <class Query> entities look(Query& query) {
    entities found;
    query.each([&](entity e) { found.insert(e); });
    return found;
}

bool has_more(const shown& now, const shown& before) {
    for (const auto& one : now)
        if (const auto known = before.find(one.first); known == before.end() || known->second != one.second)
            return true;
    return false;
}

bool has_other_keys(const shown& now, const shown& before) {
    for (const auto& one : now)
        if (!before.contains(one.first)) return true;
    return false;
}

/// Queries for the changes of one thing, and what everybody showed when they looked last.
template <class Show> class watcher {
  public:
    watcher(ecs::world& of, ecs::id word, bool inherited, Show show)
        : of_(&of),
          changed_(of.query().changed(word)),
          added_(of.query().added(word)),
          removed_(of.query().removed(word)),
          inherited_(inherited),
          show_(show) {}

    /// What is wrong; empty when the queries find what they have to.
    std::string look_again(bool bases_changed) {
        std::map<entity, shown> now;
        for (const entity e : of_->entities()) now[e] = show_(e);
        entities changed, added, removed;
        for (const auto& [e, shows] : now) {
            if (has_more(shows, before_[e])) changed.insert(e);
            if (has_other_keys(shows, before_[e])) added.insert(e);
            if (has_other_keys(before_[e], shows)) removed.insert(e);
        }
        std::string wrong;
        if (const entities found = look(changed_);
            bases_changed ? !is_right(found, changed) : found != changed)
            wrong = "what has changed";
        if (const entities found = look(added_); !inherited_ && found != added) wrong = "what was added";
        if (const entities found = look(removed_); !inherited_ && found != removed)
            wrong = "what was removed";
        before_ = std::move(now);
        return wrong;
    }

  private:
    /// All of those, and of others heirs alone.
    bool is_right(const entities& found, const entities& changed) {
        const entity is_a = of_->lookup("is_a");
        for (const entity e : found)
            if (!changed.contains(e) && of_->targets(e, is_a).empty()) return false;
        return std::ranges::includes(found, changed);
    }

    ecs::world* of_;
    ecs::query<> changed_;
    ecs::query<> added_;
    ecs::query<> removed_;
    bool inherited_;
    Show show_;
    std::map<entity, shown> before_;
};

/// A program of three bytes a step.
class player {
  public:
    std::string play(const std::vector<std::array<std::uint8_t, 3>>& program) {
        const auto of_component = [this]<class T>(std::type_identity<T>) {
            return [this](entity e) {
                const T* const value = world_.try_get<T>(e);
                return value ? shown{{entity{}, value->value}} : shown{};
            };
        };
        const auto of_pairs = [this]<class T>(std::type_identity<T>) {
            return [this](entity e) {
                shown values;
                for (const entity target : world_.targets(e, world_.component<T>()))
                    values[target] = world_.get<T>(e, target).value;
                return values;
            };
        };
        const auto parent = [this](entity e) {
            const entity above = world_.parent(e);
            return above ? shown{{above, 0}} : shown{};
        };
        const ecs::id liking = ecs::pair(world_.component<likes>(), ecs::any);
        const ecs::id living = ecs::pair(world_.component<lives_at>(), ecs::any);
        watcher numbers(world_, world_.component<number>(), true, of_component(std::type_identity<number>{}));
        watcher aparts(world_, world_.component<apart>(), true, of_component(std::type_identity<apart>{}));
        watcher liked(world_, liking, false, of_pairs(std::type_identity<likes>{}));
        watcher homes(world_, living, false, of_pairs(std::type_identity<lives_at>{}));
        watcher parents(world_, ecs::pair(ecs::child_of, ecs::any), false, parent);
        for (const auto& [what, first, second] : program) {
            step(what % 16, first, second);
            const bool bases = what % 16 == 5 || what % 16 == 9;
            const std::string at = " after step " + std::to_string(what % 16);
            if (const std::string wrong = numbers.look_again(bases); !wrong.empty())
                return "number: " + wrong + at;
            if (const std::string wrong = aparts.look_again(bases); !wrong.empty())
                return "apart: " + wrong + at;
            if (const std::string wrong = liked.look_again(bases); !wrong.empty())
                return "likes: " + wrong + at;
            if (const std::string wrong = homes.look_again(bases); !wrong.empty())
                return "lives_at: " + wrong + at;
            if (const std::string wrong = parents.look_again(bases); !wrong.empty())
                return "parent: " + wrong + at;
        }
        return {};
    }

  private:
    void step(int what, std::uint8_t first, std::uint8_t second) {
        const std::vector<entity> all = world_.entities();
        if (what == 0 || all.empty())
            return std::ignore = world_.spawn(number{fresh()}, apart{fresh()}), void();
        const entity e = all[first % all.size()], other = all[second % all.size()];
        switch (what) {
        case 1: std::ignore = world_.spawn(); break;
        case 2: world_.set(e, number{fresh()}); break;
        case 3: world_.set(e, apart{fresh()}); break;
        case 4: second % 2 == 0 ? world_.remove<number>(e) : world_.remove<apart>(e); break;
        case 5: relate(e, ecs::pair(ecs::is_a, other), second); break;
        case 6: world_.set<likes>(e, other, likes{fresh()}); break;
        case 7: world_.set<lives_at>(e, other, lives_at{fresh()}); break;
        case 8: relate(e, ecs::pair(ecs::child_of, other), second); break;
        case 9: world_.despawn(e); break;
        case 10: second % 2 == 0 ? world_.add<mark>(e) : world_.remove<mark>(e); break;
        case 11:
            world_.modify(e, [this](number& n) { n.value = fresh(); });
            world_.modify(e, [this](apart& a) { a.value = fresh(); });
            break;
        case 12: unrelate(e, other); break;
        case 13: write_all(second); break;
        case 14: world_.edit(e).set(number{fresh()}).set(apart{fresh()}); break;
        default: world_.set(e, number{fresh()}, apart{fresh()});
        }
    }

    void relate(entity e, ecs::id word, std::uint8_t byte) {
        std::ignore = byte % 4 == 3 ? world_.remove(e, word) : world_.add(e, word);
    }

    void unrelate(entity e, entity other) {
        world_.remove(e, ecs::pair(world_.component<likes>(), other));
        world_.remove(e, ecs::pair(world_.component<lives_at>(), other));
    }

    void write_all(std::uint8_t byte) {
        switch (byte % 6) {
        case 0: return world_.each([this](number& n) { n.value = fresh(); });
        case 1: return world_.each([this](apart* a) { a ? a->value = fresh() : 0; });
        case 2:
            return world_.query<ecs::pair_of<likes, ecs::wildcard>>().each(
                [this](likes& l) { l.value = fresh(); });
        case 3:
            return world_.query<ecs::pair_of<lives_at, ecs::wildcard>>().each(
                [this](lives_at& l) { l.value = fresh(); });
        case 4: return world_.query<ecs::up<number>>().each([this](number& n) { n.value = fresh(); });
        default:
            return world_.query<number>().with<mark>().each_chunk([this](std::span<number> all) {
                for (number& n : all) n.value = fresh();
            });
        }
    }

    int fresh() { return ++last_; }

    int last_ = 0;
    ecs::world world_;
};

TEST(change_properties, queries_find_exactly_those_who_show_something_new) {
    EXPECT_TRUE(rc::check("a query for changes finds exactly those who show something new",
                          [](const std::vector<std::array<std::uint8_t, 3>>& program) {
                              const std::string wrong = player().play(program);
                              if (!wrong.empty()) RC_FAIL(wrong);
                          }));
}

} // namespace
