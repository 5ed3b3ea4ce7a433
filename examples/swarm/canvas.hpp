// SPDX-License-Identifier: MIT
// A picture of the swarm: each pixel counts the birds on it and adds up how fast they are. Many birds are
// bright, and fast ones have a warm colour. Threads draw at once; the sums are whole numbers, so that the
// picture does not depend on their order.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace swarm {

struct rgb {
    std::uint8_t red, green, blue;
};

class canvas {
  public:
    canvas(std::uint32_t width, std::uint32_t height, std::size_t birds);

    void clear();

    /// Adds a bird. Speed is a part of the greatest one, from 0 to 1. May be called by several threads at
    /// once.
    void add(float x, float y, float speed) {
        const auto at = static_cast<std::size_t>(y) * width_ + static_cast<std::size_t>(x);
        const auto added = one_bird + static_cast<std::uint64_t>(speed * fastest);
        std::atomic_ref(sums_[at]).fetch_add(added, std::memory_order_relaxed);
    }

    /// The colours of all pixels by their number in the palette, line after line.
    [[nodiscard]] const std::vector<std::uint8_t>& develop();

    [[nodiscard]] std::uint32_t width() const { return width_; }
    [[nodiscard]] std::uint32_t height() const { return height_; }
    /// Sixteen steps of brightness of each of sixteen colours.
    [[nodiscard]] const std::array<rgb, 256>& palette() const { return palette_; }

  private:
    static constexpr std::uint64_t one_bird = std::uint64_t{1} << 40; ///< Above the sum of the speeds.
    static constexpr float fastest = 255;

    [[nodiscard]] std::uint8_t colour_of(std::uint64_t sum) const;

    std::uint32_t width_, height_;
    float birds_of_half_; ///< As many birds make a pixel half as bright as it can be.
    std::vector<std::uint64_t> sums_;
    std::vector<std::uint8_t> pixels_;
    std::array<rgb, 256> palette_;
};

} // namespace swarm
