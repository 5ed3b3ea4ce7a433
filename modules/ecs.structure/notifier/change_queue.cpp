// SPDX-License-Identifier: MIT
// A change of several steps becomes whole, and then what observers asked for is done.
module ecs.structure;
import ecs.std;
import ecs.storage;

namespace ecs {

void waiting_row::make() {
    if (!home->entities().alive(owner)) return; // The entity has been withdrawn.
    try {
        settle(owner);
    } catch (...) {
        home->end_pending(owner);
        throw;
    }
}

void change_queue::wait_for_turn(std::unique_ptr<waiting_change> change) {
    waiting_.push_back(std::move(change));
    is_unsettled_ = true;
}

void change_queue::settle(notifier& in) {
    if (depth_ != 0 || making_) return;
    is_unsettled_ = false;
    make_waiting();
    in.forget_ended_observers();
    is_unsettled_ |= static_cast<bool>(failure_); // In a series it is kept for longer.
    throw_failure();
}

void change_queue::throw_failure() {
    if (failure_ && !is_within_others()) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void change_queue::close_series() {
    --series_;
    throw_failure();
}

void change_queue::abandon_series() noexcept {
    --series_;
    if (!is_within_others()) failure_ = nullptr;
}

/// Gives up a change that has thrown: its exception comes before what an observer may have thrown.
void change_queue::abandon(std::uint32_t outer) noexcept {
    depth_ = outer;
    if (outer != 0 || making_) return;
    make_waiting();
    failure_ = nullptr;
}

/// Makes the changes in the order in which they were asked for: what a change sets off comes after what was
/// asked for before.
void change_queue::make_waiting() noexcept {
    making_ = true;
    while (!waiting_.empty()) {
        const std::unique_ptr<waiting_change> next = std::move(waiting_.front());
        waiting_.pop_front();
        try {
            next->make();
        } catch (...) {
            fail(std::current_exception());
        }
    }
    making_ = false;
}

} // namespace ecs
