// SPDX-License-Identifier: MIT
// Variables in queries: which entities like something that is an enemy?
//
//   world.query().with(pair(likes, var("x"))).with(enemy, var("x"))
//
// A join finds every binding of its variables for which all terms hold. It gives one variable after the other
// a value: values that are on all lists that follow from the terms and the values so far. The lists are
// sorted, and are intersected. A search takes no longer than the largest possible answer of such terms,
// except for the checks of each candidate (Ngo, Porat, Re, Rudra, "Worst-case optimal join algorithms", 2012;
// the intersection is that of Veldhuizen, "Leapfrog triejoin", 2014).
export module ecs.query:joins;
import ecs.std;
import ecs.id;
import ecs.core;
import ecs.relation;
import ecs.structure;
import :joined_condition;
import :joined_word;
import :parallel_for;

export namespace ecs {

/// The values of the variables of a join in one of its answers.
class bindings {
  public:
    bindings(std::span<const std::string> names, std::span<const entity> values)
        : names_(names), values_(values) {}

    /// The entity that the query is about.
    [[nodiscard]] entity subject() const { return values_.front(); }

    /// The value of the variable; null where a term that may be missing is missing, and where another
    /// alternative holds. Throws std::invalid_argument when the query has no such variable.
    [[nodiscard]] entity operator[](std::string_view variable) const;

  private:
    std::span<const std::string> names_; ///< The first is that of the subject, and empty.
    std::span<const entity> values_;
};

/// The entities that a join is about, as a query knows them.
class join_subjects {
  public:
    virtual ~join_subjects() = default;
    [[nodiscard]] virtual std::size_t count() = 0;
    [[nodiscard]] virtual std::vector<entity> all() = 0;
    [[nodiscard]] virtual bool contain(entity e) = 0;
    /// Whether the subjects are the same as long as no row of the world changes.
    [[nodiscard]] virtual bool stay() = 0;
};

/// A question with variables, by their numbers; 0 is the entity that the query is about.
struct join_term {
    static constexpr std::size_t none = ~std::size_t{0};

    std::size_t variable{};      ///< The variable that has it; none when it is one entity.
    entity holder{};             ///< That entity.
    id word;                     ///< With a wildcard in the place of each variable.
    std::size_t relation = none; ///< The variable that is the relation,
    std::size_t target = none;   ///< and the variable that is the target.
    entity constant{};           ///< The target of a pair that has one.
    bool negated{};
    bool optional{}; ///< Gives a variable its values, if there are some.

    /// Whether it is about pairs with one target, which is null when that had ended before the term was made.
    [[nodiscard]] bool names_target() const { return word.is_pair() && word.target_index() != 0; }

    /// Calls visit(number) for each of its variables.
    void for_each_variable(auto&& visit) const {
        if (variable != none) visit(variable);
        if (relation != none) visit(relation);
        if (target != none) visit(target);
    }
};

/// Terms of which some, or all, have to hold.
using join_terms = std::vector<join_term>;

class join_memory;

/// Terms about variables, and the search for what satisfies them. What a search finds out about relations is
/// kept for the next search; a copy begins anew. Not thread-safe.
class join {
  public:
    using visitor = std::function<void(const bindings&)>;
    using step_function = std::function<void()>;
    /// Calls its argument with a visitor that no other thread has.
    using visitor_lender = std::function<void(const std::function<void(const visitor&)>&)>;
    static constexpr std::uint32_t candidates_of_a_step = 256;

    /// What is wanted of a search.
    struct wish {
        visitor visit{}; ///< Null: answers are only counted.
        /// Called each time that candidates_of_a_step candidates were tried; may throw.
        step_function on_step{};
        std::size_t limit = ~std::size_t{0}; ///< The search ends soon after that many answers.
    };

    explicit join(engine& of);
    join(const join& other);
    join(join&& other) noexcept;
    join& operator=(const join& other);
    join& operator=(join&& other) noexcept;
    ~join();

    /// A term that has to hold. Throws std::invalid_argument for null.
    void add(const joined_word& asked);
    /// Adds a term that gives a variable its values, if there are some; else the variable is null. Throws
    /// std::invalid_argument for null.
    void add_optional(const joined_word& asked);
    /// Throws std::invalid_argument for null, and when all conditions together have more alternatives than
    /// joined_condition::max_words.
    void add(const joined_condition& asked);

    /// Gives a variable its value in the searches to come. Throws std::invalid_argument for null, and when no
    /// term has the variable.
    void set(std::string_view variable, entity e);
    /// Lets the variable stand for all entities that satisfy the terms. Throws std::invalid_argument when no
    /// term has the variable.
    void unset(std::string_view variable);
    /// Throws std::invalid_argument for null, which no variable stands for.
    static void require_value(std::string_view variable, entity e);

    /// Forgets what is known of the subjects: they are others now.
    void forget();

    /// Finds every binding once, up to the limit. Returns the number of bindings, which may be more than the
    /// limit when they were only counted. Throws std::invalid_argument when a variable occurs in no term that
    /// could bind it: with, not without.
    std::size_t search(join_subjects& subjects, const wish& asked);

    /// Whether there is a binding about that subject, and not another one. Throws as search.
    [[nodiscard]] bool has_answer(join_subjects& subjects, entity subject);

    /// Visits every binding once, on several threads if there is enough to do. One thread has all bindings of
    /// subjects that share a chunk, one subject behind the other, and a visitor of its own. When that throws,
    /// the first exception is thrown here. Throws as search.
    void par_each(join_subjects& subjects, executor& on, const visitor_lender& lend, parallel_options how);

    /// The order in which the variables get values, and from where, with the numbers by which the order was
    /// chosen. Throws as search.
    [[nodiscard]] std::string explain(join_subjects& subjects);

  private:
    void require_no_search() const;
    [[nodiscard]] std::size_t number_of(std::string_view variable);
    [[nodiscard]] entity& given_value(std::string_view variable);
    [[nodiscard]] join_term term_of(const joined_word& asked);
    void note_bound(const join_term& t);
    void take_variables_back_on_failure(const auto& adding);
    [[nodiscard]] bool has_dead_value() const;
    [[nodiscard]] std::vector<std::vector<std::uint32_t>> by_chunks(join_subjects& subjects) const;

    engine* engine_;
    std::vector<std::string> names_{std::string()};
    std::vector<entity> given_{entity()}; ///< The values that were set; null where there is none.
    std::vector<bool> bindable_{true};    ///< Whether some term could give the variable its values.
    join_terms terms_;
    std::vector<std::vector<join_terms>> groups_; ///< One alternative of each group has to hold.
    std::unique_ptr<join_memory> memory_;         ///< Null while a search has it.
    std::size_t searches_{};                      ///< How many go on, one within the other.
};

} // namespace ecs
