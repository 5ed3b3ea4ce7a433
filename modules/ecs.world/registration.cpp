// SPDX-License-Identifier: MIT
// How a type, or a description, becomes a component, and the components that every world has.
module ecs.world;
import ecs.std;
import :engine;
import :structure;

namespace ecs {

namespace {

constexpr struct {
    builtin entity;
    std::string_view name;
} builtin_names[]{{child_of, "child_of"},
                  {is_a, "is_a"},
                  {prefab_tag, "prefab_tag"},
                  {disabled, "disabled"},
                  {exclusive, "exclusive"},
                  {transitive, "transitive"},
                  {symmetric, "symmetric"},
                  {reflexive, "reflexive"},
                  {acyclic, "acyclic"},
                  {inheritable, "inheritable"},
                  {tag_only, "tag_only"},
                  {ordered, "ordered"},
                  {non_fragmenting, "non_fragmenting"},
                  {final, "final"},
                  {togglable, "togglable"},
                  {not_inheritable, "not_inheritable"},
                  {auto_overridden, "auto_overridden"},
                  {permanent, "permanent"},
                  {relation_only, "relation_only"},
                  {target_only, "target_only"},
                  {single_source, "single_source"},
                  {singleton, "singleton"},
                  {one_of, "one_of"},
                  {with, "with"},
                  {needs, "needs"},
                  {excludes, "excludes"},
                  {on_end, "on_end"},
                  {on_target_end, "on_target_end"},
                  {remove_it, "remove_it"},
                  {delete_it, "delete_it"},
                  {refuse_it, "refuse_it"},
                  {base, "base"}};

constexpr auto no_values = [](row_ref) noexcept {};

} // namespace

engine::engine(const id_space& space) : structure(space) { bootstrap(); }

engine::engine(replica_tag tag, std::uint8_t world) : structure(tag, world) {}

void structure::bootstrap() {
    register_own<component_info>(1);
    register_own<name>(2);
    for (const auto& [known, text] : builtin_names) {
        const entity e = entities().create_at(known.index());
        materialize(e, root(), no_values);
        component_types().give_name(text, e);
        if (is_property(known.index())) all_rules().begin_with(known.index(), bits_of(rule::property));
    }
    all_rules().begin_with(index_of(registered<name>()), bits_of(rule::name, rule::mark));
    all_rules().begin_with(index_of(registered<component_info>()), bits_of(rule::mark));
    for (const builtin mark : {disabled, base}) all_rules().begin_with(mark.index(), bits_of(rule::mark));
    all_rules().begin_with(prefab_tag.index(), bits_of(rule::mark, rule::prefab));
    all_rules().begin_with(is_a.index(), bits_of(rule::inheritance));
    declare_builtin_relations();
}

void structure::declare_builtin_relations() {
    for (const builtin_law& law : builtin_laws) add(localize(law.relation).as_entity(), law.property);
    add(localize(child_of).as_entity(), pair(on_target_end, delete_it));
}

void structure::describe(entity component, reflection members) {
    set(component, component_entity<reflection>(), &members);
}

void structure::refuse_index(std::string_view type_name, std::uint32_t index) {
    throw std::invalid_argument(
        "component " + std::string(type_name) + " cannot have index " + std::to_string(index) +
        ": it has another one, another component has this one, or it is spent. Give the manifest to the "
        "world's constructor");
}

entity structure::register_type(std::uint32_t number, std::string_view type_name,
                                const component_info& info) {
    require_still_to_register(type_name);
    component_types().reserve(number);
    const entity fresh = component_types().issue_for_type(entities(), number);
    if (!fresh)
        throw std::length_error(
            "component " + std::string(type_name) +
            " cannot be registered again: the index that its manifest gives it is spent, as that "
            "of a relation is when it ends");
    return component_types().enter(number, make_component(fresh, type_name, info));
}

structure::registration::registration(structure& in) : in_(&in) { in.open(change_); }

entity structure::registration::begin(std::uint32_t number, std::string_view type_name,
                                      const component_info& info) {
    return fresh_ = in_->register_type(number, type_name, info);
}

void structure::registration::complete() {
    fresh_ = {};
    if (change_) change_->close();
}

/// Without the memory to end it, the component stays and is no longer that of the type.
structure::registration::~registration() {
    if (!fresh_) return;
    try {
        in_->despawn(fresh_);
    } catch (...) {
        if (in_->component_types().forget(fresh_)) in_->note_removal();
    }
}

entity structure::register_component(std::string_view text, const component_info& info) {
    const entity known = component_types().named(text);
    if (!known) {
        require_still_to_register(text);
        return as_one([&] { return make_component(component_types().issue(entities()), text, info); });
    }
    if (!is_component(known))
        throw name_error("\"" + std::string(text) + "\" is the name of an entity that is no component");
    const component_info& facts = records().find(known)->info;
    if (facts.size != info.size || facts.alignment != info.alignment || facts.kept_in != info.kept_in)
        throw std::invalid_argument("component \"" + std::string(text) + "\" exists with another size (" +
                                    std::to_string(facts.size) + ", not " + std::to_string(info.size) +
                                    "), alignment or storage");
    return known;
}

/// Makes the entity in limbo a component, or ends it.
entity structure::make_component(entity e, std::string_view text, const component_info& info) {
    const entity known = registered<component_info>();
    const entity facts = known ? known : e;
    bool named = false;
    try {
        named = component_types().give_name(text, e);
        note_new_record(make_record(e, info));
        const id type[]{facts};
        table& home = table_of(type);
        const auto settle = [this, &home, e, facts, info] {
            materialize(e, home, [&](row_ref at) { ::new (value_at(at, facts)) component_info(info); });
        };
        defers() ? defer(settle) : settle();
    } catch (...) {
        if (named) component_types().take_name(text);
        if (id_record* const record = records().find(e)) {
            forget_stamps(*record);
            forget_record(*record);
        }
        entities().destroy(e);
        throw;
    }
    return e;
}

void structure::require_still_to_register(std::string_view component) const {
    if (!is_still() && !defers())
        throw iteration_error("component " + std::string(component) +
                              " cannot be registered while a loop walks over the world: "
                              "call component() for it before the loop");
}

} // namespace ecs
