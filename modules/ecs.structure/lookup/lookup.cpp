// SPDX-License-Identifier: MIT
// What entities have, as far as it takes no walk along relations: identifiers, values, names. Whether a trait
// adds to it is asked in presence.cpp and inheritance.cpp; related.cpp and traversal.cpp go along relations.
module ecs.structure;
import ecs.std;

namespace ecs {

namespace {

/// Takes the text up to the first '/' off the path.
std::string_view take_segment(std::string_view& path) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view segment = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    return segment;
}

/// Calls visit(id) for every identifier that the entity of the row itself has: what the members of its
/// table's type stand for, and what it has outside tables.
template <class Visit> void for_each_id(const store& rows, row_ref at, const Visit& visit) {
    for (const id member : at.block->owner->type()) visit(rows.member_at(at, member));
    for (const sparse_set* const sparse : rows.all_sparse_sets())
        if (sparse->contains(index_of(at.owner()))) visit(sparse->word);
}

} // namespace

std::byte* lookup::find_sparse(entity e, id word) const {
    const sparse_set* const sparse = rows_.sparse_of(word);
    if (!sparse || sparse->info().size == 0) return nullptr;
    const entity holder = sparse_holder(e, *sparse);
    return holder ? sparse->find(index_of(holder)) : nullptr;
}

entity lookup::sparse_base(entity e, const sparse_set& sparse) const {
    const row_ref at = rows_.locate(e);
    return at && at.block->owner->inherits ? base_with(*at.block->owner, sparse.word) : entity{};
}

id lookup::with_same_target(id word, entity required) const {
    if (word.is_pair()) return pair(required, rows_.entities().at(word.target_index()));
    if (word.is_value_pair()) return value_pair(required, word.number());
    return word.is_link() ? link_to_slot(required, word.number()) : id(required);
}

bool lookup::carries(entity e, entity what) const {
    return has(e, what) || (can_relate(what) && has(e, pair(what, any)));
}

entity lookup::find_path(std::string_view path, entity scope) const {
    if (path.ends_with('/')) return {}; // No name is empty.
    const bool outermost = !scope;
    for (std::string_view rest = path; !rest.empty();) {
        scope = rows_.find_name(scope, take_segment(rest));
        if (!scope) break;
    }
    if (scope || !outermost) return path.empty() ? entity{} : scope;
    return rows_.component_types().named(path);
}

std::string lookup::path_of(entity e) const {
    std::vector<std::string_view> segments;
    for (; !rows_.name_of(e).empty(); e = rows_.parent_of(e)) segments.push_back(rows_.name_of(e));
    std::string path;
    while (!segments.empty()) {
        path += segments.back();
        segments.pop_back();
        if (!segments.empty()) path += '/';
    }
    return path;
}

id lookup::link_of(id relation, const void* object, std::uint32_t type) const {
    const std::uint32_t slot = rows_.objects().slot_of(object, type);
    return slot != 0 ? link_to_slot(rows_.resolve(relation), slot) : id{};
}

void* lookup::object_behind(id word, std::uint32_t type) const {
    if (!object_table::concerns(word)) return nullptr;
    const object_table::object* const found = rows_.objects().find(word.number());
    return rows_.objects().knows(word) && found->type == type ? found->held.get() : nullptr;
}

void* lookup::object_of(entity e, id relation, std::uint32_t type) const {
    const row_ref at = rows_.locate(e);
    const entity asked = rows_.resolve(relation).as_entity();
    if (!at || !rows_.entities().alive(asked)) return nullptr;
    for (const id word : at.block->owner->type())
        if (word.is_link() && word.relation_index() == index_of(asked))
            if (void* const found = object_behind(word, type)) return found;
    return nullptr;
}

void* lookup::own_value_of(entity e, id word) const {
    if (const sparse_set* const sparse = rows_.sparse_of(word))
        return sparse->info().size != 0 ? sparse->find(index_of(e)) : nullptr;
    const row_ref at = rows_.locate(e);
    return at ? rows_.own_value(at, word) : nullptr;
}

bool lookup::has_value(const table& in, id word) const {
    const sparse_set* const sparse = rows_.sparse_of(word);
    return sparse ? sparse->info().size != 0 : in.column_of(word) != nullptr;
}

std::vector<id> lookup::words_of(entity e) const {
    const row_ref at = rows_.locate(e);
    std::vector<id> words;
    words.reserve(at.block->owner->type().size());
    for_each_id(rows_, at, [&](id word) { words.push_back(word); });
    std::ranges::sort(words);
    return words;
}

bool lookup::has_default(id word) const {
    const component_info facts = rows_.info_of_id(word);
    return facts.size == 0 || facts.operations.constructible;
}

bool lookup::has_beginning(row_ref at, id word) const {
    if (has_default(word)) return true;
    return rows_.info_of_id(word).operations.copyable && find_elsewhere(at, word);
}

bool lookup::is_stored(row_ref at, id word) const {
    const table& in = *at.block->owner;
    return (in.has(word) && !is_value_of_link(in, word)) ||
           (in.linked && word.is_pair() && rows_.has_linked(at, word));
}

bool lookup::owns(entity e, id word) const {
    const row_ref at = rows_.locate(e);
    if (!at) return false;
    if (const sparse_set* const sparse = rows_.sparse_of(word)) return sparse->contains(index_of(e));
    return is_stored(at, word);
}

std::vector<id> lookup::own_matches(entity e, id pattern) const {
    if (!pattern.is_wildcard()) return owns(e, pattern) ? std::vector{pattern} : std::vector<id>();
    const row_ref at = rows_.locate(e);
    std::vector<id> found;
    for (const id member : at.block->owner->type())
        if (const id word = rows_.member_at(at, member); matches(pattern, word)) found.push_back(word);
    return found;
}

std::string lookup::wait_of(entity e) const {
    const bool waits = rows_.entities().alive(e) && !rows_.locate(e);
    return waits ? ", and gets its components with the next flush" : "";
}

std::string lookup::end_of(entity e) const {
    return rows_.history() ? rows_.history()->end_of(e) : std::string();
}

void lookup::refuse_addition(entity e, id word, std::string_view component, add_result why) const {
    if (why == add_result::not_alive) refuse_access(e, word, component);
    throw access_error(e, word, rows_.entities().status(e),
                       "entity " + ecs::to_string(e) + " has no " + std::string(component) +
                           ", and cannot get it: " + std::string(ecs::to_string(why)));
}

void lookup::refuse_after_patch(entity e, id word, std::string_view component) const {
    throw access_error(e, word, rows_.entities().status(e),
                       "patch has written " + std::string(component) + " of entity " + ecs::to_string(e) +
                           ", and an observer of that has taken it away or ended the entity: write modify, "
                           "which returns no reference to the value");
}

void lookup::refuse_access(entity e, id word, std::string_view component, bool is_observed) const {
    const id_status status = rows_.entities().status(e);
    if (status == id_status::live && word == id(e)) refuse_singleton(e, component);
    const std::string subject = "entity " + ecs::to_string(e);
    if (status == id_status::live && rows_.locate(e))
        throw access_error(e, word, status,
                           subject + " has no " + std::string(component) +
                               (is_observed ? "; what an observer changes is done when the change that it "
                                              "was told of is complete"
                                            : ""));
    throw access_error(e, word, status,
                       subject + " is " + std::string(ecs::to_string(status)) + wait_of(e) + ": no " +
                           std::string(component) + " can be read from it" + end_of(e));
}

void lookup::refuse_singleton(entity component, std::string_view text) const {
    throw access_error(component, component, rows_.entities().status(component),
                       "the world has no singleton of " + std::string(text) + ": call set_singleton before");
}

void lookup::refuse_pair_access(entity e, id word, entity target, std::string_view relation) const {
    const id_status status = rows_.entities().status(target);
    std::string text = std::string(relation) + " of " + ecs::to_string(target);
    if (target && status != id_status::live) text += ", which is " + std::string(ecs::to_string(status));
    refuse_access(e, word, text);
}

std::vector<entity> lookup::ordinary_entities() const {
    std::vector<entity> found;
    found.reserve(rows_.entities().live_count());
    for (const auto& t : rows_.tables())
        rows_.for_each_entity(*t, [&](entity e) {
            if (!rows_.is_fixture(e)) found.push_back(e);
        });
    return found;
}

std::string lookup::text_of_component(id word) const {
    const auto named = [&](entity e) {
        const std::string name = rows_.name_of_component(e);
        return name.empty() ? std::to_string(index_of(e)) : name;
    };
    if (!word.has_relation()) return named(word.as_entity());
    const entity relation = rows_.entities().at(word.relation_index());
    const entity type = value_type_of(word);
    if (!type || type == relation) return named(relation);
    const bool is_named = rows_.name_of_component(relation).empty() && !rows_.name_of(relation).empty();
    return named(type) + " in pairs of " + (is_named ? path_of(relation) : named(relation));
}

std::vector<entity> lookup::components() const {
    std::vector<entity> found;
    rows_.records().for_each([&](const component_record& record) {
        if (record.info.alignment != 0 && record.word.is_entity()) found.push_back(record.word.as_entity());
    });
    std::ranges::sort(found, {}, [](entity e) { return e.index(); });
    return found;
}

/// A column with the values of pairs whose targets are in another column is no component of the entity.
std::vector<id> lookup::ids_of(entity e) const {
    const row_ref at = rows_.locate(e);
    if (!at) return {};
    std::vector<id> ids;
    ids.reserve(at.block->owner->type().size());
    for_each_id(rows_, at, [&](id word) {
        if (!is_value_of_link(*at.block->owner, word)) ids.push_back(word);
    });
    return ids;
}

bool lookup::moves_plainly(id word) const {
    return word.is_entity() && !rows_.sparse_of(word) &&
           (rows_.traits_of(word).bits & ~traits_of_instances) == 0;
}

bool lookup::move_plainly(std::span<const id> words) const {
    return std::ranges::all_of(words, [&](id word) { return moves_plainly(word); });
}

bool lookup::has_at(entity e, row_ref at, id word) const {
    word = rows_.resolve(word);
    if (const sparse_set* const sparse = rows_.sparse_of(word))
        return static_cast<bool>(sparse_holder(e, *sparse));
    const table& in = *at.block->owner;
    if (in.linked && is_value_of_link(in, word)) [[unlikely]]
        return false;
    return in.find_match(word) != table::absent || ((word.is_pair() || in.inherits) && has_by_rule(at, word));
}
/// Whether adding the identifiers would change nothing, because the entity itself has them. The answer is no
/// for identifiers that add refuses: patterns, and relations that keep a value for their pairs.
bool lookup::adds_nothing(entity e, std::span<const id> words) const {
    const row_ref at = rows_.locate(e);
    return at && std::ranges::all_of(words, [&](id word) {
               return !word.is_wildcard() && !is_value_of_link(*at.block->owner, word) && owns(e, word);
           });
}

bool lookup::is_enabled(entity e, id word) const {
    word = rows_.resolve(word);
    if (!has(e, word)) return false;
    if (!word.is_wildcard()) return !is_hidden(e, word);
    const std::vector<id> own = own_matches(e, word);
    if (own.empty() || std::ranges::any_of(own, [&](id one) { return !is_hidden(e, one); })) return true;
    const table& in = *rows_.locate(e).block->owner;
    return in.inherits && !inherited_matches(in, word).empty();
}

bool lookup::is_meant(id word) const {
    if (word.is_entity()) return rows_.entities().alive(word.as_entity());
    if (word.has_relation() && word.relation_index() != 0 && !rows_.entities().at(word.relation_index()))
        return false;
    if (word.is_pair() && word.target_index() != 0) return static_cast<bool>(target_of_pair(word));
    return static_cast<bool>(word);
}

/// What is inherited belongs to the base, and is found there by every entity that inherits it.
held_value lookup::held(entity e, id word) const {
    const row_ref at = rows_.locate(e);
    if (!at) return {e, word};
    if (const sparse_set* const sparse = rows_.sparse_of(word)) {
        const entity holder = sparse_holder(e, *sparse);
        return {holder ? holder : e, word};
    }
    if (const id own = valued_match(at, word)) return {e, own};
    if (!at.block->owner->inherits) return {e, word};
    if (const held_value valued = inherited_value(*at.block->owner, word); valued.holder) return valued;
    const entity from = base_with(*at.block->owner, word);
    return {from ? from : e, word};
}

held_value lookup::match_of(entity e, id pattern, bool hidden) const {
    const row_ref at = rows_.locate(e);
    if (!at) return {};
    std::vector<held_value> found;
    for (const id own : own_matches(e, pattern))
        if (is_hidden(e, own) == hidden) found.push_back({e, own});
    if (!hidden && at.block->owner->inherits)
        for (const held_value& from : inherited_matches(*at.block->owner, pattern))
            found.push_back({from.holder, pair_behind(from.holder, from.word)});
    const auto has_value = [&](const held_value& one) { return find(one.holder, one.word) != nullptr; };
    const auto valued = std::ranges::find_if(found, has_value);
    if (valued != found.end()) return *valued;
    return found.empty() ? held_value{} : found.front();
}

entity lookup::giver_of(const table& in, const component_record& record, entity e) const {
    const bool owns_it = record.sparse ? record.sparse->contains(index_of(e))
                                       : in.has(record.word) && !is_value_of_link(in, record.word);
    if (owns_it) return e;
    return in.inherits ? base_with(in, record.word) : entity{};
}

/// Whether the value that rows of the table inherit has changed since: their base may have got another value,
/// or a base on the way to it may have lost its own.
bool lookup::has_inherited_news(const table& instance, id word, const change_ticks& ticks,
                                change_tick since) const {
    const std::vector<held_value> given = inherited_matches(instance, word);
    if (given.empty()) return false;
    const auto gives = [&](entity from) {
        return std::ranges::find(given, from, &held_value::holder) != given.end();
    };
    for (const entity from : bases_of(instance)) {
        const last_changes last = ticks.of(index_of(from));
        if (gives(from) ? last.changed > since : std::max(last.changed, last.removed) > since) return true;
        if (from == given.back().holder) return false;
    }
    return false;
}

} // namespace ecs
