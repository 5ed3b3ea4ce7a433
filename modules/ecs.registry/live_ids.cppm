// SPDX-License-Identifier: MIT
// The live identifiers of a registry as a range, in order of partition and, inside each, of index;
// identifiers claimed far ahead of create come last, in order of index.
//
// Identifiers may be created and destroyed meanwhile: one that is destroyed before the loop comes to it is
// not visited, one that is created meanwhile may be.
export module ecs.registry:live_ids;
import ecs.std;
import ecs.id;

namespace ecs {

/// The range. It refers to the registry, and its iterators to the range.
export template <class Registry> class live_ids {
  public:
    using id_type = typename Registry::id_type;

    class iterator {
      public:
        using value_type = id_type;
        using difference_type = std::ptrdiff_t;
        using iterator_concept = std::forward_iterator_tag;
        using iterator_category = std::input_iterator_tag;

        constexpr iterator() = default;

        [[nodiscard]] constexpr id_type operator*() const { return id_; }

        constexpr iterator& operator++() {
            ++slot_;
            settle();
            return *this;
        }
        constexpr iterator operator++(int) {
            const iterator before = *this;
            ++*this;
            return before;
        }

        friend constexpr bool operator==(const iterator&, const iterator&) = default;
        friend constexpr bool operator==(const iterator& i, std::default_sentinel_t) { return !i.id_; }

      private:
        friend live_ids;

        constexpr explicit iterator(const live_ids* ids) : ids_(ids) { settle(); }

        /// Moves on to the next live identifier, from this place on.
        constexpr void settle() {
            id_ = {};
            for (; pool_ < ids_->pools(); ++pool_, slot_ = 0)
                for (const std::uint64_t slots = ids_->slots(pool_); slot_ < slots; ++slot_) {
                    id_ = ids_->at(pool_, slot_);
                    if (id_) return;
                }
        }

        const live_ids* ids_{};
        std::size_t pool_{};
        std::uint64_t slot_{};
        id_type id_{};
    };

    [[nodiscard]] constexpr iterator begin() const { return iterator(this); }
    [[nodiscard]] constexpr std::default_sentinel_t end() const { return {}; }

  private:
    friend Registry;
    using pool_type = typename Registry::pool_type;

    /// Those of one owner, or all.
    constexpr live_ids(const Registry& registry, std::optional<std::size_t> owner)
        : registry_(&registry), owner_(owner) {
        for (std::size_t n = 0; n < registry.pool_count(); ++n)
            if (selects(registry.pool(n))) registry.pool(n).collect_far(far_);
    }

    [[nodiscard]] constexpr bool selects(const pool_type& pool) const {
        return !owner_ || *owner_ == pool.owner();
    }

    /// The pools of the registry, and one more place for what lies far ahead.
    [[nodiscard]] constexpr std::size_t pools() const { return registry_->pool_count() + 1; }

    [[nodiscard]] constexpr std::uint64_t slots(std::size_t pool) const {
        if (pool == registry_->pool_count()) return far_.size();
        return selects(registry_->pool(pool)) ? registry_->pool(pool).near_slots() : 0;
    }

    [[nodiscard]] constexpr id_type at(std::size_t pool, std::uint64_t slot) const {
        if (pool != registry_->pool_count()) return registry_->pool(pool).live_in_slot(slot);
        const id_type id = far_[static_cast<std::size_t>(slot)];
        return registry_->alive(id) ? id : id_type{};
    }

    const Registry* registry_;
    std::optional<std::size_t> owner_;
    std::vector<id_type> far_;
};

} // namespace ecs
