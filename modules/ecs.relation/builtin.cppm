// SPDX-License-Identifier: MIT
// Entities that every world has under the same index. Written down as constants, they are words of world 0,
// which stands for "the world this is used in".
module;
#include <cstdint>
export module ecs.relation:builtin;
import ecs.id;

namespace ecs {

/// How the index space of a world is divided. Low indices address arrays directly, which is why components
/// get them.
export using world_partitions =
    partitions<layouts::entity, partition<"components", 1, 255>, partition<"builtins", 256, 511>,
               partition<"entities", 512, 0xFFFF'FFFF>>;
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

    friend constexpr bool operator==(builtin, builtin) = default;

  private:
    std::uint64_t word_;
};

export inline constexpr builtin child_of{
    256};                                  ///< (child_of, parent): dies with its parent. Exclusive, acyclic.
export inline constexpr builtin is_a{257}; ///< (is_a, prefab): inherits the prefab's components. Acyclic.
export inline constexpr builtin prefab_tag{
    258};                                      ///< On a prefab: queries pass it over unless they ask for it.
export inline constexpr builtin disabled{259}; ///< On an entity: queries pass it over unless they ask for it.
export inline constexpr builtin exclusive{260};  ///< On a relation: one target at a time.
export inline constexpr builtin transitive{261}; ///< On a relation: a to b and b to c means a to c.
export inline constexpr builtin symmetric{262};  ///< On a relation: a to b means b to a.
export inline constexpr builtin reflexive{263};  ///< On a relation: everything is related to itself.
export inline constexpr builtin acyclic{264};    ///< On a relation: no chain leads back to where it began.

} // namespace ecs
