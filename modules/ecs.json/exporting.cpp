// SPDX-License-Identifier: MIT
// A world as JSON: names where there are names, and values as their reflection says.
module;
#include <map>
#include <nlohmann/json.hpp>
module ecs.json;
import ecs.std;
import ecs.core;
import ecs.world;

namespace ecs {

namespace {

/// The names of components and of built-in entities. To find one name, a world looks through all of them.
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

std::uint32_t index_of(entity e) { return static_cast<std::uint32_t>(e.index()); }

/// The indices of those of the entities that are alive.
bit_pages indices_of(const world& in, std::span<const entity> all) {
    bit_pages found;
    for (const entity e : all) {
        if (!in.alive(e)) continue;
        found.make_room(index_of(e));
        found.set(index_of(e));
    }
    return found;
}

/// A component as it is written.
struct written_component {
    entity of;
    std::string name;
    std::string quoted_name;
    bool is_implied; ///< Only written when it is disabled, and nothing else of it.
    text_form form;  ///< Of values, if it has any.
};

/// Writes entities down. What the world adds by itself is left out.
class exporter final : public reference_book {
  public:
    /// `is_whole`: all that there is has been written.
    exporter(const world& from, std::span<const entity> written, bool is_whole, const save_options& options)
        : from_(&from),
          written_(indices_of(from, written)),
          left_out_(indices_of(from, options.without)),
          is_whole_(is_whole),
          names_(names_in(from)),
          name_(from.component_named("ecs::name")) {}

    void write_entity(json_writer& to, entity e, const place& at);

    /// Components that are added to themselves, except those of the library: these are on each component, and
    /// so on themselves.
    [[nodiscard]] std::vector<entity> singletons() const;
    /// Writes the singleton with its value; for a tag, true.
    void write_singleton(json_writer& to, entity component, const place& at) const;
    /// Writes the names of those singletons that are disabled; nothing when none is.
    void write_disabled_singletons(json_writer& to, std::span<const entity> all) const;

    /// Components and built-in entities are called by name. An entity that is not written is called by its
    /// path, if that leads back to it and to no other entity; all others are called by index and generation.
    [[nodiscard]] std::string text_of(entity e) const override {
        if (const auto known = names_.find(e); known != names_.end()) return known->second;
        if (!written_.test(index_of(e)))
            if (const std::string path = from_->path_of(e); leads_to(path, e)) return path;
        require_no_wait(e);
        return "#" + ecs::to_string(e);
    }
    [[nodiscard]] entity meant_by(const std::string&, const std::string&) const override { return {}; }

  private:
    using components = std::vector<written_component>;

    /// Whether the path leads to the entity. Paths that begin with '#' may be an "id".
    [[nodiscard]] bool leads_to(const std::string& path, entity e) const {
        return !path.empty() && !path.starts_with('#') && named_in(*from_, path) == e;
    }
    /// Throws json_error where nobody who reads the text would find the entity: it has nothing before the
    /// flush.
    void require_no_wait(entity e) const {
        const bool is_ordinary = e.index() >= id_space::first_index && !from_->try_get<component_info>(e);
        if (is_whole_ && is_ordinary && !written_.test(index_of(e)))
            refuse_json(
                "entities",
                "entity " + std::to_string(e.index()) +
                    ", which commands have spawned, is referred to: flush before the world is written");
    }
    [[nodiscard]] bool is_left_out(id word) const {
        const bool is_of_pair = word.has_relation() || word.kind() == id_kind::flagged_pair;
        return left_out_.test(is_of_pair ? word.relation_index() : word.target_index());
    }
    void write_text(json_writer& to, std::string_view key, std::string_view text, const place& at) const;
    bool write_components(json_writer& to, entity owner, const components& all, const place& at) const;
    void write_tags(json_writer& to, entity owner, const components& all) const;
    void write_disabled(json_writer& to, entity owner, const components& all) const;
    void write_pairs(json_writer& to, entity owner, std::span<const id> words, const place& at) const;
    void write_pair(json_writer& to, entity owner, id pair, const place& at) const;
    [[nodiscard]] const components& components_of(const std::vector<id>& words);
    [[nodiscard]] written_component written(entity component, bool is_implied) const;
    [[nodiscard]] components sorted_components(std::span<const id> words) const;
    [[nodiscard]] std::vector<id> pairs_by_name(std::span<const id> words) const;
    [[nodiscard]] std::string name_of_pair(id word) const;
    [[nodiscard]] const std::byte* value_of(entity owner, id word) const {
        return static_cast<const std::byte*>(from_->try_get(owner, word));
    }

    const world* from_;
    bit_pages written_;
    bit_pages left_out_; ///< The components and relations of which nothing is written.
    bool is_whole_;
    std::unordered_map<entity, std::string> names_;
    entity name_;                                 ///< The component of names.
    std::map<std::vector<id>, components> known_; ///< What entities with these components have in common.
    std::vector<id> words_;                       ///< Of the entity that is being written: its components,
    std::vector<id> pairs_;                       ///< and its pairs.
};

void exporter::write_text(json_writer& to, std::string_view key, std::string_view text,
                          const place& at) const {
    to.member_named(key, at);
    to.text(text, {&at, key});
}

void exporter::write_entity(json_writer& to, entity e, const place& at) {
    words_.clear();
    pairs_.clear();
    for (const id word : from_->ids(e))
        if (!is_left_out(word)) (word.is_entity() ? words_ : pairs_).push_back(word);
    const components& all = components_of(words_);
    to.begin('{');
    write_text(to, "id", text_of(e), at);
    if (const auto text = from_->name_of(e); !text.empty()) write_text(to, "name", text, at);
    if (const entity parent = from_->parent(e)) write_text(to, "parent", text_of(parent), at);
    if (write_components(to, e, all, at)) write_tags(to, e, all);
    write_pairs(to, e, pairs_by_name(pairs_), at);
    write_disabled(to, e, all);
    to.end('}');
}

const exporter::components& exporter::components_of(const std::vector<id>& words) {
    const auto found = known_.find(words);
    return found != known_.end() ? found->second
                                 : known_.emplace(words, sorted_components(words)).first->second;
}

written_component exporter::written(entity component, bool is_implied) const {
    const std::string name = text_of(component);
    const bool has_form = from_->has<component_info>(component);
    return {component, name, quoted_text(name, {}), is_implied,
            has_form ? text_form_of(*from_, component) : text_form{}};
}

/// The components in the order of their names, so that it does not depend on when they were registered.
exporter::components exporter::sorted_components(std::span<const id> words) const {
    components made;
    for (const id word : words) {
        const entity component = word.as_entity();
        if (component.index() == base.index()) continue; // An entity gets the mark with its first instance.
        made.push_back(written(component, component == name_));
    }
    std::ranges::sort(made, {}, &written_component::name);
    return made;
}

/// Writes the components with a value, and returns whether there are others.
bool exporter::write_components(json_writer& to, entity owner, const components& all, const place& at) const {
    bool is_first = true;
    bool are_others = false;
    const place components_at{&at, "components"};
    for (const written_component& c : all) {
        if (c.is_implied) continue;
        const std::byte* const value = value_of(owner, c.of);
        are_others |= !value;
        if (!value) continue;
        if (is_first) to.begin_member("components", '{');
        is_first = false;
        to.member_quoted(c.quoted_name);
        write_value(to, *from_, c.form, value, *this, {&components_at, c.name});
    }
    if (!is_first) to.end('}');
    return are_others;
}

/// Writes the components without a value.
void exporter::write_tags(json_writer& to, entity owner, const components& all) const {
    const auto is_tag = [&](const written_component& c) { return !c.is_implied && !value_of(owner, c.of); };
    to.list("tags", all, is_tag, &written_component::quoted_name);
}

void exporter::write_disabled(json_writer& to, entity owner, const components& all) const {
    const auto is_disabled = [&](const written_component& c) { return !from_->is_enabled(owner, c.of); };
    to.list("disabled", all, is_disabled, &written_component::quoted_name);
}

std::string exporter::name_of_pair(id word) const {
    const std::string target =
        word.is_pair() ? text_of(from_->target_of(word)) : std::to_string(word.number());
    return text_of(from_->relation_of(word)) + " " + target;
}

/// The pairs in an order that does not depend on when relations were made, without that of the parent.
std::vector<id> exporter::pairs_by_name(std::span<const id> words) const {
    std::vector<std::pair<std::string, id>> named;
    for (const id word : words)
        if (word.relation_index() != child_of.index() || word.is_flagged())
            named.emplace_back(word.has_relation() ? name_of_pair(word) : "", word);
    std::ranges::sort(named, {}, [](const auto& n) -> const std::string& { return n.first; });
    std::vector<id> sorted(named.size());
    std::ranges::transform(named, sorted.begin(), [](const auto& n) { return n.second; });
    return sorted;
}

void exporter::write_pairs(json_writer& to, entity owner, std::span<const id> words, const place& at) const {
    if (words.empty()) return;
    to.begin_member("pairs", '[');
    for (const id word : words) {
        to.element();
        write_pair(to, owner, word, at);
    }
    to.end(']');
}

void exporter::write_pair(json_writer& to, entity owner, id pair, const place& at) const {
    if (pair.is_flagged() || pair.is_link())
        refuse_json(at, "there is no text for flags and links to objects");
    const entity relation = from_->relation_of(pair);
    const std::string name = text_of(relation);
    to.begin('{');
    write_text(to, "relation", name, at);
    if (pair.is_value_pair()) {
        to.member_named("number", at);
        to.number(std::uint64_t{pair.number()});
    } else {
        write_text(to, "target", text_of(from_->target_of(pair)), at);
    }
    if (const std::byte* const value = value_of(owner, pair)) {
        const place pairs_at{&at, "pairs"};
        to.member_named("value", at);
        write_value(to, *from_, from_->value_type_of(pair), value, *this, {&pairs_at, name});
    }
    if (!from_->is_enabled(owner, pair)) {
        to.member_named("disabled", at);
        to.literal("true");
    }
    to.end('}');
}

std::vector<entity> exporter::singletons() const {
    std::vector<entity> all = from_->components();
    std::erase_if(
        all, [&](entity c) { return is_component_of_library(c) || is_left_out(c) || !from_->has(c, c); });
    return all;
}

void exporter::write_singleton(json_writer& to, entity component, const place& at) const {
    const std::string name = text_of(component);
    to.member_named(name, at);
    if (const std::byte* const value = value_of(component, component))
        write_value(to, *from_, component, value, *this, {&at, name});
    else
        to.literal("true");
}

void exporter::write_disabled_singletons(json_writer& to, std::span<const entity> all) const {
    components disabled_ones;
    for (const entity component : all) {
        if (from_->is_enabled(component, component)) continue;
        disabled_ones.push_back(written(component, false));
    }
    to.list(
        "disabled_singletons", disabled_ones, [](const written_component&) { return true; },
        &written_component::quoted_name);
}

/// The entities in the order of indices; parents before their children, children in their order. A component
/// may be a parent, too, and is not written.
std::vector<entity> in_order(const world& from) {
    std::vector<entity> roots = from.entities();
    const bit_pages written = indices_of(from, roots);
    std::erase_if(roots, [&](entity e) { return written.test(index_of(from.parent(e))); });
    std::ranges::sort(roots, {}, [](entity e) { return e.index(); });
    std::vector<entity> all;
    std::vector<entity> waiting(roots.rbegin(), roots.rend()); // The next one last.
    while (!waiting.empty()) {
        const entity e = waiting.back();
        waiting.pop_back();
        all.push_back(e);
        const auto before = static_cast<std::ptrdiff_t>(waiting.size());
        for (const entity child : from.children(e))
            if (written.test(index_of(child))) waiting.push_back(child);
        std::reverse(waiting.begin() + before, waiting.end());
    }
    return all;
}

void write_singletons(json_writer& to, const exporter& from, std::span<const entity> all) {
    if (all.empty()) return;
    const place root, at{&root, "singletons"};
    to.begin_member("singletons", '{');
    for (const entity component : all) from.write_singleton(to, component, at);
    to.end('}');
    from.write_disabled_singletons(to, all);
}

/// Writes one entity after the other: a document of all of them would take many times the memory of the text.
std::string text_of(exporter& from, std::span<const entity> entities, std::span<const entity> singletons) {
    std::string text;
    json_writer to(text);
    const place root, list{&root, "entities"};
    to.begin('{');
    to.member_named("format", root);
    to.text("ecs-world", root);
    to.member_named("version", root);
    to.number(std::int64_t{1});
    to.begin_member("entities", '[');
    for (std::size_t i = 0; i != entities.size(); ++i) {
        to.element();
        from.write_entity(to, entities[i], {&list, {}, i});
        if (i == 64) text.reserve(text.size() / 64 * (entities.size() + entities.size() / 8));
    }
    to.end(']');
    write_singletons(to, from, singletons);
    to.end('}');
    text += '\n'; // Not text + "\n", which copies all of it.
    return text;
}

/// Throws json_error when an entity is given twice, is not alive, is a component, or is in every world: what
/// cannot be read again is not written.
void require_each_once(const world& from, std::span<const entity> entities) {
    std::unordered_set<std::uint64_t> known;
    for (std::size_t i = 0; i != entities.size(); ++i) {
        const std::string place = "entities[" + std::to_string(i) + "]";
        if (!from.alive(entities[i])) refuse_json(place, from.explain(entities[i]));
        if (from.has<component_info>(entities[i]))
            refuse_json(place, from.component_name(entities[i]) +
                                   " is a component, which the program makes and no text: its value as a "
                                   "singleton is written when the whole world is");
        if (entities[i].index() < id_space::first_index)
            refuse_json(place, from.component_name(entities[i]) + " is in every world, and is not written");
        if (!known.insert(entities[i].value()).second) refuse_json(place, "the entity is there twice");
    }
}

void require_accepted(const world& from, const save_options& options) {
    if (const std::string why = options.refusal(from); !why.empty()) refuse_json("without", why);
}

} // namespace

std::string export_json(const world& from, std::span<const entity> entities, const save_options& options) {
    require_each_once(from, entities);
    require_accepted(from, options);
    exporter writer(from, entities, false, options);
    return text_of(writer, entities, {});
}

std::string export_json(const world& from, const save_options& options) {
    require_accepted(from, options);
    const std::vector<entity> entities = in_order(from);
    exporter writer(from, entities, true, options);
    return text_of(writer, entities, writer.singletons());
}

} // namespace ecs
