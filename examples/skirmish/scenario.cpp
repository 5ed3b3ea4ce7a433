// SPDX-License-Identifier: MIT
#include "scenario.hpp"
#include "json_position.hpp"
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

namespace skirmish {

namespace {

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
        throw scenario_error(file_->string() + ":" + std::to_string(line) + ": " + field + " " + why);
    }

  private:
    const json* value_;
    const std::filesystem::path* file_;
    std::string_view text_;
    std::string pointer_;
};

constexpr unsigned most_units = 1'000'000;
constexpr float longest_side = 100'000;

platoon_plan read_platoon(const node& from) {
    return {from["name"].string(),
            from["units"].whole(0, most_units),
            from["x"].number(0, longest_side),
            from["y"].number(0, longest_side),
            from["spread"].number(0, longest_side),
            from["reinforcements"].whole(0, most_units)};
}

ship_plan read_ship(const node& from) {
    return {from["name"].string(), from["x"].number(0, longest_side), from["y"].number(0, longest_side),
            from["turrets"].whole(0, 1000)};
}

army_plan read_army(const node& from) {
    army_plan army{from["name"].string(), from["colour"].string(), from["partition"].string(), {}, {}};
    if (army.partition != "client" && army.partition != "server")
        from["partition"].refuse("is neither \"client\" nor \"server\"");
    for (const node& platoon : from["platoons"].elements()) army.platoons.push_back(read_platoon(platoon));
    for (const node& ship : from["ships"].elements()) army.ships.push_back(read_ship(ship));
    return army;
}

buff_plan read_buff(const node& from) {
    return {from["every"].whole(1, most_units), from["lasts"].whole(1, most_units),
            static_cast<int>(from["shield"].whole(0, 1000)), from["haste"].number(0, 100)};
}

void require_good_name(const node& named, std::set<std::string>& taken) {
    const std::string name = named["name"].string();
    if (name.empty() || name.find('/') != std::string::npos)
        named["name"].refuse("is no name: a name is not empty and has no '/'");
    if (!taken.insert(name).second) named["name"].refuse("is the name of another");
}

/// Names find armies, platoons and ships, so no two may be the same, and each must be one that the world
/// takes.
void require_good_names(const node& armies) {
    std::set<std::string> taken;
    for (const node& army : armies.elements()) {
        require_good_name(army, taken);
        for (const char* const kind : {"platoons", "ships"})
            for (const node& named : army[kind].elements()) require_good_name(named, taken);
    }
}

scenario read_scenario(const node& from) {
    scenario plan{from["name"].string(),
                  from["seed"].whole(0, ~0U),
                  from["ticks"].whole(1, most_units),
                  from["field"]["width"].number(100, longest_side),
                  from["field"]["height"].number(100, longest_side),
                  read_buff(from["buff"]),
                  {}};
    if (from["armies"].elements().size() < 2) from["armies"].refuse("has fewer than two armies");
    require_good_names(from["armies"]);
    for (const node& army : from["armies"].elements()) plan.armies.push_back(read_army(army));
    return plan;
}

std::string read_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::error_code ignored; // A directory can be opened, and throws when it is read.
    if (!in || std::filesystem::is_directory(file, ignored))
        throw scenario_error(file.string() + ": cannot be read");
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

scenario load_scenario(const std::filesystem::path& file) {
    const std::string text = read_file(file);
    try {
        const json parsed = json::parse(text);
        return read_scenario({parsed, file, text});
    } catch (const json::parse_error& e) {
        const std::size_t line = line_at(text, std::min(e.byte, text.size()));
        throw scenario_error(file.string() + ":" + std::to_string(line) + ": not JSON: " + e.what());
    } catch (const json::exception& e) { // A number that is too large, say: the message quotes it.
        throw scenario_error(file.string() + ": " + e.what());
    }
}

} // namespace skirmish
