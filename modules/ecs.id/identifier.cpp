// SPDX-License-Identifier: MIT
// The text of the error that a value does not fit a field.
module ecs.id;
import ecs.std;

namespace ecs {

namespace {

std::string digits_of(std::uint64_t value, bool is_negative) {
    return is_negative ? std::to_string(static_cast<std::int64_t>(value)) : std::to_string(value);
}

} // namespace

field_range_error::field_range_error(std::string_view field, std::uint64_t value, std::uint64_t max,
                                     bool is_negative)
    : std::out_of_range("value " + digits_of(value, is_negative) + " does not fit field \"" +
                        std::string(field) + "\", whose largest value is " + std::to_string(max)) {}

} // namespace ecs
