// SPDX-License-Identifier: MIT
// New entities: how they get their rows, at once or when the observers have been told.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

constexpr auto no_values = [](row_ref) noexcept {};

} // namespace

entity row_spawner::spawn() { return spawn_with_care(rows_.root(), no_values); }

entity row_spawner::spawn_with_care(table& in, row_constructor construct) {
    if (!in.tells_of_spawns) [[likely]]
        return rows_.spawn_row(in, [](entity) noexcept {}, construct);
    return events_.as_one([&] {
        const entity e = rows_.spawn_row(in, [&](entity fresh) { events_.reserve_ticks(fresh); }, construct);
        events_.announce_spawn(in, e);
        return e;
    });
}

table& row_spawner::whole_table(table& in, std::span<const id> components) {
    const std::vector<id> companions = checks_.plain_companions(components);
    if (companions.empty()) return in;
    std::vector<id> type(in.type().begin(), in.type().end());
    type.insert(type.end(), companions.begin(), companions.end());
    return core_.table_of_set(type.data(), type.size());
}

void row_spawner::complete(entity e, table& whole) {
    const row_ref at = rows_.locate(e);
    core_.move_fresh(at, at.block->owner->plan_to(whole));
}

void row_spawner::complete_or_take_back(entity e, table& whole) {
    try {
        complete(e, whole);
    } catch (...) {
        take_back(e);
        throw;
    }
}

entity row_spawner::spawn_whole(table& in, table& whole, row_constructor construct) {
    if (&in == &whole) return spawn_with_care(in, construct);
    return events_.as_one([&] {
        const entity e = spawn_untold(in, whole, construct);
        if (whole.tells_of_spawns) events_.announce_spawn(whole, e);
        return e;
    });
}

entity row_spawner::spawn_untold(table& in, table& whole, row_constructor construct) {
    const entity e = rows_.spawn_row(in, [&](entity fresh) { events_.reserve_ticks(fresh); }, construct);
    if (&in != &whole) complete_or_take_back(e, whole);
    return e;
}

void row_spawner::announce(const table& in, entity e, sparse_set* const* outside, std::size_t count) {
    const std::span<sparse_set* const> sets(outside, count);
    const auto is_tracked = [](const sparse_set* set) { return set && set->tracked; };
    if (in.tells_of_spawns || std::ranges::any_of(sets, is_tracked)) [[unlikely]]
        events_.as_one([&] { events_.announce_spawn(in, e, sets); });
}

void row_spawner::materialize(entity e, table& in, row_constructor construct) {
    materialize(e, in, in, construct);
}

void row_spawner::materialize(entity e, table& in, table& whole, row_constructor construct) {
    materialize_untold(e, in, whole, construct);
    if (whole.tells_of_spawns) [[unlikely]]
        events_.announce_spawns(whole, e);
}

void row_spawner::materialize_untold(entity e, table& in, table& whole, row_constructor construct) {
    if (whole.tells_of_spawns) [[unlikely]]
        events_.reserve_ticks(e);
    rows_.settle_in(in, e, construct);
    if (&whole != &in) [[unlikely]]
        complete_or_take_back(e, whole);
}

entity row_spawner::claim(entity elsewhere) {
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
    events_.end_ticks(e);
    rows_.end_row(rows_.locate(e));
    rows_.entities().destroy(e);
}

/// Ticks get their room before the rows come, so that nothing has to be undone when there is none.
void row_spawner::adopt(table& home, std::span<unique_chunk> rows, std::span<const entity> coming,
                        const table& layout, std::span<const column* const> columns) {
    if (home.tells_of_spawns) [[unlikely]]
        for (const entity e : coming) {
            events_.reserve_ticks(e);
            events_.note_coming(home, e);
        }
    home.adopt(rows, layout, columns, rows_.entities());
}

table* row_spawner::home_of_children(entity parent, table& without) {
    const row_ref above = rows_.locate(parent);
    const id key = pair(child_of, any);
    const bool asks = above && (above.block->owner->prefab || above.block->owner->no_target);
    if (!above || asks) return nullptr;
    const move_plan& along = core_.linking(without, key, {});
    return along.lists && !along.to->tells_of_spawns ? along.to : nullptr;
}

/// Entities that cannot get what their components require, or have two that exclude each other, do not come
/// into being.
void row_spawner::bring_required(std::span<const entity> all, std::span<const id> words) {
    try {
        for (const entity e : all)
            for (const id word : words) {
                const traits& own = rows_.traits_of(word);
                checks_.require_whole({&word, 1});
                if (checks_.is_excluded(e, own))
                    throw std::invalid_argument(rows_.name_of_component(word.as_entity()) + " is refused: " +
                                                std::string(ecs::to_string(add_result::excluded)));
                if (const add_result refusal = core_.add_required(e, word, own); !succeeded(refusal))
                    throw std::invalid_argument("what comes with " +
                                                rows_.name_of_component(word.as_entity()) +
                                                " is refused: " + std::string(ecs::to_string(refusal)));
            }
    } catch (...) {
        despawns_.despawn_alone(all);
        throw;
    }
}

void row_spawner::reserve(table& in, std::size_t more) {
    rows_.entities().reserve(more); // This comes first: it knows how many there can be.
    in.reserve(more);
}

} // namespace ecs
