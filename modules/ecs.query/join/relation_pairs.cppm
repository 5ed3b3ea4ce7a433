// SPDX-License-Identifier: MIT
// The pairs of one relation as sorted lists, from both sides: to which targets a source leads, and which
// sources lead to a target. A search through relations intersects such lists, and goes from one to the next
// by an index, without a table.
//
// The pairs are those that entities themselves have, in the type of their table or in a column of targets.
// The lists are made when a search needs them, and kept: before each search the rows of the tables are
// compared with the rows of which the lists were made, so that changes of the world cost nothing, and a
// search that finds no change reads each source once.
export module ecs.query:relation_pairs;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import ecs.structure;

export namespace ecs {

/// Indices of entities, in their order.
using index_list = std::span<const std::uint32_t>;

/// For each index, a sorted list of other indices. The place of a list is read from an array, which also has
/// room for the indices between.
class sorted_lists {
  public:
    using edge = std::pair<std::uint32_t, std::uint32_t>;

    /// Makes the lists. Linear in the number of edges; no edge is twice in the list. False when their first
    /// indices are so far apart that the array would be mostly empty: there are no lists then.
    [[nodiscard]] bool make(std::span<const edge> edges);

    [[nodiscard]] inline index_list of(std::uint32_t index) const {
        const std::uint32_t at = index - lowest_;
        if (at >= begins_.size() - 1) return {};
        return {others_.data() + begins_[at], others_.data() + begins_[at + 1]};
    }
    /// The length of the lists of all of these indices together.
    [[nodiscard]] inline std::size_t total_of(index_list indices) const {
        const auto places = static_cast<std::uint32_t>(begins_.size() - 1);
        std::size_t total = 0;
        for (const std::uint32_t index : indices) {
            const std::uint32_t at = index - lowest_;
            if (at < places) total += begins_[at + 1] - begins_[at];
        }
        return total;
    }
    /// The indices whose lists are not empty.
    [[nodiscard]] inline index_list all() const { return keys_; }

  private:
    void clear();
    void place_lists(std::span<const edge> edges);
    void sort_lists();

    std::uint32_t lowest_{};
    std::vector<std::uint32_t> begins_ = {0}; ///< By index, from the lowest on; one more than there are.
    std::vector<std::uint32_t> others_;
    std::vector<std::uint32_t> keys_;
};

/// As long as the state is the same, every entity has what it had in tables.
struct row_state {
    std::uint64_t cache_version{};
    std::uint64_t row_changes{};
    std::size_t tables{}; ///< 0: the state of no world.

    [[nodiscard]] static inline row_state of(const engine& in) {
        return {in.rows().cache_version(), in.rows().row_changes(), in.rows().tables().size()};
    }
    bool operator==(const row_state&) const = default;
};

/// See the head of this file. Not thread-safe.
class relation_pairs {
  public:
    explicit relation_pairs(entity relation) : relation_(relation) {}

    /// Finds the tables that have the relation, and counts their rows. Constant time when no row has changed,
    /// else linear in the number of such tables and of new ones.
    void survey(const engine& in);

    /// The numbers as of the last survey.
    [[nodiscard]] std::size_t sources() const { return rows_; }
    [[nodiscard]] std::size_t pairs() const { return pairs_; }
    /// Whether a pair may be disabled at some entity, which lists of pairs do not show.
    [[nodiscard]] bool may_be_disabled() const { return togglable_; }
    [[nodiscard]] entity relation() const { return relation_; }

    /// Brings the lists up to date, after a survey. Constant time when no row has changed; linear in the
    /// number of sources when rows of other tables have, else in that of pairs. False when there are no
    /// lists, because the indices are too far apart.
    [[nodiscard]] bool refresh();
    /// Adds all sources to the list, as of the last survey.
    void append_owners(std::vector<entity>& all) const;

    [[nodiscard]] inline const sorted_lists& targets() const { return targets_; }
    [[nodiscard]] inline const sorted_lists& sources_of() const { return sources_; }

  private:
    /// A table with pairs of the relation.
    struct home {
        const table* in;
        const column* links;                ///< The column of targets, when they are in one.
        std::vector<std::uint32_t> targets; ///< The targets of every row, when they are in the type.
    };

    /// Numbers of owners and of links that a comparison has come to.
    struct position {
        std::size_t owner{};
        std::size_t link{};
    };

    void find_homes(const engine& in);
    [[nodiscard]] bool is_current() const;
    void make_lists();
    [[nodiscard]] std::vector<sorted_lists::edge> gather();
    void gather_links(const home& h, std::vector<sorted_lists::edge>& edges);
    void gather_types(const home& h, std::vector<sorted_lists::edge>& edges);
    [[nodiscard]] bool has_changed(const home& h, position& next) const;

    entity relation_;
    std::vector<home> homes_;
    row_state surveyed_;
    row_state made_; ///< The state of the world for which the lists were made.
    std::size_t rows_{};
    std::size_t pairs_{};
    bool togglable_{};

    bool is_made_{};   ///< The lists are those of the tables named here.
    bool has_lists_{}; ///< The indices were near enough to each other.
    std::vector<std::size_t> rows_of_homes_;
    std::vector<entity> owners_;
    std::vector<entity> linked_; ///< Targets of the rows whose targets are in a column.
    sorted_lists targets_;
    sorted_lists sources_;
};

} // namespace ecs
