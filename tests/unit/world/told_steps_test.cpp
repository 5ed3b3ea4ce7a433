// SPDX-License-Identifier: MIT
// Whom a change concerns is looked up once and used for later changes of its kind. Whatever happens between
// two changes, the second one tells those who are to be told then.
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

namespace told_steps_test {
namespace {

using ecs::entity;
using ecs::event;

struct place {
    float x;
};
struct health {
    int value;
};
struct title {
    std::string text;
};
struct likes {
    static constexpr auto properties = ecs::properties(ecs::exclusive);
};
struct marked {};
struct burning {};
struct late {
    static constexpr bool is_event = true;
};

class told_steps : public testing::Test {
  protected:
    void hear(const std::string& what) { heard_.push_back(what); }
    /// What was heard since the last call.
    std::vector<std::string> heard() { return std::exchange(heard_, {}); }
    template <event What, class T> ecs::observer listen(const std::string& name) {
        return world_.observe<What, T>([this, name](entity) { hear(name); });
    }
    using texts = std::vector<std::string>;

    ecs::world world_;
    std::vector<std::string> heard_;
};

TEST_F(told_steps, a_second_move_tells_whoever_has_begun_meanwhile) {
    listen<event::added, health>("first");
    const entity a = world_.spawn(place{1}), b = world_.spawn(place{2});
    world_.set(a, health{1});
    EXPECT_EQ(heard(), texts{"first"});
    listen<event::added, health>("second");
    listen<event::set, health>("written");
    world_.set(b, health{2});
    EXPECT_EQ(heard(), (texts{"first", "second", "written"}));
    listen<event::removed, health>("gone");
    world_.remove<health>(a);
    EXPECT_EQ(heard(), texts{"gone"});
}

TEST_F(told_steps, a_second_move_tells_nobody_who_has_ended) {
    ecs::observer first = listen<event::added, marked>("first");
    ecs::observer second = listen<event::added, marked>("second");
    const entity a = world_.spawn(place{1}), b = world_.spawn(place{2}), c = world_.spawn(place{3});
    world_.add<marked>(a);
    EXPECT_EQ(heard(), (texts{"first", "second"}));
    first.end();
    world_.add<marked>(b);
    EXPECT_EQ(heard(), texts{"second"});
    second.disable();
    world_.add<marked>(c);
    EXPECT_EQ(heard(), texts{});
    second.enable();
    world_.remove<marked>(c);
    world_.add<marked>(c);
    EXPECT_EQ(heard(), texts{"second"});
}

TEST_F(told_steps, an_observer_that_begins_while_something_goes_is_told_of_what_comes_in_the_same_change) {
    const entity bob = world_.spawn(), eve = world_.spawn(), e = world_.spawn(place{1});
    std::optional<ecs::observer> begun;
    world_.observe(event::removed, ecs::pair(world_.component<likes>(), bob), [&](entity) {
        hear("gone");
        if (!begun)
            begun = world_.observe(event::added, ecs::pair(world_.component<likes>(), ecs::any),
                                   [&](entity) { hear("came"); });
    });
    const entity other = world_.spawn(place{2});
    for (const entity each : {e, other}) world_.add<likes>(each, bob);
    world_.add<likes>(e, eve);
    EXPECT_EQ(heard(), (texts{"gone", "came"}));
    world_.add<likes>(other, eve);
    EXPECT_EQ(heard(), (texts{"gone", "came"}));
}

TEST_F(told_steps, an_observer_that_ends_another_one_keeps_it_from_being_told) {
    ecs::observer second;
    world_.observe<event::added, health>([&](entity) {
        hear("first");
        second.end();
    });
    second = listen<event::added, health>("second");
    listen<event::set, health>("written");
    const entity a = world_.spawn(place{1});
    world_.set(a, health{1});
    EXPECT_EQ(heard(), (texts{"first", "written"}));
    world_.set(a, health{2});
    EXPECT_EQ(heard(), texts{"written"});
}

TEST_F(told_steps, an_observer_of_one_entity_is_told_beside_those_of_all) {
    listen<event::set, place>("any");
    const entity a = world_.spawn(place{1}), b = world_.spawn(place{2});
    heard();
    world_.set(a, place{3});
    EXPECT_EQ(heard(), texts{"any"});
    ecs::observer of_one = world_.observe<event::set, place>([&](entity) { hear("one"); }, {.only = b});
    world_.set(a, place{4});
    EXPECT_EQ(heard(), texts{"any"});
    world_.set(b, place{5});
    EXPECT_EQ(heard(), (texts{"any", "one"}));
    of_one.end();
    world_.set(b, place{6});
    EXPECT_EQ(heard(), texts{"any"});
}

TEST_F(told_steps, a_write_gives_the_value_before_it_as_soon_as_somebody_asks) {
    listen<event::set, health>("any");
    const entity a = world_.spawn(health{1});
    world_.set(a, health{2});
    heard();
    world_.observe<event::set, health, ecs::previous<health>>(
        [&](const health& now, const health* before) {
            hear(std::to_string(before ? before->value : -1) + " to " + std::to_string(now.value));
        },
        {.previous = true});
    world_.set(a, health{3});
    world_.patch<health>(a, [](health& h) { h.value = 4; });
    EXPECT_EQ(heard(), (texts{"any", "2 to 3", "any", "3 to 4"}));
}

TEST_F(told_steps, a_query_that_asks_for_changes_sees_writes_and_moves_that_observers_have_heard_before) {
    listen<event::set, health>("written");
    const entity a = world_.spawn(health{1}), b = world_.spawn(place{1});
    world_.set(a, health{2});
    world_.set(b, health{3});
    auto changed = world_.query<ecs::changed<health>>();
    const auto look = [&] {
        int found = 0;
        changed.each([&](entity) { ++found; });
        return found;
    };
    EXPECT_EQ(look(), 2);
    EXPECT_EQ(look(), 0);
    world_.set(a, health{4});
    EXPECT_EQ(look(), 1);
    const entity c = world_.spawn(place{2});
    world_.set(c, health{5});
    world_.patch<health>(b, [](health& h) { ++h.value; });
    EXPECT_EQ(look(), 2);
}

TEST_F(told_steps, a_write_in_a_patch_tells_an_observer_that_the_function_has_begun) {
    listen<event::set, health>("old");
    const entity a = world_.spawn(health{1});
    world_.set(a, health{2});
    heard();
    world_.patch<health>(a, [&](health& h) {
        h.value = 3;
        listen<event::set, health>("new");
    });
    EXPECT_EQ(heard(), (texts{"old", "new"}));
}

TEST_F(told_steps, what_an_observer_throws_reaches_the_caller_and_the_others_are_told) {
    world_.observe<event::added, health>([&](entity) -> void { throw std::runtime_error("full"); });
    listen<event::added, health>("second");
    world_.observe<event::set, health>([&](entity) -> void { throw std::logic_error("worse"); });
    for (int i = 0; i < 2; ++i) {
        const entity a = world_.spawn(place{1});
        EXPECT_THROW(world_.set(a, health{1}), std::runtime_error);
        EXPECT_EQ(heard(), texts{"second"});
        EXPECT_EQ(world_.get<health>(a).value, 1);
        EXPECT_THROW(world_.set(a, health{2}), std::logic_error);
        EXPECT_EQ(world_.get<health>(a).value, 2);
    }
    const entity fresh = world_.spawn(place{2});
    world_.add<marked>(fresh); // The world is open again.
    EXPECT_TRUE(world_.has<marked>(fresh));
}

TEST_F(told_steps, what_an_observer_changes_waits_until_the_move_is_whole) {
    world_.observe<event::added, marked>([&](entity e) {
        EXPECT_EQ(world_.set(e, health{7}), ecs::add_result::deferred);
        EXPECT_FALSE(world_.has<health>(e));
    });
    world_.observe<event::removed, marked>([&](entity e) {
        EXPECT_TRUE(world_.has<marked>(e));
        world_.despawn(e);
        EXPECT_TRUE(world_.alive(e));
    });
    for (int i = 0; i < 3; ++i) {
        const entity a = world_.spawn(place{1});
        world_.add<marked>(a);
        EXPECT_EQ(world_.get<health>(a).value, 7);
        world_.remove<marked>(a);
        EXPECT_FALSE(world_.alive(a));
    }
}

TEST_F(told_steps, values_that_are_more_than_bytes_are_told_in_the_same_way) {
    world_.observe<event::added, title>([&](const title& t) { hear("+" + t.text); });
    world_.observe<event::removed, title>([&](const title& t) { hear("-" + t.text); });
    const std::string long_text = "a text that is too long for the string itself";
    for (int i = 0; i < 2; ++i) {
        const entity a = world_.spawn(place{1});
        world_.set(a, title{long_text});
        world_.set(a, title{"short"});
        world_.remove<title>(a);
        EXPECT_EQ(heard(), (texts{"+" + long_text, "-short"}));
    }
}

TEST_F(told_steps, spawns_and_ends_tell_what_begins_and_ends_meanwhile) {
    ecs::observer first = listen<event::added, health>("came");
    listen<event::removed, health>("gone");
    world_.despawn(world_.spawn(place{1}, health{1}));
    EXPECT_EQ(heard(), (texts{"came", "gone"}));
    listen<event::set, place>("placed");
    world_.observe<event::spawned>([&](entity) { hear("spawned"); });
    const entity a = world_.spawn(place{1}, health{1});
    EXPECT_EQ(heard(), (texts{"spawned", "came", "placed"}));
    first.end();
    world_.observe<event::despawned>([&](entity) { hear("despawned"); });
    const entity b = world_.spawn(place{1}, health{1});
    EXPECT_EQ(heard(), (texts{"spawned", "placed"}));
    world_.despawn(a);
    world_.despawn(b);
    EXPECT_EQ(heard(), (texts{"gone", "despawned", "gone", "despawned"}));
}

TEST_F(told_steps, a_monitor_that_begins_sees_moves_that_were_told_before) {
    listen<event::added, marked>("marked");
    const entity a = world_.spawn(place{1}), b = world_.spawn(place{2});
    world_.add<marked>(a);
    heard();
    world_.monitor<place, marked>([&](entity, bool matches) { hear(matches ? "in" : "out"); });
    world_.add<marked>(b);
    EXPECT_EQ(heard(), (texts{"marked", "in"}));
    world_.remove<marked>(b);
    EXPECT_EQ(heard(), texts{"out"});
}

TEST_F(told_steps, a_monitor_that_begins_while_something_goes_is_told_that_it_has_gone) {
    std::optional<ecs::observer> monitor;
    world_.observe<event::removed, marked>([&](entity) {
        if (!monitor)
            monitor = world_.monitor<marked>([&](entity, bool matches) { hear(matches ? "in" : "out"); },
                                             {.existing = true});
    });
    const entity a = world_.spawn(place{1});
    world_.add<marked>(a);
    world_.remove<marked>(a);
    EXPECT_EQ(heard(), (texts{"in", "out"}));
}

TEST_F(told_steps, going_back_leaves_observers_as_they_are) {
    listen<event::added, marked>("marked");
    const entity a = world_.spawn(place{1});
    world_.add<marked>(a);
    world_.remove<marked>(a);
    const auto before = world_.snapshot();
    world_.add<marked>(a);
    heard();
    world_.rewind(before);
    EXPECT_EQ(heard(), texts{});
    world_.add<marked>(a);
    EXPECT_EQ(heard(), texts{"marked"});
    listen<event::removed, marked>("unmarked");
    world_.remove<marked>(a);
    EXPECT_EQ(heard(), texts{"unmarked"});
}

TEST_F(told_steps, entities_with_disabled_components_are_told_of_as_before) {
    listen<event::added, burning>("burns");
    world_.observe<event::disabled, place>([&](entity) { hear("hidden"); });
    const entity a = world_.spawn(place{1}), b = world_.spawn(place{2});
    world_.add<burning>(a);
    world_.disable<place>(b);
    world_.add<burning>(b);
    EXPECT_EQ(heard(), (texts{"burns", "hidden", "burns"}));
    EXPECT_FALSE(world_.is_enabled<place>(b));
}

TEST_F(told_steps, a_query_that_begins_to_listen_while_something_comes_is_told_of_what_went_with_it) {
    for (const bool beside :
         {false, true}) { // Where one entity is told of apart, nothing is known beforehand.
        ecs::world world;
        ecs::observer other;
        const entity a = world.spawn(place{1}, burning{}), b = world.spawn();
        if (beside) other = world.observe<event::set, health>([](entity) {}, {.only = b});
        int told = 0;
        std::optional<ecs::observer> begun;
        world.observe<event::added, marked>([&](entity) {
            if (!begun)
                begun = world.observe<event::added>(world.query<const place>().without<burning>(),
                                                    [&](const ecs::event_context&, const place&) { ++told; });
        });
        world.edit(a).remove<burning>().add<marked>().commit();
        EXPECT_EQ(told, 1) << beside;
    }
}

TEST_F(told_steps, a_monitor_that_begins_while_something_comes_looks_at_it) {
    std::optional<ecs::observer> monitor;
    world_.observe<event::added, marked>([&](entity) {
        if (!monitor)
            monitor = world_.monitor<marked>([&](entity, bool matches) { hear(matches ? "in" : "out"); });
    });
    const entity a = world_.spawn(place{1});
    world_.add<marked>(a);
    world_.remove<marked>(a);
    EXPECT_EQ(heard(), texts{"out"});
    world_.add<marked>(a);
    EXPECT_EQ(heard(), texts{"in"});
}

TEST_F(told_steps, an_observer_that_begins_in_a_patch_is_told_of_it_whoever_else_listens) {
    const entity a = world_.spawn(health{1});
    std::optional<ecs::observer> begun;
    world_.patch<health>(a, [&](health& h) {
        h.value = 2;
        begun =
            world_.observe<event::set, health>([&](const health& now) { hear(std::to_string(now.value)); });
    });
    EXPECT_EQ(heard(), texts{"2"});
}

TEST_F(told_steps, an_observer_that_begins_in_a_patch_is_told_of_it_though_nobody_was_to_be_told) {
    for (const int way : {0, 1, 2}) { // One value, several, and one that a query looks for.
        ecs::world world;
        std::vector<int> told;
        world.observe<event::added, health>([](entity) {});
        const entity a = world.spawn(place{1}, health{1});
        auto changed = world.query<const health>();
        if (way == 2) std::ignore = changed.where(ecs::changed<health>()).count();
        const auto begin = [&](health& h) {
            h.value = 2;
            world.observe<event::set, health>([&](const health& now) { told.push_back(now.value); });
        };
        if (way == 1)
            world.patch<place, health>(a, [&](place&, health& h) { begin(h); });
        else
            world.patch<health>(a, begin);
        EXPECT_EQ(told, std::vector{2}) << way;
        world.set(a, health{3});
        EXPECT_EQ(told, (std::vector{2, 3})) << way;
    }
}

TEST_F(told_steps, a_monitor_of_what_is_there_tells_of_all_though_its_function_throws) {
    const std::vector<entity> all = world_.spawn_n(3, place{1});
    int told = 0;
    const auto begin = [&] {
        world_.monitor<place>(
            [&](entity, bool) {
                ++told;
                throw std::runtime_error("full");
            },
            {.existing = true});
    };
    EXPECT_THROW(begin(), std::runtime_error);
    EXPECT_EQ(told, 3);
    world_.remove<place>(all[0]);
    EXPECT_EQ(told, 3) << "it has not begun: nobody could end it";
}

TEST_F(told_steps, who_listens_does_not_change_which_identifiers_come_next) {
    std::vector<std::vector<std::uint32_t>> found;
    for (const bool listens : {false, true})
        for (const bool clears : {false, true}) {
            ecs::world world;
            std::ignore =
                std::tuple(world.component<title>(), world.component<place>(), world.component<marked>());
            for (int i = 0; i < 3; ++i) world.spawn(marked{}, title{"a title"});
            for (int i = 0; i < 300; ++i) world.spawn(marked{}, place{1});
            if (listens) world.observe<event::removed, marked>([](entity) {});
            if (clears)
                world.clear();
            else
                world.despawn(world.query<>().with<marked>());
            found.emplace_back();
            for (int i = 0; i < 300; ++i)
                found.back().push_back(static_cast<std::uint32_t>(world.spawn().index()));
        }
    EXPECT_EQ(found[0], found[2]);
    EXPECT_EQ(found[1], found[3]);
}

TEST_F(told_steps, a_loop_that_hides_what_is_above_later_rows_finds_it_missing_there) {
    const entity near = world_.spawn(health{1}), far = world_.spawn(health{2});
    for (const entity parent : {near, far}) world_.spawn(place{1}, ecs::pair(ecs::child_of, parent));
    std::vector<int> seen;
    world_.query<place, ecs::up<const health*>>().each([&](place&, const health* h) {
        seen.push_back(h ? h->value : 0);
        world_.disable<health>(far);
    });
    EXPECT_EQ(seen, (std::vector{1, 0}));
}

TEST_F(told_steps, what_an_observer_holds_may_change_the_world_when_it_ends) {
    struct owner {
        ecs::world* of;
        entity owned;
        ~owner() { of->despawn(owned); }
    };
    listen<event::removed, health>("gone");
    auto held = std::make_shared<owner>(&world_, world_.spawn(health{1}));
    heard();
    ecs::observer once;
    once = world_.observe<event::added, marked>([&once, kept = std::move(held)](entity) { once.end(); });
    world_.add<marked>(world_.spawn());
    EXPECT_EQ(heard(), texts{"gone"});
    world_.add<marked>(world_.spawn());
    EXPECT_EQ(heard(), texts{});
}

TEST_F(told_steps, a_write_of_a_value_that_goes_is_not_told) {
    listen<event::added, marked>("marked"); // Something else of the entity is observed.
    world_.observe<event::removed, health>([&](entity e) {
        world_.patch<health>(e, [](health& h) { ++h.value; });
        hear("gone");
    });
    world_.observe<event::set, health>([&](const health& h) { hear(std::to_string(h.value)); });
    world_.observe(event::set, world_.component<health>(), [&](entity) { hear("set"); });
    const entity a = world_.spawn(health{5}, marked{});
    heard();
    world_.remove<health>(a);
    EXPECT_EQ(heard(), texts{"gone"});
}

TEST_F(told_steps, an_event_that_has_ended_is_told_to_nobody) {
    const entity bell = world_.spawn(), a = world_.spawn();
    world_.observe(bell, [&] { hear("bell"); });
    EXPECT_TRUE(world_.emit(bell, a));
    world_.despawn(bell);
    EXPECT_FALSE(world_.emit(bell, a));
    EXPECT_FALSE(world_.emit(ecs::id{}, a));
    EXPECT_EQ(heard(), texts{"bell"});
}

TEST_F(told_steps, an_event_that_nobody_knew_can_be_emitted_by_an_observer) {
    const entity a = world_.spawn();
    bool told = false;
    world_.observe<event::added, marked>([&](entity e) { told = world_.emit(e, late{}); });
    world_.add<marked>(a);
    EXPECT_TRUE(told);
}

} // namespace
} // namespace told_steps_test
