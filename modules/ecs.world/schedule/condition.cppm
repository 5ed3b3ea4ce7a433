// SPDX-License-Identifier: MIT
// Conditions: whether systems run. A condition is a function that takes what systems take, reads, and returns
// a bool; conditions are put together with and, or and not.
//
//   [](resource<const clock> c) { return c->hour > 6; }
//   on_change<position>() or every(10)
//   not has_resource<pause>() and once()
export module ecs.world:condition;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.structure;
import ecs.query;
import :resource;
import :system;
import :system_access;
import :world;

namespace ecs {

/// A condition of any type. Bound to one world at a time.
class condition_body {
  public:
    condition_body() = default;
    virtual ~condition_body() = default;
    condition_body& operator=(const condition_body&) = delete;

    /// Binds the condition to this world; `anew`: it was bound to another world before.
    virtual void bind(engine& in, bool anew) = 0;
    [[nodiscard]] virtual bool ask(const system_input& input) = 0;
    /// A copy with what the function knows, which is bound to no world yet.
    [[nodiscard]] virtual std::unique_ptr<condition_body> clone() const = 0;

  protected:
    condition_body(const condition_body&) = default;
};

/// Whether a condition may have the parameter: it only reads, and is asked once and not for each entity.
template <class Parameter>
inline constexpr bool is_condition_parameter =
    std::is_same_v<std::remove_cvref_t<Parameter>, tick> || std::is_same_v<Parameter, const world&>;
template <class T> inline constexpr bool is_condition_parameter<resource<const T>> = true;
template <class T> inline constexpr bool is_condition_parameter<const resource<const T>&> = true;
template <class... Terms>
inline constexpr bool is_condition_parameter<query<Terms...>&> = (reads_only<Terms> && ...);

template <class F, class List> class typed_condition;

template <class F, class... P> class typed_condition<F, term_list<P...>> final : public condition_body {
    static_assert((is_condition_parameter<P> && ...),
                  "a condition is asked once a run and only reads: it takes const world&, query<const T>&, "
                  "resource<const T> or const tick&");
    static_assert(
        requires(F& f, P... p) {
            { f(p...) } -> std::convertible_to<bool>;
        }, "a condition returns a bool; those of the library are called: once()");
    static_assert(std::is_copy_constructible_v<F>, "a condition is copied with the options it is part of");

  public:
    explicit typed_condition(F f) : f_(std::move(f)) {}

    void bind(engine& in, bool anew) override { kept_.bind(in, anew); }
    [[nodiscard]] bool ask(const system_input& input) override {
        const typename kept_arguments<P...>::run lending(kept_);
        return ask(input, std::index_sequence_for<P...>{});
    }
    [[nodiscard]] std::unique_ptr<condition_body> clone() const override {
        return std::unique_ptr<condition_body>(new typed_condition(f_));
    }

  private:
    template <std::size_t... I>
    [[nodiscard]] bool ask([[maybe_unused]] const system_input& input, std::index_sequence<I...>) {
        return static_cast<bool>(f_(kept_.template argument<I, P>(input)...));
    }

    F f_;
    kept_arguments<P...> kept_;
};

/// The parameters of a condition; a function whose parameters have no types may take const world&.
template <class F> struct condition_parameters {
    using type = term_list<const world&>;
};
template <has_parameters F> struct condition_parameters<F> {
    using type = parameters_of<F>;
};

export class condition;
/// Holds when it is asked for the first time, and again when its schedule runs on another world.
export [[nodiscard]] condition once();

/// Whether something is to run. Made of a function that takes const world&, query<const T>&, resource<const
/// T> or const tick&, and returns a bool; without a function, it always holds. A copy begins with what the
/// original knows, and goes its own way.
///
/// `a && b`, `a || b` and `!a`, which may be written and, or, not, are conditions again. The right one is not
/// asked when the left one decides: one that remembers, such as once, does not know of that run then.
export class condition {
  public:
    condition() = default;
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, condition> &&
                 (has_parameters<F> || callable_with<F, const world&>))
    condition(F f) { // NOLINT(google-explicit-constructor): what is given as run_if is a function.
        if constexpr (requires { f == nullptr; })
            if (f == nullptr) return;
        using typed = typed_condition<F, typename condition_parameters<F>::type>;
        body_ = std::unique_ptr<condition_body>(new typed(std::move(f)));
    }
    /// Does not compile: a condition is asked at each run.
    template <std::same_as<bool> Constant>
    condition(Constant) { // NOLINT(google-explicit-constructor): as above.
        static_assert(sizeof(Constant) == 0, "a condition is a function, which is asked at each run: write "
                                             "[&] { return flag; }");
    }
    condition(const condition& other);
    condition(condition&&) noexcept = default;
    condition& operator=(const condition& other);
    condition& operator=(condition&&) noexcept = default;
    ~condition() = default;

    /// Whether it is made of no function, and always holds.
    [[nodiscard]] bool is_empty() const { return !body_; }

    [[nodiscard]] friend condition operator&&(condition a, condition b) {
        return joined(std::move(a), std::move(b), false);
    }
    [[nodiscard]] friend condition operator||(condition a, condition b) {
        return joined(std::move(a), std::move(b), true);
    }
    [[nodiscard]] friend condition operator!(condition a) { return negated(std::move(a)); }

    // For the schedule.

    /// Binds the condition to this world; `anew`: it was bound to another world before.
    void bind(engine& in, bool anew);
    [[nodiscard]] bool ask(const system_input& input);

  private:
    friend condition once();

    explicit condition(std::unique_ptr<condition_body> body) : body_(std::move(body)) {}

    /// Holds when both hold, or when one does.
    [[nodiscard]] static condition joined(condition a, condition b, bool one_is_enough);
    [[nodiscard]] static condition negated(condition a);

    std::unique_ptr<condition_body> body_;
};

/// Holds in every n-th run of the schedule, beginning with the first; steps are not counted. Throws
/// std::invalid_argument for 0.
export [[nodiscard]] condition every(std::uint64_t runs);

/// Holds when some entity shows another value of the component than when it was asked last, or has it newly:
/// see query::changed. The first time, it holds when some entity has the component.
export template <component_type T> [[nodiscard]] condition on_change() {
    return [](query<changed<T>>& of) {
        const bool is_new = !of.empty();
        of.mark_seen();
        return is_new;
    };
}

/// The same for the singleton of the type alone.
export template <component_type T> [[nodiscard]] condition on_resource_change() {
    return [](query<changed<T>>& of) {
        const bool is_new = of.contains(id_of_type<T>(of.untyped().of()).as_entity());
        of.mark_seen();
        return is_new;
    };
}

/// Holds when the world has a singleton of the type.
export template <component_type T> [[nodiscard]] condition has_resource() {
    return [](const world& in) { return in.has_singleton<T>(); };
}

} // namespace ecs
