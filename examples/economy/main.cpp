// SPDX-License-Identifier: MIT
// An economy in relations, and questions with variables about it: who could supply whom, who lacks what,
// whose friends have it. Each is asked in types and as text; --ask asks one of your own.
#include "scenario.hpp"
#include "table.hpp"
#include <algorithm>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

import ecs;

#include "market.hpp"
#include "questions.hpp"

namespace {

struct options {
    std::string scenario = ECONOMY_SCENARIO;
    unsigned days = 3;
    std::string question;
};

void show(const economy::table_row& head, const economy::answers& found) {
    economy::table shown(head);
    for (const economy::table_row& row : found) shown.add(row);
    shown.print();
    std::puts("");
}

void show_question(ecs::world& world, const economy::question& what) {
    const economy::answers found = what.ask(world, what);
    if (found != economy::ask_as_text(world, what))
        throw std::logic_error(what.title + ": the text finds something else");
    std::printf("%s\n  %s\n\n", what.title.c_str(), what.text.c_str());
    show(what.variables, found);
}

void show_stocks(economy::market& market) {
    ecs::world& world = market.world();
    const std::vector<ecs::entity> goods = world.query<const economy::Good>().entities();
    economy::table_row head{"owner"};
    for (const ecs::entity good : goods) head.emplace_back(world.name_of(good));
    economy::answers stocks;
    for (const ecs::entity owner : world.query<const economy::Owner>().entities()) {
        stocks.push_back({std::string(world.name_of(owner))});
        for (const ecs::entity good : goods)
            stocks.back().push_back(std::to_string(market.stock(owner, good)));
    }
    std::ranges::sort(stocks);
    show(head, stocks);
}

void pass_days(economy::market& market, unsigned days) {
    for (unsigned day = 1; day <= days; ++day) {
        const economy::day_report today = market.pass_day();
        std::printf("day %u: %zu gifts among friends, %zu workshops at work\n", day, today.gifts,
                    today.workshops_at_work);
    }
    std::puts("");
}

void show_all(economy::market& market, unsigned days) {
    for (const economy::question& what : economy::all_questions()) show_question(market.world(), what);
    std::printf("How the search for an exchange goes\n%s\n\n",
                economy::explain_exchange(market.world()).c_str());
    show_stocks(market);
    pass_days(market, days);
    show_stocks(market);
    show_question(market.world(), economy::all_questions()[1]);
}

void run(const options& chosen) {
    economy::market market(economy::load_scenario(chosen.scenario));
    if (chosen.question.empty()) return show_all(market, chosen.days);
    const economy::question asked = economy::question_of_text(chosen.question);
    show(asked.variables, economy::ask_as_text(market.world(), asked));
}

} // namespace

int main(int argc, char** argv) {
    options chosen;
    CLI::App app("An economy in relations, and questions about it");
    app.add_option("scenario", chosen.scenario, "a JSON file like the one shipped with the example")
        ->capture_default_str();
    app.add_option("--days", chosen.days, "that pass between the first answers and the last")
        ->check(CLI::Range(0, 10'000))
        ->capture_default_str();
    app.add_option("--ask", chosen.question,
                   "a question as text, such as 'Workshop, (uses, $good), !(owned_by, Ann)'");
    CLI11_PARSE(app, argc, argv);
    try {
        run(chosen);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "economy: %s\n", e.what());
        return 1;
    }
    return 0;
}
