// SPDX-License-Identifier: MIT
// What a registry must do, said as simply as possible: the reference that every other kind of test compares
// with. No slot words, no linked list, no cleverness; linear searches over small vectors.
module;
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
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
        : next_(first),
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

    constexpr bool alive(handle h) const { return std::find(live_.begin(), live_.end(), h) != live_.end(); }

    constexpr bool destroy(handle h) {
        if (!alive(h)) return false;
        std::erase(live_, h);
        if (h.generation == generations_ && reuses_spent_) set_used(h.index, 0);
        if (used(h.index) < generations_ && h.index < next_) waiting_.push_back(h.index);
        return true;
    }

    constexpr bool claim(handle h) {
        if (h.generation <= used(h.index) || in_use(h.index)) return false;
        std::erase(waiting_, h.index);
        set_used(h.index, h.generation);
        live_.push_back(h);
        return true;
    }

    constexpr void clear() {
        std::vector<handle> all = live_;
        std::sort(all.begin(), all.end(), [&](const handle& a, const handle& b) {
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
        return std::any_of(live_.begin(), live_.end(), [&](const handle& h) { return h.index == index; });
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

    constexpr bool agree_on(handle h) const {
        const bool alive = model_.alive(h);
        return real_.alive(to_id(h)) == alive && (real_.status(to_id(h)) == ecs::id_status::live) == alive;
    }

    /// Counts, and the live identifiers in order.
    constexpr bool agree() const {
        std::vector<handle> expected = model_.live();
        std::sort(expected.begin(), expected.end(),
                  [](const handle& a, const handle& b) { return a.index < b.index; });
        const ecs::index_counts counts = real_.counts();
        if (counts.live != expected.size() || counts.live + counts.free + counts.retired > counts.capacity)
            return false;
        if (Exhaustion::when_spent == ecs::spent_index::retired && counts.retired != model_.retired())
            return false;
        std::size_t at = 0;
        for (const id live : real_.live())
            if (at == expected.size() || live != to_id(expected[at++])) return false;
        return at == expected.size();
    }

    constexpr std::vector<handle> live() const { return model_.live(); }
    constexpr const registry_type& real() const { return real_; }

  private:
    static constexpr id to_id(handle h) { return make_id<Layout>(h.index, h.generation); }

    registry_type real_;
    reference model_{1, index_max<Layout>, generation_max<Layout>, Exhaustion::minimum_free,
                     Exhaustion::when_spent == ecs::spent_index::reused};
};

} // namespace test
