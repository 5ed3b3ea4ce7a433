// SPDX-License-Identifier: MIT
// The table of a set of types is searched once, and remembered until tables have been removed.
module ecs.world;
import ecs.std;
import ecs.storage;
import ecs.structure;

namespace ecs {

any_bundle::~any_bundle() = default;

void any_bundle::find(engine& of, std::size_t count, const id* components, const bool* sparse,
                      const column** columns) {
    std::vector<id> kept;
    kept.reserve(count);
    for (std::size_t i = 0; i < count; ++i)
        if (!sparse[i]) kept.push_back(components[i]);
    archetype = &of.core().table_of_set(kept.data(), kept.size());
    for (std::size_t i = 0; i < count; ++i) columns[i] = archetype->column_of(components[i]);
    of.checks().require_whole({components, count});
    constrained_ids = of.checks().ids_with_required({components, count});
    whole = constrained_ids.empty() ? archetype : &of.spawns().whole_table(*archetype, {components, count});
    cache_version = of.rows().cache_version();
}

void any_bundle::find_children(engine& of, table& home) {
    below = {&home, home.column_of(pair(child_of, any)), &of.rows().lists().of(child_of.index())};
}

} // namespace ecs
