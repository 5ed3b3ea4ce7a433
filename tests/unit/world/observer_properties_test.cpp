// SPDX-License-Identifier: MIT
// What observers are told is the whole truth: a mirror that is kept by them alone equals the world.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

namespace observer_properties_test {
namespace {

using ecs::entity;
using ecs::event;

struct number {
    int value = 0;
};
struct mark {};
struct apart {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 0;
};
struct bit {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct likes {};

/// What observers were told. Each addition must be of what was not there, each removal of what was.
class mirror {
  public:
    explicit mirror(ecs::world& of) : of_(&of) {
        of.observe(ecs::event::spawned,
                   [this](entity e) { expect(known_.emplace(e, words{}).second, "spawned twice"); });
        of.observe(ecs::event::despawned, [this](entity e) {
            expect(known_[e].empty(), "ended with something that was not told to go");
            expect(known_.erase(e) == 1, "ended twice");
        });
        of.observe(ecs::event::added, [this](entity e, ecs::id word) {
            if (known_.contains(e)) expect(known_[e].insert(word).second, "added twice");
        });
        of.observe(ecs::event::removed, [this](entity e, ecs::id word) {
            if (known_.contains(e)) expect(known_[e].erase(word) == 1, "removed twice");
        });
        of.observe<event::set, number, apart, ecs::previous<number>, ecs::previous<apart>>(
            [this](entity e, const number& n, const apart& a, const number* before,
                   const apart* apart_before) {
                sets_of_both_.emplace_back(n.value, a.value);
                expect(was_known(numbers_, e, before), "the old value of one of two");
                expect(was_known(aparts_, e, apart_before), "the old value of the other");
                olds_of_both_.emplace_back(before != nullptr, apart_before != nullptr);
            });
        of.observe<event::set, number, ecs::previous<number>>(
            [this](entity e, const number& n, const number* before) {
                expect(is_known(numbers_, e, before), "the old value");
                note(numbers_, e, n.value);
            });
        of.observe<event::set, apart, ecs::previous<apart>>(
            [this](entity e, const apart& a, const apart* before) {
                expect(is_known(aparts_, e, before), "the old value outside tables");
                note(aparts_, e, a.value);
            });
        of.observe<event::removed, number>([this](entity e) { numbers_.erase(e); });
        of.observe<event::removed, apart>([this](entity e) { aparts_.erase(e); });
        of.monitor<number, apart>([this](entity e, bool matches) {
            expect(matches ? matching_.insert(e).second : matching_.erase(e) == 1,
                   "a monitor repeats itself");
        });
    }

    /// What is wrong; empty when the mirror equals the world.
    std::string differences(const std::vector<entity>& all) {
        auto both = of_->query<number, apart>();
        for (const entity e : all) {
            expect(of_->alive(e) == known_.contains(e), "who is alive");
            if (!of_->alive(e)) continue;
            compare(e, all);
            expect(both.contains(e) == matching_.contains(e), "who matches");
        }
        return wrong_;
    }

    /// What was told of those who were given one of the two values and have both.
    std::vector<std::pair<int, int>> sets_of_both() { return std::exchange(sets_of_both_, {}); }
    /// Of which of the two they were told an old value.
    std::vector<std::pair<bool, bool>> olds_of_both() { return std::exchange(olds_of_both_, {}); }

  private:
    using words = std::set<ecs::id>;

    /// The last values that were told, each with the one before it.
    using told_values = std::map<entity, std::pair<int, std::optional<int>>>;

    static void note(told_values& in, entity e, int value) {
        const auto known = in.find(e);
        in[e] = {value, known == in.end() ? std::nullopt : std::optional(known->second.first)};
    }
    /// Whether that is what was told last; null when nothing was.
    template <class T> static bool is_known(const told_values& in, entity e, const T* value) {
        const auto known = in.find(e);
        return known == in.end() ? !value : value && value->value == known->second.first;
    }
    /// The same, or what was told before; null of what was not written.
    template <class T> static bool was_known(const told_values& in, entity e, const T* value) {
        return !value || is_known(in, e, value) || in.at(e).second == value->value;
    }

    void expect(bool holds, const char* what) {
        if (!holds && wrong_.empty()) wrong_ = what;
    }

    void compare(entity e, const std::vector<entity>& all) {
        const words& has = known_[e];
        const auto agrees = [&](ecs::id word) {
            expect(of_->has(e, word) == has.contains(word), "what it has");
        };
        agrees(of_->component<number>());
        agrees(of_->component<mark>());
        agrees(of_->component<apart>());
        agrees(of_->component<bit>());
        for (const entity target : all)
            if (of_->alive(target)) {
                agrees(ecs::pair(of_->component<likes>(), target));
                expect((of_->parent(e) == target) == has_parent(has, target), "whose child it is");
            }
        if (const number* const n = of_->try_get<number>(e)) expect(n->value == numbers_[e].first, "a value");
    }

    static bool has_parent(const words& has, entity target) {
        return std::ranges::any_of(has, [&](const ecs::id word) {
            return word.is_pair() && word.relation_index() == ecs::child_of.index() &&
                   word.target_index() == ecs::id(target).as_entity().index();
        });
    }

    ecs::world* of_;
    std::map<entity, words> known_;
    told_values numbers_;
    told_values aparts_;
    std::set<entity> matching_;
    std::vector<std::pair<int, int>> sets_of_both_;
    std::vector<std::pair<bool, bool>> olds_of_both_;
    std::string wrong_;
};

/// An observer and a monitor that are disabled now and then, each behind one of the same that never is.
class interrupted {
  public:
    explicit interrupted(ecs::world& of) {
        const auto note = [](log& to) {
            return [&to](entity e, const number& n) { to.emplace_back(e, n.value); };
        };
        const auto note_match = [](log& to) {
            return [&to](entity e, bool matches) { to.emplace_back(e, matches ? 1 : 0); };
        };
        of.observe<event::set, number>([this, then = note(expected_)](entity e, const number& n) {
            if (observer_.enabled()) then(e, n);
        });
        observer_ = of.observe<event::set, number>(note(told_));
        of.monitor<number, apart>([this, then = note_match(expected_)](entity e, bool matches) {
            if (monitor_.enabled()) then(e, matches);
        });
        monitor_ = of.monitor<number, apart>(note_match(told_));
    }

    void turn(std::uint8_t byte) {
        ecs::observer& one = byte % 2 == 0 ? observer_ : monitor_;
        one.enabled() ? one.disable() : one.enable();
    }

    bool is_told_what_it_should() const { return told_ == expected_; }

  private:
    using log = std::vector<std::pair<entity, int>>;

    ecs::observer observer_;
    ecs::observer monitor_;
    log expected_;
    log told_;
};

/// What an observer of a query is told, beside what all are told and what a monitor of the query is. Each is
/// gathered for a step: an observer is told once of an operation.
class filtered {
  public:
    explicit filtered(ecs::world& of) : of_(&of) {
        for (const event what : {event::added, event::set, event::removed})
            of.observe(what, [this](const ecs::event_context& o) {
                if (is_term(o.word) && is_satisfied(o.subject)) expected_.emplace(o.subject, o.what);
            });
        const auto query = [&] { return of.query<const number>().without<mark>().any_of<apart, bit>(); };
        of.observe<event::added, event::set, event::removed>(
            query(), [this](const ecs::event_context& o, const number& n) {
                is_sound_ &= is_satisfied(o.subject) && &n == of_->try_get<number>(o.subject);
                told_.emplace(o.subject, o.what);
            });
        of.monitor(query(), [this](entity e, bool matches) {
            if (matches) begun_.insert(e);
        });
    }

    /// Whether all was told, and no more, since it was asked last. Who begins to satisfy the query has got
    /// something, or has lost what it must not have, unless something was hidden or shown.
    bool is_right(bool toggled) {
        const pairs told = std::exchange(told_, {}), expected = std::exchange(expected_, {});
        const std::set<entity> begun = std::exchange(begun_, {});
        const auto is_addition = [&](const auto& one) { return one.second == event::added; };
        const auto is_explained = [&](const auto& one) {
            return expected.contains(one) || (is_addition(one) && begun.contains(one.first));
        };
        const auto is_told = [&](entity e) { return toggled || told.contains({e, event::added}); };
        return is_sound_ && std::ranges::includes(told, expected) &&
               std::ranges::all_of(told, is_explained) && std::ranges::all_of(begun, is_told);
    }

  private:
    using pairs = std::set<std::pair<entity, event>>;

    bool is_term(ecs::id word) const {
        return word == of_->component<number>() || word == of_->component<apart>() ||
               word == of_->component<bit>();
    }
    bool is_satisfied(entity e) const {
        const auto shows = [&]<class T>(std::type_identity<T>) {
            return of_->has<T>(e) && of_->is_enabled<T>(e);
        };
        return shows(std::type_identity<number>()) && !shows(std::type_identity<mark>()) &&
               (shows(std::type_identity<apart>()) || shows(std::type_identity<bit>()));
    }

    ecs::world* of_;
    pairs told_;
    pairs expected_;
    std::set<entity> begun_;
    bool is_sound_ = true;
};

/// What an observer of what is above entities is told, beside what all are told. Who comes below another is
/// told with those below it; of who ends it alone, because those below end, too.
class from_above {
  public:
    explicit from_above(ecs::world& of) : of_(&of) {
        for (const event what : {event::added, event::set, event::removed})
            of.observe(what, [this](const ecs::event_context& o) { note(o); });
        of.observe(event::despawned, [this](entity e) {
            if (way_of_ == e) expected_by_way_.clear();
        });
        of.observe<event::added, event::set, event::removed>(
            of.query<const mark, ecs::up<const number>>(), [this](const ecs::event_context& o) {
                if (o.seen_at != o.subject) told_.emplace_back(o.what, o.subject, o.seen_at);
                told_at_.emplace(o.what, o.seen_at);
            });
        of.monitor(asked_, [this](entity e, bool matches) {
            matches ? static_cast<void>(matching_.insert(e)) : static_cast<void>(matching_.erase(e));
        });
    }

    bool is_right() {
        confirm_way();
        std::ranges::sort(told_);
        std::ranges::sort(expected_);
        lines missing;
        std::ranges::set_difference(expected_, told_, std::back_inserter(missing));
        const bool is_right =
            std::ranges::includes(expected_, told_) && std::ranges::all_of(missing, [&](const auto& line) {
                return told_at_.contains({std::get<0>(line), std::get<2>(line)});
            });
        told_.clear();
        expected_.clear();
        told_at_.clear();
        const std::vector<entity> now = asked_.entities();
        return is_right && matching_ == std::set<entity>(now.begin(), now.end());
    }

  private:
    using lines = std::vector<std::tuple<event, entity, entity>>;

    void note(const ecs::event_context& o) {
        const bool is_way = o.word.is_pair() && of_->relation_of(o.word).index() == ecs::child_of.index();
        if (o.what != event::removed || is_way) confirm_way();
        if (o.word == of_->component<number>()) expect(o.what, o.subject);
        if (is_way && o.what != event::set) expect_by_way(o.what, o.subject);
    }

    /// All whose nearest above, among those who show a number, is the giver.
    void expect(event what, entity giver) {
        of_->each([&](entity e, const mark&) {
            entity at = of_->parent(e);
            while (at && !shows_number(at)) at = of_->parent(at);
            if (at == giver) expected_.emplace_back(what, giver, e);
        });
    }
    /// All who see somebody's number by way of the entity.
    void expect_by_way(event what, entity way) {
        of_->each([&](entity e, const mark&) {
            bool goes_there = e == way;
            entity at = of_->parent(e);
            for (; at && !shows_number(at); at = of_->parent(at)) goes_there |= at == way;
            if (at && goes_there) (e == way ? expected_ : expected_by_way_).emplace_back(what, at, e);
        });
        way_of_ = way;
    }
    /// It has not ended.
    void confirm_way() {
        expected_.insert(expected_.end(), expected_by_way_.begin(), expected_by_way_.end());
        expected_by_way_.clear();
    }
    bool shows_number(entity e) const { return of_->has<number>(e) && of_->is_enabled<number>(e); }

    ecs::world* of_;
    ecs::query<const mark, ecs::up<const number>> asked_ = of_->query<const mark, ecs::up<const number>>();
    std::set<entity> matching_; ///< What a monitor of that says.
    lines told_;
    lines expected_;
    std::set<std::pair<event, entity>> told_at_; ///< Of one operation, it is told once for each entity.
    lines expected_by_way_;                      ///< Of those below the way, unless that turns out to end.
    entity way_of_;
};

/// A program of three bytes a step. Now and then an observer makes steps of its own.
class player {
  public:
    player() {
        mirror_.emplace(world_);
        interrupted_.emplace(world_);
        filtered_.emplace(world_);
        from_above_.emplace(world_);
        world_.observe<event::added, mark>([this](entity e) { world_.set(e, number{-1}); });
        world_.observe<event::removed, bit>([this](entity e) {
            world_.add<mark>(e);
            all_.push_back(world_.spawn(number{7}));
        });
        world_.observe<event::set, apart>([this](entity e, const apart& a) {
            if (a.value % 5 == 4) world_.despawn(e);
        });
    }

    std::string play(const std::vector<std::array<std::uint8_t, 3>>& program) {
        for (const auto& [what, first, second] : program) {
            mirror_->sets_of_both();
            mirror_->olds_of_both();
            step(what % steps, first, second);
            if (std::string wrong = mirror_->differences(all_); !wrong.empty())
                return wrong + " after step " + std::to_string(what % steps);
            if (!filtered_->is_right(what % steps == 15))
                return "what an observer of a query is told, after step " + std::to_string(what % steps);
            if (!from_above_->is_right())
                return "what is told of what is above, after step " + std::to_string(what % steps);
            if (!interrupted_->is_told_what_it_should())
                return "what is told of an observer that was disabled";
            if (!wrong_.empty()) return wrong_;
        }
        return {};
    }

  private:
    static constexpr int steps = 21;

    entity pick(std::uint8_t byte) const { return all_.empty() ? entity{} : all_[byte % all_.size()]; }

    void step(int what, std::uint8_t first, std::uint8_t second) {
        const entity e = pick(first), other = pick(second);
        const ecs::id parent = other ? ecs::pair(ecs::child_of, other) : ecs::id{};
        const ecs::id liking = other ? ecs::pair(world_.component<likes>(), other) : ecs::id{};
        switch (what) {
        case 0: return all_.push_back(world_.spawn(number{second}));
        case 1: return all_.push_back(world_.spawn(apart{second}, mark{}));
        case 2: return static_cast<void>(world_.set(e, number{second}));
        case 3: return static_cast<void>(world_.set(e, apart{second}));
        case 4: return static_cast<void>(world_.add<mark>(e));
        case 5: return static_cast<void>(world_.add<bit>(e));
        case 6: return static_cast<void>(world_.remove<number>(e));
        case 7: return static_cast<void>(world_.remove<apart>(e));
        case 8: return static_cast<void>(world_.remove<bit, mark>(e));
        case 9: return static_cast<void>(world_.despawn(e));
        case 10: return change_pair(e, other, parent, first);
        case 11: return change_pair(e, other, liking, first);
        case 12:
            return static_cast<void>(
                world_.edit(e).set(number{second}).remove<mark>().set(apart{first}).commit());
        case 13: return record(e, second);
        case 14: return world_.alive(e) ? all_.push_back(world_.clone(e)) : void();
        case 15: return hide(e, second);
        case 16: return edit_both(e, first, second);
        case 17: return interrupted_->turn(first);
        case 18: return all_.push_back(world_.spawn(bit{}));
        case 19: return change_pair(e, other, parent, first | 1);
        default: return set_both(e, first, second);
        }
    }

    void hide(entity e, std::uint8_t byte) {
        if (byte % 2 == 0)
            std::ignore = byte % 4 == 0 ? world_.disable<number>(e) : world_.enable<number>(e);
        else
            std::ignore = byte % 4 == 1 ? world_.disable<apart>(e) : world_.enable<apart>(e);
    }

    void set_both(entity e, std::uint8_t first, std::uint8_t second) {
        const std::pair had(world_.has<number>(e), world_.has<apart>(e));
        world_.set(e, number{second}, apart{first});
        require_told_once(e, first, second, had);
    }

    void edit_both(entity e, std::uint8_t first, std::uint8_t second) {
        const std::pair had(world_.has<number>(e), world_.has<apart>(e));
        world_.edit(e).set(number{second}).set(apart{first});
        require_told_once(e, first, second, had);
    }

    /// Whoever gets both values in one operation is told of once, with both of them and with those that it
    /// had.
    void require_told_once(entity e, int apart_value, int number_value, std::pair<bool, bool> had) {
        const auto olds = mirror_->olds_of_both();
        const auto told = mirror_->sets_of_both();
        const auto both = std::ranges::count(told, std::pair(number_value, apart_value));
        if (world_.alive(e) && (both != 1 || told.size() != 1)) wrong_ = "two values were not told of once";
        if (world_.alive(e) && olds != std::vector{had}) wrong_ = "old values were not told";
    }

    void change_pair(entity e, entity other, ecs::id word, std::uint8_t byte) {
        if (!world_.alive(e) || !world_.alive(other)) return;
        std::ignore = byte % 3 == 0 ? world_.remove(e, word) : world_.add(e, word);
    }

    void record(entity e, std::uint8_t byte) {
        ecs::commands commands = world_.commands();
        all_.push_back(commands.spawn(number{byte}, mark{}));
        commands.set(e, number{byte});
        commands.remove<apart>(e);
        world_.flush();
    }

    std::string wrong_;
    std::vector<entity> all_;
    std::optional<mirror> mirror_;
    std::optional<interrupted> interrupted_;
    std::optional<filtered> filtered_;
    std::optional<from_above> from_above_;
    ecs::world world_; ///< Last: its end is told, too.
};

TEST(observer_properties, mirror_kept_by_observers_equals_the_world) {
    EXPECT_TRUE(rc::check("a mirror kept by observers equals the world after every operation",
                          [](const std::vector<std::array<std::uint8_t, 3>>& program) {
                              const std::string wrong = player().play(program);
                              if (!wrong.empty()) RC_FAIL(wrong);
                          }));
}

} // namespace
} // namespace observer_properties_test
