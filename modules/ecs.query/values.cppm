// SPDX-License-Identifier: MIT
// Where the value of a type is at an entity: in its row, outside tables, or at the entity it inherits from.
//
//   usual_place    the place that a type's number leads to: all that loops over get consist of
//   search         every other place, and none: a call
export module ecs.query:values;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :term;

export namespace ecs {

/// The value that the entity of the index has itself; nullptr when it has none.
template <class T> [[nodiscard]] std::byte* own_sparse_value(const sparse_set& in, std::uint32_t index) {
    if constexpr (is_in_place<T>)
        return in.find_in_place(in.where(index));
    else
        return in.find(index);
}

/// The value of an entity, which is alive, of a component that is kept outside tables.
template <class T> [[nodiscard]] T* sparse_value(const engine& in, entity e) {
    const id word = known_id_of_type<T>(in);
    const sparse_set* const sparse = in.rows().sparse_of(word);
    if (!sparse) return nullptr;
    if constexpr (std::is_empty_v<T>) {
        return in.reads().sparse_holder(e, *sparse) ? &tag_value<T>() : nullptr;
    } else {
        if (std::byte* const own = own_sparse_value<T>(*sparse, index_of(e))) [[likely]]
            return reinterpret_cast<T*>(own);
        const entity giver = in.reads().sparse_base(e, *sparse);
        return giver ? reinterpret_cast<T*>(sparse->find(index_of(giver))) : nullptr;
    }
}

/// The usual place of the component's value; when the result has no column, nothing is known.
template <class T>
[[nodiscard, gnu::always_inline]] inline value_place usual_place(const engine& in, entity e) {
    if constexpr (is_sparse<T>)
        return {in.rows().locate(e) ? reinterpret_cast<std::byte*>(sparse_value<T>(in, e)) : nullptr};
    else
        return value_at_hand(in.rows().entities().slots_at_hand(), in.rows().typed<T>().starts, e, sizeof(T));
}
template <class T> [[nodiscard, gnu::always_inline]] inline T* value_at(value_place found) {
    return reinterpret_cast<T*>(found.value());
}

/// Whether entities can have the type alone, in their tables or elsewhere.
template <class T> inline constexpr bool is_had_alone = !pair_type<T> && !is_relation_type<T>;
/// Whether the type's values can be at a usual place.
template <class T> inline constexpr bool has_usual_place = is_had_alone<T> && !std::is_empty_v<T>;

/// The value in the row itself.
template <class T> [[nodiscard]] T* own_value(row_ref at, id word) {
    if constexpr (std::is_empty_v<T>)
        return at.block->owner->has(word) ? &tag_value<T>() : nullptr;
    else
        return reinterpret_cast<T*>(store::value_at(at, word));
}

/// The same without a search through the type of the table, where the component has an array of starts.
template <class T> [[nodiscard]] T* own_value(const engine& in, row_ref at, id word) {
    const column_starts::by_chunk starts = in.rows().starts_of(word);
    if (std::is_empty_v<T> || !starts) return own_value<T>(at, word);
    std::byte* const column = starts[at.block->number()];
    return column ? reinterpret_cast<T*>(column + at.row * sizeof(T)) : nullptr;
}

/// The value in the row, or the one that the row inherits.
template <class T> [[nodiscard]] T* own_or_inherited_value(const engine& in, row_ref at, id word) {
    if (T* const own = own_value<T>(in, at, word)) return own;
    if constexpr (std::is_empty_v<T>)
        return in.has(at.owner(), word) ? &tag_value<T>() : nullptr;
    else
        return reinterpret_cast<T*>(in.reads().find_elsewhere(at, word));
}

/// The value of a component that is not at its usual place, or that is nowhere.
template <class T> [[nodiscard]] value_of<T>* find_anywhere(const engine& in, entity e) {
    const row_ref at = in.rows().locate(e);
    if constexpr (is_sparse<T>)
        return at ? sparse_value<T>(in, e) : nullptr;
    else if constexpr (is_relation_type<T>)
        return nullptr; // Only its pairs have values.
    else if constexpr (is_pattern_type<T> && !std::is_empty_v<value_of<T>>)
        return reinterpret_cast<value_of<T>*>(in.find(e, known_id_of_type<T>(in)));
    else {
        const id word = known_id_of_type<T>(in);
        return at && !in.reads().is_value_of_link(*at.block->owner, word)
                   ? own_or_inherited_value<value_of<T>>(in, at, word)
                   : nullptr;
    }
}

template <class T> struct search_result {
    T* value{};
    bool has_failed{}; ///< There was no memory for the search.
};
/// The same as a call, so that loops over get and try_get hold the fast path alone; and one that does not
/// throw, so that they keep in registers what would have to be in memory when it did.
template <class T>
[[nodiscard, gnu::noinline]] search_result<value_of<T>> search(const engine& in, entity e) noexcept {
    try {
        return {find_anywhere<T>(in, e)};
    } catch (...) {
        return {nullptr, true};
    }
}
/// Throws what the failed search did not throw: the search is made again.
template <class T> [[noreturn, gnu::noinline]] void fail_to_search(const engine& in, entity e) {
    static_cast<void>(find_anywhere<T>(in, e));
    throw std::bad_alloc();
}

template <class T>
[[nodiscard, gnu::always_inline]] inline value_of<T>* find_slowly(const engine& in, entity e) {
    const search_result<value_of<T>> found = search<T>(in, e);
    if (found.has_failed) [[unlikely]]
        fail_to_search<T>(in, e);
    return found.value;
}

template <class T> [[noreturn, gnu::noinline]] void refuse_value(const engine& in, entity e) {
    in.reads().refuse_access(e, known_id_of_type<T>(in), type_name<T>, in.events().defers());
}
template <class T>
[[nodiscard, gnu::always_inline]] inline value_of<T>& get_slowly(const engine& in, entity e) {
    if (auto* const found = find_slowly<T>(in, e)) [[likely]]
        return *found;
    refuse_value<T>(in, e);
}

// For const T the same value as for T, to be read.

/// The value, or nullptr when the entity is not alive or does not have it.
template <class T>
[[nodiscard, gnu::always_inline]] inline value_of<T>* find_value(const engine& in, entity e) {
    using component = std::remove_const_t<T>;
    if constexpr (!component_type<component>) static_assert(require_component<component>());
    if constexpr (has_usual_place<component>)
        if (const value_place found = usual_place<component>(in, e)) [[likely]]
            return value_at<component>(found);
    return find_slowly<component>(in, e);
}

template <class T> [[nodiscard]] bool is_in_type_of_row(const engine& in, entity e) {
    const id word = known_id_of_type<T>(in);
    if constexpr (!pair_type<T> && !is_sparse<T>)
        if (const row_ref at = in.rows().locate(e)) [[likely]]
            if (const table& own = *at.block->owner; !own.inherits && !own.linked) [[likely]]
                return own.has(word);
    return word && in.has(e, word);
}

/// Whether the entity has the component, itself or from a base. A row that inherits nothing, and has no
/// target in a column, has the component exactly if its chunk has a start of it.
template <class T> [[nodiscard, gnu::always_inline]] inline bool has_component(const engine& in, entity e) {
    if constexpr (!component_type<T>) static_assert(require_component<T>());
    if constexpr (is_had_alone<T> && !is_sparse<T>) {
        const column_starts::typed& of = in.rows().typed<T>();
        if (std::uint64_t slot{}; in.rows().entities().slots_at_hand().find(e, slot) && of.component)
            [[likely]]
            if (const row_ref at = in.rows().row_behind(slot, e)) [[likely]]
                if (const table& own = *at.block->owner; !own.inherits && !own.linked) [[likely]]
                    return static_cast<bool>(value_behind(slot, of.starts, sizeof(T)));
    }
    return is_in_type_of_row<T>(in, e);
}

/// The value. Throws access_error when the entity is not alive or does not have it.
template <class T>
[[nodiscard, gnu::always_inline]] inline value_of<T>& get_value(const engine& in, entity e) {
    static_assert(std::same_as<T, std::remove_reference_t<T>>,
                  "a component is written without &: get<T> returns a reference");
    using component = std::remove_const_t<T>;
    if constexpr (!component_type<component>) static_assert(require_component<component>());
    if constexpr (has_usual_place<component>)
        if (const value_place found = usual_place<component>(in, e)) [[likely]]
            return *value_at<component>(found);
    return get_slowly<component>(in, e);
}

/// A loop over handles, each of which says which memory is needed next. Where that is not in the caches, the
/// loop asks for the slots of entities to which it will come, and then for the values to which those slots
/// lead. It does not keep what it learns ahead: when it comes to an entity, it looks again, because what it
/// calls may have changed the world (docs/decisions/loops.md).
template <class Getter> void visit_handles(const Getter& of, std::span<const entity> all, const auto& visit) {
    const std::size_t to_value = of.look_ahead(), to_slot = 2 * to_value;
    std::size_t next = 0;
    if (to_value != 0)
        for (; next + to_slot < all.size(); ++next) {
            of.ask_for_slot(all[next + to_slot]);
            of.ask_for_value(all[next + to_value]);
            visit(all[next]);
        }
    for (const entity e : all.subspan(next)) visit(e);
}

/// Calls f(entity, values...) or f(values...), whichever it takes.
template <class F, class... T>
[[gnu::always_inline]] inline void call_with_values(F& f, [[maybe_unused]] entity e, T&... values) {
    if constexpr (callable_with<F, entity, T&...>)
        f(e, values...);
    else
        f(values...);
}
template <class F, class... T>
concept visitor_of_values = callable_with<F, entity, T&...> || callable_with<F, T&...>;

/// Where the values of one component are, looked up once: what world::get asks at each call is at hand here.
/// Good as long as the world lives, whatever happens to it. Threads as with world::get.
template <class... T> class getter;
template <class... T> inline constexpr bool is_service<getter<T...>> = true;

template <class T> class getter<T> {
    using component = std::remove_const_t<T>;

  public:
    explicit getter(const engine& in)
        : in_(&in), slots_(in.rows().entities().slots_at_hand()), typed_(&in.rows().typed<component>()) {}

    /// The value. Throws access_error when the entity is not alive or does not have it. Constant time.
    [[nodiscard, gnu::always_inline]] inline T& operator()(entity e) const {
        std::uint64_t slot{};
        if (!slots_.find(e, slot)) [[unlikely]]
            return get_slowly<component>(*in_, e);
        return get(slot, e);
    }

    /// The value, or nullptr when the entity is not alive or does not have it. Constant time.
    [[nodiscard, gnu::always_inline]] inline T* find(entity e) const {
        std::uint64_t slot{};
        if (!slots_.find(e, slot)) [[unlikely]]
            return find_slowly<component>(*in_, e);
        return find(slot, e);
    }

    /// Calls visit(value) or visit(entity, value) for each of the entities, in their order: the fastest way
    /// to reach many, because memory is asked for ahead. `visit` may change the world. Throws access_error at
    /// the first entity that is not alive or does not have the value; the entities before it have been
    /// visited. Linear.
    template <class Visit>
        requires visitor_of_values<Visit, T>
    void each(std::span<const entity> all, Visit&& visit) const {
        visit_handles(*this, all, [&](entity e) { call_with_values(visit, e, (*this)(e)); });
    }

  private:
    template <class... All> friend class getter;
    template <class Getter> friend void visit_handles(const Getter&, std::span<const entity>, const auto&);

    /// How many handles ahead a loop asks for values: none while slots and values stay in the caches, and
    /// more when they come from main memory.
    [[nodiscard]] inline std::size_t look_ahead() const {
        const std::size_t alive = in_->rows().entities().live_count();
        return alive < 1 << 16 ? 0 : alive < 1 << 18 ? 16 : 32;
    }
    [[gnu::always_inline]] inline void ask_for_slot(entity e) const { slots_.prefetch(e); }
    [[gnu::always_inline]] inline void ask_for_value(entity e) const { ask_for_value_at(slots_.slot_of(e)); }
    [[gnu::always_inline]] inline void ask_for_value_at(std::uint64_t slot) const {
        if (const value_place found = at_slot(slot)) __builtin_prefetch(found.value());
    }

    /// When the result has no column, nothing is known.
    [[nodiscard, gnu::always_inline]] inline value_place at_slot([[maybe_unused]] std::uint64_t slot) const {
        if constexpr (has_usual_place<component> && !is_sparse<component>)
            return value_behind(slot, typed_->starts, sizeof(T)); // 0 leads to no column.
        else
            return {};
    }
    [[nodiscard, gnu::always_inline]] inline T& get(std::uint64_t slot, entity e) const {
        if (const value_place found = at_slot(slot)) [[likely]]
            return *value_at<T>(found);
        return get_slowly<component>(*in_, e);
    }
    [[nodiscard, gnu::always_inline]] inline T* find(std::uint64_t slot, entity e) const {
        if (const value_place found = at_slot(slot)) [[likely]]
            return value_at<T>(found);
        return find_slowly<component>(*in_, e);
    }

    const engine* in_;
    entity_index::flat_slots slots_;
    const column_starts::typed* typed_;
};

/// The same for several components of one entity, whose slot is looked at once.
template <class First, class Second, class... Rest> class getter<First, Second, Rest...> {
    using all = light_tuple<getter<First>, getter<Second>, getter<Rest>...>;
    using places = std::index_sequence_for<First, Second, Rest...>;

  public:
    explicit getter(const engine& in)
        : each_{{getter<First>(in)}, {getter<Second>(in)}, {getter<Rest>(in)}...} {}

    /// The values: auto [position, velocity] = values_of(e). Throws as the getter of one component does.
    [[nodiscard, gnu::always_inline]] inline std::tuple<First&, Second&, Rest&...>
    operator()(entity e) const {
        return get(slot_of(e), e, places{});
    }

    /// Pointers to the values; nullptr for each that the entity does not have.
    [[nodiscard, gnu::always_inline]] inline std::tuple<First*, Second*, Rest*...> find(entity e) const {
        return find(slot_of(e), e, places{});
    }

    /// Calls visit(values...) or visit(entity, values...) for each of the entities, as the getter of one
    /// component does.
    template <class Visit>
        requires visitor_of_values<Visit, First, Second, Rest...>
    void each(std::span<const entity> all, Visit&& visit) const {
        const auto visit_values = [&](entity e) {
            std::apply([&](auto&... values) { call_with_values(visit, e, values...); }, (*this)(e));
        };
        visit_handles(*this, all, visit_values);
    }

  private:
    template <class Getter> friend void visit_handles(const Getter&, std::span<const entity>, const auto&);

    [[nodiscard]] inline std::size_t look_ahead() const { return element<0>(each_).look_ahead(); }
    [[gnu::always_inline]] inline void ask_for_slot(entity e) const { element<0>(each_).ask_for_slot(e); }
    [[gnu::always_inline]] inline void ask_for_value(entity e) const { ask_for_values(slot_of(e), places{}); }
    template <std::size_t... I>
    [[gnu::always_inline]] inline void ask_for_values(std::uint64_t slot, std::index_sequence<I...>) const {
        (element<I>(each_).ask_for_value_at(slot), ...);
    }
    [[nodiscard, gnu::always_inline]] inline std::uint64_t slot_of(entity e) const {
        return element<0>(each_).slots_.slot_of(e);
    }
    template <std::size_t... I>
    [[nodiscard, gnu::always_inline]] inline std::tuple<First&, Second&, Rest&...>
    get(std::uint64_t slot, entity e, std::index_sequence<I...>) const {
        return {element<I>(each_).get(slot, e)...};
    }
    template <std::size_t... I>
    [[nodiscard, gnu::always_inline]] inline std::tuple<First*, Second*, Rest*...>
    find(std::uint64_t slot, entity e, std::index_sequence<I...>) const {
        return {element<I>(each_).find(slot, e)...};
    }

    all each_;
};

} // namespace ecs
