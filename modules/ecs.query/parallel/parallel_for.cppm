// SPDX-License-Identifier: MIT
// Visits chunks on several threads. Threads take parts of chunks from a common list until it is empty, so
// that a thread that is late or slow takes fewer.
export module ecs.query:parallel_for;
import ecs.std;
import ecs.core;
import ecs.storage;

export namespace ecs {

/// How a loop is divided among threads.
struct parallel_options {
    /// So many rows are worth a thread, because to start one costs as much as a short function for all of
    /// them. Fewer, down to 1, where the function takes long: the caller visits less than two threads' worth
    /// alone.
    std::size_t rows_of_a_thread = 8192;
};

/// Rows of a chunk that stand one behind the other. The first is a multiple of 64: code that looks at masks
/// takes whole words of them.
struct chunk_part {
    chunk* block{};
    std::uint32_t first{};
    std::uint32_t end{};

    [[nodiscard]] static chunk_part whole(chunk* block) { return {block, 0, block->count}; }
};

/// See the head of this file. For one walk.
class parallel_for {
  public:
    explicit parallel_for(parallel_options how = {})
        : rows_of_a_thread_(std::max<std::size_t>(how.rows_of_a_thread, 1)) {}

    /// Adds something to remember with what is visited, and how many rows of work it is.
    void add(const void* memory, std::size_t rows) { add(memory, {}, rows); }
    /// Adds the rows of a chunk, each of which is visited that many times.
    void add_chunk(const void* memory, chunk* block, std::size_t times) {
        add(memory, chunk_part::whole(block), times * block->count);
    }

    /// Calls visit(memory, part) for each part, from several threads if there is enough to do. When it
    /// throws, nothing more is begun, and the first exception is thrown here.
    template <class Visit> void run(executor& on, Visit visit) {
        context<Visit> shared{this, &visit};
        run_tasks(on, {&context<Visit>::work, &shared, 0});
    }

    /// Whether a thread may have come to a part.
    [[nodiscard]] bool has_begun() const { return has_begun_; }

    /// About how many rows of a list make a part.
    [[nodiscard]] std::size_t rows_of_a_piece() const {
        return std::clamp<std::size_t>(rows_of_a_thread_ / pieces_of_a_thread, 1, most_rows_of_a_piece);
    }

  private:
    static constexpr std::size_t pieces_of_a_thread = 8;
    static constexpr std::size_t most_rows_of_a_piece = 1024;

    struct stop {
        const void* memory;
        chunk_part rows;
    };
    void add(const void* memory, chunk_part part, std::size_t rows) {
        stops_.push_back({memory, part});
        rows_ += rows;
    }

    template <class Visit> struct context {
        parallel_for* parts;
        Visit* visit;

        static void work(void* self, std::size_t) {
            const auto& [parts, visit] = *static_cast<context*>(self);
            try {
                while (const stop* const next = parts->next()) (*visit)(next->memory, next->rows);
            } catch (...) {
                parts->fail(std::current_exception());
            }
        }
    };

    /// The next part that no thread has; nullptr when there is none.
    [[nodiscard]] const stop* next() noexcept {
        const std::size_t at = taken_.take();
        return at < stops_.size() ? &stops_[at] : nullptr;
    }
    void run_tasks(executor& on, task work);
    /// Splits chunks that have more rows than that into parts.
    void split(std::size_t rows);
    void fail(std::exception_ptr cause) noexcept;

    std::vector<stop> stops_;
    std::size_t rows_{};
    std::size_t rows_of_a_thread_;
    bool has_begun_{};
    ticket_count taken_;
    std::mutex failing_;
    std::exception_ptr failure_;
};

} // namespace ecs
