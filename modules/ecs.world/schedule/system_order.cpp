// SPDX-License-Identifier: MIT
// Names become systems, and what is asked across phases is compared with the order of the phases.
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

constexpr std::size_t nowhere = phase_of_systems::none;

} // namespace

asked_order::asked_order(std::span<const phase_of_systems> phases,
                         std::span<const std::unique_ptr<system_set>> sets)
    : phases_(phases), sets_(sets), members_(sets.size()), found_(phases.size()), known_(phases.size()) {
    for (const auto& set : sets_) std::ignore = sets_named({set->name}, {});
    for (std::size_t p = 0; p < phases_.size(); ++p)
        for (std::size_t i = 0; i < phases_[p].systems.size(); ++i)
            for (const std::size_t set : numbers_of_sets(*phases_[p].systems[i]))
                members_[set].push_back({p, i});
}

std::vector<std::size_t> asked_order::numbers_of_sets(const scheduled_system& of) const {
    return sets_named(of.options.sets, "system " + in_quotes(of.time.name));
}

std::vector<std::size_t> asked_order::sets_named(const std::vector<std::string>& names,
                                                 const std::string& title) const {
    std::vector<std::size_t> found, open;
    for (const std::string& name : names) add_set(found, open, title, name);
    return found;
}

/// Adds the set behind those of which it is a member; `open` are the sets for which it is added.
void asked_order::add_set(std::vector<std::size_t>& found, std::vector<std::size_t>& open,
                          const std::string& title, const std::string& name) const {
    const std::size_t set = find_set(name);
    if (set == nowhere)
        throw schedule_setup_error(title + " is a member of the set " + in_quotes(name) +
                                   ", which the schedule does not have: add it with set(" + in_quotes(name) +
                                   ")");
    if (std::ranges::find(open, set) != open.end())
        throw schedule_setup_error("set " + in_quotes(name) + " is a member of itself, by way of " + title);
    if (std::ranges::find(found, set) != found.end()) return;
    open.push_back(set);
    for (const std::string& outer : sets_[set]->options.sets)
        add_set(found, open, "set " + in_quotes(name), outer);
    open.pop_back();
    found.push_back(set);
}

std::vector<system_set*> asked_order::sets_of(const scheduled_system& of) const {
    std::vector<system_set*> all;
    for (const std::size_t set : numbers_of_sets(of)) all.push_back(sets_[set].get());
    return all;
}

std::vector<std::vector<system_pair>> asked_order::find() {
    for (std::size_t p = 0; p < phases_.size(); ++p)
        for (std::size_t i = 0; i < phases_[p].systems.size(); ++i) {
            const system_options& asked = phases_[p].systems[i]->options;
            const system_place place{p, i};
            add_all({&place, 1}, "system " + in_quotes(name_of(place)), asked.after, asked.before);
        }
    for (std::size_t s = 0; s < sets_.size(); ++s)
        add_all(members_[s], "set " + in_quotes(sets_[s]->name), sets_[s]->options.after,
                sets_[s]->options.before);
    for (std::size_t s = 0; s < sets_.size(); ++s)
        if (members_[s].empty()) order_across(s);
    return std::move(found_);
}

/// Orders what comes before a set without members before what comes after it.
void asked_order::order_across(std::size_t empty) {
    neighbours first{empty, {}, {}}, second{empty, {}, {}};
    std::vector<bool> seen_before(sets_.size()), seen_behind(sets_.size());
    gather(first, seen_before, empty, true);
    gather(second, seen_behind, empty, false);
    for (const system_place one : first.systems) {
        for (const system_place other : second.systems) order(one, other);
        for (const std::size_t phase : second.phases) order_by_phase(one, phase, false);
    }
    for (const system_place other : second.systems)
        for (const std::size_t phase : first.phases) order_by_phase(other, phase, true);
    for (const std::size_t phase : first.phases)
        for (const std::size_t other : second.phases) require_order(empty, phase, other);
}

/// The set without members is to come after the one phase and before the other.
void asked_order::require_order(std::size_t set, std::size_t first, std::size_t second) const {
    if (first < second) return;
    const std::string name = in_quotes(sets_[set]->name), after = in_quotes(phases_[first].name),
                      before = in_quotes(phases_[second].name);
    refuse(std::min(first, second), std::max(first, second), after + " -> " + name + " -> " + before,
           "set " + name + " is to run after the phase " + after + " and before the phase " + before);
}

/// Adds the members of the set or, where it has none, what has to end before it or to wait for it: what the
/// sets ask for of which it is a member, and what others ask for of those.
void asked_order::gather(neighbours& found, std::vector<bool>& seen, std::size_t set, bool earlier) const {
    if (seen[set]) {
        if (set != found.of) return;
        throw schedule_setup_error("the order of the schedule is a circle: set " +
                                   in_quotes(sets_[set]->name) +
                                   " is to run before itself, by way of sets without members");
    }
    seen[set] = true;
    const auto& all = members_[set];
    found.systems.insert(found.systems.end(), all.begin(), all.end());
    if (!all.empty()) return;
    for (const std::size_t of : sets_named({sets_[set]->name}, {})) {
        const set_options& asked = sets_[of]->options;
        const std::vector<std::string>& names = earlier ? asked.after : asked.before;
        for (const std::string& name : names) gather_named(found, seen, name, earlier);
        gather_who_asks(found, seen, sets_[of]->name, earlier);
    }
}

void asked_order::gather_named(neighbours& found, std::vector<bool>& seen, std::string_view name,
                               bool earlier) const {
    if (const auto system = find_system(name))
        found.systems.push_back(*system);
    else if (const std::size_t set = find_set(name); set != nowhere)
        gather(found, seen, set, earlier);
    else
        found.phases.push_back(*find_phase(name));
}

/// Adds the systems and sets that ask to come before that name, or behind it.
void asked_order::gather_who_asks(neighbours& found, std::vector<bool>& seen, const std::string& name,
                                  bool earlier) const {
    const auto asks = [&](const auto& options) {
        const std::vector<std::string>& names = earlier ? options.before : options.after;
        return std::ranges::find(names, name) != names.end();
    };
    for (std::size_t p = 0; p < phases_.size(); ++p)
        for (std::size_t i = 0; i < phases_[p].systems.size(); ++i)
            if (asks(phases_[p].systems[i]->options)) found.systems.push_back({p, i});
    for (std::size_t s = 0; s < sets_.size(); ++s)
        if (asks(sets_[s]->options)) gather(found, seen, s, earlier);
}

void asked_order::add_all(std::span<const system_place> subjects, const std::string& title,
                          const std::vector<std::string>& after, const std::vector<std::string>& before) {
    for (const std::string& other : after) add(subjects, title, other, true);
    for (const std::string& other : before) add(subjects, title, other, false);
}

void asked_order::add(std::span<const system_place> subjects, const std::string& title,
                      const std::string& other, bool is_after) {
    const auto order_against = [&](std::span<const system_place> others) {
        for (const system_place subject : subjects)
            for (const system_place at : others) is_after ? order(at, subject) : order(subject, at);
    };
    const std::size_t set = find_set(other);
    require_known(title, other);
    if (const auto system = find_system(other))
        order_against({&*system, 1});
    else if (set != nowhere)
        order_against(members_[set]);
    else
        for (const system_place subject : subjects) order_by_phase(subject, *find_phase(other), is_after);
}

void asked_order::require_known(const std::string& title, const std::string& name) const {
    if (find_system(name) || find_set(name) != nowhere || find_phase(name)) return;
    throw schedule_setup_error(title + " is ordered against " + in_quotes(name) +
                               ", which is no system, no set and no phase of the schedule");
}

void asked_order::order(system_place first, system_place second) {
    if (first.phase == second.phase) {
        const std::uint64_t key = (std::uint64_t{first.system} << 32 | second.system) + 1; // Not zero.
        if (!std::exchange(known_[first.phase][key], true))
            found_[first.phase].push_back({first.system, second.system});
    } else if (first.phase > second.phase) {
        const std::string before = in_quotes(name_of(first)), after = in_quotes(name_of(second));
        refuse(second.phase, first.phase, after + " -> " + before + " -> " + after,
               before + " is to run before " + after);
    }
}

void asked_order::order_by_phase(system_place subject, std::size_t phase, bool is_after) const {
    if (is_after ? phase < subject.phase : subject.phase < phase) return;
    const std::string system = in_quotes(name_of(subject)), other = in_quotes(phases_[phase].name);
    refuse(std::min(phase, subject.phase), std::max(phase, subject.phase),
           is_after ? system + " -> " + other + " -> " + system : other + " -> " + system + " -> " + other,
           system + (is_after ? " is to run after" : " is to run before") + " the phase " + other);
}

void asked_order::refuse(std::size_t first, std::size_t second, const std::string& circle,
                         const std::string& asked) const {
    const std::string phases = first == second
                                   ? "and is of that phase"
                                   : "and the phase " + in_quotes(phases_[first].name) + " runs before " +
                                         in_quotes(phases_[second].name) + ", as they were first named";
    throw schedule_setup_error("the order of the schedule is a circle, " + circle + ": " + asked + ", " +
                               phases);
}

const std::string& asked_order::name_of(system_place at) const {
    return phases_[at.phase].systems[at.system]->time.name;
}

std::optional<system_place> asked_order::find_system(std::string_view name) const {
    for (std::size_t p = 0; p < phases_.size(); ++p)
        if (const std::size_t i = phases_[p].find(name); i != nowhere) return system_place{p, i};
    return {};
}

std::size_t asked_order::find_set(std::string_view name) const {
    const auto found =
        std::ranges::find(sets_, name, [](const auto& set) -> std::string_view { return set->name; });
    return found == sets_.end() ? nowhere : static_cast<std::size_t>(found - sets_.begin());
}

std::optional<std::size_t> asked_order::find_phase(std::string_view name) const {
    const auto found = std::ranges::find(phases_, name, &phase_of_systems::name);
    if (found == phases_.end()) return {};
    return static_cast<std::size_t>(found - phases_.begin());
}

} // namespace ecs
