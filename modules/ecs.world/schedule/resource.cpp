// SPDX-License-Identifier: MIT
// The error of a system whose resource is not there.
module ecs.world;
import ecs.std;

namespace ecs {

void refuse_resource(const engine& in, entity component, std::string_view type) {
    throw access_error(component, component, in.rows().entities().status(component),
                       "the world has no singleton of " + std::string(type) +
                           ", which is asked for as a resource: call set_singleton before, or "
                           "schedule.state(first) where it is a state");
}

} // namespace ecs
