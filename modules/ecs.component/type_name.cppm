// SPDX-License-Identifier: MIT
// The names of types, as they are in the source.
export module ecs.component:type_name;
import ecs.std;
import :spelling;

// Not in ecs: g++ leaves that name out where a function of ecs names a type of ecs.
export namespace ecs_signatures {

template <class T> [[nodiscard]] consteval const char* signature_with() { return __PRETTY_FUNCTION__; }

} // namespace ecs_signatures

export namespace ecs {

/// The name of the type as the compiler spells it.
template <class T> [[nodiscard]] consteval std::string_view name_in_signature() {
    const std::string_view signature = ecs_signatures::signature_with<T>();
    const std::size_t begin = signature.find("T = ") + 4;
    return signature.substr(begin, signature.rfind(']') - begin);
}

/// The letters of the name as clang spells it.
template <class T> struct spelled {
    static constexpr std::size_t size = clang_spelling().write(name_in_signature<T>()).size();
    char letters[size]{};

    consteval spelled() { clang_spelling(letters).write(name_in_signature<T>()); }
};
template <class T> inline constexpr spelled<T> spelled_name{};

/// The letters of a name that clang gives, without the namespace in which libc++ has its classes.
template <class T> struct unversioned {
    static constexpr std::string_view version = "std::__1::", plain = "std::";

    static consteval std::size_t write(char* to) {
        std::size_t written = 0;
        for (std::string_view rest = name_in_signature<T>(); !rest.empty();) {
            const bool found = rest.starts_with(version);
            for (const char c : found ? plain : rest.substr(0, 1)) {
                if (to) to[written] = c;
                ++written;
            }
            rest.remove_prefix(found ? version.size() : 1);
        }
        return written;
    }
    static constexpr std::size_t size = write(nullptr);
    char letters[size]{};

    consteval unversioned() { write(letters); }
};
template <class T> inline constexpr unversioned<T> unversioned_name{};

/// Whether the standard library is libc++.
inline constexpr bool has_version = name_in_signature<std::vector<int>>().starts_with("std::__1::");

/// The name of a component: the same with each compiler and standard library.
template <class T> [[nodiscard]] consteval std::string_view find_name() {
#ifdef __clang__
    if constexpr (has_version)
        return {unversioned_name<T>.letters, unversioned<T>::size};
    else
        return name_in_signature<T>();
#else
    return {spelled_name<T>.letters, spelled<T>::size};
#endif
}

/// The qualified name of the type, which identifies the component everywhere.
template <class T> inline constexpr std::string_view type_name = find_name<T>();

template <class... T> struct type_list {
    /// The results of make for each of the types.
    template <class Make> [[nodiscard]] static constexpr auto each(Make make) {
        return std::array { make.template operator()<T>()... };
    }
};

/// Types whose members are read as the number that the name says, bool and char among them. The most frequent
/// types come first.
using number_types = type_list<float, int, unsigned, double, bool, char, signed char, unsigned char, short,
                               unsigned short, long, unsigned long, long long, unsigned long long>;

/// Whether it is the name of std::string: as people write it, or one of the three that compilers make of it,
/// depending on what a file includes.
[[nodiscard]] constexpr bool is_text_type(std::string_view name) {
    return name == "std::string" || name == type_name<std::string> || name == "std::basic_string<char>" ||
           name == "std::__cxx11::basic_string<char>";
}

} // namespace ecs
