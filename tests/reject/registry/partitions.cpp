// SPDX-License-Identifier: MIT
#include <cstdint>

import ecs.id;
import ecs.registry;

using map = ecs::partitions<ecs::layouts::entity, ecs::partition<"clients", 1, 5000>,
                            ecs::partition<"server", 5001, 0xFFFF'FFFF>>;
using client = ecs::partition_id<map, "clients">;

void greet(client);

void use(ecs::basic_registry<ecs::layouts::entity, map>& ids,
         [[maybe_unused]] ecs::basic_concurrent_registry<ecs::layouts::entity, map>& shared) {
#ifdef ECS_EXPECT_OK
    greet(ids.create_typed<"clients">());
    greet(*client::from(ids.create<"clients">()));
    const auto scope = ids.restrict_to<"clients">();
    (void)ids.live_count<"clients">();
    (void)shared.create<"server">();
    auto local = shared.local<"clients">();
    const auto narrow = local.restrict_to<"server">();
#else
    // refused: no matching (member )?function for call to .*restrict_to
    // refused: (Name = |function for call to )[^\n]*"clinets"
    {
        auto local = shared.local<"clients">();
        (void)local.restrict_to<"clinets">();
    }
    // refused: deleted (constructor|function)
    {
        auto local = shared.local<"clients">();
        const auto narrow = local.restrict_to<"server">();
        const auto copy = narrow;
    }
    // refused: the map has no partition of that name
    // refused: (Name = |is_partition_of<)[^\n]*"clinets"
    (void)ids.create<"clinets">();
    // refused: all partitions of the map have names: name the one that is meant
    (void)ids.create();
    // refused: the map has no partition of that name
    (void)shared.create<"sevrer">();
    // refused: no matching (member )?function for call to .*live_count
    // refused: is_partition_of<[^\n]*"clinets"[^\n]*"clients"[^\n]*"server"
    (void)ids.live_count<"clinets">();
    // refused: no matching (member )?function for call to .*restrict_to
    // refused: (Name = |function for call to )[^\n]*"clinets"
    (void)ids.restrict_to<"clinets">();
    // refused: (no matching function for call to .*greet|could not convert)
    // refused: (no known conversion|could not convert .*) from .*basic_id
    greet(ids.create<"clients">());
    // refused: (no matching function for call to .*greet|could not convert)
    // refused: (no known conversion|could not convert .*) from .*"server"
    greet(ids.create_typed<"server">());
    // refused: deleted (constructor|function)
    {
        const auto scope = ids.restrict_to<"clients">();
        const auto copy = scope;
    }
    // refused: (private constructor of class 'ecs::index_range'|index_range.* is private)
    (void)ids.create(ecs::index_range(1, 2, 3));
#endif
}
