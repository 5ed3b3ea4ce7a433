// SPDX-License-Identifier: MIT
// Types whose properties contradict themselves are refused where the world first meets them.
import ecs.world;

struct other {};
struct health {};

#ifdef ECS_EXPECT_OK
struct relation {
    static constexpr auto properties =
        ecs::properties(ecs::exclusive, ecs::acyclic, ecs::non_fragmenting, ecs::ordered,
                        ecs::with_type<other>, ecs::needs_type<other>, ecs::permanent, ecs::relation_only,
                        ecs::single_source, ecs::one_of_type<other>, ecs::excludes_type<health>,
                        ecs::pair(ecs::on_delete_target, ecs::delete_it));
};
ecs::entity meet(ecs::world& world, relation) { return world.component<relation>(); }
#else
// refused: symmetric contradicts acyclic: a pair and its mirror image
struct symmetric_and_acyclic {
    static constexpr auto properties = ecs::properties(ecs::symmetric, ecs::acyclic);
};
ecs::entity meet(ecs::world& world, symmetric_and_acyclic) {
    return world.component<symmetric_and_acyclic>();
}

// refused: reflexive contradicts acyclic
struct reflexive_and_acyclic {
    static constexpr auto properties = ecs::properties(ecs::acyclic, ecs::reflexive);
};
ecs::entity meet(ecs::world& world, reflexive_and_acyclic) {
    return world.component<reflexive_and_acyclic>();
}

// refused: inheritable contradicts not_inheritable
struct inheritable_and_not {
    static constexpr auto properties = ecs::properties(ecs::inheritable, ecs::not_inheritable);
};
ecs::entity meet(ecs::world& world, inheritable_and_not) { return world.component<inheritable_and_not>(); }

// refused: auto_overridden contradicts not_inheritable
struct copied_and_not_inheritable {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden, ecs::not_inheritable);
};
ecs::entity meet(ecs::world& world, copied_and_not_inheritable) {
    return world.component<copied_and_not_inheritable>();
}

// refused: target_only contradicts relation_only
struct relation_only_and_target_only {
    static constexpr auto properties = ecs::properties(ecs::relation_only, ecs::target_only);
};
ecs::entity meet(ecs::world& world, relation_only_and_target_only) {
    return world.component<relation_only_and_target_only>();
}

// refused: target_only contradicts relation_only
struct target_only_and_symmetric {
    static constexpr auto properties = ecs::properties(ecs::target_only, ecs::symmetric);
};
ecs::entity meet(ecs::world& world, target_only_and_symmetric) {
    return world.component<target_only_and_symmetric>();
}

// refused: single_source contradicts symmetric
struct single_source_and_symmetric {
    static constexpr auto properties = ecs::properties(ecs::single_source, ecs::symmetric);
};
ecs::entity meet(ecs::world& world, single_source_and_symmetric) {
    return world.component<single_source_and_symmetric>();
}

// refused: single_source contradicts inheritable
struct single_source_and_inheritable {
    static constexpr auto properties = ecs::properties(ecs::inheritable, ecs::single_source);
};
ecs::entity meet(ecs::world& world, single_source_and_inheritable) {
    return world.component<single_source_and_inheritable>();
}

// refused: singleton contradicts what is part of pairs alone
struct singleton_and_exclusive {
    static constexpr auto properties = ecs::properties(ecs::singleton, ecs::exclusive);
};
ecs::entity meet(ecs::world& world, singleton_and_exclusive) {
    return world.component<singleton_and_exclusive>();
}

// refused: singleton contradicts what is part of pairs alone
struct singleton_and_target_only {
    static constexpr auto properties = ecs::properties(ecs::target_only, ecs::singleton);
};
ecs::entity meet(ecs::world& world, singleton_and_target_only) {
    return world.component<singleton_and_target_only>();
}

// refused: single_source contradicts auto_overridden
struct single_source_and_copied {
    static constexpr auto properties = ecs::properties(ecs::auto_overridden, ecs::single_source);
};
ecs::entity meet(ecs::world& world, single_source_and_copied) {
    return world.component<single_source_and_copied>();
}

// refused: tag_only contradicts a value
struct tag_only_with_a_value {
    static constexpr auto properties = ecs::properties(ecs::tag_only);
    int value;
};
ecs::entity meet(ecs::world& world, tag_only_with_a_value) {
    return world.component<tag_only_with_a_value>();
}

// refused: non_fragmenting contradicts kept_in
struct non_fragmenting_outside_tables {
    static constexpr auto properties = ecs::properties(ecs::non_fragmenting);
    static constexpr auto kept_in = ecs::storage::sparse;
    int value;
};
ecs::entity meet(ecs::world& world, non_fragmenting_outside_tables) {
    return world.component<non_fragmenting_outside_tables>();
}

// refused: ordered needs non_fragmenting
struct ordered_without_lists {
    static constexpr auto properties = ecs::properties(ecs::ordered);
};
ecs::entity meet(ecs::world& world, ordered_without_lists) {
    return world.component<ordered_without_lists>();
}

// refused: a property is declared twice
struct two_policies {
    static constexpr auto properties =
        ecs::properties(ecs::pair(ecs::on_delete, ecs::delete_it), ecs::pair(ecs::on_delete, ecs::refuse_it));
};
ecs::entity meet(ecs::world& world, two_policies) { return world.component<two_policies>(); }

// refused: a component comes with itself
struct comes_with_itself {
    static constexpr auto properties = ecs::properties(ecs::with_type<comes_with_itself>);
};
ecs::entity meet(ecs::world& world, comes_with_itself) { return world.component<comes_with_itself>(); }

// refused: a component comes with itself
struct each_other;
struct come_with_each_other {
    static constexpr auto properties = ecs::properties(ecs::with_type<each_other>);
};
struct each_other {
    static constexpr auto properties = ecs::properties(ecs::with_type<come_with_each_other>);
};
ecs::entity meet(ecs::world& world, come_with_each_other) { return world.component<come_with_each_other>(); }

// refused: a component excludes itself: nobody could have it
struct excludes_itself {
    static constexpr auto properties = ecs::properties(ecs::excludes_type<excludes_itself>);
};
ecs::entity meet(ecs::world& world, excludes_itself) { return world.component<excludes_itself>(); }

// refused: a component comes with itself: with_type or needs_type leads back
struct needs_itself {
    static constexpr auto properties = ecs::properties(ecs::needs_type<needs_itself>);
};
ecs::entity meet(ecs::world& world, needs_itself) { return world.component<needs_itself>(); }

// refused: a component comes with itself: with_type or needs_type
struct what_comes_with_it;
struct needs_what_comes_with_it {
    static constexpr auto properties = ecs::properties(ecs::needs_type<what_comes_with_it>);
};
struct what_comes_with_it {
    static constexpr auto properties = ecs::properties(ecs::with_type<needs_what_comes_with_it>);
};
ecs::entity meet(ecs::world& world, needs_what_comes_with_it) {
    return world.component<needs_what_comes_with_it>();
}

// refused: a component excludes what it needs: nobody could have it
struct needs_a_rival {
    static constexpr auto properties = ecs::properties(ecs::needs_type<health>, ecs::excludes_type<health>);
};
ecs::entity meet(ecs::world& world, needs_a_rival) { return world.component<needs_a_rival>(); }

// refused: a component excludes what it needs
struct what_excludes_it;
struct needs_what_excludes_it {
    static constexpr auto properties = ecs::properties(ecs::needs_type<what_excludes_it>);
};
struct what_excludes_it {
    static constexpr auto properties = ecs::properties(ecs::excludes_type<needs_what_excludes_it>);
};
ecs::entity meet(ecs::world& world, needs_what_excludes_it) {
    return world.component<needs_what_excludes_it>();
}

// refused: a list of properties takes exclusive and the like
struct no_property {
    static constexpr auto properties = ecs::properties(ecs::child_of);
};
ecs::entity meet(ecs::world& world, no_property) { return world.component<no_property>(); }

// refused: where values are kept is another line: static constexpr auto kept_in
struct kept_by_a_property {
    static constexpr auto properties = ecs::properties(ecs::storage::sparse);
    int value;
};
ecs::entity meet(ecs::world& world, kept_by_a_property) { return world.component<kept_by_a_property>(); }

// refused: a list of properties takes exclusive and the like
struct policy_without_a_policy {
    static constexpr auto properties = ecs::properties(ecs::pair(ecs::on_delete, ecs::child_of));
};
ecs::entity meet(ecs::world& world, policy_without_a_policy) {
    return world.component<policy_without_a_policy>();
}
#endif
