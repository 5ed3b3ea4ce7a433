// SPDX-License-Identifier: MIT
// The concurrent registry: any thread creates, destroys and asks, at any time, without a lock and without a
// flush.
//
//   alive, status     wait-free: a load of the slot, which lies at base + index; where addresses are scarce
//                     a load of the directory of pages before
//   create            a store to the slot; once in a batch the depot or a new block (lock-free)
//   destroy           one exchange on the slot, exactly one winner; once in a batch the depot (lock-free)
//   without a handle  the same through a shared lane, entered by one exchange
//
//   thread -- local_handle --> lane -- a batch at a time --> depot of the pool <-- walk of new indices
//                              \-- one store or exchange --> slots, which never move
//
// Lock-free except for the system's memory, which is asked for when the registry grows past what was
// reserved. Exclusive functions (add_range, claim, clear, restrict_to) need every other thread to keep away;
// handles may stay. Each guarantee, its argument and the test that carries it: docs/concurrency.md.
export module ecs.registry:concurrent_registry;
import ecs.std;
import ecs.id;
import :atomics;
import :concurrent_core;
import :concurrent_reader;
import :geometry;
import :identity;
import :index_range;
import :local_handle;
import :partition_id;
import :policy;
import :pool_ground;
import :registry_laws;
import :restriction;
import :slot;
import :slot_pages;
import :status;

namespace ecs {

/// Allocates identifiers of Layout for any number of threads at once. Beside the word of every index lies a
/// Payload, which belongs to the owner of the entity: the registry never touches it after its page was
/// zeroed.
///
/// A registry is neither copied nor moved: handles refer to it. Its destruction needs exclusive access and no
/// handles.
export template <class Layout = layouts::entity, class Partitions = whole_index_space<Layout>,
                 class Exhaustion = retire, class Payload = no_payload, class Atomics = std_atomics,
                 class Geometry = default_geometry<Layout>>
class basic_concurrent_registry
    : registry_laws<Layout, Partitions, Exhaustion>,
      public concurrent_reader<concurrent_parts<Layout, Exhaustion, Payload, Atomics, Geometry>, Partitions> {
    static_assert(registry_geometry<Geometry>, "the dimensions must keep what ecs::registry_geometry asks");
    static_assert(std::is_trivially_copyable_v<Payload>,
                  "payloads begin as zeroed memory and end with their page");

    using parts_type = concurrent_parts<Layout, Exhaustion, Payload, Atomics, Geometry>;
    using reader = concurrent_reader<parts_type, Partitions>;
    using core_type = concurrent_core<parts_type, Partitions>;
    using pool_type = typename core_type::pool_type;
    using lane_type = typename core_type::lane_type;
    using self = identity<Layout>;
    using reader::core_;

  public:
    using layout_type = Layout;
    using partitions_type = Partitions;
    using id_type = basic_id<Layout>;
    using word = word_of<Layout>;
    using payload_type = Payload;

    /// What local, quarantined_local and exclusive_local return.
    using handle = local_handle<basic_concurrent_registry, destroys::beside_others, reuse::at_once>;
    using quarantined_handle =
        local_handle<basic_concurrent_registry, destroys::beside_others, reuse::after_release>;
    using exclusive_handle = local_handle<basic_concurrent_registry, destroys::alone, reuse::at_once>;

    /// What restrict_to returns; see restriction_scope.
    using restriction = restriction_scope<const pool_type*>;

    /// How many identifiers a live handle keeps from others at most; a quarantined one keeps half as many
    /// more. In a small partition or range it keeps less.
    static constexpr std::size_t kept_by_handle = lane_type::capacity;

    /// What it takes of memory: for each index of a page that is touched, and for each handle at once. The
    /// room in which identifiers wait is another word for each index; it becomes memory when they wait.
    /// Addresses are reserved for all indices, where the process has twice as many left.
    static constexpr std::size_t bytes_per_slot = sizeof(typename parts_type::slot_type);
    static constexpr std::size_t bytes_per_handle = sizeof(lane_type);

    /// A registry of world 0, or of a layout that does not tell worlds apart.
    basic_concurrent_registry() : reader(self::stamp_of(0)) {}

    /// Every identifier carries the number of the world, and identifiers of another world are refused. Throws
    /// field_range_error when the world field cannot hold the number.
    explicit basic_concurrent_registry(std::uint64_t world)
        requires self::has_world
        : reader(self::checked_stamp_of(world)) {}

    // -- Handles. Throw std::bad_alloc, also when there are 2^20 - 1 already; lock-free. --------------------

    /// A thread's own fast lane into a partition.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] handle local() {
        return {core_, part<Name>()};
    }
    [[nodiscard]] handle local(const index_range& range) { return {core_, core_.pools.of(range)}; }

    /// A handle whose destroyed indices are not used again before release_quarantine.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] quarantined_handle quarantined_local() {
        return {core_, part<Name>()};
    }
    [[nodiscard]] quarantined_handle quarantined_local(const index_range& range) {
        return {core_, core_.pools.of(range)};
    }

    /// A handle that destroys while no other thread does; see destroys::alone.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] exclusive_handle exclusive_local() {
        return {core_, part<Name>()};
    }
    [[nodiscard]] exclusive_handle exclusive_local(const index_range& range) {
        return {core_, core_.pools.of(range)};
    }

    /// Lets the indices be used again that quarantined handles have destroyed and flushed. Any thread;
    /// lock-free. Throws std::bad_alloc when every shared lane is taken and there is no memory for another.
    void release_quarantine() {
        core_.pools.for_each([&](pool_type& pool) {
            core_.with_lane(pool, [&](lane_type& lane) { pool.release_held(lane); });
        });
    }

    // -- Create and destroy without a handle. ---------------------------------------------------------
    // As the handle's, with an exchange more to enter a shared lane; std::bad_alloc also when every shared
    // lane is taken and there is no memory for another.

    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] id_type create() {
        return create_or_refuse(part<Name>());
    }
    /// Does not compile: the map has no partition of that name.
    template <fixed_string Name = "">
        requires(!has_partition<Partitions, Name>)
    id_type create() {
        static_assert(require_partition<Partitions, Name>());
        return {};
    }
    [[nodiscard]] id_type create(const index_range& range) { return create_or_refuse(core_.pools.of(range)); }

    /// A new identifier that carries its partition in its type. Throws as create does.
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] partition_id<Partitions, Name> create_typed() {
        return *partition_id<Partitions, Name>::from(create<Name>());
    }

    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] std::optional<id_type> try_create() {
        return self::to_optional(core_.create_through_lane(part<Name>()));
    }
    [[nodiscard]] std::optional<id_type> try_create(const index_range& range) {
        return self::to_optional(core_.create_through_lane(core_.pools.of(range)));
    }

    /// Fills the span, all or none.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    void create(std::span<id_type> out) {
        fill_or_refuse(part<Name>(), out);
    }
    void create(const index_range& range, std::span<id_type> out) {
        fill_or_refuse(core_.pools.of(range), out);
    }

    /// Fills the front of the span and says how many there are.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    std::size_t try_create(std::span<id_type> out) {
        return fill_front(part<Name>(), out);
    }
    std::size_t try_create(const index_range& range, std::span<id_type> out) {
        return fill_front(core_.pools.of(range), out);
    }

    bool destroy(id_type id) {
        return core_.template destroy_elsewhere<destroys::beside_others, reuse::at_once>(id);
    }

    /// Ends all identifiers that are live, and returns how many were. Each enters a lane: where one throws,
    /// those before it have ended, and it and those behind it live on.
    std::size_t destroy(std::span<const id_type> ids) {
        std::size_t destroyed = 0;
        for (const id_type id : ids) destroyed += destroy(id);
        return destroyed;
    }

    // -- Reserve, and restrict -----------------------------------------------------------------------------

    /// Makes that many of the next indices of the partition exist, or all that are left, wherever ranges lie
    /// between them: until they are used up, create and destroy ask for no memory. Other threads may create
    /// meanwhile. Linear in the indices. Throws std::bad_alloc.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    void reserve(std::uint64_t indices) {
        part<Name>().reserve(indices);
    }

    /// Until the scope ends, no thread changes anything outside the partition, or the range: neither through
    /// the registry nor through any of its handles. It begins and ends exclusively; in between any number of
    /// threads create and destroy.
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] restriction restrict_to() {
        return {core_.pools.allowed, &part<Name>()};
    }

    /// Throws unknown_range_error for a range of another registry.
    [[nodiscard]] restriction restrict_to(const index_range& range) {
        return {core_.pools.allowed, &core_.pools.of(range)};
    }

    // -- Exclusive -----------------------------------------------------------------------------------------

    /// Takes an identifier that was issued elsewhere into use: from a server, or out of a file. True exactly
    /// when its status was never_issued and its index is neither in use nor quarantined by a handle. The walk
    /// goes on as if nothing had happened, and steps over the index. Exclusive. Linear in the number of
    /// handles at once and in what is quarantined; under quarantine<N> and wrap also in what waits. Throws
    /// std::bad_alloc, and has changed nothing then.
    bool claim(id_type id) {
        const std::uint64_t index = core_type::life::index_of(id);
        if (this->status(id) != id_status::never_issued || this->live_at(index)) return false;
        if (core_.is_quarantined(index)) return false;
        core_.claim(id);
        return true;
    }

    /// Destroys everything that may be changed now. Every identifier from before stays dead, and the lowest
    /// indices are issued first again, in increasing order, except retired ones. Quarantine ends. Exclusive;
    /// handles may live on. Linear in the number of indices ever used.
    void clear() {
        core_.pools.for_each([&](pool_type& pool) {
            if (core_.pools.allows(pool)) core_.clear(pool);
        });
    }

    /// The same for one partition, or one range; false, and nothing has changed, when it may not be changed
    /// now. Throws unknown_range_error for a range of another registry.
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    bool clear() {
        return clear_one(part<Name>());
    }
    bool clear(const index_range& range) { return clear_one(core_.pools.of(range)); }

    /// Sets the indices first to last, both included, apart: they are created, counted and recycled on their
    /// own, and create steps over them. They must be unused, and lie in the partition without a name or in a
    /// gap of the map. Exclusive. Throws std::bad_alloc, and has changed nothing then.
    range_result add_range(std::uint64_t first, std::uint64_t last) { return core_.pools.add({first, last}); }

  private:
    template <class, destroys, reuse> friend class local_handle;

    template <fixed_string Name> pool_type& part() const noexcept {
        return core_.pools.template part<Name>();
    }

    bool clear_one(pool_type& pool) {
        if (!core_.pools.allows(pool)) return false;
        core_.clear(pool);
        return true;
    }

    id_type create_or_refuse(pool_type& pool) {
        const id_type id = core_.create_through_lane(pool);
        if (!id) [[unlikely]]
            core_.refuse(pool);
        return id;
    }
    void fill_or_refuse(pool_type& pool, std::span<id_type> out) {
        const auto fill = [&](lane_type& lane) { return core_.fill_in(pool, lane, out); };
        if (!core_.pools.allows(pool) || !core_.with_lane(pool, fill)) core_.refuse(pool, out.size());
    }
    std::size_t fill_front(pool_type& pool, std::span<id_type> out) {
        if (!core_.pools.allows(pool)) return 0;
        return core_.with_lane(pool, [&](lane_type& lane) { return core_.fill_front_in(pool, lane, out); });
    }
};

/// The concurrent registry of the library's own entities.
export using concurrent_registry = basic_concurrent_registry<>;

} // namespace ecs
