// SPDX-License-Identifier: MIT
// One value of one entity, from a text.
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

} // namespace

add_result set_json(world& in, entity e, id word, std::string_view text, const reference_book& book) {
    const json said = parse_json(text);
    const entity type = in.value_type_of(word);
    if (!type) refuse_json("", "it is a tag and has no value");
    if (is_component_of_library(type)) refuse_json("", "it is for the library to give");
    const component_info info = in.get<component_info>(type);
    const auto value = value_to_change(in, e, word, info);
    value_from_json(in, type, value->get(), said, book, "");
    return in.set(e, word, value->get());
}

} // namespace ecs
