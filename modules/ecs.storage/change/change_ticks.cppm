// SPDX-License-Identifier: MIT
// When a component that a query tracks was added to, changed on or removed from each entity: three ticks by
// the index of the entity, so that nothing has to follow a row when it moves. A component that no query
// tracks has no ticks.
//
// Above the ticks lie the latest of each 64 of them, of each 64 of these, and so on: what has changed since a
// moment is found from the top, however many entities there are.
//
//   latest of 2^18 --> latest of 4,096 --> latest of 64 --> ticks of an entity
export module ecs.storage:change_ticks;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import :entities;

export namespace ecs {

/// A point in the life of a world: it advances whenever a query looks for changes. 0 is before everything.
using change_tick = std::uint64_t;

/// What happened last to the component of one entity, and when; 0 for never.
struct last_changes {
    change_tick added{};
    change_tick changed{};
    change_tick removed{};

    [[nodiscard]] inline change_tick latest() const { return std::max({added, changed, removed}); }
};

/// The ticks of one component. Threads may write and read the ticks of different entities at the same time,
/// except for reserve.
class change_ticks {
  public:
    /// Makes room for an entity's ticks, so that writing them cannot fail. Throws std::bad_alloc.
    inline void reserve(std::uint32_t index) {
        for (std::size_t level = 0; level < levels; ++level)
            latest_[level].make_room(index >> bits_to(level));
        ticks_.make_room(index); // Last: where there is room for ticks, there is room above.
        end_ = std::max(end_, std::uint64_t{index} + 1);
    }

    /// Throws std::bad_alloc.
    inline void write(std::uint32_t index, last_changes known) {
        reserve(index);
        ticks_[index] = known;
        note(index, known.latest());
    }

    /// Does nothing when there is no room for the ticks; ticks that were never written read as 0.
    inline void add(std::uint32_t index, change_tick now) noexcept {
        if (last_changes* const it = ticks_.find(index)) it->added = it->changed = now, note(index, now);
    }
    /// Systems that write different pairs at once write the tick of their pattern. Either tick may stay: a
    /// query looks before both writes or after both.
    inline void change(std::uint32_t index, change_tick now) noexcept {
        last_changes* const it = ticks_.find(index);
        if (!it) return;
        raise_alone(it->changed, now);
        note(index, now);
    }
    /// The same for those of 64 entities whose bits are set. Neighbours mostly have neighbouring indices,
    /// whose latest ticks are one.
    inline void change(const entity* all, std::uint64_t which, change_tick now) noexcept {
        constexpr std::uint32_t none = ~std::uint32_t{0};
        for (std::uint32_t noted = none; which != 0; which &= which - 1) {
            const std::uint32_t index = index_of(all[std::countr_zero(which)]);
            last_changes* const it = ticks_.find(index);
            if (!it) continue;
            raise_alone(it->changed, now);
            if (std::exchange(noted, index >> bits_to(0)) != index >> bits_to(0)) note(index, now);
        }
    }
    inline void remove(std::uint32_t index, change_tick now) noexcept {
        if (last_changes* const it = ticks_.find(index)) it->removed = now, note(index, now);
    }
    /// The entity ends; the next entity with its index begins anew.
    inline void forget(std::uint32_t index) noexcept {
        if (last_changes* const it = ticks_.find(index)) *it = {};
    }

    /// A query looks for what has happened until the tick.
    inline void note_look(change_tick until) noexcept { raise_alone(looked_at_, until); }
    /// Until when a query has looked last.
    [[nodiscard]] inline change_tick looked_at() const noexcept {
        // Relaxed: as list_since.
        return std::atomic_ref(looked_at_).load(std::memory_order_relaxed);
    }

    [[nodiscard]] inline last_changes of(std::uint32_t index) const { return ticks_.value_or_default(index); }

    /// Appends the first index of each 64 among which something may have happened after the tick, in their
    /// order, until there are so many; false when there are more. The caller has synchronised with all
    /// writers.
    [[nodiscard]] inline bool list_since(change_tick seen, std::size_t most,
                                         std::vector<std::uint32_t>& blocks) const {
        const std::uint64_t end = (end_ >> bits_to(levels - 1)) + 1;
        for (std::uint64_t first = 0; first < end; first += 64)
            if (!list_since(seen, most, blocks, levels - 1, first)) return false;
        return true;
    }
    /// Calls visit(index) for those of these 64 to which something has happened after the tick, in their
    /// order.
    inline void for_each_since(change_tick seen, std::uint32_t first, const auto& visit) const {
        for (std::uint32_t index = first; const last_changes& known : ticks_.line_from(first)) {
            if (known.latest() > seen) visit(index);
            ++index;
        }
    }

  private:
    static constexpr std::size_t levels = 3;

    /// An entry of the level stands for two to that power of indices.
    [[nodiscard]] static constexpr unsigned bits_to(std::size_t level) {
        return 6 * static_cast<unsigned>(level + 1);
    }

    static inline void raise_alone(change_tick& known, change_tick now) noexcept {
        const std::atomic_ref<change_tick> shared(known);
        // Relaxed: as list_since.
        if (shared.load(std::memory_order_relaxed) < now) shared.store(now, std::memory_order_relaxed);
    }
    /// Something has happened to the index. An entry is never older than those below it: the thread that
    /// raises an entry then raises those above it.
    inline void note(std::uint32_t index, change_tick now) noexcept {
        for (std::size_t level = 0; level < levels; ++level)
            if (!raise(latest_[level][index >> bits_to(level)], now)) return;
    }
    /// Whether the entry was behind.
    static inline bool raise(change_tick& latest, change_tick now) noexcept {
        const std::atomic_ref<change_tick> shared(latest);
        change_tick known = shared.load(std::memory_order_relaxed); // Relaxed: see list_since.
        while (known < now)
            // Relaxed: as above.
            if (shared.compare_exchange_weak(known, now, std::memory_order_relaxed)) return true;
        return false;
    }

    /// The same for 64 entries of the level.
    [[nodiscard]] bool list_since(change_tick seen, std::size_t most, std::vector<std::uint32_t>& blocks,
                                  std::size_t level, std::uint64_t first) const {
        for (std::uint64_t entry = first; const change_tick latest : latest_[level].line_from(first)) {
            const std::uint64_t below = 64 * entry++;
            if (latest <= seen) continue;
            if (level != 0 ? !list_since(seen, most, blocks, level - 1, below) : blocks.size() == most)
                return false;
            if (level == 0) blocks.push_back(static_cast<std::uint32_t>(below));
        }
        return true;
    }

    paged_array<last_changes, 1024> ticks_;
    std::array<paged_array<change_tick, 1024>, levels> latest_;
    mutable change_tick looked_at_{}; ///< Mutable for std::atomic_ref, which takes no const value.
    std::uint64_t end_{};             ///< One more than the last index for which there is room.
};

} // namespace ecs
