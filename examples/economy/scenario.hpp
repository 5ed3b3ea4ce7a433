// SPDX-License-Identifier: MIT
// What an economy begins with, read from a JSON file. A file that is not right is refused with its line and
// field.
#pragma once
#include "json_error.hpp"
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace economy {

/// How many pieces of each good.
using amounts = std::map<std::string, int>;

struct town_plan {
    std::string name;
    std::vector<std::string> ships_to;
};

struct owner_plan {
    std::string name;
    std::vector<std::string> friends;
    amounts owns;
};

struct workshop_plan {
    std::string name, town, owner;
    amounts makes, uses; ///< In a day.
};

struct scenario {
    std::vector<std::string> goods;
    std::vector<town_plan> towns;
    std::vector<owner_plan> owners;
    std::vector<workshop_plan> workshops;
};

/// Reads the scenario of a file. Throws json_file::error.
[[nodiscard]] scenario load_scenario(const std::filesystem::path& file);

} // namespace economy
