// SPDX-License-Identifier: MIT
// Client and server share identifiers: each gives out indices of its own, and takes
// over those of the other.
#include <iostream>
import ecs;

using network = ecs::partitions<ecs::layouts::entity,
                                ecs::partition<"client", 1'000, 9'999'999>,
                                ecs::partition<"server", 10'000'000, 99'999'999>>;
static_assert(ecs::valid_partitions<network>);

int main() {
    ecs::world server(ecs::space_of<network, "server">());
    ecs::world client(ecs::space_of<network, "client">());

    const ecs::entity boss =
        server.spawn("Boss"); // Its handle is sent over the network,
    const ecs::entity here = client.claim(boss); // and the client takes it over.
    const ecs::entity particle =
        client.spawn("Spark"); // Never collides with what the server sends.
    std::cout << boss << " is " << here << " here, and a particle is " << particle
              << '\n';

    client.despawn(here);
    std::cout << (client.claim(boss) ? "claimed again" : "what is dead stays dead")
              << '\n';
}
