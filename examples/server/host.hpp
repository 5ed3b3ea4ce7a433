// SPDX-License-Identifier: MIT
// A server: plays tick after tick with the orders that are there, goes back when one arrives for a tick that
// is over, and plays these ticks again. Include it after the import.
#pragma once
#include "orders.hpp"
#include "save_file.hpp"
#include <cstdint>
#include <deque>
#include <filesystem>
#include <vector>

import ecs;

#include "game.hpp"

namespace server {

struct host_report {
    std::size_t orders, late_orders, rollbacks, ticks_again;
};

class host {
  public:
    /// Begins a match.
    host(const match_plan& plan, unsigned threads);

    /// Goes on with a match that was saved. Throws ecs::snapshot_error when its bytes are no such world.
    host(const saved_match& saved, unsigned threads);

    /// Plays one tick.
    void advance();

    /// Waits for the orders that are still under way for the ticks until now, so that these stay as they are.
    void settle();

    /// Writes the match into a file. Throws save_error.
    void save(const std::filesystem::path& file);

    [[nodiscard]] game& match() { return game_; }
    [[nodiscard]] const host_report& report() const { return report_; }

  private:
    void receive(const std::vector<order>& orders);
    void put_in_order(const order& o);
    void replay_from(std::uint32_t tick);
    void play();

    match_plan plan_;
    network network_;
    game game_;
    std::vector<std::vector<order>> orders_; ///< Of each tick.
    std::deque<ecs::snapshot> past_;         ///< The world before each of the last ticks.
    host_report report_{};
};

} // namespace server
