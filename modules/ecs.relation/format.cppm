// SPDX-License-Identifier: MIT
// Whatever can be added to an entity, as people read it:
//
//   12v3               an entity
//   (300, 12)          a pair, by the indices of the relation and the target; * is a wildcard
//   (300, number 7)    a pair with a number
//   (300, link 7)      a link to an object, by its slot
//   2|12v3             an entity or a pair under flags
//   null
export module ecs.relation:format;
import ecs.std;
import ecs.id;
import :kind;
import :id;
import :flags;

namespace ecs {

/// How the place of a relation or a target in a pair is written.
inline std::string place_in_pair(std::uint32_t index) { return index == 0 ? "*" : std::to_string(index); }

inline std::string pair_text(id word) {
    const std::string target = word.is_value_pair() ? "number " + std::to_string(word.number())
                               : word.is_link()     ? "link " + std::to_string(word.number())
                                                    : place_in_pair(word.target_index());
    return "(" + place_in_pair(word.relation_index()) + ", " + target + ")";
}

/// In short, as the head of this file shows. A word that is no identifier of this library is "no identifier
/// of this library".
export [[nodiscard]] inline std::string to_string(id word) {
    if (word.is_entity() || !word) return to_string(word.as_entity());
    if (word.has_relation()) return pair_text(word);
    if (word.is_flagged())
        return std::to_string(static_cast<unsigned>(flags_of(word))) + "|" + to_string(without_flags(word));
    return word.kind() == id_kind::null ? "no identifier of this library"
                                        : std::string(to_string(word.kind()));
}

/// Writes an identifier in short; width and fill apply to the whole of it.
export template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, id word) {
    const std::string text = to_string(word);
    return out << std::basic_string_view<char, Traits>(text.data(), text.size());
}

} // namespace ecs
