// SPDX-License-Identifier: MIT
// Commands in the order in which they were recorded, in blocks of bytes that are kept for the next recording.
//
//   run       | operation, identifier, count | target value | target value | ...
//   in turn   | operation, ... | operation, ... | target value, target | target value, target | ...
//
// Commands of one operation that follow each other share one head, so that a command costs its target and its
// value, and replaying is a loop for each run. So do commands of several operations that repeat in the same
// order, as when each entity gets the same two components: they are runs that are recorded in turn, and their
// commands stand in rows. Recording does not allocate but for a block now and then.
//
// Threads: one at a time.
export module ecs.world:command_stream;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.storage;
import ecs.structure;

namespace ecs {

class command_applier;
struct command_run;

/// What a kind of command does at the flush. One constant for each kind and type of value.
struct operation {
    void (*apply)(command_applier& to,
                  command_run& run);            ///< Applies every command of the run, and ends them.
    void (*discard)(command_run& run) noexcept; ///< Ends the values of the run; null: nothing to do.
    /// The component or tag of which a command changes nothing but whether its target has it and with which
    /// value, and that without a throw by a function of the user: the null identifier while it is not known.
    /// Null: a command may do other things.
    id (*about)(const engine& in, const command_run& run) = nullptr;
    bool in_turn = true; ///< False: a command that may be left to the next flush, unlike those before it.
};

/// The shape of a command: its target, then the value.
struct command_shape {
    std::uint32_t value_offset;
    std::uint32_t stride;
    std::uint32_t alignment;
};

template <class Value>
inline constexpr command_shape shape_of = [] {
    constexpr std::size_t alignment = std::max(alignof(entity), alignof(Value));
    constexpr std::size_t offset = std::max(sizeof(entity), alignof(Value));
    return command_shape{offset, (offset + sizeof(Value) + alignment - 1) / alignment * alignment, alignment};
}();

/// The shape of a command without a value.
inline constexpr command_shape bare_shape{sizeof(entity), sizeof(entity), alignof(entity)};

/// Commands of one operation, at equal distances in memory.
struct command_run {
    const operation* what{};
    id word; ///< What the commands are about, when the operation does not say; else null.
    std::byte* commands{};
    command_run* next{};    ///< What was begun after it: of runs in turn, the one after it in a row.
    command_run* turn{};    ///< The run of the next command, if that is of its operation: often this one.
    std::uint32_t stride{}; ///< From one command to the next, in bytes.
    std::uint32_t step{};   ///< From one command to the place of the next of `turn`.
    std::uint32_t count{};

    [[nodiscard]] inline std::byte* place(std::uint32_t command) const {
        return commands + std::size_t{command} * stride;
    }
    [[nodiscard]] inline entity target(std::uint32_t command) const {
        return *std::launder(reinterpret_cast<const entity*>(place(command)));
    }
    template <class Value> [[nodiscard]] Value& value(std::uint32_t command) const {
        return *std::launder(reinterpret_cast<Value*>(place(command) + shape_of<Value>.value_offset));
    }
    /// The targets from that command on.
    [[nodiscard]] inline entity_list targets(std::uint32_t first) const {
        return {place(first), stride, count - first};
    }
    /// Forgets the first commands, which have been applied, and whose values have ended.
    inline void forget_first(std::uint32_t number) noexcept {
        commands = place(number);
        count -= number;
    }

    /// Whether it is the first of several runs that were recorded in turn: in each row, a command of each of
    /// them, but perhaps not of all in the last row.
    [[nodiscard]] inline bool is_in_turn() const { return turn != this; }
    /// A run of the one command.
    [[nodiscard]] inline command_run only(std::uint32_t command) const {
        return {what, word, place(command), nullptr, nullptr, stride, stride, 1};
    }
};

/// Calls visit(run) for each of the runs that were recorded in turn, in the order of a row.
void for_each_in_turn(command_run& first, const auto& visit) {
    command_run* run = &first;
    for (bool last = false; !last;) {
        command_run* const next = run->turn;
        last = next == &first;
        visit(*run);
        run = next;
    }
}

/// See the head of this file.
class command_stream {
  public:
    /// The most runs that are recorded in turn.
    static constexpr std::size_t turns_max = 8;

    command_stream() = default;
    command_stream(const command_stream&) = delete;
    command_stream& operator=(const command_stream&) = delete;
    ~command_stream() { discard(); }

    /// Records a command without a value. Throws std::bad_alloc.
    inline void record(const operation& what, id word, entity target) {
        ::new (place(what, word, bare_shape)) entity(target);
        commit();
    }

    /// Records a command with a value. Throws what making the value throws, and then nothing is recorded.
    template <class Value, class... Arguments>
    void record_value(const operation& what, id word, entity target, Arguments&&... arguments) {
        if constexpr (is_trivial_to_make<Value, Arguments&&...> || (std::same_as<Value, Arguments> && ...)) {
            write_value<Value>(what, word, target, std::forward<Arguments>(arguments)...);
        } else { // Made before its place is known: making it may record a command.
            Value made(std::forward<Arguments>(arguments)...);
            write_value<Value>(what, word, target, std::move(made));
        }
    }

    [[nodiscard]] inline command_run* first() const { return first_; }
    [[nodiscard]] inline bool empty() const { return first_ == nullptr; }

    /// Forgets the first run, whose values have ended.
    inline void pop_first() noexcept {
        first_ = first_->next;
        if (!first_) last_ = due_ = nullptr;
    }

    /// Forgets every command, whose values have ended; the memory stays.
    void reset() noexcept;

    /// Ends the values of every command, and forgets them.
    void discard() noexcept;

    /// Gives the memory of an empty stream back.
    void release() noexcept;

    [[nodiscard]] std::size_t memory_bytes() const;

  private:
    struct aligned_delete {
        void operator()(std::byte* memory) const noexcept {
            ::operator delete(static_cast<void*>(memory), std::align_val_t{64});
        }
    };
    struct block {
        std::unique_ptr<std::byte, aligned_delete> memory;
        std::size_t bytes;
    };

    template <class Value, class... Arguments>
    void write_value(const operation& what, id word, entity target, Arguments&&... arguments) {
        std::byte* const at = place(what, word, shape_of<Value>);
        ::new (at) entity(target);
        ::new (at + shape_of<Value>.value_offset) Value(std::forward<Arguments>(arguments)...);
        commit();
    }

    /// What the commands of a run have in common; their shape is that of the operation.
    struct run_kind {
        const operation* what{};
        id word;
        const command_shape* shape{};

        bool operator==(const run_kind& other) const { return what == other.what && word == other.word; }
    };
    /// The place of the next command.
    [[nodiscard]] inline std::byte* place(const operation& what, id word, const command_shape& shape) {
        if (due_ && due_->what == &what && due_->word == word && end_ - cursor_ >= shape.stride) [[likely]]
            return cursor_;
        return begin(what, word, shape);
    }
    inline void commit() noexcept {
        cursor_ += due_->step;
        ++due_->count;
        if (due_->is_in_turn()) due_ = due_->turn; // No store where it stays: the next command waits for it.
    }
    std::byte* begin(const operation& what, id word, const command_shape& shape);
    std::byte* begin_one(const operation& what, id word, const command_shape& shape);
    std::byte* begin_in_turn();
    command_run& begin_head(const operation& what, id word) noexcept;
    [[nodiscard]] const run_kind& begun_before(std::size_t runs) const {
        return begun_[(singles_ - runs) % begun_.size()];
    }
    [[nodiscard]] bool is_repeated(const run_kind& kind, std::size_t turns) const;
    void watch_later(bool were_worth_while) noexcept;
    bool find_turns(const run_kind& kind);
    void turn_to(const command_run& due);
    bool watch(const operation& what, id word, const command_shape& shape);
    [[nodiscard]] std::span<run_kind> kinds_in_turn() { return std::span(turns_).first(turn_count_); }
    void make_room(std::size_t bytes);
    void next_block(std::size_t bytes);
    [[nodiscard]] static block block_of(std::size_t bytes);
    void use(const block& from) noexcept;

    std::vector<block> blocks_;
    std::size_t next_block_{};
    std::byte*
        cursor_{}; ///< Where the next command of `due_` goes, or what is begun: perhaps behind the end.
    std::byte* end_{};
    command_run* first_{};
    command_run* last_{};
    command_run* due_{}; ///< The run that the next command belongs to if it is of its kind.
    std::array<run_kind, 2 * turns_max> begun_{}; ///< The last runs that were begun, in a ring,
    std::size_t singles_{};                       ///< and how many they are that have one command each.
    std::size_t unwatched_{};                     ///< So many runs begin before turns are looked for,
    std::size_t pause_{};                         ///< and so many did when they were not worth while last.
    std::array<run_kind, turns_max> turns_{};     ///< The kinds that are recorded in turn now,
    std::size_t turn_count_{};                    ///< and how many they are.
};

} // namespace ecs
