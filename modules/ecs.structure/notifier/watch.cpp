// SPDX-License-Identifier: MIT
// Keeping stamps of the components that queries watch.
module ecs.structure;
import ecs.std;
import :notifier;

namespace ecs {

/// Those who have what the identifier stands for when it begins to be watched count as added now.
void notifier::watch(id word) {
    id_record& record = rows_.record_of(word);
    auto book = std::make_unique<stamp_book>();
    for (const auto& t : rows_.tables())
        if (record.side || std::ranges::any_of(t->type(), [&](id stored) { return may_match(word, stored); }))
            stamp_owners(*t, record, *book);
    watched_.add(record, std::move(book));
    attend();
    rows_.note_removal(); // Queries that write the component have to say so from now on.
}

/// Rows of one table may differ in the targets that columns keep, and in what is kept outside tables.
void notifier::stamp_owners(const table& in, const id_record& record, stamp_book& book) const {
    const bool by_row = record.side || record.word.has_relation();
    for (chunk* const block : in.chunks())
        for (const entity e : std::span(block->entities(), block->count)) {
            if (by_row && ask_.own_matches(e, record.word).empty()) continue;
            book.reserve(index_of(e));
            book.add(index_of(e), now());
        }
}

stamp_book* notifier::stamps_of(id word) const {
    if (watched_.empty() || !word) return nullptr;
    const id_record* const known = rows_.records().find(word);
    return known ? known->stamps.get() : nullptr;
}

bool notifier::watches(id pattern) const { return watched_.concern(pattern); }

/// Where no query watches, or the entity does not have the component, nothing.
void notifier::touch(entity e, id word, moment when) const noexcept { watched_.changed(e, word, when); }

/// The row goes to another table, and what it inherits may be another's. An entity that sees another value
/// than before sees one that has changed; it counts as changed when there is no memory to find out.
void notifier::note_heritage(const table& from, const table& to, entity e) noexcept {
    if (!from.inherits && !to.inherits) return;
    for (const id_record* const record : watched_) {
        bool changes = true;
        try {
            const entity giver = ask_.giver_of(to, *record, e);
            changes = giver != e &&
                      giver != ask_.giver_of(from, *record, e); // Its heirs ask, also when it has none.
        } catch (const std::bad_alloc&) {
        }
        if (changes) record->stamps->change(index_of(e), now());
    }
}

void notifier::reserve_ticks(entity e) {
    if (!watched_.empty()) [[unlikely]]
        watched_.reserve(e);
}

void notifier::note_move(const table& from, const table& to, entity e) noexcept {
    watched_.row_moved(from, to, e);
    note_heritage(from, to, e);
}

void notifier::forget_stamps(id_record& record) noexcept {
    if (watched_.forget(record)) rows_.note_removal(); // Queries that know its stamps forget them.
}

} // namespace ecs
