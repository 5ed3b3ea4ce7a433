// SPDX-License-Identifier: MIT
// See words.cppm.
module;
#include <charconv>
module ecs.core;
import ecs.std;

namespace ecs {

std::string quoted(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

void append_to_list(std::string& list, std::string_view part, std::string_view separator) {
    if (!list.empty() && !part.empty()) list += separator;
    list += part;
}

std::string shortest_text(double number) {
    std::array<char, 32> text{};
    return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

std::string hexadecimal(std::span<const std::byte> bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    for (const std::byte b : bytes) {
        text += digits[static_cast<std::size_t>(b) >> 4];
        text += digits[static_cast<std::size_t>(b) & 15];
    }
    return text;
}

} // namespace ecs
