// SPDX-License-Identifier: MIT
module;
#include <span>
export module library;
export namespace std {
using std::span;
}
