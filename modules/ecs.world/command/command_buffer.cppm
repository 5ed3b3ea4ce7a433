// SPDX-License-Identifier: MIT
// What one commands object holds until the flush: the rows of the entities it spawned, laid out as they will
// be in the world, the commands it recorded, and indices to spawn with.
//
//   batch 0            | rows of (A, B) | rows of (C) |   spawned before the first barrier
//   commands           add, set, despawn, ..., barrier, ...
//   batch 1            | rows of (A, B) |                 spawned after it
//
// At the flush the rows of a batch come first, then the commands up to the barrier, then the next batch. A
// command cannot tell that the rows came early, except one that looks at the whole world or ends a component:
// those are followed by a barrier.
//
// Threads: one at a time.
export module ecs.world:command_buffer;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import ecs.structure;
import ecs.query;
import :bundle;
import :command_stream;

namespace ecs {

/// A component type, as a command buffer knows it without asking the world.
struct component_source {
    id (*resolve)(engine& in); ///< The identifier of the type, registered when need be.
    const component_info* info;
    std::uint32_t (*number)(); ///< The number of the type.
};

template <class T>
inline constexpr component_source source_of{&id_of_type<T>, &info_of<T>,
                                            &type_number<T, type_series::components>};

/// The order of the components' columns in a chunk, by their place in the list of a spawn.
using column_order = std::vector<std::uint32_t>;
using column_orders = std::vector<column_order>; ///< By the number of the bundle; empty when unknown.

/// The order in which a world lays the components out that gives them the usual indices of types: from the
/// top down, in the order of their numbers. When the order is another one, the flush finds it out.
[[nodiscard]] column_order usual_order(std::span<const component_source> components);

/// The components of a bundle, as a world has them.
struct bundle_type {
    std::vector<id> components; ///< In the order of the list.
    column_order order;         ///< For the n-th identifier, its position in the list.
    std::vector<id> type;       ///< The identifiers in order.
};

/// Where the rows of a block go in a world.
struct block_home {
    table* in{};
    table* whole{}; ///< Where they are when they have what comes along, as far as that is plain.
    std::vector<id> constrained_ids{};    ///< Their components that others come with, or exclude.
    std::vector<const column*> columns{}; ///< For each column of the rows, that of its component there.
};

/// The sources as a list. Not inline: importers would compile what a span asks of an array.
[[nodiscard]] std::span<const component_source> source_list(const component_source* first, std::size_t count);

/// The rows of entities with the same components, spawned by one command buffer, in chunks that are laid out
/// and numbered as those of the world, which takes them over.
class spawn_block {
  public:
    spawn_block(std::span<const component_source> components, column_order order);
    virtual ~spawn_block();
    spawn_block(const spawn_block&) = delete;
    spawn_block& operator=(const spawn_block&) = delete;

    [[nodiscard]] std::span<const component_source> components() const { return components_; }
    [[nodiscard]] inline const table& layout() const { return layout_; }
    [[nodiscard]] inline std::span<unique_chunk> chunks() { return chunks_; }
    [[nodiscard]] std::size_t size() const;
    [[nodiscard]] std::size_t memory_bytes() const;

    /// Where the next row goes, if there is room for it.
    [[nodiscard]] inline bool has_room() const { return open_ && open_->count != open_->capacity; }
    [[nodiscard]] inline row_ref next_row() const { return {open_, open_->count}; }

    /// Makes room for rows; the chunk has no number yet. Throws std::bad_alloc.
    chunk& begin_chunk();

    /// The rows behind next_row belong to the caller: what is spawned until reopen goes elsewhere.
    inline void close() { open_ = nullptr; }
    inline void reopen(chunk& closed) {
        if (!open_) open_ = &closed;
    }

    /// Forgets chunks that are gone, and takes memory from the world for as many chunks to come.
    void tidy(chunk_pool& of_world) noexcept;

    /// The column of a component of the list; nullptr for a tag.
    [[nodiscard]] const column* column_of(std::uint32_t component) const;

    /// Where the rows go in the world, in which the components are registered when need be. It is valid until
    /// the next call. Throws what registering throws, and std::bad_alloc.
    [[nodiscard]] const block_home& home_in(engine& in);

    /// Whether the world has laid the rows out in the order of this block. home_in has been called.
    [[nodiscard]] bool is_in_order() const { return type_.order == order_; }
    /// The order of the world: for the n-th identifier, its position in the list of components. home_in has
    /// been called.
    [[nodiscard]] const column_order& order_found() const { return type_.order; }

  private:
    void find_type(engine& in);
    void find_columns();

    chunk_directory directory_; ///< Has the layout and no chunks, but memory for some.
    std::span<const component_source> components_;
    column_order order_;
    table layout_; ///< Has no rows.
    std::vector<unique_chunk> chunks_;
    chunk* open_{};                 ///< One of the chunks, or null.
    bundle_type type_;              ///< As it was found last, and for its memory.
    block_home home_;               ///< The same; the whole table is null while it is not known.
    std::uint64_t cache_version_{}; ///< Of the store, when the home was found.
};

/// A spawn_block that knows its types.
template <class... Components> struct typed_block final : spawn_block {
    [[nodiscard]] static std::span<const component_source> sources() {
        static constexpr std::array<component_source, sizeof...(Components)> all{source_of<Components>...};
        return source_list(all.data(), all.size());
    }

    explicit typed_block(column_order order) : spawn_block(sources(), std::move(order)) {
        for (std::uint32_t c = 0; c < sizeof...(Components); ++c) values.columns[c] = column_of(c);
    }

    bundle_columns<Components...> values;
};

/// The rows spawned between two barriers. Blocks are found by the number of their bundle. The process gives
/// the numbers out, and which thread came first decides about them: so the flush goes by the order of first
/// use.
struct spawn_batch {
    std::vector<spawn_block*> used;                 ///< Blocks used since the last flush; null: not yet.
    std::vector<std::unique_ptr<spawn_block>> kept; ///< Blocks that live as long as the recording.
    std::vector<std::uint32_t> order;               ///< Numbers of the blocks that were used.

    /// Whether a row has not come yet. Linear in what was used since the last flush.
    [[nodiscard]] bool has_rows() const;
    [[nodiscard]] bool keeps(std::uint32_t number) const;
    void keep(std::uint32_t number, std::unique_ptr<spawn_block> block);

    /// The block of the bundle, which is kept; it counts as used from now on.
    spawn_block& use(std::uint32_t number);

    /// Forgets which blocks have been used.
    void reset() noexcept;
};

/// What was recorded between two flushes.
struct recording {
    command_stream stream;
    std::vector<spawn_batch> batches = std::vector<spawn_batch>(1); ///< The last is the one spawned into.
    std::uint32_t recent_number{}; ///< The block used last, if the next spawn may use it; else 0.
    spawn_block* recent{};
    bool barrier_due{};                ///< What is spawned next comes after what has been recorded.
    std::uint32_t asking{};            ///< Functions and constructors of the user that run at the moment.
    std::vector<entity> unwanted{};    ///< Entities of spawns that were not recorded as a whole: they end.
    std::unique_ptr<recording> next{}; ///< The next recording that a flush has left.

    /// What is spawned next has to come after what has been recorded.
    inline void ask_for_barrier() noexcept {
        barrier_due = true;
        recent_number = 0;
    }

    [[nodiscard]] bool empty() const;
    /// Whether it has blocks for rows, of which none may have a row.
    [[nodiscard]] bool keeps_blocks() const { return batches.size() > 1 || !batches.front().kept.empty(); }

    /// Forgets everything, after it has been applied; the memory stays for what is recorded next.
    void reset() noexcept;

    /// Ends everything that has not been applied.
    void discard() noexcept;

    /// Gives the memory of an empty recording back.
    void release() noexcept;

    [[nodiscard]] std::size_t memory_bytes() const;
};

/// While it lives, a function or a constructor of the user may run in the middle of a spawn: the recording
/// must not be flushed.
class asking {
  public:
    inline explicit asking(recording& in) noexcept : in_(&in) { ++in_->asking; }
    asking(const asking&) = delete;
    asking& operator=(const asking&) = delete;
    inline ~asking() { --in_->asking; }

  private:
    recording* in_;
};

/// See the head of this file.
struct command_buffer {
    std::unique_ptr<recording> now = std::make_unique<recording>();
    std::unique_ptr<recording> left{};             ///< What a flush left, and its next: it comes before now.
    std::unique_ptr<recording> spare{};            ///< Empty: recorded into next, when a flush takes `now`.
    entity_index::lane* lane{};                    ///< Identifiers to spawn with; null: none yet.
    std::uint32_t lane_key = entity_index::no_key; ///< The key of the lane.
    /// Command buffers are flushed in this order, and those of one key as they were opened.
    std::uint64_t key{};
    std::uint64_t sequence{}; ///< The number of its opening.

    /// Whether something waits for a flush.
    [[nodiscard]] inline bool has_recorded() const { return left || !now->empty(); }
    /// How many entities can be spawned before identifiers are needed.
    [[nodiscard]] inline std::uint32_t identifiers() const { return lane ? lane->ready.count() : 0; }
};

/// A recording in the hands of a flush, so that commands may record commands: those come at the next one.
struct taken_recording {
    command_buffer* from;
    std::unique_ptr<recording> what;

    /// The recording has been applied: its memory is used again.
    void recycle() noexcept;
    /// The recording has not been applied, or only in part: what is left of it is the first thing that the
    /// next flush takes.
    void leave() noexcept;
};

/// Takes what is recorded now from these buffers, from which nothing is taken yet. Throws std::bad_alloc, and
/// then nothing is.
void take_recorded(std::span<taken_recording> from);
/// Takes what flushes have left in these buffers. Throws std::bad_alloc, and then nothing is taken.
[[nodiscard]] std::vector<taken_recording> take_left(std::span<const taken_recording> from);

} // namespace ecs
