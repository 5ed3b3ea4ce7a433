// SPDX-License-Identifier: MIT
// GET /schedule, /stats/pipeline: which system waits for which, and what the last run did when.
module;
#include <nlohmann/json.hpp>
module ecs.remote;
import ecs.std;
import ecs.world;

namespace ecs::remote {

namespace {

json span_to_json(const system_span& of) {
    return {{"begin", of.begin.count()}, {"end", of.end.count()}, {"thread", of.thread}};
}

json system_to_json(const system_summary& s) {
    json waits = json::array();
    for (const awaited_system& a : s.waits_for)
        waits.push_back({{"system", a.name}, {"component", a.component}});
    json made{{"name", s.name}, {"enabled", s.enabled}, {"reads", s.reads}, {"writes", s.writes}};
    made["waits_for"] = std::move(waits);
    made["last"] = s.last ? span_to_json(*s.last) : json();
    return made;
}

json phase_to_json(const phase_summary& p) {
    json systems = json::array();
    for (const system_summary& s : p.systems) systems.push_back(system_to_json(s));
    return {{"name", p.name},
            {"begin", p.begin.count()},
            {"end", p.end.count()},
            {"flushed", p.flushed.count()},
            {"systems", std::move(systems)}};
}

/// The seconds that a system took in each of the last seconds, in the form of Flecs.
json gauge_of(const world_history* past, std::string_view system) {
    const world_history none;
    const std::vector<double> values = (past ? *past : none).seconds_of(system);
    return {{"avg", values}, {"min", values}, {"max", values}, {"brief", ""}};
}

} // namespace

json answer_schedule(const question& q) {
    if (!q.options.schedule)
        refuse(404,
               "no schedule is shown: the program gives one to its server, with the option \"schedule\"");
    json phases = json::array();
    for (const phase_summary& p : q.options.schedule->phases(q.in)) {
        q.limit.check();
        phases.push_back(phase_to_json(p));
    }
    return {{"phases", std::move(phases)}};
}

json pipeline_statistics(const question& q) {
    json systems = json::array();
    if (!q.options.schedule) return systems;
    for (const phase_summary& p : q.options.schedule->phases(q.in))
        for (const system_summary& s : p.systems) {
            q.limit.check();
            systems.push_back({{"name", s.name},
                               {"disabled", !s.enabled},
                               {"time_spent", gauge_of(q.options.past, s.name)}});
        }
    return systems;
}

} // namespace ecs::remote
