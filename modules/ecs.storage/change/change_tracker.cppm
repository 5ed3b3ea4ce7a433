// SPDX-License-Identifier: MIT
// The components, pairs and patterns that queries track, and the clock by which their ticks are written.
// An identifier is on the list exactly while its record has ticks, and an entity that has what it stands for
// has room for them: so what happens to a row can be written down when it can no longer fail.
export module ecs.storage:change_tracker;
import ecs.std;
import ecs.id;
import ecs.relation;
import :change_ticks;
import :component_index;
import :table;

export namespace ecs {

/// See the head of this file. Each function about an entity is linear in the number of tracked components.
/// Not thread-safe, except where a function says so.
class change_tracker {
  public:
    [[nodiscard]] inline bool empty() const { return tracked_.empty(); }
    [[nodiscard]] inline auto begin() const { return tracked_.begin(); }
    [[nodiscard]] inline auto end() const { return tracked_.end(); }

    /// Tracks the component from now on; the ticks say what has been. Throws std::bad_alloc, and then nothing
    /// has changed.
    void add(component_record& record, std::unique_ptr<change_ticks> ticks);

    /// Forgets a component that ends. Returns whether it was tracked.
    bool forget(component_record& record) noexcept;

    /// Whether rows of the table may have, or inherit, what is tracked.
    [[nodiscard]] bool concern(const table& t) const;

    /// Whether what a table has under that identifier may be tracked.
    [[nodiscard]] bool concern_stored(id stored) const;

    /// Whether what the pattern stands for may be tracked.
    [[nodiscard]] bool concern(id pattern) const;

    /// Makes room for the entity's ticks. Throws std::bad_alloc.
    void reserve(entity e);

    // The entity has room for its ticks.

    // What the types of tables say; the next three functions are told of targets that are kept in columns.
    void row_moved(const table& from, const table& to, entity e) noexcept;
    void row_came(const table& in, entity e) noexcept;

    void came(entity e, id word) noexcept;
    void left(entity e, id word) noexcept;
    /// For threads that write different entities.
    void changed(entity e, id word, change_tick when) const noexcept;

    /// Until when a query has looked last for what happens to the identifier. For any thread.
    [[nodiscard]] change_tick looked_at(id word) const noexcept;

    inline void entity_ended(entity e) noexcept {
        if (!tracked_.empty()) [[unlikely]]
            forget_ticks_of(e);
    }

    // Relaxed, here and below: a thread that finds what another wrote has synchronised with it.

    [[nodiscard]] inline change_tick now() const { return now_.load(std::memory_order_relaxed); }

    /// A query looks: what it finds was written before, what is written from now on comes after. Returns the
    /// moment before. For any thread.
    [[nodiscard]] inline change_tick advance() { return now_.fetch_add(1, std::memory_order_relaxed); }

    /// Exchanges what the two track; the clocks go on.
    inline void exchange(change_tracker& other) noexcept { tracked_.swap(other.tracked_); }

  private:
    void forget_ticks_of(entity e) noexcept;

    std::vector<component_record*> tracked_;
    std::atomic<change_tick> now_ = 1;
};

} // namespace ecs
