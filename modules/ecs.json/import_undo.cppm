// SPDX-License-Identifier: MIT
// What an import that fails gives back to entities and components that were there before it:
//
//   pairs        that they lost to new entities, because the relation allows one source or one partner
//   singletons   whose values the text has replaced
//
// The entities that the import has made end first, so that what they took is free again.
export module ecs.json:import_undo;
import ecs.std;
import ecs.world;
import :detached_value;

namespace ecs {

/// See the head of this file.
class import_undo {
  public:
    explicit import_undo(world& in) : in_(&in) {}

    /// Notes which pairs go when the entity gets the pair, and what comes with it.
    void note_pair(entity to, id word);

    /// Notes what is to be changed of the component's own entity.
    void note_singleton(entity component);

    /// Gives back what was noted, the last first, and takes away what came with it. Entities that have ended
    /// meanwhile get nothing. What observers throw who are told of it is not passed on.
    void give_back() const;

  private:
    struct known_value {
        entity owner;
        id word;
        bool is_enabled;
        std::unique_ptr<detached_value> value; ///< Null where there is none, or none that can be copied.
    };
    struct known_owner {
        entity owner;
        std::vector<id> words; ///< What it had before the import changed it.
    };

    void note_partners(entity relation, entity e);
    void keep(entity owner, id word);
    const std::vector<id>& words_before(entity owner);
    [[nodiscard]] std::unique_ptr<detached_value> copy_of(entity owner, id word) const;
    void give_back(const known_value& known) const;
    void take_what_came(const known_owner& known) const;

    world* in_;
    std::vector<known_value> values_;
    std::vector<known_owner> owners_;
    std::unordered_map<entity, std::size_t> places_; ///< Where an owner is in that list.
};

} // namespace ecs
