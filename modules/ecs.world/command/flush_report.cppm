// SPDX-License-Identifier: MIT
// What became of recorded commands.
export module ecs.world:flush_report;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;

namespace ecs {

/// What a command asks for.
export enum class command_kind : std::uint8_t {
    spawn,
    add,
    set,
    remove,
    clear,
    despawn,
    enable,
    disable,
    name,
    call,
    patch,
    emit,
    dispatch ///< Not recorded: tells queued observers at the end of a flush.
};

/// The kind in words, as error texts use it.
export [[nodiscard]] std::string_view to_string(command_kind kind);

/// A command that was not applied, and why.
export struct dropped_command {
    command_kind kind;
    entity subject;
    id word; ///< What was to be added, set or removed; null when the command's type says it.
    add_result reason;
};

/// What a flush did.
export class flush_report {
  public:
    /// Entities that got their components.
    [[nodiscard]] std::size_t spawned() const { return spawned_; }

    /// Commands after which their entity was as they asked.
    [[nodiscard]] std::size_t applied() const { return applied_; }

    /// Commands that were refused, because their entity had died meanwhile or for another reason.
    [[nodiscard]] std::size_t dropped() const;
    [[nodiscard]] std::size_t dropped(add_result reason) const {
        return dropped_[static_cast<std::size_t>(reason)];
    }

    /// The first of the dropped commands, at most drops_kept.
    [[nodiscard]] std::span<const dropped_command> drops() const { return drops_; }

    static constexpr std::size_t drops_kept = 1024;

    // For the flush itself.

    void count_spawned(std::size_t entities) { spawned_ += entities; }
    /// One of those that were counted has not come to be: it could not get what comes with its components.
    void take_back_spawned() { --spawned_; }
    /// Adds what another flush did.
    void add(const flush_report& other) noexcept;
    inline void count_applied(std::size_t commands) { applied_ += commands; }
    inline void count(command_kind kind, entity subject, id word, add_result result) {
        if (succeeded(result)) [[likely]]
            ++applied_;
        else
            drop(kind, subject, word, result);
    }

  private:
    void drop(command_kind kind, entity subject, id word, add_result reason);

    static constexpr std::size_t reasons = 32;
    static_assert(static_cast<std::size_t>(add_result::is_built_in) < reasons); // It is the last one.

    std::size_t spawned_{};
    std::size_t applied_{};
    std::array<std::size_t, reasons> dropped_{};
    std::vector<dropped_command> drops_;
};

/// The text of what was thrown.
[[nodiscard]] std::string what_of(const std::exception_ptr& cause);

/// A command that threw, or that set off an observer that threw; it counts neither as applied nor as dropped,
/// but an entity that was spawned as spawned. What an observer threw undoes nothing: the command has been
/// made. Of one that threw itself nothing is left, except what a function of `run` or `patch` had done
/// before.
export struct failed_command {
    command_kind kind;
    entity subject;
    std::exception_ptr cause;
};

/// Commands or observers threw at the flush. failed_command says what is left of each command; all others are
/// applied.
export struct flush_error : std::runtime_error {
    flush_error(std::vector<failed_command> all, flush_report what_was_done);

    std::vector<failed_command> failures; ///< In the order of the commands.
    flush_report report;
};

} // namespace ecs
