// SPDX-License-Identifier: MIT
// A query is a list of terms and a memory of the tables that satisfy them. Tables are looked at once, when
// they appear; iterating is then a loop over tables, their chunks and their rows.
module;
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>
export module ecs.world:query;
import ecs.id;
import ecs.relation;
import :chunk;
import :component;
import :entities;
import :executor;
import :parallel_walk;
import :store;
import :table;

namespace ecs {

enum class term_kind : std::uint8_t { with, without, any_of, optional };

struct term {
    id pattern;
    term_kind kind{};
    bool fetched{};  ///< Its value is handed to the caller, once for each identifier that matches.
    entity target{}; ///< Of a pattern with a target: when it ends, the pattern stands for nothing.
};

/// What a fetched term comes to in a match: a column of the table, or the value of a base.
struct fetch {
    const column* from{};
    entity base{}; ///< Null unless the value is inherited.
    id word{};     ///< The identifier that the term's pattern matched; null when the term is missing.
};

/// A table that satisfies the terms, with the columns the caller wants.
struct match {
    table* in{};
    std::uint32_t first_column{}; ///< Of as many columns as there are fetched terms.
    bool by_row{};                ///< Whether some terms have to be asked for each row.
    bool inherits{};              ///< Whether some values are a base's.
};

/// What is the same for every query: terms, matching, and which rows a toggled component hides.
class query_core {
  public:
    inline explicit query_core(store& of) : store_(&of) {}

    void add_term(const term& t);

    /// Looks at the tables that have appeared since; starts again when one has vanished.
    inline void refresh() {
        if (seen_ != store_->tables().size() || removals_ != store_->removals() ||
            meanings_ != store_->meanings()) [[unlikely]]
            look_at_new_tables();
    }

    [[nodiscard]] inline std::span<const match> matches() const { return matches_; }
    [[nodiscard]] inline const column* const* columns(const match& m) const {
        return columns_.data() + m.first_column;
    }

    /// The fetched terms of the match, with more about each than its column.
    [[nodiscard]] inline const fetch* fetches(const match& m) const {
        return fetches_.data() + m.first_column;
    }

    /// The value that all rows of the match inherit; nullptr when the term is not inherited.
    [[nodiscard]] inline std::byte* inherited_value(const match& m, std::size_t fetched_term) const {
        const fetch& f = fetches(m)[fetched_term];
        return f.base ? store_->find(f.base, f.word) : nullptr;
    }
    [[nodiscard]] inline store& of() const { return *store_; }

    /// Whether some rows of the table may be hidden, so that row_mask has to be asked.
    [[nodiscard]] inline static bool has_hidden_rows(const match& m) { return m.in->togglable() || m.by_row; }

    /// Which of the 64 rows from row 64 * block on satisfy the terms.
    [[nodiscard]] std::uint64_t row_mask(const match& m, const chunk& in, std::uint32_t block) const;

    /// Number of matches: of entities when no fetched term is a wildcard.
    [[nodiscard]] std::size_t count();

  private:
    void look_at_new_tables();
    void consider(table& candidate);
    [[nodiscard]] bool accepts(const table& candidate) const;
    [[nodiscard]] presence presence_of(const term& t, const table& candidate) const;
    [[nodiscard]] bool accepts_row(const match& m, entity e) const;
    void forget_matches();
    [[nodiscard]] std::uint64_t disabled_rows(const match& m, const chunk& in, std::uint32_t block) const;
    [[nodiscard]] bool satisfies_any(const table& candidate) const;
    [[nodiscard]] bool is_hidden(const table& candidate) const;
    [[nodiscard]] bool mentions(id word) const;
    void add_matches(table& candidate, std::size_t fetched_term, std::vector<fetch>& chosen);
    void add_match(table& candidate, const std::vector<fetch>& chosen);

    store* store_;
    std::vector<term> terms_;
    std::vector<match> matches_;
    std::vector<const column*> columns_;
    std::vector<fetch> fetches_;
    std::size_t seen_{};
    std::uint64_t removals_{};
    std::uint64_t meanings_{};
};

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

template <class Term>
inline constexpr bool is_entity_term = std::is_same_v<std::remove_const_t<Term>, entity>;

/// Points at the values of a term in a chunk, or hands out entities.
template <class Term> class cursor {
    using value = typename term_traits<Term>::value;

  public:
    cursor(chunk* block, const column* in)
        : values_(in ? reinterpret_cast<value*>(in->block(block)) : nullptr) {}

    /// Finds the value at a row, whatever the row is.
    cursor(std::byte* shared, std::uint32_t row) : values_(reinterpret_cast<value*>(shared) - row) {}

    [[nodiscard]] typename term_traits<Term>::argument operator[](std::uint32_t row) const {
        if constexpr (std::is_pointer_v<Term>)
            return values_ ? values_ + row : nullptr;
        else if constexpr (std::is_empty_v<value>)
            return tag_value<std::remove_const_t<value>>();
        else
            return values_[row];
    }

  private:
    value* values_;
};
template <class Term>
    requires is_entity_term<Term>
class cursor<Term> {
  public:
    cursor(chunk* block, const column*) : entities_(block->entities()) {}
    cursor(std::byte* shared, std::uint32_t) : entities_(reinterpret_cast<entity*>(shared)) {}
    [[nodiscard]] entity operator[](std::uint32_t row) const { return entities_[row]; }

  private:
    const entity* entities_;
};

/// The terms a function asks for by its parameters.
template <class... Terms> struct term_list {};

template <class Parameter> struct term_of_parameter {
    using type =
        std::conditional_t<std::is_pointer_v<Parameter>, Parameter, std::remove_reference_t<Parameter>>;
};
template <class F> struct parameters : parameters<decltype(&F::operator())> {};
template <class R, class... P> struct parameters<R (*)(P...)> {
    using terms = term_list<typename term_of_parameter<P>::type...>;
    using written = term_list<P...>;
};
template <class R, class... P> struct parameters<R(P...)> : parameters<R (*)(P...)> {};
template <class R, class C, class... P> struct parameters<R (C::*)(P...)> : parameters<R (*)(P...)> {};
template <class R, class C, class... P> struct parameters<R (C::*)(P...) const> : parameters<R (*)(P...)> {};
template <class R, class C, class... P>
struct parameters<R (C::*)(P...) noexcept> : parameters<R (*)(P...)> {};
template <class R, class C, class... P>
struct parameters<R (C::*)(P...) const noexcept> : parameters<R (*)(P...)> {};

template <class F> using terms_of_function = typename parameters<std::remove_cvref_t<F>>::terms;

/// The identifier that a type stands for, given the entity of each component type in it.
template <class T, class EntityOf> [[nodiscard]] id id_of_type_with(const EntityOf& entity_of) {
    if constexpr (pair_type<T>) {
        using relation = typename T::relation;
        using target = typename T::target;
        const auto side = [&]<class S>(std::type_identity<S> of) {
            if constexpr (std::is_same_v<S, wildcard>)
                return any;
            else
                return id(entity_of(of));
        };
        return pair(side(std::type_identity<relation>{}), side(std::type_identity<target>{}));
    } else {
        return entity_of(std::type_identity<T>{});
    }
}

/// The identifier that a type stands for in a store; components are registered when need be.
template <class T> [[nodiscard]] id id_of_type(store& in) {
    return id_of_type_with<T>([&]<class C>(std::type_identity<C>) { return in.component_entity<C>(); });
}

/// The same, and null when the store has not met a component of it.
template <class T> [[nodiscard]] id known_id_of_type(const store& in) {
    if constexpr (pair_type<T>) {
        bool all_known = true;
        const auto known = [&]<class C>(std::type_identity<C>) {
            const entity e = in.registered<C>();
            all_known &= static_cast<bool>(e);
            return e ? e : child_of.stand_in();
        };
        const id word = id_of_type_with<T>(known);
        return all_known ? word : id{};
    } else {
        return in.registered<T>();
    }
}

/// The entities that satisfy a list of terms. Terms: T and const T are required and handed out; T* and const
/// T* are handed out and null where missing; entity hands out the entity. Adding and removing is refused
/// while a loop runs. A query may be kept: it learns of new tables by itself. It must not outlive its world.
/// Not thread-safe.
export template <class... Terms> class query {
  public:
    explicit query(store& of) : core_(of) { (add_fetch<Terms>(), ...); }

    // Filters. Each returns the query, to be chained.

    template <class... T> query& with() & { return filter<T...>(term_kind::with); }
    template <class... T> query&& with() && { return std::move(filter<T...>(term_kind::with)); }
    query& with(id word) & { return filter(word, term_kind::with); }
    query&& with(id word) && { return std::move(filter(word, term_kind::with)); }
    template <class... T> query& without() & { return filter<T...>(term_kind::without); }
    template <class... T> query&& without() && { return std::move(filter<T...>(term_kind::without)); }
    query& without(id word) & { return filter(word, term_kind::without); }
    query&& without(id word) && { return std::move(filter(word, term_kind::without)); }
    template <class... T> query& any_of() & { return filter<T...>(term_kind::any_of); }
    template <class... T> query&& any_of() && { return std::move(filter<T...>(term_kind::any_of)); }

    /// Number of matches. Linear in the number of matching tables, or of chunks where components are
    /// disabled.
    [[nodiscard]] std::size_t count() { return core_.count(); }

    /// Calls f for every match, with the entity first when f takes it: f(Terms...) or f(entity, Terms...).
    template <class F> void each(F&& f) {
        core_.refresh();
        const store::walk walking(core_.of());
        for (const match& m : core_.matches())
            if (m.inherits) [[unlikely]]
                visit_heirs(m, f);
            else
                for (chunk* const block : m.in->chunks()) visit(m, block, f);
    }

    /// The same on several threads at once; see world::par_each.
    template <class F> void par_each(executor& on, F&& f) {
        core_.refresh();
        const store::walk walking(core_.of());
        parallel_walk walk;
        for (const match& m : core_.matches())
            for (chunk* const block : m.in->chunks()) walk.add(&m, block, block->count);
        walk.run(on, [&](const void* m, chunk* block) { visit(*static_cast<const match*>(m), block, f); });
    }

  private:
    static constexpr std::size_t fetched = sizeof...(Terms);

    template <class Term> void add_fetch() {
        if constexpr (is_entity_term<Term>)
            core_.add_term({id{}, term_kind::optional, true});
        else
            core_.add_term({id_of_type<typename term_traits<Term>::component>(core_.of()),
                            term_traits<Term>::kind, true});
    }

    template <class... T> query& filter(term_kind kind) {
        (core_.add_term({id_of_type<T>(core_.of()), kind, false}), ...);
        return *this;
    }
    query& filter(id word, term_kind kind) {
        core_.add_term({core_.of().localize(word), kind, false});
        return *this;
    }

    template <class F> void visit(const match& m, chunk* block, F& f) {
        if (query_core::has_hidden_rows(m)) [[unlikely]]
            visit_masked(m, block, f);
        else
            visit_all(m, block, f, std::index_sequence_for<Terms...>{});
    }

    template <class F, std::size_t... I>
    void visit_all(const match& m, chunk* block, F& f, std::index_sequence<I...>) {
        const column* const* const columns = core_.columns(m);
        [[maybe_unused]] const std::tuple cursors{cursor<Terms>(block, columns[I])...};
        const entity* const entities = block->entities();
        for (std::uint32_t row = 0, rows = block->count; row < rows; ++row)
            call(f, entities[row], std::get<I>(cursors)[row]...);
    }

    template <class F> void visit_heirs(const match& m, F& f) {
        std::array<std::byte*, fetched> shared{};
        for (std::size_t t = 0; t < fetched; ++t) shared[t] = core_.inherited_value(m, t);
        for (chunk* const block : m.in->chunks())
            for (std::uint32_t row = 0; row < block->count; ++row)
                if (!query_core::has_hidden_rows(m) ||
                    (core_.row_mask(m, *block, row / 64) >> (row % 64)) & 1)
                    visit_heir(m, {block, row}, shared, f, std::index_sequence_for<Terms...>{});
    }

    template <class F, std::size_t... I>
    void visit_heir(const match& m, row_ref at, const std::array<std::byte*, fetched>& shared, F& f,
                    std::index_sequence<I...>) {
        const column* const* const columns = core_.columns(m);
        call(f, at.owner(), heir_cursor<Terms>(at, columns[I], shared[I])[at.row]...);
    }

    /// The cursor of a row, or one whose value there is the shared one.
    template <class Term> static cursor<Term> heir_cursor(row_ref at, const column* in, std::byte* shared) {
        return shared ? cursor<Term>(shared, at.row) : cursor<Term>(at.block, in);
    }

    template <class F> void visit_masked(const match& m, chunk* block, F& f) {
        for (std::uint32_t first = 0; first < block->count; first += 64)
            for (std::uint64_t rows = core_.row_mask(m, *block, first / 64); rows != 0; rows &= rows - 1)
                visit_row(m, {block, first + static_cast<std::uint32_t>(std::countr_zero(rows))}, f,
                          std::index_sequence_for<Terms...>{});
    }

    template <class F, std::size_t... I>
    void visit_row(const match& m, row_ref at, F& f, std::index_sequence<I...>) {
        const column* const* const columns = core_.columns(m);
        call(f, at.owner(), cursor<Terms>(at.block, columns[I])[at.row]...);
    }

    template <class F, class... A> static void call(F& f, [[maybe_unused]] entity e, A&&... arguments) {
        if constexpr (std::is_invocable_v<F&, A...>)
            f(std::forward<A>(arguments)...);
        else
            f(e, std::forward<A>(arguments)...);
    }

    query_core core_;
};

} // namespace ecs
