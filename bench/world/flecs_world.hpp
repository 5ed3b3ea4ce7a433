// SPDX-License-Identifier: MIT
// Flecs through its C++ interface; the C one where only that has the operation.
#pragma once
#include "shape.hpp"
#include <cstddef>
#include <cstdint>
#include <flecs.h>
#include <span>

class flecs_world {
  public:
    static constexpr const char* name = "flecs";
    using handle = flecs::entity_t;
    using sparse = burning;
    using bit = wet;
    using tag_in_place = damp;

    /// An entity moves to another table with flecs::Sparse, and stays in its own with DontFragment; but a
    /// component came, went and was written faster with the former.
    flecs_world() {
        world_.component<burning>().add(flecs::Sparse);
        world_.component<wet>().add(flecs::DontFragment);
        world_.component<damp>().add(flecs::DontFragment);
    }

    void create(std::span<handle> out) {
        for (handle& e : out) e = world_.entity();
    }
    void create_bulk(std::span<handle> out) {
        const auto* const made = ecs_bulk_new_w_id(world_, 0, static_cast<std::int32_t>(out.size()));
        std::copy_n(made, out.size(), out.begin());
    }
    void destroy(std::span<const handle> ids) {
        for (const handle e : ids) ecs_delete(world_, e);
    }
    [[nodiscard]] std::size_t count_alive(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += world_.is_alive(e);
        return count;
    }

    void spawn_3(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = world_.entity().insert([i](position& p, velocity& v, health& h) {
                p = start_position(i);
                v = start_velocity(i);
                h = start_health(i);
            });
    }
    void spawn_3_bulk(std::span<handle> out, const samples& from) {
        void* columns[] = {const_cast<position*>(from.positions.data()),
                           const_cast<velocity*>(from.velocities.data()),
                           const_cast<health*>(from.healths.data())};
        ecs_bulk_desc_t bulk{};
        bulk.count = static_cast<std::int32_t>(out.size());
        bulk.ids[0] = world_.id<position>();
        bulk.ids[1] = world_.id<velocity>();
        bulk.ids[2] = world_.id<health>();
        bulk.data = columns;
        std::copy_n(ecs_bulk_init(world_, &bulk), out.size(), out.begin());
    }
    void spawn_then_add_3(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = world_.entity().set(start_position(i)).set(start_velocity(i)).set(start_health(i));
    }
    void clone_3(handle original, std::span<handle> out) {
        for (handle& e : out) e = ecs_clone(world_, 0, original, true);
    }
    void despawn(std::span<const handle> ids) { destroy(ids); }
    void despawn_by_query(std::span<const handle>) { world_.delete_with<position>(); }
    [[nodiscard]] double sum_of_all() {
        double sum = 0;
        world_.each([&](const position& p) { sum += p.x + p.y; });
        world_.each([&](const health& h) { sum += h.points; });
        return sum;
    }

    void spawn_1(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = world_.entity().set(start_position(i));
    }
    void add_health(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).set(health{1});
    }
    void add_health_later(std::span<const handle> ids) {
        world_.defer_begin();
        add_health(ids);
        world_.defer_end();
    }
    void add_both_later(std::span<const handle> ids) {
        world_.defer_begin();
        for (const handle e : ids) world_.entity(e).set(health{1}).add<frozen>();
        world_.defer_end();
    }
    void set_each_later(std::span<const handle> ids) {
        const ecs_id_t of_position = world_.id<position>();
        for (const handle e : ids) {
            world_.defer_begin();
            set_id(e, of_position, position{1, 1});
            world_.defer_end();
        }
    }
    template <class Then> void spawn_each_later(std::size_t n, Then then) {
        const ecs_id_t of_position = world_.id<position>(), of_velocity = world_.id<velocity>();
        for (std::size_t i = 0; i < n; ++i) {
            world_.defer_begin();
            const handle e = ecs_new(world_);
            set_id(e, of_position, start_position(i));
            set_id(e, of_velocity, start_velocity(i));
            world_.defer_end();
            then(e);
        }
    }
    void end_mover(handle e) { ecs_delete(world_, e); }
    void remove_health(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).remove<health>();
    }
    void add_sparse(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).set(burning{1});
    }
    void remove_sparse(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).remove<burning>();
    }
    void add_bit(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).add<wet>();
    }
    void remove_bit(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).remove<wet>();
    }
    void add_tag_in_place(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).add<damp>();
    }
    void remove_tag_in_place(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).remove<damp>();
    }
    void disable(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).disable<position>();
    }
    void enable(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).enable<position>();
    }
    void add_tag(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).add<frozen>();
    }
    void remove_tag(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).remove<frozen>();
    }

    /// Asking for the number of a type again for every entity would take twice as long.
    [[nodiscard]] double get_1(std::span<const handle> ids) {
        const ecs_id_t of_position = world_.id<position>();
        float sum = 0;
        for (const handle e : ids) sum += value<position>(e, of_position).x;
        return sum;
    }
    [[nodiscard]] double get_2(std::span<const handle> ids) {
        const ecs_id_t of_position = world_.id<position>(), of_velocity = world_.id<velocity>();
        float sum = 0;
        for (const handle e : ids)
            sum += value<position>(e, of_position).x + value<velocity>(e, of_velocity).x;
        return sum;
    }

    void step_all() {
        movers_.each([](position& p, const velocity& v) { step(p, v); });
    }
    void step_all_by_chunk() {
        movers_.run([](flecs::iter& it) {
            while (it.next()) {
                const auto p = it.field<position>(0);
                const auto v = it.field<const velocity>(1);
                for (const auto i : it) step(p[i], v[i]);
            }
        });
    }

    void spawn_letters(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const flecs::entity e = spawn_mover(i);
            for_letter(i % letters, [&]<class Letter> { e.set(Letter{}); });
        }
    }
    void spawn_tags(std::size_t n, std::size_t archetypes) {
        for (std::size_t i = 0; i < n; ++i) {
            const flecs::entity e = spawn_mover(i);
            for_tags(i % archetypes, [&]<class Tag> { e.add<Tag>(); });
        }
    }
    void spawn_mixed(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const flecs::entity e = spawn_mover(i);
            if (has_health(i)) e.set(start_health(i));
            if (is_frozen(i)) e.add<frozen>();
        }
    }
    void advance_all() {
        positions_.each([](position& p) { advance(p); });
    }
    void step_groups() { step_all(); }
    void step_mixed() {
        awake_.each([](position& p, const velocity& v, const health* h) { step(p, v, h); });
    }
    [[nodiscard]] double sum_of_positions() {
        double sum = 0;
        world_.each([&](const position& p) { sum += p.x + p.y; });
        return sum;
    }

    void add_systems(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            world_.system<const position>().each([this](const position& p) { sum_ += p.y; });
    }
    void run_systems() { world_.progress(1); }
    double take_sum() { return std::exchange(sum_, 0); }

    template <class T> void observe_what_comes() {
        world_.observer<const T>().event(flecs::OnAdd).event(flecs::OnRemove).each([this](const T&) {
            ++told_;
        });
    }
    void observe_health() { observe_what_comes<health>(); }
    void observe_sparse() { observe_what_comes<burning>(); }
    void observe_health_ten_times() {
        for (int i = 0; i < 10; ++i) observe_health();
    }
    void observe_positions() {
        world_.observer<const position>().event(flecs::OnSet).each([this](const position&) { ++told_; });
    }
    void observe_sparse_writes() {
        world_.observer<const burning>().event(flecs::OnSet).each([this](const burning&) { ++told_; });
    }
    void observe_velocities() {
        world_.observer<const velocity>().event(flecs::OnSet).each([this](const velocity&) { ++told_; });
    }
    std::size_t take_told() { return std::exchange(told_, 0); }
    void add_health_heard(std::span<const handle> ids) { add_health(ids); }
    void remove_health_heard(std::span<const handle> ids) { remove_health(ids); }
    void add_sparse_heard(std::span<const handle> ids) { add_sparse(ids); }
    void remove_sparse_heard(std::span<const handle> ids) { remove_sparse(ids); }
    void spawn_3_heard(std::span<handle> out) { spawn_3(out); }
    void despawn_heard(std::span<const handle> ids) { despawn(ids); }
    void set_positions(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).set(position{1, 1});
    }
    void set_positions_heard(std::span<const handle> ids) { set_positions(ids); }
    void set_sparse_heard(std::span<const handle> ids) {
        for (const handle e : ids) world_.entity(e).set(burning{2});
    }

    template <class T> [[nodiscard]] std::size_t count_with(std::span<const handle> ids) const {
        const ecs_id_t what = world_.id<T>();
        std::size_t count = 0;
        for (const handle e : ids) count += ecs_has_id(world_, e, what);
        return count;
    }
    [[nodiscard]] std::size_t count_disabled(std::span<const handle> ids) const {
        return static_cast<std::size_t>(std::ranges::count_if(
            ids, [&](handle e) { return !ecs_is_enabled_id(world_, e, world_.id<position>()); }));
    }

    void sort_positions() {
        sorted_ = world_.query_builder<const position>()
                      .order_by<position>([](flecs::entity_t, const position* a, flecs::entity_t,
                                             const position* b) { return (a->x > b->x) - (a->x < b->x); })
                      .build();
    }
    [[nodiscard]] double sum_in_order() {
        double sum = 0;
        sorted_.each([&](const position& p) { sum += p.x; });
        return sum;
    }
    [[nodiscard]] double sum_of_enabled() { return sum_of_positions(); }

  protected:
    void allow_to_disable_positions() { world_.component<position>().add(flecs::CanToggle); }

  private:
    template <class T> const T& value(handle e, ecs_id_t component) const {
        return *static_cast<const T*>(ecs_get_id(world_, e, component));
    }
    template <class T> void set_id(handle e, ecs_id_t component, const T& value) {
        ecs_set_id(world_, e, component, sizeof(T), &value);
    }
    flecs::entity spawn_mover(std::size_t i) {
        return world_.entity().insert([i](position& p, velocity& v) {
            p = start_position(i);
            v = start_velocity(i);
        });
    }

    flecs::world world_;
    flecs::query<const position> sorted_;
    double sum_{};
    std::size_t told_{};
    flecs::query<position> positions_ = world_.query_builder<position>().cached().build();
    flecs::query<position, const velocity> movers_ =
        world_.query_builder<position, const velocity>().cached().build();
    flecs::query<position, const velocity, const health*> awake_ =
        world_.query_builder<position, const velocity, const health*>().without<frozen>().cached().build();
};

/// Flecs, where components are disabled: every query that asks for one that may be is slower.
class flecs_world_with_switches : public flecs_world {
  public:
    flecs_world_with_switches() { allow_to_disable_positions(); }
};
