// SPDX-License-Identifier: MIT
// The examples of docs/storage.md, in its order.
#include <cstdio>
#include <cstdlib>
#include <vector>
import ecs.world;

// NOLINTBEGIN(readability-identifier-naming): named as in the manuals of the peers.
struct Position {
    float x, y;
};
// NOLINTEND(readability-identifier-naming)

struct burning {
    static constexpr auto kept_in = ecs::storage::in_place;
    float seconds = 3;
};

namespace {

void require(bool holds, int line) {
    if (holds) return;
    std::printf("storage_snippets.cpp:%d does not hold\n", line);
    std::exit(1);
}

void a_getter() {
    ecs::world world;
    const std::vector<ecs::entity> targets{world.spawn(Position{1, 0}), world.spawn(Position{2, 0})};
    float sum = 0;
    // clang-format off
    const auto position_of = world.getter<Position>();
    for (const ecs::entity e : targets) sum += position_of(e).x; // position_of.find(e): a pointer, perhaps null
    position_of.each(targets, [&](const Position& p) { sum += p.x; }); // Or with the entity before the value.
    // clang-format on
    require(sum == 6 && position_of.find(targets[1])->x == 2, __LINE__);
}

void in_place() {
    ecs::world world;
    const ecs::entity e = world.spawn(Position{1, 0});
    world.set(e, burning{2}); // A bit and a value; no row moves, and no table is made.
    world.each([](Position& p, const burning& b) { p.x += b.seconds; });
    world.remove<burning>(e); // The bit again, and the end of the value.
    require(world.get<Position>(e).x == 3 && !world.has<burning>(e), __LINE__);
}

void a_description() {
    ecs::world world;
    const ecs::entity e = world.spawn();
    std::vector<ecs::entity> found;
    // clang-format off
    const ecs::entity health = world.component({
        .name = "health",
        .size = 8, // Bytes; 0 for a tag. The alignment is the largest that divides the size, at most 16.
        .members = {{"now", "int", 0, 4}, {"most", "int", 4, 4}}, // Name, type, offset and size: for tools, and for JSON.
    });
    const int full[]{100, 100};
    world.set(e, health, full);
    const auto* now = static_cast<const int*>(world.try_get(e, health));
    world.query().with(health).each([&](ecs::entity wounded) { found.push_back(wounded); });
    // clang-format on
    require(now != nullptr && now[1] == 100 && found == std::vector{e}, __LINE__);
    require(world.lookup("health") == health, __LINE__);
}

void a_space(ecs::entity from_the_server) {
    // clang-format off
    using network = ecs::partitions<ecs::layouts::entity, ecs::partition<"client", 1'000, 9'999'999>,
                                    ecs::partition<"server", 10'000'000, 99'999'999>>;
    ecs::world world(ecs::space_of<network, "client">());   // or ecs::id_space{.first = 1'000, .last = 9'999'999}
    const ecs::entity boss = world.claim(from_the_server);  // the world's own number is in the handle
    // clang-format on
    require(world.alive(boss) && boss.index() == from_the_server.index(), __LINE__);
    require(!world.alive(from_the_server) && world.spawn().index() == 1'000, __LINE__);
}

} // namespace

int main() {
    a_getter();
    in_place();
    a_description();
    ecs::world server(ecs::id_space{.first = 10'000'000, .last = 99'999'999});
    a_space(server.spawn());
}
