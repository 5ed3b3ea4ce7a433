// SPDX-License-Identifier: MIT
// Writes to values that an entity has already, and tells observers and trackers. What an observer asks for is
// done when the observer has returned: until then the values are kept.
export module ecs.world:writing;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import ecs.query;

namespace ecs {

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

// Putting a value in the place of another.

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

// Values that a function of the caller writes.

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
