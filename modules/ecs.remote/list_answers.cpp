// SPDX-License-Identifier: MIT
// GET /components, /tables, /stats: lists of what a world has, and how it was of late.
module;
#include <nlohmann/json.hpp>
module ecs.remote;
import ecs.std;
import ecs.world;

namespace ecs::remote {

namespace {

json type_of(const component_info& info) {
    const value_operations& ops = info.operations;
    return {{"size", info.size},
            {"alignment", info.alignment},
            {"ctor", ops.construct != nullptr},
            {"dtor", ops.destroy != nullptr},
            {"copy", ops.copy != nullptr},
            {"move", ops.relocate != nullptr}};
}

/// The built-in tags and pairs of a component.
json traits_of(const question& q, entity component) {
    json traits = json::array();
    for (const id word : q.in.ids(component)) {
        const entity head = word.is_entity() ? word.as_entity() : q.in.relation_of(word);
        if (head.index() >= child_of.index() && is_of_library(q.in, head))
            traits.push_back(q.names.text_of_word(word));
    }
    return traits;
}

/// How many have the component, which is kept outside tables, themselves, whether or not they show it.
std::size_t count_owners(const question& q, entity component) {
    const std::vector<entity> shown =
        q.in.query().with(component).optional(prefab_tag).optional(disabled).entities();
    const std::size_t hiding = q.in.query().hidden(component).optional(prefab_tag).optional(disabled).count();
    const auto owns_it = [&](entity e) { return q.in.owns(e, component); };
    return hiding + static_cast<std::size_t>(std::ranges::count_if(shown, owns_it));
}

json component_to_json(const question& q, entity component, std::span<const table_summary> tables) {
    json found = json::array();
    std::size_t entities = 0;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (!std::ranges::binary_search(tables[i].type, id(component))) continue;
        found.push_back(i);
        entities += tables[i].entities;
    }
    const auto& info = q.in.get<component_info>(component);
    if (info.kept_in != storage::table) entities = count_owners(q, component); // No table's type names it.
    return {{"name", q.names.path_of(component)},  {"id", name_book::number_of(component)},
            {"tables", std::move(found)},          {"entity_count", entities},
            {"entity_size", entities * info.size}, {"type", type_of(info)},
            {"traits", traits_of(q, component)}};
}

json list_of(const world_history& past, double world_history::sample::* what) {
    json values = json::array();
    for (const world_history::sample& one : past.samples()) values.push_back(one.*what);
    return values;
}

json gauge(const world_history& past, double world_history::sample::* what, const char* brief) {
    json values = list_of(past, what);
    return {{"avg", values}, {"min", values}, {"max", values}, {"brief", brief}};
}

#define ECS_TEXT_OF(number) #number
#define ECS_TEXT(number) ECS_TEXT_OF(number)
constexpr const char* compiler =
#if defined(__clang__)
    "clang " ECS_TEXT(__clang_major__) "." ECS_TEXT(__clang_minor__);
#else
    "gcc " ECS_TEXT(__GNUC__) "." ECS_TEXT(__GNUC_MINOR__);
#endif

json build_info() {
    const std::vector<std::string> numbers = split_path(ECS_VERSION, '.');
    json made{{"compiler", compiler},
              {"addons", json::array({"ecs.json", "ecs.remote"})},
              {"flags", json::array()}};
    made["version"] = ECS_VERSION;
    constexpr std::array parts{"version_major", "version_minor", "version_patch"};
    for (std::size_t i = 0; i < parts.size() && i < numbers.size(); ++i) {
        int part{};
        std::from_chars(numbers[i].data(), numbers[i].data() + numbers[i].size(), part);
        made[parts[i]] = part;
    }
#ifdef NDEBUG
    made["debug"] = false;
#else
    made["debug"] = true;
#endif
    made["sanitize"] = false;
    return made;
}

} // namespace

json answer_components(const question& q) {
    const std::vector<table_summary> tables = q.in.tables();
    json all = json::array();
    for (const entity component : q.in.components()) {
        q.limit.check();
        if (q.in.has<component_info>(component) &&
            (!is_of_library(q.in, component) || flag(q.asked, "builtin")))
            all.push_back(component_to_json(q, component, tables));
    }
    return all;
}

json answer_tables(const question& q) {
    json all = json::array();
    std::size_t number = 0;
    for (const table_summary& table : q.in.tables()) {
        q.limit.check();
        json type = json::array();
        for (const id word : table.type) type.push_back(q.names.text_of_word(word));
        all.push_back({{"id", number++},
                       {"type", std::move(type)},
                       {"count", table.entities},
                       {"size", table.capacity},
                       {"memory", {{"table", {{"bytes_table", table.bytes}}}}}});
    }
    return all;
}

json answer_statistics(const question& q) {
    if (q.rest == "pipeline") return pipeline_statistics(q);
    if (q.rest != "world") refuse(404, "there are statistics of \"world\" and of \"pipeline\"");
    if (!q.options.past) refuse(404, "no statistics are kept: a server keeps them");
    using sample = world_history::sample;
    const world_history& past = *q.options.past;
    return {
        {"entities.count", gauge(past, &sample::entities, "Entities that are alive, components among them")},
        {"performance.fps", gauge(past, &sample::ticks, "Polls of the server in a second")},
        {"tables.count", gauge(past, &sample::tables, "Tables, empty ones among them")},
        {"memory.bytes", gauge(past, &sample::bytes, "Bytes of the world's own")}};
}

json world_summary(const question& q) {
    const world_history none;
    const world_history& past = q.options.past ? *q.options.past : none;
    const world_history::sample now = sample_of(q.in);
    const double rate = past.latest().ticks;
    json summary{{"target_fps", 0},
                 {"time_scale", 1},
                 {"fps", rate},
                 {"frame_time_total", past.seconds_since_start()},
                 {"entity_count", now.entities},
                 {"table_count", now.tables},
                 {"frame_count", past.ticks()},
                 {"command_count", 0},
                 {"systems_ran_total", 0},
                 {"simulation_time", past.seconds_since_start()},
                 {"uptime", past.seconds_since_start()},
                 {"memory_bytes", now.bytes}};
    summary["build_info"] = build_info();
    json made{{"parent", "flecs.core"}, {"name", "World"}};
    if (flag(q.asked, "entity_id")) made["id"] = 0;
    made["components"]["flecs.stats.WorldSummary"] = std::move(summary);
    return made;
}

} // namespace ecs::remote
