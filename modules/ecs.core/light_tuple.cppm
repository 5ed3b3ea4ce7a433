// SPDX-License-Identifier: MIT
// Values, or references to them, one behind the other: what spawning, loops and systems hold for a while. A
// std::tuple says the same, but each set of types that one is made of costs every importer some twenty times
// as much compile time (docs/compile-time.md): here are no questions about conversions, only members.
//
//   light_tuple<T&&...> given{{std::forward<T>(arguments)}...};
//   take<0>(given)
export module ecs.core:light_tuple;
import ecs.std;

export namespace ecs {

template <std::size_t I, class T> struct packed {
    T value;
};
template <class Places, class... T> struct pack_of;
template <std::size_t... I, class... T> struct pack_of<std::index_sequence<I...>, T...> : packed<I, T>... {};

/// An aggregate, to be made with a pair of braces for each element.
template <class... T> using light_tuple = pack_of<std::index_sequence_for<T...>, T...>;

/// The I-th element.
template <std::size_t I, class T> [[nodiscard]] constexpr T& element(packed<I, T>& in) { return in.value; }
template <std::size_t I, class T> [[nodiscard]] constexpr const T& element(const packed<I, T>& in) {
    return in.value;
}

/// The I-th element, to move from; for a reference, what it refers to, as it was given.
template <std::size_t I, class T> [[nodiscard]] constexpr T&& take(packed<I, T>& in) {
    return static_cast<T&&>(in.value);
}
template <std::size_t I, class... T> [[nodiscard]] constexpr decltype(auto) take(std::tuple<T...>& in) {
    return std::get<I>(std::move(in));
}

/// Calls f with the elements, to move from.
template <class F, std::size_t... I, class... T>
constexpr decltype(auto) unpack(F&& f, pack_of<std::index_sequence<I...>, T...>& in) {
    return f(take<I>(in)...);
}

/// The places of the elements for which the flag is set, as an index sequence.
template <bool... Chosen> struct chosen_places {
    static constexpr std::size_t count = (std::size_t{0} + ... + Chosen);
    static consteval auto find() {
        std::array<std::size_t, count + 1> found{}; // One more, because there are no arrays of none.
        std::size_t place = 0, next = 0;
        (..., (Chosen ? void(found[next++] = place++) : void(++place)));
        return found;
    }
    static constexpr auto places = find();

    template <std::size_t... N>
    static auto list(std::index_sequence<N...>) -> std::index_sequence<places[N]...>;
    using type = decltype(list(std::make_index_sequence<count>{}));
};

} // namespace ecs
