// SPDX-License-Identifier: MIT
// Entities, components and names of a store. Structural changes are in structure.cpp.
module ecs.world;
import ecs.std;
import :store;
import :worlds;

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

store::store(const id_space& space) : entity_rows(index_of_world(acquire_world().release())) {
    entities_->begin(space);
    std::ignore = table_of({}); // The root: entities without components.
    bootstrap();
}

store::~store() {
    tables_.clear(); // Values end before the identifiers do.
}

void store::bootstrap() {
    register_own<component_info>(1);
    register_own<name>(2);
    for (const auto& [known, text] : builtin_names) {
        const entity e = entities_->create_at(known.index());
        materialize(e, root(), no_values);
        components_.give_name(text, e);
        if (is_property(known.index())) rules_.begin_with(known.index(), bits_of(rule::property));
    }
    rules_.begin_with(index_of(registered<name>()), bits_of(rule::name, rule::mark));
    rules_.begin_with(index_of(registered<component_info>()), bits_of(rule::mark));
    for (const builtin mark : {disabled, base}) rules_.begin_with(mark.index(), bits_of(rule::mark));
    rules_.begin_with(prefab_tag.index(), bits_of(rule::mark, rule::prefab));
    rules_.begin_with(is_a.index(), bits_of(rule::inheritance));
    declare_builtin_relations();
}

void store::declare_builtin_relations() {
    for (const builtin_law& law : builtin_laws) add(localize(law.relation).as_entity(), law.property);
    add(localize(child_of).as_entity(), pair(on_target_end, delete_it));
}

entity store::spawn() {
    if (!is_still()) [[unlikely]]
        return spawn_later([](store& in, entity e) { in.materialize(e, in.root(), no_values); });
    return spawn_in(root(), no_values);
}

entity store::spawn_with_care(table& in, row_constructor construct) {
    if (!in.watched) [[likely]]
        return spawn_row(in, [](entity) noexcept {}, construct);
    return as_one([&] {
        const entity e = spawn_row(in, [&](entity fresh) { watched_.reserve(fresh); }, construct);
        announce_spawn(in, e);
        return e;
    });
}

entity store::spawn_later(std::unique_ptr<waiting_row> row) {
    if (!deferring_) refuse_to_change();
    const entity e = row->owner = entities_->create();
    try {
        observers_->changes.wait_for_turn(std::move(row));
    } catch (...) {
        entities_->destroy(e);
        throw;
    }
    return e;
}

void store::materialize(entity e, table& in, row_constructor construct) {
    if (in.watched) [[unlikely]]
        watched_.reserve(e);
    settle_in(in, e, construct);
    if (in.watched) [[unlikely]]
        announce_spawns(in, e);
}

void store::end_in_limbo(entity e) noexcept {
    if (!locate(e) && entities_->alive(e)) entities_->destroy(e);
}

entity store::claim(entity elsewhere) {
    require_still();
    const entity e = entities_->claim_outside(elsewhere);
    if (!e) return e;
    try {
        materialize(e, root(), no_values);
    } catch (...) {
        if (!locate(e)) entities_->take_back_claim(e);
        throw;
    }
    return e;
}

void store::describe(entity component, reflection members) {
    set(component, component_entity<reflection>(), &members);
}

void store::refuse_index(std::string_view type_name, std::uint32_t index) {
    throw std::invalid_argument(
        "component " + std::string(type_name) + " cannot have index " + std::to_string(index) +
        ": it has another one, another component has this one, or it is spent. Give the manifest to the "
        "world's constructor");
}

entity store::register_type(std::uint32_t number, std::string_view type_name, const component_info& info) {
    require_still_to_register(type_name);
    components_.reserve(number);
    const entity fresh = components_.issue_for_type(*entities_, number);
    if (!fresh)
        throw std::length_error(
            "component " + std::string(type_name) +
            " cannot be registered again: the index that its manifest gives it is spent, as that "
            "of a relation is when it ends");
    return components_.enter(number, make_component(fresh, type_name, info));
}

store::registration::registration(store& in) : in_(&in) {
    if (in.observers_) change_.emplace(in.observers_->changes, in);
}

entity store::registration::begin(std::uint32_t number, std::string_view type_name,
                                  const component_info& info) {
    return fresh_ = in_->register_type(number, type_name, info);
}

void store::registration::complete() {
    fresh_ = {};
    if (change_) change_->close();
}

/// Without the memory to end it, the component stays and is no longer that of the type.
store::registration::~registration() {
    if (!fresh_) return;
    try {
        in_->despawn(fresh_);
    } catch (...) {
        if (in_->components_.forget(fresh_)) ++in_->removals_;
    }
}

entity store::register_component(std::string_view text, const component_info& info) {
    const entity known = components_.named(text);
    if (!known) {
        require_still_to_register(text);
        return as_one([&] { return make_component(components_.issue(*entities_), text, info); });
    }
    if (!is_component(known))
        throw name_error("\"" + std::string(text) + "\" is the name of an entity that is no component");
    const component_info& facts = records_.find(known)->info;
    if (facts.size != info.size || facts.alignment != info.alignment || facts.kept_in != info.kept_in)
        throw std::invalid_argument("component \"" + std::string(text) + "\" exists with another size (" +
                                    std::to_string(facts.size) + ", not " + std::to_string(info.size) +
                                    "), alignment or storage");
    return known;
}

/// Makes the entity in limbo a component, or ends it.
entity store::make_component(entity e, std::string_view text, const component_info& info) {
    const entity known = registered<component_info>();
    const entity facts = known ? known : e;
    bool named = false;
    try {
        named = components_.give_name(text, e);
        make_record(e, info);
        const id type[]{facts};
        table& home = table_of(type);
        const auto settle = [&home, e, facts, info](store& in) {
            in.materialize(e, home, [&](row_ref at) { ::new (value_at(at, facts)) component_info(info); });
        };
        deferring_ ? defer(settle) : settle(*this);
    } catch (...) {
        if (named) components_.take_name(text);
        if (id_record* const record = records_.find(e)) forget_record(*record);
        entities_->destroy(e);
        throw;
    }
    return e;
}

/// Read from the records, not from the component on the entity, which anybody may change.
component_info store::info_of_id(id word) const {
    const auto facts_of = [&](id e) {
        const id_record* const known = e ? records_.find(e) : nullptr;
        return known ? known->info : component_info{};
    };
    if (word.is_wildcard()) return link_info;
    if (word.is_flagged()) return {};
    if (word.is_value_pair() || word.is_link()) return facts_of(entities_->at(word.relation_index()));
    if (!word.is_pair()) return facts_of(word);
    if (rules_of(word).any_of(rule::tag_only)) return {};
    component_info facts = facts_of(entities_->at(word.relation_index()));
    if (facts.size == 0 && !rules_of(word).any_of(rule::non_fragmenting))
        facts = facts_of(entities_->at(word.target_index()));
    facts.kept_in = storage::table;
    return facts.operations.movable ? facts : component_info{}; // Tables move values.
}

id_record& store::record_of(id word) {
    if (id_record* const known = records_.find(word)) return *known;
    return make_record(word, info_of_id(word));
}

id_record& store::make_record(id word, const component_info& info) {
    auto made = std::make_unique<id_record>();
    made->word = word;
    made->info = info;
    if (info.kept_in != storage::table) {
        made->side = std::make_unique<side_set>(info);
        made->side->word = word;
        made->side->watched = observers_ && observers_->concern(word);
        made->side->ruled = rules_of(word).bits != 0;
        sides_.reserve_one();
    }
    id_record& record = records_.enter(std::move(made));
    if (record.side) sides_.add(*record.side);
    set_referred(word);
    return record;
}

/// From now on the end of the entities in the word concerns others.
void store::set_referred(id word) {
    const auto [relation, target] = parts_of(word);
    if (word.is_entity()) entities_->set_referred(index_of(word.as_entity()));
    if (relation != 0) entities_->set_referred(relation);
    if (target != 0) entities_->set_referred(target);
}

void store::forget_record(id_record& record) noexcept {
    if (record.side) {
        sides_.erase(*record.side);
        ++removals_; // Queries that know the set forget it.
    }
    if (watched_.forget(record)) ++removals_; // Queries that know its stamps forget them.
    records_.erase(record);
}

void store::refuse_access(entity e, id word, std::string_view component) const {
    const id_status status = entities_->status(e);
    const std::string subject = "entity " + std::to_string(e.index()) + "v" + std::to_string(e.generation());
    const std::string reason = status == id_status::live
                                   ? " has no " + std::string(component)
                                   : " is " + std::string(ecs::to_string(status)) + ": no " +
                                         std::string(component) + " can be read from it";
    throw access_error(e, word, status, subject + reason);
}

void store::refuse_pair_access(entity e, id word, entity target, std::string_view relation) const {
    const id_status status = entities_->status(target);
    std::string text = std::string(relation) + " of " + std::to_string(target.index()) + "v" +
                       std::to_string(target.generation());
    if (status != id_status::live) text += ", which is " + std::string(ecs::to_string(status));
    refuse_access(e, word, text);
}

void store::require_still_to_register(std::string_view component) const {
    if (!is_still() && !deferring_)
        throw iteration_error("component " + std::string(component) +
                              " cannot be registered while a loop walks over the world: "
                              "call component() for it before the loop");
}

std::vector<entity> store::ordinary_entities() const {
    std::vector<entity> found;
    for (const auto& t : tables_.all())
        for (chunk* const in : t->chunks())
            for (const entity e : std::span(in->entities(), in->count))
                if (!is_fixture(e)) found.push_back(e);
    return found;
}

std::string store::text_of_component(id word) const {
    const entity relation = word.has_relation() ? entities_->at(word.relation_index()) : word.as_entity();
    const std::string text = name_of_component(relation);
    return text.empty() ? std::to_string(index_of(relation)) : text;
}

bool store::is_component(entity e) const {
    const id_record* const known = e ? records_.find(e) : nullptr;
    return known && known->info.alignment != 0;
}

std::vector<entity> store::components() const {
    std::vector<entity> found;
    records_.for_each([&](const id_record& record) {
        if (record.info.alignment != 0 && record.word.is_entity()) found.push_back(record.word.as_entity());
    });
    std::ranges::sort(found, {}, [](entity e) { return e.index(); });
    return found;
}

std::vector<id> store::ids_of(entity e) const {
    const row_ref at = locate(e);
    if (!at) return {};
    std::vector<id> ids;
    const table& in = *at.block->owner;
    const auto is_value_of_pair = [&](id word) {
        return word.is_entity() && std::ranges::any_of(in.type(), [&](id other) {
                   return other.is_wildcard() && other.relation_index() == index_of(word.as_entity());
               });
    };
    for (const id word : in.type())
        if (word.is_wildcard())
            ids.push_back(pair(entities_->at(word.relation_index()), linked_target(at, word)));
        else if (!in.linked || !is_value_of_pair(word))
            ids.push_back(word);
    records_.for_each([&](const id_record& record) {
        if (record.side && record.side->contains(index_of(e))) ids.push_back(record.word);
    });
    return ids;
}

void store::reserve(table& in, std::size_t more) {
    in.reserve(more);
    entities_->reserve(more);
}

void store::shrink() {
    for (const auto& t : tables_.all()) t->shrink();
    for (side_set* const side : sides_) side->shrink();
}

std::size_t store::memory_bytes() const {
    std::size_t bytes = entities_->memory_bytes();
    for (const auto& t : tables_.all()) bytes += t->memory_bytes();
    for (const side_set* const side : sides_) bytes += side->memory_bytes();
    return bytes;
}

} // namespace ecs
