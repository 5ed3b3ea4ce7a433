// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

namespace economy {

using table_row = std::vector<std::string>;

/// Prints rows below the names of their columns, each column as wide as it has to be.
class table {
  public:
    explicit table(table_row head) : rows_{std::move(head)} {}

    void add(table_row row) { rows_.push_back(std::move(row)); }

    void print() const {
        for (const table_row& row : rows_) print_row(row);
        if (rows_.size() == 1) std::puts("  (nobody)");
    }

  private:
    void print_row(const table_row& row) const {
        std::string line = " ";
        for (std::size_t column = 0; column < row.size(); ++column) {
            line += ' ' + row[column];
            line.append(width_of(column) - row[column].size() + 1, ' ');
        }
        line.erase(line.find_last_not_of(' ') + 1);
        std::puts(line.c_str());
    }

    [[nodiscard]] std::size_t width_of(std::size_t column) const {
        const auto length = [column](const table_row& row) { return row[column].size(); };
        return length(*std::ranges::max_element(rows_, {}, length));
    }

    std::vector<table_row> rows_;
};

} // namespace economy
