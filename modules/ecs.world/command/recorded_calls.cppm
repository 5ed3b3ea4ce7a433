// SPDX-License-Identifier: MIT
// Functions of the user that commands call at the flush: they are handed the world, which commands do not
// know.
export module ecs.world:recorded_calls;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.structure;
import :command_applier;
import :command_stream;
import :commands;
import :flush_report;
import :world;

namespace ecs {

template <> inline constexpr bool is_service<world> = true;

[[nodiscard]] inline world& world_of(const command_applier& to) { return to.in().events().owner(); }

template <class F>
inline constexpr operation call_operation{[](command_applier& to, command_run& run) {
                                              to.each(run, command_kind::call, [&](entity, std::uint32_t i) {
                                                  const spent_value<F> spent{std::addressof(run.value<F>(i))};
                                                  std::move (*spent.value)(world_of(to));
                                                  return add_result::added;
                                              });
                                          },
                                          discard_of<F>};

/// Calls a function with the world and an entity, unless the entity has died.
template <class F>
inline constexpr operation entity_call_operation{
    [](command_applier& to, command_run& run) {
        world& in = world_of(to);
        to.each(run, command_kind::call, [&](entity e, std::uint32_t i) {
            const spent_value<F> spent{std::addressof(run.value<F>(i))};
            if (!to.in().rows().locate(e)) return add_result::not_alive;
            std::move (*spent.value)(in, e);
            return add_result::added;
        });
    },
    discard_of<F>};

template <class F> void commands::run(F&& f) {
    using function = std::decay_t<F>;
    static_assert(std::invocable<function, world&>, "run calls the function with world&");
    stream().template record_value<function>(call_operation<function>, {}, {}, std::forward<F>(f));
    into_->now->ask_for_barrier();
}

template <class F> void commands::run(entity e, F&& f) {
    using function = std::decay_t<F>;
    static_assert(std::invocable<function, world&, entity>, "run calls the function with world& and entity");
    stream().template record_value<function>(entity_call_operation<function>, {}, e, std::forward<F>(f));
    into_->now->ask_for_barrier();
}

} // namespace ecs
