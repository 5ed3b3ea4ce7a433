// SPDX-License-Identifier: MIT
// The untyped heart of a world: entities, tables, and the operations that take an identifier decided at run
// time. The typed interface of a world adds types, not behaviour.
//
// A structural change has two halves. The first may throw and changes nothing that could be seen: the row in
// the table to come is reserved and its new values are constructed. The second cannot fail: values move and
// places change.
export module ecs.world:store;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import ecs.core;
import ecs.component;
import :chain_sources;
import :chunk;
import :component_book;
import :entities;
import :entity_rows;
import :hooks;
import :names;
import :objects;
import :observer;
import :record_book;
import :side_book;
import :side_set;
import :sources;
import :stamps;
import :table;
import :table_book;
import :transition;
import :watch_book;

namespace ecs {

/// The name of an entity, given by spawn or set_name, which know who else has it.
export class name {
  public:
    static constexpr bool is_given_as_text = true;

    explicit name(std::string text) : text_(std::move(text)) {}

    [[nodiscard]] inline const std::string& text() const { return text_; }

    inline void save(snapshot_writer& to) const { to.write_text(text_); }
    [[nodiscard]] static inline name load(snapshot_reader& from) { return name(from.read_text()); }

  private:
    std::string text_;
};

/// The column that keeps the targets of a relation that does not fragment is that of (relation, any).
inline constexpr component_info link_info{sizeof(link), alignof(link)};

/// How far an identifier is from being in every row of a table.
enum class presence : std::uint8_t {
    no,
    in_table,  ///< Every row has it.
    inherited, ///< Every row has it from a base.
    by_row,    ///< It has to be asked for each row.
};

/// The values that a move gives, of which observers are told that they were set: all that are new, or these.
struct given_values {
    bool all_new{};
    std::span<const id> these{};
};

/// Whose value it is that an entity hands out for a pattern, and under which identifier.
struct held_value {
    entity holder;
    id word;
};

class loader;
class saver;

/// See the head of this file. Not thread-safe, except where a function says so.
class store : public entity_rows {
  public:
    explicit store(const id_space& space);
    ~store();

    // Replicas: stores under the number of a world that are not that world.

    struct replica_tag {};

    /// A replica without entities. Throws std::bad_alloc.
    store(replica_tag, std::uint8_t world);

    /// A copy of everything but loops. Throws snapshot_error when values cannot be copied, and what a copy
    /// throws.
    [[nodiscard]] std::unique_ptr<store> replica() const;

    /// Makes the built-in entities and components of this store in a replica that has nothing yet.
    void lay_foundations(store& replica) const;

    /// Lets a replica know the components that only this store knows, with their properties. One whose index,
    /// name or type the replica uses otherwise is left out.
    void teach(store& replica) const;

    /// Lets the replica watch what this store watches, as if what it has had been written now: to go back is
    /// a change like any other. Throws std::bad_alloc.
    void carry_stamps(store& replica) const;

    /// What a replica has is in this store from now on, and the other way round. The entities of the replica
    /// have been planned for.
    void exchange(store& replica, entity_index::return_plan&& plan) noexcept;

    // Entities.

    /// A new entity without components. Throws std::bad_alloc.
    entity spawn();

    /// Ends the entity and whatever ends with it; false when it is not alive.
    bool despawn(entity e);

    /// All but components and those that every world has.
    [[nodiscard]] std::vector<entity> ordinary_entities() const;

    // Components.

    /// The entity of a component type that the store has met; null otherwise.
    template <class T> [[nodiscard]] entity registered() const {
        return components_.of_type(type_number<T>());
    }

    /// The index of a component type when both its number and the index are low; 0, which no column has,
    /// otherwise.
    template <class T> [[nodiscard]] std::uint8_t low_index() const {
        return components_.low_index(early_type_number<T>());
    }

    /// The entity of a component type, registered under its name first when need be.
    template <class T> [[nodiscard]] entity component_entity() {
        static_assert(component_type<T>,
                      "this is no type of a component, which is written without const, *, & and []");
        if (const entity known = registered<T>()) [[likely]]
            return known;
        registration making(*this);
        const entity fresh = making.begin(type_number<T>(), type_name<T>, info_of<T>);
        declare_properties<T>(fresh);
        if constexpr (reflected<T>) describe(fresh, reflection_of<T>());
        install_hooks<T>(fresh);
        making.complete();
        return fresh;
    }

    /// Registers a component type under an index. Throws std::invalid_argument when the type has another one
    /// already, or the index is another component's.
    template <class T> void register_at(std::uint32_t index) {
        const entity known = registered<T>();
        if (!known && entities_->at(index)) refuse_index(type_name<T>, index);
        if (known && index_of(known) != index) refuse_index(type_name<T>, index);
        if (known) return;
        require_still_to_register(type_name<T>);
        components_.promise_index(type_number<T>(), index);
        register_own<T>(index);
        declare_properties<T>(registered<T>());
        if constexpr (reflected<T>) describe(registered<T>(), reflection_of<T>());
        install_hooks<T>(registered<T>());
    }

    /// Sets what the values of a component are made of.
    void describe(entity component, reflection members);

    /// A component described at run time; the one of that name when the description agrees with it. Throws
    /// std::invalid_argument when it does not, and name_error when the name is that of another entity.
    entity register_component(std::string_view text, const component_info& info);

    /// The facts of the values an identifier stands for: a component's own, a pair's relation's or else its
    /// target's.
    [[nodiscard]] component_info info_of_id(id word) const;

    /// Reads stand-ins, which are entities of world 0, as this world's.
    [[nodiscard]] inline id localize(id word) const {
        return word.is_entity() ? id(entities_->localize(word.as_entity())) : localize_pair(word);
    }

    // What an entity has.

    /// Everything the entity itself has: a pair for each target.
    [[nodiscard]] std::vector<id> ids_of(entity e) const;

    /// All components, in the order of their indices.
    [[nodiscard]] std::vector<entity> components() const;

    /// The component, or built-in entity, of that name; null when there is none.
    [[nodiscard]] inline entity component_named(std::string_view text) const {
        return components_.named(text);
    }
    /// Empty when there is none.
    [[nodiscard]] inline std::string name_of_component(entity component) const {
        return components_.name_of(component);
    }
    /// The name of a component, or of the one that gives a pair its values; else its index.
    [[nodiscard]] std::string text_of_component(id word) const;

    /// Why an identifier cannot be added to any entity; added when it can.
    [[nodiscard]] add_result check_addable(id word) const;

    add_result add(entity e, id word);
    add_result set(entity e, id word, const void* value);
    /// Adds an identifier that the entity of the row does not have; construct makes the value.
    template <callable_with<std::byte*> Construct>
    add_result add_with(row_ref at, id word, Construct&& construct) {
        require_still();
        const transition* const known = known_adding(*at.block->owner, word);
        if (!known) [[unlikely]]
            return as_one([&] { return add_new_with(at.owner(), word, std::forward<Construct>(construct)); });
        const column& added = *known->added.front();
        move(at, *known, [&](row_ref to) { std::forward<Construct>(construct)(added.value(to)); },
             {.all_new = true});
        return add_result::added;
    }

    /// Adds all of the components in one move. The key, which no identifier's word equals, stands for the
    /// list.
    add_result add_all(entity e, std::uint64_t key, std::span<const id> words);
    add_result remove_all(entity e, std::uint64_t key, std::span<const id> words);

    add_result remove(entity e, id word);
    /// Why the entity cannot lose all of the identifiers together; removed when it can. Changes nothing.
    [[nodiscard]] add_result check_departures(entity e, std::span<const id> words) const;
    /// Whether the identifier, once added, needs one of the others.
    [[nodiscard]] bool needs_any(id word, std::span<const id> others) const;
    [[nodiscard]] bool has(entity e, id word) const;
    /// Whether add would change nothing, because the entity itself has them: also a loop may ask for that.
    [[nodiscard]] bool adds_nothing(entity e, std::span<const id> words) const;

    /// The value, its own or inherited; nullptr when the entity is not alive or has none.
    [[nodiscard]] inline std::byte* find(entity e, id word) const {
        const row_ref at = locate(e);
        if (!at) return nullptr;
        word = localize(word);
        if (word.is_wildcard()) [[unlikely]]
            return find_any(at, word);
        if (std::byte* const own = value_at(at, word)) return own;
        return sides_.empty() || !side_of(word) ? find_elsewhere(at, word) : find_aside(e, word);
    }

    /// The value that the row itself has; nullptr when it has none.
    [[nodiscard]] inline std::byte* own_value(row_ref at, id word) const {
        std::byte* const found = value_at(at, word);
        return found || !at.block->owner->linked || !word.is_pair() ? found : linked_value(at, word);
    }

    /// The value of an identifier that has no column in the row's table: inherited, or the one that an
    /// exclusive relation keeps under its own name.
    [[nodiscard]] inline std::byte* find_elsewhere(row_ref at, id word) const {
        const table& in = *at.block->owner;
        return in.inherits || (in.linked && word.is_pair()) ? find_by_rule(at, word) : nullptr;
    }

    /// Throws the access_error that says why the entity has no such value.
    [[noreturn]] void refuse_access(entity e, id word, std::string_view component) const;
    /// The same for the value of a relation to the target.
    [[noreturn]] void refuse_pair_access(entity e, id word, entity target, std::string_view relation) const;

    /// Removes a component that is kept outside tables, if that is nobody's business; nothing says no.
    [[nodiscard]] inline std::optional<add_result> remove_quickly(entity e, id word) const {
        side_set* const side = side_of(word);
        if (!is_still() || !side || side->watched || side->ruled || has_bases_) [[unlikely]]
            return {};
        if (!locate(e)) return add_result::not_alive;
        return side->erase(index_of(e)) ? add_result::removed : add_result::not_there;
    }

    /// Where a component is kept that is not in tables; nullptr for all others.
    [[nodiscard]] inline side_set* side_of(id word) const {
        if (sides_.empty() || !word.is_entity()) return nullptr;
        return side_book::is_low(word) ? sides_.low(word) : side_of_record(word);
    }

    /// Who the entity, which is alive, has it from: itself, or a base; null when it does not have it.
    [[nodiscard]] inline entity holder_aside(entity e, const side_set& side) const {
        return side.contains(index_of(e)) ? e : base_aside(e, side);
    }

    /// Adds a component that is kept outside tables and that the entity, which is alive, does not have;
    /// construct makes the value, which counts as set unless it is a default. A hidden one is disabled before
    /// anybody is told of it.
    template <callable_with<std::byte*> Construct>
    add_result add_aside(entity e, side_set& side, Construct&& construct, bool sets = true,
                         bool hidden = false) {
        require_still();
        if (side.ruled) [[unlikely]]
            if (const add_result refusal = as_one([&] { return admit(e, side.word); }); !succeeded(refusal))
                return refusal;
        if (side.watched) [[unlikely]] {
            watched_.reserve(e);
            place_aside(e, side, construct, hidden);
            announce_aside(e, side, sets);
        } else {
            place_aside(e, side, construct, hidden);
        }
        if (has_bases_) [[unlikely]]
            note_aside(e);
        return add_result::added;
    }

    /// Refused for pairs whose targets are kept in a column: a row has one of them or none.
    add_result set_enabled(entity e, id word, bool enabled);
    [[nodiscard]] bool is_enabled(entity e, id word) const;

    [[nodiscard]] bool is_hidden(entity e, id word) const;

    // Changes.

    /// Keeps stamps of the component, the pair or the pattern from now on. Linear in the number of entities
    /// and of tables the first time. Throws iteration_error when that is during a loop.
    void watch(id word);
    [[nodiscard]] stamp_book* stamps_of(id word) const;
    /// Whether somebody may watch something that the pattern stands for.
    [[nodiscard]] bool watches(id pattern) const;
    /// Whose value find(e, word) gives; the entity and the word themselves when there is none.
    [[nodiscard]] held_value held(entity e, id word) const;
    /// The entity's own value was handed out to be written. For threads that write different entities.
    void touch(entity e, id word, moment when) const noexcept;
    /// Whether the value of the identifier that rows of the inheriting table have from a base has changed
    /// since, by the stamps of the identifier.
    [[nodiscard]] bool has_inherited_news(const table& heir, id word, const stamp_book& stamps,
                                          moment since) const;
    /// Whether somebody watches or observes anything.
    [[nodiscard]] inline bool is_attended() const { return attended_; }

    // Whoever has a watched component has room for its stamps. What is said of an entity that does not have
    // it comes to nothing: to get it is news anyway.

    /// The entity, which is alive, has a new value of the component. Throws what an observer throws.
    void written(entity e, id word);
    /// The same of several, which are one occasion.
    void written(entity e, std::span<const id> words);
    /// The same of those of the identifiers that were written.
    void written(entity e, std::span<const id> words, std::span<const bool> which);

    [[nodiscard]] inline moment now() const { return watched_.now(); }
    /// See watch_book::advance. Any thread.
    [[nodiscard]] inline moment advance() { return watched_.advance(); }

    // Observers.

    inline void set_face(world& face) { face_ = &face; }

    observer observe(std::shared_ptr<observer_record> fresh);

    /// Tells the observers of a custom event; along a relation, those at the targets, too. Returns whether
    /// the entity is alive. Throws what an observer throws.
    bool emit(entity e, const occurrence& what, id along);

    /// Tells queued observers what they have not been told yet. Returns how many times.
    std::size_t dispatch();

    /// Tells hooks, and the observers that asked for it, that every entity ends. Nothing can be changed any
    /// more.
    void announce_world_end() noexcept;

    /// What observers that have ended watched costs nothing any more. Linear in the number of tables when
    /// there are such.
    void forget_ended_observers() noexcept;

    /// Whether the entity is a component, or one that every world has: a fixture, of whose coming and going
    /// only their own components are told.
    [[nodiscard]] bool is_fixture(entity e) const;

    /// Makes a change of several steps whole: what observers ask for is done, and what they threw is thrown,
    /// when the outermost change is complete.
    template <class F> std::invoke_result_t<F> as_one(F&& change) {
        if (!observers_) [[likely]]
            return std::forward<F>(change)();
        return observers_->changes.make(*this, std::forward<F>(change));
    }

    /// The same for what an observer of several components is told of once.
    template <class F> std::invoke_result_t<F> as_one_occasion(F&& change) {
        return as_one([&] {
            std::optional<change_queue::whole_occasion> whole;
            if (observers_) whole.emplace(observers_->changes);
            return std::forward<F>(change)();
        });
    }

    /// Whether changes have to wait, because an observer is being told.
    [[nodiscard]] inline bool defers() const { return deferring_; }

    /// Makes the change when the observers have been told. Throws iteration_error when it is not an observer
    /// that asks.
    template <class F> void defer(F change) {
        if (!deferring_) refuse_to_change();
        observers_->changes.wait(std::move(change));
    }
    template <class F> add_result later(entity e, F change) {
        if (deferring_ && !entities_->alive(e)) return add_result::not_alive;
        defer(std::move(change));
        return add_result::deferred;
    }

    // Tables.

    [[nodiscard]] inline std::span<const std::unique_ptr<table>> tables() const { return tables_.all(); }
    [[nodiscard]] inline table& root() { return tables_.root(); }

    /// Changes whenever a table is removed or begins to hide rows, so that whoever remembers tables knows to
    /// forget them.
    [[nodiscard]] inline std::uint64_t removals() const { return removals_; }

    /// Changes whenever the entity of a component type ends: the type will get another.
    [[nodiscard]] inline std::uint64_t forgotten_types() const { return components_.forgotten_types(); }

    /// The table of exactly these identifiers, in the order of their words; made when there is none.
    [[nodiscard]] table& table_of(std::span<const id> type);
    /// The same for identifiers in any order, each perhaps more than once; they are sorted on the way.
    [[nodiscard]] table& table_of_set(id* words, std::size_t count);

    /// The way out of the table by adding an identifier, if it was taken before: then the identifier is
    /// sound, because the ways to the tables of an identifier are forgotten when it ends.
    [[nodiscard]] inline static const transition* known_adding(const table& from, id word) {
        return from.ways.find(edge_kind::adding, word);
    }
    [[nodiscard]] inline static const transition* known_removing(const table& from, id word) {
        return from.ways.find(edge_kind::removing, word);
    }
    /// The known way of a row, if nothing has to be asked or made on it, not even room; nullptr says nothing.
    [[nodiscard]] inline const transition* bare_way(edge_kind kind, row_ref at, id word) const {
        const bool may_be =
            at && word.kind() != id_kind::null && is_still(); // Of no kind: stands for a list.
        const transition* const known = may_be ? at.block->owner->ways.find(kind, word) : nullptr;
        return known && known->bare && known->to->has_room() ? known : nullptr;
    }

    [[nodiscard]] const transition& adding(table& from, id word);
    [[nodiscard]] const transition& removing(table& from, id word);
    /// Whether adding or removing all of them is a matter of moving a row.
    [[nodiscard]] bool move_plainly(const table& in, std::span<const id> words) const;
    [[nodiscard]] bool moves_plainly(const table& in, id word) const;
    [[nodiscard]] const transition& adding_all(table& from, std::uint64_t key, std::span<const id> words);
    [[nodiscard]] const transition& removing_all(table& from, std::uint64_t key, std::span<const id> words);

    /// Moves a row along the transition. Construct makes the added columns' values in the new row; when it
    /// throws, nothing has changed. Returns the new row. `given` says which values are no defaults; construct
    /// may also write those that the old row keeps, unless it can throw.
    template <callable_with<row_ref> Construct>
    row_ref move(row_ref from, const transition& along, Construct&& construct, given_values given = {}) {
        if (!along.bare) return move_with_care(from, along, construct, given);
        const row_ref to = along.to->reserve_row();
        construct_reserved(to, std::forward<Construct>(construct));
        along.from->give_row(from, along, *entities_);
        return to;
    }

    /// The same along a way that bare_way gave.
    template <callable_with<row_ref> Construct>
    void move_barely(row_ref from, const transition& along, Construct&& construct) {
        construct(along.to->next_row());
        along.from->give_row(from, along, *entities_);
    }

    /// A new entity in the table. Construct as in move.
    template <callable_with<row_ref> Construct> entity spawn_in(table& in, const Construct& construct) {
        if constexpr (noexcept(construct(row_ref{})))
            if (in.has_room() && !in.watched) [[likely]]
                return spawn_in_room(in, construct);
        return spawn_with_care(in, construct);
    }
    /// The same, where something may fail or somebody wants to know.
    entity spawn_with_care(table& in, row_constructor construct);

    /// New entities in the table, one for each place of `out`, in one step for each chunk. construct(at, i)
    /// makes the values of the i-th. When it throws, none of them has been.
    template <callable_with<row_ref, std::size_t> Construct>
    void spawn_many(table& in, std::span<entity> out, Construct&& construct) {
        spawn_many(in, out, std::forward<Construct>(construct), [](std::span<const entity>) noexcept {});
    }

    /// The same, and settled(entities), which cannot fail, learns of those of each chunk.
    template <class Construct, class Settled>
    void spawn_many(table& in, std::span<entity> out, Construct&& construct, const Settled& settled) {
        require_still();
        entities_->require(out.size());
        std::size_t done = 0;
        try {
            while (done != out.size()) {
                const row_ref at = in.reserve_row();
                const auto run =
                    out.subspan(done, std::min<std::size_t>(out.size() - done, at.block->capacity - at.row));
                const auto prepare = [&](std::span<const entity> all) {
                    if (in.watched) [[unlikely]]
                        for (const entity e : all) watched_.reserve(e);
                };
                spawn_run(at, run, prepare, [&](row_ref row, std::size_t i) { construct(row, done + i); });
                settled(run);
                done += run.size();
            }
        } catch (...) {
            for (const entity made : out.first(done)) take_back(made);
            std::ranges::fill(out, entity{});
            throw;
        }
        if (in.watched) [[unlikely]]
            announce_spawns(in, out);
    }

    /// See world::claim.
    entity claim(entity elsewhere);

    /// A new entity that has what this one has, but for its name. Throws access_error when it is not alive or
    /// a value cannot be copied.
    entity clone(entity e);

    /// See world::clone_tree.
    entity clone_tree(entity root);

    /// A new entity that gets its row when the observers have been told: settle(store&, e).
    template <class Settle> entity spawn_later(Settle settle) {
        return spawn_later(std::unique_ptr<waiting_row>(new settling_row<Settle>(std::move(settle))));
    }
    entity spawn_later(std::unique_ptr<waiting_row> row);
    /// Ends the entity if it has no row yet.
    void end_in_limbo(entity e) noexcept;

    /// Gives an entity in limbo its first row. Throws what making the values throws.
    void materialize(entity e, table& in, row_constructor construct);

    /// Takes over the rows of entities in limbo; see table::adopt. For a watched table, says who is coming.
    /// When memory runs out, some have come and the others are where they were.
    void adopt(table& home, std::span<unique_chunk> rows, std::span<const entity> coming, const table& layout,
               std::span<const column* const> columns);

    /// Those of the components that others come with.
    [[nodiscard]] std::vector<id> words_with_companions(std::span<const id> words) const;
    /// Adds what comes with the components, which the fresh entities have. Throws std::invalid_argument when
    /// it is refused, and what a constructor throws: then all of the entities have ended.
    void bring_companions(std::span<const entity> all, std::span<const id> words);
    /// Throws std::invalid_argument when one of the components can be added in a pair only.
    void require_whole(std::span<const id> words) const;

    /// The entities have got their rows. Throws what an observer throws.
    void announce_spawns(const table& in, std::span<const entity> all);
    void announce_spawns(const table& in, entity only);

    // Relations.

    /// The table of the children of the entity that have the components of another table; null when there is
    /// more to being its child than a place on its list.
    [[nodiscard]] table* home_of_children(entity parent, table& without);

    /// New children of the entity in a table that home_of_children gave; see spawn_many.
    template <callable_with<row_ref, std::size_t> Construct>
    void spawn_children(entity parent, table& in, std::span<entity> out, Construct&& construct) {
        source_lists& lists = lists_of(child_of.index());
        const column& links = *in.column_of(pair(child_of, any));
        const std::uint32_t first = lists.reserve(index_of(parent), out.size());
        entities_->set_referred(index_of(parent));
        try {
            spawn_many(
                in, out,
                [&](row_ref at, std::size_t i) {
                    ::new (links.value(at)) link{parent, first + static_cast<std::uint32_t>(i)};
                    construct(at, i);
                },
                [&](std::span<const entity> run) noexcept { lists.append_reserved(index_of(parent), run); });
        } catch (...) {
            lists.trim(index_of(parent));
            throw;
        }
        if (out.empty()) lists.trim(index_of(parent));
    }

    /// Makes fresh entities children of the entity. Throws std::invalid_argument when that is refused: then
    /// they have ended.
    void adopt_fresh(entity parent, std::span<entity> all);

    /// See world::sync.
    std::size_t sync(entity prefab);

    /// The target of the relation, the first in the order of the words when there are several; null when
    /// there is none.
    [[nodiscard]] entity target_of(entity e, entity relation) const;
    /// The same, and an inherited one when the entity has none itself.
    [[nodiscard]] inline entity target_had(entity e, entity relation) const {
        const entity own = target_of(e, relation);
        if (own || !rules_of(entities_->localize(relation)).any_of(rule::inheritable)) [[likely]]
            return own;
        const std::vector<entity> inherited = targets_had(e, relation);
        return inherited.empty() ? entity{} : inherited.front();
    }

    /// The target of a pair; null when it has ended or the word is no pair.
    [[nodiscard]] entity target_of_pair(id word) const;

    /// Every target of the relation that the entity itself has.
    [[nodiscard]] std::vector<entity> targets_of(entity e, entity relation) const;

    /// The same with those that it inherits, which come last.
    [[nodiscard]] std::vector<entity> targets_had(entity e, entity relation) const;

    /// What the rows of the table inherit in the relation; a target for each base that has it.
    [[nodiscard]] std::vector<entity> targets_inherited(const table& heir, entity relation) const;

    /// Everybody who has the pair; of any relation when the relation is null, each then as often as it has
    /// one. Nobody when it is no entity that is alive.
    [[nodiscard]] std::vector<entity> sources_of(entity target, id relation) const;

    /// Everybody who has the pair, each once, those who inherit it last.
    [[nodiscard]] std::vector<entity> sources_had(entity target, entity relation) const;

    /// Everybody who has exactly this pair, with whatever kind of target, and is no heir of it. Linear in
    /// their number, and in that of the tables that have had the pair.
    [[nodiscard]] std::vector<entity> own_sources(id word) const;

    /// The list of a target whose relation does not fragment; empty for other relations.
    [[nodiscard]] source_range list_of(entity target, std::uint32_t relation_index) const;

    /// See world::reorder.
    void reorder(entity target, std::span<const entity> sources, id relation);
    /// See world::replace_sources.
    add_result replace_sources(entity target, std::span<const entity> sources, id relation);

    [[nodiscard]] inline entity parent_of(entity e) const {
        const row_ref at = locate(e);
        return at && at.block->owner->linked ? linked_target(at, pair(child_of, any)) : entity{};
    }

    /// The target that a row keeps in the column of (relation, any); null when there is none.
    [[nodiscard]] inline static entity linked_target(row_ref at, id link_word) {
        const std::byte* const value = value_at(at, link_word);
        return value ? reinterpret_cast<const link*>(value)->target : entity{};
    }

    [[nodiscard]] inline const rules& rules_of(id word) const {
        if (word.is_entity()) return rules_.of(index_of(word.as_entity()));
        return rules_.of(word.has_relation() ? word.relation_index() : 0);
    }

    /// Every entity t for which has(e, pair(relation, t)) is true, for the relation of the word.
    [[nodiscard]] std::vector<entity> related_from(entity e, id word) const;
    /// Every entity e for which has(e, pair(relation, target)) is true.
    [[nodiscard]] std::vector<entity> related_to(entity target, id word) const;

    struct pair_count {
        std::size_t pairs;
        std::size_t targets;
    };
    /// Pairs of the word's relation that are stored, and how many targets they have.
    [[nodiscard]] pair_count count_pairs(id word) const;

    /// The pair that a base has for a pattern; the word itself when nothing is inherited.
    [[nodiscard]] id pair_behind(entity giver, id word) const;

    /// The nearest entity along the chains of the relation that has the identifier, and shows it to queries
    /// if that is asked; null when there is none.
    [[nodiscard]] entity up(entity e, entity relation, id word, bool shown = false) const;

    /// Everything below the entity: each before its children, or each generation before the next.
    [[nodiscard]] std::vector<entity> depth_first(entity root, id relation) const;
    [[nodiscard]] std::vector<entity> breadth_first(entity root, id relation) const;

    /// Whether a chain of the relation leads from one entity to the other, in one step or more; inherited
    /// steps count.
    [[nodiscard]] bool leads_to(entity from, entity relation, entity to) const;

    /// Whether the column of the word is no component's, but keeps values of pairs whose targets are in a
    /// column.
    [[nodiscard]] bool is_value_of_link(const table& in, id word) const;

    /// Everybody from whom a chain leads to the target of the pair; nullptr when the relation is not
    /// transitive. Linear in what is found.
    [[nodiscard]] std::shared_ptr<const chain_sources> sources_by_chains(id word) const;

    /// Whether the table's rows have what the pattern stands for; with what sources_by_chains said of it, no
    /// chain is followed.
    [[nodiscard]] presence presence_in(const table& candidate, id pattern,
                                       const chain_sources* known = nullptr) const;
    /// Whether the row has the pair, which has a target; likewise.
    [[nodiscard]] bool has_in_row(row_ref at, id word, const chain_sources* known) const;

    /// Who the rows of an inheriting table have the identifier from; null when from nobody.
    [[nodiscard]] entity base_with(const table& heir, id word) const;

    /// Whom the rows of an inheriting table inherit from, directly or not, the nearest first.
    [[nodiscard]] std::vector<entity> bases_of(const table& heir) const;

    /// See entity_graph::counterpart.
    [[nodiscard]] entity counterpart(entity instance, entity part) const;

    /// Where components are kept that are not in tables.
    [[nodiscard]] inline const side_book& sides() const { return sides_; }

    /// Changes whenever what a table's rows have changes without the table: by inheritance, or by a chain of
    /// a transitive relation.
    [[nodiscard]] inline std::uint64_t meanings() const { return meanings_; }

    // Objects of the host program; see objects.cppm.

    /// Adds a link to the object, which the world owns as far as the pointer does.
    add_result link_object(entity e, id relation, std::shared_ptr<void> object, std::uint32_t type);
    /// Null while nobody is linked to the object.
    [[nodiscard]] id link_of(id relation, const void* object, std::uint32_t type) const;
    /// nullptr when the object has left, or is of another type.
    [[nodiscard]] void* object_behind(id word, std::uint32_t type) const;
    /// The first that the entity has in the relation.
    [[nodiscard]] void* object_of(entity e, id relation, std::uint32_t type) const;

    // Names.

    /// Throws name_error when the text is empty, contains '/', or is the name of another entity of the same
    /// parent.
    void set_name(entity e, std::string_view text);

    /// The same for a fresh entity, which ends when it cannot have the name.
    void name_or_end(entity e, std::string_view text);

    /// Empty when the entity has no name or is not alive.
    [[nodiscard]] std::string_view name_of(entity e) const;

    /// The entity of a path such as "Ship/Turret/Barrel", from the scope inwards; null when there is none.
    /// In the outermost scope, components are found by their names where no entity has the name.
    [[nodiscard]] entity lookup(std::string_view path, entity scope = {}) const;

    /// The names from the outermost parent to the entity, joined by '/'.
    [[nodiscard]] std::string path_of(entity e) const;

    /// Ends every entity but components and those that every world has. No policy refuses it.
    void clear();

    /// Ends these, and those who end with them. No policy refuses it.
    void end_regardless(std::span<const entity> all);

    /// Ends those of these who live, with everything below them along child_of, and nobody else, whatever the
    /// policies say.
    void end_alone(std::span<const entity> all);

    // Memory.

    /// Makes room for so many more entities in the table, whose rows may move. Throws std::bad_alloc, or
    /// std::length_error when there cannot be so many.
    void reserve(table& in, std::size_t more);

    /// Gives back the memory no row needs.
    void shrink();
    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    friend loader;
    friend saver;

    /// As move, where there is more to attend to than bytes. Not inlined, so that move is.
    template <class Construct>
    [[gnu::noinline]] row_ref move_with_care(row_ref from, const transition& along, Construct& construct,
                                             given_values given) {
        if (along.from->togglable() && !along.to->togglable()) make_togglable(*along.to);
        if (along.watched) return as_one([&] { return move_watched(from, along, construct, given); });
        const row_ref to = along.to->reserve_row();
        construct_reserved(to, construct);
        finish_move(from, to, along);
        return to;
    }

    /// Observers are told of what goes before it goes, and of what came when it is there.
    template <class Construct>
    row_ref move_watched(row_ref from, const transition& along, Construct&& construct, given_values given) {
        const table& left = *from.block->owner;
        const entity e = from.owner();
        watched_.reserve(e);
        const row_ref to = along.to->reserve_row();
        construct_reserved(to, std::forward<Construct>(construct));
        watched_.row_moved(left, *along.to, e);
        note_heritage(left, *along.to, e);
        for (const id word : given.these)
            if (has_value(*along.to, word)) touch(e, word, now());
        announce_departure(left, *along.to, e);
        finish_move(from, to, along);
        announce_arrival(left, *along.to, e, given);
        return to;
    }

    template <class Construct>
    static void place_aside(entity e, side_set& side, Construct&& construct, bool hidden) {
        std::byte* const to = side.reserve(index_of(e));
        std::forward<Construct>(construct)(to);
        side.commit(e);
        if (hidden) [[unlikely]]
            side.set_enabled(index_of(e), false);
    }

    template <class T> void install_hooks([[maybe_unused]] entity component) {
        if constexpr (has_hooks<T>)
            for_each_hook<T>(component,
                             [&](std::shared_ptr<observer_record> hook) { observe(std::move(hook)); });
    }

    /// Adds an identifier that may have rules. Construct makes the value.
    template <class Construct> add_result add_new_with(entity e, id word, Construct&& construct) {
        if (const add_result refusal = check_addable(word); !succeeded(refusal)) return refusal;
        if (info_of_id(word).size == 0) return add_result::no_value;
        if (const add_result refusal = admit(e, word); !succeeded(refusal)) return refusal;
        if (keeps_in_column(word)) return link_with(e, word, [&](std::byte* to) { construct(to); });
        const row_ref at = locate(e);
        const transition& along = adding(*at.block->owner, word);
        const column& added = *along.added.front();
        move(at, along, [&](row_ref to) { construct(added.value(to)); }, {.all_new = true});
        return attend_to_added(e, word);
    }

    /// What the type declares of itself.
    template <class T> void declare_properties([[maybe_unused]] entity fresh) {
        if constexpr (items_of<T>.size() != 0) {
            static_assert(require_sound_properties<T>());
            std::apply([&](auto... item) { (declare_item<T>(fresh, item), ...); }, properties_of<T>.items);
        }
    }
    template <class T> void declare_item(entity fresh, id property) {
        require_declared(fresh, property, type_name<T>);
    }
    template <class T, class Other> void declare_item(entity fresh, with_type_t<Other>) {
        require_declared(fresh, pair(with, component_entity<Other>()), type_name<T>);
    }
    template <class T, class Other> void declare_item(entity fresh, needs_type_t<Other>) {
        require_declared(fresh, pair(needs, component_entity<Other>()), type_name<T>);
    }
    template <class T, class Other> void declare_item(entity fresh, excludes_type_t<Other>) {
        require_declared(fresh, pair(excludes, component_entity<Other>()), type_name<T>);
    }
    template <class T, class Group> void declare_item(entity fresh, one_of_type_t<Group>) {
        require_declared(fresh, pair(one_of, component_entity<Group>()), type_name<T>);
    }

    /// A type becomes a component with all that it declares, or none: whoever is told of it finds it whole,
    /// and what an observer throws comes when it is.
    class registration {
      public:
        explicit registration(store& in);
        registration(const registration&) = delete;
        registration& operator=(const registration&) = delete;
        ~registration();

        [[nodiscard]] entity begin(std::uint32_t number, std::string_view type_name,
                                   const component_info& info);
        void complete();

      private:
        store* in_;
        std::optional<change_queue::open_change> change_{}; ///< Nothing when there are no observers.
        entity fresh_{};                                    ///< Null when it is complete.
    };

    template <class T> void register_own(std::uint32_t index) {
        components_.reserve(type_number<T>());
        const entity fresh = entities_->create_at(index);
        if (!fresh) refuse_index(type_name<T>, index); // Retired.
        components_.enter(type_number<T>(), make_component(fresh, type_name<T>, info_of<T>));
    }

    // What the sources share, by the one that defines it. A class is known to that source alone.

    // observing.cpp
    class telling;
    void attend() noexcept;
    [[nodiscard]] bool is_watched(const table& t) const;
    void note_names(observed_pattern& of) const;
    [[nodiscard]] bool stands_for(const observed_pattern& of, id word) const;
    [[nodiscard]] bool is_observed(const observer_record& to, id word) const;
    [[nodiscard]] bool has_been_told(const observer_record& to, entity of) const;
    [[nodiscard]] bool concerns(const observer_record& to, const occurrence& what) const;
    [[nodiscard]] void* own_value(entity e, id word) const;
    [[nodiscard]] std::vector<id> words_of(entity e) const;
    void tell(const std::shared_ptr<observer_record>& to, const occurrence& what) noexcept;
    void announce(event what, entity e, id word) noexcept;
    void announce_match(event what, entity e, id word) noexcept;
    void announce_departure(const table& from, const table& to, entity e) noexcept;
    void announce_arrival(const table& from, const table& to, entity e, given_values given) noexcept;
    void announce_written(entity e, std::span<const id> words);
    [[nodiscard]] bool has_value(const table& in, id word) const;
    void announce_spawn(const table& in, entity e) noexcept;
    void announce_aside(entity e, const side_set& side, bool sets);
    void announce_end(entity e) noexcept;
    void announce_ends(const std::vector<entity>& doomed) noexcept;
    void forget_doomed() noexcept;
    void announce_table(event what, const table& t) noexcept;
    void announce_link(event what, entity e, id word) noexcept;
    void announce_toggle(entity e, id word, bool enabled);
    [[nodiscard]] bool is_so_for(const observer_record& to, entity e, id word) const;
    [[nodiscard]] bool is_so_for(const observer_record& to, entity e) const;
    void tell_existing(const std::shared_ptr<observer_record>& to);
    [[nodiscard]] occurrence occurrence_of(event what, entity e, id word) const;

    // watch.cpp
    [[nodiscard]] bool is_meant(id word) const;
    void stamp_owners(const table& in, const id_record& record, stamp_book& book) const;
    void note_heritage(const table& from, const table& to, entity e) noexcept;
    [[nodiscard]] entity giver_of(const table& in, const id_record& record, entity e) const;

    // structure.cpp
    /// Ends a fresh entity that nobody has been told of.
    void take_back(entity e) noexcept;
    [[nodiscard]] static std::vector<id> without_id(std::span<const id> type, id word);
    void end_row(row_ref at) noexcept;
    add_result set_name_like(entity e, const name& value);
    [[nodiscard]] table& make_table(std::span<const id> type);
    add_result add_with_care(entity e, id word);
    add_result add_along(row_ref at, const transition& along);
    add_result remove_with_care(entity e, id word);
    add_result toggle(entity e, id word, bool enabled);
    add_result toggle_aside(entity e, id word, bool enabled);
    void note_traits(table& made, id word);
    [[nodiscard]] bool is_plain(const table& from, id word) const;
    [[nodiscard]] bool has_companions(const table& in, id word) const;
    void finish_move(row_ref from, row_ref to, const transition& along) noexcept;
    static add_result replace_value(const column& in, std::byte* present, const void* value);
    add_result add_one_by_one(entity e, std::span<const id> words);
    add_result remove_one_by_one(entity e, std::span<const id> words);
    add_result set_later(entity e, id word, const void* value);
    void make_togglable(table& t);

    // aside.cpp
    [[nodiscard]] side_set* side_of_record(id word) const;
    [[nodiscard]] std::byte* find_aside(entity e, id word) const;
    [[nodiscard]] entity base_aside(entity e, const side_set& side) const;
    void note_aside(entity e);
    add_result add_default_aside(entity e, side_set& side);
    add_result set_copy_aside(entity e, side_set& side, const void* value);
    add_result remove_aside(entity e, side_set& side);
    void remove_watched(entity e, side_set& side);

    // cloning.cpp
    class cloning;
    class tree_copy;
    void copy_row(row_ref from, row_ref to) const;

    // admission.cpp
    class arrival;
    class admission;
    [[nodiscard]] add_result admit(entity e, id word);
    [[nodiscard]] add_result check_arrival(entity e, id word, const rules& own) const;
    [[nodiscard]] bool closes_cycle(entity e, id word) const;
    [[nodiscard]] entity namesake(entity e, id word) const;

    // heirs.cpp
    [[nodiscard]] std::vector<entity> heirs_of(entity from) const;
    [[nodiscard]] bool passes_on(entity from, id word) const;
    [[nodiscard]] bool is_excluded_below(entity e, id word, const rules& own) const;
    [[nodiscard]] bool may_lead_to(entity from, entity relation, std::span<const entity> those) const;
    [[nodiscard]] bool closes_cycle_below(entity e, id word) const;
    [[nodiscard]] add_result check_bequest(std::span<const entity> those, id word) const;
    [[nodiscard]] add_result check_inheritance(entity heir, entity from) const;

    // companions.cpp
    [[nodiscard]] id beside(id word, entity companion) const;
    [[nodiscard]] add_result add_companions(entity e, id word, const rules& own);
    [[nodiscard]] bool is_excluded(entity e, const rules& own) const;
    [[nodiscard]] bool carries(entity e, entity what) const;

    // relations.cpp
    [[nodiscard]] bool parts_others(entity e, id word) const;
    [[nodiscard]] bool is_stored(row_ref at, id word) const;
    add_result add_new(entity e, id word);
    void add_plain(entity e, id word);
    [[nodiscard]] bool is_kept_in_group(entity e) const;
    [[nodiscard]] bool has_default(id word) const;
    [[nodiscard]] bool has_beginning(row_ref at, id word) const;
    add_result attend_to_added(entity e, id word);
    add_result complete(entity e, id word);
    add_result add_image(entity e, id word);
    void attend_to_removed(entity e, id word);
    [[nodiscard]] bool owns(entity e, id word) const;
    [[nodiscard]] std::vector<id> own_matches(entity e, id pattern) const;
    [[nodiscard]] bool is_needed_by_others(entity e, id word, std::span<const id> leaving) const;
    [[nodiscard]] add_result check_keeping(entity e, id word, std::span<const id> leaving) const;
    [[nodiscard]] add_result check_departure(entity e, id word, std::span<const id> leaving) const;
    add_result remove_known(entity e, id word);
    add_result remove_checked(entity e, id word);
    add_result remove_in_turn(entity e, std::vector<id> words);
    add_result remove_stored(entity e, id word);
    add_result remove_images(entity e, id pattern, add_result so_far);
    [[nodiscard]] std::vector<id> destination(const table& from, id word) const;
    add_result remove_matches(entity e, id pattern);

    // linking.cpp
    /// Makes a pair's value; empty where it has none.
    using value_maker = std::function<void(std::byte*)>;
    /// Whether the pair's target is a value in a column.
    [[nodiscard]] inline bool keeps_in_column(id word) const {
        return word.is_pair() && rules_of(word).any_of(rule::non_fragmenting);
    }
    [[nodiscard]] value_maker maker_of_beginning(entity e, id word) const;
    [[nodiscard]] bool link_quickly(row_ref at, id word);
    add_result link_to(entity e, id word, const value_maker& make);
    add_result link_with(entity e, id word, const value_maker& make);
    void place_link(row_ref at, id key, link value, const value_maker& make);
    void relink(row_ref at, id key, link value) noexcept;
    [[nodiscard]] const transition& linking(table& from, id key, id relation);
    void attend_to_adoption(entity e, entity before, entity parent);
    void share_mark(entity e, entity parent);
    void mark_parts(entity whole);
    add_result unlink(entity e, id word);
    void unlink_from(entity e, id key);
    void leave_list(row_ref at, id key, const column& links) noexcept;
    void leave_lists(row_ref at) noexcept;
    void place_sources(entity target, std::uint32_t relation_index, std::span<const entity> sources) noexcept;
    [[nodiscard]] source_lists& lists_of(std::uint32_t relation_index);

    // replacing.cpp
    class replacing;

    // properties.cpp
    class usage;
    [[nodiscard]] add_result check_property(entity relation, id property) const;
    [[nodiscard]] add_result check_usage(entity of, rule added, entity target) const;
    [[nodiscard]] add_result check_retraction(entity relation, id property) const;
    void prepare_to_declare(entity relation, id property);
    void note_rule(entity relation, id property);
    void declare(entity relation, id property) noexcept;
    void retract(entity relation, id property) noexcept;
    void forget_ways();
    void require_declared(entity relation, id property, std::string_view type_name);

    // records.cpp
    [[nodiscard]] add_result check_places(id word) const;
    [[nodiscard]] id localize_pair(id word) const;

    // presence.cpp
    [[nodiscard]] bool has_by_rule(row_ref at, id word, const chain_sources* known = nullptr) const;
    [[nodiscard]] bool has_linked(row_ref at, id pattern) const;
    [[nodiscard]] std::byte* find_by_rule(row_ref at, id word) const;
    [[nodiscard]] std::byte* find_any(row_ref at, id pattern) const;
    [[nodiscard]] id valued_match(row_ref at, id pattern) const;
    [[nodiscard]] std::byte* linked_value(row_ref at, id word) const;

    // inheritance.cpp
    [[nodiscard]] bool is_heritable(id word) const;
    [[nodiscard]] std::vector<entity> lineage_of(entity e) const;
    [[nodiscard]] id rivals_of(id word) const;
    [[nodiscard]] bool stays_within(entity source, id stored) const;
    [[nodiscard]] std::vector<id> auto_overridden_of(entity from) const;
    [[nodiscard]] id heritable_match(row_ref from, id pattern) const;
    [[nodiscard]] bool bequeaths(entity from, id word) const;
    void construct_added(const transition& along, row_ref from, row_ref to) const;

    // instancing.cpp
    class instancing;
    class descent;
    void inherit(entity heir, entity from);
    void become_heir(entity heir, entity from);

    // objects.cpp
    void release_object(std::uint32_t slot) noexcept;
    void release_objects(const table& left, const table* now_in = nullptr) noexcept;
    [[nodiscard]] bool is_had(id word) const;

    // ending.cpp
    class consequences;
    class detachment;
    [[nodiscard]] std::vector<entity> holders_of(const id_record& record) const;
    bool end_referred(entity e);
    void end_one(entity e);
    void end_together(const std::vector<entity>& doomed);
    [[nodiscard]] bool is_needed(entity e) const;

    // replica.cpp
    class replication;

    // naming.cpp
    void change_name(entity e, std::string_view text);
    void give_name(row_ref at, name&& fresh);
    void forget_name(row_ref at) noexcept;
    [[nodiscard]] entity find_name(entity scope, std::string_view text) const;
    void rescope_name(entity e, entity from, entity to) noexcept;

    // store.cpp
    void bootstrap();
    void declare_builtin_relations();
    entity register_type(std::uint32_t number, std::string_view type_name, const component_info& info);
    entity make_component(entity e, std::string_view text, const component_info& info);
    [[noreturn]] static void refuse_index(std::string_view type_name, std::uint32_t index);
    void require_still_to_register(std::string_view component) const;
    [[nodiscard]] bool is_component(entity e) const;
    [[nodiscard]] id_record& record_of(id word);
    id_record& make_record(id word, const component_info& info);
    void set_referred(id word);
    void forget_record(id_record& record) noexcept;

    component_book components_;
    table_book tables_;
    record_book records_;
    flat_map<std::unique_ptr<source_lists>> lists_; ///< Of relations that do not fragment, by index.
    rule_book rules_;
    name_index names_;
    object_table objects_;
    side_book sides_; ///< Of all components that are kept outside tables.
    std::uint64_t removals_{};
    watch_book watched_;
    std::unique_ptr<observer_book> observers_; ///< Null while there are none.
    world* face_{};
    bool attended_{};
    bool has_bases_{}; ///< Somebody is, or was, an instance of something.
    bool deferring_{};
    std::uint64_t meanings_{};
    bool clearing_{}; ///< Everybody ends, so that no policy has anything to protect.
};

} // namespace ecs
