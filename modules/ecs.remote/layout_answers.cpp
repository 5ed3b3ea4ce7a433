// SPDX-License-Identifier: MIT
// GET /layouts: which bits of a word mean what, from the layouts themselves, and what those of an entity
// hold.
module;
#include <nlohmann/json.hpp>
module ecs.remote;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.world;

namespace ecs::remote {

namespace {

constexpr std::string_view role_name(field_role of) {
    switch (of) {
    case field_role::index: return "index";
    case field_role::generation: return "generation";
    case field_role::world: return "world";
    case field_role::flags: return "flags";
    case field_role::plain: return "plain";
    case field_role::fixed: return "fixed";
    case field_role::reserved: return "reserved";
    }
    return "unknown";
}

/// A layout as a value.
struct known_layout {
    std::string_view name;
    std::span<const field_description> fields; ///< From high to low.
    bool (*is_of)(std::uint64_t word);
};

template <class Layout> constexpr known_layout layout_named(std::string_view name) {
    static_assert(std::ranges::is_sorted(Layout::fields, std::ranges::greater{}, &field_description::high));
    return {name, Layout::fields, [](std::uint64_t word) { return decode<Layout>(word).has_value(); }};
}

constexpr std::array known_layouts{
    layout_named<layouts::entity>("entity"),
    layout_named<layouts::pair>("pair"),
    layout_named<layouts::flagged_entity>("flagged_entity"),
    layout_named<layouts::flagged_pair>("flagged_pair"),
    layout_named<layouts::link>("link"),
    layout_named<layouts::value_pair>("value_pair"),
    layout_named<layouts::wildcard_pair>("wildcard_pair"),
};

json layout_to_json(const known_layout& of) {
    json fields = json::array();
    for (const field_description& f : of.fields)
        fields.push_back({{"name", f.name}, {"high", f.high}, {"low", f.low}, {"role", role_name(f.role)}});
    return {{"name", of.name}, {"fields", std::move(fields)}};
}

std::string hexadecimal(std::uint64_t word) {
    std::string text = "0x";
    for (unsigned shift = 64; shift != 0; shift -= 4) text += "0123456789abcdef"[word >> (shift - 4) & 15U];
    return text;
}

/// The word, and what each field of its layout holds.
json word_to_json(const question& q, id word) {
    const auto* const layout =
        std::ranges::find_if(known_layouts, [&](const known_layout& of) { return of.is_of(word.value()); });
    json made{{"text", q.names.text_of_word(word)}, {"word", hexadecimal(word.value())}};
    if (layout == known_layouts.end()) return made;
    made["layout"] = layout->name;
    for (const field_description& f : layout->fields) made["values"].push_back(f.extract(word.value()));
    return made;
}

} // namespace

json answer_layouts(const question& q) {
    json made{{"layouts", json::array()}};
    for (const known_layout& of : known_layouts) made["layouts"].push_back(layout_to_json(of));
    if (q.rest.empty()) return made;
    const entity e = q.names.require(q.rest, '/');
    made["words"] = json::array({word_to_json(q, e)});
    for (const id word : q.in.ids(e)) {
        q.limit.check();
        made["words"].push_back(word_to_json(q, word));
    }
    return made;
}

} // namespace ecs::remote
