// SPDX-License-Identifier: MIT
// What entities have from those they are instances of, after random changes, against a naive model: own
// values and bases in maps, and the nearest base looked for anew each time. Trees of parts are compared with
// what they were made from.
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
struct copied {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    int value;
};
struct copied_aside {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    static constexpr auto kept_in = ecs::storage::sparse;
    int value;
};

constexpr std::size_t prefabs = 3;
constexpr std::size_t entities = prefabs + 6;
constexpr std::size_t kinds = 4; ///< Of components, in the order of the types above; from 2 on, copied.

struct individual {
    bool alive = true;
    std::map<std::size_t, int> own; ///< By kind of component.
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

    /// What the entity gets because it is an instance of the base.
    void copy_from(std::size_t base, std::size_t to) {
        for (std::size_t kind = 2; kind < kinds; ++kind)
            if (value(base, kind)) all[to].own.try_emplace(kind, *value(to, kind));
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
        for (std::size_t i = 0; i < entities; ++i) kept_.push_back(world_.query().with(base(i)));
    }

    void step(unsigned code, std::size_t a, std::size_t b, int value) {
        if (!model_.all[a].alive) return;
        switch (code % 8) {
        case 0: return value % 4 == 0 ? end(a) : remove(a, b % kinds);
        case 1: return disown(a, b);
        case 2:
        case 3: return descend(a, b);
        case 4: return add(a, b % kinds);
        case 5: return sync(a);
        default: return set(a, b % kinds, value);
        }
    }

    void compare() {
        std::map<std::size_t, std::size_t> found;
        for (std::size_t i = 0; i < entities; ++i) {
            RC_ASSERT(world_.alive(made_[i]) == model_.all[i].alive);
            compare<in_table>(i, 0, found);
            compare<aside>(i, 1, found);
            compare<copied>(i, 2, found);
            compare<copied_aside>(i, 3, found);
        }
        RC_ASSERT(world_.query<const in_table>().count() == found[0]);
        RC_ASSERT(world_.query<const aside>().count() == found[1]);
        RC_ASSERT(world_.query<const copied>().count() == found[2]);
        RC_ASSERT(world_.query<const copied_aside>().count() == found[3]);
        compare_kept(kept_in_tables_, 0);
        compare_kept(kept_aside_, 1);
        compare_kept(kept_copied_, 2);
    }

    /// Everything is what it is, and whatever it descends from.
    void compare_kinds(std::size_t i) {
        std::size_t expected = 0;
        for (std::size_t of = 0; of < entities; ++of) {
            const bool is_one = model_.all[of].alive && model_.all[i].alive && model_.descends(of, i);
            RC_ASSERT(world_.has(made_[of], base(i)) == is_one);
            expected += of >= prefabs && is_one ? 1U : 0U;
        }
        RC_ASSERT(kept_[i].count() == expected);
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

    /// What a query from the beginning hands out.
    template <class T> void compare_kept(ecs::query<const T>& kept, std::size_t kind) {
        std::map<ecs::entity, int> expected, seen;
        for (std::size_t i = prefabs; i < entities; ++i)
            if (const auto value = model_.all[i].alive ? model_.value(i, kind) : std::nullopt)
                expected[made_[i]] = *value;
        kept.each([&](ecs::entity e, const T& now) { seen[e] = now.value; });
        RC_ASSERT(seen == expected);
    }

    [[nodiscard]] ecs::id base(std::size_t b) const { return ecs::pair(ecs::is_a, made_[b]); }

    void descend(std::size_t a, std::size_t b) {
        const ecs::add_result result = world_.add(made_[a], base(b));
        if (!model_.all[b].alive) return RC_ASSERT(result == ecs::add_result::not_alive_id);
        if (model_.descends(b, a)) return RC_ASSERT(result == ecs::add_result::would_make_a_cycle);
        const bool fresh = model_.all[a].bases.insert(b).second;
        if (fresh) model_.copy_from(b, a);
        RC_ASSERT(result == (fresh ? ecs::add_result::added : ecs::add_result::already_there));
    }

    void disown(std::size_t a, std::size_t b) {
        const bool removed = world_.remove(made_[a], base(b)) == ecs::add_result::removed;
        RC_ASSERT(removed == (model_.all[a].bases.erase(b) == 1));
    }

    /// Who gets a value gets that of a base; where there are several, whose it is depends on their order.
    void sync(std::size_t a) {
        const std::size_t given = world_.sync(made_[a]);
        RC_ASSERT(world_.sync(made_[a]) == 0U);
        const model before = model_;
        std::size_t expected = 0;
        for (std::size_t i = 0; i < entities; ++i)
            for (std::size_t kind = 2; kind < kinds; ++kind)
                if (i != a && before.descends(i, a) && lacks(before, i, kind, a)) {
                    const std::optional<int> value = own_value(i, kind);
                    RC_ASSERT(value.has_value());
                    RC_ASSERT(values_above(before, i, kind).contains(*value));
                    model_.all[i].own[kind] = *value;
                    ++expected;
                }
        RC_ASSERT(given == expected);
    }

    /// Whether it has no value of its own, and inherits one on the way from that entity.
    [[nodiscard]] static bool lacks(const model& in, std::size_t i, std::size_t kind, std::size_t giver) {
        return !in.all[i].own.contains(kind) && std::ranges::any_of(in.all[i].bases, [&](std::size_t nearer) {
            return in.descends(nearer, giver) && in.value(nearer, kind);
        });
    }

    [[nodiscard]] static std::set<int> values_above(const model& in, std::size_t i, std::size_t kind) {
        std::set<int> values;
        for (std::size_t above = 0; above < entities; ++above)
            if (const auto own = in.all[above].own.find(kind);
                own != in.all[above].own.end() && in.descends(i, above))
                values.insert(own->second);
        return values;
    }

    [[nodiscard]] std::optional<int> own_value(std::size_t i, std::size_t kind) {
        const std::vector<ecs::id> own = world_.ids(made_[i]);
        if (std::ranges::find(own, word(kind)) == own.end()) return {};
        return *static_cast<const int*>(world_.try_get(made_[i], word(kind)));
    }

    [[nodiscard]] ecs::id word(std::size_t kind) {
        const ecs::entity words[]{world_.component<in_table>(), world_.component<aside>(),
                                  world_.component<copied>(), world_.component<copied_aside>()};
        return words[kind];
    }

    void set(std::size_t a, std::size_t kind, int value) {
        world_.set(made_[a], word(kind), &value);
        model_.all[a].own[kind] = value;
    }

    /// Begins with a copy of what was inherited.
    void add(std::size_t a, std::size_t kind) {
        world_.add(made_[a], word(kind));
        model_.all[a].own.try_emplace(kind, model_.value(a, kind).value_or(0));
    }

    void remove(std::size_t a, std::size_t kind) {
        const ecs::add_result result = world_.remove(made_[a], word(kind));
        RC_ASSERT((result == ecs::add_result::removed) == (model_.all[a].own.erase(kind) == 1));
    }

    void end(std::size_t a) {
        world_.despawn(made_[a]);
        model_.end(a);
    }

    ecs::world world_;
    model model_;
    std::vector<ecs::entity> made_;
    std::vector<ecs::query<>> kept_; ///< For who is a kind of each.
    ecs::query<const in_table> kept_in_tables_ = world_.query<const in_table>();
    ecs::query<const aside> kept_aside_ = world_.query<const aside>();
    ecs::query<const copied> kept_copied_ = world_.query<const copied>();
};

TEST(instance_properties, instances_have_what_the_nearest_base_has) {
    EXPECT_TRUE(rc::check("a world agrees with a search through maps", [] {
        run both;
        for (const std::uint32_t code :
             *rc::gen::resize(200, rc::gen::arbitrary<std::vector<std::uint32_t>>())) {
            both.step(code, code / 8 % entities, code / 128 % entities, static_cast<int>(code / 4096 % 64));
            both.compare();
            both.compare_kinds(code / 8 % entities);
        }
    }));
}

/// Trees of parts, instances of them, and pairs of every sort between whoever there is.
class family {
  public:
    family() {
        for (const ecs::builtin property : {ecs::symmetric, ecs::transitive, ecs::inheritable})
            relations_.push_back(relation_with(property));
        for (const ecs::builtin property : {ecs::exclusive, ecs::non_fragmenting})
            relations_.push_back(relation_with(property));
        relations_.push_back(relation_with(ecs::auto_overridden));
        relations_.push_back(world_.component<in_table>()); // Its pairs have values.
        for (std::size_t i = 0; i < 4; ++i) all_.push_back(i < 2 ? world_.prefab() : world_.spawn());
    }

    void step(std::uint32_t code) {
        const ecs::entity a = pick(code / 16);
        const ecs::entity b = pick(code / 256);
        const bool is_full = world_.entities().size() > 120;
        switch (code % 16) {
        case 0: return code / 4096 % 4 == 0 ? end(a) : void();
        case 1:
        case 2: return is_full ? void() : put_below(a);
        case 3: std::ignore = world_.add(a, ecs::pair(child_of, b)); return;
        case 4: return is_full ? void() : descend(a, b);
        case 5:
        case 6: return relate(a, relations_[code / 4096 % relations_.size()], b, code);
        case 7: std::ignore = world_.set(a, copied{static_cast<int>(code / 4096 % 64)}); return;
        case 8: std::ignore = world_.set(a, aside{static_cast<int>(code / 4096 % 64)}); return;
        case 9:
            std::ignore = world_.add(a, ecs::type_flags::auto_override | ecs::id(world_.component<aside>()));
            return;
        case 10:
            std::ignore = world_.remove(a, ecs::pair(relations_[code / 4096 % relations_.size()], ecs::any));
            return;
        case 11:
        case 12:
        case 13: return is_full ? void() : bring_up_to_date(a);
        default: return copy(a);
        }
    }

    std::size_t given = 0;
    std::size_t copies = 0;

  private:
    static constexpr ecs::builtin child_of = ecs::child_of;
    static constexpr ecs::builtin is_a = ecs::is_a;

    ecs::entity relation_with(ecs::builtin property) {
        const ecs::entity made = world_.spawn();
        world_.add(made, property);
        return made;
    }

    [[nodiscard]] ecs::entity pick(std::uint32_t number) const { return all_[number % all_.size()]; }

    void end(ecs::entity a) {
        world_.despawn(a);
        refresh();
        if (all_.empty()) all_.push_back(world_.prefab());
    }

    void put_below(ecs::entity a) {
        const int number = parts_made_++;
        const ecs::entity made = world_.spawn(in_table{number});
        RC_ASSERT(succeeded(world_.add(made, ecs::pair(child_of, a))));
        if (number % 2 == 0) world_.set_name(made, "part" + std::to_string(number));
        all_.push_back(made);
    }

    void descend(ecs::entity a, ecs::entity b) {
        if (world_.add(a, ecs::pair(is_a, b)) == ecs::add_result::added) refresh();
    }

    void refresh() {
        all_ = world_.entities();
        std::erase_if(all_,
                      [&](ecs::entity e) { return std::ranges::find(relations_, e) != relations_.end(); });
    }

    void relate(ecs::entity a, ecs::entity relation, ecs::entity b, std::uint32_t code) {
        const in_table value{static_cast<int>(code / 65536 % 64)};
        if (world_.set(a, ecs::pair(relation, b), &value) == ecs::add_result::no_value)
            std::ignore = world_.add(a, ecs::pair(relation, b));
    }

    // Instances.

    /// Afterwards nothing is missing: neither to sync nor to who looks at every base and heir.
    void bring_up_to_date(ecs::entity prefab) {
        const std::size_t before = world_.entities().size();
        const std::size_t now = world_.sync(prefab);
        given += now;
        const std::size_t size = world_.entities().size();
        RC_ASSERT(size >= before && size - before <= now);
        RC_ASSERT(world_.sync(prefab) == 0U);
        RC_ASSERT(world_.entities().size() == size);
        refresh();
        const std::vector<ecs::entity> heirs = world_.breadth_first(prefab, is_a);
        const auto is_inside = [&](ecs::entity e) { return is_inside_of_kin(e, heirs, prefab); };
        if (is_inside(prefab) || std::ranges::any_of(heirs, is_inside)) return; // Some are left out.
        for (const ecs::entity heir : heirs)
            for (const ecs::entity from : world_.targets(heir, is_a))
                if (from == prefab || std::ranges::find(heirs, from) != heirs.end()) {
                    std::map<ecs::entity, ecs::entity> copy_of;
                    expect_complete(from, heir, copy_of);
                    expect_pairs_between(copy_of);
                }
    }

    /// Whether the entity is below one of those, or below the prefab itself.
    [[nodiscard]] bool is_inside_of_kin(ecs::entity e, const std::vector<ecs::entity>& kin,
                                        ecs::entity prefab) const {
        for (ecs::entity above = world_.parent(e); above; above = world_.parent(above))
            if (above == prefab || std::ranges::find(kin, above) != kin.end()) return true;
        return false;
    }

    /// Of a relation that refuses nothing.
    void expect_pairs_between(const std::map<ecs::entity, ecs::entity>& copy_of) {
        const ecs::entity relation = relations_.back();
        for (const auto& [part, its_copy] : copy_of)
            for (const ecs::entity target : world_.targets(part, relation))
                if (const auto other = copy_of.find(target); other != copy_of.end())
                    RC_ASSERT(has_itself(its_copy, ecs::pair(relation, other->second)));
    }

    void expect_complete(ecs::entity from, ecs::entity heir, std::map<ecs::entity, ecs::entity>& copy_of) {
        copy_of[from] = heir;
        if (world_.has<copied>(from)) RC_ASSERT(has_itself(heir, world_.component<copied>()));
        if (is_flagged(from)) RC_ASSERT(has_itself(heir, world_.component<aside>()));
        for (const ecs::entity part : world_.children(from)) {
            const ecs::entity found = copy_below(heir, from, part);
            RC_ASSERT(world_.alive(found));
            expect_complete(part, found, copy_of);
        }
    }

    /// Whether the entity, or one of which it is an instance, has the flag.
    [[nodiscard]] bool is_flagged(ecs::entity e) {
        return has_itself(e, ecs::type_flags::auto_override | ecs::id(world_.component<aside>())) ||
               std::ranges::any_of(world_.targets(e, is_a),
                                   [&](ecs::entity base) { return is_flagged(base); });
    }

    /// The first child that is an instance of the part, or else the first that is one of a variant's copy.
    [[nodiscard]] ecs::entity copy_below(ecs::entity heir, ecs::entity from, ecs::entity part) const {
        const auto children = world_.children(heir);
        auto found = std::ranges::find_if(children, [&](ecs::entity own) { return is_direct(own, part); });
        if (found == children.end())
            found = std::ranges::find_if(
                children, [&](ecs::entity own) { return is_copy_by_variants(own, heir, from, part); });
        return found == children.end() ? ecs::entity{} : *found;
    }

    [[nodiscard]] bool is_direct(ecs::entity own, ecs::entity part) const {
        return has_itself(own, ecs::pair(is_a, part));
    }

    /// Whether each step from the copy to the part is one from an instance of a variant to the variant.
    [[nodiscard]] bool is_copy_by_variants(ecs::entity own, ecs::entity heir, ecs::entity from,
                                           ecs::entity part) const {
        if (is_direct(own, part)) return true;
        return std::ranges::any_of(world_.targets(own, is_a), [&](ecs::entity between) {
            const ecs::entity variant = world_.parent(between);
            return variant && variant != heir && variant != from &&
                   world_.has(heir, ecs::pair(is_a, variant)) && world_.has(variant, ecs::pair(is_a, from)) &&
                   is_copy_by_variants(between, variant, from, part);
        });
    }

    [[nodiscard]] bool has_itself(ecs::entity e, ecs::id word) const {
        const std::vector<ecs::id> own = world_.ids(e);
        return std::ranges::find(own, word) != own.end();
    }

    // Copies.

    void copy(ecs::entity root) {
        if (world_.entities().size() > 240) return;
        const std::vector<ecs::entity> members = with_those_below(root);
        const std::size_t before = world_.entities().size();
        const ecs::entity made = world_.clone_tree(root);
        const std::vector<ecs::entity> copies_made = with_those_below(made);
        RC_ASSERT(copies_made.size() == members.size());
        RC_ASSERT(world_.entities().size() == before + members.size());
        std::map<ecs::entity, ecs::entity> copy_of;
        for (std::size_t i = 0; i < members.size(); ++i) copy_of[members[i]] = copies_made[i];
        for (const auto& [original, its_copy] : copy_of) expect_alike(original, its_copy, root, copy_of);
        world_.despawn(made);
        RC_ASSERT(world_.entities().size() == before);
        ++copies;
    }

    [[nodiscard]] std::vector<ecs::entity> with_those_below(ecs::entity root) const {
        std::vector<ecs::entity> all = world_.depth_first(root);
        all.insert(all.begin(), root);
        return all;
    }

    /// The parts of a prefab that came late may be unmarked, their copies are marked. A copy is a base where
    /// another copy is an instance of it.
    void expect_alike(ecs::entity original, ecs::entity its_copy, ecs::entity root,
                      const std::map<ecs::entity, ecs::entity>& copy_of) {
        const ecs::id mark = world_.lookup("prefab_tag");
        std::set<ecs::id> expected;
        for (const ecs::id word : world_.ids(original)) {
            const auto inside = copy_of.find(world_.target_of(word));
            expected.insert(inside == copy_of.end() ? word
                                                    : ecs::pair(world_.relation_of(word), inside->second));
        }
        if (original == root) expected.erase(world_.component<ecs::name>());
        expected.erase(mark);
        const ecs::id of_bases = world_.lookup("base");
        expected.erase(of_bases);
        if (std::ranges::any_of(copy_of,
                                [&](const auto& known) { return is_direct(known.second, its_copy); }))
            expected.insert(of_bases);
        const std::vector<ecs::id> own = world_.ids(its_copy);
        std::set<ecs::id> found(own.begin(), own.end());
        found.erase(mark);
        RC_ASSERT(expected == found);
        RC_ASSERT(world_.name_of(its_copy) == (original == root ? "" : world_.name_of(original)));
        for (const ecs::id word : world_.ids(original)) expect_same_value(original, its_copy, word, copy_of);
    }

    void expect_same_value(ecs::entity original, ecs::entity its_copy, ecs::id word,
                           const std::map<ecs::entity, ecs::entity>& copy_of) {
        if (word == ecs::id(world_.component<ecs::name>())) return;
        const auto inside = copy_of.find(world_.target_of(word));
        const ecs::id meant =
            inside == copy_of.end() ? word : ecs::pair(world_.relation_of(word), inside->second);
        const auto* const value = static_cast<const int*>(world_.try_get(original, word));
        const auto* const copy = static_cast<const int*>(world_.try_get(its_copy, meant));
        RC_ASSERT((value == nullptr) == (copy == nullptr));
        if (value) RC_ASSERT(*value == *copy);
    }

    ecs::world world_;
    std::vector<ecs::entity> relations_;
    std::vector<ecs::entity> all_;
    int parts_made_ = 0;
};

TEST(instance_properties, families_are_complete_after_sync_and_copied_as_they_are) {
    std::size_t given = 0;
    std::size_t copies = 0;
    EXPECT_TRUE(rc::check("instances are complete, copies alike", [&] {
        family one;
        for (const std::uint32_t code :
             *rc::gen::resize(200, rc::gen::arbitrary<std::vector<std::uint32_t>>()))
            one.step(code);
        given += one.given;
        copies += one.copies;
    }));
    EXPECT_GT(given, 0U);
    EXPECT_GT(copies, 0U);
}

} // namespace
