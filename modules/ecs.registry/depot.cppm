// SPDX-License-Identifier: MIT
// The nodes in which free identifiers wait, a batch in each, and the sets that say what is in a node.
//
//   chunk     empty       ..11.111   one bit for each node
//             full        11......
//             held        ....1...
//             waiting     ........
//             node 0      | id id id ... |        node 1      | id id id ... |        ...
//   loose     | node 3 | node 9 | - |  one word for each kind of identifiers: a node that is not full
//
// Each node is in one set, in one word, or in one thread's hands: the thread that cleared the node's bit, or
// took it out of the word, owns it until putting it somewhere else. There are no links between nodes, so
// nothing that was read can go out of date: there is no ABA, and nothing that preventing it could use up.
//
// Recycling asks for no memory, because nodes are made before there is anything to put into them: each page
// of slots brings as many as its indices can fill, and a quarter more for entries that `claim` has outdated;
// each lane brings two for each kind of loose nodes. Full nodes hold different indices. A thread begins a
// loose node only while it holds none, and never holds more than two: so there is always an empty node for
// identifiers that a thread holds.
//
// Arrays of ready identifiers, not a list through the slots: creating from a list is a chain of dependent
// cache misses, from an array it is a row of independent ones. After the magazines of Bonwick and Adams
// (2001); the sets are bitmaps as in LLFree (Wrenger and others, 2023).
//
// Threads: everything, by any thread at once; lock-free.
export module ecs.registry:depot;
import ecs.std;
import :atomics;

namespace ecs {

/// What a node that is not loose holds.
enum class node_set : std::uint8_t {
    empty,
    full,
    held,    ///< Quarantined by a handle: not used again before they are released.
    waiting, ///< Under the policy quarantine<N>: used again, oldest first, while N others wait.
};
constexpr std::uint32_t node_sets = 4;
constexpr std::uint32_t loose_nodes_per_lane = 2 * (node_sets - 1);

/// How carefully a set is searched.
enum class look : std::uint8_t {
    hinted,     ///< From where the first node may be.
    everywhere, ///< Misses only what other threads change meanwhile.
    newest,     ///< Every word is read as it is now.
};

/// An array in zeroed memory; a sparse one costs nothing where it is not used. Throws std::bad_alloc.
template <class T, class Atomics, bool Sparse = false> class owned_block {
  public:
    explicit owned_block(std::size_t size) : data_(allocate(size)), size_(size) {}
    owned_block(const owned_block&) = delete;
    owned_block& operator=(const owned_block&) = delete;
    ~owned_block() {
        if constexpr (Sparse)
            Atomics::template deallocate_directory<T>(data_, size_);
        else
            Atomics::template deallocate<T>(data_, size_);
    }

    [[nodiscard]] T& operator[](std::size_t n) noexcept { return data_[n]; }

  private:
    static T* allocate(std::size_t size) {
        if constexpr (Sparse)
            return Atomics::template allocate_directory<T>(size);
        else
            return Atomics::template allocate<T>(size);
    }

    T* data_;
    std::size_t size_;
};

/// A set of small numbers, one bit for each, of which up to 64 are in one word.
template <class Atomics> struct number_set {
    using order = typename Atomics::order;
    using word_type = typename Atomics::template atomic<std::uint64_t>;

    static constexpr std::uint32_t none = 0xFFFF'FFFF;

    static void put(word_type& bits, std::uint32_t number) noexcept {
        bits.fetch_or(std::uint64_t{1} << number, order::number_put); // Pairs with number_take.
    }

    /// Takes the lowest number from the first on; `none` when there is none to be seen. It tries again only
    /// after another thread took the number that it wanted.
    [[nodiscard]] static std::uint32_t take(word_type& bits, std::uint32_t first, look how) noexcept {
        const std::uint64_t wanted = ~std::uint64_t{0} << first;
        for (std::uint64_t seen = read(bits, how) & wanted; seen != 0;) {
            const std::uint64_t lowest = seen & (0 - seen);
            const std::uint64_t before =
                bits.fetch_and(~lowest, order::number_take); // Pairs with number_put.
            if (before & lowest) return static_cast<std::uint32_t>(std::countr_zero(lowest));
            seen = before & wanted;
        }
        return none;
    }

  private:
    static std::uint64_t read(word_type& bits, look how) noexcept {
        // Relaxed, twice: taking decides, and acquires.
        constexpr auto relaxed = std::memory_order_relaxed;
        return how == look::newest ? bits.fetch_or(0, relaxed) : bits.load(relaxed);
    }
};

/// Nodes that were made together.
template <class Word, class Atomics> class depot_chunk {
    using set = number_set<Atomics>;
    template <class T> using plain = typename Atomics::template plain<T>;

  public:
    static constexpr std::uint32_t none = set::none;

    /// All nodes are empty. Throws std::bad_alloc.
    depot_chunk(std::uint32_t nodes, std::uint32_t batch)
        : nodes_(nodes),
          batch_(batch),
          words_((nodes + 63) / 64),
          bits_(std::size_t{words_} * node_sets),
          sizes_(nodes),
          ids_(std::size_t{nodes} * batch) {
        for (std::uint32_t w = 0; w < words_; ++w) // Relaxed: nobody sees the chunk before it is published.
            bits(node_set::empty, w).store(all_of(w), std::memory_order_relaxed);
    }

    [[nodiscard]] std::uint32_t nodes() const noexcept { return nodes_; }

    void put(node_set to, std::uint32_t node) noexcept { set::put(bits(to, node / 64), node % 64); }

    /// Takes a node out of the set: the first one from that number on.
    [[nodiscard]] std::uint32_t take(node_set from, std::uint32_t first, look how) noexcept {
        for (std::uint32_t w = first / 64; w < words_; ++w) {
            const std::uint32_t n = set::take(bits(from, w), w == first / 64 ? first % 64 : 0, how);
            if (n != none) return w * 64 + n;
        }
        return none;
    }

    // A node in the caller's hands.

    [[nodiscard]] plain<std::uint32_t>& size(std::uint32_t node) noexcept { return sizes_[node]; }
    [[nodiscard]] plain<Word>* ids(std::uint32_t node) noexcept { return &ids_[std::size_t{node} * batch_]; }

    /// Lets the node come from memory while the caller does something else, where the atomics know how.
    void prefetch([[maybe_unused]] std::uint32_t node) noexcept {
        if constexpr (requires { Atomics::prefetch(ids(node), std::size_t{1}); })
            if (node < nodes_) Atomics::prefetch(ids(node), std::size_t{batch_});
    }

    // Exclusive.

    /// Calls visit(number) for each node that is in the set now; it may move the node to another set.
    void for_each_in(node_set s, auto visit) noexcept {
        for (std::uint32_t w = 0; w < words_; ++w) {
            std::uint64_t left = bits(s, w).load(std::memory_order_relaxed); // Relaxed: exclusive.
            for (; left != 0; left &= left - 1)
                visit(w * 64 + static_cast<std::uint32_t>(std::countr_zero(left)));
        }
    }
    void remove(node_set s, std::uint32_t node) noexcept {
        const std::uint64_t others = ~(std::uint64_t{1} << node % 64);
        bits(s, node / 64).fetch_and(others, std::memory_order_relaxed); // Relaxed: exclusive.
    }

    /// Makes all nodes empty again.
    void restart() noexcept {
        for (std::uint32_t w = 0; w < words_; ++w)
            for (std::uint32_t s = 0; s < node_sets; ++s) // Relaxed: exclusive.
                bits(static_cast<node_set>(s), w).store(s == 0 ? all_of(w) : 0, std::memory_order_relaxed);
    }

  private:
    [[nodiscard]] typename set::word_type& bits(node_set s, std::uint32_t word) noexcept {
        return bits_[std::size_t{static_cast<std::uint8_t>(s)} * words_ + word];
    }

    /// The bits of the nodes that exist.
    [[nodiscard]] std::uint64_t all_of(std::uint32_t word) const noexcept {
        const std::uint32_t left = nodes_ - word * 64;
        return left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
    }

    std::uint32_t nodes_;
    std::uint32_t batch_;
    std::uint32_t words_;
    owned_block<typename set::word_type, Atomics> bits_;
    owned_block<plain<std::uint32_t>, Atomics> sizes_;
    owned_block<plain<Word>, Atomics, true> ids_;
};

/// The nodes of a pool, found by what they hold.
template <class Word, class Atomics> class depot {
    using order = typename Atomics::order;
    using chunk = depot_chunk<Word, Atomics>;
    template <class T> using atomic = typename Atomics::template atomic<T>;

  public:
    /// A node in the caller's hands, or nothing.
    struct node {
        chunk* in = nullptr;
        std::uint32_t chunk_number = 0;
        std::uint32_t number = 0;

        explicit operator bool() const noexcept { return in != nullptr; }
        [[nodiscard]] auto& size() const noexcept { return in->size(number); }
        [[nodiscard]] auto* ids() const noexcept { return in->ids(number); }
        /// The place at which the search for the next node begins.
        [[nodiscard]] std::uint64_t next() const noexcept {
            return std::uint64_t{chunk_number} << 32 | (number + 1);
        }
    };

    /// Makes a depot for nodes of `batch` identifiers, in at most that many chunks.
    depot(std::size_t chunks, std::uint32_t batch)
        : batch_(batch), chunk_count_(chunks), chunks_(Atomics::template allocate_directory<entry>(chunks)) {
        for (auto& place : first_) place.set(nowhere);
    }
    depot(const depot&) = delete;
    depot& operator=(const depot&) = delete;
    ~depot() {
        for_each_chunk([](chunk& c, std::uint32_t) { delete &c; });
        Atomics::template deallocate_directory<entry>(chunks_, chunk_count_);
    }

    /// Makes the chunk exist, with that many nodes. Throws std::bad_alloc. Lock-free apart from the system's
    /// memory.
    void ensure(std::size_t number, auto nodes) {
        // Relaxed: nothing of the chunk is used here.
        if (!chunks_[number].load(std::memory_order_relaxed))
            publish(number, std::make_unique<chunk>(nodes(), batch_));
    }

    /// An empty node. There is one: see the banner.
    [[nodiscard]] node take_empty() noexcept {
        for (look how = look::hinted;; how = look::newest)
            if (const node n = take_lowest(node_set::empty, how)) return n;
    }

    /// The node of the set that comes first, or nothing.
    [[nodiscard]] node take_lowest(node_set from, look how) noexcept {
        auto& first = first_[static_cast<std::uint8_t>(from)];
        const std::uint64_t start = how == look::hinted ? first.get() : 0;
        const node found = take_after(from, start, how);
        const std::uint64_t next = found ? std::uint64_t{found.chunk_number} << 32 : nowhere;
        if (next != start) first.set(next);
        return found;
    }

    /// The first node of the set from the place on, or nothing. See node::next.
    [[nodiscard]] node take_after(node_set from, std::uint64_t place, look how) noexcept {
        const std::uint64_t end = chunks_end(how);
        auto first = static_cast<std::uint32_t>(place);
        for (std::uint64_t c = place >> 32; c < end; ++c, first = 0)
            if (chunk* in = find(c, how))
                if (const std::uint32_t n = in->take(from, first, how); n != chunk::none)
                    return {in, static_cast<std::uint32_t>(c), n};
        return {};
    }

    /// Puts a node that the caller holds into a set; what the caller did before is visible to the thread that
    /// takes it.
    void put(node_set to, const node& n) noexcept {
        n.in->put(to, n.number);
        expect_at(to, n.chunk_number);
    }

    /// The loose node of a kind, or nothing. A kind is named by the set of its full nodes.
    [[nodiscard]] node take_loose(node_set kind) noexcept {
        auto& place = loose_[static_cast<std::uint8_t>(kind)];
        if (looks_empty_of_loose(kind)) return {};
        const std::uint64_t next = place.exchange(0, order::loose_take); // Pairs with loose_put.
        return next == 0 ? node{} : at(next);
    }

    /// Puts a loose node that the caller holds to its kind; false, and the caller still holds it, when there
    /// is one already.
    [[nodiscard]] bool put_loose(node_set kind, const node& n) noexcept {
        std::uint64_t none = 0;
        return loose_[static_cast<std::uint8_t>(kind)].compare_exchange_strong(
            none, n.next(), order::loose_put, std::memory_order_relaxed); // Relaxed: nothing was read.
    }

    /// Whether there was no loose node of the kind a moment ago.
    [[nodiscard]] bool looks_empty_of_loose(node_set kind) const noexcept {
        // Relaxed: a hint.
        return loose_[static_cast<std::uint8_t>(kind)].load(std::memory_order_relaxed) == 0;
    }

    /// Whether a hinted search would find nothing. One load.
    [[nodiscard]] bool looks_empty(node_set s) const noexcept {
        return first_[static_cast<std::uint8_t>(s)].get() == nowhere;
    }

    // Exclusive.

    /// Calls visit(chunk, number).
    void for_each_chunk(auto visit) noexcept {
        // Relaxed, twice: exclusive.
        const std::uint64_t end = chunks_end_.load(std::memory_order_relaxed);
        for (std::uint64_t c = 0; c < end; ++c)
            if (chunk* in = chunks_[c].load(std::memory_order_relaxed))
                visit(*in, static_cast<std::uint32_t>(c));
    }

    /// Calls visit(node) for each node of the set; it may move the node to another set.
    void for_each_in(node_set s, auto visit) noexcept {
        for_each_chunk([&](chunk& c, std::uint32_t number) {
            c.for_each_in(s, [&](std::uint32_t n) { visit(node{&c, number, n}); });
        });
    }

    /// Calls visit(node) for the loose node of the kind, if there is one.
    void visit_loose(node_set kind, auto visit) noexcept {
        // Relaxed: exclusive.
        const std::uint64_t next = loose_[static_cast<std::uint8_t>(kind)].load(std::memory_order_relaxed);
        if (next != 0) visit(at(next));
    }

    /// Takes a node out of a set.
    void remove(node_set s, const node& n) noexcept { n.in->remove(s, n.number); }

    /// Makes all nodes empty again.
    void restart() noexcept {
        for (auto& place : loose_) place.store(0, std::memory_order_relaxed); // Relaxed: exclusive.
        for (auto& place : first_) place.set(nowhere);
        for_each_chunk([&](chunk& c, std::uint32_t number) {
            c.restart();
            expect_at(node_set::empty, number);
        });
    }

  private:
    using entry = atomic<chunk*>;

    /// A place beyond every node.
    static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

    [[nodiscard]] std::uint64_t chunks_end(look how) noexcept {
        // Relaxed, twice: a number; the chunks are found by their own synchronisation.
        constexpr auto relaxed = std::memory_order_relaxed;
        return how == look::newest ? chunks_end_.fetch_add(0, relaxed) : chunks_end_.load(relaxed);
    }

    /// The node that node::next names. Relaxed: the thread that put the node had found its chunk.
    [[nodiscard]] node at(std::uint64_t next) const noexcept {
        const auto number = static_cast<std::uint32_t>(next >> 32);
        return {chunks_[number].load(std::memory_order_relaxed), number,
                static_cast<std::uint32_t>(next) - 1};
    }

    [[nodiscard]] chunk* find(std::uint64_t number, look how) noexcept {
        chunk* none = nullptr;
        // Relaxed, twice: an exchange of nothing for nothing makes the load that follows read the newest
        // value.
        constexpr auto relaxed = std::memory_order_relaxed;
        if (how == look::newest) chunks_[number].compare_exchange_strong(none, nullptr, relaxed, relaxed);
        return chunks_[number].load(order::chunk_find); // Pairs with chunk_publish.
    }

    void publish(std::size_t number, std::unique_ptr<chunk> made) noexcept {
        raise_to(chunks_end_, number + 1); // First, so that a thread that finds the chunk searches it.
        chunk* none = nullptr;
        // Relaxed on failure: the chunk of the thread that was faster is not used here.
        if (!chunks_[number].compare_exchange_strong(none, made.get(), order::chunk_publish,
                                                     std::memory_order_relaxed))
            return;
        made.release();
        expect_at(node_set::empty, number);
    }

    /// A hinted search of the set begins no later than at the chunk.
    void expect_at(node_set s, std::uint64_t chunk_number) noexcept {
        auto& first = first_[static_cast<std::uint8_t>(s)];
        const std::uint64_t here = chunk_number << 32;
        if (here < first.get()) first.set(here);
    }

    std::uint32_t batch_;
    std::size_t chunk_count_;
    entry* chunks_;
    atomic<std::uint64_t> chunks_end_{};
    typename Atomics::template hint<std::uint64_t> first_[node_sets]{}; // Where a set's first node may be.
    atomic<std::uint64_t> loose_[node_sets]{}; // A node's `next`, or 0. The first is not used.
};

} // namespace ecs
