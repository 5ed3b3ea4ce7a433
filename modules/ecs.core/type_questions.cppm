// SPDX-License-Identifier: MIT
// What is asked of types that users give, in words of the language and of the compiler. The traits of
// the standard library say the same. But when an importer asks one of them of a new type, clang reads all
// that the module files hold of it; docs/compile-time.md has the figures.
export module ecs.core:type_questions;
import ecs.std;

namespace ecs {

/// Whether a value is made from these arguments.
export template <class T, class... From>
concept makeable = requires(void* at, From&&... from) { ::new (at) T(static_cast<From&&>(from)...); };

/// Whether a value is made from these arguments, and that does not throw.
export template <class T, class... From>
concept safely_makeable = requires(void* at, From&&... from) {
    { ::new (at) T(static_cast<From&&>(from)...) } noexcept;
};

export template <class T>
concept safely_move_assignable = requires(T& to) {
    { to = static_cast<T&&>(to) } noexcept;
};

/// Whether the function takes these arguments.
export template <class F, class... A>
concept callable_with = requires(F& f, A&&... arguments) { f(static_cast<A&&>(arguments)...); };

/// Whether an argument of the one type is taken where the other is expected.
export template <class From, class To>
concept converts_to = requires(void (&take)(To), From&& from) { take(static_cast<From&&>(from)); };

/// Whether a value is made from these arguments without a call of a function.
export template <class T, class... From>
inline constexpr bool is_trivial_to_make = __is_trivially_constructible(T, From...);

/// Whether a value is nothing but its bytes.
export template <class T> inline constexpr bool is_trivial_to_copy = __is_trivially_copyable(T);

/// A union has no destructor when one of its members has one that does something.
template <class T> union one_member {
    T value;
};
export template <class T>
concept trivial_to_destroy = requires(one_member<T>& in) { in.~one_member(); };

} // namespace ecs

namespace ecs::proofs_of_type_questions {

struct talks {
    talks(int) {}
    talks(talks&&) noexcept {}
    talks& operator=(talks&&) noexcept { return *this; }
    ~talks() { ended = true; }
    bool ended{};
};
struct throws_when_moved {
    throws_when_moved(throws_when_moved&&) noexcept(false) {}
};
struct pair_of_numbers {
    int one, other;
};
static_assert(makeable<talks, int> && makeable<talks, talks> && !makeable<talks> &&
              !makeable<talks, const talks&>);
static_assert(makeable<pair_of_numbers> && makeable<pair_of_numbers, const pair_of_numbers&>);
static_assert(!makeable<int*, float*> && !makeable<int, int*>, "no conversion is forced");
static_assert(safely_makeable<talks, talks> && !safely_makeable<talks, int> &&
              makeable<throws_when_moved, throws_when_moved> &&
              !safely_makeable<throws_when_moved, throws_when_moved>);
static_assert(safely_move_assignable<talks> && !safely_move_assignable<throws_when_moved>);
struct reads_as_number {
    explicit operator int*() const { return nullptr; }
    operator int() const { return 1; }
};
static_assert(converts_to<reads_as_number, int> && converts_to<const reads_as_number&, long> &&
              !converts_to<reads_as_number, int*> && !converts_to<int, reads_as_number>);
static_assert(is_trivial_to_make<pair_of_numbers> && is_trivial_to_make<int, int> &&
              !is_trivial_to_make<talks, int>);
static_assert(is_trivial_to_copy<pair_of_numbers> && !is_trivial_to_copy<talks>);
static_assert(trivial_to_destroy<pair_of_numbers> && trivial_to_destroy<int> && !trivial_to_destroy<talks>);

} // namespace ecs::proofs_of_type_questions
