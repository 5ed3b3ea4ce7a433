// SPDX-License-Identifier: MIT
// What entities are spawned from. One entity is given values, and identifiers to add. For many entities, a
// source supplies the components of the i-th entity:
//
//   a value                 each entity gets a copy
//   a std::span             the i-th gets the i-th value
//   a function of i         the i-th gets what it returns: a component, or a std::tuple of them
export module ecs.core:spawn_sources;
import ecs.std;
import ecs.id;
import ecs.relation;
import :light_tuple;
import :type_questions;

export namespace ecs {

/// Whether an argument of spawn is an identifier to add, and not a component's value.
template <class T>
concept spawn_id = std::same_as<std::remove_cvref_t<T>, id> || std::same_as<std::remove_cvref_t<T>, entity> ||
                   std::same_as<std::remove_cvref_t<T>, builtin>;

template <class T> inline constexpr bool is_span = false;
template <class T, std::size_t N> inline constexpr bool is_span<std::span<T, N>> = true;
template <class T> inline constexpr bool is_vector = false;
template <class T, class A> inline constexpr bool is_vector<std::vector<T, A>> = true;
template <class T> inline constexpr bool is_tuple = false;
template <class... T> inline constexpr bool is_tuple<std::tuple<T...>> = true;

/// Throws std::invalid_argument when the source is a span of another length.
template <class Source> void require_length(const Source& source, std::size_t count) {
    if constexpr (is_span<Source>)
        if (source.size() != count)
            throw std::invalid_argument("a span of " + std::to_string(source.size()) +
                                        " values cannot supply " + std::to_string(count) + " entities");
}

/// Whether each entity gets a copy of the source.
template <class Source>
concept is_value_source = !is_span<std::remove_cvref_t<Source>> && !callable_with<Source, std::size_t>;

/// Does not compile for a value of which entities cannot get copies.
template <class Value> consteval bool require_copies() {
    static_assert(
        makeable<std::remove_const_t<Value>, Value&>,
        "each entity gets a copy of the value, and this type cannot be copied: give a function that "
        "returns one");
    return true;
}

/// The source as it is asked while rows move: a value of the world is copied before, other sources stay as
/// they are.
template <class Source> [[nodiscard]] decltype(auto) steady_source(Source&& source) {
    if constexpr (std::same_as<Source, std::remove_reference_t<Source>&> && is_value_source<Source>) {
        static_assert(require_copies<std::remove_reference_t<Source>>());
        return std::remove_cvref_t<Source>(source);
    } else {
        return std::forward<Source>(source);
    }
}

/// The components that the i-th entity gets from the source, as a tuple.
template <class Source> auto values_at(Source& source, std::size_t i) {
    if constexpr (is_span<std::remove_const_t<Source>>) {
        return std::tuple<std::remove_cv_t<typename Source::element_type>>(source[i]);
    } else if constexpr (callable_with<Source, std::size_t>) {
        using result = decltype(source(i));
        static_assert(!std::is_void_v<result>,
                      "a function that supplies components returns them: a component that can be called is "
                      "given in a std::span");
        if constexpr (is_tuple<result>)
            return source(i);
        else
            return std::tuple<result>(source(i));
    } else {
        static_assert(!is_vector<std::remove_const_t<Source>>,
                      "a vector is no source of values: give std::span(values) for one value each, or, where "
                      "the vector is the component, a function that returns it");
        static_assert(require_copies<Source>());
        return std::tuple<std::remove_const_t<Source>>(source);
    }
}

/// Whether the source has values to copy as bytes: nothing is called, and nothing can fail.
template <class Source>
inline constexpr bool is_source_of_bytes = is_value_source<Source> && std::is_trivially_copyable_v<Source>;
template <class T, std::size_t N>
inline constexpr bool is_source_of_bytes<std::span<T, N>> = std::is_trivially_copyable_v<T>;

/// The sources of many entities, which are asked together.
template <class Places, class... Sources> class joined_sources;
template <std::size_t... I, class... Sources> class joined_sources<std::index_sequence<I...>, Sources...> {
  public:
    explicit joined_sources(Sources&... sources) : sources_{{sources}...} {}

    static constexpr bool are_bytes =
        sizeof...(Sources) != 0 && (is_source_of_bytes<std::remove_const_t<Sources>> && ...);

    /// The components of the i-th entity, as a tuple.
    [[nodiscard]] auto operator()([[maybe_unused]] std::size_t i) const {
        return std::tuple_cat(values_at(element<I>(sources_), i)...);
    }
    /// Copies what `count` entities from the i-th on get from one source.
    template <std::size_t Which> void copy(void* to, std::size_t i, std::size_t count) const {
        copy_from(element<Which>(sources_), static_cast<std::byte*>(to), i, count);
    }

  private:
    template <class T, std::size_t N>
    static void copy_from(std::span<T, N> values, std::byte* to, std::size_t i, std::size_t count) {
        std::memcpy(to, values.data() + i, count * sizeof(T));
    }
    template <class T> static void copy_from(const T& value, std::byte* to, std::size_t, std::size_t count) {
        for (std::size_t n = 0; n < count; ++n)
            std::memcpy(to + n * sizeof(T), std::addressof(value), sizeof(T));
    }

    light_tuple<Sources&...> sources_;
};
template <class... Sources>
using row_sources = joined_sources<std::index_sequence_for<Sources...>, Sources...>;

} // namespace ecs
