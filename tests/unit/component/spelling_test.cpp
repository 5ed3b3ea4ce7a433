// SPDX-License-Identifier: MIT
// Names of types as g++ writes them, in clang's spelling; and the names that this compiler gives.
#include <array>
#include <gtest/gtest.h>
#include <span>
#include <string>
#include <string_view>
#include <vector>
import ecs.component;

namespace fleet {
struct ship {};
template <class T, int N> struct convoy {};
enum class flag : unsigned char { red = 1 };
template <auto V> struct tagged {};
} // namespace fleet

namespace ecs {
struct of_the_library {};
} // namespace ecs

namespace {

struct hidden {};

std::string clang_name(std::string_view of_gcc) {
    std::string name(ecs::clang_spelling().write(of_gcc).size(), '?');
    EXPECT_EQ(ecs::clang_spelling(name).write(of_gcc).size(), name.size());
    return name;
}

} // namespace

TEST(Spelling, ordinary_names_stay_as_they_are) {
    for (const char* name :
         {"int", "fleet::ship", "std::pair<int, double>", "unsigned char", "long double",
          "fleet::convoy<fleet::ship, 3>", "longship", "fleet::long_int", "int (*)(float)"})
        EXPECT_EQ(clang_name(name), name);
}

TEST(Spelling, long_and_short_numbers_are_spelled_in_the_order_of_clang) {
    EXPECT_EQ(clang_name("long long unsigned int"), "unsigned long long");
    EXPECT_EQ(clang_name("std::vector<long unsigned int>"), "std::vector<unsigned long>");
    EXPECT_EQ(clang_name("std::pair<short int, long int>"), "std::pair<short, long>");
    EXPECT_EQ(clang_name("std::pair<short unsigned int, long long int>"),
              "std::pair<unsigned short, long long>");
}

TEST(Spelling, namespaces_without_a_name_are_in_round_brackets) {
    EXPECT_EQ(clang_name("{anonymous}::hero"), "(anonymous namespace)::hero");
    EXPECT_EQ(clang_name("fleet::{anonymous}::convoy<{anonymous}::deep::hero>"),
              "fleet::(anonymous namespace)::convoy<(anonymous namespace)::deep::hero>");
}

TEST(Spelling, modules_are_left_out) {
    EXPECT_EQ(clang_name("ecs::basic_id@ecs.id<ecs::layout@ecs.id:layout<long unsigned int> >"),
              "ecs::basic_id<ecs::layout<unsigned long> >");
    EXPECT_EQ(clang_name("game::world@game.core::part@game.core"), "game::world::part");
    EXPECT_EQ(clang_name("game::world@game.core:partition::part"), "game::world::part");
}

TEST(Spelling, functions_around_a_local_type_are_left_out) {
    EXPECT_EQ(clang_name("main()::local"), "local");
    EXPECT_EQ(clang_name("play(int, char)::local"), "local");
    EXPECT_EQ(clang_name("game::play<int>(std::pair<int, char>) [with T = int]::local"), "local");
    EXPECT_EQ(clang_name("std::pair<int, main()::local>"), "std::pair<int, local>");
    EXPECT_EQ(clang_name("{anonymous}::f()::local::inner"), "local::inner");
}

TEST(Spelling, pointers_and_arrays_have_the_spaces_of_clang) {
    EXPECT_EQ(clang_name("const char* const&"), "const char *const &");
    EXPECT_EQ(clang_name("char**"), "char **");
    EXPECT_EQ(clang_name("fleet::ship*"), "fleet::ship *");
    EXPECT_EQ(clang_name("std::vector<int>*"), "std::vector<int> *");
    EXPECT_EQ(clang_name("int [3]"), "int[3]");
    EXPECT_EQ(clang_name("fleet::tagged<&fleet::ship::x>"), "fleet::tagged<&fleet::ship::x>");
}

TEST(Spelling, namespaces_of_versions_are_left_out) {
    EXPECT_EQ(clang_name("std::vector<std::__cxx11::basic_string<char> >"),
              "std::vector<std::basic_string<char> >");
    EXPECT_EQ(clang_name("std::chrono::_V2::steady_clock"), "std::chrono::steady_clock");
}

TEST(Spelling, every_compiler_gives_the_same_names) {
    struct local {};
    EXPECT_EQ(ecs::type_name<fleet::ship>, "fleet::ship");
    EXPECT_EQ(ecs::type_name<ecs::of_the_library>, "ecs::of_the_library");
    EXPECT_EQ(ecs::type_name<hidden>, "(anonymous namespace)::hidden");
    EXPECT_EQ(ecs::type_name<local>, "local");
    EXPECT_EQ(ecs::type_name<unsigned long long>, "unsigned long long");
    EXPECT_EQ(ecs::type_name<const char*>, "const char *");
    EXPECT_EQ(ecs::type_name<int[3]>, "int[3]");
    EXPECT_EQ((ecs::type_name<fleet::convoy<fleet::ship, 3>>), "fleet::convoy<fleet::ship, 3>");
    EXPECT_EQ((ecs::type_name<fleet::convoy<const long*, -1>>), "fleet::convoy<const long *, -1>");
    EXPECT_EQ(ecs::type_name<fleet::tagged<fleet::flag::red>>, "fleet::tagged<fleet::flag::red>");
    EXPECT_EQ(ecs::type_name<std::vector<int>>, "std::vector<int>");
    EXPECT_EQ((ecs::type_name<std::array<fleet::ship, 2>>), "std::array<fleet::ship, 2>");
}
