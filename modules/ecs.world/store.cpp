// SPDX-License-Identifier: MIT
// Entities, components and names of a store. Structural changes are in structure.cpp.
module;
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>
module ecs.world;
import :store;
import :worlds;

namespace ecs {

namespace {

constexpr struct {
    builtin entity;
    std::string_view name;
} builtin_names[]{{child_of, "child_of"},   {is_a, "is_a"},           {prefab_tag, "prefab"},
                  {disabled, "disabled"},   {exclusive, "exclusive"}, {transitive, "transitive"},
                  {symmetric, "symmetric"}, {reflexive, "reflexive"}, {acyclic, "acyclic"}};

void no_values(row_ref) noexcept {}

} // namespace

store::store() : entities_(acquire_world()) {
    std::ignore = table_of({}); // The root: entities without components.
    bootstrap();
}

store::~store() {
    tables_.clear(); // Values end before the identifiers do.
    release_world(std::move(entities_));
}

void store::bootstrap() {
    register_type(type_number<component_info>(), type_name<component_info>, info_of<component_info>);
    register_type(type_number<name>(), type_name<name>, info_of<name>);
    for (const auto& [known, text] : builtin_names)
        materialize(entities_->claim(known.index()), root(), no_values);
}

entity store::spawn() {
    require_still();
    return spawn_in(root(), no_values);
}

entity store::register_type(std::uint32_t number, std::string_view type_name, const component_info& info) {
    const entity e = register_component(type_name, info);
    if (components_.size() <= number) components_.resize(number + 1);
    components_[number] = e;
    if (number < low_indices_.size() && e.index() < low_ids)
        low_indices_[number] = static_cast<std::uint8_t>(e.index());
    return e;
}

entity store::register_component(std::string_view name, const component_info& info) {
    require_still();
    entity e = entities_->create_low();
    if (!e) e = entities_->create();
    make_record(e, info);
    const entity facts = registered<component_info>() ? registered<component_info>() : e;
    const id type[]{facts};
    materialize(e, table_of(type), [&](row_ref at) { ::new (value_at(at, facts)) component_info(info); });
    if (!name.empty()) names_.try_emplace(std::string(name), e);
    return e;
}

component_info store::info_of_id(id word) const {
    const auto facts_at = [&](std::uint32_t index) {
        const entity e = entities_->at(index);
        const std::byte* const found = e ? find(e, registered<component_info>()) : nullptr;
        return found ? *reinterpret_cast<const component_info*>(found) : component_info{};
    };
    if (!word.is_pair()) return facts_at(index_of(word.as_entity()));
    const component_info relation = facts_at(word.relation_index());
    return relation.size != 0 ? relation : facts_at(word.target_index());
}

id_record& store::record_of(id word) {
    if (const auto* const known = records_.find(word.value())) return **known;
    return make_record(word, info_of_id(word));
}

/// From now on the end of the entities in the word concerns others.
id_record& store::make_record(id word, const component_info& info) {
    if (word.is_entity()) entities_->set_referred(index_of(word.as_entity()));
    if (word.is_pair()) {
        entities_->set_referred(word.relation_index());
        entities_->set_referred(word.target_index());
    }
    std::unique_ptr<id_record>& record = records_[word.value()];
    record = std::make_unique<id_record>(id_record{word, info, {}});
    return *record;
}

void store::set_name(entity e, std::string_view text) {
    if (text.empty() || text.find('/') != std::string_view::npos)
        throw name_error("\"" + std::string(text) +
                         "\" cannot be a name: a name is not empty and has no '/'");
    const auto [place, fresh] = names_.try_emplace(std::string(text), e);
    if (!fresh && place->second != e)
        throw name_error("another entity has the name \"" + std::string(text) + "\"");
    name value{std::string(text)};
    set(e, component_entity<name>(), &value);
}

std::string_view store::name_of(entity e) const {
    const std::byte* const found = find(e, registered<name>());
    return found ? std::string_view(reinterpret_cast<const name*>(found)->text) : std::string_view();
}

void store::forget_name(row_ref at) noexcept {
    if (!at.block->owner->named) return;
    const std::byte* const found = value_at(at, registered<name>());
    if (found) names_.erase(reinterpret_cast<const name*>(found)->text);
}

entity store::lookup(std::string_view path) const {
    const auto found = names_.find(std::string(path));
    return found == names_.end() ? entity{} : found->second;
}

void store::refuse_access(entity e, id word, std::string_view component) const {
    const id_status status = entities_->status(e);
    const std::string subject = "entity " + std::to_string(e.index()) + "v" + std::to_string(e.generation());
    const std::string reason = status == id_status::live
                                   ? " has no " + std::string(component)
                                   : " is " + std::string(ecs::to_string(status)) + ": no " +
                                         std::string(component) + " can be read from it";
    throw access_error(e, word, status, subject + reason);
}

void store::refuse_to_change() {
    throw iteration_error("the structure of the world cannot change while a loop walks over it: "
                          "record commands and flush them after the loop");
}

void store::shrink() {
    for (const auto& t : tables_) t->shrink();
}

std::size_t store::memory_bytes() const {
    std::size_t bytes = entities_->memory_bytes();
    for (const auto& t : tables_) bytes += t->memory_bytes();
    return bytes;
}

} // namespace ecs
