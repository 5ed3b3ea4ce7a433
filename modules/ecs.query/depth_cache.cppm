// SPDX-License-Identifier: MIT
// How deep entities are in a hierarchy: the longest way up an acyclic relation. Depths of targets are
// remembered; those of other entities, which are not asked about again, are not, so that siblings cost one
// look-up each. A relation that is acyclic no more may have rings: then some pair of each ring counts for
// nothing.
export module ecs.query:depth_cache;
import ecs.std;
import ecs.id;
import ecs.core;
import ecs.structure;

export namespace ecs {

/// Good until the relation changes. Not thread-safe.
class depth_cache {
  public:
    depth_cache(const engine& of, entity relation) : engine_(&of), relation_(relation) {}

    /// 0 for an entity without targets. Linear in the ancestors that are met for the first time.
    [[nodiscard]] std::uint32_t of(entity e) {
        std::uint32_t depth = 0;
        for (const entity target : targets_of(e)) depth = std::max(depth, of_target(target) + 1);
        const std::uint32_t* const known = has_rings_ ? known_.find(e.value()) : nullptr;
        return known ? *known : depth; // In a ring, two depths of one entity may differ: the first counts.
    }

  private:
    [[nodiscard]] std::vector<entity> targets_of(entity e) const {
        return engine_->reads().targets_of(e, relation_);
    }

    /// The depth of a target that has been met, and whose own targets come first.
    static constexpr std::uint32_t unsettled = ~std::uint32_t{0};

    /// Keeps the entities whose targets have to come first on a list, not on the stack.
    [[nodiscard]] std::uint32_t of_target(entity e) {
        for (std::vector<entity> open{e}; !open.empty();)
            if (settle(open.back(), open)) open.pop_back();
        return *known_.find(e.value());
    }

    /// Writes the depth down if all targets have been met; otherwise puts the targets that are missing on the
    /// list. A target that is unsettled closes a ring.
    bool settle(entity e, std::vector<entity>& open) {
        const std::uint32_t* const known = known_.find(e.value());
        if (known && *known != unsettled) return true;
        std::uint32_t depth = 0;
        const std::size_t before = open.size();
        for (const entity target : targets_of(e)) {
            const std::uint32_t* const above = known_.find(target.value());
            if (!above) open.push_back(target);
            if (above && *above != unsettled) depth = std::max(depth, *above + 1);
            has_rings_ |= above && *above == unsettled;
        }
        const bool all_met = open.size() == before;
        known_[e.value()] = all_met ? depth : unsettled;
        return all_met;
    }

    const engine* engine_;
    entity relation_;
    flat_map<std::uint32_t> known_;
    bool has_rings_{};
};

} // namespace ecs
