// SPDX-License-Identifier: MIT
// The network side of a server, which knows no world.
export module ecs.remote:listener;
import ecs.std;
import :request_queue;
import :server;

namespace ecs::remote {

class http_threads;

/// Reads requests and hands them to the queue. Its threads end with it.
class listener {
  public:
    listener(const server_options& options, request_queue& queue);
    ~listener();
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;

    [[nodiscard]] std::uint16_t port() const;

  private:
    std::unique_ptr<http_threads> threads_;
};

} // namespace ecs::remote
