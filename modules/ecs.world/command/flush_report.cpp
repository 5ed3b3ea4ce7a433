// SPDX-License-Identifier: MIT
// The texts that say what became of commands.
module ecs.world;
import ecs.std;

namespace ecs {

std::string what_of(const std::exception_ptr& cause) {
    try {
        std::rethrow_exception(cause);
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "something that is no std::exception";
    }
}

namespace {

std::string text_of(const std::vector<failed_command>& failures) {
    const failed_command& first = failures.front();
    const std::string subject = first.subject ? " of entity " + ecs::to_string(first.subject) : std::string();
    return std::to_string(failures.size()) + (failures.size() == 1 ? " command" : " commands") +
           " threw at the flush; the first, " + std::string(to_string(first.kind)) + subject + ": " +
           what_of(first.cause);
}

} // namespace

std::string_view to_string(command_kind kind) {
    switch (kind) {
    case command_kind::spawn: return "spawn";
    case command_kind::add: return "add";
    case command_kind::set: return "set";
    case command_kind::remove: return "remove";
    case command_kind::clear: return "clear";
    case command_kind::despawn: return "despawn";
    case command_kind::enable: return "enable";
    case command_kind::disable: return "disable";
    case command_kind::name: return "set_name";
    case command_kind::call: return "run";
    case command_kind::patch: return "patch";
    case command_kind::emit: return "emit";
    case command_kind::dispatch: return "dispatch";
    }
    return "unknown";
}

std::size_t flush_report::dropped() const {
    return std::accumulate(dropped_.begin(), dropped_.end(), std::size_t{0});
}

void flush_report::drop(command_kind kind, entity subject, id word, add_result reason) {
    ++dropped_[static_cast<std::size_t>(reason)];
    try {
        if (drops_.size() < drops_kept) drops_.push_back({kind, subject, word, reason});
    } catch (const std::bad_alloc&) { // The command is counted all the same.
    }
}

void flush_report::add(const flush_report& other) noexcept {
    spawned_ += other.spawned_;
    applied_ += other.applied_;
    for (std::size_t reason = 0; reason != reasons; ++reason) dropped_[reason] += other.dropped_[reason];
    try {
        for (const dropped_command& d : other.drops_)
            if (drops_.size() < drops_kept) drops_.push_back(d);
    } catch (const std::bad_alloc&) { // The commands are counted all the same.
    }
}

flush_error::flush_error(std::vector<failed_command> all, flush_report what_was_done)
    : std::runtime_error(text_of(all)), failures(std::move(all)), report(std::move(what_was_done)) {}

} // namespace ecs
