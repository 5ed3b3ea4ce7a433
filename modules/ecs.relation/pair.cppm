// SPDX-License-Identifier: MIT
// A pair is a relation and a target in one word: (eats, apples). A wildcard in either place makes a pattern.
export module ecs.relation:pair;
import ecs.std;
import ecs.id;
import :kind;
import :builtin;
import :id;

namespace ecs {

/// The type of any.
export struct any_t {
    constexpr bool operator==(const any_t&) const = default;
};

/// Stands for everything that can be in its place: pair(eats, any), pair(any, apples), pair(any, any).
export inline constexpr any_t any{};

/// A pair was asked for that cannot be: a null, a pair, the index 0 or one too wide in the place of an
/// entity.
export struct pair_error : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

inline constexpr std::uint64_t relation_max = field_of<layouts::pair, "relation">.max();
inline constexpr unsigned relation_shift = field_of<layouts::pair, "relation">.low;
inline constexpr unsigned generation_shift = field_of<layouts::pair, "target_generation">.low;
inline constexpr std::uint64_t generation_max = field_of<layouts::pair, "target_generation">.max();
inline constexpr unsigned tag_shift = field_of<layouts::pair, "kind">.low;

// Refusals are functions of their own, so that what is said of most pairs stays short enough to be inlined.

[[noreturn]] inline void refuse_kind(id word, std::string_view place) {
    throw pair_error("the " + std::string(place) + " of a pair must be an entity, not " +
                     std::string(to_string(word.kind())));
}

[[noreturn]] inline void refuse_relation(std::uint64_t index) {
    throw pair_error("entity index " + std::to_string(index) +
                     " is too high for a relation; the highest is " + std::to_string(relation_max));
}

[[noreturn]] inline void refuse_index(std::string_view place) {
    throw pair_error("the " + std::string(place) + " of a pair has the index 0, which no entity has");
}

constexpr entity require_entity(id word, std::string_view place) {
    if (!word.is_entity()) [[unlikely]]
        refuse_kind(word, place);
    if (word.as_entity().index() == 0) [[unlikely]] // It would stand for every entity.
        refuse_index(place);
    return word.as_entity();
}

constexpr std::uint64_t relation_bits(id relation) {
    const std::uint64_t index = require_entity(relation, "relation").index();
    if (index > relation_max) [[unlikely]]
        refuse_relation(index);
    return index << relation_shift;
}

/// Whether the index of the entity is low enough for a relation. Where it is not, no pair has the entity in
/// that place.
export [[nodiscard]] constexpr bool can_relate(entity e) { return e.index() <= relation_max; }

constexpr std::uint64_t tag_bits(id_kind kind) { return static_cast<std::uint64_t>(kind) << tag_shift; }

/// The pair of a relation and a target. Throws pair_error when either is no entity, or the relation's
/// index does not fit its bits, 24 of them unless an entity's index has fewer.
export [[nodiscard]] constexpr id pair(id relation, id target) {
    const entity to = require_entity(target, "target");
    const std::uint64_t low_generation = (to.generation() & generation_max) << generation_shift;
    return id::assume_word(tag_bits(id_kind::pair) | low_generation | relation_bits(relation) | to.index());
}

/// Does not compile: only the world knows the entity of a type.
export template <class Relation> [[nodiscard]] constexpr id pair(id) {
    static_assert(sizeof(Relation) == 0,
                  "which entity a type is a world knows: write world.add<Relation>(e, target), or "
                  "pair(world.component<Relation>(), target)");
    return {};
}

/// Matches every pair of the relation.
export [[nodiscard]] constexpr id pair(id relation, any_t) {
    return id::assume_word(tag_bits(id_kind::wildcard_pair) | relation_bits(relation));
}

/// Matches every pair with the target.
export [[nodiscard]] constexpr id pair(any_t, id target) {
    return id::assume_word(tag_bits(id_kind::wildcard_pair) | require_entity(target, "target").index());
}

/// Matches every pair.
export [[nodiscard]] constexpr id pair(any_t, any_t) {
    return id::assume_word(tag_bits(id_kind::wildcard_pair));
}

/// Whether the pattern, a pair that may be a wildcard, stands for the identifier. A pattern stands for the
/// narrower patterns, too.
export [[nodiscard]] constexpr bool matches(id pattern, id word) {
    if (pattern == word) return true;
    if (!pattern.is_wildcard() || !word.has_relation()) return false;
    const bool relation = pattern.relation_index() == 0 || pattern.relation_index() == word.relation_index();
    const bool target = word.kind() == id_kind::pair && pattern.target_index() == word.target_index();
    return relation && (pattern.target_index() == 0 || target);
}

/// A relation to a number: an enumerator, or a hash of the caller's. (any relation, number) is no pattern.
export [[nodiscard]] constexpr id value_pair(id relation, std::uint32_t number) {
    return id::assume_word(tag_bits(id_kind::value_pair) | relation_bits(relation) | number);
}

/// The same for a number of another type. Throws pair_error when it does not fit 32 bits without a sign.
export template <std::integral Number> [[nodiscard]] constexpr id value_pair(id relation, Number number) {
    if (number < Number{} || static_cast<std::uint64_t>(number) > std::numeric_limits<std::uint32_t>::max())
        throw pair_error("the number of a pair has 32 bits, and " + std::to_string(number) +
                         " does not fit them");
    return value_pair(relation, static_cast<std::uint32_t>(number));
}
/// A target that is no integer is refused.
export template <class Number> void value_pair(id, Number) = delete;

/// A relation to an enumerator of at most 32 bits. Throws pair_error for a negative one.
export template <class Enum>
    requires(std::is_enum_v<Enum> && sizeof(Enum) <= sizeof(std::uint32_t))
[[nodiscard]] constexpr id value_pair(id relation, Enum number) {
    return value_pair(relation, static_cast<std::underlying_type_t<Enum>>(number));
}

/// A relation to an object of the host program, which the world keeps under the slot.
export [[nodiscard]] constexpr id link_to_slot(id relation, std::uint32_t slot) {
    return id::assume_word(tag_bits(id_kind::link) | relation_bits(relation) | slot);
}

// Proofs. Each word decodes as its own layout and as no other.
inline constexpr std::uint64_t sample_generation = 0x12345 & field_of<layouts::entity, "generation">.max();
inline constexpr entity sample = build<layouts::entity>()
                                     .set<"index">(7)
                                     .set<"generation">(sample_generation)
                                     .set<"world">(field_of<layouts::entity, "world">.max())
                                     .id();
template <class Layout> inline constexpr bool is_of(id word) {
    return decode<Layout>(word.value()).has_value();
}
static_assert(is_of<layouts::pair>(pair(sample, sample)) && !is_of<layouts::entity>(pair(sample, sample)));
static_assert(is_of<layouts::wildcard_pair>(pair(sample, any)) &&
              is_of<layouts::wildcard_pair>(pair(any, sample)));
static_assert(is_of<layouts::value_pair>(value_pair(sample, 42)) && value_pair(sample, 42).number() == 42);
static_assert(is_of<layouts::link>(link_to_slot(sample, 3)) && !link_to_slot(sample, 3).is_pair());
static_assert(value_pair(sample, 0xFFFF'FFFFU).number() == 0xFFFF'FFFF);
static_assert(pair(sample, sample).target_generation() == (sample_generation & generation_max));
static_assert(pair(sample, sample).relation_index() == 7 && pair(sample, sample).target_index() == 7);
static_assert(matches(pair(sample, any), value_pair(sample, 42)) &&
              !matches(pair(any, sample), value_pair(sample, 7)));
static_assert(matches(pair(any, any), pair(sample, sample)) && !matches(pair(any, any), sample));

} // namespace ecs
