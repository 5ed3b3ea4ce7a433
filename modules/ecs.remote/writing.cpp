// SPDX-License-Identifier: MIT
// Entities and values as the JSON of answers; see writing.cppm.
module;
#include <cmath>
#include <nlohmann/json.hpp>
module ecs.remote;
import ecs.std;
import ecs.component;
import ecs.world;
import ecs.json;

namespace ecs::remote {

namespace {

constexpr std::size_t depth_max = 16; ///< For values within values, and bases of bases.

std::string_view schema_name(std::string_view type) {
    constexpr auto numbers = number_types::each([]<class T> { return type_name<T>; });
    if (type == type_name<bool>) return "bool";
    if (type == type_name<float> || type == type_name<double>) return "float";
    if (is_text_type(type)) return "text";
    if (type == type_name<entity>) return "entity";
    return std::ranges::find(numbers, type) != numbers.end() ? "int" : "";
}

json bound(double of) { return std::isinf(of) ? json() : json(of); }

/// The type, and the notes about the member.
json with_notes(std::string_view type, const member& m) {
    json notes = json::object();
    if (!m.units.empty()) notes["symbol"] = m.units;
    if (!std::isinf(m.minimum) || !std::isinf(m.maximum))
        notes["range"] = {bound(m.minimum), bound(m.maximum)};
    if (!m.description.empty()) notes["description"] = m.description;
    json made = json::array({type});
    if (!notes.empty()) made.push_back(std::move(notes));
    return made;
}

json enumeration_of(const member& m) {
    json made = json::array({"enum"});
    for (const enumerator& e : m.enumerators) made.push_back(e.name);
    return made;
}

} // namespace

bool is_of_library(const world& in, entity e) {
    return e == in.component_named(type_name<reflection>) || e.index() < manifest<int>::index_of<int> ||
           is_built_in(e);
}

std::string text_of(const json& answer) {
    return answer.dump(-1, ' ', false, json::error_handler_t::replace);
}

entity_parts parts_of(const request& asked) {
    entity_parts parts;
    parts.id = flag(asked, "entity_id") || flag(asked, "entity_ids");
    parts.label = flag(asked, "doc");
    parts.values = flag(asked, "values", true);
    parts.types = flag(asked, "type_info");
    parts.inherited = flag(asked, "inherited");
    parts.builtin = flag(asked, "builtin");
    return parts;
}

json entity_writer::entity_to_json(entity e) const {
    json made = json::object();
    if (parts_.types && parts_.has) write_types(made, e);
    if (const entity parent = in_->parent(e)) made["parent"] = names_->path_of(parent);
    made["name"] = names_->name_of(e);
    if (parts_.id) made["id"] = name_book::number_of(e);
    if (parts_.label) made["doc"] = {{"label", names_->name_of(e)}};
    if (parts_.has) write_parts(made, e);
    return made;
}

void entity_writer::write_parts(json& to, entity e) const {
    for (const id word : in_->ids(e))
        if (!is_hidden(word)) write_word(to, e, word);
    if (parts_.inherited) write_inherited(to, e);
}

/// Whether instances inherit the identifier: pairs where the relation says so, components unless they forbid
/// it, or say what the entity itself is. That a base has a base is said, too.
bool entity_writer::is_inherited(id word) const {
    if (word.has_relation()) {
        const entity relation = in_->relation_of(word);
        return relation.index() == is_a.index() || in_->has(relation, inheritable);
    }
    const entity e = word.as_entity();
    const bool says_what_it_is =
        e.index() == disabled.index() || e.index() == prefab_tag.index() || in_->has(e, singleton);
    return e && !says_what_it_is && !in_->has(e, not_inheritable);
}

/// Whether the identifier is hidden: one that every entity may have because the library needs it.
bool entity_writer::is_hidden(id word) const {
    if (parts_.builtin) return false;
    if (word.has_relation() && word.relation_index() == child_of.index()) return true;
    const entity e = word.as_entity();
    return e && (e.index() == base.index() || (is_of_library(*in_, e) && in_->has<component_info>(e) &&
                                               in_->component_name(e) != type_name<component_info>));
}

void entity_writer::write_word(json& to, entity e, id word) const {
    if (is_description(word)) {
        to["components"]["flecs.core.Component"] = value_to_json(word, in_->try_get(e, word));
    } else if (const entity type = in_->value_type_of(word)) {
        to["components"][names_->text_of_word(word)] = value_to_json(word, in_->try_get(e, word));
    } else if (word.has_relation()) {
        write_pair(to, word);
    } else {
        to["tags"].push_back(names_->text_of_word(word));
    }
    if (!in_->is_enabled(e, word)) to["hidden"].push_back(names_->text_of_word(word));
}

/// Writes one target as a text, several as a list.
void entity_writer::write_pair(json& to, id word) const {
    json& targets = to["pairs"][names_->text_of_relation(word)];
    json target = names_->text_of_target(word);
    if (targets.is_null())
        targets = std::move(target);
    else if (targets.is_array())
        targets.push_back(std::move(target));
    else
        targets = json::array({std::move(targets), std::move(target)});
}

void entity_writer::write_types(json& to, entity e) const {
    json types = json::object();
    for (const id word : in_->ids(e)) add_type(types, word);
    if (parts_.inherited)
        for (const entity base : bases_of(e))
            for (const id word : in_->ids(base))
                if (is_inherited(word)) add_type(types, word);
    to["type_info"] = std::move(types);
}

/// Adds the type of a value by its own name, which is not the name of a pair with such a value.
void entity_writer::add_type(json& to, id word) const {
    const entity type = in_->value_type_of(word);
    if (type && !is_hidden(word) && !is_of_library(*in_, type)) to[names_->path_of(type)] = schema_of(type);
}

/// The bases, the nearest first, each once.
std::vector<entity> entity_writer::bases_of(entity e) const {
    std::vector<entity> found = in_->targets(e, is_a);
    for (std::size_t i = 0; i < found.size() && i < depth_max; ++i)
        for (const entity further : in_->targets(found[i], is_a))
            if (std::ranges::find(found, further) == found.end()) found.push_back(further);
    if (found.size() > depth_max) found.resize(depth_max);
    return found;
}

bool entity_writer::is_description(id word) const {
    const entity component = word.as_entity();
    return component && in_->component_name(component) == type_name<component_info>;
}

void entity_writer::write_inherited(json& to, entity e) const {
    json bases = json::object();
    entity_parts own = parts_;
    own.inherited = false;
    const entity_writer writer(*in_, *names_, own);
    for (const entity base : bases_of(e)) {
        json made = json::object();
        for (const id word : in_->ids(base))
            if (!is_hidden(word) && is_inherited(word)) writer.write_word(made, base, word);
        bases[names_->path_of(base)] = std::move(made);
    }
    if (!bases.empty()) to["inherited"] = std::move(bases);
}

json entity_writer::value_to_json(id word, const void* value) const {
    if (value && is_description(word)) {
        const auto& info = *static_cast<const component_info*>(value);
        return {{"size", info.size}, {"alignment", info.alignment}};
    }
    const entity type = in_->value_type_of(word);
    if (!parts_.values || !value || !type || !in_->reflection_of(type)) return {};
    try {
        return ecs::value_to_json(*in_, type, static_cast<const std::byte*>(value), *names_);
    } catch (const json_error&) {
        return {}; // A member of an unknown type, or a text that is no UTF-8.
    }
}

json entity_writer::schema_of(entity component) const {
    const reflection* const known = in_->reflection_of(component);
    if (!known) return json(0);
    const member* const whole = whole_of(*known);
    return whole ? type_of_member(*whole, 0) : members_of(known->members, 0);
}

json entity_writer::members_of(const std::vector<member>& members, std::size_t depth) const {
    json made = json::object();
    for (const member& m : members) made[m.name] = type_of_member(m, depth + 1);
    return made;
}

json entity_writer::type_of_member(const member& m, std::size_t depth) const {
    if (const std::string_view simple = schema_name(m.type); !simple.empty()) return with_notes(simple, m);
    if (!m.enumerators.empty()) return enumeration_of(m);
    if (!m.number_type.empty()) return with_notes(schema_name(m.number_type), m);
    if (depth >= depth_max) return json::array({"text"});
    if (m.count != 0) return json::array({"array", type_of_member(m.members.front(), depth + 1), m.count});
    if (!m.members.empty()) return members_of(m.members, depth);
    const entity nested = in_->component_named(m.type);
    const reflection* const known = nested ? in_->reflection_of(nested) : nullptr;
    if (!known) return json::array({"text"});
    const member* const whole = whole_of(*known);
    return whole ? type_of_member(*whole, depth + 1) : members_of(known->members, depth);
}

} // namespace ecs::remote
