// SPDX-License-Identifier: MIT
// As std::shared_ptr and std::make_shared are.
#pragma once

namespace library {

template <class T> class owner {
    template <class U> friend owner<U> make();
    T value{};
};
template <class T> owner<T> make() { return {}; }

} // namespace library
