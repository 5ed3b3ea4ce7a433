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
import :errors;
import :free_list;
import :index_pool;
import :index_range;
import :live_ids;
import :partition_id;
import :policy;
import :restriction;
import :slot;
import :status;

namespace ecs {

/// Allocates identifiers of Layout in the partitions of a map, by default in one that has no name and holds
/// every index. Functions that take a partition's name as template argument mean the one without a name when
/// none is given.
///
/// A registry can be copied, which copies what is alive: the copy is a snapshot. Whoever moves from a
/// registry leaves an empty one.
export template <class Layout = layouts::entity, class Partitions = whole_index_space<Layout>,
                 class Exhaustion = retire, class FreeList = free_lists::ready>
class basic_registry {
    static_assert(valid_layout<Layout>, "identifiers need a valid layout: see the laws of ecs::valid_layout");
    static_assert(allocatable_layout<Layout>,
                  "identifiers are allocated by index: give the layout a field ecs::index (of two bits at "
                  "least where it has no ecs::generation)");
    static_assert(std::same_as<typename Partitions::layout_type, Layout>,
                  "the partitions must be partitions of the registry's own layout");
    static_assert(
        valid_partitions<Partitions>,
        "partitions must be disjoint, have names of their own and lie within the index field, from 1");
    static_assert(exhaustion_policy<Exhaustion>,
                  "the exhaustion policy must say minimum_free and when_spent, as ecs::retire does");

    using codec = slot_codec<Layout>;
    using pool_type = index_pool<Layout, Exhaustion, FreeList>;

    static constexpr std::size_t part_count = Partitions::parts.size();
    static constexpr bool has_world = has_role<Layout, field_role::world>;

  public:
    using layout_type = Layout;
    using partitions_type = Partitions;
    using id_type = basic_id<Layout>;
    using word = word_of<Layout>;

    /// What restrict_to returns; see restriction_scope.
    using restriction = restriction_scope<std::optional<std::size_t>>;

    /// A registry of world 0, or of a layout that does not tell worlds apart.
    constexpr basic_registry() : parts_(fresh_parts(stamp_of(0))) {}

    /// Every identifier carries the number of the world, and those of another are refused. Throws
    /// field_range_error when the world field cannot hold the number.
    constexpr explicit basic_registry(std::uint64_t world)
        requires has_world
        : world_(checked_world(world)), parts_(fresh_parts(stamp_of(world))) {}

    /// The copy is not restricted.
    constexpr basic_registry(const basic_registry& other)
        : world_(other.world_), parts_(other.parts_), cut_(other.cut_) {}

    constexpr basic_registry(basic_registry&& other) noexcept
        : world_(other.world_),
          parts_(std::exchange(other.parts_, fresh_parts(stamp_of(other.world_)))),
          cut_(std::exchange(other.cut_, {})) {}

    constexpr basic_registry& operator=(basic_registry other) noexcept {
        world_ = other.world_;
        parts_.swap(other.parts_);
        cut_.swap(other.cut_);
        return *this;
    }

    constexpr ~basic_registry() = default;

    /// The number that identifiers of this registry carry in their world field.
    [[nodiscard]] constexpr std::uint64_t world() const
        requires has_world
    {
        return world_;
    }

    // -- Create. Constant time, amortised over growth. -----------------------------------------------------

    /// A new identifier. Throws exhausted_error when the partition has none left, restricted_error when it
    /// may not be changed now, and changes nothing then.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr id_type create() {
        constexpr std::size_t owner = part_number<Partitions, Name>;
        const id_type id = create_in(owner);
        if (!id) [[unlikely]]
            refuse(owner);
        return id;
    }

    /// A new identifier of a range. Throws as create does, and unknown_range_error for a range of another
    /// registry.
    [[nodiscard]] constexpr id_type create(const index_range& range) {
        const std::size_t owner = owner_of(range);
        const id_type id = create_in(owner);
        if (!id) [[unlikely]]
            refuse(owner);
        return id;
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
        return to_optional(create_in(part_number<Partitions, Name>));
    }

    [[nodiscard]] constexpr std::optional<id_type> try_create(const index_range& range) {
        return to_optional(create_in(owner_of(range)));
    }

    /// Fills the span with new identifiers: the ones that as many calls of create would give. All or none:
    /// throws as create does, and changes nothing then.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    constexpr void create(std::span<id_type> out) {
        fill(part_number<Partitions, Name>, out);
    }

    constexpr void create(const index_range& range, std::span<id_type> out) { fill(owner_of(range), out); }

    /// Fills the front of the span with new identifiers and says how many there are.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    constexpr std::size_t try_create(std::span<id_type> out) {
        return fill_front(part_number<Partitions, Name>, out);
    }

    constexpr std::size_t try_create(const index_range& range, std::span<id_type> out) {
        return fill_front(owner_of(range), out);
    }

    /// Takes an identifier that was issued elsewhere into use: from a server, or out of a file. True exactly
    /// when its status was never_issued and its index was not live: not over a live one, not one that has
    /// been used here, not one of another world or kind. create goes on as if nothing had happened, and steps
    /// over the index. Constant time on average, however far the index lies; linear in the number of free
    /// indices for a free one in a linked list.
    constexpr bool claim(id_type id) {
        const std::uint64_t index = codec::index_of(id.value());
        if (status(id) != id_status::never_issued || live_at(index)) return false;
        pool_of(index)->claim(id);
        return true;
    }

    // -- Destroy -------------------------------------------------------------------------------------------

    /// Ends the identifier. False, and nothing has changed, when it is not live or may not be changed now.
    /// Constant time. May allocate, unless reserve has seen to it.
    constexpr bool destroy(id_type id) {
        if (cut_.empty() && !allowed_ && part_count == 1) [[likely]]
            return parts_[0].destroy(id);
        pool_type* pool = pool_of(codec::index_of(id.value()));
        return pool && allows(pool->owner()) && pool->destroy(id);
    }

    /// Ends all that are live, and says how many were.
    constexpr std::size_t destroy(std::span<const id_type> ids) {
        std::size_t destroyed = 0;
        for (const id_type id : ids) destroyed += destroy(id);
        return destroyed;
    }

    /// Destroys everything that may be changed now. Every identifier from before stays dead. Linear in the
    /// number of indices ever used.
    constexpr void clear() {
        for (std::size_t n = 0; n < pool_count(); ++n)
            if (allows(pool(n).owner())) pool(n).clear();
    }

    /// Destroys everything in one partition; false when it may not be changed now.
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    constexpr bool clear() {
        return clear_owner(part_number<Partitions, Name>);
    }

    constexpr bool clear(const index_range& range) { return clear_owner(owner_of(range)); }

    // -- Ask. Restrictions do not apply to alive, live and the counts. --------------------------------------

    /// Whether the identifier is in use here. Constant time: one load and one comparison. True exactly when
    /// its status is live, except that status also tells what a restriction forbids.
    [[nodiscard]] constexpr bool alive(id_type id) const {
        if (cut_.empty() && part_count == 1) [[likely]]
            return parts_[0].alive(id);
        const pool_type* pool = pool_of(codec::index_of(id.value()));
        return pool && pool->alive(id);
    }

    /// What is known of the identifier. Under the policy wrap an index remembers its present turn only.
    [[nodiscard]] constexpr id_status status(id_type id) const {
        const word bits = id.value();
        if (const id_status kind = kind_of(bits); kind != id_status::live) return kind;
        if ((bits ^ stamp_of(world_)) & world_mask()) return id_status::foreign_world;
        const pool_type* pool = pool_of(codec::index_of(bits));
        if (!pool || !allows(pool->owner())) return id_status::out_of_partition;
        return pool->status(id);
    }

    /// The same for a word from anywhere.
    [[nodiscard]] constexpr id_status status(std::uint64_t bits) const {
        if (bits > static_cast<word>(-1)) return id_status::malformed;
        return status(id_type::assume_word(static_cast<word>(bits)));
    }

    /// Another kind of identifier is never an entity; null is null.
    template <class Other>
        requires distinguishable<Other, Layout>
    [[nodiscard]] constexpr id_status status(basic_id<Other> id) const {
        return id ? id_status::not_an_entity : id_status::null;
    }

    /// The status in a sentence: `12v3 is stale: index 12 is in use under generation 5`.
    [[nodiscard]] std::string explain(id_type id) const {
        const std::uint64_t index = codec::index_of(id.value());
        const std::uint64_t generation = codec::generation_of(id.value());
        const id_status now = status(id);
        std::string text = id ? std::to_string(index) + 'v' + std::to_string(generation) : "null";
        text += " is ";
        text += now == id_status::null ? "no identifier" : to_string(now);
        if (now == id_status::stale || now == id_status::never_issued) text += state_of_index(index);
        return text;
    }

    /// The live identifier of an index, whatever its generation.
    [[nodiscard]] constexpr std::optional<id_type> live_at(std::uint64_t index) const {
        const pool_type* pool = pool_of(index);
        return pool ? to_optional(pool->live_at(index)) : std::nullopt;
    }

    /// The name of the partition that the index of the identifier belongs to; empty where there is none.
    [[nodiscard]] static constexpr std::string_view partition_of(id_type id) {
        const std::size_t part = part_of(codec::index_of(id.value()));
        return part < part_count ? Partitions::parts[part].name : std::string_view{};
    }

    /// All live identifiers, or those of a partition or range: see live_ids.
    [[nodiscard]] constexpr live_ids<basic_registry> live() const { return {*this, std::nullopt}; }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr live_ids<basic_registry> live() const {
        return {*this, part_number<Partitions, Name>};
    }

    [[nodiscard]] constexpr live_ids<basic_registry> live(const index_range& range) const {
        return {*this, owner_of(range)};
    }

    /// How many indices are live, free, retired, and how many creates are left; of all partitions and ranges,
    /// of one partition, or of one range.
    [[nodiscard]] constexpr index_counts counts() const {
        index_counts sum;
        for (std::size_t n = 0; n < pool_count(); ++n) sum += pool(n).counts();
        return sum;
    }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr index_counts counts() const {
        return counts_of(part_number<Partitions, Name>);
    }

    [[nodiscard]] constexpr index_counts counts(const index_range& range) const {
        return counts_of(owner_of(range));
    }

    [[nodiscard]] constexpr std::uint64_t live_count() const { return counts().live; }
    [[nodiscard]] constexpr std::uint64_t free_count() const { return counts().free; }
    [[nodiscard]] constexpr std::uint64_t retired_count() const { return counts().retired; }
    [[nodiscard]] constexpr std::uint64_t remaining_count() const { return counts().remaining; }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr std::uint64_t live_count() const {
        return counts<Name>().live;
    }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr std::uint64_t retired_count() const {
        return counts<Name>().retired;
    }

    // -- Ranges and restrictions
    // -----------------------------------------------------------------------------

    /// Sets the indices first to last, both included, apart: they are created, counted and recycled on their
    /// own, and create steps over them. They must be unused, and lie in the partition without a name or in a
    /// gap of the map. Linear in the number of identifiers claimed ahead.
    constexpr range_result add_range(std::uint64_t first, std::uint64_t last) {
        if (last < first) return range_refusal::reversed;
        if (first == 0) return range_refusal::contains_null;
        if (last > codec::index_max) return range_refusal::beyond_index;
        for (const pool_type& p : cut_)
            if (p.owner() >= part_count && p.overlaps(first, last)) return range_refusal::overlaps_range;
        std::optional<std::size_t> host;
        for (std::size_t n = 0; n < pool_count(); ++n)
            if (pool(n).overlaps(first, last)) {
                if (const auto refusal = collision(pool(n), first, last)) return *refusal;
                host = n;
            }
        return take_range(host, first, last);
    }

    /// Until the scope ends only this partition, or this range, can be changed; in every build.
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr restriction restrict_to() {
        return {allowed_, part_number<Partitions, Name>};
    }

    [[nodiscard]] constexpr restriction restrict_to(const index_range& range) {
        return {allowed_, owner_of(range)};
    }

    /// Room for so many indices of the partition: up to there create allocates nothing, and neither does
    /// destroy unless free indices are claimed.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    constexpr void reserve(std::uint64_t indices) {
        parts_[part_number<Partitions, Name>].reserve(indices);
    }

  private:
    friend live_ids<basic_registry>;

    [[nodiscard]] static constexpr std::uint64_t checked_world(std::uint64_t world)
        requires has_world
    {
        constexpr field_description field = field_with_role<Layout, field_role::world>;
        if (world > field.max()) throw field_range_error(field.name, world, field.max());
        return world;
    }

    [[nodiscard]] static constexpr word world_mask() {
        if constexpr (has_world)
            return static_cast<word>(field_with_role<Layout, field_role::world>.mask());
        else
            return 0;
    }

    /// What identifiers of a world have in common: tags, and the number of the world.
    [[nodiscard]] static constexpr word stamp_of(std::uint64_t world) {
        if constexpr (has_world) world <<= field_with_role<Layout, field_role::world>.low;
        return static_cast<word>(constant_bits<Layout> | world);
    }

    [[nodiscard]] static constexpr std::array<pool_type, part_count> fresh_parts(word stamp) {
        return [&]<std::size_t... N>(std::index_sequence<N...>) {
            return std::array<pool_type, part_count>{
                pool_type(Partitions::parts[N].first, Partitions::parts[N].last, stamp, N)...};
        }(std::make_index_sequence<part_count>{});
    }

    /// The part of the map that the index belongs to, or part_count.
    [[nodiscard]] static constexpr std::size_t part_of(std::uint64_t index) {
        for (std::size_t n = 0; n < part_count; ++n)
            if (Partitions::parts[n].first <= index && index <= Partitions::parts[n].last) return n;
        return part_count;
    }

    [[nodiscard]] static constexpr std::optional<id_type> to_optional(id_type id) {
        return id ? std::optional(id) : std::nullopt;
    }

    // The pools: one for each part of the map, then those cut out of them by ranges. What is cut out lies in
    // the part's run of indices, so that it is looked for first.

    [[nodiscard]] constexpr std::size_t pool_count() const { return part_count + cut_.size(); }
    [[nodiscard]] constexpr pool_type& pool(std::size_t n) {
        return n < part_count ? parts_[n] : cut_[n - part_count];
    }
    [[nodiscard]] constexpr const pool_type& pool(std::size_t n) const {
        return n < part_count ? parts_[n] : cut_[n - part_count];
    }

    [[nodiscard]] constexpr const pool_type* pool_of(std::uint64_t index) const {
        for (const pool_type& p : cut_)
            if (p.contains(index)) return &p;
        const std::size_t part = part_of(index);
        return part < part_count ? &parts_[part] : nullptr;
    }
    [[nodiscard]] constexpr pool_type* pool_of(std::uint64_t index) {
        return const_cast<pool_type*>(std::as_const(*this).pool_of(index));
    }

    [[nodiscard]] constexpr bool allows(std::size_t owner) const { return !allowed_ || *allowed_ == owner; }

    /// Ranges are numbered after the parts, by their pool.
    [[nodiscard]] constexpr std::size_t owner_of(const index_range& range) const {
        const std::size_t owner = range.position_;
        const bool known = part_count <= owner && owner < pool_count() && pool(owner).owner() == owner &&
                           pool(owner).first() == range.first_ && pool(owner).last() == range.last_;
        if (!known) throw unknown_range_error(range.first_, range.last_);
        return owner;
    }

    [[nodiscard]] constexpr id_type create_in(std::size_t owner) {
        if (!allows(owner)) [[unlikely]]
            return {};
        const id_type id = pool(owner).create();
        return id || cut_.empty() ? id : create_in_cut(owner);
    }

    /// The part that the first pool of the owner was before ranges cut it up goes on in later pools.
    [[nodiscard, gnu::noinline, gnu::cold]] constexpr id_type create_in_cut(std::size_t owner) {
        for (pool_type& p : cut_)
            if (p.owner() == owner)
                if (const id_type id = p.create()) return id;
        return {};
    }

    constexpr void fill(std::size_t owner, std::span<id_type> out) {
        if (!allows(owner) || counts_of(owner).remaining < out.size()) [[unlikely]]
            refuse(owner);
        fill_front(owner, out);
    }

    constexpr std::size_t fill_front(std::size_t owner, std::span<id_type> out) {
        if (!allows(owner)) return 0;
        distribute(owner, out.size(), [](pool_type& p, std::size_t, std::size_t n) { p.reserve_ahead(n); });
        return distribute(owner, out.size(), [out](pool_type& p, std::size_t done, std::size_t n) {
            p.create(out.subspan(done, n));
        });
    }

    /// Shares so many creates out among the pools of the owner, in order; says how many they can take.
    constexpr std::size_t distribute(std::size_t owner, std::size_t wanted, auto take) {
        std::size_t done = 0;
        for (std::size_t n = 0; n < pool_count() && done < wanted; ++n) {
            if (pool(n).owner() != owner) continue;
            const std::uint64_t share = std::min<std::uint64_t>(wanted - done, pool(n).counts().remaining);
            take(pool(n), done, static_cast<std::size_t>(share));
            done += static_cast<std::size_t>(share);
        }
        return done;
    }

    constexpr bool clear_owner(std::size_t owner) {
        if (!allows(owner)) return false;
        for (std::size_t n = 0; n < pool_count(); ++n)
            if (pool(n).owner() == owner) pool(n).clear();
        return true;
    }

    [[nodiscard]] constexpr index_counts counts_of(std::size_t owner) const {
        index_counts sum;
        for (std::size_t n = 0; n < pool_count(); ++n)
            if (pool(n).owner() == owner) sum += pool(n).counts();
        return sum;
    }

    [[nodiscard]] std::string name_of(std::size_t owner) const {
        if (owner >= part_count)
            return "range " + std::to_string(pool(owner).first()) + " to " +
                   std::to_string(pool(owner).last());
        const std::string_view name = Partitions::parts[owner].name;
        return name.empty() ? "the index space" : "partition \"" + std::string(name) + '"';
    }

    [[noreturn, gnu::noinline, gnu::cold]] constexpr void refuse(std::size_t owner) const {
        if (!allows(owner)) throw restricted_error(name_of(owner), name_of(*allowed_));
        throw exhausted_error(name_of(owner), counts_of(owner));
    }

    /// Whether the word is an identifier of the layout at all: live stands for yes.
    [[nodiscard]] static constexpr id_status kind_of(word bits) {
        if (bits == 0) return id_status::null;
        if ((bits & constant_mask<Layout>) != constant_bits<Layout>)
            return kinds_beside<Layout>::include(bits) ? id_status::not_an_entity : id_status::malformed;
        if (bits & ~(constant_mask<Layout> | identity_mask_of<Layout>())) return id_status::not_an_entity;
        return codec::generation_of(bits) == 0 ? id_status::malformed : id_status::live;
    }

    [[nodiscard]] std::string state_of_index(std::uint64_t index) const {
        const std::string subject = ": index " + std::to_string(index);
        if (const auto id = live_at(index))
            return subject + " is in use under generation " +
                   std::to_string(codec::generation_of(id->value()));
        const std::uint64_t next = pool_of(index)->next_generation(index);
        return next == 1 ? subject + " has not been used"
                         : subject + " is free, and its next generation is " + std::to_string(next);
    }

    /// Why the range cannot be cut out of a pool of the map.
    [[nodiscard]] constexpr std::optional<range_refusal> collision(const pool_type& p, std::uint64_t first,
                                                                   std::uint64_t last) const {
        const bool divisible = Partitions::parts[p.owner()].name.empty();
        if (!divisible || !p.contains(first) || !p.contains(last)) return range_refusal::overlaps_partition;
        if (!p.untouched(first, last)) return range_refusal::already_used;
        return std::nullopt;
    }

    /// Makes the range a pool of its own, cut out of its host if it has one.
    constexpr index_range take_range(std::optional<std::size_t> host, std::uint64_t first,
                                     std::uint64_t last) {
        cut_.reserve(cut_.size() + 2); // From here on only split can throw, before it changes anything.
        const std::size_t owner = pool_count();
        const bool goes_on = host && last < pool(*host).last();
        std::optional<pool_type> rest;
        if (host) rest = pool(*host).split(first, last);
        cut_.push_back(pool_type(first, last, stamp_of(world_), owner));
        if (goes_on) cut_.push_back(*std::move(rest));
        return {first, last, owner};
    }

    std::uint64_t world_{};
    std::array<pool_type, part_count> parts_;
    std::vector<pool_type> cut_;
    std::optional<std::size_t> allowed_; // The only owner that may be changed, under a restriction.
};

/// The registry of the library's own entities.
export using registry = basic_registry<>;

} // namespace ecs
