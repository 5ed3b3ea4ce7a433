// SPDX-License-Identifier: MIT
// What is asked of the economy: each question in types, for programs, and as text, for people. Both are the
// same query, and find the same. Include it after the import.
#pragma once
#include "table.hpp"
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

import ecs;

namespace economy {

/// Names of what variables stand for, a row for each answer, in the order of the alphabet.
using answers = std::vector<table_row>;

struct question {
    std::string title;
    std::vector<std::string> variables; ///< A column for each; "this" is what the query is about.
    std::string text;
    answers (*ask)(ecs::world& world, const question& what); ///< In types.
    /// Columns between which answers go round in a circle: it is found from each place, and shown from one.
    std::vector<std::size_t> circle{};
};

[[nodiscard]] const std::vector<question>& all_questions();

/// The answers to the question as text. Throws ecs::query_text_error when the text is wrong.
[[nodiscard]] answers ask_as_text(ecs::world& world, const question& what);

/// A question that is nothing but a text, with a column for each variable in it.
[[nodiscard]] question question_of_text(std::string_view text);

/// In which order the most difficult of the questions is answered, and why.
[[nodiscard]] std::string explain_exchange(ecs::world& world);

} // namespace economy
