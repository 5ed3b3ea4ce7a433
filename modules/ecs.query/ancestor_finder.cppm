// SPDX-License-Identifier: MIT
// Finds, for the rows of a chunk, the nearest entity above that shows something. Neighbouring rows often have
// the same target, and their targets the same table, and often the same chunk: what was found for the last
// one is at hand, as long as nothing changes.
export module ecs.query:ancestor_finder;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import ecs.structure;

export namespace ecs {

/// See the head of this file.
class ancestor_finder {
  public:
    ancestor_finder(const engine& in, chunk* block, entity relation, id word, bool starts_at_row);

    /// Null when there is none.
    [[nodiscard]] inline entity find(std::size_t row) {
        if (ends_at_row_) return entities_[row];
        if (links_ && !starts_at_row_) [[likely]] {
            const entity target = links_[row].target;
            if (target == last_ && last_) return found_;
            if (ends_at(target)) [[likely]]
                return last_ = found_ = target;
        }
        return look(row);
    }
    /// The same, but also finds a component that has been disabled since the loop tested the row.
    [[nodiscard]] entity find_hidden(std::size_t row) const;
    /// The value of the entity that was found last.
    [[nodiscard]] inline std::byte* value_of(entity owner) {
        if (place_.block && owner == found_ && shown_values_) [[likely]]
            return shown_values_->value(place_);
        return look_for_value(owner);
    }
    /// Writes down, for the rows from the first to the end, where the values above them are; nullptr where
    /// there is none. Returns for which of them there is one: the lowest bit stands for the first. At least
    /// one row, and at most 64; the identifier has values.
    std::uint64_t find_values(std::uint32_t first, std::uint32_t end, std::byte** values);

  private:
    /// Whether the entity is in the table in which one ended the search before, as all do that are there.
    [[nodiscard]] inline bool ends_at(entity target) {
        std::uint64_t slot{};
        if (!shown_ || !engine_->rows().entities().slots_at_hand().find(target, slot)) return false;
        const row_ref at = engine_->rows().row_behind(slot, target);
        if (!at || at.block->owner != shown_ || shown_->togglable()) return false;
        place_ = at;
        return true;
    }

    /// A chunk by its number, and where its values begin; null where its entities do not all show one.
    struct chunk_of_values {
        std::uint32_t number = chunk_directory::pending;
        std::byte* values{};
        std::size_t size{};
    };

    [[nodiscard]] std::byte* value_at_hand(entity_index::flat_slots slots, entity target,
                                           chunk_of_values& last);
    [[nodiscard]] chunk_of_values values_in(std::uint32_t number, chunk* block);
    [[nodiscard]] std::byte* find_value(std::size_t row);
    [[nodiscard]] std::byte* look_for_value(entity owner);
    [[nodiscard]] entity look(std::size_t row);
    [[nodiscard]] bool shows(const table& in);
    void note_table(const table& in);

    const engine* engine_;
    const entity* entities_;
    const link* links_; ///< The targets, where they are in a column.
    entity relation_;
    id word_;
    bool starts_at_row_;
    entity last_{};   ///< The target of the row before,
    entity found_{};  ///< and what was found from there on:
    row_ref place_{}; ///< where, if that is the target, in the table whose entities all show it.
    const table* shown_{};
    const column* shown_values_{};
    const table* table_{};   ///< The table of the entity that was looked at last,
    const column* column_{}; ///< where it has the values,
    bool has_{};             ///< and whether all of its entities have it.
    bool ends_at_row_;       ///< All rows of the chunk have it. Made by what is above.
};

} // namespace ecs
