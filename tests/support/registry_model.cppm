// SPDX-License-Identifier: MIT
// What a registry must do, said as simply as possible: the reference that every other kind of test compares
// with. No slot words, no linked list, no cleverness; linear searches over small vectors.
module;
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>
export module test.registry_model;
import ecs.id;
import ecs.registry;

namespace test {

/// Layouts of every word size: fields in any order, constant bits, with and without a world, and generations
/// so few that they really run out.
export namespace layouts {
using tiny = ecs::layout<std::uint8_t, ecs::index<"key", 3, 0>, ecs::generation<"version", 7, 4>>;
using two_bit_generation =
    ecs::layout<std::uint8_t, ecs::generation<"generation", 1, 0>, ecs::index<"index", 5, 2>>;
using two_bits_each = ecs::layout<std::uint8_t, ecs::index<"index", 1, 0>,
                                  ecs::generation<"generation", 3, 2>, ecs::fixed<"kind", 7, 4, 9>>;
using tagged = ecs::layout<std::uint16_t, ecs::fixed<"kind", 15, 13, 5>, ecs::generation<"generation", 12, 9>,
                           ecs::index<"index", 8, 2>, ecs::reserved<"zero", 1, 0>>;
using worldly = ecs::layout<std::uint32_t, ecs::index<"index", 31, 20>, ecs::world_tag<"world", 19, 12>,
                            ecs::flags<"flags", 11, 8>, ecs::generation<"generation", 7, 0>>;
using single_use = ecs::layout<std::uint16_t, ecs::index<"index", 9, 0>, ecs::fixed<"kind", 15, 14, 2>>;
} // namespace layouts

/// The largest value of a role's field; 1 where the layout has no such field.
export template <class Layout, ecs::field_role Role> constexpr std::uint64_t max_of() {
    if constexpr (ecs::has_role<Layout, Role>)
        return ecs::field_with_role<Layout, Role>.max();
    else
        return 1;
}

export template <class Layout>
inline constexpr std::uint64_t index_max = max_of<Layout, ecs::field_role::index>();
export template <class Layout>
inline constexpr std::uint64_t generation_max = max_of<Layout, ecs::field_role::generation>();

/// An identifier of the layout, by index and generation, in world 0.
export template <class Layout>
constexpr ecs::basic_id<Layout> make_id(std::uint64_t index, std::uint64_t generation) {
    std::uint64_t bits = ecs::constant_bits<Layout>;
    bits |= index << ecs::field_with_role<Layout, ecs::field_role::index>.low;
    if constexpr (ecs::has_role<Layout, ecs::field_role::generation>)
        bits |= generation << ecs::field_with_role<Layout, ecs::field_role::generation>.low;
    return ecs::basic_id<Layout>::assume_word(static_cast<ecs::word_of<Layout>>(bits));
}

/// An index and its generation.
export struct handle {
    std::uint64_t index{};
    std::uint64_t generation{};

    friend constexpr bool operator==(const handle&, const handle&) = default;
};

/// A set of pairs, and what has been used so far.
export class reference {
  public:
    constexpr reference(std::uint64_t first, std::uint64_t last, std::uint64_t generations,
                        std::uint64_t minimum_free, bool reuses_spent)
        : first_(first),
          next_(first),
          last_(last),
          generations_(generations),
          minimum_free_(minimum_free),
          reuses_spent_(reuses_spent) {}

    constexpr std::optional<handle> create() {
        if (waiting_.size() > minimum_free_) return use(take_waiting());
        while (next_ <= last_) {
            const std::uint64_t index = next_++;
            if (!in_use(index) && used(index) < generations_) return use(index);
        }
        return std::nullopt;
    }

    constexpr bool alive(handle h) const { return std::ranges::find(live_, h) != live_.end(); }

    constexpr bool destroy(handle h) {
        if (!alive(h)) return false;
        std::erase(live_, h);
        if (h.generation == generations_ && reuses_spent_) set_used(h.index, 0);
        if (used(h.index) < generations_ && h.index < next_) waiting_.push_back(h.index);
        return true;
    }

    constexpr bool claimable(handle h) const { return h.generation > used(h.index) && !in_use(h.index); }

    constexpr bool claim(handle h) {
        if (!claimable(h)) return false;
        std::erase(waiting_, h.index);
        set_used(h.index, h.generation);
        live_.push_back(h);
        return true;
    }

    constexpr void clear() {
        std::vector<handle> all = live_;
        std::ranges::sort(all, [&](const handle& a, const handle& b) {
            return minimum_free_ > 0 ? a.index < b.index : b.index < a.index;
        });
        for (const handle h : all) destroy(h);
    }

    constexpr std::vector<handle> live() const { return live_; }

    constexpr std::uint64_t retired() const {
        return static_cast<std::uint64_t>(std::count_if(used_.begin(), used_.end(), [&](const handle& h) {
            return h.generation == generations_ && !in_use(h.index);
        }));
    }

    constexpr bool contains(std::uint64_t index) const { return first_ <= index && index <= last_; }

    /// Whether create has not come to the index, and nobody has claimed it.
    constexpr bool untouched(std::uint64_t index) const { return next_ <= index && used(index) == 0; }

    /// Gives up the indices from first on, and returns the reference for those above last.
    constexpr reference split(std::uint64_t first, std::uint64_t last) {
        reference upper = *this;
        upper.first_ = upper.next_ = last + 1;
        upper.waiting_.clear();
        std::erase_if(upper.live_, [&](const handle& h) { return h.index <= last; });
        std::erase_if(upper.used_, [&](const handle& h) { return h.index <= last; });
        std::erase_if(live_, [&](const handle& h) { return h.index > last; });
        std::erase_if(used_, [&](const handle& h) { return h.index > last; });
        last_ = first - 1;
        return upper;
    }

  private:
    constexpr std::uint64_t take_waiting() {
        const bool oldest = minimum_free_ > 0;
        const std::uint64_t index = oldest ? waiting_.front() : waiting_.back();
        waiting_.erase(oldest ? waiting_.begin() : waiting_.end() - 1);
        return index;
    }

    constexpr handle use(std::uint64_t index) {
        const handle h{index, used(index) + 1};
        set_used(index, h.generation);
        live_.push_back(h);
        return h;
    }

    constexpr bool in_use(std::uint64_t index) const {
        return std::ranges::any_of(live_, [&](const handle& h) { return h.index == index; });
    }

    /// The last generation that the index has had.
    constexpr std::uint64_t used(std::uint64_t index) const {
        for (const handle& h : used_)
            if (h.index == index) return h.generation;
        return 0;
    }

    constexpr void set_used(std::uint64_t index, std::uint64_t generation) {
        for (handle& h : used_)
            if (h.index == index) {
                h.generation = generation;
                return;
            }
        used_.push_back({index, generation});
    }

    std::vector<handle> live_;
    std::vector<handle> used_;
    std::vector<std::uint64_t> waiting_; // Destroyed, oldest first.
    std::uint64_t first_;
    std::uint64_t next_;
    std::uint64_t last_;
    std::uint64_t generations_;
    std::uint64_t minimum_free_;
    bool reuses_spent_;
};

/// A registry and the reference, side by side: every operation is done on both, and says whether they agree.
export template <class Layout, class Exhaustion, class FreeList> class pair_of_registries {
  public:
    using registry_type = ecs::basic_registry<Layout, ecs::whole_index_space<Layout>, Exhaustion, FreeList>;
    using id = ecs::basic_id<Layout>;

    constexpr bool create() {
        const auto got = real_.try_create();
        const auto expected = model_.create();
        if (got.has_value() != expected.has_value()) return false;
        return !got || *got == to_id(*expected);
    }

    constexpr bool destroy(handle h) { return real_.destroy(to_id(h)) == model_.destroy(h); }
    constexpr bool claim(handle h) { return real_.claim(to_id(h)) == model_.claim(h); }

    constexpr bool clear() {
        real_.clear();
        model_.clear();
        return true;
    }

    /// What is said about a handle, and that nothing comes of what must be refused.
    constexpr bool agree_on(handle h) {
        const bool alive = model_.alive(h);
        if (real_.alive(to_id(h)) != alive) return false;
        if ((real_.status(to_id(h)) == ecs::id_status::live) != alive) return false;
        if (!alive && real_.destroy(to_id(h))) return false;
        return model_.claimable(h) || !real_.claim(to_id(h));
    }

    /// Counts, and the live identifiers in order.
    constexpr bool agree() const {
        std::vector<handle> expected = model_.live();
        // By pointers: g++ 16 gives the order of a vector's iterators two names that conflict in programs
        // that include <vector>.
        std::sort(expected.data(), expected.data() + expected.size(),
                  [](const handle& a, const handle& b) { return a.index < b.index; });
        const ecs::index_counts counts = real_.counts();
        if (counts.live != expected.size() || counts.live + counts.free + counts.retired > counts.capacity)
            return false;
        if (!reuses_spent && counts.retired != model_.retired()) return false;
        std::size_t at = 0;
        for (const id live : real_.live()) {
            if (at == expected.size() || live != to_id(expected[at])) return false;
            ++at;
        }
        return at == expected.size();
    }

    /// Whether so many creates succeed from here on, and no more.
    constexpr bool remaining_is_exact() const {
        registry_type copy = real_;
        for (std::uint64_t n = copy.remaining_count(); n > 0; --n)
            if (!copy.try_create()) return false;
        return !copy.try_create();
    }

    constexpr std::vector<handle> live() const { return model_.live(); }
    constexpr bool claimable(handle h) const { return model_.claimable(h); }
    constexpr registry_type& real() { return real_; }

  private:
    static constexpr bool reuses_spent = Exhaustion::when_spent == ecs::spent_index::reused;
    static constexpr id to_id(handle h) { return make_id<Layout>(h.index, h.generation); }

    registry_type real_;
    reference model_{1, index_max<Layout>, generation_max<Layout>, Exhaustion::minimum_free, reuses_spent};
};

/// Tries every sequence of operations up to a depth. The operations are create, clear, destroy of every live
/// handle, and claim of every given handle; what must be refused is tried after each step and leads nowhere.
export template <class Layout, class Exhaustion, class FreeList = ecs::free_lists::ready> class explorer {
  public:
    using pair = pair_of_registries<Layout, Exhaustion, FreeList>;

    struct step {
        char operation{}; // c: create, d: destroy, q: claim, x: clear
        handle on{};
    };

    constexpr explorer(std::vector<handle> handles, bool check_remaining)
        : handles_(std::move(handles)), check_remaining_(check_remaining) {}

    /// Whether all sequences agree; otherwise path is the first that does not.
    constexpr bool explore(const pair& from, unsigned depth) {
        ++states_;
        if (!check(from)) return false;
        if (depth == 0) return true;
        if (!follow(from, {'c'}, depth)) return false;
        for (const handle h : from.live())
            if (!traps(h) && !follow(from, {'d', h}, depth)) return false;
        for (const handle h : handles_)
            if (from.claimable(h) && !follow(from, {'q', h}, depth)) return false;
        return any_traps(from) || follow(from, {'x'}, depth);
    }

    constexpr std::uint64_t states() const { return states_; }
    constexpr const std::vector<step>& path() const { return path_; }

  private:
    /// A handle that cannot be destroyed without ending the program.
    static constexpr bool traps(handle h) {
        return Exhaustion::when_spent == ecs::spent_index::fatal && h.generation == generation_max<Layout>;
    }

    static constexpr bool any_traps(const pair& p) {
        const auto live = p.live();
        return std::any_of(live.begin(), live.end(), traps);
    }

    constexpr bool check(const pair& from) const {
        pair p = from;
        for (const handle h : handles_)
            if (!p.agree_on(h)) return false;
        return p.agree() && (!check_remaining_ || p.remaining_is_exact());
    }

    constexpr bool follow(const pair& from, step next, unsigned depth) {
        path_.push_back(next);
        pair p = from;
        if (!apply(p, next) || !explore(p, depth - 1)) return false;
        path_.pop_back();
        return true;
    }

    static constexpr bool apply(pair& p, const step& s) {
        switch (s.operation) {
        case 'c': return p.create();
        case 'd': return p.destroy(s.on);
        case 'q': return p.claim(s.on);
        default: return p.clear();
        }
    }

    std::vector<handle> handles_;
    bool check_remaining_;
    std::vector<step> path_;
    std::uint64_t states_{};
};

/// Bytes as operations: what a fuzzer or a property test feeds.
export class operation_stream {
  public:
    constexpr explicit operation_stream(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    constexpr explicit operator bool() const { return !bytes_.empty(); }

    /// A number below the bound, which is at least 1; 0 at the end of the bytes. Two bytes.
    constexpr std::uint64_t below(std::uint64_t bound) { return (byte() * 256 + byte()) % bound; }

    constexpr std::uint64_t byte() {
        if (bytes_.empty()) return 0;
        const std::uint64_t first = bytes_.front();
        bytes_ = bytes_.subspan(1);
        return first;
    }

    /// One of 1 to max: mostly near the bottom, sometimes anywhere.
    constexpr std::uint64_t index(std::uint64_t max) {
        const std::uint64_t bound = byte() % 4 == 0 ? max : std::min<std::uint64_t>(max, 40);
        return 1 + below(0x10000) * 0x9E37'79B9U % bound;
    }

  private:
    std::span<const std::uint8_t> bytes_;
};

/// Plays the operations on a registry and the reference; false as soon as they disagree. Not for trap, which
/// ends the program.
export template <class Layout, class Exhaustion, class FreeList>
constexpr bool agree_after(operation_stream operations) {
    pair_of_registries<Layout, Exhaustion, FreeList> both;
    while (operations) {
        const std::uint64_t choice = operations.byte() % 16;
        const auto live = both.live();
        bool agreed = true;
        if (choice < 7) {
            agreed = both.create();
        } else if (choice < 12 && !live.empty()) {
            agreed = both.destroy(live[operations.below(live.size())]);
        } else if (choice < 15) {
            const handle h{operations.index(index_max<Layout>),
                           1 + operations.below(std::min<std::uint64_t>(generation_max<Layout>, 20))};
            agreed = both.agree_on(h) && both.claim(h);
        } else if (operations.byte() % 8 == 0) {
            agreed = both.clear();
        }
        if (!agreed || !both.agree()) return false;
    }
    return true;
}

/// A registry with a named partition, one without a name, a gap on either side, and ranges added on the way,
/// beside a reference for each run of indices.
export template <class Exhaustion, class FreeList> class partitioned_pair {
  public:
    using layout =
        ecs::layout<std::uint16_t, ecs::generation<"generation", 15, 12>, ecs::index<"index", 11, 0>>;
    using map = ecs::partitions<layout, ecs::partition<"low", 1, 12>, ecs::partition<"", 20, 3000>>;
    using registry_type = ecs::basic_registry<layout, map, Exhaustion, FreeList>;

    constexpr partitioned_pair() : runs_{run(low, 1, 12), run(open, 20, 3000)} {}

    /// Creates in the named partition, in the open one, or in a range.
    constexpr bool create(std::size_t owner) {
        const auto got = owner == low    ? real_.template try_create<"low">()
                         : owner == open ? real_.try_create()
                                         : real_.try_create(ranges_[owner - 2]);
        const auto expected = create_expected(owner);
        if (got.has_value() != expected.has_value()) return false;
        return !got || *got == make_id<layout>(expected->index, expected->generation);
    }

    constexpr bool destroy(handle h) {
        const std::size_t at = run_of(h.index);
        const bool expected = at < runs_.size() && runs_[at].indices.destroy(h);
        return real_.destroy(make_id<layout>(h.index, h.generation)) == expected;
    }

    constexpr bool claim(handle h) {
        const std::size_t at = run_of(h.index);
        const bool expected = at < runs_.size() && runs_[at].indices.claim(h);
        return real_.claim(make_id<layout>(h.index, h.generation)) == expected;
    }

    constexpr bool clear(std::size_t owner) {
        if (owner == low) real_.template clear<"low">();
        if (owner == open) real_.template clear<"">();
        if (owner >= 2) real_.clear(ranges_[owner - 2]);
        for (run_of_indices& r : runs_)
            if (r.owner == owner) r.indices.clear();
        return true;
    }

    constexpr bool add_range(std::uint64_t first, std::uint64_t last) {
        const auto got = real_.add_range(first, last);
        if (got.has_value() != can_be_range(first, last)) return false;
        if (!got) return true;
        ranges_.push_back(*got);
        const std::size_t owner = owners() - 1;
        if (const std::size_t host = run_of(first); host < runs_.size())
            runs_.push_back({open, runs_[host].indices.split(first, last)});
        runs_.push_back(run(owner, first, last));
        return true;
    }

    /// How many owners of indices there are: two partitions, and the ranges.
    constexpr std::size_t owners() const { return 2 + ranges_.size(); }

    constexpr std::vector<handle> live() const {
        std::vector<handle> all;
        for (const run_of_indices& r : runs_)
            for (const handle h : r.indices.live()) all.push_back(h);
        return all;
    }

    constexpr bool agree() const {
        std::uint64_t live = 0;
        for (const auto id : real_.live()) {
            const std::size_t at = run_of(id.index());
            if (at == runs_.size() || !runs_[at].indices.alive({id.index(), id.generation()})) return false;
            ++live;
        }
        std::uint64_t counted = real_.template live_count<"low">() + real_.template live_count<"">();
        for (const auto& range : ranges_) counted += real_.counts(range).live;
        return live == counted && live == real_.live_count() && live == this->live().size();
    }

  private:
    static constexpr std::size_t low = 0;
    static constexpr std::size_t open = 1;

    struct run_of_indices {
        std::size_t owner{};
        reference indices;
    };

    static constexpr run_of_indices run(std::size_t owner, std::uint64_t first, std::uint64_t last) {
        return {owner, reference(first, last, generation_max<layout>, Exhaustion::minimum_free,
                                 Exhaustion::when_spent == ecs::spent_index::reused)};
    }

    constexpr std::optional<handle> create_expected(std::size_t owner) {
        for (run_of_indices& r : runs_)
            if (r.owner == owner)
                if (const auto h = r.indices.create()) return h;
        return std::nullopt;
    }

    /// The position of the run that has the index; the number of runs where none has.
    constexpr std::size_t run_of(std::uint64_t index) const {
        std::size_t at = 0;
        while (at < runs_.size() && !runs_[at].indices.contains(index)) ++at;
        return at;
    }

    /// All in one run of the open partition and untouched, or all in a gap.
    constexpr bool can_be_range(std::uint64_t first, std::uint64_t last) const {
        if (first == 0 || last < first || last > index_max<layout>) return false;
        const std::size_t host = run_of(first);
        for (std::uint64_t index = first; index <= last; ++index) {
            if (run_of(index) != host) return false;
            if (host == runs_.size()) continue;
            if (runs_[host].owner != open || !runs_[host].indices.untouched(index)) return false;
        }
        return true;
    }

    registry_type real_;
    std::vector<run_of_indices> runs_;
    std::vector<ecs::index_range> ranges_;
};

/// Plays the operations on a partitioned registry and its reference; false as soon as they disagree.
export template <class Exhaustion, class FreeList>
constexpr bool partitions_agree_after(operation_stream operations) {
    partitioned_pair<Exhaustion, FreeList> both;
    while (operations) {
        const std::uint64_t choice = operations.byte() % 32;
        const auto live = both.live();
        bool agreed = true;
        if (choice < 14) {
            agreed = both.create(operations.below(both.owners()));
        } else if (choice < 22 && !live.empty()) {
            agreed = both.destroy(live[operations.below(live.size())]);
        } else if (choice < 28) {
            agreed = both.claim({operations.index(4095), 1 + operations.below(15)});
        } else if (choice < 31) {
            const std::uint64_t first = operations.below(4096);
            agreed = both.add_range(first, first + operations.below(100));
        } else {
            agreed = both.clear(operations.below(both.owners()));
        }
        if (!agreed || !both.agree()) return false;
    }
    return true;
}

/// All handles of some indices and generations.
export constexpr std::vector<handle> handles_of(const std::vector<std::uint64_t>& indices,
                                                const std::vector<std::uint64_t>& generations) {
    std::vector<handle> all;
    for (const std::uint64_t index : indices)
        for (const std::uint64_t generation : generations) all.push_back({index, generation});
    return all;
}

} // namespace test
