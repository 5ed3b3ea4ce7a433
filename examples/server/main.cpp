// SPDX-License-Identifier: MIT
// A server of a game: ticks of a fixed length, orders that several threads record, a match that is saved and
// gone on with, and orders that come too late, for which it goes back and plays again. Several servers play
// one match, and in the end they agree on every value and every identifier.
#include "fixed_step.hpp"
#include "orders.hpp"
#include "save_file.hpp"
#include <algorithm>
#include <chrono>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>

import ecs;

#include "game.hpp"
#include "host.hpp"

namespace {

using std::chrono::microseconds;

struct options {
    server::match_plan plan;
    unsigned threads = 4;
    std::string save = "match.save";
    std::string resume;
    bool real_time = false;
};

constexpr microseconds tick_length{20'000};
constexpr unsigned lines_of_table = 6;

/// Frames of a busy machine: some are short, and some are late.
microseconds length_of_frame(std::uint64_t frame) {
    return microseconds(4000 + server::scrambled(frame) % 60'000);
}

/// Plays until the tick, in frames as they come, and waits for what is under way. Calls after_tick with the
/// number of ticks that have been played.
unsigned play(server::host& by, std::uint32_t until, bool real_time,
              const std::function<void(std::uint32_t)>& after_tick) {
    server::fixed_step step(tick_length);
    unsigned frames = 0;
    while (by.match().now() < until) {
        const microseconds passed = length_of_frame(frames++);
        if (real_time) std::this_thread::sleep_for(passed);
        for (unsigned due = step.due_after(passed); due != 0 && by.match().now() < until; --due) {
            by.advance();
            after_tick(by.match().now());
        }
    }
    by.settle();
    return frames;
}

unsigned long long number(std::uint64_t value) { return value; }

void show_head() {
    std::printf("%6s %8s %7s %7s  %-16s  %s\n", "tick", "miners", "seams", "gold", "values", "identifiers");
}

void show(server::game& match) {
    const server::score now = match.standing();
    const server::fingerprint mark = match.mark();
    std::printf("%6u %8zu %7zu %7lld  %016llx  %016llx\n", match.now(), now.miners, now.seams,
                static_cast<long long>(now.gold), number(mark.values), number(mark.identifiers));
}

/// A match of which the second half is played by a server that is started anew, from a file. Its worlds live
/// until all are compared: one that takes over the number of a world that has ended goes on with its
/// generations.
struct two_halves {
    std::unique_ptr<server::host> first, second;
};

std::unique_ptr<server::host> restored_from(const std::string& file, unsigned threads) {
    try {
        return std::make_unique<server::host>(server::read_save(file), threads);
    } catch (const ecs::snapshot_error& e) {
        throw server::save_error(file, std::string(e.what()) + "; write another with --save");
    }
}

two_halves play_match(const server::match_plan& plan, unsigned threads, const std::string& file,
                      const std::function<unsigned(server::host&, std::uint32_t)>& play_until) {
    two_halves all{std::make_unique<server::host>(plan, threads), nullptr};
    play_until(*all.first, plan.ticks / 2);
    all.first->save(file);
    all.second = restored_from(file, threads);
    play_until(*all.second, plan.ticks);
    return all;
}

/// What everybody is compared with: all orders come in time. Shows how the match goes.
two_halves play_on_time(const options& chosen) {
    server::match_plan punctual = chosen.plan;
    punctual.lag = 0;
    const std::uint32_t every = std::max(1U, chosen.plan.ticks / lines_of_table);
    unsigned frames = 0;
    show_head();
    two_halves all =
        play_match(punctual, chosen.threads, chosen.save, [&](server::host& by, std::uint32_t until) {
            return frames += play(by, until, chosen.real_time, [&](std::uint32_t tick) {
                       if (tick % every == 0) show(by.match());
                   });
        });
    std::printf("%u ticks of %lld ms in %u frames; a file half-way, from which another server went on\n\n",
                punctual.ticks, static_cast<long long>(tick_length.count() / 1000), frames);
    return all;
}

two_halves play_late(const options& chosen, unsigned threads) {
    return play_match(chosen.plan, threads, chosen.save, [](server::host& by, std::uint32_t until) {
        return play(by, until, false, [](std::uint32_t) {});
    });
}

const char* verdict(server::host& one, server::host& other) {
    const server::fingerprint expected = one.match().mark(), found = other.match().mark();
    if (expected == found) return "the same";
    return expected.values == found.values ? "OTHER IDENTIFIERS" : "OTHER VALUES";
}

void show_late(const std::string& who, const two_halves& late, const two_halves& on_time) {
    const server::host_report first = late.first->report(), second = late.second->report();
    const std::string orders = std::to_string(first.late_orders + second.late_orders) + " of " +
                               std::to_string(first.orders + second.orders);
    std::printf("%-16s %11s %6zu %6zu  %-10s  %s\n", who.c_str(), orders.c_str(),
                first.rollbacks + second.rollbacks, first.ticks_again + second.ticks_again,
                verdict(*on_time.first, *late.first), verdict(*on_time.second, *late.second));
}

bool agree(const two_halves& a, const two_halves& b) {
    return a.first->match().mark() == b.first->match().mark() &&
           a.second->match().mark() == b.second->match().mark();
}

bool compare(const options& chosen) {
    const two_halves on_time = play_on_time(chosen), late = play_late(chosen, chosen.threads),
                     alone = play_late(chosen, 1);
    std::printf("%-16s %11s %6s %6s  %-10s  %s\n", "orders come late", "late orders", "back", "again",
                "when saved", "at the end");
    show_late("on " + std::to_string(chosen.threads) + " threads", late, on_time);
    show_late("on one thread", alone, on_time);
    return agree(on_time, late) && agree(on_time, alone);
}

bool go_on(const options& chosen) {
    const server::saved_match saved = server::read_save(chosen.resume);
    const auto by = restored_from(chosen.resume, chosen.threads);
    show_head();
    show(by->match());
    play(*by, saved.plan.ticks, chosen.real_time, [](std::uint32_t) {});
    show(by->match()); // Not before: until all orders are there, the world is a guess.
    return true;
}

void describe(CLI::App& app, options& chosen) {
    app.add_option("--players", chosen.plan.players)
        ->check(CLI::Range(1U, server::most_players))
        ->capture_default_str();
    app.add_option("--ticks", chosen.plan.ticks, "length of the match")
        ->check(CLI::Range(2U, server::most_ticks))
        ->capture_default_str();
    app.add_option("--lag", chosen.plan.lag, "an order is late by as many ticks at most")
        ->check(CLI::Range(0U, server::most_lag))
        ->capture_default_str();
    app.add_option("--seed", chosen.plan.seed, "another number, another match")->capture_default_str();
    app.add_option("--threads", chosen.threads, "that record orders; the match is the same")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    app.add_option("--save", chosen.save, "where the match is saved, half-way")->capture_default_str();
    app.add_option("--resume", chosen.resume, "go on with the match of this file, instead of comparing");
    app.add_flag("--real-time", chosen.real_time, "let a second take a second, for the first server");
}

} // namespace

int main(int argc, char** argv) {
    options chosen;
    CLI::App app("A game server with fixed ticks, saved matches and orders that come too late");
    describe(app, chosen);
    CLI11_PARSE(app, argc, argv);
    try {
        return (chosen.resume.empty() ? compare(chosen) : go_on(chosen)) ? 0 : 1;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "server: %s\n", e.what());
        return 1;
    }
}
