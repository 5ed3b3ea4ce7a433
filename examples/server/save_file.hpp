// SPDX-License-Identifier: MIT
// A saved match: a line of text that says which match it is, and the bytes of the world. The line comes first
// because the world that loads the bytes has to have a key for each of the players.
#pragma once
#include "orders.hpp"
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace server {

struct saved_match {
    match_plan plan;
    std::vector<std::byte> world;
};

/// The text begins with the name of the file.
struct save_error : std::runtime_error {
    save_error(const std::filesystem::path& file, const std::string& why)
        : std::runtime_error(file.string() + ": " + why) {}
};

/// Both throw save_error.
void write_save(const std::filesystem::path& file, const saved_match& saved);
[[nodiscard]] saved_match read_save(const std::filesystem::path& file);

} // namespace server
