// SPDX-License-Identifier: MIT
// The tables of a world: by the set of identifiers that their rows have, by their order, and by each of the
// identifiers. All three agree: a table is found by its type, knows its place among all tables, and is on the
// list of every record of its type, where it knows its place, too. The first table, the root, is that of
// entities without components; it never goes.
export module ecs.storage:table_index;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import :chunk;
import :component_index;
import :entities;
import :table;

export namespace ecs {

/// See the head of this file. Owns the tables. Not thread-safe.
class table_index {
  public:
    using list = std::vector<std::unique_ptr<table>>;

    /// The tables in the order in which they were made, except that the last one takes the place of a table
    /// that goes.
    [[nodiscard]] inline const list& all() const { return tables_; }
    [[nodiscard]] inline table& root() const { return *tables_.front(); }

    /// The table of exactly these identifiers, in the order of their words; nullptr when there is none.
    /// Linear in the number of identifiers.
    [[nodiscard]] table* find(std::span<const id> type) const;

    /// Adds a table of a type that has none; there are records of all of its identifiers. Throws
    /// std::bad_alloc, and then nothing has changed.
    table& enter(std::unique_ptr<table> fresh, const component_index& records);

    /// Ends a table, and the plans that lead to it.
    void erase(table& gone, const component_index& records) noexcept;

    /// Ends all tables, and with them the values of their rows.
    inline void clear() noexcept { tables_.clear(); }

    /// Becomes a copy with the same tables in the same order, at the same places of the records' lists; this
    /// index has no table yet. Throws what copying a value throws.
    void mirror(const table_index& other, const component_index& others_records,
                const component_index& records, chunk_directory& directory);

  private:
    void strike(const table& gone, std::size_t position, const component_index& records) noexcept;

    list tables_;
    flat_map<std::vector<table*>> by_hash_; ///< Tables by the hash of their type.
};

} // namespace ecs
