// SPDX-License-Identifier: MIT
// The numbers of worlds of this process, under a lock.
module ecs.storage;
import ecs.std;
import ecs.component;

namespace ecs {

namespace {

constexpr std::size_t numbers_end = capacity<layouts::entity, "world">;

struct world_numbers {
    std::mutex guard;
    std::array<std::unique_ptr<entity_index>, numbers_end> parked;
    std::array<bool, numbers_end> taken{};
};

world_numbers& numbers() {
    static auto* const shared = new world_numbers; // Never destroyed: worlds may end after static objects do.
    return *shared;
}

[[noreturn]] void refuse(std::size_t existing) {
    const std::size_t spent = numbers_end - 1 - existing;
    if (spent == 0)
        throw too_many_worlds(std::to_string(existing) +
                              " worlds exist already, and a handle has room for no more: end one first");
    throw too_many_worlds(std::to_string(existing) + " worlds exist, and the other " + std::to_string(spent) +
                          " numbers that a handle has room for have been used until they were spent");
}

} // namespace

std::unique_ptr<entity_index> acquire_world() {
    world_numbers& all = numbers();
    const std::lock_guard lock(all.guard);
    for (std::size_t number = 1; number < all.taken.size(); ++number) {
        if (all.taken[number] || (all.parked[number] && !all.parked[number]->can_begin())) continue;
        if (!all.parked[number])
            all.parked[number] = std::make_unique<entity_index>(static_cast<std::uint8_t>(number));
        all.taken[number] = true;
        return std::move(all.parked[number]);
    }
    refuse(static_cast<std::size_t>(std::ranges::count(all.taken, true)));
}

void release_world(std::unique_ptr<entity_index> index) noexcept {
    world_numbers& all = numbers();
    index->clear();
    index->forget_claims();
    const std::lock_guard lock(all.guard);
    const std::uint8_t number = index->world();
    all.parked[number] = std::move(index);
    all.taken[number] = false;
}

} // namespace ecs
