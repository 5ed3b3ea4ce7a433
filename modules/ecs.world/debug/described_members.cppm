// SPDX-License-Identifier: MIT
// Checks what a component described at run time says of its members.
export module ecs.world:described_members;
import ecs.std;
import ecs.component;
import :world;

namespace ecs {

/// The members of a description, with the names of types as the library knows them. `info` says what values
/// of the component are, or will be. Throws std::invalid_argument unless each member has a name of its own,
/// lies within the value, has the size of its type where that is known, has bounds only where it is a number,
/// and does not lead to a member of the component again.
[[nodiscard]] std::vector<member> sound_members(const world& in, const component_description& described,
                                                const component_info& info);

} // namespace ecs
