// SPDX-License-Identifier: MIT
// Which pool of a concurrent registry issues an index: one for each part of the map, then one for each range
// that was added, carved out of its part.
//
//   pools   | part | part | ... | range | range | ...         looked up from the end: ranges lie within parts
//
// Threads: finding is wait-free, add is exclusive; `allowed` changes exclusively, too (see :restriction).
export module ecs.registry:pool_map;
import ecs.std;
import ecs.id;
import :errors;
import :index_range;
import :lane_pool;
import :partition_id;
import :pool_ground;

namespace ecs {

template <class Parts, class Partitions> class pool_map {
    using state = typename Parts::state;

    static constexpr std::size_t part_count = Partitions::parts.size();

  public:
    using pool_type = lane_pool<Parts>;

    explicit pool_map(pool_ground<Parts>& ground) : ground_(ground) {
        for (const auto& p : Partitions::parts)
            pools_.push_back(std::make_unique<pool_type>(ground_, issued_of(p)));
    }

    /// All that may be changed, under a restriction of the registry.
    const pool_type* allowed = nullptr;

    /// Whether a restriction of the registry leaves the pool open.
    [[nodiscard]] bool allows(const pool_type& pool) const noexcept {
        if (!allowed) [[likely]]
            return true;
        return allowed == &pool;
    }

    template <fixed_string Name> [[nodiscard]] pool_type& part() const noexcept {
        return *pools_[part_number<Partitions, Name>];
    }

    /// The pool of a range. Throws unknown_range_error for a range of another registry.
    [[nodiscard]] pool_type& of(const index_range& range) const {
        const std::size_t n = range.position_;
        const bool known = part_count <= n && n < pools_.size() && pools_[n]->run().first == range.first_ &&
                           pools_[n]->run().last == range.last_;
        if (!known) throw unknown_range_error(range.first_, range.last_);
        return *pools_[n];
    }

    /// The pool that issues the index, or nothing.
    [[nodiscard]] pool_type* find(std::uint64_t index) const noexcept {
        for (std::size_t n = pools_.size(); n-- > 0;)
            if (pools_[n]->run().contains(index)) return pools_[n].get();
        return nullptr;
    }

    void for_each(auto visit) const {
        for (const auto& pool : pools_) visit(*pool);
    }

    [[nodiscard]] std::uint64_t sum(auto count) const noexcept {
        std::uint64_t total = 0;
        for (const auto& pool : pools_) total += count(*pool);
        return total;
    }

    /// Calls visit(index, slot) for every index of the pool before `unused` that was ever used, and for those
    /// that were claimed behind it, in increasing order.
    void for_each_used(const pool_type& pool, std::uint64_t unused, auto visit) const {
        ground_.pages.for_each_used(pool.run().first, pool.run().last, unused,
                                    [&](std::uint64_t index, auto& slot) {
                                        if (pool.issues(index)) visit(index, slot);
                                    });
    }

    /// How error texts name the pool.
    [[nodiscard]] std::string title_of(const pool_type& pool) const {
        for (std::size_t n = 0; n < part_count; ++n)
            if (pools_[n].get() == &pool) return title_of_part<Partitions>(n);
        return title_of_range(pool.run().first, pool.run().last);
    }

    /// Sets the indices of a range apart. Exclusive. Throws std::bad_alloc, and has changed nothing then.
    range_result add(index_run run) {
        if (const auto refusal = refusal_of(run)) return *refusal;
        auto added = std::make_unique<pool_type>(ground_, run);
        pools_.reserve(pools_.size() + 1);
        if (pool_type* host = find(run.first)) {
            host->carve(run);
            forget_claims(run);
            ground_.verify = true;
        }
        pools_.push_back(std::move(added));
        return index_range(run.first, run.last, pools_.size() - 1);
    }

  private:
    /// The indices of a part that are issued; none for a part that lies beyond the last of these.
    static constexpr index_run issued_of(const partition_description& part) {
        return {std::min(part.first, state::index_max + 1), std::min(part.last, state::index_max)};
    }

    std::optional<range_refusal> refusal_of(index_run run) const {
        if (run.last < run.first) return range_refusal::reversed;
        if (run.first == 0) return range_refusal::contains_null;
        if (run.last > state::index_max) return range_refusal::beyond_index;
        for (std::size_t n = 0; n < pools_.size(); ++n)
            if (pools_[n]->run().overlaps(run))
                if (const auto refusal = collision(n, run)) return refusal;
        return is_used(run) ? std::optional(range_refusal::already_used) : std::nullopt;
    }

    /// Why the run cannot be carved out of the pool of that number; nothing also when another pool decides.
    std::optional<range_refusal> collision(std::size_t n, index_run run) const {
        if (n >= part_count) return range_refusal::overlaps_range;
        const index_run part = pools_[n]->run();
        const bool divisible =
            Partitions::parts[n].name.empty() && part.contains(run.first) && part.contains(run.last);
        return divisible ? std::nullopt : std::optional(range_refusal::overlaps_partition);
    }

    /// Whether an index of the run has been issued, or is quarantined: under the policy wrap a quarantined
    /// one may be as good as new.
    bool is_used(index_run run) const {
        pool_type* const host = find(run.first);
        bool used = host && host->holds_any(run);
        ground_.pages.for_each_used(run.first, run.last, run.last + 1, [&](std::uint64_t, const auto& slot) {
            const auto bits = slot.word.load(std::memory_order_relaxed); // Relaxed: exclusive.
            used = used || bits != state::never_issued;
        });
        return used;
    }

    /// Under the policy wrap an index that was claimed may be as good as new: then it is the walk's again.
    void forget_claims(index_run run) {
        ground_.pages.for_each_used(run.first, run.last, run.first, [&](std::uint64_t index, const auto&) {
            ground_.pages.forget_claim(index);
        });
    }

    pool_ground<Parts>& ground_;
    std::vector<std::unique_ptr<pool_type>> pools_;
};

} // namespace ecs
