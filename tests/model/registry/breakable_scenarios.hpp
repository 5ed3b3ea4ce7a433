// SPDX-License-Identifier: MIT
//
// Every scenario over atomics of which any one thing can be broken while the program runs. They are compiled
// once, for the tests of the registry as it is and for those of its mutants.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "explorer/explore.hpp"

import ecs.registry;

#include "modelled_atomics.hpp"
#include "registry_orders.hpp"
#include "stage.hpp"

namespace model {

/// Read-modify-writes that go wrong, one kind at a time: load and store, so that another thread's change
/// between the two is lost.
struct flaw {
    enum class kind : std::uint8_t {
        none,
        slot,        ///< Destroying.
        pointer,     ///< Publishing pages, nodes and lanes.
        shared_lane, ///< Entering and searching.
        key_lane,    ///< Taking the lane of a key.
        counter,     ///< Drawing blocks, and putting loose nodes.
        put,         ///< Of nodes and lanes into sets.
        take,        ///< Of nodes and lanes out of sets.
        take_loose,
        generation, ///< No read-modify-write: a slot that is written keeps its generation.
        hints,      ///< No flaw: laws hold whatever a hint says.
    };
    inline static kind now = kind::none;

    static bool keeps_generation() { return now == kind::generation; }

    template <class T> static bool same(const T& a, const T& b) { return explorer::flawless::same(a, b); }
    template <class T> static bool torn(std::string_view verb) {
        return now == (std::is_pointer_v<T>              ? kind::pointer
                       : std::is_same_v<T, std::uint8_t> ? kind::slot
                       : sizeof(T) != 4                  ? kind_of_word(verb)
                       : verb == "exchange"              ? kind::key_lane
                                                         : kind::shared_lane);
    }

  private:
    static kind kind_of_word(std::string_view verb) {
        return verb == "or"         ? kind::put
               : verb == "and"      ? kind::take
               : verb == "exchange" ? kind::take_loose
                                    : kind::counter;
    }
};

/// A hint that can be made to say that there is nothing anywhere, whatever was said.
template <class T> struct doubtful_hint : latest_hint<T> {
    T get() const { return flaw::now == flaw::kind::hints ? static_cast<T>(~T{}) : latest_hint<T>::get(); }
};

using breakable = modelled_atomics<registry_orders_as_variables, flaw, doubtful_hint>;

/// All that all_scenarios.hpp lists.
std::vector<scenario> breakable_scenarios();

/// Of these, those that say nothing of which index is used again: that is a matter of hints.
std::vector<scenario> breakable_scenarios_of_any_index();

} // namespace model
