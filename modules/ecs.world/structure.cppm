// SPDX-License-Identifier: MIT
// Changes to what entities have. The highest of the five floors of a world, see store.cppm: it asks the
// constraints, moves rows, and has the notifier tell what happened.
//
// A structural change has two halves. The first may throw and changes nothing that could be seen: the row in
// the table to come is reserved and its new values are constructed. The second cannot fail: values move and
// places change.
export module ecs.world:structure;
import ecs.std;
import ecs.id;
import ecs.relation;
import :change_queue;
import :chunk;
import :component;
import :constraints;
import :entities;
import :hooks;
import :lookup;
import :notifier;
import :observer;
import :property_list;
import :reflection;
import :result;
import :rules;
import :side_set;
import :sources;
import :store;
import :table;
import :transition;

namespace ecs {

/// See the head of this file.
class structure : public notifier {
  public:
    using notifier::notifier;

    // Entities.

    /// A new entity without components. Throws std::bad_alloc.
    entity spawn();

    /// Ends the entity and whatever ends with it; false when it is not alive.
    bool despawn(entity e);

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
        if (!known && entities().at(index)) refuse_index(type_name<T>, index);
        if (known && index_of(known) != index) refuse_index(type_name<T>, index);
        if (known) return;
        require_still_to_register(type_name<T>);
        component_types().promise_index(type_number<T>(), index);
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
            reserve_ticks(e);
            place_aside(e, side, construct, hidden);
            announce_aside(e, side, sets);
        } else {
            place_aside(e, side, construct, hidden);
        }
        if (has_bases()) [[unlikely]]
            note_aside(e);
        return add_result::added;
    }

    /// Refused for pairs whose targets are kept in a column: a row has one of them or none.
    add_result set_enabled(entity e, id word, bool enabled);

    /// The table of exactly these identifiers, in the order of their words; made when there is none.
    [[nodiscard]] table& table_of(std::span<const id> type);
    /// The same for identifiers in any order, each perhaps more than once; they are sorted on the way.
    [[nodiscard]] table& table_of_set(id* words, std::size_t count);

    [[nodiscard]] const transition& adding(table& from, id word);
    [[nodiscard]] const transition& removing(table& from, id word);
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
        along.from->give_row(from, along, entities());
        return to;
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
        entities().require(out.size());
        std::size_t done = 0;
        try {
            while (done != out.size()) {
                const row_ref at = in.reserve_row();
                const auto run =
                    out.subspan(done, std::min<std::size_t>(out.size() - done, at.block->capacity - at.row));
                const auto prepare = [&](std::span<const entity> all) {
                    if (in.watched) [[unlikely]]
                        for (const entity e : all) reserve_ticks(e);
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

    /// A new entity that gets its row when the observers have been told: settle(e).
    template <class Settle> entity spawn_later(Settle settle) {
        return wait_for_row(std::unique_ptr<waiting_row>(new settling_row<Settle>(std::move(settle))));
    }
    /// Ends the entity if it has no row yet.
    void end_in_limbo(entity e) noexcept;

    /// Gives an entity in limbo its first row. Throws what making the values throws.
    void materialize(entity e, table& in, row_constructor construct);

    /// Takes over the rows of entities in limbo; see table::adopt. For a watched table, says who is coming.
    /// When memory runs out, some have come and the others are where they were.
    void adopt(table& home, std::span<unique_chunk> rows, std::span<const entity> coming, const table& layout,
               std::span<const column* const> columns);
    /// Adds what comes with the components, which the fresh entities have. Throws std::invalid_argument when
    /// it is refused, and what a constructor throws: then all of the entities have ended.
    void bring_companions(std::span<const entity> all, std::span<const id> words);

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
        entities().set_referred(index_of(parent));
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

    /// See world::reorder.
    void reorder(entity target, std::span<const entity> sources, id relation);
    /// See world::replace_sources.
    add_result replace_sources(entity target, std::span<const entity> sources, id relation);

    // Objects of the host program; see objects.cppm.

    /// Adds a link to the object, which the world owns as far as the pointer does.
    add_result link_object(entity e, id relation, std::shared_ptr<void> object, std::uint32_t type);

    // Names.

    /// Throws name_error when the text is empty, contains '/', or is the name of another entity of the same
    /// parent.
    void set_name(entity e, std::string_view text);

    /// The same for a fresh entity, which ends when it cannot have the name.
    void name_or_end(entity e, std::string_view text);

    /// Ends every entity but components and those that every world has. No policy refuses it.
    void clear();

    /// Ends these, and those who end with them. No policy refuses it.
    void end_regardless(std::span<const entity> all);

    /// Ends those of these who live, with everything below them along child_of, and nobody else, whatever the
    /// policies say.
    void end_alone(std::span<const entity> all);

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
        reserve_ticks(e);
        const row_ref to = along.to->reserve_row();
        construct_reserved(to, std::forward<Construct>(construct));
        note_move(left, *along.to, e);
        for (const id word : given.these)
            if (has_value(*along.to, word)) touch(e, word, now());
        announce_departure(left, *along.to, e);
        finish_move(from, to, along);
        announce_arrival(left, *along.to, e, given);
        return to;
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
        explicit registration(structure& in);
        registration(const registration&) = delete;
        registration& operator=(const registration&) = delete;
        ~registration();

        [[nodiscard]] entity begin(std::uint32_t number, std::string_view type_name,
                                   const component_info& info);
        void complete();

      private:
        structure* in_;
        std::optional<change_queue::open_change> change_{}; ///< Nothing when there are no observers.
        entity fresh_{};                                    ///< Null when it is complete.
    };

    template <class T> void register_own(std::uint32_t index) {
        component_types().reserve(type_number<T>());
        const entity fresh = entities().create_at(index);
        if (!fresh) refuse_index(type_name<T>, index); // Retired.
        component_types().enter(type_number<T>(), make_component(fresh, type_name<T>, info_of<T>));
    }

    /// Ends a fresh entity that nobody has been told of.
    void take_back(entity e) noexcept;
    [[nodiscard]] static std::vector<id> without_id(std::span<const id> type, id word);
    add_result set_name_like(entity e, const name& value);
    add_result add_with_care(entity e, id word);
    add_result add_along(row_ref at, const transition& along);
    add_result remove_with_care(entity e, id word);
    add_result toggle(entity e, id word, bool enabled);
    add_result toggle_aside(entity e, id word, bool enabled);
    add_result add_one_by_one(entity e, std::span<const id> words);
    add_result remove_one_by_one(entity e, std::span<const id> words);
    add_result set_later(entity e, id word, const void* value);
    void note_aside(entity e);
    add_result add_default_aside(entity e, side_set& side);
    add_result set_copy_aside(entity e, side_set& side, const void* value);
    add_result remove_aside(entity e, side_set& side);
    void remove_watched(entity e, side_set& side);
    [[nodiscard]] add_result admit(entity e, id word);
    [[nodiscard]] add_result add_companions(entity e, id word, const rules& own);
    add_result add_new(entity e, id word);
    void add_plain(entity e, id word);
    add_result attend_to_added(entity e, id word);
    add_result complete(entity e, id word);
    add_result add_image(entity e, id word);
    void attend_to_removed(entity e, id word);
    add_result remove_known(entity e, id word);
    add_result remove_checked(entity e, id word);
    add_result remove_in_turn(entity e, std::vector<id> words);
    add_result remove_stored(entity e, id word);
    add_result remove_images(entity e, id pattern, add_result so_far);
    add_result remove_matches(entity e, id pattern);

    /// Makes a pair's value; empty where it has none.
    using value_maker = std::function<void(std::byte*)>;
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
    void prepare_to_declare(entity relation, id property);
    void declare(entity relation, id property) noexcept;
    void retract(entity relation, id property) noexcept;
    void require_declared(entity relation, id property, std::string_view type_name);
    void inherit(entity heir, entity from);
    void become_heir(entity heir, entity from);
    bool end_referred(entity e);
    void end_one(entity e);
    void end_together(const std::vector<entity>& doomed);

    void change_name(entity e, std::string_view text);
    void give_name(row_ref at, name&& fresh);

    void bootstrap();
    void declare_builtin_relations();
    entity register_type(std::uint32_t number, std::string_view type_name, const component_info& info);
    entity make_component(entity e, std::string_view text, const component_info& info);
    [[noreturn]] static void refuse_index(std::string_view type_name, std::uint32_t index);
    void require_still_to_register(std::string_view component) const;

  private:
    bool clearing_{}; ///< Every entity ends, so that no policy has anything to protect.
};

} // namespace ecs
