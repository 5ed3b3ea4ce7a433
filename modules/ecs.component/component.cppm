// SPDX-License-Identifier: MIT
// What the store must know of a component's values to keep them in untyped memory, and how a C++ type is told
// from another: by its name as the linker knows it, so that it is the same in every world and shared library.
export module ecs.component:component;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import :bytes;
import :type_facts;
import :type_name;

export namespace ecs {

/// Where the values of a component live.
enum class storage : std::uint8_t {
    table,    ///< In the rows of archetype tables: fastest to iterate.
    sparse,   ///< In a set of its own: adding and removing moves nothing else, and a value stays where it is.
    bits,     ///< For tags that come and go often: one bit for each entity.
    in_place, ///< Beside the rows of tables, with a bit for each: adding and removing moves no row.
};

/// How values are handled in untyped memory. A null function means the trivial way.
struct value_operations {
    void (*construct)(void* to) = nullptr;                     ///< Null: zero bytes. May throw.
    void (*copy)(void* to, const void* from) = nullptr;        ///< Null: copy the bytes. May throw.
    void (*relocate)(void* to, void* from) noexcept = nullptr; ///< Move and destroy. Null: copy the bytes.
    void (*destroy)(void* value) noexcept = nullptr;           ///< Null: nothing to do.
    void (*save)(const void* value, snapshot_writer& to) = nullptr; ///< Null: the bytes. May throw.
    void (*load)(void* to, snapshot_reader& from) = nullptr;        ///< Makes a value. May throw.
    bool copyable = true;                                           ///< Whether copy may be used.
    bool constructible = true;                                      ///< Whether construct may be used.
    bool movable = true;                                            ///< Whether relocate may be used.

    /// Whether a value is moved as its bytes, and copied so where it may be copied, and ends without a call.
    [[nodiscard]] constexpr bool are_of_bytes() const { return !copy && !relocate && !destroy; }
};

/// The facts of a component, kept as a component on the component's entity, so that tools can query for
/// components.
struct component_info {
    std::size_t size{};      ///< Bytes of a value; 0 for a tag.
    std::size_t alignment{}; ///< Bytes; a power of two.
    storage kept_in{};
    value_operations operations{};
    const type_facts* facts{}; ///< What the compiler found of its members; null when it looked for none.
};

/// Whether values of the type can be kept as a component: objects that end without throwing, of a type
/// without const or volatile, and neither pointers nor arrays. Every type that is used is asked, so the
/// question is in words of the language, which importers compile faster than traits of the library.
template <class T>
concept component_type = requires(T& value) {
    { value.~T() } noexcept;
} && std::same_as<T, std::remove_cv_t<T>> && !std::is_pointer_v<T> && !__is_abstract(T);

/// Whether the type is not defined where this is asked. A compiler keeps the answer, also when the type is
/// defined later: it is asked of types alone that are refused.
template <class T>
inline constexpr bool is_only_declared = (__is_class(T) || __is_union(T)) && !requires { sizeof(T); };

/// Does not compile for a type that is no component_type, and says why. Whoever asks it of many types asks
/// component_type first, whose answer costs importers less.
template <class T> consteval bool require_component() {
    if constexpr (is_only_declared<T>)
        static_assert(component_type<T>, "the type is only declared here: include its definition");
    else if constexpr (__is_abstract(T))
        static_assert(component_type<T>, "an abstract class has no values of its own: write a component that "
                                         "has a std::unique_ptr to it");
    else
        static_assert(component_type<T>,
                      "this is no type of a component, which is written without const, *, & and [], and "
                      "which has a public destructor that does not throw");
    return true;
}

template <class T> inline constexpr bool is_text = false;
template <> inline constexpr bool is_text<char*> = true;
template <> inline constexpr bool is_text<const char*> = true;
template <std::size_t N> inline constexpr bool is_text<char[N]> = true;
template <std::size_t N> inline constexpr bool is_text<const char[N]> = true;
template <> inline constexpr bool is_text<std::string> = true;
template <> inline constexpr bool is_text<std::string_view> = true;

/// Whether an argument is text. As the first argument of spawn, it is the name of the entity.
template <class T>
concept text = is_text<std::remove_cvref_t<T>>;

template <class... Arguments> inline constexpr bool begins_with_text = false;
template <class First, class... Rest> inline constexpr bool begins_with_text<First, Rest...> = text<First>;

template <class T>
concept declares_storage = std::same_as<decltype(T::kept_in), const storage>;

/// Whether values can be in tables: rows move when others are removed, and must not throw then, so that the
/// type needs a move that does not throw.
template <class T> inline constexpr bool can_be_in_tables = std::is_empty_v<T> || safely_makeable<T, T>;

template <class T> [[nodiscard]] consteval storage declared_storage() {
    if constexpr (declares_storage<T>)
        return T::kept_in;
    else
        return can_be_in_tables<T> ? storage::table : storage::sparse;
}

/// What a type says of itself as a component: `static constexpr ecs::storage kept_in` in the type, or a
/// specialisation of this for a type of another library. A type that says nothing is kept in tables, or, when
/// its move may throw or it has none, where values never move. A specialisation may also have `properties`,
/// and both may say `static constexpr bool copyable = false`.
template <class T> struct component_traits {
    static constexpr storage kept_in = declared_storage<T>();
};

template <bool> struct declared_copyable;

/// See component_traits. A member that is no constant says nothing.
template <class T>
concept says_it_is_not_copied =
    std::same_as<declared_copyable<T::copyable>, declared_copyable<false>> ||
    std::same_as<declared_copyable<component_traits<T>::copyable>, declared_copyable<false>>;

/// Whether values can be copied. Where a member is a container of what cannot be copied, the compiler says
/// yes, and the copy does not compile: of a vector its elements are asked, and other types have to say it.
template <class T> inline constexpr bool can_be_copied = makeable<T, const T&> && !says_it_is_not_copied<T>;
template <class T, class Allocator>
inline constexpr bool can_be_copied<std::vector<T, Allocator>> = can_be_copied<T>;

/// Whether the library uses the type to serve functions, such as commands, so that it is no component.
template <class T> inline constexpr bool is_service = false;
template <class T> inline constexpr bool is_service<std::optional<T>> = is_service<T>;

template <class T> void construct_value(void* to) { ::new (to) T(); }
template <class T> void copy_value(void* to, const void* from) { ::new (to) T(*static_cast<const T*>(from)); }
template <class T> void destroy_value(void* value) noexcept { std::destroy_at(static_cast<T*>(value)); }
template <class T> void relocate_value(void* to, void* from) noexcept {
    ::new (to) T(std::move(*static_cast<T*>(from)));
    std::destroy_at(static_cast<T*>(from));
}

template <class T> void save_value(const void* value, snapshot_writer& to) {
    snapshot_traits<T>::save(*static_cast<const T*>(value), to);
}
template <class T> void load_value(void* to, snapshot_reader& from) {
    ::new (to) T(snapshot_traits<T>::load(from));
}

template <class T> [[nodiscard]] constexpr value_operations operations_of() {
    value_operations ops;
    if constexpr (!is_trivial_to_make<T> && makeable<T>) ops.construct = &construct_value<T>;
    if constexpr (!is_trivial_to_copy<T> && can_be_copied<T>) ops.copy = &copy_value<T>;
    if constexpr (!is_trivial_to_copy<T> && can_be_in_tables<T> && makeable<T, T>)
        ops.relocate = &relocate_value<T>;
    if constexpr (!trivial_to_destroy<T>) ops.destroy = &destroy_value<T>;
    if constexpr (saves_itself<T>) {
        ops.save = &save_value<T>;
        ops.load = &load_value<T>;
    }
    ops.copyable = can_be_copied<T>;
    ops.constructible = makeable<T>;
    ops.movable = can_be_in_tables<T>;
    return ops;
}

/// What a reference to a tag refers to. A tag has no value and is never constructed: there is nothing to
/// read.
template <class T> [[nodiscard]] T& tag_value() {
    alignas(T) static std::byte nothing[sizeof(T)];
    return reinterpret_cast<T&>(nothing);
}

/// Whether no type occurs twice.
template <class... T> inline constexpr bool all_different = true;
template <class First, class... Rest>
inline constexpr bool all_different<First, Rest...> =
    !(std::is_same_v<First, Rest> || ...) && all_different<Rest...>;

/// Whether a component type is no part of the types of tables, so that a set knows which entities have it.
/// The component of a pair always is.
template <class T> inline constexpr bool is_sparse = false;
template <component_type T>
inline constexpr bool is_sparse<T> = component_traits<T>::kept_in != storage::table;

/// Whether the set keeps a bit for each entity.
template <class T> inline constexpr bool is_bit = false;
template <component_type T> inline constexpr bool is_bit<T> = component_traits<T>::kept_in == storage::bits;

/// Whether the set keeps the values beside the rows of the entities.
template <class T> inline constexpr bool is_in_place = false;
template <component_type T>
inline constexpr bool is_in_place<T> = component_traits<T>::kept_in == storage::in_place;

/// Whether values move when rows do, which must not throw.
[[nodiscard]] constexpr bool moves_with_rows(storage kind) {
    return kind == storage::table || kind == storage::in_place;
}

template <class T>
concept soundly_kept = (!moves_with_rows(component_traits<T>::kept_in) || can_be_in_tables<T>) &&
                       (component_traits<T>::kept_in != storage::bits || std::is_empty_v<T>);

/// The facts of a C++ type. An empty type is a tag: it has no bytes.
template <component_type T>
inline constexpr component_info info_of = [] {
    static_assert(soundly_kept<T>,
                  "what is kept in tables, or in place, has a move that does not throw, and bits take empty "
                  "types: choose sparse");
    return component_info{std::is_empty_v<T> ? 0 : sizeof(T), alignof(T), component_traits<T>::kept_in,
                          operations_of<T>(), facts_to_show<T>()};
}();

/// Types are numbered in two series, so that each stays dense.
enum class type_series : std::uint8_t { components, keys };

/// Number of a type within this process, from 1 on, the same in every world and shared library. The linker's
/// name decides, because the name in the source is no identity: two functions may each have a local type
/// `hit`. Types of unnamed namespaces have the same linker's name in every translation unit; what tells them
/// apart is the address of `known`, which each unit has of its own. Leaves the number there and, where it is
/// of a component and fits in eight bits, in `low`. Thread-safe.
std::uint32_t number_of_type(std::string_view linker_name, std::atomic<std::uint32_t>& known,
                             std::atomic<std::uint32_t>& low);
/// The same for a key.
std::uint32_t number_of_key(std::string_view linker_name, std::atomic<std::uint32_t>& known);

template <class T, type_series Series = type_series::components>
inline constinit std::atomic<std::uint32_t> known_type_number{0};

/// The same number where it fits in eight bits; 0 while it is not known, and where it does not fit.
template <class T> inline constinit std::atomic<std::uint32_t> known_low_number{0};

/// The number of a type; one load after the first call.
template <class T, type_series Series = type_series::components>
[[nodiscard]] inline std::uint32_t type_number() {
    std::atomic<std::uint32_t>& known = known_type_number<T, Series>;
    // Relaxed: threads that meet here store the same number, and nothing else is published with it.
    if (const std::uint32_t number = known.load(std::memory_order_relaxed)) [[likely]]
        return number;
    if constexpr (Series == type_series::components)
        return number_of_type(typeid(T).name(), known, known_low_number<T>);
    else
        return number_of_key(typeid(T).name(), known);
}

/// The number of a type in eight bits; 0 when it is not known yet or does not fit: then slower code finds it.
template <class T> [[nodiscard]] inline std::uint32_t early_type_number() {
    return known_low_number<T>.load(std::memory_order_relaxed); // As in type_number.
}

} // namespace ecs
