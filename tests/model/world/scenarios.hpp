// SPDX-License-Identifier: MIT
//
// What threads share of a world without a lock, in programs so small that every execution can be seen.
//
//   slots: 4 indices in 2 pages. A thread makes pages, owns indices, issues and ends their entities as
//   entity_index does; others look.
//
// The laws: a reader sees 0 or a word that somebody wrote whole; an entity it saw alive and then ended never
// lives again for it; what was issued is there when all threads have ended. A number is taken once. Whoever
// arrives last sees what all others did. A recorder is one thread's until it is closed, and whoever opens it
// next, or makes it idle, sees what was recorded.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

import ecs.world;

#include "modelled_atomics.hpp"

namespace model {

struct scenario {
    std::string_view name;
    std::function<explorer::program()> make;

    friend void PrintTo(const scenario& s, std::ostream* out) { *out << s.name; }
};

struct geometry {
    static constexpr unsigned index_bits = 2;
    static constexpr unsigned page_bits = 1;
};

/// The slots of a world, with the words that may be seen in them.
template <class Atomics> class slots_of_world {
    using words = ecs::slot_word;

  public:
    using pages = ecs::basic_slot_pages<Atomics, geometry>;

    pages slots;

    /// As entity_index::issue, by whoever owns the index.
    ecs::entity issue(std::uint32_t index, std::uint32_t row) {
        const std::uint64_t upper = constant | words::next_generation(slots.known(index));
        write(index, upper | words::word_of({words::limbo, row}));
        return ecs::entity::assume_word(upper | index);
    }

    /// As entity_index::place.
    void place(std::uint32_t index, std::uint32_t row) {
        const std::uint64_t where = words::word_of({7, row});
        remember(may_be_seen_[index], (slots.known(index) & words::upper_half) | where);
        slots.write(index, where, words::upper_half | words::referred_bit);
    }

    /// As entity_index::destroy, by the world's thread.
    void end(ecs::entity e) {
        words::end(slots, e, [this](std::uint32_t index, std::uint64_t next) {
            remember(may_be_seen_[index], ecs::index_chain::unused_mark | next);
            free_.push(slots, index, next);
        });
        remember(ended_, e.value());
    }
    /// Another entity of the index that was ended last.
    ecs::entity issue_again(std::uint32_t row) { return issue(free_.take(slots), row); }

    /// As entity_index::alive and at, from any thread.
    bool alive(ecs::entity e) { return words::is_of(look(index_of(e)), e); }
    std::uint64_t look(std::uint32_t index) {
        const std::uint64_t seen = slots.read(index);
        // Which index a free slot names next is the chain's affair.
        const std::uint64_t known = words::is_unused(seen) ? seen & words::upper_half : seen;
        explorer::require(seen == 0 || knows(may_be_seen_[index], known),
                          "a word was seen that nobody wrote");
        return seen;
    }

    /// All threads have ended.
    void settle() {
        for (const std::uint64_t word : words_type(issued_)) {
            const auto e = ecs::entity::assume_word(word);
            explorer::require(alive(e) == !knows(ended_, word), "an entity was lost, or outlived its end");
        }
    }

  private:
    static constexpr std::uint64_t constant = ecs::constant_bits<ecs::layouts::entity> | 1;
    static std::uint32_t index_of(ecs::entity e) { return static_cast<std::uint32_t>(e.value()); }

    void write(std::uint32_t index, std::uint64_t word) {
        remember(may_be_seen_[index], word);
        remember(issued_, (word & words::upper_half) | index);
        slots.write(index, word);
    }

    using words_type = std::set<std::uint64_t>;
    using shared_words = explorer::shared<words_type>;

    static void remember(shared_words& all, std::uint64_t word) {
        all.change([=](words_type& known) { known.insert(word); });
    }
    static bool knows(const shared_words& all, std::uint64_t word) {
        return all.read([=](const words_type& known) { return known.contains(word); });
    }

    ecs::index_chain free_;
    std::array<shared_words, 4> may_be_seen_;
    shared_words issued_, ended_;
};

/// What one thread sees of one entity: unborn, alive, ended, in this order.
template <class Atomics> class onlooker {
  public:
    explicit onlooker(slots_of_world<Atomics>& at) : at_(&at) {}
    void look(ecs::entity e) {
        const bool alive = at_->alive(e);
        explorer::require(!(alive && ended_), "an entity came back to life");
        ended_ = ended_ || (was_alive_ && !alive);
        was_alive_ = alive;
    }

  private:
    slots_of_world<Atomics>* at_;
    bool was_alive_ = false, ended_ = false;
};

/// The scenarios over one kind of atomics.
template <class Atomics> struct scenarios {
    using stage = slots_of_world<Atomics>;

    static explorer::program play(std::shared_ptr<stage> st, std::vector<std::function<void()>>&& threads) {
        return {.threads = std::move(threads), .finish = [st] { st->settle(); }};
    }

    static explorer::program found_while_it_is_published() {
        auto st = std::make_shared<stage>();
        return play(st, {[st] {
                             st->slots.ensure(1);
                             st->issue(2, 5);
                         },
                         [st] {
                             st->look(2);
                             st->look(3);
                             st->look(2);
                         }});
    }

    static explorer::program pages_come_one_after_the_other() {
        auto st = std::make_shared<stage>();
        return play(st, {[st] {
                             st->slots.ensure(1);
                             st->slots.ensure(0);
                             explorer::require(st->slots.pages() == 2, "pages are miscounted");
                         },
                         [st] {
                             for (const std::uint32_t index : {1U, 3U})
                                 explorer::require(st->look(index) == 0, "an index nobody used is used");
                         },
                         [st] { st->look(2); }});
    }

    static explorer::program ended_and_issued_again() {
        auto st = std::make_shared<stage>();
        st->slots.ensure(0);
        const ecs::entity first = st->issue(1, 5);
        return play(st, {[=] {
                             st->place(1, 6);
                             st->end(first);
                             st->end(st->issue_again(7));
                         },
                         [=] {
                             onlooker<Atomics> eyes(*st);
                             for (int i = 0; i < 4; ++i) eyes.look(first);
                         }});
    }

    /// The index passes from the thread that made its page to one that never found the page itself. In
    /// production it is the lock of the supply that hands it over.
    static explorer::program handed_over() {
        struct with_hand : stage {
            explorer::atomic<int> hand{0};
        };
        auto st = std::make_shared<with_hand>();
        return play(st, {[st] {
                             st->slots.ensure(1);
                             st->issue(3, 1);
                             st->hand.store(1, std::memory_order_release);
                         },
                         [st] {
                             if (st->hand.load(std::memory_order_acquire) != 1) return;
                             st->slots.ensure(1);
                             st->issue(2, 2);
                         },
                         [st] { st->look(2); }});
    }

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

    /// What a recorder is to the explorer: a variable that one thread at a time uses.
    struct notebook {
        mutable explorer::plain<int> pages{};
        explorer::plain<int> key{};
    };
    struct notebooks {
        ecs::basic_recorder_list<notebook, Atomics> list;
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
            list.retire([](const notebook& n) { return n.pages == 0; });
        }
        void take_and_retire() {
            list.retire([this](const notebook& n) {
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

    static explorer::program new_recorders_are_opened_at_once() {
        auto st = std::make_shared<notebooks>();
        const auto work = [st] { st->open_and_close(); };
        return write(st, {work, work});
    }

    static explorer::program idle_recorders_are_opened_at_once() {
        auto st = std::make_shared<notebooks>();
        notebook &one = st->list.open(), &two = st->list.open(); // The second group has a third.
        st->list.close(one);
        st->list.close(two);
        st->take_and_retire();
        const auto work = [st] { st->open_and_close(); };
        return write(st, {work, work, work});
    }

    /// A recorder goes from one thread through the hands of the world's to another.
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

    static std::vector<scenario> all() {
        return {
            {"found_while_it_is_published", found_while_it_is_published},
            {"pages_come_one_after_the_other", pages_come_one_after_the_other},
            {"ended_and_issued_again", ended_and_issued_again},
            {"handed_over", handed_over},
            {"taken_once", taken_once},
            {"nothing_is_taken_after_the_end", nothing_is_taken_after_the_end},
            {"the_last_sees_what_all_did", the_last_sees_what_all_did},
            {"new_recorders_are_opened_at_once", new_recorders_are_opened_at_once},
            {"idle_recorders_are_opened_at_once", idle_recorders_are_opened_at_once},
            {"opened_by_another_after_it_was_closed", opened_by_another_after_it_was_closed},
            {"closed_while_others_are_made_idle", closed_while_others_are_made_idle},
            {"numbers_of_chunks_are_taken_once", numbers_of_chunks_are_taken_once},
        };
    }
};

} // namespace model
