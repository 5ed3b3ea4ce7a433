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
#if defined(ECS_EXPECT_OK)
    greet(ids.create_typed<"clients">());
    greet(*client::from(ids.create<"clients">()));
    const auto scope = ids.restrict_to<"clients">();
    (void)ids.live_count<"clients">();
    auto local = shared.local<"clients">();
    const auto narrow = local.restrict_to<"server">();
#elif defined(RESTRICT_A_HANDLE_TO_UNKNOWN_PARTITION)
    auto local = shared.local<"clients">();
    (void)local.restrict_to<"clinets">();
#elif defined(COPY_A_RESTRICTION_OF_A_HANDLE)
    auto local = shared.local<"clients">();
    const auto narrow = local.restrict_to<"server">();
    const auto copy = narrow;
#elif defined(CREATE_IN_UNKNOWN_PARTITION)
    (void)ids.create<"clinets">();
#elif defined(CREATE_WITHOUT_A_NAME)
    (void)ids.create();
#elif defined(COUNT_IN_UNKNOWN_PARTITION)
    (void)ids.live_count<"clinets">();
#elif defined(RESTRICT_TO_UNKNOWN_PARTITION)
    (void)ids.restrict_to<"clinets">();
#elif defined(PLAIN_WHERE_TYPED_IS_NEEDED)
    greet(ids.create<"clients">());
#elif defined(TYPED_BY_ANOTHER_PARTITION)
    greet(ids.create_typed<"server">());
#elif defined(COPY_A_RESTRICTION)
    const auto scope = ids.restrict_to<"clients">();
    const auto copy = scope;
#elif defined(RANGE_OUT_OF_THIN_AIR)
    (void)ids.create(ecs::index_range(1, 2, 3));
#endif
}
