// SPDX-License-Identifier: MIT
// What a relation or a component demands beyond being there. The properties are components of the relation's
// entity; this is the digest of them, one word of bits for each entity that has any.
export module ecs.component:traits;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;

export namespace ecs {

/// One bit for each property, in the order of the built-in entities, then bits for what the store itself
/// attends to.
enum class trait : std::uint32_t {
    exclusive = 1U << 0,
    transitive = 1U << 1,
    symmetric = 1U << 2,
    reflexive = 1U << 3,
    acyclic = 1U << 4,
    inheritable = 1U << 5,
    tag_only = 1U << 6,
    ordered = 1U << 7,
    non_fragmenting = 1U << 8,
    final = 1U << 9,
    togglable = 1U << 10,
    not_inheritable = 1U << 11,
    auto_overridden = 1U << 12,
    permanent = 1U << 13,
    relation_only = 1U << 14,
    target_only = 1U << 15,
    single_source = 1U << 16,
    singleton = 1U << 17,
    one_of = 1U << 18,
    with = 1U << 19,
    needs = 1U << 20,
    excludes = 1U << 21,
    on_delete = 1U << 22,
    on_delete_target = 1U << 23,
    property = 1U << 24,    ///< It is itself a property: adding it changes traits.
    inheritance = 1U << 25, ///< It is is_a.
    name = 1U << 26,        ///< It is the component that names are kept in.
    mark = 1U << 27,        ///< Instances do not inherit it: it says what the entity itself is.
    needed = 1U << 28,      ///< Something needs it.
    prefab = 1U << 29,      ///< It is the mark of prefabs, which their parts get, too.
};

[[nodiscard]] constexpr std::uint32_t bits_of(auto... traits) {
    return (0U | ... | static_cast<std::uint32_t>(traits));
}

/// The trait of a property; the built-in entities and the bits have the same order.
[[nodiscard]] constexpr trait trait_of(std::uint32_t property_index) {
    return static_cast<trait>(1U << (property_index - exclusive.index()));
}
/// The same for a property as it is added: an entity, or a pair.
[[nodiscard]] constexpr trait trait_of_property(id property) {
    return trait_of(property.is_pair() ? property.relation_index() : property.target_index());
}
static_assert(trait_of(non_fragmenting.index()) == trait::non_fragmenting);
static_assert(trait_of(on_delete_target.index()) == trait::on_delete_target);

[[nodiscard]] constexpr bool is_property(std::uint32_t index) {
    return exclusive.index() <= index && index <= on_delete_target.index();
}

/// Properties that say something about a target, and so are added in a pair.
[[nodiscard]] constexpr bool takes_target(trait property) {
    return bits_of(property) >= bits_of(trait::one_of);
}
[[nodiscard]] constexpr bool takes_policy(trait property) {
    return property == trait::on_delete || property == trait::on_delete_target;
}

/// What happens to entities that refer to an entity when it ends.
enum class end_policy : std::uint8_t { remove, destroy, refuse };

/// A property that a built-in relation always has.
struct builtin_trait {
    builtin relation;
    builtin property;
};

/// The library relies on these traits: its walks along these relations end because there is no ring. A
/// component as target says which component is meant, and no entity gets a value of it: that is why they are
/// tag_only.
inline constexpr builtin_trait builtin_traits[]{{with, acyclic},
                                                {needs, acyclic},
                                                {excludes, symmetric},
                                                {one_of, exclusive},
                                                {on_delete, exclusive},
                                                {on_delete_target, exclusive},
                                                {child_of, exclusive},
                                                {child_of, acyclic},
                                                {child_of, non_fragmenting},
                                                {is_a, transitive},
                                                {is_a, reflexive},
                                                {is_a, acyclic},
                                                {is_a, tag_only},
                                                {one_of, tag_only},
                                                {with, tag_only},
                                                {needs, tag_only},
                                                {excludes, tag_only},
                                                {on_delete, tag_only},
                                                {on_delete_target, tag_only}};

/// Traits that only a relation can have: an entity with one of them is no tag.
inline constexpr std::uint32_t relation_traits =
    bits_of(trait::exclusive, trait::transitive, trait::symmetric, trait::reflexive, trait::acyclic,
            trait::non_fragmenting, trait::relation_only, trait::single_source, trait::one_of,
            trait::on_delete_target, trait::inheritance);

/// Traits by which an entity is part of pairs alone, as their relation or as their target.
inline constexpr std::uint32_t traits_of_parts = relation_traits | bits_of(trait::target_only);

/// Traits that only an entity can follow: a number or an object as target is refused.
inline constexpr std::uint32_t traits_for_entities =
    bits_of(trait::non_fragmenting, trait::symmetric, trait::one_of, trait::inheritance, trait::property);

/// Traits that depend on more than the table and the identifier, so that they are asked every time.
inline constexpr std::uint32_t momentary_traits =
    bits_of(trait::transitive, trait::symmetric, trait::acyclic, trait::non_fragmenting, trait::one_of,
            trait::excludes, trait::property, trait::inheritance, trait::name, trait::permanent,
            trait::needed, trait::single_source, trait::singleton, trait::prefab);

/// Traits that say what instances get, and nothing about the entity that has them.
inline constexpr std::uint32_t traits_of_instances =
    bits_of(trait::inheritable, trait::not_inheritable, trait::auto_overridden);

/// Traits by which an entity may have to keep what it has.
inline constexpr std::uint32_t traits_of_keeping = bits_of(trait::permanent, trait::needed);

/// The digest of one relation's or component's properties.
struct traits {
    std::uint32_t bits{};
    end_policy on_delete{};
    end_policy on_delete_target{};
    entity group{}; ///< The target of one_of.
    std::vector<entity> with;
    std::vector<entity> needs;
    std::vector<entity> dependents; ///< The entities that need this one.
    std::vector<entity> conflicts;  ///< The targets of excludes.

    template <class... Traits> [[nodiscard]] constexpr bool any_of(Traits... asked) const {
        return (bits & bits_of(asked...)) != 0;
    }
};

/// The traits of every entity that has any, by index.
class trait_index {
  public:
    [[nodiscard]] inline const traits& of(std::uint32_t index) const {
        if (index == 0) return none_; // Any relation, or none.
        const std::unique_ptr<traits>* const found = by_index_.find(index);
        return found ? **found : none_;
    }

    /// Notes what is true of an entity from the start, whatever its properties. Throws std::bad_alloc.
    inline void begin_with(std::uint32_t index, std::uint32_t bits) { change(index).bits = bits; }

    /// Makes room, so that the next enter of a trait of that entity cannot fail. Throws std::bad_alloc.
    inline void reserve_one(std::uint32_t index) {
        traits& own = change(index);
        for (std::vector<entity>* const list : {&own.with, &own.needs, &own.dependents, &own.conflicts})
            ecs::reserve_one(*list);
    }

    /// Notes that the entity has the property, with the target if it takes one. Throws std::bad_alloc.
    void enter(std::uint32_t index, trait property, entity target);

    /// Notes that the entity does not have the property any more, or not with that target.
    void strike(std::uint32_t index, trait property, entity target) noexcept;

    /// Forgets an entity that ends.
    void forget(std::uint32_t index) noexcept;

    /// How many policies refuse an end: without one, there is nothing to look for.
    [[nodiscard]] inline std::size_t refusal_count() const { return refusals_; }

    /// How many components and relations instances get copies of: without one, there is nothing to look for.
    [[nodiscard]] inline std::size_t copy_count() const { return copies_; }
    /// How many entities have one place in pairs only: without one, there is nothing to check.
    [[nodiscard]] inline std::size_t restriction_count() const { return restrictions_; }
    /// How many components and relations have a law that asks what is inherited: without one, there is
    /// nothing to check.
    [[nodiscard]] inline std::size_t instance_trait_count() const { return instance_traits_; }

    /// Calls visit(index, traits) for every entity that has any.
    void for_each(auto&& visit) const {
        by_index_.for_each([&](std::uint64_t index, const std::unique_ptr<traits>& own) {
            visit(static_cast<std::uint32_t>(index), *own);
        });
    }

    [[nodiscard]] inline trait_index copy() const {
        trait_index made;
        by_index_.for_each([&](std::uint64_t index, const std::unique_ptr<traits>& own) {
            made.by_index_[index] = std::make_unique<traits>(*own);
        });
        made.refusals_ = refusals_;
        made.copies_ = copies_;
        made.restrictions_ = restrictions_;
        made.instance_traits_ = instance_traits_;
        return made;
    }

  private:
    [[nodiscard]] traits& change(std::uint32_t index);
    /// The traits are counted no more, or counted again.
    void discount(const traits& own) noexcept;
    void count(const traits& own) noexcept;

    flat_map<std::unique_ptr<traits>> by_index_;
    traits none_;
    std::size_t refusals_{};
    std::size_t copies_{};
    std::size_t restrictions_{};
    std::size_t instance_traits_{};
};

} // namespace ecs
