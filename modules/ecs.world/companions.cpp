// SPDX-License-Identifier: MIT
// What comes with a component or a relation.
module ecs.world;
import ecs.std;
import :structure;

namespace ecs {

/// Adds what comes with the identifier.
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

/// Those who cannot get what comes with their components, or have two that exclude each other, do not come
/// into being.
void row_spawner::bring_companions(std::span<const entity> all, std::span<const id> words) {
    try {
        for (const entity e : all)
            for (const id word : words) {
                const rules& own = rows_.rules_of(word);
                laws_.require_whole({&word, 1});
                if (laws_.is_excluded(e, own))
                    throw std::invalid_argument(rows_.name_of_component(word.as_entity()) + " is refused: " +
                                                std::string(ecs::to_string(add_result::excluded)));
                if (const add_result refusal = core_.add_companions(e, word, own); !succeeded(refusal))
                    throw std::invalid_argument("what comes with " +
                                                rows_.name_of_component(word.as_entity()) +
                                                " is refused: " + std::string(ecs::to_string(refusal)));
            }
    } catch (...) {
        for (const entity e : all) ends_.despawn(e);
        throw;
    }
}

} // namespace ecs
