// SPDX-License-Identifier: MIT
// Writes what documents show of the code, or checks that they show it:
//
//   docs_draw write|check FOLDER_OF_PICTURES FILE_OF_SNIPPETS DOCUMENT...
//
// A line of a document that ends in `@diagram entity` is followed by the drawing of that layout, `@lifetimes`
// by a table of how long the layouts last, `@fingerprints` by one of their fingerprints, `@snippet making` by
// that region of the file of snippets. In Markdown such a line is a comment and what follows it a fenced
// block or a table; in C++ both are documentation comments.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

import ecs.id;

namespace {

namespace layouts = ecs::layouts;

struct named_layout {
    std::string_view name;
    std::string_view diagram;
    std::string_view picture;
    std::uint64_t fingerprint;
};

template <class Layout> named_layout describe(std::string_view name) {
    return {name, ecs::diagram<Layout>(), ecs::svg<Layout>(), ecs::fingerprint<Layout>};
}

const std::vector<named_layout> named_layouts{
    describe<layouts::entity>("entity"),
    describe<layouts::pair>("pair"),
    describe<layouts::flagged_entity>("flagged_entity"),
    describe<layouts::flagged_pair>("flagged_pair"),
    describe<layouts::link>("link"),
    describe<layouts::value_pair>("value_pair"),
    describe<layouts::wildcard_pair>("wildcard_pair"),
    describe<layouts::ecr>("ecr"),
    describe<layouts::flecs_2020_entity>("flecs_2020_entity"),
    describe<layouts::flecs_2020_role>("flecs_2020_role"),
    describe<layouts::flecs_2020_trait>("flecs_2020_trait"),
    describe<layouts::flecs_entity>("flecs_entity"),
    describe<layouts::flecs_pair>("flecs_pair"),
    describe<layouts::fennecs_entity>("fennecs_entity"),
    describe<layouts::fennecs_disabled_entity>("fennecs_disabled_entity"),
    describe<layouts::fennecs_link>("fennecs_link"),
    describe<layouts::fennecs_any>("fennecs_any"),
    describe<layouts::fennecs_any_target>("fennecs_any_target"),
    describe<layouts::fennecs_any_entity>("fennecs_any_entity"),
    describe<layouts::fennecs_any_link>("fennecs_any_link"),
};

const named_layout& layout_named(std::string_view name) {
    for (const auto& layout : named_layouts)
        if (layout.name == name) return layout;
    throw std::runtime_error("there is no layout \"" + std::string(name) + "\"");
}

std::vector<std::string> lines_of(std::istream& in) {
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> lines_of_text(std::string_view text) {
    std::istringstream in{std::string(text)};
    return lines_of(in);
}

std::vector<std::string> lines_of_file(const std::filesystem::path& path) {
    std::ifstream in(path);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return lines_of(in);
}

// Tables.

std::string in_words(std::uint64_t seconds) {
    std::ostringstream out;
    out << std::fixed << std::setprecision(1);
    const auto count = static_cast<double>(seconds);
    if (count < 7'200)
        out << count / 60 << " minutes";
    else if (count < 172'800)
        out << count / 3'600 << " hours";
    else if (count < 63'115'200)
        out << count / 86'400 << " days";
    else
        out << std::setprecision(0) << count / 31'557'600 << " years";
    return out.str();
}

template <class Layout> std::string lifetime_row(std::string_view name) {
    constexpr std::uint64_t live = 1'000'000, destroyed_per_second = 60'000;
    const std::uint64_t destructions = ecs::safe_destructions<Layout>(live);
    std::ostringstream out;
    out << "| " << name << " | " << destructions << " | " << in_words(destructions / destroyed_per_second)
        << " |";
    return out.str();
}

std::vector<std::string> lifetimes() {
    using narrow =
        ecs::layout<std::uint32_t, ecs::index<"index", 19, 0>, ecs::generation<"generation", 31, 20>>;
    return {"| layout | destructions that exhaust nothing | lasts, at 60,000 a second |",
            "|---|---|---|",
            lifetime_row<layouts::entity>("`entity`"),
            lifetime_row<layouts::flecs_entity>("`flecs_entity`"),
            lifetime_row<layouts::fennecs_entity>("`fennecs_entity`"),
            lifetime_row<layouts::ecr>("`ecr`"),
            lifetime_row<layouts::flecs_2020_entity>("`flecs_2020_entity`"),
            lifetime_row<narrow>("20 bits of index and 12 of generation in 32")};
}

std::vector<std::string> fingerprints() {
    std::vector<std::string> rows{"| layout | fingerprint |", "|---|---|"};
    for (const auto& layout : named_layouts) {
        std::ostringstream row;
        row << "| `" << layout.name << "` | `0x" << std::hex << std::setw(16) << std::setfill('0')
            << layout.fingerprint << "` |";
        rows.push_back(row.str());
    }
    return rows;
}

// Snippets: the lines between `// @begin NAME` and `// @end`.

class snippets {
  public:
    explicit snippets(const std::filesystem::path& path) {
        std::vector<std::string>* region = nullptr;
        for (const auto& line : lines_of_file(path)) {
            const auto begin = line.find("// @begin ");
            if (begin != std::string::npos)
                region = &regions_[line.substr(begin + 10)];
            else if (line.find("// @end") != std::string::npos)
                region = nullptr;
            else if (region != nullptr)
                region->push_back(line);
        }
    }

    [[nodiscard]] const std::vector<std::string>& region(const std::string& name) const {
        const auto found = regions_.find(name);
        if (found == regions_.end()) throw std::runtime_error("there is no snippet \"" + name + "\"");
        return found->second;
    }

  private:
    std::map<std::string, std::vector<std::string>> regions_;
};

// Documents.

struct order {
    std::string what;
    std::string name;
};

/// The order that a line gives, or an empty one.
order order_in(const std::string& line) {
    const auto at = line.find('@');
    if (at == std::string::npos || (!line.starts_with("<!--") && !line.starts_with("///"))) return {};
    std::istringstream words(line.substr(at + 1));
    order result;
    words >> result.what >> result.name;
    return result;
}

std::vector<std::string> fenced(std::string_view language, const std::vector<std::string>& lines) {
    std::vector<std::string> block{"```" + std::string(language)};
    block.insert(block.end(), lines.begin(), lines.end());
    block.emplace_back("```");
    return block;
}

std::vector<std::string> commented(const std::vector<std::string>& lines) {
    std::vector<std::string> block;
    for (const auto& line : lines) block.push_back("///     " + line);
    return block;
}

class document {
  public:
    document(const std::filesystem::path& path, const snippets& code)
        : path_(path), is_markdown_(path.extension() == ".md"), before_(lines_of_file(path)) {
        for (std::size_t i = 0; i < before_.size();) {
            after_.push_back(before_[i]);
            const auto block = block_for(order_in(before_[i]), code);
            ++i;
            if (block.empty()) continue;
            i += lines_of_old_block(i);
            after_.insert(after_.end(), block.begin(), block.end());
        }
    }

    /// Says where the document differs from what it must be; true when nowhere.
    [[nodiscard]] bool check() const {
        if (before_ == after_) return true;
        const auto [old_line, new_line] = std::ranges::mismatch(before_, after_);
        std::cerr << path_.filename().string() << " is out of date at line " << old_line - before_.begin() + 1
                  << ": it should be\n  " << (new_line == after_.end() ? "(the end)" : *new_line)
                  << "\nBuild the target draw-docs.\n";
        return false;
    }

    void write() const {
        if (before_ == after_) return;
        std::ofstream out(path_);
        for (const auto& line : after_) out << line << '\n';
    }

  private:
    [[nodiscard]] std::vector<std::string> block_for(const order& wanted, const snippets& code) const {
        if (wanted.what == "diagram") {
            const auto drawing = lines_of_text(layout_named(wanted.name).diagram);
            return is_markdown_ ? fenced("text", drawing) : commented(drawing);
        }
        if (wanted.what == "snippet") return fenced("cpp", code.region(wanted.name));
        if (wanted.what == "lifetimes") return lifetimes();
        if (wanted.what == "fingerprints") return fingerprints();
        return {};
    }

    /// Number of lines from there that an earlier run wrote.
    [[nodiscard]] std::size_t lines_of_old_block(std::size_t first) const {
        std::size_t i = first;
        const auto run_of = [&](std::string_view prefix) {
            while (i < before_.size() && before_[i].starts_with(prefix)) ++i;
        };
        if (!is_markdown_) {
            run_of("///     ");
        } else if (i < before_.size() && before_[i].starts_with("```")) {
            for (++i; i < before_.size() && before_[i] != "```"; ++i) {
            }
            ++i;
        } else {
            run_of("|");
        }
        return i - first;
    }

    std::filesystem::path path_;
    bool is_markdown_;
    std::vector<std::string> before_;
    std::vector<std::string> after_;
};

bool process_picture(bool write, const std::filesystem::path& path, const named_layout& layout) {
    if (write) {
        std::ofstream(path) << layout.picture;
        return true;
    }
    if (lines_of_file(path) == lines_of_text(layout.picture)) return true;
    std::cerr << path.filename().string() << " is out of date. Build the target draw-docs.\n";
    return false;
}

bool process_document(bool write, const std::filesystem::path& path, const snippets& code) {
    const document made(path, code);
    if (write) made.write();
    return write || made.check();
}

int run(const std::vector<std::string>& arguments) {
    if (arguments.size() < 3)
        throw std::runtime_error("usage: docs_draw write|check PICTURES SNIPPETS DOCUMENT...");
    const bool write = arguments[0] == "write";
    const snippets code(arguments[2]);
    bool up_to_date = true;
    for (const auto& layout : named_layouts)
        up_to_date &= process_picture(
            write, std::filesystem::path(arguments[1]) / (std::string(layout.name) + ".svg"), layout);
    for (std::size_t i = 3; i < arguments.size(); ++i)
        up_to_date &= process_document(write, arguments[i], code);
    return up_to_date ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    try {
        return run({arguments + 1, arguments + count});
    } catch (const std::exception& error) {
        std::cerr << "docs_draw: " << error.what() << '\n';
        return 2;
    }
}
