// SPDX-License-Identifier: MIT
// A world on the network: threads of the server read requests and write
// answers, and the world's own thread makes the answers when it polls. No other
// thread touches the world.
export module ecs.remote:server;
import ecs.std;
import ecs.world;
import :answers;
import :history;
import :request_queue;

namespace ecs::remote {

/// How a world is shown.
export struct server_options {
    std::uint16_t port = 27750;     ///< 0: a free one, which server::port() says.
    std::string host = "127.0.0.1"; ///< The address to listen at; "0.0.0.0" is
                                    ///< every one that the machine has.
    std::string token{};            ///< What an edit has to come with; empty: the world is
                                    ///< only shown.
    std::string allowed_origin{};   ///< Pages of which other server may ask, or
                                    ///< "*"; empty: of none.
    std::string page_directory{};   ///< Files to serve instead of the built-in
                                    ///< page, such as the explorer's.
    std::size_t request_bytes_max = std::size_t{64} * 1024;
    std::size_t waiting_max = 15;               ///< Requests that wait for a poll, up to 255: each in a
                                                ///< thread, and one thread refuses all others.
    std::size_t rows_max = 10'000;              ///< The most rows of one answer.
    std::chrono::nanoseconds budget{8'000'000}; ///< The time for a poll.
    std::chrono::nanoseconds patience{
        2'000'000'000};        ///< How long a request waits for a poll to begin with it.
    ecs::schedule* schedule{}; ///< Whose systems are shown. It outlives the server, and polls are not
                               ///< inside its run.
};

class listener;

/// See the head of this file. Its destructor ends the threads and must run
/// before that of the world.
export class server {
  public:
    /// Listens from now on. Throws std::runtime_error when the port is taken, the address is none of the
    /// machine's or there is no page_directory, and std::invalid_argument for options with which nothing
    /// would be answered.
    explicit server(world& shown, server_options options = {});
    ~server();
    server(const server&) = delete;
    server& operator=(const server&) = delete;

    /// Answers the requests that wait, oldest first, as long as there is budget left: one of them takes no
    /// longer than the budget, and one that would is answered with an error; but edits are made whole,
    /// however long they take. Returns how many it has answered. On the world's thread. Throws
    /// iteration_error inside a loop or an observer, and std::bad_alloc: then the request waits for the next
    /// poll.
    std::size_t poll();

    [[nodiscard]] std::uint16_t port() const;
    /// http://127.0.0.1:27750
    [[nodiscard]] std::string address() const;

  private:
    [[nodiscard]] bool answer_next(std::chrono::nanoseconds left, bool is_first);

    world* world_;
    server_options options_;
    answer_options limits_;
    world_history history_;
    request_queue queue_;
    std::unique_ptr<listener> listener_;
};

/// The page that is shown where no other page is given.
[[nodiscard]] std::string_view built_in_page();

} // namespace ecs::remote
