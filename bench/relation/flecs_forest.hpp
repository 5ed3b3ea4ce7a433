// SPDX-License-Identifier: MIT
// Hierarchies and pairs of flecs, which has them in its storage as we have. Of its two kinds of hierarchies
// each workload has the faster: that of the component Parent, or that of pairs with ChildOf.
#pragma once
#include "world/shape.hpp"
#include <cstddef>
#include <flecs.h>
#include <span>

class flecs_forest {
  public:
    static constexpr const char* name = "flecs";
    using handle = flecs::entity_t;

    void spawn_roots(std::span<handle> out) {
        for (handle& e : out) e = world_.entity();
    }
    void spawn_children(std::span<const handle> parents, std::size_t each) {
        for (std::size_t i = 0; i < parents.size() * each; ++i)
            world_.entity(flecs::Parent{parents[i / each]}).set(start_position(i));
    }
    [[nodiscard]] double sum_of_children(std::span<const handle> parents) {
        const ecs_id_t of_position = world_.id<position>();
        double sum = 0;
        for (const handle parent : parents)
            world_.entity(parent).children([&](flecs::entity child) {
                sum += static_cast<const position*>(ecs_get_id(world_, child, of_position))->x;
            });
        return sum;
    }
    void end_with_children(std::span<const handle> parents) {
        for (const handle parent : parents) ecs_delete(world_, parent);
    }
    [[nodiscard]] std::size_t count_positions() { return static_cast<std::size_t>(world_.count<position>()); }

    void spawn_restless(std::span<handle> out, std::span<const handle> parents) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = world_.entity(flecs::Parent{parents[i % parents.size()]}).set(start_position(i));
    }
    void give_other_parents(std::span<const handle> ids, std::span<const handle> parents, std::size_t shift) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const flecs::Parent above{parents[(i + shift) % parents.size()]};
            ecs_set_id(world_, ids[i], ecs_id(EcsParent), sizeof above, &above);
        }
    }
    void give_roots_speeds(std::span<const handle> parents) {
        for (std::size_t i = 0; i < parents.size(); ++i) world_.entity(parents[i]).set(start_velocity(i));
    }
    void spawn_instances(std::span<handle> out, std::span<const handle> bases) {
        world_.component<velocity>().add(flecs::OnInstantiate, flecs::Inherit);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = world_.entity().is_a(bases[i % bases.size()]).set(start_position(i));
    }
    [[nodiscard]] double sum_of_inherited(std::span<const handle> ids) {
        const ecs_id_t of_velocity = world_.id<velocity>();
        double sum = 0;
        for (const handle e : ids) sum += static_cast<const velocity*>(ecs_get_id(world_, e, of_velocity))->x;
        return sum;
    }

    void spawn_1(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = world_.entity().set(start_position(i));
    }
    void like(std::span<const handle> ids, std::span<const handle> targets) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            ecs_add_id(world_, ids[i], ecs_pair(likes_, targets[i % targets.size()]));
    }
    [[nodiscard]] double sum_of_likers() {
        double sum = 0;
        likers_.each([&](const position& p) { sum += p.x; });
        return sum;
    }
    [[nodiscard]] double sum_of_likers_of(handle target) {
        double sum = 0;
        world_.query_builder<const position>().with(likes_, target).build().each([&](const position& p) {
            sum += p.x;
        });
        return sum;
    }

  protected:
    flecs::world world_;

  private:
    flecs::entity likes_ = world_.entity().add(flecs::Exclusive);
    flecs::query<const position> likers_ =
        world_.query_builder<const position>().with(likes_, flecs::Wildcard).cached().build();
};

/// Where what is above is read: the children of a parent share a table, and the parent is looked up once for
/// all.
class flecs_forest_of_pairs : public flecs_forest {
  public:
    void spawn_restless(std::span<handle> out, std::span<const handle> parents) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = world_.entity().child_of(parents[i % parents.size()]).set(start_position(i));
    }
    [[nodiscard]] double sum_with_speeds() {
        double sum = 0;
        with_speeds_.each([&](const position& p, const velocity& v) { sum += p.x + v.x; });
        return sum;
    }

  private:
    flecs::query<const position, const velocity> with_speeds_ =
        world_.query_builder<const position, const velocity>().term_at(1).parent().cached().build();
};
