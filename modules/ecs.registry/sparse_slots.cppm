// SPDX-License-Identifier: MIT
// The slots of identifiers that were claimed far ahead of create: a hash table from index to slot word, so
// that one identifier at the top of the index space costs an entry and not the space below it.
export module ecs.registry:sparse_slots;
import ecs.std;

namespace ecs {

/// Open addressing with linear probing, at most half full. Index 0 is nothing and marks an empty place.
/// Nothing is ever taken out; a table without some entries is built anew.
template <class Word> class sparse_slots {
  public:
    struct entry {
        std::uint64_t index{};
        Word slot{};

        friend constexpr bool operator<(const entry& a, const entry& b) { return a.index < b.index; }
    };

    [[nodiscard]] constexpr bool empty() const { return used_ == 0; }
    [[nodiscard]] constexpr std::size_t size() const { return used_; }

    /// The slot of the index, or null.
    [[nodiscard]] constexpr const Word* find(std::uint64_t index) const {
        if (empty() || index == 0) return nullptr;
        const entry& place = places_[place_of(index)];
        return place.index == index ? &place.slot : nullptr;
    }

    /// Sets the slot of the index. Allocates only when the index is new.
    constexpr void set(std::uint64_t index, Word slot) {
        if (2 * (used_ + 1) > places_.size() && !find(index)) grow();
        entry& place = places_[place_of(index)];
        used_ += place.index == 0;
        place = {index, slot};
    }

    /// All entries, in order of index.
    [[nodiscard]] constexpr std::vector<entry> sorted() const {
        std::vector<entry> all;
        for (const entry& e : places_)
            if (e.index != 0) all.push_back(e);
        std::sort(all.begin(), all.end());
        return all;
    }

    /// The entries of the indices first to last, both included.
    [[nodiscard]] constexpr sparse_slots within(std::uint64_t first, std::uint64_t last) const {
        sparse_slots part;
        part.places_.resize(
            places_.size()); // In the order of the hash, a smaller table would fill in clusters.
        for (const entry& e : places_)
            if (e.index != 0 && first <= e.index && e.index <= last) part.set(e.index, e.slot);
        return part;
    }

  private:
    /// The place where the index is, or would be put.
    [[nodiscard]] constexpr std::size_t place_of(std::uint64_t index) const {
        const std::size_t mask = places_.size() - 1;
        std::size_t at = static_cast<std::size_t>((index * 0x9E37'79B9'7F4A'7C15U) >> 32) & mask;
        while (places_[at].index != 0 && places_[at].index != index) at = (at + 1) & mask;
        return at;
    }

    constexpr void grow() {
        std::vector<entry> old(std::max<std::size_t>(8, 2 * places_.size()));
        old.swap(places_);
        for (const entry& e : old)
            if (e.index != 0) places_[place_of(e.index)] = e;
    }

    std::vector<entry> places_;
    std::size_t used_{};
};

} // namespace ecs
