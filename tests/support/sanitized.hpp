// SPDX-License-Identifier: MIT
// A sanitizer slows everything down: tests that are long without one do a part of their work under it.
#pragma once

namespace test {

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

} // namespace test
