// SPDX-License-Identifier: MIT
#include "crowd.hpp"
#include <algorithm>

namespace swarm {

namespace {

std::size_t cells_along(float side) { return static_cast<std::size_t>(side / crowd::cell_side) + 1; }

feeling between(const feeling& a, const feeling& b, float part) {
    return {a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part, a.slope_x + (b.slope_x - a.slope_x) * part,
            a.slope_y + (b.slope_y - a.slope_y) * part};
}

} // namespace

crowd::crowd(float width, float height, std::size_t birds)
    : columns_(cells_along(width)),
      rows_(cells_along(height)),
      even_(static_cast<float>(birds) * cell_side * cell_side / (width * height)),
      cells_(columns_ * rows_),
      blocks_(cells_.size()),
      felt_((columns_ + 2) * (rows_ + 2)) {}

void crowd::clear() { std::ranges::fill(cells_, cell{}); }

void crowd::settle() {
    for (std::size_t row = 0; row < rows_; ++row)
        for (std::size_t column = 0; column < columns_; ++column)
            blocks_[row * columns_ + column] = block_around(column, row);
    for (std::size_t row = 0; row < rows_ + 2; ++row)
        for (std::size_t column = 0; column < columns_ + 2; ++column)
            felt_[row * (columns_ + 2) + column] = felt_in(column + columns_ - 1, row + rows_ - 1);
}

/// The field has no edges: what is left of the first column is the last one.
std::size_t crowd::wrapped(std::size_t column, std::size_t row) const {
    return row % rows_ * columns_ + column % columns_;
}

crowd::cell crowd::block_around(std::size_t column, std::size_t row) const {
    cell sum{};
    for (const std::size_t down : {rows_ - 1, rows_, rows_ + 1})
        for (const std::size_t right : {columns_ - 1, columns_, columns_ + 1}) {
            const cell& c = cells_[wrapped(column + right, row + down)];
            sum = {sum.birds + c.birds, sum.x + c.x, sum.y + c.y};
        }
    return sum;
}

feeling crowd::felt_in(std::size_t column, std::size_t row) const {
    const auto density = [&](std::size_t c, std::size_t r) {
        return static_cast<float>(blocks_[wrapped(c, r)].birds) / (9 * even_);
    };
    const cell& here = blocks_[wrapped(column, row)];
    const float all = static_cast<float>(std::max(here.birds, 1U)) * fixed_one;
    return {static_cast<float>(here.x) / all, static_cast<float>(here.y) / all,
            (density(column + 1, row) - density(column - 1, row)) / 2,
            (density(column, row + 1) - density(column, row - 1)) / 2};
}

feeling crowd::at(float x, float y) const {
    const float across = x / cell_side + 0.5F, down = y / cell_side + 0.5F;
    const auto column = static_cast<std::size_t>(across), row = static_cast<std::size_t>(down);
    const float right = across - static_cast<float>(column);
    const feeling* const upper = &felt_[row * (columns_ + 2) + column];
    const feeling* const lower = upper + columns_ + 2;
    return between(between(upper[0], upper[1], right), between(lower[0], lower[1], right),
                   down - static_cast<float>(row));
}

} // namespace swarm
