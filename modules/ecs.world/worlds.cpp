// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :worlds;
import :result;

namespace ecs {

namespace {

struct world_numbers {
    std::mutex guard;
    std::array<std::unique_ptr<entity_index>, 256> parked;
    std::array<bool, 256> taken{};
};

world_numbers& numbers() {
    static auto* const shared = new world_numbers; // Never destroyed: worlds may end after static objects do.
    return *shared;
}

} // namespace

std::unique_ptr<entity_index> acquire_world() {
    world_numbers& all = numbers();
    const std::lock_guard lock(all.guard);
    for (std::size_t number = 1; number < all.taken.size(); ++number) {
        if (all.taken[number]) continue;
        if (!all.parked[number])
            all.parked[number] = std::make_unique<entity_index>(static_cast<std::uint8_t>(number));
        all.taken[number] = true;
        return std::move(all.parked[number]);
    }
    throw too_many_worlds("255 worlds exist already, and a handle has room for no more: end one first");
}

void release_world(std::unique_ptr<entity_index> index) noexcept {
    world_numbers& all = numbers();
    index->clear();
    const std::lock_guard lock(all.guard);
    const std::uint8_t number = index->world();
    all.parked[number] = std::move(index);
    all.taken[number] = false;
}

} // namespace ecs
