// SPDX-License-Identifier: MIT
// See words.cppm.
module;
#include <charconv>
module ecs.core;
import ecs.std;

namespace ecs {

std::string in_quotes(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

namespace {

/// The bytes that the first one announces; 0 for one that begins no character.
std::size_t announced_bytes(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xC2 || first > 0xF4) return 0; // C0 and C1 would be too long, F5 and more beyond U+10FFFF.
    return first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

bool is_character(char32_t code, std::size_t bytes) {
    const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
    const bool is_too_long = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
    return !is_surrogate && !is_too_long && code != 0xFFFE && code != 0xFFFF && code <= 0x10FFFF;
}

} // namespace

std::size_t bytes_of_character(std::string_view text) {
    if (text.empty()) return 0;
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t bytes = announced_bytes(first);
    if (bytes <= 1 || bytes > text.size()) return bytes == 1 ? 1 : 0;
    char32_t code = first & (0x7FU >> bytes);
    for (const char c : text.substr(1, bytes - 1)) {
        const auto next = static_cast<unsigned char>(c);
        if ((next & 0xC0U) != 0x80) return 0;
        code = code << 6U | (next & 0x3FU);
    }
    return is_character(code, bytes) ? bytes : 0;
}

std::string as_utf8(std::string_view text) {
    std::string result;
    while (!text.empty()) {
        const std::size_t bytes = bytes_of_character(text);
        result += bytes == 0 ? std::string_view("\xEF\xBF\xBD") : text.substr(0, bytes);
        text.remove_prefix(std::max<std::size_t>(bytes, 1));
    }
    return result;
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
