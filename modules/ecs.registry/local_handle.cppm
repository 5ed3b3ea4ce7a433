// SPDX-License-Identifier: MIT
// A handle is a thread's own way into a concurrent registry: create and destroy without touching what other
// threads touch, except once in a batch.
//
// Threads: a handle is used by one thread at a time; any number of handles at once. It refers to the
// registry, which must outlive it. A live handle keeps at most 2 batches of identifiers from the others
// (128 in an index space of 2^16 or more, 1/512 of a smaller one), and one batch more where it quarantines;
// when it ends, or flushes, it keeps none.
export module ecs.registry:local_handle;
import ecs.std;
import ecs.id;
import :index_range;
import :partition_id;
import :restriction;
import :status;

namespace ecs {

/// Which other threads destroy while a handle does.
export enum class destroys : std::uint8_t {
    beside_others, ///< Any: exactly one of the threads that destroy an identifier wins.
    alone,         ///< None. Others may create, and ask, at the same time.
};

/// When an index that a handle destroyed is used again.
export enum class reuse : std::uint8_t {
    at_once,       ///< As soon as it is needed.
    after_release, ///< Only after the registry's next release_quarantine.
};

/// A handle of a registry; see local, quarantined_local and exclusive_local of basic_concurrent_registry.
export template <class Registry, destroys Destroys, reuse Reuse> class local_handle {
    using core_type = typename Registry::core_type;
    using pool_type = typename core_type::pool_type;
    using lane_type = typename core_type::lane_type;

  public:
    using id_type = typename Registry::id_type;

    /// What restrict_to returns; see restriction_scope.
    using restriction = restriction_scope<const pool_type*>;

    local_handle(local_handle&& other) noexcept
        : core_(other.core_),
          pool_(other.pool_),
          lane_(std::exchange(other.lane_, nullptr)),
          allowed_(other.allowed_) {}
    local_handle& operator=(local_handle&& other) noexcept {
        std::swap(core_, other.core_);
        std::swap(pool_, other.pool_);
        std::swap(lane_, other.lane_);
        std::swap(allowed_, other.allowed_);
        return *this;
    }
    ~local_handle() {
        if (lane_) pool_->leave_own(*lane_);
    }

    /// A new identifier, live for every thread at once. Throws exhausted_error when none is left,
    /// restricted_error when the partition may not be changed now, std::bad_alloc when memory is needed and
    /// there is none, and changes nothing then. One store; once in a batch, lock-free.
    [[nodiscard]] id_type create() {
        const id_type id = create_or_null();
        if (!id) [[unlikely]]
            refuse();
        return id;
    }

    /// A new identifier, or nothing when none is left or the partition may not be changed now. Throws
    /// std::bad_alloc as create does.
    [[nodiscard]] std::optional<id_type> try_create() {
        const id_type id = create_or_null();
        return id ? std::optional(id) : std::nullopt;
    }

    /// Fills the span, all or none: throws as create does. What had been filled until then holds null.
    void create(std::span<id_type> out) {
        if (!may_change(*pool_) || !core_->fill_in(*pool_, *lane_, out)) refuse(out.size());
    }

    /// Fills the front of the span and says how many there are. Throws std::bad_alloc when not even the first
    /// could be had.
    std::size_t try_create(std::span<id_type> out) {
        return may_change(*pool_) ? core_->fill_front_in(*pool_, *lane_, out) : 0;
    }

    /// Ends the identifier; false, and nothing has changed, when it is not live or may not be changed now. Of
    /// several threads exactly one is told true. One exchange on the slot, never repeated, or under
    /// destroys::alone one store; once in a batch, lock-free. An identifier of another partition costs a
    /// shared lane, as destroy of the registry does.
    bool destroy(id_type id) {
        if (!pool_->surely_issues(core_type::life::index_of(id))) [[unlikely]]
            return destroy_wherever(id);
        return may_change(*pool_) && core_->template destroy_in<Destroys, Reuse>(*pool_, *lane_, id);
    }

    /// Ends all identifiers that are live, and returns how many were. Where one of another partition throws,
    /// those before it have ended, and it and those behind it live on.
    std::size_t destroy(std::span<const id_type> ids) {
        std::size_t destroyed = 0;
        for (const id_type id : ids) destroyed += destroy(id);
        return destroyed;
    }

    /// What the registry knows of the identifier, and out_of_partition where this handle may not destroy it:
    /// the reason of a refusal.
    [[nodiscard]] id_status status(id_type id) const noexcept { return core_->status_within(id, allowed_); }

    /// Until the scope ends, this handle creates and destroys in the partition, or the range, alone; what
    /// others do is not affected. To be used by the handle's thread. The handle stays where it is meanwhile:
    /// one that is moved away stays restricted.
    template <fixed_string Name>
        requires has_partition<typename Registry::partitions_type, Name>
    [[nodiscard]] restriction restrict_to() {
        return {allowed_, &core_->pools.template part<Name>()};
    }

    /// Throws unknown_range_error for a range of another registry.
    [[nodiscard]] restriction restrict_to(const index_range& range) {
        return {allowed_, &core_->pools.of(range)};
    }

    /// Gives back everything the handle keeps from others. Lock-free.
    void flush() noexcept { pool_->flush(*lane_); }

  private:
    friend Registry;

    local_handle(core_type& core, pool_type& pool) : core_(&core), pool_(&pool), lane_(&pool.enter_own()) {}

    [[nodiscard]] bool may_change(const pool_type& pool) const noexcept {
        if (allowed_) [[unlikely]]
            if (allowed_ != &pool) return false;
        return core_->pools.allows(pool);
    }
    [[nodiscard]] bool may_change_index(std::uint64_t index) const noexcept {
        const pool_type* pool = core_->pools.find(index);
        return pool && may_change(*pool);
    }

    [[nodiscard]] id_type create_or_null() {
        return may_change(*pool_) ? core_->create_in(*pool_, *lane_) : id_type{};
    }

    /// Destroys where a look at the pool does not say to whom the index belongs.
    [[gnu::noinline]] bool destroy_wherever(id_type id) {
        const std::uint64_t index = core_type::life::index_of(id);
        if (!may_change_index(index)) return false;
        return pool_->issues(index) ? core_->template destroy_in<Destroys, Reuse>(*pool_, *lane_, id)
                                    : core_->template destroy_elsewhere<Destroys, Reuse>(id);
    }

    [[noreturn, gnu::noinline, gnu::cold]] void refuse(std::size_t wanted = 1) const {
        if (allowed_ && allowed_ != pool_) core_->refuse_restricted(*pool_, *allowed_, "the handle");
        core_->refuse(*pool_, wanted);
    }

    core_type* core_;
    pool_type* pool_;
    lane_type* lane_;
    const pool_type* allowed_ = nullptr; // All that may be changed, under a restriction of this handle.
};

} // namespace ecs
