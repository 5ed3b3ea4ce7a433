// SPDX-License-Identifier: MIT
// What a schedule did when, as a file that Perfetto and Chrome show: an array of events in JSON, one track
// for each thread. Events are kept in memory until the run has ended, so that no system waits for a disk.
export module ecs.world:trace;
import ecs.std;
import :profiler;

namespace ecs {

/// An address that is different in each thread.
[[nodiscard]] const void* mark_of_this_thread() noexcept;

/// A file of a trace could not be made or written; the text names it and says why.
export struct trace_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// See the head of this file. One thread calls write and close, while nothing is told.
class schedule_trace final : public profiler {
  public:
    /// Makes the file, or empties it. Throws trace_error.
    explicit schedule_trace(std::string_view path);
    /// Closes the file; a caller who wants to know whether that succeeded calls close first.
    ~schedule_trace() override;

    void begin(activity what, std::string_view name) noexcept override;
    void end(activity what, std::string_view name) noexcept override;

    /// Writes what has been told. A file that cannot be written gets nothing more.
    void write() noexcept;
    /// Throws trace_error when something is missing in the file.
    void require_whole() const;
    /// Whether it is written to that file, under whatever path.
    [[nodiscard]] bool is_in(std::string_view path) const;
    /// Writes, and completes the file; what is told from then on is lost.
    void end() noexcept;
    /// The same, and throws trace_error when something is missing in the file.
    void close();
    /// Closes the file as it is, because another trace has replaced what is in it.
    void abandon() noexcept;

  private:
    struct parts;
    std::unique_ptr<parts> parts_;
};

} // namespace ecs
