// SPDX-License-Identifier: MIT
// The top four bits of a word say what kind of identifier it is. The library's layouts differ there, which
// their definitions prove, so that one comparison tells a pair from an entity.
module;
#include <cstdint>
#include <string_view>
export module ecs.relation:kind;
import ecs.id;

namespace ecs {

/// What a word is. The values are the kind tags of the library's layouts; 0 is the null word.
export enum class id_kind : std::uint8_t {
    null = 0,
    entity = static_cast<std::uint8_t>(field_of<layouts::entity, "kind">.value),
    pair = static_cast<std::uint8_t>(field_of<layouts::pair, "kind">.value),
    wildcard_pair = 7,
};

/// The kind in words, as error texts use it.
export [[nodiscard]] constexpr std::string_view to_string(id_kind kind) {
    switch (kind) {
    case id_kind::null:
        return "null";
    case id_kind::entity:
        return "an entity";
    case id_kind::pair:
        return "a pair";
    case id_kind::wildcard_pair:
        return "a wildcard pair";
    }
    return "no identifier of this library";
}

} // namespace ecs
