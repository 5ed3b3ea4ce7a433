// SPDX-License-Identifier: MIT
// What can be asked of a concurrent registry: everything that changes nothing. alive costs a load of the
// slot, whose place follows from the index, and a payload lies beside the word that says who owns it.
//
// Threads: any, at any time, wait-free, but for the counts, live and for_each_live, which take as long as
// there are handles and indices and see each of them at some moment.
export module ecs.registry:concurrent_reader;
import ecs.std;
import ecs.id;
import :concurrent_core;
import :identity;
import :index_counts;
import :index_range;
import :partition_id;
import :status;

namespace ecs {

/// The base of basic_concurrent_registry; see there.
template <class Parts, class Partitions> class concurrent_reader {
  protected:
    using core_type = concurrent_core<Parts, Partitions>;

  private:
    using layout = typename Parts::layout;
    using state = typename Parts::state;
    using order = typename Parts::order;
    using slot_type = typename Parts::slot_type;
    using payload_type = typename Parts::payload;
    using pool_type = typename core_type::pool_type;
    using life = typename core_type::life;

  public:
    using id_type = basic_id<layout>;
    using word = word_of<layout>;

    concurrent_reader(const concurrent_reader&) = delete;
    concurrent_reader& operator=(const concurrent_reader&) = delete;

    /// The number that identifiers of this registry carry in their world field.
    [[nodiscard]] std::uint64_t world() const noexcept
        requires has_role<layout, field_role::world>
    {
        return id_type::assume_word(core_.ground.stamp).world();
    }

    /// Whether the identifier is in use. If it is, what its creator wrote before is visible; if it was
    /// destroyed, what the destroyer wrote before.
    [[nodiscard]] bool alive(id_type id) const noexcept {
        return core_.ground.pages.read(life::index_of(id), order::slot_read_alive) == id.value();
    }

    /// What is known of the identifier. Under the policy wrap an index remembers its present turn only.
    [[nodiscard]] id_status status(id_type id) const noexcept { return core_.status_within(id, nullptr); }

    /// The same for a word from anywhere.
    [[nodiscard]] id_status status(std::uint64_t bits) const noexcept {
        if (bits > static_cast<word>(-1)) return id_status::malformed;
        return status(id_type::assume_word(static_cast<word>(bits)));
    }

    /// Another kind of identifier is never an entity; null is null.
    template <class Other>
        requires distinguishable<Other, layout>
    [[nodiscard]] id_status status(basic_id<Other> id) const noexcept {
        return id ? id_status::not_an_entity : id_status::null;
    }

    /// The status in a sentence: `12v3 is stale: index 12 is in use by 12v5`. Not wait-free: it
    /// allocates.
    [[nodiscard]] std::string explain(id_type id) const {
        const id_status now = status(id);
        if (!id) return "null is no identifier";
        const std::uint64_t index = life::index_of(id);
        std::string text = to_string(id) + " is " + std::string(to_string(now));
        if (now != id_status::stale && now != id_status::never_issued) return text;
        const std::optional<id_type> living = live_at(index);
        text += ": index " + std::to_string(index);
        return living ? text + " is in use by " + to_string(*living) : text + " is not in use";
    }

    /// The live identifier of an index, whatever its generation.
    [[nodiscard]] std::optional<id_type> live_at(std::uint64_t index) const noexcept {
        if (index - 1 >= state::index_max) return {}; // 0 among them.
        const word bits = core_.ground.pages.read(index, order::slot_read_live_at);
        return state::is_live(bits, index) ? std::optional(id_type::assume_word(bits)) : std::nullopt;
    }

    /// The name of the partition that the index of the identifier belongs to; empty where there is none.
    [[nodiscard]] static constexpr std::string_view partition_of(id_type id) noexcept {
        return part_name_of<Partitions>(life::index_of(id));
    }

    // -- Payloads: plain memory, which the caller synchronises as he does the entity itself. ----------

    /// The payload of an index that has been issued; anything else is undefined. Never moves.
    [[nodiscard]] payload_type& payload(std::uint64_t index) const noexcept {
        return core_.ground.pages.at(index).payload;
    }
    [[nodiscard]] payload_type& payload_of(id_type id) const noexcept { return payload(life::index_of(id)); }

    /// The payload of a live identifier, or nothing: liveness and place in one look at one cache line.
    [[nodiscard]] payload_type* find_payload(id_type id) const noexcept {
        slot_type* slot = core_.ground.pages.find(life::index_of(id));
        return slot && slot->word.load(order::slot_read_payload) == id.value() ? &slot->payload : nullptr;
    }

    // -- Counts: exact while nobody creates or destroys, a moment's estimate otherwise. ---------------

    [[nodiscard]] std::uint64_t live_count() const noexcept {
        return core_.pools.sum([](const pool_type& p) { return p.live_count(); });
    }
    [[nodiscard]] std::uint64_t retired_count() const noexcept {
        return core_.pools.sum([](const pool_type& p) { return p.retired_count(); });
    }
    /// Indices that are neither live nor retired: never used, waiting, or kept by a handle.
    [[nodiscard]] std::uint64_t free_count() const noexcept {
        return core_.pools.sum([](const pool_type& p) { return p.free_count(); });
    }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] std::uint64_t live_count() const noexcept {
        return core_.pools.template part<Name>().live_count();
    }
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] std::uint64_t retired_count() const noexcept {
        return core_.pools.template part<Name>().retired_count();
    }
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] std::uint64_t free_count() const noexcept {
        return core_.pools.template part<Name>().free_count();
    }

    [[nodiscard]] std::uint64_t live_count(const index_range& range) const {
        return core_.pools.of(range).live_count();
    }
    [[nodiscard]] std::uint64_t retired_count(const index_range& range) const {
        return core_.pools.of(range).retired_count();
    }
    [[nodiscard]] std::uint64_t free_count(const index_range& range) const {
        return core_.pools.of(range).free_count();
    }

    /// How many indices are live, free, retired, and how many creates are left; of all partitions and ranges,
    /// of one partition, or of one range. Any thread; linear in the indices that were ever used, which
    /// it looks at: live_count, free_count and retired_count ask the handles alone.
    ///
    /// Exact while nobody else creates or destroys. Otherwise each index is counted once, in the state in
    /// which it was seen, at different moments: the sum is right, the parts are estimates. `remaining` is
    /// what all handles together can create after every handle has flushed and quarantine is released. Under
    /// quarantine<N> up to two batches more than N may wait; after a clear, the N are available as well.
    [[nodiscard]] index_counts counts() const noexcept {
        index_counts sum;
        core_.pools.for_each([&](const pool_type& p) { sum += core_.counts(p); });
        return sum;
    }
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] index_counts counts() const noexcept {
        return core_.counts(core_.pools.template part<Name>());
    }
    /// Throws unknown_range_error for a range of another registry.
    [[nodiscard]] index_counts counts(const index_range& range) const {
        return core_.counts(core_.pools.of(range));
    }

    // -- Who lives: partition by partition, then range by range, each in order of index. One that is created
    //    or destroyed meanwhile is among them or not. Any thread; linear in the indices that were ever used.

    /// Calls visit(id) for every live identifier.
    template <std::invocable<id_type> Visit> void for_each_live(Visit visit) const {
        core_.pools.for_each([&](const pool_type& pool) { core_.for_each_live(pool, visit); });
    }
    template <fixed_string Name, std::invocable<id_type> Visit>
        requires has_partition<Partitions, Name>
    void for_each_live(Visit visit) const {
        core_.for_each_live(core_.pools.template part<Name>(), visit);
    }
    /// Throws unknown_range_error for a range of another registry.
    template <std::invocable<id_type> Visit> void for_each_live(const index_range& range, Visit visit) const {
        core_.for_each_live(core_.pools.of(range), visit);
    }

    /// A list of them: of all, of one partition, or of one range. Meant for quiet moments: nothing keeps them
    /// alive. Throws std::bad_alloc, and as for_each_live does.
    [[nodiscard]] std::vector<id_type> live() const {
        return listed([&](auto visit) { for_each_live(visit); });
    }
    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] std::vector<id_type> live() const {
        return listed([&](auto visit) { for_each_live<Name>(visit); });
    }
    [[nodiscard]] std::vector<id_type> live(const index_range& range) const {
        return listed([&](auto visit) { for_each_live(range, visit); });
    }

    /// Calls visit(id) for every index that has been used, with the identifier that it was issued as last,
    /// whether it lives or has ended; not for one that the policy wrap has made new. What to do with them is
    /// said at basic_registry. Meant for quiet moments; linear in the indices that were ever used.
    template <std::invocable<id_type> Visit> void for_each_used(Visit visit) const {
        core_.pools.for_each([&](const pool_type& pool) { core_.for_each_used(pool, visit); });
    }

  protected:
    explicit concurrent_reader(word stamp) : core_(stamp) {}
    ~concurrent_reader() = default;

    core_type core_;

  private:
    [[nodiscard]] static std::vector<id_type> listed(auto for_each) {
        std::vector<id_type> all;
        for_each([&](id_type id) { all.push_back(id); });
        return all;
    }
};

} // namespace ecs
