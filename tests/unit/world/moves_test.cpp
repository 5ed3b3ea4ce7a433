// SPDX-License-Identifier: MIT
// What goes along when an entity's row moves from one table to another by a way that was taken before, and
// that what has become true of a table since then is minded.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>
import ecs.world;

namespace moves_test {
namespace {

struct frozen {};
struct marked {};
struct position {
    float x, y;
};

struct velocity {
    float x, y;
};
/// Kept outside tables.
struct held {
    static constexpr auto kept_in = ecs::storage::sparse;
    std::shared_ptr<int> value;
};
/// More than the cache line on which columns begin.
struct alignas(128) wide {
    std::byte first{};
};

template <std::size_t Size> struct sized {
    std::array<std::uint8_t, Size> bytes{};

    static sized of(std::size_t seed) {
        sized made;
        for (std::size_t i = 0; i < Size; ++i) made.bytes[i] = static_cast<std::uint8_t>(seed * 31 + i * 7);
        return made;
    }
};

/// Rows leave from the front, from the end and from in between, and come back.
template <std::size_t... Sizes> void expect_to_follow(bool with_text) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (std::size_t i = 0; i < 300; ++i) {
        all.push_back(world.spawn(sized<Sizes>::of(i)...));
        if (with_text) world.set(all.back(), std::to_string(i));
    }
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < all.size(); i += 3) world.add<frozen>(all[i]);
        for (std::size_t i = all.size(); i-- > 0;)
            if (i % 2 == 0) world.add<marked>(all[i]);
        for (std::size_t i = 0; i < all.size(); i += 5) world.remove<frozen>(all[i]);
        for (std::size_t i = 0; i < all.size(); i += 4) world.remove<marked>(all[i]);
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto expect_own = [&]<class T>(const T& value) { EXPECT_EQ(value.bytes, T::of(i).bytes); };
        (expect_own(world.get<sized<Sizes>>(all[i])), ...);
        if (with_text) EXPECT_EQ(world.get<std::string>(all[i]), std::to_string(i));
        EXPECT_EQ(world.has<frozen>(all[i]), i % 3 == 0 && i % 5 != 0);
        EXPECT_EQ(world.has<marked>(all[i]), i % 2 == 0 && i % 4 != 0);
    }
}

template <std::size_t... Sizes> void expect_each_to_follow(std::index_sequence<Sizes...>) {
    (expect_to_follow<Sizes>(false), ...);
}

TEST(moves, values_of_every_size_follow_their_row) {
    expect_each_to_follow(
        std::index_sequence<1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 64, 100>());
    expect_to_follow<1, 4, 6, 8, 13, 16, 40>(false);
}

TEST(moves, bytes_and_values_that_move_themselves_go_together) {
    expect_to_follow<8>(true);
    expect_to_follow<1, 12, 64>(true);
}

/// Of words: two of eight bytes and two of four, the second of each comes and goes.
struct words {
    static constexpr std::size_t many = 20'000; // More than two chunks.
    using eight = sized<8>;
    using four = sized<4>;
    struct late_eight {
        std::uint64_t value;
    };
    struct late_four {
        std::uint32_t value;
    };

    struct expected {
        bool has_eight{}, has_four{};
    };
    ecs::world world;
    std::vector<ecs::entity> all;
    std::vector<expected> owned;

    words() : owned(many) {
        for (std::size_t i = 0; i < many; ++i) all.push_back(world.spawn(eight::of(i), four::of(i)));
    }
    void give_and_take(std::size_t i) {
        expected& of = owned[i];
        if (i % 3 != 0) {
            of.has_eight ? world.remove<late_eight>(all[i]) : world.set(all[i], late_eight{i});
            of.has_eight = !of.has_eight;
        }
        if (i % 2 != 0) {
            const auto low = static_cast<std::uint32_t>(i);
            of.has_four ? world.remove<late_four>(all[i]) : world.set(all[i], late_four{low});
            of.has_four = !of.has_four;
        }
    }
    void expect_own(std::size_t i) const {
        EXPECT_EQ(world.get<eight>(all[i]).bytes, eight::of(i).bytes);
        EXPECT_EQ(world.get<four>(all[i]).bytes, four::of(i).bytes);
        const late_eight* const long_one = world.try_get<late_eight>(all[i]);
        const late_four* const short_one = world.try_get<late_four>(all[i]);
        ASSERT_EQ(long_one != nullptr, owned[i].has_eight);
        ASSERT_EQ(short_one != nullptr, owned[i].has_four);
        if (long_one) EXPECT_EQ(long_one->value, i);
        if (short_one) EXPECT_EQ(short_one->value, i);
    }
};

TEST(moves, words_that_come_and_go_are_those_of_their_row) {
    words of;
    for (std::size_t i = 0; i < words::many; ++i) of.give_and_take(i);
    for (std::size_t i = words::many; i-- > 0;)
        if (i % 5 != 0) of.give_and_take(i);
    for (std::size_t i = 0; i < words::many; i += 7) of.give_and_take(i);
    for (std::size_t i = 0; i < words::many; ++i) of.expect_own(i);
}

/// Each table has a row at most, and the first of the moves begins without one.
TEST(moves, entities_without_components_get_them_one_by_one) {
    ecs::world world;
    std::vector<ecs::entity> all;
    for (std::uint32_t i = 0; i < 1000; ++i) {
        const ecs::entity e = world.spawn();
        world.set(e, position{1.0F + static_cast<float>(i), 2});
        world.set(e, words::late_four{i});
        world.set(e, std::to_string(i));
        all.push_back(e);
    }
    for (std::uint32_t i = 0; i < 1000; ++i) {
        EXPECT_EQ(world.get<position>(all[i]).x, 1.0F + static_cast<float>(i));
        EXPECT_EQ(world.get<words::late_four>(all[i]).value, i);
        EXPECT_EQ(world.get<std::string>(all[i]), std::to_string(i));
    }
    EXPECT_EQ(world.entities().size(), 1000);
}

/// Of the row that moves, or of the last one, which fills the hole.
TEST(moves, value_may_be_part_of_a_row_that_moves) {
    struct outer {
        words::late_eight inner;
    };
    ecs::world world;
    for (std::uint64_t i = 0; i < 6; ++i) { // The second time, the way is known.
        const ecs::entity first = world.spawn(outer{{2 * i}});
        const ecs::entity last = world.spawn(outer{{2 * i + 1}});
        const bool own = i % 2 == 0;
        world.set(first, std::move(world.get<outer>(own ? first : last).inner));
        EXPECT_EQ(world.get<words::late_eight>(first).value, own ? 2 * i : 2 * i + 1);
        EXPECT_EQ(world.get<outer>(first).inner.value, 2 * i);
        EXPECT_EQ(world.get<outer>(last).inner.value, 2 * i + 1);
    }
}

TEST(moves, observer_that_comes_later_is_told_of_a_known_way) {
    ecs::world world;
    const ecs::entity e = world.spawn(position{1, 2});
    const auto come_and_go = [&] {
        world.add<frozen>(e);
        world.remove<frozen>(e);
    };
    come_and_go();
    int told = 0;
    ecs::observer coming = world.observe<ecs::event::added, frozen>([&](ecs::entity) { ++told; });
    ecs::observer going = world.observe<ecs::event::removed, frozen>([&](ecs::entity) { told += 10; });
    come_and_go();
    EXPECT_EQ(told, 11);
    coming.end();
    going.end();
    come_and_go();
    EXPECT_EQ(told, 11);
}

TEST(moves, what_is_disabled_stays_so_on_a_known_way) {
    ecs::world world;
    const ecs::entity off = world.spawn(position{1, 2});
    const ecs::entity on = world.spawn(position{3, 4});
    for (const ecs::entity e : {off, on}) {
        world.add<frozen>(e);
        world.remove<frozen>(e);
    }
    world.disable<position>(off);
    for (const ecs::entity e : {off, on}) world.add<frozen>(e);
    EXPECT_FALSE(world.is_enabled<position>(off));
    EXPECT_TRUE(world.is_enabled<position>(on));
    for (const ecs::entity e : {off, on}) world.remove<frozen>(e);
    EXPECT_FALSE(world.is_enabled<position>(off));
    EXPECT_TRUE(world.is_enabled<position>(on));
}

TEST(moves, members_of_one_table_are_hidden_in_turn) {
    ecs::world world;
    const ecs::entity a = world.spawn(position{1, 2}, velocity{3, 4});
    const ecs::entity b = world.spawn(position{5, 6}, velocity{7, 8});
    for (int round = 0; round < 3; ++round) {
        EXPECT_EQ(world.disable<position>(a), ecs::add_result::disabled);
        EXPECT_EQ(world.disable<velocity>(b), ecs::add_result::disabled);
        EXPECT_FALSE(world.is_enabled<position>(a));
        EXPECT_TRUE(world.is_enabled<velocity>(a));
        EXPECT_TRUE(world.is_enabled<position>(b));
        EXPECT_FALSE(world.is_enabled<velocity>(b));
        EXPECT_EQ(world.disable<velocity>(b), ecs::add_result::already_there);
        EXPECT_EQ(world.enable<velocity>(b), ecs::add_result::enabled);
        EXPECT_EQ(world.enable<position>(a), ecs::add_result::enabled);
        EXPECT_TRUE(world.is_enabled<position>(a));
        EXPECT_TRUE(world.is_enabled<velocity>(b));
    }
    EXPECT_EQ(world.disable<frozen>(a), ecs::add_result::not_there);
    EXPECT_EQ(world.disable(a, ecs::id{}), ecs::add_result::not_there);
    world.despawn(a);
    EXPECT_EQ(world.disable<position>(a), ecs::add_result::not_alive);
    EXPECT_TRUE(world.is_enabled<position>(b));
}

TEST(moves, rows_of_words_end_and_the_others_stay_whole) {
    words of;
    for (std::size_t i = 0; i < words::many; ++i) of.give_and_take(i);
    for (std::size_t i = 0; i < words::many; i += 5) EXPECT_TRUE(of.world.despawn(of.all[i]));
    std::size_t left = 0;
    for (std::size_t i = 0; i < words::many; ++i) {
        EXPECT_EQ(of.world.alive(of.all[i]), i % 5 != 0);
        if (i % 5 == 0) continue;
        of.expect_own(i);
        ++left;
    }
    EXPECT_EQ(of.world.query<const words::eight>().count(), left);
    of.world.each([&](ecs::entity e, const words::eight& value) {
        EXPECT_EQ(&of.world.get<words::eight>(e), &value) << "the slot says where the row is now";
    });
    EXPECT_FALSE(of.world.despawn(of.all[0]));
}

TEST(moves, values_outside_tables_end_with_a_row_of_words) {
    ecs::world world;
    const auto value = std::make_shared<int>(1);
    std::vector<ecs::entity> all;
    for (int i = 0; i < 10; ++i) all.push_back(world.spawn(position{1, 2}, held{value}));
    all.push_back(world.spawn());
    world.set(all.back(), held{value});
    EXPECT_EQ(value.use_count(), 12);
    for (const ecs::entity e : all) EXPECT_TRUE(world.despawn(e));
    EXPECT_EQ(value.use_count(), 1);
    EXPECT_EQ(world.query<const held>().count(), 0U);
}

TEST(moves, who_observes_later_is_told_of_the_end_of_a_row_of_words) {
    ecs::world world;
    const ecs::entity first = world.spawn(position{1, 2});
    const ecs::entity second = world.spawn(position{3, 4});
    world.despawn(first);
    ecs::entity told;
    const ecs::observer watching =
        world.observe<ecs::event::removed, position>([&](ecs::entity e) { told = e; });
    world.despawn(second);
    EXPECT_EQ(told, second);
}

TEST(moves, what_is_disabled_stays_so_when_its_row_fills_a_hole) {
    ecs::world world;
    const ecs::entity first = world.spawn(position{1, 2});
    const ecs::entity last = world.spawn(position{3, 4});
    world.disable<position>(last);
    world.despawn(first);
    EXPECT_FALSE(world.is_enabled<position>(last));
    EXPECT_TRUE(world.is_enabled<position>(world.spawn(position{5, 6})));
}

/// A function with an over-aligned variable and memory of a size that is known late has a register for its
/// own frame, which what it calls has to leave as it was.
template <class F> [[gnu::noinline, gnu::flatten]] void expect_to_keep_a_frame(std::size_t size, const F& f) {
    alignas(64) std::array<std::uint64_t, 8> marks{1, 2, 3, 4, 5, 6, 7, 8};
    auto* const room = static_cast<std::byte*>(__builtin_alloca(size));
    std::memset(room, 1, size);
    asm volatile("" : : "r"(marks.data()), "r"(room) : "memory");
    f();
    asm volatile("" : : "r"(room) : "memory");
    EXPECT_EQ(marks, (std::array<std::uint64_t, 8>{1, 2, 3, 4, 5, 6, 7, 8}));
    for (std::size_t i = 0; i < size; ++i) EXPECT_EQ(room[i], std::byte{1});
}

TEST(moves, frames_of_callers_are_kept) {
    ecs::world world;
    std::vector<ecs::entity> all;
    const auto in_a_frame = [&](const auto& change) {
        for (const ecs::entity e : all) expect_to_keep_a_frame(all.size() * 8, [&] { change(e); });
    };
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 10; ++i) all.push_back(world.spawn(position{1, 2}, std::uint32_t{3}));
        in_a_frame([&](ecs::entity e) { world.add<frozen>(e); });
        in_a_frame([&](ecs::entity e) { world.remove<frozen>(e); });
        in_a_frame([&](ecs::entity e) { world.set(e, velocity{5, 6}); });
        in_a_frame([&](ecs::entity e) { world.remove<velocity>(e); });
        in_a_frame([&](ecs::entity e) { world.disable<position>(e); });
        in_a_frame([&](ecs::entity e) { world.enable<position>(e); });
        in_a_frame([&](ecs::entity e) {
            EXPECT_THROW(world.each([&](const position&) { world.add<marked>(e); }), ecs::iteration_error);
        });
    }
    in_a_frame([&](ecs::entity e) { world.despawn(e); });
}

/// Few rows stand close together, and more begin on cache lines; every value is aligned as its type asks.
TEST(moves, columns_are_aligned_however_many_rows_there_are) {
    ecs::world world;
    const auto rest = [](const void* at, std::size_t unit) {
        return reinterpret_cast<std::uintptr_t>(at) % unit;
    };
    for (std::size_t rows = 1; rows <= 20; ++rows) {
        world.spawn(position{static_cast<float>(rows), 0}, std::uint8_t{1}, wide{}, velocity{});
        std::size_t found = 0;
        world.query<const position, const std::uint8_t, const wide, const velocity>().each_chunk(
            [&](std::span<const position> p, std::span<const std::uint8_t>, std::span<const wide> w,
                std::span<const velocity> v) {
                EXPECT_EQ(rest(w.data(), alignof(wide)), 0U);
                EXPECT_EQ(rest(p.data(), rows > 2 ? 64 : alignof(position)), 0U);
                EXPECT_EQ(rest(v.data(), rows > 2 ? 64 : alignof(velocity)), 0U);
                for (const position& each : p) EXPECT_EQ(each.x, static_cast<float>(++found));
            });
        EXPECT_EQ(found, rows);
    }
}

TEST(moves, row_that_comes_to_a_table_where_something_was_disabled_is_enabled) {
    ecs::world world;
    const ecs::entity first = world.spawn(position{1, 2});
    world.add<frozen>(first);
    world.disable<position>(first);
    world.remove<frozen>(first);
    const ecs::entity second = world.spawn(position{3, 4});
    world.add<frozen>(second);
    EXPECT_TRUE(world.is_enabled<position>(second));
    world.despawn(first);
    EXPECT_TRUE(world.is_enabled<position>(second));
}

/// So that the plans that lead to it need not be measured again and again.
TEST(moves, a_table_to_which_many_plans_lead_grows_at_once) {
    struct beside {};
    ecs::world world;
    const auto room_of = [&](std::size_t targets) {
        std::vector<ecs::entity> all;
        for (std::size_t i = 0; i < targets; ++i) {
            const ecs::entity target = world.spawn();
            all.push_back(world.spawn(position{}, world.pair_to<beside>(target)));
            if (i == 0) world.remove<beside>(all.back(), target);
        }
        for (std::size_t i = 1; i < targets; ++i)
            world.remove(all[i], ecs::pair(world.component<beside>(), ecs::any));
        for (const ecs::table_summary& table : world.tables())
            if (table.type == std::vector<ecs::id>{world.component<position>()}) return table.capacity;
        return std::size_t{};
    };
    EXPECT_EQ(room_of(3), 8U);
    EXPECT_GT(room_of(100), 1'000U);
}

} // namespace
} // namespace moves_test
