// SPDX-License-Identifier: MIT
// The lists that a search asks for: to which targets a source leads in a relation, and which sources lead to
// a target, by whatever rule. Lists of pairs that entities themselves have are read from arrays, when the
// search asks for enough of them; others are found one by one, and kept until the search is over.
export module ecs.query:relation_lists;
import ecs.std;
import ecs.id;
import ecs.core;
import ecs.relation;
import ecs.structure;
import :query;
import :relation_pairs;

export namespace ecs {

/// See the head of this file. For one search, and one relation.
class relation_lists {
  public:
    /// Keeps its arrays in `kept`, which has been surveyed.
    relation_lists(engine& in, id word, relation_pairs& kept);

    /// The targets of the source, in the order of their indices.
    [[nodiscard]] inline index_list targets_of(std::uint32_t source) {
        return ready_ ? kept_->targets().of(source) : find(source, true);
    }
    [[nodiscard]] inline index_list sources_of(std::uint32_t target) {
        return ready_ ? kept_->sources_of().of(target) : find(target, false);
    }
    /// The length of the lists of all of these together.
    [[nodiscard]] inline std::size_t count_ends_of(index_list all, bool forwards) {
        if (ready_) return (forwards ? kept_->targets() : kept_->sources_of()).total_of(all);
        std::size_t count = 0;
        for (const std::uint32_t index : all) count += find(index, forwards).size();
        return count;
    }
    /// The entities that have a target at all, and those that have a source; others may be among them.
    [[nodiscard]] index_list all_sources();
    [[nodiscard]] index_list all_targets();
    /// The entities that have a pair of the relation, with whatever target: a number or an object as well.
    [[nodiscard]] index_list all_holders();

    /// Notes that the search is going to ask for that many lists: makes arrays of all when that is worth it.
    void expect(std::size_t lists);

    /// Makes in advance what threads would otherwise make at the same time: copies then change nothing that
    /// they share.
    void prepare(bool with_ends);

    // Estimates.
    [[nodiscard]] std::size_t sources() const { return std::max<std::size_t>(1, kept_->sources()); }
    [[nodiscard]] std::size_t targets() const;
    [[nodiscard]] std::size_t pairs() const { return kept_->pairs(); }

  private:
    [[nodiscard]] index_list find(std::uint32_t index, bool forwards);
    void make_ready();

    engine* in_;
    id word_; ///< (relation, any)
    relation_pairs* kept_;
    bool has_arrays_;    ///< Every pair is one that an entity itself has, so that arrays show them all.
    bool ready_ = false; ///< They are up to date.
    std::size_t found_ = 0;
    flat_map<std::uint32_t> numbers_[2]; ///< Of the lists that were found, by index: of sources, of targets.
    std::deque<std::vector<std::uint32_t>> lists_;
    std::optional<std::vector<std::uint32_t>> ends_[2];
    std::optional<std::vector<std::uint32_t>> holders_;
};

/// Finds all entities that have the identifier, prefabs and disabled entities among them.
[[nodiscard]] query<> query_of_holders(engine& in, id word);

/// The indices of the entities, in order and each once: a query may find an entity once for each match.
[[nodiscard]] std::vector<std::uint32_t> sorted_indices(const std::vector<entity>& all);

} // namespace ecs
