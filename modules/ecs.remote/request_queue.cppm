// SPDX-License-Identifier: MIT
// Requests on their way from the threads that read them to the thread of the world.
//
//   waiting ----taken----> being answered ----answered----> its thread goes on
//      |                        |
//      |                        +--- out of time, and not alone: waiting again, as the first
//      +--- nobody polls in time: an error
//
// A thread that has waited as long as it may takes its request back, unless it is being answered: an edit
// that is made is not reported as one that is not.
export module ecs.remote:request_queue;
import ecs.std;
import :exchange;

namespace ecs::remote {

class request_signal;

/// For any number of threads that ask, and one that answers.
class request_queue {
  public:
    explicit request_queue(std::size_t waiting_max);
    ~request_queue();
    request_queue(const request_queue&) = delete;
    request_queue& operator=(const request_queue&) = delete;

    struct waiting_request {
        request asked;
        response answer;
        bool is_taken{}; ///< It is being answered: then its thread waits, however long that takes.
        bool is_answered{};
    };

    /// Waits for the answer. An error, when too many requests wait already,
    /// nobody begins to answer in time, or the queue is closed.
    [[nodiscard]] response ask(request asked, std::chrono::nanoseconds patience);

    /// The request that has waited longest; null when none waits.
    [[nodiscard]] std::shared_ptr<waiting_request> take();
    void give_back(std::shared_ptr<waiting_request> taken);
    void answer(waiting_request& taken, response with);

    /// Requests that wait get an error, and so do all requests from now on.
    void close();

  private:
    std::unique_ptr<request_signal> signal_;
    std::deque<std::shared_ptr<waiting_request>> waiting_;
    std::size_t waiting_max_;
    bool is_closed_{};
};

} // namespace ecs::remote
