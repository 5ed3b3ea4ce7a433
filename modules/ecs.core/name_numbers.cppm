// SPDX-License-Identifier: MIT
// Numbers of names that threads meet in any order: a new name gets the next number, whichever thread comes
// first.
//
//    newest -> | 3 "velocity" | -> | 2 "position" | -> | 1 "health" |
//
// Threads: any, at any time. What is in the list never changes and never leaves it. Lock-free, apart from the
// system's memory: a thread looks again only because another has added a name.
export module ecs.core:name_numbers;
import ecs.std;
import :atomics;

export namespace ecs {

/// See the head of this file. Exported for the explorer.
template <class Atomics> class basic_name_numbers {
    using order = typename Atomics::order;

  public:
    basic_name_numbers() = default;
    basic_name_numbers(const basic_name_numbers&) = delete;
    basic_name_numbers& operator=(const basic_name_numbers&) = delete;
    ~basic_name_numbers() {
        // Relaxed: the thread that destroys the list has synchronised with all that used it.
        const entry* next = newest_.load(std::memory_order_relaxed);
        while (const entry* here = next) {
            next = here->next;
            delete here;
        }
    }

    /// The number of the name, from 1 on. Linear in the number of names. Throws std::bad_alloc.
    [[nodiscard]] std::uint32_t of(std::string_view name) {
        const entry* newest = newest_.load(order::name_find); // Pairs with name_publish.
        if (const entry* known = find(newest, nullptr, name)) return known->number;
        return add(std::make_unique<entry>(std::string(name)), newest);
    }

  private:
    struct entry {
        std::string name;
        typename Atomics::template plain<const entry*> next{};
        typename Atomics::template plain<std::uint32_t> number{};
    };

    /// The entry of the name between the newest and `end`, which is not looked at; null when there is none.
    static const entry* find(const entry* newest, const entry* end, std::string_view name) {
        for (const entry* here = newest; here != end; here = here->next)
            if (here->name == name) return here;
        return nullptr;
    }

    /// Adds a name that no entry from `known` on has.
    std::uint32_t add(std::unique_ptr<entry> made, const entry* known) {
        for (const entry* newest = known;;) {
            made->next = newest;
            made->number = newest ? newest->number + 1 : 1;
            // On failure it pairs with name_publish of the thread that was faster.
            if (newest_.compare_exchange_strong(newest, made.get(), order::name_publish,
                                                order::name_publish_late))
                return made.release()->number;
            if (const entry* theirs = find(newest, known, made->name)) return theirs->number;
            known = newest;
        }
    }

    typename Atomics::template atomic<const entry*> newest_{};
};

} // namespace ecs
