// SPDX-License-Identifier: MIT
// Names to entities and back; see names.cppm.
module ecs.remote;
import ecs.std;
import ecs.world;
import ecs.json;

namespace ecs::remote {

namespace {

std::optional<std::uint64_t> digits(const std::string& text) {
    std::uint64_t value{};
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (text.empty() || read.ptr != end || read.ec != decltype(read.ec){}) return std::nullopt;
    return value;
}

std::string joined(std::span<const std::string> names, char separator) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : std::string(1, separator)) + name;
    return text;
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

[[noreturn]] void refuse_unknown(std::string_view path) {
    refuse(404, "entity \"" + std::string(path) + "\" is not found: nobody who is alive is called so");
}

} // namespace

bool is_built_in(entity e) { return e.index() >= child_of.index() && e.index() < id_space::first_index; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::string escaped(std::string_view name, char separator) {
    std::string text;
    for (const char c : name) {
        if (c == separator || c == '\\') text += '\\';
        text += c;
    }
    return text;
}

std::vector<std::string> split_path(std::string_view path, char separator) {
    std::vector<std::string> parts(1);
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] == separator)
            parts.emplace_back();
        else if (path[i] == '\\' && i + 1 < path.size())
            parts.back() += path[++i];
        else
            parts.back() += path[i];
    }
    std::erase(parts, std::string());
    return parts;
}

/// The names of components and of entities that every world has; empty for others.
std::string name_book::built_in_name(entity e) const {
    if (!in_->has<component_info>(e) && !is_built_in(e)) return {};
    const auto known = std::ranges::find(known_names_, e, &std::pair<entity, std::string>::first);
    if (known != known_names_.end()) return known->second;
    const std::string own = in_->component_name(e);
    const std::string_view theirs = own_names_ ? std::string_view() : name_of_flecs(own);
    known_names_.emplace_back(e, theirs.empty() ? own : std::string(theirs));
    return known_names_.back().second;
}

/// The only component in a namespace that has this name, as queries find it.
entity name_book::ending_with(const std::string& name) const {
    entity found;
    for (const entity component : in_->components()) {
        if (!built_in_name(component).ends_with("::" + name)) continue;
        if (found) return {};
        found = component;
    }
    return found;
}

std::string name_book::name_of(entity e) const {
    if (const std::string known = built_in_name(e); !known.empty()) return known;
    const std::string_view name = in_->name_of(e);
    return name.empty() ? '#' + std::to_string(number_of(e)) : std::string(name);
}

std::string name_book::path_of(entity e) const {
    const std::string known = built_in_name(e);
    if (!known.empty()) return known.starts_with("flecs.") ? known : escaped(known, '.');
    const std::string path = path_of_names(e);
    const bool has_border = path.starts_with(' ') || path.ends_with(' '); // Texts of pairs lose these.
    const auto leads_here = [&] { // Addresses are read with '/' first.
        const entity by_slashes = find(path, '/');
        return find(path, '.') == e && (!by_slashes || by_slashes == e);
    };
    return !has_border && leads_here() ? path : '#' + std::to_string(number_of(e));
}

/// Names from the outermost parent on, or from the last entity that has none.
std::string name_book::path_of_names(entity e) const {
    std::string path;
    for (; e; e = in_->parent(e)) {
        const std::string_view name = in_->name_of(e);
        const std::string own = name.empty() ? '#' + std::to_string(number_of(e)) : escaped(name, '.');
        path = path.empty() ? own : own + '.' + path;
        if (name.empty()) break;
    }
    return path;
}

std::string name_book::text_of_relation(id pair) const {
    const entity relation = in_->relation_of(pair);
    return relation ? path_of(relation) : '#' + std::to_string(pair.relation_index());
}

std::string name_book::text_of_target(id pair) const {
    if (pair.is_value_pair()) return std::to_string(pair.number());
    if (pair.is_link()) return "(object)";
    if (pair.is_wildcard() && pair.target_index() == 0) return "*";
    const entity target = in_->target_of(pair);
    if (!target) return '#' + std::to_string(pair.target_index());
    const std::string path = path_of(target); // Of digits alone, it would be read as a number.
    return digits(path) ? '#' + std::to_string(number_of(target)) : path;
}

std::string name_book::text_of_word(id word) const {
    if (word.is_entity()) return path_of(word.as_entity());
    if (!word.has_relation()) return to_string(word);
    const bool any_relation = word.is_wildcard() && word.relation_index() == 0;
    return '(' + (any_relation ? "*" : text_of_relation(word)) + ',' + text_of_target(word) + ')';
}

/// The entity of "#512", "#512v3" or both as one number.
entity name_book::with_number(std::string_view text) const {
    const std::size_t v = text.find('v');
    const auto first = digits(std::string(text.substr(1, v == std::string_view::npos ? v : v - 1)));
    const auto second = v == std::string_view::npos ? std::nullopt : digits(std::string(text.substr(v + 1)));
    if (!first || (v != std::string_view::npos && (!second || *first > 0xFFFF'FFFFU))) return {};
    const std::uint64_t generation = second ? *second : *first >> 32U;
    const entity found = in_->at(static_cast<std::uint32_t>(*first & 0xFFFF'FFFFU));
    const bool any_generation = generation == 0 && !second;
    return found && (any_generation || found.generation() == generation) ? found : entity{};
}

entity name_book::below(entity scope, std::span<const std::string> names) const {
    return names.empty() ? scope : in_->lookup(scope, joined(names, '/'));
}

entity name_book::find_exactly(std::string_view path, char separator) const {
    const std::vector<std::string> names = split_path(path, separator);
    if (names.empty()) return {};
    if (names.front().starts_with('#')) {
        const entity scope = with_number(names.front());
        return scope ? below(scope, std::span(names).subspan(1)) : entity{};
    }
    if (names.size() == 1)
        if (const entity component = in_->component_named(names.front())) return component;
    if (const entity found = in_->lookup(joined(names, '/'))) return found;
    const std::string whole = joined(names, '.');
    return whole.starts_with("flecs.") ? in_->component_named(own_name(whole)) : entity{};
}

entity name_book::find(std::string_view path, char separator) const {
    if (const entity exact = find_exactly(path, separator)) return exact;
    const std::vector<std::string> names = split_path(path, separator);
    if (names.empty() || names.front().starts_with('#')) return {};
    const std::string whole = joined(names, '.');
    const entity aliased = in_->component_named(own_name(whole));
    return aliased ? aliased : ending_with(whole);
}

entity name_book::require(std::string_view path, char separator) const {
    entity found = find(path, separator);
    if (!found && separator == '/') found = find(path, '.');
    if (!found) refuse_unknown(path);
    return found;
}

entity name_book::require_exactly(std::string_view path) const {
    entity found = find_exactly(path, '/');
    if (!found) found = find_exactly(path, '.');
    if (!found) refuse_unknown(path);
    return found;
}

/// The comma behind the relation, whose name may have commas of its own, as "owes<int, 2>"; the first one
/// where nobody has such a name.
std::size_t name_book::comma_of_pair(std::string_view text) const {
    const std::size_t first = text.find(',');
    for (std::size_t comma = first; comma != std::string_view::npos; comma = text.find(',', comma + 1))
        if (find(trimmed(text.substr(1, comma - 1)), '.')) return comma;
    return first;
}

id name_book::word(std::string_view text) const {
    if (!text.starts_with('(')) return require(text, '.');
    if (const entity known = find(text, '.')) return known; // As "(anonymous namespace)::position".
    const std::size_t comma = comma_of_pair(text);
    if (comma == std::string_view::npos || !text.ends_with(')'))
        refuse(400, "\"" + std::string(text) + "\" is no pair: (relation,target) is expected");
    const entity relation = require(trimmed(text.substr(1, comma - 1)), '.');
    if (!can_relate(relation))
        refuse(400, "the index of \"" + path_of(relation) + "\" is too high for a relation");
    const std::string_view target = trimmed(text.substr(comma + 1, text.size() - comma - 2));
    if (target == "*") return pair(relation, any);
    if (const auto number = digits(std::string(target)); number && *number <= 0xFFFF'FFFFU)
        return value_pair(relation, static_cast<std::uint32_t>(*number));
    return in_->pair_to(relation, require(target, '.'));
}

entity name_book::meant_by(const std::string& text, const std::string& path) const {
    const entity found = find(text, '.');
    if (!found) throw json_error(path, "nobody is called \"" + text + "\"");
    return found;
}

} // namespace ecs::remote
