// SPDX-License-Identifier: MIT
// The battle of the skirmish, live, to be looked at in a browser: ./dev explore
#include "scenario.hpp"
#include <algorithm>
#include <chrono>
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <thread>

import ecs;
import ecs.remote;

#include "battle.hpp"

namespace {

struct options {
    std::uint16_t port = 27750;
    std::string host = "127.0.0.1";
    std::string token;
    std::string page;
    std::string origin;
    std::string scenario = EXPLORE_SCENARIO;
    unsigned rate = 10;
    unsigned long ticks = 0;
};

volatile std::sig_atomic_t is_interrupted = 0;

void interrupt(int) { is_interrupted = 1; }

std::string random_token() {
    std::random_device random;
    char text[17];
    std::snprintf(text, sizeof(text), "%08x%08x", random(), random());
    return text;
}

void show_where(const ecs::remote::server& server, const options& chosen) {
    std::printf("the world is at %s/?token=%s\n", server.address().c_str(), chosen.token.c_str());
    if (!chosen.page.empty())
        std::printf("the page of %s asks it at %s/?remote=true&host=%s:%u/token/%s\n", chosen.page.c_str(),
                    server.address().c_str(), chosen.host.c_str(), static_cast<unsigned>(server.port()),
                    chosen.token.c_str());
    std::fflush(stdout);
}

/// Requests are answered far more often than the world ticks, so that a page need not wait.
void run(const options& chosen) {
    using clock = std::chrono::steady_clock;
    skirmish::battle battle(skirmish::load_scenario(chosen.scenario), 2);
    battle.world().record_history(1000);
    ecs::remote::server server(battle.world(), {.port = chosen.port,
                                                .host = chosen.host,
                                                .token = chosen.token,
                                                .allowed_origin = chosen.origin,
                                                .page_directory = chosen.page,
                                                .schedule = &battle.schedule()});
    show_where(server, chosen);
    const auto pause = clock::duration(std::chrono::seconds(1)) / chosen.rate;
    auto next = clock::now();
    while (!is_interrupted && (chosen.ticks == 0 || battle.now() < chosen.ticks)) {
        if (clock::now() >= next) {
            battle.tick();
            next = std::max(next + pause, clock::now());
        }
        server.poll();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

} // namespace

int main(int argc, char** argv) {
    options chosen;
    chosen.token = random_token();
    CLI::App app("A battle that goes on, served to a browser; see docs/explorer.md");
    app.add_option("scenario", chosen.scenario, "a JSON file like the one shipped with the example")
        ->capture_default_str();
    app.add_option("--port", chosen.port, "0 takes a free one")->capture_default_str();
    app.add_option("--host", chosen.host, "the address to listen at")->capture_default_str();
    app.add_option("--token", chosen.token,
                   "what edits have to come with; by default a new one, \"\" for none");
    app.add_option("--page", chosen.page,
                   "a directory with a page to serve, such as etc/ of the Flecs Explorer");
    app.add_option("--allow-origin", chosen.origin, "pages of which other server may ask");
    app.add_option("--rate", chosen.rate, "ticks in a second")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    app.add_option("--ticks", chosen.ticks, "end after so many; 0 for never");
    CLI11_PARSE(app, argc, argv);
    std::signal(SIGINT, interrupt);
    std::signal(SIGTERM, interrupt);
    try {
        run(chosen);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "explore: %s\n", e.what());
        return 1;
    }
    return 0;
}
