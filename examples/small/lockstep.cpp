// SPDX-License-Identifier: MIT
// The same inputs give the same world and the same identifiers, on any number of
// threads.
#include <cstdint>
#include <iostream>
#include <thread>
#include <vector>
import ecs;

struct unit {
    std::uint32_t job;
};

std::uint64_t checksum(unsigned threads) {
    constexpr std::uint32_t jobs = 8;
    ecs::world world;
    world.make_deterministic(jobs);
    {
        std::vector<std::jthread> workers;
        for (unsigned t = 0; t < threads; ++t)
            workers.emplace_back([&world, t, threads] {
                for (std::uint32_t job = t; job < jobs; job += threads) {
                    auto commands = world.commands(
                        job); // The key decides, and not which thread is faster.
                    for (int i = 0; i < 100; ++i) commands.spawn(unit{job});
                }
            });
    }
    world.flush();
    std::uint64_t sum = 0;
    world.each([&](ecs::entity e, const unit& u) {
        sum = sum * 31 + e.index() * 7 + u.job;
    });
    return sum;
}

int main() {
    const std::uint64_t alone = checksum(1);
    std::cout << (checksum(2) == alone && checksum(4) == alone ? "the same"
                                                               : "different")
              << '\n';
}
