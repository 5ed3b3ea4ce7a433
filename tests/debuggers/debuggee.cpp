// SPDX-License-Identifier: MIT
// The program that debuggers look into: it stops where a session sets its breakpoint, or dies there when it
// is told to. This file alone is compiled with debug information; the library is as it was built.
#include <cstdlib>
#include <optional>
import ecs.world;

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
namespace game {
struct health {
    static constexpr ecs::storage kept_in = ecs::storage::sparse;
    int now;
    int most;
};
enum class mood : unsigned char { calm, angry };
struct brain {
    mood now;
    bool awake;
    position goal;
    ecs::entity enemy;
    int path[3];
};
struct frozen {};
struct hidden {
    static constexpr ecs::storage kept_in = ecs::storage::bits;
};
struct burning {
    static constexpr ecs::storage kept_in = ecs::storage::in_place;
    int seconds;
};
struct stunned {
    static constexpr ecs::storage kept_in = ecs::storage::in_place;
};
struct likes {};
struct owes {
    int coins;
};
} // namespace game

namespace {

// Debuggers stop here, and look at what main has.
[[gnu::noinline]] void look_at(const ecs::world& /*world*/, bool dies) {
    if (dies) std::abort();
}

ecs::entity spawn_guard(ecs::world& world, ecs::entity bob, ecs::entity alice) {
    const ecs::entity guard =
        world.spawn(position{10, 20}, velocity{1, 0}, game::health{3, 4}, game::frozen{});
    world.set(guard, game::brain{game::mood::angry, true, {5, 6}, bob, {1, 2, 3}});
    world.add<game::hidden>(guard);
    world.add<game::stunned>(guard);
    world.disable<game::stunned>(guard);
    world.add<game::likes>(guard, bob);
    world.set<game::owes>(guard, alice, {7});
    world.add(guard, pair(ecs::child_of, alice));
    world.disable<velocity>(guard);
    return guard;
}

} // namespace

int main(int count, char** /*arguments*/) {
    const bool dies = count > 1;
    ecs::world world;
    const ecs::entity bob = world.spawn("Bob", position{1, 2});
    const ecs::entity guard = spawn_guard(world, bob, world.spawn("Alice"));
    world.set(guard, game::burning{9});
    const ecs::entity ended = world.spawn(position{});
    const ecs::entity replaced = world.spawn(position{});
    world.despawn(replaced);
    const ecs::entity heir = world.spawn(velocity{});
    world.despawn(ended);
    auto commands = world.commands();
    const ecs::entity waiting = commands.spawn(position{});
    auto moving = world.query<position, const velocity>();
    moving.without<game::frozen>();
    auto hiding = world.query<const position>();
    hiding.hidden<velocity>().changed<position>().removed<game::frozen>();
    const ecs::id likes_bob = pair(world.component<game::likes>(), bob);
    std::optional<ecs::world> other; // Each world reserves addresses: the core of one is written sooner.
    const ecs::entity foreign = dies ? ecs::entity() : other.emplace().spawn(velocity{});
    other.reset();
    look_at(world, dies);
    return heir && guard && waiting && likes_bob && foreign ? EXIT_SUCCESS : EXIT_FAILURE;
}
