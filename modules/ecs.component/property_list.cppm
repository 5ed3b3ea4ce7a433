// SPDX-License-Identifier: MIT
// Properties that a relation's or a component's type declares of itself. They hold from the type's first use
// on, and what contradicts itself does not compile:
//
//   struct likes {
//       static constexpr auto properties = ecs::properties(ecs::symmetric, ecs::with_type<knows>);
//   };
//
// A local type cannot have static members: world.add(world.component<likes>(), ecs::symmetric) says it.
export module ecs.component:property_list;
import ecs.std;
import ecs.relation;
import :component;
import :traits;

export namespace ecs {

/// The type of with_type.
template <class T> struct with_type_t {};
/// The property (with, T) of a type: adding it adds T.
template <class T> inline constexpr with_type_t<T> with_type{};

/// The type of needs_type.
template <class T> struct needs_type_t {};
/// The property (needs, T) of a type: adding it adds T, which cannot be removed as long as it is there.
template <class T> inline constexpr needs_type_t<T> needs_type{};

/// The type of one_of_type.
template <class T> struct one_of_type_t {};
/// The property (one_of, T) of a type: its targets must be children of T's entity.
template <class T> inline constexpr one_of_type_t<T> one_of_type{};

/// The type of excludes_type.
template <class T> struct excludes_type_t {};
/// The property (excludes, T) of a type: no entity has both.
template <class T> inline constexpr excludes_type_t<T> excludes_type{};

/// What a type declares as `static constexpr auto properties`, or a specialisation of component_traits for a
/// type of another library: properties such as exclusive, pair(on_delete_target, delete_it), with_type<T>,
/// needs_type<T>, one_of_type<T>, excludes_type<T>.
template <class... Item> struct properties {
    consteval explicit properties(Item... item) : items(item...) {}

    std::tuple<Item...> items;
};

template <class T> inline constexpr bool is_property_list = false;
template <class... Item> inline constexpr bool is_property_list<const properties<Item...>> = true;

template <class T>
concept has_properties = is_property_list<decltype(T::properties)>;

template <class T> [[nodiscard]] consteval auto declared_properties() {
    if constexpr (has_properties<component_traits<T>>)
        return component_traits<T>::properties;
    else if constexpr (has_properties<T>)
        return T::properties;
    else
        return properties<>();
}

/// What a type declares; an empty list when it declares nothing.
template <class T> inline constexpr auto properties_of = declared_properties<T>();

/// One item of a list: the property, and the policy or other target that it has.
struct declared_property {
    std::uint32_t property{};
    std::uint32_t target{}; ///< Index of a built-in entity; 0 when the target is a type, or there is none.
    bool has_target{};
};

[[nodiscard]] consteval declared_property read_item(builtin property) { return {property.index(), 0, false}; }
[[nodiscard]] consteval declared_property read_item(id word) {
    return {word.relation_index(), word.target_index(), true};
}
template <class T> [[nodiscard]] consteval declared_property read_item(with_type_t<T>) {
    return {with.index(), 0, true};
}
template <class T> [[nodiscard]] consteval declared_property read_item(needs_type_t<T>) {
    return {needs.index(), 0, true};
}
template <class T> [[nodiscard]] consteval declared_property read_item(one_of_type_t<T>) {
    return {one_of.index(), 0, true};
}
template <class T> [[nodiscard]] consteval declared_property read_item(excludes_type_t<T>) {
    return {excludes.index(), 0, true};
}

/// Anything else is no property: require_sound_properties refuses it.
template <class Other> [[nodiscard]] consteval declared_property read_item(const Other&) { return {}; }

/// The items of the list, not of the type: all types that declare nothing share one list.
template <class... Item>
[[nodiscard]] consteval std::array<declared_property, sizeof...(Item)>
read_items(const properties<Item...>& list) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::array<declared_property, sizeof...(Item)>{read_item(std::get<I>(list.items))...};
    }(std::index_sequence_for<Item...>{});
}

template <class T> inline constexpr auto items_of = read_items(properties_of<T>);

/// What a type declares; nothing for most types. The questions below are about the list, not about the type,
/// so that they are compiled once.
using item_list = std::span<const declared_property>;

template <class T> [[nodiscard]] consteval item_list list_of() {
    if constexpr (items_of<T>.size() != 0)
        return items_of<T>;
    else
        return {};
}

[[nodiscard]] constexpr bool has_trait(item_list items, std::uint32_t bits) {
    return std::ranges::any_of(items, [=](const declared_property& p) {
        return is_property(p.property) && (bits_of(trait_of(p.property)) & bits) != 0;
    });
}

template <class T> [[nodiscard]] consteval bool declares(trait asked) {
    return has_trait(list_of<T>(), bits_of(asked));
}

/// Whether the type is a relation only for pairs: by itself it cannot be added.
template <class T> inline constexpr bool is_relation_type = has_trait(list_of<T>(), relation_traits);

/// Whether nobody has the component but its own entity.
template <class T>
inline constexpr bool is_singleton_type = has_trait(list_of<T>(), bits_of(trait::singleton));

[[nodiscard]] constexpr bool is_whole(const declared_property& p) {
    if (!is_property(p.property) || p.has_target != takes_target(trait_of(p.property))) return false;
    const bool is_policy = remove_it.index() <= p.target && p.target <= refuse_it.index();
    return is_policy == takes_policy(trait_of(p.property));
}

[[nodiscard]] constexpr bool are_whole(item_list items) { return std::ranges::all_of(items, is_whole); }

/// Whether the property may be there for several targets.
[[nodiscard]] constexpr bool is_repeatable(const declared_property& p) {
    return p.property == with.index() || p.property == needs.index() || p.property == excludes.index();
}

/// Whether a list has each property once, except those that are repeatable.
[[nodiscard]] constexpr bool are_different(item_list items) {
    for (std::size_t one = 0; one < items.size(); ++one)
        for (std::size_t other = one + 1; other < items.size(); ++other)
            if (items[one].property == items[other].property && !is_repeatable(items[one])) return false;
    return true;
}

/// Whether the type, or a type that comes with it, comes with a type on the path that led there.
template <class T, class... Path> [[nodiscard]] consteval bool comes_with_itself();

/// Whether an item of the list of the last type on the path comes with a type on the path.
template <class Item, class... Path> inline constexpr bool leads_back = false;
template <class T, class... Path>
inline constexpr bool leads_back<with_type_t<T>, Path...> = comes_with_itself<T, Path...>();
template <class T, class... Path>
inline constexpr bool leads_back<needs_type_t<T>, Path...> = comes_with_itself<T, Path...>();

template <class... Path, class... Item>
[[nodiscard]] consteval bool one_leads_back(const properties<Item...>&) {
    return (leads_back<Item, Path...> || ...);
}

template <class T, class... Path> [[nodiscard]] consteval bool comes_with_itself() {
    if constexpr ((std::is_same_v<T, Path> || ...))
        return true;
    else
        return one_leads_back<Path..., T>(properties_of<T>);
}

/// Whether the type, or a type that comes with it, declares that the other comes with it or is needed.
template <class T, class Other> [[nodiscard]] consteval bool comes_with();

template <class Item, class Other> inline constexpr bool brings = false;
template <class T, class Other>
inline constexpr bool brings<with_type_t<T>, Other> = std::is_same_v<T, Other> || comes_with<T, Other>();
template <class T, class Other>
inline constexpr bool brings<needs_type_t<T>, Other> = std::is_same_v<T, Other> || comes_with<T, Other>();

template <class Other, class... Item> [[nodiscard]] consteval bool one_brings(const properties<Item...>&) {
    return (brings<Item, Other> || ...);
}

template <class T, class Other> [[nodiscard]] consteval bool comes_with() {
    if constexpr (list_of<T>().empty() || comes_with_itself<T>())
        return false;
    else
        return one_brings<Other>(properties_of<T>);
}

/// Whether one of the others has to be added first, because the type comes with it: a given value is used,
/// and only what is missing gets a default value.
template <class T, class... Others>
inline constexpr bool comes_after_one_of = (comes_with<T, Others>() || ...);

template <class Other, class... Item>
[[nodiscard]] consteval bool has_exclusion_of(const properties<Item...>&) {
    return (std::is_same_v<Item, excludes_type_t<Other>> || ...);
}

/// Whether the type declares that it excludes the other.
template <class T, class Other>
inline constexpr bool excludes_by_type = has_exclusion_of<Other>(properties_of<T>);

/// Whether the item of the type's list says that the type needs something that it excludes, or by which it is
/// excluded.
template <class T, class Item> inline constexpr bool needs_conflict = false;
template <class T, class Other>
inline constexpr bool needs_conflict<T, needs_type_t<Other>> =
    excludes_by_type<T, Other> || excludes_by_type<Other, T>;

template <class T, class... Item>
[[nodiscard]] consteval bool one_needs_conflict(const properties<Item...>&) {
    return (needs_conflict<T, Item> || ...);
}

template <class T> inline constexpr bool needs_a_conflict = one_needs_conflict<T>(properties_of<T>);

template <class T, class... Others>
inline constexpr bool excludes_one_of = (excludes_by_type<T, Others> || ...);

/// Whether an entity may have all of the types, as far as the types say.
template <class... T> inline constexpr bool are_compatible = (!excludes_one_of<T, T...> && ...);

/// Does not compile when the type's properties contradict themselves.
template <class T> consteval bool require_sound_properties() {
    static_assert(are_whole(list_of<T>()),
                  "a list of properties takes exclusive and the like, pair(on_delete, policy), "
                  "pair(on_delete_target, policy), with_type<T>, needs_type<T>, one_of_type<T> and "
                  "excludes_type<T>; where values are kept is another line: static constexpr auto kept_in = "
                  "ecs::storage::sparse");
    static_assert(are_different(list_of<T>()), "a property is declared twice");
    static_assert(!declares<T>(trait::symmetric) || !declares<T>(trait::acyclic),
                  "symmetric contradicts acyclic: a pair and its mirror image are a cycle of two");
    static_assert(!declares<T>(trait::reflexive) || !declares<T>(trait::acyclic),
                  "reflexive contradicts acyclic: an entity related to itself is a cycle of one");
    static_assert(!declares<T>(trait::inheritable) || !declares<T>(trait::not_inheritable),
                  "inheritable contradicts not_inheritable");
    static_assert(
        !declares<T>(trait::auto_overridden) || !declares<T>(trait::not_inheritable),
        "auto_overridden contradicts not_inheritable: instances get no copy of what they do not get");
    static_assert(
        !declares<T>(trait::single_source) || !declares<T>(trait::symmetric),
        "single_source contradicts symmetric: there every target is a source, and exclusive says it");
    static_assert(!declares<T>(trait::singleton) ||
                      (!is_relation_type<T> && !declares<T>(trait::target_only)),
                  "singleton contradicts what is part of pairs alone: its own entity has it by itself");
    static_assert(!declares<T>(trait::single_source) || !declares<T>(trait::inheritable),
                  "single_source contradicts inheritable: an instance would be a second source");
    static_assert(!declares<T>(trait::single_source) || !declares<T>(trait::auto_overridden),
                  "single_source contradicts auto_overridden: an instance would take its base's place");
    static_assert(!declares<T>(trait::target_only) || !is_relation_type<T>,
                  "target_only contradicts relation_only, and whatever else only a relation can have");
    static_assert(!declares<T>(trait::tag_only) || std::is_empty_v<T>,
                  "tag_only contradicts a value: make the relation an empty type");
    static_assert(!declares<T>(trait::non_fragmenting) || !is_sparse<T>,
                  "non_fragmenting contradicts kept_in: tables keep the targets, and values with them");
    static_assert(!declares<T>(trait::ordered) || declares<T>(trait::non_fragmenting),
                  "ordered needs non_fragmenting: only sources that are kept in lists have an order");
    static_assert(!comes_with_itself<T>(),
                  "a component comes with itself: with_type or needs_type leads back to it");
    static_assert(!excludes_by_type<T, T>, "a component excludes itself: nobody could have it");
    static_assert(!needs_a_conflict<T>, "a component excludes what it needs: nobody could have it");
    return true;
}

/// Whether a type stands for a pattern, which can be asked for, but not added.
template <class T> inline constexpr bool is_pattern_type = false;
template <class R, class T>
inline constexpr bool is_pattern_type<pair_of<R, T>> =
    std::is_same_v<R, wildcard> || std::is_same_v<T, wildcard>;

/// Whether the pairs of the type have no value because the relation says so.
template <class T> inline constexpr bool is_tag_only_type = false;
template <class R, class T>
inline constexpr bool is_tag_only_type<pair_of<R, T>> = declares<R>(trait::tag_only);

/// Does not compile for a type that can be no relation.
template <class R> consteval bool require_relation() {
    static_assert(!declares<R>(trait::target_only),
                  "the relation is target_only: it can only be the target of a pair");
    return true;
}

/// The same for a relation that gets pairs, whose values go into tables with them.
template <class R> consteval bool require_relation_for_pairs() {
    static_assert(require_relation<R>());
    static_assert(can_be_in_tables<R>, "tables keep the values of pairs, and this type's move may throw");
    return true;
}

/// Whether tables keep the value of the pair, or it has none: the relation says so, or is an empty one that
/// keeps its targets in a column.
template <pair_type P>
inline constexpr bool is_kept_in_tables =
    is_tag_only_type<P> || can_be_in_tables<value_of<P>> ||
    (std::is_empty_v<typename P::relation> && declares<typename P::relation>(trait::non_fragmenting));

/// Does not compile for a type that cannot be added to an entity.
template <class T> consteval bool require_addable() {
    static_assert(!std::same_as<T, entity> && !std::same_as<T, id> && !std::same_as<T, builtin>,
                  "an entity is no value of a component: add it, or put it into a type of your own");
    static_assert(
        !std::same_as<T, const char*> && !std::same_as<T, char*>,
        "text that lies elsewhere is no component: a name is given by set_name(e, text), and text of "
        "your own in a std::string or a type of your own");
    static_assert(!std::same_as<T, component_info>,
                  "what a component is, the world says when it gets to know it: describe it by "
                  "component<T>(), or by component(component_description)");
    static_assert(!requires { T::is_given_as_text; }, "a name is given as text: spawn(\"bob\"), or set_name");
    static_assert(!is_pattern_type<T>,
                  "a wildcard can be asked for, not added: name the relation and the target");
    if constexpr (pair_type<T>) {
        static_assert(require_relation<typename T::relation>());
        static_assert(!declares<typename T::target>(trait::relation_only),
                      "the target is relation_only: it can only be the relation of a pair");
        static_assert(is_kept_in_tables<T>,
                      "tables keep the values of pairs, and this type's move may throw");
    } else {
        if constexpr (!component_type<T>) static_assert(require_component<T>());
        static_assert(!is_relation_type<T>, "a relation needs a target: add pair_of<Relation, Target>, or "
                                            "pair(world.component<Relation>(), target)");
        static_assert(!declares<T>(trait::target_only),
                      "the type is target_only: add pair_of<Relation, Target> with it as the target");
    }
    return true;
}

/// Does not compile when pairs of the type have no values.
template <pair_type P> consteval bool require_pair_value() {
    static_assert(require_addable<P>());
    static_assert(!is_tag_only_type<P>, "the relation is tag_only: its pairs have no value to set");
    static_assert(can_be_in_tables<value_of<P>>,
                  "tables keep the values of pairs, and this type's move may throw");
    return true;
}

/// The same for a relation whose targets are chosen at run time.
template <component_type R> consteval bool require_related_value() {
    static_assert(require_relation<R>());
    static_assert(!std::is_empty_v<R>, "the relation is an empty type, which has no values: use add");
    static_assert(!declares<R>(trait::tag_only), "the relation is tag_only: its pairs have no value to set");
    static_assert(can_be_in_tables<R>, "tables keep the values of pairs, and this type's move may throw");
    return true;
}

/// Does not compile for a type of which no value is made in place.
template <class T> consteval bool require_emplaceable() {
    static_assert(!pair_type<T>,
                  "emplace is for components: a pair gets its value by set<pair_of<R, T>>(e, value)");
    static_assert(require_addable<T>());
    static_assert(!std::is_empty_v<value_of<T>>, "a tag has no value: use add");
    return true;
}

/// Does not compile for pairs, whose values are found by get alone.
template <class... T> consteval bool require_no_pairs() {
    static_assert((!pair_type<T> && ...),
                  "a getter is of components: get<pair_of<R, T>>(e) finds the value of a pair");
    return true;
}

/// Does not compile for a type that no entity but its own can have, either.
template <class T> consteval bool require_spawnable() {
    static_assert(!declares<T>(trait::singleton),
                  "the component is a singleton, and no new entity has it: use set_singleton");
    return require_addable<T>();
}

} // namespace ecs
