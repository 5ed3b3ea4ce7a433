// SPDX-License-Identifier: MIT
// Notes about members that there are not, or that the compiler does not find, are refused.
#include <boost/hana/define_struct.hpp>
import ecs.world;

struct base {
    int inherited;
};

#ifdef ECS_EXPECT_OK
struct health {
    int points;
    float shares[2];
    static constexpr ecs::member_note member_notes[]{{.member = "points"},
                                                     {.member = "shares", .minimum = 0, .maximum = 1}};
};
struct armour : base {
    int plates;
};
void use(ecs::world& world) { world.component<health>(), world.component<armour>(); }
#else
// refused: a note is of no member that the compiler finds
struct health {
    int points;
    static constexpr ecs::member_note member_notes[]{{.member = "point"}};
};
ecs::entity note_of_no_member(ecs::world& world) { return world.component<health>(); }

// refused: a note is of no member that the compiler finds
struct armour : base {
    int plates;
    static constexpr ecs::member_note member_notes[]{{.member = "plates"}};
};
ecs::entity note_of_an_opaque_type(ecs::world& world) { return world.component<armour>(); }

// refused: a note has bounds that no number is within, or bounds for a member that is no number
struct title {
    const char* text;
    static constexpr ecs::member_note member_notes[]{{.member = "text", .maximum = 3}};
};
ecs::entity bound_of_no_number(ecs::world& world) { return world.component<title>(); }

// refused: a note has bounds that no number is within, or bounds for a member that is no number
struct range {
    int from;
    static constexpr ecs::member_note member_notes[]{{.member = "from", .minimum = 3, .maximum = 2}};
};
ecs::entity bounds_without_a_number(ecs::world& world) { return world.component<range>(); }

// refused: notes are for types whose members the compiler finds
struct plated {
    BOOST_HANA_DEFINE_STRUCT(plated, (int, plates));
    static constexpr ecs::member_note member_notes[]{{.member = "plates"}};
};
ecs::entity note_of_a_type_of_hana(ecs::world& world) { return world.component<plated>(); }
#endif
