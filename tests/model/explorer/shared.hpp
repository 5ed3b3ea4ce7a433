// SPDX-License-Identifier: MIT
//
// What a test program adds to the program under exploration: state of its own, choices, and allocations that
// fail.
//
//   shared<T>              a record that several threads keep: what was issued, who was released
//   choose(n)              a number below n; the search tries each
//   failing_allocations    memory that may run out
//
// An access to a shared<T> is a step like one to an atomic. A test that kept such state in an ordinary
// variable would see only some of the orders in which threads reach it: the search leaves out executions that
// differ in nothing it knows of. Unlike an atomic a shared<T> orders nothing else. All threads see its
// changes in one order, and an acquire that is missing in the program under exploration is missing still.
#pragma once

#include <utility>

#include "runtime.hpp"

namespace explorer {

template <class T> class shared {
  public:
    shared() : shared(T{}) {}
    explicit shared(T value) : location_(runtime::current().create_shared()), value_(std::move(value)) {}
    shared(const shared&) = delete;
    shared& operator=(const shared&) = delete;

    /// Returns look(value), which is one step and uses no atomic and no shared state.
    template <class Look> auto read(Look look) const {
        runtime::current().pass({access::load, location_});
        return look(value_);
    }
    /// The same, of a value that may be changed.
    template <class Change> auto change(Change change) {
        runtime::current().pass({access::read_modify_write, location_});
        return change(value_);
    }

    operator T() const {
        return read([](const T& value) { return value; });
    }
    shared& operator=(T value) {
        change([&](T& mine) { mine = std::move(value); });
        return *this;
    }

  private:
    location_id location_;
    T value_;
};

/// A number below `options`, of which the search tries each. 0 in set-up.
inline unsigned choose(unsigned options) { return runtime::current().choose_freely(options); }

/// While it lives, at most so many allocations of its thread fail. The search tries each of them.
class failing_allocations {
  public:
    explicit failing_allocations(unsigned most) { runtime::current().failures_left() = most; }
    failing_allocations(const failing_allocations&) = delete;
    failing_allocations& operator=(const failing_allocations&) = delete;
    ~failing_allocations() { runtime::current().failures_left() = 0; }
};

/// Whether the allocation that the running thread is about to make fails. For modelled allocators.
inline bool allocation_fails() {
    unsigned& left = runtime::current().failures_left();
    if (left == 0 || choose(2) == 0) return false;
    --left;
    runtime::current().note("an allocation fails");
    return true;
}

} // namespace explorer
