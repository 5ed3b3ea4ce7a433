// SPDX-License-Identifier: MIT
// EnTT has no relations; its documentation recommends components that form linked lists, as here.
#pragma once
#include "world/shape.hpp"
#include <cstddef>
#include <entt/entity/registry.hpp>
#include <span>
#include <utility>

class entt_forest {
  public:
    static constexpr const char* name = "EnTT";
    using handle = entt::entity;

    void spawn_roots(std::span<handle> out) {
        for (handle& e : out) {
            e = registry_.create();
            relationships_.emplace(e);
        }
    }
    void spawn_children(std::span<const handle> parents, std::size_t each) {
        for (std::size_t i = 0; i < parents.size() * each; ++i) {
            const handle child = registry_.create();
            positions_.emplace(child, start_position(i));
            link(child, parents[i / each]);
        }
    }
    [[nodiscard]] double sum_of_children(std::span<const handle> parents) {
        double sum = 0;
        for (const handle parent : parents)
            for (handle child = relationships_.get(parent).first; child != entt::null;
                 child = relationships_.get(child).next)
                sum += positions_.get(child).x;
        return sum;
    }
    void end_with_children(std::span<const handle> parents) {
        for (const handle parent : parents) {
            for (handle child = relationships_.get(parent).first; child != entt::null;) {
                const handle next = relationships_.get(child).next;
                registry_.destroy(child);
                child = next;
            }
            registry_.destroy(parent);
        }
    }
    [[nodiscard]] std::size_t count_positions() const { return positions_.size(); }

    void spawn_restless(std::span<handle> out, std::span<const handle> parents) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = registry_.create();
            positions_.emplace(out[i], start_position(i));
            link(out[i], parents[i % parents.size()]);
        }
    }
    void give_other_parents(std::span<const handle> ids, std::span<const handle> parents, std::size_t shift) {
        for (std::size_t i = 0; i < ids.size(); ++i) relink(ids[i], parents[(i + shift) % parents.size()]);
    }
    void give_roots_speeds(std::span<const handle> parents) {
        for (std::size_t i = 0; i < parents.size(); ++i)
            registry_.emplace<velocity>(parents[i], start_velocity(i));
    }
    [[nodiscard]] double sum_with_speeds() {
        const auto& speeds = registry_.storage<velocity>();
        double sum = 0;
        for (auto [e, p, of] : registry_.view<const position, const relationship>().each())
            sum += p.x + speeds.get(of.parent).x;
        return sum;
    }

  private:
    struct relationship {
        handle parent{entt::null};
        handle first{entt::null};
        handle next{entt::null};
        handle previous{entt::null};
    };

    void link(handle child, handle parent) {
        const handle next = std::exchange(relationships_.get(parent).first, child);
        if (next != entt::null) relationships_.get(next).previous = child;
        relationships_.emplace(child, parent, handle{entt::null}, next, handle{entt::null});
    }

    void relink(handle child, handle parent) {
        relationship& own = relationships_.get(child);
        if (own.previous != entt::null)
            relationships_.get(own.previous).next = own.next;
        else
            relationships_.get(own.parent).first = own.next;
        if (own.next != entt::null) relationships_.get(own.next).previous = own.previous;
        const handle next = std::exchange(relationships_.get(parent).first, child);
        if (next != entt::null) relationships_.get(next).previous = child;
        own.parent = parent;
        own.previous = entt::null;
        own.next = next;
    }

    entt::registry registry_;
    entt::storage_for_t<position>& positions_ = registry_.storage<position>();
    entt::storage_for_t<relationship>& relationships_ = registry_.storage<relationship>();
};
