// SPDX-License-Identifier: MIT
// The live process table of the machine, as /proc shows it (proc(5)).
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace processes {

struct process_row {
    std::uint32_t pid{};
    std::uint32_t parent{};
    std::uint64_t started{};  ///< Clock ticks after boot: with the pid, this names one process for ever.
    std::uint64_t cpu{};      ///< Clock ticks of processor time used so far.
    std::uint64_t resident{}; ///< Bytes of memory in use.
    std::uint32_t user{};
    std::string command;
};

/// Every process that can be read now, in the order of their pids. A process may end while it is read; it is
/// left out.
[[nodiscard]] std::vector<process_row> read_process_table(const std::filesystem::path& proc = "/proc");

/// The user's name, or the number where there is none.
[[nodiscard]] std::string user_name(std::uint32_t user);

} // namespace processes
