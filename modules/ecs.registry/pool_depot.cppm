// SPDX-License-Identifier: MIT
// The depot of a pool: indices that wait to be used again, and how they get from lanes to there and back.
//
//   full      nodes of a batch, and a loose one of fewer, from lanes that were flushed
//   held      quarantined by a handle: not used before they are released
//   waiting   under the policy quarantine<N>: used again, oldest first, while N others wait; those in the
//             loose node are not used before it is full
//
// A flush takes the loose node, if there is one, and fills it up before it takes an empty one. Two threads
// that flush at once unite their loose nodes; see :depot for how many there can be.
//
// Threads: any, each with a lane it has entered; lock-free.
export module ecs.registry:pool_depot;
import ecs.std;
import :atomics;
import :depot;
import :index_walk;
import :lane;
import :policy;
import :pool_ground;

namespace ecs {

template <class Parts> class pool_depot {
    using word = typename Parts::word;
    using state = typename Parts::state;
    using lane_type = typename Parts::lane_type;
    using nodes = depot<word, typename Parts::atomics>;
    using node = typename nodes::node;

    static constexpr unsigned chunk_bits = Parts::geometry::chunk_bits;

  public:
    /// Whether the policy lets indices wait before they are used again.
    static constexpr bool waits = Parts::exhaustion::minimum_free > 0;

    pool_depot(pool_ground<Parts>& ground, const index_walk<Parts>& walk)
        : ground_(ground),
          walk_(walk),
          batch_(walk.batch),
          nodes_(lane_chunks + index_chunks(walk.run), walk.batch) {}

    /// How many indices share a chunk of nodes.
    static constexpr std::uint64_t chunk_size = std::uint64_t{1} << chunk_bits;

    // Nodes, before they are needed. Throw std::bad_alloc; lock-free apart from the system's memory.

    /// Makes the nodes that an index brings, and all that share a chunk with it.
    void ensure_for(std::uint64_t index) {
        const std::uint64_t chunk = index >> chunk_bits;
        nodes_.ensure(lane_chunks + (chunk - first_chunk()), [&] { return nodes_of(chunk); });
    }
    /// Makes the nodes that the n-th group of lanes brings, of 2^n lanes.
    void ensure_for_lanes(std::uint32_t n) {
        nodes_.ensure(n, [&] { return loose_nodes_per_lane << n; });
    }

    // Between lanes and nodes.

    /// Whether no node could be taken a moment ago.
    [[nodiscard]] bool looks_empty() const noexcept {
        return nodes_.looks_empty(node_set::full) && nodes_.looks_empty_of_loose(node_set::full);
    }

    /// Gives an empty lane a node's identifiers; false when there is none that may be used.
    bool refill(lane_type& l, look how = look::hinted) noexcept {
        while (const node n = take_usable(how))
            if (unload(l, n)) return true;
        return false;
    }

    /// Takes a batch out of a lane that has one.
    void spill(lane_type& l) noexcept {
        const std::uint32_t left = l.ready.count() - batch_;
        store(node_set::full, l.ready, left, batch_);
        l.set(l.ready, left);
    }

    /// Takes everything out of a lane.
    void flush(lane_type& l) noexcept {
        while (l.ready.count() >= batch_) spill(l);
        put_away(l, l.ready, node_set::full);
        push_held(l);
        push_waiting(l);
    }

    /// Takes out of a lane what a handle has quarantined.
    void push_held(lane_type& l) noexcept { put_away(l, l.held, node_set::held); }

    /// Takes out of a lane what waits there under the policy.
    void push_waiting(lane_type& l) noexcept {
        if constexpr (waits) put_away(l, l.waiting, node_set::waiting);
    }

    /// Releases what is held: calls keep(id) for all of it.
    void release_held(auto keep) noexcept {
        if (const node n = nodes_.take_loose(node_set::held)) release(n, keep);
        // In one direction, so that it ends while others go on quarantining.
        for (std::uint64_t place = 0;;) {
            const node n = nodes_.take_after(node_set::held, place, look::everywhere);
            if (!n) return;
            place = n.next();
            release(n, keep);
        }
    }

    // Exclusive.

    /// Whether a handle has quarantined an identifier that the predicate names.
    [[nodiscard]] bool holds(auto wanted) noexcept {
        bool found = false;
        const auto search = [&](const node& n) {
            found = found || std::ranges::any_of(n.ids(), n.ids() + n.size(), wanted);
        };
        nodes_.for_each_in(node_set::held, search);
        nodes_.visit_loose(node_set::held, search);
        return found;
    }

    /// An identifier in a node is outdated now: its index was claimed. Entries like it take up room, and are
    /// removed before there is too little; at once where nothing else tells them from current ones.
    void count_outdated() noexcept {
        constexpr bool ambiguous = waits || Parts::exhaustion::when_spent == spent_index::reused;
        if (++outdated_ <= room_for_outdated() && !ambiguous) return;
        remove_outdated();
        outdated_ = 0;
    }

    /// Forgets everything that waits.
    void restart() noexcept {
        nodes_.restart();
        waiting_nodes_.store(0, std::memory_order_relaxed); // Relaxed: exclusive.
        outdated_ = 0;
    }

  private:
    /// One for each group of lanes, before those of indices, so that a search ends with the last index: see
    /// lane_list.
    static constexpr std::size_t lane_chunks = Parts::geometry::lane_groups;

    /// The loose nodes of shared lanes, among the nodes of a chunk.
    static constexpr std::uint32_t beside_full_nodes =
        loose_nodes_per_lane * static_cast<std::uint32_t>(Parts::geometry::shared_lanes);

    [[nodiscard]] std::uint64_t first_chunk() const noexcept { return walk_.run.first >> chunk_bits; }
    static std::size_t index_chunks(const index_run& run) noexcept {
        return static_cast<std::size_t>((run.last >> chunk_bits) - (run.first >> chunk_bits) + 1);
    }

    /// As many nodes as hold all indices of the chunk that belong to the pool, and a quarter more for
    /// outdated entries.
    [[nodiscard]] std::uint32_t nodes_of(std::uint64_t chunk) const noexcept {
        const std::uint64_t first = std::max(walk_.run.first, chunk << chunk_bits);
        const std::uint64_t last = std::min(walk_.run.last, ((chunk + 1) << chunk_bits) - 1);
        const std::uint64_t full = (last - first + 1 + batch_ - 1) / batch_;
        return static_cast<std::uint32_t>(full + full / 4 + beside_full_nodes);
    }

    /// For how many outdated entries the additional nodes have room. Exclusive.
    [[nodiscard]] std::uint64_t room_for_outdated() noexcept {
        std::uint64_t spare = 0;
        nodes_.for_each_chunk([&](const auto& c, std::uint32_t number) {
            if (number >= lane_chunks) spare += (c.nodes() - beside_full_nodes) / 5;
        });
        return spare * batch_;
    }

    node take_usable(look how) noexcept {
        if (const node n = nodes_.take_lowest(node_set::full, how)) return n;
        if (const node n = nodes_.take_loose(node_set::full)) return n;
        if constexpr (waits) return take_oldest();
        return {};
    }

    /// Moves a node's identifiers into the lane, except outdated ones.
    bool unload(lane_type& l, const node& n) noexcept {
        std::uint32_t count = l.ready.count();
        for (std::uint32_t i = 0; i < n.size(); ++i)
            if (trusted(n.ids()[i])) l.ready[count++] = n.ids()[i];
        n.in->prefetch(n.number + 1); // Probably the next to be taken, a batch later.
        nodes_.put(node_set::empty, n);
        l.set(l.ready, count);
        return count != 0;
    }

    /// Keeps a node's identifiers, which it has given back before: keeping them may take an empty node.
    void release(const node& n, auto& keep) noexcept {
        word ids[Parts::geometry::magazine];
        const std::uint32_t count = n.size();
        for (std::uint32_t i = 0; i < count; ++i) ids[i] = n.ids()[i];
        nodes_.put(node_set::empty, n);
        for (std::uint32_t i = 0; i < count; ++i)
            if (trusted(ids[i])) keep(ids[i]);
    }

    /// Whether an identifier that waits can still be used: it always can, unless its index was taken by
    /// force.
    [[nodiscard]] bool trusted(word id) const noexcept {
        if (!ground_.verify) return true;
        const auto index = state::index_of(id);
        const word bits =
            ground_.pages.at(index).word.load(std::memory_order_relaxed); // Relaxed: taken when exclusive.
        return state::waits_as(bits, id) && !walk_.carved(index);
    }

    /// Fills an empty node with identifiers of a lane.
    void store(node_set to, auto& ids, std::uint32_t first, std::uint32_t count) noexcept {
        const node n = empty_node_for(to);
        for (std::uint32_t i = 0; i < count; ++i) n.ids()[i] = ids[first + i];
        n.size() = count;
        put(to, n);
    }

    /// Takes all identifiers of one kind out of a lane; those that fill no node go to the loose one.
    void put_away(lane_type& l, auto& ids, node_set kind) noexcept {
        std::uint32_t left = ids.count();
        if (left == 0) return;
        for (node n = nodes_.take_loose(kind); left != 0; n = {}) {
            if (!n) n = empty_node_for(kind), n.size() = 0;
            left = fill(n, ids, left);
            put_any(kind, n);
        }
        l.set(ids, 0);
    }

    /// Moves identifiers from the end of a row of `left` into the node; returns how many are left.
    std::uint32_t fill(const node& n, auto&& ids, std::uint32_t left) noexcept {
        std::uint32_t count = n.size();
        while (count < batch_ && left != 0) n.ids()[count++] = ids[--left];
        n.size() = count;
        return left;
    }

    /// Puts a node where it belongs: to the full ones of its kind, or as the loose one, united with the one
    /// that another thread has put there meanwhile.
    void put_any(node_set kind, node n) noexcept {
        while (n) {
            if (n.size() == batch_) return put(kind, n);
            if (nodes_.put_loose(kind, n)) return;
            if (const node other = nodes_.take_loose(kind)) n = unite(n, other, kind);
        }
    }

    /// Moves identifiers from one loose node to another. A node that becomes full or empty is put away; the
    /// node that is left is returned, if there is one.
    node unite(const node& from, const node& to, node_set kind) noexcept {
        from.size() = fill(to, from.ids(), from.size());
        const bool empty = from.size() == 0;
        if (empty) nodes_.put(node_set::empty, from);
        if (to.size() != batch_) return to;
        put(kind, to);
        return empty ? node{} : from;
    }

    void put(node_set to, const node& n) noexcept {
        nodes_.put(to, n);
        // Raised after the node can be had, so that it never promises one that is not there. Relaxed: a
        // thread that reserved a node reads the newest words of the set.
        if constexpr (waits)
            if (to == node_set::waiting) waiting_nodes_.fetch_add(1, std::memory_order_relaxed);
    }

    void remove_outdated() noexcept {
        for (const node_set kind : {node_set::full, node_set::held, node_set::waiting}) {
            if (const node loose = nodes_.take_loose(kind)) pack(loose), put_unless_empty(kind, loose);
            nodes_.for_each_in(kind, [&](const node& n) {
                if (!pack(n)) return;
                remove(kind, n);
                put_unless_empty(kind, n);
            });
        }
    }

    /// Removes outdated entries from a node; says whether there were any.
    bool pack(const node& n) noexcept {
        const std::uint32_t before = n.size();
        std::uint32_t left = 0;
        for (std::uint32_t i = 0; i < before; ++i)
            if (const word id = n.ids()[i]; trusted(id)) n.ids()[left++] = id;
        n.size() = left;
        return left != before;
    }

    void put_unless_empty(node_set kind, const node& n) noexcept {
        if (n.size() == 0)
            nodes_.put(node_set::empty, n);
        else
            put_any(kind, n);
    }

    void remove(node_set kind, const node& n) noexcept {
        nodes_.remove(kind, n);
        // Relaxed: exclusive.
        if (kind == node_set::waiting)
            waiting_nodes_.fetch_add(~std::uint64_t{0}, std::memory_order_relaxed); // One less.
    }

    // The policy quarantine<N>: nodes are filled and emptied in a round, so that the oldest comes first.

    node empty_node_for([[maybe_unused]] node_set to) noexcept {
        if constexpr (waits)
            if (to == node_set::waiting)
                if (const node n = next_in_turn(node_set::empty, filled_until_)) return n;
        return nodes_.take_empty();
    }

    node take_oldest() noexcept {
        if (!reserve_reuse()) return {};
        for (;;)
            if (const node n = next_in_turn(node_set::waiting, emptied_until_)) return n;
    }

    /// The first node of the set after the place, around the end; the place moves on behind it.
    node next_in_turn(node_set from, auto& place) noexcept {
        // Relaxed, twice: where the search begins decides about the order alone.
        constexpr auto relaxed = std::memory_order_relaxed;
        node n = nodes_.take_after(from, place.load(relaxed), look::newest);
        if (!n) n = nodes_.take_after(from, 0, look::newest);
        if (n) place.store(n.next(), relaxed);
        return n;
    }

    /// Whether a waiting node may be used: while enough others wait.
    bool reserve_reuse() noexcept {
        constexpr auto relaxed = std::memory_order_relaxed; // See put.
        const std::uint64_t others = (Parts::exhaustion::minimum_free + batch_ - 1) / batch_;
        std::uint64_t count = waiting_nodes_.load(relaxed);
        while (count > others)
            if (waiting_nodes_.compare_exchange_strong(count, count - 1, relaxed, relaxed)) return true;
        return false;
    }

    template <class T> using atomic = typename Parts::atomics::template atomic<T>;

    pool_ground<Parts>& ground_;
    const index_walk<Parts>& walk_;
    const std::uint32_t batch_;
    std::uint32_t outdated_ = 0; // Changes only while exclusive.
    alignas(apart) nodes nodes_;
    alignas(apart) atomic<std::uint64_t> waiting_nodes_{};
    atomic<std::uint64_t> filled_until_{};
    atomic<std::uint64_t> emptied_until_{};
};

} // namespace ecs
