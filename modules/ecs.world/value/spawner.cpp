// SPDX-License-Identifier: MIT
// New entities whose components have traits: they are made first and then get what comes with them.
module ecs.world;
import ecs.std;
import ecs.storage;
import ecs.structure;

namespace ecs {

entity spawner::spawn_slowly() {
    return engine_.changes().is_open() ? engine_.spawns().spawn() : spawn_later();
}

entity spawner::parent_in(id word) const {
    if (word.kind() != id_kind::pair || word.relation_index() != child_of.index() ||
        !engine_.changes().is_open())
        return {};
    const entity parent = engine_.rows().entities().at(word.target_index());
    const bool is_meant = parent && index_of(parent) >= entity_index::first_ordinary &&
                          pair(child_of, parent).target_generation() == word.target_generation();
    const row_ref above = is_meant ? engine_.rows().locate(parent) : row_ref{};
    if (!above.block || !above) return {};
    return above.block->owner->prefab || above.block->owner->no_target ? entity{} : parent;
}

static void require_spawned(add_result result) {
    if (!succeeded(result))
        throw std::invalid_argument("an entity cannot be spawned with that identifier: " +
                                    std::string(to_string(result)));
}

/// Observers are told nothing of an entity that is refused for what an identifier is by itself.
void spawner::require_addable(std::span<const id> words) const {
    if (!engine_.events().has_observers() || !engine_.changes().is_open()) return;
    for (const id word : words) require_spawned(engine_.checks().check_addable(engine_.rows().resolve(word)));
}

void spawner::add_or_despawn(entity e, std::span<const id> words) {
    try {
        if (!engine_.changes().is_open()) return add_or_despawn_later(e, words);
        require_spawned(add_all(e, words));
    } catch (...) {
        engine_.changes().discard({&e, 1});
        throw;
    }
}

/// Whether the identifiers are refused is known when their turn comes. An entity that has ended by then is
/// passed over.
void spawner::add_or_despawn_later(entity e, std::span<const id> words) {
    std::vector<id> meant;
    meant.reserve(words.size());
    for (const id word : words) meant.push_back(engine_.rows().resolve(word));
    engine_.changes().defer([this, e, all = std::move(meant)] {
        if (engine_.rows().locate(e)) add_or_despawn(e, all);
    });
}

/// What an identifier takes from other entities is not given back when a later one is refused: then all are
/// asked for before the first is added.
add_result spawner::add_all(entity e, std::span<const id> words) {
    const auto takes = [&](id word) { // What comes with it may take something, too.
        const id meant = engine_.rows().resolve(word);
        return engine_.rows().locate(e) && (engine_.rows().traits_of(meant).any_of(trait::with) ||
                                            engine_.checks().parts_others(e, meant));
    };
    if (words.size() > 1 && std::ranges::any_of(words, takes)) {
        for (const id word : words)
            if (const add_result refusal = engine_.checks().check_addable(engine_.rows().resolve(word));
                !succeeded(refusal))
                return refusal;
        if (const add_result refusal = engine_.checks().check_arrivals(e, words, {}); !succeeded(refusal))
            return refusal;
    }
    for (const id word : words)
        if (const add_result refusal = engine_.add(e, word); !succeeded(refusal)) return refusal;
    return add_result::added;
}

/// The parent that the identifier gives; null if it gives none.
entity spawner::parent_named(id word) const {
    const id meant = engine_.rows().resolve(word);
    const bool is_parent = meant.kind() == id_kind::pair && meant.relation_index() == child_of.index();
    return is_parent ? engine_.reads().target_of_pair(meant) : entity{};
}

void spawner::require_added(add_result result, std::string_view type_name) {
    if (!succeeded(result))
        throw std::invalid_argument(std::string(type_name) +
                                    " is refused: " + std::string(to_string(result)));
}

entity spawner::spawn_with_care(const any_bundle& known, row_constructor construct) {
    if (known.constrained_ids.empty()) [[likely]]
        return engine_.spawns().spawn_with_care(*known.archetype, construct);
    return engine_.events().as_one_occasion([&] {
        entity e = engine_.spawns().spawn_whole(*known.archetype, *known.whole, construct);
        bring_required({&e, 1}, known);
        return e;
    });
}

void spawner::bring_required_later(entity e, const any_bundle& known) {
    const std::vector<id> constrained_ids = known.constrained_ids; // As below.
    engine_.spawns().bring_required({&e, 1}, constrained_ids);
}

/// The bundle may be replaced meanwhile: what comes along may be met for the first time.
void spawner::bring_required(std::span<entity> all, const any_bundle& known) {
    const std::vector<id> constrained_ids = known.constrained_ids;
    try {
        engine_.events().as_one([&] { engine_.spawns().bring_required(all, constrained_ids); });
    } catch (...) {
        std::ranges::fill(all, entity{});
        throw;
    }
}

void spawner::keep(std::uint32_t number, any_bundle* made) {
    std::unique_ptr<any_bundle> owned(made);
    if (number >= bundles_.size()) bundles_.resize(number + 1);
    bundles_[number] = std::move(owned);
}

} // namespace ecs
