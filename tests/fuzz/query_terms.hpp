// SPDX-License-Identifier: MIT
// Texts of queries, of parts that can stand beside each other, so that most of them are read: hardly any text
// of parts in any order is a query.
#pragma once
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace query_terms {

inline constexpr std::array<std::string_view, 4> separators{", ", ", ", ", ", " || "};
inline constexpr std::array<std::string_view, 10> prefixes{"",  "",  "",      "",        "",
                                                           "!", "?", "[in] ", "[none] ", "[inout] "};
inline constexpr std::array<std::string_view, 16> suffixes{
    "",     "",    "",       "",          "($x)",     "($y)",      "(Bob)",     "(self)",
    "(up)", "|up", "(kind)", "(self|up)", "(hidden)", "(cascade)", "(changed)", "|up($x)"};

/// A query of a few terms. `next` hands out numbers; subjects are components, and pairs in brackets, behind
/// which nothing can stand.
template <class Next, std::size_t Count>
std::string text_of(Next next, const std::array<std::string_view, Count>& subjects) {
    const auto one_of = [&](const auto& all) { return all[next() % all.size()]; };
    std::string made;
    for (std::size_t left = 1 + next() % 4; left != 0; --left) {
        if (!made.empty()) made += one_of(separators);
        made += one_of(prefixes);
        const std::string_view subject = one_of(subjects);
        made += subject;
        if (!subject.ends_with(')')) made += one_of(suffixes);
    }
    return made;
}

} // namespace query_terms
