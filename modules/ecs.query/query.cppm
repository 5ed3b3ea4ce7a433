// SPDX-License-Identifier: MIT
// A query is a list of terms and a memory of the tables that satisfy them; iterating is a loop over tables,
// their chunks and their rows.
module;
#if __has_cpp_attribute(clang::code_align)
#define ECS_ALIGNED_LOOP [[clang::code_align(32)]]
#else
#define ECS_ALIGNED_LOOP
#endif
export module ecs.query:query;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :chunk_list;
import :condition;
import :filter;
import :found_row;
import :joined_condition;
import :joined_word;
import :parallel_for;
import :query_core;
import :row_order;
import :term;

export namespace ecs {

/// What a term hands out.
template <class Term> struct argument_of_term {
    using type = typename term_traits<Term>::argument;
};
template <class Term>
    requires is_entity_term<Term>
struct argument_of_term<Term> {
    using type = entity;
};

/// What a loop hands out for a row: the entity, then a reference or pointer for each term. A term that is the
/// entity itself takes its place, and a filter has none.
template <class... Terms> struct item_of {
    using type = std::tuple<entity, typename term_traits<Terms>::argument...>;
};
template <class... Terms>
    requires((is_entity_term<Terms> || ...) && !(is_filter_term<Terms> || ...))
struct item_of<Terms...> {
    using type = std::tuple<typename argument_of_term<Terms>::type...>;
};
template <class... Terms>
    requires(is_filter_term<Terms> || ...)
struct item_of<Terms...> {
    template <std::size_t... Handed> static auto without_filters(std::index_sequence<Handed...>) {
        return item_of<std::tuple_element_t<Handed, std::tuple<Terms...>>...>{};
    }
    using type = typename decltype(without_filters(typename handed_places<Terms...>::type{}))::type;
};

/// What a loop would hand out in place of A where it could be written.
template <class A> struct written_form {
    using type = A;
};
template <class T> struct written_form<const T&> {
    using type = T&;
};
template <class T> struct written_form<const T*> {
    using type = T*;
};
template <class A> using to_be_written = typename written_form<A>::type;

template <class... Terms> class joined_query;

/// Thrown when a query was asked for its single entity, and not exactly one satisfies it.
struct not_single : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The entities that satisfy a list of terms. Terms: T and const T are required and handed out; T* and const
/// T* are handed out and null where missing; entity hands out the entity; has<T...>, without<T...>,
/// changed<T...>, added<T...>, removed<T...> and hidden<T...> filter and hand out nothing. A component that
/// is disabled on an entity counts as missing there, in every kind of term but hidden. Adding and removing is
/// refused while a loop runs. A query may be kept: it learns of new tables by itself. It must not outlive its
/// world. While a loop over it runs, it must not end or be moved to or from; to assign a copy, and to add a
/// term, an order or groups, throws iteration_error. So does, in any loop and in an observer, to ask for
/// changes of what is not tracked yet. Null is no term: what takes an identifier throws std::invalid_argument
/// for it. Not thread-safe.
template <class... Terms> class query {
  public:
    using item = typename item_of<Terms...>::type;

  private:
    using all_cursors = light_tuple<cursor<Terms>...>;
    using all_places = std::index_sequence_for<Terms...>;
    /// While a loop works on that many rows, the processor does not get to the next chunks, and asks for
    /// their memory only when it is told to. With fewer rows it finds the next chunks by itself.
    static constexpr std::uint32_t rows_to_look_ahead = 8;
    using place = chunk_list::place<sizeof...(Terms)>;
    using places = typename handed_places<Terms...>::type; ///< The terms that are no filters.
    template <std::size_t Place> using term_at = std::tuple_element_t<Place, std::tuple<Terms...>>;

    /// The rows that an iterator goes through by itself. They are counted from `first` on.
    struct rows_at_hand {
        std::size_t row{};
        std::size_t end{};        ///< Beyond the rows at hand; the row itself behind the last of all.
        std::size_t first{};      ///< In the chunk, for values outside columns.
        const entity* entities{}; ///< The entities, from the first on,
        light_optional<all_cursors> cursors; ///< and their values; none behind the last row.
    };

  public:
    explicit query(engine& of) : core_(of) {
        (add_fetch<Terms>(), ...);
        core_.expect_wildcards(std::max({std::size_t{0}, wildcards_of<Terms>...}));
        if constexpr ((is_filter_term<Terms> || ...)) (add_filter_term<Terms>(), ...);
    }

    // Filters. Each returns the query, to be chained.

    /// Only entities that have all of these.
    template <class... T> query& with() & { return filter<T...>(term_kind::with); }
    template <class... T> query with() && { return std::move(filter<T...>(term_kind::with)); }
    query& with(id word) & { return filter(term_kind::with, word); }
    query with(id word) && { return std::move(filter(term_kind::with, word)); }

    /// Only entities that are, or are not, related to the target, or to any.
    template <class R> query& with(entity target) & { return filter<R>(term_kind::with, target); }
    template <class R> query with(entity target) && { return std::move(filter<R>(term_kind::with, target)); }
    template <class R> query& without(entity target) & { return filter<R>(term_kind::without, target); }
    template <class R> query without(entity target) && {
        return std::move(filter<R>(term_kind::without, target));
    }
    template <class R> query& with(any_t) & { return with(pair(id_of_type<R>(core_.of()), any)); }
    template <class R> query with(any_t) && { return std::move(this->template with<R>(any)); }
    template <class R> query& without(any_t) & { return without(pair(id_of_type<R>(core_.of()), any)); }
    template <class R> query without(any_t) && { return std::move(this->template without<R>(any)); }
    query& with(id relation, entity target) & { return filter(term_kind::with, relation, target); }
    query with(id relation, entity target) && { return std::move(filter(term_kind::with, relation, target)); }
    query& without(id relation, entity target) & { return filter(term_kind::without, relation, target); }
    query without(id relation, entity target) && {
        return std::move(filter(term_kind::without, relation, target));
    }

    /// Only entities that have, or do not have, the component or a kind of it: what leads to it by is_a, in
    /// one step or more, now or whenever the query looks. No value is handed out for it: each kind has its
    /// own type. Throws std::invalid_argument for what is no entity.
    query& with_kind_of(id component) & { return filter_kinds(term_kind::with, component); }
    query with_kind_of(id component) && { return std::move(filter_kinds(term_kind::with, component)); }
    template <class T> query& with_kind_of() & { return with_kind_of(id_of_type<T>(core_.of())); }
    template <class T> query with_kind_of() && { return std::move(this->template with_kind_of<T>()); }
    query& without_kind_of(id component) & { return filter_kinds(term_kind::without, component); }
    query without_kind_of(id component) && { return std::move(filter_kinds(term_kind::without, component)); }
    template <class T> query& without_kind_of() & { return without_kind_of(id_of_type<T>(core_.of())); }
    template <class T> query without_kind_of() && { return std::move(this->template without_kind_of<T>()); }

    /// A term with a variable makes it a query with variables. In with<R>(var("x")) the variable is the
    /// source, who has R, while in with<R>(bob) Bob is the target: for a variable that is the target, write
    /// with(pair(world.component<R>(), var("x"))). Throws std::invalid_argument when the query has an order,
    /// which the answers would not keep.
    joined_query<Terms...> with(const joined_word& asked) && { return joined().with(asked); }
    joined_query<Terms...> with(const pair_with_variable& word, variable of) && {
        return joined().with(word, of);
    }
    joined_query<Terms...> with(id word, variable of) && { return joined().with(word, of); }
    template <class T> joined_query<Terms...> with(variable of) && { return joined().template with<T>(of); }
    joined_query<Terms...> without(const joined_word& asked) && { return joined().without(asked); }
    joined_query<Terms...> without(const pair_with_variable& word, variable of) && {
        return joined().without(word, of);
    }
    joined_query<Terms...> without(id word, variable of) && { return joined().without(word, of); }
    template <class T> joined_query<Terms...> without(variable of) && {
        return joined().template without<T>(of);
    }
    joined_query<Terms...> optional(const joined_word& asked) && { return joined().optional(asked); }
    joined_query<Terms...> optional(const pair_with_variable& word, variable of) && {
        return joined().optional(word, of);
    }
    joined_query<Terms...> optional(id word, variable of) && { return joined().optional(word, of); }
    template <class T> joined_query<Terms...> optional(variable of) && {
        return joined().template optional<T>(of);
    }
    template <class Condition>
        requires has_variables<Condition>
    joined_query<Terms...> where(const Condition& asked) && {
        return joined().where(asked);
    }

    /// Only entities for which the nearest entities along the relation, and not they themselves, have this:
    /// parents by default. Throws std::invalid_argument for a relation that is no entity.
    query& up(id word, id relation = child_of) & {
        core_.add_term_above({core_.of().rows().resolve(word), relation});
        return *this;
    }
    query up(id word, id relation = child_of) && { return std::move(up(word, relation)); }

    /// Only entities that have none of these.
    template <class... T> query& without() & { return filter<T...>(term_kind::without); }
    template <class... T> query without() && { return std::move(filter<T...>(term_kind::without)); }
    query& without(id word) & { return filter(term_kind::without, word); }
    query without(id word) && { return std::move(filter(term_kind::without, word)); }
    template <class... T> [[deprecated("write without<T...>()")]] query& none() & {
        return filter<T...>(term_kind::without);
    }
    template <class... T> [[deprecated("write without<T...>()")]] query none() && {
        return std::move(filter<T...>(term_kind::without));
    }

    /// Only entities that have at least one of these. Every call is a group of its own: all of them have to
    /// hold.
    template <class... T>
        requires(sizeof...(T) > 0)
    query& any_of() & {
        return where((query_condition(has<T>()) || ...));
    }
    template <class... T>
        requires(sizeof...(T) > 0)
    query any_of() && {
        return std::move(this->template any_of<T...>());
    }
    template <std::convertible_to<id>... Id>
        requires(sizeof...(Id) > 0)
    query& any_of(Id... words) & {
        return where((query_condition(has_id(id(words))) || ...));
    }
    template <std::convertible_to<id>... Id>
        requires(sizeof...(Id) > 0)
    query any_of(Id... words) && {
        return std::move(any_of(words...));
    }

    /// Only entities for which the condition holds: has<A>() || !(has<B>() && has<C>()). When there are
    /// several conditions, all have to hold. Throws std::invalid_argument for a question about null, for one
    /// that is asked of null, or both of another entity and of those above, for changes and what is hidden
    /// that are not the entity's own, and for a relation that is no entity.
    query& where(const query_condition& asked) & {
        core_.add_condition(asked);
        return *this;
    }
    query where(const query_condition& asked) && { return std::move(where(asked)); }

    /// Says that these may or may not be there, which also asks for entities that their presence would hide:
    /// the tags disabled and prefab.
    template <class... T> query& optional() & { return filter<T...>(term_kind::optional); }
    template <class... T> query optional() && { return std::move(filter<T...>(term_kind::optional)); }
    query& optional(id word) & { return filter(term_kind::optional, word); }
    query optional(id word) && { return std::move(filter(term_kind::optional, word)); }

    /// Only entities that have the component, or such a pair, themselves and hide it, as world::disable says:
    /// all other terms pass it over there. Entities that are disabled as a whole are found as by other terms.
    template <class... T> query& hidden() & { return filter<T...>(term_kind::hidden); }
    template <class... T> query hidden() && { return std::move(filter<T...>(term_kind::hidden)); }
    query& hidden(id word) & { return filter(term_kind::hidden, word); }
    query hidden(id word) && { return std::move(filter(term_kind::hidden, word)); }

    // Changes since the query last looked, which it does in each, each_chunk, par_each, par_each_chunk,
    // each_pair and range-for. The first look finds everything, but of what was removed only what was removed
    // since the query was made. A value counts as changed when it is set,
    // patched, modified, or handed out by a query whose term is not const, but not when get handed it out:
    // say modified then. What the loops of the query itself hand out does not count as a change for it. From
    // the first such query on, the component is tracked: changes cost a tick each. A loop that ends early, by
    // break or by what its function throws, has looked all the same: what it has not come to is not found
    // again. One that ends before it has come to an entity, as memory runs out, has looked at nothing.

    /// Only entities that show another value: their component was added or written, or that of the base from
    /// which they have it. For a pattern, such as pair(likes, any), any pair counts that it stands for.
    template <class... T> query& changed() & { return filter<T...>(term_kind::changed); }
    template <class... T> query changed() && { return std::move(filter<T...>(term_kind::changed)); }
    query& changed(id word) & { return filter(term_kind::changed, word); }
    query changed(id word) && { return std::move(filter(term_kind::changed, word)); }

    /// Only entities that got the component, or such a pair, themselves and have it still.
    template <class... T> query& added() & { return filter<T...>(term_kind::added); }
    template <class... T> query added() && { return std::move(filter<T...>(term_kind::added)); }
    query& added(id word) & { return filter(term_kind::added, word); }
    query added(id word) && { return std::move(filter(term_kind::added, word)); }

    /// Lets has_changed and was_added answer for the component, whatever the entity is found for. Throws
    /// std::invalid_argument when the query hands it out to be written, which counts as a change.
    template <class T> query& watch() & {
        core_.watch(id_of_type<T>(core_.of()));
        return *this;
    }
    template <class T> query watch() && { return std::move(this->template watch<T>()); }

    /// Whether the entity shows another value since the query last looked, not counting the loop that runs:
    /// as changed<T>, for one entity. Throws std::invalid_argument when the query does not watch the
    /// component.
    template <class T> [[nodiscard]] bool has_changed(entity e) const {
        return core_.has_news(term_kind::changed, known_id_of_type<T>(core_.of()), e);
    }
    /// The same as added<T>.
    template <class T> [[nodiscard]] bool was_added(entity e) const {
        return core_.has_news(term_kind::added, known_id_of_type<T>(core_.of()), e);
    }

    /// Only entities that lost the component, or such a pair, themselves, whether they have it again or not.
    /// Entities that have ended are not found.
    template <class... T> query& removed() & { return filter<T...>(term_kind::removed); }
    template <class... T> query removed() && { return std::move(filter<T...>(term_kind::removed)); }
    query& removed(id word) & { return filter(term_kind::removed, word); }
    query removed(id word) && { return std::move(filter(term_kind::removed, word)); }

    /// Looks without a loop.
    void mark_seen() { core_.mark_seen(); }

    // Order.

    /// Loops now visit entities in the order of a component's values, which becomes required. `less` takes
    /// two `const T&` (for a pair_of, two values of the pair). Equal values keep the order of the tables.
    /// Every loop checks the order. This, the orders below and group_by throw std::invalid_argument for an
    /// empty function.
    template <class T, class Less = std::less<>> query& sort_by(Less less = {}) & {
        using value = const value_of<T>;
        static_assert(!std::is_empty_v<value>, "a tag has no value to sort by");
        static_assert(callable_with<Less, value&, value&>,
                      "sort_by compares two values by <: give the type an operator<, or write "
                      "sort_by<T>([](const T& a, const T& b) { return a.x < b.x; })");
        if constexpr (std::is_pointer_v<Less> || requires { less.operator bool(); })
            if (!less) core_.sort_by(id_of_type<T>(core_.of()), nullptr); // Refused.
        auto by_address = [less = std::move(less)](const void* a, const void* b) -> bool {
            return std::invoke(less, *static_cast<value*>(a), *static_cast<value*>(b));
        };
        core_.sort_by(id_of_type<T>(core_.of()),
                      shared<comparison_by<decltype(by_address), sizeof(value)>>(std::move(by_address)));
        return *this;
    }
    template <class T, class Less = std::less<>> query sort_by(Less less = {}) && {
        return std::move(this->sort_by<T>(std::move(less)));
    }

    /// The same for a component decided at run time: less takes pointers to two values. Throws
    /// std::invalid_argument for a component without values.
    query& sort_by(id component, std::function<bool(const void*, const void*)> less) & {
        core_.sort_by(core_.of().rows().resolve(component),
                      less ? shared<comparison_by<decltype(less)>>(std::move(less)) : nullptr);
        return *this;
    }
    query sort_by(id component, std::function<bool(const void*, const void*)> less) && {
        return std::move(sort_by(component, std::move(less)));
    }

    /// The same by an order that a function gives for two entities: several components, a distance, a rank
    /// kept elsewhere. The function is called for all neighbours in each loop, and must not change the world.
    template <std::invocable<entity, entity> Less> query& sort_by(Less less) & {
        core_.sort_by(row_order::entity_comparison(std::move(less)));
        return *this;
    }
    template <std::invocable<entity, entity> Less> query sort_by(Less less) && {
        return std::move(sort_by(std::move(less)));
    }

    /// Does not compile: the parameters of the function do not say by which component it sorts.
    template <has_parameters Less>
        requires(!std::invocable<Less&, entity, entity>)
    query& sort_by(Less) {
        static_assert(sizeof(Less) == 0,
                      "what compares values names their component: write sort_by<T>(less)");
        return *this;
    }

    /// From now on loops visit parents before their children, and siblings in the order of the tables; also
    /// within sort_by. In a query with groups the depth comes first: among those of one depth, loops go from
    /// group to group. The relation has to be acyclic: std::invalid_argument is thrown when it is not. If
    /// it has rings later, those of a ring come in any order. A loop is linear in the matches and their
    /// ancestors, with a look-up for each match; the order is kept until an entity comes, goes, or gets or
    /// loses something.
    query& cascade(id relation = child_of) & {
        core_.cascade(core_.of().rows().resolve(relation));
        return *this;
    }
    query cascade(id relation = child_of) && { return std::move(cascade(relation)); }

    /// Puts the rows of each table in the order of the query, once: as long as they stand in it, its loops
    /// read memory from front to back. Rows that the query does not find stay where they are. No entity
    /// changes, and no observer is told; references to components end. Throws std::invalid_argument when the
    /// query has no order, iteration_error inside a loop or an observer, and what the comparison throws: then
    /// nothing has changed. After std::bad_alloc the rows of some tables may be in order. Linear, but for
    /// the sorting.
    void sort_rows() { core_.sort_rows(); }

    /// From now on loops go from group to group, in the order of the targets of the relation; tables without
    /// a target come first, and those whose target is a number last, in the order of the numbers. A query
    /// that is sorted, too, is sorted within each group; with cascade, there are groups within each depth.
    /// Throws std::invalid_argument for a relation that keeps its targets in a column, such as child_of, and
    /// iteration_error in a loop over the query.
    query& group_by(id relation) & {
        core_.group_by(core_.of().rows().resolve(relation));
        return *this;
    }
    query group_by(id relation) && { return std::move(group_by(relation)); }
    template <class Relation> query& group_by() & { return group_by(id_of_type<Relation>(core_.of())); }
    template <class Relation> query group_by() && { return std::move(this->template group_by<Relation>()); }

    /// The same, but a function returns the number of the group, from all that the entities of a table have;
    /// the groups come in the order of their numbers. The function is called when the query looks at a table,
    /// perhaps more than once, so that it must depend on nothing else. It cannot change the world: that is
    /// refused as in a loop.
    template <std::invocable<std::span<const id>> Group> query& group_by(Group group) & {
        core_.group_by(query_core::group_function(std::move(group)));
        return *this;
    }
    template <std::invocable<std::span<const id>> Group> query group_by(Group group) && {
        return std::move(group_by(std::move(group)));
    }

    /// Remembers no tables between loops: for a query that is asked rarely, in a world whose tables come and
    /// go. Each loop and each answer looks at all tables.
    query& uncached() & {
        core_.forget_between_loops();
        return *this;
    }
    query uncached() && { return std::move(uncached()); }

    // Answers.

    /// The number of matches. Linear in the number of matching tables, or of rows / 64 where components are
    /// disabled or kept outside tables; in that of rows where each is looked at, as for what is above,
    /// changes, targets in columns and rules of relations. Where loops go over a list, of the sources of a
    /// target or of what has changed, it is made first, and sorted if need be.
    [[nodiscard]] std::size_t count() { return core_.count(); }
    [[nodiscard]] bool empty() { return !first(); }

    /// The first entity; null when there is none.
    [[nodiscard]] entity first() {
        row_iterator rows(core_);
        return rows.next() ? rows.here().owner() : entity{};
    }

    /// The only entity. Throws not_single when there is none or more than one.
    [[nodiscard]] entity single() {
        if (count() != 1) // Unless they are matches of one entity.
            if (const std::size_t found = core_.count_entities(); found != 1)
                throw not_single("a single entity was expected to satisfy the query, not " +
                                 std::to_string(found));
        return first();
    }

    /// Whether the entity satisfies the terms. Constant time but for the number of matching tables, and for
    /// the way to what is above.
    [[nodiscard]] bool contains(entity e) { return core_.find(e).block != nullptr; }

    /// What a loop would hand out for the entity. Throws access_error when it does not satisfy the terms.
    [[nodiscard]] item get(entity e) {
        const found_row found = core_.find(e);
        if (!found.block) core_.refuse(e);
        return item_at(found, places{});
    }

    /// The same for an observer: where the entity has several matches, the one in which a wildcard stands for
    /// the word, if there is one.
    [[nodiscard]] item get_as_told(entity e, id word) {
        const found_row found = core_.find(e, word);
        if (!found.block) core_.refuse(e);
        return item_at(found, places{});
    }

    /// The same for a row that query_core::find_known or next_match has found, while nothing of the world's
    /// structure changes: for several threads at once.
    [[nodiscard]] item get_found(const found_row& found) { return item_at(found, places{}); }

    /// Calls f for every match, with the entity first when f takes it: f(Terms...) or f(entity, Terms...).
    /// Filters among the terms are left out, unless f takes them all.
    template <class F> void each(F&& f) {
        core_.refresh();
        if (core_.is_listed()) [[unlikely]]
            return each_in_order(f);
        const chunk_list& all = core_.chunks(sizeof...(Terms)); // First: what lacks memory looks at nothing.
        const query_core::loop looping(core_, true);
        for (place at = all.begin<sizeof...(Terms)>(), end = all.end<sizeof...(Terms)>(); at != end; ++at)
            visit_place(all, at, f);
    }

    /// Calls f for every run of neighbouring rows, with a span for each term: f(std::span<Terms>...), with
    /// std::span<const entity> first when f takes it. The spans of one call are equally long, but for those
    /// of optional terms, which are empty where the component is missing. A span that begins with its chunk
    /// is aligned to 64 bytes where the chunk has room for more than two rows, and the value is no base's. In
    /// a query with an order a run is what happens to be neighbours in it, often one row.
    template <class F> void each_chunk(F&& f) {
        core_.refresh();
        if (core_.is_listed()) [[unlikely]]
            return each_run_on_list(f);
        const chunk_list& all = core_.chunks(sizeof...(Terms)); // First: what lacks memory looks at nothing.
        const query_core::loop looping(core_, true);
        for (place at = all.begin<sizeof...(Terms)>(), end = all.end<sizeof...(Terms)>(); at != end; ++at) {
            at.look_ahead();
            visit_runs(*all.at(at).found_in, chunk_part::whole(all.at(at).block), f);
        }
    }

    /// What a loop would hand out for each of several entities: values to be written as well, because no two
    /// of the entities may be the same. Throws access_error when one does not satisfy the terms, and
    /// std::invalid_argument when two are the same and a term hands out what may be written.
    template <std::size_t N> [[nodiscard]] std::array<item, N> get_many(const std::array<entity, N>& all) {
        if constexpr (!(reads_only<Terms> && ...)) query_core::require_distinct(all);
        return [&]<std::size_t... I>(std::index_sequence<I...>) {
            return std::array<item, N>{get(all[I])...};
        }(std::make_index_sequence<N>{});
    }

    /// Calls f as each does, for those of the entities that satisfy the terms, in their order and as often as
    /// they are in the list: for all matches of the entity each time, as where a wildcard is handed out.
    /// Returns how many times. Constant time for each match, as contains.
    template <class F> std::size_t each_of(std::span<const entity> all, F&& f) {
        core_.refresh();
        const query_core::loop looping(core_);
        std::size_t visited = 0;
        for (const entity e : all)
            for (found_row found = core_.find(e); found.block; found = core_.next_match(found)) {
                visit_found(found, f);
                ++visited;
            }
        return visited;
    }

    /// Calls f(item, item) for every two matches, each two once: the first is before the second in the order
    /// of each. An item is the tuple that a range-for hands out. A match of a wildcard is met with other
    /// matches of its entity. Quadratic in the number of matches.
    template <class F> void each_pair(F&& f) {
        static_assert(std::invocable<F&, item, item>,
                      "each_pair calls f with two items, which are the tuples that a range-for hands out: "
                      "write f(auto first, auto second)");
        row_iterator rows(core_, true);
        const std::vector<hand> all = hands_of(rows);
        for (std::size_t at = 0; at != all.size(); ++at)
            for (std::uint32_t row = 0; row != all[at].count; ++row) {
                const query_core::handed_rows handed(core_, *all[at].first.found_in, all[at].first.at(), 1);
                const item first = item_at_hand(all[at], row);
                pair_with_rows(first, all[at], row + 1, f);
                for (std::size_t next = at + 1; next != all.size(); ++next)
                    pair_with_rows(first, all[next], 0, f);
            }
    }

    /// Calls f as each does, for the matches number first to first + count - 1 in the order of each.
    template <class F> void each_page(std::size_t first, std::size_t count, F&& f) {
        row_iterator rows(core_);
        rows.skip(first);
        for (; count != 0 && rows.next(); --count) visit_found(rows.here(), f);
    }

    /// Calls f as each does, but only for the entities with (relation, target), when the query is grouped by
    /// the relation; for the entities without a target when the target is null. Throws std::invalid_argument
    /// when it is not grouped, or the relation keeps its targets in a column by now.
    template <class F> void each_in_group(entity target, F&& f) {
        if (const auto group = core_.group_behind(target)) visit_group(*group, f);
    }
    /// The same for the group with a number, when the query is grouped by a function; when it is grouped by
    /// a relation, for the entities with a pair of the relation and that number.
    template <class F> void each_in_group(std::uint32_t number, F&& f) {
        visit_group(core_.group_numbered(number), f);
    }

    /// The groups in which there are entities now, in the order of loops, each with how many: as count, it
    /// counts an entity once for each match. Throws std::invalid_argument when the query is not grouped, or
    /// the relation keeps its targets in a column by now. Linear in the tables that the query finds, and in
    /// the rows of those in which rows may be hidden.
    [[nodiscard]] std::vector<query_group> groups() { return core_.groups(); }

    /// The same on several threads at once, oneTBB's unless another executor is given; see world::par_each.
    /// One thread has all matches of one entity. Throws std::invalid_argument, before anything is visited,
    /// for a query with sort_by or cascade, whose order threads would not keep, and for one that hands out to
    /// be written what entities inherit, which threads would share.
    template <class F> void par_each(F&& f, parallel_options how = {}) {
        par_each(default_executor(), f, how);
    }
    template <class F> void par_each(executor& on, F&& f, parallel_options how = {}) {
        walk_side_by_side(
            on, how, [&](const match& m, const chunk_part& rows) { visit(m, rows, f); },
            [&](const listed_rows& rows) {
                for (std::size_t n = 0; n != rows.size(); ++n) visit_found(rows[n], f);
            });
    }

    /// Calls f as each_chunk does, on several threads at once; otherwise the same as par_each. A thread has a
    /// part of a chunk, which begins with a row whose number is a multiple of 64.
    template <class F> void par_each_chunk(F&& f, parallel_options how = {}) {
        par_each_chunk(default_executor(), f, how);
    }
    template <class F> void par_each_chunk(executor& on, F&& f, parallel_options how = {}) {
        walk_side_by_side(
            on, how, [&](const match& m, const chunk_part& rows) { visit_runs(m, rows, f); },
            [&](const listed_rows& rows) { visit_listed_runs(rows, f); });
    }

    /// for (auto [entity, position, velocity] : query): the entity first, unless it is a term itself. The
    /// query is a range that is walked once at a time, for std::ranges and views as well; changes of
    /// structure are refused for as long as the iterator lives.
    class iterator {
      public:
        using iterator_concept = std::input_iterator_tag;
        using value_type = item;
        using difference_type = std::ptrdiff_t;

        /// The rows are assigned, because a call that made them where they are would take their address.
        explicit iterator(query& of) : query_(&of), rows_(of.core_) { here_ = of.next_rows(*rows_); }

        [[nodiscard]] item operator*() const {
            return query_->item_in(here_.entities, *here_.cursors, here_.row, here_.first, places{});
        }
        iterator& operator++() {
            if (++here_.row == here_.end) [[unlikely]]
                here_ = query_->next_rows(*rows_);
            return *this;
        }
        void operator++(int) { ++*this; }
        [[nodiscard]] friend bool operator==(const iterator& i, std::default_sentinel_t) {
            return i.here_.row == i.here_.end;
        }

      private:
        query* query_;
        kept_rows rows_;
        rows_at_hand here_;
    };
    [[nodiscard]] iterator begin() { return iterator(*this); }
    [[nodiscard]] std::default_sentinel_t end() const { return {}; }

    /// The terms and conditions as text, which world::query(text) reads again, unless there are more than 256
    /// of them or they are nested deeper than those of a text may be: names are those of today. The order and
    /// the groups are not in it.
    [[nodiscard]] std::string text() const { return core_.text(); }

    /// The entities, in the order of each. It is no look: a query for changes finds them again, unless
    /// mark_seen() is called.
    [[nodiscard]] std::vector<entity> entities() {
        std::vector<entity> found;
        for (row_iterator rows(core_); rows.next();) found.push_back(rows.here().owner());
        return found;
    }

    /// The part that is the same for every query, for code that builds on it.
    [[nodiscard]] query_core& untyped() { return core_; }

  private:
    template <class Term> void add_fetch() {
        if constexpr (is_entity_term<Term> || is_matched_term<Term> || is_filter_term<Term>)
            core_.add_fetch({}, term_kind::optional, false, false);
        else if constexpr (is_up_term<Term>)
            core_.add_term_above({id_of_type<typename term_traits<Term>::component>(core_.of()),
                                  id_of_relation_above<typename term_traits<Term>::relation>(core_.of()),
                                  starts_at_itself<Term>, true,
                                  !std::is_const_v<typename term_traits<Term>::value>,
                                  term_traits<Term>::kind == term_kind::optional});
        else {
            static_assert(!is_up_term<typename term_traits<Term>::component>,
                          "up and self_or_up are terms of a query, which hands out a const T& for them: a "
                          "loop is over world.query<up<const T>>(), and a system takes query<up<const T>>&");
            static_assert(
                !is_service<typename term_traits<Term>::component> ||
                    is_up_term<typename term_traits<Term>::component>,
                "this is no component: a system takes commands&, query<...>&, world&, const world&, "
                "resource<T> or const tick&, and a loop over entities takes none of them");
            using asked = typename term_traits<Term>::component;
            if constexpr (!component_type<asked>) static_assert(require_component<asked>());
            core_.add_fetch(id_of_type<typename term_traits<Term>::component>(core_.of()),
                            term_traits<Term>::kind, !std::is_const_v<typename term_traits<Term>::value>,
                            !std::is_empty_v<typename term_traits<Term>::value>);
        }
    }

    /// Filters stand behind the terms that are fetched, so that these have the places that the types say.
    template <class Term> void add_filter_term() {
        if constexpr (is_filter_term<Term>)
            [this]<class... T>(term_list<T...>) {
                this->template filter<T...>(filter_traits<Term>::kind);
            }(typename filter_traits<Term>::components{});
    }

    template <class F, std::size_t... Handed>
    static consteval bool takes_places(std::index_sequence<Handed...>) {
        if constexpr (callable_with<F, typename argument_of_term<term_at<Handed>>::type...>)
            return true; // A generic lambda is not looked into with the entity first, too.
        else
            return callable_with<F, entity, typename argument_of_term<term_at<Handed>>::type...>;
    }
    template <class F> static consteval bool leaves_filters_out() {
        if constexpr (std::is_same_v<places, all_places>)
            return true;
        else
            return takes_places<F>(places{});
    }
    /// The places of the terms with which f is called: filters only where f takes them, as a function does
    /// whose terms were read from its parameters.
    template <class F> static consteval auto places_for() {
        if constexpr (leaves_filters_out<F>())
            return places{};
        else
            return all_places{};
    }

    [[nodiscard]] joined_query<Terms...> joined() {
        core_.require_no_order_of_answers();
        return joined_query<Terms...>(std::move(*this));
    }

    template <class... T> query& filter(term_kind kind) {
        (core_.add_filter(kind, id_of_type<T>(core_.of())), ...);
        return *this;
    }
    template <class R> query& filter(term_kind kind, entity target) {
        core_.add_filter(kind, id_of_type<R>(core_.of()), target);
        return *this;
    }
    query& filter(term_kind kind, id relation, entity target) {
        core_.add_filter(kind, core_.of().rows().resolve(relation), target);
        return *this;
    }
    query& filter(term_kind kind, id word) {
        core_.add_filter(kind, core_.of().rows().resolve(word));
        return *this;
    }

    query& filter_kinds(term_kind kind, id component) {
        core_.add_kinds(core_.of().rows().resolve(component), kind);
        return *this;
    }

    template <class F> void visit_group(std::uint64_t group, F& f) {
        core_.refresh();
        query_core::loop looping(core_);
        if (core_.has_order()) [[unlikely]] {
            const listed_rows rows = core_.rows_on_list(looping);
            for (std::size_t n = 0; n != rows.size(); ++n)
                if (rows.match_of(n).group == group) visit_found(rows[n], f);
            return;
        }
        for (const match& m : std::ranges::equal_range(core_.matches(), group, {}, &match::group))
            for (chunk* const block : core_.chunks_of(m)) visit(m, chunk_part::whole(block), f);
    }

    template <class F> void visit(const match& m, const chunk_part& rows, F& f) {
        if (core_.has_hidden_rows(m)) [[unlikely]]
            visit_masked(m, rows, f);
        else
            visit_rows(cursors_at(m, rows.block, all_places{}), rows, f, places_for<F>());
    }

    template <class F> void visit_place(const chunk_list& all, place at, F& f) {
        if (at.may_hide_rows()) [[unlikely]]
            return visit_masked(*all.at(at).found_in, chunk_part::whole(all.at(at).block), f);
        if (at.block()->count >= rows_to_look_ahead) at.look_ahead();
        visit_all(cursors_in(all, at, all_places{}), at.block(), f, places_for<F>());
    }

    template <class F, std::size_t... Handed>
    [[gnu::always_inline]] static inline void visit_all([[maybe_unused]] const all_cursors& cursors,
                                                        chunk* block, F& f, std::index_sequence<Handed...>) {
        const entity* const entities = block->entities();
        // A loop of a few instructions takes twice as long when it lies across two lines of code.
        ECS_ALIGNED_LOOP for (std::uint32_t row = 0, rows = block->count; row < rows; ++row)
            call(f, entities[row], element<Handed>(cursors)[row]...);
    }
    template <class Cursors, class F, std::size_t... Handed>
    static void visit_rows([[maybe_unused]] const Cursors& cursors, const chunk_part& rows, F& f,
                           std::index_sequence<Handed...>) {
        const entity* const entities = rows.block->entities();
        ECS_ALIGNED_LOOP for (std::uint32_t row = rows.first, end = rows.end; row < end; ++row)
            call(f, entities[row], element<Handed>(cursors)[row]...);
    }

    template <std::size_t... I>
    [[nodiscard, gnu::always_inline]] inline all_cursors cursors_at([[maybe_unused]] const match& m,
                                                                    [[maybe_unused]] chunk* block,
                                                                    std::index_sequence<I...>) const {
        [[maybe_unused]] const fetched_term* const fetched = core_.fetched(m);
        return {{cursor_of<Terms, I>(m, block, fetched[I])}...};
    }

    /// The same by the starts of the values that are in columns.
    template <std::size_t... I>
    [[nodiscard, gnu::always_inline]] inline all_cursors cursors_in([[maybe_unused]] const chunk_list& all,
                                                                    [[maybe_unused]] place at,
                                                                    std::index_sequence<I...>) const {
        return {{cursor_in<Terms, I>(all, at)}...};
    }
    template <class Term, std::size_t I>
    [[nodiscard, gnu::always_inline]] inline cursor<Term> cursor_in(const chunk_list& all, place at) const {
        if constexpr (is_in_columns<Term>) {
            return cursor<Term>(at.starts()[I]);
        } else {
            const match& found_in = *all.at(at).found_in;
            return cursor_of<Term, I>(found_in, at.block(), core_.fetched(found_in)[I]);
        }
    }

    template <class Term, std::size_t I>
    [[nodiscard]] cursor<Term> cursor_of([[maybe_unused]] const match& m, chunk* block,
                                         const fetched_term& from) const {
        if constexpr (is_matched_term<Term>)
            return cursor<Term>(core_.of(), block, core_.wildcard(m, wildcards_of<Term> - 1));
        else if constexpr (is_up_term<Term>)
            return cursor<Term>(core_.of(), block, core_.term_at(I));
        else
            return cursor<Term>(block, from);
    }

    template <class F> [[gnu::noinline]] void visit_masked(const match& m, const chunk_part& rows, F& f) {
        if constexpr ((is_in_place_term<Terms> || ...)) {
            if (core_.has_values_at_hand(m)) return visit_shown(m, rows, f, all_places{}, places_for<F>());
        } else if (core_.has_values_at_hand(m) && !core_.hands_out_optional()) {
            return visit_shown_runs(m, rows, f);
        }
        if constexpr ((is_up_term<Terms> || ...))
            if (m.only_above && !m.archetype->togglable() && !core_.marks_writes())
                return visit_found_above(m, rows, f, all_places{}, places_for<F>());
        if (m.open && core_.has_values_in_step(m)) return visit_in_step(m, rows, f);
        chunk* const block = rows.block;
        for (std::uint32_t first = rows.first; first < rows.end; first += 64)
            for (std::uint64_t shown = core_.row_mask(m, *block, first / 64); shown != 0; shown &= shown - 1)
                visit_found({&m, block, first + static_cast<std::uint32_t>(std::countr_zero(shown))}, f);
    }

    /// Visits the rows that are not hidden, each of which has its values where the cursors point.
    template <class F, std::size_t... I, std::size_t... Handed>
    void visit_shown(const match& m, const chunk_part& part, F& f, std::index_sequence<I...>,
                     std::index_sequence<Handed...>) {
        const all_cursors cursors = cursors_at(m, part.block, std::index_sequence<I...>{});
        const entity* const entities = part.block->entities();
        const auto visit_one = [&](std::uint32_t row) {
            call(f, entities[row], element<Handed>(cursors)[row]...);
        };
        for (std::uint32_t first = part.first; first < part.end; first += 64) {
            const query_core::handed_rows handed(core_, m, *part.block, first / 64);
            visit_rows_of(handed.rows(), first, visit_one);
        }
    }

    /// Visits the rows above which there is what the terms require: it is looked for once, and handed out.
    template <class F, std::size_t... I, std::size_t... Handed>
    void visit_found_above(const match& m, const chunk_part& part, F& f, std::index_sequence<I...>,
                           std::index_sequence<Handed...>) {
        const all_cursors cursors = cursors_at(m, part.block, std::index_sequence<I...>{});
        const entity* const entities = part.block->entities();
        light_tuple<block_of_values<Terms>...> values;
        for (std::uint32_t first = part.first; first < part.end; first += 64) {
            const std::uint32_t end = std::min(first + 64, part.end);
            std::uint64_t rows = ~std::uint64_t{0} >> (64 - (end - first));
            ((rows &= element<I>(values).look(element<I>(cursors), first, end)), ...);
            visit_rows_of(rows, first, [&](std::uint32_t row) {
                call(f, entities[row], element<Handed>(values).at(element<Handed>(cursors), row)...);
            });
        }
    }

    /// Visits the rows in the mask, which begins with the first row.
    template <class Visit>
    [[gnu::always_inline]] static inline void visit_rows_of(std::uint64_t rows, std::uint32_t first,
                                                            const Visit& visit) {
        if (rows == ~std::uint64_t{0})
            for (std::uint32_t row = first; row < first + 64; ++row) visit(row);
        else
            for (; rows != 0; rows &= rows - 1)
                visit(first + static_cast<std::uint32_t>(std::countr_zero(rows)));
    }

    /// The same for rows few of which are hidden: the runs between these.
    template <class F> void visit_shown_runs(const match& m, const chunk_part& part, F& f) {
        visit_blocks(cursors_at(m, part.block, all_places{}), m, part, f);
    }

    /// The same for rows that may all have a value from one base.
    template <class F> void visit_in_step(const match& m, const chunk_part& part, F& f) {
        visit_blocks(cursors_in_step(m, part.block, all_places{}), m, part, f);
    }
    template <class Cursors, class F>
    void visit_blocks(const Cursors& cursors, const match& m, const chunk_part& part, F& f) {
        for (std::uint32_t first = part.first; first < part.end; first += 64) {
            const query_core::handed_rows handed(core_, m, *part.block, first / 64);
            visit_runs_of(handed.rows(), first, cursors, part.block, f);
        }
    }

    /// Visits the runs of rows in the mask, which begins with the first row.
    template <class Cursors, class F>
    static void visit_runs_of(std::uint64_t rows, std::uint32_t first, const Cursors& cursors, chunk* block,
                              F& f) {
        while (rows != 0) {
            const auto skipped = static_cast<std::uint32_t>(std::countr_zero(rows));
            const std::uint32_t begin = first + skipped;
            const auto length = static_cast<std::uint32_t>(std::countr_zero(~(rows >> skipped)));
            visit_rows(cursors, {block, begin, begin + length}, f, places_for<F>());
            rows &= rows + (std::uint64_t{1} << skipped); // The carry clears the run.
        }
    }

    /// Goes along a column with the rows, or stays at the value of a base.
    template <class Term> struct stepping_cursor {
        cursor<Term> values;
        std::uint32_t step;

        [[nodiscard]] decltype(auto) operator[](std::uint32_t row) const { return values[row * step]; }
    };
    template <std::size_t... I>
    [[nodiscard]] light_tuple<stepping_cursor<Terms>...> cursors_in_step([[maybe_unused]] const match& m,
                                                                         [[maybe_unused]] chunk* block,
                                                                         std::index_sequence<I...>) const {
        return {{stepping_cursor_of<Terms, I>(m, block, core_.fetched(m)[I])}...};
    }
    template <class Term, std::size_t I>
    [[nodiscard]] stepping_cursor<Term> stepping_cursor_of(const match& m, chunk* block,
                                                           const fetched_term& from) const {
        if constexpr (is_in_columns<Term>)
            if (from.base)
                return {cursor<Term>(std::is_empty_v<typename term_traits<Term>::value>
                                         ? block->bytes()
                                         : core_.inherited_value(from)),
                        0};
        return {cursor_of<Term, I>(m, block, from), 1};
    }

    template <class F> [[gnu::noinline]] void each_in_order(F& f) {
        query_core::loop looping(core_, true);
        const listed_rows rows = core_.rows_on_list(looping);
        if (const light_array<cursors_at_place> all = cursors_if_there_is_memory(rows)) [[likely]]
            return visit_in_order(rows.rows(), all.data(), f, places_for<F>());
        cursors_at_place here;
        for (std::size_t n = 0; n != rows.size(); ++n) {
            const listed_row& found = rows.rows()[n];
            if (n == 0 || found.place != rows.rows()[n - 1].place)
                here = cursors_at(rows.places()[found.place]);
            if (here.cursors)
                visit_rows(*here.cursors, {here.block, found.row, found.row + 1U}, f, places_for<F>());
            else
                visit_found(rows[n], f);
        }
    }

    /// What all rows of a place have in common; no cursors where each row has to be asked for its values.
    struct cursors_at_place {
        chunk* block{};
        light_optional<light_tuple<stepping_cursor<Terms>...>> cursors;
    };
    [[nodiscard]] cursors_at_place cursors_at(const listed_place& at) const {
        cursors_at_place here{at.block, {}};
        if (core_.has_values_in_step(*at.found_in) && !core_.marks_writes())
            here.cursors.emplace(cursors_in_step(*at.found_in, at.block, all_places{}));
        return here;
    }
    /// Those of all places; none where a row has to be asked for its values, and where so few rows have a
    /// place in common that it is not worth the memory.
    [[nodiscard]] light_array<cursors_at_place> cursors_of_places(const listed_rows& rows) const {
        constexpr std::size_t few = 4;
        const std::span<const listed_place> places = rows.places();
        if (rows.empty() || places.size() * few > rows.size()) return {};
        light_array<cursors_at_place> all(places.size());
        for (std::size_t n = 0; n != places.size(); ++n) {
            const cursors_at_place here = cursors_at(places[n]);
            if (!here.cursors) return {};
            all.put(n, here);
        }
        return all;
    }

    /// A loop that has its list goes over it: without memory for cursors, each row is asked for its values.
    [[nodiscard]] light_array<cursors_at_place> cursors_if_there_is_memory(const listed_rows& rows) const {
        try {
            return cursors_of_places(rows);
        } catch (const std::bad_alloc&) {
            return {};
        }
    }

    /// Visits all rows of a list that is not empty, each of which has its values where the cursors of its
    /// place point. Nothing else is called, so that a function that sums keeps the sum in a register.
    template <class F, std::size_t... Handed>
    static void visit_in_order(std::span<const listed_row> rows, const cursors_at_place* all, F& f,
                               std::index_sequence<Handed...>) {
        const listed_row* at = rows.data();
        const listed_row* const end = at + rows.size();
        do {
            const cursors_at_place& here = all[at->place];
            const entity* const entities = here.block->entities();
            const listed_row* const end_of_run = at + at->run;
            std::uint32_t row = at->row;
            do {
                call(f, entities[row], element<Handed>(*here.cursors)[row]...);
                ++row;
            } while (++at != end_of_run);
        } while (at != end);
    }

    template <class F> void each_run_on_list(F& f) {
        query_core::loop looping(core_, true);
        visit_listed_runs(core_.rows_on_list(looping), f);
    }
    /// A run may go on behind the rows, which are a piece of a list.
    template <class F> void visit_listed_runs(const listed_rows& rows, F& f) {
        for (std::size_t n = 0; n != rows.size();) {
            const std::size_t count = std::min(rows.run_of(n), rows.size() - n);
            const found_row first = rows[n];
            visit_run(*first.found_in, first.block, first.row, static_cast<std::uint32_t>(count), f,
                      places{});
            n += count;
        }
    }

    /// Calls visit_part(match, part of a chunk) for all that satisfies the terms, or visit_listed(rows) for
    /// the pieces of a list, on several threads at once.
    template <class VisitPart, class VisitListed>
    void walk_side_by_side(executor& on, parallel_options how, const VisitPart& visit_part,
                           const VisitListed& visit_listed) {
        static_assert(require_writes_apart<Terms...>());
        core_.require_no_order();
        core_.refresh();
        core_.require_own_values();
        query_core::loop looping(core_, true);
        parallel_for parts(how);
        try {
            if (core_.is_listed() && !core_.lists_matches_apart()) [[unlikely]]
                walk_list(core_.rows_on_list(looping), parts, on, visit_listed);
            else
                walk_chunks(parts, on, visit_part);
        } catch (...) {
            if (!parts.has_begun()) looping.forget_look();
            throw;
        }
    }

    /// Threads take parts of chunks.
    template <class VisitPart>
    void walk_chunks(parallel_for& parts, executor& on, const VisitPart& visit_part) {
        const std::span<const match> all = core_.matches();
        for (const match *m = all.data(), *next = m; m != all.data() + all.size(); m = next) {
            next = core_.end_of_table(m);
            for (chunk* const block : core_.chunks_of(*m))
                parts.add_chunk(m, block, static_cast<std::size_t>(next - m));
        }
        parts.run(on, [&](const void* from, const chunk_part& rows) {
            const auto* const first = static_cast<const match*>(from);
            for (const match& m : std::span(first, core_.end_of_table(first))) visit_part(m, rows);
        });
    }

    /// Threads take pieces of the list.
    template <class VisitListed>
    static void walk_list(const listed_rows& rows, parallel_for& parts, executor& on,
                          const VisitListed& visit_listed) {
        const std::size_t piece = parts.rows_of_a_piece();
        const auto piece_at = [&](std::size_t first) {
            return rows.subspan(first, length_of_piece(rows.subspan(first), piece));
        };
        for (std::size_t first = 0; first != rows.size();) {
            const std::size_t length = piece_at(first).size();
            parts.add(&rows.rows()[first], length);
            first += length;
        }
        parts.run(on, [&](const void* from, const chunk_part&) {
            const auto first =
                static_cast<std::size_t>(static_cast<const listed_row*>(from) - rows.rows().data());
            visit_listed(piece_at(first));
        });
    }

    template <class F> void visit_found(const found_row& found, F& f) {
        visit_row(found, f, places_for<F>());
    }

    template <class F, std::size_t... I>
    void visit_row(const found_row& found, F& f, std::index_sequence<I...>) {
        const query_core::handed_rows handed(core_, *found.found_in, found.at(), 1);
        call(f, found.owner(), argument<term_at<I>, I>(found)...);
    }

    /// See query_core::at_row.
    template <class Term> [[nodiscard]] static fetched_term what_is_at(const fetched_term& f, row_ref at) {
        if constexpr (term_traits<Term>::kind == term_kind::optional)
            return query_core::at_row(f, at);
        else
            return f;
    }

    template <class Term, std::size_t I> [[nodiscard]] decltype(auto) argument(const found_row& found) const {
        const fetched_term here = what_is_at<Term>(core_.fetched(*found.found_in)[I], found.at());
        if constexpr (!is_outside_row<Term> && !is_sparse_term<Term>)
            if (here.base) return cursor<Term>::shared(core_.inherited_value(here));
        return cursor_of<Term, I>(*found.found_in, found.block, here)[found.row];
    }

    /// Goes to the next rows of a loop: those of a chunk, where none is hidden, or a single one. A call that
    /// gets no reference to the iterator, which can then be in registers.
    [[nodiscard, gnu::noinline]] rows_at_hand next_rows(row_iterator& rows) {
        const row_iterator::run next = rows.next_rows();
        if (next.rows == 0) return {};
        const found_row& here = rows.here();
        if (!next.is_whole && core_.marks_writes()) core_.mark_written(*here.found_in, here.at());
        if (next.is_whole || core_.has_values_at_hand(*here.found_in))
            return {here.row, here.row + next.rows, 0, here.block->entities(),
                    cursors_at(*here.found_in, here.block, all_places{})};
        return {0, 1, here.row, here.block->entities() + here.row, cursors_of_row(here, all_places{})};
    }

    /// Cursors for one row, whose values need not be in its columns: values that could be in columns begin
    /// with this row.
    template <std::size_t... I>
    [[nodiscard]] all_cursors cursors_of_row([[maybe_unused]] const found_row& found,
                                             std::index_sequence<I...>) const {
        return {{cursor_of_row<Terms, I>(found)}...};
    }
    template <class Term, std::size_t I>
    [[nodiscard]] cursor<Term> cursor_of_row(const found_row& found) const {
        const fetched_term here = what_is_at<Term>(core_.fetched(*found.found_in)[I], found.at());
        if constexpr (is_in_columns<Term>)
            return cursor<Term>(std::is_empty_v<typename term_traits<Term>::value> && here.base
                                    ? found.block->bytes()
                                    : core_.value_in_row(here, found.at()));
        else
            return cursor_of<Term, I>(*found.found_in, found.block, here);
    }

    /// The item of a row, which is counted from a row of the chunk with which entities and values in columns
    /// begin.
    template <std::size_t... I>
    [[nodiscard, gnu::always_inline]] inline item
    item_in([[maybe_unused]] const entity* entities, const all_cursors& cursors, std::size_t row,
            [[maybe_unused]] std::size_t first, std::index_sequence<I...>) const {
        if constexpr ((is_entity_term<Terms> || ...))
            return item(element<I>(cursors)[is_in_columns<term_at<I>> ? row : first + row]...);
        else
            return item(entities[row], element<I>(cursors)[is_in_columns<term_at<I>> ? row : first + row]...);
    }

    template <std::size_t... I>
    [[nodiscard]] item item_at(const found_row& found, std::index_sequence<I...>) {
        if (core_.marks_writes()) core_.mark_written(*found.found_in, found.at());
        if constexpr ((is_entity_term<Terms> || ...))
            return item(argument<term_at<I>, I>(found)...);
        else
            return item(found.owner(), argument<term_at<I>, I>(found)...);
    }

    /// Rows that one loop goes through: the rows of a chunk, where none is hidden, or a single one.
    struct hand {
        found_row first;
        std::uint32_t count;
        light_optional<all_cursors> cursors; ///< Set where no row is hidden.
    };
    [[nodiscard]] std::vector<hand> hands_of(row_iterator& rows) {
        std::vector<hand> found;
        try {
            for (auto next = rows.next_rows(); next.rows != 0; next = rows.next_rows()) {
                found.push_back({rows.here(), next.rows, {}});
                if (next.is_whole)
                    found.back().cursors.emplace(
                        cursors_at(*rows.here().found_in, rows.here().block, all_places{}));
            }
        } catch (...) { // No two of them have been handed out.
            rows.forget_look();
            throw;
        }
        return found;
    }
    [[nodiscard]] item item_at_hand(const hand& of, std::uint32_t row) {
        if (of.cursors) [[likely]]
            return item_in(of.first.block->entities(), *of.cursors, row, 0, places{});
        return item_at(of.first, places{});
    }
    template <class F> void pair_with_rows(const item& first, const hand& with, std::uint32_t row, F& f) {
        if (with.cursors) [[likely]] {
            for (; row < with.count; ++row) f(item(first), item_at_hand(with, row));
        } else if (row < with.count) { // It is a single row.
            const query_core::handed_rows handed(core_, *with.first.found_in, with.first.at(), 1);
            f(item(first), item_at_hand(with, row));
        }
    }

    template <class F> void visit_runs(const match& m, const chunk_part& part, F& f) {
        std::uint32_t row = part.first;
        while (row < part.end) {
            const std::uint32_t begin = next_row(m, part, row, true);
            row = m.open ? std::min(begin + 1, part.end) : next_row(m, part, begin, false);
            if (row != begin) visit_run(m, part.block, begin, row - begin, f, places{});
        }
    }

    /// The first row from `row` on that satisfies the terms, or that does not; the end of the part when there
    /// is none.
    [[nodiscard]] std::uint32_t next_row(const match& m, const chunk_part& part, std::uint32_t row,
                                         bool satisfies) {
        if (!core_.has_hidden_rows(m)) return satisfies ? row : part.end;
        while (row < part.end) {
            const std::uint64_t mask = core_.row_mask(m, *part.block, row / 64);
            const std::uint64_t wanted = (satisfies ? mask : ~mask) >> (row % 64);
            if (wanted != 0) {
                row += static_cast<std::uint32_t>(std::countr_zero(wanted));
                break;
            }
            row = (row / 64 + 1) * 64;
        }
        return std::min(row, part.end);
    }

    template <class F, std::size_t... I>
    void visit_run(const match& m, chunk* block, std::uint32_t first, std::uint32_t count, F& f,
                   std::index_sequence<I...> handed) {
        for (const std::uint32_t end = first + count; first != end; first += count) {
            count = core_.rows_alike(m, {block, first}, end - first);
            visit_rows_alike(m, block, first, count, f, handed);
        }
    }

    template <class F, std::size_t... I>
    void visit_rows_alike(const match& m, chunk* block, std::uint32_t first, std::uint32_t count, F& f,
                          std::index_sequence<I...>) {
        [[maybe_unused]] const fetched_term* const fetched = core_.fetched(m);
        const std::span<const entity> entities(block->entities() + first, count);
        const query_core::handed_rows handed(core_, m, {block, first}, count);
        call(f, entities,
             run_of<term_at<I>>(block, what_is_at<term_at<I>>(fetched[I], {block, first}), first, count)...);
    }

    /// A run of an inherited value is one row long.
    template <class Term>
    [[nodiscard]] auto run_of(chunk* block, const fetched_term& f, std::uint32_t first,
                              std::uint32_t count) const {
        static_assert(!is_matched_term<Term> && !is_up_term<Term>,
                      "what a wildcard matched and what is above an entity have no column: use each");
        if constexpr (!is_outside_row<Term> && !is_sparse_term<Term>)
            if (f.base) return cursor<Term>::shared_run(core_.inherited_value(f));
        return cursor<Term>(block, f).run(first, count);
    }

    template <class F, class Subject, class... A>
    static void call(F& f, [[maybe_unused]] Subject subject, A&&... arguments) {
        if constexpr (callable_with<F, A...>)
            f(std::forward<A>(arguments)...);
        else if constexpr (callable_with<F, Subject, A...>)
            f(subject, std::forward<A>(arguments)...);
        else {
            static_assert(!callable_with<F, to_be_written<A>...> &&
                              !callable_with<F, Subject, to_be_written<A>...>,
                          "f wants to write what the query only reads: f takes const T&, or the query names "
                          "T without const");
            static_assert(sizeof(F) == 0,
                          "f must take what the terms hand out, with or without the entity first; what is "
                          "only asked for, as a tag, is .with<T>() or has<T>");
        }
    }

    query_core core_;
};

template <class... Terms> inline constexpr bool is_service<query<Terms...>> = true;

} // namespace ecs
