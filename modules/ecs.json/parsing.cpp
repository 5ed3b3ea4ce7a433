// SPDX-License-Identifier: MIT
// A text as JSON, and what a parser of JSON lets pass: members that are there twice, of which one would be
// lost, and values that are nested so deep that a function that walks them by calling itself runs out of
// stack.
module;
#include <nlohmann/json.hpp>
module ecs.json;
import ecs.std;
import ecs.world;

namespace ecs {

namespace {

constexpr int depth_max = 64;

/// Where the parser is, and what it has met on the way there.
class parse_place {
  public:
    using event = json::parse_event_t;

    /// Throws json_error when there is what must not be.
    bool see(int depth, event what, const json& parsed) {
        if (what == event::object_end || what == event::array_end) {
            open_.pop_back();
            return true;
        }
        if (what == event::key) {
            enter_member(parsed.get<std::string>());
            return true;
        }
        enter_element();
        if (what == event::value) return true;
        if (depth >= depth_max)
            refuse_json(path(), "values are nested more than " + std::to_string(depth_max) + " deep");
        open_.emplace_back().is_list = what == event::array_start;
        return true;
    }

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
        std::size_t elements{}; ///< Of a list: how many have begun.
        std::string name;       ///< Of an object: the member that came last.
        std::unordered_set<std::string> names;
    };

    void enter_member(std::string name) {
        level& object = open_.back();
        object.name = std::move(name);
        if (!object.names.insert(object.name).second) refuse_json(path(), "the member is there twice");
    }
    void enter_element() {
        if (!open_.empty()) ++open_.back().elements;
    }

    std::vector<level> open_;
};

} // namespace

json parse_json(std::string_view text) {
    parse_place place;
    try {
        return json::parse(text, [&](int depth, json::parse_event_t what, const json& parsed) {
            return place.see(depth, what, parsed);
        });
    } catch (const json::parse_error& error) {
        throw json_error("", error.what());
    } catch (const json::exception& error) {
        throw json_error(place.path(), error.what());
    }
}

} // namespace ecs
