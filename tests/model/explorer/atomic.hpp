// SPDX-License-Identifier: MIT
//
// What a program under exploration is written with: explorer::atomic, explorer::plain and explorer::require.
//
// atomic<T, Flaw> behaves as std::atomic<T> does, within the limits memory.hpp states. A Flaw bends it, to
// see that the bending is found: `same` replaces the comparison inside compare_exchange, `torn` makes a
// read-modify-write of that name two steps. plain<T> is a variable that is not atomic: two accesses of
// different threads, one of them a write, that nothing orders are a data race in every execution in which
// both happen, whatever order they happen in (FastTrack: Flanagan, Freund 2009).
#pragma once

#include <atomic>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>

#include "runtime.hpp"

namespace explorer {

/// Fails the execution being explored unless `holds`.
inline void require(bool holds, const char* what) {
    if (!holds) runtime::current().fail(what);
}

/// Writes a line into the trace that a failure prints.
inline void note(std::string text) { runtime::current().note(std::move(text)); }

/// How a trace calls the atomics of a type; specialise it for types of your own.
template <class T> inline constexpr const char* label = "atomic";
template <class T> inline constexpr const char* label<T*> = "pointer";

template <class T> std::uint64_t to_bits(const T& value) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t) && std::is_trivially_copyable_v<T>);
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    return bits;
}

template <class T> T from_bits(std::uint64_t bits) {
    T value;
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

struct flawless {
    template <class T> static bool same(const T& a, const T& b) { return to_bits(a) == to_bits(b); }
    template <class T> static bool torn(std::string_view) { return false; }
};

template <class T, class Flaw = flawless> class atomic {
  public:
    atomic() : atomic(T{}) {}
    explicit atomic(T value) : location_(runtime::current().create(to_bits(value), label<T>)) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    ~atomic() { runtime::current().destroy(location_); }

    T load(std::memory_order order) const { return from_bits<T>(runtime::current().load(location_, order)); }
    void store(T value, std::memory_order order) {
        runtime::current().store(location_, to_bits(value), order);
    }

    T exchange(T value, std::memory_order order) {
        return update("exchange", order, [&](T) { return value; });
    }
    T fetch_add(T value, std::memory_order order) {
        return update("add", order, [&](T old) { return static_cast<T>(old + value); });
    }
    T fetch_sub(T value, std::memory_order order) {
        return update("subtract", order, [&](T old) { return static_cast<T>(old - value); });
    }
    T fetch_or(T value, std::memory_order order) {
        return update("or", order, [&](T old) { return static_cast<T>(old | value); });
    }
    T fetch_and(T value, std::memory_order order) {
        return update("and", order, [&](T old) { return static_cast<T>(old & value); });
    }

    bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                                 std::memory_order failure) {
        if (Flaw::template torn<T>("compare")) return torn_exchange(expected, desired, success, failure);
        const auto same = [](std::uint64_t a, std::uint64_t b) {
            return Flaw::same(from_bits<T>(a), from_bits<T>(b));
        };
        const auto got = runtime::current().compare_exchange(location_, to_bits(expected), to_bits(desired),
                                                             success, failure, same);
        if (!got.exchanged) expected = from_bits<T>(got.read);
        return got.exchanged;
    }

  private:
    bool torn_exchange(T& expected, T desired, std::memory_order success, std::memory_order failure) {
        const T found = load(acquires(success) ? std::memory_order_acquire : failure);
        if (!Flaw::same(found, expected)) return expected = found, false;
        store(desired, releasing_part(success));
        return true;
    }

    template <class Change> T update(const char* verb, std::memory_order order, Change change) {
        if (Flaw::template torn<T>(verb)) return torn_update(order, change);
        return from_bits<T>(runtime::current().update(
            location_, order, verb, [&](std::uint64_t old) { return to_bits(change(from_bits<T>(old))); }));
    }
    template <class Change> T torn_update(std::memory_order order, Change change) {
        const T found = load(acquires(order) ? std::memory_order_acquire : std::memory_order_relaxed);
        store(change(found), releasing_part(order));
        return found;
    }
    static constexpr std::memory_order releasing_part(std::memory_order order) {
        return releases(order) ? std::memory_order_release : std::memory_order_relaxed;
    }

    location_id location_;
};

template <class T> class plain {
  public:
    plain() : plain(T{}) {}
    plain(T value) : value_(value) { wrote(); }
    plain(const plain& other) : plain(static_cast<T>(other)) {}
    plain& operator=(const plain& other) {
        *this = static_cast<T>(other);
        return *this;
    }
    plain& operator=(T value) {
        check(readers_, "a plain variable is written while another thread reads it");
        check_write();
        value_ = value;
        wrote();
        return *this;
    }
    operator T() const {
        check_write();
        readers_.note(runtime::current().running_thread(), runtime::current().now());
        return value_;
    }
    plain& operator++() { return *this = static_cast<T>(*this + 1); }
    plain& operator--() { return *this = static_cast<T>(*this - 1); }

  private:
    void check(const vector_clock& others, const char* what) const {
        if (!runtime::current().clock().covers(others)) runtime::current().fail(what);
    }
    void check_write() const {
        if (!runtime::current().clock().covers(writer_, written_))
            runtime::current().fail("a plain variable is used that another thread writes: data race");
    }
    void wrote() {
        writer_ = runtime::current().running_thread();
        written_ = runtime::current().now();
        readers_ = {};
    }

    T value_;
    thread_id writer_ = 0;
    std::uint16_t written_ = 0;
    mutable vector_clock readers_;
};

} // namespace explorer
