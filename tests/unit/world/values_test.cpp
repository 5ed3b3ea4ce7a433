// SPDX-License-Identifier: MIT
// What happens to values: they are made once, moved with their entity, and ended once, whatever throws.
#include "life.hpp"
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
import ecs.world;

namespace values_test {
namespace {
struct chest;
} // namespace
} // namespace values_test
template <> struct ecs::component_traits<values_test::chest> {
    static constexpr ecs::storage kept_in = ecs::storage::sparse;
    static constexpr bool copyable = false;
};

namespace values_test {
namespace {

using ecs::add_result;

struct position {
    float x, y;
};
struct frozen {};
struct alignas(256) wide {
    std::array<std::uint8_t, 256> bytes{};
};
struct huge {
    std::array<std::uint8_t, 100'000> bytes{};
};
struct without_assignment {
    const int value;
};
/// A smart pointer of some interfaces: its address is not to be had by an operator, and it is not assigned.
struct without_address {
    explicit without_address(std::string of) : text(std::move(of)) {}
    without_address(const without_address&) = default;
    without_address(without_address&&) noexcept = default;
    without_address& operator=(const without_address&) = delete;
    without_address& operator=(without_address&&) = delete;
    ~without_address() = default;
    void operator&() const = delete;
    std::string text;
};
/// Long enough to be kept outside the value.
struct letter {
    letter() = default;
    explicit letter(std::string of) : text(std::move(of)) {}
    std::string text;
};
/// The compiler takes these for types that can be copied.
struct bag {
    static constexpr bool copyable = false;
    std::vector<std::unique_ptr<int>> items;
};
struct chest {
    std::vector<std::unique_ptr<int>> items;
};
using shelf = std::vector<std::vector<std::unique_ptr<int>>>;
/// Has a member of that name, which says nothing of the type.
struct book {
    const bool copyable = false;
    std::string text;
};
struct page {
    bool copyable = false;
    std::string text;
};
struct viewer {
    explicit viewer(position& of) : seen(of) {}
    position& seen;
};
/// Neither copied nor moved.
struct anchor {
    explicit anchor(position& of) : at(of) {}
    anchor(const anchor&) = delete;
    anchor& operator=(const anchor&) = delete;
    position& at;
};
struct stamped {
    static constexpr auto properties = ecs::properties(ecs::with_type<frozen>);
    std::string text;
};

/// Bytes alone, of which a copy would be wrong.
struct handle {
    static constexpr bool copyable = false;
    std::uint32_t number{};
};
/// Bytes alone, which can be moved and not copied.
struct berth {
    berth() = default;
    explicit berth(int of) : number(of) {}
    berth(const berth&) = delete;
    berth(berth&&) noexcept = default;
    berth& operator=(const berth&) = delete;
    berth& operator=(berth&&) noexcept = default;
    ~berth() = default;
    int number = 1;
};
static_assert(std::is_trivially_copyable_v<berth>);
struct stamped_outside {
    static constexpr ecs::storage kept_in = ecs::storage::sparse;
    static constexpr auto properties = ecs::properties(ecs::with_type<frozen>);
    std::string text;
};
/// Is neither copied nor moved, and brings a companion that does not come everywhere.
struct fixed {
    static constexpr auto properties = ecs::properties(ecs::with_type<frozen>);
    explicit fixed(std::string_view of) : text(of) {}
    fixed(const fixed&) = delete;
    fixed& operator=(const fixed&) = delete;
    ~fixed() = default;
    std::string text;
    counted<1> life;
};
struct melting {
    static constexpr auto properties = ecs::properties(ecs::excludes_type<frozen>);
};
/// Is neither copied nor moved.
struct refuses_once {
    static constexpr ecs::storage kept_in = ecs::storage::sparse;
    refuses_once() {
        if (std::exchange(refuses, false)) throw std::runtime_error("not now");
    }
    refuses_once(const refuses_once&) = delete;
    refuses_once& operator=(const refuses_once&) = delete;
    ~refuses_once() = default;
    int value = 0;
    static inline bool refuses = false;
};

class values : public testing::Test {
  protected:
    /// The next construction of an explosive, which must happen in f, throws.
    template <class F> static void explodes(F f) {
        explosive::fuse = 0;
        EXPECT_THROW(f(), explosive::explosion);
        explosive::fuse = -1;
    }

    void TearDown() override {
        EXPECT_EQ(counted<0>::lives, 0);
        EXPECT_EQ(counted<1>::lives, 0);
        EXPECT_EQ(move_only::lives, 0);
        EXPECT_EQ(explosive::lives, 0);
    }
};

TEST_F(values, patch_returns_the_value_where_it_is_afterwards) {
    ecs::world world;
    const auto e = world.spawn(position{1, 2});
    const ecs::observer freezes =
        world.observe<ecs::event::set, position>([&](ecs::entity changed) { world.add<frozen>(changed); });
    const position& patched = world.patch<position>(e, [&](position& p) { p.x = 3; });
    EXPECT_TRUE(world.has<frozen>(e));
    EXPECT_EQ(&patched, &world.get<position>(e));
}

/// A row that moved while its value is written would leave the writer with the value of another entity.
TEST_F(values, functions_that_write_them_change_no_structure) {
    ecs::world world;
    const auto e = world.spawn(position{1, 2}), other = world.spawn(position{3, 4});
    const auto freeze = [&](position& p) {
        world.add<frozen>(e);
        p.x = 9;
    };
    EXPECT_THROW(world.patch<position>(e, freeze), ecs::iteration_error);
    EXPECT_THROW(world.modify(e, freeze), ecs::iteration_error);
    EXPECT_THROW(world.patch<position>(e, [&](position&) { std::ignore = world.spawn(position{}); }),
                 ecs::iteration_error);
    EXPECT_THROW(world.patch<position>(e, [&](position&) { world.despawn(other); }), ecs::iteration_error);
    auto commands = world.commands();
    commands.patch<position>(e, freeze);
    EXPECT_THROW(world.flush(), ecs::flush_error);
    EXPECT_FALSE(world.has<frozen>(e));
    EXPECT_EQ(world.get<position>(e).x, 1);
    EXPECT_EQ(world.get<position>(other).x, 3);
    world.patch<position>(e, [&](position& p) { p.x = world.get<position>(other).x; });
    EXPECT_EQ(world.get<position>(e).x, 3);
    world.add<frozen>(e);
    EXPECT_TRUE(world.has<frozen>(e)) << "what f threw has not kept the world";
}

TEST_F(values, a_loop_that_outlives_a_write_still_keeps_the_world) {
    ecs::world world;
    const auto e = world.spawn(position{1, 2});
    auto all = world.query<const position>();
    std::optional<decltype(all.begin())> kept;
    world.patch<position>(e, [&](position&) { kept.emplace(all.begin()); });
    EXPECT_THROW(world.add<frozen>(e), ecs::iteration_error);
    kept.reset();
    EXPECT_EQ(world.add<frozen>(e), add_result::added);
}

/// Whether or not the tables know the way already, and whatever the entity has.
TEST_F(values, several_are_set_as_one_after_the_other) {
    ecs::world world;
    for (int round = 0; round < 3; ++round) {
        const auto bare = world.spawn(), half = world.spawn(position{1, 2}),
                   full = world.spawn(position{}, wide{});
        wide third;
        third.bytes[5] = 7;
        EXPECT_EQ(world.set(bare, position{3, 4}, wide(third)), add_result::added);
        EXPECT_EQ(world.set(half, position{5, 6}, wide(third)), add_result::added);
        EXPECT_EQ(world.set(full, position{8, 9}, wide(third)), add_result::already_there);
        for (const auto e : {bare, half, full}) EXPECT_EQ(world.get<wide>(e).bytes[5], 7);
        EXPECT_EQ(world.get<position>(bare).y, 4);
        EXPECT_EQ(world.get<position>(half).y, 6);
        EXPECT_EQ(world.get<position>(full).y, 9);
        world.each([&](const position& p) { // What is there is written in a loop, too.
            if (p.x == 8) EXPECT_EQ(world.set(full, position{0, 1}, wide{}), add_result::already_there);
        });
        EXPECT_EQ(world.get<position>(full).y, 1);
        EXPECT_EQ(world.set(world.spawn(), letter("a long text that is not within the value"), position{}),
                  add_result::added);
    }
}

/// No more than bytes, and yet made by a constructor that may do anything.
struct restless {
    explicit restless(const std::function<void()>& first) { first(); }
    int value = 7;
};

TEST_F(values, constructors_that_change_the_world_are_refused_whatever_was_emplaced_before) {
    ecs::world world;
    const auto e = world.spawn(position{1, 2}), last = world.spawn(position{3, 4});
    for (int round = 0; round < 2; ++round) { // The second time the tables know the way.
        EXPECT_THROW(world.emplace<restless>(e, [&] { world.add<frozen>(e); }), ecs::iteration_error);
        EXPECT_THROW(world.emplace<restless>(e, [&] { world.despawn(last); }), ecs::iteration_error);
        EXPECT_FALSE(world.has<restless>(e));
        EXPECT_EQ(world.emplace<restless>(world.spawn(position{}), [] {}), add_result::added);
    }
    EXPECT_FALSE(world.has<frozen>(e));
    EXPECT_TRUE(world.alive(last));
    EXPECT_EQ(world.emplace<restless>(e, [&] { world.get<position>(last).x = 5; }), add_result::added);
    EXPECT_EQ(world.get<restless>(e).value, 7);
    EXPECT_EQ(world.get<position>(e).y, 2);
    EXPECT_EQ(world.get<position>(last).x, 5) << "values may be written";
}

/// An instance gets a copy of what it inherits, or keeps it.
TEST_F(values, that_are_added_begin_with_the_inherited_ones) {
    ecs::world world;
    const auto base = world.spawn(position{1, 2});
    for (int round = 0; round < 3; ++round) {
        const auto heir = world.spawn(ecs::pair(ecs::is_a, base)), other = world.spawn();
        EXPECT_EQ(world.emplace<position>(heir, 7.0F, 8.0F), add_result::already_there);
        EXPECT_EQ(world.add<position>(heir), add_result::added);
        EXPECT_EQ(world.get<position>(heir).y, 2);
        EXPECT_EQ(world.emplace<position>(other, 7.0F, 8.0F), add_result::added);
        EXPECT_EQ(world.add<position>(other), add_result::already_there);
        EXPECT_EQ(world.get<position>(other).y, 8);
        EXPECT_EQ(world.add<position>(world.spawn()), add_result::added);
    }
}

TEST_F(values, an_editor_commits_in_a_destructor_that_an_exception_runs) {
    ecs::world world;
    const auto e = world.spawn(frozen{});
    struct thawing {
        ecs::world& in;
        ecs::entity whom;
        ~thawing() { in.edit(whom).remove<frozen>(); }
    };
    const auto fail = [&] {
        const thawing guard{world, e};
        throw std::runtime_error("bang");
    };
    EXPECT_THROW(fail(), std::runtime_error);
    EXPECT_FALSE(world.has<frozen>(e));
    const auto fail_between = [&] { world.edit(e).add<frozen>().set(world.get<letter>(e)); };
    EXPECT_THROW(fail_between(), ecs::access_error);
    EXPECT_FALSE(world.has<frozen>(e)) << "the statement was not complete";
}

TEST_F(values, that_are_not_there_cannot_be_modified) {
    ecs::world world;
    int told = 0;
    world.observe(ecs::event::set, world.component<position>(), [&] { ++told; });
    world.modified<position>(world.spawn());
    EXPECT_EQ(told, 0);
    world.modified<position>(world.spawn(position{}));
    EXPECT_EQ(told, 2) << "when it was spawned, and by modified";
}

TEST_F(values, move_with_their_entity_and_end_with_it) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (int i = 0; i < 1000; ++i) all.push_back(world.spawn(counted<0>(i)));
    EXPECT_EQ(counted<0>::lives, 1000);
    for (int i = 0; i < 1000; i += 2) world.set(all[static_cast<std::size_t>(i)], counted<1>(-i));
    for (int i = 0; i < 1000; i += 3) world.despawn(all[static_cast<std::size_t>(i)]);
    EXPECT_EQ(counted<0>::lives, 666);
    for (int i = 0; i < 1000; ++i) {
        const ecs::entity e = all[static_cast<std::size_t>(i)];
        ASSERT_EQ(world.alive(e), i % 3 != 0);
        if (!world.alive(e)) continue;
        ASSERT_EQ(world.get<counted<0>>(e).value(), i);
        ASSERT_EQ(world.has<counted<1>>(e), i % 2 == 0);
        if (i % 2 == 0) ASSERT_EQ(world.get<counted<1>>(e).value(), -i);
    }
    for (const ecs::entity e : all) world.remove<counted<0>>(e);
    EXPECT_EQ(counted<0>::lives, 0);
}

TEST_F(values, are_replaced_by_set) {
    ecs::world world;
    const ecs::entity e = world.spawn(counted<0>(1));
    EXPECT_EQ(world.set(e, counted<0>(2)), add_result::already_there);
    EXPECT_EQ(world.get<counted<0>>(e).value(), 2);
    EXPECT_EQ(counted<0>::lives, 1);
    const counted<0> three(3);
    EXPECT_EQ(world.set(e, world.component<counted<0>>(), &three), add_result::already_there);
    EXPECT_EQ(world.get<counted<0>>(e).value(), 3);
    EXPECT_EQ(counted<0>::lives, 2);
}

TEST_F(values, that_cannot_be_assigned_are_replaced_too) {
    ecs::world world;
    const ecs::entity e = world.spawn(without_assignment{1});
    world.set(e, without_assignment{2});
    EXPECT_EQ(world.get<without_assignment>(e).value, 2);
}

TEST_F(values, that_cannot_be_copied_are_moved) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (int i = 0; i < 100; ++i) all.push_back(world.spawn(move_only(i), position{}));
    for (const ecs::entity e : all) world.add<frozen>(e);
    for (int i = 0; i < 100; ++i)
        ASSERT_EQ(world.get<move_only>(all[static_cast<std::size_t>(i)]).value(), i);
    EXPECT_EQ(move_only::lives, 100);

    const move_only loose(5);
    const ecs::id component = world.component<move_only>();
    EXPECT_EQ(world.set(world.spawn(), component, &loose), add_result::not_copyable);
    EXPECT_EQ(world.set(all[0], component, &loose), add_result::not_copyable);
    EXPECT_EQ(world.get<move_only>(all[0]).value(), 0);
}

TEST_F(values, are_aligned_as_their_type_asks) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (int i = 0; i < 300; ++i) all.push_back(world.spawn(position{}, wide{}, std::uint8_t{1}));
    for (const ecs::entity e : all)
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(&world.get<wide>(e)) % alignof(wide), 0);
}

TEST_F(values, may_be_larger_than_a_chunk) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (int i = 0; i < 20; ++i) {
        huge value;
        value.bytes.back() = static_cast<std::uint8_t>(i);
        all.push_back(world.spawn(value, position{static_cast<float>(i), 0}));
    }
    for (int i = 0; i < 20; ++i) {
        const ecs::entity e = all[static_cast<std::size_t>(i)];
        ASSERT_EQ(world.get<huge>(e).bytes.back(), i);
        ASSERT_EQ(world.get<position>(e).x, static_cast<float>(i));
    }
}

TEST_F(values, constructor_that_throws_changes_nothing) {
    ecs::world world;
    const explosive armed;
    for (int rows = 0; rows < 20; ++rows) { // Also where the table has to make room first.
        const ecs::entity kept = world.spawn(counted<0>(rows));
        explodes([&] { world.add<explosive>(kept); });
        explodes([&] { std::ignore = world.spawn(counted<0>(1), armed, counted<1>(2)); });
        explodes([&] { world.set(kept, world.component<explosive>(), &armed); });
        EXPECT_FALSE(world.has<explosive>(kept));
        EXPECT_EQ(world.get<counted<0>>(kept).value(), rows);
        EXPECT_EQ(world.query<explosive>().count(), 0);
        EXPECT_EQ(counted<0>::lives, rows + 1);
        EXPECT_EQ(counted<1>::lives, 0);
        EXPECT_EQ(explosive::lives, 1);
    }
}

TEST_F(values, constructor_that_throws_in_a_fresh_chunk_leaves_the_full_ones_usable) {
    ecs::world world;
    std::vector<ecs::entity> all;
    const auto spawn_one = [&] { all.push_back(world.spawn(huge{}, explosive(1))); };
    for (int i = 0; i < 3; ++i) spawn_one();
    const explosive bomb(2);
    explodes([&] { std::ignore = world.spawn(huge{}, bomb); });
    const auto component = world.component<explosive>();
    const ecs::entity other = world.spawn(huge{});
    explodes([&] { world.set(other, component, &bomb); });
    world.despawn(other);
    EXPECT_EQ(world.query<huge>().count(), 3);
    for (const ecs::entity e : all) EXPECT_TRUE(world.despawn(e));
    spawn_one();
    EXPECT_EQ(world.query<huge>().count(), 1);
}

TEST_F(values, copy_that_throws_leaves_the_old_value) {
    ecs::world world;
    const ecs::entity e = world.spawn(explosive(1));
    const explosive two(2);
    explodes([&] { world.set(e, world.component<explosive>(), &two); });
    EXPECT_EQ(world.get<explosive>(e).value, 1);
}

const std::string news(60, 'n');

TEST_F(values, are_emplaced_from_values_of_the_world_before_rows_move) {
    ecs::world world;
    const ecs::entity first = world.spawn(position{}, letter(news));
    for (int i = 0; i < 3000; ++i) {
        const ecs::entity e = world.spawn(position{});
        world.emplace<letter>(e, i % 2 == 0 ? world.get<letter>(first) : letter(news));
        ASSERT_EQ(world.get<letter>(e).text, news) << i;
        const ecs::entity f = world.spawn(position{});
        world.emplace<letter>(f, world.get<letter>(first).text);
        ASSERT_EQ(world.get<letter>(f).text, news) << i;
    }
}

TEST_F(values, are_emplaced_from_their_own_row_though_a_companion_moves_it) {
    ecs::world world;
    const ecs::entity e = world.spawn(letter(news));
    world.emplace<stamped>(e, world.get<letter>(e).text);
    EXPECT_EQ(world.get<stamped>(e).text, news);
}

TEST_F(values, are_emplaced_outside_tables_from_their_own_row_though_a_companion_moves_it) {
    ecs::world world;
    const ecs::entity e = world.spawn(letter(news));
    world.emplace<stamped_outside>(e, world.get<letter>(e).text);
    EXPECT_EQ(world.get<stamped_outside>(e).text, news);
    const ecs::entity other = world.spawn(letter(news));
    const stamped_outside& first = world.get<stamped_outside>(e);
    EXPECT_EQ(world.set(other, world.component<stamped_outside>(), &first), add_result::added);
    EXPECT_EQ(world.get<stamped_outside>(other).text, news);
    EXPECT_TRUE(world.has<frozen>(other));
}

TEST_F(values, that_never_move_are_emplaced_from_their_own_row_though_a_companion_moves_it) {
    ecs::world world;
    const ecs::entity e = world.spawn(letter(news)), other = world.spawn(letter(news), melting{});
    EXPECT_EQ(world.emplace<fixed>(e, world.get<letter>(e).text), add_result::added);
    EXPECT_EQ(world.get<fixed>(e).text, news);
    EXPECT_TRUE(world.has<frozen>(e));
    EXPECT_EQ(world.emplace<fixed>(other, world.get<letter>(other).text), add_result::excluded);
    EXPECT_FALSE(world.has<fixed>(other));
    EXPECT_EQ(counted<1>::lives, 1) << "what was refused has ended";
    EXPECT_EQ(world.remove<melting>(other), add_result::removed);
    world.observe<ecs::event::added, fixed>([](const fixed& come) { EXPECT_EQ(come.text, news); });
    EXPECT_EQ(world.emplace<fixed>(other, world.get<letter>(other).text), add_result::added);
    EXPECT_EQ(counted<1>::lives, 2);
    EXPECT_EQ(world.get<fixed>(e).text, news);
}

TEST_F(values, that_are_bytes_and_not_to_be_copied_are_set) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{}), f = world.spawn(position{});
    EXPECT_EQ(world.set(e, handle{7}), add_result::added);
    EXPECT_EQ(world.set(e, handle{8}), add_result::already_there);
    EXPECT_EQ(world.get<handle>(e).number, 8U);
    world.observe<ecs::event::added, position>(
        [&](ecs::entity other) { EXPECT_EQ(world.set(other, handle{9}), add_result::deferred); });
    const ecs::entity g = world.spawn(position{});
    EXPECT_EQ(world.get<handle>(g).number, 9U);
    EXPECT_EQ(world.set(f, world.component<handle>(), &world.get<handle>(e)), add_result::not_copyable);
}

TEST_F(values, that_are_bytes_and_can_only_be_moved_are_set_and_emplaced) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{}), f = world.spawn(position{}), g = world.spawn(berth(2));
    for (const ecs::entity one : {e, f}) { // The second finds the way known.
        EXPECT_EQ(world.set(one, berth(3)), add_result::added);
        EXPECT_EQ(world.set(one, berth(4)), add_result::already_there);
        EXPECT_EQ(world.get<berth>(one).number, 4);
        world.remove<berth>(one);
        EXPECT_EQ(world.emplace<berth>(one, 5), add_result::added);
        EXPECT_EQ(world.get<berth>(one).number, 5);
        world.remove<berth>(one);
        EXPECT_EQ(world.add<berth>(one), add_result::added);
        EXPECT_EQ(world.get<berth>(one).number, 1);
    }
    EXPECT_EQ(world.set(world.spawn(), berth(6), position{}), add_result::added);
    world.edit(e).set(berth(6));
    auto commands = world.commands();
    commands.set(f, berth(7));
    commands.set(commands.spawn(berth(8)), position{});
    EXPECT_EQ(world.flush().applied(), 2U);
    EXPECT_EQ(world.get<berth>(e).number, 6);
    EXPECT_EQ(world.get<berth>(f).number, 7);
    EXPECT_EQ(world.get<berth>(g).number, 2);
    EXPECT_THROW(world.clone(e), ecs::access_error);
    EXPECT_EQ(world.set(g, world.component<berth>(), &world.get<berth>(e)), add_result::not_copyable);
}

TEST_F(values, that_are_bytes_and_can_only_be_moved_are_kept_for_observers) {
    ecs::world world;
    const ecs::entity other = world.spawn();
    world.observe<ecs::event::added, frozen>([&](ecs::entity of) {
        EXPECT_EQ(world.set(of, berth(9)), add_result::deferred);
        EXPECT_EQ(world.emplace<berth>(other, 10), add_result::deferred);
    });
    const ecs::entity e = world.spawn(frozen{});
    EXPECT_EQ(world.get<berth>(e).number, 9);
    EXPECT_EQ(world.get<berth>(other).number, 10);
}

TEST_F(values, of_an_edit_that_threw_are_not_moved_again) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{});
    world.add<refuses_once>(world.spawn());
    {
        ecs::editor edit = world.edit(e);
        edit.set(letter(news)).add<refuses_once>();
        refuses_once::refuses = true;
        EXPECT_THROW(edit.commit(), std::runtime_error);
    }
    EXPECT_EQ(world.get<letter>(e).text, news) << "what came before it stays";
    EXPECT_FALSE(world.has<refuses_once>(e)) << "it is not made when the editor ends";
    refuses_once::refuses = false;
}

TEST_F(values, of_the_world_are_copied_before_many_get_them) {
    ecs::world world;
    const ecs::entity parent = world.spawn(letter(news));
    const ecs::entity child = world.spawn_children(parent, 1, letter(news))[0];
    for (int i = 0; i < 300; ++i) {
        for (const ecs::entity e : world.spawn_n(7, world.get<letter>(parent)))
            ASSERT_EQ(world.get<letter>(e).text, news) << i;
        for (const ecs::entity e : world.spawn_children(parent, 7, world.get<letter>(child)))
            ASSERT_EQ(world.get<letter>(e).text, news) << i;
    }
}

TEST_F(values, of_truth_are_set_for_many) {
    ecs::world world;
    const auto all = world.spawn_n(5, position{});
    EXPECT_EQ(world.set(all, true), 5);
    EXPECT_EQ(world.set(all, [](std::size_t i) { return i % 2 == 0; }), 5);
    for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(world.get<bool>(all[i]), i % 2 == 0);
}

TEST_F(values, are_emplaced_with_references) {
    ecs::world world;
    const ecs::entity e = world.spawn();
    position there{1, 2};
    world.emplace<viewer>(e, there);
    EXPECT_EQ(&world.get<viewer>(e).seen, &there);
}

TEST_F(values, emplaced_by_an_observer_refer_to_what_it_gave) {
    ecs::world world;
    position there{1, 2};
    const std::string text(60, 't');
    const ecs::entity e = world.spawn();
    const ecs::entity rock = world.spawn();
    world.observe<ecs::event::added, frozen>([&] {
        EXPECT_EQ(world.emplace<viewer>(e, there), add_result::deferred);
        world.emplace<std::string_view>(e, text);
        world.emplace<anchor>(rock, std::ref(there));
    });
    world.add<frozen>(world.spawn());
    EXPECT_EQ(&world.get<viewer>(e).seen, &there);
    EXPECT_EQ(world.get<std::string_view>(e).data(), text.data());
    EXPECT_EQ(&world.get<anchor>(rock).at, &there);
}

TEST_F(values, need_no_operator_that_takes_their_address) {
    ecs::world world;
    const ecs::entity e = world.spawn(without_address("spawned"));
    world.set(e, without_address("set"));
    EXPECT_EQ(world.get<without_address>(e).text, "set");
    auto commands = world.commands();
    commands.set(e, without_address("recorded"));
    commands.set(commands.spawn(), without_address("recorded"));
    world.flush();
    EXPECT_EQ(world.get<without_address>(e).text, "recorded");
}

/// An aggregate, whose members the compiler finds.
struct with_its_own_address {
    int value;

    with_its_own_address* operator&() { return nullptr; }
    const with_its_own_address* operator&() const { return nullptr; }
};

TEST_F(values, may_say_what_their_address_is) {
    ecs::world world;
    const ecs::entity e = world.spawn(with_its_own_address{1});
    world.set(e, with_its_own_address{2});
    EXPECT_EQ(world.get<with_its_own_address>(e).value, 2);
}

template <class T> void expect_moved_alone(T full) {
    ecs::world world;
    const auto e = world.spawn(std::move(full)), other = world.spawn();
    EXPECT_THROW(world.clone(e), ecs::access_error);
    world.set(other, std::move(world.get<T>(e)));
    EXPECT_EQ(world.count<T>(), 2U);
    EXPECT_EQ(world.edit(other).set(T{}).commit(), add_result::already_there);
    auto commands = world.commands();
    commands.set(e, T{});
    EXPECT_EQ(world.flush().applied(), 1U);
    EXPECT_THROW(std::ignore = world.snapshot(), ecs::snapshot_error);
}

TEST(values_that_are_not_copied, only_seem_to_be_copyable) {
    const auto one = [] { return std::make_unique<int>(1); };
    bag full;
    full.items.push_back(one());
    expect_moved_alone(std::move(full));
    chest closed;
    closed.items.push_back(one());
    expect_moved_alone(std::move(closed));
    shelf high(1);
    high.front().push_back(one());
    expect_moved_alone(std::move(high));
}

TEST(values_that_are_copied, have_a_member_that_is_called_copyable) {
    ecs::world world;
    const auto copy = world.clone(world.spawn(book{.text = "one"}, page{.text = "two"}));
    EXPECT_EQ(world.get<book>(copy).text + world.get<page>(copy).text, "onetwo");
}

/// Its constructor spawns an entity in this world, if there is one.
ecs::world* meddled_with = nullptr;
struct meddling_bytes {
    meddling_bytes() {
        if (meddled_with) std::ignore = meddled_with->spawn(frozen{});
    }
    int value = 7;
};
struct meddling_object : meddling_bytes {
    std::string text;
};
struct meddling_apart : meddling_object {
    static constexpr auto kept_in = ecs::storage::sparse;
};
struct meddling_beside : meddling_object {
    static constexpr auto kept_in = ecs::storage::in_place;
};
struct meddling_link : meddling_bytes {
    static constexpr auto properties = ecs::properties(ecs::exclusive, ecs::non_fragmenting);
};

/// A constructor is called when rows are reserved already.
TEST_F(values, constructor_that_changes_the_world_is_refused) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{}), target = world.spawn();
    const auto add_all = [&](const auto& expect) {
        expect([&] { world.add<meddling_bytes>(e); });
        expect([&] { world.add<meddling_object>(e); });
        expect([&] { world.add<meddling_apart>(e); });
        expect([&] { world.add<meddling_beside>(e); });
        expect([&] { world.add<meddling_link>(e, target); });
        expect([&] { world.emplace<meddling_object>(e); });
    };
    for (int time = 0; time < 2; ++time) { // The second time by ways that are known.
        meddled_with = &world;
        const std::size_t before = world.entities().size();
        add_all([&](const auto& add) { EXPECT_THROW(add(), ecs::iteration_error); });
        EXPECT_EQ(world.query().with<frozen>().count(), 0U);
        meddled_with = nullptr;
        EXPECT_EQ((world.has_any<meddling_bytes, meddling_object, meddling_apart, meddling_beside>(e)),
                  false);
        EXPECT_FALSE(world.has<meddling_link>(e, target));
        if (time == 1) EXPECT_EQ(world.entities().size(), before);
        add_all([](const auto& add) { EXPECT_NO_THROW(add()); });
        EXPECT_EQ(world.get<meddling_apart>(e).value, 7);
        world.remove<meddling_bytes, meddling_object, meddling_apart, meddling_beside>(e);
        world.remove<meddling_link>(e, target);
    }
}

} // namespace
} // namespace values_test
