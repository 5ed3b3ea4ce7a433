// SPDX-License-Identifier: MIT
// What can be asked of a registry: everything that changes nothing. Restrictions do not apply to alive, live
// and the counts; status says what they forbid.
//
// Threads: any number at once, while nobody changes the registry.
export module ecs.registry:registry_reader;
import ecs.std;
import ecs.id;
import :identity;
import :index_counts;
import :index_range;
import :live_ids;
import :partition_id;
import :partition_pools;
import :slot;
import :status;

namespace ecs {

/// The base of basic_registry; see there.
template <class Layout, class Partitions, class Exhaustion, class FreeList> class registry_reader {
  protected:
    using pools_type = partition_pools<Layout, Partitions, Exhaustion, FreeList>;

  private:
    using self = identity<Layout>;
    using codec = slot_codec<Layout>;
    using pool_type = typename pools_type::pool_type;

  public:
    using id_type = basic_id<Layout>;
    using word = word_of<Layout>;

    /// The number that identifiers of this registry carry in their world field.
    [[nodiscard]] constexpr std::uint64_t world() const
        requires has_role<Layout, field_role::world>
    {
        return id_type::assume_word(pools_.stamp()).world();
    }

    /// Whether the identifier is in use here. Constant time: one load and one comparison. True exactly when
    /// its status is live, except that status also tells what a restriction forbids.
    [[nodiscard]] constexpr bool alive(id_type id) const { return pools_.alive(id); }

    /// What is known of the identifier. Under the policy wrap an index remembers its present turn only.
    [[nodiscard]] constexpr id_status status(id_type id) const {
        const word bits = id.value();
        if (const id_status origin = self::origin_of(bits, pools_.stamp()); origin != id_status::live)
            return origin;
        const pool_type* pool = pools_.find(codec::index_of(bits));
        if (!pool || !pools_.allows(pool->owner())) return id_status::out_of_partition;
        return pool->status(id);
    }

    /// The same for a word from anywhere.
    [[nodiscard]] constexpr id_status status(std::uint64_t bits) const {
        if (bits > static_cast<word>(-1)) return id_status::malformed;
        return status(id_type::assume_word(static_cast<word>(bits)));
    }

    /// Another kind of identifier is never an entity; null is null.
    template <class Other>
        requires distinguishable<Other, Layout>
    [[nodiscard]] constexpr id_status status(basic_id<Other> id) const {
        return id ? id_status::not_an_entity : id_status::null;
    }

    /// The status in a sentence: `12v3 is stale: index 12 is in use under generation 5`.
    [[nodiscard]] std::string explain(id_type id) const {
        const std::uint64_t index = codec::index_of(id.value());
        const id_status now = status(id);
        std::string text = ecs::to_string(id) + " is ";
        text += now == id_status::null ? "no identifier" : to_string(now);
        if (now == id_status::stale || now == id_status::never_issued) text += state_of_index(index);
        return text;
    }

    /// The live identifier of an index, whatever its generation.
    [[nodiscard]] constexpr std::optional<id_type> live_at(std::uint64_t index) const {
        const pool_type* pool = pools_.find(index);
        return pool ? self::to_optional(pool->live_at(index)) : std::nullopt;
    }

    /// The name of the partition that the index of the identifier belongs to; empty where there is none.
    [[nodiscard]] static constexpr std::string_view partition_of(id_type id) {
        return part_name_of<Partitions>(codec::index_of(id.value()));
    }

    /// All live identifiers, or those of a partition or range: see live_ids.
    [[nodiscard]] constexpr live_ids<pools_type> live() const { return {pools_, std::nullopt}; }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr live_ids<pools_type> live() const {
        return {pools_, part_number<Partitions, Name>};
    }

    [[nodiscard]] constexpr live_ids<pools_type> live(const index_range& range) const {
        return {pools_, pools_.owner_of(range)};
    }

    /// Calls visit(id) for every index that has been used, with the identifier that it was issued as last,
    /// whether it lives or has ended; not for one that the policy wrap has made new. That is what has to be
    /// written down so that another registry can go on: there each is claimed, and those that have ended are
    /// destroyed, after which no old identifier comes back to life. Which free index is used next is not the
    /// same. Linear in the indices ever used; the registry must not change meanwhile.
    template <std::invocable<id_type> Visit> constexpr void for_each_used(Visit visit) const {
        for (std::size_t n = 0; n < pools_.size(); ++n) pools_[n].for_each_used(visit);
    }

    /// How many indices are live, free, retired, and how many creates are left; of all partitions and ranges,
    /// of one partition, or of one range.
    [[nodiscard]] constexpr index_counts counts() const {
        index_counts sum;
        for (std::size_t n = 0; n < pools_.size(); ++n) sum += pools_[n].counts();
        return sum;
    }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr index_counts counts() const {
        return pools_.counts(part_number<Partitions, Name>);
    }

    [[nodiscard]] constexpr index_counts counts(const index_range& range) const {
        return pools_.counts(pools_.owner_of(range));
    }

    [[nodiscard]] constexpr std::uint64_t live_count() const { return counts().live; }
    [[nodiscard]] constexpr std::uint64_t free_count() const { return counts().free; }
    [[nodiscard]] constexpr std::uint64_t retired_count() const { return counts().retired; }
    [[nodiscard]] constexpr std::uint64_t remaining_count() const { return counts().remaining; }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr std::uint64_t live_count() const {
        return counts<Name>().live;
    }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr std::uint64_t retired_count() const {
        return counts<Name>().retired;
    }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr std::uint64_t free_count() const {
        return counts<Name>().free;
    }

    template <fixed_string Name>
        requires has_partition<Partitions, Name>
    [[nodiscard]] constexpr std::uint64_t remaining_count() const {
        return counts<Name>().remaining;
    }

    [[nodiscard]] constexpr std::uint64_t live_count(const index_range& range) const {
        return counts(range).live;
    }
    [[nodiscard]] constexpr std::uint64_t free_count(const index_range& range) const {
        return counts(range).free;
    }
    [[nodiscard]] constexpr std::uint64_t retired_count(const index_range& range) const {
        return counts(range).retired;
    }
    [[nodiscard]] constexpr std::uint64_t remaining_count(const index_range& range) const {
        return counts(range).remaining;
    }

  protected:
    constexpr explicit registry_reader(word stamp) : pools_(stamp) {}

    pools_type pools_;

  private:
    [[nodiscard]] std::string state_of_index(std::uint64_t index) const {
        const std::string subject = ": index " + std::to_string(index);
        if (const auto id = live_at(index))
            return subject + " is in use under generation " +
                   std::to_string(codec::generation_of(id->value()));
        const std::uint64_t next = pools_.find(index)->next_generation(index);
        return next == 1 ? subject + " has not been used"
                         : subject + " is free, and its next generation is " + std::to_string(next);
    }
};

} // namespace ecs
