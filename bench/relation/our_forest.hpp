// SPDX-License-Identifier: MIT
// Hierarchies and pairs of ecs.world. Include this after the import.
#pragma once
#include "world/shape.hpp"
#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

import ecs.world;

class our_forest {
  public:
    static constexpr const char* name = "ecs";
    using handle = ecs::entity;

    our_forest() {
        world_.add(likes_, ecs::exclusive);
        for (const ecs::builtin property : {ecs::non_fragmenting, ecs::acyclic, ecs::transitive})
            world_.add(part_of_, property);
        world_.add(part_of_, ecs::pair(ecs::on_delete_target, ecs::delete_it));
    }

    void spawn_roots(std::span<handle> out) {
        for (handle& e : out) e = world_.spawn();
    }
    void spawn_children(std::span<const handle> parents, std::size_t each) {
        for (std::size_t i = 0; i < parents.size() * each; ++i)
            std::ignore = world_.spawn(start_position(i), ecs::pair(ecs::child_of, parents[i / each]));
    }
    void spawn_children_at_once(std::span<const handle> parents, std::size_t each) {
        std::vector<handle> made(each);
        for (std::size_t p = 0; p < parents.size(); ++p)
            world_.spawn_children_into(parents[p], made,
                                       [=](std::size_t i) { return start_position(p * each + i); });
    }
    void spawn_restless(std::span<handle> out, std::span<const handle> parents) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = world_.spawn(start_position(i), ecs::pair(ecs::child_of, parents[i % parents.size()]));
    }
    void give_other_parents(std::span<const handle> ids, std::span<const handle> parents, std::size_t shift) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            world_.add(ids[i], ecs::pair(ecs::child_of, parents[(i + shift) % parents.size()]));
    }
    void give_roots_speeds(std::span<const handle> parents) {
        for (std::size_t i = 0; i < parents.size(); ++i) world_.set(parents[i], start_velocity(i));
    }
    void spawn_instances(std::span<handle> out, std::span<const handle> bases) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = world_.spawn(start_position(i), ecs::pair(ecs::is_a, bases[i % bases.size()]));
    }
    [[nodiscard]] double sum_of_inherited(std::span<const handle> ids) {
        double sum = 0;
        for (const handle e : ids) sum += world_.get<velocity>(e).x;
        return sum;
    }
    [[nodiscard]] double sum_with_speeds() {
        double sum = 0;
        with_speeds_.each([&](const position& p, const velocity& v) { sum += p.x + v.x; });
        return sum;
    }
    [[nodiscard]] double sum_of_children(std::span<const handle> parents) {
        double sum = 0;
        for (const handle parent : parents)
            for (const handle child : world_.children(parent)) sum += world_.get<position>(child).x;
        return sum;
    }
    void end_with_children(std::span<const handle> parents) {
        for (const handle parent : parents) world_.despawn(parent);
    }
    [[nodiscard]] std::size_t count_positions() { return world_.query<const position>().count(); }

    void spawn_1(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = world_.spawn(start_position(i));
    }
    void like(std::span<const handle> ids, std::span<const handle> targets) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            world_.add(ids[i], ecs::pair(likes_, targets[i % targets.size()]));
    }
    [[nodiscard]] double sum_of_likers() {
        double sum = 0;
        likers_.each([&](const position& p) { sum += p.x; });
        return sum;
    }
    [[nodiscard]] double sum_of_likers_of(handle target) {
        double sum = 0;
        world_.query<const position>().with(ecs::pair(likes_, target)).each([&](const position& p) {
            sum += p.x;
        });
        return sum;
    }

    void spawn_chain(std::span<handle> out) {
        spawn_1(out);
        for (std::size_t i = 1; i < out.size(); ++i) world_.add(out[i], ecs::pair(part_of_, out[i - 1]));
    }
    /// The query is made anew, so that nothing is known of the chain.
    [[nodiscard]] double sum_below(handle top) {
        double sum = 0;
        world_.query<const position>().with(ecs::pair(part_of_, top)).each([&](const position& p) {
            sum += p.x;
        });
        return sum;
    }
    void end_chain(handle top) { world_.despawn(top); }

  private:
    ecs::world world_;
    ecs::entity likes_ = world_.spawn();
    ecs::entity part_of_ = world_.spawn();
    ecs::query<const position, ecs::up<const velocity>> with_speeds_ =
        world_.query<const position, ecs::up<const velocity>>();
    ecs::query<const position> likers_ = world_.query<const position>().with(ecs::pair(likes_, ecs::any));
};

/// The same entities without a hierarchy.
class flat_forest {
  public:
    static constexpr const char* name = "floor";
    using handle = ecs::entity;

    void spawn_roots(std::span<handle> out) {
        for (handle& e : out) e = world_.spawn();
    }
    void spawn_children(std::span<const handle> parents, std::size_t each) {
        for (std::size_t i = 0; i < parents.size() * each; ++i)
            children_.push_back(world_.spawn(start_position(i)));
    }
    void end_with_children(std::span<const handle> parents) {
        world_.despawn(children_);
        world_.despawn(parents);
    }
    [[nodiscard]] std::size_t count_positions() { return world_.query<const position>().count(); }

  private:
    ecs::world world_;
    std::vector<handle> children_;
};
