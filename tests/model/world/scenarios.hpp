// SPDX-License-Identifier: MIT
//
// What threads share of a world without a lock, in programs so small that every execution can be seen.
//
// The laws: a number is taken once. Whoever arrives last sees what all others did. A buffer is one thread's
// until it is closed, and whoever opens it next, or makes it idle, sees what was recorded. Who lives is told
// by the registry, whose programs are beside these.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

import ecs.core;
import ecs.world;

#include "modelled_atomics.hpp"

namespace model {

struct scenario {
    std::string_view name;
    std::function<explorer::program()> make;

    friend void PrintTo(const scenario& s, std::ostream* out) { *out << s.name; }
};

/// The scenarios over one kind of atomics.
template <class Atomics> struct scenarios {
    static explorer::program taken_once() {
        struct numbers {
            ecs::basic_ticket_count<Atomics> next;
            std::array<explorer::plain<int>, 3> work;
        };
        auto st = std::make_shared<numbers>();
        const auto work = [st] {
            for (std::size_t mine = st->next.take(); mine < 3; mine = st->next.take()) ++st->work[mine];
        };
        return {.threads = {work, work}, .finish = [st] {
                    for (const auto& done : st->work) explorer::require(done == 1, "work is done once");
                }};
    }

    static explorer::program nothing_is_taken_after_the_end() {
        struct numbers {
            ecs::basic_ticket_count<Atomics> next;
            std::array<explorer::plain<int>, 2> work;
        };
        auto st = std::make_shared<numbers>();
        return {.threads = {[st] {
                                if (const std::size_t mine = st->next.take(); mine < 2) ++st->work[mine];
                                st->next.skip_to(2);
                                explorer::require(st->next.take() >= 2, "a number was handed out again");
                            },
                            [st] {
                                for (std::size_t mine = st->next.take(); mine < 2; mine = st->next.take())
                                    ++st->work[mine];
                            }}};
    }

    static explorer::program the_last_sees_what_all_did() {
        struct meeting {
            ecs::basic_arrival_count<Atomics> count;
            std::array<explorer::plain<int>, 3> letters;
            explorer::shared<int> last{0};
        };
        auto st = std::make_shared<meeting>();
        st->count.expect(3);
        const auto come = [st](std::size_t who) {
            return [st, who] {
                st->letters[who] = 1;
                if (!st->count.arrive()) return;
                st->last.change([](int& times) { ++times; });
                for (const auto& letter : st->letters) explorer::require(letter == 1, "a letter is missing");
            };
        };
        return {.threads = {come(0), come(1), come(2)},
                .finish = [st] { explorer::require(st->last == 1, "one of all is the last"); }};
    }

    /// What a buffer is to the explorer: a variable that one thread at a time uses.
    struct notebook {
        mutable explorer::plain<int> pages{};
        explorer::plain<int> key{};
    };
    struct notebooks {
        ecs::basic_command_buffer_list<notebook, Atomics> list;
        explorer::shared<int> pages{0}; ///< Written, and not taken yet.

        /// As a commands object.
        notebook& open() {
            notebook& mine = list.open();
            mine.key = 1;
            return mine;
        }
        void record(notebook& in) {
            ++in.pages;
            pages.change([](int& all) { ++all; });
        }
        void open_and_close() {
            notebook& mine = open();
            record(mine);
            list.close(mine);
        }

        /// As the world's thread in a flush.
        void retire_empty() {
            list.retire([](const notebook& n, bool is_closed) { return is_closed && n.pages == 0; });
        }
        void take_and_retire() {
            list.retire([this](const notebook& n, bool is_closed) {
                if (!is_closed) return false;
                const int taken = n.pages;
                n.pages = 0;
                pages.change([=](int& all) { all -= taken; });
                return true;
            });
        }

        /// All threads have ended.
        void settle() {
            int found = 0;
            list.for_each([&](const notebook& n) { found += n.pages; });
            explorer::require(found == pages, "what was recorded is lost");
        }
    };
    static explorer::program write(std::shared_ptr<notebooks> st,
                                   std::vector<std::function<void()>>&& threads) {
        return {.threads = std::move(threads), .finish = [st] { st->settle(); }};
    }

    static explorer::program new_buffers_are_opened_at_once() {
        auto st = std::make_shared<notebooks>();
        const auto work = [st] { st->open_and_close(); };
        return write(st, {work, work});
    }

    static explorer::program idle_buffers_are_opened_at_once() {
        auto st = std::make_shared<notebooks>();
        notebook &one = st->list.open(), &two = st->list.open(); // The second group has a third.
        st->list.close(one);
        st->list.close(two);
        st->take_and_retire();
        const auto work = [st] { st->open_and_close(); };
        return write(st, {work, work, work});
    }

    /// A buffer goes from one thread through the hands of the world's to another.
    static explorer::program opened_by_another_after_it_was_closed() {
        auto st = std::make_shared<notebooks>();
        notebook& first = st->open();
        return write(st, {[st, &first] {
                              st->record(first);
                              st->list.close(first);
                          },
                          [st] { st->take_and_retire(); },
                          [st] {
                              notebook& mine = st->open();
                              explorer::require(mine.pages == 0, "somebody else's pages");
                              st->record(mine);
                          }});
    }

    static explorer::program closed_while_others_are_made_idle() {
        auto st = std::make_shared<notebooks>();
        notebook &one = st->open(), &two = st->open();
        st->list.close(two);
        return write(st, {[st, &one] {
                              st->record(one);
                              st->list.close(one);
                              st->open_and_close();
                          },
                          [st] {
                              st->retire_empty();
                              st->open_and_close();
                          }});
    }

    static explorer::program numbers_of_chunks_are_taken_once() {
        struct chunks {
            ecs::basic_number_lot<Atomics> lot;
            std::array<explorer::plain<int>, 4> filled;
        };
        static constexpr std::uint32_t none = 3;
        auto st = std::make_shared<chunks>();
        st->lot.numbers() = {2, 1, 0};
        explorer::require(st->lot.take(none) == 0 && st->lot.settle() == 1, "the last comes first");
        const auto work = [st] {
            for (int i = 0; i < 2; ++i)
                if (const std::uint32_t mine = st->lot.take(none); mine != none) ++st->filled[mine];
        };
        return {.threads = {work, work}, .finish = [st] {
                    explorer::require(st->filled[1] == 1 && st->filled[2] == 1, "a number was lost");
                    explorer::require(st->lot.settle() == 2 && st->lot.numbers().empty(), "all are used up");
                    explorer::require(st->lot.take(none) == none, "there is no more");
                }};
    }

    /// Names that were asked for, and the numbers that the threads were told.
    struct roll {
        static constexpr std::size_t names = 3;
        ecs::basic_name_numbers<Atomics> list;
        std::array<std::array<explorer::plain<std::uint32_t>, names>, 3> told;

        [[nodiscard]] auto ask(std::size_t thread, const std::vector<std::size_t>& order) {
            return [this, thread, order] {
                for (const std::size_t name : order)
                    told[thread][name] = list.of(std::string(1, static_cast<char>('a' + name)));
            };
        }

        /// All threads have ended.
        void settle(std::size_t count) {
            std::array<bool, names + 1> used{};
            for (std::size_t name = 0; name < count; ++name) {
                const std::uint32_t number = list.of(std::string(1, static_cast<char>('a' + name)));
                explorer::require(number >= 1 && number <= count && !used[number], "not a number each");
                used[number] = true;
                for (const auto& by_name : told)
                    explorer::require(by_name[name] == 0 || by_name[name] == number, "two numbers for one");
            }
        }
    };

    static explorer::program a_name_has_one_number() {
        auto st = std::make_shared<roll>();
        return {.threads = {st->ask(0, {0, 1}), st->ask(1, {1, 0})}, .finish = [st] { st->settle(2); }};
    }

    static explorer::program names_are_added_behind_others() {
        auto st = std::make_shared<roll>();
        (void)st->list.of("a");
        return {.threads = {st->ask(0, {1}), st->ask(1, {2}), st->ask(2, {1, 0})},
                .finish = [st] { st->settle(3); }};
    }

    static std::vector<scenario> all() {
        return {
            {"taken_once", taken_once},
            {"nothing_is_taken_after_the_end", nothing_is_taken_after_the_end},
            {"the_last_sees_what_all_did", the_last_sees_what_all_did},
            {"new_buffers_are_opened_at_once", new_buffers_are_opened_at_once},
            {"idle_buffers_are_opened_at_once", idle_buffers_are_opened_at_once},
            {"opened_by_another_after_it_was_closed", opened_by_another_after_it_was_closed},
            {"closed_while_others_are_made_idle", closed_while_others_are_made_idle},
            {"numbers_of_chunks_are_taken_once", numbers_of_chunks_are_taken_once},
            {"a_name_has_one_number", a_name_has_one_number},
            {"names_are_added_behind_others", names_are_added_behind_others},
        };
    }
};

} // namespace model
