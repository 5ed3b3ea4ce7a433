// SPDX-License-Identifier: MIT
// A text becomes entities step by step: all entities first, so that each can be referred to; properties
// before the entities that have them are used, but those with their owner as target behind the bases, whose
// instances would get copies; bases before parents, so that a prefab of the text has no children yet that an
// instance would get; names when the parents are known.
module;
#include <nlohmann/json.hpp>
module ecs.json;
import ecs.std;
import ecs.world;

namespace ecs {

namespace {

constexpr place entities_at{nullptr, "entities"}, singletons_at{nullptr, "singletons"};

class importer final : public reference_book {
  public:
    explicit importer(world& into) : into_(&into), undo_(into) {}

    std::vector<entity> import(const json& text);
    void take_back();

    [[nodiscard]] std::string text_of(entity) const override { return {}; }
    [[nodiscard]] entity meant_by(const std::string& text, const std::string& path) const override {
        return meant_by(text, place{nullptr, path});
    }

  private:
    enum class pair_kind : std::uint8_t { property, property_with_itself, base, other };
    using step = void (importer::*)(entity, const json&, const place&);
    using place_map = std::unordered_map<entity, std::size_t>; ///< By entity, its place in the text.

    void check_document(const json& text) const;
    void read_singletons(const json& text);
    void disable_singletons(const json& text);
    void make_entities(const json& list);
    void run(step what, const json& list, std::span<const std::size_t> places);
    [[nodiscard]] std::vector<std::size_t> places_in_order() const;
    [[nodiscard]] std::vector<std::size_t> places_bases_first() const;
    void list_behind_bases(entity e, place_map& waiting, std::vector<std::size_t>& places) const;
    void check_members(entity e, const json& of, const place& at);
    void add_properties(entity e, const json& of, const place& at);
    void add_bases(entity e, const json& of, const place& at);
    void add_properties_with_itself(entity e, const json& of, const place& at);
    void add_components(entity e, const json& of, const place& at);
    void add_tags(entity e, const json& of, const place& at);
    void set_components(entity e, const json& of, const place& at);
    void set_parent(entity e, const json& of, const place& at);
    void set_name(entity e, const json& of, const place& at);
    void add_pairs(entity e, const json& of, const place& at);
    void disable(entity e, const json& of, const place& at);
    void hide(entity e, entity what, const place& at);
    id add_pair(entity e, const json& pair, const place& at);
    void give_pair(entity e, id word, const json& pair, const place& at);
    void set_value(entity e, id word, entity type, const json& from, const place& at);
    [[nodiscard]] std::unique_ptr<detached_value> value_of_type(entity type, const json& from,
                                                                const place& at) const;
    [[nodiscard]] entity meant_by(const std::string& text, const place& at) const;
    [[nodiscard]] entity meant_by_user(const std::string& text, const place& at) const;
    [[nodiscard]] entity component_named(const std::string& text, const place& at) const;
    [[nodiscard]] id pair_of(const json& pair, const place& at) const;
    [[nodiscard]] bool is_target(entity e, const json& pair) const;
    [[nodiscard]] pair_kind kind_of(entity e, const json& pair) const;
    void add_pairs_of(pair_kind kind, entity e, const json& of, const place& at);
    void require_once(entity relation, std::vector<entity>& once, const place& at) const;
    static void require(add_result result, const place& at) {
        if (!succeeded(result)) refuse_json(at, std::string(to_string(result)));
    }

    world* into_;
    std::vector<entity> made_;
    std::unordered_map<std::string, entity> by_id_;
    import_undo undo_;
};

std::string text_in(const json& object, const std::string& key, const place& at) {
    const json& found = object[key];
    if (!found.is_string()) refuse_json(place{&at, key}, "a text is expected, not " + shown(found));
    return found.get<std::string>();
}

void require_known_members(const json& object, std::span<const std::string_view> known, const place& at) {
    for (const auto& [key, value] : object.items())
        if (std::ranges::find(known, key) == known.end())
            refuse_json(place{&at, key}, "there is no such member");
}

/// The elements of a list that may be missing, each with its place.
void for_each_in(const json& object, const std::string& key, const place& at, auto&& visit) {
    if (!object.contains(key)) return;
    const json& list = object[key];
    const place list_at{&at, key};
    if (!list.is_array()) refuse_json(list_at, "a list is expected, not " + shown(list));
    for (std::size_t i = 0; i < list.size(); ++i) visit(list[i], place{&list_at, {}, i});
}

std::vector<entity> importer::import(const json& text) {
    check_document(text);
    const json& list = text["entities"];
    try {
        make_entities(list);
        const std::vector<std::size_t> as_written = places_in_order();
        for (const step next : {&importer::check_members, &importer::add_properties, &importer::add_bases,
                                &importer::add_properties_with_itself})
            run(next, list, as_written);
        run(&importer::add_components, list, places_bases_first());
        for (const step next :
             {&importer::set_parent, &importer::set_name, &importer::add_pairs, &importer::disable})
            run(next, list, as_written);
        read_singletons(text);
        disable_singletons(text);
    } catch (...) {
        take_back();
        throw;
    }
    return made_;
}

/// What observers throw who are told of it is not passed on: why the text is refused is.
void importer::take_back() {
    try {
        into_->discard(made_);
    } catch (...) { // All of them have ended, unless there is no memory.
    }
    undo_.give_back();
}

void importer::check_document(const json& text) const {
    if (!text.is_object() || !text.contains("format") || text["format"] != "ecs-world")
        refuse_json("", "it is no world: \"format\" is not \"ecs-world\"");
    if (!text.contains("version") || text["version"] != 1) refuse_json("version", "1 is expected");
    static constexpr std::array<std::string_view, 5> known{"format", "version", "singletons",
                                                           "disabled_singletons", "entities"};
    require_known_members(text, known, {});
    if (!text.contains("entities") || !text["entities"].is_array())
        refuse_json(entities_at, "a list is expected");
}

void importer::make_entities(const json& list) {
    made_.reserve(list.size());
    by_id_.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        const place at{&entities_at, {}, i};
        if (!list[i].is_object()) refuse_json(at, "an object is expected, not " + shown(list[i]));
        into_->spawn_into(std::span(&made_.emplace_back(), 1)); // Known also where an observer throws.
        if (!list[i].contains("id")) continue;
        const std::string text = text_in(list[i], "id", at);
        if (!by_id_.try_emplace(text, made_.back()).second)
            refuse_json(place{&at, "id"}, "\"" + text + "\" is the id of another entity");
    }
}

void importer::run(step what, const json& list, std::span<const std::size_t> places) {
    for (const std::size_t i : places) (this->*what)(made_[i], list[i], {&entities_at, {}, i});
}

std::vector<std::size_t> importer::places_in_order() const {
    std::vector<std::size_t> places(made_.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    return places;
}

/// What comes along with a component depends on what the entity inherits by then.
std::vector<std::size_t> importer::places_bases_first() const {
    place_map waiting; // Of those that have a base.
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i != made_.size(); ++i)
        if (into_->has(made_[i], pair(is_a, any)))
            waiting.emplace(made_[i], i);
        else
            places.push_back(i);
    for (const entity e : made_) list_behind_bases(e, waiting, places);
    return places;
}

/// Takes the entity from those that wait, behind its bases: chains of them may be long.
void importer::list_behind_bases(entity e, place_map& waiting, std::vector<std::size_t>& places) const {
    std::vector<entity> open{e};
    while (!open.empty()) {
        const entity next = open.back();
        const auto found = waiting.find(next);
        const std::size_t before = open.size();
        if (found != waiting.end())
            std::ranges::copy_if(into_->targets(next, is_a), std::back_inserter(open),
                                 [&](entity base_of_it) { return waiting.contains(base_of_it); });
        if (open.size() != before) continue;
        open.pop_back();
        if (found == waiting.end()) continue;
        places.push_back(found->second);
        waiting.erase(found);
    }
}

void importer::check_members(entity, const json& of, const place& at) {
    static constexpr std::array<std::string_view, 7> known{"id",   "name",  "parent",  "components",
                                                           "tags", "pairs", "disabled"};
    require_known_members(of, known, at);
}

/// The entity for an id of the text, or else for a name; see named_in.
entity importer::meant_by(const std::string& text, const place& at) const {
    const auto found = by_id_.find(text);
    const entity meant = found != by_id_.end() ? found->second : named_in(*into_, text);
    if (!meant) refuse_json(at, "nobody is called \"" + text + "\"");
    return meant;
}

entity importer::component_named(const std::string& text, const place& at) const {
    const entity meant = meant_by_user(text, at);
    if (!into_->has<component_info>(meant)) refuse_json(at, "\"" + text + "\" is no component");
    return meant;
}

/// The same, but throws for entities that a text cannot describe: a component is what its functions are, for
/// example, and these are no text.
entity importer::meant_by_user(const std::string& text, const place& at) const {
    const entity meant = meant_by(text, at);
    if (is_component_of_library(meant)) refuse_json(at, "\"" + text + "\" is for the library to give");
    return meant;
}

/// Whether the text says by its id that the entity is the target: it has no name yet.
bool importer::is_target(entity e, const json& pair) const {
    if (!pair.contains("target") || !pair["target"].is_string()) return false;
    const auto found = by_id_.find(pair["target"].get<std::string>());
    return found != by_id_.end() && found->second == e;
}

/// Built-in relations are properties, except those of hierarchies and instances.
importer::pair_kind importer::kind_of(entity e, const json& pair) const {
    if (!pair.is_object() || !pair.contains("relation") || !pair["relation"].is_string())
        return pair_kind::other;
    const auto text = pair["relation"].get<std::string>();
    const entity known = by_id_.contains(text) ? entity() : into_->component_named(text);
    if (!known || into_->has<component_info>(known) || known.index() == child_of.index())
        return pair_kind::other;
    if (known.index() == is_a.index()) return pair_kind::base;
    return is_target(e, pair) ? pair_kind::property_with_itself : pair_kind::property;
}

void importer::add_properties(entity e, const json& of, const place& at) {
    add_pairs_of(pair_kind::property, e, of, at);
}

void importer::add_bases(entity e, const json& of, const place& at) {
    add_pairs_of(pair_kind::base, e, of, at);
}

/// Where a base has such a pair already, each new instance gets one with itself.
void importer::add_properties_with_itself(entity e, const json& of, const place& at) {
    bool is_own_target = false; // Few are, and whether that is a property the world is asked.
    for_each_in(of, "pairs", at,
                [&](const json& pair, const place&) { is_own_target |= is_target(e, pair); });
    if (is_own_target) add_pairs_of(pair_kind::property_with_itself, e, of, at);
}

void importer::add_components(entity e, const json& of, const place& at) {
    add_tags(e, of, at);
    set_components(e, of, at);
}

void importer::add_tags(entity e, const json& of, const place& at) {
    for_each_in(of, "tags", at, [&](const json& tag, const place& where) {
        if (!tag.is_string()) refuse_json(where, "a text is expected, not " + shown(tag));
        require(into_->add(e, meant_by_user(tag.get<std::string>(), where)), where);
    });
}

void importer::set_components(entity e, const json& of, const place& at) {
    if (!of.contains("components")) return;
    const place components_at{&at, "components"};
    if (!of["components"].is_object()) refuse_json(components_at, "an object is expected");
    for (const auto& [text, value] : of["components"].items()) {
        const place where{&components_at, text};
        const entity component = component_named(text, where);
        set_value(e, component, component, value, where);
    }
}

std::unique_ptr<detached_value> importer::value_of_type(entity type, const json& from,
                                                        const place& at) const {
    const auto& info = into_->get<component_info>(type);
    if (info.size == 0) refuse_json(at, "it is a tag and has no value");
    if (!info.operations.constructible) refuse_json(at, "the component has no default value to start from");
    auto value = std::make_unique<detached_value>(info);
    value_from_json(*into_, type, value->get(), from, *this, at);
    return value;
}

void importer::set_value(entity e, id word, entity type, const json& from, const place& at) {
    require(into_->set(e, word, value_of_type(type, from, at)->get()), at);
}

/// Reads all values before the first is set.
void importer::read_singletons(const json& text) {
    if (!text.contains("singletons")) return;
    if (!text["singletons"].is_object()) refuse_json(singletons_at, "an object is expected");
    std::vector<std::pair<entity, std::unique_ptr<detached_value>>> read;
    for (const auto& [name, value] : text["singletons"].items()) {
        const place where{&singletons_at, name};
        const entity component = component_named(name, where);
        const bool is_tag = value == true && into_->get<component_info>(component).size == 0;
        read.emplace_back(component, is_tag ? nullptr : value_of_type(component, value, where));
    }
    for (const auto& [component, value] : read) {
        undo_.note_singleton(component);
        require(value ? into_->set(component, component, value->get()) : into_->add(component, component),
                {&singletons_at, into_->component_name(component)});
        std::ignore = into_->enable(component, component);
    }
}

void importer::disable_singletons(const json& text) {
    for_each_in(text, "disabled_singletons", {}, [&](const json& name, const place& where) {
        if (!name.is_string()) refuse_json(where, "a text is expected, not " + shown(name));
        const entity component = component_named(name.get<std::string>(), where);
        undo_.note_singleton(component);
        hide(component, component, where);
    });
}

void importer::set_parent(entity e, const json& of, const place& at) {
    if (!of.contains("parent")) return;
    const place where{&at, "parent"};
    const id word = pair(child_of, meant_by(text_in(of, "parent", at), where));
    undo_.note_pair(e, word);
    require(into_->add(e, word), where);
}

void importer::set_name(entity e, const json& of, const place& at) {
    if (!of.contains("name")) return;
    try {
        into_->set_name(e, text_in(of, "name", at));
    } catch (const name_error& error) {
        refuse_json(place{&at, "name"}, error.what());
    } catch (const access_error& error) { // An observer has ended it.
        refuse_json(place{&at, "name"}, error.what());
    }
}

void importer::add_pairs(entity e, const json& of, const place& at) {
    add_pairs_of(pair_kind::other, e, of, at);
}

void importer::add_pairs_of(pair_kind kind, entity e, const json& of, const place& at) {
    std::vector<entity> once; // Relations of which an entity may have one pair.
    const auto for_each_pair = [&](pair_kind asked, const auto& visit) {
        for_each_in(of, "pairs", at, [&](const json& pair, const place& where) {
            if (kind_of(e, pair) == asked) visit(pair, where);
        });
    };
    if (kind == pair_kind::property_with_itself) // The others were added before.
        for_each_pair(pair_kind::property, [&](const json& pair, const place& where) {
            require_once(into_->relation_of(pair_of(pair, where)), once, where);
        });
    for_each_pair(kind, [&](const json& pair, const place& where) {
        require_once(into_->relation_of(add_pair(e, pair, where)), once, where);
    });
    for_each_pair(kind, [&](const json& pair, const place& where) {
        // What came along may have taken its place.
        if (!into_->has(e, pair_of(pair, where))) add_pair(e, pair, where);
    });
}

/// Throws json_error when the relation is exclusive and one of those, and else makes it one. What a base has
/// does not make it exclusive.
void importer::require_once(entity relation, std::vector<entity>& once, const place& at) const {
    if (!into_->owns(relation, exclusive)) return;
    if (std::ranges::find(once, relation) != once.end())
        refuse_json(at, "the relation is exclusive, and the entity has another pair of it");
    once.push_back(relation);
}

id importer::pair_of(const json& pair, const place& at) const {
    if (!pair.is_object() || !pair.contains("relation"))
        refuse_json(at, "an object with a \"relation\" is expected, not " + shown(pair));
    const entity relation = meant_by_user(text_in(pair, "relation", at), place{&at, "relation"});
    static constexpr std::array<std::string_view, 5> known{"relation", "target", "number", "value",
                                                           "disabled"};
    require_known_members(pair, known, at);
    const bool has_number = pair.contains("number");
    if (!can_relate(relation))
        refuse_json(place{&at, "relation"}, "the index of the entity is too high for a relation");
    if (pair.contains("target") && !has_number)
        return ecs::pair(relation, meant_by(text_in(pair, "target", at), place{&at, "target"}));
    if (pair.contains("target") || !has_number || !pair["number"].is_number_unsigned() ||
        pair["number"] > 0xFFFF'FFFFU)
        refuse_json(at, "a \"target\" or a \"number\" of 32 bits is expected");
    return value_pair(relation, pair["number"].get<std::uint32_t>());
}

/// Returns the identifier that the entity has been given.
id importer::add_pair(entity e, const json& pair, const place& at) {
    const id word = pair_of(pair, at);
    undo_.note_pair(e, word);
    give_pair(e, word, pair, at);
    if (!pair.contains("disabled")) return word;
    if (!pair["disabled"].is_boolean())
        refuse_json(place{&at, "disabled"}, "true or false is expected, not " + shown(pair["disabled"]));
    if (pair["disabled"].get<bool>()) require(into_->disable(e, word), place{&at, "disabled"});
    return word;
}

void importer::give_pair(entity e, id word, const json& pair, const place& at) {
    if (!pair.contains("value")) return require(into_->add(e, word), at);
    const entity relation = into_->relation_of(word);
    const auto* const own = into_->try_get<component_info>(relation);
    const entity type = own && own->size != 0 ? relation : into_->target_of(word);
    if (!type || !into_->has<component_info>(type)) refuse_json(place{&at, "value"}, "the pair has no value");
    set_value(e, word, type, pair["value"], place{&at, "value"});
}

void importer::disable(entity e, const json& of, const place& at) {
    for_each_in(of, "disabled", at, [&](const json& text, const place& where) {
        if (!text.is_string()) refuse_json(where, "a text is expected, not " + shown(text));
        hide(e, meant_by(text.get<std::string>(), where), where);
    });
}

void importer::hide(entity e, entity what, const place& at) {
    const add_result result = into_->disable(e, what);
    if (result != add_result::disabled && result != add_result::already_there)
        refuse_json(at, "the entity does not have it");
}

} // namespace

std::vector<entity> import_json(world& into, std::string_view text) {
    if (into.is_locked())
        throw iteration_error(
            "a world is read from JSON when no loop walks over it and no observer is being told");
    return importer(into).import(parse_json(text));
}

} // namespace ecs
