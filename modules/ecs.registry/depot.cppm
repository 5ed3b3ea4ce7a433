// SPDX-License-Identifier: MIT
// The depot passes ready-made identifiers between threads, a magazine at a time.
//
//   stack   | node 7, version 3 |          node 7  | next: node 2, version 9 | version 3 | count | id id id
//   ... |
//
// A Treiber stack (Treiber 1986) whose links carry the version of the node they point to. Taking a node
// raises its version, and a node whose versions are spent leaves circulation, so a pair (node, version) is
// pushed at most once over all stacks: an exchange that expects it succeeds only while that very push is on
// top, and then the link read before is still its link. A stale head is never mistaken for a current one: ABA
// is impossible, not improbable.
//
// Arrays of ready identifiers, not a list through the slots: creating from a list is a chain of dependent
// cache misses, from an array it is a row of independent ones.
//
// Threads: everything, by any thread at once; lock-free. A node belongs to whoever took it.
export module ecs.registry:depot;
import ecs.std;
import :atomics;

namespace ecs {

/// A link: a node, counted from 1, and the version under which it was pushed. Node 0 is the end. Aligned
/// as one word, so that processors exchange it as one.
struct alignas(std::uint64_t) node_link {
    std::uint32_t node;
    std::uint32_t version;
};

template <class Word, class Atomics, class Geometry> struct depot_node {
    typename Atomics::template atomic<node_link> next;
    typename Atomics::template plain<std::uint32_t> version;
    typename Atomics::template plain<std::uint32_t> count;
    typename Atomics::template plain<Word> ids[Geometry::magazine];
};

/// The nodes of a registry, made as they are needed and never given back before it ends.
template <class Word, class Atomics, class Geometry> class node_store {
    using order = typename Atomics::order;

  public:
    using node = depot_node<Word, Atomics, Geometry>;

    /// Room for `most` nodes at once; a few more exist while threads hold them in their hands.
    explicit node_store(std::uint64_t most)
        : chunk_count_((most >> Geometry::chunk_bits) + 1),
          directory_(Atomics::template allocate_directory<entry>(chunk_count_)) {}
    node_store(const node_store&) = delete;
    node_store& operator=(const node_store&) = delete;
    ~node_store() {
        // Relaxed, twice: whoever destroys the registry has synchronised with all who used it.
        const std::uint64_t end = chunks_end_.load(std::memory_order_relaxed);
        for (std::uint64_t c = 0; c < end; ++c)
            if (node* chunk = directory_[c].load(std::memory_order_relaxed))
                Atomics::template deallocate<node>(chunk, chunk_size);
        Atomics::template deallocate_directory<entry>(directory_, chunk_count_);
    }

    /// A node that the caller holds or found on a stack.
    [[nodiscard]] node& operator[](std::uint32_t number) const noexcept {
        // Relaxed: see registry_orders::block_find.
        return directory_[number >> Geometry::chunk_bits].load(
            std::memory_order_relaxed)[number & chunk_mask];
    }

    /// Lets a node come from memory while the caller does something else, where the atomics know how.
    void prefetch([[maybe_unused]] std::uint32_t number) const noexcept {
        if constexpr (requires(const node* n) { Atomics::prefetch(n); }) {
            // Relaxed: nothing is read there.
            const node* const chunk =
                directory_[number >> Geometry::chunk_bits].load(std::memory_order_relaxed);
            if (chunk) Atomics::prefetch(chunk + (number & chunk_mask));
        }
    }

    /// A node nobody used before, or 0 when there is no memory for it.
    [[nodiscard]] std::uint32_t make() noexcept {
        // Relaxed: the number is all that is taken.
        const std::uint64_t number = made_.fetch_add(1, std::memory_order_relaxed) + 1;
        return ensure(number) ? static_cast<std::uint32_t>(number) : 0;
    }

    /// Makes the chunks of the first `count` nodes exist. Throws std::bad_alloc.
    void reserve(std::uint64_t count) {
        for (std::uint64_t number = 1; number <= count; number += chunk_size)
            if (!ensure(number)) throw std::bad_alloc();
        if (!ensure(count)) throw std::bad_alloc();
    }

  private:
    using entry = typename Atomics::template atomic<node*>;
    static constexpr std::uint64_t chunk_size = std::uint64_t{1} << Geometry::chunk_bits;
    static constexpr std::uint64_t chunk_mask = chunk_size - 1;

    bool ensure(std::uint64_t number) noexcept {
        const std::uint64_t chunk = number >> Geometry::chunk_bits;
        return chunk < chunk_count_ && (directory_[chunk].load(order::block_find) || publish(chunk));
    }

    bool publish(std::uint64_t chunk) noexcept try {
        node* made = Atomics::template allocate<node>(chunk_size);
        node* none = nullptr;
        if (directory_[chunk].compare_exchange_strong(none, made, order::block_publish, order::block_find))
            raise_to(chunks_end_, chunk + 1);
        else
            Atomics::template deallocate<node>(made, chunk_size);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }

    std::uint64_t chunk_count_;
    entry* directory_;
    typename Atomics::template atomic<std::uint64_t> made_{};
    typename Atomics::template atomic<std::uint64_t> chunks_end_{};
};

/// A stack of nodes; see the banner.
template <class Word, class Atomics, class Geometry> class versioned_stack {
    using order = typename Atomics::order;
    using store = node_store<Word, Atomics, Geometry>;

  public:
    /// Pushes a node that the caller holds and whose versions are not spent.
    void push(store& nodes, std::uint32_t number) noexcept {
        auto& node = nodes[number];
        const node_link top{number, node.version};
        // Relaxed but for the push, which publishes the link that is only passed on here.
        constexpr auto relaxed = std::memory_order_relaxed;
        node_link below = head_.load(relaxed);
        do {
            node.next.store(below, relaxed);
        } while (!head_.compare_exchange_strong(below, top, order::stack_push, relaxed));
    }

    /// Takes the node on top, which the caller then holds; 0 when there is none.
    [[nodiscard]] std::uint32_t pop(store& nodes) noexcept {
        node_link top = head_.load(order::stack_look);
        while (top.node != 0) {
            // Relaxed: the look at the head made the link visible; if it is newer, the exchange fails.
            const node_link below = nodes[top.node].next.load(std::memory_order_relaxed);
            if (head_.compare_exchange_strong(top, below, std::memory_order_relaxed, order::stack_look)) {
                ++nodes[top.node].version;
                nodes.prefetch(below.node); // The next to be taken, a magazine later.
                return top.node;
            }
        }
        return 0;
    }

    /// Whether the stack was empty a moment ago.
    [[nodiscard]] bool looks_empty() const noexcept {
        // Relaxed: a hint; taking decides.
        return head_.load(std::memory_order_relaxed).node == 0;
    }

  private:
    typename Atomics::template atomic<node_link> head_{};
};

/// The nodes of a registry that hold nothing, and how a node is had and given back.
template <class Word, class Atomics, class Geometry> class spare_nodes {
  public:
    using store = node_store<Word, Atomics, Geometry>;

    explicit spare_nodes(std::uint64_t most) : nodes(most) {}

    /// An empty node, or 0 when there is no memory for one.
    [[nodiscard]] std::uint32_t take() noexcept {
        while (const std::uint32_t spare = stack_.pop(nodes))
            if (!spent(spare)) return spare;
        return nodes.make();
    }

    /// Gives an emptied node back; a node whose versions are spent is used no more.
    void give(std::uint32_t number) noexcept {
        if (!spent(number)) stack_.push(nodes, number);
    }

    store nodes;

  private:
    [[nodiscard]] bool spent(std::uint32_t number) const noexcept {
        return nodes[number].version > Geometry::version_max;
    }

    versioned_stack<Word, Atomics, Geometry> stack_;
};

} // namespace ecs
