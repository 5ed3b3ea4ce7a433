// SPDX-License-Identifier: MIT
// Loads what the fuzzer makes of a saved world. The first byte says how, by what is left of it when it is
// divided by sixteen: with 0 the rest is a whole file, else edits of a sample, four bytes each; the checksum
// is put right, but for 1, so that what reads the body meets what is wrong with it. Edits are few, so that
// most of them are met. A world that was loaded has to work; one that refused has to be what it was.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
import ecs.world;
#include "unit/world/mended.hpp"

namespace {

using bytes = std::vector<std::byte>;

struct position {
    std::int32_t x, y;
};
struct label {
    std::string text;

    void save(ecs::snapshot_writer& to) const { to.write(text); }
    static label load(ecs::snapshot_reader& from) { return {from.read<std::string>()}; }
};
struct buff {
    static constexpr auto kept_in = ecs::storage::sparse;
    std::int32_t strength;
};
struct selected {
    static constexpr auto kept_in = ecs::storage::bits;
};
struct likes {};
struct anchored {
    static constexpr auto properties = ecs::properties(ecs::with_type<position>, ecs::needs_type<label>,
                                                       ecs::excludes_type<buff>, ecs::permanent);
};
struct wants {
    static constexpr auto properties =
        ecs::properties(ecs::non_fragmenting, ecs::ordered, ecs::pair(ecs::on_delete, ecs::delete_it));
    std::int32_t strength;
};

void require(bool condition, const char* what) {
    if (condition) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void register_components(ecs::world& world) {
    world.component<position>(), world.component<label>(), world.component<buff>();
    world.component<selected>(), world.component<likes>();
    world.component<anchored>(), world.component<wants>();
}

bytes make_sample() {
    ecs::world world;
    register_components(world);
    const ecs::entity ship = world.spawn("Ship", position{1, 2}, buff{3});
    const ecs::entity prefab = world.prefab(label{"prefab"});
    const ecs::entity married = world.spawn("Married");
    world.add(married, ecs::symmetric);
    const ecs::entity owns = world.spawn("Owns");
    for (const ecs::builtin property : {ecs::single_source, ecs::relation_only}) world.add(owns, property);
    world.add(ship, ecs::pair(owns, prefab));
    world.add(prefab, ecs::target_only);
    world.add(world.component<selected>(), ecs::singleton);
    for (int i = 0; i < 4; ++i) {
        const ecs::entity child = world.spawn(position{i, i}, label{"child"});
        world.add(child, ecs::pair(ecs::child_of, ship));
        if (i == 1) world.despawn(child);
        world.add(child, ecs::pair(world.component<likes>(), ship));
        world.add(child, ecs::pair(ecs::is_a, prefab));
        world.add(child, ecs::pair(married, ship));
        world.add<anchored>(child);
        world.set<wants>(child, prefab, {i});
        world.add(child, ecs::value_pair(world.component<likes>(), i));
    }
    world.add<selected>(world.component<selected>());
    world.disable<position>(ship);
    for (int i = 0; i < 12; ++i) world.spawn(position{i, i}); // Enough to be written as a run of such.
    return ecs::save(world);
}

/// Each edit: two bytes of place, what to do, and a byte to do it with.
bytes edited(bytes from, std::span<const std::uint8_t> edits) {
    for (; edits.size() >= 4; edits = edits.subspan(4)) {
        const std::size_t place = (edits[0] | std::size_t{edits[1]} << 8) % from.size();
        const auto byte = std::byte{edits[3]};
        const auto at = from.begin() + static_cast<std::ptrdiff_t>(place);
        switch (edits[2] % 4) {
        case 0: *at = byte; break;
        case 1: *at ^= byte; break;
        case 2: from.insert(at, byte); break;
        default:
            if (from.size() > mending::header_bytes + 1) from.erase(at);
            break;
        }
    }
    return from;
}

/// Everything that has to work in a world that was loaded.
void use(ecs::world& world) {
    const bytes again = ecs::save(world);
    ecs::load(world, again);
    require(ecs::save(world) == again, "what was loaded cannot be saved and loaded again");
    const auto then = world.snapshot();
    const std::vector<ecs::entity> all = world.entities();
    for (const ecs::entity e : all) {
        if (const ecs::entity parent = world.parent(e)) require(world.alive(parent), "a parent is dead");
        world.set(e, position{1, 1});
        world.remove<label>(e);
        std::ignore = world.depth_first(e);
    }
    for (const ecs::entity e : all) // A policy may keep one.
        if (world.despawn(e)) require(!world.alive(e), "a handle outlives its entity");
    world.restore(then);
    for (const ecs::entity e : all) require(world.alive(e), "an entity has not come back");
}

void try_to_load(const bytes& from) {
    ecs::world world;
    register_components(world);
    const ecs::entity e = world.spawn("only", position{4, 4});
    const std::uint64_t first = e.value();
    try {
        ecs::load(world, from);
    } catch (const ecs::snapshot_error&) {
        require(world.lookup("only").value() == first && world.get<position>(e).x == 4 &&
                    world.query<position>().count() == 1,
                "a refused snapshot has changed the world");
        return;
    }
    use(world);
}

/// The bytes of one to four edits.
std::span<const std::uint8_t> a_few(std::span<const std::uint8_t> edits) {
    return edits.first(std::min<std::size_t>(edits.size(), 4 + edits.size() % 16));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const bytes sample = make_sample();
    if (size == 0) return 0;
    const std::span<const std::uint8_t> rest(data + 1, size - 1);
    const auto raw = std::as_bytes(rest);
    const unsigned how = data[0] % 16;
    bytes file = how == 0 ? bytes(raw.begin(), raw.end()) : edited(sample, a_few(rest));
    if (how != 1 && file.size() >= mending::header_bytes) file = mending::mended(std::move(file));
    try_to_load(file);
    return 0;
}
