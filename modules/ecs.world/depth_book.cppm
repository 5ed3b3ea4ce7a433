// SPDX-License-Identifier: MIT
// How deep entities are in a hierarchy: the longest way up an acyclic relation. Depths of targets are
// remembered, those of entities that nobody asks about again are not, so that siblings cost one look-up each.
export module ecs.world:depth_book;
import ecs.std;
import ecs.id;
import :flat_map;
import :store;

namespace ecs {

/// Good until the relation changes. Not thread-safe.
class depth_book {
  public:
    depth_book(const store& of, entity relation) : store_(&of), relation_(relation) {}

    /// 0 for an entity without targets. Linear in the ancestors that are met for the first time.
    [[nodiscard]] std::uint32_t of(entity e) {
        std::uint32_t depth = 0;
        for (const entity target : targets_of(e)) depth = std::max(depth, of_target(target) + 1);
        return depth;
    }

  private:
    [[nodiscard]] std::vector<entity> targets_of(entity e) const { return store_->targets_of(e, relation_); }

    /// Keeps those whose targets have to come first on a list, not on the stack.
    [[nodiscard]] std::uint32_t of_target(entity e) {
        for (std::vector<entity> open{e}; !open.empty();)
            if (const entity next = open.back(); known_.find(next.value()) || settle(next, open))
                open.pop_back();
        return *known_.find(e.value());
    }

    /// Writes the depth down if those of all targets are known, and puts the others on the list if not.
    bool settle(entity e, std::vector<entity>& open) {
        std::uint32_t depth = 0;
        const std::size_t before = open.size();
        for (const entity target : targets_of(e)) {
            const std::uint32_t* const above = known_.find(target.value());
            if (!above) open.push_back(target);
            depth = std::max(depth, above ? *above + 1 : 0);
        }
        if (open.size() == before) known_[e.value()] = depth;
        return open.size() == before;
    }

    const store* store_;
    entity relation_;
    flat_map<std::uint32_t> known_;
};

} // namespace ecs
