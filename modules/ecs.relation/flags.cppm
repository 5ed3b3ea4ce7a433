// SPDX-License-Identifier: MIT
// Type flags: four bits that say how a component or a pair is had, in the same word with it.
export module ecs.relation:flags;
import ecs.std;
import ecs.id;
import :kind;
import :id;

namespace ecs {

/// How an identifier is had. Flags combine.
export enum class type_flags : std::uint8_t {
    none = 0,
    auto_override = 1, ///< On a prefab: every instance gets a value of its own.
    togglable = 2,     ///< An entity that has it has room for disabling it from the start.
    user_1 = 4,        ///< For the caller.
    user_2 = 8,        ///< For the caller.
};

export [[nodiscard]] constexpr type_flags operator|(type_flags a, type_flags b) {
    return static_cast<type_flags>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}

/// Whether one of the flags that are asked for is among these.
export [[nodiscard]] constexpr bool has_flag(type_flags in, type_flags asked) {
    return (static_cast<std::uint8_t>(in) & static_cast<std::uint8_t>(asked)) != 0;
}

inline constexpr std::uint64_t flags_shift = field_of<layouts::flagged_entity, "flags">.low;
static_assert(flags_shift == field_of<layouts::flagged_pair, "flags">.low);

/// The entity or pair under the flags; null when the word is neither. The world of an entity and the part of
/// a target's generation are not in the word: flags stand in their place.
export [[nodiscard]] constexpr id operator|(type_flags flags, id word) {
    const std::uint64_t bits = (static_cast<std::uint64_t>(flags) & 0xFU) << flags_shift;
    if (word.is_entity()) {
        constexpr std::uint64_t kept =
            field_of<layouts::entity, "generation">.mask() | field_of<layouts::entity, "index">.mask();
        return id::assume_word(constant_bits<layouts::flagged_entity> | bits | (word.value() & kept));
    }
    constexpr std::uint64_t kept =
        field_of<layouts::pair, "relation">.mask() | field_of<layouts::pair, "target">.mask();
    if (word.kind() != id_kind::pair) return {};
    return id::assume_word(constant_bits<layouts::flagged_pair> | bits | (word.value() & kept));
}

/// The flags of a word; none when it has none.
export [[nodiscard]] constexpr type_flags flags_of(id word) {
    return word.is_flagged() ? static_cast<type_flags>((word.value() >> flags_shift) & 0xFU)
                             : type_flags::none;
}

/// The entity as a word of world 0, which each world reads as its own, or the pair without the part of the
/// target's generation. The word itself when it has no flags.
export [[nodiscard]] constexpr id without_flags(id word) {
    const std::uint64_t fields =
        word.value() & ~(constant_mask<layouts::flagged_entity> | (std::uint64_t{0xF} << flags_shift));
    if (word.kind() == id_kind::flagged_entity)
        return id::assume_word(constant_bits<layouts::entity> | fields);
    const std::uint64_t of_pair = word.value() & (field_of<layouts::pair, "relation">.mask() |
                                                  field_of<layouts::pair, "target">.mask());
    return word.kind() == id_kind::flagged_pair ? id::assume_word(constant_bits<layouts::pair> | of_pair)
                                                : word;
}

// Proofs.
inline constexpr id flagged_sample =
    type_flags::auto_override |
    id(build<layouts::entity>().set<"index">(5).set<"generation">(1).set<"world">(1).id());
static_assert(flagged_sample.kind() == id_kind::flagged_entity && !flagged_sample.is_entity());
static_assert(decode<layouts::flagged_entity>(flagged_sample.value())->index() == 5);
static_assert(decode<layouts::flagged_entity>(flagged_sample.value())->generation() == 1);
static_assert(without_flags(flagged_sample).as_entity().world() == 0);
static_assert(without_flags(flagged_sample).as_entity().index() == 5);
static_assert(flags_of(flagged_sample) == type_flags::auto_override);

} // namespace ecs
