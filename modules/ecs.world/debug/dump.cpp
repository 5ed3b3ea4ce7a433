// SPDX-License-Identifier: MIT
// Entities, pairs and worlds in words. Reads only in untyped ways, so that it is compiled once.
module;
#include <charconv>
module ecs.world;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import ecs.component;
import ecs.core;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

template <class T> std::string number_text(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof(T));
    if constexpr (std::same_as<T, bool>) {
        return value ? "true" : "false";
    } else {
        std::array<char, 64> text;
        return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
    }
}

struct number_type {
    std::string_view name;
    std::string (*text)(const std::byte* from);
};

constexpr auto numbers =
    number_types::each([]<class T> { return number_type{type_name<T>, &number_text<T>}; });

std::optional<std::string> text_of_number(std::string_view type, const std::byte* value) {
    const auto* const number = std::ranges::find(numbers, type, &number_type::name);
    return number != numbers.end() ? std::optional(number->text(value)) : std::nullopt;
}

/// The name of the number, or the number where it has none.
std::string text_of_enumeration(const member& m, const std::byte* value) {
    const std::string number = text_of_number(m.number_type, value).value_or("?");
    const bool is_of_bool = m.number_type == type_name<bool>;
    const auto is_it = [&](const enumerator& e) {
        return number ==
               (is_of_bool ? std::string(e.value != 0 ? "true" : "false") : std::to_string(e.value));
    };
    const auto known = std::ranges::find_if(m.enumerators, is_it);
    return known != m.enumerators.end() ? known->name : number;
}

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
    return std::to_string(count) + ' ' + std::string(count == 1 ? one : many);
}

} // namespace

/// The name in quotation marks when the entity was given one; a component's name as it is; empty without
/// either.
std::string dumper::given_name(entity e) const {
    const std::string_view own = rows_.name_of(e);
    return own.empty() ? rows_.name_of_component(e) : std::string(own);
}

std::string dumper::nameless(entity e) const {
    if (generations_ || !e) return to_string(e);
    return std::to_string(e.index()) + (world_.alive(e) ? "" : " (dead)");
}

/// Names are unique below one parent, and those of components in the world.
std::string dumper::name_of_entity(entity e) const {
    std::string name = given_name(e);
    if (name.empty()) return nameless(e);
    if (!tells_apart_) return name;
    const std::string component = rows_.name_of_component(e);
    return component.empty() ? name + " (" + nameless(e) + ")" : component;
}

std::string dumper::name_of_index(std::uint32_t index) const {
    if (index == 0) return "*";
    const entity e = world_.at(index);
    return e ? name_of_entity(e) : std::to_string(index);
}

std::string dumper::name_of_relation(id word) const {
    const entity e = world_.at(word.relation_index());
    const std::string name = e && !generations_ ? given_name(e) : "";
    return name.empty() ? name_of_index(word.relation_index()) : name;
}

/// A pair with a target that has ended says so: another entity may have the index by now.
std::string dumper::name_of_target(id word) const {
    if (word.is_value_pair()) return "number " + std::to_string(word.number());
    if (word.is_link()) return "link " + std::to_string(word.number());
    const bool has_ended = word.kind() == id_kind::pair && !world_.target_of(word);
    return has_ended ? std::to_string(word.target_index()) + " (dead)" : name_of_index(word.target_index());
}

std::string dumper::name_of_pair(id word) const {
    return "(" + name_of_relation(word) + ", " + name_of_target(word) + ")";
}

std::string dumper::name_of_flagged(id word) const {
    const std::string text = to_string(word);
    return text.substr(0, text.find('|') + 1) +
           (word.kind() == id_kind::flagged_pair ? name_of_pair(word) : name_of_index(word.target_index()));
}

std::string dumper::name_of(id word) const {
    if (word.has_relation()) return name_of_pair(rows_.resolve(word));
    if (word.is_flagged()) return name_of_flagged(word);
    const entity e = rows_.entities().resolve(word.as_entity());
    if (world_.alive(e)) return name_of_entity(e);
    return word.is_entity() ? nameless(e) : to_string(word);
}

bool dumper::is_bytes(entity component) const {
    return rows_.info_of_id(component).operations.are_of_bytes();
}

entity dumper::component_of(const member& m, bool in_bytes) const {
    const entity named = rows_.component_named(m.type);
    const bool is_such = named && rows_.info_of_id(named).size == m.size;
    return is_such && (is_bytes(named) || !(in_bytes || m.is_bytes)) ? named : entity{};
}

std::string dumper::text_of_member(const member& m, bool in_bytes, const std::byte* value) const {
    if (const auto number = text_of_number(m.type, value)) return *number;
    if (is_text_type(m.type)) return in_quotes(*reinterpret_cast<const std::string*>(value));
    if (m.type == type_name<entity>) return name_of(*reinterpret_cast<const entity*>(value));
    if (!m.number_type.empty()) return text_of_enumeration(m, value);
    if (m.count != 0) return text_of_elements(m, in_bytes, value);
    if (!m.members.empty()) return text_of_members(m.members, in_bytes, value);
    return text_of_value(component_of(m, in_bytes), m.size, value);
}

std::string dumper::text_of_elements(const member& m, bool in_bytes, const std::byte* value) const {
    const member& each = m.members.front();
    std::string list;
    for (std::size_t i = 0; i != m.count; ++i)
        append_to_list(list, text_of_member(each, in_bytes, value + i * each.size));
    return "{" + list + "}";
}

std::string dumper::text_of_members(const std::vector<member>& members, bool in_bytes,
                                    const std::byte* value) const {
    std::string list;
    for (const member& m : members) append_to_list(list, text_of_member(m, in_bytes, value + m.offset));
    return "{" + list + "}";
}

std::string dumper::text_of_value(entity component, std::size_t size, const std::byte* value) const {
    const reflection* const known = members_of(component);
    if (!known) return "{" + counted(size, "byte", "bytes") + "}";
    const member* const whole = whole_of(*known);
    const bool in_bytes = is_bytes(component);
    return whole ? "{" + text_of_member(*whole, in_bytes, value) + "}"
                 : text_of_members(known->members, in_bytes, value);
}

std::string dumper::text_of_part(entity e, id word) const {
    std::string text = name_of(word);
    const entity type = world_.value_type_of(word);
    const void* const value = type ? world_.try_get(e, word) : nullptr;
    if (value) text += text_of_value(type, rows_.info_of_id(type).size, static_cast<const std::byte*>(value));
    return world_.is_enabled(e, word) ? text : text + " (disabled)";
}

std::string dumper::list_of(entity e) const {
    std::string list;
    for (const id word : world_.ids(e))
        if (word != id(rows_.registered<name>())) append_to_list(list, text_of_part(e, word));
    return list;
}

std::string dumper::text_of(entity e) const {
    if (!world_.alive(e)) return world_.explain(e);
    const std::string name = given_name(e);
    std::string text = to_string(e) + (name.empty() ? "" : " " + in_quotes(name)) + " in world " +
                       std::to_string(e.world()) + ", alive";
    if (!rows_.locate(e)) return text + ", on its way: what it has comes with the flush";
    const std::string list = list_of(e);
    return text + (list.empty() ? ", without components" : ": " + list);
}

std::string dumper::text_of_type(std::span<const id> type) const {
    std::string list;
    for (const id word : type) append_to_list(list, name_of(word));
    return "[" + list + "]";
}

namespace {

/// How many components and entities that every world has are in each table.
std::unordered_map<const table*, std::size_t> fixtures_by_table(const engine& in) {
    std::unordered_map<const table*, std::size_t> count;
    const auto note = [&](entity e) {
        if (const row_ref at = in.rows().locate(e)) ++count[at.block->owner];
    };
    for (std::uint32_t index = 1; index != entity_index::first_ordinary; ++index)
        note(in.rows().entities().at(index));
    for (const entity e : in.reads().components())
        if (index_of(e) >= entity_index::first_ordinary) note(e);
    return count;
}

} // namespace

std::string dump(const world& in, entity e) {
    return dumper(in).text_of(world_access::engine_of(in).rows().entities().resolve(e));
}

std::string dump(const world& in, id word) {
    return word.is_entity() || !word ? dump(in, word.as_entity()) : dumper(in).name_of(word);
}

std::string dump(const world& in) {
    const store& rows = world_access::engine_of(in).rows();
    const dumper words(in);
    auto fixtures = fixtures_by_table(world_access::engine_of(in));
    std::string lines;
    std::size_t entities = 0;
    std::size_t tables = 0;
    for (const auto& t : rows.tables()) {
        const std::size_t count = rows.size_of(*t) - fixtures[t.get()];
        if (count == 0) continue;
        entities += count;
        ++tables;
        lines += "\n  " + words.text_of_type(t->type()) + ": " + std::to_string(count);
    }
    for (const sparse_set* const set : rows.all_sparse_sets())
        if (set->size() != 0)
            lines += "\n  " + words.name_of(set->word) + ", outside tables: " + std::to_string(set->size());
    return "world " + std::to_string(rows.entities().world()) + ": " +
           counted(entities, "entity", "entities") + " in " + counted(tables, "table", "tables") + lines;
}

} // namespace ecs
