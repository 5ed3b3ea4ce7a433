// SPDX-License-Identifier: MIT
// gaia-ecs: copies and builders for what an entity has, accessors for values, cached queries.
#pragma once
#include "shape.hpp"
#include <cstddef>
#include <cstdint>
#include <gaia.h>
#include <span>

/// As `burning`: gaia-ecs asks the type where it is kept.
struct gaia_burning {
    GAIA_STORAGE(Sparse);
    float seconds;
};

class gaia_world {
  public:
    static constexpr const char* name = "gaia-ecs";
    using handle = gaia::ecs::Entity;
    using sparse = gaia_burning;

    /// Without DontFragment an entity would move to another archetype, although the value is kept elsewhere.
    gaia_world() { world_.add(world_.add<gaia_burning>().entity, gaia::ecs::DontFragment); }

    void create(std::span<handle> out) {
        for (handle& e : out) e = world_.add();
    }
    void create_bulk(std::span<handle> out) {
        handle* next = out.data();
        world_.add_n(static_cast<std::uint32_t>(out.size()), [&](handle e) { *next++ = e; });
    }
    /// The end of a frame makes the indices of those that have ended free.
    void destroy(std::span<const handle> ids) {
        for (const handle e : ids) world_.del(e);
        world_.update();
    }
    [[nodiscard]] std::size_t count_alive(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += world_.valid(e);
        return count;
    }

    /// The others are copies of the first, which takes a third of the time of a builder for each.
    void spawn_3(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = i == 0 ? build_3() : world_.copy(out[0]);
            world_.acc_mut(out[i])
                .sset<position>(start_position(i))
                .sset<velocity>(start_velocity(i))
                .sset<health>(start_health(i));
        }
    }
    /// The same for all at once; they get their values by chunk.
    void spawn_3_bulk(std::span<handle> out, const samples& from) {
        if (out.empty()) return;
        spawn_3(out.first(1));
        std::size_t next = 1;
        world_.copy_n(out[0], static_cast<std::uint32_t>(out.size() - 1), [&](gaia::ecs::CopyIter& it) {
            const auto e = it.view<handle>();
            auto p = it.sview_mut<position>();
            auto v = it.sview_mut<velocity>();
            auto h = it.sview_mut<health>();
            for (std::uint32_t i = 0, rows = it.size(); i < rows; ++i, ++next) {
                out[next] = e[i];
                p[i] = from.positions[next];
                v[i] = from.velocities[next];
                h[i] = from.healths[next];
            }
        });
    }
    void spawn_then_add_3(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = world_.add();
            world_.add<position>(out[i], start_position(i));
            world_.add<velocity>(out[i], start_velocity(i));
            world_.add<health>(out[i], start_health(i));
        }
    }
    void clone_3(handle original, std::span<handle> out) {
        for (handle& e : out) e = world_.copy(original);
    }
    void despawn(std::span<const handle> ids) { destroy(ids); }
    [[nodiscard]] double sum_of_all() {
        double sum = sum_of_positions();
        world_.uquery().all<health>().each([&](const health& h) { sum += h.points; });
        return sum;
    }

    void spawn_1(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = world_.add();
            world_.add<position>(out[i], start_position(i));
        }
    }
    void add_health(std::span<const handle> ids) {
        for (const handle e : ids) world_.add<health>(e, health{1});
    }
    void add_health_later(std::span<const handle> ids) {
        gaia::ecs::CommandBufferST& later = world_.cmd_buffer_st();
        for (const handle e : ids) later.add<health>(e, health{1});
        later.commit();
    }
    void add_both_later(std::span<const handle> ids) {
        gaia::ecs::CommandBufferST& later = world_.cmd_buffer_st();
        for (const handle e : ids) {
            later.add<health>(e, health{1});
            later.add<frozen>(e);
        }
        later.commit();
    }
    void set_each_later(std::span<const handle> ids) {
        gaia::ecs::CommandBufferST& later = world_.cmd_buffer_st();
        for (const handle e : ids) {
            later.set<position>(e, position{1, 1});
            later.commit();
        }
    }
    void remove_health(std::span<const handle> ids) {
        for (const handle e : ids) world_.del<health>(e);
    }
    void add_sparse(std::span<const handle> ids) {
        for (const handle e : ids) world_.add<gaia_burning>(e, gaia_burning{1});
    }
    void remove_sparse(std::span<const handle> ids) {
        for (const handle e : ids) world_.del<gaia_burning>(e);
    }
    /// The switch is of the entity, not of a component.
    void disable(std::span<const handle> ids) {
        for (const handle e : ids) world_.enable(e, false);
    }
    void enable(std::span<const handle> ids) {
        for (const handle e : ids) world_.enable(e, true);
    }
    void add_tag(std::span<const handle> ids) {
        for (const handle e : ids) world_.add<frozen>(e);
    }
    void remove_tag(std::span<const handle> ids) {
        for (const handle e : ids) world_.del<frozen>(e);
    }

    template <class T> void observe(gaia::ecs::ObserverEvent event) {
        world_.observer().event(event).template all<T>().on_each([this](const T&) { ++told_; });
    }
    template <class T> void observe_what_comes() {
        observe<T>(gaia::ecs::ObserverEvent::OnAdd);
        observe<T>(gaia::ecs::ObserverEvent::OnDel);
    }
    void observe_health() { observe_what_comes<health>(); }
    void observe_health_ten_times() {
        for (int i = 0; i < 10; ++i) observe_health();
    }
    void observe_sparse() { observe_what_comes<gaia_burning>(); }
    void observe_positions() { observe<position>(gaia::ecs::ObserverEvent::OnSet); }
    void observe_sparse_writes() { observe<gaia_burning>(gaia::ecs::ObserverEvent::OnSet); }
    void observe_velocities() { observe<velocity>(gaia::ecs::ObserverEvent::OnSet); }
    std::size_t take_told() { return std::exchange(told_, 0); }
    void add_health_heard(std::span<const handle> ids) { add_health(ids); }
    void remove_health_heard(std::span<const handle> ids) { remove_health(ids); }
    void add_sparse_heard(std::span<const handle> ids) { add_sparse(ids); }
    void remove_sparse_heard(std::span<const handle> ids) { remove_sparse(ids); }
    void set_positions(std::span<const handle> ids) {
        for (const handle e : ids) world_.acc_mut(e).set<position>({1, 1});
    }
    void set_positions_heard(std::span<const handle> ids) { set_positions(ids); }
    void set_sparse_heard(std::span<const handle> ids) {
        for (const handle e : ids) world_.set<gaia_burning>(e) = {2};
    }

    template <class T> [[nodiscard]] std::size_t count_with(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += world_.has<T>(e);
        return count;
    }
    [[nodiscard]] std::size_t count_disabled(std::span<const handle> ids) const {
        return static_cast<std::size_t>(
            std::ranges::count_if(ids, [&](handle e) { return !world_.enabled(e); }));
    }

    [[nodiscard]] double get_1(std::span<const handle> ids) const {
        float sum = 0;
        for (const handle e : ids) sum += world_.acc(e).get<position>().x;
        return sum;
    }
    [[nodiscard]] double get_2(std::span<const handle> ids) const {
        float sum = 0;
        for (const handle e : ids) {
            const auto of_entity = world_.acc(e);
            sum += of_entity.get<position>().x + of_entity.get<velocity>().x;
        }
        return sum;
    }
    void step_all() {
        movers_.each([](position& p, const velocity& v) { step(p, v); });
    }
    void step_all_by_chunk() {
        movers_.each([](gaia::ecs::Iter& it) {
            auto p = it.view_mut<position>(0);
            const auto v = it.view<velocity>(1);
            for (std::uint32_t i = 0, rows = it.size(); i < rows; ++i) step(p[i], v[i]);
        });
    }

    void spawn_letters(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = spawn_mover(i);
            for_letter(i % letters, [&]<class Letter> { world_.add<Letter>(e, Letter{}); });
        }
    }
    void spawn_tags(std::size_t n, std::size_t archetypes) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = spawn_mover(i);
            for_tags(i % archetypes, [&]<class Tag> { world_.add<Tag>(e); });
        }
    }
    void spawn_mixed(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = spawn_mover(i);
            if (has_health(i)) world_.add<health>(e, start_health(i));
            if (is_frozen(i)) world_.add<frozen>(e);
        }
    }
    void advance_all() {
        positions_.each([](position& p) { advance(p); });
    }
    void step_groups() { step_all(); }
    void step_mixed() {
        awake_.each([](gaia::ecs::Iter& it) {
            auto p = it.view_mut<position>(0);
            const auto v = it.view<velocity>(1);
            const health* const h = it.has<health>() ? &it.view<health>(2)[0] : nullptr;
            for (std::uint32_t i = 0, rows = it.size(); i < rows; ++i) step(p[i], v[i], h ? h + i : nullptr);
        });
    }
    [[nodiscard]] double sum_of_positions() {
        double sum = 0;
        world_.uquery().all<position>().each([&](const position& p) { sum += p.x + p.y; });
        return sum;
    }

    void add_systems(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            world_.system().all<position>().on_each([this](const position& p) { sum_ += p.y; });
    }
    void run_systems() { world_.update(); }
    double take_sum() { return std::exchange(sum_, 0); }

  private:
    handle build_3() {
        const handle e = world_.add();
        world_.build(e).add<position>().add<velocity>().add<health>();
        return e;
    }
    handle spawn_mover(std::size_t i) {
        const handle e = world_.add();
        world_.build(e).add<position>().add<velocity>();
        world_.acc_mut(e).sset<position>(start_position(i)).sset<velocity>(start_velocity(i));
        return e;
    }

    gaia::ecs::World world_;
    double sum_{};
    std::size_t told_{};
    gaia::ecs::Query positions_ = world_.query().all<position&>();
    gaia::ecs::Query movers_ = world_.query().all<position&>().all<velocity>();
    gaia::ecs::Query awake_ = world_.query().all<position&>().all<velocity>().any<health>().no<frozen>();
};
