// SPDX-License-Identifier: MIT
// Compares the examples of a document with a source that is compiled: snippets DOCUMENT SOURCE. Every ```cpp
// block has to be in the source, line after line, whatever the indentation is, but for those behind a line
// with `@snippet`, which draw.cpp writes and compares.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::string trimmed(const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string::npos) return {};
    return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> lines_of(const char* path) {
    std::ifstream in(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(trimmed(line));
    return lines;
}

/// All characters but spaces, so that the formatter may break lines.
std::string squeezed(const std::vector<std::string>& lines) {
    std::string all;
    for (const std::string& line : lines)
        for (const char c : line)
            if (c != ' ') all += c;
    return all;
}

} // namespace

int main(int count, char** arguments) {
    if (count != 3) return 2;
    const std::string source = squeezed(lines_of(arguments[2]));
    int wrong = 0;
    int blocks = 0;
    std::vector<std::string> block;
    bool inside = false;
    bool drawn = false;
    int number = 0;
    for (const std::string& line : lines_of(arguments[1])) {
        ++number;
        if (line == "```cpp") {
            inside = !drawn;
            block.clear();
        } else if (inside && line == "```") {
            inside = false;
            ++blocks;
            if (source.find(squeezed(block)) != std::string::npos) continue;
            std::printf("%s: the example that ends at line %d is not in %s\n", arguments[1], number,
                        arguments[2]);
            ++wrong;
        } else if (inside) {
            block.push_back(line);
        }
        drawn = line.starts_with("<!-- @snippet ");
    }
    std::printf("%d examples, %d of them not compiled\n", blocks, wrong);
    return wrong == 0 && blocks != 0 ? 0 : 1;
}
