// SPDX-License-Identifier: MIT
// How a store is copied, and how a copy takes its place. A replica is a whole store, made beside the world:
// until the exchange, which cannot fail, the world knows nothing of it.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

store::store(replica_tag, std::uint8_t world)
    : entity_rows(index_of_world(new entity_index(world, true), release_of_world{.is_replica = true})) {}

/// What a replica gets of the store that it is a replica of, which stays as it is.
class store::replication {
  public:
    replication(const store& original, store& replica) : from_(&original), to_(&replica) {}

    /// Throws snapshot_error when there is a value of which there can be no copy.
    static void require_all_copyable(const store& original) {
        const auto require = [&](id word, const value_operations& operations, bool used) {
            if (used && !operations.copyable)
                throw snapshot_error(snapshot_refusal::not_copyable, "component " +
                                                                         original.text_of_component(word) +
                                                                         ": its values cannot be copied");
        };
        for (const auto& t : original.tables_.all())
            for (const column& c : t->columns()) require(c.component, c.operations, t->size() != 0);
        original.records_.for_each([&](const id_record& record) {
            if (const side_set* const side = record.side.get())
                require(record.word, side->info().operations, side->info().size != 0 && side->size() != 0);
        });
    }

    /// Makes a replica that has nothing yet a copy.
    void copy() {
        to_->entities_->mirror(*from_->entities_, from_->directory_);
        to_->components_ = from_->components_;
        to_->rules_ = from_->rules_.copy();
        to_->names_ = from_->names_;
        to_->objects_ = from_->objects_;
        to_->records_.mirror(from_->records_);
        to_->tables_.mirror(from_->tables_, from_->records_, to_->records_, to_->directory_, *to_->entities_);
        copy_sides();
        copy_lists();
    }

    /// The components that the replica does not know, but for those whose index, name or type it uses
    /// otherwise.
    [[nodiscard]] std::vector<entity> unknown_components() const {
        std::vector<entity> unknown;
        from_->records_.for_each([&](const id_record& record) {
            const entity component = record.word.as_entity();
            if (component && from_->is_component(component) && is_unused(component))
                unknown.push_back(component);
        });
        std::ranges::sort(unknown);
        return unknown;
    }

    /// The facts of a component, which gets its row in learn_properties.
    void learn_component(entity component) {
        to_->entities_->adopt(component);
        to_->make_record(component, from_->records_.find(component)->info);
        to_->components_.give_name(from_->name_of_component(component), component);
        const std::uint32_t number = from_->components_.number_of(component);
        to_->components_.reserve(number);
        if (number != 0) to_->components_.enter(number, component);
    }

    /// What the component says of itself, and the properties it has as far as their targets are there.
    void learn_properties(entity component) {
        const row_ref known = from_->locate(component);
        std::vector<id> type;
        for (const id word : known.block->owner->type()) {
            const bool is_property = from_->rules_of(word).any_of(rule::property);
            if (!is_fact(word) && !(is_property && succeeded(to_->check_addable(word)))) continue;
            type.push_back(word);
            if (is_property) to_->note_rule(component, word);
        }
        to_->materialize(component, to_->table_of(type), [&](row_ref at) { from_->copy_row(known, at); });
    }

    /// The stamps of what the store and the replica know by these records, as if the replica's values had
    /// been written now.
    [[nodiscard]] std::unique_ptr<stamp_book> stamps_for(const id_record& known,
                                                         const id_record& record) const {
        auto made = std::make_unique<stamp_book>();
        const auto carry = [&](entity e) {
            stamp s = from_->entities_->alive(e) ? known.stamps->of(index_of(e)) : stamp{};
            const bool inherits = to_->locate(e).block->owner->inherits;
            if (inherits || to_->owns(e, record.word) || record.word.is_wildcard()) s.changed = from_->now();
            if (has_more(*to_, *from_, e, record.word)) s.added = from_->now();
            if (has_more(*from_, *to_, e, record.word)) s.removed = from_->now();
            if (s.changed != 0 || s.removed != 0) made->write(index_of(e), s);
        };
        for (const auto& t : to_->tables_.all())
            for (chunk* const in : t->chunks())
                std::ranges::for_each(std::span(in->entities(), in->count), carry);
        return made;
    }

  private:
    void copy_sides() {
        for (const side_set* const known : from_->sides_) {
            auto made = std::make_unique<side_set>(known->info());
            made->copy(*known);
            made->word = known->word;
            made->ruled = known->ruled;
            to_->sides_.reserve_one();
            to_->sides_.add(*made);
            to_->records_.find(known->word)->side = std::move(made);
        }
    }

    void copy_lists() {
        from_->lists_.for_each([&](std::uint64_t relation, const auto& lists) {
            to_->lists_of(static_cast<std::uint32_t>(relation)) = lists->copy();
        });
    }

    /// Whether nothing in the replica has the component's place, type or name.
    [[nodiscard]] bool is_unused(entity component) const {
        if (to_->records_.find(component)) return false;
        const std::uint32_t number = from_->components_.number_of(component);
        const bool has_type = number != 0 && to_->components_.of_type(number);
        const bool has_name = static_cast<bool>(to_->components_.named(from_->text_of_component(component)));
        return !has_type && !has_name && !to_->entities_->at(index_of(component));
    }

    [[nodiscard]] bool is_fact(id word) const {
        return word == id(to_->registered<component_info>()) || word == id(to_->registered<reflection>());
    }

    /// Whether the entity has something that the pattern stands for in the one store and not in the other.
    [[nodiscard]] static bool has_more(const store& in, const store& other, entity e, id pattern) {
        if (!pattern.is_wildcard()) return in.owns(e, pattern) && !other.owns(e, pattern);
        const std::vector<id> had = in.locate(e) ? in.own_matches(e, pattern) : std::vector<id>();
        return std::ranges::any_of(had, [&](id one) { return !other.owns(e, one); });
    }

    const store* from_;
    store* to_;
};

std::unique_ptr<store> store::replica() const {
    replication::require_all_copyable(*this);
    auto made = std::make_unique<store>(replica_tag{}, entities_->world());
    replication(*this, *made).copy();
    return made;
}

void store::teach(store& replica) const {
    replication made(*this, replica);
    const std::vector<entity> unknown = made.unknown_components();
    for (const entity component : unknown) made.learn_component(component);
    for (const entity component : unknown) made.learn_properties(component);
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
    replication made(*this, replica);
    for (const entity e : builtins) made.learn_properties(e);
}

void store::carry_stamps(store& replica) const {
    const replication made(*this, replica);
    for (const id_record* const known : watched_) {
        id_record* record = replica.records_.find(known->word);
        const bool is_new = !record && !known->word.is_entity() && replica.is_meant(known->word);
        if (is_new) record = &replica.record_of(known->word); // Nobody had asked for it then.
        if (record) replica.watched_.add(*record, made.stamps_for(*known, *record));
    }
}

void store::exchange(store& replica, entity_index::return_plan&& plan) noexcept {
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
