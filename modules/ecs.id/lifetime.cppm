// SPDX-License-Identifier: MIT
// How long a layout lasts. An index under its last generation retires: it is never used again, so that no old
// handle comes back to life. The price is that identifiers are used up, and this file says when.
//
// Let I be the largest index and G the largest generation (1 without a generation field); both count from 1.
// With N identifiers live at most, an allocation fails only when every index that is not live is retired, and
// the indices that are live besides the one asked for number at most N - 1. The I - (N - 1) others must then
// have retired, which takes G destructions each. So whatever the order in which indices are used again, fewer
// than
//
//       (I - N + 1) x G   destructions
//
// exhaust nothing. An allocator that spreads its reuse lasts longer; none that hands out a free index
// whenever there is one lasts less. Count identifiers that wait in a quarantine or in a thread's cache as
// live.
export module ecs.id:lifetime;
import ecs.std;
import :field;
import :layout;
import :list;
import :proofs;

namespace ecs {

/// A length of time in whole seconds, from a number of them or from a std::chrono::duration, which are
/// rounded up; one that cannot be counted so is the longest that can, and one below zero is none.
export struct whole_seconds {
    std::uint64_t count{};

    template <std::integral Seconds>
    constexpr whole_seconds(Seconds seconds) : count(seconds < 0 ? 0 : static_cast<std::uint64_t>(seconds)) {}

    template <std::floating_point Seconds> constexpr whole_seconds(Seconds seconds) {
        constexpr auto too_long = static_cast<Seconds>(std::uint64_t{1} << 63) * 2;
        if (seconds <= 0) return;
        count = seconds < too_long ? static_cast<std::uint64_t>(seconds) : ~std::uint64_t{0};
        if (static_cast<Seconds>(count) < seconds && seconds < too_long) ++count;
    }

    // Any type shaped as a duration: <chrono> would cost every importer more than the rest of the module.
    template <class Duration>
        requires std::integral<typename Duration::rep>
    constexpr whole_seconds(Duration duration) {
        constexpr auto numerator = static_cast<std::uint64_t>(Duration::period::num);
        constexpr auto denominator = static_cast<std::uint64_t>(Duration::period::den);
        constexpr std::uint64_t longest = ~std::uint64_t{0};
        if (duration.count() <= 0) return;
        const auto ticks = static_cast<std::uint64_t>(duration.count());
        const bool fits = ticks <= (longest - denominator) / numerator;
        count = fits ? (ticks * numerator + denominator - 1) / denominator : longest;
    }

    template <class Duration>
        requires std::floating_point<typename Duration::rep>
    constexpr whole_seconds(Duration duration)
        : whole_seconds(duration.count() * static_cast<typename Duration::rep>(Duration::period::num) /
                        static_cast<typename Duration::rep>(Duration::period::den)) {}
};

/// What a world demands of its identifiers.
export struct workload {
    std::uint64_t live{};                 ///< Most identifiers live at once.
    std::uint64_t destroyed_per_second{}; ///< Rate at which they die and are replaced.
    whole_seconds duration{0};            ///< How long it must go on.
};

template <valid_layout Layout> consteval std::uint64_t largest_generation() {
    if constexpr (has_role<Layout, field_role::generation>)
        return field_with_role<Layout, field_role::generation>.max();
    else
        return 1;
}

/// The number of destructions that exhaust nothing in any order of reuse, with at most that many identifiers
/// live; 0 when the index cannot tell that many apart.
export template <valid_layout Layout>
    requires has_role<Layout, field_role::index>
[[nodiscard]] constexpr std::uint64_t safe_destructions(std::uint64_t live) {
    constexpr std::uint64_t indices = field_with_role<Layout, field_role::index>.max();
    if (live > indices) return 0;
    return (indices - larger_of(live, std::uint64_t{1}) + 1) * largest_generation<Layout>() - 1;
}

/// The layout's identifiers suffice for the workload when spent indices retire; see the formula above.
export template <class Layout, workload Demand>
concept lasts =
    index_fits<Layout, Demand.live> &&
    (Demand.destroyed_per_second == 0 ||
     Demand.duration.count <= safe_destructions<Layout>(Demand.live) / Demand.destroyed_per_second);

} // namespace ecs
