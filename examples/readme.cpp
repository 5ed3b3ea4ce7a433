// SPDX-License-Identifier: MIT
#include <cstdint>
#include <optional>
import ecs.id;

// A word as in a data sheet: name, high bit, low bit.
using handle = ecs::layout<std::uint64_t, ecs::fixed<"kind", 63, 60, 0x1>, //
                           ecs::generation<"generation", 59, 32>, ecs::index<"index", 31, 0>>;
static_assert(ecs::valid_layout<handle> && ecs::fully_owned<handle> && ecs::null_unreachable<handle>);

constexpr auto id = ecs::build<handle>().set<"index">(12).set<"generation">(3).id();
static_assert(id.index() == 12 && id.generation() == 3 && sizeof id == 8);
static_assert(ecs::decode<handle>(id.value()) == id);                      // a word from outside, checked
static_assert(ecs::decode<handle>(0xE000'0003'0000'000C) == std::nullopt); // the tag of another kind

int main() {}
