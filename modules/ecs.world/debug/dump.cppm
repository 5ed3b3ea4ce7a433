// SPDX-License-Identifier: MIT
// What a person asks of a world in the middle of a program: who is this, and what does it have?
//
//   512v1 "Bob" in world 1, alive: velocity{1, 0}, position{10, 20}, (likes, Alice)
//   513v1 is stale: index 513 is in use under generation 2
//
// The scripts for debuggers in debug/ say the same of a program that has stopped, and of one that has died.
export module ecs.world:dump;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.query;
import :world;

namespace ecs {

/// The entity with its name, if it has one, and all it has itself: values member by member where the members
/// are known (see docs/storage.md), their size where they are not. When the entity is not alive, the text
/// says why, as explain does. The text is for people, and may change with any release. Nothing else may
/// change the world meanwhile. Linear in what the entity has, and in the number of components, whose names it
/// looks for.
export [[nodiscard]] std::string dump(const world& in, entity e);

/// The same for an entity; a pair with the names of its relation and its target.
export [[nodiscard]] std::string dump(const world& in, id word);

/// A line for the world, one for each table and the number of its entities, and one for each component that
/// is kept outside tables. Components, and entities that every world has, are not counted. Linear in the
/// tables.
export [[nodiscard]] std::string dump(const world& in);

/// The terms of the query, as its text.
export template <class... Terms> [[nodiscard]] std::string dump(const query<Terms...>& of) {
    return of.text();
}

} // namespace ecs
