// SPDX-License-Identifier: MIT
// A sanitizer slows everything down: tests that are long without one do a part of their work under it.
#pragma once
#include <type_traits>

namespace test {

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

/// The types of a typed test: what a sanitizer looks for does not depend on how layouts and rules are
/// combined.
template <class All, class Few> using types_to_try = std::conditional_t<is_sanitized, Few, All>;

} // namespace test
