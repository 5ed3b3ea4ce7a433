// SPDX-License-Identifier: MIT
// A world as bytes and back, by a saver and a loader.
module ecs.world;
import ecs.std;

namespace ecs {

std::vector<std::byte> save(const world& from) {
    std::vector<std::byte> saved;
    save(from, saved);
    return saved;
}

void save(const world& from, std::vector<std::byte>& into) {
    std::vector<std::byte> memory = std::exchange(into, {});
    world_access::queue_of(from)->require_settled_targets(world_access::engine_of(from).rows());
    into = saver(world_access::engine_of(from)).save(std::move(memory));
}

void load(world& into, std::span<const std::byte> from) {
    world_access::engine_of(into).changes().require_open();
    const std::unique_ptr<engine> replica = loader(world_access::engine_of(into), from).load();
    world_access::become(into, *replica, generations_after_return::later);
}

} // namespace ecs
