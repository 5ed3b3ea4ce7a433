// SPDX-License-Identifier: MIT
// What players ask for, and the network that brings it: some orders come when their tick has been played
// already. Who the players are is left to chance that follows from a number, so that a match can be played
// again.
#pragma once
#include <cstdint>
#include <vector>

namespace server {

enum class order_kind : std::uint8_t {
    hire,   ///< A miner, if there is the gold.
    send,   ///< All miners to another seam.
    dismiss ///< One miner.
};

struct order {
    std::uint32_t tick;   ///< In which it is to happen.
    std::uint32_t player; ///< From 0 on.
    std::uint32_t number; ///< Of the orders of the match: in this order they happen within a tick.
    order_kind kind;
    std::uint32_t choice; ///< Which seam, or which miner.
};

struct match_plan {
    std::uint32_t players = 4;
    std::uint32_t ticks = 300;
    std::uint32_t lag = 12; ///< An order is late by as many ticks at most.
    std::uint64_t seed = 1;
};

constexpr std::uint32_t most_players = 64, most_ticks = 100'000, most_lag = 1000;

/// Whether the numbers are within the bounds.
[[nodiscard]] inline bool is_sound(const match_plan& plan) {
    return plan.players >= 1 && plan.players <= most_players && plan.ticks >= 1 && plan.ticks <= most_ticks &&
           plan.lag <= most_lag;
}

/// Bits that look like chance and follow from the number: splitmix64.
[[nodiscard]] inline std::uint64_t scrambled(std::uint64_t number) {
    number += 0x9E37'79B9'7F4A'7C15U;
    number = (number ^ (number >> 30)) * 0xBF58'476D'1CE4'E5B9U;
    number = (number ^ (number >> 27)) * 0x94D0'49BB'1331'11EBU;
    return number ^ (number >> 31);
}

class network {
  public:
    /// The orders of the match from a tick on.
    explicit network(const match_plan& plan, std::uint32_t from = 0);

    /// What has arrived by now and was not taken yet.
    [[nodiscard]] std::vector<order> take_arrived(std::uint32_t now);

    /// All orders for earlier ticks that are still on their way: waits for them, as it were.
    [[nodiscard]] std::vector<order> take_before(std::uint32_t tick);

  private:
    struct message {
        std::uint32_t arrives; ///< In this tick.
        order content;
    };

    void send(const match_plan& plan, std::uint32_t tick, std::uint32_t player, std::uint64_t chance);
    template <class F> [[nodiscard]] std::vector<order> take_if(F&& is_wanted);

    std::vector<message> under_way_;
    std::uint32_t sent_{};
};

} // namespace server
