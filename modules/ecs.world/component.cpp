// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :component;

namespace ecs {

namespace {

/// Whether the name is of one translation unit alone: how the Itanium ABI spells an unnamed namespace, and
/// what is inside a static function. A name that happens to contain the latter is marked needlessly and
/// harmlessly.
bool is_of_one_unit(std::string_view linker_name) {
    return linker_name.find("_GLOBAL__N_") != std::string_view::npos ||
           linker_name.find("ZL") != std::string_view::npos;
}

std::string identity(std::string_view linker_name, const void* mark) {
    std::string result(linker_name);
    if (is_of_one_unit(linker_name)) result += '@' + std::to_string(reinterpret_cast<std::uintptr_t>(mark));
    return result;
}

} // namespace

std::uint32_t number_of_type(type_series series, std::string_view linker_name, const void* mark) {
    static std::mutex guard;
    static std::unordered_map<std::string, std::uint32_t> all[2];
    const std::lock_guard lock(guard);
    auto& numbers = all[static_cast<std::size_t>(series)];
    return numbers.try_emplace(identity(linker_name, mark), static_cast<std::uint32_t>(numbers.size() + 1))
        .first->second;
}

} // namespace ecs
