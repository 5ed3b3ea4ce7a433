// SPDX-License-Identifier: MIT
// The rules as a schedule: what happens in a turn, in which order, and when the
// game is over.
#pragma once
#include <iostream>
#include <string_view>
import ecs;

#include "bats.hpp"

enum class mode : unsigned char { playing, over };

struct keys { // What is still to be pressed.
    std::string_view left;
};

inline void add_turn(ecs::schedule& rules) {
    const auto press = [](ecs::world& world) {
        std::string_view& left = world.singleton<keys>().left;
        if (left.empty()) return;
        act(world, left.front());
        left.remove_prefix(1);
    };
    const ecs::system_options while_playing{.run_if = ecs::in_state(mode::playing)};
    rules.phase("hero").add("press", press, while_playing);
    rules.phase("bats")
        .add(
            "fly",
            [](ecs::world& w) { w.each([&](place& p, bat& b) { fly(w, p, b); }); },
            while_playing)
        .add("bite", [](ecs::world& w) { bite_hero(w); }, while_playing);
}

inline void add_ending(ecs::schedule& rules) {
    const auto judge = [](const ecs::world& w, ecs::resource<const keys> k,
                          ecs::resource<ecs::state<mode>> m) {
        int points = 0;
        w.each([&](const health& h) { points = h.points; });
        if (points <= 0 || k->left.empty()) m->go_to(mode::over);
    };
    rules.state(mode::playing);
    rules.phase("end")
        .add("judge", judge)
        .add("credits",
             [](ecs::world& w) {
                 std::cout << "the end, with gold: " << gold(w) << '\n';
             },
             {.run_if = ecs::on_enter(mode::over)});
}
