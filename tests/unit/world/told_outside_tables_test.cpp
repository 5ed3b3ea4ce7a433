// SPDX-License-Identifier: MIT
// What is kept outside tables comes and goes by a short way where all that is told of it is known. The same
// is told by the long way, which a monitor makes the world take.
#include <functional>
#include <gtest/gtest.h>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

namespace told_outside_tables_test {
namespace {

using ecs::entity;
using ecs::event;

struct in_table {
    int value = 1;
};
struct in_set {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 1;
};
struct beside_rows {
    static constexpr auto kept_in = ecs::storage::in_place;
    int value = 1;
};
/// More than bytes.
struct counted {
    static constexpr auto kept_in = ecs::storage::sparse;
    static inline int alive = 0;
    int value = 1;
    counted() { ++alive; }
    explicit counted(int of) : value(of) { ++alive; }
    counted(const counted& from) : value(from.value) { ++alive; }
    counted(counted&& from) noexcept : value(from.value) { ++alive; }
    counted& operator=(const counted&) = default;
    counted& operator=(counted&&) = default;
    ~counted() { --alive; }
};
struct marked {};
struct base {};

using texts = std::vector<std::string>;

/// A world in which what is told is written down. With a monitor nothing is known beforehand.
template <class T> class scene {
  public:
    explicit scene(bool monitored) {
        if (monitored) world.monitor<base>([](entity, bool) {});
    }

    void hear(std::string what) { heard_.push_back(std::move(what)); }
    texts heard() { return std::exchange(heard_, {}); }
    template <event What> ecs::observer listen(const std::string& name) {
        return world.observe<What, const T>(
            [this, name](entity e, const T& t) { hear(name + std::to_string(t.value) + state_of(e)); });
    }

    ecs::world world;

  private:
    /// Whether the entity has the component now, and shows it.
    std::string state_of(entity e) {
        return !world.has<T>(e) ? " absent" : world.is_enabled<T>(e) ? "" : " hidden";
    }

    texts heard_;
};

template <class T> struct told_outside_tables : testing::Test {
    /// Plays the same with and without the short way, and returns what was told.
    template <class Play> texts told_by(const Play& play) {
        texts told[2];
        for (const bool monitored : {false, true}) {
            scene<T> s(monitored);
            play(s);
            told[monitored ? 1 : 0] = s.heard();
        }
        EXPECT_EQ(told[0], told[1]);
        return told[0];
    }
};
using kinds = testing::Types<in_table, in_set, beside_rows, counted>;
TYPED_TEST_SUITE(told_outside_tables, kinds, );

TYPED_TEST(told_outside_tables, all_is_told_that_comes_is_written_and_goes) {
    const texts told = this->told_by([](auto& s) {
        s.template listen<event::added>("+");
        s.template listen<event::set>("=");
        s.template listen<event::removed>("-");
        const entity e = s.world.spawn(marked{});
        for (const int value : {2, 3}) {
            s.world.set(e, TypeParam{value});
            s.world.template remove<TypeParam>(e);
        }
        s.world.template add<TypeParam>(e);
        EXPECT_EQ(s.world.template remove<TypeParam>(s.world.spawn()), ecs::add_result::not_there);
        s.world.despawn(e);
        EXPECT_EQ(s.world.set(e, TypeParam{4}), ecs::add_result::not_alive);
        EXPECT_EQ(s.world.template remove<TypeParam>(e), ecs::add_result::not_alive);
    });
    EXPECT_EQ(told, (texts{"+2", "=2", "-2", "+3", "=3", "-3", "+1", "-1"}));
}

TYPED_TEST(told_outside_tables, a_value_that_is_there_is_written_over) {
    const texts told = this->told_by([](auto& s) {
        s.template listen<event::added>("+");
        s.template listen<event::set>("=");
        s.world.template observe<event::set, const marked>([&](entity) { s.hear("another"); });
        const entity e = s.world.spawn(TypeParam{1}), other = s.world.spawn(TypeParam{1});
        s.heard();
        EXPECT_EQ(s.world.set(e, TypeParam{2}), ecs::add_result::already_there);
        s.world.template disable<TypeParam>(e);
        EXPECT_EQ(s.world.set(e, TypeParam{3}), ecs::add_result::already_there);
        EXPECT_EQ(s.world.template get<TypeParam>(e).value, 3);
        s.world.template enable<TypeParam>(e);
        EXPECT_EQ(s.world.set(e, TypeParam{4}), ecs::add_result::already_there);
        EXPECT_EQ(s.world.template get<TypeParam>(other).value, 1);
    });
    EXPECT_EQ(told, (texts{"=2", "=3 hidden", "=4"}));
}

TYPED_TEST(told_outside_tables, the_value_before_a_write_is_told_to_those_who_ask_for_it) {
    const texts told = this->told_by([](auto& s) {
        s.world.template observe<event::set, const TypeParam, ecs::previous<TypeParam>>(
            [&](const TypeParam& now, const TypeParam* before) {
                s.hear((before ? std::to_string(before->value) : "none") + " " + std::to_string(now.value));
            });
        s.template listen<event::set>("=");
        const entity e = s.world.spawn();
        for (const int value : {1, 2, 3}) s.world.set(e, TypeParam{value});
    });
    EXPECT_EQ(told, (texts{"none 1", "=1", "1 2", "=2", "2 3", "=3"}));
}

TYPED_TEST(told_outside_tables, a_write_is_whole_before_what_observers_ask_for) {
    const texts told = this->told_by([](auto& s) {
        const entity e = s.world.spawn(TypeParam{1});
        ecs::observer ended;
        s.world.template observe<event::set, const TypeParam>([&](entity of, const TypeParam& t) {
            ended.end();
            if (t.value < 4) EXPECT_EQ(s.world.set(of, TypeParam{t.value + 1}), ecs::add_result::deferred);
            EXPECT_EQ(s.world.template get<TypeParam>(of).value, t.value);
            if (t.value == 4) throw std::runtime_error("four");
        });
        ended = s.template listen<event::set>("never");
        s.template listen<event::set>("=");
        EXPECT_THROW(s.world.set(e, TypeParam{2}), std::runtime_error);
        EXPECT_EQ(s.world.template get<TypeParam>(e).value, 4);
        EXPECT_EQ(s.world.set(e, TypeParam{5}), ecs::add_result::already_there);
    });
    EXPECT_EQ(told, (texts{"=2", "=3", "=4", "=5"}));
}

TYPED_TEST(told_outside_tables, a_write_to_a_base_is_told_of_the_base) {
    const texts told = this->told_by([](auto& s) {
        s.template listen<event::set>("=");
        auto changed = s.world.query().template changed<TypeParam>();
        const entity prefab = s.world.prefab(TypeParam{1});
        const entity e = s.world.spawn(ecs::pair(ecs::is_a, prefab));
        s.heard();
        s.world.set(prefab, TypeParam{2});
        s.world.set(e, TypeParam{3});
        s.world.set(e, TypeParam{4});
        int found = 0;
        changed.each([&](entity) { ++found; });
        EXPECT_EQ(found, 1);
    });
    EXPECT_EQ(told, (texts{"=2", "=3", "=4"}));
}

TYPED_TEST(told_outside_tables, an_observer_that_begins_in_the_midst_is_told_of_what_follows) {
    const texts told = this->told_by([](auto& s) {
        std::optional<ecs::observer> begun;
        s.world.template observe<event::added, const TypeParam>([&](const TypeParam&) {
            s.hear("first");
            if (!begun) begun = s.template listen<event::set>("=");
        });
        const entity a = s.world.spawn(), b = s.world.spawn();
        s.world.set(a, TypeParam{5});
        s.world.set(b, TypeParam{6});
    });
    EXPECT_EQ(told, (texts{"first", "=5", "first", "=6"}));
}

TYPED_TEST(told_outside_tables, an_observer_that_is_ended_in_the_midst_is_told_nothing_more) {
    const texts told = this->told_by([](auto& s) {
        ecs::observer second;
        s.world.template observe<event::added, const TypeParam>([&](const TypeParam&) {
            s.hear("first");
            second.end();
        });
        second = s.template listen<event::set>("=");
        s.world.set(s.world.spawn(), TypeParam{7});
        s.world.set(s.world.spawn(), TypeParam{8});
    });
    EXPECT_EQ(told, (texts{"first", "first"}));
}

TYPED_TEST(told_outside_tables, what_an_observer_throws_is_thrown_when_the_others_have_been_told) {
    this->told_by([](auto& s) {
        s.world.template observe<event::added, const TypeParam>(
            [](const TypeParam&) -> void { throw std::runtime_error("came"); });
        s.template listen<event::added>("+");
        s.world.template observe<event::removed, const TypeParam>(
            [](const TypeParam&) -> void { throw std::logic_error("goes"); });
        s.template listen<event::removed>("-");
        const entity e = s.world.spawn();
        for (int i = 0; i < 2; ++i) {
            EXPECT_THROW(s.world.set(e, TypeParam{9}), std::runtime_error);
            EXPECT_EQ(s.world.template get<TypeParam>(e).value, 9);
            EXPECT_THROW(s.world.template remove<TypeParam>(e), std::logic_error);
            EXPECT_FALSE(s.world.template has<TypeParam>(e));
        }
        EXPECT_EQ(s.world.template add<marked>(e), ecs::add_result::added); // The world is open again.
    });
}

TYPED_TEST(told_outside_tables, what_an_observer_changes_waits_until_the_change_is_whole) {
    const texts told = this->told_by([](auto& s) {
        s.template listen<event::set>("=");
        s.world.template observe<event::added, const TypeParam>([&](entity e, const TypeParam&) {
            EXPECT_EQ(s.world.template remove<TypeParam>(e), ecs::add_result::deferred);
            EXPECT_EQ(s.world.set(e, TypeParam{11}), ecs::add_result::deferred);
            EXPECT_TRUE(s.world.template has<TypeParam>(e));
        });
        s.world.template observe<event::removed, const TypeParam>([&](entity e, const TypeParam& t) {
            s.hear("-" + std::to_string(t.value));
            if (t.value == 11) EXPECT_TRUE(s.world.despawn(e));
        });
        const entity e = s.world.spawn();
        s.world.set(e, TypeParam{10});
        EXPECT_FALSE(s.world.alive(e));
    });
    ASSERT_GE(told.size(), 3U);
    EXPECT_EQ((texts{told[0], told[1], told[2]}), (texts{"=10", "-10", "=11"}));
}

TYPED_TEST(told_outside_tables, what_is_hidden_goes_as_what_shows) {
    const texts told = this->told_by([](auto& s) {
        s.world.observe(event::removed, s.world.template component<TypeParam>(),
                        [&](entity) { s.hear("-"); });
        s.world.template observe<event::disabled, const TypeParam>([&](entity) { s.hear("off"); });
        const entity e = s.world.spawn(TypeParam{12});
        s.world.template disable<TypeParam>(e);
        s.world.template remove<TypeParam>(e);
        s.world.set(e, TypeParam{13});
        EXPECT_TRUE(s.world.template is_enabled<TypeParam>(e));
    });
    EXPECT_EQ(told, (texts{"off", "-"}));
}

TYPED_TEST(told_outside_tables, queries_see_what_has_been_told) {
    this->told_by([](auto& s) {
        s.template listen<event::added>("+");
        const entity e = s.world.spawn();
        s.world.set(e, TypeParam{14});
        s.world.template remove<TypeParam>(e);
        auto added = s.world.query().template added<TypeParam>();
        auto removed = s.world.query().template removed<TypeParam>();
        const auto count = [](auto& query) {
            int found = 0;
            query.each([&](entity) { ++found; });
            return found;
        };
        EXPECT_EQ(count(added), 0);
        s.world.set(e, TypeParam{15});
        EXPECT_EQ(count(added), 1);
        EXPECT_EQ(count(removed), 0);
        s.world.template remove<TypeParam>(e);
        EXPECT_EQ(count(removed), 1);
    });
}

TYPED_TEST(told_outside_tables, instances_follow_their_base) {
    const texts told = this->told_by([](auto& s) {
        s.template listen<event::added>("+");
        s.template listen<event::removed>("-");
        const entity prefab = s.world.prefab(marked{});
        const entity e = s.world.spawn(ecs::pair(ecs::is_a, prefab));
        s.world.set(prefab, TypeParam{16});
        EXPECT_EQ(s.world.template get<TypeParam>(e).value, 16);
        s.world.set(e, TypeParam{17});
        s.world.template remove<TypeParam>(e);
        EXPECT_EQ(s.world.template get<TypeParam>(e).value, 16);
        s.world.template remove<TypeParam>(prefab);
        EXPECT_FALSE(s.world.template has<TypeParam>(e));
    });
    EXPECT_EQ(told, (texts{"+16", "+17", "-17", "-16"}));
}

TYPED_TEST(told_outside_tables, a_loop_refuses_it_as_without_observers) {
    this->told_by([](auto& s) {
        s.template listen<event::added>("+");
        const entity e = s.world.spawn(marked{});
        s.world.set(e, TypeParam{18});
        s.world.template remove<TypeParam>(e);
        s.world.each([&](entity other, const marked&) {
            EXPECT_THROW(s.world.set(other, TypeParam{19}), ecs::iteration_error);
            EXPECT_THROW(s.world.template remove<TypeParam>(other), ecs::iteration_error);
        });
        EXPECT_FALSE(s.world.template has<TypeParam>(e));
    });
}

TYPED_TEST(told_outside_tables, going_back_leaves_observers_as_they_are) {
    const texts told = this->told_by([](auto& s) {
        s.template listen<event::added>("+");
        const entity e = s.world.spawn();
        s.world.set(e, TypeParam{20});
        s.world.template remove<TypeParam>(e);
        const auto before = s.world.snapshot();
        s.world.set(e, TypeParam{21});
        s.world.rewind(before);
        s.template listen<event::removed>("-");
        s.world.set(e, TypeParam{22});
        s.world.template remove<TypeParam>(e);
    });
    EXPECT_EQ(told, (texts{"+20", "+21", "+22", "-22"}));
}

TEST(told_outside_tables_of_objects, every_value_ends_once) {
    ASSERT_EQ(counted::alive, 0);
    {
        ecs::world world;
        world.observe<event::added, const counted>([](const counted&) {});
        world.observe<event::removed, const counted>([](const counted&) {});
        const entity e = world.spawn();
        for (int i = 0; i < 3; ++i) {
            world.set(e, counted{i});
            EXPECT_EQ(counted::alive, 1);
            world.remove<counted>(e);
            EXPECT_EQ(counted::alive, 0);
        }
        world.set(e, counted{4});
    }
    EXPECT_EQ(counted::alive, 0);
}

} // namespace
} // namespace told_outside_tables_test
