// SPDX-License-Identifier: MIT
// An event that goes up: a click on a label is a click on the button around it.
#include <iostream>
import ecs;

struct click {
    static constexpr bool is_event = true;
    int button;
};

int main() {
    ecs::world world;
    const ecs::entity window = world.spawn("Window");
    const ecs::entity button =
        world.spawn("Button", ecs::pair(ecs::child_of, window));
    const ecs::entity label =
        world.spawn("Label", ecs::pair(ecs::child_of, button));

    world.observe<click>(
        [&](const ecs::event_context& what, const click& c) {
            std::cout << "mouse button " << c.button << " at the button\n";
            what.stop(); // The window is not told.
        },
        {.only = button});
    world.observe<click>([](const click&) { std::cout << "at the window\n"; },
                         {.only = window});

    world.emit(label, click{1}, ecs::propagate_to_parents);
    world.emit(window, click{1}, ecs::propagate_to_parents);
}
