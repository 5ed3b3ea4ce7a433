// SPDX-License-Identifier: MIT
// The same as twenty_changes_world.cpp, in Flecs.
#include <flecs.h>

template <int N> struct cell {
    long value = N;
};

template <int N> void use(flecs::entity e) {
    e.set(cell<N>{3});
    e.add<cell<N>>();
    if (e.has<cell<N>>()) ++e.get_mut<cell<N>>().value;
    e.remove<cell<N>>();
    if constexpr (N != 0) use<N - 1>(e);
}

int main() {
    const flecs::world world;
    use<19>(world.entity());
}
