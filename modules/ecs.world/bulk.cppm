// SPDX-License-Identifier: MIT
// What entities are spawned from. One is given values, and identifiers to add. Of many, a source supplies the
// components of the i-th:
//
//   a value                 each entity gets a copy
//   a std::span             the i-th gets the i-th value
//   a function of i         the i-th gets what it returns: a component, or a std::tuple of them
export module ecs.world:bulk;
import ecs.std;
import ecs.id;
import ecs.relation;

namespace ecs {

/// Whether an argument of spawn is an identifier to add, and not a component's value.
template <class T>
concept spawn_id = std::same_as<std::remove_cvref_t<T>, id> || std::same_as<std::remove_cvref_t<T>, entity> ||
                   std::same_as<std::remove_cvref_t<T>, builtin>;

template <class T> inline constexpr bool is_span = false;
template <class T, std::size_t N> inline constexpr bool is_span<std::span<T, N>> = true;
template <class T> inline constexpr bool is_tuple = false;
template <class... T> inline constexpr bool is_tuple<std::tuple<T...>> = true;

/// Throws std::invalid_argument when the source is a span of another length.
template <class Source> void require_length(const Source& source, std::size_t count) {
    if constexpr (is_span<Source>)
        if (source.size() != count)
            throw std::invalid_argument("a span of " + std::to_string(source.size()) +
                                        " values cannot supply " + std::to_string(count) + " entities");
}

/// The components that the i-th entity gets from the source, as a tuple.
template <class Source> auto values_at(Source& source, std::size_t i) {
    if constexpr (is_span<std::remove_const_t<Source>>) {
        return std::tuple<std::remove_cv_t<typename Source::element_type>>(source[i]);
    } else if constexpr (std::is_invocable_v<Source&, std::size_t>) {
        using result = std::invoke_result_t<Source&, std::size_t>;
        if constexpr (is_tuple<result>)
            return source(i);
        else
            return std::tuple<result>(source(i));
    } else {
        return std::tuple<std::remove_const_t<Source>>(source);
    }
}

} // namespace ecs
