// SPDX-License-Identifier: MIT
// What the writer writes; see writer.cppm.
module;
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
module ecs.json;
import ecs.std;
import ecs.component;
import ecs.core;
import ecs.world;

namespace ecs {

// Lines.

void json_writer::begin(char bracket) {
    *to_ += bracket;
    ++depth_;
    is_first_ = true;
}

void json_writer::end(char bracket) {
    --depth_;
    if (!is_first_) break_line();
    *to_ += bracket;
    is_first_ = false;
}

void json_writer::begin_line() {
    if (!is_first_) *to_ += ',';
    is_first_ = false;
    break_line();
}

/// Appends a line break and spaces: at depths that are usual, part of a text, because one copy is faster
/// than two fills.
void json_writer::break_line() {
    static constexpr std::string_view usual = "\n                                ";
    const std::size_t length = 1 + 2 * depth_;
    to_->append(usual.substr(0, length));
    if (length > usual.size()) to_->append(length - usual.size(), ' ');
}

void json_writer::element() { begin_line(); }

void json_writer::member_named(std::string_view name, const place& at) {
    begin_line();
    text(name, at);
    *to_ += ": ";
}

void json_writer::member_quoted(std::string_view name) {
    begin_line();
    to_->append(name).append(": ");
}

void json_writer::begin_member(std::string_view name, char bracket) {
    member_named(name, {});
    begin(bracket);
}

namespace {

/// Whether the text is JSON as it is.
bool is_plain_text(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7f' && c != '"' && c != '\\'; });
}

// JSON has no text for numbers that are not finite: these texts are used.
constexpr std::string_view name_of_no_number(double value) {
    return std::isnan(value) ? "\"nan\"" : value > 0 ? "\"inf\"" : "\"-inf\"";
}

} // namespace

std::string quoted_text(std::string_view text, const place& at) {
    if (is_plain_text(text)) return '"' + std::string(text) + '"';
    try {
        return json(text).dump();
    } catch (const json::exception&) {
        refuse_json(at, "the text is not UTF-8, and JSON knows no other");
    }
}

void json_writer::text(std::string_view text, const place& at) {
    if (is_plain_text(text))
        to_->append(1, '"').append(text).append(1, '"');
    else
        *to_ += quoted_text(text, at);
}

namespace {

using digits = std::array<char, 32>;

/// The shortest text that is read as the same number.
template <class Number> std::string_view shortest(Number value, digits& in) {
    const char* const end = std::to_chars(in.data(), in.data() + in.size(), value).ptr;
    return {in.data(), static_cast<std::size_t>(end - in.data())};
}

/// Whether a reader that reads the text as a double, as readers of JSON do, and makes it a float gets the
/// value back. Of all finite floats, 7.038531e-26 and its opposite do not come back.
bool comes_back(std::string_view text, float value) {
    double read{};
    std::from_chars(text.data(), text.data() + text.size(), read);
    return static_cast<float>(read) == value;
}

/// Appends the text of a floating-point number. A whole number gets a point, which says that it may have a
/// fraction.
void append_floating(std::string& to, std::string_view text) {
    to += text;
    if (text.find_first_of(".e") == std::string_view::npos) to += ".0";
}

} // namespace

void json_writer::number(std::int64_t value) {
    digits in{};
    *to_ += shortest(value, in);
}

void json_writer::number(std::uint64_t value) {
    digits in{};
    *to_ += shortest(value, in);
}

void json_writer::number(double value) {
    digits in{};
    append_floating(*to_, shortest(value, in));
}

void json_writer::number(float value) {
    digits in{};
    const std::string_view text = shortest(value, in);
    if (comes_back(text, value))
        append_floating(*to_, text);
    else
        number(double{value});
}

// Values.

namespace {

template <class T> void write_number(json_writer& to, const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    if constexpr (std::same_as<T, bool>) {
        to.literal(value ? "true" : "false");
    } else if constexpr (std::is_floating_point_v<T>) {
        if (std::isfinite(value))
            to.number(value);
        else
            to.literal(name_of_no_number(value));
    } else if constexpr (std::is_signed_v<T>) {
        to.number(std::int64_t{value});
    } else {
        to.number(std::uint64_t{value});
    }
}

struct number_writer {
    std::string_view type;
    void (*write)(json_writer& to, const std::byte* from);
    std::int64_t (*read)(const std::byte* from);
};

template <class T> std::int64_t whole_number(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    return static_cast<std::int64_t>(value);
}

constexpr auto number_writers = number_types::each(
    []<class T> { return number_writer{type_name<T>, &write_number<T>, &whole_number<T>}; });

const number_writer* writer_of(std::string_view type) {
    const auto* const found = std::ranges::find(number_writers, type, &number_writer::type);
    return found == number_writers.end() ? nullptr : found;
}

/// What all of a value's members need to know.
struct value_writer {
    json_writer& to;
    const world& of;
    const reference_book& references;
    bool is_plain; ///< Whether the value is no more than its bytes.

    void members(const std::vector<member>& members, const std::byte* value, const place& at) const;
    void elements(const member& m, const std::byte* value, const place& at) const;
    void one(const member& m, const std::byte* value, const place& at) const;
    void other(const member& m, const std::byte* value, const place& at) const;
    void reference(entity e, const place& at) const;
    void enumeration(const member& m, const number_writer& number, const std::byte* value,
                     const place& at) const;
};

void write_bytes(json_writer& to, std::span<const std::byte> bytes) {
    to.begin('{');
    to.member_quoted("\"bytes\"");
    to.quoted('"' + hexadecimal(bytes) + '"');
    to.end('}');
}

void value_writer::members(const std::vector<member>& members, const std::byte* value,
                           const place& at) const {
    to.begin('{');
    for (const member& m : members) {
        const place here{&at, m.name};
        to.member_named(m.name, here);
        one(m, value + m.offset, here);
    }
    to.end('}');
}

void value_writer::elements(const member& m, const std::byte* value, const place& at) const {
    const member& element = m.members.front();
    to.begin('[');
    for (std::size_t i = 0; i < m.count; ++i) {
        to.element();
        one(element, value + i * element.size, {&at, {}, i});
    }
    to.end(']');
}

/// An entity that is dead has no text, and stays dead.
void value_writer::reference(entity e, const place& at) const {
    if (of.alive(e))
        to.text(references.text_of(e), at);
    else
        to.literal("null");
}

void value_writer::enumeration(const member& m, const number_writer& number, const std::byte* value,
                               const place& at) const {
    const auto known = std::ranges::find(m.enumerators, number.read(value), &enumerator::value);
    if (known == m.enumerators.end())
        number.write(to, value);
    else
        to.text(known->name, at);
}

void value_writer::one(const member& m, const std::byte* value, const place& at) const {
    if (const number_writer* const number = writer_of(m.type))
        number->write(to, value);
    else if (is_text_type(m.type))
        to.text(*reinterpret_cast<const std::string*>(value), at);
    else if (m.type == type_name<entity>)
        reference(*reinterpret_cast<const entity*>(value), at);
    else if (const number_writer* const underlying = writer_of(m.number_type))
        enumeration(m, *underlying, value, at);
    else if (m.count != 0)
        elements(m, value, at);
    else if (!m.members.empty())
        members(m.members, value, at);
    else
        other(m, value, at);
}

void value_writer::other(const member& m, const std::byte* value, const place& at) const {
    if (const entity nested = component_of(of, m, is_plain || m.is_bytes))
        write_value(to, of, nested, value, references, at);
    else if (is_plain || m.is_bytes)
        write_bytes(to, {value, m.size});
    else
        refuse_json(at, "there is no text for values of type " + m.type);
}

} // namespace

text_form text_form_of(const world& in, entity component) {
    return {&in.get<component_info>(component), in.reflection_of(component)};
}

void write_value(json_writer& to, const world& of, const text_form& form, const std::byte* value,
                 const reference_book& references, const place& at) {
    const bool is_bytes = is_plain(*form.info);
    const value_writer writer{to, of, references, is_bytes};
    if (const member* const whole = form.members ? whole_of(*form.members) : nullptr)
        writer.one(*whole, value, at);
    else if (form.members)
        writer.members(form.members->members, value, at);
    else if (is_bytes)
        write_bytes(to, {value, form.info->size});
    else
        refuse_json(at, "nothing is known of the members of these values");
}

void write_value(json_writer& to, const world& of, entity component, const std::byte* value,
                 const reference_book& references, const place& at) {
    write_value(to, of, text_form_of(of, component), value, references, at);
}

json value_to_json(const world& of, entity component, const std::byte* value,
                   const reference_book& references) {
    std::string text;
    json_writer to(text);
    write_value(to, of, component, value, references, {});
    return json::parse(text);
}

} // namespace ecs
