// SPDX-License-Identifier: MIT
// Wherever a component is kept, its hooks, observers and monitors are told the same: each program is played
// with the same component in tables, in a sparse set, as bits and in place.
#include <algorithm>
#include <cstddef>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

namespace storages_test {
namespace {

using ecs::child_of;
using ecs::entity;
using ecs::event;
using ecs::is_a;
using ecs::pair;

std::vector<std::string> told;

void note(std::string_view what, entity e, int amount = 0) {
    told.push_back(std::to_string(e.index()) + " " + std::string(what) + " " + std::to_string(amount));
}

/// Components without values, with hooks and without, and one with values.
template <ecs::storage Kept> struct plain {
    static constexpr auto kept_in = Kept;
};
template <ecs::storage Kept> struct mark {
    static constexpr auto kept_in = Kept;
    static void on_add(ecs::world&, entity e) { note("hook: added", e); }
    static void on_remove(ecs::world&, entity e) { note("hook: removed", e); }
};
template <ecs::storage Kept> struct load {
    static constexpr auto kept_in = Kept;
    static void on_add(ecs::world&, entity e, load& l) { note("hook: added", e, l.amount); }
    static void on_set(ecs::world&, entity e, load& l) { note("hook: set", e, l.amount); }
    static void on_remove(ecs::world&, entity e, load& l) { note("hook: removed", e, l.amount); }
    int amount = 7;
};
struct other {
    int value = 0;
};
struct holds {};

/// Who watches besides the hooks: what only one of them has to be told is told, too.
enum class watchers : unsigned char { none, of_ends, of_everything, monitors, all };

/// What a program has to do with.
template <class T> struct scene {
    ecs::world world;
    // In this order, whatever T is, for identifiers leave an entity that ends in the order of their words.
    entity its_neighbour = world.component<other>();
    entity own = world.component<T>();
    entity a = world.spawn("a", T{}, other{1});
    entity b = world.spawn("b", T{});
    entity below_a = world.spawn("below", T{});
    entity owned = world.spawn(T{}, other{2});
    entity bare = world.spawn();
    entity holder = world.component<holds>();

    scene() {
        world.add(below_a, pair(child_of, a));
        world.add(holder, pair(ecs::on_delete_target, ecs::delete_it));
        world.add(owned, pair(holder, b));
    }

    void watch(watchers who, const ecs::observer_options& how) {
        if (who == watchers::of_ends || who == watchers::all) observe_ends(how);
        if (who == watchers::of_everything || who == watchers::all) observe_everything(how);
        if (who == watchers::monitors || who == watchers::all) monitor(how);
        if (who == watchers::all) observe_the_rest(how);
    }
    void observe_ends(const ecs::observer_options& how) {
        world.template observe<event::removed, T>([](entity e) { note("removed", e); }, how);
        world.template observe<event::removed, T, const other>(
            [](entity e, T&, const other& o) { note("removed beside", e, o.value); }, how);
    }
    void observe_everything(const ecs::observer_options& how) {
        world.observe(
            event::removed, [this](entity e, ecs::id word) { note_if_own("removed of all", e, word); }, how);
        world.observe(event::despawned, [](entity e) { note("despawned", e); }, how);
    }
    void monitor(const ecs::observer_options& how) {
        world.template monitor<T>([](entity e, bool is) { note("matches", e, is); }, how);
        world.template monitor<const T, other>([](entity e, bool is) { note("matches both", e, is); }, how);
    }
    void observe_the_rest(const ecs::observer_options& how) {
        world.template observe<event::added, T>([](entity e) { note("added", e); }, how);
        world.template observe<event::set, T>([](entity e) { note("set", e); }, how);
        world.template observe<event::disabled, T>([](entity e) { note("disabled", e); }, how);
        world.template observe<event::enabled, T>([](entity e) { note("enabled", e); }, how);
    }
    void note_if_own(std::string_view what, entity e, ecs::id word) {
        if (word == ecs::id(own)) note(what, e);
    }
};

/// The lines of each entity together, in the order they had.
std::vector<std::string> by_entity(const std::vector<std::string>& lines) {
    std::multimap<std::string, std::string> sorted;
    for (const std::string& line : lines) sorted.emplace(line.substr(0, line.find(' ')), line);
    std::vector<std::string> all;
    for (const auto& [whom, line] : sorted) all.push_back(line);
    return all;
}

/// What is told while the program runs, and then at the end of the world, where entities end in the order of
/// their tables.
template <class T, class Program> std::vector<std::string> told_of(watchers who, const Program& program) {
    std::vector<std::string> all;
    told.clear();
    {
        scene<T> in;
        in.watch(who, {.at_world_end = true});
        program(in);
        all = std::exchange(told, {});
    }
    std::ranges::copy(by_entity(told), std::back_inserter(all));
    return all;
}

/// The first line in which one differs from what is wanted; empty when they are the same.
std::string difference(std::vector<std::string> got, std::vector<std::string> wanted) {
    got.resize(std::max(got.size(), wanted.size()));
    wanted.resize(got.size());
    const auto [here, there] = std::ranges::mismatch(got, wanted);
    return here == got.end() ? "" : "\"" + *here + "\" and not \"" + *there + "\"";
}

template <template <ecs::storage> class Component, ecs::storage... Kept, class Program>
void expect_the_same(watchers who, const Program& program) {
    const auto in_tables = told_of<Component<ecs::storage::table>>(who, program);
    EXPECT_GT(in_tables.size(), 3U);
    for (const auto& elsewhere : {told_of<Component<Kept>>(who, program)...})
        EXPECT_EQ(difference(elsewhere, in_tables), "");
}

template <class Program> void expect_the_same(const char* name, const Program& program) {
    using enum ecs::storage;
    for (const watchers who :
         {watchers::none, watchers::of_ends, watchers::of_everything, watchers::monitors, watchers::all}) {
        const testing::ScopedTrace where(
            __FILE__, __LINE__, std::string(name) + ", watchers " + std::to_string(static_cast<int>(who)));
        if (who != watchers::none) expect_the_same<plain, sparse, bits, in_place>(who, program);
        expect_the_same<mark, sparse, bits, in_place>(who, program);
        expect_the_same<load, sparse, in_place>(who, program);
    }
}

/// The component of a scene.
template <class T> T component_of(const scene<T>&);
#define COMPONENT_OF(in) decltype(component_of(in))

TEST(storages, one_entity_loses_the_component) {
    expect_the_same("by type", [](auto& in) { in.world.template remove<COMPONENT_OF(in)>(in.a); });
    expect_the_same("by identifier", [](auto& in) { in.world.remove(in.a, in.own); });
    expect_the_same("with another",
                    [](auto& in) { in.world.template remove<COMPONENT_OF(in), other>(in.a); });
    expect_the_same("in an editor",
                    [](auto& in) { in.world.edit(in.a).template remove<COMPONENT_OF(in)>().commit(); });
    expect_the_same("by a command", [](auto& in) {
        auto commands = in.world.commands();
        commands.template remove<COMPONENT_OF(in)>(in.a);
        commands.remove(in.b, in.own);
        in.world.flush();
    });
    expect_the_same("when an observer asks", [](auto& in) {
        in.world.template observe<event::removed, other>(
            [&in](entity e) { in.world.template remove<COMPONENT_OF(in)>(e); });
        in.world.template remove<other>(in.a);
    });
}

TEST(storages, many_lose_the_component) {
    expect_the_same("by type", [](auto& in) {
        in.world.template remove<COMPONENT_OF(in)>(std::vector{in.a, in.b, in.bare});
    });
    expect_the_same("by identifier", [](auto& in) { in.world.remove(std::vector{in.a, in.b}, in.own); });
    expect_the_same("because it ends", [](auto& in) { in.world.despawn(in.own); });
}

TEST(storages, entities_end) {
    expect_the_same("alone", [](auto& in) { in.world.despawn(in.owned); });
    expect_the_same("with a child", [](auto& in) { in.world.despawn(in.a); });
    expect_the_same("with who holds it", [](auto& in) { in.world.despawn(in.b); });
    expect_the_same("several", [](auto& in) { in.world.despawn(std::vector{in.b, in.a}); });
    expect_the_same("who match",
                    [](auto& in) { in.world.despawn(in.world.template query<COMPONENT_OF(in)>()); });
    expect_the_same("all", [](auto& in) { in.world.clear(); });
    expect_the_same("with the world", [](auto&) {});
    expect_the_same("by a command", [](auto& in) {
        auto commands = in.world.commands();
        commands.despawn(in.a);
        commands.despawn(in.owned);
        in.world.flush();
    });
    expect_the_same("a command's own", [](auto& in) {
        auto commands = in.world.commands();
        commands.despawn(commands.spawn(COMPONENT_OF(in){}));
        in.world.flush();
    });
    expect_the_same("when an observer asks", [](auto& in) {
        in.world.template observe<event::removed, other>([&in](entity e) { in.world.despawn(e); });
        in.world.template remove<other>(in.a);
    });
    expect_the_same("with the component that their end depends on", [](auto& in) {
        in.world.add(in.own, pair(ecs::on_delete, ecs::delete_it));
        in.world.despawn(in.own);
    });
    expect_the_same("spawned many at once", [](auto& in) {
        const std::vector<entity> many = in.world.spawn_n(3, COMPONENT_OF(in){});
        in.world.despawn(many);
    });
}

TEST(storages, copies_and_instances) {
    expect_the_same("a clone ends", [](auto& in) { in.world.despawn(in.world.clone(in.b)); });
    expect_the_same("a tree of clones ends", [](auto& in) { in.world.despawn(in.world.clone_tree(in.a)); });
    expect_the_same("a clone of a disabled one", [](auto& in) {
        in.world.template disable<COMPONENT_OF(in)>(in.b);
        const entity copy = in.world.clone(in.b);
        in.world.template enable<COMPONENT_OF(in)>(copy);
        in.world.despawn(copy);
    });
    expect_the_same("a base ends", [](auto& in) {
        in.world.add(in.bare, pair(is_a, in.b));
        in.world.despawn(in.b);
    });
    expect_the_same("an instance overrides, and no longer", [](auto& in) {
        in.world.add(in.bare, pair(is_a, in.b));
        in.world.template add<COMPONENT_OF(in)>(in.bare);
        in.world.template remove<COMPONENT_OF(in)>(in.bare);
        in.world.despawn(in.bare);
    });
    expect_the_same("an instance is given a copy", [](auto& in) {
        const entity prefab = in.world.prefab(COMPONENT_OF(in){});
        in.world.add(prefab, ecs::type_flags::auto_override | ecs::id(in.own));
        in.world.add(in.bare, pair(is_a, prefab));
        in.world.remove(in.bare, pair(is_a, prefab));
        in.world.despawn(in.bare);
        in.world.despawn(prefab);
    });
    expect_the_same("parts of an instance end", [](auto& in) {
        const entity prefab = in.world.prefab();
        const entity part = in.world.spawn("part", COMPONENT_OF(in){});
        in.world.add(part, pair(child_of, prefab));
        const entity instance = in.world.spawn("instance");
        in.world.add(instance, pair(is_a, prefab));
        in.world.despawn(in.world.lookup("instance/part"));
        in.world.sync(prefab);
        in.world.despawn(instance);
        in.world.despawn(prefab);
    });
    expect_the_same("children are replaced", [](auto& in) {
        in.world.replace_children(in.a, std::vector{in.bare});
        in.world.despawn(in.below_a);
    });
}

TEST(storages, components_that_bring_or_exclude_others) {
    expect_the_same("what comes with it is needed", [](auto& in) {
        in.world.add(in.its_neighbour, pair(ecs::with, in.own));
        in.world.template add<other>(in.bare);
        in.world.template remove<other>(in.bare);
        in.world.despawn(in.bare);
    });
    expect_the_same("it excludes another", [](auto& in) {
        const entity rival = in.world.spawn();
        in.world.add(in.own, pair(ecs::excludes, rival));
        in.world.add(in.b, rival);
        in.world.template remove<COMPONENT_OF(in)>(in.b);
        in.world.add(in.b, rival);
        in.world.template add<COMPONENT_OF(in)>(in.b);
        in.world.despawn(in.b);
    });
}

TEST(storages, values_are_written_and_hidden) {
    expect_the_same("disabled and enabled", [](auto& in) {
        in.world.template disable<COMPONENT_OF(in)>(in.a);
        in.world.template disable<COMPONENT_OF(in)>(in.b);
        in.world.template enable<COMPONENT_OF(in)>(in.a);
        in.world.template remove<COMPONENT_OF(in)>(in.b);
        in.world.template add<COMPONENT_OF(in)>(in.b);
    });
    expect_the_same("whole entities disabled and enabled", [](auto& in) {
        in.world.disable(in.a);
        in.world.disable(in.b);
        in.world.enable(in.a);
        in.world.despawn(in.b);
    });
    expect_the_same("got or added", [](auto& in) {
        std::ignore = in.world.template get_or_add<COMPONENT_OF(in)>(in.bare);
        in.world.template remove<COMPONENT_OF(in)>(in.bare);
    });
}

TEST(storages, ends_after_the_world_has_gone_back) {
    expect_the_same("restored", [](auto& in) {
        const ecs::snapshot then = in.world.snapshot();
        in.world.template remove<COMPONENT_OF(in)>(in.a);
        in.world.despawn(in.b);
        in.world.restore(then);
        in.world.template remove<COMPONENT_OF(in)>(in.a);
        in.world.despawn(in.b);
    });
    expect_the_same("rewound", [](auto& in) {
        const ecs::snapshot then = in.world.snapshot();
        in.world.clear();
        in.world.rewind(then);
        in.world.clear();
    });
    expect_the_same("loaded", [](auto& in) {
        const std::vector<std::byte> then = ecs::save(in.world);
        in.world.despawn(in.b);
        ecs::load(in.world, then);
        in.world.template remove<COMPONENT_OF(in)>(in.a);
        in.world.despawn(in.b);
    });
}

/// What the hooks are told of a component that the world has not met. A flush makes rows before it adds what
/// is kept elsewhere.
template <class T, class Program> std::vector<std::string> told_of_new(const Program& program) {
    told.clear();
    {
        ecs::world world;
        program(world, T{});
    }
    return by_entity(told);
}

template <class Program> void expect_the_same_of_new(const char* name, const Program& program) {
    using ecs::storage;
    const auto marks = told_of_new<mark<storage::table>>(program);
    const auto loads = told_of_new<load<storage::table>>(program);
    EXPECT_GT(marks.size(), 1U) << name;
    EXPECT_EQ(difference(told_of_new<mark<storage::sparse>>(program), marks), "") << name;
    EXPECT_EQ(difference(told_of_new<mark<storage::bits>>(program), marks), "") << name;
    EXPECT_EQ(difference(told_of_new<load<storage::sparse>>(program), loads), "") << name;
}

TEST(storages, the_world_meets_the_component_late) {
    expect_the_same_of_new("in a table that is there", [](ecs::world& world, auto value) {
        const entity e = world.spawn(other{});
        world.set(e, other{2});
        world.add<decltype(value)>(e);
        world.despawn(e);
    });
    expect_the_same_of_new("in a flush", [](ecs::world& world, auto value) {
        auto commands = world.commands();
        const entity e = commands.spawn(other{});
        commands.add<decltype(value)>(e);
        const entity next = commands.spawn(value, other{});
        world.flush();
        world.despawn(e);
        commands.despawn(next);
        world.flush();
    });
    expect_the_same_of_new("in an observer", [](ecs::world& world, auto value) {
        world.observe<event::added, other>(
            [&world](entity e) { world.add<std::remove_cvref_t<decltype(value)>>(e); });
        world.despawn(world.spawn(other{}));
    });
    expect_the_same_of_new("in a prefab", [](ecs::world& world, auto value) {
        const entity prefab = world.prefab(value);
        world.despawn(world.clone(prefab));
        world.despawn(prefab);
    });
    expect_the_same_of_new("after the snapshot", [](ecs::world& world, auto value) {
        const ecs::snapshot then = world.snapshot();
        world.spawn(value);
        world.restore(then);
        world.despawn(world.spawn(value));
    });
}

} // namespace
} // namespace storages_test
