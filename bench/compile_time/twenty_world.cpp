// SPDX-License-Identifier: MIT
// Twenty components, each with an entity and a loop of its own: what a type more costs.
import ecs.world;

template <int N> struct cell {
    long value = N;
};

template <int N> void use(ecs::world& world) {
    world.spawn(cell<N>{});
    world.each([](cell<N>& c) { ++c.value; });
    if constexpr (N != 0) use<N - 1>(world);
}

int main() {
    ecs::world world;
    use<19>(world);
}
