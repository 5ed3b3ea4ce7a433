// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :entities;

namespace ecs {

namespace {

void require_space(const id_space& space) {
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
}

} // namespace

entity_index::entity_index(std::uint8_t world) : constant_(world_bits(world)) {
    for (std::uint32_t index = 0; index < first_ordinary; index += id_supply::block_size) make_page(index);
}

void entity_index::begin(const id_space& space) {
    require_space(space);
    space_ = space;
    least_generation_ = space.first_generation * first_generation;
    stock_ = {};
    supply_.begin({space.first, space.last + 1});
}

void entity_index::restock() { supply_.draw(stock_, id_supply::block_size); }

void entity_index::promise_all(std::span<entity> out) {
    std::size_t taken = 0;
    try {
        while (taken != out.size()) {
            if (stock_.empty()) restock();
            for (auto more = std::min(stock_.size(), out.size() - taken); more != 0; --more)
                out[taken++] = promise(stock_.take(slots_));
        }
    } catch (...) {
        while (taken != 0) give_back(index_of(out[--taken]));
        throw;
    }
}

void entity_index::reserve(std::size_t more) {
    if (stock_.size() >= more) return;
    std::vector<entity> taken(more);
    promise_all(taken);
    for (const entity e : std::views::reverse(taken)) give_back(index_of(e));
}

void entity_index::issue_all(std::span<const entity> promised, location first) noexcept {
    live_ += promised.size();
    issue_run(promised, first);
}

entity entity_index::create_at(std::uint32_t index) {
    const std::uint64_t slot = slots_.known(index);
    return has_entity(slot) || slot == retired ? entity{} : claim(index);
}

void entity_index::require_outside(entity elsewhere) const {
    const auto refuse = [&](const std::string& why) {
        throw std::invalid_argument("entity " + std::to_string(elsewhere.index()) + 'v' +
                                    std::to_string(elsewhere.generation()) + " cannot be claimed: " + why);
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

void entity_index::take_back_claim(entity e) noexcept {
    --live_;
    slots_.write(index_of(e), index_chain::unused_mark | (e.value() & generation_mask));
}

entity entity_index::claim_outside(entity elsewhere) {
    require_outside(elsewhere);
    const std::uint32_t index = index_of(elsewhere);
    make_page(index);
    const std::uint64_t slot = slots_.known(index);
    const std::uint64_t wanted = elsewhere.value() & generation_mask;
    if (has_entity(slot) || slot == retired || wanted < next_generation(slot)) return {};
    ++live_;
    return issue_as(index, wanted, {chunk_directory::limbo, 0});
}

entity entity_index::create_late_component() {
    late_components_.store(true, std::memory_order_relaxed); // See may_be_component.
    return create();
}

id_status entity_index::status(entity e) const {
    if (!e) return id_status::null;
    if (kinds_beside<layouts::entity>::include(e.value())) return id_status::not_an_entity;
    if ((e.value() & constant_mask<layouts::entity>) != constant_bits<layouts::entity>)
        return id_status::malformed;
    if (!belongs(e)) return id_status::foreign_world;
    if (alive(e)) return id_status::live;
    if (e.index() == 0) return id_status::malformed;
    const std::uint64_t slot = slots_.read(index_of(e));
    if (slot == retired) return id_status::retired;
    return (e.value() & generation_mask) < (slot & generation_mask) ? id_status::stale
                                                                    : id_status::never_issued;
}

void entity_index::destroy_referred(entity e) noexcept {
    const std::uint32_t index = index_of(e);
    const std::uint64_t next = generation_after(index);
    later_.erase(index);
    --live_;
    next == 0 ? slots_.write(index, retired) : free(index, next);
}

void entity_index::share_free() noexcept { supply_.give_back(stock_.free); }

void entity_index::clear() noexcept {
    for_each_index([&](std::uint32_t index) {
        if (const entity e = at(index)) destroy_referred(e);
    });
    live_ = 0;
}

bool entity_index::can_begin() const {
    constexpr auto first = static_cast<std::uint32_t>(world_partitions::parts[1].first);
    for (std::uint32_t index = first; index < first_ordinary; ++index)
        if (slots_.known(index) == retired) return false;
    return true;
}

} // namespace ecs
