// SPDX-License-Identifier: MIT
// How a world was in the last minute, second by second.
export module ecs.remote:history;
import ecs.std;
import ecs.world;

namespace ecs::remote {

/// Not thread-safe.
export class world_history {
  public:
    static constexpr std::size_t seconds = 60;

    struct sample {
        double ticks{}; ///< In the second.
        double entities{};
        double tables{};
        double bytes{};
    };

    /// A tick of the world: once a second its tables are counted. Linear in the tables then.
    void note_tick(const world& of, std::chrono::steady_clock::time_point now);

    [[nodiscard]] std::uint64_t ticks() const { return ticks_; }
    [[nodiscard]] double seconds_since_start() const;
    [[nodiscard]] const sample& latest() const { return samples_.back(); }
    /// The latest last; zero where there was no world yet.
    [[nodiscard]] const std::array<sample, seconds>& samples() const { return samples_; }

  private:
    std::array<sample, seconds> samples_{};
    std::chrono::steady_clock::time_point start_{}, second_{}, now_{};
    std::uint64_t ticks_{};
    std::uint64_t ticks_at_second_{};
};

/// How the world is now.
[[nodiscard]] world_history::sample sample_of(const world& of);

} // namespace ecs::remote
