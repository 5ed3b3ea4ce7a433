// SPDX-License-Identifier: MIT
// A system: a function, what it takes from the world, and what it does there.
//
//   [](Position& p, const Velocity& v)              for every entity that has both
//   [](Position& p, without<Frozen>)                for every entity that has the one and lacks the other
//   [](entity e, Health& h, commands& c)            the same, and records changes
//   [](query<const Position>& all, commands& c)     once a run
//   [](query<Position>& all, executor& on)          once a run, which may hand parts to other threads
//   [](Position& p, resource<const Gravity> g)      for every entity, with the one value of the world
//   [](world& w)                                    once a run, alone
export module ecs.world:system;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.structure;
import ecs.query;
import :commands;
import :resource;
import :system_access;
import :world;

namespace ecs {

/// What a system does with the components that a pattern stands for.
struct resolved_access {
    id pattern; ///< Null: everything.
    bool writes;
    std::string component; ///< The name of the component.
};

/// Whether the two accesses may not happen at the same time.
[[nodiscard]] bool conflicting(const resolved_access& a, const resolved_access& b);

/// What a system is given for one run.
struct system_input {
    world* owner;
    class commands* into;
    tick now;
    executor* on; ///< What the schedule runs on.
};

/// A system of any type. Bound to one world at a time.
class system_body {
  public:
    system_body() = default;
    system_body(const system_body&) = delete;
    system_body& operator=(const system_body&) = delete;
    virtual ~system_body() = default;

    /// Binds the system to this world; `anew`: it was bound to another world before.
    virtual void bind(engine& in, bool anew) = 0;
    virtual void run(const system_input& input) = 0;
    [[nodiscard]] virtual std::vector<resolved_access> accesses(engine& in) const = 0;

    /// Whether the system takes the world itself and may change it at once.
    [[nodiscard]] virtual bool is_exclusive() const = 0;
};

/// An access, as far as it is the same in every world.
struct declared_access {
    bool writes;
    std::string_view component;
};

template <class Component> [[nodiscard]] id pattern_of(engine& in) {
    if constexpr (std::is_same_v<Component, whole_world>)
        return {};
    else
        return id_of_type<Component>(in);
}
template <class Component>
inline constexpr std::string_view access_name =
    std::is_same_v<Component, whole_world> ? "the whole world" : type_name<Component>;

[[nodiscard]] std::vector<resolved_access> resolve_accesses(std::size_t count, const id* patterns,
                                                            const declared_access* declared);

template <class... A>
[[nodiscard]] std::vector<resolved_access> resolve_accesses(access_list<A...>, engine& in) {
    // One more, because there are no arrays of none.
    static constexpr declared_access declared[]{{A::writes, access_name<typename A::component>}...,
                                                {false, {}}};
    const id patterns[]{pattern_of<typename A::component>(in)..., id{}};
    return resolve_accesses(sizeof...(A), patterns, declared);
}

/// The query behind a parameter: it has the terms of all parameters that are terms, or a parameter's own
/// terms.
template <class... P> struct terms_among;
template <> struct terms_among<> {
    using type = term_list<>;
};
template <class A, class B> struct terms_joined;
template <class... A, class... B> struct terms_joined<term_list<A...>, term_list<B...>> {
    using type = term_list<A..., B...>;
};
template <class First, class... Rest> struct terms_among<First, Rest...> {
    using here = std::conditional_t<parameter_access<First>::is_term,
                                    term_list<typename term_of_parameter<First>::type>, term_list<>>;
    using type = typename terms_joined<here, typename terms_among<Rest...>::type>::type;
};

template <class List> struct query_of_terms;
template <class... Terms> struct query_of_terms<term_list<Terms...>> {
    using type = query<Terms...>;
};

/// Makes the query of a system, which remembers what it has seen as long as its types stand for the same
/// components.
template <class... Terms> void bind_query(late_value<query<Terms...>>& kept, engine& in, bool anew) {
    if (anew || !kept || kept->untyped().names_ended()) kept.make(in);
}

/// Keeps what one parameter needs between runs, and during one.
template <class Parameter> struct kept_for {
    void bind(engine&, bool) {}
    void begin(bool) {}
    void end() noexcept {}
};
template <class... Terms> struct kept_for<query<Terms...>&> : kept_for<void> {
    void bind(engine& in, bool anew) { bind_query(value, in, anew); }
    late_value<query<Terms...>> value;
};
template <class T> struct kept_for<resource<T>> : resource_finder<T> {};
template <class T> struct kept_for<const resource<T>&> : resource_finder<T> {};

template <class Parameter> inline constexpr bool is_resource_parameter = false;
template <class T> inline constexpr bool is_resource_parameter<resource<T>> = true;

/// Whether the parameter is a query that a system cannot be given: a copy, or one that is const.
template <class Parameter> inline constexpr bool is_unusable_query = false;
template <class... Terms> inline constexpr bool is_unusable_query<query<Terms...>> = true;
template <class... Terms> inline constexpr bool is_unusable_query<const query<Terms...>&> = true;

/// The arguments for those parameters of a function that are no terms.
template <class... P> class kept_arguments {
  public:
    void bind([[maybe_unused]] engine& in, [[maybe_unused]] bool anew) {
        unpack([&](auto&&... kept) { (kept.bind(in, anew), ...); }, kept_);
    }

    /// A run: resources are at hand for as long as it lives. Throws access_error when one is not there.
    class run {
      public:
        explicit run(kept_arguments& of) : of_(&of) { of.begin(); }
        run(const run&) = delete;
        run& operator=(const run&) = delete;
        ~run() { of_->end(); }

      private:
        kept_arguments* of_;
    };

    template <std::size_t I, class Parameter>
    [[nodiscard]] decltype(auto) argument([[maybe_unused]] const system_input& input) {
        using type = std::remove_cvref_t<Parameter>;
        if constexpr (is_filter_term<type>)
            return type{};
        else if constexpr (std::is_same_v<type, commands>)
            return (*input.into);
        else if constexpr (std::is_same_v<type, tick>)
            return (input.now);
        else if constexpr (std::is_same_v<type, executor>)
            return (*input.on);
        else if constexpr (std::is_same_v<type, world>)
            return (*input.owner);
        else if constexpr (is_resource_parameter<type>)
            return element<I>(kept_).lend();
        else
            return (*element<I>(kept_).value);
    }

  private:
    static constexpr bool lends = (is_resource_parameter<std::remove_cvref_t<P>> || ...);
    static constexpr bool changes_world = (std::is_same_v<P, world&> || ...); // Resources may move then.

    void begin() {
        if constexpr (lends) unpack([](auto&&... kept) { (kept.begin(changes_world), ...); }, kept_);
    }
    void end() noexcept {
        if constexpr (lends) unpack([](auto&&... kept) { (kept.end(), ...); }, kept_);
    }

    light_tuple<kept_for<P>...> kept_;
};

template <class F, class List> class typed_system;

template <class F, class... P> class typed_system<F, term_list<P...>> final : public system_body {
    static_assert(!(is_unusable_query<P> || ...),
                  "a system takes a query by a reference that is not const, because to ask a query changes "
                  "what it remembers: write query<const T>& q");
    static constexpr bool each_entity = (parameter_access<P>::is_term || ...);
    static constexpr bool takes_world = (std::is_same_v<P, world&> || ...);
    static_assert(
        !(each_entity && takes_world),
        "a system that is called for each entity cannot take the world: take commands&, or a query&");
    static_assert(require_singletons_alone<typename terms_among<P...>::type>());
    template <class Parameter>
    static constexpr bool is_filter = is_filter_term<std::remove_cvref_t<Parameter>>;
    using own_query = typename query_of_terms<typename terms_among<P...>::type>::type;

  public:
    explicit typed_system(F f) : f_(std::move(f)) {}

    void bind(engine& in, bool anew) override {
        if constexpr (each_entity) bind_query(own_, in, anew);
        kept_.bind(in, anew);
    }

    void run(const system_input& input) override {
        const typename kept_arguments<P...>::run lending(kept_);
        if constexpr (!each_entity)
            call(input, light_tuple<>{}, std::index_sequence_for<P...>{});
        else if constexpr ((parameter_access<P>::is_term && ...))
            own_->each(f_);
        else
            own_->each([&]<class... Values>(Values&&... values) {
                call(input, light_tuple<Values&&...>{{std::forward<Values>(values)}...},
                     std::index_sequence_for<P...>{});
            });
    }

    [[nodiscard]] std::vector<resolved_access> accesses(engine& in) const override {
        return resolve_accesses(access_of_system<F>{}, in);
    }

    [[nodiscard]] bool is_exclusive() const override { return takes_world; }

  private:
    /// How many of the parameters before this one are terms that hand something out.
    template <std::size_t Parameter> [[nodiscard]] static consteval std::size_t term_number() {
        constexpr bool terms[]{(parameter_access<P>::is_term && !is_filter<P>)...};
        std::size_t number = 0;
        for (std::size_t i = 0; i < Parameter; ++i) number += terms[i];
        return number;
    }

    template <class Values, std::size_t... I>
    void call(const system_input& input, Values&& values, std::index_sequence<I...>) {
        f_(argument<I, P>(input, values)...);
    }

    template <std::size_t I, class Parameter, class Values>
    [[nodiscard]] decltype(auto) argument(const system_input& input, Values& values) {
        if constexpr (parameter_access<Parameter>::is_term && !is_filter<Parameter>)
            return take<term_number<I>()>(values);
        else
            return kept_.template argument<I, Parameter>(input);
    }

    F f_;
    late_value<own_query> own_;
    kept_arguments<P...> kept_;
};

} // namespace ecs
