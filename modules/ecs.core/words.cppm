// SPDX-License-Identifier: MIT
// Parts of messages, and of other texts that people read.
export module ecs.core:words;
import ecs.std;

export namespace ecs {

/// The text in quotation marks; quotation marks and backslashes in it get a backslash before them.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// How many bytes the first character of the text takes in UTF-8; 0 when it is none, or a code that XML does
/// not know either: U+FFFE and U+FFFF.
[[nodiscard]] std::size_t bytes_of_character(std::string_view text);

/// The text as UTF-8: U+FFFD in the place of each byte that is none.
[[nodiscard]] std::string as_utf8(std::string_view text);

/// Appends a part, with the separator before it unless it is the first; a part without characters is left
/// out.
void append_to_list(std::string& list, std::string_view part, std::string_view separator = ", ");

/// The shortest text that is read as the same number.
[[nodiscard]] std::string shortest_text(double number);

/// The bytes as text, with two digits for each byte.
[[nodiscard]] std::string hexadecimal(std::span<const std::byte> bytes);

} // namespace ecs
