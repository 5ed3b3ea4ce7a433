// SPDX-License-Identifier: MIT
// What a component type itself does when its values come, change and go:
//
//   struct Socket {
//       static void on_add(ecs::world&, ecs::entity, Socket&);
//       static void on_set(ecs::world&, ecs::entity, Socket&);
//       static void on_remove(ecs::world&, ecs::entity, Socket&);
//   };
//
// A hook is an observer that comes with the type: it is told first of what begins, and last of what ends.
export module ecs.world:hooks;
import ecs.std;
import ecs.id;
import ecs.relation;
import :component;
import :observer;

namespace ecs {

template <class T>
concept hooks_on_add = requires(world& in, entity e, T& value) { T::on_add(in, e, value); };
template <class T>
concept hooks_on_set = requires(world& in, entity e, T& value) { T::on_set(in, e, value); };
template <class T>
concept hooks_on_remove = requires(world& in, entity e, T& value) { T::on_remove(in, e, value); };
template <class T>
concept has_hooks = std::is_class_v<T> && (hooks_on_add<T> || hooks_on_set<T> || hooks_on_remove<T>);

template <class T, event What> class type_hook final : public observer_body {
  public:
    void see(store&, const occurrence& what) override {
        T& value = std::is_empty_v<T> ? tag_value<T>() : *static_cast<T*>(what.value);
        if constexpr (What == event::added)
            T::on_add(*what.in, what.subject, value);
        else if constexpr (What == event::set)
            T::on_set(*what.in, what.subject, value);
        else
            T::on_remove(*what.in, what.subject, value);
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
    if constexpr (hooks_on_add<T>) take(hook_of_type<T, event::added>(component));
    if constexpr (hooks_on_set<T>) take(hook_of_type<T, event::set>(component));
    if constexpr (hooks_on_remove<T>) take(hook_of_type<T, event::removed>(component));
}

} // namespace ecs
