// SPDX-License-Identifier: MIT
// The economy as a world. Everything is an entity with a name, and nearly all that is known of it is a pair:
//
//   Mill   Workshop  (makes, flour) 2  (uses, grain)  3  (owned_by, Bob)  (located_in, Brenna)
//   Bob    Owner     (owns, wood) 9    (friend_of, Ann)  (friend_of, Cleo)
//   Brenna Town      (ships_to, Corvin)
//   bread  Good      (made_from, flour)     and, because flour is made from it, (made_from, grain)
//
// Include it after the import.
#pragma once
#include "scenario.hpp"
#include <cstddef>
#include <string>

import ecs;

namespace economy {

struct Good {};
struct Town {};
struct Owner {};
struct Workshop {};

// Relations with a value: so many pieces.

struct makes {
    int pieces;
};
struct uses {
    int pieces;
};
struct owns {
    int pieces;
};

// Relations without.

struct owned_by {
    static constexpr auto properties = ecs::properties(ecs::exclusive);
};
struct located_in {
    static constexpr auto properties = ecs::properties(ecs::exclusive);
};
struct ships_to {};
struct friend_of {
    static constexpr auto properties = ecs::properties(ecs::symmetric);
};
struct made_from {
    static constexpr auto properties = ecs::properties(ecs::transitive);
};

struct day_report {
    std::size_t workshops_at_work{}, gifts{};
};

class market {
  public:
    explicit market(const scenario& plan);

    [[nodiscard]] ecs::world& world() { return world_; }

    /// Friends give what is lacking, if they own it; then every workshop works whose owner has what it needs.
    day_report pass_day();

    /// How many pieces somebody owns.
    [[nodiscard]] int stock(ecs::entity owner, ecs::entity good) const;

  private:
    void add_names(const scenario& plan);
    void add_pairs(const scenario& plan);
    void add_workshop(const workshop_plan& plan);
    template <class Relation> void set_amounts(ecs::entity of, const amounts& all);
    void change_stock(ecs::entity owner, ecs::entity good, int pieces);
    [[nodiscard]] std::size_t give();
    [[nodiscard]] bool work(ecs::entity workshop);

    ecs::world world_;
};

} // namespace economy
