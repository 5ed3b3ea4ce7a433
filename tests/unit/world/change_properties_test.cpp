// SPDX-License-Identifier: MIT
// A query for changes finds exactly those whose seen value is another than at the last look, when no value is
// ever written twice: their own value or their base's, and those of pairs, wherever they are kept. Only where
// chains of bases change, it may find other heirs, too.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

namespace change_properties_test {
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
    return std::ranges::any_of(now, [&](const auto& one) {
        const auto known = before.find(one.first);
        return known == before.end() || known->second != one.second;
    });
}

bool has_other_keys(const shown& now, const shown& before) {
    return std::ranges::any_of(now, [&](const auto& one) { return !before.contains(one.first); });
}

/// Two queries for who has got or lost one thing itself, and who did since they looked last.
class owner_watcher {
  public:
    owner_watcher(ecs::world& of, ecs::id word)
        : added_(of.query().added(word)), removed_(of.query().removed(word)) {}

    /// What everybody has itself now. Who has ended is not found.
    void note(const std::map<entity, shown>& now) {
        const auto has_ended = [&](entity e) { return !now.contains(e); };
        std::erase_if(lost_, has_ended);
        std::erase_if(got_, has_ended);
        for (const auto& [e, owned] : now) {
            if (has_other_keys(owned, before_[e])) got_.insert(e);
            if (has_other_keys(before_[e], owned)) lost_.insert(e);
            if (owned.empty()) got_.erase(e);
        }
        before_ = now;
    }

    /// What is wrong; empty when the queries find what they have to.
    std::string look_again() {
        if (look(added_) != std::exchange(got_, {})) return "what was added";
        if (look(removed_) != std::exchange(lost_, {})) return "what was removed";
        return {};
    }

  private:
    ecs::query<> added_;
    ecs::query<> removed_;
    std::map<entity, shown> before_;
    entities got_;
    entities lost_;
};

/// Queries for the changes of one thing, and what everybody showed when they looked last.
class watcher {
  public:
    using look_at = std::function<shown(entity)>;

    watcher(ecs::world& of, std::string what, ecs::id word, look_at show, look_at own)
        : of_(&of),
          what_(std::move(what)),
          changed_(of.query().changed(word)),
          owners_(of, word),
          patient_owners_(of, word),
          show_(std::move(show)),
          own_(std::move(own)) {}

    /// What is wrong; empty when the queries find what they have to. Some queries look seldom.
    std::string look_again(bool bases_changed, bool seldom) {
        std::string wrong = look_for_changes(bases_changed);
        std::map<entity, shown> owned;
        for (const entity e : of_->entities()) owned[e] = own_(e);
        owners_.note(owned);
        patient_owners_.note(owned);
        if (wrong.empty()) wrong = owners_.look_again();
        if (wrong.empty() && seldom) wrong = patient_owners_.look_again();
        return wrong.empty() ? wrong : what_ + ": " + wrong;
    }

  private:
    std::string look_for_changes(bool bases_changed) {
        std::map<entity, shown> now;
        for (const entity e : of_->entities()) now[e] = show_(e);
        entities changed;
        for (const auto& [e, shows] : now)
            if (has_more(shows, before_[e])) changed.insert(e);
        before_ = std::move(now);
        const entities found = look(changed_);
        const bool is_well = bases_changed ? is_right(found, changed) : found == changed;
        return is_well ? "" : "what has changed";
    }

    /// All of those, and of others heirs alone.
    bool is_right(const entities& found, const entities& changed) {
        const entity is_a = of_->lookup("is_a");
        for (const entity e : found)
            if (!changed.contains(e) && of_->targets(e, is_a).empty()) return false;
        return std::ranges::includes(found, changed);
    }

    ecs::world* of_;
    std::string what_;
    ecs::query<> changed_;
    owner_watcher owners_;
    owner_watcher patient_owners_;
    look_at show_;
    look_at own_;
    std::map<entity, shown> before_;
};

/// A program of three bytes a step.
class player {
  public:
    player() {
        watch_component<number>("number");
        watch_component<apart>("apart");
        watch("likes", ecs::pair(world_.component<likes>(), ecs::any),
              [this](entity e) { return values_of_pairs<likes>(e); });
        watch("lives_at", ecs::pair(world_.component<lives_at>(), ecs::any),
              [this](entity e) { return values_of_pairs<lives_at>(e); });
        watch("parent", ecs::pair(ecs::child_of, ecs::any), [this](entity e) {
            const entity above = world_.parent(e);
            return above ? shown{{above, 0}} : shown{};
        });
    }

    std::string play(const std::vector<std::array<std::uint8_t, 3>>& program) {
        for (const auto& [what, first, second] : program) {
            step(what % 16, first, second);
            const bool bases_changed = what % 16 == 5 || what % 16 == 9;
            for (watcher& w : watchers_)
                if (const std::string wrong = w.look_again(bases_changed, what >= 240); !wrong.empty())
                    return wrong + " after step " + std::to_string(what % 16);
        }
        return {};
    }

  private:
    void watch(const char* what, ecs::id word, const watcher::look_at& show) {
        watchers_.emplace_back(world_, what, word, show, show);
    }
    template <class T> void watch_component(const char* what) {
        watchers_.emplace_back(
            world_, what, world_.component<T>(), [this](entity e) { return value_of<T>(e); },
            [this](entity e) { return world_.owns<T>(e) ? value_of<T>(e) : shown{}; });
    }

    template <class T> shown value_of(entity e) {
        const T* const value = world_.try_get<T>(e);
        return value ? shown{{entity{}, value->value}} : shown{};
    }

    template <class T> shown values_of_pairs(entity e) {
        shown values;
        for (const entity target : world_.targets(e, world_.component<T>()))
            values[target] = world_.get<T>(e, target).value;
        return values;
    }

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
    std::vector<watcher> watchers_;
};

TEST(change_properties, queries_find_exactly_those_who_show_something_new) {
    EXPECT_TRUE(rc::check("a query for changes finds exactly those who show something new",
                          [](const std::vector<std::array<std::uint8_t, 3>>& program) {
                              const std::string wrong = player().play(program);
                              if (!wrong.empty()) RC_FAIL(wrong);
                          }));
}

} // namespace
} // namespace change_properties_test
