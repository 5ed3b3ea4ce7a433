// SPDX-License-Identifier: MIT
// A query with variables: what its terms hand out for the subject, once for every binding.
export module ecs.query:joined_query;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :condition;
import :found_row;
import :joined_condition;
import :joined_word;
import :joins;
import :query;
import :query_core;
import :term;

export namespace ecs {

/// Made by the first term of a query that has a variable. Terms without one are about the subject. Where the
/// subject has several matches, as where a wildcard is handed out, each binding comes with each of them. A
/// wildcard behind the first term with a variable hands out nothing: it asks whether there is something.
/// Adding and removing is refused while a loop runs. Must not outlive its world. Not thread-safe.
template <class... Terms> class joined_query {
  public:
    explicit joined_query(query<Terms...> subjects)
        : subjects_(std::move(subjects)), join_(subjects_.untyped().of()) {}

    /// Only entities with the identifier: the subject, or the entity for which the variable stands. A
    /// variable that is a relation stands for relations of which some entity has a pair. In
    /// with<R>(var("x")) the variable is the source, who has R: where it is to be the target, write
    /// with(pair(world.component<R>(), var("x"))). Throws std::invalid_argument for null.
    joined_query& with(const joined_word& asked) {
        join_.add(asked);
        return *this;
    }
    joined_query& with(id word, variable of = var("this")) { return with(joined_word(word).of(of)); }
    joined_query& with(const pair_with_variable& word, variable of) { return with(joined_word(word).of(of)); }
    joined_query& with(id relation, entity target) { return with(pair(relation, target)); }
    template <class T> joined_query& with() { return with(type_id<T>()); }
    template <class T> joined_query& with(variable of) { return with(type_id<T>(), of); }
    template <class R> joined_query& with(any_t) { return with(pair(type_id<R>(), any)); }

    /// Only entities without the identifier. The variables have to occur in a term that is not negated.
    joined_query& without(const joined_word& asked) { return with(!asked); }
    joined_query& without(id word, variable of = var("this")) { return without(joined_word(word).of(of)); }
    joined_query& without(const pair_with_variable& word, variable of) {
        return without(joined_word(word).of(of));
    }
    joined_query& without(id relation, entity target) { return without(pair(relation, target)); }
    template <class T> joined_query& without() { return without(type_id<T>()); }
    template <class T> joined_query& without(variable of) { return without(type_id<T>(), of); }
    template <class R> joined_query& without(any_t) { return without(pair(type_id<R>(), any)); }

    /// Gives a variable its values where there are some; where there are none, the variable is null. Where
    /// terms that must hold give values to all variables of this one, it changes no answer.
    joined_query& optional(const joined_word& asked) {
        join_.add_optional(asked);
        return *this;
    }
    joined_query& optional(const pair_with_variable& word, variable of) {
        return optional(joined_word(word).of(of));
    }
    joined_query& optional(id word, variable of) { return optional(joined_word(word).of(of)); }
    template <class T> joined_query& optional(variable of) { return optional(type_id<T>(), of); }

    /// Only bindings for which the condition holds: has<speed>().of(var("x")) || has<slow>(). An alternative
    /// is asked where the alternatives before it do not hold, and a variable that occurs only in others is
    /// null then. Throws std::invalid_argument for a question about null, and for more than
    /// joined_condition::max_words combinations of alternatives.
    template <class Condition>
        requires has_variables<Condition>
    joined_query& where(const Condition& asked) {
        join_.add(joined_condition(asked));
        return *this;
    }
    /// A condition without variables is about the subject.
    joined_query& where(const query_condition& asked) {
        subjects_.where(asked);
        join_.forget();
        return *this;
    }

    /// Gives a variable its value in the loops to come, until unset. "this" is the entity that the query is
    /// about. A term that may be missing and that says what the variable is has to hold then. Throws
    /// std::invalid_argument for null, which is what lookup has not found, and when no term has the variable.
    joined_query& set(std::string_view variable, entity e) {
        join_.set(variable, e);
        return *this;
    }
    /// Takes the value back: the variable stands for all entities that satisfy the terms. Throws
    /// std::invalid_argument when no term has the variable.
    joined_query& unset(std::string_view variable) {
        join_.unset(variable);
        return *this;
    }

    /// Calls f for every binding, in no particular order: f(Terms...), with the entity first and the bindings
    /// last if f takes them. Where the subject has several matches, as where a wildcard is handed out, f is
    /// called for each of them. Throws std::invalid_argument when no term gives a variable its values.
    /// on_step, if given, is called after every 256 candidates, whatever they are tried for, and may end the
    /// loop by throwing.
    template <class F> void each(F&& f, const std::function<void()>& on_step = {}) {
        each_match([&](match_at_hand& one, const bindings& found) { call_with(one, found, f); }, on_step);
    }

    /// The same on several threads at once, oneTBB's unless another executor is given. One thread has all
    /// bindings of one subject, so that the subject's values may be written; values of other entities may
    /// only be read. Each search begins with the subjects. Throws as each, and what f throws first.
    template <class F> void par_each(F&& f, parallel_options how = {}) {
        par_each(default_executor(), f, how);
    }
    template <class F> void par_each(executor& on, F&& f, parallel_options how = {}) {
        static_assert(require_writes_apart<Terms...>());
        subjects_.untyped().prepare_to_find();
        subjects_.untyped().require_own_values();
        const query_core::loop looking(subjects_.untyped(), true);
        matching_subjects among(subjects_);
        const auto lend = [&](const std::function<void(const join::visitor&)>& search) {
            subject_at_hand at_hand;
            search([&](const bindings& found) {
                visit_binding(at_hand, found, [&](match_at_hand& one) { call_with(one, found, f); });
            });
        };
        join_.par_each(among, on, lend, how);
    }

    /// How often each would call its function: the number of bindings, each with every match of its subject.
    /// Where no entity has several matches, bindings are counted without being visited.
    [[nodiscard]] std::size_t count() {
        subjects_.untyped().refresh();
        if (subjects_.untyped().may_match_often()) return count_matches();
        matching_subjects among(subjects_);
        return join_.search(among, {});
    }
    /// The entity that one of the bindings is about; null when there is none. Does not look for other
    /// bindings.
    [[nodiscard]] entity first() {
        entity found;
        matching_subjects among(subjects_);
        const auto keep = [&](const bindings& one) { found = one.subject(); };
        std::ignore = join_.search(among, {.visit = keep, .limit = 1});
        return found;
    }
    [[nodiscard]] bool empty() { return !first(); }
    /// Whether one of the bindings is about the entity. Does not look at other entities.
    [[nodiscard]] bool contains(entity e) {
        matching_subjects among(subjects_);
        return subjects_.contains(e) && join_.has_answer(among, e);
    }
    /// The entities that the bindings are about, each once, in the order of their words.
    [[nodiscard]] std::vector<entity> entities() {
        std::vector<entity> found;
        for_each_binding([&](const bindings& one) { found.push_back(one.subject()); });
        std::ranges::sort(found);
        const auto rest = std::ranges::unique(found);
        found.erase(rest.begin(), rest.end());
        return found;
    }

    /// The part that is the same for every query: what the subjects are asked.
    [[nodiscard]] query_core& untyped() { return subjects_.untyped(); }

    /// The order in which a loop gives the variables values, and from where, with the numbers by which the
    /// order was chosen: a line for each variable. For people; what it says may change.
    [[nodiscard]] std::string explain() {
        matching_subjects among(subjects_);
        return join_.explain(among);
    }

  private:
    friend class text_query;

    /// Calls f(bindings) for every binding. It is no loop: what has changed is still to be looked at.
    void for_each_binding(const auto& f) {
        matching_subjects among(subjects_);
        std::ignore = join_.search(among, {.visit = f});
    }

    /// The same, but f is called as often as each would call its function.
    void for_each_match(const auto& f) {
        query_core& core = subjects_.untyped();
        core.prepare_to_find();
        if (!core.may_match_often()) return for_each_binding(f);
        const query_core::loop walking(core); // What the core knows of tables stays as it is.
        entity last;
        std::size_t matches = 0;
        for_each_binding([&](const bindings& one) {
            if (one.subject() != last) matches = core.count_known(last = one.subject());
            for (std::size_t n = 0; n != matches; ++n) f(one);
        });
    }
    [[nodiscard]] std::size_t count_matches() {
        std::size_t count = 0;
        for_each_match([&](const bindings&) { ++count; });
        return count;
    }

    /// Calls visit(match, bindings) for each match of the subject of every binding, in a loop that looks.
    void each_match(const auto& visit, const std::function<void()>& on_step) {
        query_core& core = subjects_.untyped();
        core.prepare_to_find();
        query_core::loop looking(core, true);
        matching_subjects among(subjects_);
        subject_at_hand at_hand;
        const auto visit_one = [&](const bindings& found) {
            visit_binding(at_hand, found, [&](match_at_hand& one) { visit(one, found); });
        };
        try {
            std::ignore = join_.search(among, {visit_one, on_step});
        } catch (...) {
            if (!at_hand.last) looking.forget_look();
            throw;
        }
    }

    class matching_subjects final : public join_subjects {
      public:
        explicit matching_subjects(query<Terms...>& of) : query_(&of) {}
        [[nodiscard]] std::size_t count() override { return query_->count(); }
        [[nodiscard]] std::vector<entity> all() override { return query_->entities(); }
        [[nodiscard]] bool contain(entity e) override { return query_->contains(e); }
        [[nodiscard]] bool stay() override { return query_->untyped().asks_tables_alone(); }

      private:
        query<Terms...>* query_;
    };

    /// A match of a subject, and what is handed out for it.
    struct match_at_hand {
        found_row at;
        typename query<Terms...>::item values;
    };
    /// The matches of a subject: the same as long as bindings are about that subject.
    struct subject_at_hand {
        rowless_chunk room; // A loop within this one has its own.
        entity last;
        std::vector<match_at_hand> matches;
    };

    void take_matches_of(entity subject, subject_at_hand& at_hand) {
        const query_core& core = subjects_.untyped();
        at_hand.matches.clear(); // A loop may disable what later subjects have.
        found_row at = core.find_known(subject, at_hand.room);
        for (; at.block; at = core.next_match(at)) at_hand.matches.push_back({at, subjects_.get_found(at)});
        at_hand.last = subject;
    }

    /// Calls visit(match) for each match of the subject of a binding.
    void visit_binding(subject_at_hand& at_hand, const bindings& found, const auto& visit) {
        if (found.subject() != at_hand.last) take_matches_of(found.subject(), at_hand);
        for (match_at_hand& one : at_hand.matches) {
            const query_core::handed_rows handed(subjects_.untyped(), *one.at.found_in, one.at.at(), 1);
            visit(one);
        }
    }

    static void call_with(match_at_hand& one, const bindings& found, auto& f) {
        std::apply([&](auto&... argument) { call(f, found, argument...); }, one.values);
    }

    static constexpr bool entity_is_implied = !(is_entity_term<Terms> || ...);

    template <class T> [[nodiscard]] id type_id() { return id_of_type<T>(subjects_.untyped().of()); }

    template <class F, class First, class... Rest>
    static void call(F& f, const bindings& found, First&& first, Rest&&... rest) {
        if constexpr (callable_with<F, First, Rest..., const bindings&>)
            f(std::forward<First>(first), std::forward<Rest>(rest)..., found);
        else if constexpr (callable_with<F, First, Rest...>)
            f(std::forward<First>(first), std::forward<Rest>(rest)...);
        else if constexpr (entity_is_implied && callable_with<F, Rest..., const bindings&>)
            f(std::forward<Rest>(rest)..., found);
        else {
            static_assert(entity_is_implied && callable_with<F, Rest...>,
                          "f must take what the terms hand out, with or without the entity first and the "
                          "bindings last; what is only asked for, as a tag, is .with<T>() or has<T>");
            f(std::forward<Rest>(rest)...);
        }
    }

    query<Terms...> subjects_;
    join join_;
};

template <class... Terms> inline constexpr bool is_service<joined_query<Terms...>> = true;

} // namespace ecs
