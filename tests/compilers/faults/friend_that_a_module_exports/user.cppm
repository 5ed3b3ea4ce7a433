// SPDX-License-Identifier: MIT
// A module includes a class whose friend another module exports. clang 19: "cannot befriend target of using
// declaration".
module;
#include "owner.hpp"
export module user;
import library;
export inline library::owner<int> own() { return {}; }
