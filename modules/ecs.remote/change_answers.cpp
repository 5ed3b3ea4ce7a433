// SPDX-License-Identifier: MIT
// GET /history: the last changes of a world, and who made them.
module;
#include <nlohmann/json.hpp>
module ecs.remote;
import ecs.std;
import ecs.world;

namespace ecs::remote {

namespace {

constexpr std::size_t changes_of_an_answer = 100;

json change_to_json(const question& q, const recorded_change& change) {
    const bool is_alive = q.in.alive(change.subject);
    json made{{"number", change.number},
              {"what", to_string(change.what)},
              {"id", name_book::number_of(change.subject)},
              {"entity", is_alive ? q.names.path_of(change.subject) : to_string(change.subject)},
              {"alive", is_alive}};
    if (change.word) made["word"] = q.names.text_of_word(change.word);
    made["by"] = change.by;
    return made;
}

} // namespace

json answer_history(const question& q) {
    const std::vector<recorded_change> known = q.in.history();
    const std::size_t limit = std::min(number(q.asked, "limit", changes_of_an_answer), q.options.rows_max);
    json changes = json::array();
    for (auto change = known.rbegin(); change != known.rend() && changes.size() < limit; ++change) {
        q.limit.check();
        changes.push_back(change_to_json(q, *change));
    }
    return {{"changes", std::move(changes)}, {"kept", known.size()}};
}

} // namespace ecs::remote
