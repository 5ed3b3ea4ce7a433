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
        double ticks{}; ///< Ticks in the second.
        double entities{};
        double tables{};
        double bytes{};
    };

    /// Notes a tick of the world: once a second its tables are counted, and how long its systems took. Linear
    /// in the tables and the systems then.
    void note_tick(const world& of, std::chrono::steady_clock::time_point now,
                   const schedule* systems = nullptr);

    [[nodiscard]] std::uint64_t ticks() const { return ticks_; }
    [[nodiscard]] double seconds_since_start() const;
    [[nodiscard]] const sample& latest() const { return samples_.back(); }
    /// The samples, the latest last; zero where there was no world yet.
    [[nodiscard]] const std::array<sample, seconds>& samples() const { return samples_; }
    /// How long the system took in each second, in seconds a run.
    [[nodiscard]] std::vector<double> seconds_of(std::string_view system) const;

  private:
    struct system_past {
        system_time then{};
        std::array<double, seconds> took{};
    };

    void note_system(const system_time& now);

    std::array<sample, seconds> samples_{};
    std::vector<system_past> systems_; ///< In the order in which they were first met.
    std::chrono::steady_clock::time_point start_{}, second_{}, now_{};
    std::uint64_t ticks_{};
    std::uint64_t ticks_at_second_{};
};

/// How the world is now.
[[nodiscard]] world_history::sample sample_of(const world& of);

} // namespace ecs::remote
