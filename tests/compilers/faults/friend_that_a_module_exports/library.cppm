// SPDX-License-Identifier: MIT
module;
#include "owner.hpp"
export module library;
export namespace library {
using library::make;
}
