// SPDX-License-Identifier: MIT
// What happens when an index is destroyed under its last generation, and how soon an index is used again.
export module ecs.registry:policy;
import ecs.std;

namespace ecs {

/// What happens to an index that is destroyed under its last generation.
export enum class spent_index : std::uint8_t {
    retired, ///< Never used again.
    reused,  ///< Used again from generation 1: old identifiers can come back to life.
    fatal,   ///< The program ends.
};

/// The default: an index whose generations are spent is never used again. No handle ever comes back to life.
export struct retire {
    static constexpr std::uint64_t minimum_free = 0;
    static constexpr spent_index when_spent = spent_index::retired;
};

/// The same as retire, but an index is used again only while at least MinimumFree others wait: generations
/// are spent evenly, and a stale handle stays detectable for longer.
export template <std::uint64_t MinimumFree> struct quarantine {
    static constexpr std::uint64_t minimum_free = MinimumFree;
    static constexpr spent_index when_spent = spent_index::retired;
};

/// Unsafe: generations start again at 1, so that an old handle can come back to life. For tools that restart
/// often.
export struct wrap {
    static constexpr std::uint64_t minimum_free = 0;
    static constexpr spent_index when_spent = spent_index::reused;
};

/// Spending an index ends the program: for systems in which that must not happen.
export struct trap {
    static constexpr std::uint64_t minimum_free = 0;
    static constexpr spent_index when_spent = spent_index::fatal;
};

/// Not constexpr on purpose: a constant expression that spends an index under trap does not compile.
[[noreturn]] inline void trap_spent_index(std::uint64_t index) {
    std::fprintf(stderr, "ecs: the generations of index %llu are spent, and the policy is to trap\n",
                 static_cast<unsigned long long>(index));
    std::abort();
}

/// A type that says both; a user's own type may combine them in another way.
export template <class Policy>
concept exhaustion_policy = requires {
    { Policy::minimum_free } -> std::convertible_to<std::uint64_t>;
    { Policy::when_spent } -> std::convertible_to<spent_index>;
};

static_assert(exhaustion_policy<retire> && exhaustion_policy<quarantine<1>> && exhaustion_policy<wrap> &&
              exhaustion_policy<trap>);

} // namespace ecs
