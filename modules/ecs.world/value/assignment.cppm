// SPDX-License-Identifier: MIT
// Gives values of types to entities. The store moves rows; the code here makes the values in them, replaces
// existing values, and tells observers and trackers.
//
//   one          replaced where it is; otherwise the row moves, and the value is made in the new one
//   several      one move, on which all that are new are made
//   at many      the rows move together, as far as they go the same way
//
// What an observer asks for is done when the observer has returned: until then the values are kept.
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

namespace ecs {

/// A key for a list of types, under which the store remembers what it did with their identifiers.
template <class... T> [[nodiscard]] std::uint64_t key_of() {
    return type_number<term_list<T...>, type_series::keys>();
}

/// Whether an argument in the place of a value is neither a value nor an entity: perhaps it is a part of the
/// value.
template <class Argument, class T>
concept part_of = !std::same_as<std::remove_cvref_t<Argument>, T> && !converts_to<Argument, T> &&
                  !converts_to<Argument, id>;

/// The identifiers of the components that are written: all but those that are only read.
template <class... T> class written_words {
  public:
    explicit written_words(engine& in) {
        ((std::is_const_v<T> ? id{} : all_[count_++] = known_id_of_type<std::remove_const_t<T>>(in)), ...);
    }
    [[nodiscard]] std::span<const id> get() const { return std::span(all_).first(count_); }

  private:
    std::array<id, sizeof...(T)> all_{};
    std::size_t count_{};
};

/// Tells the observers once that these values of the entity were written.
template <class... T> void tell_written(engine& in, entity e) {
    if (in.events().has_listeners()) [[unlikely]]
        in.events().written(e, written_words<T...>(in).get());
}

/// Whether anybody is told, or asks, when one of these components of the entity is written.
[[nodiscard]] inline bool is_heard_of(const engine& in, entity e, std::span<const id> words) {
    return std::ranges::any_of(
        words, [&](id word) { return in.events().hearing_of_write(e, word).who != audience::nobody; });
}

/// Whether it may concern anybody that a value of the type is written; not one that is only read.
template <class T> [[nodiscard]] bool may_hear_of(const engine& in) {
    if constexpr (std::is_const_v<T>)
        return false;
    else if constexpr (is_had_alone<T>)
        return in.events().may_hear(in.rows().typed<T>());
    else
        return in.events().has_listeners();
}

/// The value that the entity has in the set; nullptr where it has none.
template <class T>
[[nodiscard, gnu::always_inline]] inline T* value_in_set(const engine& in, entity e, const sparse_set& kept) {
    return in.rows().has_row(e) ? reinterpret_cast<T*>(kept.find(index_of(e))) : nullptr;
}

/// The entity's own value of a component, if the type is at hand and nothing has to be asked about the entity
/// or the component; otherwise nullptr.
template <class T> [[nodiscard, gnu::always_inline]] inline T* own_value_at_hand(const engine& in, entity e) {
    const column_starts::typed& of = in.rows().typed<T>();
    if constexpr (is_sparse<T>) {
        const sparse_set* const kept = in.rows().free_set(of.component);
        return kept ? value_in_set<T>(in, e, *kept) : nullptr;
    } else {
        const auto slots = in.rows().entities().slots_at_hand();
        const value_place found = value_at_hand(slots, of.starts, e, sizeof(T));
        return found ? value_at<T>(found) : nullptr;
    }
}

/// Calls write(value) with the entity's own value of a component, and tells the observers of it.
/// write says whether an observer may have begun meanwhile, who was not looked for. False where the entity
/// has no such value, or others may have to hear: then nothing has happened.
template <class T, class Write>
[[gnu::always_inline]] inline bool write_at_hand(engine& in, entity e, const Write& write) {
    T* const present = own_value_at_hand<T>(in, e);
    if (!present) return false;
    const id word = in.rows().typed<T>().component;
    const write_hearing hears = in.events().hearing_of_write(e, word, early_type_number<T>());
    if (hears.who == audience::others) return false;
    if (write(*present)) [[unlikely]]
        tell_written<T>(in, e);
    else if (hears.who != audience::nobody)
        in.events().written_at_hand(e, word, present, hears);
    return true;
}
/// Whether the type's values are where write_at_hand looks.
template <class T>
inline constexpr bool is_written_at_hand =
    !std::is_const_v<T> && has_usual_place<T> && !(is_sparse<T> && std::is_empty_v<T>);

/// Calls write(), which writes values that the entity has, except const ones, and tells the observers of it.
/// Meanwhile no row moves, so that write() writes to no other entity: changes of structure are refused as in
/// a loop.
template <class... T, class Write> void write_and_tell(engine& in, entity e, const Write& write) {
    const auto write_where_it_is = [&] {
        const store::write_lock holding(in.rows());
        write();
    };
    if (!(may_hear_of<T>(in) || ...)) [[likely]] {
        write_where_it_is();
        if ((may_hear_of<T>(in) || ...)) [[unlikely]] // Somebody has begun to listen.
            tell_written<T...>(in, e);
        return;
    }
    const auto write_and_look = [&] { // Whether an observer has begun meanwhile, or ended.
        const std::uint64_t before = in.events().version_or_none();
        write_where_it_is();
        return in.events().version_or_none() != before;
    };
    if constexpr (sizeof...(T) == 1 && (is_written_at_hand<T> && ...))
        if ((write_at_hand<T>(in, e, [&](T&) { return write_and_look(); }) && ...)) return;
    const written_words<T...> words(in);
    if (!is_heard_of(in, e, words.get())) {
        if (write_and_look()) tell_written<T...>(in, e);
        return;
    }
    value_write writing(in.events(), e, words.get());
    write_where_it_is();
    if (!words.get().empty()) writing.tell();
}

// Replacing.

/// Whether replace cannot throw.
template <class T>
inline constexpr bool is_replaced_in_place = safely_move_assignable<T> || safely_makeable<T, T>;

template <class T> add_result replace(T& present, T&& value) {
    if constexpr (safely_move_assignable<T> || !safely_makeable<T, T>)
        present = std::forward<T>(value);
    else {
        std::destroy_at(std::addressof(present));
        ::new (std::addressof(present)) T(std::forward<T>(value));
    }
    return add_result::already_there;
}

template <class T> add_result replaces_and_tells(engine& in, entity e, id word, T& present, T&& value) {
    value_write writing(in.events(), e, {&word, 1});
    const add_result result = replace(present, std::forward<T>(value));
    writing.tell();
    return result;
}

// One value.

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
    if (!along || !along->trivial || !along->to->has_room() || along->added.size() != sizeof...(T))
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

// Values that the caller writes later.

/// The value after it was written, which an observer of that may have taken away. It may have moved, too.
template <class T> value_of<T>& value_after_patch(engine& in, entity e) {
    if (auto* const there = find_value<T>(in, e)) return *there;
    in.reads().refuse_after_patch(e, known_id_of_type<T>(in), type_name<T>);
}

/// Calls f with the value and returns the value. Throws access_error when the entity does not have it, also
/// when an observer of the change has taken it away.
template <class T, class F> value_of<T>& patch_value(engine& in, entity e, F&& f) {
    static_assert(callable_with<F, value_of<T>&>, "patch calls f with the value: f takes a reference to it");
    value_of<T>& value = get_value<T>(in, e);
    write_and_tell<T>(in, e, [&] { std::forward<F>(f)(value); });
    return value_after_patch<T>(in, e);
}

/// The value of the relation to the target; nullptr where there is none.
template <class R> [[nodiscard]] R* find_related(const engine& in, entity e, entity target) {
    static_assert(!std::is_empty_v<R>, "the relation is an empty type, which has no values: use has");
    const entity relation = in.rows().registered<R>();
    return relation ? reinterpret_cast<R*>(in.find(e, in.rows().entities().pair_to(relation, target)))
                    : nullptr;
}
/// The same. Throws access_error where there is none.
template <class R> [[nodiscard]] R& get_related(const engine& in, entity e, entity target) {
    if (R* const found = find_related<R>(in, e, target)) return *found;
    in.reads().refuse_pair_access(e, in.rows().entities().pair_to(in.rows().registered<R>(), target), target,
                                  type_name<R>);
}

/// Calls f with the value of a pair, which the entity has, and tells the observers of it.
template <class R, class F> void write_related(engine& in, entity e, id word, R& value, F&& f) {
    static_assert(callable_with<F, R&>,
                  "f is called with the value of the relation: it takes a reference to it");
    value_write writing(in.events(), e, {&word, 1});
    {
        const store::write_lock holding(in.rows());
        std::forward<F>(f)(value);
    }
    writing.tell();
}

/// The same for the value of the relation to the target. Returns the value, and throws as patch_value does.
template <class R, class F> R& patch_related(engine& in, entity e, entity target, F&& f) {
    R& value = get_related<R>(in, e, target);
    const id word = in.rows().entities().pair_to(in.component_entity<R>(), target);
    write_related(in, e, word, value, std::forward<F>(f));
    if (std::byte* const there = in.find(e, word)) return *reinterpret_cast<R*>(there);
    in.reads().refuse_after_patch(e, word, type_name<R>);
}

/// The same; false, and no call, where there is no such value.
template <class R, class F> bool modify_related(engine& in, entity e, entity target, F&& f) {
    R* const value = find_related<R>(in, e, target);
    if (value)
        write_related(in, e, in.rows().entities().pair_to(in.component_entity<R>(), target), *value,
                      std::forward<F>(f));
    return value != nullptr;
}

/// The same for several values.
template <class... T, class F> void patch_values(engine& in, entity e, F&& f) {
    const std::tuple<value_of<T>&...> values{get_value<T>(in, e)...};
    write_and_tell<T...>(in, e, [&] { std::apply(std::forward<F>(f), values); });
}

/// Calls f with the values; false when the entity lacks one.
template <class F, class... T> bool modify_values(engine& in, entity e, F& f, term_list<T...>) {
    static_assert(!(is_filter_term<T> || ...),
                  "modify is about one entity: ask has, and leave filters to loops and systems");
    if ((!find_value<std::remove_const_t<T>>(in, e) || ...)) return false;
    write_and_tell<T...>(
        in, e, [&] { f(static_cast<value_of<T>&>(*find_value<std::remove_const_t<T>>(in, e))...); });
    return true;
}

} // namespace ecs
