// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :watch_book;

namespace ecs {

void watch_book::add(id_record& record, std::unique_ptr<stamp_book> stamps) {
    watched_.push_back(&record);
    record.stamps = std::move(stamps);
}

bool watch_book::forget(id_record& record) noexcept { return std::erase(watched_, &record) != 0; }

bool watch_book::concern(const table& t) const {
    return std::ranges::any_of(watched_, [&](const id_record* record) { return t.has(record->word); });
}

void watch_book::reserve(entity e) {
    for (const id_record* const record : watched_) record->stamps->reserve(index_of(e));
}

void watch_book::row_moved(const table& from, const table& to, entity e) noexcept {
    for (const id_record* const record : watched_) {
        const bool before = from.has(record->word);
        const bool after = to.has(record->word);
        if (after && !before) record->stamps->add(index_of(e), now());
        if (before && !after) record->stamps->remove(index_of(e), now());
    }
}

void watch_book::row_came(const table& in, entity e) noexcept {
    for (const id_record* const record : watched_)
        if (in.has(record->word)) record->stamps->add(index_of(e), now());
}

void watch_book::entity_ended(entity e) noexcept {
    for (const id_record* const record : watched_) record->stamps->forget(index_of(e));
}

} // namespace ecs
