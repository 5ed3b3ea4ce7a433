// SPDX-License-Identifier: MIT
//
// Programs that create many at once, and programs whose memory runs out.
#pragma once

#include <array>
#include <memory>
#include <vector>

import ecs.registry;

#include "stage.hpp"

namespace model {

template <class Atomics, class Geometry = geometry> struct span_scenarios {
    using registry = subject<Atomics, ecs::retire, Geometry>;
    using stage = stage_of<registry>;

    static explorer::program spans_beside_spans() {
        auto st = std::make_shared<stage>();
        st->prepare();
        const auto two = [st](std::size_t n) { return [st, n] { st->s.create_span(st->hand(n), 2); }; };
        return play(st, {two(0), two(1)});
    }

    /// Each could have what is left, and both together cannot.
    static explorer::program one_span_is_refused() {
        auto st = std::make_shared<stage>();
        st->prepare();
        st->make_all_but(3);
        const auto two = [st](std::size_t n) { return [st, n] { st->s.create_span(st->hand(n), 2); }; };
        return play(st, {two(0), two(1)});
    }

    static explorer::program a_span_of_recycled_indices() {
        auto st = std::make_shared<stage>();
        st->make_all_but(1);
        const id goes = st->given.back();
        return play(st, {[=] {
                             st->s.destroy_own(st->hand(0), goes);
                             st->hand(0).flush();
                         },
                         [=] { st->s.create_span(st->hand(1), 2); }});
    }

    static explorer::program the_front_of_a_span() {
        auto st = std::make_shared<stage>();
        st->make_all_but(3);
        const auto most = [st](std::size_t n) { return [st, n] { st->s.create_front(st->hand(n), 2); }; };
        return play(st, {most(0), most(1)});
    }

    static explorer::program a_span_without_handles() {
        auto st = std::make_shared<stage>(1);
        st->prepare();
        st->make_all_but(2);
        return play(st, {[=] { st->s.create_span(st->s.registry, 2); }, [=] { st->s.create(st->hand(0)); }});
    }

    /// Of a span that is refused nothing is ever seen alive.
    static explorer::program nobody_sees_a_refused_span() {
        auto st = std::make_shared<stage>(1);
        st->make_all_but(1);
        return play(st,
                    {[=] { explorer::require(st->s.create_span(st->hand(0), 2).empty(), "no span is left"); },
                     [=] {
                         explorer::require(!st->s.registry.alive(id::assume_word(0b01'111)),
                                           "what was refused is alive");
                     }});
    }

    /// What the creator of a span wrote before is visible to whoever sees one of it live.
    static explorer::program span_seen_after_what_was_written() {
        auto st = std::make_shared<stage>(1);
        const id next = st->make_guessable();
        auto letter = std::make_shared<explorer::plain<int>>(0);
        return play(st, {[=] {
                             *letter = 1;
                             st->s.create_span(st->hand(0), 2);
                         },
                         [=] {
                             if (st->s.registry.alive(next))
                                 explorer::require(*letter == 1, "the creator's letter is not there");
                         }});
    }

    /// A page cannot be had: no index is lost.
    static explorer::program creates_without_memory() {
        auto st = std::make_shared<stage>();
        const auto one = [st](std::size_t n) {
            return [st, n] { with_one_failing_allocation([&] { st->s.create(st->hand(n)); }); };
        };
        return play(st, {one(0), one(1)});
    }

    static explorer::program a_span_without_memory() {
        auto st = std::make_shared<stage>();
        return play(st, {[st] { with_one_failing_allocation([&] { st->s.create_span(st->hand(0), 2); }); },
                         [st] { st->s.create(st->hand(1)); }});
    }

    /// Nothing but an index whose generations are spent is ever given up.
    static explorer::program recycles_without_memory() {
        auto st = std::make_shared<stage>();
        st->make(), st->make();
        const auto recycle = [st](std::size_t n) {
            return [st, n] {
                const explorer::failing_allocations scarce(indices);
                st->s.destroy_own(st->hand(n), st->given[n]);
                st->hand(n).flush();
                explorer::require(st->s.registry.retired_count() == 0,
                                  "an index was given up for want of memory");
            };
        };
        return play(st, {recycle(0), recycle(1)});
    }

    static std::vector<scenario> all() {
        return {
            {"span_seen_after_what_was_written", span_seen_after_what_was_written},
            {"nobody_sees_a_refused_span", nobody_sees_a_refused_span},
            {"one_span_is_refused", one_span_is_refused},
            {"a_span_of_recycled_indices", a_span_of_recycled_indices},
            {"the_front_of_a_span", the_front_of_a_span},
            {"a_span_without_handles", a_span_without_handles},
            {"creates_without_memory", creates_without_memory},
            {"a_span_without_memory", a_span_without_memory, true},
            {"spans_beside_spans", spans_beside_spans},
            {"recycles_without_memory", recycles_without_memory},
        };
    }
};

} // namespace model
