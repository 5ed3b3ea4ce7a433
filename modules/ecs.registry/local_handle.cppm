// SPDX-License-Identifier: MIT
// A handle is a thread's own way into a concurrent registry: create and destroy without touching what other
// threads touch, except once in a magazine.
//
// Threads: a handle is used by one thread at a time; any number of handles at once. It refers to the
// registry, which must outlive it. A live handle keeps at most 2 magazines of identifiers from the others
// (128 in an index space of 2^12 or more), and one magazine more where it quarantines; when it ends, or
// flushes, it keeps none.
export module ecs.registry:local_handle;
import ecs.std;
import ecs.id;

namespace ecs {

/// Who else destroys while a handle does.
export enum class destroys : std::uint8_t {
    beside_others, ///< Anybody: exactly one of those who destroy the same identifier wins.
    alone,         ///< Nobody. Others may create, and ask, at the same time.
};

/// When an index that a handle destroyed is used again.
export enum class reuse : std::uint8_t {
    at_once,       ///< As soon as somebody needs one.
    after_release, ///< Only after the registry's next release_quarantine.
};

/// A handle of a registry; see basic_concurrent_registry::local and its sisters.
export template <class Registry, destroys Destroys, reuse Reuse> class local_handle {
    using pool_type = typename Registry::pool_type;
    using lane_type = typename Registry::lane_type;

  public:
    using id_type = typename Registry::id_type;

    local_handle(local_handle&& other) noexcept
        : registry_(other.registry_), pool_(other.pool_), lane_(std::exchange(other.lane_, nullptr)) {}
    local_handle& operator=(local_handle&& other) noexcept {
        std::swap(registry_, other.registry_);
        std::swap(pool_, other.pool_);
        std::swap(lane_, other.lane_);
        return *this;
    }
    ~local_handle() {
        if (!lane_) return;
        flush();
        lane_->leave();
    }

    /// A new identifier, live for every thread at once. Throws exhausted_error when none is left,
    /// std::bad_alloc when memory is needed and there is none, and changes nothing then. One store; once in a
    /// magazine, lock-free.
    [[nodiscard]] id_type create() {
        const id_type id = registry_->create_in(*pool_, *lane_);
        if (!id) [[unlikely]]
            registry_->refuse(*pool_);
        return id;
    }

    /// A new identifier, or nothing when none is left. Throws std::bad_alloc as create does.
    [[nodiscard]] std::optional<id_type> try_create() {
        const id_type id = registry_->create_in(*pool_, *lane_);
        return id ? std::optional(id) : std::nullopt;
    }

    /// Fills the span, all or none: throws as create does, and the span holds null identifiers then.
    void create(std::span<id_type> out) {
        if (!registry_->fill_in(*pool_, *lane_, out)) registry_->refuse(*pool_);
    }

    /// Fills the front of the span and says how many there are. Throws std::bad_alloc when not even the first
    /// could be had.
    std::size_t try_create(std::span<id_type> out) { return registry_->fill_front_in(*pool_, *lane_, out); }

    /// Ends the identifier; false, and nothing has changed, when it is not live. Of several threads exactly
    /// one is told true. One exchange on the slot, never repeated, or under destroys::alone one store; once
    /// in a magazine, lock-free. An identifier of another partition costs a shared lane, as destroy of the
    /// registry does.
    bool destroy(id_type id) {
        if (!pool_->issues(Registry::index_of(id))) [[unlikely]]
            return registry_->template destroy_elsewhere<Destroys, Reuse>(id);
        return registry_->template destroy_in<Destroys, Reuse>(*pool_, *lane_, id);
    }

    /// Ends all that are live, and says how many were.
    std::size_t destroy(std::span<const id_type> ids) {
        std::size_t destroyed = 0;
        for (const id_type id : ids) destroyed += destroy(id);
        return destroyed;
    }

    /// Gives back everything the handle keeps from others. Lock-free.
    void flush() noexcept { pool_->flush(*lane_); }

  private:
    friend Registry;

    local_handle(Registry& registry, pool_type& pool)
        : registry_(&registry), pool_(&pool), lane_(&pool.enter_own()) {
        lane_->quarantines = Reuse == reuse::after_release;
    }

    Registry* registry_;
    pool_type* pool_;
    lane_type* lane_;
};

} // namespace ecs
