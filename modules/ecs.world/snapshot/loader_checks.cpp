// SPDX-License-Identifier: MIT
// Checks what must be true of a world as a whole, whatever the file said of its parts.
module ecs.world;
import ecs.std;
import ecs.query;

namespace ecs {

namespace {

/// The index of an entity, and the index of the entity at which it points.
using edge = std::pair<std::uint32_t, std::uint32_t>;

/// Takes away the entities that point at no other, until none is left or all that are left are on cycles
/// (Kahn).
bool is_acyclic(std::vector<edge> edges) {
    std::ranges::sort(edges, {}, &edge::second);
    flat_map<std::uint32_t> pending;
    for (const auto& [source, target] : edges) ++pending[source];
    std::vector<std::uint32_t> done;
    for (const auto& [source, target] : edges)
        if (!pending.find(target) && (done.empty() || done.back() != target)) done.push_back(target);
    std::size_t removed = 0;
    while (!done.empty()) {
        const std::uint32_t target = done.back();
        done.pop_back();
        for (const auto& [source, same] : std::ranges::equal_range(edges, target, {}, &edge::second)) {
            ++removed;
            if (--*pending.find(source) == 0) done.push_back(source);
        }
    }
    return removed == edges.size();
}

bool is_symmetric(std::vector<edge> edges) {
    std::ranges::sort(edges);
    return std::ranges::all_of(
        edges, [&](edge e) { return std::ranges::binary_search(edges, edge(e.second, e.first)); });
}

} // namespace

/// Checks that every live entity is in a table. None is in two tables: see refuse_to_settle.
void loader::check_all_settled() const {
    if (settled_ == living_) return;
    std::uint32_t last = 0;
    made_->rows().entities().for_each_pending([&](std::uint32_t index) { last = index; });
    refuse("index " + std::to_string(last) + " lives and is in no table");
}

void loader::refuse_to_settle(std::uint32_t index) const {
    std::ignore = entity_at(index); // Refuses an index without an entity.
    refuse("an entity is in two places");
}

/// Every entity with a target is on a list: as many entities are on lists as have targets.
void loader::check_links() const {
    std::size_t expected = 0;
    for (const auto& t : made_->rows().tables())
        expected += t->size() * static_cast<std::size_t>(std::ranges::count_if(
                                    t->type(), [](id word) { return word.is_wildcard(); }));
    if (expected != links_) refuse("an entity is on no list");
}

/// Every base has the mark that tells of its instances: what is inherited is found by it.
void loader::check_bases() const {
    for (const component_record* const record : made_->rows().records().of_relation(is_a.index())) {
        if (record->word.kind() != id_kind::pair || record->rows() == 0) continue;
        const entity from = made_->rows().entities().at(record->word.target_index());
        if (!made_->rows().locate(from).block->owner->inherited)
            refuse("an entity is a base and is not marked as one");
    }
}

void loader::check_all_traits() const {
    made_->rows().all_traits().for_each([&](std::uint32_t index, const traits& own) {
        check_pairs(index, own);
        check_required_pairs(made_->rows().entities().at(index), own);
    });
}

/// Refuses the file for what it has of the relation or component, which is named.
void loader::refuse_for(entity what, const std::string& why) const {
    refuse(text_of_name(*made_, what) + ": " + why);
}

void loader::check_pairs(std::uint32_t relation, const traits& own) const {
    const auto refuse_pairs = [&](const std::string& why) {
        refuse_for(made_->rows().entities().at(relation), why);
    };
    if (own.any_of(trait::non_fragmenting) && !own.any_of(trait::exclusive))
        refuse_pairs("a relation keeps targets in a column and is not exclusive");
    if (own.any_of(trait::acyclic)) check_acyclic(relation, own);
    if (own.any_of(trait::symmetric) && !is_symmetric(edges_of(relation)))
        refuse_pairs("a symmetric relation has one side only");
    if (own.any_of(trait::single_source) && !has_single_sources(relation))
        refuse_pairs("a target has two sources in a relation that allows one");
    if (own.any_of(trait::one_of) && !has_targets_of_group(relation, own.group))
        refuse_pairs("a target is no child of the group that its relation allows");
}

/// Inherited pairs count as steps of a chain, too.
void loader::check_acyclic(std::uint32_t relation, const traits& own) const {
    std::vector<edge> edges = edges_of(relation);
    if (own.any_of(trait::inheritable))
        std::ranges::copy(inherited_edges_of(relation), std::back_inserter(edges));
    if (!is_acyclic(std::move(edges)))
        refuse_for(made_->rows().entities().at(relation), "a relation has a cycle");
}

/// Checks which entities have the component or relation, and what they have beside it.
void loader::check_required_pairs(entity what, const traits& own) const {
    for (const trait place : {trait::relation_only, trait::target_only, trait::singleton, trait::final})
        if (own.any_of(place) && !succeeded(made_->checks().check_traits(what, place, {})))
            refuse_for(what, "an entity has it that must not, or has it in a place that its traits forbid");
    if ((own.bits & relation_traits) != 0 && made_->reads().is_had_without_target(what))
        refuse_for(what, "an entity has it without a target");
    if ((own.bits & traits_for_entities) != 0 && is_had_with_number(what))
        refuse_for(what, "an entity has it with a number, and its targets are entities");
    for (const entity needed : own.needs)
        if (!succeeded(made_->checks().check_traits(what, trait::needs, needed)) ||
            std::ranges::find(own.with, needed) == own.with.end())
            refuse_for(what, "an entity lacks what something that it has needs");
    for (const entity conflict : own.conflicts)
        if (!succeeded(made_->checks().check_traits(what, trait::excludes, conflict)))
            refuse_for(what, "an entity has two things that exclude each other");
}

bool loader::is_had_with_number(entity relation) const {
    const auto is_such = [](const component_record* record) {
        return record->word.has_relation() && !record->word.is_pair() && record->rows() != 0;
    };
    return std::ranges::any_of(made_->rows().records().of_relation(index_of(relation)), is_such);
}

bool loader::has_targets_of_group(std::uint32_t relation, entity group) const {
    return std::ranges::all_of(edges_of(relation), [&](edge e) {
        return made_->rows().parent_of(made_->rows().entities().at(e.second)) == group;
    });
}

/// Whether each identifier of the relation has one row at most, and each target that is kept in a column
/// comes once.
bool loader::has_single_sources(std::uint32_t relation) const {
    for (const component_record* const record : made_->rows().records().of_relation(relation))
        if (record->word.has_relation() && !record->word.is_wildcard() && record->rows() > 1) return false;
    std::vector<edge> edges = edges_of(relation);
    std::ranges::sort(edges, {}, &edge::second);
    return std::ranges::adjacent_find(edges, {}, &edge::second) == edges.end();
}

std::vector<edge> loader::edges_of(std::uint32_t relation) const {
    std::vector<edge> edges;
    for (const component_record* const record : made_->rows().records().of_relation(relation)) {
        if (!record->word.is_pair()) continue;
        for (const table* const t : record->tables)
            for (chunk* const in : t->chunks())
                for (std::uint32_t row = 0; row < in->count; ++row) {
                    const std::uint32_t target = record->word.is_wildcard()
                                                     ? index_of(store::linked_target({in, row}, record->word))
                                                     : record->word.target_index();
                    edges.emplace_back(index_of(in->entities()[row]), target);
                }
    }
    return edges;
}

std::vector<edge> loader::inherited_edges_of(std::uint32_t relation) const {
    const entity which = made_->rows().entities().at(relation);
    std::vector<edge> edges;
    const auto pass_on = [&](const table& to, entity target) {
        for (chunk* const in : to.chunks())
            for (const entity instance : std::span(in->entities(), in->count))
                edges.emplace_back(index_of(instance), index_of(target));
    };
    for (const auto& t : made_->rows().tables())
        for (const entity giver : made_->reads().bases_of(*t))
            for (const entity target : made_->reads().targets_of(giver, which))
                if (!made_->reads().stays_within(giver, pair(which, target))) pass_on(*t, target);
    return edges;
}

void loader::name_entities() {
    for (const auto& t : made_->rows().tables()) {
        if (!t->named) continue;
        for (chunk* const in : t->chunks())
            for (const entity e : std::span(in->entities(), in->count)) name_entity(e);
    }
}

void loader::name_entity(entity e) {
    const std::string_view text = made_->rows().name_of(e);
    const entity scope = made_->rows().parent_of(e);
    if (text.empty() || text.find('/') != std::string_view::npos)
        refuse("an entity's name is empty or has a '/'");
    if (made_->rows().find_name(scope, text))
        refuse("two entities of one scope have the name \"" + std::string(text) + "\"");
    made_->rows().names().reserve_one();
    made_->rows().names().insert(hash_of_name(scope, text), e);
}

} // namespace ecs
