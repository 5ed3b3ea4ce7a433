// SPDX-License-Identifier: MIT
// EnTT with its default identifiers of 32 bits.
#pragma once
#include "shape.hpp"
#include <cstddef>
#include <entt/entity/registry.hpp>
#include <span>

class entt_registry {
  public:
    static constexpr const char* name = "EnTT";
    using handle = entt::entity;

    void create(std::span<handle> out) {
        for (handle& e : out) e = registry_.create();
    }
    void create_bulk(std::span<handle> out) { registry_.create(out.begin(), out.end()); }
    void destroy(std::span<const handle> ids) {
        for (const handle e : ids) registry_.destroy(e);
    }
    [[nodiscard]] std::size_t count_alive(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += registry_.valid(e);
        return count;
    }

    void spawn_3(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = registry_.create();
            registry_.emplace<position>(out[i], start_position(i));
            registry_.emplace<velocity>(out[i], start_velocity(i));
            registry_.emplace<health>(out[i], start_health(i));
        }
    }
    void spawn_3_bulk(std::span<handle> out, const samples& from) {
        registry_.create(out.begin(), out.end());
        registry_.insert<position>(out.begin(), out.end(), from.positions.begin());
        registry_.insert<velocity>(out.begin(), out.end(), from.velocities.begin());
        registry_.insert<health>(out.begin(), out.end(), from.healths.begin());
    }
    void spawn_then_add_3(std::span<handle> out) { spawn_3(out); }
    void despawn(std::span<const handle> ids) { destroy(ids); }
    void despawn_bulk(std::span<const handle> ids) { registry_.destroy(ids.begin(), ids.end()); }
    [[nodiscard]] double sum_of_all() {
        double sum = 0;
        for (auto [e, p] : registry_.view<const position>().each()) sum += p.x + p.y;
        for (auto [e, h] : registry_.view<const health>().each()) sum += h.points;
        return sum;
    }

    void spawn_1(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = registry_.create();
            registry_.emplace<position>(out[i], start_position(i));
        }
    }
    void add_health(std::span<const handle> ids) {
        for (const handle e : ids) registry_.emplace<health>(e, 1);
    }
    void remove_health(std::span<const handle> ids) {
        for (const handle e : ids) registry_.remove<health>(e);
    }
    void add_tag(std::span<const handle> ids) {
        for (const handle e : ids) registry_.emplace<frozen>(e);
    }
    void remove_tag(std::span<const handle> ids) {
        for (const handle e : ids) registry_.remove<frozen>(e);
    }

    [[nodiscard]] double get_1(std::span<const handle> ids) {
        const auto& positions = registry_.storage<position>();
        float sum = 0;
        for (const handle e : ids) sum += positions.get(e).x;
        return sum;
    }
    [[nodiscard]] double get_2(std::span<const handle> ids) {
        const auto& positions = registry_.storage<position>();
        const auto& velocities = registry_.storage<velocity>();
        float sum = 0;
        for (const handle e : ids) sum += positions.get(e).x + velocities.get(e).x;
        return sum;
    }

    void step_all() {
        registry_.view<position, const velocity>().each([](position& p, const velocity& v) { step(p, v); });
    }

  private:
    entt::registry registry_;
};
