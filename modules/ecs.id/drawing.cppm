// SPDX-License-Identifier: MIT
// A layout drawn from itself, as text and as a picture. The drawings in the documentation are made by these
// functions, and a test makes them again.
export module ecs.id:drawing;
import ecs.std;
import :field;
import :layout;
import :list;
import :proofs;
import :fingerprint;
import :text;

namespace ecs {

/// A box of the drawing: a field, or bits that no field owns.
struct drawn_cell {
    field_description field{};
    bool owned = false;

    [[nodiscard]] constexpr std::string_view name() const { return owned ? field.name : "unowned"; }

    /// What the bits hold: their number where they vary, else their value.
    constexpr void write_content(text_sink& out) const {
        if (owned && field.role == field_role::fixed)
            out.put("= ").put_hex(field.value);
        else if (!owned || field.role == field_role::reserved)
            out.put("= 0");
        else
            out.put_number(field.width()).put(field.width() == 1 ? " bit" : " bits");
    }

    [[nodiscard]] constexpr std::size_t content_size() const {
        text_sink measure;
        write_content(measure);
        return measure.size();
    }

    /// The numbers of the first and the last bit, as far apart as they go.
    [[nodiscard]] constexpr std::size_t bit_numbers_size() const {
        return field.high == field.low ? digits_of(field.high)
                                       : digits_of(field.high) + 1 + digits_of(field.low);
    }

    /// Characters between the walls: room for every text, and wider for more bits.
    [[nodiscard]] constexpr std::size_t columns() const {
        const auto text = larger_of(larger_of(name().size(), content_size()) + 2, bit_numbers_size());
        return larger_of(text, std::size_t{field.width()} * 5 / 8);
    }
};

/// The cells of a layout from the highest bit to the lowest: every field and every gap.
template <valid_layout Layout> struct drawn_layout {
    std::array<drawn_cell, 2 * Layout::fields.size() + 1> cells{};
    std::size_t count = 0;

    consteval drawn_layout() {
        unsigned above = Layout::word_bits; // The lowest bit drawn so far.
        for (const auto& f : fields_from_high_to_low<Layout>()) {
            add_gap(above, f.high + 1);
            cells[count++] = {f, true};
            above = f.low;
        }
        add_gap(above, 0);
    }

    [[nodiscard]] constexpr const drawn_cell* begin() const { return cells.data(); }
    [[nodiscard]] constexpr const drawn_cell* end() const { return cells.data() + count; }

  private:
    consteval void add_gap(unsigned above, unsigned end_of_next) {
        if (end_of_next < above)
            cells[count++] = {{"", above - 1, end_of_next, field_role::reserved, 0}, false};
    }
};

template <valid_layout Layout> inline constexpr drawn_layout<Layout> drawn{};

constexpr void write_centred(text_sink& out, std::size_t size, std::size_t columns, auto write) {
    const std::size_t before = (columns - size) / 2;
    write(out.put_repeated(' ', before));
    out.put_repeated(' ', columns - size - before);
}

template <valid_layout Layout> struct text_diagram {
    static constexpr void write(text_sink& out) {
        write_bit_numbers(out);
        write_wall(out);
        write_row(
            out, [](const drawn_cell& c) { return c.name().size(); },
            [](text_sink& row, const drawn_cell& c) { row.put(c.name()); });
        write_row(
            out, [](const drawn_cell& c) { return c.content_size(); },
            [](text_sink& row, const drawn_cell& c) { c.write_content(row); });
        write_wall(out);
    }

  private:
    static constexpr void write_bit_numbers(text_sink& out) {
        for (const auto& cell : drawn<Layout>) {
            out.put(' ').put_number(cell.field.high);
            const bool one_bit = cell.field.high == cell.field.low;
            const std::size_t low_digits = one_bit ? 0 : digits_of(cell.field.low);
            out.put_repeated(' ', cell.columns() - digits_of(cell.field.high) - low_digits);
            if (!one_bit) out.put_number(cell.field.low);
        }
        out.put('\n');
    }

    static constexpr void write_wall(text_sink& out) {
        for (const auto& cell : drawn<Layout>) out.put('+').put_repeated('-', cell.columns());
        out.put("+\n");
    }

    static constexpr void write_row(text_sink& out, auto size, auto write) {
        for (const auto& cell : drawn<Layout>)
            write_centred(out.put('|'), size(cell), cell.columns(),
                          [&](text_sink& row) { write(row, cell); });
        out.put("|\n");
    }
};

/// The layout in five lines of text: the numbers of the bits, the names, and what the bits hold.
export template <valid_layout Layout> [[nodiscard]] constexpr std::string_view diagram() {
    return text_of<text_diagram<Layout>>();
}

constexpr std::string_view colour_of(const drawn_cell& cell) {
    if (!cell.owned) return "#ffffff";
    switch (cell.field.role) {
    case field_role::index: return "#9ecae1";
    case field_role::generation: return "#fdd0a2";
    case field_role::world: return "#c7e9c0";
    case field_role::flags: return "#dadaeb";
    case field_role::plain: return "#fee6ce";
    case field_role::fixed: return "#d9d9d9";
    case field_role::reserved: return "#f7f7f7";
    }
    return "#ffffff";
}

constexpr void write_escaped(text_sink& out, std::string_view text) {
    for (const char character : text) switch (character) {
        case '<': out.put("&lt;"); break;
        case '&': out.put("&amp;"); break;
        default: out.put(character);
        }
}

template <valid_layout Layout> struct svg_picture {
    static constexpr std::size_t column_width = 9, margin = 10, box_top = 26, box_height = 48;

    static constexpr void write(text_sink& out) {
        write_opening(out);
        std::size_t left = margin;
        for (const auto& cell : drawn<Layout>) {
            write_cell(out, cell, left, cell.columns() * column_width);
            left += cell.columns() * column_width;
        }
        out.put("</svg>\n");
    }

  private:
    static constexpr void write_opening(text_sink& out) {
        std::size_t columns = 0;
        for (const auto& cell : drawn<Layout>) columns += cell.columns();
        out.put(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 )");
        out.put_number(columns * column_width + 2 * margin)
            .put(' ')
            .put_number(box_top + box_height + margin);
        out.put(R"(" font-family="monospace" font-size="13" fill="#222222">)").put('\n');
    }

    static constexpr void write_cell(text_sink& out, const drawn_cell& cell, std::size_t left,
                                     std::size_t width) {
        write_box(out, cell, left, width);
        write_text(out, left + 2, box_top - 6, "start", [&] { out.put_number(cell.field.high); });
        if (cell.field.high != cell.field.low)
            write_text(out, left + width - 2, box_top - 6, "end", [&] { out.put_number(cell.field.low); });
        write_text(out, left + width / 2, box_top + 20, "middle", [&] { write_escaped(out, cell.name()); });
        write_text(out, left + width / 2, box_top + 38, "middle", [&] { cell.write_content(out); });
    }

    static constexpr void write_box(text_sink& out, const drawn_cell& cell, std::size_t left,
                                    std::size_t width) {
        out.put(R"(<rect x=")").put_number(left).put(R"(" y=")").put_number(box_top);
        out.put(R"(" width=")").put_number(width).put(R"(" height=")").put_number(box_height);
        out.put(R"(" fill=")").put(colour_of(cell)).put(R"(" stroke="#222222"/>)").put('\n');
    }

    static constexpr void write_text(text_sink& out, std::size_t x, std::size_t y, std::string_view anchor,
                                     auto write_content) {
        out.put(R"(<text x=")").put_number(x).put(R"(" y=")").put_number(y);
        out.put(R"(" text-anchor=")").put(anchor).put(R"(">)");
        write_content();
        out.put("</text>\n");
    }
};

/// The layout as an SVG document, coloured by role.
export template <valid_layout Layout> [[nodiscard]] constexpr std::string_view svg() {
    return text_of<svg_picture<Layout>>();
}

} // namespace ecs
