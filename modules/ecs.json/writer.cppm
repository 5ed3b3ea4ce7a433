// SPDX-License-Identifier: MIT
// JSON written as text, line by line, without a document of it in memory.
export module ecs.json:writer;
import ecs.std;
import ecs.world;
import :codec;

namespace ecs {

/// The place of something in a text. It is made into words only when a message needs them.
struct place {
    const place* above{};
    std::string_view name; ///< The name of a member.
    std::size_t index{};   ///< The index of an element of a list, which has no name.

    /// The place as text, such as `entities[2].components.position.x`.
    [[nodiscard]] std::string path() const;
};

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

/// Writes the value of a component. Throws json_error with the place.
void write_value(json_writer& to, const world& of, entity component, const std::byte* value,
                 const reference_book& references, const place& at);

} // namespace ecs
