// SPDX-License-Identifier: MIT
// How types and descriptions become components. An observer may ask for that, too: what a component has is
// added through the gate.
export module ecs.structure:registrar;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import :change_queue;
import :gate;
import :hooks;
import :notifier;
import :observer;
import :row_spawner;
import :structure;

export namespace ecs {

class registrar;

/// Makes a type a component with everything that it declares, or not at all: an observer that is told of the
/// component finds it whole, and what an observer throws is thrown when it is complete.
class registration {
  public:
    explicit registration(registrar& in);
    registration(const registration&) = delete;
    registration& operator=(const registration&) = delete;
    ~registration();

    [[nodiscard]] entity begin(std::uint32_t number, std::string_view type_name, const component_info& info);
    void complete();

  private:
    registrar* in_;
    std::optional<change_queue::open_change> change_{}; ///< Nothing when there are no observers.
    entity fresh_{};                                    ///< Null when it is complete.
};

/// A component type, and the index that a manifest gives it.
struct listed_type {
    std::uint32_t number;
    std::uint32_t index;
    std::string_view name;
};

/// See the head of this file.
class registrar {
  public:
    registrar(store& rows, notifier& events, structure& core, row_spawner& spawns, gate& in)
        : rows_(rows), events_(events), core_(core), spawns_(spawns), gate_(in) {}
    registrar(const registrar&) = delete;
    registrar& operator=(const registrar&) = delete;

    // The floors below, for the helpers of its sources.
    [[nodiscard]] inline store& rows() const { return rows_; }
    [[nodiscard]] inline notifier& events() const { return events_; }
    [[nodiscard]] inline gate& changes() const { return gate_; }

    /// The entity of a component type, registered under its name first when need be.
    template <class T> [[nodiscard]] entity component_entity() {
        if constexpr (!component_type<T>) static_assert(require_component<T>());
        static_assert(!pair_type<T>,
                      "a pair is no component: id_of<pair_of<R, T>>() of the world is its identifier");
        static_assert(!is_service<T>,
                      "this is no component: it is what loops and systems are given, or a filter of theirs");
        if (const entity known = rows_.registered<T>()) [[likely]]
            return known;
        registration making(*this);
        const entity fresh = making.begin(type_number<T>(), type_name<T>, info_of<T>);
        declare_properties<T>(fresh);
        if constexpr (reflected<T>) describe(fresh, reflection_of<T>());
        install_hooks<T>(fresh);
        making.complete();
        return fresh;
    }

    /// Registers the component types of a manifest under its indices. Throws std::invalid_argument when a
    /// type has another index already, or when an index is another component's, or spent: then nothing has
    /// changed. What else registering throws leaves each type registered or not, and to be registered under
    /// its index; but the index of a relation that could not be made whole is spent.
    template <class... T> void register_listed(manifest<T...>) {
        const std::array<listed_type, sizeof...(T)> all{
            listed_type{type_number<T>(), manifest<T...>::template index_of<T>, type_name<T>}...};
        promise_indices(all.data(), all.size());
        ((std::ignore = component_entity<T>()), ...);
    }

    /// Sets what the values of a component are made of.
    void describe(entity component, reflection members);

    /// A component described at run time; the component of that name when the description agrees with it.
    /// Throws std::invalid_argument when the description does not, and name_error when the name is that of
    /// another entity.
    entity register_component(std::string_view text, const component_info& info);

    void bootstrap();
    entity register_type(std::uint32_t number, std::string_view type_name, const component_info& info);

  private:
    template <class T> void install_hooks([[maybe_unused]] entity component) {
        if constexpr (has_hooks<T>)
            for_each_hook<T>(
                component, [&](std::shared_ptr<observer_record> hook) { events_.observe(std::move(hook)); });
    }

    /// Adds the properties that the type declares of itself.
    template <class T> void declare_properties([[maybe_unused]] entity fresh) {
        if constexpr (items_of<T>.size() != 0) {
            static_assert(require_sound_properties<T>());
            std::apply([&](auto... item) { (declare_item<T>(fresh, item), ...); }, properties_of<T>.items);
        }
    }
    template <class T> void declare_item(entity fresh, id property) {
        require_declared(fresh, property, type_name<T>);
    }
    template <class T, class Other> void declare_item(entity fresh, with_type_t<Other>) {
        require_declared(fresh, pair(with, component_entity<Other>()), type_name<T>);
    }
    template <class T, class Other> void declare_item(entity fresh, needs_type_t<Other>) {
        require_declared(fresh, pair(needs, component_entity<Other>()), type_name<T>);
    }
    template <class T, class Other> void declare_item(entity fresh, excludes_type_t<Other>) {
        require_declared(fresh, pair(excludes, component_entity<Other>()), type_name<T>);
    }
    template <class T, class Group> void declare_item(entity fresh, one_of_type_t<Group>) {
        require_declared(fresh, pair(one_of, component_entity<Group>()), type_name<T>);
    }

    /// Registers a component that every world has.
    template <class T> void register_own(std::uint32_t index) {
        rows_.component_types().reserve(type_number<T>());
        const entity fresh = rows_.entities().create_at(index);
        rows_.enter_type(type_number<T>(), make_component(fresh, type_name<T>, info_of<T>));
        events_.note_types();
    }
    void promise_indices(const listed_type* all, std::size_t count);
    void require_index(const listed_type& type) const;
    void require_declared(entity relation, id property, std::string_view type_name);
    void declare_builtin_relations();
    entity make_component(entity e, std::string_view text, const component_info& info);
    void settle_or_unmake(entity e, const auto& settle);
    void unmake_component(entity e) noexcept;
    void name_component(std::string_view text, entity component);
    void require_unlocked_to_register(std::string_view component) const;

    store& rows_;
    notifier& events_;
    structure& core_;
    row_spawner& spawns_;
    gate& gate_;
};

} // namespace ecs
