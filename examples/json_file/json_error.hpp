// SPDX-License-Identifier: MIT
#pragma once
#include <stdexcept>

namespace json_file {

/// The file cannot be read or is not what is expected; the text begins with file, line and field.
struct error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace json_file
