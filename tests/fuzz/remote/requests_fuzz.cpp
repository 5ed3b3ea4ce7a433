// SPDX-License-Identifier: MIT
// Any request has an answer that is JSON, and the world goes on: bytes as they are, and as words of the
// protocol, so that more of them make sense. Edits are among them.
#include "fuzz/query_terms.hpp"
#include <array>
#include <boost/hana/define_struct.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

import ecs.world;
import ecs.remote;

namespace {

struct position {
    BOOST_HANA_DEFINE_STRUCT(position, (float, x), (float, y));
};
struct orders {
    BOOST_HANA_DEFINE_STRUCT(orders, (position, to), (std::string, text), (ecs::entity, from));
};
struct owes {
    BOOST_HANA_DEFINE_STRUCT(owes, (int, amount));
};
struct frozen {};
struct likes {};

void require(bool holds) {
    if (!holds) std::abort();
}

void fill(ecs::world& world) {
    const ecs::entity bob = world.spawn(std::string_view("Bob"), position{}, orders{});
    const ecs::entity hull = world.prefab("Hull", owes{});
    for (int i = 0; i < 6; ++i) {
        const ecs::entity e = world.spawn(position{}, ecs::pair(ecs::child_of, bob));
        if (i % 2 == 0) world.add<likes>(e, bob);
        if (i % 3 == 0) world.set<owes>(e, bob, owes{i});
        if (i % 3 == 1) world.add(e, ecs::pair(ecs::is_a, hull));
    }
    world.component<frozen>();
}

constexpr std::array<std::string_view, 70> words{"position",
                                                 "orders",
                                                 "owes",
                                                 "frozen",
                                                 "likes",
                                                 "Bob",
                                                 "Hull",
                                                 "child_of",
                                                 "is_a",
                                                 "flecs.core.ChildOf",
                                                 "flecs.core.IsA",
                                                 "flecs.core.Module",
                                                 "flecs",
                                                 "core",
                                                 "World",
                                                 "(",
                                                 ")",
                                                 "{",
                                                 "}",
                                                 ",",
                                                 "||",
                                                 "|self",
                                                 "|",
                                                 "!",
                                                 "?",
                                                 "[none] ",
                                                 "[inout] ",
                                                 "$x",
                                                 "$this",
                                                 "$base",
                                                 "*",
                                                 "_",
                                                 "#0",
                                                 "#512",
                                                 "#513v1",
                                                 "#4294967808",
                                                 "7",
                                                 "up",
                                                 "cascade",
                                                 "kind",
                                                 "changed",
                                                 "\"",
                                                 "\\",
                                                 " ",
                                                 ".",
                                                 "/",
                                                 ":",
                                                 "==",
                                                 "~=",
                                                 "(likes, $x)",
                                                 "value=",
                                                 "component=",
                                                 "limit=",
                                                 "offset=",
                                                 "true",
                                                 "false",
                                                 "enable=",
                                                 "{\"x\":",
                                                 "1",
                                                 "}",
                                                 "\"text\":",
                                                 "null",
                                                 "[",
                                                 "]",
                                                 "-1e400",
                                                 "18446744073709551616",
                                                 "\xff",
                                                 "refs=*",
                                                 "(owes,Bob)",
                                                 "try="};

constexpr std::array<std::string_view, 16> subjects{
    "position",     "orders",    "owes",           "frozen",
    "likes",        "Bob",       "Hull",           "(likes, $x)",
    "(likes, Bob)", "(owes, *)", "(child_of, $y)", "(child_of, Bob)",
    "(is_a, Hull)", "($r, Bob)", "(is_a, _)",      "(flecs.core.ChildOf, $x)"};

constexpr std::array<std::string_view, 19> paths{
    "query",   "entity",      "component", "world",    "type_info",           "components",    "tables",
    "queries", "stats",       "commands",  "toggle",   "entity/Bob",          "component/Bob", "nonsense",
    "layouts", "layouts/Bob", "history",   "schedule", "action/shrink_memory"};
constexpr std::array<std::string_view, 4> methods{"GET", "PUT", "DELETE", "POST"};
constexpr std::array<std::string_view, 12> flags{"values",     "table",      "type_info", "inherited",
                                                 "entity_ids", "field_info", "doc",       "query_info",
                                                 "builtin",    "query_plan", "results",   "own_names"};

/// Takes bytes from the front; zero when there are none left.
class input {
  public:
    input(const std::uint8_t* data, std::size_t size) : bytes_(data, size) {}
    std::size_t next() {
        if (bytes_.empty()) return 0;
        const std::size_t byte = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return byte;
    }
    std::string text() {
        const std::size_t length = next() % 24;
        const bool as_words = next() % 4 != 0;
        std::string made;
        for (std::size_t i = 0; i < length && !bytes_.empty(); ++i)
            as_words ? void(made += words[next() % words.size()]) : made.push_back(static_cast<char>(next()));
        return made;
    }
    [[nodiscard]] bool is_empty() const { return bytes_.empty(); }

  private:
    std::span<const std::uint8_t> bytes_;
};

void ask_for_anything(ecs::remote::request& asked, input& from) {
    asked.method = methods[from.next() % methods.size()];
    asked.path = "/" + std::string(paths[from.next() % paths.size()]);
    if (from.next() % 2 == 0) asked.path += "/" + from.text();
    for (const char* key : {"expr", "component", "value", "limit", "refs", "enable"})
        if (from.next() % 2 == 0) asked.parameters[key] = from.text();
}

/// Most of these are answered.
void ask_for_matches(ecs::remote::request& asked, input& from) {
    asked.method = "GET";
    asked.path = "/query";
    asked.parameters["expr"] = query_terms::text_of([&] { return from.next(); }, subjects);
}

ecs::remote::request request_of(input& from) {
    ecs::remote::request asked;
    from.next() % 4 == 0 ? ask_for_matches(asked, from) : ask_for_anything(asked, from);
    const std::size_t chosen = from.next() * 256 + from.next();
    for (std::size_t i = 0; i < flags.size(); ++i)
        if ((chosen >> i & 1U) != 0) asked.parameters[std::string(flags[i])] = i % 3 == 0 ? "false" : "true";
    asked.token = "token";
    return asked;
}

void ask(ecs::world& world, ecs::schedule& schedule, const ecs::remote::request& asked) {
    const ecs::remote::answer_options options{
        .token = "token", .rows_max = 50, .budget = std::chrono::milliseconds(5), .schedule = &schedule};
    const ecs::remote::response answer = ecs::remote::answer(world, asked, options);
    require(answer.status == 200 || (answer.status >= 400 && answer.status <= 503));
    require(answer.status != 500); // Nothing here throws.
    const nlohmann::json said = nlohmann::json::parse(answer.body, nullptr, false);
    require(!said.is_discarded());
    require(answer.status == 200 || said.at("error").is_string());
    require(!world.is_locked());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ecs::world world;
    fill(world);
    world.record_history(20);
    ecs::schedule schedule;
    schedule.add("move", [](position& p, const owes*) { p.x += 1; });
    schedule.run(world, 1);
    input from(data, size);
    for (int i = 0; i < 8 && !from.is_empty(); ++i) ask(world, schedule, request_of(from));
    return 0;
}
