// SPDX-License-Identifier: MIT
// A menu and a game: systems that run in one state only, and when the state
// changes.
#include <iostream>
import ecs;

enum class mode : unsigned char { menu, game };

int main() {
    ecs::world world;
    ecs::schedule schedule;
    schedule.state(mode::menu);
    schedule.add("wait for a key",
                 [](ecs::resource<ecs::state<mode>> m) {
                     std::cout << "menu\n";
                     m->go_to(mode::game);
                 },
                 {.run_if = ecs::in_state(mode::menu)});
    schedule.add("load", [](ecs::world&) { std::cout << "load the level\n"; },
                 {.run_if = ecs::on_enter(mode::game)});
    schedule.add("play", [](ecs::world&) { std::cout << "play\n"; },
                 {.after = {"load"}, .run_if = ecs::in_state(mode::game)});

    for (int i = 0; i < 3; ++i) schedule.run(world);
}
