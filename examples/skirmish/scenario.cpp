// SPDX-License-Identifier: MIT
#include "scenario.hpp"
#include "json_file.hpp"
#include <set>

namespace skirmish {

namespace {

using json_file::node;

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

} // namespace

scenario load_scenario(const std::filesystem::path& file) { return json_file::read(file, read_scenario); }

} // namespace skirmish
