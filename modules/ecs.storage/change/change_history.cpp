// SPDX-License-Identifier: MIT
// Changes go into the ring; whoever makes them is a number there.
module ecs.storage;
import ecs.std;
import ecs.id;
import ecs.relation;
import :change_history;

namespace ecs {

namespace {

constexpr std::uint64_t no_key = ~std::uint64_t{0};

std::string title_of_system(std::string_view name) { return "system \"" + std::string(name) + '"'; }

} // namespace

change_history::change_history(std::size_t last) : ring_(last) {}

void change_history::restart(change_history&& other) noexcept {
    ring_ = std::move(other.ring_);
    recorded_ = 0;
}

void change_history::record(change_kind what, entity subject, id word) noexcept {
    if (ring_.empty()) return;
    ring_[recorded_++ % ring_.size()] = {subject, word, actor_, what};
}

std::vector<recorded_change> change_history::all() const {
    std::vector<recorded_change> found;
    for (std::uint64_t number = oldest(); number != recorded_; ++number)
        found.push_back(
            {number, at(number).what, at(number).subject, at(number).word, actors_[at(number).actor]});
    return found;
}

std::string change_history::end_of(entity e) const {
    for (std::uint64_t number = recorded_; number != oldest(); --number) {
        const entry& change = at(number - 1);
        if (change.what != change_kind::despawned || change.subject != e) continue;
        const std::string& who = actors_[change.actor];
        return ", " + (who.empty() ? "the program" : who) + " ended it";
    }
    return {};
}

void change_history::name_system(std::uint64_t key, std::string_view name) noexcept {
    try {
        systems_[key] = title_of_system(name);
    } catch (const std::bad_alloc&) {
        systems_.erase(key);
    }
}

std::uint32_t change_history::begin(const std::string& who) {
    const auto known = std::ranges::find(actors_, who);
    const auto number = static_cast<std::uint32_t>(known - actors_.begin());
    if (known == actors_.end()) actors_.push_back(who);
    return std::exchange(actor_, number);
}

std::uint32_t change_history::begin_system(std::string_view name) noexcept {
    try {
        return begin(title_of_system(name));
    } catch (const std::bad_alloc&) {
        return std::exchange(actor_, 0);
    }
}

std::uint32_t change_history::begin_commands(std::uint64_t key) noexcept {
    try {
        const auto known = systems_.find(key);
        if (known != systems_.end()) return begin(known->second);
        return begin(key == no_key ? "commands" : "commands under key " + std::to_string(key));
    } catch (const std::bad_alloc&) {
        return std::exchange(actor_, 0);
    }
}

} // namespace ecs
