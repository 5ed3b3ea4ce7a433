// SPDX-License-Identifier: MIT
// What a concurrent registry must do whatever order it issues indices in, for one thread with several
// handles: the reference that the property test and the fuzzer compare with.
module;
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>
export module test.concurrent_model;
import ecs.id;
import ecs.registry;
import test.registry_model;

namespace test {

/// Plays operations on a registry, and knows of every index whether it is live and which generation it had
/// last.
template <class Layout, class Exhaustion, class Atomics> class concurrent_pair {
    using registry_type = ecs::basic_concurrent_registry<Layout, ecs::whole_index_space<Layout>, Exhaustion,
                                                         ecs::no_payload, Atomics>;
    using id_type = ecs::basic_id<Layout>;
    static constexpr std::size_t handles_max = 4;

  public:
    bool step(operation_stream& operations) {
        const std::uint64_t choice = operations.byte() % 32;
        if (choice < 12) return create(operations.below(handles_max + 1));
        if (choice < 22) return destroy(operations.below(handles_max + 1), operations);
        if (choice < 24) return destroy_stale(operations);
        if (choice < 27) return change_handle(operations.below(handles_max));
        if (choice < 30) return claim(operations);
        if (choice < 31) return create_many(operations.below(40));
        return operations.byte() % 8 != 0 || clear();
    }

    bool agree() {
        const auto is_live = [&](const auto& known) {
            return registry_.alive(id_of(known.first, known.second));
        };
        return registry_.live_count() == live_.size() && registry_.retired_count() == retired() &&
               registry_.free_count() == index_max<Layout> - live_.size() - retired() &&
               (++looks_ % 16 != 0 || registry_.counts() == counts()) &&
               std::ranges::all_of(live_, is_live) && visits_the_live();
    }

    /// Without handles and quarantine every index that is neither live nor retired can be created.
    bool nothing_is_lost() {
        for (auto& handle : handles_) handle.reset();
        if (registry_.counts() != counts()) return false;
        if constexpr (Exhaustion::minimum_free > 0 || index_max<Layout> > 4096) return true;
        const std::uint64_t left = registry_.counts().remaining;
        for (std::uint64_t i = 0; i < left; ++i)
            if (!create(handles_max)) return false;
        return !registry_.try_create();
    }

  private:
    static id_type id_of(std::uint64_t index, std::uint64_t generation) {
        return make_id<Layout>(index, generation);
    }

    static handle parts_of(id_type id) {
        if constexpr (ecs::has_role<Layout, ecs::field_role::generation>)
            return {id.index(), id.generation()};
        else
            return {id.index(), 1};
    }

    std::uint64_t used(std::uint64_t index) const {
        const auto known = used_.find(index);
        return known == used_.end() ? 0 : known->second;
    }

    std::size_t retired() const {
        return static_cast<std::size_t>(std::ranges::count_if(used_, [&](const auto& known) {
            return known.second == generation_max<Layout> && !live_.contains(known.first);
        }));
    }

    ecs::index_counts counts() const {
        const std::uint64_t live = live_.size(), gone = retired(), free = used_.size() - live - gone;
        const std::uint64_t held_back = std::min<std::uint64_t>(free, Exhaustion::minimum_free);
        return {index_max<Layout>, live, free, gone, index_max<Layout> - live - gone - held_back};
    }

    bool visits_the_live() const {
        std::map<std::uint64_t, std::uint64_t> seen;
        registry_.for_each_live(
            [&](id_type id) { seen.emplace(parts_of(id).index, parts_of(id).generation); });
        return seen == live_;
    }

    /// An identifier that was never alive before, of an index that is not in use.
    bool note(id_type id) {
        const auto [index, generation] = parts_of(id);
        if (index == 0 || index > index_max<Layout> || live_.contains(index)) return false;
        if (generation != used(index) + 1) return false;
        live_[index] = used_[index] = generation;
        return registry_.alive(id);
    }

    /// Through a handle, or without one. Handles may keep what is left.
    bool create(std::uint64_t way) {
        const bool has_handle = way < handles_max && handles_[way];
        const std::optional<id_type> made = has_handle ? handles_[way]->try_create() : registry_.try_create();
        return !made || note(*made);
    }

    bool create_many(std::uint64_t count) {
        std::vector<id_type> made(count);
        made.resize(registry_.try_create(std::span(made)));
        return std::ranges::all_of(made, [&](id_type id) { return note(id); });
    }

    bool destroy(std::uint64_t way, operation_stream& operations) {
        if (live_.empty()) return true;
        const auto chosen =
            std::next(live_.begin(), static_cast<std::ptrdiff_t>(operations.below(live_.size())));
        const id_type id = id_of(chosen->first, chosen->second);
        const bool has_handle = way < handles_max && handles_[way];
        live_.erase(chosen);
        return (has_handle ? handles_[way]->destroy(id) : registry_.destroy(id)) && !registry_.alive(id) &&
               !registry_.destroy(id);
    }

    bool destroy_stale(operation_stream& operations) {
        const std::uint64_t index = operations.index(index_max<Layout>);
        const std::uint64_t generation = 1 + operations.below(generation_max<Layout>);
        const auto known = live_.find(index);
        if (known != live_.end() && known->second == generation) return true;
        return !registry_.destroy(id_of(index, generation));
    }

    bool change_handle(std::uint64_t number) {
        if (handles_[number])
            handles_[number].reset();
        else
            handles_[number].emplace(registry_.local());
        return true;
    }

    bool claim(operation_stream& operations) {
        const std::uint64_t index = operations.index(index_max<Layout>);
        const std::uint64_t generation =
            1 + operations.below(std::min<std::uint64_t>(generation_max<Layout>, 20));
        const bool claimable = !live_.contains(index) && generation > used(index);
        if (registry_.claim(id_of(index, generation)) != claimable) return false;
        if (claimable) live_[index] = used_[index] = generation;
        return true;
    }

    bool clear() {
        registry_.clear();
        live_.clear();
        return true;
    }

    registry_type registry_;
    std::optional<typename registry_type::handle> handles_[handles_max];
    std::map<std::uint64_t, std::uint64_t> live_;
    std::map<std::uint64_t, std::uint64_t> used_;
    unsigned looks_ = 0; ///< Counting looks at every slot: not each time.
};

/// Plays the operations on a concurrent registry and the reference; false as soon as they disagree.
export template <class Layout, class Exhaustion, class Atomics = ecs::std_atomics>
bool concurrent_agree_after(operation_stream operations) {
    concurrent_pair<Layout, Exhaustion, Atomics> both;
    while (operations)
        if (!both.step(operations) || !both.agree()) return false;
    return both.nothing_is_lost();
}

} // namespace test
