// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :engine;

namespace ecs {

engine::engine(const id_space& space) : rows_(space) { types_.bootstrap(); }

engine::engine(store::replica_tag tag, std::uint8_t world) : rows_(tag, world) {}

add_result engine::add(entity e, id word) {
    const row_ref at = rows_.locate(e);
    const transition* const along = rows_.bare_way(edge_kind::adding, at, word);
    if (!along || !along->added.empty()) return core_.add(e, word);
    along->from->give_row(at, *along, rows_.entities());
    return add_result::added;
}

add_result engine::remove(entity e, id word) {
    const row_ref at = rows_.locate(e);
    const transition* const along = rows_.bare_way(edge_kind::removing, at, word);
    if (!along) return core_.remove(e, word);
    along->from->give_row(at, *along, rows_.entities());
    return add_result::removed;
}

} // namespace ecs
