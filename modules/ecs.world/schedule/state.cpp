// SPDX-License-Identifier: MIT
// The error of a condition whose states are not there.
module ecs.world;
import ecs.std;

namespace ecs {

void refuse_state(std::string_view type) {
    throw access_error({}, {}, id_status::null,
                       "the world is in no state of " + std::string(type) +
                           ": say which is the first with schedule.state(...)");
}

} // namespace ecs
