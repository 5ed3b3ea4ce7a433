// SPDX-License-Identifier: MIT
// The same as twenty_world.cpp, in Flecs.
#include <flecs.h>

template <int N> struct cell {
    long value = N;
};

template <int N> void use(flecs::world& world) {
    world.entity().set(cell<N>{});
    world.each([](cell<N>& c) { ++c.value; });
    if constexpr (N != 0) use<N - 1>(world);
}

int main() {
    flecs::world world;
    use<19>(world);
}
