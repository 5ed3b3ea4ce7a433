// SPDX-License-Identifier: MIT
// What a debugger needs to find entities in memory, also in that of a program that has died: where each world
// has its rows, and at which offsets the members of its classes are. The library need not be built with debug
// information for that, and no function of it is called.
//
//   ecs_debugger_view -> fields  {"table.columns", 24}, ...
//                        worlds  by number: {rows, slots}, null where there is no world
//
// A script knows a member by the name that it has here, so that the order and the size of classes may change.
// The scripts are in debug/.
module;
#include <bit>
export module ecs.storage:debugging;
import ecs.std;
import ecs.id;
import :entities;

export namespace ecs {

class store;

/// Shows that the world has its rows there, until it is hidden. Each number belongs to one world at a time,
/// which alone calls these functions.
void show_to_debuggers(const store& rows, const entity_index& entities) noexcept;
void hide_from_debuggers(const entity_index& entities) noexcept;

/// Gives scripts a number under that name, and returns it. Only before main.
std::uint64_t show_number(const char* name, std::uint64_t value) noexcept;

/// How many bytes from the start of its object a member is.
template <class Class, class Member> [[nodiscard]] std::uint64_t offset_of(Member Class::* member) {
    static_assert(sizeof member == sizeof(std::ptrdiff_t), "a pointer to a member is an offset");
    return static_cast<std::uint64_t>(std::bit_cast<std::ptrdiff_t>(member));
}

/// Shows where a member is, which may be private: an explicit instantiation, and nothing else has to be
/// written, may name it. So the classes need not know of debuggers.
template <fixed_string Name, auto Member> struct shown_member {
    static inline const std::uint64_t offset = show_number(Name.text, offset_of(Member));
};

/// The same for a number that is known, such as the size of a class.
template <fixed_string Name, std::uint64_t Value> struct shown_number {
    static inline const std::uint64_t value = show_number(Name.text, Value);
};

} // namespace ecs
