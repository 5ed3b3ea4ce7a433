// SPDX-License-Identifier: MIT
// When a component that a query tracks was added to, changed on or removed from each entity: three ticks
// by the index of the entity, so that nothing has to follow a row when it moves. A component that no query
// tracks has none.
export module ecs.storage:change_ticks;
import ecs.std;
import ecs.core;

export namespace ecs {

/// A point in the life of a world: it advances whenever a query looks for changes. 0 is before everything.
using change_tick = std::uint64_t;

/// What happened last to the component of one entity, and when; 0 for never.
struct last_changes {
    change_tick added{};
    change_tick changed{};
    change_tick removed{};
};

/// The ticks of one component. Threads may write and read those of different entities at the same time, but
/// for reserve.
class change_ticks {
  public:
    /// Makes room for an entity's ticks, so that writing them cannot fail. Throws std::bad_alloc.
    inline void reserve(std::uint32_t index) { ticks_.make_room(index); }

    /// Throws std::bad_alloc.
    inline void write(std::uint32_t index, last_changes known) {
        reserve(index);
        ticks_[index] = known;
    }

    /// Reserved, or nothing happens: what was never written reads as 0.
    inline void add(std::uint32_t index, change_tick now) noexcept {
        if (last_changes* const it = ticks_.find(index)) it->added = it->changed = now;
    }
    inline void change(std::uint32_t index, change_tick now) noexcept {
        if (last_changes* const it = ticks_.find(index)) it->changed = std::max(it->changed, now);
    }
    inline void remove(std::uint32_t index, change_tick now) noexcept {
        if (last_changes* const it = ticks_.find(index)) it->removed = now;
    }
    /// The entity ends; the next of its index begins anew.
    inline void forget(std::uint32_t index) noexcept {
        if (last_changes* const it = ticks_.find(index)) *it = {};
    }

    [[nodiscard]] inline last_changes of(std::uint32_t index) const { return ticks_.value_or_default(index); }

  private:
    paged_array<last_changes, 1024> ticks_;
};

} // namespace ecs
