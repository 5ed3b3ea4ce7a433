// SPDX-License-Identifier: MIT
// One value of one entity, from a text and as a text.
module;
#include <nlohmann/json.hpp>
module ecs.json;
import ecs.std;
import ecs.world;

namespace ecs {

namespace {

std::string name_of_entity(const world& in, entity e) {
    std::string text = in.component_name(e);
    if (text.empty()) text = in.path_of(e);
    return text.empty() ? to_string(e) : text;
}

/// What a component or a pair is called in an error.
std::string name_of_word(const world& in, id word) {
    if (word.is_entity()) return name_of_entity(in, word.as_entity());
    const entity relation = word.is_pair() ? in.relation_of(word) : entity{};
    const entity target = word.is_pair() ? in.target_of(word) : entity{};
    if (!relation || !target) return to_string(word);
    return "(" + name_of_entity(in, relation) + ", " + name_of_entity(in, target) + ")";
}

/// Why the entity has no such value, which is known to have none.
std::string absence_in(const world& of, entity e) {
    const std::string known = of.explain(e); // A live entity may wait for the flush, which this says.
    return known == to_string(e) + " is live" ? "entity " + to_string(e) + " does not have it" : known;
}

/// The value from which members are taken that the text does not name.
std::unique_ptr<detached_value> value_to_change(const world& in, entity e, id word,
                                                const component_info& info) {
    const auto* const present = static_cast<const std::byte*>(in.try_get(e, word));
    if (present && info.operations.copyable) return std::make_unique<detached_value>(info, present);
    if (!info.operations.constructible)
        refuse_json(name_of_word(in, word), "it has no default value to start from");
    return std::make_unique<detached_value>(info);
}

/// Entities by their paths, in values of that identifier.
class path_book final : public reference_book {
  public:
    path_book(const world& in, id word) : in_(&in), word_(word) {}

    [[nodiscard]] std::string text_of(entity e) const override {
        const std::string component = in_->component_name(e);
        std::string text = component.empty() ? in_->path_of(e) : component;
        if (named_in(*in_, text) == e) return text;
        refuse_json(name_of_word(*in_, word_), "no name leads to entity " + to_string(e) +
                                                   ": a reference_book of the program says how it is called");
    }
    [[nodiscard]] entity meant_by(const std::string& text, const std::string& path) const override {
        if (const entity found = named_in(*in_, text)) return found;
        refuse_json(path, "nobody is called \"" + text + "\"");
    }

  private:
    const world* in_;
    id word_;
};

/// The component of whose values the identifier gives one. Throws json_error when there is none.
entity require_value_type(const world& in, id word) {
    if (!word)
        refuse_json("the component",
                    "there is none: a look-up that has found none returns the null identifier");
    if (word.is_wildcard())
        refuse_json(name_of_word(in, word), "it is a pattern: name the relation and the target");
    if (word.is_entity() && !in.alive(word.as_entity()))
        refuse_json("the component", in.explain(word.as_entity()));
    const entity type = in.value_type_of(word);
    if (!type) refuse_json(name_of_word(in, word), "it is a tag and has no value");
    return type;
}

} // namespace

std::string get_json(const world& of, entity e, id word) {
    return get_json(of, e, word, path_book(of, word));
}

std::string get_json(const world& of, entity e, id word, const reference_book& book) {
    const entity type = require_value_type(of, word);
    const auto* const value = static_cast<const std::byte*>(of.try_get(e, word));
    if (!value) refuse_json(name_of_word(of, word), absence_in(of, e));
    std::string text;
    json_writer to(text);
    write_value(to, of, type, value, book, {});
    return text;
}

add_result set_json(world& in, entity e, id word, std::string_view text) {
    return set_json(in, e, word, text, path_book(in, word));
}

add_result set_json(world& in, entity e, id word, std::string_view text, const reference_book& book) {
    const json said = parse_json(text);
    const entity type = require_value_type(in, word);
    if (is_component_of_library(type)) refuse_json(name_of_word(in, word), "it is for the library to give");
    const component_info info = in.get<component_info>(type);
    const auto value = value_to_change(in, e, word, info);
    value_from_json(in, type, value->get(), said, book, {});
    return in.set(e, word, value->get());
}

} // namespace ecs
