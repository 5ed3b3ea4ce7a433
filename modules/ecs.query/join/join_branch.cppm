// SPDX-License-Identifier: MIT
// What a search looks for at once: the terms of a join with one alternative of each condition, and which of
// the variables they give a value.
export module ecs.query:join_branch;
import ecs.std;
import ecs.id;
import :joins;

export namespace ecs {

/// See the head of this file.
class join_branch {
  public:
    /// A variable that occurs only in a term that may be missing.
    struct binder {
        std::size_t variable{};
        std::size_t term{}; ///< The number of that term.
    };

    /// Answers hold the terms, and none of the exclusions as a whole. A variable that is bindable occurs in
    /// some term that could give it a value, if only in another alternative. Throws std::invalid_argument
    /// when a variable has no way to a value.
    join_branch(join_terms terms, std::vector<join_terms> exclusions, const std::vector<bool>& bindable,
                std::span<const entity> given, std::span<const std::string> names);

    /// Whether there may be answers at all: no value is given to a variable that has none in this branch.
    [[nodiscard]] bool is_possible() const { return possible_; }
    [[nodiscard]] std::span<const join_term> terms() const { return terms_; }
    [[nodiscard]] std::span<const join_terms> exclusions() const { return exclusions_; }
    /// Whether the variable has a value in each answer, as opposed to one that may be missing.
    [[nodiscard]] bool needs(std::size_t variable) const { return uses_[variable] == use::needed; }
    /// Whether the variable has no value in any answer: it occurs in other alternatives.
    [[nodiscard]] bool lacks(std::size_t variable) const { return uses_[variable] == use::missing; }
    /// The binders, in the order in which they depend on each other.
    [[nodiscard]] std::span<const binder> binders() const { return binders_; }

  private:
    enum class use : std::uint8_t { missing, needed, open, optional };

    void note_needed();
    void note_missing(const std::vector<bool>& bindable);
    void find_binders();
    [[nodiscard]] bool bind_next();
    [[nodiscard]] bool require_term_of_given();
    void require_given();
    void require(std::size_t variable);
    void require_no_open() const;

    join_terms terms_;
    std::vector<join_terms> exclusions_;
    std::span<const entity> given_;
    std::span<const std::string> names_;
    std::vector<use> uses_;
    std::vector<binder> binders_;
    bool possible_ = true;
};

/// Calls visit(join_branch&) for each combination of alternatives, until it returns false. What an earlier
/// alternative of a group finds is excluded from the later ones.
void for_each_branch(const join_terms& terms, std::span<const std::vector<join_terms>> groups,
                     const std::vector<bool>& bindable, std::span<const entity> given,
                     std::span<const std::string> names, const std::function<bool(join_branch&)>& visit);

} // namespace ecs
