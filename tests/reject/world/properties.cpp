// SPDX-License-Identifier: MIT
// Types whose properties contradict themselves are refused where the world first meets them.
import ecs.world;

struct other {};
struct health {};
struct first;
struct second;
struct rival;

struct relation {
#if defined(ECS_EXPECT_OK)
    static constexpr auto properties =
        ecs::properties(ecs::exclusive, ecs::acyclic, ecs::non_fragmenting, ecs::ordered,
                        ecs::with_type<other>, ecs::needs_type<other>, ecs::permanent, ecs::relation_only,
                        ecs::single_source, ecs::one_of_type<other>, ecs::excludes_type<health>,
                        ecs::pair(ecs::on_delete_target, ecs::delete_it));
#elif defined(SYMMETRIC_AND_ACYCLIC)
    static constexpr auto properties = ecs::properties(ecs::symmetric, ecs::acyclic);
#elif defined(REFLEXIVE_AND_ACYCLIC)
    static constexpr auto properties = ecs::properties(ecs::acyclic, ecs::reflexive);
#elif defined(INHERITABLE_AND_NOT)
    static constexpr auto properties = ecs::properties(ecs::inheritable, ecs::not_inheritable);
#elif defined(COPIED_AND_NOT_INHERITABLE)
    static constexpr auto properties = ecs::properties(ecs::auto_overridden, ecs::not_inheritable);
#elif defined(RELATION_ONLY_AND_TARGET_ONLY)
    static constexpr auto properties = ecs::properties(ecs::relation_only, ecs::target_only);
#elif defined(TARGET_ONLY_AND_SYMMETRIC)
    static constexpr auto properties = ecs::properties(ecs::target_only, ecs::symmetric);
#elif defined(SINGLE_SOURCE_AND_SYMMETRIC)
    static constexpr auto properties = ecs::properties(ecs::single_source, ecs::symmetric);
#elif defined(SINGLE_SOURCE_AND_INHERITABLE)
    static constexpr auto properties = ecs::properties(ecs::inheritable, ecs::single_source);
#elif defined(SINGLETON_AND_EXCLUSIVE)
    static constexpr auto properties = ecs::properties(ecs::singleton, ecs::exclusive);
#elif defined(SINGLETON_AND_TARGET_ONLY)
    static constexpr auto properties = ecs::properties(ecs::target_only, ecs::singleton);
#elif defined(SINGLE_SOURCE_AND_COPIED)
    static constexpr auto properties = ecs::properties(ecs::auto_overridden, ecs::single_source);
#elif defined(TAG_ONLY_WITH_A_VALUE)
    static constexpr auto properties = ecs::properties(ecs::tag_only);
    int value;
#elif defined(NON_FRAGMENTING_OUTSIDE_TABLES)
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting);
    static constexpr auto kept_in = ecs::storage::sparse;
    int value;
#elif defined(ORDERED_WITHOUT_LISTS)
    static constexpr auto properties = ecs::properties(ecs::ordered);
#elif defined(TWO_POLICIES)
    static constexpr auto properties =
        ecs::properties(ecs::pair(ecs::on_delete, ecs::delete_it), ecs::pair(ecs::on_delete, ecs::refuse_it));
#elif defined(COMES_WITH_ITSELF)
    static constexpr auto properties = ecs::properties(ecs::with_type<relation>);
#elif defined(COME_WITH_EACH_OTHER)
    static constexpr auto properties = ecs::properties(ecs::with_type<first>);
#elif defined(EXCLUDES_ITSELF)
    static constexpr auto properties = ecs::properties(ecs::excludes_type<relation>);
#elif defined(NEEDS_ITSELF)
    static constexpr auto properties = ecs::properties(ecs::needs_type<relation>);
#elif defined(NEEDS_WHAT_COMES_WITH_IT)
    static constexpr auto properties = ecs::properties(ecs::needs_type<first>);
#elif defined(NEEDS_A_RIVAL)
    static constexpr auto properties = ecs::properties(ecs::needs_type<health>, ecs::excludes_type<health>);
#elif defined(NEEDS_WHAT_EXCLUDES_IT)
    static constexpr auto properties = ecs::properties(ecs::needs_type<rival>);
#elif defined(NO_PROPERTY)
    static constexpr auto properties = ecs::properties(ecs::child_of);
#elif defined(POLICY_WITHOUT_A_POLICY)
    static constexpr auto properties = ecs::properties(ecs::pair(ecs::on_delete, ecs::child_of));
#endif
};
struct first {
    static constexpr auto properties = ecs::properties(ecs::with_type<second>);
};
struct second {
#if defined(COME_WITH_EACH_OTHER) && !defined(ECS_EXPECT_OK)
    static constexpr auto properties = ecs::properties(ecs::with_type<first>);
#elif defined(NEEDS_WHAT_COMES_WITH_IT) && !defined(ECS_EXPECT_OK)
    static constexpr auto properties = ecs::properties(ecs::with_type<relation>);
#endif
};
struct rival {
    static constexpr auto properties = ecs::properties(ecs::excludes_type<relation>);
};

ecs::entity use(ecs::world& world) { return world.component<relation>(); }
