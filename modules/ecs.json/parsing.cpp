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

/// The place of the parser, and what it has met on the way there. Each of its functions throws json_error
/// when there is something that is not allowed. It makes no values: a parser that builds values and asks for
/// permission meanwhile looks through a whole list at the end of each of its elements.
class parse_place final : public nlohmann::json_sax<json> {
  public:
    bool null() override { return pass(); }
    bool boolean(bool) override { return pass(); }
    bool number_integer(json::number_integer_t) override { return pass(); }
    bool number_unsigned(json::number_unsigned_t) override { return pass(); }
    bool number_float(json::number_float_t, const json::string_t&) override { return pass(); }
    bool string(json::string_t&) override { return pass(); }
    bool binary(json::binary_t&) override { return pass(); }
    bool start_object(std::size_t) override { return open(false); }
    bool start_array(std::size_t) override { return open(true); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(json::string_t& name) override {
        level& object = open_.back();
        object.name = name;
        if (!object.names.insert(name).second) refuse_json(path(), "the member is there twice");
        return true;
    }
    /// The parser that builds the values reports the error.
    bool parse_error(std::size_t, const std::string&, const json::exception&) override { return false; }

    [[nodiscard]] std::string path() const {
        std::string text;
        for (const level& l : open_) {
            if (l.is_list && l.elements != 0) text += "[" + std::to_string(l.elements - 1) + "]";
            if (!l.is_list && !l.name.empty()) text += (text.empty() ? "" : ".") + l.name;
        }
        return text;
    }

  private:
    struct level {
        bool is_list{};
        std::size_t elements{}; ///< Of a list: how many elements have begun.
        std::string name;       ///< Of an object: the member that came last.
        std::unordered_set<std::string> names;
    };

    bool pass() {
        if (!open_.empty()) ++open_.back().elements;
        return true;
    }
    bool open(bool is_list) {
        pass();
        if (open_.size() >= depth_max)
            refuse_json(path(), "values are nested more than " + std::to_string(depth_max) + " deep");
        open_.emplace_back().is_list = is_list;
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    std::vector<level> open_;
};

} // namespace

json parse_json(std::string_view text) {
    parse_place place;
    try {
        std::ignore = json::sax_parse(text, &place);
        return json::parse(text);
    } catch (const json::parse_error& error) {
        throw json_error("", error.what());
    } catch (const json::exception& error) {
        throw json_error(place.path(), error.what());
    }
}

} // namespace ecs
