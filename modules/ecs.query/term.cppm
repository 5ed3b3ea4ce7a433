// SPDX-License-Identifier: MIT
// The terms of a query: what each asks for, how a type or the parameter of a function stands for a term, and
// how its values are reached in a chunk.
export module ecs.query:term;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :ancestor_finder;

export namespace ecs {

/// hidden asks for what entities have and disable. The last three ask for what has happened to a component
/// since the query last looked. Scripts for debuggers know their order: see debug/ecs_worlds.py.
enum class term_kind : std::uint8_t { with, without, optional, hidden, added, changed, removed };

struct term {
    id pattern;
    term_kind kind{};
    bool fetched{};        ///< Its value is handed to the caller, once for each identifier that matches.
    bool written{};        ///< Its value is handed out to be written.
    bool valued{};         ///< Its value is handed out as one of a certain type.
    sparse_set* sparse{};  ///< The set of a component that is kept outside tables.
    change_ticks* ticks{}; ///< Ticks of a component that a query tracks.
    change_tick since{};   ///< Of term_kind::removed: since when losses count.
    bool marks{};          ///< A query tracks what is handed out to be written.
    entity target{};       ///< Target of the pattern: when it ends, the pattern stands for nothing.
    std::shared_ptr<const chain_sources>
        chains{};     ///< The entities that have a pair of a transitive relation.
    entity above{};   ///< The relation whose chain leads to the entity of the term; null: the entity itself.
    bool itself{};    ///< With such a relation: the entity itself is asked first.
    bool tested{};    ///< A question of a condition; alone it demands nothing.
    bool of_other{};  ///< The term is about one entity, whatever the row is:
    entity subject{}; ///< this one,
    bool other_has{}; ///< whose answer was this when the query last looked.
    bool meets_itself{}; ///< The target itself has the pair, wherever it is.
    const table* home{}; ///< The table that such a target was in when the query last looked.
    bool kinds{};        ///< Kinds of the component count, too; chains knows them then.
    std::vector<sparse_set*> sparse_members{}; ///< The sets of those kinds that are kept outside tables.
};

/// Where the values of a fetched term are in the chunks of a table.
struct fetched_term {
    const column* values{};                 ///< Null when the table has no values of it.
    const sparse_set* sparse{};             ///< Set for a component that is kept outside tables.
    std::uint32_t position = table::absent; ///< The position in the table's type.
    entity base{};                          ///< The entity whose value it is, when it is inherited.
    id word{};             ///< The identifier that the term's pattern matched; null when the term is missing.
    const column* links{}; ///< The targets, when a relation keeps them in a column.
    entity target{};       ///< The only target that counts there; null when all do.
    /// Nothing, in those rows that have none of what other matches of the table have.
    bool only_where_none{};

    /// Whether the row's target is one that counts.
    [[nodiscard]] inline bool counts(row_ref at) const {
        return !target || reinterpret_cast<const link*>(links->value(at))->target == target;
    }
};

/// A term, or a parameter of what a loop calls: the pair that the N-th wildcard among the terms matched,
/// counted from 0 in the order in which they are written. It makes a filter with(pair(likes, any)) match once
/// for each pair.
template <std::size_t N> struct matched_nth {
    id pair;
    entity relation;
    entity target; ///< Null for a pair with a number or a link.
};

/// What the first wildcard matched.
using matched = matched_nth<0>;

/// Stands for child_of, which has no type, where a term names no other relation.
struct parents {};

/// A term: the component of the nearest parent, grandparent and so on that has it, not of the entity itself;
/// with a second type, such as up<const Harbour, DockedAt>, of the nearest entity along that relation. Over
/// several targets, the nearest. Entities without one are passed over, unless it is asked for as up<T*>.
/// Linear in the distance.
template <class T, class Relation = parents> struct up {};

/// A term: the same, and the entity itself comes first.
template <class T, class Relation = parents> struct self_or_up {};

// Terms as types: T and const T are required, T* and const T* may be missing, entity asks for the handle.

template <class Term> struct term_traits {
    using component = std::remove_const_t<Term>;
    using value = value_of<Term>;
    static constexpr term_kind kind = term_kind::with;
    using argument = value&;
};
template <class Term> struct term_traits<Term*> {
    using component = std::remove_const_t<Term>;
    using value = value_of<Term>;
    static constexpr term_kind kind = term_kind::optional;
    using argument = value*;
};

template <std::size_t N> struct term_traits<matched_nth<N>> {
    using component = void;
    using value = void;
    static constexpr term_kind kind = term_kind::optional;
    using argument = matched_nth<N>;
};
template <std::size_t N> struct term_traits<const matched_nth<N>> : term_traits<matched_nth<N>> {};
template <class T, class R> struct term_traits<up<T, R>> : term_traits<T> {
    using relation = R;
};
template <class T, class R> struct term_traits<self_or_up<T, R>> : term_traits<up<T, R>> {};

template <class Term>
inline constexpr bool is_entity_term = std::is_same_v<std::remove_const_t<Term>, entity>;

/// How many wildcards a term needs, so that it can hand out what one of them matched.
template <class Term> inline constexpr std::size_t wildcards_of = 0;
template <std::size_t N> inline constexpr std::size_t wildcards_of<matched_nth<N>> = N + 1;
template <std::size_t N> inline constexpr std::size_t wildcards_of<const matched_nth<N>> = N + 1;
template <class Term> inline constexpr bool is_matched_term = wildcards_of<Term> != 0;

/// Whether the term hands out nothing that could be written.
template <class Term> inline constexpr bool reads_only = std::is_const_v<typename term_traits<Term>::value>;
template <class Term>
    requires(is_entity_term<Term> || is_matched_term<Term>)
inline constexpr bool reads_only<Term> = true;

template <class Term> inline constexpr bool is_up_term = false;
template <class T, class R> inline constexpr bool is_up_term<up<T, R>> = true;
template <class T, class R> inline constexpr bool is_up_term<self_or_up<T, R>> = true;
template <class T, class R> inline constexpr bool is_service<up<T, R>> = true;
template <class T, class R> inline constexpr bool is_service<self_or_up<T, R>> = true;
template <class Term> inline constexpr bool starts_at_itself = false;
template <class T, class R> inline constexpr bool starts_at_itself<self_or_up<T, R>> = true;

/// Whether the term hands out, to be written, a value above an entity.
template <class Term>
inline constexpr bool is_written_above =
    is_up_term<Term> && !std::is_const_v<typename term_traits<Term>::value> &&
    !std::is_empty_v<typename term_traits<Term>::value>;
template <class Term>
    requires(is_entity_term<Term> || is_matched_term<Term>)
inline constexpr bool is_written_above<Term> = false;

/// Whether two types of component may be the same: a wildcard stands for any.
template <class A, class B> inline constexpr bool may_be_one = std::is_same_v<A, B>;
template <class A, class B>
inline constexpr bool wildcard_same =
    std::is_same_v<A, B> || std::is_same_v<A, wildcard> || std::is_same_v<B, wildcard>;
template <class R, class T, class S, class U>
inline constexpr bool may_be_one<pair_of<R, T>, pair_of<S, U>> = wildcard_same<R, S> && wildcard_same<T, U>;

/// Whether the term hands out, to be written, a value of the component that another term reads above.
template <class Above, class Term> inline constexpr bool writes_what_is_above = false;
template <class Above, class Term>
    requires is_up_term<Above>
inline constexpr bool writes_what_is_above<Above, Term> =
    may_be_one<typename term_traits<Above>::component, typename term_traits<Term>::component> &&
    !std::is_const_v<typename term_traits<Term>::value> &&
    !std::is_empty_v<typename term_traits<Term>::value> && !is_up_term<Term>;
template <class Above, class... Terms>
inline constexpr bool reads_above_what_is_written = (writes_what_is_above<Above, Terms> || ...);

/// Does not compile when threads that have entities of their own would share a value that is written.
template <class... Terms> consteval bool require_writes_apart() {
    static_assert(!(is_written_above<Terms> || ...),
                  "par_each cannot write what is above an entity, because threads would share it: ask for "
                  "up<const T>, or use each");
    static_assert(!(reads_above_what_is_written<Terms, Terms...> || ...),
                  "par_each cannot write a component and read it above the entity, where another thread "
                  "may be writing it: use each");
    return true;
}

/// Whether the term stands for no component of the entity's own row.
template <class Term>
inline constexpr bool is_outside_row = is_entity_term<Term> || is_matched_term<Term> || is_up_term<Term>;

/// Whether the values of a term are kept outside tables.
template <class Term>
inline constexpr bool is_sparse_term =
    !is_outside_row<Term> && is_sparse<typename term_traits<Term>::component>;

/// Whether the values of a term are beside the rows.
template <class Term>
inline constexpr bool is_in_place_term =
    !is_outside_row<Term> && is_in_place<typename term_traits<Term>::component>;

/// Whether the values of a term are in the columns of tables, or would be if a tag had any.
template <class Term> inline constexpr bool is_in_columns = !is_outside_row<Term> && !is_sparse_term<Term>;

/// Points at the values of a term in a chunk, or hands out entities.
template <class Term> class cursor {
    using value = typename term_traits<Term>::value;

  public:
    cursor(chunk* block, const fetched_term& from)
        : values_(from.values ? reinterpret_cast<value*>(from.values->block(block)) : nullptr),
          present_(from.position != table::absent) {}
    /// Where the values begin, or anything for a tag; null where the term is missing.
    explicit cursor(std::byte* start)
        : values_(reinterpret_cast<value*>(start)), present_(start != nullptr) {}

    [[nodiscard]] typename term_traits<Term>::argument operator[](std::size_t row) const {
        if constexpr (std::is_empty_v<value> && std::is_pointer_v<Term>)
            return present_ ? &tag_value<std::remove_const_t<value>>() : nullptr;
        else if constexpr (std::is_empty_v<value>)
            return tag_value<std::remove_const_t<value>>();
        else if constexpr (std::is_pointer_v<Term>)
            return values_ ? values_ + row : nullptr;
        else
            return values_[row];
    }

    /// The argument for a value that is somewhere else; null for a tag or a missing value.
    [[nodiscard]] static typename term_traits<Term>::argument shared([[maybe_unused]] std::byte* elsewhere) {
        if constexpr (std::is_empty_v<value> && std::is_pointer_v<Term>)
            return &tag_value<std::remove_const_t<value>>();
        else if constexpr (std::is_empty_v<value>)
            return tag_value<std::remove_const_t<value>>();
        else if constexpr (std::is_pointer_v<Term>)
            return reinterpret_cast<value*>(elsewhere);
        else
            return *reinterpret_cast<value*>(elsewhere);
    }
    [[nodiscard]] static std::span<value> shared_run(std::byte* elsewhere) {
        return {reinterpret_cast<value*>(elsewhere), 1};
    }

    [[nodiscard]] std::span<value> run(std::uint32_t first, std::uint32_t count) const {
        static_assert(!std::is_empty_v<value>, "a tag has no column: ask for it with with<>()");
        return values_ ? std::span<value>(values_ + first, count) : std::span<value>();
    }

  private:
    value* values_;
    bool present_;
};

template <class Term>
    requires is_entity_term<Term>
class cursor<Term> {
  public:
    cursor(chunk* block, const fetched_term&) : entities_(block->entities()) {}
    [[nodiscard]] entity operator[](std::size_t row) const { return entities_[row]; }
    [[nodiscard]] std::span<const entity> run(std::uint32_t first, std::uint32_t count) const {
        return {entities_ + first, count};
    }

  private:
    const entity* entities_;
};

/// Hands out what a wildcard matched.
template <class Term>
    requires is_matched_term<Term>
class cursor<Term> {
    using value = typename term_traits<Term>::argument;

  public:
    cursor(const engine& in, chunk* block, const fetched_term& from)
        : links_(from.links ? reinterpret_cast<const link*>(from.links->block(block)) : nullptr),
          fixed_(in.rows().entities(), in.reads().pair_behind(from.base, from.word)) {}

    [[nodiscard]] value operator[](std::size_t row) const {
        return links_ ? fixed_.with(links_[row].target) : fixed_.found;
    }

  private:
    struct fixed_match {
        fixed_match(const entity_index& in, id word)
            : found{word, in.at(word.relation_index()),
                    word.kind() == id_kind::pair ? in.at(word.target_index()) : entity{}} {}

        [[nodiscard]] value with(entity target) const {
            return {ecs::pair(found.relation, target), found.relation, target};
        }

        value found;
    };

    const link* links_;
    fixed_match fixed_;
};

/// Whether it stands for the values of pairs of whatever relation.
template <class T> inline constexpr bool is_of_any_relation = false;
template <class Target> inline constexpr bool is_of_any_relation<pair_of<wildcard, Target>> = true;

/// Looks for the value above each entity.
template <class Term>
    requires is_up_term<Term>
class cursor<Term> {
    static_assert(!is_of_any_relation<std::remove_const_t<typename term_traits<Term>::component>>,
                  "up hands out the value of one relation, not of whatever relation: name it, as in "
                  "up<pair_of<R, T>>");
    using argument = typename term_traits<Term>::argument;
    using value = typename term_traits<Term>::value;
    static constexpr bool may_be_missing = term_traits<Term>::kind == term_kind::optional;

  public:
    cursor(const engine& in, chunk* block, const term& of)
        : above_(in, block, of.above, of.pattern, starts_at_itself<Term>) {}

    /// Where the value is that is shown above the row; nullptr when there is none.
    [[nodiscard]] value* find(std::size_t row) const {
        const entity owner = above_.find(row);
        return owner ? found(owner) : nullptr;
    }

    /// The same for the rows from the first to the end, at most 64. Returns which of them have one: the
    /// lowest bit stands for the first.
    [[nodiscard]] std::uint64_t find_values(std::uint32_t first, std::uint32_t end,
                                            std::byte** values) const {
        if constexpr (std::is_empty_v<value>) {
            std::uint64_t rows = 0;
            for (std::uint32_t row = first; row != end; ++row) {
                values[row - first] = address_of_tag(find(row));
                rows |= std::uint64_t{values[row - first] != nullptr} << (row - first);
            }
            return rows;
        } else {
            return above_.find_values(first, end, values);
        }
    }

    /// The called function may disable what the loop has found; the value is handed out nevertheless.
    [[nodiscard]] argument operator[](std::size_t row) const {
        if constexpr (may_be_missing) {
            return find(row);
        } else {
            const entity owner = above_.find(row);
            return *found(owner ? owner : above_.find_hidden(row));
        }
    }

  private:
    [[nodiscard]] static std::byte* address_of_tag(value* tag) {
        return reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<value>*>(tag));
    }
    [[nodiscard]] value* found(entity owner) const {
        if constexpr (std::is_empty_v<value>)
            return &tag_value<std::remove_const_t<value>>();
        else if constexpr (is_sparse<typename term_traits<Term>::component>) {
            // A loop may set a value that is made anew elsewhere in the set.
            return reinterpret_cast<value*>(above_.value_of(owner));
        } else {
            if (std::exchange(owner_, owner) != owner)
                value_ = reinterpret_cast<value*>(above_.value_of(owner));
            return value_;
        }
    }

    mutable ancestor_finder above_;
    mutable entity owner_{}; ///< Who had the value that was found last,
    mutable value* value_{}; ///< and where that is.
};

/// What a loop hands out for the 64 rows of a block, all of which are looked at before the first is visited:
/// a function that the loop calls may hide what the loop has found.
template <class Term> class block_of_values {
  public:
    /// Which of the rows have what the term requires.
    [[nodiscard]] static std::uint64_t look(const cursor<Term>&, std::uint32_t, std::uint32_t) {
        return ~std::uint64_t{0};
    }
    [[nodiscard]] static decltype(auto) at(const cursor<Term>& own, std::uint32_t row) { return own[row]; }
};
template <class Term>
    requires is_up_term<Term>
class block_of_values<Term> {
    using value = typename term_traits<Term>::value;
    static constexpr bool may_be_missing = term_traits<Term>::kind == term_kind::optional;

  public:
    /// Looks above the rows from a multiple of 64 on, at most 64.
    [[nodiscard]] std::uint64_t look(const cursor<Term>& above, std::uint32_t first, std::uint32_t end) {
        const std::uint64_t rows = above.find_values(first, end, found_.data());
        return may_be_missing ? ~std::uint64_t{0} : rows;
    }
    [[nodiscard]] typename term_traits<Term>::argument at(const cursor<Term>&, std::uint32_t row) const {
        auto* const found = reinterpret_cast<value*>(found_[row % 64]);
        if constexpr (may_be_missing)
            return found;
        else
            return *found;
    }

  private:
    std::array<std::byte*, 64> found_{};
};

template <class Term>
    requires(is_sparse_term<Term> && !is_in_place_term<Term>)
class cursor<Term> {
    using value = typename term_traits<Term>::value;

  public:
    cursor(chunk* block, const fetched_term& from)
        : entities_(block->entities()), sparse_(from.sparse), base_(index_of(from.base)) {}

    [[nodiscard]] typename term_traits<Term>::argument operator[](std::size_t row) const {
        std::uint32_t index = index_of(entities_[row]);
        if (base_ != 0 && !sparse_->contains(index)) [[unlikely]]
            index = base_;
        if constexpr (std::is_pointer_v<Term>)
            return index == base_ || (sparse_ && sparse_->enabled(index)) ? found(index) : nullptr;
        else
            return *found(index);
    }

    [[nodiscard]] std::span<value> run(std::uint32_t, std::uint32_t) const {
        static_assert(!is_sparse_term<Term>,
                      "a component that is kept outside tables has no column: use each");
        return {};
    }

  private:
    [[nodiscard]] value* found(std::uint32_t index) const {
        if constexpr (std::is_empty_v<value>)
            return &tag_value<std::remove_const_t<value>>();
        else
            return reinterpret_cast<value*>(sparse_->find(index));
    }

    const entity* entities_;
    const sparse_set* sparse_; ///< Null when the component has ended.
    /// Index of the base that entities without a value of their own inherit from; 0: none.
    std::uint32_t base_;
};

/// Points at the values beside the rows of a chunk. A row that has none shows the value of its base.
template <class Term>
    requires is_in_place_term<Term>
class cursor<Term> {
    using value = typename term_traits<Term>::value;
    static constexpr bool may_be_missing = std::is_pointer_v<Term>;

  public:
    cursor(chunk* block, const fetched_term& from)
        : of_(from.sparse ? from.sparse->in_place() : nullptr),
          number_(block->number()),
          values_(of_ ? reinterpret_cast<value*>(of_->values_beside(number_)) : nullptr),
          inherited_(from.base ? reinterpret_cast<value*>(from.sparse->find(index_of(from.base))) : nullptr) {
    }

    [[nodiscard]] typename term_traits<Term>::argument operator[](std::size_t row) const {
        if constexpr (may_be_missing)
            return shown(row);
        else
            return *there(row);
    }

    /// A run of an inherited value is one row long.
    [[nodiscard]] std::span<value> run(std::uint32_t first, std::uint32_t count) const {
        static_assert(!std::is_empty_v<value>, "a tag has no column: ask for it with with<>()");
        static_assert(!may_be_missing, "rows differ in an optional component that comes and goes in place: "
                                       "use each");
        return {there(first), count};
    }

  private:
    [[nodiscard]] location place_of(std::size_t row) const {
        return {number_, static_cast<std::uint32_t>(row)};
    }
    /// The value of a row that has the component, or inherits it.
    [[nodiscard]] value* there(std::size_t row) const {
        if constexpr (std::is_empty_v<value>) {
            return &tag_value<std::remove_const_t<value>>();
        } else {
            if (inherited_ && !of_->has(place_of(row))) [[unlikely]]
                return inherited_;
            return values_ + row;
        }
    }
    [[nodiscard]] value* shown(std::size_t row) const {
        if (!of_ || !(of_->shows(place_of(row)) || (inherited_ && !of_->has(place_of(row))))) return nullptr;
        return there(row);
    }

    const in_place_columns* of_;
    std::uint32_t number_;
    value* values_;
    value* inherited_; ///< The value of the rows' base; null when there is none.
};

/// The terms a function asks for by its parameters.
template <class... Terms> struct term_list {};

/// A parameter that is a copy can only be read.
template <class Parameter> struct term_of_parameter {
    using type = const Parameter;
};
template <class T> struct term_of_parameter<T&> {
    using type = T;
};
template <class T>
    requires is_up_term<T>
struct term_of_parameter<T&> : term_of_parameter<T> {};
template <class T> struct term_of_parameter<T*> {
    using type = T*;
};
template <class T> struct term_of_parameter<T&&> {
    static_assert(sizeof(T) == 0, "a value stays where it is while a loop visits it: take it by T&, by "
                                  "const T& or by T");
    using type = T;
};
/// Does not compile: a pair is a term, and what a loop hands out for it is a value of one of its two types.
template <class Pair> struct pair_as_parameter {
    static_assert(
        sizeof(Pair) == 0,
        "a loop hands out the value of a pair and not a pair_of: write "
        "world.query<const pair_of<R, T>>().each([](const R& value) { ... }), where the value is a T "
        "if R is empty; a system takes query<const pair_of<R, T>>&");
    using type = const Pair;
};
template <class R, class T> struct term_of_parameter<pair_of<R, T>> : pair_as_parameter<pair_of<R, T>> {};
template <class R, class T> struct term_of_parameter<pair_of<R, T>&> : pair_as_parameter<pair_of<R, T>> {};
template <class R, class T> struct term_of_parameter<pair_of<R, T>*> : pair_as_parameter<pair_of<R, T>> {};
template <class R, class T>
struct term_of_parameter<const pair_of<R, T>&> : pair_as_parameter<pair_of<R, T>> {};
template <class R, class T>
struct term_of_parameter<const pair_of<R, T>*> : pair_as_parameter<pair_of<R, T>> {};
template <class F> struct parameters : parameters<decltype(&F::operator())> {};
template <class R, class... P> struct parameters<R (*)(P...)> {
    using terms = term_list<typename term_of_parameter<P>::type...>;
    using written = term_list<P...>; ///< As declared: by value, by reference or by pointer.
};
template <class R, class... P> struct parameters<R(P...)> : parameters<R (*)(P...)> {};
template <class R, class... P> struct parameters<R (*)(P...) noexcept> : parameters<R (*)(P...)> {};
template <class R, class... P> struct parameters<R(P...) noexcept> : parameters<R (*)(P...)> {};
template <class R, class C, class... P> struct parameters<R (C::*)(P...)> : parameters<R (*)(P...)> {};
template <class R, class C, class... P> struct parameters<R (C::*)(P...) const> : parameters<R (*)(P...)> {};
template <class R, class C, class... P>
struct parameters<R (C::*)(P...) noexcept> : parameters<R (*)(P...)> {};
template <class R, class C, class... P>
struct parameters<R (C::*)(P...) const noexcept> : parameters<R (*)(P...)> {};

template <class F> using terms_of_function = typename parameters<std::remove_cvref_t<F>>::terms;

template <class List> inline constexpr bool lists_numbers = false;
template <class... P>
inline constexpr bool lists_numbers<term_list<P...>> =
    ((std::integral<P> || std::is_floating_point_v<P>) || ...);

/// Whether the function takes a number by value, as functions that are told how much time has passed do
/// elsewhere.
template <class F>
inline constexpr bool takes_numbers = lists_numbers<typename parameters<std::remove_cvref_t<F>>::written>;

/// Whether the types of the function's parameters can be read from it.
template <class F>
concept has_parameters = std::is_function_v<std::remove_pointer_t<std::remove_cvref_t<F>>> ||
                         requires { &std::remove_cvref_t<F>::operator(); };

/// Whether it is a member function, which cannot be called without an object.
template <class F> inline constexpr bool is_member_function = false;
template <class Member, class Object> inline constexpr bool is_member_function<Member Object::*> = true;

template <class F> consteval bool require_callable_alone() {
    static_assert(!is_member_function<std::remove_cvref_t<F>>,
                  "a member function needs an object: write a lambda that calls it, as in "
                  "[&game](position& p) { game.move(p); }");
    return true;
}

/// Whether the term requires that the entity of the row has a component, itself or from a base.
template <class Term>
inline constexpr bool is_required_value = !is_outside_row<Term> && term_traits<Term>::kind == term_kind::with;

/// Whether the term requires what nobody has but the component's own entity.
template <class Term> inline constexpr bool is_singleton_term = false;
template <class Term>
    requires is_required_value<Term>
inline constexpr bool is_singleton_term<Term> = is_singleton_type<typename term_traits<Term>::component>;

/// Whether the term requires something else, which the entity of a component does not come with.
template <class Single, class Term>
inline constexpr bool requires_something_else =
    is_required_value<Term> &&
    !std::is_same_v<typename term_traits<Term>::component, typename term_traits<Single>::component> &&
    !std::is_same_v<typename term_traits<Term>::component, component_info>;
template <class Single, class... Terms>
inline constexpr bool is_singleton_beside =
    is_singleton_term<Single> && (requires_something_else<Single, Terms> || ...);

/// Whether some term of the list requires a singleton, and another one what its entity does not have.
template <class List> inline constexpr bool has_singleton_beside_others = false;
template <class... Terms>
    requires(is_singleton_term<Terms> || ...)
inline constexpr bool has_singleton_beside_others<term_list<Terms...>> =
    (is_singleton_beside<Terms, Terms...> || ...);

/// Does not compile for the terms of a function that would be called for nobody.
template <class List> consteval bool require_singletons_alone() {
    static_assert(!has_singleton_beside_others<List>,
                  "only the component's own entity has a singleton: take ecs::resource<const T> in a system, "
                  "or world.singleton<T>() outside");
    return true;
}

/// Whether a loop can read from the function's parameters for which components it is.
template <class F> consteval bool require_components() {
    static_assert(require_callable_alone<F>());
    static_assert(
        has_parameters<F>,
        "each reads the terms off f's parameters, and those of a generic lambda have no types: name "
        "the terms with query<...>().each");
    static_assert(!takes_numbers<F>,
                  "a number is no component that an entity would have: let the lambda capture it, or take it "
                  "by reference if it is a component after all");
    static_assert(require_singletons_alone<terms_of_function<F>>());
    return true;
}

/// The identifier that a type stands for, given the entity of each component type in it.
template <class T, class EntityOf> [[nodiscard]] id id_of_type_with(const EntityOf& entity_of) {
    if constexpr (pair_type<T>) {
        using relation = typename T::relation;
        using target = typename T::target;
        const auto id_of_part = [&]<class Part>(std::type_identity<Part> of) {
            if constexpr (std::is_same_v<Part, wildcard>)
                return any;
            else
                return id(entity_of(of));
        };
        return pair(id_of_part(std::type_identity<relation>{}), id_of_part(std::type_identity<target>{}));
    } else {
        return entity_of(std::type_identity<T>{});
    }
}

/// The identifier that a type stands for in a world; components are registered when need be.
template <class T> [[nodiscard]] id id_of_type(engine& in) {
    return id_of_type_with<T>([&]<class C>(std::type_identity<C>) { return in.component_entity<C>(); });
}

/// The same; null when the store has not met a component of it.
template <class T> [[nodiscard]] id known_id_of_type(const engine& in) {
    if constexpr (pair_type<T>) {
        bool all_known = true;
        const auto known = [&]<class C>(std::type_identity<C>) {
            const entity e = in.rows().registered<C>();
            all_known &= static_cast<bool>(e);
            return e ? e : child_of.stand_in();
        };
        const id word = id_of_type_with<T>(known);
        return all_known ? word : id{};
    } else {
        using component = std::remove_const_t<T>;
        if constexpr (!component_type<component>) static_assert(require_component<component>());
        return in.rows().registered<T>();
    }
}

/// Does not compile for a type along which nothing can be looked for.
template <class R> consteval bool require_relation_above() {
    static_assert(!pair_type<R> && !std::is_same_v<R, wildcard>,
                  "up and self_or_up go along one relation, and not along a pair or along whatever relation: "
                  "write up<const T, R>, where R is the type of the relation");
    return require_relation<R>();
}

/// The relation along which a term looks; a type is registered when need be.
template <class R> [[nodiscard]] id id_of_relation_above([[maybe_unused]] engine& in) {
    if constexpr (std::is_same_v<R, parents>) {
        return child_of;
    } else {
        static_assert(require_relation_above<R>());
        return id_of_type<R>(in);
    }
}

} // namespace ecs
