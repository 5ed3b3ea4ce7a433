// SPDX-License-Identifier: MIT
// A world as JSON: names where there are names, and values as their reflection says.
module;
#include <nlohmann/json.hpp>
module ecs.json;
import ecs.std;
import ecs.world;
import :codec;

namespace ecs {

namespace {

/// Writes entities down. What the world adds by itself is left out.
class exporter final : public reference_book {
  public:
    exporter(const world& from, std::span<const entity> written)
        : from_(&from), written_(written.begin(), written.end()) {}

    [[nodiscard]] json entity_to_json(entity e, const std::string& path) const;

    /// Components that are added to themselves, with their values; of tags, true.
    [[nodiscard]] json singletons_to_json() const;

    /// Components and built-in entities by name, who is not written by path, if that is found again and taken
    /// for no other, and all others by index and generation.
    [[nodiscard]] std::string text_of(entity e) const override {
        if (const std::string known = from_->component_name(e); !known.empty()) return known;
        if (const std::string path = from_->path_of(e); leads_to(path, e) && !written_.contains(e))
            return path;
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
        return from_->component_name(component) == "ecs::name" || component.index() == base.index();
    }

    const world* from_;
    std::unordered_set<entity> written_;
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
    std::ranges::sort(ids, {}, [&](id word) { return name_of_word(word); });
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
std::string text_of(const json& document) {
    try {
        return document.dump(2) + "\n";
    } catch (const json::exception& error) {
        throw json_error("", error.what());
    }
}

json document_of(const exporter& writer, std::span<const entity> entities) {
    json list = json::array();
    for (const entity e : entities)
        list.push_back(writer.entity_to_json(e, "entities[" + std::to_string(list.size()) + "]"));
    return json{{"format", "ecs-world"}, {"version", 1}, {"entities", std::move(list)}};
}

} // namespace

std::string export_json(const world& from, std::span<const entity> entities) {
    return text_of(document_of(exporter(from, entities), entities));
}

std::string export_json(const world& from) {
    const std::vector<entity> entities = in_order(from);
    const exporter writer(from, entities);
    json document = document_of(writer, entities);
    if (json singletons = writer.singletons_to_json(); !singletons.empty())
        document["singletons"] = std::move(singletons);
    return text_of(document);
}

} // namespace ecs
