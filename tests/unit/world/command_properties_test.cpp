// SPDX-License-Identifier: MIT
// Whatever is recorded through several objects, in whatever interleaving, the flush does the same as the
// order that docs/parallel.md promises: spawns first, then object after object by key and by order of
// opening, each in its own order. A reference of plain maps is taken through that order command by command.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

import ecs.world;

namespace command_properties_test {
namespace {

using ecs::entity;

struct number {
    int value = 0;
};
struct other {
    int value = 0;
};
struct mark {};
struct apart {
    static constexpr auto kept_in = ecs::storage::sparse;
    int value = 0;
};
struct likes {};

enum class kind : std::uint8_t {
    set_number,
    set_other,
    set_apart,
    add_mark,
    remove_number,
    remove_mark,
    remove_apart,
    add_pair,
    remove_pair,
    despawn,
    name,
    count
};

/// A command that was recorded: entities are known by their place in the order of spawning.
struct command {
    kind what;
    std::size_t subject;
    std::size_t target;
    int value;
};

/// An entity as the reference knows it.
struct record {
    std::map<std::string, int> values; ///< By the name of the component; tags have 0.
    std::set<std::size_t> liked;
    std::string name;
};

/// The naive reference: maps of maps.
class reference {
  public:
    void be_born(std::size_t e, record with) { alive_[e] = std::move(with); }

    /// False when the command is dropped.
    bool apply(const command& c) {
        const auto found = alive_.find(c.subject);
        if (found == alive_.end()) return false;
        record& r = found->second;
        switch (c.what) {
        case kind::set_number: return r.values["number"] = c.value, true;
        case kind::set_other: return r.values["other"] = c.value, true;
        case kind::set_apart: return r.values["apart"] = c.value, true;
        case kind::add_mark: return r.values["mark"] = 0, true;
        case kind::remove_number: return r.values.erase("number"), true;
        case kind::remove_mark: return r.values.erase("mark"), true;
        case kind::remove_apart: return r.values.erase("apart"), true;
        case kind::add_pair: return alive_.contains(c.target) && (r.liked.insert(c.target), true);
        case kind::remove_pair: return r.liked.erase(c.target), true;
        case kind::despawn: return end(c.subject), true;
        case kind::name: return give_name(r, "n" + std::to_string(c.value));
        case kind::count: break;
        }
        return false;
    }

    [[nodiscard]] const std::map<std::size_t, record>& alive() const { return alive_; }

  private:
    void end(std::size_t e) {
        alive_.erase(e);
        for (auto& [owner, r] : alive_) r.liked.erase(e);
    }
    bool give_name(record& r, const std::string& name) {
        for (const auto& [owner, holder] : alive_)
            if (&holder != &r && holder.name == name) return false;
        r.name = name;
        return true;
    }

    std::map<std::size_t, record> alive_;
};

/// Records a program into several objects at once, and into a list for each of them.
class recording {
  public:
    explicit recording(const std::vector<std::uint32_t>& keys) : lists_(keys.size()) {
        world_.component<likes>();
        for (const std::uint32_t key : keys)
            objects_.push_back(key == 0 ? world_.commands() : world_.commands(key));
        for (std::size_t i = 0; i < keys.size(); ++i)
            order_.insert({std::pair(keys[i] == 0 ? UINT64_MAX : keys[i], i), i});
    }

    void step(std::uint8_t object, std::uint8_t what, std::uint8_t subject, std::uint8_t target, int value) {
        const std::size_t o = object % objects_.size();
        if (what % 4 == 0 || known_.empty()) return spawn(o, what / 4, value);
        const command c{kind(what % unsigned(kind::count)), subject % known_.size(), target % known_.size(),
                        value};
        lists_[o].push_back(c);
        record_into(objects_[o], c);
    }

    /// Flushes, and says what differs; empty when nothing does.
    std::string flush_and_compare() {
        for (auto& [e, with] : births_) expected_.be_born(e, std::move(with));
        std::size_t dropped = 0;
        for (const auto& [key, o] : order_)
            for (const command& c : std::exchange(lists_[o], {})) dropped += !expected_.apply(c);
        const std::size_t born = births_.size();
        births_.clear();
        const ecs::flush_report report = world_.flush();
        if (report.spawned() != born) return "how many were spawned";
        if (report.dropped() != dropped)
            return "dropped " + std::to_string(report.dropped()) + ", not " + std::to_string(dropped);
        for (std::size_t e = 0; e < known_.size(); ++e)
            if (const std::string fault = compare(e); !fault.empty())
                return "entity " + std::to_string(e) + ": " + fault;
        return "";
    }

  private:
    void spawn(std::size_t o, unsigned shape, int value) {
        ecs::commands& into = objects_[o];
        const std::size_t e = known_.size();
        switch (shape % 4) {
        case 0:
            known_.push_back(into.spawn(number{value}));
            return births_.push_back({e, {{{"number", value}}, {}, {}}});
        case 1:
            known_.push_back(into.spawn(number{value}, other{value + 1}));
            return births_.push_back({e, {{{"number", value}, {"other", value + 1}}, {}, {}}});
        case 2: known_.push_back(into.spawn(mark{})); return births_.push_back({e, {{{"mark", 0}}, {}, {}}});
        default: // What is no part of a row is a command behind the birth.
            known_.push_back(into.spawn(other{value}, apart{value}));
            births_.push_back({e, {{{"other", value}}, {}, {}}});
            lists_[o].push_back({kind::set_apart, e, 0, value});
        }
    }

    void record_into(ecs::commands& into, const command& c) {
        const entity e = known_[c.subject];
        const auto liking = [&] { return ecs::pair(world_.component<likes>(), known_[c.target]); };
        switch (c.what) {
        case kind::set_number: return into.set(e, number{c.value});
        case kind::set_other: return into.set(e, other{c.value});
        case kind::set_apart: return into.set(e, apart{c.value});
        case kind::add_mark: return into.add<mark>(e);
        case kind::remove_number: return into.remove<number>(e);
        case kind::remove_mark: return into.remove<mark>(e);
        case kind::remove_apart: return into.remove<apart>(e);
        case kind::add_pair: return into.add(e, liking());
        case kind::remove_pair: return into.remove(e, liking());
        case kind::despawn: return into.despawn(e);
        case kind::name: return into.set_name(e, "n" + std::to_string(c.value));
        case kind::count: return;
        }
    }

    template <class T> std::string compare_value(entity e, const record& r, const std::string& name) {
        const T* const found = world_.try_get<T>(e);
        const auto wanted = r.values.find(name);
        if ((found != nullptr) != (wanted != r.values.end())) return "has " + name + " or not";
        return found && found->value != wanted->second ? "the value of " + name : "";
    }

    std::string compare(std::size_t number_of_entity) {
        const entity e = known_[number_of_entity];
        const auto found = expected_.alive().find(number_of_entity);
        if (world_.alive(e) != (found != expected_.alive().end())) return "alive or not";
        if (!world_.alive(e)) return "";
        const record& r = found->second;
        std::string fault = compare_value<number>(e, r, "number");
        if (fault.empty()) fault = compare_value<other>(e, r, "other");
        if (fault.empty()) fault = compare_value<apart>(e, r, "apart");
        if (fault.empty() && world_.has<mark>(e) != r.values.contains("mark")) fault = "marked or not";
        if (fault.empty() && world_.name_of(e) != r.name) fault = "its name";
        std::set<entity> liked;
        for (const std::size_t target : r.liked) liked.insert(known_[target]);
        const std::vector<entity> targets = world_.targets<likes>(e);
        if (fault.empty() && std::set<entity>(targets.begin(), targets.end()) != liked)
            fault = "whom it likes";
        return fault;
    }

    ecs::world world_;
    std::vector<ecs::commands> objects_;
    std::vector<std::vector<command>> lists_;
    std::map<std::pair<std::uint64_t, std::size_t>, std::size_t> order_; ///< Objects by key and opening.
    std::vector<std::pair<std::size_t, record>> births_;
    std::vector<entity> known_;
    reference expected_;
};

TEST(CommandProperties, AnyInterleavingIsTheDocumentedOrder) {
    EXPECT_TRUE(rc::check("the flush does what the sequential reference does", [] {
        const auto keys = *rc::gen::container<std::vector<std::uint32_t>>(4, rc::gen::inRange(0U, 4U));
        recording played(keys);
        const auto any_byte = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint8_t>());
        const auto steps = *rc::gen::container<std::vector<std::uint8_t>>(any_byte);
        for (int round = 0; round < 3; ++round) {
            for (std::size_t i = 0; i + 4 < steps.size(); ++i)
                played.step(steps[i], std::uint8_t(steps[i + 1] + round), steps[i + 2], steps[i + 3],
                            steps[i + 4] % 16);
            RC_ASSERT(played.flush_and_compare() == "");
        }
    }));
}

/// A program in which the same kinds of commands come for one entity after the other, and what its world says
/// of it: what observers were told, and the entities in the order of their rows.
class program_in_turn {
  public:
    program_in_turn(const std::vector<std::uint8_t>& kinds, const std::vector<std::uint8_t>& subjects,
                    std::size_t commands)
        : kinds_(kinds), subjects_(subjects), commands_(commands) {}

    /// Bits of `heard` say of which components observers are told.
    [[nodiscard]] std::vector<std::string> play(std::uint8_t heard, bool later) const {
        ecs::world world;
        std::vector<std::string> told;
        world.component<likes>();
        if (heard & 1) listen<number>(world, told);
        if (heard & 2) listen<other>(world, told);
        if (heard & 4) listen<mark>(world, told);
        if (heard & 8) world.observe<ecs::event::spawned>([&](entity) { told.emplace_back("spawned"); });
        const std::vector<entity> all = world.spawn_n(40, number{1});
        auto recorded = world.commands();
        for (std::size_t i = 0; i < commands_; ++i)
            later ? play(recorded, world, all, i) : play(world, world, all, i);
        world.flush();
        for (const entity e : all) told.push_back(account_of(world, e));
        if (later) {
            const auto note = [&told](entity e) { told.push_back(std::to_string(e.index())); };
            world.query<const number>().each([&](entity e, const number&) { note(e); });
            world.query<const other>().each([&](entity e, const other&) { note(e); });
        }
        return told;
    }

  private:
    template <class T> static void listen(ecs::world& world, std::vector<std::string>& told) {
        const auto note = [&told](const char* what) {
            return [&told, what](entity e) { told.push_back(what + std::to_string(e.index())); };
        };
        world.observe<ecs::event::added, T>(note("added "));
        world.observe<ecs::event::removed, T>(note("removed "));
        if constexpr (!std::is_empty_v<T>) world.observe<ecs::event::set, T>(note("set "));
    }
    void play(auto& into, ecs::world& world, const std::vector<entity>& all, std::size_t i) const {
        const entity e = all[subjects_[i / kinds_.size() % subjects_.size()] % all.size()];
        const entity target = all[(i * 7) % all.size()];
        if (i % 211 == 210) into.template remove<apart>(e); // Now and then another command comes between.
        switch (kinds_[i % kinds_.size()] % 14) {
        case 0: return static_cast<void>(into.set(e, number{static_cast<int>(i)}));
        case 1: return static_cast<void>(into.set(e, other{static_cast<int>(i)}));
        case 2: return static_cast<void>(into.set(e, apart{static_cast<int>(i)}));
        case 3: return static_cast<void>(into.template add<mark>(e));
        case 4: return static_cast<void>(into.template remove<number>(e));
        case 5: return static_cast<void>(into.template remove<other>(e));
        case 6: return static_cast<void>(into.template remove<mark>(e));
        case 7: return static_cast<void>(into.template remove<apart>(e));
        case 8: return static_cast<void>(into.template add<other>(e));
        case 9: return static_cast<void>(into.template add<likes>(e, target));
        case 10: return static_cast<void>(into.add(e, world.component<mark>()));
        case 11: return static_cast<void>(into.remove(e, ecs::pair(world.component<likes>(), ecs::any)));
        case 12: return count_up(into, e);
        default: return i % 97 == 0 ? static_cast<void>(into.despawn(e)) : count_up(into, e);
        }
    }
    static void count_up(ecs::world& in, entity e) {
        if (number* const found = in.try_get<number>(e)) ++found->value;
    }
    static void count_up(ecs::commands& into, entity e) {
        into.run(e, [](ecs::world& in, entity found) { count_up(in, found); });
    }
    static std::string account_of(const ecs::world& world, entity e) {
        if (!world.alive(e)) return "ended";
        std::string text;
        if (const auto* const v = world.try_get<number>(e)) text += "number " + std::to_string(v->value);
        if (const auto* const v = world.try_get<other>(e)) text += " other " + std::to_string(v->value);
        if (const auto* const v = world.try_get<apart>(e)) text += " apart " + std::to_string(v->value);
        if (world.has<mark>(e)) text += " mark";
        std::set<std::uint64_t> liked;
        for (const entity to : world.targets<likes>(e)) liked.insert(to.index());
        for (const std::uint64_t to : liked) text += " likes " + std::to_string(to);
        return text;
    }

    std::vector<std::uint8_t> kinds_;
    std::vector<std::uint8_t> subjects_;
    std::size_t commands_;
};

TEST(CommandProperties, WhatIsRecordedInTurnIsWhatIsDoneInTurn) {
    EXPECT_TRUE(rc::check("the flush does and tells what the world itself would", [] {
        const auto any_byte = rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint8_t>());
        const auto some = [&](int most) {
            return rc::gen::mapcat(rc::gen::inRange(1, most + 1), [any_byte](int n) {
                return rc::gen::container<std::vector<std::uint8_t>>(static_cast<std::size_t>(n), any_byte);
            });
        };
        const program_in_turn program(*some(9), *some(40),
                                      *rc::gen::inRange(std::size_t{0}, std::size_t{1500}));
        const auto heard = *any_byte;
        std::vector<std::string> done = program.play(heard, false);
        std::vector<std::string> recorded = program.play(heard, true);
        RC_ASSERT(program.play(heard, true) == recorded); // Also the order of rows.
        recorded.resize(done.size());
        RC_ASSERT(recorded == done);
    }));
}

} // namespace
} // namespace command_properties_test
