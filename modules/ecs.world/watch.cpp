// SPDX-License-Identifier: MIT
// Keeping stamps of the components that somebody watches.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

/// Those who have what the identifier stands for when it begins to be watched count as added now. Of what has
/// ended there is no news.
void store::watch(id word) {
    if (!is_meant(word) || stamps_of(word)) return;
    require_still();
    id_record& record = record_of(word);
    auto book = std::make_unique<stamp_book>();
    for (const auto& t : tables_.all())
        if (record.side || std::ranges::any_of(t->type(), [&](id stored) { return may_match(word, stored); }))
            stamp_owners(*t, record, *book);
    watched_.add(record, std::move(book));
    attend();
    ++removals_; // Queries that write the component have to say so from now on.
}

/// Whether those whom the identifier names are alive.
bool store::is_meant(id word) const {
    if (word.is_entity()) return entities_->alive(word.as_entity());
    if (word.is_pair() && word.target_index() != 0) return static_cast<bool>(target_of_pair(word));
    return static_cast<bool>(word);
}

/// Rows of one table may differ in the targets that columns keep, and in what is kept outside tables.
void store::stamp_owners(const table& in, const id_record& record, stamp_book& book) const {
    const bool by_row = record.side || record.word.has_relation();
    for (chunk* const block : in.chunks())
        for (const entity e : std::span(block->entities(), block->count)) {
            if (by_row && own_matches(e, record.word).empty()) continue;
            book.reserve(index_of(e));
            book.add(index_of(e), now());
        }
}

stamp_book* store::stamps_of(id word) const {
    if (watched_.empty() || !word) return nullptr;
    const id_record* const known = records_.find(word);
    return known ? known->stamps.get() : nullptr;
}

bool store::watches(id pattern) const { return watched_.concern(pattern); }

/// Where nobody watches, or the entity does not have the component, nothing.
void store::touch(entity e, id word, moment when) const noexcept { watched_.changed(e, word, when); }

/// What is inherited belongs to the base, and is found there by whoever inherits it.
held_value store::held(entity e, id word) const {
    const row_ref at = locate(e);
    if (!at) return {e, word};
    if (const side_set* const side = side_of(word)) {
        const entity holder = holder_aside(e, *side);
        return {holder ? holder : e, word};
    }
    if (const id own = valued_match(at, word)) return {e, own};
    const entity from = at.block->owner->inherits ? base_with(*at.block->owner, word) : entity{};
    if (!from) return {e, word};
    const id behind = valued_match(locate(from), word);
    return {from, behind ? behind : word};
}

/// The row goes to another table, and what it inherits may be another's. Whoever sees another value than
/// before sees one that has changed; it counts as changed when there is no memory to find out.
void store::note_heritage(const table& from, const table& to, entity e) noexcept {
    if (!from.inherits && !to.inherits) return;
    for (const id_record* const record : watched_) {
        bool changes = true;
        try {
            const entity giver = giver_of(to, *record, e);
            changes =
                giver != e && giver != giver_of(from, *record, e); // Its heirs ask, also when it has none.
        } catch (const std::bad_alloc&) {
        }
        if (changes) record->stamps->change(index_of(e), now());
    }
}

/// Who gives the rows of a table what is watched: the entity itself, or a base; null when nobody does.
entity store::giver_of(const table& in, const id_record& record, entity e) const {
    const bool owns_it = record.side ? record.side->contains(index_of(e)) : in.has(record.word);
    if (owns_it) return e;
    return in.inherits ? base_with(in, record.word) : entity{};
}

/// Whether the value that rows of the table inherit has changed since: their base's, or on the way to it,
/// where another base may have lost its own.
bool store::has_inherited_news(const table& heir, id word, const stamp_book& stamps, moment since) const {
    const entity giver = base_with(heir, word);
    if (!giver) return false;
    for (const entity from : bases_of(heir)) {
        const stamp last = stamps.of(index_of(from));
        if (last.changed > since || (from != giver && last.removed > since)) return true;
        if (from == giver) return false;
    }
    return false;
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
