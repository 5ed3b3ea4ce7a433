// SPDX-License-Identifier: MIT
// How entities are called in requests and answers:
//
//   Fleet.Ship        a path of names; '\' before a character that is no separator
//   Fleet/Ship        the same in an address
//   #512v3            by index and generation, as the library writes it
//   #12884902400      the same as one number, 3 * 2^32 + 512, which is exact in JavaScript
//   #512              whoever has the index
//   flecs.core.IsA    is_a; see aliases
export module ecs.remote:names;
import ecs.std;
import ecs.world;
import ecs.json;

namespace ecs::remote {

/// See the head of this file.
class name_book final : public reference_book {
  public:
    /// With own names, built-in entities are called as the library calls them, and otherwise as Flecs does.
    name_book(const world& in, bool own_names) : in_(&in), own_names_(own_names) {}

    /// The name alone; a number where there is no name.
    [[nodiscard]] std::string name_of(entity e) const;
    /// The path from the outermost parent on; it begins with a number when an entity on the way has no name.
    /// It leads to the entity: where names would lead to another one, it is the number alone.
    [[nodiscard]] std::string path_of(entity e) const;
    /// A component, or a pair as "(likes,Bob)".
    [[nodiscard]] std::string text_of_word(id word) const;
    /// "#512" where the relation, or the target, has ended.
    [[nodiscard]] std::string text_of_relation(id pair) const;
    [[nodiscard]] std::string text_of_target(id pair) const;
    [[nodiscard]] static std::uint64_t number_of(entity e) { return (e.generation() << 32U) | e.index(); }

    /// The entity of the path; null when there is none. Names are separated by the separator, '.' or '/'.
    [[nodiscard]] entity find(std::string_view path, char separator) const;
    /// The same by whole names alone: not by one that is short for that of a component, or of Flecs for one
    /// of the library. What is changed is found so: another entity may be meant by a short name when it
    /// comes.
    [[nodiscard]] entity find_exactly(std::string_view path, char separator) const;
    /// The component or pair of a text. Throws refused_request when there is none.
    [[nodiscard]] id word(std::string_view text) const;
    /// The entity of the path. Throws refused_request with 404 when there is none.
    [[nodiscard]] entity require(std::string_view path, char separator) const;
    /// The entity of the path in an address, as find_exactly finds it. Throws as require does.
    [[nodiscard]] entity require_exactly(std::string_view path) const;

    // Entities in values, as ecs.json asks for them.
    [[nodiscard]] std::string text_of(entity e) const override { return path_of(e); }
    [[nodiscard]] entity meant_by(const std::string& text, const std::string& path) const override;

  private:
    [[nodiscard]] std::string built_in_name(entity e) const;
    [[nodiscard]] std::string path_of_names(entity e) const;
    [[nodiscard]] entity ending_with(const std::string& name) const;
    [[nodiscard]] entity with_number(std::string_view text) const;
    [[nodiscard]] std::size_t comma_of_pair(std::string_view text) const;
    [[nodiscard]] entity below(entity scope, std::span<const std::string> names) const;

    const world* in_;
    bool own_names_;
    /// To find a name takes time linear in the components.
    mutable std::vector<std::pair<entity, std::string>> known_names_;
};

/// Whether it is one of the entities, other than components, that every world has under the same index.
[[nodiscard]] bool is_built_in(entity e);

/// A name as a part of a path: with '\' before the separator.
[[nodiscard]] std::string escaped(std::string_view name, char separator);

/// The text without spaces, tabs and line ends around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// The parts of a path, without the '\' that let a separator stand in a name.
[[nodiscard]] std::vector<std::string> split_path(std::string_view path, char separator);

} // namespace ecs::remote
