// SPDX-License-Identifier: MIT
#pragma once
#include <chrono>

namespace server {

/// Makes ticks of one length out of frames of any length: what is left of a frame counts in the next one.
class fixed_step {
  public:
    explicit fixed_step(std::chrono::microseconds length) : length_(length) {}

    /// How many ticks are due after so much time more.
    [[nodiscard]] unsigned due_after(std::chrono::microseconds passed) {
        left_ += passed;
        const auto ticks = left_ / length_;
        left_ %= length_;
        return static_cast<unsigned>(ticks);
    }

  private:
    std::chrono::microseconds length_;
    std::chrono::microseconds left_{};
};

} // namespace server
