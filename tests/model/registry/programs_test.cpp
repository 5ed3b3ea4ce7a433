// SPDX-License-Identifier: MIT
//
// All programs of a few operations: nobody has to think of the bad one. Every thread runs a sequence of
// operations out of an alphabet; programs that differ in the order of their threads are the same; each runs
// from several beginnings. `ECS_MODEL_LONG=1` (./dev model) makes the sequences and the threads more.
// Programs with more executions than the limit are counted as truncated, and are not claimed to be checked.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explorer/explore.hpp"

import ecs.registry;

#include "subject.hpp"

namespace {

/// As model::geometry, with pages that hold half of the indices.
struct roomy : model::geometry {
    static constexpr unsigned page_bits = 2;
    static constexpr unsigned chunk_bits = page_bits;
};

/// Atomics that leave the registry as many addresses as the beginning of a program says.
struct atomics : modelled_atomics<ecs::registry_orders> {
    inline static bool short_of_addresses = false;

    template <class T> static T* try_reserve() {
        return short_of_addresses ? nullptr : modelled_atomics<ecs::registry_orders>::try_reserve<T>();
    }
};

using registry = model::subject<atomics, ecs::retire, roomy>;
using handle = registry::handle;
using model::id;

enum class operation : std::uint8_t { create, destroy_own, destroy_shared, ask, renew };
using sequence = std::vector<operation>;

constexpr std::array names{"create", "destroy own", "destroy shared", "ask", "renew"};

enum class beginning : std::uint8_t { fresh, fresh_in_pages, depot_filled, almost_exhausted, almost_spent };
constexpr std::array beginnings{beginning::fresh, beginning::fresh_in_pages, beginning::depot_filled,
                                beginning::almost_exhausted, beginning::almost_spent};

/// One thread's state: a handle, and the identifiers that are its own.
struct actor {
    std::optional<handle> hand;
    std::vector<id> own;
};

struct stage {
    registry s;
    id shared;
    std::vector<actor> actors;

    stage(beginning from, std::size_t threads) : shared(*s.create(s.registry)), actors(threads) {
        prepare(from);
        for (actor& a : actors) a.hand.emplace(s.registry.local());
    }

    void prepare(beginning from) {
        if (from == beginning::almost_exhausted)
            for (std::uint64_t n = 2; n < model::indices; ++n) (void)s.create(s.registry);
        if (from == beginning::depot_filled) recycle(2);
        if (from == beginning::almost_spent)
            for (int turn = 0; turn < 2; ++turn) recycle(2);
    }

    void recycle(std::size_t count) {
        auto temporary = s.registry.local();
        std::vector<id> made;
        for (std::size_t n = 0; n < count; ++n) made.push_back(*s.create(temporary));
        for (const id i : made) s.destroy_own(temporary, i);
    }

    void run(actor& a, operation what) {
        switch (what) {
        case operation::create:
            if (const auto made = s.create(*a.hand)) a.own.push_back(*made);
            return;
        case operation::destroy_own:
            if (a.own.empty()) return;
            s.destroy_own(*a.hand, a.own.back());
            a.own.pop_back();
            return;
        case operation::destroy_shared: s.destroy(*a.hand, shared); return;
        case operation::ask: s.alive(shared); return;
        case operation::renew:
            a.hand.reset();
            a.hand.emplace(s.registry.local());
            return;
        }
    }

    void settle() {
        actors.clear();
        s.settle();
    }
};

explorer::program play(beginning from, const std::vector<sequence>& threads) {
    atomics::short_of_addresses = from == beginning::fresh_in_pages;
    auto st = std::make_shared<stage>(from, threads.size());
    explorer::program p;
    for (std::size_t n = 0; n < threads.size(); ++n)
        p.threads.emplace_back([st, n, &threads] {
            for (const operation what : threads[n]) st->run(st->actors[n], what);
        });
    p.finish = [st] { st->settle(); };
    return p;
}

/// All sequences of so many operations out of the first so many of the alphabet.
std::vector<sequence> sequences(std::size_t length, std::size_t alphabet) {
    std::vector<sequence> all{{}};
    for (std::size_t n = 0; n < length; ++n) {
        std::vector<sequence> longer;
        for (const sequence& s : all)
            for (std::size_t o = 0; o < alphabet; ++o) {
                longer.push_back(s);
                longer.back().push_back(static_cast<operation>(o));
            }
        all = std::move(longer);
    }
    return all;
}

/// All ways to give so many threads a sequence each, leaving out mere exchanges of threads.
void for_each_program(const std::vector<sequence>& all, std::size_t threads, std::size_t from,
                      std::vector<sequence>& chosen,
                      const std::function<void(const std::vector<sequence>&)>& visit) {
    if (chosen.size() == threads) return visit(chosen);
    for (std::size_t n = from; n < all.size(); ++n) {
        chosen.push_back(all[n]);
        for_each_program(all, threads, n, chosen, visit);
        chosen.pop_back();
    }
}

std::string text(const std::vector<sequence>& threads) {
    std::string lines;
    for (const sequence& s : threads) {
        lines += "thread:";
        for (const operation o : s) lines += std::string(" ") + names[static_cast<std::size_t>(o)] + ',';
        lines += '\n';
    }
    return lines;
}

struct scope {
    std::size_t threads, length, alphabet, limit;
};

struct tally {
    std::size_t programs = 0, executions = 0, redundant = 0, truncated = 0;
};

tally check(const scope& of) {
    tally sum;
    std::vector<sequence> chosen;
    const auto visit = [&](const std::vector<sequence>& threads) {
        for (const beginning from : beginnings) {
            const auto result =
                explorer::explore([&] { return play(from, threads); }, {.executions = of.limit});
            ++sum.programs;
            sum.executions += result.executions;
            sum.redundant += result.redundant;
            sum.truncated += result.truncated;
            ASSERT_FALSE(result.failed())
                << text(threads) << "from beginning " << static_cast<int>(from) << '\n'
                << result.failure << '\n'
                << result.trace;
        }
    };
    for_each_program(sequences(of.length, of.alphabet), of.threads, 0, chosen, visit);
    std::printf("%zu threads x %zu operations: %zu programs, %zu executions (%zu redundant), %zu programs "
                "truncated at %zu\n",
                of.threads, of.length, sum.programs, sum.executions, sum.redundant, sum.truncated, of.limit);
    return sum;
}

bool asked_for_more() { return std::getenv("ECS_MODEL_LONG") != nullptr; }

TEST(AllPrograms, of_two_threads_and_two_operations_keep_every_law) {
    const tally sum = check({.threads = 2, .length = 2, .alphabet = names.size(), .limit = 300'000});
    EXPECT_EQ(sum.programs, 325U * beginnings.size());
    EXPECT_EQ(sum.truncated, 0U);
}

TEST(AllPrograms, of_two_threads_and_three_operations_keep_every_law) {
    if (!asked_for_more()) GTEST_SKIP() << "takes minutes: set ECS_MODEL_LONG";
    check({.threads = 2, .length = 3, .alphabet = 4, .limit = 300'000});
}

TEST(AllPrograms, of_three_threads_and_two_operations_keep_every_law) {
    if (!asked_for_more()) GTEST_SKIP() << "takes minutes: set ECS_MODEL_LONG";
    check({.threads = 3, .length = 2, .alphabet = 4, .limit = 100'000});
}

} // namespace
