// SPDX-License-Identifier: MIT
// New entities from the values of their components: which table they go to, and what makes the values there.
//
//   one         the arguments are moved to the row
//   many        a source is asked for the values of each, and rows are filled a chunk at a time
//   children    the same, in the table that children of their parent are in
//
// Values outside tables, what comes along with a component, and identifiers are added when the row is there;
// when that fails, the entities have not been. Values outside tables whose components have no traits are
// there before observers are told of the entity. While observers are told, values are kept until they were.
export module ecs.world:spawner;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import ecs.query;
import :assignment;
import :bundle;

namespace ecs {

/// See the head of this file. Remembers the bundles that it has spawned.
class spawner {
  public:
    explicit spawner(engine& in) : engine_(in) {}

    /// The table of the components, and where their values go in it.
    template <class... Components> bundle<Components...>& bundle_of() {
        const std::uint32_t number = type_number<bundle<Components...>, type_series::keys>();
        if (number < bundles_.size()) [[likely]]
            if (any_bundle* const known = bundles_[number].get();
                known && known->cache_version == engine_.rows().cache_version()) [[likely]]
                return static_cast<bundle<Components...>&>(*known);
        return make_bundle<Components...>(number);
    }

    /// A new entity without components.
    [[nodiscard]] entity spawn() {
        store& rows = engine_.rows();
        if (rows.is_unlocked() && rows.spawns_rowless()) [[likely]]
            return rows.spawn_rowless();
        return spawn_slowly();
    }

    /// A new entity from values and identifiers.
    template <class... Arguments>
        requires(sizeof...(Arguments) != 0)
    entity spawn(Arguments&&... arguments) {
        if constexpr ((spawn_id<Arguments> || ...)) {
            if (const entity child = spawn_as_child(std::forward<Arguments>(arguments)...)) return child;
            register_types<Arguments...>();
            return engine_.events().as_one_occasion(
                [&] { return spawn_and_add(std::forward<Arguments>(arguments)...); });
        } else
            return spawn_components(std::forward<Arguments>(arguments)...);
    }

    /// Registers the components among the arguments. A type may bring hooks, which are observers: what they
    /// throw is kept until a change is whole only if there are observers when it begins.
    template <class... Arguments> void register_types() {
        (register_type<std::remove_cvref_t<Arguments>>(), ...);
    }

    /// Returns the text, which may be the name of a row that moves. Throws name_error when an entity that is
    /// spawned with these arguments cannot have the name.
    template <class... Arguments>
    [[nodiscard]] std::string free_name(std::string_view text, const Arguments&... arguments) {
        entity parent;
        for (const entity given : {entity{}, parent_given_by(arguments)...})
            if (given) parent = given;
        engine_.changes().require_free_name(parent, text);
        return std::string(text);
    }

    /// Makes one entity for each place of `out`; see row_sources.
    template <class Generator> void spawn_rows(std::span<entity> out, const Generator& generate) {
        using values = decltype(generate(std::size_t{}));
        [&]<class... T>(std::type_identity<std::tuple<T...>>) {
            static_assert((component_type<T> && ...), "a source must supply components");
            static_assert(!(spawn_id<T> || ...),
                          "the sources of many entities are components: add identifiers to each of them");
            static_assert((require_spawnable<T>() && ...));
            static_assert(all_different<T...>,
                          "an entity has a component once: two sources are of the same type");
            if (engine_.changes().defers()) [[unlikely]]
                return spawn_rows_later<T...>(out, generate);
            if constexpr (sizeof...(T) == 0)
                if (engine_.changes().is_open() && engine_.rows().spawns_rowless())
                    return engine_.rows().spawn_rowless(out);
            const auto& known = bundle_of<T...>();
            if constexpr ((is_sparse<T> || ...))
                return engine_.events().as_one([&] { spawn_rows_with_sparse<T...>(out, generate); });
            engine_.changes().require_open();
            // What observers ask for may make the bundle anew, and waits until it is not needed any more.
            if (known.constrained_ids.empty()) [[likely]]
                return engine_.events().as_one([&] { spawn_in_tables(known, out, generate); });
            engine_.events().as_one_occasion([&] {
                spawn_in_tables(known, out, generate);
                bring_required(out, known);
            });
        }(std::type_identity<values>{});
    }

    /// The same for children of the entity, which is alive.
    template <class Generator>
    void spawn_below(entity parent, std::span<entity> out, const Generator& generate) {
        using values = decltype(generate(std::size_t{}));
        [&]<class... T>(std::type_identity<std::tuple<T...>>) {
            table* home = nullptr;
            if constexpr (!(is_sparse<T> || ...))
                if (engine_.changes().is_open()) // An observer makes no table: others may be going over them.
                    if (const auto& known = bundle_of<T...>(); known.constrained_ids.empty())
                        home = engine_.spawns().home_of_children(parent, *known.archetype);
            register_types<T...>();
            if (!home)
                return engine_.events().as_one([&] {
                    spawn_rows(out, generate);
                    engine_.changes().adopt_fresh(parent, out);
                });
            const bundle_columns<T...> places{{home->column_of(engine_.component_entity<T>())...}};
            engine_.spawns().spawn_children(parent, *home, out,
                                            [&](row_ref first, std::size_t i, std::uint32_t count) {
                                                make_values(places, generate, first, i, count);
                                            });
        }(std::type_identity<values>{});
    }

  private:
    template <class... T, class Generator>
    void spawn_in_tables(const bundle<T...>& known, std::span<entity> out, const Generator& generate) {
        engine_.spawns().spawn_many(*known.archetype, *known.whole, out,
                                    [&](row_ref first, std::size_t i, std::uint32_t count) {
                                        make_values(known, generate, first, i, count);
                                    });
    }

    /// Makes the values of `count` entities from the i-th on, in rows that follow each other. When one
    /// throws, there are none.
    template <class Places, class Generator>
    static void make_values(const Places& places, const Generator& generate, row_ref first, std::size_t i,
                            std::uint32_t count) {
        if constexpr (Generator::are_bytes) {
            places.copy(first, generate, i, count);
        } else {
            row_store::make_each(first, count, [&](row_ref at, std::uint32_t n) {
                auto made = generate(i + n);
                places.construct(at, made);
            });
        }
    }

    [[gnu::noinline]] entity spawn_slowly();
    template <class T> void register_type() {
        if constexpr (!spawn_id<T>) std::ignore = engine_.component_entity<T>();
    }
    /// Spawns a child of another entity, without anything more, in its last table at once. Null when there is
    /// more to do: then nothing has happened to the arguments either.
    template <class... Arguments> entity spawn_as_child(Arguments&&... arguments) {
        constexpr bool is_plain = ((spawn_id<Arguments> || is_made_in_room<Arguments>) && ...);
        if constexpr (!is_plain || (spawn_id<Arguments> + ...) != 1) {
            return {};
        } else {
            light_tuple<Arguments&&...> all{{std::forward<Arguments>(arguments)}...};
            return [&]<std::size_t... I, std::size_t Id>(std::index_sequence<I...>, std::index_sequence<Id>) {
                return spawn_child(id(take<Id>(all)), take<I>(all)...);
            }(typename chosen_places<!spawn_id<Arguments>...>::type{},
                   typename chosen_places<spawn_id<Arguments>...>::type{});
        }
    }
    /// Whether the argument becomes a value in a table, and making it cannot fail.
    template <class Argument>
    static constexpr bool is_made_in_room =
        !is_sparse<std::remove_cvref_t<Argument>> && safely_makeable<std::remove_cvref_t<Argument>, Argument>;

    template <class... Components> entity spawn_child(id word, Components&&... components) {
        const entity parent = parent_in(word);
        if (!parent) return {};
        auto& known = bundle_of<std::remove_cvref_t<Components>...>();
        if (!known.below.archetype) {
            table* const home = engine_.spawns().home_of_children(parent, *known.archetype);
            if (home) known.place_children(engine_, *home);
        }
        if (!known.constrained_ids.empty() || !known.below.archetype ||
            known.below.archetype->tells_of_spawns || !known.below.archetype->has_room())
            return {};
        light_tuple<Components&&...> values{{std::forward<Components>(components)}...};
        return spawn_below_in_room(parent, known.below,
                                   [&](row_ref at) noexcept { known.columns_below.construct(at, values); });
    }
    /// The target of a pair of child_of, if children need nothing more than a place below it; null otherwise.
    [[nodiscard]] entity parent_in(id word) const;

    template <class Construct>
    entity spawn_below_in_room(entity parent, const any_bundle::children& below, const Construct& construct) {
        const std::uint32_t position = below.lists->reserve(index_of(parent), 1);
        try {
            const entity e = engine_.rows().spawn_in_room(*below.archetype, [&](row_ref at) noexcept {
                ::new (below.links->value(at)) link{parent, position};
                construct(at);
            });
            below.lists->append(index_of(parent), e); // Cannot fail: there is room.
            engine_.rows().entities().mark_used_as_id(index_of(parent));
            return e;
        } catch (...) {
            below.lists->trim(index_of(parent));
            throw;
        }
    }

    template <class... Arguments> entity spawn_and_add(Arguments&&... arguments) {
        light_tuple<Arguments&&...> all{{std::forward<Arguments>(arguments)}...};
        return
            [&]<std::size_t... Id, std::size_t... I>(std::index_sequence<Id...>, std::index_sequence<I...>) {
                const id words[]{id(take<Id>(all))...};
                require_addable(words);
                const entity e = spawn_components(take<I>(all)...);
                add_or_despawn(e, words);
                return e;
            }(typename chosen_places<spawn_id<Arguments>...>::type{},
              typename chosen_places<!spawn_id<Arguments>...>::type{});
    }
    void require_addable(std::span<const id> words) const;
    void add_or_despawn(entity e, std::span<const id> words);
    void add_or_despawn_later(entity e, std::span<const id> words);
    [[nodiscard]] add_result add_all(entity e, std::span<const id> words);
    [[nodiscard]] entity parent_named(id word) const;
    template <class Argument>
    [[nodiscard]] entity parent_given_by([[maybe_unused]] const Argument& argument) const {
        if constexpr (spawn_id<const Argument&>)
            return parent_named(id(argument));
        else
            return {};
    }

    template <class... Components> entity spawn_components(Components&&... components) {
        static_assert(all_different<std::remove_cvref_t<Components>...>,
                      "an entity has a component once: two of the arguments are of the same type");
        static_assert(
            (makeable<std::remove_cvref_t<Components>, Components> && ...),
            "a value is moved or copied to its entity: std::move what cannot be copied, and emplace "
            "what cannot be moved");
        static_assert((require_spawnable<std::remove_cvref_t<Components>>() && ...));
        if (!engine_.changes().is_open()) [[unlikely]]
            return spawn_later(std::forward<Components>(components)...);
        const auto& known = bundle_of<std::remove_cvref_t<Components>...>();
        if constexpr ((is_sparse<std::remove_cvref_t<Components>> || ...)) {
            light_tuple<std::remove_cvref_t<Components>...> values{{std::forward<Components>(components)}...};
            return engine_.events().as_one_occasion([&] { return spawn_with_sparse(known, values); });
        }
        if (!known.archetype->has_room()) [[unlikely]] {
            // An argument may be a component of this world that moves when the table makes room.
            light_tuple<std::remove_cvref_t<Components>...> values{{std::forward<Components>(components)}...};
            return spawn_with_care(known, [&](row_ref at) { known.construct(at, values); });
        }
        light_tuple<Components&&...> values{{std::forward<Components>(components)}...};
        const auto construct = [&](row_ref at) noexcept(noexcept(known.construct(at, values))) {
            known.construct(at, values);
        };
        if (known.constrained_ids.empty()) [[likely]]
            return engine_.spawn_in(*known.archetype, construct);
        return spawn_with_care(known, construct);
    }

    /// The same as engine::spawn_in, with what comes along.
    entity spawn_with_care(const any_bundle& known, row_constructor construct);

    template <class... Components, class Values>
    entity spawn_with_sparse(const bundle<Components...>& known, Values& values) {
        entity e = engine_.spawns().spawn_untold(*known.archetype, *known.whole,
                                                 [&](row_ref at) { known.construct(at, values); });
        place_and_announce<Components...>(e, *known.whole, values);
        if (!known.constrained_ids.empty()) [[unlikely]]
            bring_required({&e, 1}, known);
        return e;
    }

    /// Nobody has been told of the entity yet, which is in that table.
    template <class... T, class Values> void place_and_announce(entity e, const table& in, Values& values) {
        sparse_set* placed[sizeof...(T)]{};
        const bool are_all = place_or_take_back<T...>(e, values, placed);
        engine_.spawns().announce(in, e, placed, sizeof...(T));
        if (!are_all) [[unlikely]]
            set_sparse_or_despawn<T...>(e, values, placed);
    }

    /// Places the values for which no trait has to be asked, and notes their sets. Returns whether these are
    /// all that are kept outside tables.
    template <class... T, class Values>
    bool place_or_take_back(entity e, Values& values, sparse_set** placed) {
        bool are_all = true;
        try {
            [&]<std::size_t... I>(std::index_sequence<I...>) {
                (..., (are_all = place_if_sparse<T>(e, take<I>(values), placed[I]) && are_all));
            }(std::index_sequence_for<T...>{});
        } catch (...) {
            engine_.spawns().take_back(e);
            throw;
        }
        return are_all;
    }
    /// False where a trait has to be asked.
    template <class T>
    bool place_if_sparse([[maybe_unused]] entity e, [[maybe_unused]] T&& value,
                         [[maybe_unused]] sparse_set*& placed) {
        if constexpr (is_sparse<T>) {
            sparse_set* const set = engine_.rows().sparse_of(engine_.component_entity<T>());
            if (!set || set->constrained) return false;
            const auto construct = [&]([[maybe_unused]] std::byte* to) {
                if constexpr (!std::is_empty_v<T>) ::new (to) T(std::forward<T>(value));
            };
            engine_.core().place_untold(e, *set, construct, false);
            placed = set;
        }
        return true;
    }

    template <class... T, class Values>
    void set_sparse_or_despawn(entity e, Values& values, sparse_set* const* placed) {
        try {
            set_all_sparse<T...>(e, values, placed);
        } catch (...) {
            engine_.changes().discard({&e, 1});
            throw;
        }
    }

    /// Sets the values outside tables, but those in the sets that are given.
    template <class... T, class Values>
    void set_all_sparse(entity e, Values& values, sparse_set* const* placed) {
        const id words[]{engine_.component_entity<T>()...};
        const std::vector<std::size_t> order = engine_.checks().order_of_coming(words);
        [&]<std::size_t... I>(std::index_sequence<I...>) {
            for (std::size_t turn = 0; turn != sizeof...(T); ++turn)
                (..., set_if_sparse<T>(!placed[I] && I == (order.empty() ? turn : order[turn]), e,
                                       take<I>(values)));
        }(std::index_sequence_for<T...>{});
    }
    template <class T> void set_if_sparse(bool is_its_turn, entity e, T&& value) {
        if constexpr (is_sparse<T>)
            if (is_its_turn)
                require_added(set_sparse(engine_, e, engine_.component_entity<T>(), std::forward<T>(value)),
                              type_name<T>);
    }

    /// The values are kept until the entities that get the values outside tables are there.
    template <class... T, class Generator>
    void spawn_rows_with_sparse(std::span<entity> out, const Generator& generate) {
        engine_.changes().require_open();
        std::vector<std::tuple<T...>> values;
        values.reserve(out.size());
        for (std::size_t i = 0; i < out.size(); ++i) values.push_back(generate(i));
        const auto& known = bundle_of<T...>();
        if (engine_.events().has_observers()) return spawn_in_turn(known, out, values);
        engine_.spawns().spawn_many(*known.archetype, *known.whole, out,
                                    [&](row_ref first, std::size_t i, std::uint32_t count) {
                                        row_store::make_each(first, count, [&](row_ref at, std::uint32_t n) {
                                            known.construct(at, values[i + n]);
                                        });
                                    });
        sparse_set* const none[sizeof...(T)]{};
        try {
            for (std::size_t i = 0; i < out.size(); ++i) set_all_sparse<T...>(out[i], values[i], none);
        } catch (...) {
            engine_.changes().discard(out);
            std::ranges::fill(out, entity{});
            throw;
        }
        if (!known.constrained_ids.empty()) [[unlikely]]
            bring_required(out, known);
    }

    /// The same where observers are told of each entity once, in whatever storages its values are.
    template <class... T>
    void spawn_in_turn(const bundle<T...>& known, std::span<entity> out,
                       std::vector<std::tuple<T...>>& values) {
        std::size_t made = 0;
        try {
            for (; made != out.size(); ++made)
                out[made] =
                    engine_.events().as_one_occasion([&] { return spawn_with_sparse(known, values[made]); });
        } catch (...) {
            engine_.changes().discard(out.first(made));
            std::ranges::fill(out, entity{});
            throw;
        }
    }

    template <class... T, class Generator>
    void spawn_rows_later(std::span<entity> out, const Generator& generate) {
        std::size_t made = 0;
        try {
            for (; made < out.size(); ++made)
                out[made] = std::apply([&](T&&... values) { return spawn_later(std::move(values)...); },
                                       generate(made));
        } catch (...) {
            engine_.changes().withdraw(out.first(made));
            throw;
        }
    }

    template <class... Components> entity spawn_later(Components&&... components) {
        return engine_.changes().spawn_later(
            [this, kept = light_tuple<std::remove_cvref_t<Components>...>{
                       {std::forward<Components>(components)}...}](entity e) mutable {
                if constexpr ((is_sparse<std::remove_cvref_t<Components>> || ...))
                    engine_.events().as_one_occasion(
                        [&] { this->template settle<std::remove_cvref_t<Components>...>(e, kept); });
                else
                    this->template settle<std::remove_cvref_t<Components>...>(e, kept);
            });
    }
    template <class... T> void settle(entity e, auto& values) {
        const auto& known = bundle_of<T...>();
        const auto construct = [&](row_ref at) { known.construct(at, values); };
        if constexpr ((is_sparse<T> || ...)) {
            engine_.spawns().materialize_untold(e, *known.archetype, *known.whole, construct);
            place_and_announce<T...>(e, *known.whole, values);
        } else {
            engine_.spawns().materialize(e, *known.archetype, *known.whole, construct);
        }
        bring_required_later(e, known);
    }
    void bring_required_later(entity e, const any_bundle& known);
    void bring_required(std::span<entity> all, const any_bundle& known);

    template <class... Components>
    [[gnu::noinline]] bundle<Components...>& make_bundle(std::uint32_t number) {
        auto* const fresh = new bundle<Components...>(engine_);
        keep(number, fresh);
        return *fresh;
    }

    /// Takes ownership of the bundle; see query_cache::keep.
    void keep(std::uint32_t number, any_bundle* made);
    static void require_added(add_result result, std::string_view type_name);

    engine& engine_;
    std::vector<std::unique_ptr<any_bundle>> bundles_;
};

} // namespace ecs
