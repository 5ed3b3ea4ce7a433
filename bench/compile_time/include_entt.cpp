// SPDX-License-Identifier: MIT
// The same system as use_world.cpp, in EnTT.
#include <entt/entt.hpp>

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};

int main() {
    entt::registry registry;
    const auto e = registry.create();
    registry.emplace<position>(e, 10.0F, 20.0F);
    registry.emplace<velocity>(e, 1.0F, 2.0F);
    registry.view<position, const velocity>().each([](position& p, const velocity& v) { p.x += v.x; });
    return registry.get<position>(e).x == 11 ? 0 : 1;
}
