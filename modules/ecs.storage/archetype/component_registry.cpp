// SPDX-License-Identifier: MIT
// Which entity stands for a type or a name, while components come and go.
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

// Where components get their index. The library's own components come first, then those of manifests; types
// count down from the top, in an order that is the same in every world of the process; components that are
// described at run time fill the middle.
constexpr std::uint32_t first_free = first_manifest_index;
constexpr std::uint32_t first_described = first_manifest_index + manifest_components_max;

/// Whether a type has another component now, or none.
bool forgets(const std::vector<entity>& before, const std::vector<entity>& now) {
    for (std::size_t number = 0; number < before.size(); ++number)
        if (before[number] && (number >= now.size() || now[number] != before[number])) return true;
    return false;
}

/// Texts from earlier versions name entities by the names that they had then.
std::string_view current_name(std::string_view text) {
    if (text == "on_end") return "on_delete";
    return text == "on_target_end" ? "on_delete_target" : text;
}

} // namespace

std::uint32_t component_registry::number_of(entity component) const {
    const auto found = std::ranges::find(by_type_, component);
    return found == by_type_.end() ? 0 : static_cast<std::uint32_t>(found - by_type_.begin());
}

entity component_registry::enter(std::uint32_t number, entity component) noexcept {
    return by_type_[number] = component;
}

entity component_registry::named(std::string_view text) const {
    auto found = by_name_.find(std::string(text));
    if (found == by_name_.end()) found = by_name_.find(std::string(current_name(text)));
    return found == by_name_.end() ? entity{} : found->second;
}

std::string component_registry::name_of(entity component) const {
    const auto found = names_.find(component);
    return found == names_.end() ? std::string() : found->second;
}

bool component_registry::give_name(std::string_view text, entity component) {
    if (text.empty()) return false;
    const auto [named, is_new] = by_name_.try_emplace(std::string(text), component);
    if (!is_new) return false;
    try {
        names_[component] = text;
    } catch (...) {
        by_name_.erase(named);
        throw;
    }
    return true;
}

void component_registry::take_name(entity component) noexcept {
    const auto named = names_.find(component);
    if (named == names_.end()) return;
    by_name_.erase(named->second);
    names_.erase(named);
}

void component_registry::copy_names(const component_registry& from, std::span<const entity> of) {
    for (const auto& [text, meant] : from.by_name_)
        if (std::ranges::binary_search(of, meant)) give_name(text, meant);
}

bool component_registry::forget(entity component) noexcept {
    take_name(component);
    const auto known = std::ranges::find(by_type_, component);
    if (known == by_type_.end()) return false;
    *known = {};
    ++forgotten_types_;
    return true;
}

void component_registry::exchange(component_registry& other) noexcept {
    by_type_.swap(other.by_type_);
    by_name_.swap(other.by_name_);
    names_.swap(other.names_);
    if (forgets(other.by_type_, by_type_)) ++forgotten_types_;
}

bool component_registry::may_have(std::uint32_t number, std::uint32_t index) const {
    return std::ranges::all_of(promised_, [&](const promised_index& known) {
        return (known.number == number) == (known.index == index);
    });
}

void component_registry::promise_index(std::uint32_t number, std::uint32_t index) {
    if (std::ranges::find(promised_, number, &promised_index::number) == promised_.end())
        promised_.push_back({number, index});
}

/// Null when the index is in use or spent, or promised to a component.
entity component_registry::create_at(entity_index& from, std::uint32_t index) const {
    const bool is_promised = std::ranges::find(promised_, index, &promised_index::index) != promised_.end();
    return is_promised ? entity{} : from.create_at(index);
}

entity component_registry::issue_for_type(entity_index& from, std::uint32_t number) const {
    const auto promised = std::ranges::find(promised_, number, &promised_index::number);
    if (promised != promised_.end()) return from.create_at(promised->index);
    const entity wanted = number <= low_ids - first_free ? create_at(from, low_ids - number) : entity{};
    return wanted ? wanted : issue(from);
}

entity component_registry::issue(entity_index& from) const {
    entity e;
    for (std::uint32_t free = first_described; !e && free < low_ids; ++free) e = create_at(from, free);
    for (std::uint32_t free = first_described; !e && free-- > first_free;) e = create_at(from, free);
    return e ? e : from.create_late_component();
}

} // namespace ecs
