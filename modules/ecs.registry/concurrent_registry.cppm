// SPDX-License-Identifier: MIT
// The concurrent registry: any thread creates, destroys and asks, at any time, without a lock and without a
// flush.
//
//   alive, status     wait-free: a load of the directory, a load of the slot
//   create            a store to the slot; once in a magazine the depot (lock-free) or a new block
//   (lock-free) destroy           one exchange on the slot, exactly one winner; once in a magazine the depot
//   without a handle  the same through a shared lane, entered by one exchange
//
//   thread --- local_handle ---> lane --- a magazine at a time ---> depot of the partition <--- walk of new
//   indices
//                                  \--- one store or exchange ----> slots, which never move
//
// Lock-free except for the system's memory, which is asked for when the registry grows past what was
// reserved. Exclusive functions (add_range, claim, clear, restrict_to) need every other thread to keep away;
// handles may stay. Each guarantee, its argument and the test that carries it: docs/concurrency.md.
export module ecs.registry:concurrent_registry;
import ecs.std;
import ecs.id;
import :atomics;
import :errors;
import :geometry;
import :index_pool;
import :index_range;
import :lane;
import :lane_pool;
import :local_handle;
import :partition_id;
import :policy;
import :restriction;
import :slot;
import :slot_pages;
import :status;

namespace ecs {

/// Allocates identifiers of Layout for any number of threads at once. Beside the word of every index lies a
/// Payload, which belongs to whoever owns the entity: the registry never touches it after its page was
/// zeroed.
///
/// A registry is neither copied nor moved: handles refer to it. Its destruction needs exclusive access and no
/// handles.
export template <class Layout = layouts::entity, class Partitions = whole_index_space<Layout>,
                 class Exhaustion = retire, class Payload = no_payload, class Atomics = std_atomics,
                 class Geometry = default_geometry<Layout>>
class basic_concurrent_registry {
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
    static_assert(registry_geometry<Geometry>, "the dimensions must keep what ecs::registry_geometry asks");
    static_assert(std::is_trivially_copyable_v<Payload>,
                  "payloads begin as zeroed memory and end with their page");

    using parts_type = concurrent_parts<Layout, Exhaustion, Payload, Atomics, Geometry>;
    using state = slot_state<Layout>;
    using order = typename Atomics::order;
    using pool_type = lane_pool<parts_type>;
    using lane_type = typename pool_type::lane_type;
    using slot_type = typename parts_type::pages::slot_type;

    static constexpr std::size_t part_count = Partitions::parts.size();
    static constexpr bool has_world = has_role<Layout, field_role::world>;

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
    /// more.
    static constexpr std::size_t kept_by_handle = lane_type::capacity;

    /// What it takes of memory: for each index of a page that is touched, for each node of the depot, which
    /// holds a magazine of waiting identifiers, and for each handle at once.
    static constexpr std::size_t bytes_per_slot = sizeof(slot_type);
    static constexpr std::size_t bytes_per_node = sizeof(typename parts_type::node);
    static constexpr std::size_t bytes_per_handle = sizeof(lane_type);

    /// A registry of world 0, or of a layout that does not tell worlds apart.
    basic_concurrent_registry() : basic_concurrent_registry(stamped{stamp_of(0)}) {}

    /// Every identifier carries the number of the world, and those of another are refused. Throws
    /// field_range_error when the world field cannot hold the number.
    explicit basic_concurrent_registry(std::uint64_t world)
        requires has_world
        : basic_concurrent_registry(stamped{stamp_of(checked_world(world))}) {}

    basic_concurrent_registry(const basic_concurrent_registry&) = delete;
    basic_concurrent_registry& operator=(const basic_concurrent_registry&) = delete;

    /// The number that identifiers of this registry carry in their world field.
    [[nodiscard]] std::uint64_t world() const noexcept
        requires has_world
    {
        return id_type::assume_word(ground_.stamp).world();
    }

    // -- Handles. Throw std::bad_alloc; lock-free; linear in the number of handles at once. -----------------

    /// A thread's own fast lane into a partition.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] handle local() {
        return {*this, part<Name>()};
    }
    [[nodiscard]] handle local(const index_range& range) { return {*this, pool_of_range(range)}; }

    /// A handle whose destroyed indices are not used again before release_quarantine.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] quarantined_handle quarantined_local() {
        return {*this, part<Name>()};
    }

    /// A handle that destroys while nobody else does; see destroys::alone.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] exclusive_handle exclusive_local() {
        return {*this, part<Name>()};
    }

    /// Lets the indices be used again that quarantined handles have destroyed and flushed. Any thread;
    /// lock-free. Throws std::bad_alloc when every shared lane is taken and there is no memory for another.
    void release_quarantine() {
        for (const auto& pool : pools_) with_lane(*pool, [&](lane_type& lane) { pool->release_held(lane); });
    }

    // -- Create and destroy without a handle. As the handle's, with an exchange more to enter a shared lane;
    //    std::bad_alloc also when every shared lane is taken and there is no memory for another.
    //    ------------------

    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] id_type create() {
        return create_or_refuse(part<Name>());
    }
    [[nodiscard]] id_type create(const index_range& range) { return create_or_refuse(pool_of_range(range)); }

    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    [[nodiscard]] std::optional<id_type> try_create() {
        return to_optional(create_through_lane(part<Name>()));
    }
    [[nodiscard]] std::optional<id_type> try_create(const index_range& range) {
        return to_optional(create_through_lane(pool_of_range(range)));
    }

    /// Fills the span, all or none.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    void create(std::span<id_type> out) {
        pool_type& pool = part<Name>();
        if (!allows(pool) || !with_lane(pool, [&](lane_type& lane) { return fill_in(pool, lane, out); }))
            refuse(pool);
    }

    /// Fills the front of the span and says how many there are.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    std::size_t try_create(std::span<id_type> out) {
        pool_type& pool = part<Name>();
        if (!allows(pool)) return 0;
        return with_lane(pool, [&](lane_type& lane) { return fill_front_in(pool, lane, out); });
    }

    bool destroy(id_type id) { return destroy_elsewhere<destroys::beside_others, reuse::at_once>(id); }

    std::size_t destroy(std::span<const id_type> ids) {
        std::size_t destroyed = 0;
        for (const id_type id : ids) destroyed += destroy(id);
        return destroyed;
    }

    // -- Ask. Any thread, wait-free.
    // --------------------------------------------------------------------------

    /// Whether the identifier is in use. If it is, what its creator wrote before is visible; if it was
    /// destroyed, what the destroyer wrote before.
    [[nodiscard]] bool alive(id_type id) const noexcept {
        const slot_type* slot = ground_.pages.find(index_of(id));
        return slot && slot->word.load(order::slot_read) == id.value();
    }

    /// What is known of the identifier. Under the policy wrap an index remembers its present turn only.
    [[nodiscard]] id_status status(id_type id) const noexcept { return status_within(id, nullptr); }

    /// The same for a word from anywhere.
    [[nodiscard]] id_status status(std::uint64_t bits) const noexcept {
        if (bits > static_cast<word>(-1)) return id_status::malformed;
        return status(id_type::assume_word(static_cast<word>(bits)));
    }

    /// Another kind of identifier is never an entity; null is null.
    template <class Other>
        requires distinguishable<Other, Layout>
    [[nodiscard]] id_status status(basic_id<Other> id) const noexcept {
        return id ? id_status::not_an_entity : id_status::null;
    }

    /// The live identifier of an index, whatever its generation.
    [[nodiscard]] std::optional<id_type> live_at(std::uint64_t index) const noexcept {
        const slot_type* slot = ground_.pages.find(index);
        const word bits = slot ? slot->word.load(order::slot_read) : word{0};
        return index != 0 && state::is_live(bits, index) ? std::optional(id_type::assume_word(bits))
                                                         : std::nullopt;
    }

    /// The name of the partition that the index of the identifier belongs to; empty where there is none.
    [[nodiscard]] static constexpr std::string_view partition_of(id_type id) noexcept {
        for (const auto& p : Partitions::parts)
            if (p.first <= index_of(id) && index_of(id) <= p.last) return p.name;
        return {};
    }

    // -- Payloads: plain memory, which the caller synchronises as he does the entity itself.
    // -------------------

    /// The payload of an index that has been issued; anything else is undefined. Never moves.
    [[nodiscard]] Payload& payload(std::uint64_t index) const noexcept {
        return ground_.pages.at(index).payload;
    }
    [[nodiscard]] Payload& payload_of(id_type id) const noexcept { return payload(index_of(id)); }

    /// The payload of a live identifier, or nothing: liveness and place in one look at one cache line.
    [[nodiscard]] Payload* find_payload(id_type id) const noexcept {
        slot_type* slot = ground_.pages.find(index_of(id));
        return slot && slot->word.load(order::slot_read) == id.value() ? &slot->payload : nullptr;
    }

    // -- Counts: exact while nobody creates or destroys, a moment's estimate otherwise.
    // ------------------------

    [[nodiscard]] std::uint64_t live_count() const noexcept {
        return sum([](const pool_type& p) { return p.live_count(); });
    }
    [[nodiscard]] std::uint64_t retired_count() const noexcept {
        return sum([](const pool_type& p) { return p.retired_count(); });
    }
    /// Indices that are neither live nor retired: never used, waiting, or kept by a handle.
    [[nodiscard]] std::uint64_t free_count() const noexcept {
        return sum([](const pool_type& p) { return p.free_count(); });
    }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] std::uint64_t live_count() const noexcept {
        return pools_[part_number<Partitions, Name>]->live_count();
    }
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] std::uint64_t retired_count() const noexcept {
        return pools_[part_number<Partitions, Name>]->retired_count();
    }
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] std::uint64_t free_count() const noexcept {
        return pools_[part_number<Partitions, Name>]->free_count();
    }

    [[nodiscard]] std::uint64_t live_count(const index_range& range) const {
        return pool_of_range(range).live_count();
    }
    [[nodiscard]] std::uint64_t retired_count(const index_range& range) const {
        return pool_of_range(range).retired_count();
    }
    [[nodiscard]] std::uint64_t free_count(const index_range& range) const {
        return pool_of_range(range).free_count();
    }

    /// Calls visit(id) for every live identifier: partition by partition, then range by range, each in order
    /// of index. One that is created or destroyed meanwhile is visited or not.
    template <std::invocable<id_type> Visit> void for_each_live(Visit visit) const {
        for (const auto& pool : pools_)
            for_each_used(*pool, [&](std::uint64_t index, const slot_type& slot) {
                const word bits = slot.word.load(order::slot_read); // Pairs with slot_create, as alive does.
                if (state::is_live(bits, index)) visit(id_type::assume_word(bits));
            });
    }

    // -- Exclusive.
    // ---------------------------------------------------------------------------------------------

    /// Makes the next so many indices of the partition exist, and the nodes that they can be returned in: up
    /// to there create and destroy ask for no memory. Other threads may create meanwhile. Throws
    /// std::bad_alloc.
    template <fixed_string Name = "">
        requires has_partition<Partitions, Name>
    void reserve(std::uint64_t indices) {
        const pool_type& pool = part<Name>();
        const std::uint64_t end = std::min(pool.unwalked() + indices, pool.run.last);
        for (std::uint64_t index = pool.unwalked(); index < end;
             index += std::uint64_t{1} << Geometry::page_bits)
            ground_.pages.ensure(index);
        ground_.pages.ensure(end);
        ground_.spares.nodes.reserve(end / Geometry::magazine + reserved_extra_nodes);
    }

    /// Takes an identifier that was issued elsewhere into use: from a server, or out of a file. True exactly
    /// when its status was never_issued and its index is not in use. The walk goes on as if nothing had
    /// happened, and steps over the index. Exclusive. Linear in the number of handles at once. Throws
    /// std::bad_alloc, and has changed nothing then.
    bool claim(id_type id) {
        const std::uint64_t index = index_of(id);
        if (status(id) != id_status::never_issued || live_at(index)) return false;
        pool_type& pool = *pool_of(index);
        ground_.pages.ensure(index);
        if (index < pool.unwalked() || ground_.pages.run_from(index).claimed & 1)
            take_from_circulation(pool, index);
        else
            ground_.pages.set_claimed(index);
        ground_.pages.at(index).word.store(id.value(),
                                           order::slot_create); // Pairs with slot_read, as a create.
        pool.count_claimed();
        return true;
    }

    /// Destroys everything that may be changed now. Every identifier from before stays dead, and the lowest
    /// indices are issued first again, in increasing order, except retired ones. Quarantine ends. Exclusive;
    /// handles may live on. Linear in the number of indices ever used.
    void clear() {
        for (const auto& pool : pools_)
            if (allows(*pool)) clear_pool(*pool);
    }

    /// Until the scope ends, nobody changes anything outside the partition, or the range: neither through the
    /// registry nor through any of its handles. It begins and ends exclusively; in between any number of
    /// threads create and destroy.
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] restriction restrict_to() {
        return {allowed_, &part<Name>()};
    }

    /// Throws unknown_range_error for a range of another registry.
    [[nodiscard]] restriction restrict_to(const index_range& range) {
        return {allowed_, &pool_of_range(range)};
    }

    /// Sets the indices first to last, both included, apart: they are created, counted and recycled on their
    /// own, and create steps over them. They must be unused, and lie in the partition without a name or in a
    /// gap of the map. Exclusive. Throws std::bad_alloc, and has changed nothing then.
    range_result add_range(std::uint64_t first, std::uint64_t last) {
        const index_run run{first, last};
        if (const auto refusal = refusal_of(run)) return *refusal;
        auto added = std::make_unique<pool_type>(ground_, run);
        pools_.reserve(pools_.size() + 1);
        if (pool_type* host = pool_of(first)) {
            host->carve(run);
            ground_.verify = true;
        }
        pools_.push_back(std::move(added));
        return index_range(first, last, pools_.size() - 1);
    }

  private:
    template <class, destroys, reuse> friend class local_handle;

    struct stamped {
        word stamp;
    };
    static constexpr std::uint64_t reserved_extra_nodes = 64;

    explicit basic_concurrent_registry(stamped identity) : ground_(identity.stamp) {
        for (const auto& p : Partitions::parts)
            pools_.push_back(
                std::make_unique<pool_type>(ground_, index_run{p.first, std::min(p.last, state::index_max)}));
    }

    static constexpr std::uint64_t index_of(id_type id) noexcept { return state::index_of(id.value()); }

    static constexpr std::uint64_t checked_world(std::uint64_t world)
        requires has_world
    {
        constexpr field_description field = field_with_role<Layout, field_role::world>;
        if (world > field.max()) throw field_range_error(field.name, world, field.max());
        return world;
    }

    static constexpr word world_mask() {
        if constexpr (has_world) return static_cast<word>(field_with_role<Layout, field_role::world>.mask());
        return 0;
    }

    /// What identifiers of a world have in common: tags, and the number of the world.
    static constexpr word stamp_of(std::uint64_t world) {
        if constexpr (has_world) world <<= field_with_role<Layout, field_role::world>.low;
        return static_cast<word>(constant_bits<Layout> | world);
    }

    static std::optional<id_type> to_optional(id_type id) { return id ? std::optional(id) : std::nullopt; }

    // Pools.

    template <fixed_string Name> pool_type& part() const noexcept {
        return *pools_[part_number<Partitions, Name>];
    }

    /// The pool that issues the index, or nothing. What is carved out of a part comes after it.
    pool_type* pool_of(std::uint64_t index) const noexcept {
        for (std::size_t n = pools_.size(); n-- > 0;)
            if (pools_[n]->run.contains(index)) return pools_[n].get();
        return nullptr;
    }

    pool_type& pool_of_range(const index_range& range) const {
        const std::size_t n = range.position_;
        const bool known = part_count <= n && n < pools_.size() && pools_[n]->run.first == range.first_ &&
                           pools_[n]->run.last == range.last_;
        if (!known) throw unknown_range_error(range.first_, range.last_);
        return *pools_[n];
    }

    /// Whether a restriction of the registry leaves the pool open.
    bool allows(const pool_type& pool) const noexcept { return !allowed_ || allowed_ == &pool; }

    std::uint64_t sum(auto count) const noexcept {
        std::uint64_t total = 0;
        for (const auto& pool : pools_) total += count(*pool);
        return total;
    }

    void for_each_used(const pool_type& pool, auto visit) const {
        ground_.pages.for_each_used(pool.run.first, pool.run.last, pool.unwalked(),
                                    [&](std::uint64_t index, auto& slot) {
                                        if (pool.issues(index)) visit(index, slot);
                                    });
    }

    // Create.

    id_type create_in(pool_type& pool, lane_type& lane) {
        if (lane.ready_count() == 0 && !pool.refill(lane)) [[unlikely]]
            return {};
        return issue(lane.take());
    }

    /// The step at which an identifier comes to life.
    id_type issue(word id) noexcept {
        ground_.pages.at(state::index_of(id)).word.store(id, order::slot_create); // Pairs with slot_read.
        return id_type::assume_word(id);
    }

    /// Fills the span with identifiers that are not live yet, and says how many there are.
    std::size_t draw(pool_type& pool, lane_type& lane, std::span<id_type> out) {
        std::size_t drawn = 0;
        const auto giving = [&] {
            return [to = out.data() + drawn](std::uint32_t n, word id) { to[n] = id_type::assume_word(id); };
        };
        for (;;) {
            drawn += lane.take(out.size() - drawn, giving());
            while (out.size() - drawn >= Geometry::magazine) {
                const std::uint32_t block = pool.draw_block(lane, giving());
                if (block == 0) break;
                drawn += block;
            }
            if (drawn == out.size() || !pool.refill(lane)) return drawn;
        }
    }

    std::size_t fill_front_in(pool_type& pool, lane_type& lane, std::span<id_type> out) {
        const std::size_t drawn = draw(pool, lane, out);
        issue_all(out.first(drawn));
        return drawn;
    }

    void issue_all(std::span<const id_type> ids) noexcept {
        while (!ids.empty()) ids = ids.subspan(issue_run(ids));
    }

    /// Brings the identifiers to life that lie side by side in one page, from the first on; says how many.
    std::size_t issue_run(std::span<const id_type> ids) noexcept {
        const std::uint64_t first = index_of(ids.front());
        const std::size_t most = std::min<std::uint64_t>(ids.size(), parts_type::pages::left_in_page(first));
        slot_type* slot = &ground_.pages.at(first);
        word next = ids.front().value();
        std::size_t n = 0;
        for (; n < most && ids[n].value() == next; ++n, ++slot, next = state::beside(next))
            slot->word.store(next, order::slot_create); // Pairs with slot_read.
        return n;
    }

    bool fill_in(pool_type& pool, lane_type& lane, std::span<id_type> out) {
        const std::span<id_type> drawn = out.first(draw(pool, lane, out));
        if (drawn.size() == out.size()) {
            issue_all(drawn);
            return true;
        }
        for (const id_type id : drawn) pool.keep(lane, id.value());
        std::ranges::fill(drawn, id_type{});
        return false;
    }

    id_type create_through_lane(pool_type& pool) {
        if (!allows(pool)) return {};
        return with_lane(pool, [&](lane_type& lane) { return create_in(pool, lane); });
    }

    id_type create_or_refuse(pool_type& pool) {
        const id_type id = create_through_lane(pool);
        if (!id) [[unlikely]]
            refuse(pool);
        return id;
    }

    [[noreturn, gnu::noinline, gnu::cold]] void
    refuse_restricted(const pool_type& pool, const pool_type& allowed, std::string_view who) const {
        throw restricted_error(name_of(pool), name_of(allowed), who);
    }

    [[noreturn, gnu::noinline, gnu::cold]] void refuse(const pool_type& pool) const {
        if (!allows(pool)) refuse_restricted(pool, *allowed_, "the registry");
        throw exhausted_error(name_of(pool), {.capacity = pool.capacity(),
                                              .live = pool.live_count(),
                                              .free = pool.free_count(),
                                              .retired = pool.retired_count(),
                                              .remaining = 0});
    }

    std::string name_of(const pool_type& pool) const {
        for (std::size_t n = 0; n < part_count; ++n)
            if (pools_[n].get() == &pool)
                return Partitions::parts[n].name.empty()
                           ? "the index space"
                           : "partition \"" + std::string(Partitions::parts[n].name) + '"';
        return "range " + std::to_string(pool.run.first) + " to " + std::to_string(pool.run.last);
    }

    /// Gives the action a lane of the pool that nobody else is in.
    auto with_lane(pool_type& pool, auto action) {
        struct leave_at_end {
            ~leave_at_end() { pool.leave_any(lane); }
            pool_type& pool;
            lane_type& lane;
        } const guard{pool, pool.enter_any()};
        return action(guard.lane);
    }

    // Destroy.

    template <destroys Destroys, reuse Reuse> bool destroy_elsewhere(id_type id) {
        pool_type* pool = pool_of(index_of(id));
        if (!pool || !allows(*pool)) return false;
        return with_lane(*pool,
                         [&](lane_type& lane) { return destroy_in<Destroys, Reuse>(*pool, lane, id); });
    }

    template <destroys Destroys, reuse Reuse> bool destroy_in(pool_type& pool, lane_type& lane, id_type id) {
        const word next = successor(id.value());
        if (!end<Destroys>(id, next)) return false;
        if (next == 0) [[unlikely]]
            pool.lose(lane);
        else
            keep_for_later<Reuse>(pool, lane, next);
        return true;
    }

    template <reuse Reuse> static void keep_for_later(pool_type& pool, lane_type& lane, word id) noexcept {
        if constexpr (Reuse == reuse::at_once)
            pool.keep(lane, id);
        else if (lane.quarantines)
            pool.keep_quarantined(lane, id);
        else
            pool.quarantine_at_once(lane, id);
    }

    /// The identifier that the index is used as next; 0 when it is retired.
    static constexpr word successor(word id) noexcept {
        if (!state::is_last(id)) [[likely]]
            return state::following(id);
        if constexpr (Exhaustion::when_spent != spent_index::reused) return 0;
        return static_cast<word>((id ^ state::pack(0, state::generation_max)) | state::pack(0, 1));
    }

    /// What the slot of an index holds between this identifier and its successor.
    static constexpr word between(word id, word next) noexcept {
        if (next == 0) [[unlikely]]
            return state::retired(state::index_of(id));
        if constexpr (Exhaustion::when_spent == spent_index::reused)
            return state::free(state::generation_of(next));
        return state::waiting_as(next);
    }

    /// The step at which a live identifier dies; false when it was not live.
    template <destroys Destroys> bool end(id_type id, word next) noexcept {
        slot_type* slot = ground_.pages.find(index_of(id));
        if (!slot) return false;
        if constexpr (Exhaustion::when_spent == spent_index::fatal)
            if (next == 0 && alive(id)) trap_spent_index(index_of(id));
        word found = id.value();
        const word after = between(found, next);
        if constexpr (Destroys == destroys::beside_others) // Pairs with slot_create and slot_read.
            return slot->word.compare_exchange_strong(found, after, order::slot_destroy,
                                                      std::memory_order_relaxed);
        // Relaxed: the caller has synchronised with the creator, and nobody else destroys.
        if (slot->word.load(std::memory_order_relaxed) != found) return false;
        slot->word.store(after, order::slot_destroy_alone); // Pairs with slot_read.
        return true;
    }

    // Ask.

    /// Whether the word is an identifier of the layout at all: live stands for yes.
    static constexpr id_status kind_of(word bits) {
        if (bits == 0) return id_status::null;
        if ((bits & constant_mask<Layout>) != constant_bits<Layout>)
            return kinds_beside<Layout>::include(bits) ? id_status::not_an_entity : id_status::malformed;
        if (bits & ~(constant_mask<Layout> | identity_mask_of<Layout>())) return id_status::not_an_entity;
        return state::generation_of(bits) == 0 ? id_status::malformed : id_status::live;
    }

    /// The status where only one pool may be changed, or every pool that the registry allows.
    id_status status_within(id_type id, const pool_type* only) const noexcept {
        const word bits = id.value();
        if (const id_status kind = kind_of(bits); kind != id_status::live) return kind;
        if ((bits ^ ground_.stamp) & world_mask()) return id_status::foreign_world;
        const pool_type* pool = pool_of(index_of(id));
        if (!pool || !allows(*pool) || (only && only != pool)) return id_status::out_of_partition;
        return status_in_slot(bits);
    }

    id_status status_in_slot(word id) const noexcept {
        const std::uint64_t index = state::index_of(id);
        const slot_type* slot = ground_.pages.find(index);
        const word bits =
            slot ? slot->word.load(order::slot_read) : state::never_issued; // Pairs as alive does.
        if (bits == id) return id_status::live;
        if (!state::is_live(bits, index) && !state::is_free(bits, index)) return id_status::retired;
        const std::uint64_t last_used = state::next_generation(bits) - (state::is_live(bits, index) ? 0 : 1);
        return state::generation_of(id) <= last_used ? id_status::stale : id_status::never_issued;
    }

    // Exclusive.

    void take_from_circulation(pool_type& pool, std::uint64_t index) noexcept {
        pool.forget_if([=](word id) { return state::index_of(id) == index; });
        ground_.verify = true;
    }

    void clear_pool(pool_type& pool) {
        for_each_used(pool, [&](std::uint64_t index, slot_type& slot) {
            clear_slot(pool, index, slot);
            ground_.pages.forget_claim(index);
        });
        pool.restart();
    }

    void clear_slot(pool_type& pool, std::uint64_t index, slot_type& slot) {
        const word bits = slot.word.load(std::memory_order_relaxed); // Relaxed: exclusive.
        if (!state::is_live(bits, index)) return;
        const id_type id = id_type::assume_word(bits);
        const word next = successor(bits);
        if (end<destroys::alone>(id, next) && next == 0) pool.abandon(1);
    }

    std::optional<range_refusal> refusal_of(index_run run) const {
        if (run.last < run.first) return range_refusal::reversed;
        if (run.first == 0) return range_refusal::contains_null;
        if (run.last > state::index_max) return range_refusal::beyond_index;
        for (std::size_t n = 0; n < pools_.size(); ++n)
            if (pools_[n]->run.overlaps(run))
                if (const auto refusal = collision(n, run)) return refusal;
        return is_used(run) ? std::optional(range_refusal::already_used) : std::nullopt;
    }

    /// Why the run cannot be carved out of the pool of that number; nothing also when another pool decides.
    std::optional<range_refusal> collision(std::size_t n, index_run run) const {
        if (n >= part_count) return range_refusal::overlaps_range;
        const index_run part = pools_[n]->run;
        const bool divisible =
            Partitions::parts[n].name.empty() && part.contains(run.first) && part.contains(run.last);
        return divisible ? std::nullopt : std::optional(range_refusal::overlaps_partition);
    }

    bool is_used(index_run run) const {
        bool used = false;
        ground_.pages.for_each_used(
            run.first, run.last, run.last + 1, [&](std::uint64_t, const slot_type& slot) {
                const word bits = slot.word.load(std::memory_order_relaxed); // Relaxed: exclusive.
                used = used || bits != state::never_issued;
            });
        return used;
    }

    mutable pool_ground<parts_type> ground_;
    std::vector<std::unique_ptr<pool_type>> pools_; // One for each part of the map, then one for each range.
    const pool_type* allowed_ = nullptr; // All that may be changed, under a restriction of the registry.
};

/// The concurrent registry of the library's own entities.
export using concurrent_registry = basic_concurrent_registry<>;

} // namespace ecs
