// SPDX-License-Identifier: MIT
// The single-threaded registry: allocates identifiers of a layout, in one or more partitions.
//
//    create ----> live ----destroy----> free ----create----> live, one generation later
//                  |                      |
//    claim --------+                      +--- the last generation: retired (or as the policy says)
//
// Threads: one at a time; any number may read (const members) while none writes. See concurrent_registry.
// Limits: an index lives through every generation of the layout once. An exhausted partition says so and
// takes nothing from its neighbours. Determinism: the same calls give the same identifiers, on every machine.
export module ecs.registry:registry;
import ecs.std;
import ecs.id;
import :free_list;
import :identity;
import :index_range;
import :partition_id;
import :policy;
import :registry_laws;
import :registry_reader;
import :restriction;
import :slot;
import :status;

namespace ecs {

/// Allocates identifiers of Layout in the partitions of a map, by default in one that has no name and holds
/// every index. Functions that take a partition's name as template argument mean the one without a name when
/// none is given.
///
/// A registry can be copied, which copies what is alive: the copy is a snapshot. A registry that was moved
/// from is empty.
export template <class Layout = layouts::entity, class Partitions = whole_index_space<Layout>,
                 class Exhaustion = retire, class FreeList = free_lists::ready>
class basic_registry : registry_laws<Layout, Partitions, Exhaustion>,
                       public registry_reader<Layout, Partitions, Exhaustion, FreeList> {
    using reader = registry_reader<Layout, Partitions, Exhaustion, FreeList>;
    using pool_type = typename reader::pools_type::pool_type;
    using self = identity<Layout>;
    using codec = slot_codec<Layout>;
    using reader::pools_;

  public:
    using layout_type = Layout;
    using partitions_type = Partitions;
    using id_type = basic_id<Layout>;
    using word = word_of<Layout>;

    /// What restrict_to returns; see restriction_scope.
    using restriction = restriction_scope<std::optional<std::size_t>>;

    /// A registry of world 0, or of a layout that does not tell worlds apart. A copy of a registry is not
    /// restricted.
    constexpr basic_registry() : reader(self::stamp_of(0)) {}

    /// Every identifier carries the number of the world, and those of another are refused. Throws
    /// field_range_error when the world field cannot hold the number.
    constexpr explicit basic_registry(std::uint64_t world)
        requires self::has_world
        : reader(self::checked_stamp_of(world)) {}

    // -- Create. Constant time, amortised over growth. -----------------------------------------------------

    /// A new identifier. Throws exhausted_error when the partition has none left, restricted_error when it
    /// may not be changed now, and changes nothing then.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr id_type create() {
        return pools_.create_or_refuse(part_number<Partitions, Name>);
    }
    /// Does not compile: the map has no partition of that name.
    template <fixed_string Name = "">
        requires(!has_partition<Partitions, Name>)
    constexpr id_type create() {
        static_assert(require_partition<Partitions, Name>());
        return {};
    }

    /// A new identifier of a range. Throws as create does, and unknown_range_error for a range of another
    /// registry.
    [[nodiscard]] constexpr id_type create(const index_range& range) {
        return pools_.create_or_refuse(pools_.owner_of(range));
    }

    /// A new identifier that carries its partition in its type. Throws as create does.
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr partition_id<Partitions, Name> create_typed() {
        return *partition_id<Partitions, Name>::from(create<Name>());
    }

    /// A new identifier, or nothing when there is none left or the partition may not be changed now.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr std::optional<id_type> try_create() {
        return self::to_optional(pools_.create(part_number<Partitions, Name>));
    }

    [[nodiscard]] constexpr std::optional<id_type> try_create(const index_range& range) {
        return self::to_optional(pools_.create(pools_.owner_of(range)));
    }

    /// Fills the span with new identifiers: the ones that as many calls of create would give. All or none:
    /// throws as create does, and changes nothing then.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    constexpr void create(std::span<id_type> out) {
        pools_.fill(part_number<Partitions, Name>, out);
    }

    constexpr void create(const index_range& range, std::span<id_type> out) {
        pools_.fill(pools_.owner_of(range), out);
    }

    /// Fills the front of the span with new identifiers and says how many there are.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    constexpr std::size_t try_create(std::span<id_type> out) {
        return pools_.fill_front(part_number<Partitions, Name>, out);
    }

    constexpr std::size_t try_create(const index_range& range, std::span<id_type> out) {
        return pools_.fill_front(pools_.owner_of(range), out);
    }

    /// Takes an identifier that was issued elsewhere into use: from a server, or out of a file. True exactly
    /// when its status was never_issued and its index was not live: not over a live one, not one that has
    /// been used here, not one of another world or kind. create goes on as if nothing had happened, and steps
    /// over the index. Constant time on average, however far the index lies; linear in the number of free
    /// indices for a free one in a linked list.
    constexpr bool claim(id_type id) {
        const std::uint64_t index = codec::index_of(id.value());
        if (this->status(id) != id_status::never_issued || this->live_at(index)) return false;
        pools_.find(index)->claim(id);
        return true;
    }

    // -- Destroy -------------------------------------------------------------------------------------------

    /// Ends the identifier. False, and nothing has changed, when it is not live or may not be changed now.
    /// Constant time. May allocate, unless reserve has seen to it: throws std::bad_alloc, and the identifier
    /// lives on then.
    constexpr bool destroy(id_type id) {
        if (pools_.are_one() && !pools_.allowed) [[likely]]
            return pools_[0].destroy(id);
        pool_type* pool = pools_.find(codec::index_of(id.value()));
        return pool && pools_.allows(pool->owner()) && pool->destroy(id);
    }

    /// Ends all identifiers that are live, and returns how many were. Throws as destroy of the one at which
    /// memory runs out: those before it have ended then, and it and those behind it live on.
    constexpr std::size_t destroy(std::span<const id_type> ids) {
        std::size_t destroyed = 0;
        for (const id_type id : ids) destroyed += destroy(id);
        return destroyed;
    }

    /// Destroys everything that may be changed now. Every identifier from before stays dead. Linear in the
    /// number of indices ever used. May throw std::bad_alloc, and has changed nothing then.
    constexpr void clear() { pools_.clear(); }

    /// Destroys everything in one partition; false when it may not be changed now.
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    constexpr bool clear() {
        return pools_.clear(part_number<Partitions, Name>);
    }

    constexpr bool clear(const index_range& range) { return pools_.clear(pools_.owner_of(range)); }

    // -- Ranges and restrictions ---------------------------------------------------------------------------

    /// Sets the indices first to last, both included, apart: they are created, counted and recycled on their
    /// own, and create steps over them. They must be unused, and lie in the partition without a name or in a
    /// gap of the map. Linear in the number of identifiers claimed ahead, and of ranges.
    constexpr range_result add_range(std::uint64_t first, std::uint64_t last) {
        return pools_.add(first, last);
    }

    /// Until the scope ends only this partition, or this range, can be changed; in every build.
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr restriction restrict_to() {
        return {pools_.allowed, part_number<Partitions, Name>};
    }

    [[nodiscard]] constexpr restriction restrict_to(const index_range& range) {
        return {pools_.allowed, pools_.owner_of(range)};
    }

    /// Makes room for that many indices of the partition: until they are used up, create allocates nothing,
    /// and neither does destroy unless free indices are claimed.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    constexpr void reserve(std::uint64_t indices) {
        pools_.reserve(part_number<Partitions, Name>, indices);
    }
};

/// The registry of the library's own entities.
export using registry = basic_registry<>;

} // namespace ecs
