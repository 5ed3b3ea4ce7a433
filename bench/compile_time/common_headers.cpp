// SPDX-License-Identifier: MIT
// The headers of use_world_headers_before.cpp alone.
#include "common_headers.hpp"

int main() {}
