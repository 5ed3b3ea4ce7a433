// SPDX-License-Identifier: MIT
// The singleton of a type as a parameter of systems and conditions.
//
//   [](position& p, resource<const gravity> g) { p.y -= g->strength; }
export module ecs.world:resource;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.structure;
import ecs.query;

namespace ecs {

template <class T> class resource_finder;

/// What a resource refers to, for one run of a system.
template <class T> struct lent_resource {
    T* value{};
    bool handed_out{};                   ///< Handed out to be written.
    const resource_finder<T>* to_find{}; ///< For a system that may move it: each access looks.
};

/// The singleton of T: a component added to itself, see world::set_singleton. A system may write to the
/// singleton of T, and only read that of const T. What is handed out to be written counts as changed when the
/// system ends. Good for the run of the system that it is given to, on its thread. A system that takes the
/// world, too, may move or remove the value: each access looks for it then, and throws access_error when it
/// is gone.
export template <class T> class resource {
    static_assert(component_type<std::remove_const_t<T>>,
                  "this is no type of a component: write resource<T> or resource<const T>");
    static_assert(!std::is_empty_v<T>, "a tag has no value: ask world.has_singleton, or has_resource<T>()");

  public:
    explicit resource(lent_resource<T>& lent) : lent_(&lent) {}

    [[nodiscard]] T& operator*() const {
        if constexpr (!std::is_const_v<T>) lent_->handed_out = true;
        if (lent_->to_find) [[unlikely]]
            lent_->value = lent_->to_find->find();
        return *lent_->value;
    }
    [[nodiscard]] T* operator->() const { return &**this; }

  private:
    lent_resource<T>* lent_;
};

template <class T> inline constexpr bool is_service<resource<T>> = true;

/// Throws access_error: the world has no singleton of the type.
[[noreturn]] void refuse_resource(const engine& in, entity component, std::string_view type);

/// Finds the singleton of a type for each run.
template <class T> class resource_finder {
    using component = std::remove_const_t<T>;

  public:
    void bind(engine& in, bool) {
        engine_ = &in;
        component_ = id_of_type<component>(in).as_entity();
    }

    /// Throws access_error when there is none.
    [[nodiscard]] T* find() const {
        T* const found = find_value<T>(*engine_, component_);
        if (!found) refuse_resource(*engine_, component_, type_name<component>);
        return found;
    }
    /// Begins a run. Throws access_error when there is none.
    void begin(bool may_move) { lent_ = {find(), false, may_move ? this : nullptr}; }
    void end() noexcept {
        if (lent_.handed_out) engine_->events().touch(component_, component_, engine_->events().now());
    }
    [[nodiscard]] resource<T> lend() { return resource<T>(lent_); }

  private:
    engine* engine_{};
    entity component_;
    lent_resource<T> lent_;
};

} // namespace ecs
