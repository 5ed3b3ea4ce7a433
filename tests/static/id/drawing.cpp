// SPDX-License-Identifier: MIT
// A layout draws itself.
#include <cstdint>
#include <string>
#include <string_view>

import ecs.id;

#include "layouts.hpp"

namespace {

using namespace samples;

static_assert(ecs::diagram<ecr>() == R"( 63    53 52                20 19         0
+--------+--------------------+------------+
| unused |      version       |    key     |
|  = 0   |      33 bits       |  20 bits   |
+--------+--------------------+------------+
)");

// Bits that nobody owns are drawn, at the top, between fields and at the bottom; a single bit has one number.
static_assert(ecs::diagram<layout<std::uint8_t, field<"b", 5, 5>, fixed<"a", 3, 2, 3>>>() ==
              R"( 7       6 5       4         3     2 1       0
+---------+-------+---------+-------+---------+
| unowned |   b   | unowned |   a   | unowned |
|   = 0   | 1 bit |   = 0   | = 0x3 |   = 0   |
+---------+-------+---------+-------+---------+
)");

static_assert(ecs::svg<ecr>().starts_with(R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox=")"));
static_assert(ecs::svg<ecr>().ends_with("</svg>\n"));
static_assert(ecs::svg<ecr>().find(">version</text>") != std::string_view::npos);
static_assert(ecs::svg<layout<std::uint8_t, field<"<&", 7, 0>>>().find(">&lt;&amp;</text>") !=
              std::string_view::npos);

} // namespace
