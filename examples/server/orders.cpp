// SPDX-License-Identifier: MIT
#include "orders.hpp"
#include <algorithm>

namespace server {

namespace {

/// Most orders hire, so that the match grows.
order_kind kind_of(std::uint64_t chance) {
    switch (chance % 8) {
    case 0: return order_kind::dismiss;
    case 1:
    case 2: return order_kind::send;
    default: return order_kind::hire;
    }
}

} // namespace

network::network(const match_plan& plan, std::uint32_t from) {
    for (std::uint32_t tick = 0; tick < plan.ticks; ++tick)
        for (std::uint32_t player = 0; player < plan.players; ++player)
            send(plan, tick, player, scrambled(plan.seed ^ scrambled(std::uint64_t{tick} << 32 | player)));
    std::erase_if(under_way_, [&](const message& m) { return m.content.tick < from; });
}

/// A player has an order in one tick of eight, and one order of three takes its time.
void network::send(const match_plan& plan, std::uint32_t tick, std::uint32_t player, std::uint64_t chance) {
    if (chance % 8 != 0) return;
    const bool is_late = plan.lag != 0 && (chance >> 8) % 3 == 0;
    const auto delay = is_late ? static_cast<std::uint32_t>(1 + (chance >> 16) % plan.lag) : 0;
    under_way_.push_back(
        {tick + delay,
         {tick, player, sent_++, kind_of(chance >> 32), static_cast<std::uint32_t>(chance >> 40)}});
}

template <class F> std::vector<order> network::take_if(F&& is_wanted) {
    std::vector<order> taken;
    for (const message& m : under_way_)
        if (is_wanted(m)) taken.push_back(m.content);
    std::erase_if(under_way_, is_wanted);
    return taken;
}

std::vector<order> network::take_arrived(std::uint32_t now) {
    return take_if([now](const message& m) { return m.arrives <= now; });
}

std::vector<order> network::take_before(std::uint32_t tick) {
    return take_if([tick](const message& m) { return m.content.tick < tick; });
}

} // namespace server
