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
        if (is_needed ? reads_.owns(e, other)
                      : reads_.has(e, other)) { // What is needed is not left to a base.
            if (!reads_.owns(e, other)) continue;
            if (const add_result refusal = complete(e, other); !succeeded(refusal)) return refusal;
            continue;
        }
        if (object_table::concerns(other)) std::ignore = rows_.objects().relate(word, required);
        if (const add_result refusal = add(e, other); !succeeded(refusal)) return refusal;
    }
    return checks_.is_excluded(e, own) ? add_result::excluded
                                       : add_result::added; // What came along may be a conflicting target.
}

} // namespace ecs
