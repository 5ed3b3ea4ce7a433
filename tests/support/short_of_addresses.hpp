// SPDX-License-Identifier: MIT
// Atomics of a concurrent registry for which addresses are scarce: its slots lie in pages.
#pragma once

namespace test {

template <class Atomics> struct short_of_addresses : Atomics {
    template <class T> static T* try_reserve() noexcept { return nullptr; }
};

} // namespace test
