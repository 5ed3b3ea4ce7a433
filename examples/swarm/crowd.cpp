// SPDX-License-Identifier: MIT
#include "crowd.hpp"
#include <algorithm>
#include <cmath>

namespace swarm {

namespace {

std::size_t cells_along(float side) { return static_cast<std::size_t>(side / crowd::cell_side) + 1; }

feeling between(const feeling& a, const feeling& b, float part) {
    return {a.density + (b.density - a.density) * part, a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part};
}

} // namespace

crowd::crowd(float width, float height, std::size_t birds)
    : columns_(cells_along(width)),
      rows_(cells_along(height)),
      even_(static_cast<float>(birds) * cell_side * cell_side / (width * height)),
      cells_(columns_ * rows_),
      felt_(columns_ * rows_) {}

void crowd::clear() { std::ranges::fill(cells_, cell{}); }

void crowd::settle() {
    for (std::size_t row = 0; row < rows_; ++row)
        for (std::size_t column = 0; column < columns_; ++column)
            felt_[row * columns_ + column] = around(column, row);
}

/// The mean of a cell and its eight neighbours.
feeling crowd::around(std::size_t column, std::size_t row) const {
    std::int64_t birds = 0, x = 0, y = 0;
    for (std::ptrdiff_t down = -1; down <= 1; ++down)
        for (std::ptrdiff_t right = -1; right <= 1; ++right) {
            const cell& c = cells_[wrapped(static_cast<std::ptrdiff_t>(column) + right,
                                           static_cast<std::ptrdiff_t>(row) + down)];
            birds += c.birds;
            x += c.x;
            y += c.y;
        }
    const float all = static_cast<float>(std::max<std::int64_t>(birds, 1));
    return {static_cast<float>(birds) / (9 * even_), static_cast<float>(x) / (all * fixed_one),
            static_cast<float>(y) / (all * fixed_one)};
}

/// The field has no edges: what is left of the first column is the last one.
std::size_t crowd::wrapped(std::ptrdiff_t column, std::ptrdiff_t row) const {
    const auto columns = static_cast<std::ptrdiff_t>(columns_), rows = static_cast<std::ptrdiff_t>(rows_);
    return static_cast<std::size_t>((row + rows) % rows * columns + (column + columns) % columns);
}

feeling crowd::at(float x, float y) const {
    const float across = x / cell_side - 0.5F, down = y / cell_side - 0.5F;
    const float left = std::floor(across), above = std::floor(down);
    const auto column = static_cast<std::ptrdiff_t>(left), row = static_cast<std::ptrdiff_t>(above);
    const feeling upper =
        between(felt_[wrapped(column, row)], felt_[wrapped(column + 1, row)], across - left);
    const feeling lower =
        between(felt_[wrapped(column, row + 1)], felt_[wrapped(column + 1, row + 1)], across - left);
    return between(upper, lower, down - above);
}

} // namespace swarm
