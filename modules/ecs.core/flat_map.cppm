// SPDX-License-Identifier: MIT
// A hash map from identifier words to small values: open addressing, linear probing, one array. Structural
// changes look up edges by identifier, so the map's only job is to make the hit a single cache line.
export module ecs.core:flat_map;
import ecs.std;

export namespace ecs {

/// Keys are non-zero words: zero marks an empty slot. Values must be default constructible. Pointers to
/// values are invalidated by insertion and erasure.
template <class Value> class flat_map {
  public:
    /// The value under the key, or nullptr. Constant time.
    [[nodiscard]] const Value* find(std::uint64_t key) const {
        if (entries_.empty()) return nullptr;
        for (std::size_t at = home(key);; at = after(at)) {
            if (entries_[at].key == key) return &entries_[at].value;
            if (entries_[at].key == 0) return nullptr;
        }
    }

    [[nodiscard]] Value* find(std::uint64_t key) {
        return const_cast<Value*>(std::as_const(*this).find(key));
    }

    /// The value under the key, made first when there is none; only then may it throw std::bad_alloc.
    /// Amortised constant time.
    Value& operator[](std::uint64_t key) {
        if (Value* const known = find(key)) return *known;
        if (size_ * 4 >= entries_.size() * 3) grow();
        entry& fresh = entries_[probe(key)];
        fresh.key = key;
        ++size_;
        return fresh.value;
    }

    /// Forgets the key. Constant time: the entries behind it move up, so that no tombstone is left.
    bool erase(std::uint64_t key) {
        if (!find(key)) return false;
        std::size_t hole = probe(key);
        for (std::size_t next = after(hole); entries_[next].key != 0; next = after(next))
            if (may_fill(hole, next)) hole = moved(next, hole);
        entries_[hole] = {};
        --size_;
        return true;
    }

    void clear() {
        entries_.clear();
        size_ = 0;
    }

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] std::size_t memory_bytes() const { return entries_.capacity() * sizeof(entry); }

    void for_each(auto&& visit) const {
        for (const entry& e : entries_)
            if (e.key != 0) visit(e.key, e.value);
    }
    void for_each(auto&& visit) {
        for (entry& e : entries_)
            if (e.key != 0) visit(e.key, e.value);
    }

  private:
    struct entry {
        std::uint64_t key{};
        Value value{};
    };

    /// Fibonacci hashing, whose high bits are well mixed; with another multiple for each size: entries that
    /// come in the order of a larger map would all go to the beginning of this one otherwise.
    [[nodiscard]] std::size_t home(std::uint64_t key) const {
        return static_cast<std::size_t>((key * multiplier_) >> shift_);
    }

    [[nodiscard]] std::size_t after(std::size_t position) const {
        return (position + 1) & (entries_.size() - 1);
    }

    /// The slot that holds the key, or the empty one where it would go.
    [[nodiscard]] std::size_t probe(std::uint64_t key) const {
        std::size_t at = home(key);
        while (entries_[at].key != key && entries_[at].key != 0) at = after(at);
        return at;
    }

    /// Whether the entry's probe sequence passes the hole: its home is not strictly between hole and entry.
    [[nodiscard]] bool may_fill(std::size_t hole, std::size_t position) const {
        const std::size_t mask = entries_.size() - 1;
        return ((position - home(entries_[position].key)) & mask) >= ((position - hole) & mask);
    }

    std::size_t moved(std::size_t from, std::size_t to) {
        entries_[to] = std::move(entries_[from]);
        return from;
    }

    void grow() {
        const std::size_t capacity = entries_.empty() ? 8 : entries_.size() * 2;
        std::vector<entry> old = std::exchange(entries_, std::vector<entry>(capacity));
        shift_ = 64U - static_cast<unsigned>(std::countr_zero(capacity));
        multiplier_ = 0x9E37'79B9'7F4A'7C15U * (2 * shift_ + 1);
        for (entry& e : old)
            if (e.key != 0) entries_[probe(e.key)] = std::move(e);
    }

    std::vector<entry> entries_;
    std::size_t size_{};
    std::uint64_t multiplier_{};
    unsigned shift_{};
};

} // namespace ecs
