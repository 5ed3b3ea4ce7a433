// SPDX-License-Identifier: MIT
// Entities and values in words, for dump and for differences.
export module ecs.world:dumper;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :world;
import :world_access;

namespace ecs {

/// Writes down what it is asked about.
class dumper {
  public:
    /// Without generations, entities that have no name are named by their indices alone, so that worlds of
    /// which one came after the other have the same texts. `tells_apart`: entities of the same name have
    /// texts of their own; components are still called by their names alone, and so are relations where
    /// generations are left out.
    explicit dumper(const world& in, bool generations = true, bool tells_apart = false)
        : world_(in),
          rows_(world_access::engine_of(in).rows()),
          generations_(generations),
          tells_apart_(tells_apart) {}

    [[nodiscard]] std::string text_of(entity e) const;
    [[nodiscard]] std::string name_of(id word) const;
    [[nodiscard]] std::string text_of_type(std::span<const id> type) const;
    /// One value, member by member where its members are known.
    [[nodiscard]] std::string text_of_value(entity component, std::size_t size, const std::byte* value) const;
    /// `in_bytes`: what the member is part of is no more than its bytes.
    [[nodiscard]] std::string text_of_member(const member& m, bool in_bytes, const std::byte* value) const;
    /// The component of whose values the member is one; null when there is none. A member may have named its
    /// type before there was a type of another size, or one whose values are more than bytes.
    [[nodiscard]] entity component_of(const member& m, bool in_bytes) const;
    [[nodiscard]] bool is_bytes(entity component) const;
    [[nodiscard]] const reflection* members_of(entity component) const {
        return component ? world_.reflection_of(component) : nullptr;
    }

  private:
    [[nodiscard]] std::string given_name(entity e) const;
    [[nodiscard]] std::string nameless(entity e) const;
    [[nodiscard]] std::string name_of_entity(entity e) const;
    [[nodiscard]] std::string name_of_index(std::uint32_t index) const;
    [[nodiscard]] std::string name_of_relation(id word) const;
    [[nodiscard]] std::string name_of_target(id word) const;
    [[nodiscard]] std::string name_of_pair(id word) const;
    [[nodiscard]] std::string name_of_flagged(id word) const;
    [[nodiscard]] std::string list_of(entity e) const;
    [[nodiscard]] std::string text_of_part(entity e, id word) const;
    [[nodiscard]] std::string text_of_elements(const member& m, bool in_bytes, const std::byte* value) const;
    [[nodiscard]] std::string text_of_members(const std::vector<member>& members, bool in_bytes,
                                              const std::byte* value) const;

    const world& world_;
    const store& rows_;
    bool generations_;
    bool tells_apart_;
};

} // namespace ecs
