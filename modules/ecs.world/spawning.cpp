// SPDX-License-Identifier: MIT
// New entities: how they get their rows, at once or when the observers have been told.
module ecs.world;
import ecs.std;
import :row_spawner;

namespace ecs {

namespace {

constexpr auto no_values = [](row_ref) noexcept {};

} // namespace

entity row_spawner::spawn() {
    if (!rows_.is_still()) [[unlikely]]
        return spawn_later([this](entity e) { materialize(e, rows_.root(), no_values); });
    return spawn_with_care(rows_.root(), no_values);
}

entity row_spawner::spawn_with_care(table& in, row_constructor construct) {
    if (!in.watched) [[likely]]
        return rows_.spawn_row(in, [](entity) noexcept {}, construct);
    return notices_.as_one([&] {
        const entity e = rows_.spawn_row(in, [&](entity fresh) { notices_.reserve_ticks(fresh); }, construct);
        notices_.announce_spawn(in, e);
        return e;
    });
}

void row_spawner::materialize(entity e, table& in, row_constructor construct) {
    if (in.watched) [[unlikely]]
        notices_.reserve_ticks(e);
    rows_.settle_in(in, e, construct);
    if (in.watched) [[unlikely]]
        notices_.announce_spawns(in, e);
}

entity row_spawner::claim(entity elsewhere) {
    rows_.require_still();
    const entity e = rows_.entities().claim_outside(elsewhere);
    if (!e) return e;
    try {
        materialize(e, rows_.root(), no_values);
    } catch (...) {
        if (!rows_.locate(e)) rows_.entities().take_back_claim(e);
        throw;
    }
    return e;
}

void row_spawner::take_back(entity e) noexcept {
    notices_.end_ticks(e);
    rows_.end_row(rows_.locate(e));
    rows_.entities().destroy(e);
}

/// Before the rows come, so that nothing has to be undone when there is no room.
void row_spawner::adopt(table& home, std::span<unique_chunk> rows, std::span<const entity> coming,
                        const table& layout, std::span<const column* const> columns) {
    if (home.watched) [[unlikely]]
        for (const entity e : coming) {
            notices_.reserve_ticks(e);
            notices_.note_coming(home, e);
        }
    home.adopt(rows, layout, columns, rows_.entities());
}

} // namespace ecs
