// SPDX-License-Identifier: MIT
// The battle as a picture: the field at the end, and the population of every platoon over time. Include it
// after the import.
#pragma once
#include <filesystem>

import ecs;

#include "battle.hpp"

namespace skirmish {

/// Writes an SVG file. Throws std::runtime_error when the file cannot be written.
void draw(battle& of, const std::filesystem::path& file);

} // namespace skirmish
