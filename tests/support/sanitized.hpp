// SPDX-License-Identifier: MIT
// A sanitizer makes everything some ten times as slow: tests that are long without one do a part of it then.
#pragma once

namespace test {

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

} // namespace test
