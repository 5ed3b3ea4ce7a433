// SPDX-License-Identifier: MIT
#include "scenario.hpp"
#include "table.hpp"
#include <algorithm>
#include <regex>

import ecs;

#include "market.hpp"
#include "questions.hpp"

namespace economy {

namespace {

using ecs::var;

/// The pair of a relation with whatever the variable stands for.
template <class Relation> auto to(ecs::world& world, const char* variable) {
    return ecs::pair(world.component<Relation>(), var(variable));
}

/// Whether the answer begins at the first of its circle by the alphabet.
bool is_shown(const table_row& row, const std::vector<std::size_t>& circle) {
    return std::ranges::all_of(circle, [&](std::size_t place) { return row[circle.front()] <= row[place]; });
}

answers in_order(answers all, const question& what) {
    std::erase_if(all, [&](const table_row& row) { return !is_shown(row, what.circle); });
    std::ranges::sort(all);
    return all;
}

/// The names of what a row is made of; entity_of(variable) says what a variable stands for.
table_row names_of(const ecs::world& world, const question& what, const auto& entity_of) {
    table_row row;
    for (const std::string& variable : what.variables) row.emplace_back(world.name_of(entity_of(variable)));
    return row;
}

answers answers_of(ecs::world& world, auto&& query, const question& what) {
    answers all;
    query.each([&](ecs::entity subject, const ecs::bindings& found) {
        all.push_back(names_of(world, what, [&](const std::string& variable) {
            return variable == "this" ? subject : found[variable];
        }));
    });
    return in_order(std::move(all), what);
}

// The questions in types.

auto supply(ecs::world& w) {
    return w.query()
        .with<Workshop>()
        .with(to<uses>(w, "good"))
        .with(to<makes>(w, "good"), var("supplier"))
        .with(to<located_in>(w, "here"))
        .with(to<located_in>(w, "there"), var("supplier"))
        .with(to<ships_to>(w, "here"), var("there"));
}

auto lack(ecs::world& w) {
    return w.query()
        .with<Workshop>()
        .with(to<uses>(w, "good"))
        .with(to<owned_by>(w, "owner"))
        .without(to<owns>(w, "good"), var("owner"));
}

auto help(ecs::world& w) {
    return lack(w).with(to<friend_of>(w, "friend"), var("owner")).with(to<owns>(w, "good"), var("friend"));
}

auto exchange(ecs::world& w) {
    return w.query()
        .with<Owner>()
        .with(to<owned_by>(w, "this"), var("shop"))
        .with(to<uses>(w, "gets"), var("shop"))
        .without(to<owns>(w, "gets"))
        .with(to<owns>(w, "gets"), var("other"))
        .with(to<owned_by>(w, "other"), var("their_shop"))
        .with(to<uses>(w, "gives"), var("their_shop"))
        .without(to<owns>(w, "gives"), var("other"))
        .with(to<owns>(w, "gives"));
}

auto chain(ecs::world& w) {
    return w.query()
        .with<Good>()
        .with(ecs::has_id(to<made_from>(w, "this")).of(w.lookup("carts")))
        .with(to<makes>(w, "this"), var("workshop"))
        .with(to<owned_by>(w, "owner"), var("workshop"));
}

auto circle(ecs::world& w) {
    return w.query()
        .with<Town>()
        .with(to<ships_to>(w, "second"))
        .with(to<ships_to>(w, "third"), var("second"))
        .with(to<ships_to>(w, "this"), var("third"));
}

auto itself(ecs::world& w) { return w.query().with<Good>().with(to<made_from>(w, "this"), var("this")); }

/// The function of a question that asks this query.
template <auto Query> answers ask(ecs::world& world, const question& what) {
    return answers_of(world, Query(world), what);
}

} // namespace

const std::vector<question>& all_questions() {
    static const std::vector<question> all{
        {"Who could supply whom, along a road",
         {"this", "good", "supplier", "there", "here"},
         "Workshop, (uses, $good), makes($supplier, $good), (located_in, $here), "
         "located_in($supplier, $there), ships_to($there, $here)",
         ask<supply>},
        {"Who lacks a good that a workshop needs",
         {"owner", "good", "this"},
         "Workshop, (uses, $good), (owned_by, $owner), !owns($owner, $good)",
         ask<lack>},
        {"Whose friends own what is lacking",
         {"owner", "good", "friend", "this"},
         "Workshop, (uses, $good), (owned_by, $owner), !owns($owner, $good), friend_of($owner, $friend), "
         "owns($friend, $good)",
         ask<help>},
        {"Which two could exchange what they lack",
         {"this", "gives", "other", "gets", "shop", "their_shop"},
         "Owner, owned_by($shop, $this), uses($shop, $gets), !owns($this, $gets), owns($other, $gets), "
         "owned_by($their_shop, $other), uses($their_shop, $gives), !owns($other, $gives), "
         "owns($this, $gives)",
         ask<exchange>,
         {0, 2}},
        {"What carts are made of, in any number of steps, and who makes it",
         {"this", "workshop", "owner"},
         "Good, made_from(carts, $this), makes($workshop, $this), owned_by($workshop, $owner)",
         ask<chain>},
        {"Where a ship comes home after three towns",
         {"this", "second", "third"},
         "Town, (ships_to, $second), ships_to($second, $third), ships_to($third, $this)",
         ask<circle>,
         {0, 1, 2}},
        {"Which goods are needed, in the end, to make themselves",
         {"this"},
         "Good, made_from($this, $this)",
         ask<itself>}};
    return all;
}

answers ask_as_text(ecs::world& world, const question& what) {
    answers all;
    world.query(what.text).each([&](const ecs::text_match& match) {
        all.push_back(names_of(world, what, [&](const std::string& variable) {
            return variable == "this" ? match.subject() : match[variable];
        }));
    });
    return in_order(std::move(all), what);
}

question question_of_text(std::string_view text) {
    question made{"", {"this"}, std::string(text), nullptr};
    const std::regex variable("\\$(\\w+)");
    for (std::sregex_iterator found(made.text.begin(), made.text.end(), variable), end; found != end; ++found)
        if (std::ranges::find(made.variables, (*found)[1].str()) == made.variables.end())
            made.variables.push_back((*found)[1]);
    return made;
}

std::string explain_exchange(ecs::world& world) { return exchange(world).explain(); }

} // namespace economy
