// SPDX-License-Identifier: MIT
// ecs.json: a world as text that people and tools read and write. docs/snapshots.md shows it.
//
//   { "format": "ecs-world", "version": 1, "entities": [
//       { "id": "#512v1", "name": "Ship",
//         "components": { "position": { "x": 1.0, "y": 2.0 } },
//         "tags": [ "enemy" ] },
//       { "id": "#513v1", "parent": "#512v1",
//         "pairs": [ { "relation": "likes", "target": "#512v1" } ] } ] }
//
// The members of values are those that the world's reflection knows. To save a game, use ecs::save: it keeps
// handles, order and everything else.
export module ecs.json;
import ecs.std;
import ecs.world;
export import :codec;
// They export nothing that is for users; the language wants every interface partition exported.
export import :detached_value;
export import :import_undo;
export import :writer;

namespace ecs {

/// A text from which a world cannot be made, or a world for which there is no text. what() is "path: reason",
/// such as `entities[2].components.position.x: a number is expected, not "abc"`.
export struct json_error : std::runtime_error {
    json_error(std::string where, const std::string& reason)
        : std::runtime_error((where.empty() ? "the text" : where) + ": " + reason), path(std::move(where)) {}

    std::string path; ///< Empty for the text as a whole. Where no text is meant, the component.
};

/// All entities except components and those that every world has, parents before their children, children in
/// their order; and singletons. A component without known members is written as its bytes. Throws json_error
/// when its values are more than bytes, or an entity has an identifier for which there is no text: flagged
/// identifiers and links to objects; when one refers to an entity that commands have spawned and that waits
/// for the flush; and for a refusal of the options. In an observer it writes what is there at that moment,
/// which may be half of a change. Linear in the length of the text.
export [[nodiscard]] std::string export_json(const world& from, const save_options& options = {});

/// The same for these entities alone; entities to which they refer are named, not written, also those that
/// wait for the flush. Throws json_error, too, when one of them is not alive, is a component or in every
/// world, or is there twice.
export [[nodiscard]] std::string export_json(const world& from, std::span<const entity> entities,
                                             const save_options& options = {});

/// Adds the entities of a text to the world and returns them in the order of the text. An entity that is
/// referred to is an "id" of the text, or the path of an entity or component of the world. Components have to
/// be registered. Throws json_error, iteration_error inside a loop or an observer, and what an observer
/// throws.
///
/// When it throws, the world has the entities and singletons it had before. Exceptions: handles stay used up,
/// and a prefab keeps the mark that it once had an instance. Pairs that new entities had taken away, because
/// the relation allows one partner or one source, are restored. Of a value that cannot be copied, a pair gets
/// a default one; a singleton keeps the one from the text. When memory runs out meanwhile, more may be left.
export std::vector<entity> import_json(world& into, std::string_view text);

/// Gives the entity a component or a pair with a value, of which the text says members: the other members
/// keep what the entity has or inherits, or are those of a default value. Throws json_error, with the path of
/// the member in the value, and then nothing has changed; and what world.set throws. Texts for entities in
/// the value are resolved by the book.
export add_result set_json(world& in, entity e, id word, std::string_view text, const reference_book& book);
/// The same; entities in the value are called by the paths of their names, and components by their names.
export add_result set_json(world& in, entity e, id word, std::string_view text);

/// The value that the entity has or inherits of a component or a pair, as a text that set_json reads. Throws
/// json_error where there is none, where the identifier is null or a tag, and where export_json has no text
/// for the value. The book has the texts for entities in the value.
export [[nodiscard]] std::string get_json(const world& of, entity e, id word, const reference_book& book);
/// The same; entities in the value are called by the paths of their names, and components by their names.
/// Throws json_error, too, where no name leads to an entity in the value.
export [[nodiscard]] std::string get_json(const world& of, entity e, id word);

} // namespace ecs
