// SPDX-License-Identifier: MIT
// ecs.world, written as its documentation recommends. Include this after the import.
#pragma once
#include "shape.hpp"
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

import ecs.world;

template <> struct ecs::component_traits<burning> {
    static constexpr ecs::storage kept_in = ecs::storage::sparse;
};

template <> struct ecs::component_traits<wet> {
    static constexpr ecs::storage kept_in = ecs::storage::bits;
};

template <> struct ecs::component_traits<smouldering> {
    static constexpr ecs::storage kept_in = ecs::storage::in_place;
};

template <> struct ecs::component_traits<damp> {
    static constexpr ecs::storage kept_in = ecs::storage::in_place;
};

class our_world {
  public:
    static constexpr const char* name = "ecs";
    using handle = ecs::entity;
    using sparse = burning;
    using bit = wet;
    using in_place = smouldering;
    using tag_in_place = damp;

    void create(std::span<handle> out) {
        for (handle& e : out) e = world_.spawn();
    }
    void create_bulk(std::span<handle> out) { world_.spawn_into(out); }
    void destroy(std::span<const handle> ids) {
        for (const handle e : ids) world_.despawn(e);
    }
    [[nodiscard]] std::size_t count_alive(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += world_.alive(e);
        return count;
    }

    void spawn_3(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = world_.spawn(start_position(i), start_velocity(i), start_health(i));
    }
    void spawn_3_bulk(std::span<handle> out, const samples& from) {
        world_.spawn_into(out, std::span(from.positions), std::span(from.velocities),
                          std::span(from.healths));
    }
    void spawn_then_add_3(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = world_.spawn();
            world_.set(out[i], start_position(i));
            world_.set(out[i], start_velocity(i));
            world_.set(out[i], start_health(i));
        }
    }
    void clone_3(handle original, std::span<handle> out) {
        for (handle& e : out) e = world_.clone(original);
    }
    void despawn(std::span<const handle> ids) { destroy(ids); }
    void despawn_bulk(std::span<const handle> ids) { world_.despawn(ids); }
    void despawn_by_query(std::span<const handle>) {
        world_.despawn(world_.query<const position, const velocity, const health>());
    }
    [[nodiscard]] double sum_of_all() {
        double sum = 0;
        world_.each([&](const position& p) { sum += p.x + p.y; });
        world_.each([&](const health& h) { sum += h.points; });
        return sum;
    }

    void spawn_1(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = world_.spawn(start_position(i));
    }
    void add_health(std::span<const handle> ids) {
        for (const handle e : ids) world_.set(e, health{1});
    }
    void add_health_later(std::span<const handle> ids) {
        if (!commands_) commands_.emplace(world_.commands());
        for (const handle e : ids) commands_->set(e, health{1});
        world_.flush();
    }
    void add_both_later(std::span<const handle> ids) {
        if (!commands_) commands_.emplace(world_.commands());
        for (const handle e : ids) {
            commands_->set(e, health{1});
            commands_->add<frozen>(e);
        }
        world_.flush();
    }
    void set_each_later(std::span<const handle> ids) {
        auto later = world_.commands();
        for (const handle e : ids) {
            later.set(e, position{1, 1});
            world_.flush();
        }
    }
    template <class Then> void spawn_each_later(std::size_t n, Then then) {
        auto later = world_.commands();
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = later.spawn(start_position(i), start_velocity(i));
            world_.flush();
            then(e);
        }
    }
    void end_mover(handle e) { world_.despawn(e); }
    void remove_health(std::span<const handle> ids) {
        for (const handle e : ids) world_.remove<health>(e);
    }
    void add_sparse(std::span<const handle> ids) {
        for (const handle e : ids) world_.set(e, burning{1});
    }
    void remove_sparse(std::span<const handle> ids) {
        for (const handle e : ids) world_.remove<burning>(e);
    }
    void disable(std::span<const handle> ids) {
        for (const handle e : ids) world_.disable<position>(e);
    }
    void enable(std::span<const handle> ids) {
        for (const handle e : ids) world_.enable<position>(e);
    }
    void add_bit(std::span<const handle> ids) {
        for (const handle e : ids) world_.add<wet>(e);
    }
    void remove_bit(std::span<const handle> ids) {
        for (const handle e : ids) world_.remove<wet>(e);
    }
    void add_in_place(std::span<const handle> ids) {
        for (const handle e : ids) world_.set(e, smouldering{1});
    }
    void remove_in_place(std::span<const handle> ids) {
        for (const handle e : ids) world_.remove<smouldering>(e);
    }
    void add_tag_in_place(std::span<const handle> ids) {
        for (const handle e : ids) world_.add<damp>(e);
    }
    void remove_tag_in_place(std::span<const handle> ids) {
        for (const handle e : ids) world_.remove<damp>(e);
    }
    void smoulder() {
        world_.each([](position& p, const smouldering& s) { p.x += s.seconds; });
    }
    void add_tag(std::span<const handle> ids) {
        for (const handle e : ids) world_.add<frozen>(e);
    }
    void remove_tag(std::span<const handle> ids) {
        for (const handle e : ids) world_.remove<frozen>(e);
    }

    [[nodiscard]] double get_1(std::span<const handle> ids) {
        float sum = 0;
        for (const handle e : ids) sum += world_.get<position>(e).x;
        return sum;
    }
    [[nodiscard]] double get_2(std::span<const handle> ids) {
        float sum = 0;
        for (const handle e : ids) sum += world_.get<position>(e).x + world_.get<velocity>(e).x;
        return sum;
    }

    [[nodiscard]] double get_1_held(std::span<const handle> ids) {
        const auto position_of = world_.getter<position>();
        float sum = 0;
        for (const handle e : ids) sum += position_of(e).x;
        return sum;
    }
    [[nodiscard]] double get_2_held(std::span<const handle> ids) {
        const auto values_of = world_.getter<position, velocity>();
        float sum = 0;
        for (const handle e : ids) {
            const auto [p, v] = values_of(e);
            sum += p.x + v.x;
        }
        return sum;
    }
    [[nodiscard]] double get_1_batch(std::span<const handle> ids) {
        float sum = 0;
        world_.getter<position>().each(ids, [&](const position& p) { sum += p.x; });
        return sum;
    }
    [[nodiscard]] double get_2_batch(std::span<const handle> ids) {
        float sum = 0;
        world_.getter<position, velocity>().each(
            ids, [&](const position& p, const velocity& v) { sum += p.x + v.x; });
        return sum;
    }

    void step_all() {
        world_.each([](position& p, const velocity& v) { step(p, v); });
    }

    void step_all_in_a_range() {
        for (auto [e, p, v] : movers_) step(p, v);
    }

    void step_all_by_chunk() {
        movers_.each_chunk([](std::span<position> p, std::span<const velocity> v) {
            for (std::size_t i = 0; i < p.size(); ++i) step(p[i], v[i]);
        });
    }

    void spawn_letters(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = world_.spawn(start_position(i), start_velocity(i));
            for_letter(i % letters, [&]<class Letter> { world_.set(e, Letter{}); });
        }
    }
    void spawn_tags(std::size_t n, std::size_t archetypes) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = world_.spawn(start_position(i), start_velocity(i));
            for_tags(i % archetypes, [&]<class Tag> { world_.add<Tag>(e); });
        }
    }
    void spawn_mixed(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = world_.spawn(start_position(i), start_velocity(i));
            if (has_health(i)) world_.set(e, start_health(i));
            if (is_frozen(i)) world_.add<frozen>(e);
        }
    }
    void advance_all() {
        world_.each([](position& p) { advance(p); });
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

    /// Who has changed since the last question.
    void change(handle e) {
        world_.patch<position>(e, [](position& p) { p.x += 1; });
    }
    [[nodiscard]] std::size_t count_changed() {
        if (!changed_) changed_.emplace(world_.query<const position>().changed<position>());
        std::size_t count = 0;
        changed_->each([&](const position&) { ++count; });
        return count;
    }

    void add_systems(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            systems_.add("system " + std::to_string(i), [this](const position& p) { sum_ += p.y; });
    }
    void run_systems() { systems_.run(world_, 1); }
    double take_sum() { return std::exchange(sum_, 0); }

    // Observers, which count what they are told.
    void observe_health() { observe_what_comes<health>(); }
    void observe_health_ten_times() {
        for (int i = 0; i < 10; ++i) observe_health();
    }
    template <class T> void observe_what_comes() {
        world_.observe<ecs::event::added, const T>([this](const T&) { ++told_; });
        world_.observe<ecs::event::removed, const T>([this](const T&) { ++told_; });
    }
    void observe_sparse() { observe_what_comes<burning>(); }
    void observe_in_place() { observe_what_comes<smouldering>(); }
    void observe_positions() {
        world_.observe<ecs::event::set, const position>([this](const position&) { ++told_; });
    }
    void observe_sparse_writes() {
        world_.observe<ecs::event::set, const burning>([this](const burning&) { ++told_; });
    }
    void observe_velocities() {
        world_.observe<ecs::event::set, const velocity>([this](const velocity&) { ++told_; });
    }
    std::size_t take_told() { return std::exchange(told_, 0); }
    void add_health_heard(std::span<const handle> ids) { add_health(ids); }
    void remove_health_heard(std::span<const handle> ids) { remove_health(ids); }
    void add_sparse_heard(std::span<const handle> ids) { add_sparse(ids); }
    void remove_sparse_heard(std::span<const handle> ids) { remove_sparse(ids); }
    void add_in_place_heard(std::span<const handle> ids) { add_in_place(ids); }
    void remove_in_place_heard(std::span<const handle> ids) { remove_in_place(ids); }
    void spawn_3_heard(std::span<handle> out) { spawn_3(out); }
    void despawn_heard(std::span<const handle> ids) { despawn(ids); }
    void set_positions(std::span<const handle> ids) {
        for (const handle e : ids) world_.set(e, position{1, 1});
    }
    void set_positions_heard(std::span<const handle> ids) { set_positions(ids); }
    void set_sparse_heard(std::span<const handle> ids) {
        for (const handle e : ids) world_.set(e, burning{2});
    }

    template <class T> [[nodiscard]] std::size_t count_with(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += world_.has<T>(e);
        return count;
    }
    [[nodiscard]] std::size_t count_disabled(std::span<const handle> ids) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(ids, [&](handle e) { return !world_.is_enabled<position>(e); }));
    }

    void sort_positions() {
        sorted_.emplace(world_.query<const position>().sort_by<position>(
            [](const position& a, const position& b) { return a.x < b.x; }));
    }
    void sort_rows() { sorted_->sort_rows(); }
    [[nodiscard]] double sum_in_order() {
        double sum = 0;
        sorted_->each([&](const position& p) { sum += p.x; });
        return sum;
    }
    [[nodiscard]] double sum_of_enabled() { return sum_of_positions(); }

    // A state of the world, as it is and as bytes.
    void keep() { kept_.emplace(world_.snapshot()); }
    void go_back() { world_.rewind(*kept_); }
    void save() { ecs::save(world_, saved_); }
    void load() { ecs::load(world_, saved_); }

  private:
    ecs::world world_;
    std::optional<ecs::commands> commands_;
    std::optional<ecs::query<const position>> changed_, sorted_;
    ecs::schedule systems_;
    double sum_{};
    std::size_t told_{};
    std::optional<ecs::snapshot> kept_;
    std::vector<std::byte> saved_;
    ecs::query<position, const velocity> movers_ = world_.query<position, const velocity>();
    ecs::query<position, const velocity, const health*> awake_ =
        world_.query<position, const velocity, const health*>().without<frozen>();
};
