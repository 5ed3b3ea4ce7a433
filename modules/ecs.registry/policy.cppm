// SPDX-License-Identifier: MIT
// What happens when an index is destroyed under its last generation, and how soon an index is used again.
module;
#include <cstdint>
export module ecs.registry:policy;

namespace ecs {

/// The default: an index whose generations are spent is never used again. No handle ever comes back to life.
export struct retire {};

/// Like retire, and an index is used again only while at least MinimumFree others wait: generations are spent
/// evenly, and a stale handle stays detectable for longer.
export template <std::uint64_t MinimumFree> struct quarantine {
    static constexpr std::uint64_t minimum_free = MinimumFree;
};

/// Unsafe: generations start again at 1, so that an old handle can come back to life. For tools that restart
/// often.
export struct wrap {};

/// Spending an index ends the program: for systems in which that must not happen.
export struct trap {};

} // namespace ecs
