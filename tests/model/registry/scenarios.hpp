// SPDX-License-Identifier: MIT
//
// Hand-written programs, each built to bring one mechanism of the registry under pressure. Every one holds
// for the registry as it is; the mutants of mutants_test.cpp each fail one of them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

import ecs.registry;

#include "stage.hpp"

namespace model {

/// The scenarios over one kind of atomics.
template <class Atomics, class Geometry = geometry> struct scenarios {
    using registry = subject<Atomics, ecs::retire, Geometry>;
    using stage = stage_of<registry>;

    static explorer::program both_create_new_indices() {
        auto st = std::make_shared<stage>();
        const auto once = [st](std::size_t n) { return [st, n] { st->s.create(st->hand(n)); }; };
        return play(st, {once(0), once(1)});
    }

    static explorer::program both_make_a_handle() {
        auto st = std::make_shared<stage>(0);
        const auto visit = [st] { const auto h = st->s.registry.local(); };
        return play(st, {visit, visit});
    }

    static explorer::program both_destroy_the_same() {
        auto st = std::make_shared<stage>();
        const id shared = st->make();
        const auto race = [=](std::size_t n) { return [=] { st->s.destroy(st->hand(n), shared); }; };
        return play(st, {race(0), race(1)});
    }

    static explorer::program destroyed_here_created_there() {
        auto st = std::make_shared<stage>();
        st->fill_depot(2);
        return play(st, {[st] {
                             if (auto i = st->s.create(st->hand(0))) st->s.destroy_own(st->hand(0), *i);
                             st->hand(0).flush();
                         },
                         [st] {
                             st->s.create(st->hand(1));
                             st->s.create(st->hand(1));
                         }});
    }

    /// One thread takes nodes off the depot and puts them back while another is between look and exchange.
    static explorer::program nodes_go_round() {
        auto st = std::make_shared<stage>();
        st->fill_depot(3);
        return play(st, {[st] { st->s.create(st->hand(0)); },
                         [st] {
                             const auto a = st->s.create(st->hand(1)), b = st->s.create(st->hand(1));
                             if (b) st->s.destroy_own(st->hand(1), *b);
                             if (a) st->s.destroy_own(st->hand(1), *a);
                             st->hand(1).flush();
                         }});
    }

    static explorer::program handles_come_and_go() {
        auto st = std::make_shared<stage>(0);
        st->prepare();
        const auto visit = [st] {
            auto h = st->s.registry.local();
            if (auto i = st->s.create(h)) st->s.destroy_own(h, *i);
        };
        return play(st, {visit, visit});
    }

    static explorer::program a_lane_is_inherited() {
        auto st = std::make_shared<stage>(1);
        st->prepare();
        return play(st, {[st] { st->s.create(st->hand(0)), st->hands[0].reset(); },
                         [st] {
                             auto h = st->s.registry.local();
                             st->s.create(h);
                         }});
    }

    static explorer::program without_handles() {
        auto st = std::make_shared<stage>(0);
        st->prepare();
        const auto visit = [st] {
            if (auto i = st->s.create(st->s.registry)) st->s.destroy_own(st->s.registry, *i);
        };
        return play(st, {visit, visit});
    }

    static explorer::program counted_while_lanes_are_made() {
        auto st = std::make_shared<stage>(0);
        st->prepare();
        return play(
            st,
            {[st] {
                 auto h = st->s.registry.local();
                 st->s.create(h);
             },
             [st] { explorer::require(st->s.registry.live_count() <= 1, "counted what was never made"); }});
    }

    static explorer::program the_last_index() {
        auto st = std::make_shared<stage>();
        for (std::uint64_t n = 1; n < indices; ++n) st->make();
        const auto one = [st](std::size_t n) {
            return [st, n] {
                if (auto i = st->s.create(st->hand(n))) st->s.destroy_own(st->hand(n), *i);
                st->hand(n).flush();
            };
        };
        return play(st, {one(0), one(1)});
    }

    static explorer::program generations_run_out() {
        auto st = std::make_shared<stage>();
        st->make_all_but(1);
        return both_spend_what_is_left(st);
    }

    struct quarantine_stage {
        stage st;
        std::optional<typename registry::registry_type::quarantined_handle> strict;
        id victim;
        explorer::shared<bool> released{false};

        explicit quarantine_stage(std::uint64_t others) : victim(st.make()) {
            for (std::uint64_t n = 0; n < others; ++n) st.make();
            strict.emplace(st.s.registry.quarantined_local());
        }
        void try_to_create() {
            const auto made = st.s.create(st.hand(0));
            explorer::require(!made || released || made->index() != victim.index(),
                              "a quarantined index was used");
        }
        void settle() {
            strict.reset();
            st.s.registry.release_quarantine();
            st.settle();
        }
    };

    static explorer::program quarantined_until_released() {
        auto q = std::make_shared<quarantine_stage>(0);
        return {.threads = {[q] {
                                q->st.s.destroy_own(*q->strict, q->victim);
                                q->strict.reset();
                            },
                            [q] {
                                q->try_to_create();
                                q->released = true;
                                q->st.s.registry.release_quarantine();
                                q->try_to_create();
                            }},
                .finish = [q] { q->settle(); }};
    }

    /// Nothing is left but the quarantined index: both threads look everywhere, and must not find it.
    static explorer::program quarantined_though_nothing_else_is_left() {
        auto q = std::make_shared<quarantine_stage>(indices - 1);
        return {.threads = {[q] {
                                q->st.s.destroy_own(*q->strict, q->victim);
                                explorer::require(!q->st.s.create(*q->strict), "the quarantine broke");
                            },
                            [q] { q->try_to_create(); }},
                .finish = [q] { q->settle(); }};
    }

    static explorer::program destroyed_alone_after_what_was_written() {
        struct with_exclusive {
            stage st{0};
            std::optional<typename registry::registry_type::exclusive_handle> alone;
            explorer::plain<int> letter;
        };
        auto e = std::make_shared<with_exclusive>();
        const id victim = e->st.make();
        e->alone.emplace(e->st.s.registry.exclusive_local());
        return {.threads = {[=] {
                                e->letter = 1;
                                e->st.s.destroy_own(*e->alone, victim);
                            },
                            [=] {
                                if (!e->st.s.registry.alive(victim))
                                    explorer::require(e->letter == 1, "the destroyer's letter is not there");
                                e->st.s.create(e->st.s.registry);
                            }},
                .finish = [=] {
                    e->alone.reset();
                    e->st.settle();
                }};
    }

    /// Whoever destroys an identifier it was not given may end what the creator began.
    static explorer::program destroyed_by_a_stranger() {
        auto st = std::make_shared<stage>();
        const id next = st->make_guessable();
        auto letter = std::make_shared<explorer::plain<int>>(0);
        return play(st, {[=] {
                             *letter = 1;
                             st->s.create(st->hand(0));
                         },
                         [=] {
                             st->s.doom(next);
                             if (!st->hand(1).destroy(next)) // Does not ask alive, which would synchronise.
                                 return st->s.spare(next);
                             st->s.mourn(next);
                             *letter = 2;
                         }});
    }

    /// A thread that finds nothing more looks into the shared lanes, of which another is in one.
    static explorer::program searched_while_a_lane_is_in_use() {
        auto st = std::make_shared<stage>(1);
        st->prepare();
        for (std::uint64_t n = 1; n < indices; ++n) st->make();
        return play(st, {[st] {
                             if (auto i = st->s.create(st->s.registry)) st->s.destroy_own(st->s.registry, *i);
                         },
                         [st] { st->s.create(st->hand(0)); }});
    }

    /// Cheap ones first, so that a mutant is found soon.
    static std::vector<scenario> all() {
        return {
            {"both_destroy_the_same", both_destroy_the_same},
            {"destroyed_here_created_there", destroyed_here_created_there},
            {"both_make_a_handle", both_make_a_handle},
            {"handles_come_and_go", handles_come_and_go},
            {"a_lane_is_inherited", a_lane_is_inherited},
            {"without_handles", without_handles},
            {"counted_while_lanes_are_made", counted_while_lanes_are_made},
            {"the_last_index", the_last_index},
            {"generations_run_out", generations_run_out},
            {"searched_while_a_lane_is_in_use", searched_while_a_lane_is_in_use},
            {"quarantined_until_released", quarantined_until_released},
            {"quarantined_though_nothing_else_is_left", quarantined_though_nothing_else_is_left},
            {"destroyed_alone_after_what_was_written", destroyed_alone_after_what_was_written},
            {"destroyed_by_a_stranger", destroyed_by_a_stranger},
            {"both_create_new_indices", both_create_new_indices},
            {"nodes_go_round", nodes_go_round},
        };
    }
};

} // namespace model
