// SPDX-License-Identifier: MIT
// Notes about members that there are not, or that the compiler does not find, are refused.
#include <boost/hana/define_struct.hpp>
import ecs.world;

struct base {
    int inherited;
};
struct health {
    int points;
#if defined(NOTE_OF_NO_MEMBER) && !defined(ECS_EXPECT_OK)
    static constexpr ecs::member_note member_notes[]{{.member = "point"}};
#else
    static constexpr ecs::member_note member_notes[]{{.member = "points"}};
#endif
};
#if defined(NOTE_OF_AN_OPAQUE_TYPE) && !defined(ECS_EXPECT_OK)
struct armour : base {
    int plates;
    static constexpr ecs::member_note member_notes[]{{.member = "plates"}};
};
#elif defined(NOTE_OF_A_TYPE_OF_HANA) && !defined(ECS_EXPECT_OK)
struct armour {
    BOOST_HANA_DEFINE_STRUCT(armour, (int, plates));
    static constexpr ecs::member_note member_notes[]{{.member = "plates"}};
};
#else
struct armour : base {
    int plates;
};
#endif

void use(ecs::world& world) { world.component<health>(), world.component<armour>(); }
