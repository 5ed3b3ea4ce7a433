// SPDX-License-Identifier: MIT
// Stamps follow what happens to components, pairs and patterns that are watched.
module ecs.storage;
import ecs.std;
import :watch_book;

namespace ecs {

namespace {

/// Whether the first type has something that the pattern stands for and the second has not.
bool has_more(std::span<const id> type, std::span<const id> other, id pattern) {
    const auto has = [](std::span<const id> in, id word) { return std::ranges::binary_search(in, word); };
    if (!pattern.is_wildcard()) return has(type, pattern) && !has(other, pattern);
    return std::ranges::any_of(
        type, [&](id word) { return !word.is_wildcard() && matches(pattern, word) && !has(other, word); });
}

} // namespace

void watch_book::add(id_record& record, std::unique_ptr<stamp_book> stamps) {
    watched_.push_back(&record);
    record.stamps = std::move(stamps);
}

bool watch_book::forget(id_record& record) noexcept { return std::erase(watched_, &record) != 0; }

bool watch_book::concern(const table& t) const {
    return std::ranges::any_of(watched_, [&](const id_record* record) {
        const auto is_meant = [&](id stored) { return may_match(record->word, stored); };
        return t.inherits || std::ranges::any_of(t.type(), is_meant);
    });
}

bool watch_book::concern(id pattern) const {
    return std::ranges::any_of(watched_, [&](const id_record* record) {
        const id word = record->word;
        if (!word.has_relation() || !pattern.has_relation()) return word == pattern;
        return word.relation_index() == pattern.relation_index() || word.relation_index() == 0 ||
               pattern.relation_index() == 0;
    });
}

void watch_book::reserve(entity e) {
    for (const id_record* const record : watched_) record->stamps->reserve(index_of(e));
}

void watch_book::row_moved(const table& from, const table& to, entity e) noexcept {
    for (const id_record* const record : watched_) {
        if (has_more(to.type(), from.type(), record->word)) record->stamps->add(index_of(e), now());
        if (has_more(from.type(), to.type(), record->word)) record->stamps->remove(index_of(e), now());
    }
}

void watch_book::row_came(const table& in, entity e) noexcept {
    for (const id_record* const record : watched_)
        if (has_more(in.type(), {}, record->word)) record->stamps->add(index_of(e), now());
}

void watch_book::came(entity e, id word) noexcept {
    for (const id_record* const record : watched_)
        if (matches(record->word, word)) record->stamps->add(index_of(e), now());
}

void watch_book::left(entity e, id word) noexcept {
    for (const id_record* const record : watched_)
        if (matches(record->word, word)) record->stamps->remove(index_of(e), now());
}

void watch_book::changed(entity e, id word, moment when) const noexcept {
    for (const id_record* const record : watched_)
        if (matches(record->word, word)) record->stamps->change(index_of(e), when);
}

void watch_book::forget_stamps_of(entity e) noexcept {
    for (const id_record* const record : watched_) record->stamps->forget(index_of(e));
}

} // namespace ecs
