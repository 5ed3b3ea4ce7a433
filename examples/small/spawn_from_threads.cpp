// SPDX-License-Identifier: MIT
// Several threads spawn entities at once, without a lock: they record, and a flush
// makes it so.
#include <iostream>
#include <thread>
#include <vector>
import ecs;

struct position {
    int x;
};

int main() {
    ecs::world world;
    {
        std::vector<std::jthread> workers;
        for (int w = 0; w < 4; ++w)
            workers.emplace_back([&world, w] {
                auto commands = world.commands(); // One for each thread.
                for (int i = 0; i < 1000; ++i)
                    commands.spawn(position{w * 1000 + i});
            });
    }
    std::cout << "before the flush: " << world.count<position>() << '\n';
    world.flush();
    std::cout << "after the flush: " << world.count<position>() << '\n';
}
