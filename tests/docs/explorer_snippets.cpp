// SPDX-License-Identifier: MIT
// The examples of docs/explorer.md, in its order.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unordered_map>
import ecs.world;
import ecs.remote;

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
enum class gear : std::uint8_t { idle, ahead, astern };
struct engine {
    gear now;
    float power;
    static constexpr ecs::member_note member_notes[]{
        {.member = "power", .units = "kW", .description = "at the shaft", .minimum = 0, .maximum = 90}};
};

namespace {

struct three_ticks {
    int left = 3;
    [[nodiscard]] bool over() const { return left == 0; }
    void tick() { --left; }
};

void require(const ecs::remote::response& answer, const char* part) {
    if (answer.status == 200 && answer.body.find(part) != std::string::npos) return;
    std::printf("%d %s\n", answer.status, answer.body.c_str());
    std::exit(1);
}

void serve(ecs::world& world) {
    three_ticks game;
    ecs::remote::server server(world, {.port = 27750});
    while (!game.over()) {
        game.tick();
        server.poll();
    }
}

void serve_with_schedule(ecs::world& world, ecs::schedule& schedule) {
    world.record_history(1000);
    ecs::remote::server server(world, {.port = 27750, .schedule = &schedule});
    schedule.run(world);
    server.poll();
}

} // namespace

int main(int count, char**) {
    ecs::world world;
    world.component<velocity>();
    world.spawn("Ship", position{1, 2}, ecs::pair(ecs::child_of, world.spawn("Fleet")));
    if (count > 1) serve(world); // The port may be in use where tests run.
    ecs::schedule schedule;
    if (count > 1) serve_with_schedule(world, schedule);
    const ecs::remote::answer_options options{.token = "secret", .budget = std::chrono::seconds(1)};
    const ecs::remote::response shown = ecs::remote::answer(world, {.path = "/entity/Fleet/Ship"}, options);
    const ecs::remote::response rows = ecs::remote::answer(
        world, {.path = "/query", .parameters = {{"expr", "position, ?velocity"}}}, options);
    const ecs::remote::response changed =
        ecs::remote::answer(world,
                            {.method = "PUT",
                             .path = "/component/Fleet/Ship",
                             .parameters = {{"component", "position"}, {"value", R"({"x": 7})"}},
                             .token = "secret"},
                            options);
    world.component<engine>();
    const ecs::remote::response members = ecs::remote::answer(world, {.path = "/type_info/engine"}, options);
    require(members, R"("now":["enum","idle","ahead","astern"])");
    require(members, R"(["float",{"symbol":"kW","range":[0.0,90.0],"description":"at the shaft"}])");
    require(shown, "\"position\":{\"x\":1.0,\"y\":2.0}");
    require(rows, "\"name\":\"Ship\"");
    require(changed, "already there");
    return world.get<position>(world.lookup("Fleet/Ship")).x == 7 ? 0 : 1;
}
