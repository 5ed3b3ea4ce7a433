// SPDX-License-Identifier: MIT
// A text as JSON. Refuses what a parser of JSON accepts: members that are there twice, of which one would be
// lost, and values that are nested so deep that a function that walks them by recursion runs out of stack.
module;
#include <nlohmann/json.hpp>
module ecs.json;
import ecs.std;
import ecs.world;

namespace ecs {

namespace {

constexpr std::size_t depth_max = 64;

/// Makes a document of what the parser meets. Each of its functions throws json_error when there is something
/// that is not allowed.
class document_builder final : public nlohmann::json_sax<json> {
  public:
    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(json::number_integer_t value) override { return add(value); }
    bool number_unsigned(json::number_unsigned_t value) override { return add(value); }
    bool number_float(json::number_float_t value, const json::string_t&) override { return add(value); }
    bool string(json::string_t& value) override { return add(std::move(value)); }
    bool binary(json::binary_t& value) override { return add(std::move(value)); }
    bool start_object(std::size_t) override { return open(json::object()); }
    bool start_array(std::size_t) override { return open(json::array()); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(json::string_t& name) override {
        level& object = open_.back();
        const bool is_known = object.knows(name);
        object.members().emplace_back(std::move(name), nullptr); // Also of a twin, whose place has its name.
        if (is_known) refuse_json(path(), "the member is there twice");
        return true;
    }
    /// The message of an error of syntax has the line.
    bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
        constexpr int first_id = 101, last_id = 199; // As nlohmann-json documents.
        const bool is_of_syntax = error.id >= first_id && error.id <= last_id;
        throw json_error(is_of_syntax ? "" : path(), error.what());
    }

    [[nodiscard]] json take() { return std::move(document_); }

  private:
    /// An object or a list that has not ended yet.
    struct level {
        json* value{};
        std::unordered_set<std::string> names; ///< Of an object that has many members.

        [[nodiscard]] json::object_t& members() const { return value->get_ref<json::object_t&>(); }
        /// Whether there is such a member. The caller adds the name. A few are compared one by one; the names
        /// of many are looked up, so that a text with many is read in linear time.
        [[nodiscard]] bool knows(const std::string& name);
    };

    [[nodiscard]] json* place_for_next() {
        if (open_.empty()) return &document_;
        const level& in = open_.back();
        return in.value->is_object() ? &in.members().back().second : &in.value->emplace_back(nullptr);
    }
    template <class Value> bool add(Value&& value) {
        *place_for_next() = std::forward<Value>(value);
        return true;
    }
    bool open(json&& empty) {
        json* const value = place_for_next();
        if (open_.size() >= depth_max)
            refuse_json(path(), "values are nested more than " + std::to_string(depth_max) + " deep");
        *value = std::move(empty);
        open_.emplace_back().value = value;
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }
    /// The place of what the parser met last.
    [[nodiscard]] std::string path() const;

    json document_;
    std::vector<level> open_;
};

bool document_builder::level::knows(const std::string& name) {
    constexpr std::size_t few = 16;
    const json::object_t& all = members();
    if (all.size() < few)
        return std::ranges::any_of(all, [&](const auto& member) { return member.first == name; });
    if (names.empty())
        for (const auto& member : all) names.insert(member.first);
    return !names.insert(name).second;
}

std::string document_builder::path() const {
    std::string text;
    for (const level& l : open_) {
        if (l.value->empty()) continue;
        if (l.value->is_array())
            text += "[" + std::to_string(l.value->size() - 1) + "]";
        else if (const std::string& name = l.members().back().first; !name.empty())
            text += (text.empty() ? "" : ".") + name;
    }
    return text;
}

} // namespace

json parse_json(std::string_view text) {
    document_builder made;
    std::ignore = json::sax_parse(text, &made);
    return made.take();
}

} // namespace ecs
