// SPDX-License-Identifier: MIT
//
// Programs in which one thread asks while others create and destroy. Each way to ask carries the letter that
// the creator or destroyer wrote before.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

import ecs.registry;

#include "stage.hpp"

namespace model {

template <class Atomics> struct reading_scenarios {
    struct payload {
        int number;
    };
    using registry = subject<Atomics, ecs::retire, geometry, payload>;
    using registry_type = typename registry::registry_type;
    using stage = stage_of<registry>;

    // Ways to see that an identifier lives. That it does not is the opposite, for one that lived before.

    static bool by_asking(const registry_type& r, id i) { return r.alive(i); }
    static bool by_status(const registry_type& r, id i) { return r.status(i) == ecs::id_status::live; }
    static bool by_index(const registry_type& r, id i) {
        const std::optional<id> living = r.live_at(i.index());
        return living && *living == i;
    }
    static bool by_payload(const registry_type& r, id i) { return r.find_payload(i) != nullptr; }
    static bool by_list(const registry_type& r, id i) {
        const std::vector<id> all = r.live();
        return std::ranges::find(all, i) != all.end();
    }

    /// What the creator, or the destroyer, wrote before is visible to a thread that sees the identifier live,
    /// or dead.
    template <bool (*Lives)(const registry_type&, id)> static explorer::program seen_live() {
        auto st = std::make_shared<stage>(1);
        const id next = st->make_guessable();
        auto letter = std::make_shared<explorer::plain<int>>(0);
        return play(st, {[=] {
                             *letter = 1;
                             st->s.create(st->hand(0));
                         },
                         [=] {
                             if (Lives(st->s.registry, next))
                                 explorer::require(*letter == 1, "the creator's letter is not there");
                         }});
    }

    template <bool (*Lives)(const registry_type&, id)> static explorer::program seen_dead() {
        auto st = std::make_shared<stage>(1);
        const id victim = st->make();
        auto letter = std::make_shared<explorer::plain<int>>(0);
        return play(st, {[=] {
                             *letter = 1;
                             st->s.destroy_own(st->hand(0), victim);
                         },
                         [=] {
                             if (!Lives(st->s.registry, victim))
                                 explorer::require(*letter == 1, "the destroyer's letter is not there");
                         }});
    }

    /// Of an index that another thread is about to use for the first time, and whose page it is making where
    /// there are pages.
    template <bool (*Lives)(const registry_type&, id)> static explorer::program asked_of_a_new_index() {
        auto st = std::make_shared<stage>(1);
        return play(st, {[=] { st->s.create(st->hand(0)); },
                         [=] { Lives(st->s.registry, id::assume_word(0b01'001)); }});
    }

    /// What lives all the time is listed once, in order, among those that may live.
    static explorer::program listed_beside_others() {
        auto st = std::make_shared<stage>(1);
        const id stays = st->make(), goes = st->make();
        return play(st,
                    {[=] {
                         st->s.destroy_own(st->hand(0), goes);
                         st->hand(0).flush();
                         st->s.create(st->hand(0));
                     },
                     [=] {
                         const std::vector<id> all = st->s.registry.live();
                         explorer::require(std::ranges::count(all, stays) == 1, "what lives is listed once");
                         explorer::require(std::ranges::is_sorted(all, {}, [](id i) { return i.index(); }),
                                           "what lives is listed in order");
                         explorer::require(all.size() <= 2, "more is listed than ever lived at once");
                     }});
    }

    static explorer::program counted_beside_others() {
        auto st = std::make_shared<stage>(1);
        st->make();
        const id goes = st->make();
        return play(st, {[=] {
                             st->s.destroy_own(st->hand(0), goes);
                             st->s.create(st->hand(0));
                         },
                         [=] { require_sound(st->s.registry.counts()); }});
    }
    static void require_sound(const ecs::index_counts& seen) {
        explorer::require(seen.capacity == indices, "the capacity is miscounted");
        explorer::require(seen.live + seen.free + seen.retired <= seen.capacity, "an index is counted twice");
        explorer::require(seen.live >= 1 && seen.live <= 2, "the live are miscounted");
        explorer::require(seen.retired == 0, "an index is retired before its time");
        explorer::require(seen.remaining <= seen.capacity, "more remains than there is");
    }

    /// The page of what a thread creates may have been made by another, which is not done with it.
    static explorer::program finds_its_own_in_the_list() {
        auto st = std::make_shared<stage>();
        const auto create_and_look = [st](std::size_t n) {
            return [st, n] {
                const auto made = st->s.create(st->hand(n));
                explorer::require(by_list(st->s.registry, *made), "what the thread created is not listed");
            };
        };
        return play(st, {create_and_look(0), create_and_look(1)});
    }
    static explorer::program counts_its_own() {
        auto st = std::make_shared<stage>();
        const auto create_and_count = [st](std::size_t n) {
            return [st, n] {
                st->s.create(st->hand(n));
                explorer::require(st->s.registry.counts().live >= 1,
                                  "what the thread created is not counted");
            };
        };
        return play(st, {create_and_count(0), create_and_count(1)});
    }

    static std::vector<scenario> all() {
        return {
            {"seen_live_after_what_was_written", seen_live<by_asking>},
            {"seen_dead_after_what_was_written", seen_dead<by_asking>},
            {"status_live_after_what_was_written", seen_live<by_status>},
            {"status_dead_after_what_was_written", seen_dead<by_status>},
            {"found_by_index_after_what_was_written", seen_live<by_index>},
            {"lost_by_index_after_what_was_written", seen_dead<by_index>},
            {"payload_found_after_what_was_written", seen_live<by_payload>},
            {"payload_lost_after_what_was_written", seen_dead<by_payload>},
            {"listed_after_what_was_written", seen_live<by_list>},
            {"status_of_a_new_index", asked_of_a_new_index<by_status>},
            {"list_of_a_new_index", asked_of_a_new_index<by_list>},
            {"listed_beside_others", listed_beside_others},
            {"counted_beside_others", counted_beside_others},
            {"finds_its_own_in_the_list", finds_its_own_in_the_list},
            {"counts_its_own", counts_its_own},
        };
    }
};

} // namespace model
