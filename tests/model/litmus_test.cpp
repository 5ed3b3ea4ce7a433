// SPDX-License-Identifier: MIT
//
// The explorer itself is right: the classic litmus tests have exactly the outcomes the C++20 memory model
// gives them, within the stated limits (no load buffering, modification order = execution order), and
// partial-order reduction loses none.
#include <array>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "explorer/explore.hpp"

namespace {

using explorer::atomic;
using explorer::plain;
using explorer::program;
using explorer::shared;

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto acq_rel = std::memory_order_acq_rel;

/// Three locations, state of the test's own, and what each register of the program held at its end.
struct state {
    atomic<int> x, y, z;
    shared<int> v, w;
    std::array<int, 4> r{};
};

using body = std::function<void(state&)>;

std::set<std::string> outcomes(const std::vector<body>& threads, std::size_t registers,
                               explorer::reduction kind = explorer::reduction::partial_order) {
    std::set<std::string> seen;
    const auto result = explorer::explore(
        [&] {
            auto s = std::make_shared<state>();
            program p;
            for (const body& thread : threads) p.threads.emplace_back([s, thread] { thread(*s); });
            p.finish = [s, &seen, registers] {
                std::string text;
                for (std::size_t i = 0; i < registers; ++i)
                    text += (s->r[i] > 9 ? "," : "") + std::to_string(s->r[i]);
                seen.insert(text);
            };
            return p;
        },
        {.executions = 2'000'000, .kind = kind});
    EXPECT_TRUE(result.complete()) << result.failure << '\n' << result.trace;
    return seen;
}

struct litmus {
    const char* name;
    std::vector<body> threads;
    std::size_t registers;
    std::set<std::string> expected;
};

void PrintTo(const litmus& test, std::ostream* out) { *out << test.name; }

const std::vector<litmus>& catalogue() { // NOLINT(readability-function-size): a table.
    static const std::vector<litmus> all{
        {"store_buffering",
         {[](state& s) { s.x.store(1, release), s.r[0] = s.y.load(acquire); },
          [](state& s) { s.y.store(1, release), s.r[1] = s.x.load(acquire); }},
         2,
         {"00", "01", "10", "11"}},
        {"message_passing",
         {[](state& s) { s.x.store(1, relaxed), s.y.store(1, release); },
          [](state& s) { s.r[0] = s.y.load(acquire), s.r[1] = s.x.load(relaxed); }},
         2,
         {"00", "01", "11"}},
        {"message_passing_relaxed_store",
         {[](state& s) { s.x.store(1, relaxed), s.y.store(1, relaxed); },
          [](state& s) { s.r[0] = s.y.load(acquire), s.r[1] = s.x.load(relaxed); }},
         2,
         {"00", "01", "10", "11"}},
        {"message_passing_relaxed_load",
         {[](state& s) { s.x.store(1, relaxed), s.y.store(1, release); },
          [](state& s) { s.r[0] = s.y.load(relaxed), s.r[1] = s.x.load(relaxed); }},
         2,
         {"00", "01", "10", "11"}},
        {"coherence_read_read",
         {[](state& s) { s.x.store(1, relaxed), s.x.store(2, relaxed); },
          [](state& s) { s.r[0] = s.x.load(relaxed), s.r[1] = s.x.load(relaxed); }},
         2,
         {"00", "01", "02", "11", "12", "22"}},
        {"coherence_write_read",
         {[](state& s) { s.x.store(1, relaxed), s.r[0] = s.x.load(relaxed); },
          [](state& s) { s.x.store(2, relaxed), s.r[1] = s.x.load(relaxed); }},
         2,
         {"11", "12", "22"}},
        {"independent_reads_of_independent_writes",
         {[](state& s) { s.x.store(1, release); }, [](state& s) { s.y.store(1, release); },
          [](state& s) { s.r[0] = s.x.load(acquire), s.r[1] = s.y.load(acquire); },
          [](state& s) { s.r[2] = s.y.load(acquire), s.r[3] = s.x.load(acquire); }},
         4,
         {"0000", "0001", "0010", "0011", "0100", "0101", "0110", "0111", "1000", "1001", "1010", "1011",
          "1100", "1101", "1110", "1111"}},
        {"release_sequence_through_a_relaxed_update",
         {[](state& s) { s.x.store(1, relaxed), s.y.store(1, release); },
          [](state& s) { s.y.fetch_add(1, relaxed); },
          [](state& s) {
              s.r[0] = s.y.load(acquire) == 2;
              s.r[1] = s.x.load(relaxed);
          }},
         2,
         {"00", "01", "11"}},
        {"release_sequence_broken_by_a_relaxed_store",
         {[](state& s) { s.x.store(1, relaxed), s.y.store(1, release), s.y.store(2, relaxed); },
          [](state& s) {
              s.r[0] = s.y.load(acquire);
              s.r[1] = s.x.load(relaxed);
          }},
         2,
         {"00", "01", "11", "20", "21"}},
        {"load_buffering_is_not_produced",
         {[](state& s) { s.r[0] = s.y.load(relaxed), s.x.store(1, relaxed); },
          [](state& s) { s.r[1] = s.x.load(relaxed), s.y.store(1, relaxed); }},
         2,
         {"00", "01", "10"}},
        {"write_to_read_causality",
         {[](state& s) { s.x.store(1, release); },
          [](state& s) {
              s.r[0] = s.x.load(acquire);
              s.y.store(1, release);
          },
          [](state& s) { s.r[1] = s.y.load(acquire), s.r[2] = s.x.load(relaxed); }},
         3,
         {"000", "001", "010", "011", "100", "101", "111"}},
        {"updates_are_never_lost",
         {[](state& s) { s.r[0] = s.x.fetch_add(1, relaxed); },
          [](state& s) { s.r[1] = s.x.fetch_add(1, relaxed); },
          [](state& s) { s.r[2] = s.x.fetch_add(1, relaxed); }},
         3,
         {"012", "021", "102", "120", "201", "210"}},
        {"one_compare_exchange_wins",
         {[](state& s) {
              int zero = 0;
              s.r[0] = s.x.compare_exchange_strong(zero, 1, acq_rel, relaxed);
          },
          [](state& s) {
              int zero = 0;
              s.r[1] = s.x.compare_exchange_strong(zero, 2, acq_rel, relaxed);
          }},
         2,
         {"01", "10"}},
        {"a_failing_compare_exchange_may_read_an_old_store",
         {[](state& s) { s.x.store(1, relaxed), s.x.store(2, relaxed); },
          [](state& s) {
              int expected = 2;
              s.r[0] = s.x.compare_exchange_strong(expected, 9, relaxed, relaxed);
              s.r[1] = expected;
          }},
         2,
         {"00", "01", "12"}},
        {"exchange_reads_the_newest",
         {[](state& s) { s.r[0] = s.x.exchange(1, acq_rel); },
          [](state& s) { s.r[1] = s.x.exchange(2, acq_rel); }},
         2,
         {"01", "20"}},
        {"bits_are_set_and_cleared_at_once",
         {[](state& s) { s.r[0] = s.x.fetch_or(6, relaxed); },
          [](state& s) { s.r[1] = s.x.fetch_and(3, relaxed); },
          [](state& s) { s.r[2] = s.x.fetch_sub(-1, relaxed); }},
         3,
         {"006", "062", "076", "100", "110", "170"}},
        {"shared_state_is_sequentially_consistent",
         {[](state& s) { s.v = 1, s.r[0] = s.w; }, [](state& s) { s.w = 1, s.r[1] = s.v; }},
         2,
         {"01", "10", "11"}},
        {"shared_state_orders_no_atomic",
         {[](state& s) { s.x.store(1, relaxed), s.w = 1; },
          [](state& s) { s.r[0] = s.w, s.r[1] = s.x.load(relaxed); }},
         2,
         {"00", "01", "10", "11"}},
        {"every_choice_is_tried",
         {[](state& s) { s.r[0] = static_cast<int>(explorer::choose(3)), s.x.store(s.r[0], relaxed); },
          [](state& s) { s.r[1] = s.x.load(relaxed); }},
         2,
         {"00", "10", "11", "20", "22"}},
    };
    return all;
}

class Litmus : public ::testing::TestWithParam<litmus> {};

TEST_P(Litmus, has_exactly_the_outcomes_of_the_memory_model) {
    EXPECT_EQ(outcomes(GetParam().threads, GetParam().registers), GetParam().expected);
}

TEST_P(Litmus, reduction_loses_no_outcome) {
    const auto all = outcomes(GetParam().threads, GetParam().registers, explorer::reduction::none);
    EXPECT_EQ(all, GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Litmus, ::testing::ValuesIn(catalogue()),
                         [](const auto& info) { return info.param.name; });

/// A random operation of thread t on one of two locations, on shared state, or a choice.
body random_step(std::minstd_rand& random, std::size_t t) {
    constexpr std::array orders{relaxed, acq_rel};
    const auto which = random() % 2;
    const bool strong = random() % 2;
    const auto at = [which](state& s) -> atomic<int>& { return which ? s.x : s.y; };
    const int value = static_cast<int>(random() % 3);
    switch (random() % 7) {
    case 0: return [=](state& s) { s.r[t] = 4 * s.r[t] + at(s).load(strong ? acquire : relaxed); };
    case 1: return [=](state& s) { at(s).store(value, strong ? release : relaxed); };
    case 2: return [=](state& s) { s.r[t] = 4 * s.r[t] + at(s).exchange(value, orders[strong]); };
    case 3: return [=](state& s) { s.r[t] = 4 * s.r[t] + s.w; };
    case 4: return [=](state& s) { s.w = value; };
    case 5: return [=](state& s) { s.r[t] = 4 * s.r[t] + static_cast<int>(explorer::choose(2)); };
    default:
        return [=](state& s) {
            int expected = value;
            s.r[t] = 4 * s.r[t] + at(s).compare_exchange_strong(expected, 3, orders[strong], relaxed);
        };
    }
}

/// Three threads of two, two and one random operations.
std::vector<body> random_program(std::minstd_rand& random) {
    std::vector<body> threads;
    for (std::size_t t = 0; t < 3; ++t) {
        std::vector<body> steps;
        for (int n = 0; n < (t == 2 ? 1 : 2); ++n) steps.push_back(random_step(random, t));
        threads.emplace_back([steps](state& s) {
            for (const body& step : steps) step(s);
        });
    }
    return threads;
}

TEST(Reduction, loses_no_outcome_of_random_programs) {
    std::minstd_rand random(7);
    for (int n = 0; n < 300; ++n) {
        const auto threads = random_program(random);
        EXPECT_EQ(outcomes(threads, 3), outcomes(threads, 3, explorer::reduction::none)) << "program " << n;
    }
}

/// A writer fills a plain variable and raises a flag; a reader that sees the flag reads the variable.
explorer::report hand_over(std::memory_order store, std::memory_order load) {
    struct shared {
        plain<int> data;
        atomic<int> flag;
    };
    return explorer::explore([=] {
        auto s = std::make_shared<shared>();
        return program{.threads = {[=] { s->data = 1, s->flag.store(1, store); },
                                   [=] {
                                       if (s->flag.load(load) == 1)
                                           explorer::require(s->data == 1, "the data arrived");
                                   }}};
    });
}

TEST(Races, release_and_acquire_order_plain_data) {
    EXPECT_TRUE(hand_over(release, acquire).complete());
    EXPECT_TRUE(hand_over(relaxed, acquire).failed());
    EXPECT_TRUE(hand_over(release, relaxed).failed());
}

/// A writer publishes a new atomic through a pointer.
explorer::report publish(std::memory_order store, std::memory_order load) {
    using cell = atomic<int>;
    return explorer::explore([=] {
        auto pointer = std::make_shared<atomic<cell*>>();
        auto owner = std::make_shared<std::unique_ptr<cell>>();
        return program{.threads = {[=] {
                                       *owner = std::make_unique<cell>(5);
                                       pointer->store(owner->get(), store);
                                   },
                                   [=] {
                                       if (cell* c = pointer->load(load))
                                           explorer::require(c->load(relaxed) == 5, "initialised");
                                   }}};
    });
}

TEST(Races, an_atomic_reached_through_a_relaxed_pointer_is_unpublished_memory) {
    EXPECT_TRUE(publish(release, acquire).complete());
    EXPECT_NE(publish(relaxed, acquire).failure.find("unpublished"), std::string::npos);
    EXPECT_NE(publish(release, relaxed).failure.find("unpublished"), std::string::npos);
}

TEST(Races, destroying_an_atomic_in_use_is_found) {
    const auto result = explorer::explore([] {
        auto x = std::make_shared<std::optional<atomic<int>>>(std::in_place, 0);
        return program{.threads = {[=] { x->reset(); }, [=, raw = &**x] { raw->load(relaxed); }}};
    });
    EXPECT_TRUE(result.failed());
}

TEST(Races, use_of_memory_that_was_given_back_is_found) {
    const auto result = explorer::explore([] {
        auto is_over = std::make_shared<atomic<int>>(0);
        auto* const block = explorer::allocate_block<atomic<int>>(2);
        return program{.threads = {[=] {
                                       explorer::release_block(block, 2);
                                       is_over->store(1, release);
                                   },
                                   [=] {
                                       if (is_over->load(acquire) == 1) block[0].load(relaxed);
                                   }}};
    });
    EXPECT_NE(result.failure.find("is used after its destruction"), std::string::npos) << result.failure;
}

/// One thread marks that it is about to tell, and then what it told. The other sees the mark alone, which
/// only the order of the two threads' steps at `Told` brings about.
template <class Told> explorer::report tells_late(explorer::reduction kind) {
    struct state_of_test {
        atomic<int> mark, elsewhere;
        Told told{false};
    };
    const auto make = [] {
        auto s = std::make_shared<state_of_test>();
        return program{.threads = {[=] {
                                       s->mark.store(1, relaxed);
                                       s->elsewhere.store(1, relaxed);
                                       s->told = true;
                                   },
                                   [=] {
                                       if (s->mark.load(relaxed) == 1)
                                           explorer::require(s->told, "it was told before the mark was seen");
                                   }}};
    };
    return explorer::explore(make, {.kind = kind});
}

TEST(Reduction, keeps_failures_that_shared_state_alone_brings_about) {
    EXPECT_TRUE(tells_late<bool>(explorer::reduction::none).failed());
    EXPECT_FALSE(tells_late<bool>(explorer::reduction::partial_order).failed()) << "so shared is not needed";
    EXPECT_TRUE(tells_late<shared<bool>>(explorer::reduction::none).failed());
    EXPECT_TRUE(tells_late<shared<bool>>(explorer::reduction::partial_order).failed());
}

/// The failure of a program that loads, stores or exchanges with these orders.
std::string failure_of(const body& step) {
    return explorer::explore([=] {
               auto s = std::make_shared<state>();
               return program{.threads = {[=] { step(*s); }}};
           })
        .failure;
}

TEST(Orders, that_are_not_modelled_are_refused) {
    constexpr auto seq_cst = std::memory_order_seq_cst;
    const auto refused = [](const body& step, const std::string& what) {
        EXPECT_EQ(failure_of(step), "a " + what + " is not modelled");
    };
    refused([=](state& s) { s.x.load(seq_cst); }, "load with memory_order_seq_cst");
    refused([=](state& s) { s.x.store(1, seq_cst); }, "store with memory_order_seq_cst");
    refused([=](state& s) { s.x.fetch_or(1, seq_cst); }, "read-modify-write with memory_order_seq_cst");
    refused([](state& s) { s.x.load(std::memory_order_consume); }, "load with memory_order_consume");
    refused([](state& s) { s.x.load(release); }, "load with memory_order_release");
    refused([](state& s) { s.x.store(1, acq_rel); }, "store with memory_order_acq_rel");
    refused(
        [=](state& s) {
            int zero = 0;
            s.x.compare_exchange_strong(zero, 1, seq_cst, relaxed);
        },
        "read-modify-write with memory_order_seq_cst");
    refused(
        [=](state& s) {
            int zero = 0;
            s.x.compare_exchange_strong(zero, 1, acq_rel, acq_rel);
        },
        "load with memory_order_acq_rel");
}

/// Allocates as often as asked, and says which of the allocations failed.
std::string allocate(int times) {
    std::string fate;
    for (int n = 0; n < times; ++n) fate += explorer::allocation_fails() ? 'x' : '.';
    return fate;
}

TEST(Allocation, fails_in_every_way_that_the_program_allows) {
    std::set<std::string> seen;
    const auto result = explorer::explore([&] {
        auto fate = std::make_shared<std::string>(allocate(2));
        return program{.threads = {[=] {
                           {
                               const explorer::failing_allocations scarce(2);
                               *fate += allocate(3);
                           }
                           *fate += allocate(1);
                       }},
                       .finish = [fate, &seen] { seen.insert(*fate); }};
    });
    EXPECT_TRUE(result.complete());
    const std::set<std::string> all{"......", "..x...", "...x..", "....x.", "..xx..", "..x.x.", "...xx."};
    EXPECT_EQ(seen, all);
}

TEST(Exceptions, of_threads_that_handle_them_at_once_are_kept_apart) {
    const auto result = explorer::explore([] {
        auto s = std::make_shared<state>();
        const auto handle = [s](int mine) {
            return [=] {
                try {
                    try {
                        throw mine;
                    } catch (...) {
                        s->x.fetch_add(1, relaxed);
                        throw;
                    }
                } catch (int caught) {
                    s->x.fetch_add(1, relaxed);
                    explorer::require(caught == mine, "a thread caught its own exception");
                }
                explorer::require(std::uncaught_exceptions() == 0, "no exception is left");
            };
        };
        return program{.threads = {handle(1), handle(2)}};
    });
    EXPECT_TRUE(result.complete()) << result.failure << result.trace;
}

TEST(Report, a_failure_prints_its_execution) {
    const auto result = hand_over(relaxed, acquire);
    EXPECT_NE(result.trace.find("T1  store (relaxed)"), std::string::npos) << result.trace;
    EXPECT_NE(result.trace.find("data race"), std::string::npos) << result.trace;
}

TEST(Report, a_program_larger_than_the_limit_is_truncated_and_says_so) {
    const auto make = [] {
        auto x = std::make_shared<atomic<int>>(0);
        const auto add = [=] { x->fetch_add(1, relaxed), x->fetch_add(1, relaxed); };
        return program{.threads = {add, add}};
    };
    const auto whole = explorer::explore(make);
    EXPECT_TRUE(whole.complete());
    EXPECT_EQ(whole.executions - whole.redundant, 6U); // the interleavings of 2 + 2 dependent steps
    EXPECT_TRUE(explorer::explore(make, {.executions = whole.executions - 1}).truncated);
    EXPECT_FALSE(explorer::explore(make, {.executions = whole.executions}).truncated);
}

TEST(Report, a_thread_that_does_not_end_is_a_failure) {
    const auto result = explorer::explore([] {
        auto x = std::make_shared<atomic<int>>(0);
        return program{.threads = {[=] {
                           while (x->load(relaxed) == 0) {
                           }
                       }}};
    });
    EXPECT_EQ(result.failure, "the program does not end");
}

TEST(Report, independent_steps_are_explored_once) {
    const auto result = explorer::explore([] {
        auto s = std::make_shared<state>();
        return program{.threads = {[=] { s->x.store(1, relaxed); }, [=] { s->y.store(1, relaxed); },
                                   [=] { s->z.store(1, relaxed); }}};
    });
    EXPECT_EQ(result.executions, 1U);
}

} // namespace
