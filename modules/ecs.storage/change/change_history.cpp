// SPDX-License-Identifier: MIT
// Changes go into the ring; the system or program that makes them is a number there.
module ecs.storage;
import ecs.std;
import ecs.id;
import ecs.relation;

namespace ecs {

namespace {

constexpr std::uint64_t no_key = ~std::uint64_t{0};

std::string title_of_system(std::string_view name) { return "system \"" + std::string(name) + '"'; }

} // namespace

change_history::change_history(std::size_t last) : ring_(last) {}

void change_history::restart(change_history&& other) noexcept {
    ring_ = std::move(other.ring_);
    recorded_ = 0;
    if (acting_ != 0) return; // They have numbers, and go back to those of others.
    actors_.resize(1);
    numbers_.clear();
    numbers_of_keys_.clear();
}

void change_history::record(change_kind what, entity subject, id word) noexcept {
    if (ring_.empty()) return;
    const bool has_purpose = purposes_.size() != now_.purposes;
    ring_[recorded_++ % ring_.size()] = {subject, word, now_.number, what,
                                         has_purpose ? purposes_.back() : nullptr};
}

recorded_change change_history::told(std::uint64_t number) const {
    const entry& change = at(number);
    const purpose why = change.why ? *change.why : purpose();
    return {number, change.what, change.subject, change.word, actors_[change.actor], why.doing, why.at};
}

std::vector<recorded_change> change_history::all() const {
    std::vector<recorded_change> found;
    for (std::uint64_t number = oldest(); number != recorded_; ++number) found.push_back(told(number));
    return found;
}

std::string change_history::end_of(entity e) const {
    for (std::uint64_t number = recorded_; number != oldest(); --number) {
        const entry& change = at(number - 1);
        if (change.what != change_kind::despawned || change.subject != e) continue;
        const std::string& who = actors_[change.actor];
        const std::string ended = ", " + (who.empty() ? "the program" : who) + " ended it";
        return change.why ? ended + ", doing \"" + change.why->doing + "\" at " + change.why->at : ended;
    }
    return {};
}

void change_history::name_system(std::uint64_t key, std::string_view name) noexcept {
    try {
        systems_[key] = title_of_system(name);
    } catch (const std::bad_alloc&) {
        systems_.erase(key);
    }
    numbers_of_keys_.erase(key);
}

change_history::actor change_history::begin_acting(std::uint32_t number) noexcept {
    ++acting_;
    return std::exchange(now_, {number, static_cast<std::uint32_t>(purposes_.size())});
}

void change_history::end_acting(const actor& before) noexcept {
    --acting_;
    now_ = before;
}

bool change_history::enter(std::string_view what, const std::source_location& at) noexcept {
    try {
        const std::string place = std::string(at.file_name()) + ":" + std::to_string(at.line());
        purposes_.emplace_back(std::make_unique<const purpose>(purpose{std::string(what), place}));
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

std::uint32_t change_history::number_of(const std::string& who) {
    if (const auto known = numbers_.find(who); known != numbers_.end()) return known->second;
    const auto number = static_cast<std::uint32_t>(actors_.size());
    actors_.push_back(who); // First: a number without a name would be told of.
    numbers_.emplace(who, number);
    return number;
}

std::uint32_t change_history::number_of_system(std::string_view name) noexcept {
    try {
        return number_of(title_of_system(name));
    } catch (const std::bad_alloc&) {
        return 0;
    }
}

std::uint32_t change_history::number_of_commands(std::uint64_t key) noexcept {
    try {
        if (const auto known = numbers_of_keys_.find(key); known != numbers_of_keys_.end())
            return known->second;
        const auto system = systems_.find(key);
        const std::uint32_t number = number_of(system != systems_.end() ? system->second
                                               : key == no_key          ? "commands"
                                                               : "commands under key " + std::to_string(key));
        numbers_of_keys_.emplace(key, number);
        return number;
    } catch (const std::bad_alloc&) {
        return 0;
    }
}

} // namespace ecs
