// SPDX-License-Identifier: MIT
// One value of one entity, from a text and as a text.
module;
#include <nlohmann/json.hpp>
module ecs.json;
import ecs.std;
import ecs.world;

namespace ecs {

namespace {

/// The value from which members are taken that the text does not name.
std::unique_ptr<detached_value> value_to_change(const world& in, entity e, id word,
                                                const component_info& info) {
    const auto* const present = static_cast<const std::byte*>(in.try_get(e, word));
    if (present && info.operations.copyable) return std::make_unique<detached_value>(info, present);
    if (!info.operations.constructible) refuse_json("", "the component has no default value to start from");
    return std::make_unique<detached_value>(info);
}

/// Entities by their paths.
class path_book final : public reference_book {
  public:
    explicit path_book(const world& in) : in_(&in) {}

    [[nodiscard]] std::string text_of(entity e) const override {
        const std::string component = in_->component_name(e);
        std::string text = component.empty() ? in_->path_of(e) : component;
        if (named_in(*in_, text) == e) return text;
        refuse_json("", "no name leads to entity " + std::to_string(e.index()) +
                            ": a reference_book of the program says how it is called");
    }
    [[nodiscard]] entity meant_by(const std::string& text, const std::string& path) const override {
        if (const entity found = named_in(*in_, text)) return found;
        refuse_json(path, "nobody is called \"" + text + "\"");
    }

  private:
    const world* in_;
};

/// The component of whose values the identifier gives one. Throws json_error when there is none.
entity require_value_type(const world& in, id word) {
    if (!word)
        refuse_json("", "there is no component: a look-up that has found none returns the null identifier");
    if (word.is_wildcard()) refuse_json("", "it is a pattern: name the relation and the target");
    if (word.is_entity() && !in.alive(word.as_entity()))
        refuse_json("", "the component is not alive in this world");
    const entity type = in.value_type_of(word);
    if (!type) refuse_json("", "it is a tag and has no value");
    return type;
}

} // namespace

std::string get_json(const world& of, entity e, id word) { return get_json(of, e, word, path_book(of)); }

std::string get_json(const world& of, entity e, id word, const reference_book& book) {
    const entity type = require_value_type(of, word);
    const auto* const value = static_cast<const std::byte*>(of.try_get(e, word));
    if (!value) refuse_json("", "the entity does not have it");
    std::string text;
    json_writer to(text);
    write_value(to, of, type, value, book, {});
    return text;
}

add_result set_json(world& in, entity e, id word, std::string_view text) {
    return set_json(in, e, word, text, path_book(in));
}

add_result set_json(world& in, entity e, id word, std::string_view text, const reference_book& book) {
    const json said = parse_json(text);
    const entity type = require_value_type(in, word);
    if (is_component_of_library(type)) refuse_json("", "it is for the library to give");
    const component_info info = in.get<component_info>(type);
    const auto value = value_to_change(in, e, word, info);
    value_from_json(in, type, value->get(), said, book, "");
    return in.set(e, word, value->get());
}

} // namespace ecs
