// SPDX-License-Identifier: MIT
#include "process_table.hpp"
#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <pwd.h>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace processes {

namespace {

std::optional<std::uint32_t> as_number(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return number;
}

/// The fields of /proc/PID/stat after the command, which stands in brackets and may hold any character.
void read_fields(std::istream& fields, process_row& row) {
    std::string state, skipped;
    std::uint64_t user_time = 0, system_time = 0, pages = 0;
    fields >> state >> row.parent;
    for (int field = 5; field <= 13; ++field) fields >> skipped;
    fields >> user_time >> system_time;
    for (int field = 16; field <= 21; ++field) fields >> skipped;
    fields >> row.started >> skipped >> pages;
    row.cpu = user_time + system_time;
    row.resident = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::optional<process_row> read_process(const std::filesystem::path& folder, std::uint32_t pid) {
    std::ifstream in(folder / "stat");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::size_t open = text.find('('), close = text.rfind(')');
    struct ::stat owner{};
    if (open == std::string::npos || close == std::string::npos || ::stat(folder.c_str(), &owner) != 0)
        return std::nullopt;
    process_row row{pid, 0, 0, 0, 0, owner.st_uid, text.substr(open + 1, close - open - 1)};
    std::istringstream fields(text.substr(close + 1));
    read_fields(fields, row);
    return fields ? std::optional(row) : std::nullopt;
}

} // namespace

std::vector<process_row> read_process_table(const std::filesystem::path& proc) {
    std::vector<process_row> rows;
    for (const auto& folder : std::filesystem::directory_iterator(proc))
        if (const auto pid = as_number(folder.path().filename().string()))
            if (auto row = read_process(folder.path(), *pid)) rows.push_back(std::move(*row));
    std::ranges::sort(rows, {}, &process_row::pid);
    return rows;
}

std::string user_name(std::uint32_t user) {
    const ::passwd* const known = ::getpwuid(user);
    return known ? known->pw_name : std::to_string(user);
}

} // namespace processes
