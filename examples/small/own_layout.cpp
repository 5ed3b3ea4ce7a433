// SPDX-License-Identifier: MIT
// An identifier of your own: which bits are which field, proved by the compiler.
#include <cstdint>
#include <iostream>
import ecs;

// A handle for a file format with 32 bits: a kind, a generation, an index.
using sprite_layout =
    ecs::layout<std::uint32_t, ecs::fixed<"kind", 31, 30, 0x2>,
                ecs::generation<"use", 29, 20>, ecs::index<"slot", 19, 0>>;
using sprite_id = ecs::basic_id<sprite_layout>;
static_assert(ecs::valid_layout<sprite_layout> && ecs::fully_owned<sprite_layout>);
static_assert(ecs::index_fits<sprite_layout, 1'000'000> &&
              ecs::exact_in_double<sprite_layout>);

int main() {
    ecs::basic_registry<sprite_layout> sprites;
    const sprite_id first = sprites.create();
    sprites.destroy(first);
    const sprite_id second = sprites.create();

    std::cout << second << '\n' << ecs::dump(second) << '\n';
    std::cout << sprites.explain(first) << '\n'
              << ecs::diagram<sprite_layout>() << '\n';
}
