// SPDX-License-Identifier: MIT
// Gives an entity a value of a type: replaces the one that is there where it is; otherwise the row moves, and
// the value is made in the new one. The store moves rows; the code here makes the values in them.
export module ecs.world:assignment;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import ecs.query;
import :edit;
import :writing;

namespace ecs {

/// Whether an argument in the place of a value is neither a value nor an entity: perhaps it is a part of the
/// value.
template <class Argument, class T>
concept part_of = !std::same_as<std::remove_cvref_t<Argument>, T> && !converts_to<Argument, T> &&
                  !converts_to<Argument, id>;

template <class T> void replace_in(sparse_set& sparse, std::uint32_t index, T&& value) {
    if constexpr (is_replaced_in_place<T>)
        replace(*reinterpret_cast<T*>(sparse.find(index)), std::forward<T>(value));
    else
        sparse.replace(index, [&](std::byte* to) { ::new (to) T(std::forward<T>(value)); });
}

template <class T> add_result set_sparse(engine& in, entity e, id word, T&& value) {
    if constexpr (std::is_empty_v<T>) {
        return in.add(e, word);
    } else {
        sparse_set& sparse = *in.rows().sparse_of(word);
        const auto construct = [&](std::byte* to) { ::new (to) T(std::forward<T>(value)); };
        if (!sparse.contains(index_of(e))) return in.changes().add_sparse(e, sparse, construct);
        value_write writing(in.events(), e, {&word, 1});
        replace_in(sparse, index_of(e), std::forward<T>(value));
        writing.tell();
        return add_result::already_there;
    }
}

/// Sets the value of a component in tables.
template <class T> add_result set_in_row(engine& in, row_ref at, id word, T&& value) {
    if (!at) return add_result::not_alive;
    if constexpr (std::is_empty_v<T>)
        return in.add(at.owner(), word);
    else {
        if (in.reads().is_value_of_link(*at.block->owner, word)) return add_result::needs_target;
        if (T* const present = own_value<T>(at, word))
            return replaces_and_tells(in, at.owner(), word, *present, std::forward<T>(value));
        return in.changes().add_with(at, word, [&](std::byte* to) { ::new (to) T(std::forward<T>(value)); });
    }
}

/// Sets the value of a pair.
template <class T> add_result set_of_pair(engine& in, entity e, id word, T&& value) {
    const row_ref at = in.rows().locate(e);
    if (!at) return add_result::not_alive;
    if constexpr (std::is_empty_v<T>) {
        return in.add(e, word);
    } else {
        if (std::byte* const present = in.rows().own_value(at, word))
            return replaces_and_tells(in, e, word, *reinterpret_cast<T*>(present), std::forward<T>(value));
        if (const move_plan* const known = known_adding(*at.block->owner, word);
            known && known->added.empty())
            return add_result::no_value; // The relation has been declared tag_only at run time.
        return in.changes().add_with(at, word, [&](std::byte* to) { ::new (to) T(std::forward<T>(value)); });
    }
}

/// Makes the change of the entity when observers have been told, with the value that make(place) makes now.
template <class T>
add_result later_with(engine& in, entity e, value_constructor make, change_with_value change) {
    if constexpr (component_type<T>)
        return in.later(e, info_of<T>, make, change);
    else
        static_assert(require_component<T>());
}

// The value is replaced where it is, or added.

template <class T> add_result set_value(engine& in, entity e, value_of<T>&& value);

/// Whether a component of tables is no more than its bytes, so that it is copied into a row that has moved.
/// Bytes that can only be moved are not.
template <class T>
inline constexpr bool is_added_as_bytes =
    has_usual_place<T> && !is_sparse<T> && is_trivial_to_copy<T> && makeable<T, const T&>;

/// The same of a component that is kept outside tables.
template <class T>
inline constexpr bool is_placed_as_bytes =
    has_usual_place<T> && is_sparse<T> && !std::is_empty_v<T> && is_trivial_to_copy<T>;

/// The same as set_value, wherever the value is or will be. Bytes are handed to code that is compiled once
/// for all types.
template <class T> add_result set_anywhere(engine& in, entity e, value_of<T>&& value) {
    if (in.changes().defers()) [[unlikely]]
        return later_with<value_of<T>>(
            in, e, [&](std::byte* to) { ::new (to) value_of<T>(std::move(value)); },
            [](engine& of, entity subject, std::byte* kept) {
                set_value<T>(of, subject, std::move(*reinterpret_cast<value_of<T>*>(kept)));
            });
    const id word = id_of_type<T>(in); // This comes first: to register a component may move rows.
    if constexpr (pair_type<T>)
        return set_of_pair(in, e, word, std::move(value));
    else if constexpr (is_sparse<T>)
        return in.rows().locate(e) ? set_sparse(in, e, word, std::move(value)) : add_result::not_alive;
    else if constexpr (is_added_as_bytes<T> && can_be_copied<T>)
        return in.changes().set(e, word, std::addressof(value));
    else
        return set_in_row(in, in.rows().locate(e), word, std::move(value));
}

/// The bytes of a value. std::as_bytes would ask, for each type, all that is asked of a range.
template <class T> [[nodiscard]] std::span<const std::byte> bytes_of(const T& value) {
    return {reinterpret_cast<const std::byte*>(std::addressof(value)), sizeof(T)};
}

/// Adds a value that the entity does not have, and tells of it; deferred where that was not done.
template <class T> add_result add_told(engine& in, entity e, const T& value) {
    bool is_added = false;
    if constexpr (is_added_as_bytes<T>)
        is_added = in.adds_and_tells(e, in.rows().typed<T>().component, bytes_of(value));
    else if constexpr (is_placed_as_bytes<T>)
        is_added = in.places_and_tells(e, id_of_type<T>(in), bytes_of(value));
    return is_added ? add_result::added : add_result::deferred;
}

/// The same as a call, so that loops over set contain only the fast paths.
template <class T> [[gnu::noinline]] add_result set_slowly(engine& in, entity e, value_of<T>&& value) {
    if constexpr (is_written_at_hand<T> && (is_replaced_in_place<T> || !is_sparse<T>))
        if (write_at_hand<T>(in, e, [&](T& present) {
                replace(present, std::move(value));
                return false;
            }))
            return add_result::already_there;
    if (add_told(in, e, value) == add_result::added) return add_result::added;
    return set_anywhere<T>(in, e, std::move(value));
}

/// Replaces a value of the entity, of which others may have to hear, where it is.
template <class T>
[[gnu::noinline]] add_result replace_and_tell(engine& in, entity e, T& present,
                                              std::type_identity_t<T>&& value) {
    const write_hearing* const hears = in.events().known_hearing_of_write(early_type_number<T>());
    if (!hears) [[unlikely]]
        return add_result::deferred;
    replace(present, std::move(value));
    in.events().written_at_hand(e, in.rows().typed<T>().component, std::addressof(present), *hears);
    return add_result::already_there;
}

/// For a value that is bytes alone, and in no row, because rows move before it is copied. Deferred: the slow
/// path.
template <class T>
[[gnu::always_inline]] inline add_result add_bytes_quickly(engine& in, entity e, std::uint64_t slot,
                                                           id component, const T& value) {
    std::byte* const there = in.move_for(e, slot, component, sizeof(T));
    if (!there) [[unlikely]]
        return add_result::deferred;
    ::new (there) T(value);
    return add_result::added;
}

/// The same where no trait and no observer is concerned: the value is replaced where it is, or the row goes
/// to a table in which there is room. Returns deferred where the slow path has to be taken.
template <class T>
[[gnu::always_inline]] inline add_result set_quickly(engine& in, entity e, std::uint64_t slot, T& value) {
    const column_starts::typed& of = in.rows().typed<T>();
    if (const value_place present = value_behind(slot, of.starts, sizeof(T)))
        return in.events().may_hear(of) ? replace_and_tell(in, e, *value_at<T>(present), std::move(value))
                                        : replace(*value_at<T>(present), std::move(value));
    if (in.events().may_hear(of)) [[unlikely]]
        return add_told(in, e, value);
    if constexpr (is_added_as_bytes<T>) return add_bytes_quickly(in, e, slot, of.component, value);
    const row_ref at = in.rows().row_behind(slot, e);
    const move_plan* const along = in.trivial_edge(edge_kind::adding, at, of.component);
    if (!along) [[unlikely]]
        return add_result::deferred;
    const column& added = *along->added.front();
    in.rows().move_trivially(at, *along, [&](row_ref to) { ::new (added.value(to)) T(std::move(value)); });
    return add_result::added;
}

/// The short way to add what is kept outside tables, in a set of which no trait, observer or base has to be
/// asked; the result is empty when it was not taken.
template <class T, class Construct>
[[nodiscard, gnu::always_inline]] inline std::optional<add_result>
add_outside_quickly(engine& in, entity e, sparse_set& quiet, [[maybe_unused]] const Construct& construct) {
    if constexpr (is_in_place<T>)
        return in.rows().add_in_place_quickly(e, quiet, construct);
    else if constexpr (is_bit<T>)
        return in.rows().add_bit_quickly(e, quiet);
    else
        return in.rows().add_sparse_quickly(e, quiet, construct);
}

/// The same to set a component outside tables.
template <class T>
[[gnu::always_inline]] inline add_result set_sparse_quickly(engine& in, entity e, T& value) {
    sparse_set* const kept = in.rows().free_set(id_of_type<T>(in));
    if (!kept) [[unlikely]]
        return add_result::deferred;
    if (!kept->tracked && in.changes().is_open()) [[likely]] {
        const auto construct = [&](std::byte* to) { ::new (to) T(std::move(value)); };
        const std::optional<add_result> done = add_outside_quickly<T>(in, e, *kept, construct);
        if (done && *done != add_result::already_there) return *done;
    }
    if constexpr (is_replaced_in_place<T> && !std::is_empty_v<T>)
        if (T* const present = value_in_set<T>(in, e, *kept); present && in.rows().typed<T>().component)
            return in.events().may_hear(in.rows().typed<T>())
                       ? replace_and_tell(in, e, *present, std::move(value))
                       : replace(*present, std::move(value));
    return add_told(in, e, value);
}

/// Adds the component or the pair with this value, or replaces the value that is there.
template <class T>
[[gnu::always_inline]] inline add_result set_value(engine& in, entity e, value_of<T>&& value) {
    if constexpr (has_usual_place<T> && !is_sparse<T>) {
        if (std::uint64_t slot{}; in.rows().entities().slots_at_hand().find(e, slot)) [[likely]]
            if (const add_result done = set_quickly<T>(in, e, slot, value); done != add_result::deferred)
                [[likely]]
                return done;
        return set_slowly<T>(in, e, std::move(value));
    } else if constexpr (has_usual_place<T>) {
        const add_result done = set_sparse_quickly<T>(in, e, value);
        return done != add_result::deferred ? done : set_slowly<T>(in, e, std::move(value));
    } else {
        return set_anywhere<T>(in, e, std::move(value));
    }
}

/// Adds a component that is no more than its bytes, if the entity does not have it.
template <class T> [[gnu::noinline]] add_result add_made(engine& in, entity e, const T& made) {
    if (in.changes().defers())
        return later_with<T>(
            in, e, [&](std::byte* to) { ::new (to) T(made); },
            [](engine& of, entity subject, std::byte* kept) {
                add_made(of, subject, *reinterpret_cast<const T*>(kept));
            });
    const id word = in.component_entity<T>();
    const row_ref at = in.rows().locate(e);
    if (!at) return add_result::not_alive;
    if (in.has(e, word)) return add_result::already_there;
    return in.changes().add_before_moving(at, word, [&](std::byte* to) { ::new (to) T(made); });
}

/// Adds the value that make() makes, if the entity does not have the component, neither itself nor from a
/// base. The short path: deferred where it was not taken, and then make() was not called.
template <class T, class Make> add_result add_quickly(engine& in, entity e, const Make& make) {
    std::uint64_t slot{};
    if (!in.changes().is_open() || !in.rows().entities().slots_at_hand().find(e, slot)) [[unlikely]]
        return add_result::deferred;
    const row_ref at = in.rows().row_behind(slot, e);
    const id component = in.rows().typed<T>().component;
    if (!at || at.block->owner->inherits || at.block->owner->linked || !component) [[unlikely]]
        return add_result::deferred;
    if (at.block->owner->has(component)) return add_result::already_there;
    if (!in.trivial_edge(edge_kind::adding, at, component)) return add_result::deferred;
    const T made = make();
    std::uint64_t now{}; // What make() calls may have changed the world.
    if (in.rows().entities().slots_at_hand().find(e, now) && now == slot) [[likely]]
        if (const add_result done = add_bytes_quickly(in, e, slot, component, made);
            done != add_result::deferred) [[likely]]
            return done;
    return add_made<T>(in, e, made);
}

template <class T, class... A> add_result emplace_value(engine& in, entity e, A&&... arguments);

/// A value that can be moved is made at once: then it refers to what the caller gave, and not to a copy that
/// ends.
template <class T, class... A> add_result emplace_later(engine& in, entity e, A&&... arguments) {
    if constexpr (is_added_as_bytes<T>) {
        return add_made<T>(in, e, T(std::forward<A>(arguments)...));
    } else if constexpr (makeable<T, T>) {
        return later_with<T>(
            in, e, [&](std::byte* to) { ::new (to) T(std::forward<A>(arguments)...); },
            [](engine& of, entity subject, std::byte* kept) {
                emplace_value<T>(of, subject, std::move(*reinterpret_cast<T*>(kept)));
            });
    } else {
        static_assert(makeable<T, std::decay_t<A>...>,
                      "an observer's emplace keeps copies of the arguments of a type that cannot be moved: "
                      "give std::ref(x) where the type takes x by reference");
        return in.changes().later(
            e, [&in, e, kept = light_tuple<std::decay_t<A>...>{{std::forward<A>(arguments)}...}]() mutable {
                unpack([&](auto&&... each) { emplace_value<T>(in, e, std::move(each)...); }, kept);
            });
    }
}

/// Makes a value. A constructor that changes the world is refused, whichever way is taken.
template <class T, class... A> T make_value(engine& in, A&&... arguments) {
    if constexpr (is_trivial_to_make<T, A...>) {
        return T(std::forward<A>(arguments)...);
    } else {
        const store::write_lock holding(in.rows());
        return T(std::forward<A>(arguments)...);
    }
}

/// Constructs the component in place, if the entity does not have it.
template <class T, class... A> add_result emplace_value(engine& in, entity e, A&&... arguments) {
    if constexpr (is_added_as_bytes<T>) {
        const add_result done =
            add_quickly<T>(in, e, [&] { return make_value<T>(in, std::forward<A>(arguments)...); });
        if (done != add_result::deferred) return done;
    }
    if (in.changes().defers()) [[unlikely]]
        return emplace_later<T>(in, e, std::forward<A>(arguments)...);
    const id word = in.component_entity<T>();
    const row_ref at = in.rows().locate(e);
    if (!at) return add_result::not_alive;
    if (in.has(e, word)) return add_result::already_there;
    const auto construct = [&](std::byte* to) { // The place is reserved: a constructor must not change rows.
        const store::write_lock holding(in.rows());
        ::new (to) T(std::forward<A>(arguments)...);
    };
    if constexpr (is_sparse<T>)
        return in.changes().add_sparse(e, *in.rows().sparse_of(word), construct);
    else
        return in.changes().add_before_moving(at, word, construct);
}

/// Does not compile when there is no default value to add.
template <class T> consteval bool require_default_value() {
    static_assert(require_addable<T>());
    static_assert(std::is_empty_v<value_of<T>> || std::is_default_constructible_v<value_of<T>>,
                  "add makes a default value, and a type has none: use set, or emplace<T>(e, arguments...) "
                  "for a type that cannot be moved");
    return true;
}

/// Does not compile when the value cannot be moved to where it is kept.
template <class T> consteval bool require_settable() {
    static_assert(require_addable<T>());
    static_assert(std::is_empty_v<value_of<T>> || makeable<value_of<T>, value_of<T>>,
                  "set moves its value into place, and this type cannot be moved: write emplace<T>(e, "
                  "arguments...)");
    return true;
}

/// Relates the entity to the target with this value, or replaces the value that is there.
template <class R>
add_result set_related(engine& in, entity e, entity target, std::type_identity_t<R>&& value) {
    if (in.changes().defers()) [[unlikely]]
        return in.changes().later(e, [&in, e, target, kept = std::move(value)]() mutable {
            set_related<R>(in, e, target, std::move(kept));
        });
    const id word = in.rows().entities().pair_to(in.component_entity<R>(), target);
    return set_of_pair<R>(in, e, word, std::move(value));
}

template <class T>
[[nodiscard, gnu::always_inline]] inline std::optional<add_result> remove_quickly(engine& in, entity e) {
    if constexpr (is_in_place<T>)
        return in.rows().remove_in_place_quickly(e, id_of_type<T>(in));
    else if constexpr (is_bit<T>)
        return in.rows().remove_bit_quickly(e, id_of_type<T>(in));
    else
        return in.rows().remove_quickly(e, id_of_type<T>(in));
}

/// Adds the component with its default value.
template <class T> add_result add_value(engine& in, entity e) {
    if constexpr (is_sparse<T> && std::is_empty_v<T>) {
        if (sparse_set* const quiet = in.rows().quiet_set(id_of_type<T>(in)); quiet && in.changes().is_open())
            [[likely]]
            if (const auto done = add_outside_quickly<T>(in, e, *quiet, [](std::byte*) {})) [[likely]]
                return *done;
        return in.changes().add(e, id_of_type<T>(in)); // Not by the short path of tables.
    } else {
        if constexpr (is_added_as_bytes<T>)
            if (const add_result done = add_quickly<T>(in, e, [&] { return make_value<T>(in); });
                done != add_result::deferred)
                return done;
        return in.add(e, id_of_type<T>(in));
    }
}

template <class T> [[gnu::always_inline]] inline add_result remove_value(engine& in, entity e) {
    if constexpr (is_sparse<T>) {
        if (in.changes().is_open()) [[likely]]
            if (const auto done = remove_quickly<T>(in, e)) [[likely]]
                return *done;
        return in.remove_outside(e, id_of_type<T>(in)); // As above.
    } else {
        return in.remove(e, id_of_type<T>(in));
    }
}

} // namespace ecs
