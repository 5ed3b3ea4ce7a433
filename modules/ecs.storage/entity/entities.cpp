// SPDX-License-Identifier: MIT
// The registry of entities as a world uses it: when spaces and claims are refused, copies, and ways back.
module ecs.storage;
import ecs.std;

namespace ecs {

template class basic_owned_registry<layouts::entity, world_atomics::registry>;

entity_index::entity_index(std::uint8_t world, bool in_pages) : entity_registry(world, in_pages) {
    for (std::uint32_t index = 0; index < first_ordinary; index += page_size) make_page(index);
}

index_space entity_index::checked(const id_space& space) {
    const auto refuse = [](const std::string& why) {
        throw std::invalid_argument("the space of a world: " + why);
    };
    if (space.first < id_space::first_index || space.last > id_space::last_index)
        refuse("indices are from " + std::to_string(id_space::first_index) + " to " +
               std::to_string(id_space::last_index));
    if (space.first > space.last)
        refuse("its last index, " + std::to_string(space.last) + ", is before its first, " +
               std::to_string(space.first));
    if (space.first_generation < 1 || space.first_generation > id_space::last_generation)
        refuse("generations are from 1 to " + std::to_string(id_space::last_generation));
    return {space.first, space.last, space.first_generation};
}

void entity_index::begin(const id_space& space) {
    open(checked(space));
    space_ = space;
}

void entity_index::begin_replica(const id_space& space) {
    open_copy(checked(space));
    space_ = space;
}

entity entity_index::create_late_component() {
    late_components_.store(true, std::memory_order_relaxed); // See may_be_component.
    return create();
}

void entity_index::require_outside(entity elsewhere) const {
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument("entity " + ecs::to_string(elsewhere) + " cannot be claimed: " + why);
    };
    const bool is_entity =
        !kinds_beside<layouts::entity>::include(elsewhere.value()) &&
        (elsewhere.value() & constant_mask<layouts::entity>) == constant_bits<layouts::entity>;
    if (!is_entity || elsewhere.index() == 0 || elsewhere.generation() == 0) refuse("it is no entity");
    if (elsewhere.index() < first_ordinary) refuse("its index is one of components, which manifests name");
    if (elsewhere.index() > id_space::last_index)
        refuse("no world has an index above " + std::to_string(id_space::last_index));
    if (space_.contains(index_of(elsewhere)))
        refuse("its index is in the space of this world, which gives it out itself");
}

entity entity_index::claim_outside(entity elsewhere) {
    require_outside(elsewhere);
    const std::uint32_t index = index_of(elsewhere);
    make_page(index);
    if (!claimed_.find(index)) claimed_[index] = slot_at(index);
    return claim(elsewhere, place_bits::is_pending);
}

void entity_index::forget_claims() noexcept {
    claimed_.for_each(
        [&](std::uint64_t index, std::uint64_t slot) { unclaim(static_cast<std::uint32_t>(index), slot); });
    claimed_ = {};
}

bool entity_index::can_begin() const {
    constexpr auto first = static_cast<std::uint32_t>(world_partitions::parts[1].first);
    for (std::uint32_t index = first; index < first_ordinary; ++index)
        if (is_spent(index)) return false;
    return true;
}

entity entity_index::waiting_target(const chunk_directory& rows) const {
    settled_chunk known(rows);
    std::uint32_t found = 0;
    entity_registry::for_each_slot([&](std::uint32_t index, std::uint64_t slot) {
        const bool is_used = (slot & place_bits::used_as_id_bit) != 0;
        if (is_used && place_bits::is_live(slot) && !known.has(slot)) found = index;
    });
    return found == 0 ? entity{} : at(found);
}

void entity_index::mirror(const entity_index& other, const chunk_directory& rows) {
    space_ = other.space_;
    settled_chunk known(rows);
    const auto is_settled = [&](std::uint64_t slot) { return known.has(slot); };
    entity_registry::mirror(other, is_settled);
}

entity_index::return_plan entity_index::plan_return(const entity_index& past,
                                                    generations_after_return generations) {
    return entity_registry::plan_return(past, generations,
                                        [](std::uint64_t slot) { return is_settled_slot(slot); });
}

void entity_index::return_to(const entity_index& past, return_plan&& plan) noexcept {
    entity_registry::return_to(past, std::move(plan),
                               [](std::uint64_t slot) { return is_settled_slot(slot); });
}

} // namespace ecs
