// SPDX-License-Identifier: MIT
// Memory that runs out in the middle of an operation on relations leaves an operation that can be repeated,
// and then does what it does anyway.
#include "unit/world/life.hpp"
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <gtest/gtest.h>
#include <iterator>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <rapidcheck.h>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;
#include "fuzz/world/relation_model.hpp"
#include "fuzz/world/world_program.hpp"

namespace {

using ecs::child_of;
using ecs::entity;
using ecs::pair;

struct likes {};
struct plain {
    int value = 0;
};
struct ammunition {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    int rounds = 7;
};
struct scratches {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden);
    static constexpr auto kept_in = ecs::storage::sparse;
    std::vector<int> depths;
};

TEST(relation_failures, operation_that_ran_out_of_memory_can_be_repeated) {
    std::size_t failures = 0;
    EXPECT_TRUE(rc::check("any operations, any failures", [&] {
        const auto bytes = *rc::gen::resize(300, rc::gen::arbitrary<std::vector<std::uint8_t>>());
        const std::string wrong =
            relation_model::differences(bytes, 4, {.memory = {&allocation_fuse, &failures}});
        if (!wrong.empty()) RC_FAIL(wrong);
    }));
    EXPECT_GT(failures, 0U) << "the injection works";
}

/// A relation ends, then come one to oneself and one to another, which brings a symmetric one along.
TEST(relation_failures, what_came_along_without_its_mirror_image_is_completed) {
    std::size_t failures = 0;
    for (unsigned fuse = 0; fuse < 32; ++fuse) {
        const auto failing_add = static_cast<std::uint8_t>(fuse * 8 + 5);
        const std::vector<std::uint8_t> operations{0, 1, 0, 0, 5, 0, 10, 0, failing_add, 0, 13, 2};
        EXPECT_EQ(relation_model::differences(operations, 1, {.memory = {&allocation_fuse, &failures}}), "")
            << fuse;
    }
    EXPECT_GT(failures, 0U);
}

/// Runs out of memory at the n-th allocation, for every n there is, and then repeats the operation.
template <class Prepare, class Operation, class Check>
void fail_everywhere(Prepare prepare, Operation operation, Check check) {
    int fuse = 0;
    for (int failed = 1; failed != 0; ++fuse) {
        failed = 0;
        ecs::world world;
        auto scene = prepare(world);
        allocation_fuse = fuse;
        try {
            operation(world, scene);
        } catch (const std::bad_alloc&) {
            failed = 1;
        }
        allocation_fuse = -1;
        if (failed != 0) operation(world, scene);
        check(world, scene, fuse);
    }
    EXPECT_GT(fuse, 1) << "the injection works";
}

TEST(relation_failures, sources_are_replaced_when_it_is_repeated) {
    for (const bool listed : {false, true}) {
        const auto prepare = [&](ecs::world& world) {
            std::vector<entity> all = world.spawn_n(12);
            world.add(all[0], listed ? ecs::non_fragmenting : ecs::tag_only);
            for (std::size_t i = 2; i < 7; ++i) world.add(all[i], pair(all[0], all[1]));
            return all;
        };
        const auto to_be = [](const std::vector<entity>& all) {
            return std::vector{all[9], all[5], all[8], all[2], all[7]};
        };
        fail_everywhere(
            prepare,
            [&](ecs::world& world, const std::vector<entity>& all) {
                EXPECT_TRUE(succeeded(world.replace_sources(all[1], to_be(all), all[0])));
            },
            [&](ecs::world& world, const std::vector<entity>& all, int fuse) {
                std::vector<entity> found = world.sources(all[1], all[0]), expected = to_be(all);
                if (!listed) std::ranges::sort(found), std::ranges::sort(expected);
                EXPECT_EQ(found, expected) << "fuse " << fuse;
                EXPECT_EQ(world.query().with(pair(all[0], all[1])).count(), 5U) << "fuse " << fuse;
            });
    }
}

TEST(relation_failures, tree_ends_as_a_whole_when_its_end_is_repeated) {
    const auto prepare = [](ecs::world& world) {
        std::vector<entity> all{world.spawn()};
        const entity likes = world.spawn();
        for (std::size_t i = 0; i < 20; ++i) {
            const entity child = world.spawn();
            world.add(child, pair(child_of, all[i / 2]));
            world.add(child, pair(likes, all[i / 3]));
            all.push_back(child);
        }
        return all;
    };
    fail_everywhere(
        prepare, [](ecs::world& world, const std::vector<entity>& all) { world.despawn(all[0]); },
        [](ecs::world& world, const std::vector<entity>& all, int fuse) {
            for (const entity e : all) EXPECT_FALSE(world.alive(e)) << "fuse " << fuse;
            EXPECT_EQ(world.query().with(pair(child_of, ecs::any)).count(), 0U);
        });
}

TEST(relation_failures, tree_becomes_a_prefab_as_a_whole_when_that_is_repeated) {
    for (const bool marks : {false, true}) {
        const auto prepare = [&](ecs::world& world) {
            std::vector<entity> all = world.spawn_n(12, 5);
            for (std::size_t i = 1; i < all.size(); ++i) world.add(all[i], pair(child_of, all[(i - 1) / 2]));
            all.push_back(marks ? all[0] : world.prefab());
            return all;
        };
        fail_everywhere(
            prepare,
            [&](ecs::world& world, const std::vector<entity>& all) {
                EXPECT_TRUE(succeeded(marks ? world.add(all[0], ecs::prefab_tag)
                                            : world.add(all[0], pair(child_of, all.back()))));
            },
            [](ecs::world& world, const std::vector<entity>& all, int fuse) {
                for (const entity e : all) EXPECT_TRUE(world.has(e, ecs::prefab_tag)) << "fuse " << fuse;
            });
    }
}

TEST(relation_failures, prefab_is_instantiated_as_a_whole_or_not_at_all) {
    struct scene {
        entity prefab, heir;
    };
    const auto prepare = [](ecs::world& world) {
        const entity prefab = world.prefab(1);
        for (const char* const text : {"A", "B", "C"}) {
            const entity part = world.spawn(text);
            world.add(part, pair(child_of, prefab));
            world.add(world.spawn("D"), pair(child_of, part));
        }
        world.add(prefab, ecs::type_flags::auto_override | ecs::id(world.component<int>()));
        world.set(prefab, ammunition{3});
        world.set(world.lookup(prefab, "B/D"), ammunition{4});
        world.set(prefab, scratches{{1, 2, 3}});
        world.add(world.lookup(prefab, "A"), world.pair_to<likes>(world.lookup(prefab, "C")));
        world.add(prefab, world.pair_to<likes>(world.lookup(prefab, "B/D")));
        return scene{prefab, world.spawn()};
    };
    fail_everywhere(
        prepare, [](ecs::world& world, const scene& s) { world.add(s.heir, pair(ecs::is_a, s.prefab)); },
        [](ecs::world& world, const scene& s, int fuse) {
            EXPECT_EQ(world.breadth_first(s.heir).size(), 6U) << "fuse " << fuse;
            EXPECT_EQ(world.children(s.heir).size(), 3U) << "fuse " << fuse;
            ASSERT_TRUE(world.lookup(s.heir, "B/D")) << "fuse " << fuse;
            EXPECT_EQ(world.query<const ammunition>().count(), 2U) << "fuse " << fuse;
            EXPECT_NE(&world.get<scratches>(s.heir), &world.get<scratches>(s.prefab)) << "fuse " << fuse;
            EXPECT_EQ(world.ids(s.heir).size(), 5U) << "fuse " << fuse;
            EXPECT_EQ(world.target_of<likes>(s.heir), world.lookup(s.heir, "B/D")) << "fuse " << fuse;
            EXPECT_EQ(world.target_of<likes>(world.lookup(s.heir, "A")), world.lookup(s.heir, "C"))
                << "fuse " << fuse;
            EXPECT_EQ(world.query().with(pair(ecs::is_a, ecs::any)).count(), 7U) << "fuse " << fuse;
        });
}

TEST(relation_failures, instances_that_could_not_be_brought_up_to_date_are_when_it_is_repeated) {
    struct scene {
        entity prefab;
        std::vector<entity> heirs;
    };
    const auto prepare = [](ecs::world& world) {
        scene made{world.prefab(), {}};
        const entity part = world.spawn("A");
        world.add(part, pair(child_of, made.prefab));
        const entity variant = world.prefab();
        for (const entity heir : {world.spawn(), variant, world.spawn()}) {
            const bool is_last = made.heirs.size() == 2;
            world.add(heir, pair(ecs::is_a, is_last ? variant : made.prefab));
            made.heirs.push_back(heir);
        }
        for (const char* const text : {"B", "C"}) {
            const entity late = world.spawn(text);
            world.add(late, pair(child_of, part));
            world.add(late, world.pair_to<likes>(part));
            world.set(late, ammunition{4});
        }
        world.set(part, scratches{{1, 2}});
        return made;
    };
    fail_everywhere(
        prepare, [](ecs::world& world, const scene& s) { std::ignore = world.sync(s.prefab); },
        [](ecs::world& world, const scene& s, int fuse) {
            EXPECT_EQ(world.sync(s.prefab), 0U) << "fuse " << fuse;
            for (const entity heir : s.heirs) {
                EXPECT_EQ(world.breadth_first(heir).size(), 3U) << "fuse " << fuse;
                for (const char* const path : {"A/B", "A/C"}) {
                    const entity part = world.lookup(heir, path);
                    ASSERT_TRUE(part) << "fuse " << fuse;
                    EXPECT_EQ(world.target_of<likes>(part), world.lookup(heir, "A")) << "fuse " << fuse;
                }
            }
            EXPECT_EQ(
                world.query().with(pair(world.component<likes>(), ecs::any)).with(ecs::prefab_tag).count(),
                4U)
                << "fuse " << fuse;
            EXPECT_EQ(world.entities().size(), 4U + 3U * 4U) << "fuse " << fuse;
        });
}

TEST(relation_failures, tree_is_copied_as_a_whole_or_not_at_all) {
    struct scene {
        entity root;
        std::size_t entities;
    };
    const auto prepare = [](ecs::world& world) {
        const entity root = world.spawn(ammunition{1});
        const entity friends = world.spawn();
        world.add(friends, ecs::symmetric);
        world.add(root, pair(ecs::is_a, world.prefab(scratches{{1}})));
        for (const char* const text : {"A", "B", "C"}) {
            const entity part = world.spawn(text, scratches{{2, 3}});
            world.add(part, pair(child_of, root));
            world.add(part, world.pair_to<likes>(root));
            world.add(part, pair(friends, world.lookup(root, "A")));
        }
        return scene{root, world.entities().size()};
    };
    fail_everywhere(
        prepare,
        [](ecs::world& world, const scene& s) {
            try {
                std::ignore = world.clone_tree(s.root);
            } catch (const std::bad_alloc&) {
                allocation_fuse = -1;
                EXPECT_EQ(world.entities().size(), s.entities) << "nothing is left";
                throw;
            }
        },
        [](ecs::world& world, const scene& s, int fuse) {
            EXPECT_EQ(world.entities().size(), s.entities + 4U) << "fuse " << fuse;
            const entity copy = world.sources(world.target_of(s.root, ecs::is_a), ecs::is_a).back();
            EXPECT_EQ(world.sources<likes>(copy).size(), 3U) << "fuse " << fuse;
            EXPECT_EQ(world.lookup(copy, "B") == world.lookup(s.root, "B"), copy == s.root) << fuse;
        });
}

TEST(relation_failures, declaration_that_failed_can_be_repeated) {
    struct scene {
        entity relation, group, a;
    };
    const auto prepare = [](ecs::world& world) { return scene{world.spawn(), world.spawn(), world.spawn()}; };
    const auto declare = [](ecs::world& world, const scene& s) {
        world.add(s.relation, ecs::non_fragmenting);
        world.add(s.relation, ecs::acyclic);
        world.add(s.relation, pair(ecs::with, s.group));
        world.add(s.relation, pair(ecs::on_delete_target, ecs::refuse_it));
    };
    fail_everywhere(prepare, declare, [](ecs::world& world, const scene& s, int fuse) {
        EXPECT_EQ(world.add(s.a, pair(s.relation, s.a)), ecs::add_result::would_make_a_cycle) << fuse;
        const entity b = world.spawn();
        EXPECT_EQ(world.add(s.a, pair(s.relation, b)), ecs::add_result::added) << fuse;
        EXPECT_TRUE(world.has(s.a, pair(s.group, b))) << fuse;
        EXPECT_FALSE(world.despawn(b)) << fuse;
    });
}

struct married {
    static constexpr auto properties = ecs::properties(ecs::exclusive, ecs::symmetric);
};

TEST(relation_failures, search_that_is_repeated_finds_each_answer_once) {
    fail_everywhere(
        [](ecs::world& world) {
            const std::vector<entity> all = world.spawn_n(12);
            world.add(all[1], pair(all[0], all[2]));
            auto search = world.query().with(pair(all[0], ecs::var("x")));
            EXPECT_EQ(search.count(), 1U);
            for (std::size_t i = 3; i != all.size(); ++i) world.add(all[i], pair(all[0], all[i - 1]));
            return std::pair(std::move(search), std::size_t{});
        },
        [](ecs::world&, auto& scene) { scene.second = scene.first.count(); },
        [](ecs::world&, const auto& scene, int fuse) { EXPECT_EQ(scene.second, 10U) << "fuse " << fuse; });
}

struct news {
    ecs::query<const plain> changed;
    std::size_t found{};
};

/// Looks at what is new in eight rows, in a loop that runs out of memory before it comes to one of them, and
/// then again.
void expect_news(std::size_t expected, bool sorted, const auto& loop) {
    fail_everywhere(
        [&](ecs::world& world) {
            for (int i = 0; i < 8; ++i) std::ignore = world.spawn(plain{i});
            news made{world.query<const plain>().changed<plain>(), 0};
            if (sorted) made.changed.sort_by([](entity a, entity b) { return a.index() < b.index(); });
            return made;
        },
        [&](ecs::world&, news& scene) { loop(scene); },
        [&](ecs::world&, const news& scene, int fuse) {
            EXPECT_EQ(scene.found, expected) << "fuse " << fuse;
        });
}

TEST(relation_failures, loop_that_came_to_no_row_finds_the_news_when_it_is_repeated) {
    const auto each = [](news& scene) { scene.changed.each([&](const plain&) { ++scene.found; }); };
    expect_news(8, false, each);
    expect_news(8, true, each);
    expect_news(8, false, [](news& scene) {
        scene.changed.each_chunk([&](std::span<const plain> run) { scene.found += run.size(); });
    });
    expect_news(28, false, [](news& scene) {
        scene.changed.each_pair([&](const auto&, const auto&) { ++scene.found; });
    });
    expect_news(8, false, [](news& scene) {
        ecs::inline_executor here;
        scene.changed.par_each(here, [&](const plain&) { ++scene.found; });
    });
}

TEST(relation_failures, search_that_came_to_no_entity_finds_the_news_when_it_is_repeated) {
    fail_everywhere(
        [](ecs::world& world) {
            const entity e = world.spawn(plain{1}), likes_it = world.spawn();
            world.add(e, pair(likes_it, e));
            auto search = world.query<const plain>().changed<plain>().with(pair(likes_it, ecs::var("x")));
            return std::pair(std::move(search), std::size_t{});
        },
        [](ecs::world&, auto& scene) { scene.first.each([&](const plain&) { ++scene.second; }); },
        [](ecs::world&, const auto& scene, int fuse) { EXPECT_EQ(scene.second, 1U) << "fuse " << fuse; });
}

struct asking {
    std::vector<entity> all;
    ecs::query<const ecs::matched> query;
};

TEST(relation_failures, term_that_is_added_again_hands_out_what_it_matched) {
    fail_everywhere(
        [](ecs::world& world) {
            const std::vector<entity> all = world.spawn_n(3);
            world.add(all[1], pair(all[0], all[2]));
            return asking{all, world.query<const ecs::matched>()};
        },
        [](ecs::world&, asking& scene) { scene.query.with(pair(scene.all[0], ecs::any)); },
        [](ecs::world&, asking& scene, int fuse) {
            std::vector<entity> targets;
            scene.query.each([&](const ecs::matched& m) { targets.push_back(m.target); });
            EXPECT_EQ(targets, std::vector{scene.all[2]}) << "fuse " << fuse;
        });
}

TEST(relation_failures, condition_that_is_added_again_is_the_same) {
    fail_everywhere(
        [](ecs::world& world) {
            const std::vector<entity> all = world.spawn_n(4);
            world.add(all[2], all[0]);
            world.add(all[3], all[1]);
            return asking{all, world.query<const ecs::matched>()};
        },
        [](ecs::world&, asking& scene) {
            scene.query.where(ecs::has_id(scene.all[0]) || ecs::has_id(scene.all[1]));
        },
        [](ecs::world&, asking& scene, int fuse) { EXPECT_EQ(scene.query.count(), 2U) << "fuse " << fuse; });
}

TEST(relation_failures, type_is_registered_with_all_its_properties) {
    fail_everywhere([](ecs::world&) { return 0; },
                    [](ecs::world& world, int) { std::ignore = world.component<married>(); },
                    [](ecs::world& world, int, int fuse) {
                        const entity relation = world.component<married>();
                        EXPECT_TRUE(world.has(relation, ecs::exclusive)) << "fuse " << fuse;
                        EXPECT_TRUE(world.has(relation, ecs::symmetric)) << "fuse " << fuse;
                        EXPECT_EQ(world.name_of(relation), "") << "fuse " << fuse;
                    });
}

struct kept_in_place {
    static constexpr auto kept_in = ecs::storage::in_place;
    int value = 0;
};

/// More than a chunk has room for.
constexpr std::size_t rows_of_two_chunks = 9000;

bool are_there(const ecs::world& world, std::vector<entity> all) {
    std::vector<entity> found = world.entities();
    std::ranges::sort(found);
    std::ranges::sort(all);
    return std::ranges::includes(found, all);
}

TEST(relation_failures, entities_without_rows_get_them_together_or_not_at_all) {
    fail_everywhere(
        [](ecs::world& world) {
            std::vector<entity> all = world.spawn_n(rows_of_two_chunks);
            world.add<plain>(all[0]);
            world.disable<plain>(all[0]);
            world.remove<plain>(all[0]);
            return all;
        },
        [](ecs::world& world, const std::vector<entity>& all) {
            try {
                std::ignore = world.component<kept_in_place>();
            } catch (const std::bad_alloc&) {
                allocation_fuse = -1;
                EXPECT_TRUE(are_there(world, all));
                throw;
            }
        },
        [](ecs::world& world, const std::vector<entity>& all, int fuse) {
            EXPECT_TRUE(are_there(world, all)) << "fuse " << fuse;
            world.set(all.back(), kept_in_place{3});
            EXPECT_EQ(world.query<const kept_in_place>().count(), 1U) << "fuse " << fuse;
        });
}

TEST(relation_failures, table_whose_values_could_not_be_hidden_can_be_copied) {
    fail_everywhere([](ecs::world& world) { return world.spawn_n(rows_of_two_chunks, plain{1}); },
                    [](ecs::world& world, const std::vector<entity>& all) {
                        try {
                            world.disable<plain>(all[1]);
                        } catch (const std::bad_alloc&) {
                            allocation_fuse = -1;
                            world.restore(world.snapshot());
                            EXPECT_EQ(world.query<const plain>().count(), all.size());
                            throw;
                        }
                    },
                    [](ecs::world& world, const std::vector<entity>& all, int fuse) {
                        EXPECT_EQ(world.query<const plain>().count(), all.size() - 1) << "fuse " << fuse;
                    });
}

TEST(relation_failures, observer_of_what_is_above_is_told_when_the_set_is_repeated) {
    struct scene {
        entity car;
        std::shared_ptr<int> told;
    };
    fail_everywhere(
        [](ecs::world& world) {
            const scene made{world.spawn(), std::make_shared<int>(0)};
            for (int i = 0; i < 3; ++i) world.spawn(ammunition{}, pair(child_of, made.car));
            world.observe<ecs::event::set>(world.query<const ammunition, ecs::up<const plain>>(),
                                           [told = made.told](const ammunition&, const plain&) { ++*told; });
            return made;
        },
        [](ecs::world& world, const scene& s) {
            *s.told = 0;
            world.set(s.car, plain{4});
        },
        [](ecs::world& world, const scene& s, int fuse) {
            EXPECT_EQ(world.get<plain>(s.car).value, 4) << "fuse " << fuse;
            EXPECT_EQ(*s.told, 3) << "fuse " << fuse;
        });
}

/// Two entities with targets in columns, in tables of their own.
TEST(relation_failures, lists_of_a_relation_whose_end_failed_name_who_has_its_pairs) {
    struct scene {
        entity relation, target;
        std::vector<entity> sources;
    };
    fail_everywhere(
        [](ecs::world& world) {
            const scene made{world.spawn(), world.spawn(), {world.spawn(plain{}), world.spawn(ammunition{})}};
            world.add(made.relation, ecs::non_fragmenting);
            for (const entity e : made.sources) world.add(e, pair(made.relation, made.target));
            return made;
        },
        [](ecs::world& world, const scene& s) {
            try {
                world.despawn(s.relation);
            } catch (const std::bad_alloc&) {
                allocation_fuse = -1;
                for (const entity e : s.sources) {
                    const std::vector<entity> listed = world.sources(s.target, s.relation);
                    EXPECT_EQ(std::ranges::count(listed, e), world.has(e, pair(s.relation, s.target)));
                }
                throw;
            }
        },
        [](ecs::world& world, const scene& s, int fuse) {
            EXPECT_FALSE(world.alive(s.relation)) << "fuse " << fuse;
            world.despawn(s.target);
            EXPECT_TRUE(world.alive(s.sources[0]) && world.alive(s.sources[1])) << "fuse " << fuse;
        });
}

TEST(relation_failures, companion_whose_end_failed_still_comes_along) {
    struct scene {
        entity leader, companion;
    };
    fail_everywhere(
        [](ecs::world& world) {
            const scene made{world.spawn(), world.spawn()};
            world.add(made.leader, pair(ecs::with, made.companion));
            return made;
        },
        [](ecs::world& world, const scene& s) {
            try {
                world.despawn(s.companion);
            } catch (const std::bad_alloc&) {
                allocation_fuse = -1;
                const bool is_said = world.has(s.leader, pair(ecs::with, s.companion));
                const entity e = world.spawn();
                world.add(e, s.leader);
                EXPECT_EQ(world.has(e, s.companion), is_said);
                throw;
            }
        },
        [](ecs::world& world, const scene& s, int fuse) {
            EXPECT_FALSE(world.alive(s.companion)) << "fuse " << fuse;
        });
}

/// What was asked for before the entity got children has to see that it has none when it has ended.
TEST(relation_failures, children_of_an_entity_that_got_none_end_with_it) {
    bool failed = true;
    for (int fuse = 0; failed; ++fuse) {
        ecs::world world;
        const entity parent = world.spawn();
        failed = false;
        allocation_fuse = fuse;
        try {
            std::ignore = world.spawn_children(parent, 5, plain{});
        } catch (const std::bad_alloc&) {
            failed = true;
        }
        allocation_fuse = -1;
        auto children = world.children(parent);
        world.despawn(parent);
        const entity heir = world.spawn();
        std::ignore = world.spawn_children(heir, 1, plain{});
        EXPECT_EQ(std::ranges::distance(children.begin(), children.end()), 0) << "fuse " << fuse;
    }
}

} // namespace
