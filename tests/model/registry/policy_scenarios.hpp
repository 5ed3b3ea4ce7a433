// SPDX-License-Identifier: MIT
//
// Programs for registries other than the usual one of the model: under quarantine<N> an index is not used
// before N others wait, under wrap its generations begin again, and batches of two are taken apart.
#pragma once

#include <memory>
#include <vector>

import ecs.registry;

#include "scenarios.hpp"
#include "span_scenarios.hpp"

namespace model {

struct geometry_of_two : geometry {
    static constexpr std::uint32_t magazine = 2;
};

template <class Atomics> struct policy_scenarios {
    template <std::uint64_t N, class Geometry = geometry>
    using patient = stage_of<subject<Atomics, ecs::quarantine<N>, Geometry>>;
    using careless = stage_of<subject<Atomics, ecs::wrap>>;

    /// One thread destroys, and another creates what it finds: not before two others wait.
    static explorer::program no_index_is_used_too_soon() {
        struct patient_stage : patient<2> {
            explorer::shared<unsigned> destroyed{0};

            void end(std::size_t hand, id i) {
                destroyed.change([](unsigned& n) { ++n; });
                this->s.destroy_own(this->hand(hand), i);
                this->hand(hand).flush();
            }
        };
        auto st = std::make_shared<patient_stage>();
        st->make_all_but(0);
        const std::vector<id> given = st->given;
        return play(st, {[=] {
                             st->end(0, given[0]);
                             st->end(0, given[1]);
                             st->end(0, given[2]);
                         },
                         [=] {
                             const bool made = st->s.create(st->hand(1)).has_value();
                             explorer::require(!made || st->destroyed == 3, "an index was used too soon");
                         }});
    }

    static explorer::program what_waits_is_counted() {
        auto st = std::make_shared<patient<1>>();
        st->make_all_but(0);
        const auto end = [st](std::size_t n) {
            st->s.destroy_own(st->hand(n), st->given[n]);
            st->hand(n).flush();
        };
        return play(st, {[=] { end(0); },
                         [=] {
                             end(1);
                             st->s.create(st->hand(1));
                         }});
    }

    /// What waits in the thread's own lane waits for itself, too.
    static explorer::program its_own_count_as_waiting() {
        auto st = std::make_shared<patient<1>>();
        st->make_all_but(0);
        return play(st, {[st] {
                             st->s.destroy_own(st->hand(0), st->given[0]);
                             st->s.destroy_own(st->hand(0), st->given[1]);
                             explorer::require(st->s.create(st->hand(0)).has_value(), "one of two is left");
                         },
                         [st] { st->s.destroy_own(st->hand(1), st->given[2]); }});
    }

    /// Handles that end put together what each has less than a batch of, and count it once.
    static explorer::program loose_ones_are_put_together() {
        auto st = std::make_shared<patient<1, geometry_of_two>>();
        const id goes = st->make();
        const auto create_one = [](auto& stage) {
            stage.s.create(stage.hand(0));
            stage.hand(0).flush();
        };
        for (int times = 0; times < 3; ++times) create_one(*st);
        return play(st, {[=] { create_one(*st); },
                         [=] {
                             st->s.destroy_own(st->hand(1), goes);
                             st->hand(1).flush();
                         }});
    }

    static explorer::program generations_begin_again() {
        auto st = std::make_shared<careless>();
        st->make_all_but(1);
        return both_spend_what_is_left(st);
    }

    static std::vector<scenario> all() {
        using two = scenarios<Atomics, geometry_of_two>;
        using spans_of_two = span_scenarios<Atomics, geometry_of_two>;
        return {
            {"no_index_is_used_too_soon", no_index_is_used_too_soon},
            {"its_own_count_as_waiting", its_own_count_as_waiting},
            {"loose_ones_are_put_together", loose_ones_are_put_together},
            {"what_waits_is_counted", what_waits_is_counted},
            {"generations_begin_again", generations_begin_again},
            {"the_last_index_of_batches_of_two", two::the_last_index},
            {"generations_run_out_in_batches_of_two", two::generations_run_out},
            {"destroyed_here_created_there_in_batches_of_two", two::destroyed_here_created_there},
            {"nodes_of_two_go_round", two::nodes_go_round},
            {"one_span_is_refused_of_batches_of_two", spans_of_two::one_span_is_refused},
        };
    }
};

} // namespace model
