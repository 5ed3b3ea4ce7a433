// SPDX-License-Identifier: MIT
// What a query has found: a table that satisfies its terms, and a row of such a table.
export module ecs.query:found_row;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;

export namespace ecs {

/// A table that satisfies the terms, with what the caller needs of it.
struct match {
    table* archetype{};
    std::uint32_t first_fetched{}; ///< The first of its fetched terms.
    bool by_row{};                 ///< The terms have to be tested for each row.
    bool by_target{};              ///< Rows may differ in whether their target counts.
    bool open{};                   ///< by_row, by_target, or some value comes from a base.
    bool partial{};                ///< A term is about a component in place, which rows may or may not have.
    bool only_in_place{};  ///< partial, and no other reason to test rows unless something is disabled.
    bool only_toggles{};   ///< Rows differ in nothing but what is disabled of the fetched terms.
    bool only_above{};     ///< Rows differ in what fetched terms find above them, and in nothing else
                           ///< as long as nothing is disabled.
    std::uint64_t group{}; ///< What the query groups by: see query_core::group_of.
};

/// A row that satisfies a query. Valid until the next structural change.
struct found_row {
    const match* found_in{};
    chunk* block{};
    std::uint32_t row{};
    std::uint32_t place{}; ///< On its way to a list: the number of its match and chunk; see number_places.

    [[nodiscard]] inline row_ref at() const { return {block, row}; }
    [[nodiscard]] inline entity owner() const { return block->entities()[row]; }
};

/// Which of the 64 rows from row 64 * block on exist.
[[nodiscard]] inline std::uint64_t all_rows(const chunk& in, std::uint32_t block) {
    const std::uint32_t left = in.count > block * 64 ? in.count - block * 64 : 0;
    return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
}

} // namespace ecs
