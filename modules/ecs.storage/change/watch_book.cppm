// SPDX-License-Identifier: MIT
// The components, pairs and patterns that queries watch, and the clock by which their stamps are written.
// An identifier is on the list exactly while its record has stamps, and an entity that has what it stands for
// has room for them: so what happens to a row can be written down when it can no longer fail.
export module ecs.storage:watch_book;
import ecs.std;
import ecs.id;
import ecs.relation;
import :entities;
import :record_book;
import :stamps;
import :table;

export namespace ecs {

/// See the head of this file. Each function about an entity is linear in the number of watched components.
/// Not thread-safe, except where a function says so.
class watch_book {
  public:
    [[nodiscard]] inline bool empty() const { return watched_.empty(); }
    [[nodiscard]] inline auto begin() const { return watched_.begin(); }
    [[nodiscard]] inline auto end() const { return watched_.end(); }

    /// From now on the component is watched; the stamps say what has been. Throws std::bad_alloc, and then
    /// nothing has changed.
    void add(id_record& record, std::unique_ptr<stamp_book> stamps);

    /// The component ends. Returns whether it was watched.
    bool forget(id_record& record) noexcept;

    /// Whether rows of the table may have, or inherit, what is watched.
    [[nodiscard]] bool concern(const table& t) const;

    /// Whether what the pattern stands for may be watched.
    [[nodiscard]] bool concern(id pattern) const;

    /// Makes room for the entity's stamps. Throws std::bad_alloc.
    void reserve(entity e);

    // The entity has room for its stamps.

    // What the types of tables say; of targets that are kept in columns the next three are told.
    void row_moved(const table& from, const table& to, entity e) noexcept;
    void row_came(const table& in, entity e) noexcept;

    void came(entity e, id word) noexcept;
    void left(entity e, id word) noexcept;
    /// For threads that write different entities.
    void changed(entity e, id word, moment when) const noexcept;

    inline void entity_ended(entity e) noexcept {
        if (!watched_.empty()) [[unlikely]]
            forget_stamps_of(e);
    }

    // Relaxed, here and below: a thread that finds what another wrote has synchronised with it.

    [[nodiscard]] inline moment now() const { return now_.load(std::memory_order_relaxed); }

    /// A query looks: what it finds was written before, what is written from now on comes after. Returns the
    /// moment before. For any thread.
    [[nodiscard]] inline moment advance() { return now_.fetch_add(1, std::memory_order_relaxed); }

    /// What each watches is watched by the other from now on; the clocks go on.
    inline void exchange(watch_book& other) noexcept { watched_.swap(other.watched_); }

  private:
    void forget_stamps_of(entity e) noexcept;

    std::vector<id_record*> watched_;
    std::atomic<moment> now_ = 1;
};

} // namespace ecs
