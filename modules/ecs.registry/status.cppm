// SPDX-License-Identifier: MIT
// What can be said about an identifier that a program holds. A registry answers with one word, and the word
// is the reason that every refused operation gives.
export module ecs.registry:status;
import ecs.std;
import ecs.id;

namespace ecs {

/// The state of an identifier in a registry.
export enum class id_status : std::uint8_t {
    live,             ///< Issued and not destroyed.
    null,             ///< The word 0: nothing.
    malformed,        ///< A wrong tag, a set reserved bit or generation 0: no identifier of this layout.
    never_issued,     ///< The index or this generation of it has not been handed out.
    stale,            ///< Destroyed, or passed over; its index may be in use under a later generation.
    retired,          ///< Destroyed, and the generations of its index are spent.
    foreign_world,    ///< Belongs to another world.
    out_of_partition, ///< Outside every partition, or outside the one the registry is restricted to.
    not_an_entity,    ///< A pair, another kind of identifier, or one that carries flags.
};

/// The state in words, as error texts use it.
export [[nodiscard]] constexpr std::string_view to_string(id_status status) {
    switch (status) {
    case id_status::live: return "live";
    case id_status::null: return "null";
    case id_status::malformed: return "malformed";
    case id_status::never_issued: return "never issued";
    case id_status::stale: return "stale";
    case id_status::retired: return "retired";
    case id_status::foreign_world: return "of a foreign world";
    case id_status::out_of_partition: return "out of partition";
    case id_status::not_an_entity: return "not an entity";
    }
    return "unknown";
}

/// Kinds of identifier that stand beside another in words of the same size.
export template <class... Layouts> struct kinds {
    /// Whether the word is an identifier of one of them.
    [[nodiscard]] static constexpr bool include([[maybe_unused]] std::uint64_t word) {
        return (decode<Layouts>(word).has_value() || ...);
    }
};

/// What a word that is no identifier of the layout may be instead. Specialise it for layouts of your own, so
/// that their registries tell another kind from a malformed word.
export template <class Layout> struct kinds_beside : kinds<> {};

template <>
struct kinds_beside<layouts::entity> : kinds<layouts::pair, layouts::flagged_entity, layouts::flagged_pair,
                                             layouts::link, layouts::value_pair, layouts::wildcard_pair> {};

template <>
struct kinds_beside<layouts::fennecs_entity>
    : kinds<layouts::fennecs_disabled_entity, layouts::fennecs_link, layouts::fennecs_any,
            layouts::fennecs_any_target, layouts::fennecs_any_entity, layouts::fennecs_any_link> {};

} // namespace ecs
