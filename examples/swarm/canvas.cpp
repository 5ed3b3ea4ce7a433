// SPDX-License-Identifier: MIT
#include "canvas.hpp"
#include <algorithm>
#include <cmath>

namespace swarm {

namespace {

constexpr std::uint8_t steps = 16;

/// A step as a part of all, from 0 to 1.
float part(std::uint8_t step) { return static_cast<float>(step) / (steps - 1); }

struct light {
    float red, green, blue;
};
constexpr light night{7, 9, 20};
constexpr std::array<light, 5> by_speed{
    {{40, 70, 200}, {30, 170, 220}, {190, 235, 210}, {255, 200, 80}, {255, 110, 60}}};

light between(const light& a, const light& b, float way) {
    return {a.red + (b.red - a.red) * way, a.green + (b.green - a.green) * way,
            a.blue + (b.blue - a.blue) * way};
}

light colour_of_speed(float speed) {
    const float place = speed * (by_speed.size() - 1);
    const auto first = std::min(static_cast<std::size_t>(place), by_speed.size() - 2);
    return between(by_speed[first], by_speed[first + 1], place - static_cast<float>(first));
}

std::uint8_t rounded(float value) { return static_cast<std::uint8_t>(std::lround(value)); }

std::array<rgb, 256> make_palette() {
    std::array<rgb, 256> all{};
    std::size_t next = 0;
    for (std::uint8_t speed = 0; speed < steps; ++speed)
        for (std::uint8_t brightness = 0; brightness < steps; ++brightness) {
            const light l = between(night, colour_of_speed(part(speed)), part(brightness));
            all[next++] = {rounded(l.red), rounded(l.green), rounded(l.blue)};
        }
    return all;
}

} // namespace

canvas::canvas(std::uint32_t width, std::uint32_t height, std::size_t birds)
    : width_(width),
      height_(height),
      birds_of_half_(2 * std::max(1.0F, static_cast<float>(birds) / static_cast<float>(width) /
                                            static_cast<float>(height))),
      sums_(std::size_t{width} * height),
      pixels_(sums_.size()),
      palette_(make_palette()) {}

void canvas::clear() { std::ranges::fill(sums_, 0); }

const std::vector<std::uint8_t>& canvas::develop() {
    std::ranges::transform(sums_, pixels_.begin(), [&](std::uint64_t sum) { return colour_of(sum); });
    return pixels_;
}

std::uint8_t canvas::colour_of(std::uint64_t sum) const {
    const std::uint64_t birds = sum / one_bird;
    if (birds == 0) return 0;
    const float speed = static_cast<float>(sum % one_bird) / (static_cast<float>(birds) * fastest);
    const float brightness = static_cast<float>(birds) / (static_cast<float>(birds) + birds_of_half_);
    return static_cast<std::uint8_t>(static_cast<std::uint8_t>(speed * (steps - 1)) * steps +
                                     static_cast<std::uint8_t>(brightness * (steps - 1)));
}

} // namespace swarm
