// SPDX-License-Identifier: MIT
// Commands in the order in which they were recorded, in blocks of bytes that are kept for the next recording.
//
//   run     | operation, identifier, count | target value | target value | ...
//
// Commands of one operation that follow each other share one head, so that a command costs its target and its
// value, and replaying is a loop for each run. Recording does not allocate but for a block now and then.
//
// Threads: one at a time.
export module ecs.world:command_stream;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;

namespace ecs {

class command_applier;
struct command_run;

/// What a kind of command does at the flush. One constant for each kind and type of value.
struct operation {
    void (*apply)(command_applier& to,
                  command_run& run);            ///< Applies every command of the run, and ends them.
    void (*discard)(command_run& run) noexcept; ///< Ends the values of the run; null: nothing to do.
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

/// Commands of one operation that follow each other.
struct command_run {
    const operation* what{};
    id word; ///< What the commands are about, when the operation does not say; else null.
    command_shape shape{};
    std::uint32_t count{};
    std::byte* commands{};
    command_run* next{};

    [[nodiscard]] inline entity target(std::uint32_t command) const {
        return *std::launder(reinterpret_cast<const entity*>(commands + std::size_t{command} * shape.stride));
    }
    /// Forgets the first commands, which have been applied, and whose values have ended.
    inline void forget_first(std::uint32_t number) noexcept {
        commands += std::size_t{number} * shape.stride;
        count -= number;
    }
    template <class Value> [[nodiscard]] Value& value(std::uint32_t command) const {
        std::byte* const at = commands + std::size_t{command} * shape.stride + shape.value_offset;
        return *std::launder(reinterpret_cast<Value*>(at));
    }
};

/// See the head of this file.
class command_stream {
  public:
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
        if (!first_) last_ = nullptr;
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

    /// The place of the next command.
    [[nodiscard]] inline std::byte* place(const operation& what, id word, command_shape shape) {
        if (last_ && last_->what == &what && last_->word == word && cursor_ + shape.stride <= end_) [[likely]]
            return cursor_;
        return begin_run(what, word, shape);
    }
    inline void commit() noexcept {
        cursor_ += last_->shape.stride;
        ++last_->count;
    }
    std::byte* begin_run(const operation& what, id word, command_shape shape);
    [[nodiscard]] bool fits(std::size_t bytes) const {
        return static_cast<std::size_t>(end_ - cursor_) >= bytes;
    }
    void next_block(std::size_t bytes);
    [[nodiscard]] static block block_of(std::size_t bytes);
    void use(const block& from) noexcept;

    std::vector<block> blocks_;
    std::size_t next_block_{};
    std::byte* cursor_{};
    std::byte* end_{};
    command_run* first_{};
    command_run* last_{};
};

} // namespace ecs
