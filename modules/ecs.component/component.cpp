// SPDX-License-Identifier: MIT
// How a type gets its number in the process. The linker's name decides, see component.cppm.
module ecs.component;
import ecs.std;
import ecs.core;

namespace ecs {

namespace {

/// Whether the name belongs to one translation unit alone: how the Itanium ABI spells an unnamed namespace,
/// and what is inside a static function. A name that happens to contain the latter is marked needlessly and
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

/// One list for each series. The lists never end: types may be asked for until the process ends.
union endless_numbers {
    basic_name_numbers<world_atomics> of_series[2];

    constexpr endless_numbers() : of_series{} {}
    ~endless_numbers() {}
};

constinit endless_numbers numbers;

std::uint32_t number_in(type_series series, std::string_view linker_name, std::atomic<std::uint32_t>& known) {
    const std::uint32_t number =
        numbers.of_series[static_cast<std::size_t>(series)].of(identity(linker_name, &known));
    known.store(number, std::memory_order_relaxed); // Relaxed: as in type_number.
    return number;
}

} // namespace

std::uint32_t number_of_type(std::string_view linker_name, std::atomic<std::uint32_t>& known,
                             std::atomic<std::uint32_t>& low) {
    const std::uint32_t number = number_in(type_series::components, linker_name, known);
    if (number <= 0xFF) low.store(number, std::memory_order_relaxed); // Relaxed: as in type_number.
    return number;
}

std::uint32_t number_of_key(std::string_view linker_name, std::atomic<std::uint32_t>& known) {
    return number_in(type_series::keys, linker_name, known);
}

} // namespace ecs
