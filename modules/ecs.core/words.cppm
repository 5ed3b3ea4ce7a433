// SPDX-License-Identifier: MIT
// Parts of messages, and of other texts that people read.
export module ecs.core:words;
import ecs.std;

export namespace ecs {

/// The text in quotation marks; quotation marks and backslashes in it get a backslash before them.
[[nodiscard]] std::string quoted(std::string_view text);

/// Appends a part, with the separator before it unless it is the first; a part without characters is left
/// out.
void append_to_list(std::string& list, std::string_view part, std::string_view separator = ", ");

/// The shortest text that is read as the same number.
[[nodiscard]] std::string shortest_text(double number);

/// The bytes as text, with two digits for each byte.
[[nodiscard]] std::string hexadecimal(std::span<const std::byte> bytes);

} // namespace ecs
