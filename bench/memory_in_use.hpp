// SPDX-License-Identifier: MIT
// How much memory a process has, of the heap and of what is mapped beside it.
#pragma once
#include <fstream>
#include <malloc.h>
#include <stdexcept>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

/// Of the ranges of addresses that the system has promised no memory for, which no heap has: what was
/// touched.
inline double touched_beside_the_heap() {
    std::ifstream maps("/proc/self/smaps");
    double resident = 0, touched = 0;
    for (std::string line; std::getline(maps, line);) {
        if (line.starts_with("Rss:")) resident = std::stod(line.substr(4)) * 1024;
        if (line.starts_with("VmFlags:") && line.find(" nr") != std::string::npos) touched += resident;
    }
    return touched;
}

inline double memory_in_use() {
    const auto heap = mallinfo2();
    return static_cast<double>(heap.uordblks + heap.hblkhd) + touched_beside_the_heap();
}

/// What an earlier store has left to the heap, or keeps, does not count.
template <class Measure> double in_a_process_of_its_own(Measure measure) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe to the process that measures");
    const pid_t child = fork();
    if (child == 0) {
        const double measured = measure();
        _exit(write(ends[1], &measured, sizeof measured) == sizeof measured ? 0 : 1);
    }
    double measured = 0;
    int status = 0;
    const bool heard = read(ends[0], &measured, sizeof measured) == sizeof measured;
    if (waitpid(child, &status, 0) != child || status != 0 || !heard)
        throw std::runtime_error("the process that measures has failed");
    close(ends[0]);
    close(ends[1]);
    return measured;
}
