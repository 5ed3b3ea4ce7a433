// SPDX-License-Identifier: MIT
//
// Programs of an owned registry: one thread owns it, others issue through lanes, and anybody asks.
#pragma once

#include <array>
#include <memory>
#include <vector>

import ecs.registry;

#include "owned_subject.hpp"
#include "stage.hpp"

namespace model {

/// There is a page for each of two keys, and another one.
struct geometry_of_small_pages : geometry {
    static constexpr unsigned page_bits = 0;
    static constexpr unsigned chunk_bits = page_bits;
};

template <class Atomics> struct owned_scenarios {
    using stage = owned_stage<Atomics>;
    using eyes = onlooker<typename stage::subject_type>;
    static constexpr std::uint32_t no_key = stage::no_key;

    static std::shared_ptr<stage> stage_with_lanes(std::size_t count) {
        return std::make_shared<stage>(std::vector(count, no_key));
    }
    static auto issue_in(const auto& st, std::size_t n) {
        return [=] { st->issue(n); };
    }
    static auto issue_and_leave(const auto& st, std::size_t n) {
        return [=] {
            st->issue(n);
            st->leave(n);
        };
    }

    static explorer::program lanes_beside_the_owner() {
        auto st = stage_with_lanes(2);
        const id goes = *st->issue(0);
        st->issue(1); // What lanes and pages bring is there.
        return play(st, {issue_in(st, 0), issue_in(st, 1), [=] {
                             st->s.end(goes);
                             st->s.create(), st->s.create();
                         }});
    }
    static explorer::program a_lane_beside_an_owner_that_ends() {
        auto st = stage_with_lanes(1);
        const id goes = *st->s.create();
        return play(st, {[=] { st->issue(0), st->issue(0); },
                         [=] {
                             st->s.end(goes);
                             st->s.end(*st->s.create());
                             st->s.create(), st->s.create();
                         }});
    }

    /// The first generation of an index, and the second, before the eyes of another thread.
    static explorer::program seen_while_it_ends_and_begins_again() {
        auto st = stage_with_lanes(0);
        const id first = *st->s.create();
        const auto second = id::assume_word(static_cast<std::uint8_t>(first.value() + 0b01'000));
        return play(st, {[=] {
                             st->s.move(first);
                             st->s.end(first);
                             st->s.move(*st->s.create());
                             st->s.end(second);
                         },
                         [=] {
                             eyes of_first(st->s, first), of_second(st->s, second);
                             of_first.look(), of_second.look(), of_first.look();
                         }});
    }

    static explorer::program seen_while_a_lane_issues() {
        auto st = stage_with_lanes(1);
        const auto next = id::assume_word(0b01'001);
        return play(st, {issue_in(st, 0), [=] {
                             eyes of_next(st->s, next);
                             of_next.look(), of_next.look();
                         }});
    }

    /// All indices had a use, and so many of them were shared: nothing else is left.
    static std::shared_ptr<stage> stage_with_shared(std::size_t lanes, std::size_t count) {
        auto st = stage_with_lanes(lanes);
        std::vector<id> made;
        while (const auto i = st->s.create()) made.push_back(*i);
        for (std::size_t n = 0; n < count; ++n) st->s.end(made[n]);
        st->s.registry.share();
        return st;
    }
    static explorer::program shared_with_all() {
        auto st = stage_with_shared(2, 3);
        const auto take = [=](std::size_t n) {
            return [=] { explorer::require(st->issue(n).has_value(), "there is one for each"); };
        };
        return play(st, {take(0), take(1),
                         [=] { explorer::require(st->s.create().has_value(), "there is one for each"); }});
    }
    static explorer::program the_last_that_is_shared() {
        auto st = stage_with_shared(2, 1);
        return play(st, {issue_in(st, 0), issue_in(st, 1), [=] { st->s.create(); }});
    }

    static explorer::program claimed_while_a_lane_issues() {
        auto st = std::make_shared<stage>(std::vector{no_key}, 0, ecs::index_space{1, 3});
        const auto elsewhere = id::assume_word(0b10'110), later = id::assume_word(0b11'110);
        return play(st, {issue_in(st, 0),
                         [=] {
                             const auto claimed = st->s.claim(elsewhere);
                             explorer::require(claimed.has_value(), "nobody else claims it");
                             st->s.end(*claimed);
                             explorer::require(!st->s.claim(elsewhere), "what ended is not claimed again");
                             st->s.claim(later);
                         },
                         [=] { eyes(st->s, elsewhere).look(); }});
    }

    static explorer::program two_keys_at_once() {
        using stage_of_keys = owned_stage<Atomics, geometry_of_small_pages>;
        auto st = std::make_shared<stage_of_keys>(std::vector{0U, 1U}, 2);
        const auto issue = [=](std::size_t n) {
            return [=] {
                const auto mine = st->issue(n);
                explorer::require(mine && mine->index() == n + 2, "what a key gets follows from the key");
                st->leave(n);
            };
        };
        return play(st, {issue(0), issue(1), [=] { st->s.create(); }});
    }

    /// The second goes on without the key while the first uses it.
    static explorer::program one_key_twice() {
        auto st = std::make_shared<stage>(std::vector{0U, 0U}, 2);
        return play(st, {issue_and_leave(st, 0), issue_and_leave(st, 1)});
    }
    static explorer::program one_key_twice_beside_the_owner() {
        auto st = std::make_shared<stage>(std::vector{0U, 0U}, 1);
        st->issue(0);
        return play(st, {[=] { st->leave(0); }, issue_in(st, 1), [=] { st->s.create(); }});
    }

    /// What was dealt to a key passes from thread to thread as its pages do.
    static explorer::program what_was_dealt_passes_on() {
        auto st = std::make_shared<stage>(std::vector{0U, 0U}, 1);
        for (int times = 0; times < 2; ++times) st->issue(0);
        st->create_and_end(2);
        st->leave(0), st->hands[0].lane = &st->s.registry.enter_lane();
        st->s.registry.deal();
        return play(st, {issue_and_leave(st, 0), issue_in(st, 1)});
    }

    static explorer::program a_lane_is_left_with_identifiers() {
        auto st = stage_with_lanes(2);
        st->s.fill(*st->hands[0].lane, no_key);
        return play(st, {[=] { st->leave(0); }, issue_in(st, 1), [=] { st->s.create(); }});
    }

    /// A thread gives its lane back at any time, also while the owner shares.
    static explorer::program a_lane_is_left_while_the_owner_shares() {
        auto st = stage_with_lanes(1);
        st->s.fill(*st->hands[0].lane, no_key);
        const id goes = *st->s.create();
        return play(st, {[=] { st->leave(0); },
                         [=] {
                             st->s.end(goes);
                             st->s.registry.share();
                             st->s.create();
                         }});
    }

    /// Of the last index its last generation ends, and another thread looks for an index.
    static explorer::program an_index_is_retired() {
        auto st = stage_with_lanes(1);
        while (st->s.create()) {
        }
        const auto last = [](unsigned generation) {
            return id::assume_word(static_cast<std::uint8_t>(generation << 3 | 0b110));
        };
        return play(st, {[=] {
                             for (unsigned generation = 1; generation <= 3; ++generation) {
                                 st->s.end(last(generation));
                                 st->s.create();
                             }
                         },
                         [=] {
                             explorer::require(!st->issue(0), "what the owner ends is the owner's");
                             eyes(st->s, last(3)).look();
                         }});
    }

    /// A page cannot be had: no index is lost.
    static explorer::program refilled_without_memory() {
        auto st = std::make_shared<stage>(std::vector{0U, 0U}, 1);
        const auto issue = [=](std::size_t n) {
            return [=] { with_one_failing_allocation([&] { st->issue(n); }); };
        };
        return play(st, {issue(0), issue(1)});
    }

    static std::vector<scenario> all() {
        return {
            {"lanes_beside_the_owner", lanes_beside_the_owner},
            {"a_lane_beside_an_owner_that_ends", a_lane_beside_an_owner_that_ends},
            {"seen_while_it_ends_and_begins_again", seen_while_it_ends_and_begins_again},
            {"seen_while_a_lane_issues", seen_while_a_lane_issues},
            {"shared_with_all", shared_with_all},
            {"the_last_that_is_shared", the_last_that_is_shared},
            {"claimed_while_a_lane_issues", claimed_while_a_lane_issues},
            {"two_keys_at_once", two_keys_at_once},
            {"one_key_twice", one_key_twice},
            {"one_key_twice_beside_the_owner", one_key_twice_beside_the_owner},
            {"what_was_dealt_passes_on", what_was_dealt_passes_on},
            {"a_lane_is_left_with_identifiers", a_lane_is_left_with_identifiers},
            {"a_lane_is_left_while_the_owner_shares", a_lane_is_left_while_the_owner_shares},
            {"an_index_is_retired", an_index_is_retired},
        };
    }

    /// Those in which pages are made, or looked for.
    static std::vector<scenario> of_pages() {
        return {
            {"a_lane_in_pages_beside_an_owner_that_ends", a_lane_beside_an_owner_that_ends},
            {"seen_in_pages_while_a_lane_issues", seen_while_a_lane_issues},
            {"claimed_in_pages_while_a_lane_issues", claimed_while_a_lane_issues},
            {"two_keys_at_once_in_pages", two_keys_at_once},
            {"one_key_twice_in_pages", one_key_twice},
            {"refilled_without_memory", refilled_without_memory},
        };
    }
};

} // namespace model
