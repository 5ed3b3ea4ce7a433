// SPDX-License-Identifier: MIT
//
// Memory orders that a test weakens, one at a time, by name. The names come from the source of the library,
// see ecs_add_weakened_orders: none can be left out. Each is used at one place, which the test orders.* of
// tests/lint sees to; to weaken a name is therefore to weaken one operation.
#pragma once

#include <atomic>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace model {

/// A name, and the variable that the model reads where production has a constant.
struct weakened_name {
    const char* name;
    std::memory_order* order;
};

/// An order, and a weaker one to take its place.
struct weakening {
    std::string name;
    std::memory_order* order;
    std::memory_order to;

    friend void PrintTo(const weakening& w, std::ostream* out) { *out << w.name; }
};

/// Each order weakened by one step: what acquires and releases loses either.
template <class Names> std::vector<weakening> all_weakenings(const Names& names) {
    std::vector<weakening> all;
    for (const auto& [name, order] : names) {
        if (*order != std::memory_order_acq_rel) {
            all.push_back({name, order, std::memory_order_relaxed});
            continue;
        }
        all.push_back({name + std::string("_that_does_not_acquire"), order, std::memory_order_release});
        all.push_back({name + std::string("_that_does_not_release"), order, std::memory_order_acquire});
    }
    return all;
}

/// The weaker order holds while this lives.
class weaken {
  public:
    explicit weaken(const weakening& how) : order_(how.order), before_(std::exchange(*how.order, how.to)) {}
    weaken(const weaken&) = delete;
    weaken& operator=(const weaken&) = delete;
    ~weaken() { *order_ = before_; }

  private:
    std::memory_order* order_;
    std::memory_order before_;
};

} // namespace model
