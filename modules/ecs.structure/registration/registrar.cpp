// SPDX-License-Identifier: MIT
// How a type, or a description, becomes a component, and the components that every world has.
module ecs.structure;
import ecs.std;

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
                  {on_delete, "on_delete"},
                  {on_delete_target, "on_delete_target"},
                  {remove_it, "remove_it"},
                  {delete_it, "delete_it"},
                  {refuse_it, "refuse_it"},
                  {base, "base"}};

} // namespace

void registrar::bootstrap() {
    register_own<component_info>(1);
    register_own<name>(2);
    for (const auto& [known, text] : builtin_names) {
        const entity e = rows_.entities().create_at(known.index());
        spawns_.materialize(e, rows_.root(), [](row_ref) noexcept {});
        rows_.component_types().give_name(text, e);
        if (is_property(known.index()))
            rows_.all_traits().begin_with(known.index(), bits_of(trait::property));
    }
    rows_.all_traits().begin_with(index_of(rows_.registered<name>()), bits_of(trait::name, trait::mark));
    rows_.all_traits().begin_with(index_of(rows_.registered<component_info>()), bits_of(trait::mark));
    rows_.all_traits().begin_with(disabled.index(), bits_of(trait::mark));
    rows_.all_traits().begin_with(base.index(), bits_of(trait::mark, trait::permanent));
    rows_.all_traits().begin_with(prefab_tag.index(), bits_of(trait::mark, trait::prefab));
    rows_.all_traits().begin_with(is_a.index(), bits_of(trait::inheritance));
    declare_builtin_relations();
}

void registrar::declare_builtin_relations() {
    for (const builtin_trait& law : builtin_traits)
        gate_.add(rows_.resolve(law.relation).as_entity(), law.property);
    gate_.add(rows_.resolve(child_of).as_entity(), pair(on_delete_target, delete_it));
}

void registrar::describe(entity component, reflection members) {
    gate_.set(component, component_entity<reflection>(), &members);
}

/// Asks for everything first: a manifest that is refused has changed nothing.
void registrar::promise_indices(const listed_type* all, std::size_t count) {
    const std::span<const listed_type> listed(all, count);
    component_registry& types = rows_.component_types();
    for (const listed_type& type : listed) {
        require_index(type);
        if (!types.of_type(type.number)) require_unlocked_to_register(type.name);
    }
    for (const listed_type& type : listed) types.promise_index(type.number, type.index);
}

void registrar::require_index(const listed_type& type) const {
    const entity known = rows_.component_types().of_type(type.number);
    const bool is_free = !rows_.entities().at(type.index) && !rows_.entities().is_spent(type.index);
    if ((known ? index_of(known) == type.index : is_free) &&
        rows_.component_types().may_have(type.number, type.index))
        return;
    throw std::invalid_argument(
        "component " + std::string(type.name) + " cannot have index " + std::to_string(type.index) +
        ": it has another one, another component has this one, or it is spent. Give the manifest to the "
        "world's constructor");
}

entity registrar::register_type(std::uint32_t number, std::string_view type_name,
                                const component_info& info) {
    require_unlocked_to_register(type_name);
    rows_.component_types().reserve(number);
    const entity fresh = rows_.component_types().issue_for_type(rows_.entities(), number);
    if (!fresh)
        throw std::length_error(
            "component " + std::string(type_name) +
            " cannot be registered again: the index that its manifest gives it is spent, as that "
            "of a relation is when it ends");
    const entity made = rows_.enter_type(number, make_component(fresh, type_name, info));
    events_.note_types();
    return made;
}

registration::registration(registrar& in) : in_(&in) { in.events().open(change_); }

entity registration::begin(std::uint32_t number, std::string_view type_name, const component_info& info) {
    return fresh_ = in_->register_type(number, type_name, info);
}

void registration::complete() {
    fresh_ = {};
    if (change_) change_->close();
}

/// When there is no memory to end the component, it stays, but is no longer the component of the type.
registration::~registration() {
    if (!fresh_) return;
    try {
        in_->changes().despawn(fresh_);
    } catch (...) {
        in_->rows().forget_type(fresh_);
    }
}

entity registrar::register_component(std::string_view text, const component_info& info) {
    const entity known = rows_.component_types().named(text);
    if (!known) {
        require_unlocked_to_register(text);
        return events_.as_one(
            [&] { return make_component(rows_.component_types().issue(rows_.entities()), text, info); });
    }
    if (!rows_.is_component(known))
        throw name_error("\"" + std::string(text) + "\" is the name of an entity that is no component");
    const component_info& facts = rows_.records().find(known)->info;
    const auto require_same = [&](std::string_view what, std::size_t is, std::size_t described) {
        if (is != described)
            throw std::invalid_argument("component \"" + std::string(text) + "\" exists with another " +
                                        std::string(what) + ": " + std::to_string(is) + ", not " +
                                        std::to_string(described));
    };
    require_same("size", facts.size, info.size);
    require_same("alignment", facts.alignment, info.alignment);
    if (facts.kept_in != info.kept_in)
        throw std::invalid_argument("component \"" + std::string(text) + "\" exists with another storage");
    return known;
}

/// Gives the component that name, or, when another has it, the name from the global namespace on, as in
/// "::needs". It has none when that is taken, too.
void registrar::name_component(std::string_view text, entity component) {
    if (!rows_.component_types().give_name(text, component))
        rows_.component_types().give_name("::" + std::string(text), component);
}

/// Makes the pending entity a component, or ends it.
entity registrar::make_component(entity e, std::string_view text, const component_info& info) {
    const entity known = rows_.registered<component_info>();
    const entity facts = known ? known : e;
    try {
        name_component(text, e);
        events_.note_new_record(rows_.make_record(e, info));
        const id type[]{facts};
        table& home = core_.table_of(type);
        const auto settle = [this, &home, e, facts, info] {
            spawns_.materialize(e, home,
                                [&](row_ref at) { ::new (store::value_at(at, facts)) component_info(info); });
        };
        gate_.defers() ? gate_.defer([this, e, settle] { settle_or_unmake(e, settle); }) : settle();
    } catch (...) {
        unmake_component(e);
        throw;
    }
    return e;
}

/// What has waited for its turn has nobody who undoes it: the type is forgotten as well.
void registrar::settle_or_unmake(entity e, const auto& settle) {
    try {
        settle();
    } catch (...) {
        rows_.forget_type(e);
        unmake_component(e);
        throw;
    }
}

/// Ends what is no component yet, with the row that it may have: an observer of what it is may have thrown.
void registrar::unmake_component(entity e) noexcept {
    rows_.component_types().take_name(e);
    if (component_record* const record = rows_.records().find(e)) {
        events_.forget_ticks(*record);
        rows_.forget_record(*record);
    }
    if (const row_ref at = rows_.locate(e)) rows_.end_row(at);
    rows_.entities().destroy(e);
}

void registrar::require_unlocked_to_register(std::string_view component) const {
    if (!gate_.is_open() && !gate_.defers())
        throw iteration_error("component " + std::string(component) +
                              " cannot be registered while a loop walks over the world, or a system runs "
                              "that does not take world&: call component() for it before");
}

void registrar::require_declared(entity relation, id property, std::string_view type_name) {
    if (const add_result refusal = gate_.add(relation, property); !succeeded(refusal))
        throw std::invalid_argument("a property that " + std::string(type_name) +
                                    " declares is refused: " + std::string(ecs::to_string(refusal)));
}

} // namespace ecs
