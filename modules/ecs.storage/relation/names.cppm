// SPDX-License-Identifier: MIT
// Finds entities by scope and name. The text is kept once, in the entity's name component: the index holds
// hashes and entities, 16 bytes a slot, and asks the caller whether a candidate is meant.
export module ecs.storage:names;
import ecs.std;
import ecs.id;

export namespace ecs {

/// Throws name_error when the text cannot be a name: when it is empty or has a '/'.
void require_sound_name(std::string_view text);
/// Throws name_error: another entity has the name.
[[noreturn]] void refuse_name(std::string_view text);

/// The hash of a name within a scope: the entity whose child has the name, null for the outermost scope.
[[nodiscard]] inline std::uint64_t hash_of_name(entity scope, std::string_view text) {
    const std::uint64_t mixed =
        std::hash<std::string_view>{}(text) ^ (scope.value() * 0x9E37'79B9'7F4A'7C15U);
    return mixed ^ (mixed >> 29);
}

/// An open-addressing table of hashes. Several entries may have one hash.
class name_index {
  public:
    /// The first entity under the hash that is_it accepts; null when there is none.
    template <class IsIt> [[nodiscard]] entity find(std::uint64_t hash, IsIt&& is_it) const {
        if (entries_.empty()) return {};
        for (std::size_t at = home(hash); entries_[at].meant; at = after(at))
            if (entries_[at].hash == hash && is_it(entries_[at].meant)) return entries_[at].meant;
        return {};
    }

    /// Makes room for one more entry, so that insert cannot fail. Throws std::bad_alloc.
    inline void reserve_one() {
        if (entries_.empty() || (size_ + 1) * 4 > entries_.size() * 3) grow();
    }

    inline void insert(std::uint64_t hash, entity e) noexcept {
        std::size_t at = home(hash);
        while (entries_[at].meant) at = after(at);
        entries_[at] = {hash, e};
        ++size_;
    }

    inline void erase(std::uint64_t hash, entity e) noexcept {
        if (entries_.empty()) return;
        std::size_t at = home(hash);
        while (entries_[at].meant && entries_[at].meant != e) at = after(at);
        if (!entries_[at].meant) return;
        close(at);
        --size_;
    }

  private:
    struct entry {
        std::uint64_t hash{};
        entity meant{};
    };

    [[nodiscard]] inline std::size_t home(std::uint64_t hash) const { return hash & (entries_.size() - 1); }
    [[nodiscard]] inline std::size_t after(std::size_t at) const { return (at + 1) & (entries_.size() - 1); }

    /// Moves entries up until the hole is where a search may stop.
    inline void close(std::size_t hole) noexcept {
        const std::size_t mask = entries_.size() - 1;
        for (std::size_t next = after(hole); entries_[next].meant; next = after(next))
            if (((next - home(entries_[next].hash)) & mask) >= ((next - hole) & mask))
                entries_[hole] = entries_[next], hole = next;
        entries_[hole] = {};
    }

    inline void grow() {
        const std::vector<entry> old =
            std::exchange(entries_, std::vector<entry>(entries_.empty() ? 16 : entries_.size() * 2));
        size_ = 0;
        for (const entry& e : old)
            if (e.meant) insert(e.hash, e.meant);
    }

    std::vector<entry> entries_;
    std::size_t size_{};
};

} // namespace ecs
