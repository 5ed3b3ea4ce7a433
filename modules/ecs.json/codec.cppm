// SPDX-License-Identifier: MIT
// Values from JSON, member by member, as the reflection of their component tells; the writer makes JSON from
// values.
module;
#include <nlohmann/json.hpp>
export module ecs.json:codec;
import ecs.std;
import ecs.world;

namespace ecs {

using json = nlohmann::ordered_json;

/// The place of something in a text. It is made into words only when a message needs them.
struct place {
    static constexpr std::size_t none = ~std::size_t{0};

    const place* above{};
    std::string_view name;    ///< Of a member.
    std::size_t index = none; ///< Of an element of a list, which has no name.

    /// The place as text, such as `entities[2].components.position.x`.
    [[nodiscard]] std::string path() const;
};

/// Which entity is meant by a text, and the text for an entity.
export struct reference_book {
    virtual ~reference_book() = default;
    [[nodiscard]] virtual std::string text_of(entity e) const = 0;
    /// Throws json_error under the path when no entity is meant.
    [[nodiscard]] virtual entity meant_by(const std::string& text, const std::string& path) const = 0;
};

/// The entity for a name that is no "id" of the text: the component of that name, or else the entity at the
/// end of the path; null when there is neither.
[[nodiscard]] entity named_in(const world& in, std::string_view text);

/// Whether the component says what an entity is to the library: such components are not in a text.
[[nodiscard]] bool is_component_of_library(entity component);

/// Parses a text of JSON. Throws json_error, with the place, except for errors of syntax, whose message has
/// the line.
[[nodiscard]] json parse_json(std::string_view text);

/// A value as text for a message; a long text is cut off.
[[nodiscard]] std::string shown(const json& value);

/// Whether a value of the component is no more than its bytes.
[[nodiscard]] bool is_plain(const component_info& info);

/// The component that has the type of a member, whose members are known; null when there is none, and when
/// the member is in bytes and values of the component are more: it was registered after the member was
/// described.
[[nodiscard]] entity component_of(const world& in, const member& m, bool in_bytes);

/// The value of a component as JSON. Throws json_error with the place in the value.
export [[nodiscard]] json value_to_json(const world& of, entity component, const std::byte* value,
                                        const reference_book& references);

/// Assigns to a value, which has been constructed, what the JSON says of its members; the other members stay.
/// Throws json_error with the place of what is wrong.
void value_from_json(const world& of, entity component, std::byte* value, const json& from,
                     const reference_book& references, const place& at);

[[noreturn]] void refuse_json(const std::string& path, const std::string& reason);
[[noreturn]] void refuse_json(const place& at, const std::string& reason);

} // namespace ecs
