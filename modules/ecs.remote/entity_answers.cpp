// SPDX-License-Identifier: MIT
// GET /entity, /component, /type_info and /world: what entities are.
module;
#include <nlohmann/json.hpp>
module ecs.remote;
import ecs.std;
import ecs.world;
import ecs.json;

namespace ecs::remote {

namespace {

/// The entities that have the entity as a target, by relation.
json references_to(const question& q, entity target, const std::string& asked) {
    const entity wanted = asked == "*" || asked == "true" ? entity{} : q.names.require(asked, '.');
    json made = json::object();
    std::size_t left = q.options.rows_max;
    std::vector<entity> sources = q.in.sources(target, wanted ? id(wanted) : id{});
    std::ranges::sort(sources, {}, &entity::value);
    const auto doubles = std::ranges::unique(sources);
    sources.erase(doubles.begin(), doubles.end());
    for (const entity source : sources) {
        q.limit.check();
        for (const entity relation : q.in.relations(source, target)) {
            if (wanted && relation != wanted) continue;
            if (left-- == 0) return made;
            made[q.names.path_of(relation)].push_back(q.names.path_of(source));
        }
    }
    return made;
}

} // namespace

json answer_entity(const question& q) {
    if (q.rest == "flecs/core/World" || q.rest == "flecs.core.World") return world_summary(q);
    const entity e = q.names.require(q.rest, '/');
    entity_parts parts = parts_of(q.asked);
    parts.has = true;
    json made = entity_writer(q.in, q.names, parts).entity_to_json(e);
    if (const std::string refs = text(q.asked, "refs");
        !refs.empty() && refs != "false" && refs != "undefined")
        made["refs"] = references_to(q, e, refs);
    if (flag(q.asked, "matches")) made["matches"] = json::array();
    if (flag(q.asked, "alerts")) made["alerts"] = json::array();
    return made;
}

json answer_component(const question& q) {
    const entity e = q.names.require(q.rest, '/');
    const std::string name = text(q.asked, "component");
    const id word = q.names.word(name);
    if (!q.in.has(e, word)) refuse(404, q.names.path_of(e) + " does not have " + name);
    entity_parts parts;
    parts.values = true;
    return entity_writer(q.in, q.names, parts).value_to_json(word, q.in.try_get(e, word));
}

json answer_type_info(const question& q) {
    const entity component = q.names.require(q.rest, '/');
    return entity_writer(q.in, q.names, {}).schema_of(component);
}

json answer_world(const question& q) {
    entity_parts parts = parts_of(q.asked);
    parts.id = parts.has = true;
    const entity_writer writer(q.in, q.names, parts);
    json rows = json::array();
    const auto add = [&](entity e) {
        q.limit.check();
        if (rows.size() < q.options.rows_max) rows.push_back(writer.entity_to_json(e));
    };
    for (const entity e : q.in.components())
        if (!is_of_library(q.in, e)) add(e);
    for (const entity e : q.in.entities()) add(e);
    return {{"results", std::move(rows)}};
}

} // namespace ecs::remote
