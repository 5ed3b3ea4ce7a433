// SPDX-License-Identifier: MIT
module;
#include <numeric>
export module numbers;
export namespace std {
using std::accumulate;
}
