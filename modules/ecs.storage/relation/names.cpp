// SPDX-License-Identifier: MIT
// What can be a name.
module ecs.storage;
import ecs.std;
import ecs.component;

namespace ecs {

void require_sound_name(std::string_view text) {
    if (text.empty() || text.find('/') != std::string_view::npos)
        throw name_error("\"" + std::string(text) +
                         "\" cannot be a name: a name is not empty and has no '/'" +
                         (text.empty() ? ". remove<ecs::name>(e) takes a name away" : ""));
}

void refuse_name(std::string_view text) {
    throw name_error("another entity has the name \"" + std::string(text) +
                     "\" among the children of the same parent, or among those without one");
}

} // namespace ecs
