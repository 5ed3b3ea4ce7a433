// SPDX-License-Identifier: MIT
// Lists of observers, which may begin and end while they are told.
module ecs.structure;
import ecs.std;
import ecs.core;

namespace ecs {

namespace {

bool is_about_components(event what) {
    return what == event::added || what == event::set || what == event::removed;
}

bool match_any(const std::vector<observed_pattern>& patterns, id word) {
    return word &&
           std::ranges::any_of(patterns, [&](const observed_pattern& t) { return matches(t.pattern, word); });
}

/// Whether the observer is to be told. An observer of entities that have lost something looks when monitors
/// look.
bool wants(const observer_record& record, event what, id word) {
    if (record.ended) return false;
    if (what == event::matching && record.what.has(event::added)) return match_any(record.absent, word);
    if (!record.what.has(what)) return false;
    if (what == event::matching && !word) return true;
    if (what == event::spawned || what == event::despawned) return !word;
    if (record.terms.empty() && !record.filtered) return bool(word) == is_about_components(what);
    const bool may_lead = what == event::added || what == event::removed || what == event::matching;
    return match_any(record.terms, word) || (word && std::ranges::any_of(record.above, [&](const auto& t) {
                                                 return matches(t.component.pattern, word) ||
                                                        (may_lead && t.leads_there(word));
                                             }));
}

/// The order in which observers are told: hooks are first to be told of what begins, and last of what ends.
auto turn_for(event what) {
    const bool begins = what != event::removed && what != event::despawned;
    return [begins](const std::shared_ptr<observer_record>& record) {
        return std::pair(record->hook != begins, record->number);
    };
}

} // namespace

/// See told_list::is_plain.
static bool is_plain(const std::shared_ptr<observer_record>& record) {
    return record->is_of_one && !record->options.previous;
}

/// See observer_record::is_of_one.
static bool asks_for_one(const observer_record& of) {
    const bool has_conditions = !of.absent.empty() || !of.above.empty() || !of.others.empty() || of.filtered;
    return !has_conditions && of.terms.size() == 1 && of.terms.front().pattern.is_entity() &&
           !of.options.only && !of.options.queued && !of.what.has(event::matching);
}

/// What a function holds may end other observers when it is destroyed: they have ended already.
observer_index::~observer_index() {
    for (const auto& record : all_) record->ended = true;
}

/// The observer is told of nothing until every list has it, for which memory may not suffice.
observer observer_index::add(const std::shared_ptr<observer_record>& fresh) {
    fresh->home = this;
    fresh->is_of_one = asks_for_one(*fresh);
    fresh->number = ++numbers_;
    ++version_;
    fresh->ended = true;
    if (ended_.capacity() <= all_.size()) ended_.reserve(2 * all_.size() + 1); // They end without memory.
    all_.push_back(fresh);
    try {
        file(fresh);
        interests_.enter(fresh);
    } catch (...) {
        end(fresh);
        throw;
    }
    fresh->counted = true;
    count_events(*fresh, 1);
    asks_previous_ |= fresh->options.previous;
    fresh->ended = false;
    return observer(fresh);
}

void observer_index::end(const std::shared_ptr<observer_record>& record) noexcept {
    record->ended = true;
    stale_ = true;
    changes.unsettle();
    ended_.push_back(record);
    drop_body(*record);
}

/// What the function holds may end other observers when it is destroyed. While an observer is being told, it
/// is destroyed later.
void observer_index::drop_body(observer_record& of) const noexcept {
    if (telling_ != 0) return;
    const std::unique_ptr<observer_body> gone = std::move(of.body);
}

void observer_index::file(const std::shared_ptr<observer_record>& fresh) {
    if (!is_about_certain_entities(*fresh))
        forget_lists();
    else
        for (const entity e : fresh->options.only.named()) by_entity_[e.value()].push_back(fresh);
}

/// An observer of entities that have lost something looks when monitors look.
void observer_index::count_events(const observer_record& of, std::uint32_t difference) noexcept {
    for (std::size_t what = 0; what != kinds; ++what)
        if (of.what.has(static_cast<event>(what)) ||
            (static_cast<event>(what) == event::matching && !of.absent.empty()))
            asking_for_[what] += difference;
}

void observer_index::withdraw(const std::shared_ptr<observer_record>& ended) {
    for (const entity e : ended->options.only.named()) {
        observer_list* const known = by_entity_.find(e.value());
        if (!known) continue;
        std::erase(*known, ended);
        if (known->empty()) by_entity_.erase(e.value());
    }
}

observer_index::listed observer_index::look_up(event what, id word, entity at) {
    const told_list& others = of_anybody(what, word);
    const observer_list* const own = at ? by_entity_.find(at.value()) : nullptr;
    if (!own) [[likely]]
        return {*this, others};
    observer_list wanting;
    std::ranges::copy_if(*own, std::back_inserter(wanting),
                         [&](const auto& record) { return wants(*record, what, word); });
    if (wanting.empty()) return {*this, others};
    auto both = std::make_unique<told_list>();
    std::ranges::merge(others.observers, wanting, std::back_inserter(both->observers), {}, turn_for(what),
                       turn_for(what));
    return {*this, std::move(both)};
}

const told_list& observer_index::of_anybody(event what, id word) {
    auto& lists = lists_[static_cast<std::size_t>(what)];
    if (const auto* const known = lists.find(key_of(word))) return **known;
    auto made = std::make_unique<kept_list>();
    made->observers = interests_.candidates(word);
    std::erase_if(made->observers, [&](const auto& record) { return !wants(*record, what, word); });
    std::ranges::sort(made->observers, {}, turn_for(what));
    made->is_plain = std::ranges::all_of(made->observers, is_plain);
    return *(lists[key_of(word)] = std::move(made));
}

/// While an observer is told, the caller may be going through this list: it is then kept until all have been
/// told.
void observer_index::forget(std::unique_ptr<kept_list> list) noexcept {
    if (telling_ == 0) return;
    list->older = std::move(outdated_);
    outdated_ = std::move(list);
}

void observer_index::forget_lists() noexcept {
    ++version_;
    for (auto& lists : lists_) {
        lists.for_each([&](std::uint64_t, std::unique_ptr<kept_list>& list) { forget(std::move(list)); });
        lists.clear();
    }
}

/// One after the other: each has the one that was forgotten before it.
void observer_index::drop_outdated() noexcept {
    while (outdated_) outdated_ = std::move(outdated_->older);
}

bool observer_index::asks_previous(id word, entity at) {
    return std::ranges::any_of(of(event::set, word, at), [](const auto& record) {
        return record->options.previous && !record->ended && !record->disabled;
    });
}

/// What a function holds may change the world when it ends, which leads here again: the list grows then, and
/// nothing else is done.
void observer_index::forget_ended() noexcept {
    if (std::exchange(forgetting_, true)) return;
    ++version_;
    for (std::size_t dropped = 0; dropped != ended_.size();) drop_body(*ended_[dropped++]); // It grows.
    interests_.forget_ended(ended_);
    for (const auto& record : ended_) {
        withdraw(record);
        if (record->counted) count_events(*record, ~std::uint32_t{0}); // One less.
    }
    if (std::ranges::any_of(ended_, [](const auto& record) { return record->options.previous; }))
        asks_previous_ = std::ranges::any_of(
            all_, [](const auto& record) { return !record->ended && record->options.previous; });
    if (!std::ranges::all_of(ended_, [](const auto& record) { return is_about_certain_entities(*record); }))
        forget_lists();
    ended_in_all_ += ended_.size();
    ended_.clear();
    forgetting_ = false;
    if (ended_in_all_ * 2 < all_.size()) return;
    std::erase_if(all_, [](const auto& record) { return record->ended; });
    ended_in_all_ = 0;
}

void observer_index::forget_many_ended() noexcept {
    if (telling_ == 0 && ended_.size() * 2 > all_.size() - ended_in_all_) forget_ended();
}

void observer_index::forget_lists_of(id word) noexcept {
    ++version_;
    for (auto& lists : lists_) {
        std::unique_ptr<kept_list>* const known = lists.find(word.value());
        if (!known) continue;
        forget(std::move(*known));
        lists.erase(word.value());
    }
}

/// What they hold goes when all of them have ended, in forget_ended: it may change the world.
void observer_index::begin_world_end() noexcept {
    const telling nobody_goes(*this);
    for (const auto& record : all_)
        if (!record->ended && !record->hook && !record->options.at_world_end) end(record);
}

void observer_index::resume() noexcept {
    queued.clear();
    for (const auto& known : all_)
        if (!known->ended) known->body->resume();
}

} // namespace ecs
