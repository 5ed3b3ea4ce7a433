// SPDX-License-Identifier: MIT
// What is known of each identifier that an entity has or had, and which identifiers an entity is part of. An
// entity that ends finds here what ends or changes with it: every record of a pair is on the list of its
// relation and on the list of its target, and knows its places there, so that it leaves them in constant
// time.
export module ecs.storage:component_index;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import :change_ticks;
import :sparse_set;
import :table;

export namespace ecs {

/// What the store knows of an identifier that is part of the type of a table.
struct component_record {
    id word;
    component_info info; ///< Facts of the values; size 0 for a tag.
    std::vector<table*> tables;
    std::unique_ptr<sparse_set> sparse;  ///< The values, if they are kept outside tables.
    std::unique_ptr<change_ticks> ticks; ///< Null while no query tracks it.
    std::uint32_t slot_of_relation{};    ///< For a pair: its place on the list of its relation.
    std::uint32_t slot_of_target{};      ///< For a pair: its place on the list of its target.

    /// The number of rows of the tables that have the identifier. Linear in the number of tables.
    [[nodiscard]] std::size_t rows() const;

    /// Adds the entities in those rows to the list. Throws std::bad_alloc.
    void append_owners(std::vector<entity>& owners) const;
};

/// The entities that an identifier is made of, by index; 0 where there is none.
struct id_parts {
    std::uint32_t relation{};
    std::uint32_t target{};
};
[[nodiscard]] id_parts parts_of(id word);

/// Whether the pattern may stand for what a table with the identifier has: the column that keeps the targets
/// of a relation stands for all of its pairs.
[[nodiscard]] bool may_match(id pattern, id stored);

/// See the head of this file. Not thread-safe.
class component_index {
  public:
    using list = std::span<component_record* const>;

    /// nullptr when there is no record of the identifier. Constant time.
    [[nodiscard]] inline component_record* find(id word) const {
        const std::unique_ptr<component_record>* const known = records_.find(word.value());
        return known ? known->get() : nullptr;
    }

    /// Adds the record of an identifier that has none. Throws std::bad_alloc, and then nothing has changed.
    component_record& enter(std::unique_ptr<component_record> fresh);

    void erase(component_record& record) noexcept;

    /// The records of the pairs of a relation, and of the pairs with a target. Valid until a record comes or
    /// goes.
    [[nodiscard]] inline list of_relation(std::uint32_t index) const { return list_in(by_relation_, index); }
    [[nodiscard]] inline list of_target(std::uint32_t index) const { return list_in(by_target_, index); }

    /// Whether there ever was a pair of the relation.
    [[nodiscard]] inline bool was_relation(std::uint32_t index) const { return by_relation_.find(index); }

    /// The indices of all relations of which there is a pair, in no order.
    [[nodiscard]] std::vector<std::uint32_t> relations() const;

    /// Calls visit(component_record&) for each record, in no order that means anything.
    void for_each(auto&& visit) const {
        records_.for_each(
            [&](std::uint64_t, const std::unique_ptr<component_record>& record) { visit(*record); });
    }

    /// Becomes a copy of identifiers and facts, whose records have no tables, sets and ticks yet; there is
    /// no record here. Throws std::bad_alloc.
    void mirror(const component_index& other);

  private:
    using lists = flat_map<std::vector<component_record*>>;

    [[nodiscard]] inline static list list_in(const lists& in, std::uint32_t index) {
        const std::vector<component_record*>* const known = in.find(index);
        return known ? list(*known) : list();
    }
    void mirror_lists(const lists& other, lists& made) const;

    flat_map<std::unique_ptr<component_record>> records_;
    lists by_relation_; ///< Records of pairs, by the index of the relation.
    lists by_target_;   ///< Records of pairs, by the index of the target.
};

} // namespace ecs
