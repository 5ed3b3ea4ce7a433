// SPDX-License-Identifier: MIT
// Random small worlds of everything that queries ask about, and what single entities say there: the reference
// that query_properties_test.cpp compares queries with. It asks `has`, `ids`, `targets` and `try_get`, and
// never a query.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

namespace query_model {

using ecs::entity;
using ecs::id;
using ecs::pair;

struct number {
    int value = 0;
};
struct speed {
    int value = 0;
};
struct own_only {
    static constexpr auto properties = ecs::properties(ecs::not_inheritable);
    int value = 0;
};
struct apart {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 0;
};
struct seldom {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct mark {};
struct owes {
    int value = 0;
};
struct lends {
    static constexpr auto properties = ecs::properties(ecs::inheritable);
    int value = 0;
};
struct lives_at {
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting);
    int value = 0;
};

/// Random numbers that the cases are made of.
class choices {
  public:
    explicit choices(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

    std::size_t below(std::size_t limit) {
        return at_ < bytes_.size() ? bytes_[at_++] % limit : std::size_t{0};
    }
    bool one_in(std::size_t several) { return below(several) == several - 1; }
    template <class Range> auto among(const Range& range) { return range[below(range.size())]; }

  private:
    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
};

/// What is asked for. A target is known by its whole handle: when it ends, the word stands for nothing.
struct asked_word {
    id word;
    entity target;
};

/// Whether an identifier of an entity is one that the pattern stands for.
inline bool stands_for(id pattern, id word) {
    if (!pattern.is_wildcard()) return pattern == word;
    const bool same_relation =
        pattern.relation_index() == 0 || pattern.relation_index() == word.relation_index();
    const bool same_target =
        pattern.target_index() == 0 || (word.is_pair() && pattern.target_index() == word.target_index());
    return word.has_relation() && same_relation && same_target;
}

/// Counts what happens in a world.
using moment = int;

/// When entities got, lost and showed what: found by comparing the world before and after each change. No
/// value is ever written twice.
class history {
  public:
    /// Of an entity: what it has itself, and the number in each value.
    using possessions = std::map<id, int>;
    struct state {
        std::map<entity, possessions> own;
        std::map<entity, std::vector<entity>> bases; ///< The nearest first, of those that have any.
        std::set<id> inherited;                      ///< What instances get from bases.
    };

    [[nodiscard]] moment now() const { return now_; }
    /// What happens from now on is later than what has happened.
    moment advance() { return ++now_; }
    /// Instances that show the same value by another way may be found to have changed, or not.
    [[nodiscard]] moment bases_changed() const { return bases_changed_; }

    void note(state next) {
        advance();
        for (const auto& [e, words] : next.own) note_entity(e, words);
        for (const auto& [e, words] : last_.own)
            for (const auto& [word, value] : words)
                if (!next.own[e].contains(word)) removed_[{e, word}] = now_;
        if (next.bases != last_.bases) bases_changed_ = now_;
        last_ = std::move(next);
        note_shown();
    }

    /// A value was handed out to be written.
    void touch(entity e, id word) {
        for (const entity holder : lineage(e))
            if (last_.own[holder].contains(word)) {
                written_[{holder, word}] = now_;
                break;
            }
        note_shown();
    }

    [[nodiscard]] bool was_added(entity e, id pattern, moment since) const {
        return happened(added_, e, pattern, since);
    }
    [[nodiscard]] bool was_removed(entity e, id pattern, moment since) const {
        return happened(removed_, e, pattern, since);
    }
    [[nodiscard]] bool was_changed(entity e, id pattern, moment since) const {
        return happened(changed_, e, pattern, since);
    }

  private:
    using key = std::pair<entity, id>;

    void note_entity(entity e, const possessions& words) {
        const possessions& before = last_.own[e];
        for (const auto& [word, value] : words) {
            const auto known = before.find(word);
            if (known == before.end()) added_[{e, word}] = now_;
            if (known == before.end() || known->second != value) written_[{e, word}] = now_;
        }
    }

    [[nodiscard]] std::vector<entity> lineage(entity e) const {
        std::vector<entity> found{e};
        if (const auto bases = last_.bases.find(e); bases != last_.bases.end())
            found.insert(found.end(), bases->second.begin(), bases->second.end());
        return found;
    }

    /// What shows another value than before: of somebody else, or written since.
    void note_shown() {
        std::map<key, std::pair<entity, moment>> shown;
        for (const auto& [e, words] : last_.own) {
            for (const auto& [word, value] : words) shown[{e, word}] = {e, written_[{e, word}]};
            for (const entity base : lineage(e))
                for (const auto& [word, value] : last_.own[base])
                    if (last_.inherited.contains(word))
                        shown.try_emplace({e, word}, base, written_[{base, word}]);
        }
        for (const auto& [what, value] : shown)
            if (const auto before = shown_.find(what); before == shown_.end() || before->second != value)
                changed_[what] = now_;
        for (auto& [what, when] : changed_)
            if (!shown.contains(what)) when = 0;
        shown_ = std::move(shown);
    }

    [[nodiscard]] bool happened(const std::map<key, moment>& events, entity e, id pattern,
                                moment since) const {
        for (auto one = events.lower_bound({e, id()}); one != events.end() && one->first.first == e; ++one)
            if (one->second > since && stands_for(pattern, one->first.second)) return true;
        return false;
    }

    moment now_ = 0;
    moment bases_changed_ = 0;
    state last_;
    std::map<key, moment> added_, removed_, written_, changed_;
    std::map<key, std::pair<entity, moment>> shown_;
};

/// A random world that changes.
class scene {
  public:
    explicit scene(choices& from) : from_(&from) {
        make_relations();
        for (int i = 0; i < 4; ++i) tags_.push_back(world.spawn());
        for (const entity e : world.entities()) fixed_.insert(e);
        track();
        for (std::size_t count = 4 + from.below(5); count != 0; --count) make_one();
        note();
        for (std::size_t count = from.below(40); count != 0; --count) change();
    }

    ecs::world world;

    // Random parts of it.

    entity somebody() {
        const std::vector<entity> all = people();
        return all.empty() ? tags_.front() : from_->among(all);
    }
    entity some_relation() { return from_->among(relations_); }
    asked_word some_component() { return {from_->among(components_), {}}; }
    asked_word some_word();
    asked_word some_pattern();
    asked_word some_tracked() { return {from_->among(tracked_), {}}; }
    entity some_kind() { return from_->among(kinds_); }
    entity some_relation_by_table();

    // What single entities say.

    /// Every entity, also those that the world has made for itself.
    [[nodiscard]] const std::vector<entity>& all() const { return all_; }
    /// Whether a term finds it there: it is there, and not disabled.
    [[nodiscard]] bool shows(entity e, const asked_word& asked) const;
    /// The same where `has` alone decides, but for what the entity hides itself.
    [[nodiscard]] bool shows_plainly(entity e, const asked_word& asked) const;
    [[nodiscard]] bool shows_kind_of(entity e, entity component) const;
    [[nodiscard]] entity nearest(entity e, const asked_word& asked, entity along, bool itself) const;
    /// The pairs that a pattern stands for, of which each is a match.
    [[nodiscard]] std::vector<id> matches(entity e, const asked_word& asked) const;
    [[nodiscard]] bool is_passed_over(entity e, const std::set<id>& mentioned) const;
    /// The first target, the entity's own or inherited; null when there is none.
    [[nodiscard]] entity group_of(entity e, entity relation) const;
    [[nodiscard]] bool owns(entity e, id word) const;
    [[nodiscard]] bool is_above(entity upper, entity lower, entity along) const;
    /// What everybody has, for those who read of a failure.
    [[nodiscard]] std::string text() const;

    void change();

    history events;
    const entity child_of = world.lookup("child_of");
    const entity is_a = world.lookup("is_a");
    const std::array<asked_word, 2> hiding{asked_word{world.at(ecs::prefab_tag.index()), {}},
                                           asked_word{world.at(ecs::disabled.index()), {}}};

  private:
    using step = void (scene::*)();
    static const std::array<step, 22> steps;

    // Changes.

    void make_one() {
        const entity e = world.spawn();
        if (from_->below(3) != 0) world.set(e, number{fresh()});
        if (from_->one_in(2)) world.set(e, speed{fresh()});
        if (from_->one_in(2)) world.set(e, apart{fresh()});
        if (from_->one_in(2)) world.add<mark>(e);
    }
    void set_number() { world.set(somebody(), number{fresh()}); }
    void set_speed() { world.set(somebody(), speed{fresh()}); }
    void set_apart() { world.set(somebody(), apart{fresh()}); }
    void set_own_only() { world.set(somebody(), own_only{fresh()}); }
    void set_debt() { world.set<owes>(somebody(), somebody(), owes{fresh()}); }
    void set_loan() { world.set<lends>(somebody(), somebody(), lends{fresh()}); }
    void set_home() { world.set<lives_at>(somebody(), somebody(), lives_at{fresh()}); }
    void add_mark() { world.add<mark>(somebody()); }
    void add_seldom() { world.add<seldom>(somebody()); }
    void add_tag() { world.add(somebody(), from_->among(kinds_)); }
    void add_pair() { world.add(somebody(), pair(some_relation(), somebody())); }
    void add_number() { world.add(somebody(), ecs::value_pair(level_, from_->below(3))); }
    void add_parent() { world.add(somebody(), pair(ecs::child_of, somebody())); }
    void add_base() {
        if (world.entities().size() < 48) world.add(somebody(), pair(ecs::is_a, somebody()));
    }
    void add_kind() { world.add(from_->among(kinds_), pair(ecs::is_a, from_->among(kinds_))); }
    void remove_own() { remove(somebody()); }
    void hide_own() {
        const entity e = somebody();
        world.disable(e, own_word(e));
    }
    void show_own() {
        const entity e = somebody();
        world.enable(e, own_word(e));
    }
    void end_one() {
        if (people().size() > 3) world.despawn(somebody());
    }
    void switch_one() {
        const entity e = somebody();
        world.is_enabled(e) && from_->one_in(3) ? world.disable(e) : world.enable(e);
    }
    void name_one();
    void make_prefab() {
        if (from_->one_in(3)) world.add(somebody(), ecs::prefab_tag);
    }

    void remove(entity e) { world.remove(e, own_word(e)); }
    id own_word(entity e) {
        std::vector<id> own = world.ids(e);
        std::erase(own,
                   id(world.at(ecs::base.index()))); // The library's own mark of those that have instances.
        return own.empty() ? id(tags_.front()) : from_->among(own);
    }
    int fresh() { return ++last_value_; }

    void make_relations();
    void track();
    void note();
    [[nodiscard]] history::possessions possessions_of(entity e) const;
    [[nodiscard]] std::vector<entity> bases_of(entity e) const;
    [[nodiscard]] std::vector<entity> people() const;
    [[nodiscard]] std::vector<entity> own_targets(entity e, entity relation) const;
    [[nodiscard]] entity target_of_word(id word) const { return world.target_of(word); }
    [[nodiscard]] bool is_transitive(id word) const {
        return word.is_pair() && word.relation_index() != 0 &&
               world.has(world.at(word.relation_index()), ecs::transitive);
    }

    choices* from_;
    int last_value_ = 0;
    std::vector<entity> relations_;
    std::vector<entity> tags_;
    entity level_;
    std::vector<entity> kinds_;
    std::vector<entity> components_;
    std::vector<id> tracked_;
    std::vector<ecs::query<>> trackers_;
    std::set<entity> fixed_;
    std::vector<entity> all_;
};

inline const std::array<scene::step, 22> scene::steps{
    &scene::make_one,   &scene::set_number, &scene::set_speed,  &scene::set_apart,  &scene::set_own_only,
    &scene::set_debt,   &scene::set_loan,   &scene::set_home,   &scene::add_mark,   &scene::add_seldom,
    &scene::add_tag,    &scene::add_pair,   &scene::add_pair,   &scene::add_number, &scene::add_parent,
    &scene::add_base,   &scene::add_kind,   &scene::remove_own, &scene::hide_own,   &scene::end_one,
    &scene::switch_one, &scene::name_one,
};

// What there is.

inline void scene::make_relations() {
    const std::vector<std::vector<id>> laws{{},
                                            {ecs::exclusive},
                                            {ecs::symmetric},
                                            {ecs::transitive},
                                            {ecs::non_fragmenting},
                                            {ecs::reflexive},
                                            {ecs::inheritable},
                                            {ecs::transitive, ecs::inheritable},
                                            {ecs::exclusive, ecs::inheritable},
                                            {ecs::transitive, ecs::non_fragmenting},
                                            {ecs::transitive, ecs::reflexive},
                                            {ecs::acyclic, ecs::exclusive},
                                            {ecs::single_source}};
    for (const std::vector<id>& of_one : laws) {
        relations_.push_back(world.spawn());
        for (const id law : of_one) world.add(relations_.back(), law);
    }
    level_ = world.spawn();
    components_ = {world.component<number>(), world.component<speed>(),  world.component<own_only>(),
                   world.component<apart>(),  world.component<seldom>(), world.component<mark>()};
    tracked_.assign(components_.begin(), components_.end());
    for (const entity relation :
         {relations_.front(), world.component<owes>(), world.component<lives_at>(), world.lookup("child_of")})
        tracked_.push_back(pair(relation, ecs::any));
    for (const entity relation :
         {world.component<owes>(), world.component<lends>(), world.component<lives_at>(), child_of, is_a})
        relations_.push_back(relation);
}

/// From the beginning, so that what was lost before a query is made is known.
inline void scene::track() {
    for (const id word : tracked_) trackers_.push_back(world.query().changed(word));
    kinds_ = tags_;
    kinds_.insert(kinds_.end(), components_.begin() + 3, components_.end());
}

inline std::vector<entity> scene::people() const {
    std::vector<entity> found = world.entities();
    std::erase_if(found, [&](entity e) { return fixed_.contains(e); });
    return found;
}

inline entity scene::some_relation_by_table() {
    entity found = some_relation();
    return world.has(found, ecs::non_fragmenting) ? relations_.front() : found;
}

inline asked_word scene::some_pattern() {
    const entity target = somebody();
    switch (from_->below(6)) {
    case 0: return {pair(ecs::any, target), target};
    case 1: return {pair(level_, ecs::any), {}};
    default: return {pair(some_relation(), ecs::any), {}};
    }
}

inline asked_word scene::some_word() {
    const entity target = somebody();
    switch (from_->below(10)) {
    case 0:
    case 1:
    case 2: return some_component();
    case 3: return {from_->among(tags_), {}};
    case 4: return some_pattern();
    case 5: return from_->among(hiding);
    case 6: return {ecs::value_pair(level_, from_->below(3)), {}};
    default: return {pair(some_relation(), target), target};
    }
}

inline void scene::name_one() {
    constexpr std::array names{"Bob", "Alice and Eve", "up", "7", "\"quoted\"", "a.b", "_", "$x"};
    try {
        world.set_name(somebody(), from_->among(names));
    } catch (const ecs::name_error&) { // Another child of the parent has it.
    }
}

inline void scene::change() {
    if (from_->one_in(6)) show_own();
    if (from_->one_in(20)) make_prefab();
    (this->*from_->among(steps))();
    note();
}

// What happened.

inline history::possessions scene::possessions_of(entity e) const {
    history::possessions found;
    for (const id word : world.ids(e)) {
        const bool has_number =
            std::ranges::any_of(tracked_, [&](id pattern) { return stands_for(pattern, word); });
        const auto* const value = has_number ? static_cast<const int*>(world.try_get(e, word)) : nullptr;
        found[word] = value ? *value : 0;
    }
    return found;
}

inline std::vector<entity> scene::bases_of(entity e) const {
    std::vector<entity> found = own_targets(e, is_a);
    for (std::size_t next = 0; next < found.size(); ++next)
        for (const entity base : own_targets(found[next], is_a))
            if (std::ranges::find(found, base) == found.end()) found.push_back(base);
    return found;
}

inline void scene::note() {
    all_.clear();
    for (std::uint32_t index = 1; index < 700; ++index)
        if (const entity e = world.at(index)) all_.push_back(e);
    history::state next;
    for (const entity e : world.entities()) {
        next.own[e] = possessions_of(e);
        if (auto bases = bases_of(e); !bases.empty()) next.bases[e] = std::move(bases);
    }
    for (const entity component : components_)
        if (!world.has(component, ecs::not_inheritable)) next.inherited.insert(component);
    events.note(std::move(next));
}

// What single entities say.

inline bool scene::owns(entity e, id word) const {
    const std::vector<id> own = world.ids(e);
    return std::ranges::find(own, word) != own.end();
}

inline std::vector<entity> scene::own_targets(entity e, entity relation) const {
    std::vector<entity> found;
    for (const id word : world.ids(e))
        if (word.kind() == ecs::id_kind::pair && word.relation_index() == relation.index())
            found.push_back(target_of_word(word));
    return found;
}

inline bool scene::shows_plainly(entity e, const asked_word& asked) const {
    if (asked.target && !world.alive(asked.target)) return false;
    return world.has(e, asked.word) && world.is_enabled(e, asked.word);
}

/// A chain begins with a step of the entity, which may be hidden.
inline bool scene::shows(entity e, const asked_word& asked) const {
    if (!is_transitive(asked.word) || asked.word.is_wildcard()) return shows_plainly(e, asked);
    if (!world.alive(asked.target) || !world.has(e, asked.word)) return false;
    const entity relation = world.at(asked.word.relation_index());
    const bool is_itself = e == asked.target && world.has(relation, ecs::reflexive);
    return (is_itself && !owns(e, asked.word)) ||
           std::ranges::any_of(world.targets(e, relation), [&](entity next) {
               const id step = pair(relation, next);
               const bool leads = next == asked.target || world.has(next, asked.word);
               return leads && (!owns(e, step) || world.is_enabled(e, step));
           });
}

inline bool scene::shows_kind_of(entity e, entity component) const {
    return world.alive(component) && std::ranges::any_of(all_, [&](entity kind) {
               return (kind == component || world.has(kind, pair(ecs::is_a, component))) &&
                      shows(e, {kind, {}});
           });
}

inline entity scene::nearest(entity e, const asked_word& asked, entity along, bool itself) const {
    std::vector<entity> open = itself ? std::vector{e} : own_targets(e, along);
    for (std::size_t next = 0; next < open.size(); ++next) {
        if (shows_plainly(open[next], asked)) return open[next];
        for (const entity above : own_targets(open[next], along))
            if (std::ranges::find(open, above) == open.end()) open.push_back(above);
    }
    return {};
}

inline bool scene::is_above(entity upper, entity lower, entity along) const {
    std::vector<entity> open = own_targets(lower, along);
    for (std::size_t next = 0; next < open.size(); ++next)
        for (const entity above : own_targets(open[next], along))
            if (std::ranges::find(open, above) == open.end()) open.push_back(above);
    return std::ranges::find(open, upper) != open.end();
}

inline std::vector<id> scene::matches(entity e, const asked_word& asked) const {
    std::vector<id> found;
    if (!shows_plainly(e, asked)) return found;
    const std::vector<id> own = world.ids(e);
    for (const id word : own)
        if (stands_for(asked.word, word) && world.is_enabled(e, word)) found.push_back(word);
    if (asked.word.relation_index() == 0) return found; // Of any relation nothing is inherited.
    for (const entity relation : relations_)
        for (const entity target : world.targets(e, relation)) {
            const id word = pair(relation, target);
            const bool is_own = std::ranges::find(own, word) != own.end();
            if (!is_own && stands_for(asked.word, word)) found.push_back(word);
        }
    return found;
}

inline bool scene::is_passed_over(entity e, const std::set<id>& mentioned) const {
    return std::ranges::any_of(hiding, [&](const asked_word& tag) {
        return world.has(e, tag.word) && !mentioned.contains(tag.word);
    });
}

inline std::string scene::text() const {
    std::string all = "a world of";
    for (const entity e : world.entities()) {
        all += "\n  " + ecs::to_string(id(e)) + ":";
        for (const id word : world.ids(e))
            all += " " + ecs::to_string(word) + (world.is_enabled(e, word) ? "" : " (hidden)");
    }
    return all;
}

inline entity scene::group_of(entity e, entity relation) const {
    const std::vector<entity> own = own_targets(e, relation);
    return own.empty() ? world.target_of(e, relation) : own.front();
}

} // namespace query_model
