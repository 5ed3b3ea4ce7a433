// SPDX-License-Identifier: MIT
// Any text is a query or is refused: nothing crashes, and what is read is written so that it is read again
// and finds the same. Bytes are taken as they are, as words of the language, and as terms of words, so that
// more of them make sense.
#include "fuzz/query_terms.hpp"
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
import ecs.world;

namespace {

struct position {
    float x, y;
};
struct mass {
    float value;
};
struct frozen {};
struct likes {};
struct owes {
    int amount;
};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    int strength;
};

void require(bool holds) {
    if (!holds) std::abort();
}

/// A few entities of every kind of table.
ecs::world& scene() {
    static ecs::world world;
    if (world.lookup("Bob")) return world;
    const ecs::entity bob = world.spawn(std::string("Bob"), position{}, mass{1});
    ecs::entity above = bob;
    for (int i = 0; i < 12; ++i) {
        const ecs::entity e = world.spawn(position{}, ecs::pair(ecs::child_of, above));
        if (i % 2 == 0) world.add<likes>(e, bob);
        if (i % 3 == 0) world.set(e, buff{i});
        if (i % 4 == 0) world.set<owes>(bob, e, owes{i});
        if (i % 5 == 0) world.add<frozen>(e);
        if (i == 5) world.disable<position>(e);
        above = i % 3 == 0 ? e : bob;
    }
    return world;
}

constexpr std::array<std::string_view, 48> words{
    "position", "mass",   "frozen", "likes",       "owes", "buff",        "Bob",       "child_of",
    "is_a",     "prefab", "name",   "(",           ")",    "{",           "}",         ",",
    "||",       "|",      "!",      "?",           "[in]", "[inout]",     "[none]",    "$x",
    "$y",       "$this",  "$",      "*",           "_",    "#0",          "#3",        "#300v1",
    "7",        "self",   "up",     "cascade",     "kind", "changed",     "added",     "removed",
    "\"Bob\"",  "\\",     " ",      "(likes, $x)", "$r",   "$r(Bob, $x)", "($r, Bob)", "?(likes, $y)"};

/// A few: hardly any text of many words is a query.
std::string words_of(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return {};
    const std::size_t end = std::min<std::size_t>(size, 2U + data[0] % 9U);
    std::string text;
    for (std::size_t i = 1; i < end; ++i) text += words[data[i] % words.size()];
    return text;
}

constexpr std::array<std::string_view, 20> subjects{
    "position",      "mass",           "frozen",         "likes",         "owes",
    "buff",          "(is_a, Bob)",    "name",           "Bob",           "(likes, $x)",
    "(likes, Bob)",  "(owes, $y)",     "(owes, *)",      "($r, Bob)",     "(is_a, _)",
    "(child_of, *)", "(child_of, $x)", "(child_of, #0)", "owes(Bob, $x)", "likes($x, Bob)"};

std::string terms_of(const std::uint8_t* data, std::size_t size) {
    std::size_t taken = 0;
    return query_terms::text_of([&] { return taken < size ? data[taken++] : std::size_t{0}; }, subjects);
}

/// Variables multiply: more than a few would only take time.
bool is_quick(std::string_view text) { return std::ranges::count(text, '$') <= 4 && text.size() < 400; }

std::optional<ecs::text_query> query_of(std::string_view text) {
    try {
        return scene().query(text);
    } catch (const std::invalid_argument&) { // Among them query_text_error.
        return {};
    }
}

/// In no particular order.
std::vector<ecs::entity> found_by(ecs::text_query& query) {
    std::vector<ecs::entity> found = query.entities();
    std::ranges::sort(found, {}, &ecs::entity::value);
    return found;
}

void find(ecs::text_query& query, ecs::text_query& again) {
    const std::vector<ecs::entity> found = found_by(query);
    require(found_by(again) == found);
    require(query.count() == found.size());
    query.each([&](const ecs::text_match& m) {
        for (std::size_t field = 0; field < query.fields(); ++field)
            require(m.has(field) || (m.value(field) == nullptr && !m.word(field)));
    });
}

void ask(std::string_view text) {
    std::optional<ecs::text_query> query = query_of(text);
    if (!query) return;
    const std::string written = query->text();
    std::optional<ecs::text_query> again = query_of(written);
    require(again && again->text() == written);
    if (!is_quick(text)) return;
    try {
        find(*query, *again);
    } catch (const std::invalid_argument&) { // A variable that nothing binds.
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    ask({reinterpret_cast<const char*>(data), size});
    ask(words_of(data, size));
    ask(terms_of(data, size));
    return 0;
}
