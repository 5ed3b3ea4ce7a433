// SPDX-License-Identifier: MIT
// Members that threads take and put back, of which there are always enough.
//
//   group 0   idle  1                 member
//   group 1   idle  01                member member          a group is made when no member of those that
//   group 2   idle  1101              member member ...      exist is idle, and has twice as many as the one
//   ...                                                      before
//
// Threads: whoever clears the bit of an idle member has it. Members never move, and stay until the list ends.
// Lock-free, apart from the system's memory.
export module ecs.registry:group_list;
import ecs.std;
import :atomics;
import :depot;

namespace ecs {

/// Members that were made together.
template <class Member, class Atomics> class member_group {
    using set = number_set<Atomics>;

  public:
    /// Makes twice as many members as in the group before; all but the first are idle. Throws std::bad_alloc,
    /// and what the constructor of a member throws.
    explicit member_group(std::uint32_t number)
        : count_(1U << number), idle_((count_ + 63) / 64), members_(new Member[count_]) {
        for (std::uint32_t n = 1; n < count_; ++n) put_idle(n);
    }

    /// Takes an idle member, which belongs to the caller then; null when there is none. Threads with
    /// different hints begin to look on different cache lines.
    [[nodiscard]] Member* take(std::size_t hint) noexcept {
        const std::uint32_t words = (count_ + 63) / 64; // A power of two.
        const auto begin = static_cast<std::uint32_t>(hint * words_of_a_line);
        for (std::uint32_t i = 0; i < words; ++i) {
            const std::uint32_t w = (begin + i) & (words - 1);
            if (const std::uint32_t n = set::take(idle_[w], 0, look::everywhere); n != set::none)
                return &members_[w * 64 + n];
        }
        return nullptr;
    }

    [[nodiscard]] bool has(const Member& m) const noexcept {
        return !std::less<>{}(&m, &members_[0]) && std::less<>{}(&m, &members_[0] + count_);
    }
    void put(const Member& m) noexcept { put_idle(static_cast<std::uint32_t>(&m - &members_[0])); }

    [[nodiscard]] Member& first() noexcept { return members_[0]; }

    void for_each(auto visit) const {
        for (std::uint32_t n = 0; n < count_; ++n) visit(members_[n]);
    }

    /// Calls visit(member) for each member that is not idle.
    void for_each_taken(auto visit) {
        for (std::uint32_t w = 0; w * 64 < count_; ++w)
            for (std::uint64_t taken = taken_in(w); taken != 0; taken &= taken - 1)
                visit(members_[w * 64 + static_cast<std::uint32_t>(std::countr_zero(taken))]);
    }

  private:
    static constexpr std::size_t words_of_a_line = 64 / sizeof(std::uint64_t);

    /// The members of a word that are not idle, a bit for each.
    [[nodiscard]] std::uint64_t taken_in(std::uint32_t word) noexcept {
        const std::uint64_t all = count_ < 64 ? (std::uint64_t{1} << count_) - 1 : ~std::uint64_t{0};
        return all & ~idle_[word].load(std::memory_order_relaxed); // Relaxed: see group_list::for_each_taken.
    }

    void put_idle(std::uint32_t n) noexcept { set::put(idle_[n / 64], n % 64); }

    std::uint32_t count_;
    owned_block<typename set::word_type, Atomics> idle_;
    std::unique_ptr<Member[]> members_;
};

/// At most 2^Groups - 1 members.
export template <class Member, class Atomics, std::size_t Groups> class group_list {
    using order = typename Atomics::order;

  public:
    group_list() = default;
    group_list(const group_list&) = delete;
    group_list& operator=(const group_list&) = delete;
    ~group_list() {
        // Relaxed: whoever destroys the list has synchronised with all who used it.
        for (auto& place : groups_) delete place.load(std::memory_order_relaxed);
    }

    /// An idle member, which is the caller's then. prepare(n) makes what the n-th group needs besides. Throws
    /// what that and a member's constructor throw, and std::bad_alloc; then nothing is taken.
    [[nodiscard]] Member& take(auto prepare) {
        for (;;) {
            if (Member* idle = take_idle()) return *idle;
            if (Member* made = add_group(prepare)) return *made;
        }
    }

    /// The member, which was the caller's, is idle. What the caller did is visible to who takes it next.
    void put(const Member& m) noexcept {
        for_each_group([&](group& g) {
            if (g.has(m)) g.put(m);
        });
    }

    /// Calls visit(member) for each member, idle or not.
    void for_each(auto visit) const {
        for_each_group([&](const group& g) { g.for_each(visit); });
    }

    /// Calls visit(member) for each member that a thread has taken which the caller has synchronised with
    /// since, and perhaps for others that are taken. Constant time for 64 idle members.
    void for_each_taken(auto visit) const {
        for_each_group([&](group& g) { g.for_each_taken(visit); });
    }

  private:
    using group = member_group<Member, Atomics>;

    void for_each_group(auto visit) const {
        for (const auto& place : groups_) {
            group* g = place.load(order::group_find); // Pairs with group_publish.
            if (!g) return;
            visit(*g);
        }
    }

    Member* take_idle() noexcept {
        const std::size_t hint = Atomics::thread_hint();
        Member* idle = nullptr;
        for_each_group([&](group& g) {
            if (!idle) idle = g.take(hint);
        });
        return idle;
    }

    /// The first member of a new group; null when another thread has made that group.
    Member* add_group(auto prepare) {
        std::uint32_t number = 0;
        for_each_group([&](group&) { ++number; });
        if (number == Groups) throw std::bad_alloc();
        prepare(number);
        auto made = std::make_unique<group>(number);
        group* none = nullptr;
        // Relaxed on failure: the group of the thread that was faster is found by looking for it.
        if (!groups_[number].compare_exchange_strong(none, made.get(), order::group_publish,
                                                     std::memory_order_relaxed))
            return nullptr;
        return &made.release()->first();
    }

    typename Atomics::template atomic<group*> groups_[Groups]{};
};

} // namespace ecs
