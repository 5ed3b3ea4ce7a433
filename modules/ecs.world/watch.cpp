// SPDX-License-Identifier: MIT
// Keeping stamps of the components that somebody watches.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

/// Those who have the component when it begins to be watched count as added now.
void store::watch(id word) {
    if (stamps_of(word)) return;
    require_still();
    id_record& record = record_of(word);
    auto book = std::make_unique<stamp_book>();
    for (const auto& t : tables_.all()) {
        if (!record.side && !t->has(word)) continue;
        for (chunk* const in : t->chunks())
            for (const entity e : std::span(in->entities(), in->count)) {
                if (record.side && !record.side->contains(index_of(e))) continue;
                book->reserve(index_of(e));
                book->add(index_of(e), now());
            }
    }
    watched_.reserve(watched_.size() + 1);
    record.stamps = std::move(book);
    watched_.push_back(&record);
    attend();
    ++removals_; // Queries that write the component have to say so from now on.
}

stamp_book* store::stamps_of(id word) const {
    if (watched_.empty() || !word) return nullptr;
    const id_record* const known = records_.find(word);
    return known ? known->stamps.get() : nullptr;
}

/// Where nobody watches, or the entity does not have the component, nothing.
void store::touch(entity e, id word) const noexcept {
    if (stamp_book* const book = stamps_of(word)) book->change(index_of(e), now());
}

/// Before the rows come, so that nothing has to be undone when there is no room.
std::vector<entity> store::adopt(table& home, std::span<unique_chunk> rows, const table& layout,
                                 std::span<const column* const> columns) {
    std::vector<entity> coming;
    if (home.watched) [[unlikely]]
        coming = owners_of(rows);
    for (const entity e : coming) {
        reserve_stamps(e);
        stamp_spawn(home, e);
    }
    home.adopt(rows, layout, columns, *entities_);
    return coming;
}

void store::reserve_stamps(entity e) {
    for (const id_record* const record : watched_) record->stamps->reserve(index_of(e));
}

void store::stamp_move(const table& from, const table& to, entity e) noexcept {
    for (const id_record* const record : watched_) {
        const bool before = from.has(record->word);
        const bool after = to.has(record->word);
        if (after && !before) record->stamps->add(index_of(e), now());
        if (before && !after) record->stamps->remove(index_of(e), now());
    }
}

void store::stamp_spawn(const table& in, entity e) noexcept {
    for (const id_record* const record : watched_)
        if (in.has(record->word)) record->stamps->add(index_of(e), now());
}

void store::forget_stamps(entity e) noexcept {
    for (const id_record* const record : watched_) record->stamps->forget(index_of(e));
}

} // namespace ecs
