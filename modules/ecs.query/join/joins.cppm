// SPDX-License-Identifier: MIT
// Variables in queries: who likes something that is an enemy?
//
//   world.query().with(pair(likes, var("x"))).with(enemy, var("x"))
//
// A join finds every binding of its variables for which all terms hold. It gives one variable after the other
// a value: those that are on all lists that the terms and the values so far say. The lists are sorted, and
// are intersected. A search takes no longer than the largest possible answer of such terms, but for the
// checks of each candidate (Ngo, Porat, Re, Rudra, "Worst-case optimal join algorithms", 2012; the
// intersection is that of Veldhuizen, "Leapfrog triejoin", 2014).
export module ecs.query:joins;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.structure;

export namespace ecs {

/// A variable of a query: the same name stands for the same entity in every term.
struct variable {
    std::string_view name;
};

/// The variable of that name; "this" is the entity that the query is about.
[[nodiscard]] constexpr variable var(std::string_view name) { return {name}; }

/// A relation to whatever the variable stands for.
struct pair_with_variable {
    id relation;
    variable target;
};
[[nodiscard]] constexpr pair_with_variable pair(id relation, variable target) { return {relation, target}; }

/// What the variables of a join stand for in one of its answers.
class bindings {
  public:
    bindings(std::span<const std::string> names, std::span<const entity> values)
        : names_(names), values_(values) {}

    /// The entity that the query is about.
    [[nodiscard]] entity subject() const { return values_.front(); }

    /// Throws std::invalid_argument when the query has no such variable.
    [[nodiscard]] entity operator[](std::string_view variable) const;

  private:
    std::span<const std::string> names_; ///< The first is the subject's, and empty.
    std::span<const entity> values_;
};

/// The entities that a join is about, as a query knows them.
class join_subjects {
  public:
    virtual ~join_subjects() = default;
    [[nodiscard]] virtual std::size_t count() = 0;
    [[nodiscard]] virtual std::vector<entity> all() = 0;
    [[nodiscard]] virtual bool contain(entity e) = 0;
    /// Whether they are the same as long as no row of the world changes.
    [[nodiscard]] virtual bool stay() = 0;
};

/// A term about a variable: it has an identifier, or a relation to another variable.
struct join_term {
    static constexpr std::size_t none = ~std::size_t{0};

    std::size_t variable{};    ///< Number of the variable that has it; 0 is the subject.
    id word;                   ///< With a target variable (relation, any).
    std::size_t target = none; ///< Number of the variable that is the target.
    entity constant{};         ///< The target of a word that has one.
    bool negated{};
};

class join_memory;

/// Terms about variables, and the search for what satisfies them. What it finds out about relations is kept
/// from one search to the next; a copy begins anew. Not thread-safe.
class join {
  public:
    using visitor = std::function<void(const bindings&)>;
    using step_function = std::function<void()>;
    static constexpr std::uint32_t candidates_of_a_step = 256;

    /// What is wanted of a search.
    struct wish {
        visitor visit{}; ///< Null: answers are only counted.
        step_function
            on_step{}; ///< Called each time that candidates_of_a_step candidates were tried; may throw.
        std::size_t limit = ~std::size_t{0}; ///< It ends soon after so many answers.
    };

    explicit join(engine& of);
    join(const join& other);
    join(join&& other) noexcept;
    join& operator=(const join& other);
    join& operator=(join&& other) noexcept;
    ~join();

    void add(id word, std::string_view variable, bool negated);
    void add(const pair_with_variable& word, std::string_view variable, bool negated);

    /// What a variable stands for in the searches to come; null: whatever satisfies the terms. Throws
    /// std::invalid_argument when no term has the variable.
    void set(std::string_view variable, entity e);

    /// Finds every binding once, up to the limit. Returns their number, which may be more than the limit when
    /// they were only counted. Throws std::invalid_argument when a variable occurs in no term that could bind
    /// it: with, not without.
    std::size_t search(join_subjects& subjects, const wish& asked);

    /// The order in which the variables get values, and from where, with the numbers that it was chosen by.
    /// Throws as search.
    [[nodiscard]] std::string explain(join_subjects& subjects);

  private:
    [[nodiscard]] std::size_t number_of(std::string_view variable);

    engine* engine_;
    std::vector<std::string> names_{std::string()};
    std::vector<entity> given_{entity()}; ///< What variables were set to; null where they were not.
    std::vector<join_term> terms_;
    std::unique_ptr<join_memory> memory_; ///< Null while a search has it.
};

} // namespace ecs
