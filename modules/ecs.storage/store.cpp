// SPDX-License-Identifier: MIT
// What a store knows of identifiers and tables. Single rows are in rows.cpp.
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

/// Notes in the set whether the component has traits: what is kept outside tables asks no table for them.
void heed_traits(const store& in, id component) noexcept {
    if (sparse_set* const sparse = in.sparse_of(component))
        sparse->constrained = in.traits_of(component).bits != 0;
}

/// Notes that the end of the entities in the word concerns others from now on.
void mark_used_as_id(entity_index& all, id word) {
    const auto [relation, target] = parts_of(word);
    if (word.is_entity()) all.mark_used_as_id(index_of(word.as_entity()));
    if (relation != 0) all.mark_used_as_id(relation);
    if (target != 0) all.mark_used_as_id(target);
}

} // namespace

store::store(const id_space& space) : row_store(index_of_world(acquire_world().release())) {
    entities_->begin(space);
    make_table({}); // The root: entities without components.
    show_to_debuggers(*this, *entities_);
}

store::store(replica_tag, std::uint8_t world)
    : row_store(index_of_world(new entity_index(world, true), release_of_world{.is_replica = true})) {}

store::~store() {
    if (!entities_.get_deleter().is_replica) hide_from_debuggers(*entities_);
    tables_.clear(); // Values end before the identifiers do.
}

sparse_set* store::sparse_of_record(id word) const {
    const component_record* const known = records_.find(word);
    return known ? known->sparse.get() : nullptr;
}

std::vector<entity> store::holders_of(const component_record& record) const {
    std::vector<entity> owners;
    record.append_owners(owners);
    if (!record.sparse || record.sparse->size() == 0) return owners;
    entities_->for_each_index([&](std::uint32_t index) {
        if (record.sparse->contains(index)) owners.push_back(entities_->at(index));
    });
    return owners;
}

bool store::is_had(id word) const {
    const component_record* const record = records_.find(word);
    return record && record->rows() != 0;
}

/// Most entities can be decided by their index.
bool store::is_fixture(entity e) const {
    return index_of(e) < entity_index::first_ordinary || (entities_->may_be_component(e) && is_component(e));
}

void store::set_trait(entity relation, id property) {
    const entity target = property.is_pair() ? entities_->at(property.target_index()) : entity{};
    const trait added = trait_of_property(property);
    traits_.enter(index_of(relation), added, target);
    entities_->mark_used_as_id(index_of(relation)); // Its traits end with it.
    heed_traits(*this, relation);
    if (added != trait::needs) return;
    traits_.enter(index_of(target), trait::needed, relation);
    heed_traits(*this, target);
}

void store::clear_trait(entity relation, id property) noexcept {
    const entity target = property.is_pair() ? entities_->at(property.target_index()) : entity{};
    const trait removed = trait_of_property(property);
    traits_.strike(index_of(relation), removed, target);
    if (removed == trait::needs) traits_.strike(index_of(target), trait::needed, relation);
    heed_traits(*this, relation);
}

void store::invalidate_edges() {
    for (const auto& t : tables_.all()) t->edges.forget_edges();
    bump_inheritance_version();
    ++cache_version_; // A spawn with the component has to ask again, too.
}

id store::resolve_pair(id word) const {
    if (word.kind() != id_kind::pair || word.target_index() >= entity_index::first_ordinary) return word;
    const entity relation = entities_->at(word.relation_index());
    const entity target = entities_->at(word.target_index());
    const bool stand_in = world_partitions::parts[1].first <= word.target_index();
    return relation && target && stand_in ? pair(relation, target) : word;
}

/// Read from the records, not from the component on the entity, which any caller may change.
component_info store::info_of_id(id word) const {
    const auto facts_of = [&](id e) {
        const component_record* const known = e ? records_.find(e) : nullptr;
        return known ? known->info : component_info{};
    };
    if (word.is_wildcard()) return link_info;
    if (word.is_flagged()) return {};
    if (!word.has_relation()) return facts_of(word);
    if (word.is_pair() && traits_of(word).any_of(trait::tag_only)) return {};
    component_info facts = facts_of(entities_->at(word.relation_index()));
    if (word.is_pair() && facts.size == 0 && !traits_of(word).any_of(trait::non_fragmenting))
        facts = facts_of(entities_->at(word.target_index()));
    facts.kept_in = storage::table;
    return facts.operations.movable ? facts : component_info{}; // Tables move values.
}

component_record& store::record_of(id word) {
    if (component_record* const known = records_.find(word)) return *known;
    return make_record(word, info_of_id(word));
}

component_record& store::make_record(id word, const component_info& info) {
    auto made = std::make_unique<component_record>();
    made->word = word;
    made->info = info;
    if (info.kept_in == storage::in_place && is_unlocked()) give_rows_to_all();
    if (info.kept_in != storage::table) {
        made->sparse = std::make_unique<sparse_set>(info, *this);
        made->sparse->word = word;
        made->sparse->constrained = traits_of(word).bits != 0;
        sparse_sets_.reserve_one();
    }
    component_record& record = records_.enter(std::move(made));
    if (record.sparse) sparse_sets_.add(*record.sparse);
    mark_used_as_id(*entities_, word);
    return record;
}

void store::note_asked(id word) {
    if (!word.has_relation()) return;
    const std::uint32_t index = word.relation_index();
    const bool never_ends = index >= child_of.index() && index < entity_index::first_ordinary;
    if (never_ends || !entities_->at(index)) return;
    const std::lock_guard lock(noting_);
    if (!std::exchange(asked_relations_[index], true)) entities_->mark_used_as_id(index);
}

/// Called by code that changes the world, while no thread reads it.
bool store::was_relation(std::uint32_t index) const {
    return records_.was_relation(index) || asked_relations_.find(index) != nullptr;
}

void store::forget_record(component_record& record) noexcept {
    if (record.sparse) {
        sparse_sets_.erase(*record.sparse);
        if (const in_place_columns* const values = record.sparse->in_place())
            for (const auto& t : tables_.all()) t->forget_in_place(*values);
        ++cache_version_; // Queries that know the set forget it.
    }
    records_.erase(record);
}

bool store::is_component(entity e) const {
    if (!e || !entities_->is_used_as_id(e)) return false; // Most answers need no search.
    const component_record* const known = records_.find(e);
    return known && known->info.alignment != 0;
}

entity store::enter_type(std::uint32_t number, entity component) noexcept {
    directory_.starts().assign(number, component);
    return components_.enter(number, component);
}

/// Queries that know the type by the component have to ask again.
void store::forget_type(entity component) noexcept {
    directory_.starts().forget(component);
    if (components_.forget(component)) ++cache_version_;
}

void store::shrink() {
    for (const auto& t : tables_.all()) t->shrink();
    for (sparse_set* const sparse : sparse_sets_) sparse->shrink();
    directory_.pool().clear();
}

std::size_t store::memory_bytes() const {
    std::size_t bytes =
        entities_->memory_bytes() + rowless_.memory_bytes() + directory_.pool().memory_bytes();
    for (const auto& t : tables_.all()) bytes += t->memory_bytes();
    for (const sparse_set* const sparse : sparse_sets_) bytes += sparse->memory_bytes();
    return bytes;
}

table& store::make_table(std::span<const id> type) {
    std::vector<typed_id> typed;
    for (const id word : type) typed.push_back({word, &record_of(word).info});
    auto fresh = std::make_unique<table>(typed, directory_);
    for (const id word : type) note_traits(*fresh, word);
    fresh->review();
    table& made = tables_.enter(std::move(fresh), records_);
    if (type.empty()) {
        directory_.begin_rowless(made, *entities_);
        made.leave_rows_out();
    }
    return made;
}

void store::give_row(row_ref at, const move_plan& along) noexcept {
    if (along.in_words) {
        const entity e = at.block->entities()[at.row];
        if (std::uint64_t slot{}; entities_->slots_at_hand().find(e, slot)) [[likely]]
            return move_words({&along, along.from, along.to, at, along.to->next_row()}, e, slot);
    }
    along.from->give_row(at, along, *entities_);
}

void store::give_rows_to_all() {
    if (!root().is_rowless()) return;
    std::vector<entity> all;
    all.reserve(directory_.rowless_count());
    entities_->for_each_rowless([&](entity e) { all.push_back(e); });
    root().begin_rows(all, *entities_);
}

void store::drop_table(table& emptied) noexcept {
    drops_.note(emptied, *tables_.all().back());
    tables_.erase(emptied, records_);
    ++cache_version_;
}

/// What the operations on the rows of a table have to attend to because of one of its identifiers.
void store::note_traits(table& made, id word) {
    made.named |= word == id(registered<name>());
    made.linked |= word.is_wildcard();
    made.holds_objects |= object_table::concerns(word);
    made.no_target |= word.is_entity() && index_of(word.as_entity()) == relation_only.index();
    made.prefab |= word.is_entity() && index_of(word.as_entity()) == prefab_tag.index();
    if (word.is_pair() && word.relation_index() == is_a.index())
        made.only_base = std::exchange(made.inherits, true) ? 0 : word.target_index();
    made.inherited |= word.is_entity() && index_of(word.as_entity()) == base.index();
    has_bases_ |= made.inherited;
    if (traits_of(word).any_of(trait::togglable) || has_flag(flags_of(word), type_flags::togglable))
        made.make_togglable();
}

void store::mirror_identifiers(const store& other) { entities_->mirror(*other.entities_, other.directory_); }

void store::mirror(const store& other) {
    components_ = other.components_;
    directory_.starts().copy_types(other.directory_.starts());
    traits_ = other.traits_.copy();
    names_ = other.names_;
    objects_ = other.objects_;
    has_bases_ = other.has_bases_;
    records_.mirror(other.records_);
    directory_.number_like(other.directory_);
    tables_.mirror(other.tables_, other.records_, records_, directory_);
    directory_.begin_rowless(root(), *entities_);
    directory_.note_rowless(other.directory_.rowless_count());
    mirror_sparse_sets(other);
    other.lists_.for_each(
        [&](std::uint32_t relation, const source_lists& lists) { lists_.add_copy(relation, lists); });
}

void store::mirror_sparse_sets(const store& other) {
    for (const sparse_set* const known : other.sparse_sets_) {
        auto made = std::make_unique<sparse_set>(known->info(), *this);
        made->word = known->word;
        made->constrained = known->constrained;
        sparse_sets_.reserve_one();
        sparse_sets_.add(*made);
        sparse_set& copy = *(records_.find(known->word)->sparse = std::move(made));
        copy.copy(*known); // Last: tables know of a set from then on, also when a copy throws.
    }
}

void store::exchange(store& other, const entity_index& identifiers,
                     entity_index::return_plan&& plan) noexcept {
    entities_->return_to(identifiers, std::move(plan));
    asked_relations_.for_each([&](std::uint64_t index, bool) { // Queries still ask for them.
        const auto i = static_cast<std::uint32_t>(index);
        if (entities_->at(i)) entities_->mark_used_as_id(i);
    });
    directory_.swap(other.directory_);
    std::swap(tables_, other.tables_);
    for (const auto& t : tables_.all()) t->move_to(directory_);
    for (const auto& t : other.tables_.all()) t->move_to(other.directory_);
    std::swap(records_, other.records_);
    lists_.swap(other.lists_);
    std::swap(traits_, other.traits_);
    std::swap(names_, other.names_);
    std::swap(objects_, other.objects_);
    objects_.go_on_after(other.objects_);
    std::swap(sparse_sets_, other.sparse_sets_);
    for (sparse_set* const sparse : sparse_sets_) sparse->live_in(*this);
    for (sparse_set* const sparse : other.sparse_sets_) sparse->live_in(other);
    std::swap(has_bases_, other.has_bases_);
    ++cache_version_; // Queries that remember tables forget them, and what is inherited is asked for again.
    bump_inheritance_version();
    components_.exchange(other.components_);
}

} // namespace ecs
