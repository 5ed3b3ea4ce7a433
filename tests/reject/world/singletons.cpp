// SPDX-License-Identifier: MIT
// What is asked of the world, and not of an entity, has names of its own.
import ecs.world;

struct waves {
    int number;
};

#ifdef ECS_EXPECT_OK
int use(ecs::world& world) {
    world.set_singleton(waves{1});
    return world.has_singleton<waves>() ? world.singleton<waves>().number : 0;
}
#else
// refused: set gives an entity a value
void set_of_nobody(ecs::world& world) { world.set<waves>({1}); }

// refused: get reads the value of an entity
void get_of_nobody(ecs::world& world) { world.get<waves>(); }

// refused: add gives an entity a component
void add_to_nobody(ecs::world& world) { world.add<waves>(); }

// refused: has asks of an entity
void has_nobody(ecs::world& world) { world.has<waves>(); }
#endif
