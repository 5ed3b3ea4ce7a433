// SPDX-License-Identifier: MIT
// Random queries, kept and asked in every way, beside the same questions put to each entity of a scene. The
// tables say for each form how it is said to a query and when it holds.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

import ecs.world;

#include "query_scene.hpp"

namespace query_model {

/// When a question holds for an entity, if the query has last looked at a moment.
using meaning = std::function<bool(scene&, entity, moment)>;

/// A condition as the query gets it, and what it means.
struct condition {
    ecs::query_condition said;
    meaning holds;
    std::set<id> mentions;
    std::set<entity> names; ///< Entities, which may end.
    bool asks_for_news = false;
};

/// A term that hands out nothing.
struct term {
    std::size_t form{};
    asked_word asked{};
    entity along{};
    std::vector<asked_word> group{};
    std::optional<condition> where{};
};

// Conditions.

inline condition single(ecs::single_condition said, asked_word asked, meaning holds) {
    const bool news = said.kind != decltype(said.kind){};
    return {said, std::move(holds), {asked.word}, {asked.target, said.subject}, news};
}

/// A form of single question.
struct question_form {
    const char* name;
    condition (*make)(scene&);
};

inline constexpr std::array question_forms{
    question_form{"has",
                  [](scene& in) {
                      const asked_word w = in.some_word();
                      return single(ecs::has_id(w.word), w,
                                    [w](scene& of, entity e, moment) { return of.shows(e, w); });
                  }},
    question_form{"of one entity",
                  [](scene& in) {
                      const asked_word w = in.some_word();
                      const entity one = in.somebody();
                      return single(ecs::has_id(w.word).of(one), w, [w, one](scene& of, entity, moment) {
                          return of.world.alive(one) && of.shows(one, w);
                      });
                  }},
    question_form{"up",
                  [](scene& in) {
                      const asked_word w = in.some_word();
                      const entity along = in.some_relation();
                      return single(ecs::has_id(w.word).up(along), w,
                                    [w, along](scene& of, entity e, moment) {
                                        return static_cast<bool>(of.nearest(e, w, along, false));
                                    });
                  }},
    question_form{"self or up",
                  [](scene& in) {
                      const asked_word w = in.some_word();
                      const entity along = in.some_relation();
                      return single(ecs::has_id(w.word).self_or_up(along), w,
                                    [w, along](scene& of, entity e, moment) {
                                        return static_cast<bool>(of.nearest(e, w, along, true));
                                    });
                  }},
    question_form{"changed",
                  [](scene& in) {
                      const asked_word w = in.some_tracked();
                      return single(ecs::has_id(w.word).changed(), w, [w](scene& of, entity e, moment since) {
                          return of.shows(e, w) && of.events.was_changed(e, w.word, since);
                      });
                  }},
    question_form{"added",
                  [](scene& in) {
                      const asked_word w = in.some_tracked();
                      return single(ecs::has_id(w.word).added(), w, [w](scene& of, entity e, moment since) {
                          return of.shows(e, w) && of.events.was_added(e, w.word, since);
                      });
                  }},
    question_form{"removed",
                  [](scene& in) {
                      const asked_word w = in.some_tracked();
                      return single(ecs::has_id(w.word).removed(), w, [w](scene& of, entity e, moment since) {
                          return of.events.was_removed(e, w.word, since);
                      });
                  }},
};

inline condition joined(condition one, condition other, bool both) {
    one.mentions.merge(other.mentions);
    one.names.merge(other.names);
    const meaning holds = [both, a = one.holds, b = other.holds](scene& of, entity e, moment since) {
        return both ? a(of, e, since) && b(of, e, since) : a(of, e, since) || b(of, e, since);
    };
    return {both ? one.said && other.said : one.said || other.said, holds, one.mentions, one.names,
            one.asks_for_news || other.asks_for_news};
}

inline condition some_condition(scene& in, choices& from, int depth) {
    if (depth == 0 || from.below(4) == 0)
        return question_forms[from.one_in(3) ? from.below(question_forms.size()) : from.below(4)].make(in);
    condition one = some_condition(in, from, depth - 1);
    if (from.one_in(3)) {
        const meaning holds = [h = one.holds](scene& of, entity e, moment since) { return !h(of, e, since); };
        return {!one.said, holds, one.mentions, one.names, one.asks_for_news};
    }
    return joined(std::move(one), some_condition(in, from, depth - 1), from.one_in(2));
}

// Terms.

/// A form of term: how a query is told, and when it holds.
template <class Query> struct form {
    const char* name;
    void (*say)(Query&, const term&);
    bool (*holds)(scene&, const term&, entity, moment since);
};

template <class Query>
inline constexpr std::array forms{
    form<Query>{"with", [](Query& q, const term& t) { q.with(t.asked.word); },
                [](scene& in, const term& t, entity e, moment) { return in.shows(e, t.asked); }},
    form<Query>{"without", [](Query& q, const term& t) { q.without(t.asked.word); },
                [](scene& in, const term& t, entity e, moment) { return !in.shows(e, t.asked); }},
    form<Query>{"optional", [](Query& q, const term& t) { q.optional(t.asked.word); },
                [](scene&, const term&, entity, moment) { return true; }},
    form<Query>{"any of", [](Query& q, const term& t) { q.any_of(t.group[0].word, t.group[1].word); },
                [](scene& in, const term& t, entity e, moment) {
                    return in.shows(e, t.group[0]) || in.shows(e, t.group[1]);
                }},
    form<Query>{
        "where", [](Query& q, const term& t) { q.where(t.where->said); },
        [](scene& in, const term& t, entity e, moment since) { return t.where->holds(in, e, since); }},
    form<Query>{"up", [](Query& q, const term& t) { q.up(t.asked.word, t.along); },
                [](scene& in, const term& t, entity e, moment) {
                    return static_cast<bool>(in.nearest(e, t.asked, t.along, false));
                }},
    form<Query>{"with kind of", [](Query& q, const term& t) { q.with_kind_of(t.along); },
                [](scene& in, const term& t, entity e, moment) { return in.shows_kind_of(e, t.along); }},
    form<Query>{"without kind of", [](Query& q, const term& t) { q.without_kind_of(t.along); },
                [](scene& in, const term& t, entity e, moment) { return !in.shows_kind_of(e, t.along); }},
    form<Query>{"changed", [](Query& q, const term& t) { q.changed(t.asked.word); },
                [](scene& in, const term& t, entity e, moment since) {
                    return in.shows(e, t.asked) && in.events.was_changed(e, t.asked.word, since);
                }},
    form<Query>{"added", [](Query& q, const term& t) { q.added(t.asked.word); },
                [](scene& in, const term& t, entity e, moment since) {
                    return in.shows(e, t.asked) && in.events.was_added(e, t.asked.word, since);
                }},
    form<Query>{"removed", [](Query& q, const term& t) { q.removed(t.asked.word); },
                [](scene& in, const term& t, entity e, moment since) {
                    return in.events.was_removed(e, t.asked.word, since);
                }},
};
enum : std::size_t {
    form_with,
    form_without,
    form_optional,
    form_any_of,
    form_where,
    form_up,
    form_kind,
    form_no_kind
};
inline constexpr std::size_t first_form_of_news = 8;
inline constexpr std::size_t all_forms = 11;

inline term some_term(scene& in, choices& from) {
    term made;
    made.form = from.one_in(3) ? from.below(all_forms) : from.below(form_up);
    switch (made.form) {
    case form_any_of: made.group = {in.some_word(), in.some_word()}; break;
    case form_where: made.where = some_condition(in, from, 3); break;
    case form_kind:
    case form_no_kind: made.along = in.some_kind(); break;
    case form_up: made.along = in.some_relation(); [[fallthrough]];
    default: made.asked = made.form >= first_form_of_news ? in.some_tracked() : in.some_word();
    }
    return made;
}

inline std::set<id> mentions_of(const term& t) {
    if (t.where) return t.where->mentions;
    if (t.form == form_kind || t.form == form_no_kind) return {t.along};
    std::set<id> found{t.asked.word}; // Null where a group is asked for.
    for (const asked_word& one : t.group) found.insert(one.word);
    return found;
}

inline std::set<entity> names_of(const term& t) {
    if (t.where) return t.where->names;
    std::set<entity> found{t.asked.target};
    for (const asked_word& one : t.group) found.insert(one.target);
    return found;
}

inline bool asks_for_news(const term& t) {
    return t.form >= first_form_of_news || (t.where && t.where->asks_for_news);
}

// What terms hand out.

/// An entity, and what is handed out for it, as numbers.
using row = std::vector<std::uint64_t>;
inline constexpr std::uint64_t missing = ~std::uint64_t{0};

template <class T> std::uint64_t seen(const T& value) {
    if constexpr (requires { value.value; })
        return static_cast<std::uint64_t>(value.value);
    else
        return 1;
}
inline std::uint64_t seen(entity e) { return e.value(); }
inline std::uint64_t seen(const ecs::matched& m) { return m.pair.value(); }
template <class T> std::uint64_t seen(const T* value) { return value ? seen(*value) : missing; }

/// Makes rows of what a loop hands out.
template <class Item> struct row_reader;
template <class... A> struct row_reader<std::tuple<A...>> {
    std::vector<row>* found;
    void operator()(A... handed) const { found->push_back(row{seen(handed)...}); }
};

/// The same of a loop over runs of rows.
template <class... Terms> struct run_reader {
    std::vector<row>* found;
    void operator()(std::span<const entity> all, std::span<std::remove_pointer_t<Terms>>... values) const {
        for (std::size_t at = 0; at != all.size(); ++at)
            found->push_back(row{seen(all[at]), (values.empty() ? missing : seen(values[at]))...});
    }
};

/// Terms of types: all that they hand out for an entity, once for each match.
struct asked_at {
    scene& in;
    entity e;
    asked_word wildcard;
    moment since;
};
template <class Term> struct handing;

inline row piece(const asked_at& at, entity holder, id word) {
    const void* const value = at.in.world.try_get(holder, word);
    return {value ? static_cast<std::uint64_t>(*static_cast<const int*>(value)) : 1};
}
inline std::vector<row> one_or_missing(std::vector<row> found) {
    if (found.empty()) found.push_back({missing});
    return found;
}

template <class T> struct handing<const T> {
    static std::vector<row> of(const asked_at& at) {
        const id word = at.in.world.component<T>();
        return at.in.shows(at.e, {word, {}}) ? std::vector<row>{piece(at, at.e, word)} : std::vector<row>();
    }
};
template <class R> struct handing<const ecs::pair_of<R, ecs::wildcard>> {
    static std::vector<row> of(const asked_at& at) {
        std::vector<row> found;
        for (const id word : at.in.matches(at.e, {pair(at.in.world.component<R>(), ecs::any), {}}))
            found.push_back(piece(at, at.e, word));
        return found;
    }
};
template <class T> struct handing : handing<const T> {};
template <class T> struct handing<T*> {
    static std::vector<row> of(const asked_at& at) { return one_or_missing(handing<T>::of(at)); }
};
template <class T, bool Itself> struct handing_above {
    static std::vector<row> of(const asked_at& at) {
        const id word = at.in.world.component<T>();
        const entity holder = at.in.nearest(at.e, {word, {}}, at.in.child_of, Itself);
        return holder ? std::vector<row>{piece(at, holder, word)} : std::vector<row>();
    }
};
template <class T> struct handing<ecs::up<const T>> : handing_above<T, false> {};
template <class T> struct handing<ecs::self_or_up<const T>> : handing_above<T, true> {};
template <class T> struct handing<ecs::up<const T*>> {
    static std::vector<row> of(const asked_at& at) {
        return one_or_missing(handing<ecs::up<const T>>::of(at));
    }
};
template <> struct handing<const ecs::matched> {
    static std::vector<row> of(const asked_at& at) {
        std::vector<row> found;
        for (const id word : at.in.matches(at.e, at.wildcard)) found.push_back({word.value()});
        return found;
    }
};

// Filters hand out nothing, once where they hold.
inline std::vector<row> nothing_if(bool holds) {
    return holds ? std::vector<row>{row()} : std::vector<row>();
}
template <> struct handing<entity> {
    static std::vector<row> of(const asked_at&) { return nothing_if(true); }
};
template <class T> struct handing<ecs::has<T>> {
    static std::vector<row> of(const asked_at& at) {
        return nothing_if(at.in.shows(at.e, {at.in.world.component<T>(), {}}));
    }
};
template <class T> struct handing<ecs::without<T>> {
    static std::vector<row> of(const asked_at& at) {
        return nothing_if(!at.in.shows(at.e, {at.in.world.component<T>(), {}}));
    }
};
template <class T> struct handing<ecs::changed<T>> {
    static std::vector<row> of(const asked_at& at) {
        const id word = at.in.world.component<T>();
        return nothing_if(at.in.shows(at.e, {word, {}}) && at.in.events.was_changed(at.e, word, at.since));
    }
};
template <class Term> inline constexpr bool is_news = false;
template <class... T> inline constexpr bool is_news<ecs::changed<T...>> = true;

template <class Term> inline constexpr bool is_written = !std::is_const_v<Term>;
template <class T> inline constexpr bool is_written<T*> = !std::is_const_v<T>;
template <> inline constexpr bool is_written<entity> = false;
template <class T> inline constexpr bool is_written<ecs::up<T>> = is_written<T>;
template <class T> inline constexpr bool is_written<ecs::self_or_up<T>> = is_written<T>;
template <class... T> inline constexpr bool is_written<ecs::has<T...>> = false;
template <class... T> inline constexpr bool is_written<ecs::without<T...>> = false;
template <class... T> inline constexpr bool is_written<ecs::changed<T...>> = false;

/// Whether a loop over runs takes the term.
template <class Term> inline constexpr bool has_runs = false;
template <> inline constexpr bool has_runs<const number> = true;
template <> inline constexpr bool has_runs<const speed*> = true;

// Queries.

/// What order a query was told to go in.
struct told_order {
    enum class by { tables, number_value, entity_index, depth };

    by how = by::tables;
    entity descends{};
    entity grouped_by{};
    bool has_numbers = false; ///< Of groups.
};

/// A query that is kept, whatever its types are.
class question {
  public:
    virtual ~question() = default;

    /// What is wrong with its answers; empty when they are those of the single entities.
    [[nodiscard]] virtual std::string ask(scene& in, choices& from) = 0;
    /// What is wrong when something invalid is asked for: it is refused with a reason, and changes nothing.
    [[nodiscard]] virtual std::string refuse(scene& in, choices& from) = 0;
    [[nodiscard]] virtual std::size_t matches(scene& in) = 0;
};

/// What a query refuses, whatever its terms are.
template <class Query> struct misuse {
    const char* name;
    void (*commit)(Query&, scene&);
};

template <class Query>
inline constexpr std::array misuses{
    misuse<Query>{"with null", [](Query& q, scene&) { q.with(id()); }},
    misuse<Query>{"without null", [](Query& q, scene&) { q.without(id()); }},
    misuse<Query>{"optional null", [](Query& q, scene&) { q.optional(id()); }},
    misuse<Query>{"changed null", [](Query& q, scene&) { q.changed(id()); }},
    misuse<Query>{"up null", [](Query& q, scene&) { q.up(id()); }},
    misuse<Query>{"up along null", [](Query& q, scene& in) { q.up(in.some_component().word, id()); }},
    misuse<Query>{
        "up along a pair",
        [](Query& q, scene& in) { q.up(in.some_component().word, pair(in.some_relation(), in.somebody())); }},
    misuse<Query>{"any of null", [](Query& q, scene& in) { q.any_of(in.some_component().word, id()); }},
    misuse<Query>{
        "where null",
        [](Query& q, scene& in) { q.where(ecs::has_id(in.some_component().word) || !ecs::has_id(id())); }},
    misuse<Query>{"of null",
                  [](Query& q, scene& in) { q.where(ecs::has_id(in.some_component().word).of({})); }},
    misuse<Query>{
        "up from another",
        [](Query& q, scene& in) { q.where(ecs::has_id(in.some_component().word).of(in.somebody()).up()); }},
    misuse<Query>{"changes of another",
                  [](Query& q, scene& in) {
                      q.where(ecs::has_id(in.some_tracked().word).of(in.somebody()).changed());
                  }},
    misuse<Query>{"changes above",
                  [](Query& q, scene& in) { q.where(ecs::has_id(in.some_tracked().word).up().added()); }},
    misuse<Query>{"kinds of a pair",
                  [](Query& q, scene& in) { q.with_kind_of(pair(in.some_relation(), in.somebody())); }},
    misuse<Query>{"kinds of null", [](Query& q, scene&) { q.without_kind_of(id()); }},
    misuse<Query>{"cascade along a pair",
                  [](Query& q, scene& in) { q.cascade(pair(in.some_relation(), in.somebody())); }},
    misuse<Query>{"cascade along what may have rings",
                  [](Query& q, scene& in) { q.cascade(in.some_kind()); }},
    misuse<Query>{"groups of a pair",
                  [](Query& q, scene& in) { q.group_by(pair(in.some_relation(), in.somebody())); }},
    misuse<Query>{"groups of null", [](Query& q, scene&) { q.group_by(id()); }},
    misuse<Query>{"groups of targets in a column", [](Query& q, scene&) { q.group_by(ecs::child_of); }},
    misuse<Query>{"order of null",
                  [](Query& q, scene&) { q.sort_by(id(), [](const void*, const void*) { return false; }); }},
    misuse<Query>{"the value of a stranger",
                  [](Query& q, scene& in) {
                      const entity ended = in.world.spawn();
                      in.world.despawn(ended);
                      std::ignore = q.get(ended);
                  }},
    misuse<Query>{"a single one",
                  [](Query& q, scene&) {
                      if (q.count() == 1) throw std::invalid_argument("there is a single one");
                      std::ignore = q.single();
                  }},
};

template <class... Terms> class question_of final : public question {
    using query = ecs::query<Terms...>;
    using item = typename query::item;
    static constexpr bool writes = (is_written<Terms> || ...);
    static constexpr bool hands_out_matched = (std::is_same_v<Terms, const ecs::matched> || ...);

  public:
    question_of(scene& in, choices& from) : query_(in.world.query<Terms...>()) {
        if (hands_out_matched) add({form_with, wildcard_ = in.some_pattern()});
        for (std::size_t count = from.below(4); count != 0; --count) add(some_term(in, from));
        if (from.one_in(3)) put_in_order(in, from);
        if (from.one_in(3)) put_in_groups(in, from);
        if (from.one_in(4)) query_.uncached();
        if (from.one_in(2)) see(in);
    }

    std::string ask(scene& in, choices& from) override {
        if (from.one_in(4)) query_ = query(query_);
        if (in.events.bases_changed() > since_) see(in);
        wrong_.clear();
        const std::vector<row> expected = expected_rows(in);
        check_answers(expected);
        check_entities(in, from, expected);
        check_order(in);
        check_groups(in, expected);
        check_text(in);
        check_loop(in, from, expected);
        return said_wrong(in);
    }

    std::string refuse(scene& in, choices& from) override {
        const auto& one = from.among(misuses<query>);
        wrong_.clear();
        const std::string before = query_.text();
        try {
            one.commit(query_, in);
            expect(false, "it was accepted");
        } catch (const std::exception& refused) {
            expect(refused.what()[0] != '\0', "there is no reason");
        }
        expect(query_.text() == before, "the text is another");
        expect(sorted_entities(quiet_rows()) == sorted_entities(expected_rows(in)), "the answer is another");
        return wrong_.empty() ? "" : std::string(one.name) + ": " + said_wrong(in);
    }

    std::size_t matches(scene& in) override { return expected_rows(in).size(); }

  private:
    // Making.

    void add(term t) {
        forms<query>[t.form].say(query_, t);
        mentioned_.merge(mentions_of(t));
        named_.merge(names_of(t));
        asks_for_news_ |= asks_for_news(t);
        terms_.push_back(std::move(t));
    }

    void put_in_order(scene& in, choices& from) {
        switch (from.below(4)) {
        case 0: sort_by_number(in, from); break;
        case 1:
            order_.how = told_order::by::entity_index;
            query_.sort_by([](entity a, entity b) { return a.index() > b.index(); });
            break;
        default:
            order_.how = told_order::by::depth;
            order_.descends = from.one_in(2) ? in.child_of : in.is_a;
            query_.cascade(order_.descends);
        }
    }
    void sort_by_number(scene& in, choices& from) {
        const asked_word asked{in.world.component<number>(), {}};
        order_.how = told_order::by::number_value;
        terms_.push_back({form_with, asked}); // The component becomes required.
        if (from.one_in(2))
            query_.template sort_by<number>(
                [](const number& a, const number& b) { return a.value < b.value; });
        else
            query_.sort_by(asked.word, [](const void* a, const void* b) {
                return static_cast<const number*>(a)->value < static_cast<const number*>(b)->value;
            });
    }

    void put_in_groups(scene& in, choices& from) {
        if (from.one_in(3)) {
            order_.has_numbers = true;
            const id word = in.world.component<speed>();
            query_.group_by([word](std::span<const id> has) {
                return std::ranges::find(has, word) == has.end() ? 7U : 3U;
            });
        } else {
            query_.group_by(order_.grouped_by = in.some_relation_by_table());
        }
    }

    void see(scene& in) {
        query_.mark_seen();
        since_ = in.events.advance();
    }

    // What single entities say.

    bool satisfies(scene& in, entity e) {
        return !in.is_passed_over(e, mentioned_) && std::ranges::all_of(terms_, [&](const term& t) {
            return forms<query>[t.form].holds(in, t, e, since_);
        });
    }

    std::vector<row> expected_rows(scene& in) {
        std::vector<row> found;
        for (const entity e : in.all()) {
            if (!satisfies(in, e)) continue;
            std::vector<row> rows{{e.value()}};
            (multiply(rows, handing<Terms>::of({in, e, wildcard_, since_})), ...);
            found.insert(found.end(), rows.begin(), rows.end());
        }
        return found;
    }
    static void multiply(std::vector<row>& rows, const std::vector<row>& with) {
        std::vector<row> product;
        for (const row& one : rows)
            for (const row& other : with) {
                product.push_back(one);
                product.back().insert(product.back().end(), other.begin(), other.end());
            }
        rows = std::move(product);
    }

    // Comparing.

    void expect(bool holds, const char* what) {
        if (!holds && wrong_.empty()) wrong_ = what;
    }
    std::string said_wrong(scene& in) {
        if (wrong_.empty()) return {};
        std::string said = wrong_ + " of \"" + query_.text() + '"';
        for (const term& t : terms_) said += std::string("; ") + forms<query>[t.form].name;
        said += blame(in) + "; found" + listed(quiet_rows());
        said += ", expected" + listed(expected_rows(in));
        return said + " in " + in.text();
    }
    static std::string listed(const std::vector<row>& rows) {
        std::string said;
        for (const row& one : rows) {
            said += " " + ecs::to_string(id(entity::assume_word(one.front())));
            for (const std::uint64_t value : std::span(one).subspan(1))
                said += value == missing ? ":-" : ':' + std::to_string(value);
        }
        return said;
    }
    /// The terms that disagree when a new query has them alone.
    std::string blame(scene& in) {
        std::string said;
        for (const term& t : terms_) {
            auto alone = in.world.query();
            forms<ecs::query<>>[t.form].say(alone, t);
            alone.optional(ecs::prefab_tag).optional(ecs::disabled);
            for (const entity e : in.all())
                if (alone.contains(e) != forms<query>[t.form].holds(in, t, e, 0))
                    said += std::string("; ") + forms<query>[t.form].name + " of " + ecs::to_string(id(e));
        }
        return said;
    }
    static std::vector<row> sorted(std::vector<row> rows) {
        std::ranges::sort(rows);
        return rows;
    }
    static std::vector<entity> entities_of(const std::vector<row>& rows) {
        std::vector<entity> found;
        for (const row& one : rows) found.push_back(entity::assume_word(one.front()));
        return found;
    }
    static row row_of(const item& handed) {
        return std::apply([](const auto&... part) { return row{seen(part)...}; }, handed);
    }

    /// In the order of a loop, but without looking.
    std::vector<row> quiet_rows() {
        std::vector<row> found;
        if constexpr (writes) {
            for (const entity e : query_.entities()) found.push_back({e.value()});
        } else {
            const std::size_t half = query_.count() / 2;
            query_.each_page(0, half, row_reader<item>{&found});
            query_.each_page(half, ~std::size_t{0}, row_reader<item>{&found});
        }
        return found;
    }

    void check_answers(const std::vector<row>& expected) {
        std::vector<entity> found = query_.entities();
        const entity first = found.empty() ? entity{} : found.front();
        expect(query_.count() == expected.size(), "count");
        expect(query_.first() == first, "first");
        expect(query_.empty() == expected.empty(), "empty");
        std::ranges::sort(found);
        expect(found == sorted_entities(expected), "entities");
        if constexpr (!writes) expect(sorted(quiet_rows()) == sorted(expected), "pages");
    }
    static std::vector<entity> sorted_entities(const std::vector<row>& rows) {
        std::vector<entity> found = entities_of(rows);
        std::ranges::sort(found);
        return found;
    }

    /// Answers about entities that are named.
    void check_entities(scene& in, choices& from, const std::vector<row>& expected) {
        const std::vector<entity> found = sorted_entities(expected);
        for (const entity e : in.all())
            expect(query_.contains(e) == std::ranges::binary_search(found, e), "contains");
        expect(!query_.contains({}), "contains null");
        if constexpr (!writes) {
            std::vector<entity> some;
            for (int i = 0; i < 5; ++i) some.push_back(from.among(in.all()));
            std::vector<row> visited;
            query_.each_of(some, row_reader<item>{&visited});
            std::vector<entity> visits;
            for (const entity e : some) {
                const auto matches = std::ranges::equal_range(found, e);
                visits.insert(visits.end(), matches.begin(), matches.end());
            }
            expect(entities_of(visited) == visits, "each_of");
            expect(are_among(visited, expected), "what each_of hands out");
            if (found.empty() || !wrong_.empty()) return;
            const auto [one, other] = query_.get_many(std::array{found.front(), found.back()});
            expect(are_among({row_of(one), row_of(other)}, expected), "get_many");
        }
    }
    static bool are_among(const std::vector<row>& some, const std::vector<row>& all) {
        return std::ranges::all_of(some,
                                   [&](const row& one) { return std::ranges::find(all, one) != all.end(); });
    }

    void check_order(scene& in) {
        const std::vector<entity> found = query_.entities();
        const auto value = [&](entity e) { return in.world.get<number>(e).value; };
        const bool has_groups = order_.grouped_by || order_.has_numbers;
        if (order_.how == told_order::by::depth)
            return expect(descends(in, found), "parents before their children");
        if (has_groups)
            return expect(std::ranges::is_sorted(found, {}, [&](entity e) { return group(in, e); }),
                          "groups in their order");
        if (order_.how == told_order::by::number_value)
            expect(std::ranges::is_sorted(found, {}, value), "the order of a component");
        if (order_.how == told_order::by::entity_index)
            expect(std::ranges::is_sorted(found, std::greater(), &entity::index), "the order of a function");
    }
    bool descends(scene& in, const std::vector<entity>& found) {
        for (std::size_t i = 0; i < found.size(); ++i)
            for (std::size_t j = i + 1; j < found.size(); ++j)
                if (found[i] != found[j] && in.is_above(found[j], found[i], order_.descends)) return false;
        return true;
    }
    std::uint32_t group(scene& in, entity e) {
        if (order_.has_numbers) return in.owns(e, in.world.component<speed>()) ? 3 : 7;
        const entity target = in.group_of(e, order_.grouped_by);
        return target ? static_cast<std::uint32_t>(target.index()) : 0;
    }

    void check_groups(scene& in, const std::vector<row>& expected) {
        if (writes || (!order_.grouped_by && !order_.has_numbers)) return;
        const entity target = in.somebody();
        std::vector<row> found, wanted;
        if (order_.has_numbers)
            query_.each_in_group(3, row_reader<item>{&found});
        else
            query_.each_in_group(target, row_reader<item>{&found});
        const std::uint32_t number = order_.has_numbers ? 3 : static_cast<std::uint32_t>(target.index());
        for (const row& one : expected)
            if (group(in, entity::assume_word(one.front())) == number) wanted.push_back(one);
        expect(sorted(found) == sorted(wanted), "a group");
    }

    /// What is written is read again as the same query, as long as there is what it names.
    void check_text(scene& in) {
        const bool is_there = std::ranges::all_of(named_, [&](entity e) { return !e || in.world.alive(e); });
        try {
            compare_with_text(in);
            expect(is_there, "a text that names who has ended");
        } catch (const ecs::query_text_error&) {
            expect(!is_there, "a text that is refused");
        }
    }
    void compare_with_text(scene& in) {
        ecs::text_query again = in.world.query(query_.text());
        expect(in.world.query(again.text()).text() == again.text(), "the text of its text");
        if (asks_for_news_ || (is_news<Terms> || ...)) return; // Another query has not looked yet.
        std::vector<entity> found = again.entities();
        std::vector<entity> own = query_.entities();
        std::ranges::sort(found);
        std::ranges::sort(own);
        expect(found == own, "what its text finds");
    }

    /// Loops look: what has changed is found once.
    void check_loop(scene& in, choices& from, const std::vector<row>& expected) {
        std::vector<row> found;
        switch (from.below(4)) {
        case 0:
            for (const item& handed : query_) found.push_back(row_of(handed));
            break;
        case 1: loop_over_runs(found); break;
        case 2: loop_over_pairs(found); break;
        default: query_.each(row_reader<item>{&found});
        }
        expect(sorted(found) == sorted(expected), "a loop");
        since_ = in.events.advance();
        if constexpr (writes)
            for (const row& one : expected)
                in.events.touch(entity::assume_word(one.front()), in.world.component<number>());
    }
    void loop_over_runs(std::vector<row>& found) {
        if constexpr ((has_runs<Terms> && ...))
            query_.each_chunk(run_reader<Terms...>{&found});
        else
            query_.each(row_reader<item>{&found});
    }
    /// Every two are met in the order of the matches.
    void loop_over_pairs(std::vector<row>& found) {
        if constexpr (writes) {
            query_.each(row_reader<item>{&found});
        } else {
            std::vector<std::pair<row, row>> pairs, expected;
            found = quiet_rows();
            for (std::size_t i = 0; i < found.size(); ++i)
                for (std::size_t j = i + 1; j < found.size(); ++j) expected.emplace_back(found[i], found[j]);
            query_.each_pair([&](const item& a, const item& b) { pairs.emplace_back(row_of(a), row_of(b)); });
            std::ranges::sort(pairs);
            std::ranges::sort(expected);
            expect(pairs == expected, "every two");
        }
    }

    query query_;
    std::vector<term> terms_;
    std::set<id> mentioned_;
    std::set<entity> named_;
    asked_word wildcard_;
    told_order order_;
    bool asks_for_news_ = false;
    moment since_ = 0;
    std::string wrong_;
};

/// The types that queries are made of here.
template <class... Terms> std::unique_ptr<question> make_question(scene& in, choices& from) {
    return std::make_unique<question_of<Terms...>>(in, from);
}
inline constexpr std::array shapes{
    &make_question<>,
    &make_question<const number>,
    &make_question<number>,
    &make_question<const number, const speed*>,
    &make_question<const apart*, ecs::has<mark>>,
    &make_question<entity, const own_only*, const mark*, ecs::without<seldom>>,
    &make_question<const number*, ecs::changed<number>>,
    &make_question<ecs::up<const number>>,
    &make_question<ecs::self_or_up<const number>, ecs::up<const apart*>>,
    &make_question<const ecs::matched>,
    &make_question<const ecs::pair_of<owes, ecs::wildcard>>,
    &make_question<const ecs::pair_of<lends, ecs::wildcard>, const ecs::pair_of<lives_at, ecs::wildcard>*>,
};

} // namespace query_model
