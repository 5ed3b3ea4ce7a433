// SPDX-License-Identifier: MIT
// The world's side of a server: requests that wait are answered, as long as there is time.
module ecs.remote;
import ecs.std;
import ecs.world;

namespace ecs::remote {

namespace {

constexpr std::size_t waiting_most = 255;

server_options usable(server_options options) {
    if (options.host.empty())
        throw std::invalid_argument("the server has no address to listen at: host is empty");
    if (options.waiting_max == 0 || options.budget.count() <= 0 || options.patience.count() <= 0)
        throw std::invalid_argument(
            "waiting_max, budget and patience are more than 0: otherwise no request is answered");
    if (options.waiting_max > waiting_most)
        throw std::invalid_argument(
            "waiting_max is " + std::to_string(options.waiting_max) +
            ", and each request that waits needs a thread: no more than 255 may wait");
    return options;
}

} // namespace

server::server(world& shown, server_options options)
    : world_(&shown),
      options_(usable(std::move(options))),
      limits_{options_.token, options_.rows_max, options_.budget, &history_, options_.schedule},
      queue_(options_.waiting_max),
      listener_(std::make_unique<listener>(options_, queue_)) {}

server::~server() {
    queue_.close(); // Otherwise threads that wait for an answer would be waited for.
}

std::uint16_t server::port() const { return listener_->port(); }

/// An address of IPv6 is in brackets, because it has colons itself.
std::string server::address() const {
    const std::string& host = options_.host;
    const bool needs_brackets = host.find(':') != std::string::npos && !host.starts_with('[');
    return "http://" + (needs_brackets ? '[' + host + ']' : host) + ':' + std::to_string(port());
}

std::size_t server::poll() {
    if (world_->is_locked())
        throw iteration_error("requests are answered when no loop walks over the "
                              "world and no observer is being told");
    const auto begin = std::chrono::steady_clock::now();
    history_.note_tick(*world_, begin, options_.schedule);
    std::size_t answered = 0;
    for (auto left = options_.budget; left.count() > 0;
         left = options_.budget - (std::chrono::steady_clock::now() - begin)) {
        if (!answer_next(left, answered == 0)) break;
        ++answered;
    }
    return answered;
}

/// The first request of a poll may take the whole budget. Another one gets what is left, and when that was
/// not enough, it is the first of the next poll. False when none was answered.
bool server::answer_next(std::chrono::nanoseconds left, bool is_first) {
    const auto next = queue_.take();
    if (!next) return false;
    answer_options limits = limits_;
    limits.budget = left;
    try {
        queue_.answer(*next, answer_in_time(*world_, next->asked, limits));
    } catch (const out_of_time&) {
        if (!is_first) {
            queue_.give_back(next);
            return false;
        }
        queue_.answer(*next, answer_too_late());
    } catch (...) { // Memory has run out: the client waits for the next poll.
        queue_.give_back(next);
        throw;
    }
    return true;
}

} // namespace ecs::remote
