// SPDX-License-Identifier: MIT
#include "save_file.hpp"
#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

namespace server {

namespace {

constexpr const char* first_word = "mine-save-1";

std::string head_of(const match_plan& plan) {
    std::ostringstream line;
    line << first_word << ' ' << plan.players << ' ' << plan.ticks << ' ' << plan.lag << ' ' << plan.seed
         << '\n';
    return line.str();
}

match_plan read_head(const std::string& line, const std::filesystem::path& file) {
    std::istringstream words(line);
    std::string first;
    match_plan plan;
    words >> first >> plan.players >> plan.ticks >> plan.lag >> plan.seed;
    if (!words || first != first_word || !is_sound(plan))
        throw save_error(file, "is not a saved match; write one with --save");
    return plan;
}

} // namespace

void write_save(const std::filesystem::path& file, const saved_match& saved) {
    std::ofstream out(file, std::ios::binary);
    out << head_of(saved.plan);
    out.write(reinterpret_cast<const char*>(saved.world.data()),
              static_cast<std::streamsize>(saved.world.size()));
    if (!out.flush()) throw save_error(file, "cannot be written; choose another place with --save");
}

saved_match read_save(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string head;
    if (!std::getline(in, head)) throw save_error(file, "cannot be read; write a match with --save first");
    saved_match saved{read_head(head, file), {}};
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    std::ranges::transform(bytes, std::back_inserter(saved.world),
                           [](char c) { return static_cast<std::byte>(c); });
    return saved;
}

} // namespace server
