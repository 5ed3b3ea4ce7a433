// SPDX-License-Identifier: MIT
// A request and its answer, without the network between them.
export module ecs.remote:exchange;
import ecs.std;

namespace ecs::remote {

/// What a client asks of a world.
export struct request {
    std::string method = "GET";
    std::string path{}; ///< Decoded, without parameters: /entity/Fleet/Ship
    std::unordered_map<std::string, std::string> parameters{};
    std::string body{};
    std::string token{}; ///< Shows that the client may change things.
};

/// The answer to a request.
export struct response {
    int status = 200;   ///< As HTTP has them: 400 to 404 and 409 for a request that is refused, 503 for one
                        ///< that took too long.
    std::string body{}; ///< JSON; of an error {"error": "..."}.
};

/// A request that gets an error for an answer.
struct refused_request {
    int status{};
    std::string reason;
};

/// Thrown when an answer takes longer than it may.
struct out_of_time {};

/// The moment after that time from now; for more time than the clock can tell, its last moment.
[[nodiscard]] std::chrono::steady_clock::time_point moment_after(std::chrono::nanoseconds time);

/// Until when an answer has to be there.
class time_limit {
  public:
    explicit time_limit(std::chrono::nanoseconds budget) : end_(moment_after(budget)) {}

    /// Throws out_of_time when the time is over.
    void check() const {
        if (std::chrono::steady_clock::now() > end_) throw out_of_time{};
    }

  private:
    std::chrono::steady_clock::time_point end_;
};

[[noreturn]] void refuse(int status, std::string reason);

/// A parameter that is true or false; for another text, `otherwise`.
[[nodiscard]] bool flag(const request& of, const std::string& name, bool otherwise = false);
/// A parameter that is a number. Throws refused_request when it is none.
[[nodiscard]] std::size_t number(const request& of, const std::string& name, std::size_t otherwise);
/// A parameter, or an empty text.
[[nodiscard]] std::string text(const request& of, const std::string& name);

} // namespace ecs::remote
