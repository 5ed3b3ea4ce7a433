// SPDX-License-Identifier: MIT
// Queries as text: every form beside the typed query that means the same, what is written back, and what is
// refused where.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "support/sanitized.hpp"

import ecs.world;

namespace game {

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};

} // namespace game

namespace text_queries_test {
namespace {

struct mass {
    float value;
};
struct frozen {};
struct paused {};
struct likes {};
struct owes {
    int amount;
};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength;
};
struct arm {
    double weight, length;
};
struct blade {
    int length;
};

class text_queries : public testing::Test {
  protected:
    text_queries() {
        world.component<game::position>();
        world.component<game::velocity>();
        world.component<mass>();
        world.component<frozen>();
        world.component<paused>();
        world.component<likes>();
        world.component<owes>();
        world.component<buff>();
        bob = world.spawn(std::string("Bob"), game::position{1, 2});
        alice = world.spawn(std::string("Alice"), game::position{3, 4}, game::velocity{5, 6}, mass{7});
        world.add<likes>(alice, bob);
        world.set<owes>(bob, alice, owes{12});
        child = world.spawn(std::string("Child"), frozen{}, ecs::pair(ecs::child_of, alice));
        world.set(child, buff{3});
    }

    std::vector<ecs::entity> found(std::string_view text) {
        std::vector<ecs::entity> all = world.query(text).entities();
        std::ranges::sort(all, {}, &ecs::entity::index);
        return all;
    }

    /// Reads the text that is written of the query, which finds the same and is written the same.
    void expect_same_again(std::string_view text) {
        auto once = world.query(text);
        auto again = world.query(once.text());
        EXPECT_EQ(once.entities(), again.entities()) << text << " became " << once.text();
        EXPECT_EQ(once.text(), again.text());
    }

    ecs::world world;
    ecs::entity bob, alice, child;
};

TEST_F(text_queries, are_written_so_that_names_with_commas_are_read_again) {
    const ecs::entity odd = world.spawn("a, b(c");
    world.add(bob, ecs::pair(odd, alice));
    world.add(alice, ecs::pair(odd, ecs::entity(bob)));
    for (const char* const quoted :
         {R"("a, b(c"($this|up, Alice))", R"(("a, b(c", $x), !"a, b(c"($this, Bob))"}) {
        const std::string written = world.query(quoted).text();
        EXPECT_EQ(world.query(written).text(), written);
        EXPECT_EQ(world.query(written).entities(), world.query(quoted).entities());
    }
}

TEST_F(text_queries, say_how_many_fields_there_are) {
    int refused = 0;
    auto query = world.query("game::position");
    query.each([&](const ecs::text_match& m) {
        try {
            std::ignore = m.get<game::position>(7);
        } catch (const std::out_of_range& error) {
            ++refused;
            EXPECT_STREQ(error.what(),
                         "the query has no field 7: fields are numbered from 0, and their number is 1");
        }
    });
    EXPECT_EQ(refused, 2);
}

TEST_F(text_queries, find_what_typed_ones_find) {
    EXPECT_EQ(found("position"), (std::vector{bob, alice}));
    EXPECT_EQ(found("game::position, velocity"), std::vector{alice});
    EXPECT_EQ(found("position, !velocity"), std::vector{bob});
    EXPECT_EQ(found("position, ?velocity"), (std::vector{bob, alice}));
    EXPECT_EQ(found("frozen || velocity"), (std::vector{alice, child}));
    EXPECT_EQ(found("position, !{velocity, mass}"), std::vector{bob});
    EXPECT_EQ(found("position, {velocity, frozen || mass} || (owes, *)"), (std::vector{bob, alice}));
    EXPECT_EQ(found("(likes, Bob)"), std::vector{alice});
    EXPECT_EQ(found("(likes, *)"), std::vector{alice});
    EXPECT_EQ(found("likes($this, Bob)"), std::vector{alice});
    EXPECT_EQ(found("(*, Alice)"), (std::vector{bob, child}));
    EXPECT_EQ(found("(child_of, Alice)"), std::vector{child});
    EXPECT_EQ(found("position, (child_of, #0)"), (std::vector{bob, alice}));
    EXPECT_EQ(found("buff, !mass"), std::vector{child});
    EXPECT_EQ(found("frozen, mass(up)"), std::vector{child});
    EXPECT_EQ(found("mass(self|up)"), (std::vector{alice, child}));
    EXPECT_EQ(found("frozen, mass|up child_of"), std::vector{child});
    EXPECT_EQ(found("mass(cascade), frozen"), std::vector{child});
    EXPECT_TRUE(found("frozen, !mass(up)").empty());
    EXPECT_EQ(found("frozen, ?position(up)"), std::vector{child});
}

TEST_F(text_queries, say_of_no_target_what_the_loop_finds) {
    const auto expect = [&](std::string_view text, bool holds) {
        int matches = 0;
        world.query(text).each([&](const ecs::text_match& m) {
            ++matches;
            EXPECT_EQ(m.has(1), holds) << text;
            EXPECT_EQ(m.word(1), ecs::id()) << text;
            EXPECT_EQ(m.source(1), ecs::entity()) << text;
            EXPECT_EQ(m.value(1), nullptr) << text;
        });
        EXPECT_GE(matches, 1) << text;
    };
    expect("position, (child_of, #0)", true);
    expect("frozen, !(child_of, #0)", false);
    expect("position, (child_of, #0), (likes, $x)", true);
}

TEST_F(text_queries, ask_one_entity_and_singletons) {
    EXPECT_EQ(found("frozen, mass(Alice)"), std::vector{child});
    EXPECT_TRUE(found("frozen, mass(Bob)").empty());
    EXPECT_EQ(found("frozen, !likes(Bob, Alice)"), std::vector{child});
    EXPECT_TRUE(found("frozen, paused($)").empty());
    world.add<paused>(world.component<paused>());
    EXPECT_EQ(found("frozen, paused($)"), std::vector{child});
    float value = 0;
    world.query("frozen, mass(Alice)").each([&](const ecs::text_match& m) {
        value = m.get<const mass>(1).value;
    });
    EXPECT_EQ(value, 7);
}

TEST_F(text_queries, take_variables_as_relations) {
    std::set<std::pair<ecs::entity, ecs::entity>> found_pairs;
    world.query("position, $r($this, $x), position($x)").each([&](const ecs::text_match& m) {
        found_pairs.emplace(m["r"], m["x"]);
        EXPECT_EQ(m.word(1), world.pair_to(m["r"], m["x"]));
    });
    EXPECT_EQ(found_pairs, (std::set{std::pair(world.component<likes>(), bob),
                                     std::pair(world.component<owes>(), alice)}));
    EXPECT_EQ(found("($r, Alice), !$r($this, Bob)"), (std::vector{bob, child}));
    expect_same_again("velocity || frozen, !{Bob}");
    // As deep as they may be.
    expect_same_again("velocity || " + std::string(23, '!') + "frozen, Bob");
    expect_same_again("!{velocity || " + std::string(21, '!') + "frozen, Bob}");
    expect_same_again("{velocity || " + std::string(22, '!') + "frozen, Bob} || !position");
    EXPECT_THROW(std::ignore = world.query(std::string(100'000, '{')), ecs::query_text_error);
    expect_same_again("($r, Alice), position($this), $r($this, $x)");
}

TEST_F(text_queries, take_variables_as_relations_to_whatever_there_is) {
    std::set<std::pair<ecs::entity, ecs::id>> pairs;
    world.query("position, ($r, _)").each([&](const ecs::text_match& m) {
        pairs.emplace(m.subject(), m.word(1));
        EXPECT_EQ(m.source(1), m.subject());
    });
    const ecs::id liked = world.pair_to<likes>(bob), owed = world.pair_to<owes>(alice);
    EXPECT_EQ(pairs, (std::set{std::pair(alice, liked), std::pair(bob, owed)}));
    EXPECT_EQ(found("position, ($r, Bob), !$r(Bob, _)"), std::vector{alice});
    EXPECT_TRUE(found("position, ($r, Bob), !$r($this, _)").empty());
    expect_same_again("position, ($r, _)");
}

TEST_F(text_queries, take_variables_in_alternatives) {
    EXPECT_EQ(found("(likes, $x), {velocity($x) || mass}"), std::vector{alice});
    EXPECT_TRUE(found("(likes, $x), velocity($x) || mass($x)").empty());
    EXPECT_EQ(found("position, (likes, $x) || (owes, $x)"), (std::vector{bob, alice}));
    EXPECT_EQ(found("position, !{(likes, $x) || frozen}, (owes, $x)"), std::vector{bob});
    std::set<std::pair<ecs::entity, ecs::entity>> owed;
    world.query("position, (owes, $x) || {mass, !velocity($y), (likes, $y)}").each([&](const auto& m) {
        owed.emplace(m["x"], m["y"]);
        EXPECT_EQ(m.has(1), m["x"] == alice);
        EXPECT_EQ(m.has(4), m["y"] == bob);
    });
    EXPECT_EQ(owed, (std::set{std::pair(alice, ecs::entity()), std::pair(ecs::entity(), bob)}));
    expect_same_again("position, (owes, $x) || {mass, !velocity($y), (likes, $y)}");
}

TEST_F(text_queries, ask_no_later_alternative_where_an_earlier_one_holds_for_some_value) {
    world.add<likes>(alice, world.spawn());
    world.add<frozen>(alice), world.add<frozen>(bob);
    auto query = world.query("position, (likes, $x) || frozen");
    std::size_t of_alice = 0, of_bob = 0;
    query.each([&](const ecs::text_match& m) {
        ++(m.subject() == alice ? of_alice : of_bob);
        EXPECT_EQ(m.has(1), m.subject() == alice);
        EXPECT_EQ(static_cast<bool>(m["x"]), m.subject() == alice);
    });
    EXPECT_EQ(of_alice, 2U);
    EXPECT_EQ(of_bob, 1U);
    EXPECT_EQ(query.count(), 3U);
    EXPECT_EQ(world.query("position, {(likes, $x), mass($x)} || frozen").count(), 2U);
    EXPECT_EQ(world.query("position, frozen || (likes, $x)").count(), 2U);
    auto typed = world.query<const game::position>().where(
        ecs::joined_condition(ecs::pair(world.component<likes>(), ecs::var("x"))) || ecs::has<frozen>());
    EXPECT_EQ(typed.count(), 3U);
    std::atomic<std::size_t> on_threads = 0;
    typed.par_each([&](const game::position&, const ecs::bindings&) { ++on_threads; });
    EXPECT_EQ(on_threads, 3U);
    EXPECT_EQ(query.set("x", bob).count(), 1U);
}

TEST_F(text_queries, know_in_an_earlier_alternative_what_the_rest_has_found) {
    ecs::world own;
    const ecs::entity asker = own.spawn(game::position{}, frozen{}), friend_of = own.spawn(),
                      owed = own.spawn();
    own.add<likes>(asker, friend_of), own.add<likes>(friend_of, owed);
    own.set<owes>(asker, owed, {1});
    auto query = own.query("game::position, (owes, $y), {(likes, $w), !likes($w, $y)} || frozen");
    std::vector<ecs::entity> found;
    const auto look = [&] {
        found.clear();
        query.each([&](const ecs::text_match& m) { found.push_back(m["w"]); });
        return found;
    };
    EXPECT_EQ(look(), std::vector{ecs::entity()});
    const ecs::entity other = own.spawn();
    own.add<likes>(asker, other);
    EXPECT_EQ(look(), std::vector{other});
}

TEST_F(text_queries, find_those_for_whom_there_is_none) {
    world.add<likes>(bob, alice);
    std::vector<ecs::entity> found;
    world.query("position, {(likes, $x), velocity($x)} || position").each([&](const ecs::text_match& m) {
        if (!m["x"]) found.push_back(m.subject());
    });
    EXPECT_EQ(found, std::vector{alice});
    EXPECT_THROW(std::ignore = world.query("position, !{(likes, $x), velocity($x)}").count(),
                 std::invalid_argument);
}

TEST_F(text_queries, leave_variables_null_where_there_is_nothing) {
    std::set<std::pair<ecs::entity, ecs::entity>> liked;
    world.query("position, ?(likes, $x)").each([&](const ecs::text_match& m) {
        liked.emplace(m.subject(), m["x"]);
        EXPECT_EQ(m.has(1), m.subject() == alice);
    });
    EXPECT_EQ(liked, (std::set{std::pair(alice, bob), std::pair(bob, ecs::entity())}));
    EXPECT_EQ(world.query("position, ?(likes, $x), ?owes($x, $y)").count(), 2U);
    expect_same_again("position, ?(likes, $x), ?owes($x, $y), !frozen($y)");
}

TEST_F(text_queries, bind_variables) {
    std::vector<std::pair<ecs::entity, ecs::entity>> pairs;
    auto query = world.query("position, (likes, $x), mass(Alice)");
    query.each([&](const ecs::text_match& m) { pairs.emplace_back(m.subject(), m["x"]); });
    EXPECT_EQ(pairs, (std::vector{std::pair(alice, bob)}));
    EXPECT_EQ(query.count(), 1);
    EXPECT_EQ(found("(likes, $x), position($x), !velocity($x)"), std::vector{alice});
    EXPECT_TRUE(found("(likes, $x), velocity($x)").empty());
    EXPECT_EQ(found("(likes, $x), owes($x, Alice)"), std::vector{alice});
    EXPECT_EQ(found("(likes, $x), owes($x, $this)"), std::vector{alice});
    EXPECT_TRUE(found("(likes, $this)").empty());
    world.add<likes>(bob, bob);
    EXPECT_EQ(found("(likes, $this)"), std::vector{bob});
    auto of_one = world.query("(likes, $x)");
    EXPECT_EQ(of_one.set("this", alice).entities(), std::vector{alice});
    EXPECT_THROW(of_one.set("this", {}), std::invalid_argument);
    EXPECT_EQ(of_one.unset("this").count(), 2);
    EXPECT_EQ(of_one.set("x", bob).count(), 2);
    EXPECT_EQ(of_one.set("x", alice).count(), 0);
    EXPECT_THROW(of_one.set("y", bob), std::invalid_argument);
    auto without = world.query("position");
    EXPECT_THROW(without.set("x", bob), std::invalid_argument);
    EXPECT_THROW(without.set("this", {}), std::invalid_argument);
    EXPECT_THROW(without.unset("x"), std::invalid_argument);
    without.each([](const ecs::text_match& m) { EXPECT_EQ(m["this"], m.subject()); });
    world.remove<likes>(bob, bob);
    int owed = 0;
    world.query("(likes, $x), (owes, $y), position($x)").each([&](const ecs::text_match&) { FAIL(); });
    world.query("(likes, $x), position($x)").each([&](const ecs::text_match& m) {
        EXPECT_EQ(m.word(0), world.pair_to<likes>(bob));
        EXPECT_EQ(m.source(1), bob);
        owed = static_cast<int>(m.get<const game::position>(1).x);
    });
    EXPECT_EQ(owed, 1);
    EXPECT_THROW(std::ignore = world.query<mass>("(likes, $x)"), ecs::query_text_error);
}

TEST_F(text_queries, without_variables_ask_one_entity_alone) {
    auto query = world.query("position, [inout] ?mass");
    query.set("this", alice);
    query.each([&](const ecs::text_match& m) {
        EXPECT_EQ(m["this"], alice);
        m.get<mass>(1).value = 8;
        EXPECT_THROW(query.set("this", bob), ecs::iteration_error);
    });
    EXPECT_EQ(world.get<mass>(alice).value, 8);
    EXPECT_EQ(query.count(), 1U);
    EXPECT_EQ(query.first(), alice);
    EXPECT_EQ(query.entities(), std::vector{alice});
    query.set("this", child);
    EXPECT_TRUE(query.empty() && query.count() == 0 && query.entities().empty());
    query.each([](const ecs::text_match&) { FAIL() << "the child has no position"; });
    EXPECT_EQ(query.unset("this").count(), 2U);
    query.set("this", bob);
    world.despawn(bob);
    EXPECT_TRUE(query.empty() && query.count() == 0 && query.entities().empty());
    EXPECT_EQ(query.unset("this").first(), alice);
}

TEST_F(text_queries, without_variables_have_all_matches_of_one_entity) {
    world.add<likes>(alice, child);
    world.add<likes>(bob, child);
    auto query = world.query("(likes, *)");
    EXPECT_EQ(query.set("this", alice).count(), 2U);
    EXPECT_EQ(query.entities(), (std::vector{alice, alice}));
    std::set<ecs::id> liked;
    query.each([&](const ecs::text_match& m) { liked.insert(m.word(0)); });
    EXPECT_EQ(liked, (std::set{world.pair_to<likes>(bob), world.pair_to<likes>(child)}));
    const ecs::entity bare = world.spawn();
    EXPECT_EQ(world.query("!likes").set("this", bare).first(), bare) << "it has no row";
}

TEST_F(text_queries, of_one_entity_look_at_what_has_changed) {
    auto query = world.query("position(changed)");
    query.set("this", alice);
    const auto looks = [&] {
        int seen = 0;
        query.each([&](const ecs::text_match&) { ++seen; });
        return seen;
    };
    EXPECT_EQ(looks(), 1);
    EXPECT_EQ(looks(), 0);
    world.set(bob, game::position{});
    EXPECT_EQ(looks(), 0);
    world.set(alice, game::position{});
    EXPECT_EQ(query.count(), 1U) << "to count is no look";
    EXPECT_EQ(looks(), 1);
}

TEST_F(text_queries, name_a_target_that_has_ended_and_no_other) {
    const ecs::entity gone = world.spawn();
    const auto handle = "#" + std::to_string(gone.index()) + "v" + std::to_string(gone.generation());
    auto fans = world.query().with<likes>(gone);
    auto related = world.query().with(ecs::pair(ecs::any, gone));
    auto joined = world.query("_($x, " + handle + "), !likes($x, " + handle + ")");
    world.despawn(gone);
    const auto expect_refused = [&](const std::string& text) {
        EXPECT_NE(text.find(handle), std::string::npos) << text;
        EXPECT_THROW(std::ignore = world.query(text), ecs::query_text_error) << text;
    };
    expect_refused(fans.text());
    expect_refused(related.text());
    expect_refused(joined.text());
    const ecs::entity next = world.spawn();
    ASSERT_EQ(next.index(), gone.index());
    expect_refused(fans.text());
    expect_refused(related.text());
    expect_refused(joined.text());
    const std::string late = world.query().with<likes>(gone).text();
    EXPECT_THROW(std::ignore = world.query(late), ecs::query_text_error) << late;
}

TEST_F(text_queries, find_no_later_owner_of_the_index_of_a_target) {
    const ecs::entity gone = world.spawn();
    const std::string name = "#" + std::to_string(gone.index());
    std::vector<ecs::text_query> all;
    for (const std::string text : {"(_, G) || position", "position, ?(_, G)", "position, ?(likes, G)",
                                   "position($x), ?(*, G)", "position, !{(likes, G), position}"}) {
        std::string with_index = text;
        with_index.replace(with_index.find('G'), 1, name);
        all.push_back(world.query(with_index));
    }
    world.despawn(gone);
    const ecs::entity next = world.spawn();
    ASSERT_EQ(next.index(), gone.index());
    world.add<likes>(alice, next);
    for (ecs::text_query& query : all) {
        std::size_t matches = 0;
        query.each([&](const ecs::text_match& m) {
            ++matches;
            for (std::size_t field = 0; field != query.fields(); ++field)
                EXPECT_FALSE(m.word(field).is_pair()) << query.text();
        });
        EXPECT_GE(matches, 2U) << query.text();
    }
    EXPECT_EQ(world.query("position, (likes, " + name + ")").count(), 1U);
}

/// What the second term of `text` stands for in each match about the entity: null where it is missing.
std::multiset<ecs::id> words_of_second(ecs::world& world, const std::string& text, ecs::entity e) {
    std::multiset<ecs::id> words;
    world.query(text).each([&](const ecs::text_match& m) {
        if (m.subject() == e) words.insert(m.word(1));
    });
    return words;
}

TEST_F(text_queries, hand_out_each_pair_that_may_be_missing_or_else_none) {
    using words = std::multiset<ecs::id>;
    const ecs::entity ship = world.spawn(std::string("Ship")), hull = world.spawn(std::string("Hull"));
    const ecs::entity crew = world.spawn(frozen{}), captain = world.spawn(frozen{}),
                      guest = world.spawn(frozen{});
    for (const ecs::entity e : {crew, captain, guest}) world.add<likes>(e, ship);
    world.add(crew, ecs::pair(ecs::child_of, hull));
    world.add(captain, ecs::pair(ecs::child_of, ship));
    const ecs::id parent = ecs::pair(world.component_named("child_of"), ship);
    EXPECT_EQ(words_of_second(world, "frozen, ?(*, Ship)", crew), words{world.pair_to<likes>(ship)});
    EXPECT_EQ(words_of_second(world, "frozen, ?(*, Ship)", captain),
              (words{world.pair_to<likes>(ship), parent}));
    EXPECT_EQ(words_of_second(world, "frozen, ?(*, Hull)", captain), words{ecs::id()});
    EXPECT_EQ(words_of_second(world, "frozen, ?(*, Hull)", guest), words{ecs::id()});
    world.add<likes>(guest, hull);
    EXPECT_EQ(words_of_second(world, "frozen, ?(likes, *)", guest),
              (words{world.pair_to<likes>(ship), world.pair_to<likes>(hull)}));
    world.disable(guest, world.pair_to<likes>(ship));
    EXPECT_EQ(words_of_second(world, "frozen, ?(likes, *)", guest), words{world.pair_to<likes>(hull)});
    world.disable(guest, world.pair_to<likes>(hull));
    EXPECT_EQ(words_of_second(world, "frozen, ?(likes, *)", guest), words{ecs::id()});
    EXPECT_EQ(world.query("frozen, ?(likes, *)").count(), world.query("frozen").count());
}

TEST_F(text_queries, write_terms_with_variables_by_the_names_of_today) {
    auto query = world.query("(likes, $x), position($x), owes($x, _), !likes($x, Alice)");
    EXPECT_EQ(query.entities(), std::vector{alice});
    world.set_name(bob, "Robert");
    world.set_name(alice, "Bob");
    const std::string text = query.text();
    EXPECT_EQ(world.query(text).entities(), std::vector{alice}) << text;
    EXPECT_NE(text.find("($x, _)"), std::string::npos) << text;
    EXPECT_EQ(world.query(text).text(), text);
}

TEST_F(text_queries, hand_out_values_and_what_matched) {
    int matches = 0;
    world.query("position, ?velocity, (owes, *), buff || paused, [none] position")
        .each([&](const ecs::text_match& m) {
            ++matches;
            EXPECT_EQ(m.subject(), bob);
            EXPECT_EQ(m.get<const game::position>(0).y, 2);
            EXPECT_FALSE(m.has(1));
            EXPECT_EQ(m.value(1), nullptr);
            EXPECT_EQ(m.word(1), ecs::id{});
            EXPECT_EQ(m.word(2), world.pair_to<owes>(alice));
            EXPECT_EQ(m.get<const owes>(2).amount, 12);
        });
    EXPECT_EQ(matches, 0);
    auto query = world.query("position, ?velocity, (owes, *), !paused");
    query.each([&](const ecs::text_match& m) {
        ++matches;
        EXPECT_EQ(m.get<const game::position>(0).y, 2);
        EXPECT_EQ(m.try_get<const game::velocity>(1), nullptr);
        EXPECT_EQ(m.word(2), world.pair_to<owes>(alice));
        EXPECT_EQ(m.get<const owes>(2).amount, 12);
        EXPECT_THROW(std::ignore = m.get<const mass>(0), std::invalid_argument);
        EXPECT_THROW(std::ignore = m.get<const game::velocity>(1), ecs::access_error);
        EXPECT_THROW(std::ignore = m.get<game::position>(0), std::invalid_argument);
        EXPECT_THROW(std::ignore = m.value(9), std::out_of_range);
        EXPECT_THROW(std::ignore = m["x"], std::invalid_argument);
        EXPECT_THROW(world.despawn(bob), ecs::iteration_error);
    });
    EXPECT_EQ(matches, 1);
    EXPECT_EQ(query.fields(), 4);
    EXPECT_EQ(query.component_of(0), world.component<game::position>());
}

TEST_F(text_queries, hand_out_nothing_for_a_pair_that_may_be_missing_and_is) {
    for (const char* const text : {"position, ?(owes, $x)", "position, ?(owes, *)"}) {
        std::multiset<int> owed;
        world.query(text).each([&](const ecs::text_match& m) {
            const auto* const debt = m.try_get<const owes>(1);
            owed.insert(debt ? debt->amount : 0);
            if (debt) {
                EXPECT_THROW(std::ignore = m.try_get<const mass>(1), std::invalid_argument) << text;
            } else {
                EXPECT_THROW(std::ignore = m.get<const owes>(1), ecs::access_error) << text;
            }
        });
        EXPECT_EQ(owed, (std::multiset{0, 12})) << text;
    }
}

TEST_F(text_queries, hand_out_what_is_elsewhere) {
    int matches = 0;
    world.query("buff, mass(up), buff || frozen").each([&](const ecs::text_match& m) {
        ++matches;
        EXPECT_EQ(m.get<const buff>(0).strength, 3);
        EXPECT_EQ(m.source(1), alice);
        EXPECT_EQ(m.get<const mass>(1).value, 7);
        EXPECT_TRUE(m.has(2));
        EXPECT_EQ(m.value(3), nullptr);
    });
    EXPECT_EQ(matches, 1);
    const ecs::entity base = world.prefab(mass{20});
    const ecs::entity instance = world.spawn(ecs::pair(ecs::is_a, base));
    world.query("mass, (is_a, *)").each([&](const ecs::text_match& m) {
        EXPECT_EQ(m.subject(), instance);
        EXPECT_EQ(m.source(0), base);
        EXPECT_EQ(m.get<const mass>(0).value, 20);
        ++matches;
    });
    EXPECT_EQ(matches, 2);
}

TEST_F(text_queries, mean_the_component_where_an_entity_has_its_name) {
    const std::vector<ecs::entity> all = world.query("game::position").entities();
    world.spawn("game::position");
    EXPECT_EQ(world.query("game::position").entities(), all);
    EXPECT_FALSE(all.empty());
}

TEST_F(text_queries, mark_only_what_they_say_they_write) {
    auto changed = world.query<const game::position>().changed<game::position>();
    changed.mark_seen();
    world.query("position").each([](const ecs::text_match&) {});
    EXPECT_EQ(changed.count(), 0);
    world.query("[inout] position, velocity").each([](const ecs::text_match& m) {
        m.get<game::position>(0).x += m.get<const game::velocity>(1).x;
    });
    EXPECT_EQ(changed.entities(), std::vector{alice});
    EXPECT_EQ(world.get<game::position>(alice).x, 8);
}

TEST_F(text_queries, ask_for_changes) {
    auto moved = world.query("position(changed)");
    moved.each([](const ecs::text_match&) {});
    EXPECT_EQ(moved.count(), 0);
    world.set(bob, game::position{});
    EXPECT_EQ(moved.entities(), std::vector{bob});
    auto either = world.query("position(changed) || mass(added)");
    either.each([](const ecs::text_match&) {});
    world.set(bob, mass{});
    world.set(alice, mass{});
    EXPECT_EQ(either.entities(), std::vector{bob});
}

TEST_F(text_queries, with_variables_write_what_another_query_finds_that_has_looked_meanwhile) {
    auto watch = world.query<const game::position>().changed<game::position>();
    world.query("[inout] position, (likes, $x)").each([&](const ecs::text_match& m) {
        watch.each([](const game::position&) {});
        static_cast<game::position*>(m.value_to_write(0))->x = 9;
    });
    EXPECT_EQ(watch.entities(), std::vector{alice});
}

TEST_F(text_queries, with_variables_hand_out_each_pair) {
    world.add<likes>(alice, child);
    world.set<owes>(alice, bob, {1});
    world.set<owes>(alice, child, {2});
    std::multiset<std::pair<ecs::entity, ecs::entity>> found;
    int owed = 0;
    auto query = world.query("(owes, *), (likes, $x)");
    query.each([&](const ecs::text_match& m) {
        found.emplace(world.target_of(m.word(0)), m["x"]);
        owed += m.get<const owes>(0).amount;
    });
    EXPECT_EQ(found, (std::multiset{std::pair(bob, bob), std::pair(bob, child), std::pair(child, bob),
                                    std::pair(child, child)}));
    EXPECT_EQ(owed, 6);
    EXPECT_EQ(query.count(), 4U);
    EXPECT_EQ(query.entities(), std::vector<ecs::entity>(4, alice));
    EXPECT_EQ(world.query("(owes, _), (likes, $x)").count(), 2U);
}

TEST_F(text_queries, with_variables_list_entities_without_a_look) {
    world.add<likes>(bob, alice);
    auto moved = world.query("position(changed), (likes, $x)");
    moved.each([](const ecs::text_match&) {});
    world.set(bob, game::position{});
    for (int i = 0; i < 2; ++i) EXPECT_EQ(moved.entities(), std::vector{bob});
    moved.each([](const ecs::text_match&) {});
    EXPECT_EQ(moved.entities(), std::vector<ecs::entity>{});
}

TEST_F(text_queries, with_variables_ask_what_has_not_changed_since_their_own_loop) {
    const ecs::entity carol = world.spawn(game::position{5, 0}), dave = world.spawn();
    world.add<likes>(carol, dave);
    auto quiet = world.query("(likes, $x), position, !position(changed), ?mass");
    std::vector<std::pair<ecs::entity, float>> found;
    const auto look = [&] {
        found.clear();
        quiet.each([&](const ecs::text_match& m) {
            found.emplace_back(m.subject(), m.get<const game::position>(1).x);
        });
        return found;
    };
    EXPECT_TRUE(look().empty()) << "all are new to it";
    EXPECT_EQ(look().back(), (std::pair{carol, 5.F}));
    world.set(carol, game::position{6, 0});
    const auto still = look();
    EXPECT_TRUE(std::ranges::none_of(still, [&](const auto& one) { return one.first == carol; }));
}

TEST_F(text_queries, say_which_alternative_holds_above) {
    int found = 0;
    const auto look = [&](std::string_view text, bool first, bool second) {
        found = 0;
        world.query(text).each([&](const ecs::text_match& m) {
            if (m.subject() != child) return;
            ++found;
            EXPECT_EQ(m.has(0), first) << text;
            EXPECT_EQ(m.source(0), first ? alice : ecs::entity()) << text;
            EXPECT_EQ(m.has(1), second) << text;
        });
        EXPECT_EQ(found, 1) << text;
    };
    look("mass(up) || frozen", true, true);
    look("velocity(up child_of) || (likes, Bob)", true, false);
    world.set(child, mass{1});
    world.remove<mass>(alice);
    look("mass(up) || frozen", false, true);
    found = 0;
    world.query("!mass(up), frozen, ?mass").each([&](const ecs::text_match& m) {
        ++found;
        EXPECT_FALSE(m.has(0));
        EXPECT_TRUE(m.has(2) && m.get<const mass>(2).value == 1);
    });
    EXPECT_EQ(found, 1);
}

TEST_F(text_queries, say_which_alternative_has_happened) {
    auto news = world.query("position(changed) || mass(added) || velocity(removed)");
    std::vector<std::tuple<ecs::entity, bool, bool, bool>> found;
    const auto look = [&] {
        found.clear();
        news.each([&](const ecs::text_match& m) {
            found.emplace_back(m.subject(), m.has(0), m.has(1), m.has(2));
            EXPECT_EQ(m.source(0), m.has(0) ? m.subject() : ecs::entity());
            EXPECT_FALSE(m.source(2)) << "nobody has what was removed";
        });
        return found;
    };
    auto removed = world.query("velocity(removed)");
    removed.each([](const ecs::text_match&) {});
    look();
    EXPECT_TRUE(look().empty());
    world.set(bob, mass{});
    EXPECT_EQ(look(), (std::vector{std::tuple(bob, false, true, false)}));
    world.set(alice, game::position{1, 1});
    world.remove<game::velocity>(alice);
    EXPECT_EQ(look(), (std::vector{std::tuple(alice, true, false, true)}));
    int who_lost_it = 0;
    removed.each([&](const ecs::text_match& m) { who_lost_it += m.has(0) && m.subject() == alice; });
    EXPECT_EQ(who_lost_it, 1);
}

TEST_F(text_queries, with_variables_hold_the_subject_that_has_no_components) {
    const ecs::entity clock = world.spawn(frozen{}), one = world.spawn(), other = world.spawn();
    auto query = world.query("!frozen, !position, frozen($x)"), bare = world.query("!frozen, !position");
    std::set<ecs::entity> found;
    query.each([&](const ecs::text_match& m) {
        const ecs::entity before = m.subject();
        std::ignore = world.query<>().without<frozen>().contains(before == one ? other : one);
        query.each([](const ecs::text_match&) {});
        EXPECT_EQ(m.subject(), before);
        if (m["x"] == clock) found.insert(before);
    });
    EXPECT_TRUE(found.contains(one) && found.contains(other));
    EXPECT_EQ(found.size(), bare.count());
}

TEST_F(text_queries, name_an_instance_as_the_source_of_a_tag_of_its_own) {
    const ecs::entity base = world.spawn(frozen{}, mass{1}), heir = world.spawn(ecs::pair(ecs::is_a, base)),
                      own = world.spawn(ecs::pair(ecs::is_a, base));
    world.add<frozen>(own);
    int found = 0;
    for (const std::string_view text : {"frozen", "[none] frozen", "frozen || velocity", "frozen($x), mass"})
        world.query(text).each([&](const ecs::text_match& m) {
            if (m.subject() != own && m.subject() != heir) return;
            const bool is_of_subject = text != "frozen($x), mass" || m["x"] == m.subject();
            if (!is_of_subject) return;
            ++found;
            EXPECT_EQ(m.source(0), m.subject() == own ? own : base) << text;
        });
    EXPECT_EQ(found, 8);
}

TEST_F(text_queries, name_the_base_as_the_source_wherever_they_look) {
    const ecs::entity base = world.spawn(mass{20}), heir = world.spawn(ecs::pair(ecs::is_a, base)),
                      below = world.spawn(frozen{}, ecs::pair(ecs::child_of, heir)),
                      own = world.spawn(mass{3}, ecs::pair(ecs::is_a, base));
    int found = 0;
    for (const std::string_view text : {"mass", "mass(self|up)", "mass(up)"})
        world.query(text).each([&](const ecs::text_match& m) {
            if (m.subject() != heir && m.subject() != below && m.subject() != own) return;
            ++found;
            EXPECT_EQ(m.source(0), m.subject() == own ? own : base) << text;
            EXPECT_EQ(m.get<const mass>(0).value, m.subject() == own ? 3 : 20) << text;
        });
    EXPECT_EQ(found, 2 + 3 + 1);
}

TEST_F(text_queries, restrict_typed_ones) {
    float sum = 0;
    world.query<const mass>("position, !frozen, velocity || (likes, _)").each([&](const mass& m) {
        sum += m.value;
    });
    EXPECT_EQ(sum, 7);
}

TEST_F(text_queries, are_written_as_they_are_read) {
    const auto quoted = [&](ecs::entity component) { return '"' + world.component_name(component) + '"'; };
    EXPECT_EQ(world.query("position,[inout]velocity , ?mass,!frozen").text(),
              "game::position, [inout] game::velocity, ?" + quoted(world.component<mass>()) + ", !" +
                  quoted(world.component<frozen>()));
    for (const std::string_view text :
         {"position",
          "",
          "position, (likes, Bob)",
          "(likes, *), (likes, _)",
          "!{position, frozen}",
          "position || {velocity, !mass}, frozen || mass",
          "!{!position || frozen}",
          "mass(self|up), frozen(up child_of)",
          "mass(self|cascade), frozen(cascade)",
          "mass(Alice), !likes(Bob, Alice)",
          "paused($)",
          "position(changed), mass(added) || buff(removed)",
          "likes($this|up child_of, Bob)",
          "mass(kind)",
          "(likes, $x), position($x), !velocity($x)",
          "(likes, $x), owes($x, $this)",
          "(likes, $x), likes(Bob, $x)",
          "(likes, $x), {mass($x) || mass, !{frozen, position($x)}} || !!mass(Bob)",
          "(likes, $x), mass($x) || mass(Bob)",
          "(child_of, #0), position"}) {
        SCOPED_TRACE(text);
        expect_same_again(text);
    }
}

TEST_F(text_queries, are_written_of_typed_ones) {
    auto typed =
        world.query<game::position, const game::velocity*>().without<frozen>().any_of<mass, paused>().with(
            ecs::pair(world.component<likes>(), bob));
    auto read = world.query(typed.text());
    EXPECT_EQ(typed.entities(), read.entities());
    EXPECT_NE(typed.text().find("[inout] game::position, ?game::velocity"), std::string::npos)
        << typed.text();
}

TEST_F(text_queries, quote_names_and_number_those_without) {
    const ecs::entity odd = world.spawn(std::string("a \"very\" odd, name"));
    const ecs::entity unnamed = world.spawn();
    const ecs::entity fan = world.spawn();
    world.add<likes>(fan, odd);
    world.add<likes>(fan, unnamed);
    EXPECT_EQ(found(R"((likes, "a \"very\" odd, name"))"), std::vector{fan});
    auto numbered = world.query().with(world.pair_to<likes>(unnamed)).with(world.pair_to<likes>(odd));
    EXPECT_EQ(found(numbered.text()), std::vector{fan}) << numbered.text();
    EXPECT_EQ(found("(likes, Alice/Child)"), std::vector<ecs::entity>{});
    EXPECT_EQ(found("(child_of, Alice), !(likes, Alice.Child)"), std::vector{child});
}

TEST_F(text_queries, say_which_kind_they_have_found) {
    const ecs::entity heavy = world.spawn("heavy"), heavier = world.spawn("heavier");
    world.add(heavier, ecs::is_a, heavy);
    const ecs::entity e = world.spawn("e");
    world.add(e, heavier);
    auto query = world.query("heavy(kind), ?frozen(kind)");
    std::size_t matches = 0;
    query.each([&](const ecs::text_match& match) {
        ++matches;
        EXPECT_EQ(match.subject(), e);
        EXPECT_TRUE(match.has(0));
        EXPECT_EQ(match.word(0), ecs::id(heavier));
        EXPECT_EQ(match.source(0), e);
        EXPECT_FALSE(match.has(1));
    });
    EXPECT_EQ(matches, 1U);
}

TEST_F(text_queries, hand_out_a_kind_as_the_type_that_it_is) {
    world.add(world.component<blade>(), ecs::pair(ecs::is_a, world.component<arm>()));
    const ecs::entity e = world.spawn(blade{3});
    auto query = world.query("arm(kind)");
    int length = 0;
    query.each([&](const ecs::text_match& m) {
        EXPECT_EQ(m.subject(), e);
        EXPECT_THROW(std::ignore = m.get<const arm>(0), std::invalid_argument);
        length += m.get<const blade>(0).length;
    });
    EXPECT_EQ(length, 3);
    EXPECT_EQ(query.component_of(0), ecs::entity());
}

TEST_F(text_queries, hand_out_what_is_hidden) {
    world.disable<mass>(alice);
    world.disable<buff>(child);
    world.disable(alice, world.pair_to<likes>(bob));
    world.add<likes>(alice, child);
    int matches = 0;
    world.query("mass(hidden)").each([&](const ecs::text_match& m) {
        ++matches;
        EXPECT_EQ(m.source(0), alice);
        EXPECT_EQ(m.get<const mass>(0).value, 7);
    });
    world.query("paused || buff(hidden)").each([&](const ecs::text_match& m) {
        ++matches;
        EXPECT_EQ(m.source(1), child);
        EXPECT_EQ(m.get<const buff>(1).strength, 3);
    });
    world.query("likes($this|hidden, *)").each([&](const ecs::text_match& m) {
        ++matches;
        EXPECT_EQ(m.word(0), world.pair_to<likes>(bob));
        EXPECT_EQ(m.source(0), alice);
    });
    world.query("frozen, !buff(hidden)").each([&](const ecs::text_match&) { ++matches; });
    EXPECT_EQ(matches, 3);
}

TEST_F(text_queries, say_which_pair_another_entity_has) {
    world.set<owes>(alice, bob, owes{5});
    const auto expect = [&](const char* text, ecs::entity about, ecs::entity holder, ecs::entity target,
                            int amount) {
        int matches = 0;
        world.query(text).each([&](const ecs::text_match& m) {
            if (m.subject() != about) return;
            ++matches;
            EXPECT_EQ(m.word(1), world.pair_to<owes>(target)) << text;
            EXPECT_EQ(m.source(1), holder) << text;
            EXPECT_EQ(m.get<const owes>(1).amount, amount) << text;
            EXPECT_THROW(std::ignore = m.get<const mass>(1), std::invalid_argument) << text;
        });
        EXPECT_EQ(matches, 1) << text;
    };
    expect("frozen, owes($this|up, *)", child, alice, bob, 5);
    expect("frozen, owes($this|up, _)", child, alice, bob, 5);
    expect("frozen, owes(Bob, *)", child, bob, alice, 12);
    expect("position, (owes, _)", alice, alice, bob, 5);
    expect("position, (owes, *) || paused", bob, bob, alice, 12);
    world.set<owes>(alice, child, owes{6});
    world.disable(alice, world.pair_to<owes>(bob));
    expect("frozen, owes($this|up, *)", child, alice, child, 6);
    expect("position, (owes, _)", alice, alice, child, 6);
    world.add(world.component<owes>(), ecs::inheritable);
    const ecs::entity heir = world.spawn(frozen{}, ecs::pair(ecs::is_a, bob));
    expect("frozen, (owes, _)", heir, bob, alice, 12);
}

/// Pairs of a tag have values of their target's type, if it has any.
TEST_F(text_queries, mark_the_pair_above_that_they_hand_out_to_be_written) {
    world.set<owes>(alice, bob, owes{5});
    world.set<owes>(alice, child, owes{6});
    world.disable(alice, world.pair_to<owes>(bob));
    auto hidden = world.query<>().changed(world.pair_to<owes>(bob));
    auto shown = world.query<>().changed(world.pair_to<owes>(child));
    hidden.mark_seen();
    shown.mark_seen();
    world.query("frozen, [inout] owes($this|up, *)").each([](const ecs::text_match& m) {
        m.get<owes>(1).amount = 7;
    });
    EXPECT_EQ(world.get<owes>(alice, child).amount, 7);
    EXPECT_EQ(hidden.count(), 0U);
    EXPECT_EQ(shown.count(), 1U);
}

TEST_F(text_queries, hand_out_no_value_of_another_pair) {
    const ecs::id of_mass = ecs::pair(world.component<likes>(), world.component<mass>());
    const mass heavy{9};
    world.set(alice, of_mass, &heavy);
    int matches = 0;
    world.query("(likes, *)").each([&](const ecs::text_match& m) {
        ++matches;
        EXPECT_EQ(m.value(0) != nullptr, m.word(0) == of_mass);
    });
    EXPECT_EQ(matches, 2);
}

struct mistake {
    const char* text;
    std::size_t column;
    const char* expected;
};

class mistakes : public text_queries, public testing::WithParamInterface<mistake> {};

TEST_P(mistakes, are_shown_where_they_are) {
    try {
        std::ignore = world.query(GetParam().text);
        FAIL() << GetParam().text;
    } catch (const ecs::query_text_error& wrong) {
        EXPECT_EQ(wrong.column, GetParam().column) << wrong.what();
        EXPECT_NE(std::string(wrong.what()).find(GetParam().expected), std::string::npos) << wrong.what();
        EXPECT_NE(std::string(wrong.what()).find('^'), std::string::npos);
    }
}

INSTANTIATE_TEST_SUITE_P(
    texts, mistakes,
    testing::Values(
        mistake{"position,", 10, "a component"}, mistake{"position velocity", 10, "',' or '||' is expected"},
        mistake{"position, nonsense", 11, "nothing is named \"nonsense\""}, mistake{"(likes, Bob", 12, "')'"},
        mistake{"(likes Bob)", 8, "','"}, mistake{"[inn] position", 2, "'in', 'out'"},
        mistake{"position, !", 12, "a component"}, mistake{"{position", 10, "'}'"},
        mistake{"*", 1, "in pairs only"}, mistake{"mass(up nothing)", 9, "nothing is named"},
        mistake{"position(self|down)", 15, "'self', 'up'"}, mistake{"\"position", 1, "has no end"},
        mistake{"likes($x", 9, "')'"}, mistake{"position || ?(likes, $x)", 14, "decides nothing"},
        mistake{"(likes, $x), mass($x) || position(up)", 26, "no flags"},
        mistake{"(likes, $x), mass($x) || mass(Nobody)", 31, "nothing is named \"Nobody\""},
        mistake{"$r", 1, "a variable is a target, a relation or whom a term is about"},
        mistake{"likes(*, $x)", 7, "a variable is a target"},
        mistake{"position && mass", 10, "',' stands for 'and'"},
        mistake{"position or mass", 10, "'||' stands for 'or'"},
        mistake{"mass > 3", 6, "which the loop can compare"},
        mistake{"position, not mass", 11, "'!' stands for 'not'"},
        mistake{"position | mass", 12, "'||' stands for 'or'"},
        mistake{"(likes, -1)", 9, "a number has no sign"},
        mistake{"mass, Positon", 7, "did you mean position?"},
        mistake{"(ChildOf, *)", 2, "did you mean child_of?"}, mistake{"Mass", 1, "did you mean mass?"},
        mistake{"[inout] !position", 10, "[out] and [inout]"},
        mistake{"[out] mass(Alice)", 7, "[out] and [inout]"},
        mistake{"#99999999", 1, "no entity that is alive"}, mistake{"#99999999999", 2, "32 bits"},
        mistake{"position(changed, Bob)", 17, "')'"}, mistake{"7", 1, "the target of a pair only"},
        mistake{"\x01", 1, "a component"}, mistake{"position, ?{mass}", 12, "a component"},
        mistake{"mass(up|changed) || frozen", 1, "asks for changes of the entity in the row alone"},
        mistake{"frozen || !mass(Alice|up)", 12, "about one entity or about those above"},
        mistake{"mass(cascade) || frozen", 1, "cascade is an order"},
        mistake{"frozen, !mass(cascade)", 10, "cascade is an order"},
        mistake{"child_of($this|up, #0)", 20, "no target"},
        mistake{"child_of($this|kind, #0)", 22, "no target"},
        mistake{"child_of($this|changed, #0)", 25, "no target"},
        mistake{"frozen || (child_of, #0)", 22, "no target"}, mistake{"child_of($x, #0)", 14, "no target"},
        mistake{"child_of(Alice, #0)", 17, "no target"},
        mistake{"?mass(hidden)", 2, "may or may not be hidden"},
        mistake{"?mass(changed)", 2, "may or may not have been"},
        mistake{"?{mass, frozen}", 2, "one term is expected here"},
        mistake{"?!mass", 2, "one term is expected here"}, mistake{"??mass", 2, "one term is expected here"},
        mistake{"[in] {mass}", 6, "one term is expected here"},
        mistake{"[in] [out] mass", 6, "the second time"}, mistake{"[in] ?[in] mass", 7, "the second time"},
        mistake{"[in] ![none] mass", 7, "the second time"}, mistake{"(*, 3)", 5, "a relation that is named"},
        mistake{"mass, ($r, 3)", 12, "a relation that is named"},
        mistake{"mass(cascade), (likes, $x)", 1, "come in no order"},
        mistake{"(likes, $x), mass(self|cascade)", 14, "come in no order"},
        mistake{"mass(cascade), frozen(cascade is_a)", 16, "along one relation"},
        mistake{"(child_of, #0v1)", 12, "no entity that is alive has this index and generation"}));

TEST_F(text_queries, have_limits) {
    std::string deep(30, '!');
    EXPECT_THROW(std::ignore = world.query(deep + "position"), ecs::query_text_error);
    std::string wide = "position";
    for (int i = 0; i < 255; ++i) wide += ", position";
    EXPECT_EQ(world.query(wide).count(), 2);
    EXPECT_THROW(std::ignore = world.query(wide + ", position"), ecs::query_text_error);
    std::string either = "mass($x)", conditions = "(likes, $x)";
    for (int i = 1; i < 10; ++i) either += " || mass($x)";
    for (int i = 0; i < 4; ++i) conditions += ", " + either;
    EXPECT_THROW(std::ignore = world.query(conditions), ecs::query_text_error);
}

TEST_F(text_queries, that_look_for_long_can_be_ended_from_outside) {
    for (int i = 0; i < 50; ++i) world.spawn(mass{1});
    auto matchless = world.query("mass($x), mass($y), mass($z), !mass($z)");
    int steps = 0;
    const auto stop_at_third = [&] {
        if (++steps == 3) throw std::runtime_error("enough");
    };
    EXPECT_THROW(matchless.each([](const ecs::text_match&) {}, stop_at_third), std::runtime_error);
    EXPECT_EQ(steps, 3);
    EXPECT_FALSE(world.is_locked());
    EXPECT_EQ(matchless.count(), 0U);
}

void expect_end_at_third_step(ecs::text_query query) {
    int steps = 0;
    const auto stop_at_third = [&] {
        if (++steps == 3) throw std::runtime_error("enough");
    };
    EXPECT_THROW(query.each([](const ecs::text_match&) {}, stop_at_third), std::runtime_error);
    EXPECT_EQ(steps, 3);
}

TEST_F(text_queries, that_look_for_long_for_what_may_be_missing_can_be_ended_from_outside) {
    for (int i = 0; i < 600; ++i) world.add<likes>(world.spawn(), bob);
    expect_end_at_third_step(world.query("position, ?likes($x, $x)"));
    EXPECT_FALSE(world.is_locked());
}

/// Of each entity that the second alternative finds, the first one is asked with all values of its variable.
TEST_F(text_queries, that_look_for_long_for_earlier_alternatives_can_be_ended_from_outside) {
    for (int i = 0; i < 3; ++i) world.spawn(paused{});
    for (int i = 0; i < 250; ++i) world.spawn(frozen{});
    expect_end_at_third_step(world.query("frozen, {paused($y), !paused($y)} || frozen"));
    EXPECT_FALSE(world.is_locked());
}

constexpr int random_texts = test::is_sanitized ? 10'000 : 60'000;

/// Whatever is between the tokens of a text, it is read or refused, and what is read is written and read
/// again.
TEST_F(text_queries, of_random_tokens_are_read_or_refused) {
    const std::vector<std::string> tokens{
        "position", "velocity", "mass", "likes",    "Bob",         "$x",         "$this", "$", "(",
        ")",        ",",        "|",    "||",       "!",           "?",          "{",     "}", "[in]",
        "[inout]",  "self",     "up",   "*",        "_",           "#0",         "#7",    "7", "changed",
        "kind",     "\"Bob\"",  " ",    "child_of", "(likes, $x)", "(likes, *)", ", "};
    std::mt19937 random(3);
    int read = 0;
    for (int i = 0; i < random_texts; ++i) {
        std::string text;
        for (std::size_t n = random() % 9 + 1; n != 0; --n) text += tokens[random() % tokens.size()];
        try {
            auto query = world.query(text);
            ++read;
            const std::string written = query.text();
            ASSERT_EQ(world.query(written).text(), written) << text;
            try {
                const std::vector<ecs::entity> all = query.entities();
                ASSERT_EQ(world.query(written).entities(), all) << text << " became " << written;
            } catch (const std::invalid_argument&) { // A variable that nothing binds.
            }
        } catch (const ecs::query_text_error&) {
        }
    }
    EXPECT_GT(read, random_texts / 60);
}

/// What says two things of which one would be forgotten.
TEST_F(text_queries, flags_that_contradict_each_other_are_refused) {
    world.spawn("ship");
    const auto message_of = [&](const char* text) -> std::string {
        try {
            std::ignore = world.query(text);
        } catch (const ecs::query_text_error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(message_of("ship(changed|added)").find("a term asks for one kind of change"),
              std::string::npos);
    EXPECT_NE(message_of("ship(removed|changed)").find("a term asks for one kind of change"),
              std::string::npos);
    EXPECT_NE(message_of("ship(kind|up)").find("kinds are asked of the entity itself"), std::string::npos);
    EXPECT_NE(message_of("ship(cascade|kind)").find("kinds are asked of the entity itself"),
              std::string::npos);
    EXPECT_EQ(message_of("ship(changed|changed)"), "");
}

TEST(texts_of_names, tell_an_entity_from_a_component_of_the_same_name) {
    ecs::world world;
    world.component({.name = "Speed"});
    const ecs::entity likes = world.spawn("likes"), speed = world.spawn("Speed"), a = world.spawn();
    world.add(a, likes, speed);
    const std::string text = world.query().with(ecs::pair(likes, speed)).text();
    EXPECT_EQ(world.query(text).entities(), std::vector{a}) << text;
}

TEST(texts_of_terms, answer_for_what_is_above_where_nothing_is_handed_out) {
    ecs::world world;
    const ecs::entity fleet = world.component({.name = "Fleet"}), parent = world.spawn();
    world.add(parent, fleet);
    world.spawn(ecs::pair(ecs::child_of, parent));
    int found = 0;
    world.query("[none] Fleet(up)").each([&](const ecs::text_match& m) {
        EXPECT_TRUE(m.has(0));
        EXPECT_EQ(m.source(0), parent);
        ++found;
    });
    EXPECT_EQ(found, 1);
}

} // namespace
} // namespace text_queries_test
