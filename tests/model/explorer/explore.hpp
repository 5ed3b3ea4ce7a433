// SPDX-License-Identifier: MIT
//
// Explores every execution of a small concurrent program.
//
//   const auto found = explorer::explore([] {
//       auto x = std::make_shared<explorer::atomic<int>>(0);                   // set-up, by one thread
//       return explorer::program{.threads = {[=] { x->store(1, std::memory_order_relaxed); },
//                                            [=] { x->store(2, std::memory_order_relaxed); }},
//                                .finish = [=] { explorer::require(x->load(std::memory_order_relaxed) != 0,
//                                "kept"); }};
//   });
//
// The file map: knowledge (what a thread knows) < operation < memory (which stores a load may see), search
// (which executions to run), fiber < runtime (runs them) < atomic (what programs are written with), blocks
// (where they keep it), shared (what tests add to them).
#pragma once

#include <functional>

#include "atomic.hpp"
#include "blocks.hpp"
#include "runtime.hpp"
#include "shared.hpp"

namespace explorer {

/// Runs `make` and the program it returns once for each execution, until one fails, all are seen, or a limit
/// is met.
inline report explore(const std::function<program()>& make, limits bounds = {}) {
    return runtime(bounds).explore(make);
}

} // namespace explorer
