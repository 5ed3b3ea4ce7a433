// SPDX-License-Identifier: MIT
// How a world is copied, and how a copy takes its place. A replica is a whole engine, made beside the world:
// until the exchange, which cannot fail, the world knows nothing of it.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// Whether nothing in the replica has the place, type or name of a component of the original.
bool is_unused(const engine& replica, const engine& original, entity component) {
    if (replica.rows().records().find(component)) return false;
    const std::uint32_t number = original.rows().component_types().number_of(component);
    const bool has_type = number != 0 && replica.rows().component_types().of_type(number);
    const bool has_name = static_cast<bool>(
        replica.rows().component_types().named(original.reads().text_of_component(component)));
    return !has_type && !has_name && !replica.rows().entities().at(index_of(component));
}

/// The components that the replica does not know, without those whose index, name or type it uses otherwise.
std::vector<entity> components_unknown_to(const engine& replica, const engine& original) {
    std::vector<entity> unknown;
    original.rows().records().for_each([&](const component_record& record) {
        const entity component = record.word.as_entity();
        if (component && original.rows().is_component(component) && is_unused(replica, original, component))
            unknown.push_back(component);
    });
    std::ranges::sort(unknown);
    return unknown;
}

/// Copies facts of an engine to its replica. The engine stays as it is.
class replication {
  public:
    replication(const engine& original, engine& replica) : from_(&original), to_(&replica) {}

    /// Throws snapshot_error when there is a value of which there can be no copy.
    static void require_all_copyable(const engine& original) {
        const auto require = [&](id word, const value_operations& operations, bool used) {
            if (used && !operations.copyable)
                throw snapshot_error(snapshot_refusal::not_copyable,
                                     "component " + original.reads().text_of_component(word) +
                                         ": its values cannot be copied");
        };
        for (const auto& t : original.rows().tables())
            for (const column& c : t->columns()) require(c.component, c.operations, t->size() != 0);
        original.rows().records().for_each([&](const component_record& record) {
            if (const sparse_set* const sparse = record.sparse.get())
                require(record.word, sparse->info().operations,
                        sparse->info().size != 0 && sparse->size() != 0);
        });
    }

    /// Copies the facts of a component, which gets its row in learn_properties.
    void learn_component(entity component) {
        to_->rows().entities().adopt(component);
        to_->rows().make_record(component, from_->rows().records().find(component)->info);
        to_->rows().component_types().give_name(from_->rows().name_of_component(component), component);
        const std::uint32_t number = from_->rows().component_types().number_of(component);
        to_->rows().component_types().reserve(number);
        if (number != 0) to_->rows().enter_type(number, component);
    }

    /// Copies what the component says of itself, and those of its properties whose targets are in the
    /// replica.
    void learn_properties(entity component) {
        const row_ref known = from_->rows().locate(component);
        std::vector<id> type;
        for (const id word : known.block->owner->type()) {
            const bool is_property = from_->rows().traits_of(word).any_of(trait::property);
            if (!is_fact(word) && !(is_property && succeeded(to_->checks().check_addable(word)))) continue;
            type.push_back(word);
            if (is_property) to_->rows().set_trait(component, word);
        }
        to_->spawns().materialize(component, to_->core().table_of(type),
                                  [&](row_ref at) { from_->rows().copy_row(known, at); });
    }

    /// The ticks of what the store and the replica know by these records, as if values of the replica that
    /// are not those of the store had been written now.
    [[nodiscard]] std::unique_ptr<change_ticks> ticks_for(const component_record& known,
                                                          const component_record& record) const {
        auto made = std::make_unique<change_ticks>();
        const auto carry = [&](entity e) {
            last_changes s =
                from_->rows().entities().alive(e) ? known.ticks->of(index_of(e)) : last_changes{};
            if (may_differ(e, record)) s.changed = from_->events().now();
            if (has_more(*to_, *from_, e, record.word)) s.added = from_->events().now();
            if (has_more(*from_, *to_, e, record.word)) s.removed = from_->events().now();
            if (s.changed != 0 || s.removed != 0) made->write(index_of(e), s);
        };
        for (const auto& t : to_->rows().tables()) to_->rows().for_each_entity(*t, carry);
        return made;
    }

  private:
    [[nodiscard]] bool is_fact(id word) const {
        return word == id(to_->rows().registered<component_info>()) ||
               word == id(to_->rows().registered<reflection>());
    }

    /// Whether the entity of the replica may have another value of the record's identifier. What is
    /// inherited, and what a wildcard stands for, is not compared.
    [[nodiscard]] bool may_differ(entity e, const component_record& record) const {
        const id word = record.word;
        if (word.is_wildcard() || to_->rows().locate(e).block->owner->inherits) return true;
        return to_->reads().owns(e, word) &&
               !(from_->reads().owns(e, word) && is_alike(e, word, record.info));
    }

    /// Whether the entity, which has the identifier in both engines, hides it in both or in neither, and has
    /// a value with the same bytes in both. Only a value whose copy is its bytes can be alike.
    [[nodiscard]] bool is_alike(entity e, id word, const component_info& info) const {
        if (from_->reads().is_hidden(e, word) != to_->reads().is_hidden(e, word)) return false;
        if (info.size == 0) return true;
        const std::byte* const before = from_->reads().find(e, word);
        const std::byte* const then = to_->reads().find(e, word);
        return !info.operations.copy && before && then &&
               std::ranges::equal(std::span(before, info.size), std::span(then, info.size));
    }

    /// Whether the entity has something that the pattern stands for in the one store and not in the other.
    [[nodiscard]] static bool has_more(const engine& in, const engine& other, entity e, id pattern) {
        if (!pattern.is_wildcard()) return in.reads().owns(e, pattern) && !other.reads().owns(e, pattern);
        const std::vector<id> had =
            in.rows().locate(e) ? in.reads().own_matches(e, pattern) : std::vector<id>();
        return std::ranges::any_of(had, [&](id one) { return !other.reads().owns(e, one); });
    }

    const engine* from_;
    engine* to_;
};

} // namespace

std::unique_ptr<engine> engine::replica() const {
    std::unique_ptr<engine> made = replica_of_rows();
    made->rows_.mirror_identifiers(rows_);
    return made;
}

std::unique_ptr<engine> engine::replica_of_rows() const {
    replication::require_all_copyable(*this);
    auto made = std::make_unique<engine>(store::replica_tag{}, rows_.entities().world());
    made->rows_.mirror(rows_);
    return made;
}

bool engine::has_news_for(const engine& replica) const {
    return !events_.tracked().empty() || !components_unknown_to(replica, *this).empty();
}

void engine::teach(engine& replica) const {
    replication made(*this, replica);
    const std::vector<entity> unknown = components_unknown_to(replica, *this);
    for (const entity component : unknown) made.learn_component(component);
    for (const entity component : unknown) made.learn_properties(component);
}

/// What is true of built-in entities from the start, and their properties. Which of them are tags comes
/// first: it says which pairs with components, as the properties of components are, have values.
void engine::lay_foundations(engine& replica) const {
    replica.rows().make_table({}); // The root.
    constexpr std::uint32_t told_by_properties = bits_of(trait::property) - 1;
    rows_.all_traits().for_each([&](std::uint32_t index, const traits& own) {
        if (index >= entity_index::first_ordinary) return;
        std::uint32_t asked = ~told_by_properties & ~bits_of(trait::needed);
        if (index >= low_ids) asked |= bits_of(trait::tag_only);
        if (index == base.index()) asked |= bits_of(trait::permanent); // It has no property that says so.
        if (const std::uint32_t innate = own.bits & asked; innate != 0)
            replica.rows().all_traits().begin_with(index, innate);
    });
    std::vector<entity> builtins;
    for (std::uint32_t index = low_ids; index < entity_index::first_ordinary; ++index)
        if (const entity e = rows_.entities().at(index)) builtins.push_back(e);
    for (const entity e : builtins) replica.rows().entities().adopt(e);
    replica.rows().component_types().copy_names(rows_.component_types(), builtins);
    teach(replica);
    replication made(*this, replica);
    for (const entity e : builtins) made.learn_properties(e);
}

void engine::carry_ticks(engine& replica) const {
    const replication made(*this, replica);
    for (const component_record* const known : events_.tracked()) {
        component_record* record = replica.rows().records().find(known->word);
        const bool is_new = !record && !known->word.is_entity() && replica.reads().is_meant(known->word);
        if (is_new) record = &replica.rows().record_of(known->word); // No caller had asked for it then.
        if (record) replica.events().track(*record, made.ticks_for(*known, *record));
    }
}

void engine::exchange(engine& replica, const entity_index& identifiers,
                      entity_index::return_plan&& plan) noexcept {
    rows_.exchange(replica.rows_, identifiers, std::move(plan));
    events_.exchange_ticks(replica.events_);
}

} // namespace ecs
