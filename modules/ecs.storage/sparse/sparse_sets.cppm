// SPDX-License-Identifier: MIT
// The sparse sets of a world: all of them, for the end of an entity, and by index, for a caller that knows
// the component. The components below low_ids are found by one load; for others the store asks their records.
export module ecs.storage:sparse_sets;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import :column_starts;
import :entities;
import :sparse_set;

export namespace ecs {

/// See the head of this file. Does not own the sets.
class sparse_sets {
  public:
    [[nodiscard]] inline bool empty() const { return all_.empty(); }
    [[nodiscard]] inline auto begin() const { return all_.begin(); }
    [[nodiscard]] inline auto end() const { return all_.end(); }

    [[nodiscard]] inline static bool is_low(id component) { return index(component) < low_ids; }

    /// The set of a component with a low index; nullptr when it is kept in tables, or has ended.
    [[nodiscard]] inline sparse_set* low(id component) const {
        sparse_set* const found = low_[index(component)];
        return found && found->word == component ? found : nullptr;
    }

    /// Makes room, so that the next add cannot fail. Throws std::bad_alloc.
    inline void reserve_one() { ecs::reserve_one(all_); }
    inline void add(sparse_set& set) noexcept {
        all_.push_back(&set);
        if (is_low(set.word)) low_[index(set.word)] = &set;
    }

    inline void erase(sparse_set& set) noexcept {
        std::erase(all_, &set);
        if (is_low(set.word) && low_[index(set.word)] == &set) low_[index(set.word)] = nullptr;
    }

  private:
    [[nodiscard]] inline static std::uint32_t index(id component) { return index_of(component.as_entity()); }

    std::vector<sparse_set*> all_;
    std::array<sparse_set*, low_ids> low_{};
};

} // namespace ecs
