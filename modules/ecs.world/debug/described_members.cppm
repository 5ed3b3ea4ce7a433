// SPDX-License-Identifier: MIT
// Checks what a component described at run time says of its members.
export module ecs.world:described_members;
import ecs.std;
import ecs.component;
import :world;

namespace ecs {

/// Throws std::invalid_argument unless each member has a name of its own, lies within the value, has the size
/// of its type where that is known, and does not lead to a member of the component again.
void require_sound_members(const world& in, const component_description& described);

} // namespace ecs
