// SPDX-License-Identifier: MIT
// Reads what the file says of indices, components and types. Values are read in loader_values.cpp, and what
// the whole must satisfy is checked in loader_checks.cpp.
module;
#include <cstddef> // offsetof
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

constexpr std::uint64_t first_ordinary = entity_index::first_ordinary;
constexpr std::uint32_t generation_limit =
    static_cast<std::uint32_t>(field_of<layouts::entity, "generation">.max());

[[noreturn]] void refuse_component(std::string_view text, std::string_view what,
                                   const std::string& numbers = {}) {
    throw snapshot_error(snapshot_refusal::component_differs, "component " + std::string(text) +
                                                                  " has another " + std::string(what) +
                                                                  " in the snapshot" + numbers);
}

/// Whether the identifier is in the type for the values of pairs whose targets are in a column beside them:
/// nobody has it by itself.
bool holds_values_of_links(const std::vector<id>& type, id word) {
    return word.is_entity() && can_relate(word.as_entity()) &&
           std::ranges::find(type, pair(word, any)) != type.end();
}

} // namespace

void loader::refuse(const std::string& text) {
    throw snapshot_error(snapshot_refusal::inconsistent, "the snapshot is inconsistent: " + text);
}

std::unique_ptr<engine> loader::load() {
    read_header();
    made_ = std::make_unique<engine>(store::replica_tag{}, world_->rows().entities().world());
    made_->rows().entities().begin_replica(world_->rows().entities().space());
    read_indices();
    world_->lay_foundations(*made_);
    read_components();
    read_heads();
    for (part& p : parts_) read_columns(p);
    check_all_settled(); // From here on every entity that lives has a row.
    read_sparse_sets();
    read_lists();
    if (from_.left() != 0) refuse("bytes follow its end");
    check_links();
    check_bases();
    check_all_traits();
    name_entities();
    return std::move(made_);
}

void loader::read_header() {
    const std::span<const std::byte> raw = from_.read_bytes(sizeof(snapshot_header));
    snapshot_header header;
    std::memcpy(&header, raw.data(), sizeof(header));
    if (header.magic != snapshot_header{}.magic || header.version < snapshot_header::earliest ||
        header.version > snapshot_header::current)
        throw snapshot_error(snapshot_refusal::not_a_snapshot,
                             "these bytes are no snapshot, or one of another version");
    if (header.byte_order != snapshot_header{}.byte_order || header.layouts != fingerprint_of_layouts())
        throw snapshot_error(
            snapshot_refusal::layouts_differ,
            "the snapshot was made with other layouts, partitions or another kind of machine");
    if (header.header_checksum != fnv1a_of(raw.first(offsetof(snapshot_header, header_checksum))))
        throw snapshot_error(snapshot_refusal::damaged, "the header of the snapshot is damaged");
    if (header.body_bytes > from_.left())
        throw snapshot_error(snapshot_refusal::truncated, "the snapshot has " + std::to_string(from_.left()) +
                                                              " bytes of " +
                                                              std::to_string(header.body_bytes));
    if (header.body_bytes < from_.left()) refuse("bytes follow its end");
    snapshot_reader body = from_;
    if (header.body_checksum != checksum_of(body.read_bytes(body.left()), header.version))
        throw snapshot_error(snapshot_refusal::damaged, "the snapshot is damaged: its checksum is wrong");
    version_ = header.version;
}

void loader::read_indices() {
    constexpr std::size_t least = 4 + 8 + sizeof(index_state); // And the form, from the current version on.
    std::uint64_t next = first_ordinary;
    for (std::size_t left = from_.read_count(least); left != 0; --left) next = read_run(next);
    made_->rows().entities().pass_over_used_pages();
}

run_form loader::read_form() {
    if (version_ <= snapshot_header::all_listed) return run_form::listed;
    const auto form = from_.read<std::uint32_t>();
    if (form > static_cast<std::uint32_t>(run_form::alike)) refuse("a run has another form than there are");
    return static_cast<run_form>(form);
}

/// The number of entities of a run in one state. Each of them has an owner's index in the bytes that are
/// left.
std::size_t loader::read_count_of_alike() {
    const std::size_t count = from_.read_count(sizeof(std::uint32_t));
    alike_ += count;
    if (alike_ > from_.left() / sizeof(std::uint32_t)) refuse("more entities live than have a table");
    return count;
}

/// Reads a run that begins at that index or later; returns where it ends.
std::uint64_t loader::read_run(std::uint64_t earliest) {
    const auto first = from_.read<std::uint32_t>();
    const bool alike = read_form() == run_form::alike;
    const std::size_t count = alike ? read_count_of_alike() : from_.read_count(sizeof(index_state));
    const std::uint64_t end = first + std::uint64_t{count};
    if (first < earliest || end == first || end - 1 > id_space::last_index)
        refuse("indices are not in their order, or too large");
    alike ? write_alike(first, end) : write_listed(first, end);
    return end;
}

void loader::write_listed(std::uint64_t first, std::uint64_t end) {
    const std::span<const std::byte> raw = from_.read_bytes((end - first) * sizeof(index_state));
    std::size_t read = 0;
    for_each_page_between(
        first, end, [&](entity_index::state_writer& states, std::uint32_t index, std::uint32_t count) {
            for (const std::uint32_t end_of_page = index + count; index != end_of_page; ++index) {
                index_state state;
                std::memcpy(&state, raw.data() + read, sizeof(state));
                read += sizeof(state);
                require_sound(index, state);
                living_ += state.live != 0;
                states.write(index, state);
            }
        });
}

void loader::write_alike(std::uint64_t first, std::uint64_t end) {
    const auto state = from_.read<index_state>();
    if (state.live == 0) refuse("a run of entities that live has none");
    require_sound(static_cast<std::uint32_t>(first), state);
    if (has_late_components_here_) [[unlikely]]
        for (std::uint64_t index = first; index != end; ++index)
            require_no_component(static_cast<std::uint32_t>(index));
    living_ += end - first;
    for_each_page_between(first, end,
                          [&](entity_index::state_writer& states, std::uint32_t index, std::uint32_t count) {
                              states.write_run(index, count, state);
                          });
}

/// Calls visit(states, index, count) for the parts of a run that are in one page each; the slots of the page
/// are made before.
void loader::for_each_page_between(std::uint64_t first, std::uint64_t end, const auto& visit) {
    entity_index& entities = made_->rows().entities();
    entity_index::state_writer states(entities);
    while (first != end) {
        const auto index = static_cast<std::uint32_t>(first);
        const std::uint64_t left_in_page = entity_index::page_size - first % entity_index::page_size;
        const auto count = static_cast<std::uint32_t>(std::min(left_in_page, end - first));
        entities.make_page(index);
        visit(states, index, count);
        first += count;
    }
}

void loader::require_sound(std::uint32_t index, index_state state) const {
    const bool is_sound = state.live <= generation_limit && state.next <= generation_limit &&
                          (state.next == 0 || state.next > state.live);
    if (!is_sound) refuse("index " + std::to_string(index) + " has impossible generations");
    if (state.live != 0 && has_late_components_here_) [[unlikely]]
        require_no_component(index);
}

/// Throws snapshot_error when the index is a component of the world.
void loader::require_no_component(std::uint32_t index) const {
    const entity here = world_->rows().entities().at(index);
    if (!here || !world_->rows().is_component(here)) return;
    throw snapshot_error(snapshot_refusal::index_in_use,
                         "index " + std::to_string(index) + " is an entity of the snapshot, and " +
                             "component " + world_->reads().text_of_component(here) + " of the world");
}

void loader::read_components() {
    constexpr std::size_t least = 8 + 4 + 1 + 8 + 8 + 8; // And the form, from the current version on.
    for (std::size_t left = from_.read_count(least); left != 0; --left) {
        const std::string text = from_.read_text();
        saved_component saved;
        saved.index = from_.read<std::uint32_t>();
        saved.kept_in = static_cast<storage>(from_.read<std::uint8_t>());
        const bool has_form = version_ > snapshot_header::formless;
        saved.form = has_form ? static_cast<value_form>(from_.read<std::uint8_t>()) : value_form::unknown;
        saved.size = from_.read<std::uint64_t>();
        saved.alignment = from_.read<std::uint64_t>();
        saved.members = from_.read<std::uint64_t>();
        const entity known = made_->rows().component_types().named(text);
        if (!made_->rows().is_component(known))
            throw snapshot_error(snapshot_refusal::unknown_component,
                                 "the world does not know component " + text +
                                     ": register it before the snapshot is loaded");
        check_component(known, text, saved);
        if (saved.index == 0 || (low_ids <= saved.index && saved.index < first_ordinary))
            refuse("component " + text + " has the index of a built-in entity, or none");
        has_late_components_ |= saved.index >= first_ordinary;
        if (!components_.try_emplace(saved.index, known).second)
            refuse("two components have index " + std::to_string(saved.index));
    }
}

void loader::check_component(entity component, std::string_view text, const saved_component& saved) const {
    const component_info& info = made_->rows().records().find(component)->info;
    const auto* const members =
        reinterpret_cast<const reflection*>(made_->find(component, made_->rows().registered<reflection>()));
    const auto expect = [&](bool same, std::string_view what) {
        if (!same) refuse_component(text, what);
    };
    const auto expect_number = [&](std::uint64_t there, std::size_t here, std::string_view what) {
        if (there != here)
            refuse_component(text, what, ": " + std::to_string(there) + ", not " + std::to_string(here));
    };
    const value_form form = form_of(info.size, info.operations);
    expect(saved.form == form || saved.form == value_form::unknown,
           "way of writing values (a function, or their bytes)");
    const bool is_written = form == value_form::written && saved.size != 0;
    if (!is_written) { // What a function reads may be larger here.
        expect_number(saved.size, info.size, "size");
        expect_number(saved.alignment, info.alignment, "alignment");
    }
    expect(saved.kept_in == info.kept_in, "storage");
    const std::uint64_t here = fingerprint_of_members(members, info, version_);
    expect(saved.members == here || saved.members == 0 || here == 0 || is_written, "list of members");
}

// Identifiers.

/// The entity for an index of the file: components are found by their name, all others by the index.
entity loader::entity_at(std::uint32_t index) const {
    if (index < first_ordinary || has_late_components_) {
        const auto component = components_.find(index);
        if (component != components_.end()) return component->second;
    }
    const entity found = index < low_ids ? entity{} : made_->rows().entities().at(index);
    if (!found) refuse("index " + std::to_string(index) + " has no entity");
    return found;
}

id loader::word_of(std::uint64_t bits) const {
    const id word = id::assume_word(bits);
    const auto relation = [&] { return entity_at(word.relation_index()); };
    const auto target = [&] { return entity_at(word.target_index()); };
    switch (word.kind()) {
    case id_kind::entity: return sound(target(), bits);
    case id_kind::pair: return sound(pair(relation(), target()), bits);
    case id_kind::wildcard_pair:
        if (word.target_index() != 0 ||
            !made_->rows().traits_of(pair(relation(), any)).any_of(trait::non_fragmenting))
            refuse("a pattern is part of a type");
        return pair(relation(), any);
    case id_kind::flagged_entity: return flags_of(word) | id(target());
    case id_kind::flagged_pair: return flags_of(word) | pair(relation(), target());
    case id_kind::value_pair: return value_pair(relation(), word.number());
    case id_kind::link: return link_to_slot(relation(), word.number());
    default: refuse("a word is no identifier");
    }
}

/// Returns the identifier, if the file's word names the same generation of it. Components and built-in
/// entities have the generations that they have in this world.
id loader::sound(id word, std::uint64_t bits) const {
    const id saved = id::assume_word(bits);
    const bool renamed = saved.target_index() < first_ordinary || components_.contains(saved.target_index());
    const std::uint64_t mine = word.is_pair() ? word.target_generation() : word.as_entity().generation();
    const std::uint64_t theirs = saved.is_pair() ? saved.target_generation() : saved.as_entity().generation();
    if (!renamed && mine != theirs) refuse("an identifier names an entity that has ended");
    return word;
}

// Types.

void loader::read_heads() {
    for (std::size_t left = from_.read_count(2 * sizeof(std::uint64_t)); left != 0; --left) {
        parts_.push_back(read_head());
        note_traits(parts_.back());
    }
}

/// Reads the head of a table. The words of types that may have traits are looked at when all traits are
/// known; see read_columns.
loader::part loader::read_head() {
    part made;
    for (std::size_t left = from_.read_count(sizeof(std::uint64_t)); left != 0; --left)
        made.raw_words.push_back(from_.read<std::uint64_t>());
    const std::size_t rows = from_.read_count(sizeof(std::uint32_t));
    if (rows == 0) refuse("a table has no rows");
    made.owners = from_.read_bytes(rows * sizeof(std::uint32_t));
    made.known_everywhere = is_known_everywhere(made.owner(0));
    for (std::size_t row = 1; row < rows; ++row)
        if (is_known_everywhere(made.owner(row)) != made.known_everywhere)
            refuse("a table mixes components with other entities");
    return made;
}

/// Whether the owner, given by its index in the file, is a component or built-in entity.
bool loader::is_known_everywhere(std::uint32_t index) const {
    if (!has_late_components_ && !has_late_components_here_) [[likely]]
        return index < first_ordinary;
    const entity here = entity_at(index);
    return index_of(here) < first_ordinary || made_->rows().is_component(here);
}

/// Enters the properties of the owners into the digest, before anything is made that depends on them.
void loader::note_traits(const part& p) {
    for (const std::uint64_t bits : p.raw_words) {
        const id raw = id::assume_word(bits);
        const bool is_plain = raw.is_entity() && is_property(raw.target_index());
        const bool is_related = raw.kind() == id_kind::pair && is_property(raw.relation_index());
        if (!is_plain && !is_related) continue;
        const id property = word_of(bits);
        for (std::size_t row = 0; row < p.rows(); ++row) {
            const entity owner = entity_at(p.owner(row));
            const row_ref known = made_->rows().locate(owner);
            if (known && known.block->owner->has(property)) continue;
            if (!succeeded(made_->checks().check_property(owner, property)))
                refuse("a property contradicts another");
            made_->rows().set_trait(owner, property);
        }
    }
}

void loader::check_type(const std::vector<id>& type) const {
    if (std::ranges::adjacent_find(type) != type.end()) refuse("a type has an identifier twice");
    for (const id word : type) {
        const bool is_known = holds_values_of_links(type, word)
                                  ? made_->rows().entities().alive(word.as_entity())
                                  : word.is_wildcard() || succeeded(made_->checks().check_addable(word));
        if (!is_known) refuse("a type has a dead identifier");
        const bool is_fact = word == id(made_->rows().registered<component_info>()) ||
                             word == id(made_->rows().registered<reflection>());
        if (is_fact || made_->rows().sparse_of(word))
            refuse("a component is in a table that is never in one");
        const traits& own = made_->rows().traits_of(word);
        if (word.kind() == id_kind::pair && own.any_of(trait::non_fragmenting))
            refuse("a pair is in a type that has to be in a column");
        if (word.is_wildcard()) check_values_of_links(type, word);
    }
    check_exclusive(type);
}

/// The values of pairs whose targets are in a column are in a column beside it.
void loader::check_values_of_links(const std::vector<id>& type, id key) const {
    const id relation = made_->rows().entities().at(key.relation_index());
    const component_info facts = made_->rows().info_of_id(relation);
    const bool has_values = facts.size != 0 && facts.operations.movable &&
                            !made_->rows().traits_of(relation).any_of(trait::tag_only);
    if (has_values && std::ranges::find(type, relation) == type.end())
        refuse("the values of pairs in a column are missing");
}

void loader::check_exclusive(const std::vector<id>& type) const {
    std::vector<std::uint32_t> relations;
    for (const id word : type)
        if (word.has_relation() && made_->rows().traits_of(word).any_of(trait::exclusive))
            relations.push_back(word.relation_index());
    std::ranges::sort(relations);
    if (std::ranges::adjacent_find(relations) != relations.end())
        refuse("an exclusive relation has two targets");
}

} // namespace ecs
