// SPDX-License-Identifier: MIT
// Chunks are handed out to threads; the first exception ends the walk.
module ecs.query;
import ecs.std;

namespace ecs {

void parallel_for::run_tasks(executor& on, task work) {
    const std::size_t threads =
        std::min({std::size_t{on.concurrency()}, stops_.size(), rows_ / rows_worth_a_thread});
    if (threads < 2) {
        work();
    } else {
        const std::unique_ptr<task_group> tasks = on.group();
        for (std::size_t i = 0; i < threads; ++i) tasks->run(work);
        tasks->wait();
    }
    if (failure_) std::rethrow_exception(failure_);
}

void parallel_for::fail(std::exception_ptr cause) noexcept {
    taken_.skip_to(stops_.size()); // No thread begins another chunk.
    const std::lock_guard lock(failing_);
    if (!failure_) failure_ = std::move(cause);
}

} // namespace ecs
