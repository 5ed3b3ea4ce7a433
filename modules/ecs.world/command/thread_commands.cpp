// SPDX-License-Identifier: MIT
// Finds the commands object of the calling thread: the last answer is cached per thread, other look-ups take
// a lock.
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

/// What the thread was given last. The number, and not the address, says by whom: another object may begin
/// where one has ended.
struct last_answer {
    std::uint64_t by{};
    commands* given{};
};

std::uint64_t take_number() {
    static std::mutex one_at_a_time;
    static std::uint64_t last{};
    const std::lock_guard lock(one_at_a_time);
    return ++last;
}

} // namespace

thread_commands::thread_commands(world& of) : of_(&of), number_(take_number()) {}

commands& thread_commands::local() {
    static thread_local last_answer last;
    if (last.by != number_) last = {number_, &find_or_open()};
    return *last.given;
}

/// A thread that begins when another one has ended may have its mark, and goes on with its object.
commands& thread_commands::find_or_open() {
    const void* const mark = mark_of_this_thread();
    const std::lock_guard lock(one_at_a_time_);
    const auto found = std::ranges::find(all_, mark, &owned::thread);
    if (found != all_.end()) return *found->of_it;
    all_.push_back({mark, std::make_unique<commands>(of_->commands())});
    return *all_.back().of_it;
}

} // namespace ecs
