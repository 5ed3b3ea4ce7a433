// SPDX-License-Identifier: MIT
// One value or one entity as JSON, and back.
module;
#include <cmath>
#include <nlohmann/json.hpp>
module ecs.json;
import ecs.std;
import ecs.component;
import ecs.world;

namespace ecs {

void refuse_json(const std::string& path, const std::string& reason) { throw json_error(path, reason); }
void refuse_json(const place& at, const std::string& reason) { refuse_json(at.path(), reason); }

std::string place::path() const {
    std::string before = above ? above->path() : "";
    if (index != none) return before + "[" + std::to_string(index) + "]";
    return before.empty() ? std::string(name) : before + "." + std::string(name);
}

entity named_in(const world& in, std::string_view text) {
    const entity component = in.component_named(text);
    return component ? component : in.lookup(text);
}

/// Whether the component is one of the library: these have indices before those of any manifest.
bool is_component_of_library(entity component) { return component.index() < manifest<int>::index_of<int>; }

/// A text for messages, cut between two characters of UTF-8.
std::string shown(const json& value) {
    constexpr std::size_t length_max = 100;
    std::string text = value.dump();
    if (text.size() <= length_max) return text;
    std::size_t end = length_max;
    while ((static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end) + "...";
}

bool is_plain(const component_info& info) {
    return info.operations.copyable && info.operations.are_of_bytes();
}

entity component_of(const world& in, const member& m, bool in_bytes) {
    const entity nested = in.component_named(m.type);
    if (!nested || !in.reflection_of(nested)) return {};
    const auto& info = in.get<component_info>(nested);
    return info.size == m.size && (!in_bytes || info.operations.are_of_bytes()) ? nested : entity{};
}

namespace {

[[noreturn]] void refuse_kind(const place& at, std::string_view expected, const json& found) {
    refuse_json(at, std::string(expected) + " is expected, not " + shown(found));
}

// JSON has no text for numbers that are not finite: these texts are used.
constexpr std::string_view infinite = "inf";
constexpr std::string_view minus_infinite = "-inf";
constexpr std::string_view no_number = "nan";

/// The number as the type keeps it: that of a float is the nearest, which the shortest text of a float counts
/// on.
template <class T> T rounded(double value) {
    if constexpr (std::same_as<T, float>) {
        using limits = std::numeric_limits<float>;
        constexpr double infinite_from = 0x1.ffffffp127; // Halfway from the largest to the next power of two.
        if (std::abs(value) >= infinite_from) return value < 0 ? -limits::infinity() : limits::infinity();
        return static_cast<float>(std::clamp(value, double{limits::lowest()}, double{limits::max()}));
    } else {
        return static_cast<T>(value);
    }
}

template <class T> T floating_from_json(const json& from, const place& at) {
    using limits = std::numeric_limits<T>;
    if (from == infinite) return limits::infinity();
    if (from == minus_infinite) return -limits::infinity();
    if (from == no_number) return limits::quiet_NaN();
    if (!from.is_number()) refuse_kind(at, "a number", from);
    const T value = rounded<T>(from.get<double>());
    if (std::isinf(value))
        refuse_json(at, from.dump() + " does not fit a number of " + std::to_string(8 * sizeof(T)) +
                            " bits: write \"inf\" for what is infinite");
    return value;
}

template <class T> void number_from_json(std::byte* to, const json& from, const place& at) {
    T value{};
    if constexpr (std::same_as<T, bool>) {
        if (!from.is_boolean()) refuse_kind(at, "true or false", from);
        value = from.get<bool>();
    } else if constexpr (std::is_floating_point_v<T>) {
        value = floating_from_json<T>(from, at);
    } else {
        if (!from.is_number_integer()) refuse_kind(at, "a whole number", from);
        const bool is_negative = !from.is_number_unsigned() && from.get<std::int64_t>() < 0;
        const bool fits =
            is_negative
                ? std::is_signed_v<T> &&
                      from.get<std::int64_t>() >= static_cast<std::int64_t>(std::numeric_limits<T>::min())
                : from.get<std::uint64_t>() <= static_cast<std::uint64_t>(std::numeric_limits<T>::max());
        if (!fits)
            refuse_json(at, from.dump() + " does not fit " + std::to_string(8 * sizeof(T)) +
                                (std::is_signed_v<T> ? " signed bits" : " unsigned bits"));
        value = from.get<T>();
    }
    std::memcpy(to, &value, sizeof(T));
}

struct number_codec {
    std::string_view type;
    void (*read)(std::byte* to, const json& from, const place& at);
};

constexpr auto numbers =
    number_types::each([]<class T> { return number_codec{type_name<T>, &number_from_json<T>}; });

const number_codec* codec_of(std::string_view type) {
    const auto* const found = std::ranges::find(numbers, type, &number_codec::type);
    return found == numbers.end() ? nullptr : found;
}

// Values of which nothing is known, as hexadecimal digits.

/// Whether the value is written as bytes: texts from the time before the members were known have these.
bool is_list_of_bytes(const json& from) {
    return from.is_object() && from.size() == 1 && from.contains("bytes") && from["bytes"].is_string();
}

void bytes_from_json(std::span<std::byte> bytes, const json& from, const place& at) {
    if (!is_list_of_bytes(from)) refuse_kind(at, "{\"bytes\": \"...\"}", from);
    const auto& text = from["bytes"].get_ref<const std::string&>();
    if (text.size() != 2 * bytes.size())
        refuse_json(at, std::to_string(2 * bytes.size()) + " hexadecimal digits are expected, not " +
                            std::to_string(text.size()));
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        unsigned byte{};
        const char* const begin = text.data() + 2 * i;
        if (std::from_chars(begin, begin + 2, byte, 16).ptr != begin + 2)
            refuse_json(at, "\"" + text.substr(2 * i, 2) + "\" is no byte");
        bytes[i] = static_cast<std::byte>(byte);
    }
}

// Numbers that have bounds.

bool has_bounds(const member& m) { return !std::isinf(m.minimum) || !std::isinf(m.maximum); }

std::string text_of_bound(double bound) { return json(bound).dump(); }

/// Whether the number is less than the bound (-1), equal to it (0), or more (1): exactly, as a number of 64
/// bits may have more digits than a double.
template <std::integral T> int compared(T number, double bound) {
    using limits = std::numeric_limits<T>;
    constexpr double end = 2 * static_cast<double>(T{1} << (limits::digits - 1));
    if (bound >= end) return -1;
    if (!(bound >= static_cast<double>(limits::min()))) return 1;
    const T whole = static_cast<T>(bound);
    if (number != whole) return number < whole ? -1 : 1;
    const double rest = bound - static_cast<double>(whole);
    return rest > 0 ? -1 : rest < 0 ? 1 : 0;
}

int compared(const json& number, double bound) {
    return number.is_number_unsigned() ? compared(number.get<std::uint64_t>(), bound)
                                       : compared(number.get<std::int64_t>(), bound);
}

/// Refuses a number of that type out of the bounds of the member, which are compared with it as the type
/// keeps them. A value that is no number is refused by its codec.
void require_within(const member& m, std::string_view type, const json& from, const place& at) {
    if (!has_bounds(m) || !(from.is_number() || from.is_string())) return;
    const auto kept = [&](double value) {
        return type == type_name<float> ? double{rounded<float>(value)} : value;
    };
    const bool is_floating = type == type_name<float> || type == type_name<double>;
    const bool is_whole = from.is_number_integer() && !is_floating;
    const double number = is_whole ? 0.0 : kept(floating_from_json<double>(from, at));
    const bool is_above = is_whole ? compared(from, m.maximum) > 0 : number > kept(m.maximum);
    const bool is_below = is_whole ? compared(from, m.minimum) < 0 : number < kept(m.minimum);
    if (!is_above && !is_below && !std::isnan(number)) return;
    const std::string unit = m.units.empty() ? "" : " " + m.units;
    refuse_json(at, is_above || is_below ? shown(from) + (is_above ? " is more than " : " is less than ") +
                                               text_of_bound(is_above ? m.maximum : m.minimum) + unit
                                         : shown(from) + " is not within the bounds of the member");
}

// Numbers of an enumeration.

[[noreturn]] void refuse_name(const member& m, const std::string& name, const place& at) {
    if (m.enumerators.empty())
        refuse_json(at,
                    "\"" + name + "\" is no " + m.type + ", whose names are not known: a number is expected");
    std::string known;
    for (const enumerator& e : m.enumerators) known += (known.empty() ? "" : ", ") + e.name;
    refuse_json(at, "\"" + name + "\" is no " + m.type + ": " + known);
}

/// `limits` is the member that has the bounds.
void enumeration_from_json(const member& m, const member& limits, std::byte* value, const json& from,
                           const place& at) {
    const number_codec& numbers_of_type = *codec_of(m.number_type);
    if (!from.is_string()) {
        require_within(limits, m.number_type, from, at);
        return numbers_of_type.read(value, from, at);
    }
    const auto name = from.get<std::string>();
    const auto known = std::ranges::find(m.enumerators, name, &enumerator::name);
    if (known == m.enumerators.end()) refuse_name(m, name, at);
    require_within(limits, m.number_type, known->value, at);
    if (m.number_type == type_name<bool>) return numbers_of_type.read(value, known->value != 0, at);
    numbers_of_type.read(value, known->value, at);
}

// Values and their members.

/// What all of a value's members need to know.
struct codec {
    const world* of;
    const reference_book* references;
    bool is_plain; ///< Whether the value is no more than its bytes.

    [[nodiscard]] bool is_bytes(const member& m) const { return is_plain || m.is_bytes; }

    /// A book that registers a component may move the list of the members, but not the members.
    void members_from_json(std::span<const member> members, std::byte* value, const json& from,
                           const place& at) const;
    void elements_from_json(const member& m, const member& limits, std::byte* value, const json& from,
                            const place& at) const;
    /// `limits` is the member that has the bounds: an array has those of its elements.
    void member_from_json(const member& m, const member& limits, std::byte* value, const json& from,
                          const place& at) const;
    void other_from_json(const member& m, const member& limits, std::byte* value, const json& from,
                         const place& at) const;
};

void codec::members_from_json(std::span<const member> members, std::byte* value, const json& from,
                              const place& at) const {
    if (!from.is_object()) refuse_kind(at, "an object", from);
    for (const auto& [name, part] : from.items()) {
        const auto m = std::ranges::find(members, name, &member::name);
        const place here{&at, name};
        if (m == members.end()) refuse_json(here, "there is no such member");
        member_from_json(*m, *m, value + m->offset, part, here);
    }
}

void codec::elements_from_json(const member& m, const member& limits, std::byte* value, const json& from,
                               const place& at) const {
    if (!from.is_array() || from.size() != m.count)
        refuse_kind(at, "a list of " + std::to_string(m.count), from);
    const member& element = m.members.front();
    for (std::size_t i = 0; i < m.count; ++i)
        member_from_json(element, limits, value + i * element.size, from[i], {&at, {}, i});
}

void codec::member_from_json(const member& m, const member& limits, std::byte* value, const json& from,
                             const place& at) const {
    const bool is_of_bytes = m.is_bytes && is_list_of_bytes(from) &&
                             std::ranges::find(m.members, "bytes", &member::name) == m.members.end();
    if (codec_of(m.number_type) && !is_of_bytes) {
        enumeration_from_json(m, limits, value, from, at);
    } else if (const number_codec* const number = codec_of(m.type)) {
        require_within(limits, m.type, from, at);
        number->read(value, from, at);
    } else if (is_text_type(m.type)) {
        if (!from.is_string()) refuse_kind(at, "a text", from);
        *reinterpret_cast<std::string*>(value) = from.get<std::string>();
    } else if (m.type == type_name<entity>) {
        if (!from.is_string() && !from.is_null()) refuse_kind(at, "an entity or null", from);
        *reinterpret_cast<entity*>(value) =
            from.is_null() ? entity{} : references->meant_by(from.get<std::string>(), at.path());
    } else if (is_of_bytes) {
        bytes_from_json({value, m.size}, from, at);
    } else {
        other_from_json(m, limits, value, from, at);
    }
}

void codec::other_from_json(const member& m, const member& limits, std::byte* value, const json& from,
                            const place& at) const {
    if (m.count != 0)
        elements_from_json(m, limits, value, from, at);
    else if (!m.members.empty())
        members_from_json(m.members, value, from, at);
    else if (const entity nested = component_of(*of, m, is_bytes(m)))
        value_from_json(*of, nested, value, from, *references, at);
    else if (is_bytes(m))
        bytes_from_json({value, m.size}, from, at);
    else
        refuse_json(at, "there is no text for values of type " + m.type);
}

/// The members of a component's values, or null when they are bytes.
const reflection* members_or_bytes(const world& of, entity component, const place& at) {
    const reflection* const known = of.reflection_of(component);
    if (!known && !is_plain(of.get<component_info>(component)))
        refuse_json(at, "nothing is known of the members of these values");
    return known;
}

} // namespace

void value_from_json(const world& of, entity component, std::byte* value, const json& from,
                     const reference_book& references, const place& at) {
    const auto& info = of.get<component_info>(component);
    const reflection* const known = members_or_bytes(of, component, at);
    const bool is_old = known && is_plain(info) && is_list_of_bytes(from) &&
                        std::ranges::find(known->members, "bytes", &member::name) == known->members.end();
    if (!known || is_old) return bytes_from_json({value, info.size}, from, at);
    const codec reading{&of, &references, is_plain(info)};
    if (const member* const whole = whole_of(*known))
        reading.member_from_json(*whole, *whole, value, from, at);
    else
        reading.members_from_json(known->members, value, from, at);
}

} // namespace ecs
