// SPDX-License-Identifier: MIT
// The text of the error that a value does not fit a field.
module ecs.id;
import ecs.std;

namespace ecs {

field_range_error::field_range_error(std::string_view field, std::uint64_t value, std::uint64_t max)
    : std::out_of_range("value " + std::to_string(value) + " does not fit field \"" + std::string(field) +
                        "\", whose largest value is " + std::to_string(max)) {}

} // namespace ecs
