// SPDX-License-Identifier: MIT
// Runs the operations that a sequence of bytes stands for on a world and on a naive reference, and compares
// the two. Values count their lives. With a fuse, allocations of the world fail on the way, and an operation
// that throws must have changed nothing. The world may have a space that is soon used up: the reference says
// when. Include the standard library's headers before importing ecs.world.
#pragma once
#include "unit/world/life.hpp"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

import ecs.world;

/// Allocations that still succeed; negative: all. Only a program that replaces operator new heeds it.
inline int allocation_fuse = -1;

namespace world_test {

struct number {
    std::int64_t value;
};
struct shield {
    static constexpr auto kept_in = ecs::storage::sparse;
    counted<1> value;
};
struct selected {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct aura {
    static constexpr auto kept_in = ecs::storage::in_place;
    counted<2> value;
};
struct lit {
    static constexpr auto kept_in = ecs::storage::in_place;
};
using label = counted<0>;

/// What the reference knows of an entity.
struct facts {
    std::optional<int> label, shield, aura;
    std::optional<std::int64_t> number;
    bool selected = false, lit = false;
    bool label_disabled = false, aura_disabled = false;
    std::set<std::uint64_t> tags;

    friend bool operator==(const facts&, const facts&) = default;
};

class world_program {
  public:
    world_program(std::span<const std::uint8_t> input, bool with_failures, const ecs::id_space& space)
        : input_(input), with_failures_(with_failures), world_(space) {
        std::ignore = world_.component<label>();
        std::ignore = world_.component<number>();
        std::ignore = world_.component<shield>();
        std::ignore = world_.component<selected>();
        std::ignore = world_.component<aura>();
        std::ignore = world_.component<lit>();
        note_what_is_spent();
    }

    /// Throws std::logic_error where the world and the reference differ.
    void run() {
        while (!input_.empty()) {
            step(byte());
            if (++steps_ % 32 == 0) compare();
        }
        compare();
    }

    ~world_program() { allocation_fuse = -1; }

  private:
    std::uint8_t byte() {
        if (input_.empty()) return 0;
        const std::uint8_t first = input_.front();
        input_ = input_.subspan(1);
        return first;
    }

    /// Indices that earlier worlds of the same number have used for the last time, of as many as a program
    /// can use.
    void note_what_is_spent() {
        const ecs::id_space& space = world_.space();
        const auto last =
            static_cast<std::uint32_t>(std::min<std::size_t>(space.last - space.first, 4 * input_.size()));
        const ecs::entity any = world_.component<label>().with<"generation">(ecs::id_space::last_generation);
        for (std::uint32_t index = space.first; index <= space.first + last; ++index)
            if (world_.status(any.with<"index">(index)) == ecs::id_status::retired)
                generations_[index] = ecs::id_space::last_generation;
    }

    static void require(bool holds, const char* law) {
        if (!holds) throw std::logic_error(law);
    }

    ecs::entity any_handle() {
        if (handles_.empty()) return {};
        return handles_[byte() % handles_.size()];
    }

    /// One of few, so that tags are shared and come back.
    ecs::entity any_tag() {
        if (handles_.empty()) return {};
        const ecs::entity tag = handles_[byte() % std::min<std::size_t>(handles_.size(), 8)];
        tags_.insert(tag);
        return tag;
    }

    facts* known(ecs::entity e) {
        const auto found = living_.find(e.value());
        return found == living_.end() ? nullptr : &found->second;
    }

    /// Carries out an operation of the world, whose allocations may fail; false when one did.
    template <class F> bool attempt(F operation) {
        if (with_failures_) allocation_fuse = byte() % 24;
        try {
            operation();
            allocation_fuse = -1;
            return true;
        } catch (const std::bad_alloc&) {
            allocation_fuse = -1;
            return false;
        }
    }

    /// The same for one that makes so many entities, which it does exactly when there are identifiers for
    /// them.
    template <class F> bool attempt_to_make(std::uint64_t count, F operation) {
        const bool possible = count <= free_indices();
        try {
            if (!attempt(operation)) {
                wasted_ = true; // Those that were there before memory ran out have had their generation.
                return false;
            }
        } catch (const std::length_error&) {
            allocation_fuse = -1;
            require(!possible || wasted_, "there are entities until the space is used up");
            return false;
        }
        require(possible, "no more than the space has");
        return true;
    }

    /// How many indices nobody has that have generations left.
    [[nodiscard]] std::uint64_t free_indices() const {
        const ecs::id_space& space = world_.space();
        const auto is_spent = [](const auto& known) {
            return known.second == ecs::id_space::last_generation;
        };
        const auto spent = std::ranges::count_if(generations_, is_spent);
        const auto in_use = std::ranges::count_if(living_, [&](const auto& known) {
            return !is_spent(*generations_.find(known.first & 0xFFFF'FFFF));
        });
        return std::uint64_t{space.last} - space.first + 1 - static_cast<std::uint64_t>(spent + in_use);
    }

    void adopt(ecs::entity e, facts f) {
        require(world_.space().contains(static_cast<std::uint32_t>(e.index())), "indices are of the space");
        std::uint64_t& latest = generations_[e.index()];
        require(latest < e.generation(), "an index comes back under a later generation");
        latest = e.generation();
        handles_.push_back(e);
        living_[e.value()] = std::move(f);
    }

    void step(std::uint8_t operation) {
        switch (operation % 20) {
        case 0: return spawn();
        case 1: return despawn();
        case 2: return set_label();
        case 3: return set_number();
        case 4: return set_shield();
        case 5: return remove_label();
        case 6: return remove_number();
        case 7: return remove_shield();
        case 8: return toggle_selected();
        case 9: return change_tag();
        case 10: return toggle_label();
        case 11: return clone();
        case 12: return set_several();
        case 13: return edit();
        case 14: return spawn_many();
        case 15: return set_aura();
        case 16: return remove_aura();
        case 17: return toggle_lit();
        case 18: return toggle_aura();
        default: return shrink();
        }
    }

    void spawn() {
        const int value = byte();
        ecs::entity e;
        const bool plain = value % 3 == 0;
        const auto make = [&] { e = plain ? world_.spawn() : world_.spawn(label(value), number{value}); };
        if (!attempt_to_make(1, make)) return;
        adopt(e,
              plain ? facts{} : facts{.label = value, .shield = {}, .aura = {}, .number = value, .tags = {}});
    }

    void despawn() {
        const ecs::entity e = any_handle();
        const bool alive = known(e) != nullptr;
        bool ended = false;
        if (!attempt([&] { ended = world_.despawn(e); }))
            ended = world_.despawn(e); // May have begun; can be finished.
        require(ended == alive, "despawn says whether the entity was alive");
        living_.erase(e.value());
        for (auto& [word, f] : living_) f.tags.erase(e.value());
    }

    void set_label() {
        const ecs::entity e = any_handle();
        const int value = byte();
        if (!attempt([&] { world_.set(e, label(value)); })) return;
        if (facts* const f = known(e)) f->label = value;
    }

    void set_number() {
        const ecs::entity e = any_handle();
        const number value{byte()};
        if (!attempt([&] { world_.set(e, world_.component<number>(), &value); })) return;
        if (facts* const f = known(e)) f->number = value.value;
    }

    void set_shield() {
        const ecs::entity e = any_handle();
        const int value = byte();
        if (!attempt([&] { world_.set(e, shield{counted<1>(value)}); })) return;
        if (facts* const f = known(e)) f->shield = value;
    }

    void remove_label() {
        const ecs::entity e = any_handle();
        if (!attempt([&] { world_.remove<label>(e); })) return;
        if (facts* const f = known(e)) {
            f->label.reset();
            f->label_disabled = false;
        }
    }

    void remove_number() {
        const ecs::entity e = any_handle();
        if (!attempt([&] { world_.remove<number>(e); })) return;
        if (facts* const f = known(e)) f->number.reset();
    }

    void remove_shield() {
        const ecs::entity e = any_handle();
        if (!attempt([&] { world_.remove<shield>(e); })) return;
        if (facts* const f = known(e)) f->shield.reset();
    }

    void set_aura() {
        const ecs::entity e = any_handle();
        const int value = byte();
        if (!attempt([&] { world_.set(e, aura{counted<2>(value)}); })) return;
        if (facts* const f = known(e)) f->aura = value;
    }

    void remove_aura() {
        const ecs::entity e = any_handle();
        if (!attempt([&] { world_.remove<aura>(e); })) return;
        if (facts* const f = known(e)) {
            f->aura.reset();
            f->aura_disabled = false;
        }
    }

    void toggle_lit() {
        const ecs::entity e = any_handle();
        facts* const f = known(e);
        const bool on = f && !f->lit;
        if (!attempt([&] { on ? world_.add<lit>(e) : world_.remove<lit>(e); })) return;
        if (f) f->lit = on;
    }

    void toggle_aura() {
        const ecs::entity e = any_handle();
        facts* const f = known(e);
        const bool off = f && !f->aura_disabled;
        if (!attempt([&] { off ? world_.disable<aura>(e) : world_.enable<aura>(e); })) return;
        if (f && f->aura) f->aura_disabled = off;
    }

    void toggle_selected() {
        const ecs::entity e = any_handle();
        facts* const f = known(e);
        const bool on = f && !f->selected;
        if (!attempt([&] { on ? world_.add<selected>(e) : world_.remove<selected>(e); })) return;
        if (f) f->selected = on;
    }

    void change_tag() {
        const ecs::entity e = any_handle();
        const ecs::entity tag = any_tag();
        facts* const f = known(e);
        const bool on = f && !f->tags.contains(tag.value());
        if (!attempt([&] { on ? world_.add(e, tag) : world_.remove(e, tag); })) return;
        if (!f || !known(tag)) return;
        on ? static_cast<void>(f->tags.insert(tag.value())) : static_cast<void>(f->tags.erase(tag.value()));
    }

    void toggle_label() {
        const ecs::entity e = any_handle();
        facts* const f = known(e);
        const bool off = f && !f->label_disabled;
        if (!attempt([&] { off ? world_.disable<label>(e) : world_.enable<label>(e); })) return;
        if (f && f->label) f->label_disabled = off;
    }

    void clone() {
        const ecs::entity e = any_handle();
        if (!known(e)) return;
        ecs::entity copy;
        if (attempt_to_make(1, [&] { copy = world_.clone(e); })) adopt(copy, facts(*known(e)));
    }

    void set_several() {
        const ecs::entity e = any_handle();
        const int value = byte();
        if (!attempt([&] { world_.set(e, label(value), number{-value}); })) return;
        if (facts* const f = known(e)) {
            f->label = value;
            f->number = -value;
        }
    }

    void edit() {
        const ecs::entity e = any_handle();
        const ecs::entity tag = any_tag();
        const int value = byte();
        auto result = ecs::add_result::not_alive;
        if (!attempt([&] { result = world_.edit(e).set(label(value)).remove<number>().add(tag).commit(); }))
            return;
        facts* const f = known(e);
        require(ecs::succeeded(result) == (f && known(tag)),
                "an edit is refused exactly when its parts would be");
        if (!ecs::succeeded(result)) return;
        f->label = value;
        f->number.reset();
        f->tags.insert(tag.value());
    }

    void spawn_many() {
        const int count = byte() % 8;
        std::vector<ecs::entity> out(static_cast<std::size_t>(count));
        const auto values = [](std::size_t i) { return label(static_cast<int>(i)); };
        if (!attempt_to_make(out.size(), [&] { world_.spawn_into(out, values); })) return;
        for (int i = 0; i < count; ++i)
            adopt(out[static_cast<std::size_t>(i)],
                  facts{.label = i, .shield = {}, .aura = {}, .number = {}, .tags = {}});
    }

    void shrink() {
        if (byte() % 16 != 0) return world_.shrink();
        if (!attempt([&] { world_.clear(); })) world_.clear();
        living_.clear();
    }

    [[nodiscard]] facts facts_of(ecs::entity e) {
        facts f;
        if (const label* const found = world_.try_get<label>(e)) f.label = found->value();
        if (const number* const found = world_.try_get<number>(e)) f.number = found->value;
        if (const shield* const found = world_.try_get<shield>(e)) f.shield = found->value.value();
        if (const aura* const found = world_.try_get<aura>(e)) f.aura = found->value.value();
        f.selected = world_.has<selected>(e);
        f.lit = world_.has<lit>(e);
        f.aura_disabled = f.aura && !world_.is_enabled<aura>(e);
        f.label_disabled = f.label && !world_.is_enabled<label>(e);
        for (const ecs::entity tag : tags_)
            if (world_.has(e, tag)) f.tags.insert(tag.value());
        return f;
    }

    void compare() {
        std::size_t labels = 0;
        std::size_t shields = 0;
        std::size_t auras = 0;
        for (const ecs::entity e : handles_) {
            facts* const f = known(e);
            require(world_.alive(e) == (f != nullptr), "an entity lives until it is despawned");
            if (!f) continue;
            require(facts_of(e) == *f, "an entity has what it was given");
            labels += f->label.has_value();
            shields += f->shield.has_value();
            auras += f->aura.has_value();
        }
        require(counted<0>::lives == static_cast<int>(labels), "each label lives once");
        require(counted<1>::lives == static_cast<int>(shields), "each shield lives once");
        require(counted<2>::lives == static_cast<int>(auras), "each aura lives once");
        compare_queries();
    }

    /// The number of entities for which the reference says that the condition holds.
    template <class F> [[nodiscard]] std::size_t count_of(F holds) const {
        std::size_t count = 0;
        for (const auto& [word, f] : living_) count += holds(f);
        return count;
    }

    void compare_queries() {
        const auto labelled = [](const facts& f) { return f.label && !f.label_disabled; };
        require(world_.query<label>().count() == count_of(labelled), "with");
        require(world_.query<const number>().without<label>().count() ==
                    count_of([&](const facts& f) { return f.number && !labelled(f); }),
                "without");
        require(world_.query<const number>().any_of<label, shield>().count() ==
                    count_of([&](const facts& f) { return f.number && (labelled(f) || f.shield); }),
                "any of");
        require(world_.query<const shield>().with<selected>().count() ==
                    count_of([](const facts& f) { return f.shield && f.selected; }),
                "outside tables");
        compare_in_place();
        std::size_t seen = 0;
        for (auto [e, value, maybe] : world_.query<const label, const number*>()) {
            facts* const f = known(e);
            require(f && labelled(*f) && value.value() == f->label,
                    "a loop hands out the value of its entity");
            require(maybe ? maybe->value == f->number : !f->number,
                    "an optional term is null where it is missing");
            ++seen;
        }
        require(seen == count_of(labelled), "a loop visits each entity once");
    }

    void compare_in_place() {
        const auto shines = [](const facts& f) { return f.aura && !f.aura_disabled; };
        require(world_.query<const number>().without<aura>().with<lit>().count() ==
                    count_of([&](const facts& f) { return f.number && !shines(f) && f.lit; }),
                "what is absent, or disabled, in place");
        std::size_t seen = 0;
        for (auto [e, value] : world_.query<const aura>()) {
            facts* const f = known(e);
            require(f && shines(*f) && value.value.value() == f->aura,
                    "a loop hands out the value in place of its entity");
            ++seen;
        }
        require(seen == count_of(shines), "a loop visits each entity that has it in place once");
        world_.each([&](ecs::entity e, const number&, const aura* maybe) {
            facts* const f = known(e);
            require(f && (maybe ? maybe->value.value() == f->aura : !shines(*f)),
                    "an optional value in place is null where it is missing");
        });
    }

    std::span<const std::uint8_t> input_;
    bool with_failures_;
    unsigned steps_ = 0;
    bool wasted_ = false;
    ecs::world world_;
    std::vector<ecs::entity> handles_;
    std::set<ecs::entity> tags_;
    std::map<std::uint64_t, facts> living_;
    std::map<std::uint64_t, std::uint64_t> generations_; ///< The latest of each index that had an entity.
};

/// Runs the program, and checks that nothing outlives its world.
inline void run_world_program(std::span<const std::uint8_t> input, bool with_failures = false,
                              const ecs::id_space& space = {}) {
    world_program(input, with_failures, space).run();
    if (counted<0>::lives != 0 || counted<1>::lives != 0 || counted<2>::lives != 0)
        throw std::logic_error("values end with their world");
}

} // namespace world_test
