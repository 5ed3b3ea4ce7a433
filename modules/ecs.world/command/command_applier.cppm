// SPDX-License-Identifier: MIT
// Makes what commands have recorded happen.
//
//   1. spawns     the first batch of every command buffer, in order of key: chunks go over whole
//   2. commands   buffer after buffer, run after run; at a barrier, the next batch of the buffer
export module ecs.world:command_applier;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :command_buffer;
import :command_queue;
import :command_stream;
import :flush_report;

namespace ecs {

/// See the head of this file. Made for one flush.
class command_applier {
  public:
    /// Applies everything recorded, and dispatches. Throws flush_error when commands or observers threw; all
    /// others are applied then. Throws std::bad_alloc when there is no memory to hand entities over or to
    /// note a failure, and what registering a component of a spawned entity throws: what has not been applied
    /// is left to the next flush, and so is what has been found out.
    static flush_report flush(engine& in, command_queue& queue);

    /// Applies each command of a run: apply(target, number) returns the result.
    template <class Apply> void each(command_run& run, command_kind kind, Apply&& apply) {
        for (std::uint32_t i = 0; i < run.count; ++i) one(run, kind, i, apply);
    }

    /// The same where many commands can be applied at once: many(number) applies commands from that one on
    /// and returns how many, perhaps none. It is called less often while it can do nothing, and never for so
    /// few that its preparations would cost more than it saves.
    template <class Apply, class Many>
    void each(command_run& run, command_kind kind, Apply&& apply, Many&& many) {
        if (run.count < worth_together) return each(run, kind, apply);
        std::uint32_t pause = 0;
        for (std::uint32_t i = 0; i < run.count;) {
            const std::uint32_t done = many(i);
            report_->count_applied(done);
            i += done;
            pause = done != 0 ? 0 : std::min(2 * pause + 1, pause_max);
            for (std::uint32_t ones = std::max(pause, 1U); ones != 0 && i < run.count; --ones)
                one(run, kind, i++, apply);
        }
    }

    [[nodiscard]] inline engine& in() const { return *in_; }

    /// Moves the targets from that command on, as many as can go together to the table with the identifier,
    /// or to the one without it; returns how many, perhaps none.
    std::uint32_t move_some(edge_kind kind, const command_run& run, std::uint32_t first);

    /// Gives the rows that were spawned after a barrier their place.
    void pass_barrier(std::size_t batch) { settle(current_->batches[batch]); }

  private:
    command_applier(engine& in, command_queue& queue, flush_report& report)
        : in_(&in), queue_(&queue), report_(&report) {}

    static constexpr std::uint32_t pause_max = 63;
    static constexpr std::uint32_t worth_together = 4;

    template <class Apply> void one(command_run& run, command_kind kind, std::uint32_t number, Apply& apply) {
        const entity target = run.target(number);
        try {
            report_->count(kind, target, run.word, apply(target, number));
        } catch (...) {
            note_failure(run, kind, number);
        }
    }

    struct settled_rows;

    void run();
    void make_room(std::size_t failures);
    void note_failure(command_run& run, command_kind kind, std::uint32_t number);
    void apply(std::vector<taken_recording> all);
    void settle(spawn_batch& born);
    bool settle(std::uint32_t bundle, spawn_block& born);
    void complete(settled_rows& all);
    void welcome(settled_rows& all, std::size_t rows);
    void note_told(entity fresh);
    void note_taken_back(entity fresh);
    void announce(const table& home, std::span<const entity> come);
    void bring_required(std::span<const entity> all, const std::vector<id>& words);
    void replay(recording& from);
    void replay_rows(command_stream& of);
    [[nodiscard]] id component_of(const command_run& run) const;
    [[nodiscard]] bool can_part(command_run& first) const;
    void tell_queued();
    void finish();

    engine* in_;
    command_queue* queue_;
    recording* current_{};
    flush_report* report_;
    std::vector<failed_command> failures_; ///< Has room for one more whenever something may fail.
};

} // namespace ecs
