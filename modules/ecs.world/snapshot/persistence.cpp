// SPDX-License-Identifier: MIT
// A world as bytes and back, by a saver and a loader.
module ecs.world;
import ecs.std;
import :loader;
import :persistence;
import :saver;

namespace ecs {

std::vector<std::byte> save(const world& from) { return saver(from.core()).save(); }

void load(world& into, std::span<const std::byte> from) {
    into.core().changes().require_open();
    const std::unique_ptr<engine> replica = loader(into.core(), from).load();
    into.become(*replica, {}, generations_after_return::later);
}

} // namespace ecs
