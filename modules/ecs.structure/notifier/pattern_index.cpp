// SPDX-License-Identifier: MIT
// Observers by the patterns that they ask for.
module ecs.structure;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.storage;

namespace ecs {

namespace {

bool is_about_everything(const observer_record& record) {
    return record.terms.empty() && !record.filtered &&
           record.what.has_any({event::added, event::set, event::removed});
}

/// Keys are not zero.
std::uint64_t key_of_relation(std::uint32_t index) { return std::uint64_t{index} + 1; }

/// Calls visit(pattern) for each pattern that the observer asks for.
template <class Visit> void for_each_pattern(const observer_record& record, Visit&& visit) {
    for (const observed_pattern& t : record.terms) visit(t.pattern);
    for (const observed_pattern& t : record.absent) visit(t.pattern);
    for (const pattern_above& t : record.above) {
        visit(t.component.pattern);
        visit(pair(t.relation, any));
    }
}

} // namespace

bool is_about_certain_entities(const observer_record& record) {
    return record.options.only && record.above.empty();
}

bool is_about_entities(const observer_record& record) {
    return (record.terms.empty() && !record.filtered) || record.what.has_any(events_of_entities);
}

bool is_monitor(const observer_record& record) { return record.what.has(event::matching); }

bool may_concern(const observer_record& record, id word) {
    const auto is_meant = [&](const observed_pattern& t) { return may_match(t.pattern, word); };
    const auto is_above = [&](const pattern_above& t) {
        return is_meant(t.component) || may_match(pair(t.relation, any), word);
    };
    return is_about_everything(record) || std::ranges::any_of(record.terms, is_meant) ||
           std::ranges::any_of(record.absent, is_meant) || std::ranges::any_of(record.above, is_above);
}

void pattern_index::asking::make_room() { reserve_one(of_anybody); }

/// Enters the observer once, though it may ask for the same twice; there is room for one.
void pattern_index::asking::enter(const std::shared_ptr<observer_record>& fresh) noexcept {
    if (is_about_certain_entities(*fresh))
        ++of_certain_entities;
    else if (of_anybody.empty() || of_anybody.back() != fresh)
        of_anybody.push_back(fresh);
}

void pattern_index::asking::leave(const observer_record& ended) noexcept {
    if (is_about_certain_entities(ended))
        --of_certain_entities;
    else
        has_ended = true;
}

void pattern_index::asking::forget_ended() noexcept {
    if (std::exchange(has_ended, false))
        std::erase_if(of_anybody, [](const auto& known) { return known->ended; });
}

/// Calls visit for each place where the observer has been entered.
template <class Visit> void pattern_index::for_each_place(const observer_record& record, Visit&& visit) {
    for_each_pattern(record, [&](id pattern) { visit(*by_pattern_.find(pattern.value())); });
    if (is_about_everything(record)) visit(of_everything_);
    if (is_about_entities(record)) visit(of_entities_);
    if (is_monitor(record)) visit(of_heirs_);
}

void pattern_index::enter(const std::shared_ptr<observer_record>& fresh) {
    for_each_pattern(*fresh, [&](id pattern) {
        by_pattern_[pattern.value()].make_room();
        if (pattern.is_pair()) pairs_of_[key_of_relation(pattern.relation_index())] += 0;
    });
    of_everything_.make_room();
    of_entities_.make_room();
    of_heirs_.make_room();
    for_each_place(*fresh, [&](asking& place) { place.enter(fresh); });
    for_each_pattern(*fresh, [&](id pattern) {
        if (pattern.is_pair()) ++*pairs_of_.find(key_of_relation(pattern.relation_index()));
    });
}

/// Goes through each list once, however many observers of the list have ended.
void pattern_index::forget_ended(std::span<const std::shared_ptr<observer_record>> all) noexcept {
    const auto for_each_leaving = [&](auto&& visit) {
        for (const auto& record : all)
            if (record->ended && record->counted) visit(*record);
    };
    for_each_leaving(
        [&](const observer_record& one) { for_each_place(one, [&](asking& place) { place.leave(one); }); });
    for_each_leaving([&](const observer_record& one) {
        for_each_place(one, [](asking& place) { place.forget_ended(); });
    });
    for_each_leaving([&](const observer_record& one) { drop_places(one); });
}

/// Drops the places of the ended observer where no observer is left.
void pattern_index::drop_places(const observer_record& ended) noexcept {
    for_each_pattern(ended, [&](id pattern) {
        if (const asking* const place = by_pattern_.find(pattern.value()); place && !place->is_asked_for())
            by_pattern_.erase(pattern.value());
        const std::uint64_t key = key_of_relation(pattern.relation_index());
        if (pattern.is_pair() && --*pairs_of_.find(key) == 0) pairs_of_.erase(key);
    });
}

bool pattern_index::covers(const observer_record& fresh) const {
    bool known = !is_about_everything(fresh) || of_everything_.is_asked_for();
    known &= !is_about_entities(fresh) || of_entities_.is_asked_for();
    known &= !is_monitor(fresh) || of_heirs_.is_asked_for();
    for_each_pattern(fresh, [&](id pattern) {
        const asking* const place = by_pattern_.find(pattern.value());
        known &= place && place->is_asked_for();
    });
    return known;
}

/// Calls visit for each place with observers that ask for something that the identifier is.
template <class Visit> void pattern_index::for_each_meant(id word, Visit&& visit) const {
    const auto visit_of = [&](id pattern) {
        if (const asking* const place = by_pattern_.find(pattern.value())) visit(*place);
    };
    if (!word) {
        visit(of_entities_);
        return visit(of_heirs_);
    }
    visit(of_everything_);
    visit_of(word);
    if (!word.has_relation()) return;
    visit_of(with_any_target(word));
    visit_of(pair(any, any));
    if (word.kind() == id_kind::pair) visit_of(with_any_relation(word));
}

bool pattern_index::concerns(id word) const {
    bool found = false;
    for_each_meant(word, [&](const asking& place) { found |= place.is_asked_for(); });
    if (found || !word.is_wildcard()) return found;
    return pairs_of_.find(key_of_relation(word.relation_index())) || pairs_of_.find(key_of_relation(0));
}

observer_list pattern_index::candidates(id word) const {
    observer_list found;
    for_each_meant(word, [&](const asking& place) {
        found.insert(found.end(), place.of_anybody.begin(), place.of_anybody.end());
    });
    std::ranges::sort(found, {}, &observer_record::number);
    const auto doubles = std::ranges::unique(found);
    found.erase(doubles.begin(), doubles.end());
    return found;
}

} // namespace ecs
