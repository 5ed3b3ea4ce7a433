// SPDX-License-Identifier: MIT
// What a tool shows of a table: how many entities it has, and how full it is.
export module ecs.world:table_summary;
import ecs.std;
import ecs.relation;

namespace ecs {

/// A table: the entities that have exactly the same identifiers.
export struct table_summary {
    /// In the order of their words. A relation whose targets are values is a wildcard pair.
    std::vector<id> type;
    std::size_t entities{}; ///< The number of entities in the table.
    std::size_t capacity{}; ///< How many have room in its chunks. Who has no components needs none.
    std::size_t bytes{};    ///< Bytes of its chunks.
};

} // namespace ecs
