// SPDX-License-Identifier: MIT
// PUT and DELETE: what a request changes. The world decides as it does for any call, and its reasons are the
// answer.
module;
#include <nlohmann/json.hpp>
module ecs.remote;
import ecs.std;
import ecs.world;
import ecs.json;

namespace ecs::remote {

namespace {

constexpr std::size_t path_depth_max = 64;

json result(add_result of) {
    if (!succeeded(of)) refuse(409, std::string(to_string(of)));
    return {{"result", to_string(of)}};
}

/// The identifier of an edit. A request may not change what an entity is to the library.
id word_for_edit(const question& q) {
    const std::string name = text(q.asked, "component");
    if (name.empty())
        refuse(400, "the parameter \"component\" is expected: a component, a tag, or (relation,target)");
    const id word = q.names.word(name);
    const entity head = word.is_entity() ? word.as_entity() : q.in.relation_of(word);
    if (is_of_library(q.in, head) && q.in.has<component_info>(head))
        refuse(409, "\"" + name + "\" is for the library to give");
    return word;
}

/// The entities of a path: those that are not there are made.
class path_maker {
  public:
    explicit path_maker(const question& q) : q_(&q) {}

    /// The last of them. When one is refused, none has been made.
    [[nodiscard]] entity make(const std::vector<std::string>& names) {
        entity e;
        try {
            for (const std::string& name : names) e = find_or_make(e, name);
        } catch (...) {
            q_->in.discard(made_);
            throw;
        }
        return e;
    }

  private:
    [[nodiscard]] entity find_or_make(entity parent, const std::string& name) {
        path_ += (path_.empty() ? "" : "/") + escaped(name, '/');
        if (const entity known = find(parent, name)) return known;
        if (name.starts_with('#'))
            refuse(404, "entity \"" + path_ + "\" is not found: a number cannot be a name");
        const entity e = q_->in.spawn();
        made_.push_back(e);
        if (parent) std::ignore = result(q_->in.add(e, pair(child_of, parent)));
        q_->in.set_name(e, name);
        return e;
    }

    [[nodiscard]] entity find(entity parent, const std::string& name) const {
        if (name.find('/') != std::string::npos) return {}; // No name has one: it would be read as a path.
        return parent ? q_->in.lookup(parent, name) : q_->names.find_exactly(escaped(name, '/'), '/');
    }

    const question* q_;
    std::string path_; ///< As far as the entities have been found or made.
    std::vector<entity> made_;
};

/// Whether JSON can hold the text, as an export of the world has to.
bool is_utf8(std::string_view text) {
    try {
        std::ignore = json(text).dump();
        return true;
    } catch (const json::exception&) {
        return false;
    }
}

} // namespace

json create_entity(const question& q) {
    if (!is_utf8(q.rest)) refuse(400, "the path is not UTF-8, so it cannot be the name of an entity");
    const std::vector<std::string> names = split_path(q.rest, '/');
    if (names.empty() || names.size() > path_depth_max)
        refuse(400, "a path of 1 to " + std::to_string(path_depth_max) + " names is expected");
    const entity known = q.names.find_exactly(q.rest, '/'); // "flecs/core/IsA" is the name of one entity.
    const bool is_fixed = known && is_of_library(q.in, known);
    return {{"id", name_book::number_of(is_fixed ? known : path_maker(q).make(names))}};
}

json delete_entity(const question& q) {
    return result(q.in.despawn(q.names.require_exactly(q.rest)).reason());
}

json put_component(const question& q) {
    const entity e = q.names.require_exactly(q.rest);
    const id word = word_for_edit(q);
    const std::string value = q.asked.parameters.contains("value") ? text(q.asked, "value") : q.asked.body;
    return result(value.empty() ? q.in.add(e, word) : set_json(q.in, e, word, value, q.names));
}

json delete_component(const question& q) {
    const entity e = q.names.require_exactly(q.rest);
    return result(q.in.remove(e, word_for_edit(q)));
}

json toggle(const question& q) {
    const entity e = q.names.require_exactly(q.rest);
    const std::string wanted = text(q.asked, "enable");
    if (wanted != "true" && wanted != "false") refuse(400, "the parameter \"enable\" is true or false");
    const bool on = wanted == "true";
    if (text(q.asked, "component").empty()) return result(on ? q.in.enable(e) : q.in.disable(e));
    const id word = word_for_edit(q);
    return result(on ? q.in.enable(e, word) : q.in.disable(e, word));
}

} // namespace ecs::remote
