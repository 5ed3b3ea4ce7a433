// SPDX-License-Identifier: MIT
// Keeping stamps of the components that somebody watches.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

/// Those who have the component when it begins to be watched count as added now. Of what has ended there is
/// no news.
void store::watch(id word) {
    if (!word || (word.is_entity() && !entities_->alive(word.as_entity())) || stamps_of(word)) return;
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
    watched_.add(record, std::move(book));
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
void store::adopt(table& home, std::span<unique_chunk> rows, std::span<const entity> coming,
                  const table& layout, std::span<const column* const> columns) {
    if (home.watched) [[unlikely]]
        for (const entity e : coming) {
            watched_.reserve(e);
            watched_.row_came(home, e);
        }
    home.adopt(rows, layout, columns, *entities_);
}

} // namespace ecs
