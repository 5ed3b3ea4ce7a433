// SPDX-License-Identifier: MIT
// mustache: archetypes that are looked up before a loop and builders, functions for each entity, jobs where a
// loop needs a filter.
#pragma once
#include "shape.hpp"
#include <cstddef>
#include <cstdint>
#include <mustache/ecs/ecs.hpp>
#include <span>

class mustache_world {
  public:
    static constexpr const char* name = "mustache";
    using handle = mustache::Entity;
    using sparse = burning;

    void create(std::span<handle> out) {
        mustache::Archetype& empty = entities_.getArchetype<>();
        for (handle& e : out) e = entities_.create(empty);
    }
    void destroy(std::span<const handle> ids) {
        for (const handle e : ids) entities_.destroyNow(e);
    }
    [[nodiscard]] std::size_t count_alive(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += entities_.isEntityValid(e);
        return count;
    }

    void spawn_3(std::span<handle> out) {
        mustache::Archetype& of_three = entities_.getArchetype<position, velocity, health>();
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = entities_.create(of_three);
            *entities_.getComponent<position>(out[i]) = start_position(i);
            *entities_.getComponent<velocity>(out[i]) = start_velocity(i);
            *entities_.getComponent<health>(out[i]) = start_health(i);
        }
    }
    void spawn_then_add_3(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = entities_.create();
            entities_.assign<position>(out[i], start_position(i));
            entities_.assign<velocity>(out[i], start_velocity(i));
            entities_.assign<health>(out[i], start_health(i));
        }
    }
    void clone_3(handle original, std::span<handle> out) {
        for (handle& e : out) e = entities_.clone(original);
    }
    void despawn(std::span<const handle> ids) { destroy(ids); }
    void despawn_by_query(std::span<const handle>) {
        entities_.clearArchetype(entities_.getArchetype<position, velocity, health>());
    }
    [[nodiscard]] double sum_of_all() {
        double sum = sum_of_positions();
        entities_.forEach([&](const health& h) { sum += h.points; });
        return sum;
    }

    void spawn_1(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = entities_.begin().assign<position>(start_position(i)).end();
    }
    void add_health(std::span<const handle> ids) {
        for (const handle e : ids) entities_.assign<health>(e, 1);
    }
    /// What is asked of locked entities waits until they are unlocked.
    void add_health_later(std::span<const handle> ids) {
        entities_.lock();
        add_health(ids);
        entities_.unlock();
    }
    void add_both_later(std::span<const handle> ids) {
        entities_.lock();
        for (const handle e : ids) {
            entities_.assign<health>(e, 1);
            entities_.assign<frozen>(e);
        }
        entities_.unlock();
    }
    void remove_health(std::span<const handle> ids) {
        for (const handle e : ids) entities_.removeComponent<health>(e);
    }
    /// Everything is kept in tables.
    void add_sparse(std::span<const handle> ids) {
        for (const handle e : ids) entities_.assign<burning>(e, 1.F);
    }
    void remove_sparse(std::span<const handle> ids) {
        for (const handle e : ids) entities_.removeComponent<burning>(e);
    }
    /// There is no switch: a tag says it.
    void disable(std::span<const handle> ids) { add_tag(ids); }
    void enable(std::span<const handle> ids) { remove_tag(ids); }
    void add_tag(std::span<const handle> ids) {
        for (const handle e : ids) entities_.assign<frozen>(e);
    }
    void remove_tag(std::span<const handle> ids) {
        for (const handle e : ids) entities_.removeComponent<frozen>(e);
    }

    template <class T> [[nodiscard]] std::size_t count_with(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += entities_.hasComponent<T>(e);
        return count;
    }
    [[nodiscard]] std::size_t count_disabled(std::span<const handle> ids) const {
        return count_with<frozen>(ids);
    }

    [[nodiscard]] double get_1(std::span<const handle> ids) const {
        float sum = 0;
        for (const handle e : ids) sum += entities_.getComponent<const position>(e)->x;
        return sum;
    }
    [[nodiscard]] double get_2(std::span<const handle> ids) const {
        float sum = 0;
        for (const handle e : ids)
            sum +=
                entities_.getComponent<const position>(e)->x + entities_.getComponent<const velocity>(e)->x;
        return sum;
    }

    void step_all() {
        entities_.forEach([](position& p, const velocity& v) { step(p, v); });
    }
    void step_all_by_chunk() { step_by_chunk_.run(world_); }

    void spawn_letters(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = spawn_mover(i);
            for_letter(i % letters, [&]<class Letter> { entities_.assign<Letter>(e); });
        }
    }
    void spawn_tags(std::size_t n, std::size_t archetypes) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = spawn_mover(i);
            for_tags(i % archetypes, [&]<class Tag> { entities_.assign<Tag>(e); });
        }
    }
    void spawn_mixed(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = spawn_mover(i);
            if (has_health(i)) entities_.assign<health>(e, start_health(i));
            if (is_frozen(i)) entities_.assign<frozen>(e);
        }
    }
    void advance_all() {
        entities_.forEach([](position& p) { advance(p); });
    }
    void step_groups() { step_all(); }
    void step_mixed() { step_awake_.run(world_); }
    [[nodiscard]] double sum_of_positions() {
        double sum = 0;
        entities_.forEach([&](const position& p) { sum += p.x + p.y; });
        return sum;
    }

  private:
    struct by_chunk : mustache::PerEntityJob<by_chunk> {
        void forEachArray(mustache::ComponentArraySize rows, mustache::RequiredComponent<position> p,
                          mustache::RequiredComponent<velocity> v) {
            for (std::size_t i = 0; i < rows.toInt(); ++i) step(p[i], v[i]);
        }
    };
    struct awake : mustache::PerEntityJob<awake> {
        void operator()(position& p, const velocity& v, const health* h) { step(p, v, h); }
        bool extraArchetypeFilterCheck(const mustache::Archetype& archetype) const noexcept override {
            return !archetype.hasComponent(excluded);
        }
        mustache::ComponentId excluded = mustache::ComponentFactory::instance().registerComponent<frozen>();
    };

    handle spawn_mover(std::size_t i) {
        return entities_.begin()
            .assign<position>(start_position(i))
            .assign<velocity>(start_velocity(i))
            .end();
    }

    /// A number that is used again: handles have room for 1,024 worlds, and those that have ended count.
    mustache::World world_{mustache::WorldId::make(0)};
    mustache::EntityManager& entities_ = world_.entities();
    by_chunk step_by_chunk_;
    awake step_awake_;
};
