// SPDX-License-Identifier: MIT
// The roles of the design of 2020, in which a type's top byte said what an entity is to it: read from, and
// written to, words of that layout. In this library each role is a relation.
export module ecs.relation:roles;
import ecs.std;
import ecs.id;
import :builtin;
import :id;
import :pair;

namespace ecs {

/// What the top byte of a word of 2020 says.
export enum class role_2020 : std::uint8_t {
    instance_of = 0x7E, ///< (is_a, entity)
    child_of = 0x7F,    ///< (child_of, entity)
    trait = 0x40,       ///< (trait, component)
};

/// An entity in a role: child of it, or instance of it.
export using role_word = basic_id<layouts::flecs_2020_role>;
/// A trait of a component.
export using trait_word = basic_id<layouts::flecs_2020_trait>;

[[nodiscard]] constexpr role_word word_of_role(role_2020 role, entity target) {
    return role_word{}.with<"role">(static_cast<std::uint8_t>(role)).with<"entity">(target.index());
}

/// The entity in the role as a word of 2020; nothing for a trait, which has two entities.
export [[nodiscard]] constexpr std::optional<role_word> encode_role(role_2020 role, entity target) {
    if (role == role_2020::trait) return std::nullopt;
    return word_of_role(role, target);
}

/// The trait of a component as a word of 2020. Throws field_range_error when the trait's index needs more
/// than 24 bits.
export [[nodiscard]] constexpr trait_word encode_trait(entity trait, entity component) {
    return trait_word{}
        .with<"role">(static_cast<std::uint8_t>(role_2020::trait))
        .with<"trait">(trait.index())
        .with<"component">(component.index());
}

/// The word of 2020 that says what the pair says: children and instances are roles, everything else is a
/// trait.
export [[nodiscard]] constexpr std::uint64_t to_2020(entity relation, entity target) {
    if (relation.index() == child_of.index()) return word_of_role(role_2020::child_of, target).value();
    if (relation.index() == is_a.index()) return word_of_role(role_2020::instance_of, target).value();
    return encode_trait(relation, target).value();
}

/// Relation and target of a word of 2020, by index.
export struct indices_2020 {
    std::uint32_t relation{};
    std::uint32_t target{};

    constexpr bool operator==(const indices_2020&) const = default;
};

[[nodiscard]] constexpr std::uint32_t index_of_2020(entity e) {
    return static_cast<std::uint32_t>(e.index());
}

/// What a word of 2020 says; nothing when its top byte is none of the roles, a bit is set that no field has,
/// or an index is null.
export [[nodiscard]] constexpr std::optional<indices_2020> from_2020(std::uint64_t word) {
    const auto as_trait = trait_word::assume_word(word);
    const entity component = entity::assume_word(as_trait.get<"component">());
    const entity trait = entity::assume_word(as_trait.get<"trait">());
    const auto role = static_cast<role_2020>(as_trait.get<"role">());
    const bool is_trait = role == role_2020::trait;
    const bool is_role = role == role_2020::child_of || role == role_2020::instance_of;
    if (!component || (is_trait ? !trait : !is_role)) return std::nullopt;
    const std::uint64_t sound =
        is_trait ? encode_trait(trait, component).value() : word_of_role(role, component).value();
    if (word != sound) return std::nullopt;
    const entity relation = is_trait ? trait : (role == role_2020::child_of ? child_of : is_a).stand_in();
    return indices_2020{index_of_2020(relation), index_of_2020(component)};
}

// Proofs: there and back.
static_assert(from_2020(to_2020(child_of.stand_in(), prefab_tag.stand_in())) ==
              indices_2020{child_of.index(), prefab_tag.index()});
static_assert(from_2020(to_2020(is_a.stand_in(), prefab_tag.stand_in())) ==
              indices_2020{is_a.index(), prefab_tag.index()});
static_assert(from_2020(to_2020(exclusive.stand_in(), final.stand_in())) ==
              indices_2020{exclusive.index(), final.index()});
static_assert(!from_2020(0));

} // namespace ecs
