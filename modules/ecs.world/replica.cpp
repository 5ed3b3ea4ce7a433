// SPDX-License-Identifier: MIT
// How a store is copied, and how a copy takes its place. A replica is a whole store, made beside the world:
// until the exchange, which cannot fail, the world knows nothing of it.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

store::store(replica_tag, std::uint8_t world)
    : entity_rows(index_of_world(new entity_index(world), release_of_world{.is_replica = true})) {}

std::unique_ptr<store> store::replica() const {
    require_all_copyable();
    auto made = std::make_unique<store>(replica_tag{}, entities_->world());
    made->entities_->mirror(*entities_, directory_);
    made->components_ = components_;
    made->rules_ = rules_.copy();
    made->names_ = names_;
    made->objects_ = objects_;
    made->records_.mirror(records_);
    made->tables_.mirror(tables_, records_, made->records_, made->directory_, *made->entities_);
    made->copy_sides(*this);
    made->copy_lists(*this);
    return made;
}

void store::require_all_copyable() const {
    const auto require = [&](id word, const value_operations& operations, bool used) {
        if (used && !operations.copyable)
            throw snapshot_error(snapshot_refusal::not_copyable,
                                 "component " + text_of_component(word) + ": its values cannot be copied");
    };
    for (const auto& t : tables_.all())
        for (const column& c : t->columns()) require(c.component, c.operations, t->size() != 0);
    records_.for_each([&](const id_record& record) {
        if (const side_set* const side = record.side.get())
            require(record.word, side->info().operations, side->info().size != 0 && side->size() != 0);
    });
}

/// The name of a component, or of the one that gives a pair its values.
std::string store::text_of_component(id word) const {
    const entity relation = word.has_relation() ? entities_->at(word.relation_index()) : word.as_entity();
    const std::string text = name_of_component(relation);
    return text.empty() ? std::to_string(index_of(relation)) : text;
}

void store::copy_sides(const store& from) {
    for (const side_set* const known : from.sides_) {
        auto made = std::make_unique<side_set>(known->info());
        made->copy(*known);
        made->word = known->word;
        made->ruled = known->ruled;
        sides_.reserve_one();
        sides_.add(*made);
        records_.find(known->word)->side = std::move(made);
    }
}

void store::copy_lists(const store& from) {
    from.lists_.for_each([&](std::uint64_t relation, const auto& lists) {
        lists_of(static_cast<std::uint32_t>(relation)) = lists->copy();
    });
}

// Components that the past does not know.

std::vector<entity> store::components_unknown_to(const store& other) const {
    std::vector<entity> unknown;
    records_.for_each([&](const id_record& record) {
        const entity component = record.word.as_entity();
        if (!component || !is_component(component) || other.records_.find(record.word)) return;
        const std::uint32_t number = components_.number_of(component);
        const bool has_type = number != 0 && other.components_.of_type(number);
        const bool has_name = static_cast<bool>(other.components_.named(text_of_component(component)));
        if (!has_type && !has_name && !other.entities_->at(index_of(component))) unknown.push_back(component);
    });
    std::ranges::sort(unknown);
    return unknown;
}

void store::teach(store& replica) const {
    const std::vector<entity> unknown = components_unknown_to(replica);
    for (const entity component : unknown) replica.learn_component(*this, component);
    for (const entity component : unknown) replica.learn_properties(*this, component);
}

/// What is true of built-in entities from the start, and their properties. Which of them are tags comes
/// first: it says which pairs with components, as the properties of components are, have values.
void store::lay_foundations(store& replica) const {
    std::ignore = replica.table_of({}); // The root.
    constexpr std::uint32_t told_by_properties = bits_of(rule::property) - 1;
    rules_.for_each([&](std::uint32_t index, const rules& own) {
        if (index >= entity_index::first_ordinary) return;
        const std::uint32_t first = index < low_ids ? 0 : bits_of(rule::tag_only);
        const std::uint32_t asked = (~told_by_properties & ~bits_of(rule::needed)) | first;
        if (const std::uint32_t innate = own.bits & asked; innate != 0)
            replica.rules_.begin_with(index, innate);
    });
    std::vector<entity> builtins;
    for (std::uint32_t index = low_ids; index < entity_index::first_ordinary; ++index)
        if (const entity e = entities_->at(index)) builtins.push_back(e);
    for (const entity e : builtins) replica.entities_->adopt(e);
    replica.components_.copy_names(components_, builtins);
    teach(replica);
    for (const entity e : builtins) replica.learn_properties(*this, e);
}

/// The facts of a component, which gets its row in learn_properties.
void store::learn_component(const store& from, entity component) {
    entities_->adopt(component);
    make_record(component, from.records_.find(component)->info);
    components_.give_name(from.name_of_component(component), component);
    const std::uint32_t number = from.components_.number_of(component);
    components_.reserve(number);
    if (number != 0) components_.enter(number, component);
}

/// What the component says of itself, and the properties it has as far as their targets are there.
void store::learn_properties(const store& from, entity component) {
    const row_ref known = from.locate(component);
    const auto is_fact = [&](id word) {
        return word == id(registered<component_info>()) || word == id(registered<reflection>());
    };
    std::vector<id> type;
    for (const id word : known.block->owner->type()) {
        const bool is_property = from.rules_of(word).any_of(rule::property);
        if (!is_fact(word) && !(is_property && succeeded(check_addable(word)))) continue;
        type.push_back(word);
        if (is_property) note_rule(component, word);
    }
    materialize(component, table_of(type), [&](row_ref at) { from.copy_row(known, at); });
}

// Stamps.

bool store::has_itself(entity e, const id_record& record) const {
    const row_ref at = locate(e);
    return at && (record.side ? record.side->contains(index_of(e)) : at.block->owner->has(record.word));
}

void store::carry_stamps(store& replica) const {
    for (const id_record* const known : watched_) {
        id_record* const record = replica.records_.find(known->word);
        if (!record) continue;
        replica.watched_.add(*record, stamps_for(*known, *record, replica));
    }
}

std::unique_ptr<stamp_book> store::stamps_for(const id_record& known, const id_record& record,
                                              const store& replica) const {
    auto made = std::make_unique<stamp_book>();
    const auto carry = [&](entity e) {
        stamp s = entities_->alive(e) ? known.stamps->of(index_of(e)) : stamp{};
        const bool had = has_itself(e, known);
        const bool has = replica.has_itself(e, record);
        if (has) s.changed = now();
        if (has && !had) s.added = now();
        if (had && !has) s.removed = now();
        if (s.changed != 0 || s.removed != 0) made->write(index_of(e), s);
    };
    for (const auto& t : replica.tables_.all())
        for (chunk* const in : t->chunks())
            std::ranges::for_each(std::span(in->entities(), in->count), carry);
    return made;
}

// The exchange.

void store::exchange(store& replica, return_plan&& plan) noexcept {
    entities_->return_to(*replica.entities_, std::move(plan));
    directory_.swap(replica.directory_);
    std::swap(tables_, replica.tables_);
    for (const auto& t : tables_.all()) t->move_to(directory_);
    for (const auto& t : replica.tables_.all()) t->move_to(replica.directory_);
    std::swap(records_, replica.records_);
    std::swap(lists_, replica.lists_);
    std::swap(rules_, replica.rules_);
    std::swap(names_, replica.names_);
    std::swap(objects_, replica.objects_);
    objects_.go_on_after(replica.objects_);
    std::swap(sides_, replica.sides_);
    watched_.exchange(replica.watched_);
    std::swap(has_bases_, replica.has_bases_);
    ++removals_; // Whoever remembers tables forgets them, and what is inherited is asked for again.
    ++meanings_;
    components_.exchange(replica.components_);
    attend();
    if (observers_) observers_->resume();
}

} // namespace ecs
