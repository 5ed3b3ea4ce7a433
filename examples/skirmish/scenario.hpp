// SPDX-License-Identifier: MIT
// What a battle begins with, read from a JSON file. A file that is not right is refused with its line and
// field.
#pragma once
#include "json_error.hpp"
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace skirmish {

struct platoon_plan {
    std::string name;
    unsigned units{};
    float x{}, y{}, spread{};
    unsigned reinforcements{}; ///< Units that arrive in each round, spread over its ticks.
};

struct ship_plan {
    std::string name;
    float x{}, y{};
    unsigned turrets{};
};

struct army_plan {
    std::string name;
    std::string colour;    ///< As SVG writes it.
    std::string partition; ///< Of the network ids of its units: "client" or "server".
    std::vector<platoon_plan> platoons;
    std::vector<ship_plan> ships;
};

struct buff_plan {
    unsigned every{}; ///< Ticks of a round.
    unsigned lasts{}; ///< Ticks a buff holds.
    int shield{};     ///< Hits a shield takes.
    float haste{};    ///< Factor of the speed.
};

struct scenario {
    std::string name;
    std::uint64_t seed{};
    unsigned ticks{};
    float width{}, height{};
    buff_plan buff;
    std::vector<army_plan> armies;
};

/// The file cannot be read or is not a scenario; the text begins with file, line and field.
using scenario_error = json_file::error;

/// Reads the scenario of a file. Throws scenario_error.
[[nodiscard]] scenario load_scenario(const std::filesystem::path& file);

} // namespace skirmish
