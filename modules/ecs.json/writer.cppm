// SPDX-License-Identifier: MIT
// JSON written as text, line by line, without a document of it in memory.
export module ecs.json:writer;
import ecs.std;
import ecs.world;
import :codec;

namespace ecs {

/// Appends JSON to a text: each member and each element has a line, two spaces further in for each object or
/// list around it.
class json_writer {
  public:
    explicit json_writer(std::string& to, std::size_t depth = 0) : to_(&to), depth_(depth) {}

    void begin(char bracket);
    void end(char bracket);
    /// Begins the next element of a list.
    void element();
    /// Begins the next member of an object. Throws json_error when the name is no UTF-8.
    void member_named(std::string_view name, const place& at);
    /// The same for a name that was quoted before.
    void member_quoted(std::string_view name);
    /// Begins the next member, which is an object or a list.
    void begin_member(std::string_view name, char bracket);
    /// Writes a member with those quoted texts of a range that are chosen; nothing when none is.
    template <class Range, class Chosen, class Quoted>
    void list(std::string_view name, const Range& all, Chosen chosen, Quoted quoted_of);

    void text(std::string_view text, const place& at);
    void quoted(std::string_view text) { *to_ += text; }
    void literal(std::string_view word) { *to_ += word; }
    void number(std::int64_t value);
    void number(std::uint64_t value);
    void number(float value);
    void number(double value);

  private:
    void begin_line();
    void break_line();

    std::string* to_;
    std::size_t depth_;
    bool is_first_ = true; ///< Nothing has been written in the innermost object or list.
};

template <class Range, class Chosen, class Quoted>
void json_writer::list(std::string_view name, const Range& all, Chosen chosen, Quoted quoted_of) {
    bool is_first = true;
    for (const auto& one : all) {
        if (!chosen(one)) continue;
        if (is_first) begin_member(name, '[');
        is_first = false;
        element();
        quoted(one.*quoted_of);
    }
    if (!is_first) end(']');
}

/// The text in quotation marks, as JSON has it. Throws json_error with the place when it is no UTF-8.
[[nodiscard]] std::string quoted_text(std::string_view text, const place& at);

/// What has to be known of a component to write its values down. Good until the world changes.
struct text_form {
    const component_info* info{};
    const reflection* members{}; ///< Null where nothing is known of them.
};
[[nodiscard]] text_form text_form_of(const world& in, entity component);

/// Writes a value of that form. Throws json_error with the place.
void write_value(json_writer& to, const world& of, const text_form& form, const std::byte* value,
                 const reference_book& references, const place& at);
/// The same for the value of a component.
void write_value(json_writer& to, const world& of, entity component, const std::byte* value,
                 const reference_book& references, const place& at);

} // namespace ecs
