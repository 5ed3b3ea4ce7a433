// SPDX-License-Identifier: MIT
// A world as bytes and back, by a saver and a loader.
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

/// Whether it is a component of the library or a built-in entity.
bool is_in_every_world(entity e) {
    const std::uint32_t index = index_of(e);
    return index < manifest<int>::index_of<int> || (low_ids <= index && index < entity_index::first_ordinary);
}

/// Whether an entity has it by itself, or a pair of it.
bool is_had(const engine& in, entity what) {
    const auto has_rows = [](const component_record* record) { return record->rows() != 0; };
    const component_record* const alone = in.rows().records().find(what);
    return (alone && (has_rows(alone) || (alone->sparse && alone->sparse->size() != 0))) ||
           std::ranges::any_of(in.rows().records().of_relation(index_of(what)), has_rows);
}

} // namespace

std::string save_options::refusal(const world& of) const {
    const engine& in = world_access::engine_of(of);
    const auto is_left_out = [&](entity e) { return std::ranges::find(without, e) != without.end(); };
    for (const entity which : without) {
        if (!of.alive(which)) return of.explain(which);
        if (is_in_every_world(which))
            return text_of_name(in, which) + " is in every world, and cannot be left out";
        for (const entity dependent : in.rows().traits_of(which).dependents)
            if (!is_left_out(dependent) && is_had(in, dependent))
                return text_of_name(in, dependent) + " needs " + text_of_name(in, which) +
                       ": leave out both, or none";
    }
    return {};
}

std::vector<std::byte> save(const world& from, const save_options& options) {
    std::vector<std::byte> saved;
    save(from, saved, options);
    return saved;
}

void save(const world& from, std::vector<std::byte>& into, const save_options& options) {
    std::vector<std::byte> memory = std::exchange(into, {});
    world_access::engine_of(from).changes().require_whole();
    if (const std::string why = options.refusal(from); !why.empty())
        throw snapshot_error(snapshot_refusal::not_left_out, why);
    world_access::queue_of(from)->require_settled_targets(world_access::engine_of(from).rows());
    into = saver(world_access::engine_of(from), options.without).save(std::move(memory));
}

void load(world& into, std::span<const std::byte> from) {
    world_access::engine_of(into).changes().require_open();
    const std::unique_ptr<engine> replica = loader(world_access::engine_of(into), from).load();
    world_access::become(into, *replica, generations_after_return::later);
}

} // namespace ecs
