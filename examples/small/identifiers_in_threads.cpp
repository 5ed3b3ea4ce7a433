// SPDX-License-Identifier: MIT
// Identifiers from many threads at once, without a lock and without one being given
// out twice.
#include <iostream>
#include <set>
#include <thread>
#include <vector>
import ecs;

int main() {
    ecs::concurrent_registry ids;
    std::vector<std::vector<ecs::entity>> made(4);
    {
        std::vector<std::jthread> workers;
        for (auto& mine : made)
            workers.emplace_back([&] {
                for (int i = 0; i < 10'000; ++i) mine.push_back(ids.create());
            });
    }
    std::set<ecs::entity> all;
    for (const auto& some : made) all.insert(some.begin(), some.end());
    std::cout << all.size() << " different identifiers\n";
}
