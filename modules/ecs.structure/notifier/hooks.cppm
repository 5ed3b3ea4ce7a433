// SPDX-License-Identifier: MIT
// What a component type itself does when its values come, change and go:
//
//   struct Socket {
//       static void on_add(ecs::world&, ecs::entity, Socket&);
//       static void on_set(ecs::world&, ecs::entity, Socket&);
//       static void on_remove(ecs::world&, ecs::entity, Socket&);
//   };
//
// Each may leave out the value. A hook is an observer that comes with the type: it is told first of what
// begins, and last of what ends.
export module ecs.structure:hooks;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import :notifier;
import :observer;
import :owner;

export namespace ecs {

template <class T>
concept hooks_on_add = requires(const owner_ref& in, entity e, T& value) { T::on_add(in, e, value); } ||
                       requires(const owner_ref& in, entity e) { T::on_add(in, e); };
template <class T>
concept hooks_on_set = requires(const owner_ref& in, entity e, T& value) { T::on_set(in, e, value); } ||
                       requires(const owner_ref& in, entity e) { T::on_set(in, e); };
template <class T>
concept hooks_on_remove = requires(const owner_ref& in, entity e, T& value) { T::on_remove(in, e, value); } ||
                          requires(const owner_ref& in, entity e) { T::on_remove(in, e); };

/// Whether a pointer to a member leads to a function, of an object or not.
template <class Pointer> inline constexpr bool leads_to_function = false;
template <class F> inline constexpr bool leads_to_function<F*> = std::is_function_v<F>;
template <class F, class T> inline constexpr bool leads_to_function<F T::*> = std::is_function_v<F>;

// A function with the name of a hook that cannot be called as one would never be called.
template <class T>
concept names_on_add = requires { requires leads_to_function<decltype(&T::on_add)>; };
template <class T>
concept names_on_set = requires { requires leads_to_function<decltype(&T::on_set)>; };
template <class T>
concept names_on_remove = requires { requires leads_to_function<decltype(&T::on_remove)>; };

template <class T>
concept has_hooks = std::is_class_v<T> && (names_on_add<T> || names_on_set<T> || names_on_remove<T> ||
                                           hooks_on_add<T> || hooks_on_set<T> || hooks_on_remove<T>);

/// Does not compile when the type has a function with the name of a hook that cannot be called as one.
template <class T> consteval bool require_sound_hooks() {
    static_assert(
        hooks_on_add<T> || !names_on_add<T>,
        "the component's on_add is no hook: write static void on_add(ecs::world&, ecs::entity, T&), "
        "public and with or without the value, or give the function another name");
    static_assert(
        hooks_on_set<T> || !names_on_set<T>,
        "the component's on_set is no hook: write static void on_set(ecs::world&, ecs::entity, T&), "
        "public and with or without the value, or give the function another name");
    static_assert(
        hooks_on_remove<T> || !names_on_remove<T>,
        "the component's on_remove is no hook: write static void on_remove(ecs::world&, "
        "ecs::entity, T&), public and with or without the value, or give the function another name");
    return true;
}

template <class T, event What> class type_hook final : public observer_body {
  public:
    void see(const event_context& what) override { call(what.in, what.subject, value_told(what.value)); }
    void see_at(event, entity e, id, void* value, const notifier& of) override {
        call(of.owner(), e, value_told(value));
    }

  private:
    [[nodiscard]] static T& value_told(void* value) {
        return std::is_empty_v<T> ? tag_value<T>() : *static_cast<T*>(value);
    }
    /// Calls the hook, with the value if the hook takes it.
    static void call(const owner_ref& in, entity subject, [[maybe_unused]] T& value) {
        if constexpr (What == event::added) {
            if constexpr (requires { T::on_add(in, subject, value); })
                T::on_add(in, subject, value);
            else
                T::on_add(in, subject);
        } else if constexpr (What == event::set) {
            if constexpr (requires { T::on_set(in, subject, value); })
                T::on_set(in, subject, value);
            else
                T::on_set(in, subject);
        } else {
            if constexpr (requires { T::on_remove(in, subject, value); })
                T::on_remove(in, subject, value);
            else
                T::on_remove(in, subject);
        }
    }
};

template <class T, event What> [[nodiscard]] std::shared_ptr<observer_record> hook_of_type(id component) {
    auto made =
        make_record_of_pattern(What, {}, std::unique_ptr<observer_body>(new type_hook<T, What>()), component);
    made->hook = true;
    return made;
}

/// Hands the hooks that the type declares to `take`.
template <has_hooks T, class Take> void for_each_hook(id component, const Take& take) {
    static_assert(require_sound_hooks<T>());
    if constexpr (hooks_on_add<T>) take(hook_of_type<T, event::added>(component));
    if constexpr (hooks_on_set<T>) take(hook_of_type<T, event::set>(component));
    if constexpr (hooks_on_remove<T>) take(hook_of_type<T, event::removed>(component));
}

} // namespace ecs
