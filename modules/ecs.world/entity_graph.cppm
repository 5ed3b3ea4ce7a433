// SPDX-License-Identifier: MIT
// What the relations, the links and the names of a world make of its entities: a graph.
//
//   along an edge     target_of, parent, up             against it     sources, children, depth_first
//   to an object of the host program: link              by name        lookup
//
// Pairs are added to an entity and removed from it as components are: by the world.
export module ecs.world:entity_graph;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import ecs.structure;
import ecs.query;

namespace ecs {

/// The part of a world that is about how its entities hang together.
class entity_graph : public owner {
  public:
    // Relations.

    /// Every target that the entity has in the relation; inherited targets come last. For a transitive
    /// relation, only the single steps.
    [[nodiscard]] inline std::vector<entity> targets(entity e, id relation) const {
        return engine_.reads().targets_had(e, relation.as_entity());
    }
    template <class R> [[nodiscard]] std::vector<entity> targets(entity e) const {
        return targets(e, engine_.rows().registered<R>());
    }

    /// Every entity that itself has the target in the relation, or, without a relation, in any. A query finds
    /// those, too, that inherit the pair or have it by a rule.
    [[nodiscard]] inline std::vector<entity> sources(entity target, id relation = {}) const {
        return engine_.reads().sources_of(target, relation);
    }
    /// The same for a pair as a word, whose target may also be a number or an object.
    [[nodiscard]] inline std::vector<entity> sources_of_pair(id pair) const {
        return engine_.reads().own_sources(engine_.rows().resolve(pair));
    }
    template <class R> [[nodiscard]] std::vector<entity> sources(entity target) const {
        const entity relation = engine_.rows().registered<R>();
        return relation ? sources(target, relation) : std::vector<entity>();
    }

    /// Every relation in which the entity itself has the target.
    [[nodiscard]] inline std::vector<entity> relations(entity e, entity target) const {
        std::vector<entity> found;
        const row_ref at = engine_.rows().locate(e);
        if (!at || !engine_.rows().entities().alive(target)) return found;
        for (const id member : at.block->owner->type()) {
            const id word = engine_.rows().member_at(at, member);
            const entity to = engine_.reads().target_of_pair(word);
            if (to == engine_.rows().entities().resolve(target)) found.push_back(relation_of(word));
        }
        return found;
    }

    /// The entity's target in the relation, its own or inherited; the first when there are several, null when
    /// there is none.
    [[nodiscard]] inline entity target_of(entity e, id relation) const {
        return engine_.reads().target_had(e, relation.as_entity());
    }
    template <class R> [[nodiscard]] entity target_of(entity e) const {
        return target_of(e, engine_.rows().registered<R>());
    }

    /// The target of a pair; null when it has ended or the word is no pair.
    [[nodiscard]] inline entity target_of(id pair) const { return engine_.reads().target_of_pair(pair); }

    /// The relation of a pair; null when it has ended or the word is no pair.
    [[nodiscard]] inline entity relation_of(id pair) const {
        return pair.has_relation() ? engine_.rows().entities().at(pair.relation_index()) : entity{};
    }

    /// The parent; null for an entity without one.
    [[nodiscard]] inline entity parent(entity e) const { return engine_.rows().parent_of(e); }

    /// The children of an entity; they may end or move away while a loop walks over the range.
    [[nodiscard]] inline source_range children(entity e) const {
        return engine_.rows().range_of(e, child_of.index());
    }

    /// The nearest entity along the chain of the relation, the parents by default, that has the identifier;
    /// null when there is none.
    [[nodiscard]] inline entity up(entity e, id word, id relation = child_of) const {
        return engine_.reads().up(e, engine_.rows().resolve(relation).as_entity(),
                                  engine_.rows().resolve(word));
    }
    /// The value of the nearest entity along the chain that has the component; nullptr when none has. For a
    /// pattern that is the nearest that has a pair for which it stands, whose value may be of another type:
    /// then it is nullptr.
    template <class T> [[nodiscard]] value_of<T>* up(entity e, id relation = child_of) {
        const entity found = up(e, id_of_type<std::remove_const_t<T>>(engine_), relation);
        return found ? find_value<T>(engine_, found) : nullptr;
    }
    template <class T> [[nodiscard]] const value_of<T>* up(entity e, id relation = child_of) const {
        const id word = known_id_of_type<std::remove_const_t<T>>(engine_);
        const entity found = word ? up(e, word, relation) : entity{};
        return found ? find_value<T>(engine_, found) : nullptr;
    }

    /// Everything below the entity, each before its children. Linear in what is below.
    [[nodiscard]] inline std::vector<entity> depth_first(entity root, id relation = child_of) const {
        return engine_.reads().depth_first(root, relation);
    }
    /// Everything below the entity, children before grandchildren. Linear in what is below.
    [[nodiscard]] inline std::vector<entity> breadth_first(entity root, id relation = child_of) const {
        return engine_.reads().breadth_first(root, relation);
    }

    /// What the part of a prefab has become in an instance of it: the copy, or the instance itself for the
    /// prefab; also through variants of the prefab, and variants of those. Null when there is none. Linear in
    /// what is below the instance, and in the number of bases of each entity there.
    [[nodiscard]] inline entity counterpart(entity instance, entity part) const {
        return engine_.reads().counterpart(instance, part);
    }

    /// Puts the sources on a target's list into another order, in which children and sources list them from
    /// now on; a relation that is not `ordered` fills the hole of a source that leaves with the last one.
    /// Throws std::invalid_argument when they are not the sources of that relation to the target, each once
    /// (a relation that keeps no lists has none), and iteration_error during a loop and in an observer.
    /// Linear in the sources.
    inline void reorder(entity target, std::span<const entity> sources, id relation = child_of) {
        engine_.changes().reorder(target, sources, engine_.rows().resolve(relation));
    }

    /// Makes exactly these the sources of the target, in this order where the relation keeps lists. A source
    /// that is left out loses the pair and lives on; a new one gets it. Refused, with nothing changed, when
    /// one of them is not alive, is named twice or would be refused the pair, when one that is left out has
    /// to keep it, and when there are more than a target can have. Returns added when a source has come or
    /// left, and already_there otherwise, also where the order has changed. Throws iteration_error during a
    /// loop. Linear in the sources before and after, and, for an acyclic relation, in what is above the
    /// target.
    inline add_result replace_sources(entity target, std::span<const entity> sources, id relation) {
        return engine_.changes().replace_sources(target, sources, relation);
    }
    template <component_type R> add_result replace_sources(entity target, std::span<const entity> sources) {
        static_assert(require_relation_for_pairs<R>());
        return replace_sources(target, sources, engine_.component_entity<R>());
    }
    /// The same for the children of an entity. Children that are left out have no parent afterwards.
    inline add_result replace_children(entity parent, std::span<const entity> children) {
        return replace_sources(parent, children, child_of);
    }

    // The pairs of a relation with an entity. The same as the functions of the same name that take an
    // identifier, but whole handles are compared: a pair has no room for the world of its target, and only
    // for a part of its generation.

    /// The pair of the relation and the target; null, which queries refuse, when one of them is not alive in
    /// this world. Throws pair_error for a relation whose index is too high for a pair; see can_relate.
    [[nodiscard]] inline id pair_to(entity relation, entity target) const {
        return engine_.rows().entities().pair_to(relation, target);
    }
    template <component_type R> [[nodiscard]] id pair_to(entity target) {
        return pair_to(engine_.component_entity<R>(), target);
    }

    // Objects of the host program: targets that are no entities. Two relations, or two entities, may be
    // linked to one object; an object is the same when its address and its type T are.

    /// Relates the entity to an object, which has to stay where it is for as long as an entity is linked to
    /// it.
    template <class T>
        requires(!std::is_const_v<T>)
    add_result link(entity e, id relation, T& object) {
        return engine_.changes().link_object(e, relation, {std::shared_ptr<void>(), std::addressof(object)},
                                             type_number<T, type_series::keys>());
    }

    /// The same for an object that the world owns: it ends with the last link to it, with the world, or when
    /// the link is refused; snapshots keep it alive. Its destructor must not use the world.
    template <class T> add_result link_owned(entity e, id relation, std::shared_ptr<T> object) {
        return engine_.changes().link_object(e, relation, std::move(object),
                                             type_number<T, type_series::keys>());
    }
    template <class T, class Deleter>
    add_result link_owned(entity e, id relation, std::unique_ptr<T, Deleter> object) {
        return link_owned(e, relation, std::shared_ptr<T>(std::move(object)));
    }

    /// The identifier of the relation to the object, for has, remove and queries; null, which queries refuse,
    /// while no entity is linked to it.
    template <class T> [[nodiscard]] id link_of(id relation, const T& object) const {
        return engine_.reads().link_of(relation, std::addressof(object), type_number<T, type_series::keys>());
    }

    /// The object of a link; nullptr when the word is none, no entity is linked any more, or the object is no
    /// T.
    template <class T> [[nodiscard]] T* object_of(id word) const {
        return static_cast<T*>(engine_.reads().object_behind(word, type_number<T, type_series::keys>()));
    }
    /// The first T that the entity itself is linked to in the relation; nullptr when there is none.
    template <class T> [[nodiscard]] T* object_of(entity e, id relation) const {
        return static_cast<T*>(engine_.reads().object_of(e, relation, type_number<T, type_series::keys>()));
    }

    // Names.

    /// The entity of a path such as "Ship/Turret/Barrel"; null when there is none. A name without an entity
    /// stands for the component of that name.
    [[nodiscard]] inline entity lookup(std::string_view path) const {
        return engine_.reads().find_path(path);
    }
    /// The same, from an entity inwards.
    [[nodiscard]] inline entity lookup(entity scope, std::string_view path) const {
        return engine_.reads().find_path(path, scope);
    }
    /// The names from the outermost parent to the entity, joined by '/'. Behind a parent without a name the
    /// path begins anew, and lookup needs that parent to find the entity by it.
    [[nodiscard]] inline std::string path_of(entity e) const { return engine_.reads().path_of(e); }
    /// Names the entity, in place of the name that it had; remove<ecs::name>(e) takes a name away. Throws
    /// name_error when the text is empty, has a '/', or is the name of another child of the same parent,
    /// access_error when the entity is not alive, and iteration_error inside a loop: then nothing has
    /// changed.
    inline void set_name(entity e, std::string_view text) { engine_.changes().set_name(e, text); }
    /// The name of the entity, good until the world is changed; empty when it has none or is not alive.
    /// Constant time.
    [[nodiscard]] inline std::string_view name_of(entity e) const { return engine_.rows().name_of(e); }

  protected:
    explicit entity_graph(const id_space& space) : engine_(space) {}
    ~entity_graph() = default;

    engine engine_;
};

} // namespace ecs
