// SPDX-License-Identifier: MIT
// Where two entities differ, or two worlds that should be alike.
//
//   512v1 position.x: 1 against 2
//   513v1 frozen: there against not there
//   514v1: alive against not there
export module ecs.world:differences;
import ecs.std;
import ecs.id;
import ecs.relation;
import :world;

namespace ecs {

/// A place where the first entity or world has something else than the second.
export struct difference {
    entity subject{}; ///< As the first world knows it, or else the second.
    /// `position.x`, `(likes, Bob)`, or `(likes, Bob (512v1))` where the other has another of that name;
    /// empty: the entity as a whole.
    std::string where{};
    std::string first{};  ///< `1`, `{1, 2}`, `there`, `not there`, `enabled`, `alive`.
    std::string second{}; ///< The same for the second.

    bool operator==(const difference&) const = default;
};

/// The difference in one line, as the head of this file shows. For people: it may change with any release.
export [[nodiscard]] std::string to_string(const difference& d);

/// In what two entities of a world differ, under the names of what they have; empty when in nothing. What
/// they inherit is not compared, nor their place in tables and among the sources of a target. Values are
/// compared member by member where members are known: numbers are the same when their shortest texts are, so
/// 0 and -0 differ, and not-a-number is like itself. Other values are compared as they would be saved: byte
/// by byte, padding included, or as they say; those that say nothing are not compared. Of an entity that is
/// not alive that is said alone. Throws std::bad_alloc and what saving a value throws. Nothing else may
/// change the world meanwhile. Linear in what they have and in the number of components.
export [[nodiscard]] std::vector<difference> differences(const world& in, entity first, entity second);

/// Where two worlds differ, in at most `most` places, the lowest indices first: the values of components that
/// were added to themselves, which entities live, and what each entity has. Entities are the same when their
/// indices are, and components and relations when their names are. Generations are not compared: a world that
/// came after another one goes on behind the generations of that. Tags, targets and members of values that
/// are entities, and no components, are the same when their names and their indices are. For tests and for
/// programs that should do the same twice, not for every frame: texts are made of all values. Else as above.
/// Linear in the entities and in what they have.
export [[nodiscard]] std::vector<difference> differences(const world& first, const world& second,
                                                         std::size_t most = 100);

} // namespace ecs
