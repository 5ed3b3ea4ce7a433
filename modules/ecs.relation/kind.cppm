// SPDX-License-Identifier: MIT
// The top four bits of a word say what kind of identifier it is. The library's layouts differ there, which
// their definitions prove, so that one comparison tells a pair from an entity.
export module ecs.relation:kind;
import ecs.std;
import ecs.id;

namespace ecs {

/// What a word is. The values are the kind tags of the library's layouts; 0 is the null word.
export enum class id_kind : std::uint8_t {
    null = 0,
    entity = static_cast<std::uint8_t>(field_of<layouts::entity, "kind">.value),
    pair = static_cast<std::uint8_t>(field_of<layouts::pair, "kind">.value),
    flagged_entity = static_cast<std::uint8_t>(field_of<layouts::flagged_entity, "kind">.value),
    flagged_pair = static_cast<std::uint8_t>(field_of<layouts::flagged_pair, "kind">.value),
    link = static_cast<std::uint8_t>(field_of<layouts::link, "kind">.value),
    value_pair = static_cast<std::uint8_t>(field_of<layouts::value_pair, "kind">.value),
    wildcard_pair = static_cast<std::uint8_t>(field_of<layouts::wildcard_pair, "kind">.value),
};

// One comparison of the tag decides only if every kind has it in the same bits, and no two have the same.
template <class Layout>
inline constexpr bool has_tag_of_entity =
    field_of<Layout, "kind">.low == field_of<layouts::entity, "kind">.low &&
    field_of<Layout, "kind">.high == field_of<layouts::entity, "kind">.high;
static_assert(has_tag_of_entity<layouts::pair> && has_tag_of_entity<layouts::wildcard_pair>);
static_assert(has_tag_of_entity<layouts::flagged_entity> && has_tag_of_entity<layouts::flagged_pair>);
static_assert(has_tag_of_entity<layouts::link> && has_tag_of_entity<layouts::value_pair>);
static_assert(
    pairwise_distinguishable<layouts::entity, layouts::pair, layouts::flagged_entity, layouts::flagged_pair,
                             layouts::link, layouts::value_pair, layouts::wildcard_pair>);

// All kinds with a relation have it in the same bits.
template <class Layout>
inline constexpr bool has_relation_of_pair =
    field_of<Layout, "relation">.low == field_of<layouts::pair, "relation">.low &&
    field_of<Layout, "relation">.high == field_of<layouts::pair, "relation">.high;
static_assert(has_relation_of_pair<layouts::wildcard_pair> && has_relation_of_pair<layouts::flagged_pair>);
static_assert(has_relation_of_pair<layouts::link> && has_relation_of_pair<layouts::value_pair>);

// All kinds with a number have it in the same bits, too.
static_assert(field_of<layouts::link, "slot">.mask() == field_of<layouts::value_pair, "value">.mask());

/// The kind in words, as error texts use it.
export [[nodiscard]] constexpr std::string_view to_string(id_kind kind) {
    switch (kind) {
    case id_kind::null: return "null";
    case id_kind::entity: return "an entity";
    case id_kind::pair: return "a pair";
    case id_kind::flagged_entity: return "an entity under flags";
    case id_kind::flagged_pair: return "a pair under flags";
    case id_kind::link: return "a link to an object";
    case id_kind::value_pair: return "a pair with a number";
    case id_kind::wildcard_pair: return "a wildcard pair";
    }
    return "no identifier of this library";
}

} // namespace ecs
