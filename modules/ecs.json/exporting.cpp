// SPDX-License-Identifier: MIT
// A world as JSON: names where there are names, and values as their reflection says.
module;
#include <nlohmann/json.hpp>
module ecs.json;
import ecs.std;
import ecs.world;

namespace ecs {

namespace {

/// The names of components and of built-in entities. A world looks through all of them for each.
std::unordered_map<entity, std::string> names_in(const world& from) {
    std::unordered_map<entity, std::string> names;
    const auto note = [&](entity e) {
        if (std::string name = from.component_name(e); !name.empty()) names.emplace(e, std::move(name));
    };
    for (std::uint32_t index = 1; index != id_space::first_index; ++index)
        if (const entity e = from.at(index)) note(e);
    for (const entity e : from.components()) note(e);
    return names;
}

/// Writes entities down. What the world adds by itself is left out.
class exporter final : public reference_book {
  public:
    exporter(const world& from, std::span<const entity> written)
        : from_(&from),
          written_(written.begin(), written.end()),
          names_(names_in(from)),
          name_(from.component_named("ecs::name")) {}

    [[nodiscard]] json entity_to_json(entity e, const std::string& path) const;

    /// Components that are added to themselves, with their values; of tags, true.
    [[nodiscard]] json singletons_to_json() const;

    /// Components and built-in entities by name, who is not written by path, if that is found again and taken
    /// for no other, and all others by index and generation.
    [[nodiscard]] std::string text_of(entity e) const override {
        if (const auto known = names_.find(e); known != names_.end()) return known->second;
        if (!written_.contains(e))
            if (const std::string path = from_->path_of(e); leads_to(path, e)) return path;
        return "#" + std::to_string(e.index()) + "v" + std::to_string(e.generation());
    }
    [[nodiscard]] entity meant_by(const std::string&, const std::string&) const override { return {}; }

  private:
    /// Those that begin with '#' may be an "id".
    [[nodiscard]] bool leads_to(const std::string& path, entity e) const {
        return !path.empty() && !path.starts_with('#') && named_in(*from_, path) == e;
    }
    void write_component(json& to, entity owner, entity component, const std::string& path) const;
    void write_pair(json& to, entity owner, id pair, const std::string& path) const;
    [[nodiscard]] std::string name_of_word(id word) const;
    [[nodiscard]] std::vector<id> ids_by_name(entity e) const;
    [[nodiscard]] bool is_implied(entity component) const {
        return component == name_ || component.index() == base.index();
    }

    const world* from_;
    std::unordered_set<entity> written_;
    std::unordered_map<entity, std::string> names_;
    entity name_; ///< The component of names.
};

json exporter::entity_to_json(entity e, const std::string& path) const {
    json made = json::object({{"id", text_of(e)}});
    if (const auto text = from_->name_of(e); !text.empty()) made["name"] = text_to_json(text, path + ".name");
    if (const entity parent = from_->parent(e)) made["parent"] = text_of(parent);
    for (const id word : ids_by_name(e)) {
        const entity component = word.as_entity();
        if (component && !is_implied(component)) write_component(made, e, component, path);
        if (!component) write_pair(made, e, word, path);
        if (component && !from_->is_enabled(e, word)) made["disabled"].push_back(text_of(component));
    }
    return made;
}

json exporter::singletons_to_json() const {
    json made = json::object();
    for (const entity component : from_->components()) {
        // Those of the library are on each component, and so on themselves.
        if (is_component_of_library(component) || !from_->has(component, component)) continue;
        const std::string text = text_of(component);
        const auto* const value = static_cast<const std::byte*>(from_->try_get(component, component));
        made[text] =
            value ? value_to_json(*from_, component, value, *this, "singletons." + text) : json(true);
    }
    return made;
}

std::string exporter::name_of_word(id word) const {
    if (word.is_entity()) return text_of(word.as_entity());
    const std::string target =
        word.is_pair() ? text_of(from_->target_of(word)) : std::to_string(word.number());
    return text_of(from_->relation_of(word)) + " " + target;
}

/// In an order that does not depend on when components were registered.
std::vector<id> exporter::ids_by_name(entity e) const {
    std::vector<id> ids = from_->ids(e);
    std::vector<std::pair<std::string, id>> named;
    named.reserve(ids.size());
    for (const id word : ids) named.emplace_back(name_of_word(word), word);
    std::ranges::sort(named, {}, [](const auto& n) -> const std::string& { return n.first; });
    for (std::size_t i = 0; i != ids.size(); ++i) ids[i] = named[i].second;
    return ids;
}

void exporter::write_component(json& to, entity owner, entity component, const std::string& path) const {
    const std::string text = text_of(component);
    const auto* const value = static_cast<const std::byte*>(from_->try_get(owner, component));
    if (value)
        to["components"][text] = value_to_json(*from_, component, value, *this, path + ".components." + text);
    else
        to["tags"].push_back(text);
}

void exporter::write_pair(json& to, entity owner, id pair, const std::string& path) const {
    if (pair.is_flagged() || pair.is_link())
        refuse_json(path, "there is no text for flags and links to objects");
    if (pair.relation_index() == child_of.index()) return; // It is the parent.
    const entity relation = from_->relation_of(pair);
    json made = json::object({{"relation", text_of(relation)}});
    if (pair.is_value_pair())
        made["number"] = pair.number();
    else
        made["target"] = text_of(from_->target_of(pair));
    if (const auto* const value = static_cast<const std::byte*>(from_->try_get(owner, pair))) {
        const auto* const own = from_->try_get<component_info>(relation);
        const entity type = own && own->size != 0 ? relation : from_->target_of(pair);
        made["value"] = value_to_json(*from_, type, value, *this, path + ".pairs." + text_of(relation));
    }
    to["pairs"].push_back(std::move(made));
}

/// In the order of indices; parents before their children, children in their order. A component may be a
/// parent, too, and is not written.
std::vector<entity> in_order(const world& from) {
    std::vector<entity> roots = from.entities();
    const std::unordered_set<entity> written(roots.begin(), roots.end());
    std::erase_if(roots, [&](entity e) { return written.contains(from.parent(e)); });
    std::ranges::sort(roots, {}, [](entity e) { return e.index(); });
    std::vector<entity> all;
    for (const entity e : roots) {
        all.push_back(e);
        std::ranges::copy(from.depth_first(e), std::back_inserter(all));
    }
    return all;
}

/// Texts that have no place of their own, such as names of components, are looked at here.
std::string dumped(const json& value) {
    try {
        return value.dump(2);
    } catch (const json::exception& error) {
        throw json_error("", error.what());
    }
}

/// Appends lines that are so many spaces further in. Texts of JSON have no line breaks of their own.
void append_indented(std::string& to, std::string_view lines, std::size_t spaces) {
    for (std::size_t end = lines.find('\n'); end != std::string_view::npos; end = lines.find('\n')) {
        to.append(lines.substr(0, end + 1)).append(spaces, ' ');
        lines.remove_prefix(end + 1);
    }
    to += lines;
}

/// One entity after the other becomes text: a document of all of them would take many times the memory of it.
std::string text_of(const exporter& writer, std::span<const entity> entities, const json& singletons) {
    std::string text = "{\n  \"format\": \"ecs-world\",\n  \"version\": 1,\n  \"entities\": [";
    for (std::size_t i = 0; i != entities.size(); ++i) {
        text += i == 0 ? "\n    " : ",\n    ";
        append_indented(text,
                        dumped(writer.entity_to_json(entities[i], "entities[" + std::to_string(i) + "]")), 4);
    }
    text += entities.empty() ? "]" : "\n  ]";
    if (!singletons.empty()) {
        text += ",\n  \"singletons\": ";
        append_indented(text, dumped(singletons), 2);
    }
    return text + "\n}\n";
}

} // namespace

std::string export_json(const world& from, std::span<const entity> entities) {
    return text_of(exporter(from, entities), entities, json());
}

std::string export_json(const world& from) {
    const std::vector<entity> entities = in_order(from);
    const exporter writer(from, entities);
    return text_of(writer, entities, writer.singletons_to_json());
}

} // namespace ecs
