// SPDX-License-Identifier: MIT
// Finds the commands object of the calling thread: the last answer is cached per thread, other look-ups take
// a lock.
module ecs.world;
import ecs.std;

namespace ecs {

/// Whether a thread has ended. Who sees that it has, sees what it has done.
class thread_life {
  public:
    void end() {
        const std::lock_guard lock(one_at_a_time_);
        has_ended_ = true;
    }
    [[nodiscard]] bool has_ended() {
        const std::lock_guard lock(one_at_a_time_);
        return has_ended_;
    }

  private:
    std::mutex one_at_a_time_;
    bool has_ended_{};
};

namespace {

/// What the thread was given last. The number, and not the address, says by whom: another object may begin
/// where one has ended.
struct last_answer {
    std::uint64_t by{};
    commands* given{};
};
constinit thread_local last_answer answer_to_thread;

/// The thread ends: it may still record, in destructors of its own.
constinit thread_local bool thread_is_ending = false;

/// Ends the life of a thread with the thread.
struct life_holder {
    std::shared_ptr<thread_life> life = std::make_unique<thread_life>();

    life_holder() = default;
    life_holder(const life_holder&) = delete;
    life_holder& operator=(const life_holder&) = delete;
    ~life_holder() {
        thread_is_ending = true;
        answer_to_thread = {};
        life->end();
    }
};

/// The life of the calling thread. That of a thread that ends is over already: it goes on under one whose end
/// nobody sees.
std::shared_ptr<thread_life> life_of_this_thread() {
    if (thread_is_ending) return std::make_unique<thread_life>();
    static thread_local const life_holder mine;
    return mine.life;
}

std::uint64_t take_number() {
    static std::mutex one_at_a_time;
    static std::uint64_t last{};
    const std::lock_guard lock(one_at_a_time);
    return ++last;
}

} // namespace

thread_commands::thread_commands(world& of) : of_(&of), number_(take_number()) {}

commands& thread_commands::local() {
    last_answer& last = answer_to_thread;
    if (last.by != number_) last = {number_, &find_or_open()};
    return *last.given;
}

/// A thread goes on with the object of one that has ended: threads that come and go do not make more and
/// more.
commands& thread_commands::find_or_open() {
    const std::shared_ptr<thread_life> mine = life_of_this_thread();
    const std::lock_guard lock(one_at_a_time_);
    if (owned* const found = find(mine)) return *found->of_it;
    all_.push_back({mine, std::make_unique<commands>(of_->commands())});
    return *all_.back().of_it;
}

/// The thread's own object, or else that of a thread that has ended.
thread_commands::owned* thread_commands::find(const std::shared_ptr<thread_life>& thread) {
    auto found = std::ranges::find(all_, thread, &owned::thread);
    if (found == all_.end())
        found = std::ranges::find_if(all_, [](const owned& one) { return one.thread->has_ended(); });
    if (found == all_.end()) return nullptr;
    found->thread = thread;
    return &*found;
}

} // namespace ecs
