// SPDX-License-Identifier: MIT
// Parts of chunks are handed out to threads; the first exception ends the walk.
module ecs.query;
import ecs.std;

namespace ecs {

namespace {

/// Whole chunks are visited at the speed of one loop, and with a few parts for each thread no thread waits
/// long for another. To hand out fewer rows of a short loop than this costs more than it gains.
constexpr std::size_t parts_of_a_thread = 4;
constexpr std::size_t least_rows_of_a_part = 2048;
constexpr std::size_t rows_of_a_word = 64; ///< See chunk_part.

} // namespace

void parallel_for::run_tasks(executor& on, task work) {
    std::size_t threads = std::min(std::size_t{on.concurrency()}, rows_ / rows_of_a_thread_);
    if (threads > 1) {
        const auto whole_words = [](std::size_t rows) { return rows / rows_of_a_word * rows_of_a_word; };
        const std::size_t least = std::clamp(whole_words(rows_of_a_thread_ / parts_of_a_thread),
                                             rows_of_a_word, least_rows_of_a_part);
        split(std::max(whole_words(rows_ / (threads * parts_of_a_thread)), least));
        threads = std::min(threads, stops_.size());
    }
    if (threads < 2) {
        has_begun_ = true;
        work();
    } else {
        const std::unique_ptr<task_group> tasks = on.group();
        has_begun_ = true;
        for (std::size_t i = 0; i < threads; ++i) hand_over(*tasks, work);
        tasks->wait();
    }
    if (failure_) std::rethrow_exception(failure_);
}

/// Splits the chunks. The parts come one behind the other, as the rows do.
void parallel_for::split(std::size_t rows) {
    const auto step = static_cast<std::uint32_t>(std::min<std::size_t>(rows, rows_max));
    std::vector<stop> parts;
    parts.reserve(stops_.size());
    for (const auto& [memory, whole] : stops_) {
        std::uint32_t first = whole.first;
        for (; whole.end - first > step; first += step)
            parts.push_back({memory, {whole.block, first, first + step}});
        parts.push_back({memory, {whole.block, first, whole.end}});
    }
    stops_ = std::move(parts);
}

void parallel_for::fail(std::exception_ptr cause) noexcept {
    taken_.skip_to(stops_.size()); // No thread begins another part.
    const std::lock_guard lock(failing_);
    if (!failure_) failure_ = std::move(cause);
}

} // namespace ecs
