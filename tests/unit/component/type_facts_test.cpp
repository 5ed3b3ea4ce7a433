// SPDX-License-Identifier: MIT
// What the compiler finds of a type's members, and what it leaves alone. Most of it is checked while this
// file is compiled.
#include <any>
#include <array>
#include <boost/hana/define_struct.hpp>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>
import ecs.component;

namespace fleet {

enum class stance : std::uint8_t { calm = 1, wild = 7 };
enum order : int { hold, attack = -5, flee = 255, beyond = 256 };
enum unstated { first, second = 5 };
enum class letter : char { a = 'a' };
enum class answer : bool { no, yes };

struct position {
    float x, y;
};
template <class... T> struct holder {
    enum class mood { good, bad };
    mood now;
    position at;
};

/// A structured binding of it says something else than its members.
struct with_size {
    int own;
    int other;
};

} // namespace fleet

template <> struct std::tuple_size<fleet::with_size> {
    static constexpr std::size_t value = 1;
};

namespace {

using ecs::facts_of;
using ecs::type_facts;
using ecs::type_form;

template <class T> constexpr bool is_opaque = facts_of<T>.form == type_form::opaque;

/// Whether the part has that name and place, and the type its facts.
template <class T, class Part>
constexpr bool has_part(std::size_t place, std::string_view name, std::size_t offset) {
    const auto& part = facts_of<T>.parts[place];
    return ecs::name_of_part(facts_of<T>, place) == name && part.offset == offset &&
           part.type == &facts_of<Part>;
}

struct ship {
    fleet::position at;
    alignas(16) double speed;
    std::string name;
    std::uint8_t guns[3];
    std::array<fleet::position, 2> buoys;
    fleet::stance now;
    const char* flag;
    std::vector<ship> boats;
};
static_assert(facts_of<ship>.form == type_form::aggregate);
static_assert(facts_of<ship>.count == 8);
static_assert(has_part<ship, fleet::position>(0, "at", offsetof(ship, at)));
static_assert(has_part<ship, double>(1, "speed", offsetof(ship, speed)));
static_assert(has_part<ship, std::string>(2, "name", offsetof(ship, name)));
static_assert(has_part<ship, std::uint8_t[3]>(3, "guns", offsetof(ship, guns)));
static_assert(has_part<ship, std::array<fleet::position, 2>>(4, "buoys", offsetof(ship, buoys)));
static_assert(has_part<ship, fleet::stance>(5, "now", offsetof(ship, now)));
static_assert(has_part<ship, const char*>(6, "flag", offsetof(ship, flag)));
static_assert(has_part<ship, std::vector<ship>>(7, "boats", offsetof(ship, boats)));
static_assert(facts_of<ship>.size == sizeof(ship) && !facts_of<ship>.is_bytes);

// Within.
static_assert(facts_of<fleet::position>.is_bytes);
static_assert(has_part<fleet::position, float>(1, "y", 4));
static_assert(facts_of<std::uint8_t[3]>.form == type_form::array);
static_assert(facts_of<std::uint8_t[3]>.count == 3);
static_assert(facts_of<std::uint8_t[3]>.element == &facts_of<unsigned char>);
static_assert(facts_of<std::array<fleet::position, 2>>.element == &facts_of<fleet::position>);
static_assert(facts_of<float[4][2]>.element == &facts_of<float[2]>);

// What cannot be taken apart.
int elsewhere;
struct base {
    int of_base;
};
struct nothing {};
struct explicit_only {
    explicit explicit_only(int) {}
};
struct derived : base {
    int own;
};
struct derived_without_own : base {};
struct derived_of_nothing : nothing {
    int own;
};
struct with_reference {
    int own;
    int& other = elsewhere;
};
struct with_constant {
    int own;
    const int other = 3;
};
struct with_constant_reference {
    int own;
    const int& other = elsewhere;
};
struct without_default {
    int own;
    explicit_only other;
};
struct with_default_of_its_own {
    explicit_only other = explicit_only(3);
    int own;
};
struct takes_everything {
    template <class T> takes_everything(T&&) {}
};
struct with_greedy_default {
    int own;
    takes_everything other = 3;
};
struct with_wrapper {
    int own;
    std::reference_wrapper<int> other = elsewhere;
};
struct with_bits {
    int few : 3;
    int own;
};
struct with_anonymous_union {
    int own;
    union {
        int whole;
        float real;
    };
};
class hidden {
  public:
    int open;

  private:
    [[maybe_unused]] int closed_;
};
struct constructed {
    constructed() {}
    int own;
};
union either {
    int whole;
    float real;
};
struct by_hana {
    BOOST_HANA_DEFINE_STRUCT(by_hana, (int, own));
};
static_assert(is_opaque<derived> && is_opaque<derived_without_own> && is_opaque<derived_of_nothing>);
static_assert(is_opaque<with_reference> && is_opaque<with_constant> && is_opaque<with_constant_reference>);
static_assert(is_opaque<without_default> && is_opaque<with_default_of_its_own>);
static_assert(is_opaque<with_greedy_default> && is_opaque<with_wrapper>);
static_assert(is_opaque<with_bits> && is_opaque<with_anonymous_union>);
static_assert(is_opaque<hidden> && is_opaque<constructed> && is_opaque<either> && is_opaque<nothing>);
static_assert(is_opaque<fleet::with_size>);
static_assert(is_opaque<by_hana>, "Boost.Hana tells its members");
static_assert(is_opaque<int> && is_opaque<std::string> && is_opaque<int*> && is_opaque<void (*)()>);
static_assert(is_opaque<std::vector<int>> && is_opaque<std::map<int, int>> && is_opaque<std::array<int, 0>>);

// They are members like any other, which are opaque alone.
struct of_opaque {
    either one;
    with_bits two;
    with_anonymous_union three;
    derived four;
    std::deque<int> five;
    std::unique_ptr<int> six;
    std::variant<int, float> seven;
    std::optional<int> eight;
    std::function<void()> nine;
    std::any ten;
    int* eleven;
    [[no_unique_address]] nothing twelve;
    int thirteen;
};
static_assert(facts_of<of_opaque>.count == 13);
static_assert(ecs::name_of_part(facts_of<of_opaque>, 12) == "thirteen");

struct of_unnamed {
    struct {
        int inner;
    } one;
    int two;
};
#ifdef __clang__
static_assert(facts_of<of_unnamed>.count == 2);
static_assert(facts_of<decltype(of_unnamed::one)>.form == type_form::aggregate);
#else // It has no name that would tell it from a struct whose members count as those around it.
static_assert(is_opaque<of_unnamed>);
#endif

struct of_32 {
    int a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16;
    int b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16;
};
struct of_33 : nothing {
    int a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16;
    int b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16;
};
struct more_than_32 {
    int a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16;
    int b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15, b16, b17;
};
static_assert(facts_of<of_32>.count == 32 && has_part<of_32, int>(31, "b16", 124));
static_assert(is_opaque<more_than_32>);

// Enumerations.
constexpr std::string_view name_of(const type_facts& of, int value) {
    std::string_view found;
    ecs::for_each_enumerator(of, [&](std::string_view name, std::int64_t number) {
        if (number == value) found = name;
    });
    return found;
}
static_assert(facts_of<fleet::stance>.form == type_form::enumeration);
static_assert(facts_of<fleet::stance>.element == &facts_of<unsigned char>);
static_assert(name_of(facts_of<fleet::stance>, 1) == "calm" && name_of(facts_of<fleet::stance>, 7) == "wild");
static_assert(name_of(facts_of<fleet::stance>, 2).empty() && name_of(facts_of<fleet::stance>, 0).empty());
static_assert(name_of(facts_of<fleet::order>, -5) == "attack" &&
              name_of(facts_of<fleet::order>, 0) == "hold");
static_assert(name_of(facts_of<fleet::order>, 255) == "flee" && name_of(facts_of<fleet::order>, 256).empty());
static_assert(name_of(facts_of<fleet::letter>, 'a') == "a");
static_assert(name_of(facts_of<fleet::answer>, 0) == "no" && name_of(facts_of<fleet::answer>, 1) == "yes");

// One without a stated type is a number.
static_assert(facts_of<fleet::unstated>.form == type_form::enumeration);
static_assert(facts_of<fleet::unstated>.element == &facts_of<unsigned>);
static_assert(facts_of<fleet::unstated>.count == 0);

// Types whose names have commas and brackets.
using odd = fleet::holder<int, fleet::holder<float, char>>;
static_assert(has_part<odd, odd::mood>(0, "now", 0));
static_assert(has_part<odd, fleet::position>(1, "at", 4));

// Notes.
struct health {
    int points;
    float armour;
    static constexpr ecs::member_note member_notes[]{{.member = "points", .units = "HP", .maximum = 100}};
};
static_assert(facts_of<health>.notes[0].units == "HP");
static_assert(ecs::notes_name_members(facts_of<health>));
constexpr ecs::member_note wrong[]{{.member = "point"}};
constexpr type_facts misnamed = [] {
    type_facts made = facts_of<health>;
    made.notes = wrong;
    made.note_count = 1;
    return made;
}();
static_assert(!ecs::notes_name_members(misnamed));

TEST(type_facts, become_members_at_run_time) {
    const ecs::reflection& known = ecs::reflection_of(facts_of<ship>);
    ASSERT_EQ(known.members.size(), 8);
    EXPECT_EQ(known.members[0].name, "at");
    EXPECT_EQ(known.members[0].type, "fleet::position");
    ASSERT_EQ(known.members[0].members.size(), 2);
    EXPECT_EQ(known.members[0].members[1].name, "y");
    EXPECT_EQ(known.members[0].members[1].offset, 4);
    EXPECT_EQ(known.members[1].offset, offsetof(ship, speed));
    EXPECT_EQ(known.members[3].count, 3);
    EXPECT_EQ(known.members[3].members[0].type, "unsigned char");
    EXPECT_EQ(known.members[4].members[0].members[0].name, "x");
    EXPECT_EQ(known.members[5].enumerators, (std::vector<ecs::enumerator>{{"calm", 1}, {"wild", 7}}));
    EXPECT_EQ(known.members[5].number_type, "unsigned char");
    EXPECT_TRUE(known.members[6].is_bytes);
    EXPECT_FALSE(known.members[7].is_bytes);
    EXPECT_EQ(&known, &ecs::reflection_of(facts_of<ship>));
}

TEST(type_facts, know_enumerators_in_any_scope) {
    enum class local { one = 1 };
    struct here {
        local value;
        fleet::order order;
    };
    const auto& members = ecs::reflection_of(facts_of<here>).members;
    EXPECT_EQ(members[0].enumerators, (std::vector<ecs::enumerator>{{"one", 1}}));
    EXPECT_EQ(members[1].enumerators,
              (std::vector<ecs::enumerator>{{"attack", -5}, {"hold", 0}, {"flee", 255}}));
}

TEST(type_facts, have_the_notes_of_the_type) {
    const auto& members = ecs::reflection_of(facts_of<health>).members;
    EXPECT_EQ(members[0].units, "HP");
    EXPECT_EQ(members[0].maximum, 100);
    EXPECT_EQ(members[1].units, "");
}

} // namespace
