// SPDX-License-Identifier: MIT
#include "scenario.hpp"
#include <algorithm>
#include <fstream>
#include <random>
#include <stdexcept>
#include <string_view>

import ecs;

#include "picture.hpp"

namespace skirmish {

namespace {

constexpr float margin = 40;
constexpr float chart_height = 260;
constexpr float line_height = 10;

std::string escaped(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '<')
            result += "&lt;";
        else if (c == '&')
            result += "&amp;";
        else if (c == '"')
            result += "&quot;";
        else
            result += c;
    }
    return result;
}

void draw_frame(std::ostream& out, const scenario& plan) {
    out << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 " << plan.width + 2 * margin << ' '
        << plan.height + chart_height + 3 * margin << "' font-family='sans-serif' font-size='16'>\n"
        << "<rect width='100%' height='100%' fill='#fbfaf6'/>\n"
        << "<text x='" << margin << "' y='26' font-size='20'>" << escaped(plan.name) << "</text>\n"
        << "<g transform='translate(" << margin << ' ' << margin << ")'>\n<rect width='" << plan.width
        << "' height='" << plan.height << "' fill='#f1efe6' stroke='#999'/>\n";
}

void draw_units(std::ostream& out, battle& of) {
    const auto& armies = of.plan().armies;
    of.world().query<const Position, const Side>().template with<Health>().each(
        [&](const Position& at, const Side& side) {
            out << "<circle cx='" << at.x << "' cy='" << at.y << "' r='2.4' fill='"
                << escaped(armies[side.army].colour) << "'/>\n";
        });
}

void draw_turrets(std::ostream& out, battle& of) {
    const auto& armies = of.plan().armies;
    of.world().each([&](const Turret& gun, const Position& at, const Side& side) {
        const std::string colour = escaped(armies[side.army].colour);
        out << "<rect x='" << at.x - 5 << "' y='" << at.y - 5
            << "' width='10' height='10' fill='none' stroke='" << colour << "' stroke-width='2'/>\n";
        const Position* const target = of.world().try_get<Position>(gun.target);
        if (!target) return;
        out << "<line x1='" << at.x << "' y1='" << at.y << "' x2='" << target->x << "' y2='" << target->y
            << "' stroke='" << colour << "' stroke-dasharray='3 5'/>\n";
    });
}

std::size_t highest(const std::vector<platoon_state>& platoons) {
    std::size_t most = 1;
    for (const platoon_state& p : platoons)
        if (!p.population.empty()) most = std::max(most, *std::ranges::max_element(p.population));
    return most;
}

void draw_curve(std::ostream& out, const platoon_state& platoon, const scenario& plan, float rows_to_y) {
    out << "<polyline fill='none' stroke-width='2' stroke='" << escaped(plan.armies[platoon.army].colour)
        << "' points='";
    for (std::size_t tick = 0; tick < platoon.population.size(); ++tick)
        out << plan.width * static_cast<float>(tick) / static_cast<float>(plan.ticks) << ','
            << chart_height - static_cast<float>(platoon.population[tick]) * rows_to_y << ' ';
    out << "'/>\n";
}

/// Names in the order of the curves' ends, inside the frame and far enough from each other to be read.
void draw_names(std::ostream& out, const battle& of, float rows_to_y) {
    std::vector<const platoon_state*> platoons;
    for (const platoon_state& p : of.platoons())
        if (!p.population.empty()) platoons.push_back(&p);
    std::ranges::sort(platoons, {}, [](const platoon_state* p) { return p->population.back(); });
    float lowest = chart_height;
    for (const platoon_state* const p : platoons) {
        const float y =
            std::min(chart_height - static_cast<float>(p->population.back()) * rows_to_y, lowest) - 4;
        out << "<text x='" << of.plan().width - 6 << "' y='" << y
            << "' font-size='13' text-anchor='end' fill='" << escaped(of.plan().armies[p->army].colour)
            << "'>" << escaped(p->plan.name) << ' ' << p->population.back() << "</text>\n";
        lowest = y - line_height;
    }
}

void draw_chart(std::ostream& out, const battle& of) {
    const std::size_t most = highest(of.platoons());
    out << "<g transform='translate(" << margin << ' ' << of.plan().height + 2 * margin
        << ")'>\n<rect width='" << of.plan().width << "' height='" << chart_height
        << "' fill='none' stroke='#999'/>\n<text y='-8'>living units by platoon, "
        << "at most " << most << ", over " << of.plan().ticks << " ticks</text>\n";
    const float rows_to_y = chart_height / static_cast<float>(most);
    for (const platoon_state& p : of.platoons()) draw_curve(out, p, of.plan(), rows_to_y);
    draw_names(out, of, rows_to_y);
    out << "</g>\n";
}

} // namespace

void draw(battle& of, const std::filesystem::path& file) {
    std::ofstream out(file);
    draw_frame(out, of.plan());
    draw_units(out, of);
    draw_turrets(out, of);
    out << "</g>\n";
    draw_chart(out, of);
    out << "</svg>\n";
    if (!out.flush()) throw std::runtime_error(file.string() + ": cannot be written");
}

} // namespace skirmish
