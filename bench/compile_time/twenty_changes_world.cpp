// SPDX-License-Identifier: MIT
// Twenty components, each set, added, asked for, read and removed.
import ecs.world;

template <int N> struct cell {
    long value = N;
};

template <int N> void use(ecs::world& world, ecs::entity e) {
    world.set(e, cell<N>{3});
    world.add<cell<N>>(e);
    if (world.has<cell<N>>(e)) ++world.get<cell<N>>(e).value;
    world.remove<cell<N>>(e);
    if constexpr (N != 0) use<N - 1>(world, e);
}

int main() {
    ecs::world world;
    use<19>(world, world.spawn());
}
