// SPDX-License-Identifier: MIT
// What comes with a component or a relation.
module ecs.structure;
import ecs.std;
import :structure;

namespace ecs {

add_result structure::add_companions(entity e, id word, const rules& own) {
    const std::vector<entity> companions = own.with;
    for (const entity companion : companions) {
        const id other = ask_.beside(word, companion);
        const bool is_needed = std::ranges::find(own.needs, companion) != own.needs.end();
        if (is_needed ? ask_.owns(e, other) : ask_.has(e, other))
            continue; // What is needed is not left to a base.
        if (object_table::concerns(other)) std::ignore = rows_.objects().relate(word, companion);
        if (const add_result refusal = add(e, other); !succeeded(refusal)) return refusal;
    }
    return laws_.is_excluded(e, own) ? add_result::excluded
                                     : add_result::added; // What came along may be a rival.
}

} // namespace ecs
