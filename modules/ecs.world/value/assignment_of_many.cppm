// SPDX-License-Identifier: MIT
// Gives several values to an entity, or one to each of many entities. The store moves rows; the code here
// makes the values in them.
//
//   several      one move, on which all that are new are made
//   at many      the rows move together, as far as they go the same way
export module ecs.world:assignment_of_many;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import ecs.query;
import :assignment;
import :writing;

namespace ecs {

/// A key for a list of types, under which the store remembers what it did with their identifiers.
template <class... T> [[nodiscard]] std::uint64_t key_of() {
    return type_number<term_list<T...>, type_series::keys>();
}

// Several values of one entity.

template <class T> void construct_new(engine& in, const table& before, row_ref to, T& value) noexcept {
    if constexpr (!std::is_empty_v<T> && !is_sparse<T>) {
        const id word = known_id_of_type<T>(in);
        if (!before.has(word)) ::new (store::value_at(to, word)) T(std::move(value));
    }
}

template <class T> void replace_old(engine& in, row_ref at, T& value) {
    if constexpr (!std::is_empty_v<T> && !is_sparse<T>)
        if (T* const present = own_value<T>(at, known_id_of_type<T>(in))) replace(*present, std::move(value));
}

/// Replaces the value that the entity itself has; false when it has none.
template <class T> bool replace_own(engine& in, entity e, id word, T& value) {
    if constexpr (std::is_empty_v<T>) {
        return false;
    } else if constexpr (is_sparse<T>) {
        sparse_set& sparse = *in.rows().sparse_of(word);
        if (!sparse.contains(index_of(e))) return false;
        replace_in(sparse, index_of(e), std::move(value));
        return true;
    } else {
        const row_ref at = in.rows().locate(e);
        T* const present =
            in.reads().is_value_of_link(*at.block->owner, word) ? nullptr : own_value<T>(at, word);
        if (present) replace(*present, std::move(value));
        return present != nullptr;
    }
}

/// What is done with a value of one type among several, which is moved from. The code that decides about the
/// whole is compiled once for all types.
struct value_actions {
    /// Makes it in a row that comes from the table, unless that had one.
    void (*construct_new)(engine& in, const table& before, row_ref to, void* value);
    /// Puts it in the place of one that is in the row.
    void (*replace_old)(engine& in, row_ref at, void* value);
    /// The same for one that the entity itself has, wherever it is kept; false where there is none.
    bool (*replace_own)(engine& in, entity e, id word, void* value);
    add_result (*set)(engine& in, entity e, void* value);
    bool is_tag;
};
template <class T>
inline constexpr value_actions actions_of{
    [](engine& in, const table& before, row_ref to, void* value) {
        construct_new(in, before, to, *static_cast<T*>(value));
    },
    [](engine& in, row_ref at, void* value) { replace_old(in, at, *static_cast<T*>(value)); },
    [](engine& in, entity e, id word, void* value) {
        return replace_own(in, e, word, *static_cast<T*>(value));
    },
    [](engine& in, entity e, void* value) { return set_value<T>(in, e, std::move(*static_cast<T*>(value))); },
    std::is_empty_v<T>};

struct value_to_set {
    void* value;
    const value_actions* actions;
};

/// Adds or replaces the values of these identifiers, in one move where that is possible; see key_of. Lists in
/// braces cost an importer nothing; where an array becomes a span, much is asked of both.
add_result set_in_one_move(engine& in, entity e, std::uint64_t key, std::initializer_list<id> words,
                           std::initializer_list<value_to_set> values);

template <class T>
inline constexpr bool is_set_in_short_moves =
    has_usual_place<T> && !is_sparse<T> && safely_makeable<T, T> && is_replaced_in_place<T>;

/// Makes the value in its column, which is among the few that the move adds.
template <class T> void construct_added(const move_plan& along, row_ref to, id component, T& value) noexcept {
    for (const column* const added : along.added)
        if (added->component == component) ::new (added->value(to)) T(std::move(value));
}

/// Of how many places there is a value.
template <std::size_t N>
[[nodiscard, gnu::always_inline]] inline std::size_t count_present(const std::array<value_place, N>& places) {
    std::size_t present = 0;
    for (const value_place& place : places) present += static_cast<std::size_t>(static_cast<bool>(place));
    return present;
}

/// Sets values of components in tables where no observer is concerned: the entity has all of them, or none,
/// and then the move is known from an earlier one. The short path: deferred where it was not taken.
template <class... T> add_result set_all_quickly(engine& in, entity e, T&... values) {
    std::uint64_t slot{};
    if ((in.events().may_hear(in.rows().typed<T>()) || ...) ||
        !in.rows().entities().slots_at_hand().find(e, slot)) [[unlikely]]
        return add_result::deferred;
    const std::array places{value_behind(slot, in.rows().typed<T>().starts, sizeof(T))...};
    const std::size_t present = count_present(places);
    if (present == sizeof...(T)) {
        std::size_t next = 0;
        (replace(*value_at<T>(places[next++]), std::move(values)), ...);
        return add_result::already_there;
    }
    if (present != 0) return add_result::deferred;
    const row_ref at = in.rows().row_behind(slot, e);
    if (!at || !in.changes().is_open()) return add_result::deferred;
    const move_plan* const along = known_adding(*at.block->owner, id::assume_word(key_of<T...>()));
    if (!along || !along->trivial || !along->to->has_room() || along->added.size() != sizeof...(T) ||
        along->to->is_pattern())
        return add_result::deferred;
    in.rows().move_trivially(at, *along, [&](row_ref to) {
        (construct_added(*along, to, in.rows().typed<T>().component, values), ...);
    });
    return add_result::added;
}

/// Does what set_value does for each value.
template <class... T> add_result set_values(engine& in, entity e, T&... values) {
    if constexpr ((is_set_in_short_moves<T> && ...))
        if (const add_result done = set_all_quickly(in, e, values...); done != add_result::deferred)
            return done;
    if (in.changes().defers()) [[unlikely]]
        return in.changes().later(e, [&in, e, kept = light_tuple<T...>{{std::move(values)}...}]() mutable {
            unpack([&](T&&... each) { set_values(in, e, each...); }, kept);
        });
    return set_in_one_move(in, e, key_of<T...>(), {id_of_type<T>(in)...},
                           {value_to_set{std::addressof(values), &actions_of<T>}...});
}

// One value for each of many entities.

template <class T>
inline constexpr bool is_set_in_bulk =
    component_type<T> && !std::is_empty_v<T> && !is_sparse<T> && safely_makeable<T, T>;

/// Sets the component for the first of the entities, as many as go from one table to another with nothing
/// asked of each; returns how many, perhaps none. value_at(i) refers to the value of the i-th, which is
/// moved from. No loop walks over the store.
template <class T, class ValueAt>
    requires is_set_in_bulk<T>
std::size_t set_in_bulk(engine& in, entity_list all, const ValueAt& value_at) {
    if (!begins_with_run(in.rows(), all)) return 0;
    const id word = known_id_of_type<T>(in);
    std::size_t done = 0;
    try {
        const move_plan* const along =
            word ? in.core().plan_of_many(edge_kind::adding, all[0], word) : nullptr;
        if (!along || along->added.empty() || !bulk_move::is_possible(*along->from, *along)) return 0;
        bulk_move moving(in.rows(), *along->from, *along);
        while (done != all.count) {
            const auto [to, rows] = moving.move_some(all.without_first(done));
            if (rows == 0) break;
            auto* const values = reinterpret_cast<T*>(along->added.front()->value(to));
            for (std::uint32_t i = 0; i < rows; ++i) ::new (values + i) T(std::move(value_at(done + i)));
            done += rows;
        }
    } catch (const std::exception&) { // No room: setting the others one by one reports it.
    }
    return done;
}

/// Sets as many of the first as can go together; returns how many.
template <class T>
std::size_t set_together(engine& in, std::span<const entity> all,
                         [[maybe_unused]] std::span<std::tuple<T>> values) {
    if constexpr (is_set_in_bulk<T>) {
        if (!in.changes().is_open()) return 0;
        return set_in_bulk<T>(in, entity_list::of(all),
                              [&](std::size_t i) -> T& { return std::get<0>(values[i]); });
    } else {
        return 0;
    }
}

/// The values are in tuples, because a vector of bool has no values that could be referred to.
template <class T>
std::size_t set_for_each(engine& in, std::span<const entity> all, std::span<std::tuple<T>> values) {
    if (all.empty()) return 0;
    // A type may bring hooks, and a series keeps what those observers throw who are there when it begins.
    std::ignore = in.component_entity<T>();
    auto series = in.events().series();
    std::size_t set_so_far = 0;
    for (std::size_t i = 0; i < all.size();) {
        const std::size_t together = set_together(in, all.subspan(i), values.subspan(i));
        set_so_far += together;
        i += together;
        if (i == all.size()) break;
        set_so_far += succeeded(set_value<T>(in, all[i], std::get<0>(std::move(values[i]))));
        ++i;
    }
    series.finish();
    return set_so_far;
}

} // namespace ecs
