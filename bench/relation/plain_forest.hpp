// SPDX-License-Identifier: MIT
// The floor: a parent for each entity and a list of children for each parent, in plain arrays.
#pragma once
#include "world/plain_arrays.hpp"
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

class plain_forest {
  public:
    static constexpr const char* name = "floor";
    using handle = plain_arrays::handle;

    void spawn_roots(std::span<handle> out) { entities_.create(out); }
    void spawn_children(std::span<const handle> parents, std::size_t each) {
        std::vector<handle> made(parents.size() * each);
        entities_.create(made);
        children_.resize(parents.size());
        for (std::size_t i = 0; i < made.size(); ++i) {
            const std::size_t parent = i / each;
            parent_.push_back(parents[parent]);
            children_[parent].push_back(made[i]);
            positions_.push_back(start_position(i));
        }
        first_child_ = static_cast<std::uint32_t>(made.front());
    }
    void spawn_children_at_once(std::span<const handle> parents, std::size_t each) {
        spawn_children(parents, each);
    }
    [[nodiscard]] double sum_of_children(std::span<const handle> parents) const {
        double sum = 0;
        for (const handle parent : parents)
            for (const handle child : children_[static_cast<std::uint32_t>(parent)])
                sum += positions_[static_cast<std::uint32_t>(child) - first_child_].x;
        return sum;
    }
    void end_with_children(std::span<const handle> parents) {
        for (const handle parent : parents) {
            auto& list = children_[static_cast<std::uint32_t>(parent)];
            entities_.destroy(list);
            list.clear();
        }
        positions_.clear();
        parent_.clear();
        entities_.destroy(parents);
    }
    [[nodiscard]] std::size_t count_positions() const { return positions_.size(); }

    // Children that get another parent: their places on the lists are kept.

    void spawn_restless(std::span<handle> out, std::span<const handle> parents) {
        entities_.create(out);
        first_child_ = static_cast<std::uint32_t>(out.front());
        children_.resize(parents.size());
        place_.resize(out.size());
        parent_.resize(out.size());
        for (std::size_t i = 0; i < out.size(); ++i) {
            positions_.push_back(start_position(i));
            enter(out[i], parents[i % parents.size()]);
        }
    }
    void give_other_parents(std::span<const handle> ids, std::span<const handle> parents, std::size_t shift) {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            leave(ids[i]);
            enter(ids[i], parents[(i + shift) % parents.size()]);
        }
    }
    void give_roots_speeds(std::span<const handle> parents) {
        for (std::size_t i = 0; i < parents.size(); ++i) speeds_.push_back(start_velocity(i));
    }
    void spawn_instances(std::span<handle> out, std::span<const handle> bases) {
        entities_.create(out);
        first_child_ = static_cast<std::uint32_t>(out.front());
        for (std::size_t i = 0; i < out.size(); ++i) parent_.push_back(bases[i % bases.size()]);
    }
    [[nodiscard]] double sum_of_inherited(std::span<const handle> ids) const {
        double sum = 0;
        for (const handle e : ids)
            sum +=
                speeds_[static_cast<std::uint32_t>(parent_[static_cast<std::uint32_t>(e) - first_child_])].x;
        return sum;
    }
    [[nodiscard]] double sum_with_speeds() const {
        double sum = 0;
        for (std::size_t i = 0; i < positions_.size(); ++i)
            sum += positions_[i].x + speeds_[static_cast<std::uint32_t>(parent_[i])].x;
        return sum;
    }

    // Pairs with one relation: the target of each entity.

    void spawn_1(std::span<handle> out) {
        entities_.create(out);
        for (std::size_t i = 0; i < out.size(); ++i) positions_.push_back(start_position(i));
        target_of_.resize(positions_.size());
    }
    void like(std::span<const handle> ids, std::span<const handle> targets) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            target_of_[static_cast<std::uint32_t>(ids[i])] = targets[i % targets.size()];
    }
    [[nodiscard]] double sum_of_likers() const {
        double sum = 0;
        for (std::size_t i = 0; i < positions_.size(); ++i)
            if (target_of_[i] != 0) sum += positions_[i].x;
        return sum;
    }
    [[nodiscard]] double sum_of_likers_of(handle target) const {
        double sum = 0;
        for (std::size_t i = 0; i < positions_.size(); ++i)
            if (target_of_[i] == target) sum += positions_[i].x;
        return sum;
    }

    // A chain: the next of each entity.

    void spawn_chain(std::span<handle> out) {
        spawn_1(out);
        next_.resize(positions_.size());
        for (std::size_t i = 1; i < out.size(); ++i) next_[static_cast<std::uint32_t>(out[i - 1])] = out[i];
    }
    [[nodiscard]] double sum_below(handle top) const {
        double sum = 0;
        for (handle at = next_[static_cast<std::uint32_t>(top)]; at != 0;
             at = next_[static_cast<std::uint32_t>(at)])
            sum += positions_[static_cast<std::uint32_t>(at)].x;
        return sum;
    }
    void end_chain(handle top) {
        for (handle at = top; at != 0;) {
            const handle ended = std::exchange(at, next_[static_cast<std::uint32_t>(at)]);
            entities_.destroy({&ended, 1});
        }
        positions_.clear();
        next_.clear();
    }

  private:
    void enter(handle child, handle parent) {
        auto& list = children_[static_cast<std::uint32_t>(parent)];
        const std::uint32_t index = static_cast<std::uint32_t>(child) - first_child_;
        place_[index] = list.size();
        parent_[index] = parent;
        list.push_back(child);
    }
    void leave(handle child) {
        const std::uint32_t index = static_cast<std::uint32_t>(child) - first_child_;
        auto& list = children_[static_cast<std::uint32_t>(parent_[index])];
        const handle last = list.back();
        list[place_[index]] = last;
        place_[static_cast<std::uint32_t>(last) - first_child_] = place_[index];
        list.pop_back();
    }

    plain_arrays entities_;
    std::vector<handle> next_;
    std::vector<handle> parent_;
    std::vector<std::vector<handle>> children_;
    std::vector<position> positions_;
    std::vector<handle> target_of_;
    std::vector<std::size_t> place_; ///< Of each child, on the list of its parent.
    std::vector<velocity> speeds_;   ///< Of each root.
    std::uint32_t first_child_{};
};
