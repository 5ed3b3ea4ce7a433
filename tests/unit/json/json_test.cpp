// SPDX-License-Identifier: MIT
// Worlds as text: what is written is read, and what is wrong with a text is said with its place.
#include <algorithm>
#include <array>
#include <boost/hana/define_struct.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <limits>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;
import ecs.json;

namespace {

using ecs::entity;
using ecs::pair;

struct position {
    BOOST_HANA_DEFINE_STRUCT(position, (float, x), (float, y));
};
struct crew {
    BOOST_HANA_DEFINE_STRUCT(crew, (std::string, captain), (std::uint8_t, hands), (ecs::entity, leader));
};
struct owes {
    BOOST_HANA_DEFINE_STRUCT(owes, (int, coins));
};
struct path {
    BOOST_HANA_DEFINE_STRUCT(path, (position, from), (position, to), (bool, open));
};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    BOOST_HANA_DEFINE_STRUCT(buff, (int, strength));
};
struct opaque {
    opaque(std::uint16_t all = 0) : bits(all) {}
    std::uint16_t bits;
};
struct sealed {
    explicit sealed(std::string of = "") : text(std::move(of)) {}
    std::string text;
};
enum class stance : std::uint8_t { calm = 1, wild = 2 };
struct beast {
    BOOST_HANA_DEFINE_STRUCT(beast, (stance, now), (int, age));
};
struct herd {
    BOOST_HANA_DEFINE_STRUCT(herd, (int, size), (std::vector<int>, ages));
};
// Nothing is said of these: the compiler finds their members.
struct place {
    float x, y;
};
enum class rank : std::int8_t { captain = -1, sailor, mate = 3 };
enum unranked { nobody, somebody };
struct vessel {
    place at;
    rank master;
    unranked guest;
    std::array<int, 3> guns;
    place buoys[2];
    std::string motto;
    ecs::entity home;
    const int* chart;
};
struct gauge {
    float level;
    int ticks;
    static constexpr ecs::member_note member_notes[]{
        {.member = "level", .units = "bar", .minimum = 0, .maximum = 10}, {.member = "ticks", .minimum = 1}};
};
/// Its bounds are those of each number.
struct dials {
    float levels[2];
    rank master;
    static constexpr ecs::member_note member_notes[]{{.member = "levels", .minimum = 0, .maximum = 1},
                                                     {.member = "master", .minimum = 0, .maximum = 2}};
};
/// Each is at its bound.
struct tuned {
    float high, low, precise;
    static constexpr ecs::member_note member_notes[]{{.member = "high", .maximum = 0.7F},
                                                     {.member = "low", .minimum = 0.1F},
                                                     {.member = "precise", .minimum = 0.7, .maximum = 0.7}};
};
/// Its bounds are the last numbers of which a double has each.
struct counter {
    std::int64_t beats;
    std::uint64_t total;
    static constexpr ecs::member_note member_notes[]{
        {.member = "beats", .minimum = -0x1p53, .maximum = 0x1p53},
        {.member = "total", .minimum = 1.5, .maximum = 0x1p64}};
};
struct enemy {};
struct likes {};
struct bound {
    static constexpr auto properties =
        ecs::properties(ecs::symmetric, pair(ecs::on_delete_target, ecs::delete_it));
};

std::string golden_text() {
    std::ifstream in(GOLDEN_FILE);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void register_components(ecs::world& world) {
    world.component<position>(), world.component<crew>(), world.component<owes>(), world.component<path>();
    world.component<buff>(), world.component<opaque>(), world.component<sealed>();
    world.component<beast>(), world.component<herd>();
    world.component<place>(), world.component<vessel>(), world.component<gauge>();
    world.component<enemy>(), world.component<likes>();
}

/// With the generations of a first world: the number of a world had other worlds before.
std::string exported(const ecs::world& world) {
    static const std::regex generation("(#[0-9]+v)[0-9]+");
    return std::regex_replace(ecs::export_json(world), generation, "$011");
}

/// The text of a world whose entities have names, with these in the place of identifiers, and the lines in
/// any order: another world may give other indices and generations, by which what an entity has is in order.
std::vector<std::string> lines_by_names(const ecs::world& world) {
    std::string text = exported(world);
    static const std::regex named(R"/("id": "(#[0-9]+v1)",\s+"name": "([a-z]+)")/");
    const std::string before = text;
    for (std::sregex_iterator at(before.begin(), before.end(), named), end; at != end; ++at)
        text = std::regex_replace(text, std::regex((*at)[1].str()), (*at)[2].str());
    std::istringstream lines(text);
    std::vector<std::string> all;
    for (std::string line; std::getline(lines, line); all.push_back(line))
        if (line.ends_with(',')) line.pop_back();
    std::ranges::sort(all);
    return all;
}

class json : public testing::Test {
  protected:
    json() { register_components(world); }

    /// What importing the entities of a list says is wrong.
    std::string refusal_of(const std::string& entities) {
        return refusal_of_text(R"({"format": "ecs-world", "version": 1, "entities": [)" + entities + "]}");
    }
    std::string refusal_of_text(const std::string& text) {
        const std::size_t before = world.entities().size();
        try {
            ecs::import_json(world, text);
        } catch (const ecs::json_error& error) {
            EXPECT_EQ(world.entities().size(), before) << "an import that was refused has left somebody";
            EXPECT_EQ(std::string(error.what()).substr(0, error.path.size()), error.path);
            return error.what();
        }
        return "";
    }

    ecs::world world;
};

TEST_F(json, golden_file_becomes_a_world) {
    const std::vector<entity> made = ecs::import_json(world, golden_text());
    ASSERT_EQ(made.size(), 3U);
    EXPECT_EQ(world.lookup("Ship"), made[0]);
    EXPECT_EQ(world.lookup("Ship/Bow"), made[1]);
    EXPECT_EQ(world.get<position>(made[0]).x, 1.5F);
    EXPECT_EQ(world.get<crew>(made[0]).captain, "Ada \"the quick\"");
    EXPECT_EQ(world.get<crew>(made[0]).hands, 200);
    EXPECT_EQ(world.get<crew>(made[0]).leader, made[2]);
    EXPECT_TRUE(world.has<enemy>(made[0]));
    EXPECT_FALSE(world.is_enabled<position>(made[0]));
    EXPECT_EQ(world.parent(made[2]), made[0]);
    EXPECT_TRUE(world.has(made[2], pair(world.component<likes>(), made[0])));
    EXPECT_TRUE(world.has(made[2], ecs::value_pair(world.component<likes>(), 77)));
    EXPECT_EQ(static_cast<const owes*>(world.try_get(made[2], pair(world.component<owes>(), made[1])))->coins,
              12);
}

/// Written by hand, read and written again: not a character differs.
TEST_F(json, golden_file_is_what_is_exported) {
    ecs::import_json(world, golden_text());
    EXPECT_EQ(exported(world), golden_text());
}

TEST_F(json, everything_comes_back) {
    const entity prefab = world.prefab(position{3, 4});
    const entity part = world.spawn(owes{1});
    world.add(part, pair(ecs::child_of, prefab));
    const entity one = world.spawn(path{{1, 2}, {3, 4}, true}, buff{7}, opaque{0x1234});
    world.add(one, pair(ecs::is_a, prefab));
    const std::string text = exported(world);
    ecs::world other;
    register_components(other);
    ecs::import_json(other, text);
    EXPECT_EQ(exported(other), text);
    EXPECT_EQ(other.entities().size(), world.entities().size());
    const entity again = other.query<path>().single();
    EXPECT_EQ(other.get<path>(again).to.y, 4);
    EXPECT_EQ(other.get<buff>(again).strength, 7);
    EXPECT_EQ(other.get<opaque>(again).bits, 0x1234);
    EXPECT_EQ(other.get<position>(again).x, 3);
    EXPECT_EQ(other.children(again).size(), 1U);
}

/// The last one is another float when its shortest text is read as a double.
TEST_F(json, numbers_are_short_and_come_back) {
    const std::vector<std::pair<float, std::string>> numbers{
        {0.1F, "0.1"}, {-2, "-2.0"}, {1e30F, "1e+30"}, {7.038531e-26F, "7.038530691851"}};
    for (const auto& [number, written] : numbers) {
        const entity e = world.spawn(position{number, 0});
        const std::string text = ecs::export_json(world);
        EXPECT_NE(text.find("\"x\": " + written), std::string::npos) << text;
        world.despawn(e);
        const entity again = ecs::import_json(world, text).front();
        EXPECT_EQ(world.get<position>(again).x, number);
        world.despawn(again);
    }
}

/// The shortest text of a float is a little more than the float where it is read as a double.
TEST_F(json, floats_at_their_limits_come_back) {
    constexpr float most = std::numeric_limits<float>::max();
    world.spawn(path{{most, -most}, {std::numeric_limits<float>::denorm_min(), 0}, true});
    world.spawn(tuned{0.7F, 0.1F, 0.7F});
    ecs::world other;
    register_components(other);
    std::ignore = other.component<tuned>();
    ecs::import_json(other, exported(world));
    const path& read = other.get<path>(other.query<path>().single());
    EXPECT_EQ(read.from.x, most);
    EXPECT_EQ(read.from.y, -most);
    EXPECT_EQ(read.to.x, std::numeric_limits<float>::denorm_min());
    EXPECT_EQ(other.get<tuned>(other.query<tuned>().single()).high, 0.7F);
}

TEST_F(json, numbers_that_are_not_finite_come_back) {
    constexpr float infinite = std::numeric_limits<float>::infinity();
    world.spawn(path{{infinite, -infinite}, {std::numeric_limits<float>::quiet_NaN(), -0.0F}, true});
    ecs::world other;
    register_components(other);
    ecs::import_json(other, exported(world));
    const path& read = other.get<path>(other.query<path>().single());
    EXPECT_EQ(read.from.x, infinite);
    EXPECT_EQ(read.from.y, -infinite);
    EXPECT_TRUE(std::isnan(read.to.x));
    EXPECT_TRUE(std::signbit(read.to.y));
}

TEST_F(json, singletons_come_back) {
    const entity ship = world.spawn("ship");
    world.set_singleton(crew{"Ahab", 30, ship});
    world.set_singleton(buff{3});
    world.add(world.component<enemy>(), world.component<enemy>());
    const std::string text = exported(world);
    ecs::world other;
    register_components(other);
    ecs::import_json(other, text);
    EXPECT_EQ(other.singleton<crew>().captain, "Ahab");
    EXPECT_EQ(other.singleton<crew>().leader, other.lookup("ship"));
    EXPECT_EQ(other.singleton<buff>().strength, 3);
    EXPECT_TRUE(other.has_singleton<enemy>());
    EXPECT_FALSE(other.has_singleton<owes>());
    EXPECT_EQ(exported(other), text);
    EXPECT_EQ(ecs::export_json(world, std::vector<entity>{ship}).find("Ahab"), std::string::npos);
}

TEST_F(json, singletons_that_are_disabled_come_back_so) {
    const entity of_a_value = world.component<crew>(), tag = world.component<enemy>();
    world.set_singleton(crew{"Ahab", 30, {}});
    world.add(tag, tag);
    EXPECT_EQ(exported(world).find("disabled_singletons"), std::string::npos);
    world.disable(of_a_value, of_a_value);
    world.disable(tag, tag);
    const std::string text = exported(world);
    ecs::world other;
    register_components(other);
    ecs::import_json(other, text);
    const entity of_a_value_there = other.component<crew>(), tag_there = other.component<enemy>();
    EXPECT_TRUE(other.has(of_a_value_there, of_a_value_there) && other.has(tag_there, tag_there));
    EXPECT_FALSE(other.is_enabled(of_a_value_there, of_a_value_there));
    EXPECT_FALSE(other.is_enabled(tag_there, tag_there));
    EXPECT_EQ(exported(other), text);
    world.enable(of_a_value, of_a_value);
    world.enable(tag, tag);
    ecs::import_json(other, exported(world));
    EXPECT_TRUE(other.is_enabled(of_a_value_there, of_a_value_there)) << "it was not in the list";
    EXPECT_TRUE(other.is_enabled(tag_there, tag_there));
}

TEST_F(json, refused_text_shows_the_singletons_that_it_has_disabled) {
    const entity shown = world.component<enemy>();
    world.add(shown, shown);
    const auto with = [&](const std::string& names) {
        return refusal_of_text(
            R"({"format": "ecs-world", "version": 1, "entities": [], "disabled_singletons": )" + names + "}");
    };
    EXPECT_EQ(with("{}"), "disabled_singletons: a list is expected, not {}");
    EXPECT_EQ(with(R"(["(anonymous namespace)::enemy", 3])"),
              "disabled_singletons[1]: a text is expected, not 3");
    EXPECT_EQ(with(R"(["(anonymous namespace)::enemy", "(anonymous namespace)::likes"])"),
              "disabled_singletons[1]: the entity does not have it");
    EXPECT_TRUE(world.is_enabled(shown, shown));
    EXPECT_EQ(with(R"(["(anonymous namespace)::enemy"])"), "");
    EXPECT_FALSE(world.is_enabled(shown, shown));
}

TEST_F(json, singletons_that_are_wrong_are_refused_and_none_is_set) {
    const auto with = [&](const std::string& singletons) {
        return refusal_of_text(R"({"format": "ecs-world", "version": 1, "entities": [{}], "singletons": )" +
                               singletons + "}");
    };
    const std::string good = R"("(anonymous namespace)::position": {"x": 5})";
    EXPECT_EQ(with("[]"), "singletons: an object is expected");
    EXPECT_EQ(with("{" + good + R"(, "nothing": {}})"), "singletons.nothing: nobody is called \"nothing\"");
    EXPECT_EQ(with("{" + good + R"(, "(anonymous namespace)::owes": {"coins": "x"}})"),
              "singletons.(anonymous namespace)::owes.coins: a whole number is expected, not \"x\"");
    EXPECT_FALSE(world.has_singleton<position>());
    EXPECT_EQ(with("{" + good + "}"), "");
    EXPECT_EQ(world.singleton<position>().x, 5);
}

TEST_F(json, adds_to_a_world_and_refers_to_who_is_there) {
    const entity fleet = world.spawn("Fleet");
    const auto made = ecs::import_json(
        world, R"({"format": "ecs-world", "version": 1, "entities": [{"name": "Ship", "parent": "Fleet"}]})");
    EXPECT_EQ(world.parent(made[0]), fleet);
    EXPECT_EQ(world.lookup("Fleet/Ship"), made[0]);
}

TEST_F(json, some_entities_can_be_exported_alone) {
    const entity friendly = world.spawn("Friend");
    const entity one = world.spawn();
    world.add(one, pair(world.component<likes>(), friendly));
    const std::string text = ecs::export_json(world, std::vector{one});
    EXPECT_NE(text.find("\"target\": \"Friend\""), std::string::npos) << text;
    EXPECT_EQ(text.find("\"name\""), std::string::npos) << text;
}

TEST_F(json, what_is_left_out_is_not_written) {
    const entity e = world.spawn(sealed{"x"}, position{1, 2});
    world.add(e, pair(world.component<likes>(), world.spawn("Friend")));
    world.add<enemy>(e);
    world.set_singleton(sealed{"y"});
    const ecs::save_options options{
        .without = {world.component<sealed>(), world.component<likes>(), world.component<enemy>()}};
    const std::string whole = ecs::export_json(world, options);
    const std::string one = ecs::export_json(world, std::vector{e}, options);
    for (const std::string& text : {whole, one}) {
        for (const std::string_view left_out : {"sealed", "likes", "enemy", "pairs", "singletons"})
            EXPECT_EQ(text.find(left_out), std::string::npos) << text;
        EXPECT_NE(text.find("position"), std::string::npos) << text;
    }
    try {
        std::ignore = ecs::export_json(world, {.without = {world.component_named("child_of")}});
        FAIL();
    } catch (const ecs::json_error& error) {
        EXPECT_EQ(std::string_view(error.what()),
                  "without: child_of is in every world, and cannot be left out");
    }
}

TEST_F(json, what_has_no_text_is_refused_with_its_place) {
    world.spawn();
    world.spawn(sealed{"x"});
    try {
        std::ignore = ecs::export_json(world);
        FAIL();
    } catch (const ecs::json_error& error) {
        EXPECT_EQ(std::string_view(error.what()), "entities[1].components.(anonymous namespace)::sealed: "
                                                  "nothing is known of the members of these values");
    }
}

TEST_F(json, members_of_other_types_are_bytes_where_the_value_is_nothing_more) {
    const entity e = world.spawn(beast{stance::wild, 7});
    const std::string text = ecs::export_json(world);
    EXPECT_NE(text.find(R"("bytes": "02")"), std::string::npos) << text;
    world.despawn(e);
    const entity again = ecs::import_json(world, text).front();
    EXPECT_EQ(world.get<beast>(again).now, stance::wild);
    EXPECT_EQ(world.get<beast>(again).age, 7);
}

TEST_F(json, members_that_the_compiler_finds_come_back) {
    const entity home = world.spawn("Home");
    world.spawn(vessel{{1, 2}, rank::mate, somebody, {7, 8, 9}, {{3, 4}, {5, 6}}, "onward", home, nullptr},
                gauge{2.5F, 3});
    const std::string text = exported(world);
    for (const char* const part :
         {R"("master": "mate")", R"("guest": 1)", R"("motto": "onward")", R"("chart": {)", R"("level": 2.5)"})
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    ecs::world other;
    register_components(other);
    ecs::import_json(other, text);
    EXPECT_EQ(exported(other), text);
    const auto& again = other.get<vessel>(other.query<vessel>().single());
    EXPECT_EQ(again.at.y, 2);
    EXPECT_EQ(again.master, rank::mate);
    EXPECT_EQ(again.guest, somebody);
    EXPECT_EQ(again.guns, (std::array{7, 8, 9}));
    EXPECT_EQ(again.buoys[1].y, 6);
    EXPECT_EQ(again.motto, "onward");
    EXPECT_EQ(again.home, other.lookup("Home"));
}

TEST_F(json, numbers_of_an_enumeration_are_read_by_name_and_as_numbers) {
    const auto read = [&](const std::string& master) {
        const std::string value = R"({"(anonymous namespace)::vessel": {"master": )" + master + "}}";
        const std::string text = R"({"format": "ecs-world", "version": 1, "entities": [{"components": )";
        return world.get<vessel>(ecs::import_json(world, text + value + "}]}").front()).master;
    };
    EXPECT_EQ(read(R"("captain")"), rank::captain);
    EXPECT_EQ(read("-1"), rank::captain);
    EXPECT_EQ(read("100"), rank{100});
    EXPECT_EQ(read(R"({"bytes": "03"})"), rank::mate) << "so it was written before names were known";
    world.clear();
    world.spawn(vessel{.at = {},
                       .master = rank{100},
                       .guest = {},
                       .guns = {},
                       .buoys = {},
                       .motto = "",
                       .home = {},
                       .chart = {}});
    EXPECT_NE(exported(world).find("\"master\": 100"), std::string::npos) << "it has no name";
}

TEST_F(json, members_that_the_compiler_finds_are_refused_with_their_place) {
    const auto with = [&](const std::string& component, const std::string& value) {
        return refusal_of(R"({"components": {"(anonymous namespace)::)" + component + "\": " + value + "}}");
    };
    const std::string prefix = "entities[0].components.(anonymous namespace)::";
    EXPECT_EQ(with("vessel", R"({"at": {"z": 1}})"), prefix + "vessel.at.z: there is no such member");
    EXPECT_EQ(with("vessel", R"({"guns": [1, 2]})"),
              prefix + "vessel.guns: a list of 3 is expected, not [1,2]");
    EXPECT_EQ(with("vessel", R"({"guns": [1, 2, "x"]})"),
              prefix + "vessel.guns[2]: a whole number is expected, not \"x\"");
    EXPECT_EQ(with("vessel", R"({"buoys": [{}, {"x": true}]})"),
              prefix + "vessel.buoys[1].x: a number is expected, not true");
    EXPECT_EQ(with("vessel", R"({"master": "admiral"})"),
              prefix + "vessel.master: \"admiral\" is no (anonymous namespace)::rank: captain, sailor, mate");
    EXPECT_EQ(with("vessel", R"({"master": 128})"), prefix + "vessel.master: 128 does not fit 8 signed bits");
    EXPECT_EQ(with("vessel", R"({"guest": "somebody"})"),
              prefix + "vessel.guest: \"somebody\" is no (anonymous namespace)::unranked, whose names are "
                       "not known: a number is expected");
}

TEST_F(json, bounds_are_those_of_elements_and_of_numbers_with_names) {
    std::ignore = world.component<dials>();
    const auto with = [&](const std::string& value) {
        return refusal_of(R"({"components": {"(anonymous namespace)::dials": )" + value + "}}");
    };
    EXPECT_EQ(with(R"({"levels": [0, 1], "master": "sailor"})"), "");
    EXPECT_NE(with(R"({"levels": [0, 1.5]})").find("levels[1]: 1.5 is more than 1.0"), std::string::npos);
    EXPECT_NE(with(R"({"master": "mate"})").find("master: 3 is more than 2.0"), std::string::npos);
    EXPECT_NE(with(R"({"master": -1})").find("master: -1 is less than 0.0"), std::string::npos);
}

TEST_F(json, a_number_beyond_its_bounds_is_refused) {
    const auto with = [&](const std::string& value) {
        return refusal_of(R"({"components": {"(anonymous namespace)::gauge": )" + value + "}}");
    };
    const std::string prefix = "entities[0].components.(anonymous namespace)::gauge.";
    EXPECT_EQ(with(R"({"level": 10, "ticks": 1})"), "");
    EXPECT_EQ(with(R"({"level": 0})"), "");
    EXPECT_EQ(with(R"({"level": 10.5})"), prefix + "level: 10.5 is more than 10.0 bar");
    EXPECT_EQ(with(R"({"level": -1})"), prefix + "level: -1 is less than 0.0 bar");
    EXPECT_EQ(with(R"({"level": "inf"})"), prefix + "level: \"inf\" is more than 10.0 bar");
    EXPECT_EQ(with(R"({"level": "nan"})"), prefix + "level: \"nan\" is not within the bounds of the member");
    EXPECT_EQ(with(R"({"ticks": 0})"), prefix + "ticks: 0 is less than 1.0");
    EXPECT_EQ(with(R"({"ticks": true})"), prefix + "ticks: a whole number is expected, not true");
}

TEST_F(json, bounds_of_whole_numbers_are_exact) {
    std::ignore = world.component<counter>();
    const auto with = [&](const std::string& value) {
        return refusal_of(R"({"components": {"(anonymous namespace)::counter": )" + value + "}}");
    };
    EXPECT_EQ(with(R"({"beats": 9007199254740992})"), "");
    EXPECT_NE(with(R"({"beats": 9007199254740993})").find("beats: 9007199254740993 is more than"),
              std::string::npos);
    EXPECT_EQ(with(R"({"beats": -9007199254740992})"), "");
    EXPECT_NE(with(R"({"beats": -9007199254740993})").find("beats: -9007199254740993 is less than"),
              std::string::npos);
    EXPECT_EQ(with(R"({"total": 18446744073709551615})"), "");
    EXPECT_EQ(with(R"({"total": 2})"), "");
    EXPECT_NE(with(R"({"total": 1})").find("total: 1 is less than 1.5"), std::string::npos);
}

TEST_F(json, values_that_were_written_as_bytes_are_read) {
    const std::string text = R"({"format": "ecs-world", "version": 1, "entities": [{"components": {
        "(anonymous namespace)::place": {"bytes": "0000803f00000040"}}}]})";
    const auto read = world.get<place>(ecs::import_json(world, text).front());
    EXPECT_EQ(read.x, 1);
    EXPECT_EQ(read.y, 2);
}

TEST_F(json, members_of_other_types_are_refused_where_the_value_is_more) {
    const std::string place = "entities[0].components.(anonymous namespace)::herd.ages: ";
    const std::string reason =
        "there is no text for values of type " + std::string(ecs::type_name<std::vector<int>>);
    EXPECT_EQ(refusal_of(R"({"components": {"(anonymous namespace)::herd": {"ages": [1, 2]}}})"),
              place + reason);
    EXPECT_EQ(refusal_of(R"({"components": {"(anonymous namespace)::herd": {"size": 2}}})"), "")
        << "what the text does not name keeps its default";
    try {
        std::ignore = ecs::export_json(world);
        FAIL() << "nothing was thrown";
    } catch (const ecs::json_error& error) {
        EXPECT_EQ(error.what(), place + reason);
    }
}

TEST_F(json, texts_that_are_no_world_are_refused) {
    EXPECT_EQ(refusal_of_text("[]"), "the text: it is no world: \"format\" is not \"ecs-world\"");
    EXPECT_EQ(refusal_of_text("{\"format\": \"ecs-world\", \"version\": 2}"), "version: 1 is expected");
    EXPECT_EQ(refusal_of_text("{\"format\": \"ecs-world\", \"version\": 1}"), "entities: a list is expected");
    EXPECT_EQ(refusal_of_text(R"({"format": "ecs-world", "version": 1, "entities": [], "entitys": []})"),
              "entitys: there is no such member");
    EXPECT_EQ(refusal_of_text("{\"format\": ").substr(0, 9), "the text:");
    EXPECT_EQ(refusal_of_text("\xff").substr(0, 9), "the text:");
}

TEST_F(json, entities_that_are_wrong_are_refused_with_their_place) {
    EXPECT_EQ(refusal_of("{}, 3"), "entities[1]: an object is expected, not 3");
    EXPECT_EQ(refusal_of(R"({"id": 3})"), "entities[0].id: a text is expected, not 3");
    EXPECT_EQ(refusal_of(R"({"id": "a"}, {"id": "a"})"), "entities[1].id: \"a\" is the id of another entity");
    EXPECT_EQ(refusal_of(R"({"nmae": "a"})"), "entities[0].nmae: there is no such member");
    EXPECT_EQ(refusal_of(R"({"name": "a"}, {"name": "a"})"),
              "entities[1].name: another entity has the name \"a\" among the children of the same parent, or "
              "among those without one");
    EXPECT_EQ(refusal_of(R"({"name": "a/b"})"),
              "entities[0].name: \"a/b\" cannot be a name: a name is not empty and has no '/'");
    EXPECT_EQ(refusal_of(R"({"parent": "nobody"})"), "entities[0].parent: nobody is called \"nobody\"");
    EXPECT_EQ(refusal_of(R"({"id": "a", "parent": "b"}, {"id": "b", "parent": "a"})"),
              "entities[1].parent: the relation is acyclic and this would make a cycle");
    EXPECT_EQ(refusal_of(R"({"tags": "x"})"), "entities[0].tags: a list is expected, not \"x\"");
    EXPECT_EQ(refusal_of(R"({"tags": [4]})"), "entities[0].tags[0]: a text is expected, not 4");
    EXPECT_EQ(refusal_of(R"({"disabled": ["is_a"]})"),
              "entities[0].disabled[0]: the entity does not have it");
}

TEST_F(json, values_that_are_wrong_are_refused_with_their_place) {
    const auto with = [&](const std::string& component, const std::string& value) {
        return refusal_of("{\"components\": {\"(anonymous namespace)::" + component + "\": " + value + "}}");
    };
    const std::string prefix = "entities[0].components.(anonymous namespace)::";
    EXPECT_EQ(with("position", R"({"x": "abc"})"), prefix + "position.x: a number is expected, not \"abc\"");
    EXPECT_EQ(with("position", R"({"x": 1e39})"),
              prefix +
                  "position.x: 1e+39 does not fit a number of 32 bits: write \"inf\" for what is infinite");
    EXPECT_EQ(with("position", R"({"x": -3.4e38})"), "");
    EXPECT_EQ(with("position", R"({"x": 3.40282356e38})"), "") << "it is nearest to the largest float";
    EXPECT_NE(with("position", R"({"x": 3.4028236e38})"), "");
    EXPECT_EQ(with("position", R"({"z": 1})"), prefix + "position.z: there is no such member");
    EXPECT_EQ(with("position", "3"), prefix + "position: an object is expected, not 3");
    EXPECT_EQ(with("crew", R"({"hands": 256})"), prefix + "crew.hands: 256 does not fit 8 unsigned bits");
    EXPECT_EQ(with("crew", R"({"hands": -1})"), prefix + "crew.hands: -1 does not fit 8 unsigned bits");
    EXPECT_EQ(with("crew", R"({"hands": 1.5})"), prefix + "crew.hands: a whole number is expected, not 1.5");
    EXPECT_EQ(with("crew", R"({"captain": 1})"), prefix + "crew.captain: a text is expected, not 1");
    EXPECT_EQ(with("crew", R"({"leader": "x"})"), prefix + "crew.leader: nobody is called \"x\"");
    EXPECT_EQ(with("owes", R"({"coins": 2147483648})"),
              prefix + "owes.coins: 2147483648 does not fit 32 signed bits");
    EXPECT_EQ(with("owes", R"({"coins": -2147483649})"),
              prefix + "owes.coins: -2147483649 does not fit 32 signed bits");
    EXPECT_EQ(with("owes", R"({"coins": -2147483648})"), "");
    EXPECT_EQ(with("path", R"({"to": {"y": true}})"), prefix + "path.to.y: a number is expected, not true");
    EXPECT_EQ(with("path", R"({"open": 1})"), prefix + "path.open: true or false is expected, not 1");
    EXPECT_EQ(with("opaque", R"({"bytes": "12"})"),
              prefix + "opaque: 4 hexadecimal digits are expected, not 2");
    EXPECT_EQ(with("opaque", R"({"bytes": "12xy"})"), prefix + "opaque: \"xy\" is no byte");
    EXPECT_EQ(with("opaque", "12"), prefix + "opaque: {\"bytes\": \"...\"} is expected, not 12");
    EXPECT_EQ(with("enemy", "{}"), prefix + "enemy: it is a tag and has no value");
    EXPECT_EQ(with("nothing", "{}"), prefix + "nothing: nobody is called \"(anonymous namespace)::nothing\"");
    EXPECT_EQ(refusal_of(R"({"components": {"is_a": {}}})"),
              "entities[0].components.is_a: \"is_a\" is no component");
}

TEST_F(json, pairs_that_are_disabled_come_back_so) {
    const entity target = world.spawn("target"), owner = world.spawn("owner");
    const ecs::id liking = ecs::pair(world.component<likes>(), target);
    world.add(owner, liking);
    world.disable(owner, liking);
    ecs::world other;
    other.component<likes>();
    ecs::import_json(other, ecs::export_json(world, std::vector{target, owner}));
    const ecs::id there = ecs::pair(other.component<likes>(), other.lookup("target"));
    EXPECT_TRUE(other.has(other.lookup("owner"), there));
    EXPECT_FALSE(other.is_enabled(other.lookup("owner"), there));
}

TEST_F(json, pairs_that_are_wrong_are_refused_with_their_place) {
    const auto with = [&](const std::string& pair) { return refusal_of("{\"pairs\": [" + pair + "]}"); };
    const std::string likes = R"("relation": "(anonymous namespace)::likes")";
    EXPECT_EQ(with("1"), "entities[0].pairs[0]: an object with a \"relation\" is expected, not 1");
    EXPECT_EQ(with("{" + likes + R"(, "target": "is_a", "vlaue": 1})"),
              "entities[0].pairs[0].vlaue: there is no such member");
    EXPECT_EQ(with("{" + likes + R"(, "target": "is_a", "number": 1})"),
              "entities[0].pairs[0]: a \"target\" or a \"number\" of 32 bits is expected");
    EXPECT_EQ(with(R"({"relation": "x"})"), "entities[0].pairs[0].relation: nobody is called \"x\"");
    EXPECT_EQ(with("{" + likes + R"(, "target": "is_a", "disabled": 1})"),
              "entities[0].pairs[0].disabled: true or false is expected, not 1");
    EXPECT_EQ(with("{" + likes + "}"),
              "entities[0].pairs[0]: a \"target\" or a \"number\" of 32 bits is expected");
    EXPECT_EQ(with("{" + likes + R"(, "number": 4294967296})"),
              "entities[0].pairs[0]: a \"target\" or a \"number\" of 32 bits is expected");
    EXPECT_EQ(with("{" + likes + R"(, "target": "is_a", "value": 1})"),
              "entities[0].pairs[0].value: the pair has no value");
    EXPECT_EQ(with("{" + likes + R"(, "target": "is_a"})"), "");
    const entity relation = world.spawn("one_only");
    world.add(relation, ecs::exclusive);
    EXPECT_EQ(with(R"({"relation": "one_only", "target": "is_a"}, {"relation": "one_only", "number": 1})"),
              "entities[0].pairs[1]: the relation is exclusive, and the entity has another pair of it");
    EXPECT_EQ(refusal_of(R"({"id": "x", "pairs": [{"relation": "one_of", "target": "x"},
                             {"relation": "one_of", "target": "y"}]}, {"id": "y"})"),
              "entities[0].pairs[0]: the relation is exclusive, and the entity has another pair of it");
}

TEST_F(json, names_of_components_are_in_nobodys_way) {
    world.component<likes>();
    world.component<path>();
    const entity walker = world.spawn(path{{1, 2}, {3, 4}, true});
    const std::string before = ecs::export_json(world, std::array{walker});
    const entity namesake = world.spawn(ecs::type_name<position>);
    EXPECT_EQ(ecs::export_json(world, std::array{walker}), before) << "a member's type has its name";
    EXPECT_EQ(world.get<path>(ecs::import_json(world, before)[0]).to.y, 4);
    const entity liker = world.spawn("liker");
    const entity likes_too = world.spawn(ecs::type_name<likes>);
    world.add<likes>(liker, likes_too);
    ecs::world other;
    other.component<likes>();
    other.component<path>();
    other.component<position>();
    ecs::import_json(other, ecs::export_json(world));
    EXPECT_TRUE(other.has<likes>(other.lookup("liker"), other.lookup(ecs::type_name<likes>)));
    EXPECT_TRUE(world.alive(namesake));
}

TEST_F(json, names_that_lead_to_somebody_else_are_not_written) {
    world.component<likes>();
    const entity child = world.spawn("child", pair(ecs::child_of, world.spawn()));
    const entity numbered = world.spawn("#1v1");
    const entity same = world.spawn("child");
    const entity liker = world.spawn();
    world.add<likes>(liker, child);
    EXPECT_THROW(ecs::import_json(world, ecs::export_json(world, std::array{liker})), ecs::json_error)
        << "its parent has no name";
    world.remove<likes>(liker, child);
    world.add<likes>(liker, numbered);
    EXPECT_THROW(ecs::import_json(world, ecs::export_json(world, std::array{liker})), ecs::json_error)
        << "it looks like an id";
    world.remove<likes>(liker, numbered);
    world.add<likes>(liker, same);
    EXPECT_TRUE(
        world.has<likes>(ecs::import_json(world, ecs::export_json(world, std::array{liker}))[0], same));
}

TEST_F(json, text_that_is_not_utf8_is_refused) {
    const auto refusal = [&] {
        try {
            std::ignore = ecs::export_json(world);
        } catch (const ecs::json_error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const entity e = world.spawn("\xff");
    EXPECT_EQ(refusal(), "entities[0].name: the text is not UTF-8, and JSON knows no other");
    world.set_name(e, "sound");
    world.set(e, crew{"\xc3(", 1, {}});
    EXPECT_EQ(refusal(), "entities[0].components.(anonymous namespace)::crew.captain: the text is not UTF-8, "
                         "and JSON knows no other");
    world.remove<crew>(e);
    EXPECT_EQ(refusal(), "");
    world.add(e, world.component({.name = "\xff"}));
    EXPECT_NE(refusal(), "");
}

TEST_F(json, what_an_entity_is_to_the_library_is_not_for_a_text_to_say) {
    const std::string refused = "\"ecs::component_info\" is for the library to give";
    EXPECT_EQ(refusal_of(R"({"tags": ["ecs::component_info"]})"), "entities[0].tags[0]: " + refused);
    EXPECT_EQ(refusal_of(R"({"components": {"ecs::component_info": {"bytes": ""}}})"),
              "entities[0].components.ecs::component_info: " + refused);
    EXPECT_EQ(refusal_of(R"({"pairs": [{"relation": "ecs::component_info", "target": "is_a"}]})"),
              "entities[0].pairs[0].relation: " + refused);
}

TEST_F(json, refused_text_leaves_nobody_whatever_the_policies) {
    world.add(world.component<likes>(), pair(ecs::on_delete_target, ecs::refuse_it));
    const std::size_t before = world.entities().size();
    const std::string pairs = R"("pairs": [{"relation": "(anonymous namespace)::likes", "target": )";
    EXPECT_NE(refusal_of(R"({"id": "a", )" + pairs + R"("b"}]}, {"id": "b", )" + pairs +
                         R"("a"}]}, {"disabled": ["is_a"]})"),
              "");
    EXPECT_EQ(world.entities().size(), before);
}

TEST_F(json, refused_text_ends_nobody_of_the_world) {
    world.component<bound>();
    const entity old = world.spawn("old");
    const entity prefab = world.prefab("prefab");
    world.spawn("part", pair(ecs::child_of, prefab));
    const std::size_t before = world.entities().size();
    EXPECT_EQ(refusal_of(R"({"pairs": [{"relation": "(anonymous namespace)::bound", "target": "old"},
                             {"relation": "is_a", "target": "prefab"}]}, {"disabled": ["is_a"]})"),
              "entities[1].disabled[0]: the entity does not have it");
    EXPECT_EQ(world.entities().size(), before) << "parts of instances are gone, and nobody else";
    EXPECT_TRUE(world.alive(old));
    EXPECT_FALSE(world.has(old, pair(world.component<bound>(), ecs::any)));
}

TEST_F(json, refused_text_gives_back_the_pairs_that_entities_of_the_world_lost_to_new_ones) {
    const entity steers = world.component<owes>(), married = world.spawn("married"),
                 guards = world.spawn("guards");
    const entity leads = world.spawn("leads");
    for (const ecs::builtin property : {ecs::exclusive, ecs::symmetric}) world.add(married, property);
    for (const ecs::builtin property : {ecs::single_source, ecs::non_fragmenting})
        world.add(guards, property);
    world.add(steers, ecs::single_source);
    world.add(leads, pair(ecs::with, guards));
    const entity ship = world.spawn("ship"), ann = world.spawn("ann"), bob = world.spawn("bob");
    world.set<owes>(ann, ship, owes{7});
    world.add(ann, pair(guards, ship));
    world.add(ann, pair(married, bob));
    const std::string before = exported(world);
    const std::string taken = R"({"id": "x", "pairs": [
        {"relation": "(anonymous namespace)::owes", "target": "ship", "value": {"coins": 1}},
        {"relation": "leads", "target": "ship"}, {"relation": "married", "target": "bob"}]})";
    EXPECT_NE(refusal_of(taken + R"(, {"pairs": [{"relation": "married", "target": "nobody"}]})"), "");
    EXPECT_EQ(world.get<owes>(ann, ship).coins, 7);
    EXPECT_TRUE(world.has(ann, pair(guards, ship)));
    EXPECT_TRUE(world.has(ann, pair(married, bob)) && world.has(bob, pair(married, ann)));
    EXPECT_EQ(exported(world), before);
}

// The last step of the text is refused, when all pairs have been taken.
TEST_F(json, refused_text_gives_back_pairs_as_they_were) {
    const entity keeps = world.spawn("keeps"), seat = world.spawn("seat"), taken = world.spawn("taken");
    const entity married = world.spawn("married"), comes = world.spawn("comes");
    for (const entity one : {keeps, seat}) world.add(one, ecs::single_source);
    for (const ecs::builtin property : {ecs::exclusive, ecs::symmetric}) world.add(married, property);
    world.add(married, pair(ecs::with, comes));
    const entity ann = world.spawn("ann"), bob = world.spawn("bob");
    const entity type = world.component<position>();
    world.add(ann, ecs::value_pair(keeps, 3));
    const position two{1, 2};
    world.set(ann, pair(seat, type), &two);
    world.add(ann, pair(seat, bob));
    world.disable(ann, pair(seat, bob));
    world.add(ann, pair(married, bob));
    world.remove(ann, pair(comes, bob));
    world.remove(bob, pair(comes, ann));
    world.add(ecs::child_of, ecs::single_source);
    const entity part = world.spawn("part", pair(ecs::child_of, taken));
    const std::string before = exported(world);
    for (
        const std::string text :
        {R"("pairs": [{"relation": "keeps", "number": 3}])",
         R"("pairs": [{"relation": "seat", "target": "(anonymous namespace)::position", "value": {"x": 8}}])",
         R"("pairs": [{"relation": "seat", "target": "bob"}])",
         R"("pairs": [{"relation": "married", "target": "bob"}])", R"("parent": "taken")"}) {
        EXPECT_EQ(refusal_of("{" + text + R"(, "disabled": ["ann"]})"),
                  "entities[0].disabled[0]: the entity does not have it");
        EXPECT_EQ(exported(world), before) << text;
    }
    EXPECT_EQ(world.parent(part), taken);
}

TEST_F(json, refused_text_gives_everything_back_though_observers_throw) {
    const entity owes_word = world.component<owes>();
    world.add(owes_word, ecs::single_source);
    const entity ship = world.spawn("ship"), ann = world.spawn("ann");
    world.set<owes>(ann, ship, owes{7});
    world.set_singleton(position{1, 2});
    const std::string before = exported(world);
    int told = 0;
    const auto object = [&](const ecs::event_context&) {
        ++told;
        throw std::runtime_error("an observer objects");
    };
    const std::string text = R"({"format": "ecs-world", "version": 1, "singletons": {
        "(anonymous namespace)::position": {"x": 8, "y": 9}}, "entities": [
        {"tags": ["(anonymous namespace)::enemy"], "pairs": [{"relation": "(anonymous namespace)::owes",
         "target": "ship", "value": {"coins": 1}}]}], "disabled_singletons": 3})";
    world.observe(ecs::event::removed, world.component<enemy>(), object);
    EXPECT_EQ(refusal_of_text(text), "disabled_singletons: a list is expected, not 3");
    EXPECT_EQ(told, 1);
    EXPECT_EQ(exported(world), before);
    world.observe(ecs::event::removed, pair(owes_word, ecs::any), object);
    EXPECT_THROW(ecs::import_json(world, text), std::runtime_error);
    EXPECT_EQ(told, 4) << "Ann has lost the pair, and the entity that is taken back both";
    EXPECT_EQ(exported(world), before);
    world.observe(ecs::event::spawned, object);
    EXPECT_THROW(ecs::import_json(world, text), std::runtime_error);
    EXPECT_EQ(told, 5);
    EXPECT_EQ(exported(world), before);
}

TEST_F(json, refused_text_gives_back_singletons) {
    world.set_singleton(position{1, 2});
    const entity relation = world.component({.name = "relation"});
    world.add(relation, ecs::relation_only);
    const std::string before = exported(world);
    const auto refusal_of_singletons = [&](const std::string& list) -> std::string {
        try {
            ecs::import_json(world,
                             R"({"format": "ecs-world", "version": 1, "entities": [], "singletons": {)" +
                                 list + "}}");
        } catch (const ecs::json_error& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal_of_singletons(R"("(anonymous namespace)::position": {"x": 9},
        "(anonymous namespace)::owes": {"coins": 3}, "relation": true)"),
              "singletons.relation: a relation needs a target; add a pair");
    EXPECT_EQ(exported(world), before);
    EXPECT_FALSE(world.has_singleton<owes>());
}

TEST_F(json, a_mark_that_the_world_adds_is_not_written_as_disabled) {
    const entity shared = world.spawn("shared", position{1, 2});
    world.despawn(world.spawn(pair(ecs::is_a, shared)));
    world.disable(shared, ecs::base);
    ecs::world other;
    other.component<position>();
    EXPECT_EQ(ecs::import_json(other, exported(world)).size(), 1);
}

TEST_F(json, members_that_are_there_twice_are_refused_with_their_place) {
    EXPECT_EQ(refusal_of(R"({}, {"name": "a", "name": "b"})"), "entities[1].name: the member is there twice");
    EXPECT_EQ(refusal_of(R"({"components": {"(anonymous namespace)::path": {"to": {"x": 1, "x": 2}}}})"),
              "entities[0].components.(anonymous namespace)::path.to.x: the member is there twice");
    EXPECT_EQ(refusal_of_text(R"({"format": "ecs-world", "version": 1, "entities": [], "entities": []})"),
              "entities: the member is there twice");
    EXPECT_EQ(refusal_of(R"({"name": "a"}, {"name": "b"})"), "") << "each object has its own";
}

TEST_F(json, members_of_an_object_of_any_size_are_refused_when_they_are_there_twice) {
    const auto object_of = [](std::size_t count, std::size_t last) {
        std::string text = R"({"tags": [{)";
        for (std::size_t i = 0; i != count; ++i) text += "\"m" + std::to_string(i) + "\": 1, ";
        return text + "\"m" + std::to_string(last) + "\": 1}]}";
    };
    for (const std::size_t count : {1U, 15U, 16U, 17U, 40U})
        for (const std::size_t twin : {std::size_t{0}, count / 2, count - 1})
            EXPECT_EQ(refusal_of(object_of(count, twin)),
                      "entities[0].tags[0].m" + std::to_string(twin) + ": the member is there twice");
    constexpr std::size_t many = 200'000; // To compare each with all others would take minutes.
    EXPECT_TRUE(refusal_of(object_of(many, many)).starts_with("entities[0].tags[0]: a text is expected"));
    EXPECT_EQ(refusal_of(R"({"": 1})"), "entities[0].: there is no such member");
}

TEST_F(json, texts_of_any_depth_are_refused_with_their_place) {
    constexpr std::size_t depth = 1'000'000;
    const std::string lists = std::string(depth, '[') + std::string(depth, ']');
    std::string objects;
    for (std::size_t i = 0; i < depth; ++i) objects += R"({"a":)";
    const auto ends_well = [](const std::string& said) {
        return said.ends_with(": values are nested more than 64 deep");
    };
    EXPECT_TRUE(ends_well(refusal_of(lists)));
    EXPECT_TRUE(ends_well(
        refusal_of(R"({"components": {"(anonymous namespace)::position": {"x": )" + lists + "}}}")));
    EXPECT_TRUE(ends_well(refusal_of(R"({"tags": )" + objects + "1" + std::string(depth, '}') + "}")));
    EXPECT_TRUE(refusal_of(R"({"tags": [[[]]]})").starts_with("entities[0].tags[0]: a text is expected"));
}

TEST_F(json, what_is_too_large_is_refused_with_its_place) {
    EXPECT_TRUE(refusal_of(R"({}, {"components": {"(anonymous namespace)::position": {"x": 1, "y": 1e400}}})")
                    .starts_with("entities[1].components.(anonymous namespace)::position.y: "));
    EXPECT_TRUE(refusal_of(R"({"tags": ["a", 1e400]})").starts_with("entities[0].tags[1]: "));
    EXPECT_TRUE(refusal_of(R"({"tags": []}, -1e400)").starts_with("entities[1]: "));
    const std::string said = refusal_of("\"" + std::string(99, 'a') + "\u00e4" + std::string(99, 'b') + "\"");
    EXPECT_EQ(said, "entities[0]: an object is expected, not \"" + std::string(99, 'a') + "...");
}

TEST_F(json, a_text_does_not_end_with_a_null_byte) {
    const std::string whole = R"({"format": "ecs-world", "version": 1, "entities": []})";
    EXPECT_EQ(refusal_of_text(whole), "");
    EXPECT_EQ(refusal_of_text(whole + std::string("\0]]", 3)),
              "the text: it has a null byte, which is no part of JSON");
}

TEST_F(json, is_refused_while_an_observer_is_told) {
    int refused = 0;
    const auto o = world.observe<ecs::event::added, enemy>([&](entity) {
        try {
            ecs::import_json(world, R"({"format": "ecs-world", "version": 1, "entities": [{"name": "a"}]})");
        } catch (const ecs::iteration_error&) {
            ++refused;
        }
    });
    world.add<enemy>(world.spawn());
    EXPECT_EQ(refused, 1);
    EXPECT_EQ(world.entities().size(), 1U);
}

TEST_F(json, children_of_components_are_exported) {
    world.spawn("inside", pair(ecs::child_of, world.component<enemy>()));
    ecs::world other;
    register_components(other);
    ecs::import_json(other, ecs::export_json(world));
    EXPECT_TRUE(other.lookup(other.component<enemy>(), "inside"));
}

TEST_F(json, the_dead_are_nobody) {
    const entity gone = world.spawn();
    world.spawn(crew{"Ahab", 1, gone});
    world.despawn(gone);
    const std::string text = ecs::export_json(world);
    EXPECT_NE(text.find(R"("leader": null)"), std::string::npos) << text;
    EXPECT_EQ(world.get<crew>(ecs::import_json(world, text).front()).leader, entity());
}

TEST_F(json, properties_are_there_before_what_they_are_properties_of_is_used) {
    const entity user = world.spawn("user");
    const entity group = world.spawn("group");
    const entity member = world.spawn("member", pair(ecs::child_of, group));
    const entity relation = world.spawn("relation");
    world.add(relation, pair(ecs::one_of, group));
    const entity needy = world.spawn("needy");
    world.add(needy, pair(ecs::needs, group));
    world.add(user, pair(relation, member));
    world.add(user, needy);
    ecs::world other;
    register_components(other);
    ecs::import_json(other, exported(world));
    EXPECT_EQ(lines_by_names(other), lines_by_names(world));
    EXPECT_TRUE(other.has(other.lookup("user"), other.lookup("needy")));
    EXPECT_EQ(other.name_of(other.target_of(other.lookup("user"), other.lookup("relation"))), "member");
    EXPECT_EQ(other.remove(other.lookup("user"), other.lookup("group")), ecs::add_result::needed);
}

/// Of what takes no bytes of its own nothing is written, and nothing is written to it.
struct sparing {
    int value = 4;
    [[no_unique_address]] struct nothing {
    } first{};
    std::string text = "kept";
    [[no_unique_address]] struct nothing_else {
    } second{};
};

TEST_F(json, pairs_that_are_stated_stay_where_what_comes_along_would_take_their_place) {
    const entity at = world.spawn("at"), visits = world.spawn("visits"), bob = world.spawn("bob");
    const entity paris = world.spawn("paris"), rome = world.spawn("rome");
    world.add(at, ecs::exclusive);
    world.add(visits, ecs::pair(ecs::with, at));
    world.add(bob, ecs::pair(visits, paris));
    world.add(bob, ecs::pair(at, rome));
    ecs::world other;
    ecs::import_json(other, ecs::export_json(world));
    EXPECT_EQ(other.target_of(other.lookup("bob"), other.lookup("at")), other.lookup("rome"));
    EXPECT_TRUE(other.has(other.lookup("bob"), ecs::pair(other.lookup("visits"), other.lookup("paris"))));
}

TEST_F(json, relation_whose_base_is_exclusive_may_have_two_targets) {
    const entity base = world.spawn("shared"), relation = world.spawn("relation"), bob = world.spawn("bob");
    world.add(base, ecs::exclusive);
    world.add(relation, pair(ecs::is_a, base));
    for (const char* const name : {"paris", "rome"}) world.add(bob, pair(relation, world.spawn(name)));
    ASSERT_EQ(world.targets(bob, relation).size(), 2U);
    ecs::world other;
    ecs::import_json(other, ecs::export_json(world));
    EXPECT_EQ(other.targets(other.lookup("bob"), other.lookup("relation")).size(), 2U);
}

TEST_F(json, base_may_be_the_target_of_its_own_property) {
    const entity color = world.spawn("color"), shade = world.spawn("shade", pair(ecs::is_a, color));
    world.add(color, pair(ecs::one_of, color));
    ASSERT_TRUE(succeeded(world.add(world.spawn("wall"), pair(shade, world.spawn("gray")))));
    ecs::world other;
    ecs::import_json(other, ecs::export_json(world));
    const entity there = other.lookup("color");
    EXPECT_TRUE(other.owns(there, pair(ecs::one_of, there)));
    EXPECT_TRUE(other.has(other.lookup("wall"), pair(other.lookup("shade"), other.lookup("gray"))));
}

TEST_F(json, empty_members_are_left_out) {
    world.spawn("saved", sparing{257, {}, "a text that is too long to be in the value itself", {}});
    const std::string text = ecs::export_json(world);
    EXPECT_EQ(text.find("first"), std::string::npos) << text;
    ecs::world other;
    std::ignore = other.component<sparing>();
    ecs::import_json(other, text);
    EXPECT_EQ(other.get<sparing>(other.lookup("saved")).value, 257);
    EXPECT_EQ(other.get<sparing>(other.lookup("saved")).text,
              "a text that is too long to be in the value itself");
}

TEST(json_refusals, entities_that_cannot_be_read_again_are_not_written) {
    ecs::world world;
    ecs::world other;
    const entity e = world.spawn(), gone = world.spawn();
    world.despawn(gone);
    for (const entity odd : {gone, entity(), other.spawn()})
        EXPECT_THROW(std::ignore = ecs::export_json(world, std::vector{e, odd}), ecs::json_error);
    EXPECT_THROW(std::ignore = ecs::export_json(world, std::vector{e, e}), ecs::json_error);
    EXPECT_NO_THROW(std::ignore = ecs::export_json(world, std::vector{e}));
}

TEST(json_refusals, a_world_that_refers_to_who_waits_for_the_flush_is_not_written) {
    ecs::world world;
    auto commands = world.commands();
    const entity waiting = commands.spawn();
    const entity ship = world.spawn(crew{"Ahab", 1, waiting});
    EXPECT_THROW(std::ignore = ecs::export_json(world), ecs::json_error);
    EXPECT_NO_THROW(std::ignore = ecs::export_json(world, std::vector{ship})) << "a part refers to others";
    world.flush();
    EXPECT_EQ(ecs::import_json(world, ecs::export_json(world)).size(), 2U);
}

TEST(json_refusals, an_entity_that_an_observer_ends_is_named_in_the_refusal) {
    ecs::world world;
    std::ignore = world.component<owes>();
    world.observe<ecs::event::added, owes>([&](entity e) { world.despawn(e); });
    const std::string text = R"({"format": "ecs-world", "version": 1, "entities": [
        {"name": "bob", "components": {"(anonymous namespace)::owes": {"coins": 1}}}]})";
    try {
        ecs::import_json(world, text);
        FAIL();
    } catch (const ecs::json_error& error) {
        EXPECT_TRUE(std::string_view(error.what()).starts_with("entities[0].name: ")) << error.what();
    }
    EXPECT_TRUE(world.entities().empty());
}

TEST(json_refusals, a_relation_whose_index_is_too_high_is_refused_with_its_place) {
    ecs::world world(ecs::id_space{0x1000'0000, 0x1010'0000});
    const std::string text =
        R"({"format": "ecs-world", "version": 1, "entities": [{"id": "#1"},
            {"id": "#2", "pairs": [{"relation": "#1", "target": "#1"}]}]})";
    try {
        ecs::import_json(world, text);
        FAIL();
    } catch (const ecs::json_error& error) {
        EXPECT_NE(std::string(error.what()).find("relation"), std::string::npos) << error.what();
    }
    EXPECT_TRUE(world.entities().empty());
}

struct speed {
    BOOST_HANA_DEFINE_STRUCT(speed, (int, value));
};
struct engine {
    static constexpr auto properties = ecs::properties(ecs::with_type<speed>);
};

TEST(json_round_trips, an_instance_inherits_although_it_stands_before_its_prefab) {
    for (const bool instance_first : {true, false}) {
        ecs::world world;
        const entity first = world.spawn(), second = world.spawn();
        const entity prefab = instance_first ? second : first, instance = instance_first ? first : second;
        world.add(prefab, ecs::prefab_tag);
        world.set(prefab, speed{9});
        world.add(instance, pair(ecs::is_a, prefab));
        world.add<engine>(instance);
        ASSERT_EQ(world.get<speed>(instance).value, 9);
        ecs::world other;
        std::ignore = std::tuple(other.component<speed>(), other.component<engine>());
        const std::vector<entity> read = ecs::import_json(other, ecs::export_json(world));
        const entity copy = instance_first ? read.front() : read.back();
        EXPECT_EQ(other.get<speed>(copy).value, 9) << instance_first;
        other.set(instance_first ? read.back() : read.front(), speed{20});
        EXPECT_EQ(other.get<speed>(copy).value, 20) << instance_first;
    }
}

TEST(json_refusals, a_component_is_no_entity_to_be_written) {
    ecs::world world;
    const std::array<entity, 1> all{world.component<position>()};
    try {
        std::ignore = ecs::export_json(world, all);
        FAIL();
    } catch (const ecs::json_error& error) {
        EXPECT_NE(std::string(error.what()).find("is a component"), std::string::npos) << error.what();
    }
}

struct watch {
    int hour = 0;
    entity keeper{};
};

TEST(json_values, members_that_a_text_names_are_changed_and_entities_are_called_by_their_paths) {
    ecs::world world;
    const entity fleet = world.spawn("Fleet"), e = world.spawn(watch{3, fleet});
    const entity ship = world.spawn("Ship", ecs::pair(ecs::child_of, fleet));
    const entity component = world.component<watch>();
    EXPECT_TRUE(ecs::succeeded(ecs::set_json(world, e, component, R"({"keeper": "Fleet/Ship"})")));
    EXPECT_EQ(world.get<watch>(e).hour, 3);
    EXPECT_EQ(world.get<watch>(e).keeper, ship);
    const auto said = [&](ecs::id word, std::string_view text) -> std::string {
        try {
            ecs::set_json(world, e, word, text);
        } catch (const ecs::json_error& error) {
            return error.what();
        }
        return "nothing";
    };
    EXPECT_EQ(said(component, R"({"hour": 4, "keeper": "Bob"})"), "keeper: nobody is called \"Bob\"");
    EXPECT_EQ(said(world.component_named("wtach"), "{}"),
              "the component: there is none: a look-up that has found none returns the null identifier");
    EXPECT_EQ(said(fleet, "{}"), "Fleet: it is a tag and has no value");
    EXPECT_EQ(world.get<watch>(e).hour, 3);
}

TEST(json_values, are_read_as_texts_that_set_them) {
    ecs::world world;
    const entity fleet = world.spawn("Fleet"), ship = world.spawn("Ship", ecs::pair(ecs::child_of, fleet));
    const entity e = world.spawn(watch{3, ship}), other = world.spawn();
    const entity component = world.component<watch>();
    const std::string text = ecs::get_json(world, e, component);
    EXPECT_EQ(text, "{\n  \"hour\": 3,\n  \"keeper\": \"Fleet/Ship\"\n}");
    ecs::set_json(world, other, component, text);
    EXPECT_EQ(world.get<watch>(other).hour, 3);
    EXPECT_EQ(world.get<watch>(other).keeper, ship);
    world.set(e, watch{4, component});
    ecs::set_json(world, other, component, ecs::get_json(world, e, component));
    EXPECT_EQ(world.get<watch>(other).keeper, component) << "components are called by their names";
}

TEST(json_values, that_cannot_be_read_say_why) {
    ecs::world world;
    const entity nameless = world.spawn(), e = world.spawn(watch{3, nameless});
    const entity component = world.component<watch>();
    const auto said = [&](entity of, ecs::id word) -> std::string {
        try {
            std::ignore = ecs::get_json(world, of, word);
        } catch (const ecs::json_error& error) {
            return error.what();
        }
        return "nothing";
    };
    const std::string name = world.component_name(component);
    EXPECT_EQ(said(e, component), name + ": no name leads to entity " + ecs::to_string(nameless) +
                                      ": a reference_book of the program says how it is called");
    EXPECT_EQ(said(nameless, component), name + ": entity " + ecs::to_string(nameless) + " does not have it");
    EXPECT_EQ(said(nameless, pair(component, e)), "(" + name + ", " + ecs::to_string(e) + "): entity " +
                                                      ecs::to_string(nameless) + " does not have it");
    EXPECT_EQ(said(e, nameless), ecs::to_string(nameless) + ": it is a tag and has no value");
    const ecs::id pattern = pair(component, ecs::any);
    EXPECT_EQ(said(e, pattern),
              ecs::to_string(pattern) + ": it is a pattern: name the relation and the target");
    const entity ended = world.spawn();
    world.despawn(ended);
    EXPECT_EQ(said(e, ended), "the component: " + world.explain(ended));
    EXPECT_EQ(said(ended, component), name + ": " + world.explain(ended));
    EXPECT_EQ(said(e, world.component_named("wtach")),
              "the component: there is none: a look-up that has found none returns the null identifier");
}

struct titled {
    std::string title;
};

/// Zero bytes are no text: what was described as bytes stays bytes.
TEST(json_values, members_in_bytes_are_no_values_of_a_later_component_that_are_more) {
    ecs::world world;
    const std::size_t size = sizeof(titled);
    const entity raw = world.component(
        {.name = "raw", .size = size, .members = {{"a", std::string(ecs::type_name<titled>), 0, size}}});
    std::ignore = world.component<titled>();
    const entity e = world.spawn(raw);
    const std::string written = R"("bytes": ")" + std::string(2 * size, '0') + '"';
    EXPECT_NE(ecs::export_json(world).find(written), std::string::npos) << ecs::export_json(world);
    const std::string dumped = ecs::dump(world, e);
    EXPECT_NE(dumped.find("raw{{" + std::to_string(size) + " bytes}}"), std::string::npos) << dumped;
    EXPECT_TRUE(ecs::differences(world, e, world.spawn(raw)).empty());
    EXPECT_THROW(ecs::set_json(world, e, raw, R"({"a": {"title": "text"}})"), ecs::json_error);
}

/// Registers components while names are looked up, so that those that were there before move.
class registering_book final : public ecs::reference_book {
  public:
    explicit registering_book(ecs::world& in) : in_(&in) {}

    [[nodiscard]] std::string text_of(entity) const override { return {}; }
    [[nodiscard]] entity meant_by(const std::string& text, const std::string&) const override {
        for (int i = 0; i < 100; ++i) {
            const std::string name = text + std::to_string(i);
            in_->component({.name = name, .size = 4, .members = {{"n", "int", 0, 4}}});
        }
        return {};
    }

  private:
    ecs::world* in_;
};

/// What goes wrong otherwise, a sanitizer finds.
TEST(json_values, are_read_to_their_end_when_a_book_registers_components) {
    struct told {
        entity who;
        std::int32_t first, second;
    };
    ecs::world world;
    const std::string handle(ecs::type_name<entity>);
    const entity word = world.component(
        {.name = "told",
         .size = sizeof(told),
         .members = {{"who", handle, 0, 8}, {"first", "int", 8, 4}, {"second", "int", 12, 4}}});
    const entity e = world.spawn();
    ecs::set_json(world, e, word, R"({"who": "new", "first": 1, "second": 2})", registering_book(world));
    const auto* const read = static_cast<const told*>(world.try_get(e, word));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->first, 1);
    EXPECT_EQ(read->second, 2);
}

enum class gear : std::uint8_t { idle, ahead, astern };

TEST(json_round_trips, a_component_that_is_one_value_is_written_as_that) {
    ecs::world world;
    const auto register_all = [](ecs::world& in) {
        in.component<float>(), in.component<bool>(), in.component<gear>(), in.component<std::string>();
        in.component<std::array<int, 3>>();
    };
    register_all(world);
    const entity e = world.spawn(2.5F, false, gear::astern, std::string("onward"), std::array{1, 2, 3});
    world.set(world.component<bool>(), true);
    const std::string text = ecs::export_json(world);
    for (const char* part : {"\"float\": 2.5", "\"bool\": false", "gear\": \"astern\"", "\"onward\""})
        EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
    ecs::world other;
    register_all(other);
    const entity read = ecs::import_json(other, text).front();
    EXPECT_EQ(other.get<float>(read), 2.5F);
    EXPECT_FALSE(other.get<bool>(read));
    EXPECT_EQ(other.get<gear>(read), gear::astern);
    EXPECT_EQ(other.get<std::string>(read), "onward");
    EXPECT_EQ((other.get<std::array<int, 3>>(read)), (std::array{1, 2, 3}));
    EXPECT_TRUE(other.get<bool>(other.component<bool>())) << "a singleton with a value";
    EXPECT_EQ(exported(other), exported(world));
    EXPECT_NE(ecs::dump(world, e).find("2.5"), std::string::npos);
}

TEST(json_refusals, a_value_that_is_no_number_of_its_type_is_named) {
    ecs::world world;
    std::ignore = std::tuple(world.component<float>(), world.component<gear>());
    const auto reason = [&](const std::string& components) {
        try {
            ecs::import_json(world, R"({"format": "ecs-world", "version": 1, "entities": [{"components": )" +
                                        components + "}]}");
            return std::string();
        } catch (const ecs::json_error& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(reason(R"({"float": "fast"})"),
              "entities[0].components.float: a number is expected, not \"fast\"");
    EXPECT_NE(reason(R"({"(anonymous namespace)::gear": "sideways"})").find("idle, ahead, astern"),
              std::string::npos);
    EXPECT_EQ(reason(R"({"float": {"bytes": "00002040"}})"), "") << "texts from before have bytes";
}

struct holder_of_bytes {
    ecs::entity bytes;
};
struct outer_of_bytes {
    holder_of_bytes a;
    int n = 0;
};

TEST(json_of_worlds, has_members_called_bytes) {
    ecs::world world, other;
    const entity bob = world.spawn("Bob");
    world.spawn("Alice", outer_of_bytes{{bob}, 1});
    other.component<outer_of_bytes>();
    ecs::import_json(other, ecs::export_json(world));
    EXPECT_EQ(other.get<outer_of_bytes>(other.lookup("Alice")).a.bytes, other.lookup("Bob"));
}

TEST(json_of_worlds, has_no_components_among_children_and_nobody_twice) {
    ecs::world world, other;
    const entity fleet = world.spawn("fleet"), component = world.component<opaque>();
    world.add(component, pair(ecs::child_of, fleet));
    world.spawn("below", pair(ecs::child_of, component));
    world.spawn("beside", pair(ecs::child_of, fleet));
    const std::string text = ecs::export_json(world);
    EXPECT_EQ(text.find("component_info"), std::string::npos) << text;
    EXPECT_EQ(text.find("\"below\""), text.rfind("\"below\"")) << text;
    EXPECT_LT(text.find("\"fleet\""), text.find("\"beside\"")) << text;
}

} // namespace
