// SPDX-License-Identifier: MIT
// Identifiers as people read them. In short, as messages use it:
//
//   12v3                        index and generation, where the layout has them
//   12                          an index without generations
//   relation=9 target=100       the fields that vary, where there is no index
//   0x0000f00000000000          the word, where none does
//   null                        the word 0
//
// and in full, on request: 0x1002000300000064 kind=0x1 world=2 generation=3 index=100.
module;
#include <version>
#ifdef __cpp_lib_format
#include <format>
#endif
export module ecs.id:format;
import ecs.std;
import :field;
import :layout;
import :identifier;
import :text;

namespace ecs {

/// Writes bits in hexadecimal, numbers in decimal.
constexpr void write_field(text_sink& out, const field_description& f, std::uint64_t word) {
    out.put(f.name).put('=');
    const bool is_pattern = f.role == field_role::fixed || f.role == field_role::flags;
    is_pattern ? out.put_hex(f.extract(word)) : out.put_number(f.extract(word));
}

template <any_layout Layout> constexpr void write_variable_fields(text_sink& out, std::uint64_t word) {
    const char* separator = "";
    for (const auto& f : Layout::fields) {
        if (f.constant()) continue;
        write_field(out.put(separator), f, word);
        separator = " ";
    }
}

template <any_layout Layout> constexpr void write_short(text_sink& out, basic_id<Layout> id) {
    if (!id) {
        out.put("null");
    } else if constexpr (has_role<Layout, field_role::index>) {
        out.put_number(id.index());
        if constexpr (has_role<Layout, field_role::generation>) out.put('v').put_number(id.generation());
    } else if constexpr (variable_mask<Layout> != 0) {
        write_variable_fields<Layout>(out, id.value());
    } else {
        out.put_hex(id.value(), Layout::word_bits / 4);
    }
}

template <any_layout Layout> constexpr void write_full(text_sink& out, basic_id<Layout> id) {
    out.put_hex(id.value(), Layout::word_bits / 4);
    for (const auto& f : Layout::fields) write_field(out.put(' '), f, id.value());
}

/// The text that write writes to a sink: measured first, then written.
std::string written_by(auto write) {
    text_sink measure;
    write(measure);
    std::string text(measure.size(), ' ');
    text_sink sink(text.data());
    write(sink);
    return text;
}

/// The identifier in short: 12v3.
export template <any_layout Layout> [[nodiscard]] std::string to_string(basic_id<Layout> id) {
    return written_by([id](text_sink& out) { write_short(out, id); });
}

/// The identifier in full: the word, then every field with its name.
export template <any_layout Layout> [[nodiscard]] std::string dump(basic_id<Layout> id) {
    return written_by([id](text_sink& out) { write_full(out, id); });
}

/// Writes an identifier in short; width and fill apply to the whole of it.
export template <class Traits, any_layout Layout>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, basic_id<Layout> id) {
    const std::string text = to_string(id);
    return out << std::basic_string_view<char, Traits>(text.data(), text.size());
}

} // namespace ecs

#ifdef __cpp_lib_format
/// {} is the short form, {:full} the full one; a format for strings may follow: {:>8}, {:full<80}.
export template <ecs::any_layout Layout>
struct std::formatter<ecs::basic_id<Layout>, char> : std::formatter<std::string_view, char> {
    constexpr auto parse(std::format_parse_context& context) {
        constexpr std::string_view keyword = "full";
        full_ = std::string_view(context.begin(), context.end()).starts_with(keyword);
        if (full_) context.advance_to(context.begin() + keyword.size());
        return std::formatter<std::string_view, char>::parse(context);
    }

    auto format(ecs::basic_id<Layout> id, auto& context) const {
        return std::formatter<std::string_view, char>::format(full_ ? ecs::dump(id) : ecs::to_string(id),
                                                              context);
    }

  private:
    bool full_ = false;
};
#endif
