// SPDX-License-Identifier: MIT
// The same as twenty_world.cpp, in EnTT.
#include <entt/entt.hpp>

template <int N> struct cell {
    long value = N;
};

template <int N> void use(entt::registry& registry) {
    registry.emplace<cell<N>>(registry.create());
    registry.view<cell<N>>().each([](cell<N>& c) { ++c.value; });
    if constexpr (N != 0) use<N - 1>(registry);
}

int main() {
    entt::registry registry;
    use<19>(registry);
}
