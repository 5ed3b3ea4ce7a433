// SPDX-License-Identifier: MIT
// The part of the standard library that the other modules are written with, compiled once.
//
// Every module file keeps its own copy of the headers it includes, and the compiler merges all copies that an
// importer can reach. With the headers in this one file there is one copy, and nothing to merge: see
// docs/compile-time.md. From C++23 on, `import std` is meant for this.
module;
// clang 19 calls a memcpy.inline that nobody defines when <cstring> comes from a module (docs/compilers.md:
// fortified function of a module).
#undef _FORTIFY_SOURCE
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <chrono>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <initializer_list>
#include <iosfwd>
#include <iterator>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>
#include <source_location>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>
#include <version>
#ifdef __cpp_lib_format
#include <format>
#endif
export module ecs.std;

// Found by argument-dependent lookup, which sees what is exported. From libstdc++ 16 on they are friends,
// which come with their classes; the iterators of libc++ are in std.
#if defined(_GLIBCXX_RELEASE) && _GLIBCXX_RELEASE < 16
export namespace __gnu_cxx {
using __gnu_cxx::operator==;
using __gnu_cxx::operator<=>;
using __gnu_cxx::operator-;
} // namespace __gnu_cxx
#endif

export using ::operator new;
export using ::operator delete;
export using ::stderr;

export namespace std {

// What the language itself looks for, where the code names nothing.
using std::initializer_list;
using std::partial_ordering;
using std::strong_ordering;
using std::tuple_element;
using std::tuple_size;
using std::type_info;
using std::weak_ordering;

// Numbers and memory.
using std::abort;
using std::addressof;
using std::align_val_t;
using std::bit_floor;
using std::bit_width;
using std::byte;
using std::calloc;
using std::countr_zero;
using std::destroy_at;
using std::fprintf;
using std::free;
using std::has_single_bit;
using std::int64_t;
using std::launder;
using std::make_unique;
using std::max_align_t;
using std::memcpy;
using std::memmove;
using std::memset;
using std::numeric_limits;
using std::popcount;
using std::ptrdiff_t;
using std::shared_ptr;
using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
using std::uintptr_t;
using std::unique_ptr;
using std::weak_ptr;
using std::operator&;
using std::operator|;
using std::operator^;
using std::operator~;
using std::operator<<;
using std::operator>>;

// Threads.
using std::atomic;
using std::atomic_ref;
using std::lock_guard;
using std::memory_order;
using std::memory_order_acq_rel; // Why an order suffices is said where it is used.
using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::mutex;

// Errors.
using std::bad_alloc;
using std::current_exception;
using std::exception;
using std::exception_ptr;
using std::invalid_argument;
using std::length_error;
using std::logic_error;
using std::out_of_range;
using std::rethrow_exception;
using std::runtime_error;
using std::uncaught_exceptions;

// Containers and vocabulary.
using std::apply;
using std::array;
using std::as_bytes;
using std::as_const;
using std::basic_ostream;
using std::basic_string_view;
using std::deque;
using std::erase;
using std::erase_if;
using std::exchange;
using std::forward;
using std::from_chars;
using std::function;
using std::get;
using std::hash;
using std::identity;
using std::ignore;
using std::invoke;
using std::less;
using std::move;
using std::nullopt;
using std::optional;
using std::pair;
using std::source_location;
using std::span;
using std::string;
using std::string_view;
using std::swap;
using std::to_string;
using std::tuple;
using std::tuple_cat;
using std::tuple_element_t;
using std::unordered_map;
using std::unordered_set;
using std::vector;
using std::operator==;
using std::operator!=;
using std::operator<=>;
using std::operator<;
using std::operator>;
using std::operator<=;
using std::operator>=;
using std::operator+;
using std::operator-;

// Types and concepts.
using std::conditional_t;
using std::constructible_from;
using std::convertible_to;
using std::decay_t;
using std::floating_point;
using std::index_sequence;
using std::index_sequence_for;
using std::integral;
using std::invocable;
using std::invoke_result_t;
using std::is_array_v;
using std::is_class_v;
using std::is_const_v;
using std::is_convertible_v;
using std::is_copy_constructible_v;
using std::is_default_constructible_v;
using std::is_empty_v;
using std::is_enum_v;
using std::is_floating_point_v;
using std::is_function_v;
using std::is_object_v;
using std::is_pointer_v;
using std::is_same_v;
using std::is_signed_v;
using std::is_trivially_copyable_v;
using std::is_trivially_default_constructible_v;
using std::is_void_v;
using std::make_index_sequence;
using std::remove_const_t;
using std::remove_cv_t;
using std::remove_cvref_t;
using std::remove_pointer_t;
using std::remove_reference_t;
using std::same_as;
using std::signed_integral;
using std::type_identity;
using std::type_identity_t;
using std::underlying_type_t;

// Iterators and algorithms.
using std::accumulate;
using std::back_inserter;
using std::clamp;
using std::copy;
using std::copy_n;
using std::default_sentinel_t;
using std::fill;
using std::fill_n;
using std::forward_iterator_tag;
using std::input_iterator_tag;
using std::iota;
using std::max;
using std::min;
using std::partial_sum;
using std::sort;
using std::unique;

#ifdef __cpp_lib_format
using std::format_parse_context;
using std::formatter;
#endif

namespace ranges {
using std::ranges::adjacent_find;
using std::ranges::all_of;
using std::ranges::any_of;
using std::ranges::binary_search;
using std::ranges::copy;
using std::ranges::copy_if;
using std::ranges::count;
using std::ranges::count_if;
using std::ranges::equal;
using std::ranges::equal_range;
using std::ranges::fill;
using std::ranges::find;
using std::ranges::find_if;
using std::ranges::for_each;
using std::ranges::is_sorted;
using std::ranges::lower_bound;
using std::ranges::max;
using std::ranges::merge;
using std::ranges::partition;
using std::ranges::replace;
using std::ranges::reverse;
using std::ranges::sort;
using std::ranges::unique;
using std::ranges::upper_bound;
} // namespace ranges

namespace chrono {
using std::chrono::duration;
using std::chrono::nanoseconds;
using std::chrono::steady_clock;
using std::chrono::operator-;
using std::chrono::operator+;
using std::chrono::operator<;
using std::chrono::operator<=>;
} // namespace chrono

} // namespace std
