// SPDX-License-Identifier: MIT
// The same as twenty_changes_world.cpp, in EnTT.
#include <entt/entt.hpp>

template <int N> struct cell {
    long value = N;
};

template <int N> void use(entt::registry& registry, entt::entity e) {
    registry.emplace_or_replace<cell<N>>(e, cell<N>{3});
    registry.get_or_emplace<cell<N>>(e);
    if (registry.all_of<cell<N>>(e)) ++registry.get<cell<N>>(e).value;
    registry.remove<cell<N>>(e);
    if constexpr (N != 0) use<N - 1>(registry, e);
}

int main() {
    entt::registry registry;
    use<19>(registry, registry.create());
}
