// SPDX-License-Identifier: MIT
// Memory that runs out while commands are recorded, while they are flushed, and while the world ends: each
// allocation fails once, and again together with all that follow. Nothing is lost: what a flush could not do
// is reported, or done by the next one.
#include "support/replaced_new.hpp"
#include "support/sanitized.hpp"
#include "unit/world/life.hpp"
#include <cstddef>
#include <exception>
#include <gtest/gtest.h>
#include <memory>
#include <new>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;

namespace {

/// How many allocations still succeed, and whether those after the next one do again; nothing: all succeed.
struct memory_left {
    std::optional<std::size_t> allocations;
    bool once = true;
    bool ran_out = false;
};
memory_left memory;

} // namespace

void before_allocation() {
    if (!memory.allocations) return;
    if (*memory.allocations != 0) {
        --*memory.allocations;
        return;
    }
    memory.ran_out = true;
    if (memory.once) memory.allocations.reset();
    throw std::bad_alloc();
}

namespace {

using ecs::child_of;
using ecs::entity;
using ecs::pair;

using owner = counted<0>;
using other_owner = counted<1>;
using late_owner = counted<2>;
using hidden_owner = counted<3>;

struct velocity {
    float x = 0, y = 0;
};
struct frozen {};
struct beside {
    static constexpr auto kept_in = ecs::storage::sparse;
    owner held;
};
struct with_tag {
    static constexpr auto properties = ecs::properties(ecs::with_type<frozen>);
    int value = 0;
};
struct hooked {
    other_owner held;
    static void on_add(ecs::world&, entity, hooked&) { ++added; }
    static void on_remove(ecs::world&, entity, hooked&) { ++removed; }
    static inline int added = 0;
    static inline int removed = 0;
};

int lives() {
    return owner::lives + other_owner::lives + late_owner::lives + hidden_owner::lives + move_only::lives;
}

/// Does something again, with memory, when memory runs out in it.
template <class F> auto insist(F f) {
    try {
        return f();
    } catch (const std::bad_alloc&) {
        memory.allocations.reset();
        return f();
    }
}

/// What a program knows of its world. It has room for all that it will be told.
struct scene {
    ecs::world world;
    entity likes = world.spawn();
    entity parent = world.spawn("parent");
    std::vector<entity> old = world.spawn_n(150, owner{1});
    std::vector<entity> made;
    int called = 0;
    int spawned = 0;
    int came = 0;

    scene() {
        made.reserve(1000);
        world.set(old[0], velocity{}); // From now on the way is known, and many go it together.
        world.remove<velocity>(old[0]);
        for (std::size_t i = 100; i < 110; ++i) world.add(old[i], pair(child_of, parent));
        world.observe(ecs::event::spawned, [this](entity) { ++spawned; });
        world.observe<ecs::event::added, late_owner>([this](entity, late_owner&) { ++came; },
                                                     {.queued = true});
    }
};

void record_spawns(scene& s, ecs::commands& c, const char* text) {
    for (int i = 0; i < 20; ++i) {
        s.made.push_back(insist([&] { return c.spawn(owner{i}, velocity{1, 2}); }));
        s.made.push_back(insist([&] { return c.spawn(move_only{i}); }));
        s.made.push_back(insist([&] { return c.spawn(late_owner{i}, frozen{}); }));
        s.made.push_back(insist([&] { return c.spawn(hooked{}, with_tag{i}); }));
    }
    s.made.push_back(insist([&] { return c.spawn(text, owner{7}, beside{owner{8}}); }));
    for (int i = 0; i < 30; ++i)
        s.made.push_back(insist([&] { return c.spawn(owner{9}, beside{owner{3}}); }));
    for (const entity e : insist([&] { return c.spawn_n(30, other_owner{9}); })) s.made.push_back(e);
}

void record_changes(scene& s, ecs::commands& c) {
    for (std::size_t i = 0; i < 100; ++i) insist([&] { c.set(s.old[i], velocity{1, 1}); });
    for (std::size_t i = 0; i < 100; i += 3) insist([&] { c.set(s.old[i], other_owner{5}); });
    for (std::size_t i = 1; i < 100; i += 3) insist([&] { c.add<frozen>(s.old[i]); });
    for (std::size_t i = 2; i < 100; i += 3) insist([&] { c.remove<owner>(s.old[i]); });
    for (std::size_t i = 110; i < 140; ++i) { // Recorded in turn: nobody hears of the first two,
        insist([&] { c.set(s.old[i], velocity{2, 2}); });
        insist([&] { c.set(s.old[i], other_owner{6}); });
    }
    for (std::size_t i = 110; i < 130; ++i) { // and somebody of the first of these three.
        insist([&] { c.set(s.old[i], late_owner{7}); });
        insist([&] { c.remove<velocity>(s.old[i]); });
        insist([&] { c.set(s.old[i], hidden_owner{8}); });
    }
    for (std::size_t i = 0; i < 10; ++i) {
        insist([&] { c.add(s.old[i], s.likes, s.old[i + 1]); });
        insist([&] { c.add(s.old[i], pair(child_of, s.parent)); });
        insist([&] { c.emplace<late_owner>(s.old[i], 4); });
        insist([&] { c.set(s.old[i], beside{owner{2}}); });
        insist([&] { c.disable<owner>(s.old[i + 20]); });
        insist([&] { c.set_name(s.old[i], "number " + std::to_string(i)); });
        insist([&] { c.patch<owner>(s.old[i + 110], [](owner& o) { o = owner{6}; }); });
        insist([&] { c.despawn(s.old[i + 140]); });
    }
}

/// Two batches: what is spawned last is born after the function.
void record(scene& s) {
    auto first = insist([&] { return s.world.commands(1); });
    auto second = insist([&] { return s.world.commands(0); });
    auto third = insist([&] { return s.world.commands(); });
    record_spawns(s, first, "first");
    record_spawns(s, second, "second");
    record_changes(s, third);
    insist([&] { second.run([&s, kept = hidden_owner{1}](ecs::world&) { s.called += kept.value(); }); });
    s.made.push_back(insist([&] { return second.spawn(hidden_owner{2}, velocity{}); }));
    insist([&] { second.set(s.made.back(), late_owner{3}); });
    insist([&] { second.run([&s](ecs::world&) { s.called += 10; }); });
    s.made.push_back(insist([&] { return second.spawn(hidden_owner{3}); }));
}

/// The commands of which a flush has said what became of them.
std::size_t commands_of(const ecs::flush_report& report) { return report.applied() + report.dropped(); }

/// Flushes until a flush has nothing to say. Returns of whom failures were reported. Counts commands, if
/// asked.
std::set<entity> flush(ecs::world& world, std::size_t* commands = nullptr) {
    std::set<entity> reported;
    std::size_t ignored = 0;
    std::size_t& counted = commands ? *commands : ignored;
    for (;;) {
        try {
            counted += commands_of(world.flush());
            return reported;
        } catch (const std::bad_alloc&) {
            memory.allocations.reset();
        } catch (const ecs::flush_error& e) {
            memory.allocations.reset();
            EXPECT_FALSE(e.failures.empty());
            counted += commands_of(e.report) + e.failures.size();
            for (const ecs::failed_command& f : e.failures) reported.insert(f.subject);
        }
    }
}

template <class T> std::string value_of(ecs::world& world, entity e) {
    const T* const found = world.try_get<T>(e);
    return found ? std::to_string(found->value()) + ' ' : "- ";
}

/// What the world says of an entity.
std::string account_of(scene& s, entity e) {
    ecs::world& world = s.world;
    if (!world.alive(e)) return "ended";
    if (world.ids(e).empty()) return "empty";
    std::string text = value_of<owner>(world, e) + value_of<other_owner>(world, e) +
                       value_of<late_owner>(world, e) + value_of<hidden_owner>(world, e) +
                       value_of<move_only>(world, e);
    if (const auto* const v = world.try_get<velocity>(e)) text += "v" + std::to_string(v->x);
    if (const auto* const b = world.try_get<beside>(e)) text += "b" + std::to_string(b->held.value());
    if (const auto* const t = world.try_get<with_tag>(e)) text += "t" + std::to_string(t->value);
    text += world.has<hooked>(e) ? "hooked " : "";
    text += world.has<frozen>(e) ? "frozen " : "";
    text += world.is_enabled(e, world.component<owner>()) ? "enabled " : "";
    for (const ecs::id relation : {ecs::id(s.likes), ecs::id(child_of)})
        for (const entity to : world.targets(e, relation)) text += "to " + std::to_string(to.index()) + ' ';
    return text + std::string(world.name_of(e));
}

struct outcome {
    std::vector<std::string> accounts;
    std::vector<entity> all;
    std::vector<std::string> strangers; ///< Accounts of entities that nobody has asked for.
    int called, spawned, came, added;
    std::set<entity> reported;
};

outcome outcome_of(scene& s, std::set<entity> reported) {
    outcome found{{}, s.old, {}, s.called, s.spawned, s.came, hooked::added, std::move(reported)};
    found.all.insert(found.all.end(), s.made.begin(), s.made.end());
    for (const entity e : found.all) found.accounts.push_back(account_of(s, e));
    std::set<entity> known(found.all.begin(), found.all.end());
    known.insert({s.likes, s.parent});
    for (const entity e : s.world.entities())
        if (!known.contains(e)) found.strangers.push_back(account_of(s, e));
    return found;
}

/// Whatever is not reported has been done.
void expect_same(const outcome& found, const outcome& expected) {
    ASSERT_EQ(found.accounts.size(), expected.accounts.size());
    for (std::size_t i = 0; i < found.accounts.size(); ++i)
        if (!found.reported.contains(found.all[i])) {
            EXPECT_EQ(found.accounts[i], expected.accounts[i]) << "entity " << i;
        }
    EXPECT_EQ(found.strangers, std::vector<std::string>());
    if (!found.reported.empty()) return;
    EXPECT_EQ(found.called, expected.called);
    EXPECT_EQ(found.spawned, expected.spawned);
    EXPECT_EQ(found.came, expected.came);
    EXPECT_EQ(found.added, expected.added);
}

enum class phase { recording, flushing, ending };

/// Runs the program, and memory runs out at the n-th allocation of a phase.
struct run {
    std::optional<outcome> result;
    bool ran_out;
};
run run_out_of_memory(phase in, std::size_t n, bool once, bool flushes_again) {
    hooked::added = hooked::removed = 0;
    auto s = std::make_unique<scene>();
    const auto arm = [&](phase now) {
        if (now == in) memory = {n, once};
    };
    memory = {};
    arm(phase::recording);
    record(*s);
    if (in == phase::recording) memory.allocations.reset();
    std::optional<outcome> result;
    arm(phase::flushing);
    if (flushes_again) {
        std::set<entity> reported = flush(s->world);
        if (in == phase::flushing) memory.allocations.reset();
        result = outcome_of(*s, std::move(reported));
    } else if (in == phase::flushing) {
        try {
            static_cast<void>(s->world.flush());
        } catch (const std::exception&) { // The world ends as it is.
        }
    }
    arm(phase::ending);
    s.reset();
    memory.allocations.reset();
    return {std::move(result), memory.ran_out};
}

/// Sanitizers are slow, and look for what one allocation in nineteen shows as well.
constexpr std::size_t step = test::is_sanitized ? 19 : 1;

class flush_failures : public testing::TestWithParam<std::tuple<phase, bool>> {};
INSTANTIATE_TEST_SUITE_P(phases, flush_failures,
                         testing::Combine(testing::Values(phase::recording, phase::flushing, phase::ending),
                                          testing::Bool()));

TEST_P(flush_failures, nothing_is_lost_wherever_memory_runs_out) {
    const auto [in, once] = GetParam();
    const outcome expected = *run_out_of_memory(phase::flushing, ~std::size_t{0}, true, true).result;
    ASSERT_EQ(lives(), 0);
    std::size_t n = 0;
    for (bool ran_out = true; ran_out && !testing::Test::HasFailure(); n += step) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        run now = run_out_of_memory(in, n, once, true);
        ran_out = now.ran_out;
        // A spawn that ran out half-way may have been seen to come and go.
        if (in == phase::recording) now.result->spawned = expected.spawned;
        expect_same(*now.result, expected);
        EXPECT_EQ(lives(), 0);
    }
    if (in != phase::ending) EXPECT_GT(n, step) << "the injection works";
    RecordProperty("allocations", static_cast<int>(n));
}

TEST_P(flush_failures, world_that_ends_with_what_was_not_flushed_ends_all_of_it) {
    const auto [in, once] = GetParam();
    std::size_t n = 0;
    for (; !testing::Test::HasFailure(); n += step) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        const bool ran_out = run_out_of_memory(in, n, once, false).ran_out;
        EXPECT_EQ(lives(), 0);
        if (!ran_out) break;
    }
    if (in != phase::ending) EXPECT_GT(n, 0U) << "the injection works";
}

/// A flush has no memory at all, n allocations at a time: each goes a little further than the one before.
TEST(flush_failures, a_large_command_without_memory_leaves_room_for_others) {
    struct large {
        std::byte all[8192];
    };
    ecs::world world;
    const std::vector<entity> all = world.spawn_n(400, velocity{});
    world.component<large>();
    auto commands = world.commands();
    for (int use = 0; use != 3; ++use) { // From the second on, its memory has been used before.
        memory = {.allocations = 0};
        EXPECT_THROW(commands.set(all[0], large{}), std::bad_alloc);
        memory = {};
        for (std::size_t i = 0; i != all.size(); ++i) commands.set(all[i], velocity{float(i), float(use)});
        EXPECT_EQ(world.flush().applied(), all.size());
        for (std::size_t i = 0; i != all.size(); ++i) {
            ASSERT_EQ(world.get<velocity>(all[i]).x, float(i));
            ASSERT_EQ(world.get<velocity>(all[i]).y, float(use));
        }
    }
}

TEST(flush_failures, flushes_that_run_out_again_and_again_do_everything_once) {
    const outcome expected = *run_out_of_memory(phase::flushing, ~std::size_t{0}, true, true).result;
    hooked::added = hooked::removed = 0;
    scene s;
    record(s);
    std::set<entity> reported;
    for (std::size_t n = 0; n < 3000; ++n) {
        memory = {n, false};
        try {
            static_cast<void>(s.world.flush());
            memory = {};
        } catch (const std::bad_alloc&) {
            memory = {};
        } catch (const ecs::flush_error& e) {
            memory = {};
            for (const ecs::failed_command& f : e.failures) reported.insert(f.subject);
        }
    }
    expect_same(outcome_of(s, reported), expected);
}

/// Where nobody is told, many values go to their new table together.
TEST(flush_failures, many_values_are_set_wherever_memory_runs_out) {
    bool ran_out = true;
    std::size_t n = 0;
    for (; ran_out && !testing::Test::HasFailure(); ++n) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        {
            ecs::world world;
            const std::vector<entity> all = world.spawn_n(2000, owner{1});
            world.set(all[0], other_owner{2}); // From now on the way is known.
            world.remove<other_owner>(all[0]);
            auto commands = world.commands();
            for (const entity e : all) commands.set(e, other_owner{3});
            memory = {n, true};
            const std::set<entity> reported = flush(world);
            ran_out = memory.ran_out;
            memory = {};
            for (const entity e : all) {
                ASSERT_EQ(world.get<owner>(e).value(), 1);
                ASSERT_TRUE(reported.contains(e) || world.get<other_owner>(e).value() == 3);
            }
        }
        EXPECT_EQ(lives(), 0);
    }
    EXPECT_GT(n, 1U) << "the injection works";
}

/// The same for tags that come and go, of entities in two tables: each command is made and counted once.
TEST(flush_failures, many_tags_are_added_and_removed_once_wherever_memory_runs_out) {
    struct other_tag {};
    bool ran_out = true;
    std::size_t n = 0;
    for (; ran_out && !testing::Test::HasFailure(); ++n) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        ecs::world world;
        std::vector<entity> all = world.spawn_n(300, owner{1});
        for (const entity e : world.spawn_n(300, owner{1}, velocity{})) all.push_back(e);
        auto commands = world.commands();
        for (const entity e : all) commands.add<frozen>(e);
        for (const entity e : all) commands.add<velocity>(e);
        for (const entity e : all) commands.remove<frozen>(e);
        for (const entity e : all) commands.add<other_tag>(e);
        memory = {n, true};
        std::size_t counted = 0;
        const std::set<entity> reported = flush(world, &counted);
        ran_out = memory.ran_out;
        memory = {};
        EXPECT_EQ(counted, 4 * all.size());
        for (const entity e : all)
            ASSERT_TRUE(reported.contains(e) ||
                        (world.has<velocity>(e) && world.has<other_tag>(e) && !world.has<frozen>(e)));
    }
    EXPECT_GT(n, 1U) << "the injection works";
}

/// The rows fill more than a chunk, and memory stays out while those of the first are taken back.
TEST(flush_failures, entities_of_a_spawn_that_runs_out_for_good_end_at_the_flush) {
    struct plain { // Takes no memory of its own: what runs out is what the spawn itself asks for.
        int value = 0;
    };
    bool ran_out = true;
    std::size_t n = 0;
    for (; ran_out && !testing::Test::HasFailure(); ++n) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        ecs::world world;
        auto commands = world.commands();
        std::size_t made = 0;
        memory = {n, false};
        try {
            made = commands.spawn_n(20'000, plain{1}).size();
        } catch (const std::bad_alloc&) { // None is to be left.
        }
        ran_out = memory.ran_out;
        memory = {};
        static_cast<void>(world.flush());
        EXPECT_EQ(world.query<const plain>().count(), made);
    }
    EXPECT_GT(n, 1U) << "the injection works";
}

/// Each of the two entities is counted by one flush, whichever reports what the one within another has found.
TEST(flush_failures, flush_within_a_flush_loses_nothing_wherever_memory_runs_out) {
    bool ran_out = true;
    std::size_t n = 0;
    for (; ran_out && !testing::Test::HasFailure(); ++n) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        ecs::world world;
        std::size_t spawned = 0;
        auto commands = world.commands();
        commands.run([&](ecs::world& w) {
            auto more = w.commands();
            more.spawn(owner{1});
            more.spawn(other_owner{2});
            memory = {n, true};
            try {
                spawned += w.flush().spawned();
            } catch (const std::bad_alloc&) { // The next flush does the rest.
            }
            ran_out = memory.ran_out;
            memory = {};
        });
        spawned += world.flush().spawned();
        spawned += world.flush().spawned();
        EXPECT_EQ(spawned, 2U);
        EXPECT_EQ(world.query<const owner>().count() + world.query<const other_owner>().count(), 2U);
    }
    EXPECT_GT(n, 1U) << "the injection works";
}

TEST(flush_failures, component_is_registered_although_an_observer_of_that_throws) {
    struct first {
        int value = 0;
    };
    ecs::world world;
    bool throws = true;
    int told = 0;
    world.observe<ecs::event::added, ecs::component_info>([&](entity) {
        ++told;
        if (throws) throw std::bad_alloc();
    });
    EXPECT_THROW(std::ignore = world.component<first>(), std::bad_alloc);
    const ecs::component_description described{.name = "described", .size = 4};
    EXPECT_THROW(std::ignore = world.component(described), std::bad_alloc);
    throws = false;
    const std::size_t components = world.components().size();
    const entity component = world.component<first>();
    EXPECT_TRUE(world.alive(component));
    EXPECT_TRUE(world.alive(world.component(described)));
    EXPECT_EQ(world.components().size(), components);
    EXPECT_EQ(told, 2);
    EXPECT_EQ(world.get<first>(world.spawn(first{3})).value, 3);
}

/// What a system has thrown is reported by the run in which it threw, or lost there: not by the next run.
TEST(flush_failures, failure_of_a_system_is_of_one_run_wherever_memory_runs_out) {
    bool ran_out = true;
    std::size_t n = 0;
    for (; ran_out && !testing::Test::HasFailure(); ++n) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        ecs::world world;
        ecs::schedule schedule;
        bool throws = false;
        int later = 0;
        for (int i = 0; i < 2; ++i)
            schedule.add([&](ecs::commands&) {
                if (throws) throw std::runtime_error("thrown");
            });
        schedule.add([&](ecs::commands&) { ++later; }, {.phase = "later"});
        schedule.run(world, 1);
        throws = true;
        memory = {n, true};
        EXPECT_THROW(schedule.run(world, 1), std::exception);
        ran_out = memory.ran_out;
        memory = {};
        throws = false;
        EXPECT_NO_THROW(schedule.run(world, 1));
        EXPECT_EQ(later, 2);
    }
    EXPECT_GT(n, 1U) << "the injection works";
}

TEST(flush_failures, component_is_registered_or_not_wherever_memory_runs_out) {
    std::size_t n = 0;
    for (bool ran_out = true; ran_out && !testing::Test::HasFailure(); ++n) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        {
            ecs::world world;
            int told = 0;
            world.observe<ecs::event::added, ecs::component_info>([&](entity) { ++told; });
            world.observe(ecs::event::spawned, [](entity) {});
            memory = {n, true};
            try {
                std::ignore = world.component<hooked>();
                std::ignore = world.component<beside>();
            } catch (const std::bad_alloc&) {
                memory.allocations.reset();
            }
            ran_out = !memory.allocations;
            memory.allocations.reset();
            const entity e = world.spawn(hooked{other_owner{1}}, beside{owner{2}});
            EXPECT_EQ(world.get<beside>(e).held.value(), 2);
            EXPECT_LE(told, 2 + world.components().size());
        }
        EXPECT_EQ(lives(), 0);
    }
    EXPECT_GT(n, 1U) << "the injection works";
}

/// Each way to make an entity that has more to do when the row is there.
struct spawning {
    const char* name;
    void (*spawn)(ecs::world&, entity parent);
};
class spawn_failures : public testing::TestWithParam<spawning> {};

struct number {
    int value = 0;
};
struct apart {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 0;
};

INSTANTIATE_TEST_SUITE_P(
    ways, spawn_failures,
    testing::Values(
        spawning{"tag", [](ecs::world& w, entity parent) { std::ignore = w.spawn(number{1}, parent); }},
        spawning{"pair", [](ecs::world& w,
                            entity parent) { std::ignore = w.spawn(number{1}, pair(child_of, parent)); }},
        spawning{"named", [](ecs::world& w, entity) { std::ignore = w.spawn("somebody", number{1}); }},
        spawning{"apart", [](ecs::world& w, entity) { std::ignore = w.spawn(number{1}, apart{2}); }},
        spawning{"prefab", [](ecs::world& w, entity) { std::ignore = w.prefab(number{1}); }},
        spawning{"many", [](ecs::world& w, entity) { std::ignore = w.spawn_n(3, number{1}, apart{2}); }},
        spawning{"children",
                 [](ecs::world& w, entity parent) {
                     std::vector<entity> all(3);
                     w.spawn_children_into(parent, all, number{1}, apart{2});
                 }}),
    [](const auto& way) { return way.param.name; });

/// Memory stays out while what was made is taken back.
TEST_P(spawn_failures, leave_no_entity_behind) {
    bool ran_out = true;
    std::size_t failures = 0;
    for (std::size_t n = 0; ran_out && !testing::Test::HasFailure(); ++n) {
        SCOPED_TRACE("allocation " + std::to_string(n));
        ecs::world world;
        const entity parent = world.spawn(number{});
        std::ignore = world.component<apart>();
        const std::size_t before = world.entities().size();
        memory = {n, false};
        try {
            GetParam().spawn(world, parent);
        } catch (const std::bad_alloc&) {
            memory.allocations.reset();
            ++failures;
            EXPECT_EQ(world.entities().size(), before);
        }
        ran_out = memory.ran_out;
        memory = {};
    }
    EXPECT_GT(failures, 0U) << "the injection works";
}

} // namespace
