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
/// that is not allowed. What an object or a list has is collected outside the document, and moved there when
/// it ends: members of a document are copied, with all that is in them, whenever one more needs room.
class document_builder final : public nlohmann::json_sax<json> {
  public:
    bool null() override { return add(nullptr); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(json::number_integer_t value) override { return add(value); }
    bool number_unsigned(json::number_unsigned_t value) override { return add(value); }
    bool number_float(json::number_float_t value, const json::string_t&) override { return add(value); }
    bool string(json::string_t& value) override { return add(std::move(value)); }
    bool binary(json::binary_t& value) override { return add(std::move(value)); }
    bool start_object(std::size_t) override { return open(false); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_object() override { return close(innermost().take_members()); }
    bool end_array() override { return close(std::move(innermost().elements)); }
    bool key(json::string_t& name) override {
        const bool is_known = innermost().knows(name);
        innermost().members.emplace_back(std::move(name), nullptr); // Also of a twin: its place has its name.
        if (is_known) refuse_json(path(), "the member is there twice");
        return true;
    }
    /// The message of an error of syntax has the line.
    bool parse_error(std::size_t, const std::string&, const json::exception& error) override {
        constexpr int first_id = 101, last_id = 199; // As nlohmann-json documents.
        if (error.id >= first_id && error.id <= last_id) throw json_error("", error.what());
        make_place(); // Of the number that is too large.
        throw json_error(path(), error.what());
    }

    [[nodiscard]] json take() { return std::move(document_); }

  private:
    /// An object or a list that has not ended yet.
    struct level {
        bool is_list{};
        json::array_t elements{};
        std::vector<std::pair<std::string, json>> members{};
        std::unordered_set<std::string> names{}; ///< Of the members, when there are many.

        /// Whether there is such a member. The caller adds the name. A few are compared one by one; the names
        /// of many are looked up, so that a text with many is read in linear time.
        [[nodiscard]] bool knows(const std::string& name);
        /// Leaves none.
        [[nodiscard]] json::object_t take_members();
    };

    [[nodiscard]] level& innermost() { return levels_[depth_ - 1]; }
    /// Makes a place for the next value: that of a member was made with its name.
    void make_place() {
        if (depth_ != 0 && innermost().is_list) innermost().elements.emplace_back(nullptr);
    }
    [[nodiscard]] json& latest_place() {
        if (depth_ == 0) return document_;
        level& in = innermost();
        return in.is_list ? in.elements.back() : in.members.back().second;
    }
    template <class Value> bool add(Value&& value) {
        make_place();
        latest_place() = std::forward<Value>(value);
        return true;
    }
    bool open(bool is_list);
    template <class Value> bool close(Value&& value) {
        --depth_;
        latest_place() = std::forward<Value>(value);
        return true;
    }
    /// The place of what the parser met last.
    [[nodiscard]] std::string path() const;

    json document_;
    std::vector<level> levels_; ///< Those that have ended keep their memory for the next.
    std::size_t depth_{};       ///< How many have not ended.
};

bool document_builder::level::knows(const std::string& name) {
    constexpr std::size_t few = 16;
    if (members.size() < few)
        return std::ranges::any_of(members, [&](const auto& member) { return member.first == name; });
    if (names.empty())
        for (const auto& member : members) names.insert(member.first);
    return !names.insert(name).second;
}

json::object_t document_builder::level::take_members() {
    json::object_t all;
    all.reserve(members.size());
    for (auto& [name, value] : members) all.emplace_back(std::move(name), std::move(value));
    members.clear();
    if (!names.empty()) names.clear();
    return all;
}

bool document_builder::open(bool is_list) {
    make_place();
    if (depth_ >= depth_max)
        refuse_json(path(), "values are nested more than " + std::to_string(depth_max) + " deep");
    if (depth_ == levels_.size()) levels_.emplace_back();
    ++depth_;
    innermost().is_list = is_list;
    innermost().elements.clear();
    return true;
}

std::string document_builder::path() const {
    std::string text;
    for (const level& in : std::span(levels_).first(depth_)) {
        if (in.is_list && !in.elements.empty()) text += "[" + std::to_string(in.elements.size() - 1) + "]";
        if (in.is_list || in.members.empty()) continue;
        const std::string& name = in.members.back().first;
        if (!name.empty()) text += (text.empty() ? "" : ".") + name;
    }
    return text;
}

} // namespace

json parse_json(std::string_view text) {
    if (text.find('\0') != std::string_view::npos) // nlohmann-json takes it for the end of the text.
        throw json_error("", "it has a null byte, which is no part of JSON");
    document_builder made;
    std::ignore = json::sax_parse(text, &made);
    return made.take();
}

} // namespace ecs
