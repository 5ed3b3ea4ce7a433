// SPDX-License-Identifier: MIT
// One mutex guards everything: requests come a few times a second.
module;
#include <condition_variable>
#include <mutex>
module ecs.remote;
import ecs.std;

namespace ecs::remote {

class request_signal {
  public:
    std::mutex mutex;
    std::condition_variable changed;
};

namespace {

response error(const std::string& reason) { return {503, "{\"error\":\"" + reason + "\"}"}; }

} // namespace

request_queue::request_queue(std::size_t waiting_max)
    : signal_(std::make_unique<request_signal>()), waiting_max_(waiting_max) {}
request_queue::~request_queue() = default;

response request_queue::ask(request asked, std::chrono::nanoseconds patience) {
    std::unique_lock lock(signal_->mutex);
    if (is_closed_) return error("the server ends");
    if (waiting_.size() >= waiting_max_)
        return error("too many requests wait for the world: ask again later");
    const auto mine = std::make_shared<waiting_request>();
    mine->asked = std::move(asked);
    waiting_.push_back(mine);
    const auto is_done = [&] { return mine->is_answered || is_closed_; };
    if (!signal_->changed.wait_until(lock, moment_after(patience), is_done))
        signal_->changed.wait(lock, [&] { return is_done() || !mine->is_taken; });
    if (mine->is_answered) return std::move(mine->answer);
    std::erase(waiting_, mine);
    return error(is_closed_ ? "the server ends" : "the world does not answer: its program polls too seldom");
}

std::shared_ptr<request_queue::waiting_request> request_queue::take() {
    const std::lock_guard lock(signal_->mutex);
    if (waiting_.empty()) return nullptr;
    auto taken = std::move(waiting_.front());
    waiting_.pop_front();
    taken->is_taken = true;
    return taken;
}

void request_queue::give_back(std::shared_ptr<waiting_request> taken) {
    const std::lock_guard lock(signal_->mutex);
    taken->is_taken = false;
    waiting_.push_front(std::move(taken));
    signal_->changed.notify_all();
}

void request_queue::answer(waiting_request& taken, response with) {
    const std::lock_guard lock(signal_->mutex);
    taken.answer = std::move(with);
    taken.is_answered = true;
    signal_->changed.notify_all();
}

void request_queue::close() {
    const std::lock_guard lock(signal_->mutex);
    is_closed_ = true;
    signal_->changed.notify_all();
}

} // namespace ecs::remote
