// SPDX-License-Identifier: MIT
// What can be asserted about two layouts: that no word is an identifier of both, and that one carries all
// that the other does.
export module ecs.id:comparison;
import ecs.std;
import :field;
import :layout;
import :list;
import :proofs;

namespace ecs {

/// No word is an identifier of both: some bit is constant in both and differs. Tags and reserved zeros tell
/// layouts apart, and so do bits that no field owns.
export template <class A, class B>
concept distinguishable = valid_layout<A> && valid_layout<B> && std::same_as<word_of<A>, word_of<B>> &&
                          (((constant_bits<A> ^ constant_bits<B>)&constant_mask<A> & constant_mask<B>) != 0);

template <class... Layouts> inline constexpr bool all_distinguishable = true;
template <class First, class... Rest>
inline constexpr bool all_distinguishable<First, Rest...> =
    (distinguishable<First, Rest> && ...) && all_distinguishable<Rest...>;

/// No word is an identifier of two of them.
export template <class... Layouts>
concept pairwise_distinguishable = (valid_layout<Layouts> && ...) && all_distinguishable<Layouts...>;

/// The same thing under both layouts: index, generation and world by role, the rest by role and name.
constexpr bool means_the_same(const field_description& a, const field_description& b) {
    return a.role == b.role && (!roles_are_compatible(a, b) || a.is_named(b.name));
}

/// Position in To of the field that holds what f holds; the number of fields when none does.
template <any_layout To> consteval std::size_t counterpart_of(const field_description& f) {
    return find_field<To>([&f](const field_description& candidate) { return means_the_same(f, candidate); });
}

template <valid_layout From, valid_layout To> consteval bool every_field_is_kept() {
    return all_items(From::fields, [](const field_description& f) {
        const auto position = counterpart_of<To>(f);
        return f.constant() || (position < To::fields.size() && f.width() <= To::fields[position].width());
    });
}

/// Every identifier of From is one of To without loss: each field that varies has a counterpart at least as
/// wide (index, generation and world by role, others by role and name), and null stays the only null, so that
/// a From with a tag needs a To with a tag. Fields of To alone are zero.
export template <class From, class To>
concept convertible = valid_layout<From> && valid_layout<To> && every_field_is_kept<From, To>() &&
                      (constant_bits<From> == 0 || constant_bits<To> != 0);

} // namespace ecs
