// SPDX-License-Identifier: MIT
module;
#undef _FORTIFY_SOURCE
#define _FORTIFY_SOURCE 2
#include <cstring>
export module library;
export namespace std {
using std::memcpy;
}
