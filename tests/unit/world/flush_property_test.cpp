// SPDX-License-Identifier: MIT
// Whatever is recorded in several objects, the flush does what docs/parallel.md says: a naive reference
// applies the births, and then the commands of each object in the order of the keys.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

import ecs.world;

namespace {

struct health {
    int points;
};
struct label {
    std::vector<int> values;
};
struct frozen {};

constexpr std::uint32_t objects = 3;

/// One step of a recording, drawn at random; numbers are taken modulo what there is.
struct step {
    std::uint32_t object;
    std::uint32_t action;
    std::uint32_t target;
    int value;
};

/// An entity of the reference.
struct model_entity {
    bool alive = true;
    std::optional<int> points;
    std::optional<int> label;
    bool frozen = false;
};

using model = std::vector<model_entity>;

void apply(model& all, const step& s) {
    model_entity& e = all[s.target];
    if (!e.alive) return;
    switch (s.action) {
    case 0:
        e.points = s.value;
        break;
    case 1:
        e.points.reset();
        break;
    case 2:
        e.label = s.value;
        break;
    case 3:
        e.label.reset();
        break;
    case 4:
        e.frozen = true;
        break;
    case 5:
        e.frozen = false;
        break;
    default:
        e = {.alive = false};
    }
}

void record(ecs::commands& into, ecs::entity e, const step& s) {
    switch (s.action) {
    case 0:
        return into.set(e, health{s.value});
    case 1:
        return into.remove<health>(e);
    case 2:
        return into.set(e, label{{s.value}});
    case 3:
        return into.remove<label>(e);
    case 4:
        return into.add<frozen>(e);
    case 5:
        return into.remove<frozen>(e);
    default:
        return into.despawn(e);
    }
}

/// Runs the steps of one frame in the world and in the reference.
class frame {
  public:
    frame(ecs::world& world, std::vector<ecs::entity>& entities, model& reference)
        : world_(world), entities_(entities), reference_(reference) {
        for (std::uint32_t key = 0; key < objects; ++key) commands_.push_back(world.commands(key));
    }

    void run(const std::vector<step>& steps) {
        std::vector<std::vector<step>> in_order(objects);
        for (step s : steps) take(s, in_order);
        world_.flush();
        for (const auto& of_one : in_order)
            for (const step& s : of_one) apply(reference_, s);
    }

  private:
    void take(step s, std::vector<std::vector<step>>& in_order) {
        s.object %= objects;
        s.action %= 8;
        if (s.action == 7 || entities_.empty()) return spawn(s);
        s.target %= static_cast<std::uint32_t>(entities_.size());
        record(commands_[s.object], entities_[s.target], s);
        in_order[s.object].push_back(s);
    }

    void spawn(const step& s) {
        ecs::commands& into = commands_[s.object];
        entities_.push_back(s.value % 2 ? into.spawn(health{s.value})
                                        : into.spawn(label{{s.value}}, frozen{}));
        reference_.push_back(s.value % 2 ? model_entity{.points = s.value}
                                         : model_entity{.label = s.value, .frozen = true});
    }

    ecs::world& world_;
    std::vector<ecs::entity>& entities_;
    model& reference_;
    std::vector<ecs::commands> commands_;
};

void compare(ecs::world& world, const std::vector<ecs::entity>& entities, const model& reference) {
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const ecs::entity e = entities[i];
        const model_entity& expected = reference[i];
        RC_ASSERT(world.alive(e) == expected.alive);
        const auto* const points = world.try_get<health>(e);
        const auto* const text = world.try_get<label>(e);
        RC_ASSERT((points ? std::optional(points->points) : std::nullopt) == expected.points);
        RC_ASSERT((text ? std::optional(text->values.at(0)) : std::nullopt) == expected.label);
        RC_ASSERT(world.has<frozen>(e) == expected.frozen);
    }
}

std::vector<step>
steps_of(const std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, int>>& drawn) {
    std::vector<step> steps;
    for (const auto& [object, action, target, value] : drawn)
        steps.push_back({object, action, target, value & 0xFFFF});
    return steps;
}

TEST(FlushProperty, FlushEqualsTheOrderThatIsDocumented) {
    using drawn_frame = std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, int>>;
    EXPECT_TRUE(
        rc::check("flush equals births, then commands by key", [](const std::vector<drawn_frame>& frames) {
            ecs::world world;
            std::vector<ecs::entity> entities;
            model reference;
            for (const drawn_frame& drawn : frames) {
                frame(world, entities, reference).run(steps_of(drawn));
                compare(world, entities, reference);
            }
        }));
}

} // namespace
