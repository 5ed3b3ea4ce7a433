// SPDX-License-Identifier: MIT
// Entities and values as the JSON of answers.
module;
#include <nlohmann/json.hpp>
export module ecs.remote:writing;
import ecs.std;
import ecs.world;
import ecs.json;
import :exchange;
import :names;

namespace ecs::remote {

using json = nlohmann::ordered_json;

/// Which parts of an entity are written.
struct entity_parts {
    bool id{};
    bool label{};     ///< The name again, where clients of Flecs look for a name to show.
    bool values{};    ///< Without them, a component is null.
    bool types{};     ///< What the values are made of.
    bool inherited{}; ///< What bases have.
    bool builtin{};   ///< The parent among the pairs, and what the library keeps for itself.
    bool has{};       ///< Tags, pairs and components.
};

/// The parts that a request asks for.
[[nodiscard]] entity_parts parts_of(const request& asked);

class entity_writer {
  public:
    entity_writer(const world& in, const name_book& names, const entity_parts& parts)
        : in_(&in), names_(&names), parts_(parts) {}

    [[nodiscard]] json entity_to_json(entity e) const;

    /// The value as JSON; null where nothing is known of the members, or there is no JSON for them.
    [[nodiscard]] json value_to_json(id word, const void* value) const;

    /// The members of a component and their types; 0 where nothing is known.
    [[nodiscard]] json schema_of(entity component) const;

  private:
    void write_parts(json& to, entity e) const;
    void write_word(json& to, entity e, id word) const;
    void write_pair(json& to, id word) const;
    void write_types(json& to, entity e) const;
    void add_type(json& to, id word) const;
    [[nodiscard]] std::vector<entity> bases_of(entity e) const;
    void write_inherited(json& to, entity e) const;
    [[nodiscard]] json type_of_member(const member& m, std::size_t depth) const;
    [[nodiscard]] json members_of(const std::vector<member>& members, std::size_t depth) const;
    [[nodiscard]] bool is_hidden(id word) const;
    [[nodiscard]] bool is_inherited(id word) const;
    [[nodiscard]] bool is_description(id word) const;

    const world* in_;
    const name_book* names_;
    entity_parts parts_;
};

/// Whether the entity belongs to the library and not to the user: built-in entities, and components about
/// components.
[[nodiscard]] bool is_of_library(const world& in, entity e);

/// The text of an answer. What is no UTF-8 is replaced.
[[nodiscard]] std::string text_of(const json& answer);

} // namespace ecs::remote
