// SPDX-License-Identifier: MIT
// Reads JSON files of which every mistake is said with its file, line and field. For the examples that read a
// scenario.
#pragma once
#include "json_error.hpp"
#include "json_position.hpp"
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace json_file {

using nlohmann::json;

/// A value of the file together with where it stands, so that whatever is wrong with it can be said.
class node {
  public:
    node(const json& value, const std::filesystem::path& file, std::string_view text,
         std::string pointer = {})
        : value_(&value), file_(&file), text_(text), pointer_(std::move(pointer)) {}

    [[nodiscard]] node operator[](const char* name) const {
        if (!value_->is_object()) refuse("is not an object");
        const auto found = value_->find(name);
        if (found == value_->end()) refuse("has no \"" + std::string(name) + "\"");
        return {*found, *file_, text_, pointer_ + "/" + name};
    }

    [[nodiscard]] std::vector<node> elements() const {
        if (!value_->is_array()) refuse("is not a list");
        std::vector<node> result;
        result.reserve(value_->size());
        for (std::size_t i = 0; i < value_->size(); ++i)
            result.emplace_back((*value_)[i], *file_, text_, pointer_ + "/" + std::to_string(i));
        return result;
    }

    /// The members of an object by their names, in the order of the alphabet.
    [[nodiscard]] std::vector<std::pair<std::string, node>> members() const {
        if (!value_->is_object()) refuse("is not an object");
        std::vector<std::pair<std::string, node>> result;
        for (const auto& member : value_->items())
            result.emplace_back(member.key(), (*this)[member.key().c_str()]);
        return result;
    }

    [[nodiscard]] std::string string() const {
        if (!value_->is_string()) refuse("is not a text");
        return value_->get<std::string>();
    }

    /// A whole number between the bounds, both included.
    [[nodiscard]] unsigned whole(unsigned least, unsigned most) const {
        if (!value_->is_number_unsigned() || value_->get<std::uint64_t>() < least ||
            value_->get<std::uint64_t>() > most)
            refuse("is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
        return value_->get<unsigned>();
    }

    /// A number between the bounds, both included.
    [[nodiscard]] float number(float least, float most) const {
        if (!value_->is_number() || value_->get<float>() < least || value_->get<float>() > most)
            refuse("is not a number from " + std::to_string(least) + " to " + std::to_string(most));
        return value_->get<float>();
    }

    [[noreturn]] void refuse(const std::string& why) const {
        const std::string field = pointer_.empty() ? "the file" : pointer_;
        const std::size_t line = json_walker(text_).line_of(pointer_);
        throw error(file_->string() + ":" + std::to_string(line) + ": " + field + " " + why);
    }

  private:
    const json* value_;
    const std::filesystem::path* file_;
    std::string_view text_;
    std::string pointer_;
};

[[nodiscard]] inline std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::error_code ignored; // A directory can be opened, and throws when it is read.
    if (!in || std::filesystem::is_directory(file, ignored)) throw error(file.string() + ": cannot be read");
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What the function makes of the file. Throws error.
[[nodiscard]] auto read(const std::filesystem::path& file, const auto& make) {
    const std::string text = text_of(file);
    try {
        const json parsed = json::parse(text);
        return make(node(parsed, file, text));
    } catch (const json::parse_error& e) {
        const std::size_t line = line_at(text, std::min(e.byte, text.size()));
        throw error(file.string() + ":" + std::to_string(line) + ": not JSON: " + e.what());
    } catch (const json::exception& e) { // A number that is too large, say: the message quotes it.
        throw error(file.string() + ": " + e.what());
    }
}

} // namespace json_file
