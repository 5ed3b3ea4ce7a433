// SPDX-License-Identifier: MIT
#include "scenario.hpp"
#include <algorithm>
#include <vector>

import ecs;

#include "market.hpp"

namespace economy {

market::market(const scenario& plan) {
    add_names(plan);
    add_pairs(plan);
}

void market::add_names(const scenario& plan) {
    for (const std::string& good : plan.goods) world_.spawn(good, Good{});
    for (const town_plan& town : plan.towns) world_.spawn(town.name, Town{});
    for (const owner_plan& owner : plan.owners) world_.spawn(owner.name, Owner{});
    for (const workshop_plan& workshop : plan.workshops) world_.spawn(workshop.name, Workshop{});
}

void market::add_pairs(const scenario& plan) {
    for (const town_plan& town : plan.towns)
        for (const std::string& other : town.ships_to)
            world_.add<ships_to>(world_.lookup(town.name), world_.lookup(other));
    for (const owner_plan& owner : plan.owners) {
        const ecs::entity e = world_.lookup(owner.name);
        for (const std::string& other : owner.friends) world_.add<friend_of>(e, world_.lookup(other));
        set_amounts<owns>(e, owner.owns);
    }
    for (const workshop_plan& workshop : plan.workshops) add_workshop(workshop);
}

void market::add_workshop(const workshop_plan& plan) {
    const ecs::entity e = world_.lookup(plan.name);
    world_.add<owned_by>(e, world_.lookup(plan.owner));
    world_.add<located_in>(e, world_.lookup(plan.town));
    set_amounts<makes>(e, plan.makes);
    set_amounts<uses>(e, plan.uses);
    for (const auto& [good, pieces] : plan.uses)
        world_.add<made_from>(world_.lookup(plan.makes.begin()->first), world_.lookup(good));
}

template <class Relation> void market::set_amounts(ecs::entity of, const amounts& all) {
    for (const auto& [good, pieces] : all) world_.set<Relation>(of, world_.lookup(good), {pieces});
}

int market::stock(ecs::entity owner, ecs::entity good) const {
    const owns* const all = world_.try_get<owns>(owner, good);
    return all ? all->pieces : 0;
}

/// Who has none of a good has no pair either, so that questions need not ask for numbers.
void market::change_stock(ecs::entity owner, ecs::entity good, int pieces) {
    const int left = stock(owner, good) + pieces;
    if (left > 0)
        world_.set<owns>(owner, good, {left});
    else
        world_.remove<owns>(owner, good);
}

day_report market::pass_day() {
    day_report today{0, give()};
    for (const ecs::entity workshop : world_.query<const Workshop>().entities())
        today.workshops_at_work += work(workshop);
    return today;
}

/// One answer after the other is acted on, as long as it still holds.
std::size_t market::give() {
    struct gift {
        ecs::entity from, to, good;
        int pieces;
    };
    std::vector<gift> gifts;
    const ecs::entity own = world_.component<owns>();
    world_.query<const Workshop>()
        .with(ecs::pair(world_.component<uses>(), ecs::var("good")))
        .with(ecs::pair(world_.component<owned_by>(), ecs::var("owner")))
        .without(ecs::pair(own, ecs::var("good")), ecs::var("owner"))
        .with(ecs::pair(world_.component<friend_of>(), ecs::var("friend")), ecs::var("owner"))
        .with(ecs::pair(own, ecs::var("good")), ecs::var("friend"))
        .each([&](ecs::entity e, const Workshop&, const ecs::bindings& found) {
            gifts.push_back(
                {found["friend"], found["owner"], found["good"], world_.get<uses>(e, found["good"]).pieces});
        });
    const auto is_in_vain = [&](const gift& g) {
        if (stock(g.from, g.good) < g.pieces || stock(g.to, g.good) != 0) return true;
        change_stock(g.from, g.good, -g.pieces);
        change_stock(g.to, g.good, g.pieces);
        return false;
    };
    std::ranges::sort(gifts, {}, [](const gift& g) { return std::pair(g.to.index(), g.good.index()); });
    return gifts.size() - std::erase_if(gifts, is_in_vain);
}

bool market::work(ecs::entity workshop) {
    const ecs::entity owner = world_.target_of<owned_by>(workshop);
    const auto needed = world_.targets<uses>(workshop);
    const std::vector<ecs::entity> goods(needed.begin(), needed.end());
    const auto is_there = [&](ecs::entity good) {
        return stock(owner, good) >= world_.get<uses>(workshop, good).pieces;
    };
    if (!std::ranges::all_of(goods, is_there)) return false;
    for (const ecs::entity good : goods) change_stock(owner, good, -world_.get<uses>(workshop, good).pieces);
    const ecs::entity made = world_.target_of<makes>(workshop);
    change_stock(owner, made, world_.get<makes>(workshop, made).pieces);
    return true;
}

} // namespace economy
