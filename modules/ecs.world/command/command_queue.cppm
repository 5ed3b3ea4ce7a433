// SPDX-License-Identifier: MIT
// The command buffers of a world: which are being recorded into, which wait for the flush, which are idle.
//
//    idle --open--> open --close--> closed --flush--> idle
//                    ^ |
//                    +-+ flush
//
// Threads: open, close, restock, order_of and take_chunk_number, by any thread, so that no thread waits for
// one that stopped. Everything else by the world's thread while no other opens or records, which is what the
// contract of world::flush, of going back and of the end of a world asks for: those who recorded have
// synchronised with it, and those who record next do, so that it reads recordings, and writes what recording
// reads, as if there were no other threads. A command buffer without a key may be closed during a flush:
// closing gives its lane back, and touches nothing that it recorded.
export module ecs.world:command_queue;
import ecs.std;
import ecs.core;
import ecs.storage;
import ecs.structure;
import :command_buffer;
import :flush_report;

namespace ecs {

/// See the head of this file. Outlives the world while there are commands objects.
class command_queue {
  public:
    explicit command_queue(entity_index& entities) : entities_(&entities) {}

    /// Keys of users are below this one, those of systems from it on.
    static constexpr std::uint64_t first_system_key = std::uint64_t{1} << 32;
    static constexpr std::uint64_t no_key = ~std::uint64_t{0};

    /// A command buffer for one commands object. Throws std::bad_alloc, or std::length_error when it is to
    /// have a lane and there are too many.
    [[nodiscard]] command_buffer& open(std::uint64_t key = no_key);

    /// The commands object has ended: what it recorded waits for the flush, what it has not used goes back.
    void close(command_buffer& ended) noexcept;

    /// The world's entities; null when the world has ended.
    [[nodiscard]] inline entity_index* entities() const { return entities_; }

    /// Gives identifiers to a command buffer that has none. Throws std::bad_alloc, std::length_error when
    /// none is left, or world_ended_error.
    void restock(command_buffer& into);
    /// The same for a command buffer without a key, for which fewer identifiers are enough: false when there
    /// are none.
    [[nodiscard]] bool restock_more(command_buffer& into) noexcept;

    /// A number for a chunk, which owns it from now on in the slots of its entities; pending when none is
    /// left. Entities of a chunk with a number need not be told where they are at the flush. Wait-free.
    [[nodiscard]] std::uint32_t take_chunk_number();

    /// Borrows as many numbers from the world as might be needed until the next flush. It is no error when
    /// memory runs out.
    void stock_chunk_numbers(engine& of) noexcept;

    /// In which order the world lays out the components of a bundle, if it is known; else the usual order.
    /// While threads record, the known orders are only read, so that this takes no lock: only the flush calls
    /// learn_order, and only going back calls recall_stocks.
    [[nodiscard]] column_order order_of(std::uint32_t bundle,
                                        std::span<const component_source> components) const;
    /// Notes the order. When memory runs out, it is found out again.
    void learn_order(std::uint32_t bundle, const column_order& order) noexcept;
    [[nodiscard]] column_orders orders() const;

    /// Throws iteration_error when a function or a constructor that a commands object has called is running:
    /// its recording cannot be flushed then.
    void require_nobody_asked() const;

    /// Everything that is recorded, or what flushes have left, in the order in which it is to be applied.
    /// Throws std::bad_alloc, and then nothing is taken.
    [[nodiscard]] std::vector<taken_recording> take_recorded();
    [[nodiscard]] std::vector<taken_recording> take_left();
    /// Whether flushes have left something.
    [[nodiscard]] inline bool has_left() const { return has_left_; }
    inline void note_left() noexcept { has_left_ = true; }

    /// What a flush has found out and could not report: the next flush reports it.
    struct findings {
        flush_report report{};
        std::vector<failed_command> failures{};
    };
    /// Moves it to what a flush that has begun is going to report, which is empty. Throws std::bad_alloc, and
    /// then nothing is taken.
    void take_findings(flush_report& report, std::vector<failed_command>& failures);
    /// There is room, made by take_findings.
    inline void keep_findings(findings&& found) noexcept { findings_.push_back(std::move(found)); }
    /// Lists that are empty: their memory is for the next flush.
    inline void keep_room(std::vector<failed_command>&& empty) noexcept {
        room_for_failures_ = std::move(empty);
    }
    inline void keep_room(std::vector<taken_recording>&& empty) noexcept {
        room_for_taken_ = std::move(empty);
    }

    /// While it lives, a flush is going on, and perhaps another inside it.
    class flushing {
      public:
        explicit flushing(command_queue& of) noexcept : of_(&of) { ++of_->flushes_; }
        flushing(const flushing&) = delete;
        flushing& operator=(const flushing&) = delete;
        ~flushing() { --of_->flushes_; }

      private:
        command_queue* of_;
    };
    [[nodiscard]] inline bool is_flushing() const { return flushes_ != 0; }

    /// Makes closed buffers idle, after a flush. So many identifiers have others issued.
    void retire_closed(std::uint64_t issued) noexcept;

    /// Whether something waits for the flush.
    [[nodiscard]] bool has_recorded() const;
    /// Throws snapshot_error when an entity that waits for the flush is in pairs of other entities: what is
    /// kept without the entity would name nobody.
    void require_settled_targets(const store& rows) const;

    /// The world goes back: gives all identifiers and numbers of chunks that buffers have not used back to
    /// it; only these orders are known from now on.
    void recall_stocks(column_orders known) noexcept;
    /// How many times the world has gone back.
    [[nodiscard]] inline std::uint64_t returns() const { return returns_; }

    // Keys: see basic_owned_registry.

    /// From now on keys below `keys`, and those of systems, have lanes. Throws std::bad_alloc, or
    /// std::length_error when there are too many, or iteration_error where a flush would.
    void make_deterministic(std::uint32_t keys);

    /// Gives every key the identifiers that it spawns with until the next deal.
    void deal() noexcept;

    /// Ends everything recorded, because the world ends.
    void end_world() noexcept;

  private:
    static constexpr std::uint64_t none_known = ~std::uint64_t{0};

    [[nodiscard]] std::uint32_t lane_key_of(std::uint64_t key);
    std::uint32_t make_lane_key(std::uint64_t key);
    void give_back(command_buffer& from) noexcept;
    void call_home();
    [[nodiscard]] std::vector<taken_recording> buffers_with(auto something);

    entity_index* entities_;
    basic_command_buffer_list<command_buffer, world_atomics> buffers_;
    ticket_count sequence_; ///< Counts the openings.
    column_orders orders_;
    basic_number_lot<world_atomics> chunk_numbers_; ///< Borrowed from the world.
    std::size_t chunk_numbers_ahead_ = 1024;        ///< How many numbers to have after a flush.
    std::size_t flushes_{};                         ///< Only the world's thread uses this.
    std::uint64_t returns_{};                       ///< The same.
    std::uint64_t settled_{}; ///< How many identifiers others had issued when nothing waited for a flush.
    /// Only the world's thread uses this. A flush may go on in another: there is room for what each keeps.
    std::vector<findings> findings_;
    std::vector<failed_command> room_for_failures_; ///< Empty: each flush needs memory for one.
    std::vector<taken_recording> room_for_taken_;   ///< Empty, too.
    bool has_left_{};
    bool deterministic_{};
    flat_map<std::uint32_t> lane_keys_; ///< The registry's number of a key, by 1 + the key.
};

} // namespace ecs
