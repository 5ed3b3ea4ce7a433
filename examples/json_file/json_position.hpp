// SPDX-License-Identifier: MIT
// On which line of a JSON text a value stands. The parser forgets; people who mend a file want to know.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace json_file {

[[nodiscard]] inline std::size_t line_at(std::string_view text, std::size_t offset) {
    return 1 + static_cast<std::size_t>(
                   std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

/// Walks along a JSON pointer ("/armies/0/name") through a text that has been parsed before, so that it is
/// well-formed.
class json_walker {
  public:
    explicit json_walker(std::string_view text) : text_(text) {}

    /// The line of the value, or of the innermost value on the way that exists.
    [[nodiscard]] std::size_t line_of(std::string_view pointer) {
        while (!pointer.empty() && enter(next_step(pointer))) {
        }
        skip_space();
        return line_at(text_, at_);
    }

  private:
    static std::string_view next_step(std::string_view& pointer) {
        pointer.remove_prefix(1);
        const std::string_view step = pointer.substr(0, pointer.find('/'));
        pointer.remove_prefix(step.size());
        return step;
    }

    void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n,:", at_), text_.size()); }

    [[nodiscard]] char peek() {
        skip_space();
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    /// Moves to the member or element; stays where it is when there is none.
    bool enter(std::string_view step) {
        const std::size_t start = at_;
        const bool found = peek() == '{' ? enter_member(step)
                                         : peek() == '[' && enter_element(std::stoul(std::string(step)));
        if (!found) at_ = start;
        return found;
    }

    bool enter_member(std::string_view name) {
        for (++at_; peek() != '}';)
            if (take_string() == name)
                return true;
            else
                skip_value();
        return false;
    }

    bool enter_element(std::size_t position) {
        for (++at_; peek() != ']'; skip_value())
            if (position-- == 0) return true;
        return false;
    }

    std::string_view take_string() {
        const std::size_t first = ++at_;
        while (text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
        return text_.substr(first, at_++ - first);
    }

    /// Counts what is open instead of calling itself: nobody knows how deep a text is nested.
    void skip_value() {
        std::size_t depth = 0;
        do {
            const char first = peek();
            if (first == '"')
                take_string();
            else if (first == '{' || first == '[')
                ++depth, ++at_;
            else if (first == '}' || first == ']')
                --depth, ++at_;
            else
                at_ = std::min(text_.find_first_of(" \t\r\n,]}", at_), text_.size());
        } while (depth != 0);
    }

    std::string_view text_;
    std::size_t at_{};
};

} // namespace json_file
