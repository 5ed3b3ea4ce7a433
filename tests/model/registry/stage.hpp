// SPDX-License-Identifier: MIT
//
// What a scenario is made of: a registry, handles for its threads, and identifiers that set-up left.
#pragma once

#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

import ecs.registry;

#include "subject.hpp"

namespace model {

struct scenario {
    std::string_view name;
    std::function<explorer::program()> make;
    bool takes_a_minute = false; ///< All of its executions are seen by `./dev model` only.

    friend void PrintTo(const scenario& s, std::ostream* out) { *out << s.name; }
};

/// A registry under the laws, a handle for each of some threads, and identifiers that set-up left.
template <class Subject> struct stage_of {
    using handle = typename Subject::handle;

    Subject s;
    std::vector<std::optional<handle>> hands;
    std::vector<id> given;

    explicit stage_of(std::size_t handles = 2) {
        for (std::size_t n = 0; n < handles; ++n) hands.emplace_back(s.registry.local());
    }
    handle& hand(std::size_t n) { return *hands[n]; }

    /// Pages, nodes, and lanes for two handles at once exist before the threads begin.
    void prepare() {
        s.registry.reserve(indices);
        const auto one = s.registry.local(), two = s.registry.local();
    }
    id make() { return given.emplace_back(*s.create(s.registry)); }
    void make_all_but(std::uint64_t left) {
        for (std::uint64_t n = left; n < indices; ++n) make();
    }
    /// The identifier the next walk issues, which a thread may guess: in a page that exists, so that finding
    /// the page tells nothing of the creator.
    id make_guessable() {
        make(), make();
        return id::assume_word(0b01'011);
    }
    void settle() {
        hands.clear();
        s.settle();
    }
    /// Puts so many indices into the depot, each in a node of its own where a batch is one.
    void fill_depot(std::size_t count) {
        std::vector<id> made;
        auto temporary = s.registry.local();
        for (std::size_t n = 0; n < count; ++n) made.push_back(*s.create(temporary));
        for (const id i : made) s.destroy_own(temporary, i);
    }
};

/// The threads on the stage, and the laws at the end.
template <class Stage>
explorer::program play(const std::shared_ptr<Stage>& st, std::vector<std::function<void()>>&& threads) {
    return {.threads = std::move(threads), .finish = [st] { st->settle(); }};
}

/// Two threads create and destroy twice each what there is to be created.
template <class Stage> explorer::program both_spend_what_is_left(const std::shared_ptr<Stage>& st) {
    const auto spend = [st](std::size_t n) {
        return [st, n] {
            for (int turn = 0; turn < 2; ++turn)
                if (auto i = st->s.create(st->hand(n))) st->s.destroy_own(st->hand(n), *i);
            st->hand(n).flush();
        };
    };
    return play(st, {spend(0), spend(1)});
}

/// A program that lets one allocation of the thread fail, at each place in turn.
template <class Action> void with_one_failing_allocation(Action action) {
    const explorer::failing_allocations scarce(1);
    try {
        action();
    } catch (const std::bad_alloc&) {
        explorer::note("had no memory");
    }
}

} // namespace model
