// SPDX-License-Identifier: MIT
// The table of a set of types is searched once, and remembered until tables have been removed.
module ecs.world;
import ecs.std;
import ecs.storage;
import ecs.structure;

namespace ecs {

void require_alive(const engine& in, std::span<const id> components) {
    const auto is_alive = [&](id word) { return in.rows().entities().alive(word.as_entity()); };
    if (!std::ranges::all_of(components, is_alive))
        throw std::invalid_argument("a component of the spawn has ended while another one was registered");
}

any_bundle::~any_bundle() = default;

void any_bundle::find(engine& of, std::size_t count, const id* components, const bool* sparse,
                      const column** columns) {
    require_alive(of, {components, count});
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
