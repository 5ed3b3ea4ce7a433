// SPDX-License-Identifier: MIT
module;
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
module ecs.world;
import :component;

namespace ecs {

std::uint32_t number_of_type_named(std::string_view name) {
    static std::mutex guard;
    static std::unordered_map<std::string, std::uint32_t> numbers;
    const std::lock_guard lock(guard);
    return numbers.try_emplace(std::string(name), static_cast<std::uint32_t>(numbers.size() + 1))
        .first->second;
}

} // namespace ecs
