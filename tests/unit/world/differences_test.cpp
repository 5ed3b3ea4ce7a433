// SPDX-License-Identifier: MIT
// In what entities and worlds differ.
#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>
import ecs.world;

namespace game {

enum class mood : std::uint8_t { calm, angry };
struct place {
    float x, y;
};
struct brain {
    place goal;
    mood now;
    int list[2];
    ecs::entity enemy;
    std::string words;
};
struct frozen {};
struct likes {};
struct owes {
    int coins;
};
struct aside {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value;
};
struct beside {
    static constexpr auto kept_in = ecs::storage::in_place;
    int value;
};
class opaque {
  public:
    explicit opaque(std::uint16_t a = 0) : a_(a) {}

  private:
    [[maybe_unused]] std::uint16_t a_;
};
struct diary {
    std::vector<std::uint8_t> days;
    void save(ecs::snapshot_writer& to) const {
        for (const std::uint8_t day : days) to.write(day);
    }
    static diary load(ecs::snapshot_reader& /*from*/) { return {}; }
};
struct secret {
    std::vector<int> list; // Nothing says how it is saved.
};
struct gravity {
    double g;
};

} // namespace game

namespace {

using namespace game;
using lines = std::vector<std::string>;

lines lines_of(const std::vector<ecs::difference>& found) {
    lines texts;
    for (const ecs::difference& d : found) {
        std::string where = d.where;
        for (std::size_t at = where.find("game::"); at != std::string::npos; at = where.find("game::"))
            where.erase(at, 6);
        texts.push_back(where + ": " + d.first + " against " + d.second);
    }
    return texts;
}

/// Two worlds in which the same is done.
struct twins {
    ecs::world first, second;
    void both(const auto& act) {
        act(first);
        act(second);
    }
    [[nodiscard]] lines compared() const { return lines_of(ecs::differences(first, second)); }
};

TEST(differences, of_entities_are_empty_when_they_have_the_same) {
    ecs::world world;
    const ecs::entity fellow = world.spawn();
    const auto make = [&] {
        const ecs::entity e = world.spawn(place{1, 2}, frozen{}, aside{3}, beside{4}, opaque{5}, diary{{6}});
        world.set(e, brain{{1, 2}, mood::angry, {3, 4}, fellow, "so"});
        world.add<likes>(e, fellow);
        world.set<owes>(e, fellow, {7});
        return e;
    };
    const ecs::entity a = make();
    EXPECT_EQ(ecs::differences(world, a, make()), std::vector<ecs::difference>());
    EXPECT_EQ(ecs::differences(world, a, a), std::vector<ecs::difference>());
}

TEST(differences, name_members) {
    ecs::world world;
    const ecs::entity bob = world.spawn("Bob");
    const ecs::entity a = world.spawn(brain{{1, 2}, mood::calm, {3, 4}, bob, "so"}, place{1, 1});
    const ecs::entity b = world.spawn(brain{{1, 2.5F}, mood::angry, {3, 5}, {}, "not"}, place{1, 1});
    EXPECT_EQ(
        lines_of(ecs::differences(world, a, b)),
        (lines{"brain.goal.y: 2 against 2.5", "brain.now: calm against angry", "brain.list[1]: 4 against 5",
               "brain.enemy: Bob against null", "brain.words: \"so\" against \"not\""}));
    const ecs::difference first = ecs::differences(world, a, b)[0];
    EXPECT_EQ(first.subject, a);
    EXPECT_EQ(to_string(first), to_string(a) + " game::brain.goal.y: 2 against 2.5");
}

TEST(differences, say_what_is_missing_hidden_and_dead) {
    ecs::world world;
    const ecs::entity bob = world.spawn("Bob");
    const ecs::entity a = world.spawn(place{1, 2}, aside{1});
    const ecs::entity b = world.spawn(frozen{}, aside{2}, beside{3});
    world.disable<aside>(b);
    world.add<likes>(b, bob);
    EXPECT_EQ(lines_of(ecs::differences(world, a, b)),
              (lines{"(likes, Bob): not there against there", "aside: enabled against disabled",
                     "aside.value: 1 against 2", "beside: not there against {3}",
                     "frozen: not there against there", "place: {1, 2} against not there"}));
    world.despawn(b);
    const auto dead = ecs::differences(world, a, b);
    ASSERT_EQ(dead.size(), 1U);
    EXPECT_EQ(to_string(dead[0]), to_string(a) + ": alive against " + world.explain(b));
    EXPECT_TRUE(ecs::differences(world, b, b).empty());
}

TEST(differences, compare_what_has_no_members_as_it_is_saved) {
    ecs::world world;
    const ecs::entity a = world.spawn(opaque{0x0201}, diary{{1, 2}}, secret{{1}});
    const ecs::entity b = world.spawn(opaque{0x0203}, diary{{1, 3}}, secret{{2}});
    EXPECT_EQ(lines_of(ecs::differences(world, a, b)),
              (lines{"diary: bytes 0102 against bytes 0103", "opaque: bytes 0102 against bytes 0302"}));
}

TEST(differences, of_worlds_are_empty_when_the_same_was_done) {
    twins worlds;
    worlds.second.component<frozen>(); // Components have other indices.
    worlds.both([](ecs::world& world) {
        const ecs::entity bob = world.spawn("Bob", place{1, 2});
        const ecs::entity e = world.spawn(brain{{}, mood::calm, {1, 2}, bob, ""}, frozen{});
        world.add<likes>(bob, e);
        world.set_singleton(gravity{9.8});
    });
    EXPECT_EQ(worlds.compared(), lines{});
}

/// Two squads of the same name: names are unique below one parent.
struct squads {
    explicit squads(ecs::world& world)
        : of_red(world.spawn("Squad", ecs::pair(ecs::child_of, world.spawn("Red")))),
          of_blue(world.spawn("Squad", ecs::pair(ecs::child_of, world.spawn("Blue")))) {}

    ecs::entity of_red, of_blue;
};

std::string numbered(const std::string& before, const std::string& number, const std::string& after = "") {
    return before + "Squad (" + number + ")" + after;
}

TEST(differences, tell_entities_of_one_name_apart) {
    ecs::world world;
    const squads both(world);
    const ecs::entity a = world.spawn(ecs::pair(ecs::child_of, both.of_red));
    const ecs::entity b = world.spawn(ecs::pair(ecs::child_of, both.of_blue));
    const std::string red = to_string(both.of_red), blue = to_string(both.of_blue);
    EXPECT_EQ(lines_of(ecs::differences(world, a, b)),
              (lines{numbered("(child_of, ", red, "): there against not there"),
                     numbered("(child_of, ", blue, "): not there against there")}));
    world.set(a, brain{{}, mood::calm, {}, both.of_red, ""});
    world.set(b, brain{{}, mood::calm, {}, both.of_blue, ""});
    world.remove(a, ecs::pair(ecs::child_of, both.of_red));
    EXPECT_EQ(lines_of(ecs::differences(world, a, b)),
              (lines{"(child_of, Squad): not there against there",
                     numbered(numbered("brain.enemy: ", red, " against "), blue)}));
}

TEST(differences, of_worlds_tell_entities_of_one_name_apart) {
    twins worlds;
    worlds.both([](ecs::world& world) { std::ignore = squads(world); });
    const auto red = [](const ecs::world& world) { return world.lookup("Red/Squad"); };
    const auto blue = [](const ecs::world& world) { return world.lookup("Blue/Squad"); };
    worlds.first.spawn(ecs::pair(ecs::child_of, red(worlds.first)));
    const ecs::entity unit = worlds.second.spawn(ecs::pair(ecs::child_of, red(worlds.second)));
    EXPECT_EQ(worlds.compared(), lines{});
    worlds.second.add(unit, ecs::pair(ecs::child_of, blue(worlds.second)));
    EXPECT_EQ(worlds.compared(), (lines{numbered("(child_of, ", std::to_string(red(worlds.first).index()),
                                                 "): there against not there"),
                                        numbered("(child_of, ", std::to_string(blue(worlds.first).index()),
                                                 "): not there against there")}));
}

/// The first world has the number of one that has ended, and gives its component a later generation.
TEST(differences, do_not_compare_generations_under_flags) {
    {
        ecs::world ended;
        ended.component<place>();
    }
    twins worlds;
    worlds.both([](ecs::world& world) {
        const ecs::id shown = world.component<place>();
        world.add(world.spawn("Flagged"), ecs::type_flags::auto_override | shown);
    });
    EXPECT_EQ(worlds.compared(), lines{});
    worlds.first.add<frozen>(worlds.first.lookup("Flagged"));
    EXPECT_EQ(worlds.compared().size(), 1U);
}

TEST(differences, of_worlds_are_listed_by_entity_until_there_are_enough) {
    twins worlds;
    worlds.both([](ecs::world& world) {
        for (int i = 0; i < 5; ++i) world.spawn(place{0, 0});
        world.set_singleton(gravity{9.8});
    });
    const auto e = worlds.second.entities();
    worlds.second.set_singleton(gravity{1.6});
    worlds.second.set(e[1], place{0, 3});
    worlds.second.despawn(e[3]);
    worlds.second.despawn(e[4]);
    worlds.second.spawn(); // With the index of the one,
    worlds.second.spawn(); // and of the other.
    worlds.second.despawn(e[2]);
    worlds.second.set_name(e[0], "One");
    const auto all = ecs::differences(worlds.first, worlds.second);
    ASSERT_EQ(all.size(), 6U);
    const auto first = worlds.first.entities();
    EXPECT_EQ(lines_of(all)[0], "gravity.g: 9.8 against 1.6");
    EXPECT_EQ(lines_of(all)[1], "name: not there against \"One\"");
    EXPECT_EQ(to_string(all[2]), to_string(first[1]) + " game::place.y: 0 against 3");
    EXPECT_EQ(to_string(all[3]), to_string(first[2]) + ": alive against not there");
    EXPECT_EQ(lines_of(all)[4], "place: {0, 0} against not there");
    EXPECT_EQ(to_string(ecs::differences(worlds.second, worlds.first)[3]),
              to_string(first[2]) + ": not there against alive");
    EXPECT_EQ(ecs::differences(worlds.first, worlds.second, 2),
              std::vector<ecs::difference>(all.begin(), all.begin() + 2));
    EXPECT_TRUE(ecs::differences(worlds.first, worlds.second, 0).empty());
}

TEST(differences, are_seen_in_a_disabled_name) {
    ecs::world world;
    const ecs::entity one = world.spawn("One"), other = world.spawn("One", ecs::pair(ecs::child_of, one));
    world.disable(other, world.component_named("ecs::name"));
    const auto all = ecs::differences(world, one, other);
    EXPECT_TRUE(std::ranges::any_of(all, [](const ecs::difference& d) {
        return d.where == "name" && d.first == "enabled" && d.second == "disabled";
    }));
}

TEST(differences, between_a_world_and_what_it_was_are_gone_when_it_goes_back) {
    twins worlds;
    worlds.both([](ecs::world& world) { world.spawn(place{1, 2}, diary{{1}}); });
    const auto then = worlds.first.snapshot();
    worlds.first.each([](place& p) { p.x += 1; });
    EXPECT_EQ(worlds.compared(), lines{"place.x: 2 against 1"});
    worlds.first.restore(then);
    EXPECT_EQ(worlds.compared(), lines{});
}

} // namespace
