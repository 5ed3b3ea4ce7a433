// SPDX-License-Identifier: MIT
// What comes with a component or a relation.
module ecs.structure;
import ecs.std;

namespace ecs {

add_result structure::add_required(entity e, id word, const traits& own) {
    const std::vector<entity> required_components = own.with;
    for (const entity required : required_components) {
        const id other = reads_.with_same_target(word, required);
        const bool is_needed = std::ranges::find(own.needs, required) != own.needs.end();
        const bool owns = reads_.owns(e, other);
        if (!owns && !is_needed && reads_.has(e, other)) continue; // What is needed is not left to a base.
        if (!owns && object_table::concerns(other)) std::ignore = rows_.objects().relate(word, required);
        const add_result result = owns ? complete(e, other) : add(e, other);
        if (!succeeded(result)) return result;
    }
    return checks_.is_excluded(e, own) ? add_result::excluded
                                       : add_result::added; // What came along may be a conflicting target.
}

} // namespace ecs
