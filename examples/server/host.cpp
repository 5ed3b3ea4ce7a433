// SPDX-License-Identifier: MIT
#include "orders.hpp"
#include "save_file.hpp"
#include <algorithm>
#include <deque>
#include <span>

import ecs;

#include "game.hpp"
#include "host.hpp"

namespace server {

host::host(const match_plan& plan, unsigned threads)
    : plan_(plan), network_(plan), game_(plan.players, plan.seed, threads), orders_(plan.ticks) {}

host::host(const saved_match& saved, unsigned threads) : host(saved.plan, threads) {
    ecs::load(game_.world(), saved.world);
    network_ = network(saved.plan, game_.now());
}

void host::advance() {
    receive(network_.take_arrived(game_.now()));
    play();
}

/// All that are late together are one way back, to the earliest of their ticks.
void host::receive(const std::vector<order>& orders) {
    std::uint32_t earliest = game_.now();
    for (const order& o : orders) {
        put_in_order(o);
        ++report_.orders;
        report_.late_orders += o.tick < game_.now();
        earliest = std::min(earliest, o.tick);
    }
    if (earliest < game_.now()) replay_from(earliest);
}

/// Orders of a tick happen in the order in which they were given, whenever they arrive.
void host::put_in_order(const order& o) {
    std::vector<order>& all = orders_[o.tick];
    all.insert(std::ranges::upper_bound(all, o.number, {}, &order::number), o);
}

void host::replay_from(std::uint32_t tick) {
    const std::uint32_t now = game_.now();
    const std::size_t again = now - tick;
    ++report_.rollbacks;
    report_.ticks_again += again;
    game_.world().rewind(past_[past_.size() - again]);
    past_.erase(past_.end() - static_cast<std::ptrdiff_t>(again), past_.end());
    while (game_.now() != now) play();
}

void host::play() {
    past_.push_back(game_.world().snapshot());
    if (past_.size() > std::size_t{plan_.lag} + 1) past_.pop_front();
    game_.tick(orders_[game_.now()]);
}

void host::settle() { receive(network_.take_before(game_.now())); }

void host::save(const std::filesystem::path& file) { write_save(file, {plan_, ecs::save(game_.world())}); }

} // namespace server
