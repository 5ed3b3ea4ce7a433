// SPDX-License-Identifier: MIT
module;
#include <bit>
#include <cstddef>
#include <stdexcept>
#include <string>
module ecs.world;
import :world;

namespace ecs {

namespace {

/// The largest power of two that divides the size, at most 16: what malloc would promise.
std::size_t natural_alignment(std::size_t size) {
    return size == 0 ? 1 : std::size_t{1} << std::min(4, std::countr_zero(size));
}

} // namespace

entity world::component(const component_description& described) {
    const std::size_t alignment =
        described.alignment ? described.alignment : natural_alignment(described.size);
    if (!std::has_single_bit(alignment))
        throw std::invalid_argument("component \"" + std::string(described.name) + "\": alignment " +
                                    std::to_string(alignment) + " is no power of two");
    return store_.register_component(described.name,
                                     {described.size, alignment, described.kept_in, described.operations});
}

} // namespace ecs
