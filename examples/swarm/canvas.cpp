// SPDX-License-Identifier: MIT
#include "canvas.hpp"
#include <algorithm>

namespace swarm {

namespace {

constexpr std::uint8_t steps = 16;

struct light {
    float red, green, blue;
};
constexpr light night{7, 9, 20};
constexpr std::array<light, 5> by_speed{
    {{40, 70, 200}, {30, 170, 220}, {190, 235, 210}, {255, 200, 80}, {255, 110, 60}}};

light between(const light& a, const light& b, float part) {
    return {a.red + (b.red - a.red) * part, a.green + (b.green - a.green) * part,
            a.blue + (b.blue - a.blue) * part};
}

light colour_of_speed(float speed) {
    const float place = speed * (by_speed.size() - 1);
    const auto first = std::min(static_cast<std::size_t>(place), by_speed.size() - 2);
    return between(by_speed[first], by_speed[first + 1], place - static_cast<float>(first));
}

rgb rounded(const light& l) {
    return {static_cast<std::uint8_t>(l.red + 0.5F), static_cast<std::uint8_t>(l.green + 0.5F),
            static_cast<std::uint8_t>(l.blue + 0.5F)};
}

std::array<rgb, 256> make_palette() {
    std::array<rgb, 256> all{};
    for (std::size_t i = 0; i < all.size(); ++i) {
        const float speed = static_cast<float>(i / steps) / (steps - 1);
        const float brightness = static_cast<float>(i % steps) / (steps - 1);
        all[i] = rounded(between(night, colour_of_speed(speed), brightness));
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
