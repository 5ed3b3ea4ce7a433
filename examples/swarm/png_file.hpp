// SPDX-License-Identifier: MIT
#pragma once
#include "canvas.hpp"
#include <filesystem>

namespace swarm {

/// Writes what the canvas shows as a PNG file with a palette. Throws std::runtime_error when that fails.
void write_png(canvas& from, const std::filesystem::path& file);

} // namespace swarm
