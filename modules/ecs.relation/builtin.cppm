// SPDX-License-Identifier: MIT
// Entities that every world has under the same index. Written down as constants, they are words of world 0,
// which stands for "the world this is used in".
export module ecs.relation:builtin;
import ecs.std;
import ecs.id;

namespace ecs {

/// How the index space of a world is divided. Low indices address arrays directly, which is why components
/// get them.
export using world_partitions =
    partitions<layouts::entity, partition<"components", 1, 255>, partition<"builtins", 256, 511>,
               partition<"entities", 512, field_of<layouts::entity, "index">.max()>>;
static_assert(valid_partitions<world_partitions>);

/// An entity that every world has, under the same index.
export class builtin {
  public:
    consteval explicit builtin(std::uint32_t index)
        : word_(build<layouts::entity>().set<"generation">(1).id().value() | index) {}

    /// The entity as a word of world 0: a stand-in that each world reads as its own.
    [[nodiscard]] constexpr entity stand_in() const { return entity::assume_word(word_); }
    [[nodiscard]] constexpr std::uint32_t index() const {
        return static_cast<std::uint32_t>(stand_in().index());
    }

    constexpr bool operator==(const builtin&) const = default;

  private:
    std::uint64_t word_;
};

/// Whether the entity is that one, in whichever world: nobody else has its index. Its generation is another
/// one in a world that has the number of an earlier one.
export [[nodiscard]] constexpr bool operator==(const entity& e, const builtin& b) {
    return e.index() == b.index();
}

// Relations and marks.

/// (child_of, parent): the entity ends with its parent. Exclusive, acyclic, and kept in a column, not in the
/// table's type.
export inline constexpr builtin child_of{256};
/// (is_a, base): inherits what the base has until it has its own. Transitive, reflexive, acyclic.
export inline constexpr builtin is_a{257};
/// On a prefab: queries pass it over unless they ask for it.
export inline constexpr builtin prefab_tag{258};
/// On an entity: queries pass it over unless they ask for it.
export inline constexpr builtin disabled{259};

// Properties of a relation, or of a component: each is added to the relation's entity. The order is that of
// the bits of `trait` in ecs.component.

/// On a relation: one target at a time; adding another replaces it.
export inline constexpr builtin exclusive{260};
/// On a relation: a to b and b to c means a to c.
export inline constexpr builtin transitive{261};
/// On a relation: a to b means b to a.
export inline constexpr builtin symmetric{262};
/// On a relation: everything is related to itself.
export inline constexpr builtin reflexive{263};
/// On a relation: no chain leads back to where it began.
export inline constexpr builtin acyclic{264};
/// On a relation: instances of a prefab inherit its pairs.
export inline constexpr builtin inheritable{265};
/// On a relation: its pairs have no value, whatever its target is.
export inline constexpr builtin tag_only{266};
/// On a relation whose targets keep lists: sources keep the order in which they came.
export inline constexpr builtin ordered{267};
/// On an exclusive relation: the target is a value in a column, so that many targets do not make many tables.
export inline constexpr builtin non_fragmenting{268};
/// On an entity: nothing can be an instance of it.
export inline constexpr builtin final{269};
/// On a component or relation: tables have room for disabling it from the start.
export inline constexpr builtin togglable{270};
/// On a component: instances do not inherit it.
export inline constexpr builtin not_inheritable{271};
/// On a component or relation: every instance gets a copy of its own when it is made, also of its pairs.
export inline constexpr builtin auto_overridden{272};
/// On a component or relation: an entity that has it, or a pair of it, keeps it until an entity in it ends.
export inline constexpr builtin permanent{273};
/// On an entity: it is only the relation of pairs. By itself it cannot be added, and it is no target except
/// of a property.
export inline constexpr builtin relation_only{274};
/// On an entity: it is only the target of pairs. By itself it cannot be added, and it is no relation.
export inline constexpr builtin target_only{275};
/// On a relation: a target has one source at a time; when another comes, the first loses the pair.
export inline constexpr builtin single_source{276};
/// On a component: no entity has it but its own entity.
export inline constexpr builtin singleton{277};
/// (one_of, group) on a relation: its targets must be children of the group.
export inline constexpr builtin one_of{278};
/// (with, other) on a component or relation: adding it adds the other, for a relation to the same target.
export inline constexpr builtin with{279};
/// (needs, other) on a component or relation: the same, and the other cannot be removed as long as it is
/// there. Implies (with, other), which stays when it is taken back. To declare it, the world looks at every
/// entity that has it.
export inline constexpr builtin needs{280};
/// (excludes, other) on a component or relation: no entity has both, by themselves or in pairs. Symmetric.
/// When both are in use already, declaring it looks at every entity.
export inline constexpr builtin excludes{281};
/// (on_delete, policy) on a component or relation: what happens to entities that have it when it ends.
export inline constexpr builtin on_delete{282};
/// (on_delete_target, policy) on a relation: what happens to the sources when a target ends.
export inline constexpr builtin on_delete_target{283};

// Earlier names.

/// The earlier name of on_delete.
export [[deprecated("it is called on_delete now")]] inline constexpr builtin on_end = on_delete;
/// The earlier name of on_delete_target.
export [[deprecated("it is called on_delete_target now")]] inline constexpr builtin on_target_end =
    on_delete_target;

// Policies.

/// The pair or component is removed; the default.
export inline constexpr builtin remove_it{284};
/// Entities that have it end, too.
export inline constexpr builtin delete_it{285};
/// The end is refused as long as an entity has it.
export inline constexpr builtin refuse_it{286};

/// On an entity that others are instances of; the world adds it, and it stays until the entity ends.
export inline constexpr builtin base{287};

} // namespace ecs
