// SPDX-License-Identifier: MIT
module;
#include <string>
export module text;
export namespace std {
using std::string;
}
