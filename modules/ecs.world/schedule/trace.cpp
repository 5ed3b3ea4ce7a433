// SPDX-License-Identifier: MIT
// Events of a schedule in the format that Chrome's tracing reads.
module;
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
module ecs.world;
import ecs.std;

namespace ecs {

struct trace_event {
    std::string_view name;
    activity what;
    bool begins;
    std::uint32_t track;
    std::chrono::nanoseconds when; ///< Since the trace began.
};

struct file_closer {
    void operator()(std::FILE* file) const noexcept {
        static_cast<void>(std::fclose(file)); // What matters is closed by close.
    }
};

namespace {

void append_text(std::string& to, std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    to += '"';
    for (const char c : as_utf8(text)) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            (to += '\\') += c;
        else if (byte < 0x20)
            ((to += "\\u00") += digits[byte >> 4U]) += digits[byte & 15U];
        else
            to += c;
    }
    to += '"';
}

std::string title_of(const trace_event& e) {
    switch (e.what) {
    case activity::run: return "run";
    case activity::wait: return "wait for " + std::string(e.name);
    case activity::flush: return "flush after " + std::string(e.name);
    case activity::phase:
    case activity::system: break;
    }
    return std::string(e.name);
}

/// The time in microseconds, as the format wants it.
std::string time_text(std::chrono::nanoseconds when) {
    const std::string rest = std::to_string(when.count() % 1000);
    return std::to_string(when.count() / 1000) + '.' + std::string(3 - rest.size(), '0') + rest;
}

void append_event(std::string& to, const trace_event& e) {
    to += ",\n{\"name\":";
    append_text(to, title_of(e));
    to += ",\"cat\":\"" + std::string(to_string(e.what)) + "\",\"ph\":\"" + (e.begins ? 'B' : 'E') +
          "\",\"pid\":1,\"tid\":" + std::to_string(e.track) + ",\"ts\":" + time_text(e.when) + '}';
}

void append_name(std::string& to, std::string_view of, std::uint32_t track, const std::string& name) {
    to += "{\"name\":\"" + std::string(of) + "\",\"ph\":\"M\",\"pid\":1,\"tid\":" + std::to_string(track) +
          ",\"args\":{\"name\":\"" + name + "\"}}";
}

} // namespace

const void* mark_of_this_thread() noexcept {
    static thread_local const char mark{};
    return &mark;
}

struct schedule_trace::parts {
    explicit parts(std::string_view where) : path(where), file(std::fopen(path.c_str(), "wb")) {}

    [[nodiscard]] std::string refusal() const {
        return "the trace \"" + path + "\" cannot be written: " + std::generic_category().message(error);
    }

    /// The track of a thread; a thread without a track gets the next one.
    [[nodiscard]] std::uint32_t track_of(const void* thread) {
        const auto place = std::ranges::find(threads, thread) - threads.begin();
        if (static_cast<std::size_t>(place) == threads.size()) threads.push_back(thread);
        return static_cast<std::uint32_t>(place + 1);
    }

    void note(activity what, std::string_view name, bool begins) noexcept {
        const auto when = std::chrono::steady_clock::now() - start;
        const std::lock_guard lock(guard);
        try {
            events.push_back({name, what, begins, track_of(mark_of_this_thread()), when});
        } catch (const std::bad_alloc&) {
            error = ENOMEM;
        }
    }

    void put(std::string_view text) noexcept {
        if (!file || error != 0) return;
        if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
            std::fflush(file.get()) != 0)
            error = errno != 0 ? errno : EIO;
    }

    void finish() noexcept {
        put("\n]\n");
        if (std::fclose(file.release()) != 0 && error == 0) error = errno;
    }

    void write() {
        std::string text;
        for (; named != threads.size(); ++named)
            append_name(text += ",\n", "thread_name", static_cast<std::uint32_t>(named + 1),
                        named == 0 ? "calls run" : "worker " + std::to_string(named));
        for (const trace_event& e : events) append_event(text, e);
        put(text);
    }

    std::string path;
    std::unique_ptr<std::FILE, file_closer> file;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();

    std::mutex guard; ///< Guards what follows, while a run goes on.
    int error{};      ///< The first error by which something was lost; else 0.
    std::vector<trace_event> events{};
    std::vector<const void*> threads{}; ///< The threads by track, from 1 on.
    std::size_t named{};                ///< How many of the threads are named in the file.
};

schedule_trace::schedule_trace(std::string_view path) : parts_(std::make_unique<parts>(path)) {
    if (!parts_->file) {
        parts_->error = errno;
        throw trace_error(parts_->refusal());
    }
    std::string head = "[\n";
    append_name(head, "process_name", 0, "schedule");
    parts_->put(head);
    require_whole();
}

schedule_trace::~schedule_trace() {
    try {
        close();
    } catch (const std::exception&) { // NOLINT(bugprone-empty-catch): nobody is left who could be told.
    }
}

void schedule_trace::begin(activity what, std::string_view name) noexcept { parts_->note(what, name, true); }

void schedule_trace::end(activity what, std::string_view name) noexcept { parts_->note(what, name, false); }

void schedule_trace::write() noexcept {
    try {
        parts_->write();
    } catch (const std::exception&) {
        parts_->error = ENOMEM;
    }
    parts_->events.clear(); // The systems that they name may be gone before the next run.
}

void schedule_trace::require_whole() const {
    if (parts_->error != 0) throw trace_error(parts_->refusal());
}

bool schedule_trace::is_in(std::string_view path) const {
    std::error_code none;
    return std::filesystem::equivalent(parts_->path, path, none);
}

void schedule_trace::end() noexcept {
    if (!parts_->file) return;
    write();
    parts_->finish();
}

void schedule_trace::close() {
    end();
    require_whole();
}

void schedule_trace::abandon() noexcept { parts_->file.reset(); }

} // namespace ecs
