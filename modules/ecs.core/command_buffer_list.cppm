// SPDX-License-Identifier: MIT
// What any thread opens and closes, and one thread makes idle again.
//
//    idle --open--> open --close--> closed --retire--> idle
//
// Threads: open and close, by any thread at any time, and no thread waits for one that stopped: members are
// taken out of groups, see group_list of ecs.registry. What is open belongs to the thread that opened it.
// Lock-free, apart from the system's memory.
export module ecs.core:command_buffer_list;
import ecs.std;
import ecs.registry;
import :atomics;

export namespace ecs {

/// See the head of this file. A template for the explorer, which uses a smaller Buffer.
template <class Buffer, class Atomics> class basic_command_buffer_list {
    using order = typename Atomics::order;

  public:
    /// One that is idle, or new, and the caller's from now on. What all who had it before have done to it is
    /// visible. Throws std::bad_alloc.
    [[nodiscard]] Buffer& open() {
        return members_.take([](std::size_t) {}); // Nothing besides.
    }

    /// It was open, and the caller's; the world's thread may look at it from now on. Wait-free.
    void close(Buffer& ended) noexcept {
        static_cast<member&>(ended).closed.store(1, order::buffer_close); // Pairs with buffer_retire.
    }

    // For the world's thread.

    /// Calls visit(command buffer, whether it is closed) as for_each_in_use does. All for which it returns
    /// true, which are closed, are idle. Others may close meanwhile, and open, if visit reads nothing of an
    /// open buffer. Linear in the buffers that are not idle.
    void retire(auto visit) noexcept {
        members_.for_each_taken([&](member& m) {
            const bool is_closed = m.closed.load(order::buffer_retire) != 0; // Pairs with buffer_close.
            if (!visit(static_cast<Buffer&>(m), is_closed)) return;
            m.closed.store(0, std::memory_order_relaxed); // Relaxed: passed on with the member.
            members_.put(m);
        });
    }

    /// Calls visit(command buffer) for each that is open or closed, of those whose threads the caller has
    /// synchronised with.
    void for_each_in_use(auto visit) const {
        members_.for_each_taken([&](member& m) { visit(static_cast<Buffer&>(m)); });
    }

    /// Calls visit(command buffer) for each, in whatever state.
    void for_each(auto visit) const {
        members_.for_each([&](member& m) { visit(static_cast<Buffer&>(m)); });
    }

  private:
    /// On lines of its own: each is written by another thread.
    struct alignas(64) member : Buffer {
        typename Atomics::template atomic<std::uint32_t> closed{};
    };

    /// So many groups that memory ends before them.
    static constexpr std::size_t groups = 31;

    group_list<member, typename Atomics::registry, groups> members_;
};

} // namespace ecs
