// SPDX-License-Identifier: MIT
// New entities: how they get their rows, at once or when the observers have been told.
module ecs.world;
import ecs.std;
import :structure;

namespace ecs {

namespace {

constexpr auto no_values = [](row_ref) noexcept {};

} // namespace

entity structure::spawn() {
    if (!is_still()) [[unlikely]]
        return spawn_later([this](entity e) { materialize(e, root(), no_values); });
    return spawn_in(root(), no_values);
}

entity structure::spawn_with_care(table& in, row_constructor construct) {
    if (!in.watched) [[likely]]
        return spawn_row(in, [](entity) noexcept {}, construct);
    return as_one([&] {
        const entity e = spawn_row(in, [&](entity fresh) { reserve_ticks(fresh); }, construct);
        announce_spawn(in, e);
        return e;
    });
}

void structure::materialize(entity e, table& in, row_constructor construct) {
    if (in.watched) [[unlikely]]
        reserve_ticks(e);
    settle_in(in, e, construct);
    if (in.watched) [[unlikely]]
        announce_spawns(in, e);
}

entity structure::claim(entity elsewhere) {
    require_still();
    const entity e = entities().claim_outside(elsewhere);
    if (!e) return e;
    try {
        materialize(e, root(), no_values);
    } catch (...) {
        if (!locate(e)) entities().take_back_claim(e);
        throw;
    }
    return e;
}

void structure::take_back(entity e) noexcept {
    end_ticks(e);
    end_row(locate(e));
    entities().destroy(e);
}

/// Before the rows come, so that nothing has to be undone when there is no room.
void structure::adopt(table& home, std::span<unique_chunk> rows, std::span<const entity> coming,
                      const table& layout, std::span<const column* const> columns) {
    if (home.watched) [[unlikely]]
        for (const entity e : coming) {
            reserve_ticks(e);
            note_coming(home, e);
        }
    home.adopt(rows, layout, columns, entities());
}

} // namespace ecs
