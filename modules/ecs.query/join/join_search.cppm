// SPDX-License-Identifier: MIT
// Goes through the levels of a plan: at each, one variable takes the values that are on all of its lists.
export module ecs.query:join_search;
import ecs.std;
import ecs.id;
import ecs.structure;
import :join_plan;
import :joins;
import :relation_pairs;

export namespace ecs {

/// See the head of this file. The stack is as deep as there are variables. For one search.
class join_search {
  public:
    join_search(const engine& of, join_subjects& subjects, join_memory& memory, join_plan& plan,
                std::span<const std::string> names, const join::wish& asked);

    /// Returns the number of answers. Throws what the visitor throws.
    std::size_t run();

  private:
    /// What becomes of the candidates of a level.
    enum class way : std::uint8_t { are_tried, are_counted, lead_to_counted };

    [[nodiscard]] way way_of(std::size_t depth) const;
    void go(std::size_t depth);
    [[nodiscard]] bool gather(std::size_t depth);
    [[nodiscard]] bool take(std::size_t depth, std::uint32_t candidate);
    void take_nothing(std::size_t depth);
    void go_below(std::size_t depth);
    [[nodiscard]] bool passes(const join_level& level) const;
    void answer();
    [[nodiscard]] bool is_counted(std::size_t depth) const;
    [[nodiscard]] bool is_passed_through(std::size_t depth) const;
    void count_through(index_list candidates);
    [[nodiscard]] index_list list_of(const join_edge& e) const;
    [[nodiscard]] index_list list_of(const join_ends& e) const;
    [[nodiscard]] index_list found_by_binder(std::size_t depth);
    [[nodiscard]] id word_of(const join_term& t) const;
    [[nodiscard]] bool holds(const join_term& t) const;

    const engine* engine_;
    join_subjects* subjects_;
    join_memory* memory_;
    join_plan* plan_;
    std::span<const join_level> levels_;
    std::span<const std::string> names_;
    const join::wish* asked_;
    std::uint32_t tried_{};
    std::vector<std::uint32_t> indices_;                    ///< Of what the variables stand for, or no_index,
    std::vector<entity> values_;                            ///< and they themselves.
    std::vector<std::vector<index_list>> lists_;            ///< Of each level, what is left of them.
    std::vector<std::vector<std::uint32_t>> bound_by_term_; ///< Of levels with a binder: who satisfies it.
    std::vector<way> ways_;                                 ///< By level.
    bool needs_values_; ///< Somebody looks at the values before all of them are there, or then.
    bool counts_lists_; ///< The last variable is on one list, and is only counted.
    std::size_t answers_ = 0;
};

} // namespace ecs
