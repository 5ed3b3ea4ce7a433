// SPDX-License-Identifier: MIT
// The scene of scene.hpp in Flecs, which answers the requests of standard input, a line each. Not a part of
// the build: whoever records the answers again compiles it against a copy of Flecs, see record.py.
#include <flecs.h>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

struct position {
    float x, y;
};
struct velocity {
    float x, y;
};
struct course {
    position to;
    std::string order;
    bool urgent;
    ecs_entity_t leader;
};
struct owes {
    int coins;
};
struct opaque {
    std::vector<int> what;
};
struct sealed {
    int code = 0;
};
struct frozen {};
struct likes {};

namespace {

void describe(flecs::world& world) {
    world.component<position>("position").member<float>("x").member<float>("y");
    world.component<velocity>("velocity")
        .member<float>("x")
        .member<float>("y")
        .add(flecs::OnInstantiate, flecs::Inherit);
    const auto write = [](const flecs::serializer* to, const std::string* text) {
        const char* const begin = text->c_str();
        return to->value(flecs::String, static_cast<const void*>(&begin));
    };
    world.component<std::string>().opaque(flecs::String).serialize(write);
    world.component<owes>("owes").member<int>("coins");
    world.component<course>("course")
        .member<position>("to")
        .member<std::string>("order")
        .member<bool>("urgent")
        .member(flecs::Entity, "leader");
    world.component<opaque>("opaque");
    world.component<sealed>("sealed");
    world.component<frozen>("frozen");
    world.component<likes>("likes");
}

void fill(flecs::world& world) {
    const flecs::entity fleet = world.entity("Fleet");
    const flecs::entity ship =
        world.entity("Ship").child_of(fleet).set(position{10, 20}).set(velocity{1, 2}).add<frozen>();
    const flecs::entity hull = world.prefab("Hull").set(velocity{7, 8});
    const flecs::entity bob = world.entity("Bob").set(position{3, 4});
    ship.add<likes>(bob).set<owes>(bob, {5});
    world.entity("Boat").child_of(fleet).is_a(hull).add<likes>(bob).add<likes>(ship);
    world.system<position>("sail").each([](position&) {});
}

void answer(ecs_http_server_t* server, const std::string& line, std::ostream& out) {
    const std::size_t space = line.find(' ');
    ecs_http_reply_t reply = ECS_HTTP_REPLY_INIT;
    ecs_http_server_request(server, line.substr(0, space).c_str(), line.substr(space + 1).c_str(), nullptr,
                            &reply);
    char* const body = ecs_strbuf_get(&reply.body);
    out << R"({"request": ")" << line << R"(", "status": )" << reply.code << R"(, "answer": )"
        << (body && *body != '\0' ? body : "null") << '}';
    ecs_os_free(body);
}

} // namespace

int main(int, char** arguments) {
    flecs::world world;
    world.import <flecs::stats>();
    describe(world);
    fill(world);
    world.progress(0.016F);
    const ecs_http_server_desc_t settings = {};
    ecs_http_server_t* const server = ecs_rest_server_init(world, &settings);
    std::ofstream out(arguments[1]); // Flecs writes to standard output.
    const char* separator = "[";
    for (std::string line; std::getline(std::cin, line); separator = ",\n") {
        out << separator;
        answer(server, line, out);
    }
    out << "]\n";
    ecs_rest_server_fini(server);
}
