// SPDX-License-Identifier: MIT
// Which entity is the component of a C++ type, which entity has a name, and which index a component gets. A
// type is found by its number, so that the answer is one load; eight bits are enough for the types that were
// met first, whose columns are found without their tables.
//
// A type or a name leads to an entity that is alive: the function that ends a component forgets it here.
export module ecs.storage:component_registry;
import ecs.std;
import ecs.id;
import ecs.relation;
import :entities;

export namespace ecs {

/// See the head of this file. Not thread-safe. A copy knows the same.
class component_registry {
  public:
    // Types, by the number that type_number gives them.

    /// The component of the type; null when there is none. Constant time.
    [[nodiscard]] inline entity of_type(std::uint32_t number) const {
        return number < by_type_.size() ? by_type_[number] : entity{};
    }

    /// 0 when the component is no C++ type. Linear in the number of types.
    [[nodiscard]] std::uint32_t number_of(entity component) const;

    /// Makes room for the type, so that enter cannot fail. Throws std::bad_alloc.
    inline void reserve(std::uint32_t number) {
        if (by_type_.size() <= number) by_type_.resize(number + 1);
    }

    /// Makes the component that of the type, for which there is room, and returns it.
    entity enter(std::uint32_t number, entity component) noexcept;

    // Names.

    /// The entity of the name; null when there is none. Constant time.
    [[nodiscard]] entity named(std::string_view text) const;

    /// Empty when the entity has no name. Constant time.
    [[nodiscard]] std::string name_of(entity component) const;

    /// Names the entity, which has no name; returns false when the text is empty or the name of another
    /// entity. Throws std::bad_alloc.
    bool give_name(std::string_view text, entity component);

    /// Takes the name back that the entity was given, if it was.
    void take_name(entity component) noexcept;

    /// Gives these entities, which are sorted, the names that they have in the other registry.
    void copy_names(const component_registry& from, std::span<const entity> of);

    // Ends.

    /// The entity ends: neither a type nor a name leads to it any more. Returns whether a type did. Linear in
    /// the number of components.
    bool forget(entity component) noexcept;

    /// Changes whenever a type gets another component than before, or loses it: a caller that keeps what it
    /// found for the type has to ask again.
    [[nodiscard]] inline std::uint64_t forgotten_types() const { return forgotten_types_; }

    /// Exchanges what the two registries know.
    void exchange(component_registry& other) noexcept;

    // Indices.

    /// Whether neither the type nor the index is promised to another. Linear in the promised indices.
    [[nodiscard]] bool may_have(std::uint32_t number, std::uint32_t index) const;

    /// From now on the component of the type has that index or none, also when it ends and is registered
    /// again, and no other component gets the index; may_have allows it. Throws std::bad_alloc.
    void promise_index(std::uint32_t number, std::uint32_t index);

    /// A pending entity for the component of a type: all worlds of a process give it the same index, as far
    /// as that is free, counting down from the top. Null when a promised index is spent. Throws as
    /// entity_index::create does.
    [[nodiscard]] entity issue_for_type(entity_index& from, std::uint32_t number) const;

    /// The same for a component that is described at run time, which gets an index from the middle.
    [[nodiscard]] entity issue(entity_index& from) const;

  private:
    struct promised_index {
        std::uint32_t number;
        std::uint32_t index;
    };

    [[nodiscard]] entity create_at(entity_index& from, std::uint32_t index) const;

    std::vector<promised_index> promised_; ///< The indices that manifests promise.
    std::vector<entity> by_type_;
    std::unordered_map<std::string, entity> by_name_;
    std::unordered_map<entity, std::string> names_;
    std::uint64_t forgotten_types_{};
};

} // namespace ecs
