// SPDX-License-Identifier: MIT
// Which function answers a request, and what is made of its errors.
module;
#include <nlohmann/json.hpp>
module ecs.remote;
import ecs.std;
import ecs.world;
import ecs.json;

namespace ecs::remote {

namespace {

struct route {
    std::string_view method;
    std::string_view kind;
    json (*answer)(const question&);
};

json no_queries(const question&) { return json::array(); }

json no_commands(const question& q) {
    if (q.rest == "capture") return {{"frame", q.options.past ? q.options.past->ticks() : 0}};
    refuse(404, "commands are not kept");
}

json act(const question& q) {
    if (q.rest != "shrink_memory") refuse(404, "there is the action \"shrink_memory\"");
    q.in.shrink();
    return {{"memory_bytes", q.in.memory_bytes()}};
}

constexpr std::array routes{route{"GET", "query", answer_query},
                            route{"GET", "entity", answer_entity},
                            route{"GET", "component", answer_component},
                            route{"GET", "type_info", answer_type_info},
                            route{"GET", "world", answer_world},
                            route{"GET", "components", answer_components},
                            route{"GET", "tables", answer_tables},
                            route{"GET", "queries", no_queries},
                            route{"GET", "stats", answer_statistics},
                            route{"GET", "commands", no_commands},
                            route{"GET", "layouts", answer_layouts},
                            route{"GET", "history", answer_history},
                            route{"GET", "schedule", answer_schedule},
                            route{"PUT", "entity", create_entity},
                            route{"DELETE", "entity", delete_entity},
                            route{"PUT", "component", put_component},
                            route{"DELETE", "component", delete_component},
                            route{"PUT", "toggle", toggle},
                            route{"PUT", "action", act}};

const route& route_of(std::string_view method, std::string_view kind) {
    bool is_known = false;
    for (const route& r : routes) {
        if (r.kind != kind) continue;
        if (r.method == method) return r;
        is_known = true;
    }
    if (is_known)
        refuse(405, std::string(method) + " is nothing that can be done to \"" + std::string(kind) + "\"");
    refuse(404, "there is no request \"" + std::string(kind) + "\"");
}

/// Takes as long for a token that is almost right as for any other of its length.
bool is_same(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    unsigned difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
    return difference == 0;
}

void require_right(const request& asked, const answer_options& options) {
    if (asked.method == "GET") return;
    if (options.token.empty())
        refuse(403,
               "the world is only shown: a server that is given a token lets those change it who have it");
    if (!is_same(asked.token, options.token))
        refuse(401, "the token that allows changes is missing or wrong");
}

json route_answer(world& of, const request& asked, const answer_options& options) {
    std::string_view path = asked.path;
    while (path.starts_with('/')) path.remove_prefix(1);
    const std::size_t slash = path.find('/');
    const route& r = route_of(asked.method, path.substr(0, slash));
    require_right(asked, options);
    const std::string_view rest =
        slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
    return r.answer(
        {of, asked, options, name_book(of, flag(asked, "own_names")), time_limit(options.budget), rest});
}

response error(int status, const std::string& reason) { return {status, text_of({{"error", reason}})}; }

/// Some clients ask for errors that are no errors of HTTP: these have the status 200.
response refusal(const request& asked, const refused_request& refused) {
    return error(flag(asked, "try") ? 200 : refused.status, refused.reason);
}

} // namespace

response answer_in_time(world& of, const request& asked, const answer_options& options) {
    try {
        return {200, text_of(route_answer(of, asked, options))};
    } catch (const refused_request& refused) {
        return refusal(asked, refused);
    } catch (const json_error& wrong) {
        return error(400, wrong.what());
    } catch (const name_error& wrong) {
        return error(409, wrong.what());
    } catch (const out_of_time&) {
        throw;
    } catch (const std::exception& failed) { // A constructor or an observer of the program threw.
        return error(500, failed.what());
    } catch (...) {
        return error(500, "the program has thrown what is no std::exception");
    }
}

response answer_too_late() {
    return error(503,
                 "the answer takes longer than it may: ask for less, or let the server have a larger budget");
}

response answer(world& of, const request& asked, const answer_options& options) {
    try {
        return answer_in_time(of, asked, options);
    } catch (const out_of_time&) {
        return answer_too_late();
    }
}

} // namespace ecs::remote
