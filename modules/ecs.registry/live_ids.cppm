// SPDX-License-Identifier: MIT
// The live identifiers of a registry as a range, in order of partition and, inside each, of index;
// identifiers claimed far ahead of create come last, in order of index. Where ranges have cut a partition
// into pieces, the pieces come in the order in which create uses them.
//
// Identifiers may be created and destroyed meanwhile: one that is destroyed before the loop comes to it is
// not visited, one that is created meanwhile may be. No range may be added meanwhile.
export module ecs.registry:live_ids;
import ecs.std;
import ecs.id;

namespace ecs {

/// The range. It refers to the registry, and its iterators to the range.
export template <class Pools> class live_ids {
  public:
    using id_type = typename Pools::id_type;

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

        constexpr bool operator==(const iterator&) const = default;
        friend constexpr bool operator==(const iterator& i, std::default_sentinel_t) { return !i.id_; }

      private:
        friend live_ids;

        constexpr explicit iterator(const live_ids* ids) : ids_(ids) { settle(); }

        /// Moves on to the next live identifier, from this place on.
        constexpr void settle() {
            id_ = {};
            for (; place_ < ids_->places(); ++place_, slot_ = 0)
                for (const std::uint64_t slots = ids_->slots(place_); slot_ < slots; ++slot_) {
                    id_ = ids_->at(place_, slot_);
                    if (id_) return;
                }
        }

        const live_ids* ids_{};
        std::size_t place_{};
        std::uint64_t slot_{};
        id_type id_{};
    };

    [[nodiscard]] constexpr iterator begin() const { return iterator(this); }
    [[nodiscard]] constexpr std::default_sentinel_t end() const { return {}; }

    /// The live identifiers of one owner, or of all.
    constexpr live_ids(const Pools& pools, std::optional<std::size_t> owner) : pools_(&pools), owner_(owner) {
        for (std::size_t n = 0; n < pools.size(); ++n)
            if (selects(pools[n])) pools[n].collect_far(far_);
        std::ranges::sort(far_, {}, index_of);
    }

  private:
    [[nodiscard]] constexpr bool selects(const typename Pools::pool_type& pool) const {
        return !owner_ || *owner_ == pool.owner();
    }

    /// The pools of the registry, and one more place for what lies far ahead.
    [[nodiscard]] constexpr std::size_t places() const { return pools_->size() + 1; }

    [[nodiscard]] constexpr std::uint64_t slots(std::size_t place) const {
        if (place == pools_->size()) return far_.size();
        return selects((*pools_)[place]) ? (*pools_)[place].near_slots() : 0;
    }

    [[nodiscard]] constexpr id_type at(std::size_t place, std::uint64_t slot) const {
        if (place != pools_->size()) {
            const id_type id = (*pools_)[place].live_in_slot(slot);
            return far_.empty() || !lay_far(id) ? id : id_type{};
        }
        const id_type id = far_[static_cast<std::size_t>(slot)];
        return pools_->alive(id) ? id : id_type{};
    }

    [[nodiscard]] static constexpr std::uint64_t index_of(id_type id) { return id.index(); }

    /// Whether the index lay far ahead when the range was made: then its turn is at the end, also when create
    /// has come near meanwhile.
    [[nodiscard]] constexpr bool lay_far(id_type id) const {
        return std::ranges::binary_search(far_, index_of(id), {}, index_of);
    }

    const Pools* pools_;
    std::optional<std::size_t> owner_;
    std::vector<id_type> far_;
};

} // namespace ecs
