// SPDX-License-Identifier: MIT
// The names of types, as they are in the source.
export module ecs.component:type_name;
import ecs.std;

export namespace ecs {

/// A component's name on its entity, or any entity's.
template <class T> [[nodiscard]] consteval std::string_view name_in_signature() {
    const std::string_view signature = __PRETTY_FUNCTION__;
    const std::size_t begin = signature.find("T = ") + 4;
    return signature.substr(begin, signature.rfind(']') - begin);
}

/// The qualified name of the type, which identifies the component everywhere.
template <class T> inline constexpr std::string_view type_name = name_in_signature<T>();

/// Whether it is the name of std::string, of which compilers make three, as what a file includes has it.
[[nodiscard]] constexpr bool is_text_type(std::string_view name) {
    return name == type_name<std::string> || name == "std::basic_string<char>" ||
           name == "std::__cxx11::basic_string<char>";
}

} // namespace ecs
