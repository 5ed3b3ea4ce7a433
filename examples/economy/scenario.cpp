// SPDX-License-Identifier: MIT
#include "scenario.hpp"
#include "json_file.hpp"
#include <cctype>
#include <set>

namespace economy {

namespace {

using json_file::node;

constexpr unsigned most_pieces = 1'000'000;

/// What the file speaks of, by its name.
class name_list {
  public:
    name_list(std::string kind) : kind_(std::move(kind)) {}

    void add(const std::string& name) { names_.insert(name); }

    std::string check(const node& from, const std::string& name) const {
        if (!names_.contains(name)) from.refuse("is no " + kind_ + ": " + name);
        return name;
    }
    std::string read(const node& from) const { return check(from, from.string()); }

    std::vector<std::string> read_all(const node& from) const {
        std::vector<std::string> all;
        for (const node& name : from.elements()) all.push_back(read(name));
        return all;
    }

  private:
    std::string kind_;
    std::set<std::string> names_;
};

struct names {
    name_list goods{"good"}, towns{"town"}, owners{"owner"};
    std::set<std::string> taken{};

    /// Questions find everything by its name, so that no two things have the same.
    void add(name_list& to, const node& named) {
        const std::string name = named.string();
        const auto is_of_word = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
        if (name.empty() || !std::ranges::all_of(name, is_of_word))
            named.refuse("is no name: a name has letters, digits and underscores alone");
        if (!taken.insert(name).second) named.refuse("is the name of another");
        to.add(name);
    }
};

amounts read_amounts(const node& from, const names& known) {
    amounts all;
    for (const auto& [good, pieces] : from.members())
        all[known.goods.check(pieces, good)] = static_cast<int>(pieces.whole(1, most_pieces));
    return all;
}

town_plan read_town(const node& from, const names& known) {
    return {from["name"].string(), known.towns.read_all(from["ships_to"])};
}

owner_plan read_owner(const node& from, const names& known) {
    return {from["name"].string(), known.owners.read_all(from["friends"]), read_amounts(from["owns"], known)};
}

workshop_plan read_workshop(const node& from, const names& known) {
    workshop_plan plan{from["name"].string(), known.towns.read(from["town"]),
                       known.owners.read(from["owner"]), read_amounts(from["makes"], known),
                       read_amounts(from["uses"], known)};
    if (plan.makes.size() != 1) from["makes"].refuse("is not one good");
    return plan;
}

/// First of all, because what is named may stand anywhere in the file.
names read_names(const node& from) {
    names known;
    name_list workshops("workshop");
    for (const node& good : from["goods"].elements()) known.add(known.goods, good);
    for (const node& town : from["towns"].elements()) known.add(known.towns, town["name"]);
    for (const node& owner : from["owners"].elements()) known.add(known.owners, owner["name"]);
    for (const node& workshop : from["workshops"].elements()) known.add(workshops, workshop["name"]);
    return known;
}

scenario read_scenario(const node& from) {
    const names known = read_names(from);
    scenario plan{known.goods.read_all(from["goods"]), {}, {}, {}};
    for (const node& town : from["towns"].elements()) plan.towns.push_back(read_town(town, known));
    for (const node& owner : from["owners"].elements()) plan.owners.push_back(read_owner(owner, known));
    for (const node& shop : from["workshops"].elements())
        plan.workshops.push_back(read_workshop(shop, known));
    return plan;
}

} // namespace

scenario load_scenario(const std::filesystem::path& file) { return json_file::read(file, read_scenario); }

} // namespace economy
