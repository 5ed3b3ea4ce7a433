// SPDX-License-Identifier: MIT
// What a registry throws where the return value has no room for a refusal.
export module ecs.registry:errors;
import ecs.std;
import :index_counts;

namespace ecs {

/// create found no index, or not as many as were asked for: all others are in use, spent, or in quarantine.
/// The text names the partition or range and its counts.
export struct exhausted_error : std::runtime_error {
    /// Handles may keep free indices for themselves.
    exhausted_error(std::string_view where, const index_counts& now, std::size_t wanted = 1,
                    bool handles_keep_some = false)
        : std::runtime_error(
              std::string(where) +
              (wanted == 1 ? std::string(" is exhausted")
                           : " has no " + std::to_string(wanted) + " identifiers left") +
              ": of " + std::to_string(now.capacity) + " indices " + std::to_string(now.live) +
              " are live, " + std::to_string(now.free) + " free and " + std::to_string(now.retired) +
              " retired; " + (handles_keep_some ? "at most " : "") + std::to_string(now.remaining) +
              " can be created" + (handles_keep_some ? "; handles keep the others until they flush" : "")),
          counts(now) {}

    index_counts counts;
};

/// create was asked for an identifier outside the partition or range that the registry, or the handle, is
/// restricted to.
export struct restricted_error : std::logic_error {
    restricted_error(std::string_view where, std::string_view restricted_to,
                     std::string_view who = "the registry")
        : std::logic_error(std::string(who) + " is restricted to " + std::string(restricted_to) +
                           ", and nothing can be created in " + std::string(where)) {}
};

/// A range was used with a registry that did not give it.
export struct unknown_range_error : std::invalid_argument {
    unknown_range_error(std::uint64_t first, std::uint64_t last)
        : std::invalid_argument("range " + std::to_string(first) + " to " + std::to_string(last) +
                                " does not belong to this registry") {}
};

} // namespace ecs
