// SPDX-License-Identifier: MIT
// What entities have from those they are instances of, after random changes, against a naive model: own
// values and bases in maps, and the nearest base looked for anew each time.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

namespace {

struct in_table {
    int value;
};
struct aside {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value;
};

constexpr std::size_t prefabs = 3;
constexpr std::size_t entities = prefabs + 6;

struct individual {
    bool alive = true;
    std::map<std::size_t, int> own; ///< By kind of component: 0 in tables, 1 aside.
    std::set<std::size_t> bases;
};

class model {
  public:
    std::vector<individual> all = std::vector<individual>(entities);

    /// The own value, or that of the nearest base; of bases as near, of the one with the least number.
    [[nodiscard]] std::optional<int> value(std::size_t of, std::size_t kind) const {
        std::vector<std::size_t> open{of};
        for (std::size_t next = 0; next < open.size(); ++next) {
            const individual& one = all[open[next]];
            if (const auto own = one.own.find(kind); own != one.own.end()) return own->second;
            for (const std::size_t base : one.bases)
                if (std::ranges::find(open, base) == open.end()) open.push_back(base);
        }
        return {};
    }

    [[nodiscard]] bool descends(std::size_t from, std::size_t base) const {
        return from == base || std::ranges::any_of(all[from].bases, [&](std::size_t between) {
                   return descends(between, base);
               });
    }

    void end(std::size_t which) {
        all[which] = {false, {}, {}};
        for (individual& one : all) one.bases.erase(which);
    }
};

class run {
  public:
    run() {
        for (std::size_t i = 0; i < entities; ++i)
            made_.push_back(i < prefabs ? world_.prefab() : world_.spawn());
    }

    void step(unsigned code, std::size_t a, std::size_t b, int value) {
        if (!model_.all[a].alive) return;
        switch (code % 8) {
        case 0: return value % 4 == 0 ? end(a) : remove(a, b % 2);
        case 1: return disown(a, b);
        case 2:
        case 3: return descend(a, b);
        case 4: return add(a, b % 2);
        default: return set(a, b % 2, value);
        }
    }

    void compare() {
        std::map<std::size_t, std::size_t> found;
        for (std::size_t i = 0; i < entities; ++i) {
            RC_ASSERT(world_.alive(made_[i]) == model_.all[i].alive);
            compare<in_table>(i, 0, found);
            compare<aside>(i, 1, found);
        }
        RC_ASSERT(world_.query<const in_table>().count() == found[0]);
        RC_ASSERT(world_.query<const aside>().count() == found[1]);
    }

  private:
    template <class T>
    void compare(std::size_t i, std::size_t kind, std::map<std::size_t, std::size_t>& found) {
        const std::optional<int> expected = model_.all[i].alive ? model_.value(i, kind) : std::nullopt;
        const T* const seen = model_.all[i].alive ? world_.try_get<T>(made_[i]) : nullptr;
        RC_ASSERT((seen ? std::optional(seen->value) : std::nullopt) == expected);
        RC_ASSERT(world_.has<T>(made_[i]) == expected.has_value());
        if (i >= prefabs) found[kind] += expected.has_value();
    }

    [[nodiscard]] ecs::id base(std::size_t b) const { return ecs::pair(ecs::is_a, made_[b]); }

    void descend(std::size_t a, std::size_t b) {
        const ecs::add_result result = world_.add(made_[a], base(b));
        if (!model_.all[b].alive) return RC_ASSERT(result == ecs::add_result::not_alive_id);
        if (model_.descends(b, a)) return RC_ASSERT(result == ecs::add_result::would_make_a_cycle);
        const bool fresh = model_.all[a].bases.insert(b).second;
        RC_ASSERT(result == (fresh ? ecs::add_result::added : ecs::add_result::already_there));
    }

    void disown(std::size_t a, std::size_t b) {
        const bool removed = world_.remove(made_[a], base(b)) == ecs::add_result::removed;
        RC_ASSERT(removed == (model_.all[a].bases.erase(b) == 1));
    }

    void set(std::size_t a, std::size_t kind, int value) {
        kind == 0 ? world_.set(made_[a], in_table{value}) : world_.set(made_[a], aside{value});
        model_.all[a].own[kind] = value;
    }

    /// Begins with a copy of what was inherited.
    void add(std::size_t a, std::size_t kind) {
        kind == 0 ? world_.add<in_table>(made_[a]) : world_.add<aside>(made_[a]);
        model_.all[a].own.try_emplace(kind, model_.value(a, kind).value_or(0));
    }

    void remove(std::size_t a, std::size_t kind) {
        const ecs::add_result result =
            kind == 0 ? world_.remove<in_table>(made_[a]) : world_.remove<aside>(made_[a]);
        RC_ASSERT((result == ecs::add_result::removed) == (model_.all[a].own.erase(kind) == 1));
    }

    void end(std::size_t a) {
        world_.despawn(made_[a]);
        model_.end(a);
    }

    ecs::world world_;
    model model_;
    std::vector<ecs::entity> made_;
};

TEST(instance_properties, instances_have_what_the_nearest_base_has) {
    EXPECT_TRUE(rc::check("a world agrees with a search through maps", [] {
        run both;
        for (const std::uint32_t code :
             *rc::gen::resize(200, rc::gen::arbitrary<std::vector<std::uint32_t>>())) {
            both.step(code, code / 8 % entities, code / 128 % entities, static_cast<int>(code / 4096 % 64));
            both.compare();
        }
    }));
}

} // namespace
