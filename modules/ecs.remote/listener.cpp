// SPDX-License-Identifier: MIT
// cpp-httplib in its one source file. It brings the standard library's threads
// along.
module;
#include <httplib.h>
#include <strings.h>
module ecs.remote;
import ecs.std;

namespace ecs::remote {

namespace {

constexpr const char* json_type = "application/json";
constexpr std::string_view token_prefix = "/token/";

/// Only addresses count, and the one name that is no other server's: anybody can give out "127.example".
bool is_loopback(std::string_view host) {
    const bool is_address = host.find_first_not_of("0123456789.") == std::string_view::npos;
    return host == "localhost" || host == "[::1]" || host == "::1" ||
           (is_address && host.starts_with("127."));
}

std::string_view without_port(std::string_view host) {
    const std::size_t end = host.starts_with('[') ? host.find(']') + 1 : host.find(':');
    return host.substr(0, end);
}

/// The token in front of the path, where clients can put it that know no headers.
std::string take_token(std::string& path) {
    if (!path.starts_with(token_prefix)) return {};
    const std::size_t end = std::min(path.find('/', token_prefix.size()), path.size());
    std::string token = path.substr(token_prefix.size(), end - token_prefix.size());
    path.erase(0, end);
    return token;
}

/// The token of a header; otherwise that of the path.
std::string token_of(const httplib::Request& from, const std::string& in_path) {
    const std::string header = from.get_header_value("Authorization");
    constexpr std::string_view scheme = "Bearer "; // In upper or lower case.
    const bool is_given = strncasecmp(header.c_str(), scheme.data(), scheme.size()) == 0;
    return is_given ? header.substr(scheme.size()) : in_path;
}

/// A HEAD is a GET of which cpp-httplib sends no body.
request request_of(const httplib::Request& from, const std::string& body) {
    request made;
    made.method = from.method == "HEAD" ? "GET" : from.method;
    made.path = from.path;
    made.token = token_of(from, take_token(made.path));
    made.body = body;
    for (const auto& [name, value] : from.params) made.parameters.emplace(name, value);
    return made;
}

/// A request that names no length has no body; cpp-httplib would wait for one until its patience ends.
bool comes_without_body(const httplib::Request& from) {
    const bool may_have_one = from.method == "PUT" || from.method == "POST" || from.method == "PATCH";
    return may_have_one && !from.has_header("Content-Length");
}

/// Such a body may be larger than the server takes, and cpp-httplib would only know when it has read it.
bool hides_its_length(const httplib::Request& from) {
    return from.has_header("Transfer-Encoding") || from.has_header("Content-Encoding");
}

/// cpp-httplib takes a length that is no number for 0.
bool has_wrong_length(const httplib::Request& from) {
    const std::string length = from.get_header_value("Content-Length");
    return from.has_header("Content-Length") &&
           (length.empty() || length.find_first_not_of("0123456789") != std::string::npos);
}

std::string error_text(const std::string& reason) { return "{\"error\":\"" + reason + "\"}"; }

/// The reason for a request that cpp-httplib refuses by itself.
std::string reason_of(int status) {
    if (status == 413) return "the request is larger than the server takes";
    if (status == 414) return "the address is longer than the server takes";
    if (status == 404) return "there is no such request";
    return "this is no request that the server understands";
}

} // namespace

class http_threads {
  public:
    http_threads(const server_options& options, request_queue& queue) : options_(&options), queue_(&queue) {
        configure();
        show_page();
        route();
        bind();
        thread_ = std::thread([this] { http_.listen_after_bind(); });
        while (!http_.is_running()) std::this_thread::yield(); // A stop before that would have no effect.
    }
    ~http_threads() {
        http_.stop();
        thread_.join();
    }
    http_threads(const http_threads&) = delete;
    http_threads& operator=(const http_threads&) = delete;

    [[nodiscard]] int port() const { return port_; }

  private:
    void configure() {
        const std::size_t threads = options_->waiting_max + 1;
        http_.new_task_queue = [threads] { return new httplib::ThreadPool(threads); };
        http_.set_payload_max_length(options_->request_bytes_max);
        http_.set_read_timeout(2);
        http_.set_write_timeout(5);
        // One request for each connection: of a request that is refused the body is not read, and would be
        // taken for the next request, which nobody has sent.
        http_.set_keep_alive_max_count(1);
        http_.set_tcp_nodelay(true);
        http_.set_socket_options(
            [](socket_t of) { // By default, two servers could share a port, and no error would say so.
                const int yes = 1;
                setsockopt(of, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
            });
        http_.set_pre_routing_handler(
            [this](const auto& asked, auto& answer) { return check(asked, answer); });
        http_.set_error_handler([](const auto&, auto& answer) {
            if (answer.body.empty()) answer.set_content(error_text(reason_of(answer.status)), json_type);
        });
    }

    /// What is answered before anything is asked, if that is so.
    httplib::Server::HandlerResponse check(const httplib::Request& asked, httplib::Response& answer) const {
        if (is_asked_of_another(asked))
            refuse(answer, 403, "the server answers to the names of this machine only");
        else if (has_wrong_length(asked))
            refuse(answer, 400, "the Content-Length of the request is no number");
        else if (hides_its_length(asked))
            refuse(answer, 411, "a body comes with its Content-Length, in one part and not compressed");
        else if (asked.is_multipart_form_data())
            refuse(answer, 415, "a body of several parts is not understood: send the value alone");
        else if (allow_origin(answer); comes_without_body(asked))
            pass_on(asked, answer, {});
        else
            return httplib::Server::HandlerResponse::Unhandled;
        return httplib::Server::HandlerResponse::Handled;
    }

    static void refuse(httplib::Response& answer, int status, const std::string& reason) {
        answer.status = status;
        answer.set_content(error_text(reason), json_type);
    }

    /// A page of another server may be in the same browser, and may have given its name this machine's
    /// address: only requests for this machine are answered.
    [[nodiscard]] bool is_asked_of_another(const httplib::Request& asked) const {
        const std::string host = asked.get_header_value("Host");
        return is_loopback(options_->host) && !host.empty() && !is_loopback(without_port(host));
    }

    /// The browser is told which pages may read the answer.
    void allow_origin(httplib::Response& answer) const {
        if (options_->allowed_origin.empty()) return;
        answer.set_header("Access-Control-Allow-Origin", options_->allowed_origin);
        answer.set_header("Access-Control-Allow-Methods", "GET, PUT, DELETE");
        answer.set_header("Access-Control-Allow-Headers", "Authorization, Content-Type");
    }

    /// Has the thread of the world answer.
    void pass_on(const httplib::Request& asked, httplib::Response& answer, const std::string& body) const {
        const response made = queue_->ask(request_of(asked, body), options_->patience);
        if (made.status != 200) answer.status = made.status; // Of an answer in part, cpp-httplib says so.
        answer.set_content(made.body, json_type);
    }

    void show_page() {
        if (options_->page_directory.empty()) {
            http_.Get("/", [](const auto&, auto& answer) {
                const std::string_view page = built_in_page();
                answer.set_content(page.data(), page.size(), "text/html; charset=utf-8");
            });
        } else if (!http_.set_mount_point("/", options_->page_directory)) {
            throw std::runtime_error("there is no directory " + options_->page_directory +
                                     " with a page to show");
        }
    }

    void route() {
        constexpr const char* everything = "[^]*"; // Names may have line ends, which a '.' does not match.
        const auto ask = [this](const auto& asked, auto& answer) { pass_on(asked, answer, asked.body); };
        const auto ask_with_body = [this](const auto& asked, auto& answer, const auto& read) {
            std::string body; // Read here: cpp-httplib takes some bodies for parameters.
            const auto append = [&](const char* data, std::size_t size) {
                return body.append(data, size), true;
            };
            if (read(append)) pass_on(asked, answer, body);
        };
        http_.Get(everything, ask);
        http_.Put(everything, ask_with_body);
        http_.Post(everything, ask_with_body);
        http_.Patch(everything, ask_with_body);
        http_.Delete(everything, ask);
        http_.Options(everything, [](const auto&, auto& answer) { answer.status = 204; });
    }

    /// Without the brackets in which an address of IPv6 may stand.
    [[nodiscard]] std::string host() const {
        const std::string& given = options_->host;
        const bool is_in_brackets = given.starts_with('[') && given.ends_with(']');
        return is_in_brackets ? given.substr(1, given.size() - 2) : given;
    }

    void bind() {
        port_ = options_->port;
        const bool is_bound =
            port_ == 0 ? (port_ = http_.bind_to_any_port(host())) > 0 : http_.bind_to_port(host(), port_);
        if (!is_bound)
            throw std::runtime_error("nobody can listen at " + options_->host + ":" +
                                     std::to_string(options_->port) +
                                     ": the port is in use, or the address is none of this machine's");
    }

    const server_options* options_;
    request_queue* queue_;
    httplib::Server http_;
    int port_{};
    std::thread thread_;
};

listener::listener(const server_options& options, request_queue& queue)
    : threads_(std::make_unique<http_threads>(options, queue)) {}
listener::~listener() = default;
std::uint16_t listener::port() const { return static_cast<std::uint16_t>(threads_->port()); }

} // namespace ecs::remote
