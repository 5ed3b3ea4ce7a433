// SPDX-License-Identifier: MIT
// Ticks follow what happens to components, pairs and patterns that are tracked.
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

/// Whether the first type has something that the pattern stands for, and that the other type does not have.
bool has_more(std::span<const id> type, std::span<const id> other, id pattern) {
    const auto has = [](std::span<const id> in, id word) { return std::ranges::binary_search(in, word); };
    if (!pattern.is_wildcard()) return has(type, pattern) && !has(other, pattern);
    return std::ranges::any_of(
        type, [&](id word) { return !word.is_wildcard() && matches(pattern, word) && !has(other, word); });
}

} // namespace

void change_tracker::add(component_record& record, std::unique_ptr<change_ticks> ticks) {
    tracked_.push_back(&record);
    record.ticks = std::move(ticks);
}

bool change_tracker::forget(component_record& record) noexcept { return std::erase(tracked_, &record) != 0; }

bool change_tracker::concern(const table& t) const {
    return !empty() &&
           (t.inherits || std::ranges::any_of(t.type(), [&](id stored) { return concern_stored(stored); }));
}

bool change_tracker::concern_stored(id stored) const {
    return std::ranges::any_of(
        tracked_, [&](const component_record* record) { return may_match(record->word, stored); });
}

bool change_tracker::concern(id pattern) const {
    return std::ranges::any_of(tracked_, [&](const component_record* record) {
        const id word = record->word;
        if (!word.has_relation() || !pattern.has_relation()) return word == pattern;
        return word.relation_index() == pattern.relation_index() || word.relation_index() == 0 ||
               pattern.relation_index() == 0;
    });
}

void change_tracker::reserve(entity e) {
    for (const component_record* const record : tracked_) record->ticks->reserve(index_of(e));
}

void change_tracker::row_moved(const table& from, const table& to, entity e) noexcept {
    for (const component_record* const record : tracked_) {
        if (has_more(to.type(), from.type(), record->word)) record->ticks->add(index_of(e), now());
        if (has_more(from.type(), to.type(), record->word)) record->ticks->remove(index_of(e), now());
    }
}

void change_tracker::row_came(const table& in, entity e) noexcept {
    for (const component_record* const record : tracked_)
        if (has_more(in.type(), {}, record->word)) record->ticks->add(index_of(e), now());
}

void change_tracker::came(entity e, id word) noexcept {
    for (const component_record* const record : tracked_)
        if (matches(record->word, word)) record->ticks->add(index_of(e), now());
}

void change_tracker::left(entity e, id word) noexcept {
    for (const component_record* const record : tracked_)
        if (matches(record->word, word)) record->ticks->remove(index_of(e), now());
}

void change_tracker::changed(entity e, id word, change_tick when) const noexcept {
    for (const component_record* const record : tracked_)
        if (matches(record->word, word)) record->ticks->change(index_of(e), when);
}

change_tick change_tracker::looked_at(id word) const noexcept {
    change_tick last = 0;
    for (const component_record* const record : tracked_)
        if (may_match(record->word, word)) last = std::max(last, record->ticks->looked_at());
    return last;
}

void change_tracker::forget_ticks_of(entity e) noexcept {
    for (const component_record* const record : tracked_) record->ticks->forget(index_of(e));
}

} // namespace ecs
