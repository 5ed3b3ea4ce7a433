// SPDX-License-Identifier: MIT
// What a user of ids would otherwise include anyway.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

int main() {}
