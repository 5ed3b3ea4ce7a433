// SPDX-License-Identifier: MIT
// Parts of messages, and of other texts that people read.
export module ecs.core:words;
import ecs.std;

export namespace ecs {

/// Between quotation marks; those and backslashes within get a backslash before them.
[[nodiscard]] std::string quoted(std::string_view text);

/// Puts the separator before every part but the first; a part without characters is none.
void append_to_list(std::string& list, std::string_view part, std::string_view separator = ", ");

/// Two digits for each byte.
[[nodiscard]] std::string hexadecimal(std::span<const std::byte> bytes);

} // namespace ecs
