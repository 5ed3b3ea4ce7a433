// SPDX-License-Identifier: MIT
// When a component that a query watches was added to, changed on or removed from each entity: three ticks
// by the index of the entity, so that nothing has to follow a row when it moves. A component that no query
// watches has none.
export module ecs.storage:change_ticks;
import ecs.std;

export namespace ecs {

/// A point in the life of a world: it advances whenever a query looks for changes. 0 is before everything.
using change_tick = std::uint64_t;

/// What happened last to the component of one entity, and when; 0 for never.
struct tick_pair {
    change_tick added{};
    change_tick changed{};
    change_tick removed{};
};

/// The ticks of one component. Threads may write and read those of different entities at the same time, but
/// for reserve.
class change_ticks {
  public:
    /// Makes room for an entity's ticks, so that writing them cannot fail. Throws std::bad_alloc.
    inline void reserve(std::uint32_t index) {
        const std::size_t number = index / page_size;
        if (pages_.size() <= number) pages_.resize(number + 1);
        if (!pages_[number]) pages_[number] = std::make_unique<page>();
    }

    /// Throws std::bad_alloc.
    inline void write(std::uint32_t index, tick_pair known) {
        reserve(index);
        *find(index) = known;
    }

    /// Reserved, or nothing happens: what was never written reads as 0.
    inline void add(std::uint32_t index, change_tick now) noexcept {
        if (tick_pair* const s = find(index)) s->added = s->changed = now;
    }
    inline void change(std::uint32_t index, change_tick now) noexcept {
        if (tick_pair* const s = find(index)) s->changed = std::max(s->changed, now);
    }
    inline void remove(std::uint32_t index, change_tick now) noexcept {
        if (tick_pair* const s = find(index)) s->removed = now;
    }
    /// The entity ends; the next of its index begins anew.
    inline void forget(std::uint32_t index) noexcept {
        if (tick_pair* const s = find(index)) *s = {};
    }

    [[nodiscard]] inline tick_pair of(std::uint32_t index) const {
        const std::size_t number = index / page_size;
        const bool known = number < pages_.size() && pages_[number];
        return known ? (*pages_[number])[index % page_size] : tick_pair{};
    }

  private:
    static constexpr std::uint32_t page_size = 1024;
    using page = std::array<tick_pair, page_size>;

    [[nodiscard]] inline tick_pair* find(std::uint32_t index) {
        const std::size_t number = index / page_size;
        return number < pages_.size() && pages_[number] ? &(*pages_[number])[index % page_size] : nullptr;
    }

    std::vector<std::unique_ptr<page>> pages_;
};

} // namespace ecs
