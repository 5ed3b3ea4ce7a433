// SPDX-License-Identifier: MIT
// A schedule as a picture:
//
//   input            update
//   +--------+       +------------------------------+
//   | [poll] |       | [move] ----> [bounce]        |   a column for each step of the longest way there
//   +--------+       | [heal]                       |
//                    +------------------------------+
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

constexpr std::size_t margin = 20, box_height = 30, row_pitch = 50, column_gap = 60, head_room = 30;
constexpr std::size_t letter_width = 8;

struct place {
    std::size_t column{};
    std::size_t row{};
};

/// Where the systems of a phase are drawn.
struct phase_plan {
    std::vector<system_edge> edges;
    std::vector<place> places;
    std::size_t columns{};
    std::size_t rows{};
};

/// Puts every system behind all systems that it waits for. The graph has no circle.
void find_columns(std::span<const system_edge> edges, std::vector<place>& places) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (const system_edge& e : edges) {
            if (places[e.to].column > places[e.from].column) continue;
            places[e.to].column = places[e.from].column + 1;
            changed = true;
        }
    }
}

phase_plan plan_of(const phase_of_systems& of) {
    phase_plan plan;
    plan.edges = of.edges();
    plan.places.resize(of.systems.size());
    find_columns(plan.edges, plan.places);
    std::vector<std::size_t> filled(of.systems.size());
    for (place& p : plan.places) {
        p.row = filled[p.column]++;
        plan.columns = std::max(plan.columns, p.column + 1);
        plan.rows = std::max(plan.rows, p.row + 1);
    }
    return plan;
}

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : as_utf8(text)) {
        if (c == '<')
            result += "&lt;";
        else if (c == '>')
            result += "&gt;";
        else if (c == '&')
            result += "&amp;";
        else if (c == '"')
            result += "&quot;";
        else
            result += static_cast<unsigned char>(c) < ' ' ? ' ' : c; // Control characters are no XML.
    }
    return result;
}

std::string attribute(std::string_view name, std::size_t value) {
    return " " + std::string(name) + "=\"" + std::to_string(value) + "\"";
}

/// Draws phases from left to right.
class schedule_picture {
  public:
    explicit schedule_picture(std::span<const phase_of_systems> phases) : phases_(phases) {
        std::size_t letters = 0;
        for (const phase_of_systems& p : phases)
            for (const auto& s : p.systems) letters = std::max(letters, s->time.name.size());
        box_width_ = letters * letter_width + margin;
    }

    std::string draw() {
        for (const phase_of_systems& p : phases_) draw_phase(p);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + std::to_string(left_ + margin) +
               " " + std::to_string(bottom_ + margin) +
               "\" font-family=\"monospace\" font-size=\"13\" fill=\"none\" stroke=\"#222222\">\n"
               "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" "
               "markerHeight=\"8\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\" "
               "fill=\"#222222\"/></marker></defs>\n" +
               body_ + "</svg>\n";
    }

  private:
    void draw_phase(const phase_of_systems& p) {
        const phase_plan plan = plan_of(p);
        left_ += margin;
        const std::size_t columns = std::max<std::size_t>(plan.columns, 1);
        const std::size_t width =
            std::max(columns * column_pitch() - column_gap + 2 * margin, p.name.size() * letter_width);
        const std::size_t height = std::max<std::size_t>(plan.rows, 1) * row_pitch + margin;
        write_text(left_, head_room - 8, p.name);
        write_box("phase", left_, head_room, width, height, "#f7f7f7");
        for (const system_edge& e : plan.edges) draw_edge(p, plan, e);
        for (std::size_t i = 0; i < p.systems.size(); ++i)
            draw_system(plan.places[i], p.systems[i]->time.name);
        left_ += width;
        bottom_ = std::max(bottom_, head_room + height);
    }

    void draw_system(place at, std::string_view name) {
        write_box("system", x_of(at), y_of(at), box_width_, box_height, "#9ecae1");
        write_text(x_of(at) + margin / 2, y_of(at) + 20, name);
    }

    void draw_edge(const phase_of_systems& p, const phase_plan& plan, const system_edge& e) {
        const std::size_t x1 = x_of(plan.places[e.from]) + box_width_, y1 = middle_of(plan.places[e.from]);
        const std::size_t x2 = x_of(plan.places[e.to]), y2 = middle_of(plan.places[e.to]);
        const std::size_t bend = column_gap / 2;
        body_ += "<path class=\"edge\" d=\"M" + std::to_string(x1) + " " + std::to_string(y1) + "C" +
                 std::to_string(x1 + bend) + " " + std::to_string(y1) + " " + std::to_string(x2 - bend) +
                 " " + std::to_string(y2) + " " + std::to_string(x2) + " " + std::to_string(y2) + "\"" +
                 (e.decided ? "" : " stroke-dasharray=\"2 3\"") + " marker-end=\"url(#arrow)\"><title>" +
                 escaped(p.systems[e.from]->time.name) + " before " + escaped(p.systems[e.to]->time.name) +
                 (e.component.empty() ? "" : ": " + escaped(e.component)) + "</title></path>\n";
    }

    void write_box(std::string_view kind, std::size_t x, std::size_t y, std::size_t width, std::size_t height,
                   std::string_view fill) {
        body_ += "<rect class=\"" + std::string(kind) + "\"" + attribute("x", x) + attribute("y", y) +
                 attribute("width", width) + attribute("height", height) + " fill=\"" + std::string(fill) +
                 "\"/>\n";
    }

    void write_text(std::size_t x, std::size_t y, std::string_view text) {
        body_ += "<text" + attribute("x", x) + attribute("y", y) + " fill=\"#222222\" stroke=\"none\">" +
                 escaped(text) + "</text>\n";
    }

    [[nodiscard]] std::size_t column_pitch() const { return box_width_ + column_gap; }
    [[nodiscard]] std::size_t x_of(place at) const { return left_ + margin + at.column * column_pitch(); }
    [[nodiscard]] static std::size_t y_of(place at) { return head_room + margin + at.row * row_pitch; }
    [[nodiscard]] static std::size_t middle_of(place at) { return y_of(at) + box_height / 2; }

    std::span<const phase_of_systems> phases_;
    std::size_t box_width_{};
    std::size_t left_{};
    std::size_t bottom_ = head_room;
    std::string body_;
};

} // namespace

std::string svg_of(std::span<const phase_of_systems> phases) { return schedule_picture(phases).draw(); }

} // namespace ecs
