// SPDX-License-Identifier: MIT
// A layout of the user's own, proved, and an identifier of it.
#include <cstdint>

import ecs.id;

using handle = ecs::layout<std::uint64_t, ecs::fixed<"kind", 63, 60, 0x1>,
                           ecs::generation<"generation", 59, 32>, ecs::index<"index", 31, 0>>;
static_assert(ecs::valid_layout<handle> && ecs::fully_owned<handle> && ecs::null_unreachable<handle>);

int main() {
    constexpr auto id = ecs::build<handle>().set<"index">(12).set<"generation">(3).id();
    return ecs::decode<handle>(id.value()).has_value() ? 0 : 1;
}
