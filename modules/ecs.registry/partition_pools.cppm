// SPDX-License-Identifier: MIT
// Which pool of a registry issues an index: one for each part of the map, then those that ranges cut out.
// A part is cut in up to two by every range in it, and goes on in later pools of the same owner.
//
//   parts   | part 0 | part 1 | ...                      owner = its number
//   cut     | range | rest of part 0 | range | ...       owner of a range = the number of its pool
//
// Cut pools are looked for first: by the map, their indices belong to the part.
export module ecs.registry:partition_pools;
import ecs.std;
import ecs.id;
import :errors;
import :identity;
import :index_counts;
import :index_pool;
import :index_range;
import :partition_id;
import :slot;

namespace ecs {

template <class Layout, class Partitions, class Exhaustion, class FreeList> class partition_pools {
    using self = identity<Layout>;
    using word = word_of<Layout>;

  public:
    using id_type = basic_id<Layout>;
    using pool_type = index_pool<Layout, Exhaustion, FreeList>;

    static constexpr std::size_t part_count = Partitions::parts.size();

    constexpr explicit partition_pools(word stamp) : stamp_(stamp), parts_(fresh_parts(stamp)) {}

    /// The copy is not restricted.
    constexpr partition_pools(const partition_pools& other)
        : stamp_(other.stamp_), parts_(other.parts_), cut_(other.cut_), in_order_(other.in_order_) {}

    /// Leaves pools that have issued nothing.
    constexpr partition_pools(partition_pools&& other) noexcept
        : stamp_(other.stamp_),
          parts_(std::exchange(other.parts_, fresh_parts(other.stamp_))),
          cut_(std::exchange(other.cut_, {})),
          in_order_(std::exchange(other.in_order_, {})) {}

    /// Keeps the restriction. Throws std::bad_alloc: then nothing has changed.
    constexpr partition_pools& operator=(const partition_pools& other) {
        partition_pools copy(other);
        exchange_pools(copy);
        return *this;
    }
    constexpr partition_pools& operator=(partition_pools&& other) noexcept {
        partition_pools moved(std::move(other));
        exchange_pools(moved);
        return *this;
    }

    constexpr ~partition_pools() = default;

    /// The only owner that may be changed, under a restriction.
    std::optional<std::size_t> allowed;

    [[nodiscard]] constexpr bool allows(std::size_t owner) const { return !allowed || *allowed == owner; }

    /// Tags and world of every identifier.
    [[nodiscard]] constexpr word stamp() const { return stamp_; }

    /// Whether the first pool issues every index.
    [[nodiscard]] constexpr bool are_one() const { return cut_.empty() && part_count == 1; }

    [[nodiscard]] constexpr std::size_t size() const { return part_count + cut_.size(); }
    [[nodiscard]] constexpr pool_type& operator[](std::size_t n) {
        return n < part_count ? parts_[n] : cut_[n - part_count];
    }
    [[nodiscard]] constexpr const pool_type& operator[](std::size_t n) const {
        return n < part_count ? parts_[n] : cut_[n - part_count];
    }

    /// Logarithmic in the number of ranges.
    [[nodiscard]] constexpr const pool_type* find(std::uint64_t index) const {
        const auto behind =
            std::ranges::upper_bound(in_order_, index, {}, [&](std::size_t n) { return cut_[n].first(); });
        if (behind != in_order_.begin())
            if (const pool_type& nearest = cut_[*(behind - 1)]; nearest.contains(index)) return &nearest;
        const std::size_t part = partition_with<Partitions>(index);
        return part < part_count ? &parts_[part] : nullptr;
    }
    [[nodiscard]] constexpr pool_type* find(std::uint64_t index) {
        return const_cast<pool_type*>(std::as_const(*this).find(index));
    }

    [[nodiscard]] constexpr bool alive(id_type id) const {
        if (are_one()) [[likely]]
            return parts_[0].alive(id);
        const pool_type* pool = find(slot_codec<Layout>::index_of(id.value()));
        return pool && pool->alive(id);
    }

    /// Ranges are numbered after the parts, by their pool.
    [[nodiscard]] constexpr std::size_t owner_of(const index_range& range) const {
        const std::size_t owner = range.position_;
        const bool known = part_count <= owner && owner < size() && (*this)[owner].owner() == owner &&
                           (*this)[owner].first() == range.first_ && (*this)[owner].last() == range.last_;
        if (!known) throw unknown_range_error(range.first_, range.last_);
        return owner;
    }

    // Create.

    [[nodiscard]] constexpr id_type create(std::size_t owner) {
        if (!allows(owner)) [[unlikely]]
            return {};
        const id_type id = (*this)[owner].create();
        return id || cut_.empty() ? id : create_in_cut(owner);
    }

    [[nodiscard]] constexpr id_type create_or_refuse(std::size_t owner) {
        const id_type id = create(owner);
        if (!id) [[unlikely]]
            refuse(owner);
        return id;
    }

    constexpr void fill(std::size_t owner, std::span<id_type> out) {
        if (!allows(owner) || counts(owner).remaining < out.size()) [[unlikely]]
            refuse(owner, out.size());
        fill_front(owner, out);
    }

    constexpr std::size_t fill_front(std::size_t owner, std::span<id_type> out) {
        if (!allows(owner)) return 0;
        distribute(owner, out.size(), [](pool_type& p, std::size_t, std::size_t n) { p.reserve_ahead(n); });
        return distribute(owner, out.size(), [out](pool_type& p, std::size_t done, std::size_t n) {
            p.create(out.subspan(done, n));
        });
    }

    // All pools of an owner.

    constexpr bool clear(std::size_t owner) {
        if (!allows(owner)) return false;
        clear_where([&](const pool_type& p) { return p.owner() == owner; });
        return true;
    }

    /// Clears all pools that may be changed now.
    constexpr void clear() {
        clear_where([&](const pool_type& p) { return allows(p.owner()); });
    }

    /// Makes room for that many indices, in the order in which the pools come to issue them.
    constexpr void reserve(std::size_t owner, std::uint64_t indices) {
        for (std::size_t n = 0; n < size() && indices != 0; ++n)
            if ((*this)[n].owner() == owner) {
                const std::uint64_t share = std::min(indices, (*this)[n].capacity());
                (*this)[n].reserve(share);
                indices -= share;
            }
    }

    [[nodiscard]] constexpr index_counts counts(std::size_t owner) const {
        index_counts sum;
        for (std::size_t n = 0; n < size(); ++n)
            if ((*this)[n].owner() == owner) sum += (*this)[n].counts();
        return sum;
    }

    // Ranges.

    /// Makes the range a pool of its own, unless it collides with something.
    constexpr range_result add(std::uint64_t first, std::uint64_t last) {
        if (last < first) return range_refusal::reversed;
        if (first == 0) return range_refusal::contains_null;
        if (last > slot_codec<Layout>::index_max) return range_refusal::beyond_index;
        for (const pool_type& p : cut_)
            if (p.owner() >= part_count && p.overlaps(first, last)) return range_refusal::overlaps_range;
        std::optional<std::size_t> host;
        for (std::size_t n = 0; n < size(); ++n)
            if ((*this)[n].overlaps(first, last)) {
                if (const auto refusal = collision((*this)[n], first, last)) return *refusal;
                host = n;
            }
        return take(host, first, last);
    }

  private:
    constexpr void exchange_pools(partition_pools& other) noexcept {
        std::swap(stamp_, other.stamp_);
        parts_.swap(other.parts_);
        cut_.swap(other.cut_);
        in_order_.swap(other.in_order_);
    }
    [[nodiscard]] static constexpr std::array<pool_type, part_count> fresh_parts(word stamp) {
        return [&]<std::size_t... N>(std::index_sequence<N...>) {
            return std::array<pool_type, part_count>{
                pool_type(Partitions::parts[N].first, Partitions::parts[N].last, stamp, N)...};
        }(std::make_index_sequence<part_count>{});
    }

    /// Clears all of the pools, or none when there is no memory.
    constexpr void clear_where(auto&& is_meant) {
        std::vector<id_type> far;
        for (std::size_t n = 0; n < size(); ++n)
            if (is_meant((*this)[n])) (*this)[n].prepare_to_clear(far);
        std::span<const id_type> left = far;
        for (std::size_t n = 0; n < size(); ++n)
            if (is_meant((*this)[n])) (*this)[n].clear(left);
    }

    /// The part that the first pool of the owner was before ranges cut it up goes on in later pools.
    [[nodiscard, gnu::noinline, gnu::cold]] constexpr id_type create_in_cut(std::size_t owner) {
        for (pool_type& p : cut_)
            if (p.owner() == owner)
                if (const id_type id = p.create()) return id;
        return {};
    }

    /// Shares that many creates out among the pools of the owner, in order; returns how many they can take.
    constexpr std::size_t distribute(std::size_t owner, std::size_t wanted, auto take) {
        std::size_t done = 0;
        for (std::size_t n = 0; n < size() && done < wanted; ++n) {
            pool_type& pool = (*this)[n];
            if (pool.owner() != owner) continue;
            const std::uint64_t share = std::min<std::uint64_t>(wanted - done, pool.counts().remaining);
            take(pool, done, static_cast<std::size_t>(share));
            done += static_cast<std::size_t>(share);
        }
        return done;
    }

    [[nodiscard]] std::string title_of(std::size_t owner) const {
        if (owner >= size()) return "a range that it has no longer"; // It was replaced under a restriction.
        return owner < part_count ? title_of_part<Partitions>(owner)
                                  : title_of_range((*this)[owner].first(), (*this)[owner].last());
    }

    [[noreturn, gnu::noinline, gnu::cold]] constexpr void refuse(std::size_t owner,
                                                                 std::size_t wanted = 1) const {
        if (!allows(owner)) throw restricted_error(title_of(owner), title_of(*allowed));
        throw exhausted_error(title_of(owner), counts(owner), wanted);
    }

    /// Why the range cannot be cut out of a pool of the map.
    [[nodiscard]] constexpr std::optional<range_refusal> collision(const pool_type& p, std::uint64_t first,
                                                                   std::uint64_t last) const {
        const bool divisible = Partitions::parts[p.owner()].name.empty();
        if (!divisible || !p.contains(first) || !p.contains(last)) return range_refusal::overlaps_partition;
        if (!p.untouched(first, last)) return range_refusal::already_used;
        return std::nullopt;
    }

    /// Makes the range a pool of its own, cut out of its host if it has one.
    constexpr index_range take(std::optional<std::size_t> host, std::uint64_t first, std::uint64_t last) {
        cut_.reserve(cut_.size() + 2);
        in_order_.reserve(cut_.size() + 2); // From here on only split can throw, before it changes anything.
        const std::size_t owner = size();
        const bool goes_on = host && last < (*this)[*host].last();
        std::optional<pool_type> rest;
        if (host) rest = (*this)[*host].split(first, last);
        enter(pool_type(first, last, stamp_, owner));
        if (goes_on) enter(*std::move(rest));
        return {first, last, owner};
    }

    /// There is room.
    constexpr void enter(pool_type made) {
        const auto behind = std::ranges::upper_bound(in_order_, made.first(), {},
                                                     [&](std::size_t n) { return cut_[n].first(); });
        in_order_.insert(behind, cut_.size());
        cut_.push_back(std::move(made));
    }

    word stamp_;
    std::array<pool_type, part_count> parts_;
    std::vector<pool_type> cut_;
    std::vector<std::size_t> in_order_; ///< The cut pools, by their first index.
};

} // namespace ecs
