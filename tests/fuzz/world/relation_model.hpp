// SPDX-License-Identifier: MIT
// Random operations on relations, in a world and in a naive model of it: a set of triples, with the
// properties of each relation applied by going through the whole set. Include after `import ecs.world`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <new>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

import ecs.world;

namespace relation_model {

enum property : unsigned { // NOLINT(performance-enum-size): sets of them are unsigned.
    exclusive = 1,
    symmetric = 2,
    transitive = 4,
    reflexive = 8,
    acyclic = 16,
    non_fragmenting = 32,
    cascading = 64,
    tag_only = 128,
    permanent = 256,
    relation_only = 512,
    single_source = 1024,
};

// One relation for each; they are entities like others and may be sources and targets, and end. Each has a
// property: the index of an entity that was never used as a relation is used again when it ends.
inline constexpr unsigned relation_properties[]{
    tag_only,
    exclusive,
    symmetric,
    transitive,
    reflexive,
    acyclic | cascading,
    exclusive | symmetric,
    exclusive | non_fragmenting | relation_only,
    exclusive | non_fragmenting | acyclic | cascading,
    exclusive | non_fragmenting | transitive,
    exclusive | non_fragmenting | symmetric,
    exclusive | transitive | cascading,
    symmetric,
    exclusive | non_fragmenting,
    permanent | exclusive,
    single_source,
    single_source | exclusive | non_fragmenting,
};
inline constexpr std::size_t relation_count = std::size(relation_properties);

struct need {
    std::size_t relation;
    std::size_t needed;
};
// What comes with a relation and stays as long as it is there.
inline constexpr need needs[]{{12, 0},  {12, 6},  {12, 15}, {13, 1}, {13, 10},
                              {13, 12}, {13, 16}, {14, 5},  {14, 15}};
inline constexpr std::size_t entity_count = relation_count + 6;
inline constexpr std::size_t worn_count = 3;

struct triple {
    std::size_t source;
    std::size_t relation;
    std::size_t target;
    friend auto operator<=>(const triple&, const triple&) = default;
};

/// The set of triples. Entities are numbers; the first ones are the relations.
class model {
  public:
    model() : alive(entity_count, true) {}

    [[nodiscard]] bool stored(const triple& t) const { return triples.contains(t); }

    [[nodiscard]] bool has(const triple& t) const {
        const unsigned properties = relation_properties[t.relation];
        return stored(t) || ((properties & reflexive) != 0 && t.source == t.target) ||
               ((properties & transitive) != 0 && leads(t.source, t.relation, t.target));
    }

    [[nodiscard]] bool leads(std::size_t from, std::size_t relation, std::size_t to) const {
        std::vector<std::size_t> open{from};
        for (std::size_t next = 0; next < open.size(); ++next)
            for (const triple& t : triples) {
                if (t.source != open[next] || t.relation != relation) continue;
                if (t.target == to) return true;
                if (std::ranges::find(open, t.target) == open.end()) open.push_back(t.target);
            }
        return false;
    }

    [[nodiscard]] bool closes_cycle(const triple& t) const {
        return (relation_properties[t.relation] & acyclic) != 0 &&
               (t.source == t.target || leads(t.target, t.relation, t.source));
    }

    /// Whether somebody would be a target who is nothing but a relation.
    [[nodiscard]] static bool is_misplaced(const triple& t) {
        const auto is_relation = [](std::size_t entity) {
            return entity < relation_count && (relation_properties[entity] & relation_only) != 0;
        };
        const bool mirrored = (relation_properties[t.relation] & symmetric) != 0;
        return is_relation(t.target) || (mirrored && is_relation(t.source));
    }

    /// Whether it is there now, with what it needs. Nothing has changed when it is refused.
    bool add(const triple& t) {
        std::set<triple> before = triples;
        const bool added = add_in_turn(t);
        if (!added) triples = std::move(before);
        return added;
    }

    bool add_in_turn(const triple& t) {
        if (stored(t)) return true;
        if (is_misplaced(t) || closes_cycle(t) || keeps_a_rival(t) || keeps_a_source(t) ||
            !add_what_it_needs(t))
            return false;
        const unsigned properties = relation_properties[t.relation];
        if (keeps_a_source(t)) return false; // What it needs may need that one.
        for (const triple& other : other_sources(t)) remove(other);
        if ((properties & exclusive) != 0) part(t.source, t.relation);
        if ((properties & exclusive) != 0 && (properties & symmetric) != 0) part(t.target, t.relation);
        if ((properties & symmetric) != 0) {
            const triple image{t.target, t.relation, t.source};
            if (!add_what_it_needs(image)) return false;
            triples.insert(image);
        }
        triples.insert(t);
        return true;
    }

    bool add_what_it_needs(const triple& t) {
        return std::ranges::all_of(needs, [&](const need& n) {
            return n.relation != t.relation || !alive[n.needed] ||
                   add_in_turn({t.source, n.needed, t.target});
        });
    }

    /// Whether the triple, which is stored, has to stay.
    [[nodiscard]] bool is_kept(const triple& t) const {
        const bool mirrored = (relation_properties[t.relation] & symmetric) != 0;
        return (relation_properties[t.relation] & permanent) != 0 || is_needed(t) ||
               (mirrored && is_needed({t.target, t.relation, t.source}));
    }

    [[nodiscard]] bool is_needed(const triple& t) const {
        return std::ranges::any_of(needs, [&](const need& n) {
            return n.needed == t.relation && stored({t.source, n.relation, t.target});
        });
    }

    /// Whether a pair that an exclusive one would replace has to stay.
    [[nodiscard]] bool keeps_a_rival(const triple& t) const {
        const unsigned properties = relation_properties[t.relation];
        const auto keeps = [&](std::size_t source, std::size_t target) {
            return std::ranges::any_of(triples, [&](const triple& other) {
                return other.source == source && other.relation == t.relation && other.target != target &&
                       is_kept(other);
            });
        };
        return (properties & exclusive) != 0 &&
               (keeps(t.source, t.target) || ((properties & symmetric) != 0 && keeps(t.target, t.source)));
    }

    /// Those who would lose the target of a relation with single sources.
    [[nodiscard]] std::vector<triple> other_sources(const triple& t) const {
        std::vector<triple> others;
        if ((relation_properties[t.relation] & single_source) == 0) return others;
        std::ranges::copy_if(triples, std::back_inserter(others), [&](const triple& other) {
            return other.relation == t.relation && other.target == t.target && other.source != t.source;
        });
        return others;
    }

    [[nodiscard]] bool keeps_a_source(const triple& t) const {
        return std::ranges::any_of(other_sources(t), [&](const triple& other) { return is_kept(other); });
    }

    void remove(const triple& t) {
        triples.erase(t);
        if ((relation_properties[t.relation] & symmetric) != 0)
            triples.erase({t.target, t.relation, t.source});
    }

    void part(std::size_t source, std::size_t relation) {
        for (std::size_t target = 0; target < entity_count; ++target)
            if (stored({source, relation, target})) remove({source, relation, target});
    }

    void end(std::size_t entity) {
        std::vector<std::size_t> ending{entity};
        for (std::size_t next = 0; next < ending.size(); ++next)
            for (const triple& t : triples)
                if (t.target == ending[next] && (relation_properties[t.relation] & cascading) != 0 &&
                    std::ranges::find(ending, t.source) == ending.end())
                    ending.push_back(t.source);
        for (const std::size_t ended : ending) {
            alive[ended] = false;
            std::erase_if(triples, [&](const triple& t) {
                return t.source == ended || t.relation == ended || t.target == ended;
            });
        }
    }

    std::set<triple> triples;
    std::vector<bool> alive;
};

/// How memory is made to run out: the number of allocations that still succeed, for a program whose operator
/// new heeds it, and how often they did not.
struct shortage {
    int* fuse = nullptr;
    std::size_t* failures = nullptr;
};

/// What else happens in a run.
struct circumstances {
    shortage memory{};
    bool avenged = false; ///< Observers end entities when pairs come and go.
    std::size_t* spent =
        nullptr; ///< When there is one, some indices are used for the last time, and counted.
};

/// The world and the model side by side.
class run {
  public:
    explicit run(circumstances around)
        : memory_(around.memory), avenging_(around.avenged), spent_(around.spent) {
        for (std::size_t i = 0; i < entity_count; ++i) entities_.push_back(world_.spawn());
        for (std::size_t i = entity_count - worn_count; spent_ && i < entity_count; ++i) wear(entities_[i]);
        for (std::size_t r = 0; r < relation_count; ++r) declare(entities_[r], relation_properties[r]);
        for (const need& n : needs)
            world_.add(entities_[n.relation], ecs::pair(ecs::needs, entities_[n.needed]));
        for (std::size_t r = 0; r < relation_count; ++r)
            queries_.push_back(world_.query().with(ecs::pair(entities_[r], ecs::any)));
        if (avenging_) observe();
    }

    /// One operation; what is wrong after it, or nothing.
    [[nodiscard]] std::string step(std::uint8_t code, std::uint8_t a, std::uint8_t b, std::uint8_t c) {
        const triple t{a % entity_count, b % relation_count, c % entity_count};
        next_fuse_ = code / 8;
        if (!avenging_ || code % 16 < 8) return change(code % 8, t, c);
        revenge_ = revenge{code / 16 % relation_count, c / 4 % entity_count};
        const std::set<triple> before = model_.triples;
        std::string wrong = change(code % 8, t, c);
        const bool due = has_changed(revenge_->relation, before);
        if (due) model_.end(revenge_->victim);
        if (wrong.empty() && due != revenge_->done) wrong = "observers of " + text(t);
        revenge_.reset();
        return wrong;
    }

    /// Compares everything that can be asked; what is wrong, or nothing.
    [[nodiscard]] std::string compare() {
        for (std::size_t i = 0; i < entity_count; ++i)
            if (world_.alive(entities_[i]) != model_.alive[i]) return "liveness of " + std::to_string(i);
        for (std::size_t r = 0; r < relation_count; ++r)
            if (const std::string wrong = compare(r); !wrong.empty()) return wrong;
        return {};
    }

  private:
    /// Who ends when a pair of a relation comes or goes.
    struct revenge {
        std::size_t relation;
        std::size_t victim;
        bool done = false;
    };

    /// Uses the index of the entity until this is the last time.
    void wear(ecs::entity& e) {
        while (e.generation() != ecs::capacity<ecs::layouts::entity, "generation"> - 1) {
            world_.despawn(e);
            e = world_.spawn();
        }
    }

    void observe() {
        for (std::size_t r = 0; r < relation_count; ++r)
            for (const ecs::event what : {ecs::event::added, ecs::event::removed})
                world_.observe(what, ecs::pair(entities_[r], ecs::any), [this, r] { avenge(r); });
    }

    void avenge(std::size_t relation) {
        if (!revenge_ || revenge_->relation != relation || std::exchange(revenge_->done, true)) return;
        world_.despawn(entities_[revenge_->victim]);
    }

    /// Whether pairs of the relation have come or gone since then.
    [[nodiscard]] bool has_changed(std::size_t relation, const std::set<triple>& before) const {
        std::vector<triple> changed;
        std::ranges::set_symmetric_difference(before, model_.triples, std::back_inserter(changed));
        return std::ranges::any_of(changed, [&](const triple& t) { return t.relation == relation; });
    }

    [[nodiscard]] std::string change(unsigned code, const triple& t, std::uint8_t c) {
        switch (code) {
        case 0: return end(t.source, c);
        case 1: return respawn(t.source);
        case 2:
        case 3: return remove(t);
        case 4: return loop(t);
        case 7: return replace(t, c);
        default: return add(t);
        }
    }

    void declare(ecs::entity relation, unsigned properties) {
        if (properties & exclusive) world_.add(relation, ecs::exclusive);
        if (properties & symmetric) world_.add(relation, ecs::symmetric);
        if (properties & transitive) world_.add(relation, ecs::transitive);
        if (properties & reflexive) world_.add(relation, ecs::reflexive);
        if (properties & acyclic) world_.add(relation, ecs::acyclic);
        if (properties & non_fragmenting) world_.add(relation, ecs::non_fragmenting);
        if (properties & tag_only) world_.add(relation, ecs::tag_only);
        if (properties & permanent) world_.add(relation, ecs::permanent);
        if (properties & relation_only) world_.add(relation, ecs::relation_only);
        if (properties & single_source) world_.add(relation, ecs::single_source);
        if (properties & cascading) world_.add(relation, ecs::pair(ecs::on_delete_target, ecs::delete_it));
    }

    /// Carries out an operation of the world; when memory runs out on the way, once more.
    template <class F> auto attempt(const F& operation) {
        failed_ = false;
        if (memory_.fuse) *memory_.fuse = next_fuse_;
        try {
            const auto result = operation();
            if (memory_.fuse) *memory_.fuse = -1;
            return result;
        } catch (const std::bad_alloc&) {
            *memory_.fuse = -1;
            ++*memory_.failures;
            failed_ = true;
            return operation();
        }
    }

    [[nodiscard]] ecs::id word_of(const triple& t) const {
        return ecs::pair(entities_[t.relation], entities_[t.target]);
    }

    [[nodiscard]] std::string end(std::size_t entity, std::uint8_t mercy) {
        if (entity < relation_count && mercy % 4 != 0) return {}; // Relations live longer than others.
        if (attempt([&] { return world_.despawn(entities_[entity]); }) != model_.alive[entity])
            return "despawn";
        if (model_.alive[entity]) model_.end(entity);
        return {};
    }

    /// A new entity in the place of one that has ended, under the same index more often than not.
    [[nodiscard]] std::string respawn(std::size_t entity) {
        if (model_.alive[entity] || entity < relation_count) return {};
        if (spent_ && world_.status(entities_[entity]) == ecs::id_status::retired) ++*spent_;
        entities_[entity] = attempt([&] { return world_.spawn(); });
        model_.alive[entity] = true;
        return {};
    }

    /// Ends the target in a loop over the sources of the relation: refused at once, and done after the loop
    /// when a command asks for it.
    [[nodiscard]] std::string loop(const triple& t) {
        if (memory_.fuse || !model_.alive[t.target] || t.target < relation_count) return {};
        bool visited = false;
        bool refused = true;
        auto later = world_.commands();
        queries_[t.relation].each([&](ecs::entity e) {
            refused = refused && refuses([&] { world_.despawn(e); }) &&
                      refuses([&] { world_.add(e, entities_[t.target]); });
            if (!std::exchange(visited, true)) later.despawn(entities_[t.target]);
        });
        if (world_.flush(); visited) model_.end(t.target);
        return refused ? "" : "a loop let the world change";
    }

    template <class F> [[nodiscard]] static bool refuses(const F& change) {
        try {
            change();
            return false;
        } catch (const ecs::iteration_error&) {
            return true;
        }
    }

    [[nodiscard]] bool all_live(const triple& t) const {
        return model_.alive[t.source] && model_.alive[t.relation] && model_.alive[t.target];
    }

    /// Whether a relation would end with a target: whether its pairs still count for those who end later is
    /// not promised.
    [[nodiscard]] static bool is_fragile(const triple& t) {
        return t.source < relation_count && (relation_properties[t.relation] & cascading) != 0;
    }

    [[nodiscard]] std::string add(const triple& t) {
        if (is_fragile(t)) return {};
        const ecs::add_result result = attempt([&] { return world_.add(entities_[t.source], word_of(t)); });
        if (!all_live(t)) return succeeded(result) ? "added to or with what has ended: " + text(t) : "";
        if (model_.stored(t)) return result == ecs::add_result::already_there ? "" : "already there";
        if (model::is_misplaced(t)) return succeeded(result) ? "misplaced" : "";
        if (model_.closes_cycle(t)) return result == ecs::add_result::would_make_a_cycle ? "" : "cycle";
        if (!model_.add(t))
            return succeeded(result) ? "added in spite of what it needs or would replace" : "";
        return result == ecs::add_result::added || (failed_ && succeeded(result)) ? "" : "not added";
    }

    [[nodiscard]] std::string remove(const triple& t) {
        const ecs::add_result result =
            attempt([&] { return world_.remove(entities_[t.source], word_of(t)); });
        if (!model_.alive[t.source])
            return result == ecs::add_result::not_alive ? "" : "removed from the dead";
        const bool there = model_.stored(t);
        if (there && model_.is_kept(t)) return succeeded(result) ? "removed what has to stay" : "";
        model_.remove(t);
        return (result == ecs::add_result::removed) == there || (failed_ && succeeded(result)) ? ""
                                                                                               : "removal";
    }

    /// Gives the target one source or two in the place of those that it has.
    [[nodiscard]] std::string replace(const triple& t, std::uint8_t c) {
        std::vector<std::size_t> sources{t.source};
        if (c % 4 != 0) sources.push_back((t.source + c / 4) % entity_count);
        if (is_fragile(t) || is_fragile({sources.back(), t.relation, t.target}) || has_needs(t.relation))
            return {};
        std::vector<ecs::entity> list;
        for (const std::size_t source : sources) list.push_back(entities_[source]);
        const ecs::add_result result =
            attempt([&] { return world_.replace_sources(entities_[t.target], list, entities_[t.relation]); });
        std::optional<model> changed = replaced(t, sources);
        if (succeeded(result) != changed.has_value()) return "replacement of the sources of " + text(t);
        if (changed) model_ = std::move(*changed);
        return {};
    }

    /// What comes along with a relation may be refused for what comes along with another source.
    [[nodiscard]] static bool has_needs(std::size_t relation) {
        return std::ranges::any_of(needs, [&](const need& n) { return n.relation == relation; });
    }

    /// The model with these sources; none when that is refused.
    [[nodiscard]] std::optional<model> replaced(const triple& t, const std::vector<std::size_t>& sources) {
        const unsigned properties = relation_properties[t.relation];
        const bool one = (properties & single_source) != 0 ||
                         ((properties & exclusive) != 0 && (properties & symmetric) != 0);
        if (sources.size() == 2 && (one || sources[0] == sources[1])) return {};
        model changed = model_;
        for (const triple& had : model_.triples) {
            const bool stays = std::ranges::find(sources, had.source) != sources.end();
            if (had.relation != t.relation || had.target != t.target || stays) continue;
            if (model_.is_kept(had)) return {};
            changed.remove(had);
        }
        for (const std::size_t source : sources) {
            const triple to_be{source, t.relation, t.target};
            if (!all_live(to_be) || !changed.add(to_be)) return {};
        }
        return changed;
    }

    [[nodiscard]] std::string compare(std::size_t relation) {
        std::size_t with_any = 0;
        for (std::size_t s = 0; s < entity_count; ++s) {
            std::vector<ecs::entity> expected;
            for (std::size_t t = 0; t < entity_count; ++t) {
                const triple asked{s, relation, t};
                if (model_.stored(asked)) expected.push_back(entities_[t]);
                const bool live = all_live(asked);
                if (world_.has(entities_[s], word_of(asked)) != (live && model_.has(asked)))
                    return "has " + text(asked);
            }
            with_any += expected.empty() ? 0 : 1;
            if (sorted(world_.targets(entities_[s], entities_[relation])) != sorted(expected))
                return "targets of " + std::to_string(s) + " in " + std::to_string(relation);
        }
        if (queries_[relation].count() != with_any) return "kept query of " + std::to_string(relation);
        return compare_targets(relation);
    }

    [[nodiscard]] std::string compare_targets(std::size_t relation) {
        if (!model_.alive[relation]) return {};
        for (std::size_t t = 0; t < entity_count; ++t) {
            if (!model_.alive[t]) continue;
            std::vector<ecs::entity> sources;
            std::size_t having = 0;
            for (std::size_t s = 0; s < entity_count; ++s) {
                if (model_.stored({s, relation, t})) sources.push_back(entities_[s]);
                having += model_.alive[s] && model_.has({s, relation, t}) ? 1U : 0U;
            }
            if (sorted(world_.sources(entities_[t], entities_[relation])) != sorted(sources))
                return "sources of " + std::to_string(t) + " in " + std::to_string(relation);
            const auto found = world_.query().with(ecs::pair(entities_[relation], entities_[t])).count();
            if (found != having) return "query for " + std::to_string(relation) + " to " + std::to_string(t);
        }
        return {};
    }

    [[nodiscard]] static std::string text(const triple& t) {
        return std::to_string(t.source) + " " + std::to_string(t.relation) + " " + std::to_string(t.target);
    }

    [[nodiscard]] static std::vector<ecs::entity> sorted(std::vector<ecs::entity> list) {
        std::ranges::sort(list);
        return list;
    }

    shortage memory_;
    int next_fuse_ = -1;
    bool failed_ = false; ///< The last operation had to be repeated.
    bool avenging_;
    std::size_t* spent_;
    std::optional<revenge> revenge_;
    ecs::world world_;
    model model_;
    std::vector<ecs::entity> entities_;
    std::vector<ecs::query<>> queries_;
};

/// Reads operations from bytes and compares after every few of them, and at the end; what is wrong first, or
/// nothing.
[[nodiscard]] inline std::string differences(std::span<const std::uint8_t> bytes, std::size_t every,
                                             circumstances around = {}) {
    run both(around);
    const std::size_t operations = bytes.size() / 4;
    for (std::size_t at = 0; at < operations; ++at) {
        const std::uint8_t* const code = bytes.data() + 4 * at;
        std::string wrong = both.step(code[0], code[1], code[2], code[3]);
        const bool due = at % every == 0 || at + 1 == operations;
        if (wrong.empty() && due) wrong = both.compare();
        if (!wrong.empty()) return "after operation " + std::to_string(at) + ": " + wrong;
    }
    return {};
}

} // namespace relation_model
