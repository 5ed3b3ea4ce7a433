// SPDX-License-Identifier: MIT
// Values to and from JSON, member by member, as the reflection of their component tells.
module;
#include <nlohmann/json.hpp>
export module ecs.json:codec;
import ecs.std;
import ecs.world;

namespace ecs {

using json = nlohmann::ordered_json;

/// Who is meant by a text, and the text for somebody.
struct reference_book {
    virtual ~reference_book() = default;
    [[nodiscard]] virtual std::string text_of(entity e) const = 0;
    /// Throws json_error under the path when nobody is meant.
    [[nodiscard]] virtual entity meant_by(const std::string& text, const std::string& path) const = 0;
};

/// The value of a component as JSON. Throws json_error under the path.
[[nodiscard]] json value_to_json(const world& of, entity component, const std::byte* value,
                                 const reference_book& references, const std::string& path);

/// Assigns to a value, which has been constructed, what the JSON says of its members; the others stay. Throws
/// json_error under the path of what is wrong.
void value_from_json(const world& of, entity component, std::byte* value, const json& from,
                     const reference_book& references, const std::string& path);

[[noreturn]] void refuse_json(const std::string& path, const std::string& reason);

} // namespace ecs
