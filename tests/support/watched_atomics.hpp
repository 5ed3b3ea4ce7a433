// SPDX-License-Identifier: MIT
// Atomics that count what is done to them, and before which a thread can be stopped.
#pragma once
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <gtest/gtest.h>
#include <latch>
#include <thread>

namespace test {

/// What this thread has done to atomics, and where it is to stop.
struct watch {
    std::size_t loads = 0, stores = 0, exchanges = 0;
    std::size_t stop_at = 0; // Before the so many-th access from now on; 0 is never.
    std::latch* stopped = nullptr;
    std::latch* go_on = nullptr;

    void access() {
        if (stop_at == 0) return;
        if (--stop_at != 0) return;
        stopped->count_down();
        go_on->wait();
    }
};
inline thread_local watch mine;

/// The atomics of Base, watched.
template <class Base> struct watched : Base {
    template <class T> struct atomic {
        typename Base::template atomic<T> cell;

        T load(std::memory_order order) const noexcept {
            mine.access();
            ++mine.loads;
            return cell.load(order);
        }
        void store(T desired, std::memory_order order) noexcept {
            mine.access();
            ++mine.stores;
            cell.store(desired, order);
        }
        T fetch_add(T amount, std::memory_order order) noexcept { return counted().fetch_add(amount, order); }
        T exchange(T desired, std::memory_order order) noexcept { return counted().exchange(desired, order); }
        T fetch_or(T bits, std::memory_order order) noexcept { return counted().fetch_or(bits, order); }
        T fetch_and(T bits, std::memory_order order) noexcept { return counted().fetch_and(bits, order); }
        bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                     std::memory_order failure) noexcept {
            return counted().compare_exchange_strong(expected, desired, success, failure);
        }

      private:
        /// The cell, for a read-modify-write.
        typename Base::template atomic<T>& counted() noexcept {
            mine.access();
            ++mine.exchanges;
            return cell;
        }
    };
};

/// Has a thread stop in an action before its n-th access, and others do something meanwhile, which is a
/// failure if it waits. Then the thread goes on to the end. False when the action was over before.
inline bool stop_before(std::size_t n, const std::function<void()>& action,
                        const std::function<void()>& meanwhile) {
    std::latch stopped(1), go_on(1);
    std::atomic<bool> finished = false;
    std::jthread stopping([&] {
        mine = {.stop_at = n, .stopped = &stopped, .go_on = &go_on};
        action();
        finished = mine.stop_at != 0;
        mine = {};
        if (finished) stopped.count_down();
    });
    stopped.wait();
    auto others = std::async(std::launch::async, meanwhile);
    EXPECT_EQ(others.wait_for(std::chrono::seconds(20)), std::future_status::ready)
        << "waits for a thread that stopped before access " << n;
    go_on.count_down();
    others.wait();
    stopping.join();
    return !finished;
}

} // namespace test
