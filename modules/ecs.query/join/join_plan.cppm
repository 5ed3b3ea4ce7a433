// SPDX-License-Identifier: MIT
// In which order the variables of a join get their values, and what has to hold for each. The order is made
// for each search, from what the world holds then: the variable that is expected to have the fewest
// candidates comes next. Variables that may be missing come last.
export module ecs.query:join_plan;
import ecs.std;
import ecs.id;
import ecs.core;
import ecs.structure;
import :join_branch;
import :joins;
import :query;
import :relation_lists;
import :relation_pairs;

export namespace ecs {

/// What is known of relations and of subjects, from one search to the next.
class join_memory {
  public:
    /// The arrays of a relation, surveyed.
    [[nodiscard]] relation_pairs& pairs_of(const engine& in, std::uint32_t index);

    /// The indices of all entities that are the relation of some pair, in order.
    [[nodiscard]] std::vector<std::uint32_t> relations(const engine& in) const;

    /// Begins a search: forgets which entities are subjects, unless that has not changed.
    void refresh(const engine& in, join_subjects& subjects);
    /// The number of subjects, which is counted when it is asked for.
    [[nodiscard]] std::size_t number_of(join_subjects& subjects);
    [[nodiscard]] inline bool is_subject(const engine& in, join_subjects& among, std::uint32_t index) {
        return are_subjects_.test(index) || (!asked_.test(index) && ask_subject(in, among, index));
    }

    /// The indices of all entities that show the identifier, with prefabs and disabled entities, in order.
    /// The target is that of a pair with one, and alive. The list stays as it is until the next search
    /// begins.
    [[nodiscard]] const std::vector<std::uint32_t>& holders(engine& in, id word, entity target);

  private:
    struct known_holders {
        query<> asking;
        entity target{}; ///< The whole handle: the word is that of later owners of the index, too.
        std::vector<std::uint32_t> found{};
        row_state found_at{};
        bool stays{};
        std::uint64_t search{}; ///< The last search that asked.
    };

    [[nodiscard]] bool ask_subject(const engine& in, join_subjects& among, std::uint32_t index);

    flat_map<std::unique_ptr<relation_pairs>> pairs_;  ///< By the index of the relation.
    flat_map<std::unique_ptr<known_holders>> holders_; ///< By the identifier.
    std::uint64_t search_{};                           ///< The number of the search.
    row_state asked_at_;
    bool stays_{};                        ///< Tables alone decide which entities are subjects.
    std::optional<std::size_t> subjects_; ///< The number of subjects.
    bit_pages asked_;                     ///< The entities that were asked,
    bit_pages are_subjects_;              ///< and those that are subjects.
};

/// Stands for no entity where the index of an entity is expected.
inline constexpr std::uint32_t no_index = ~std::uint32_t{0};

/// A list of candidates: the targets of an entity, or its sources.
struct join_edge {
    relation_lists* lists;    ///< Null when a variable is the relation.
    std::size_t relation;     ///< The variable that is the relation.
    std::size_t other;        ///< The variable whose targets or sources they are; none for a constant.
    std::uint32_t constant{}; ///< The index of the constant.
    bool forwards{};          ///< Leads to targets.
};

/// Who is on the list of a relation for which a variable stands.
enum class join_end : std::uint8_t { sources, targets, holders };

/// All sources, all targets or all holders in the relation that a variable stands for.
struct join_ends {
    std::size_t relation;
    join_end which;
};

/// A variable, with what decides for which entities it may stand.
struct join_level {
    std::size_t variable{};
    std::vector<join_edge> edges;                    ///< Lists that a candidate has to be on.
    std::optional<join_ends> ends;                   ///< One more list.
    std::optional<std::vector<std::uint32_t>> among; ///< Candidates that depend on no other variable,
    std::optional<index_list> listed;                ///< or they are kept elsewhere.
    std::vector<const join_term*> checks;            ///< Terms that are asked when it has a value.
    std::vector<const join_terms*> exclusions;       ///< At least one term of each must not hold then.
    std::vector<const join_terms*> own_exclusions;   ///< The same, whatever their own variables stand for.
    const join_term* binder{};                       ///< A term that may be missing; asked of each candidate.
    bool optional{};                                 ///< The variable is null when there is no candidate.
    bool asks_subjects{};                            ///< It is the subject, and has to satisfy the query.
};

/// See the head of this file. For one search.
class join_plan {
  public:
    /// The branch has to stay as it is. Throws std::invalid_argument when a variable cannot be bound.
    join_plan(engine& of, join_subjects& subjects, const join_branch& branch,
              std::span<const std::string> names, std::span<const entity> given, join_memory& kept,
              bool subjects_first = false);

    /// The share of one of several threads in a plan that has its subjects first, and was prepared: a part of
    /// the subjects, in order. The plan has to stay.
    join_plan(const join_plan& whole, index_list subjects);

    /// Makes in advance what the searches of several threads would otherwise make at the same time.
    void prepare();

    [[nodiscard]] inline std::span<const join_level> levels() const { return levels_; }
    [[nodiscard]] inline const join_branch& branch() const { return branch_; }
    /// Whether the search has to search within itself, which several threads cannot do at once.
    [[nodiscard]] bool has_own_exclusions() const;
    /// Whether the entity is the relation of some pair.
    [[nodiscard]] bool is_relation(std::uint32_t index);
    /// The lists of a relation; nullptr when there is no pair of it.
    [[nodiscard]] relation_lists* lists_of_relation(std::uint32_t index);
    [[nodiscard]] std::string text() const;

  private:
    join_plan(const join_plan&) = default;

    struct choice {
        enum class source : std::uint8_t {
            nothing,
            given,
            subjects,
            edges,
            holders,
            targets,
            sources,
            relations,
            term_that_may_be_missing
        };

        std::size_t variable{};
        source from{};
        const join_term* term{};
        std::size_t cost = ~std::size_t{0};
    };

    [[nodiscard]] choice cheapest();
    void consider(choice& best, const choice& other) const;
    void consider_term(choice& best, const join_term& t);
    void consider_pair(choice& best, const join_term& t);
    void consider_edges(choice& best, std::size_t variable);
    void bind(const choice& chosen);
    void bind_optional(const join_branch::binder& next);
    void take_candidates(const choice& chosen, join_level& level);
    void take_ends(const join_term& t, bool sources, join_level& level);
    void take_all_candidates(const join_term& t, join_level& level);
    void take_terms(join_level& level, const choice& chosen);
    void take_exclusions(join_level& level);
    [[nodiscard]] bool has_own_variables(const join_terms& all) const;
    void settle(join_level&& level, const choice& chosen);
    [[nodiscard]] bool all_bound(const join_term& t) const;
    [[nodiscard]] bool is_open(std::size_t variable) const {
        return variable != join_term::none && !bound_[variable];
    }
    [[nodiscard]] std::uint32_t index_if_alive(entity e) const;
    [[nodiscard]] bool all_needed_bound() const;
    [[nodiscard]] bool has_relation(const join_term& t) const;
    [[nodiscard]] std::optional<join_edge> edge_to(std::size_t variable, const join_term& t);
    [[nodiscard]] std::size_t length_of(const join_edge& e) const;
    [[nodiscard]] index_list relations();
    [[nodiscard]] relation_lists& lists_of(id word);
    [[nodiscard]] index_list holders_of(const join_term& t);
    [[nodiscard]] std::string name_of(std::size_t variable) const;
    [[nodiscard]] std::string explained(const join_level& level, const choice& chosen) const;
    [[noreturn]] void refuse(std::size_t variable) const;
    [[nodiscard]] std::size_t first_open() const;

    engine& engine_;
    join_subjects& subjects_;
    const join_branch& branch_;
    std::span<const std::string> names_;
    std::span<const entity> given_;
    join_memory& kept_;
    std::vector<bool> bound_;
    bool subjects_first_;
    std::vector<bool> used_;      ///< Which terms are used,
    std::vector<bool> excluding_; ///< and which exclusions.
    std::optional<std::vector<std::uint32_t>> relations_;
    std::deque<relation_lists> lists_;
    flat_map<std::uint32_t> number_of_lists_;
    std::vector<join_level> levels_;
    std::vector<choice> choices_; ///< The choices of the levels.
    std::size_t expected_ = 1;    ///< How many values all variables so far have together.
};

} // namespace ecs
