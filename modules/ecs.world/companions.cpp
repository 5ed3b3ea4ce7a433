// SPDX-License-Identifier: MIT
// What comes with a component or a relation, what it needs, and what must not be beside it.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

namespace {

/// Rules for which whoever is spawned with a component is looked at.
constexpr std::uint32_t rules_of_coming =
    bits_of(rule::with, rule::excludes, rule::singleton) | rules_of_parts;

} // namespace

/// The companion that comes with the identifier: of a relation, a relation to the same target.
id store::beside(id word, entity companion) const {
    if (word.is_pair()) return pair(companion, entities_->at(word.target_index()));
    if (word.is_value_pair()) return value_pair(companion, word.number());
    return word.is_link() ? link_to_slot(companion, word.number()) : id(companion);
}

/// Adds what comes with the identifier.
add_result store::add_companions(entity e, id word, const rules& own) {
    const std::vector<entity> companions = own.with;
    for (const entity companion : companions) {
        const id other = beside(word, companion);
        const bool is_needed = std::ranges::find(own.needs, companion) != own.needs.end();
        if (is_needed ? owns(e, other) : has(e, other)) continue; // What is needed is not left to a base.
        if (object_table::concerns(other)) std::ignore = objects_.relate(word, companion);
        if (const add_result refusal = add(e, other); !succeeded(refusal)) return refusal;
    }
    return is_excluded(e, own) ? add_result::excluded : add_result::added; // What came along may be a rival.
}

/// Whether the entity has something that the rules exclude.
bool store::is_excluded(entity e, const rules& own) const {
    return std::ranges::any_of(own.rivals, [&](entity rival) { return carries(e, rival); });
}

/// Whether the entity has it by itself or in a pair.
bool store::carries(entity e, entity what) const {
    return has(e, what) || (can_relate(what) && has(e, pair(what, any)));
}

std::vector<id> store::words_with_companions(std::span<const id> words) const {
    std::vector<id> found;
    std::ranges::copy_if(words, std::back_inserter(found),
                         [&](id word) { return (rules_of(word).bits & rules_of_coming) != 0; });
    return found;
}

/// Those who cannot get what comes with their components, or have two that exclude each other, do not come
/// into being.
void store::bring_companions(std::span<const entity> all, std::span<const id> words) {
    try {
        for (const entity e : all)
            for (const id word : words) {
                const rules& own = rules_of(word);
                require_whole({&word, 1});
                if (is_excluded(e, own))
                    throw std::invalid_argument(name_of_component(word.as_entity()) + " is refused: " +
                                                std::string(ecs::to_string(add_result::excluded)));
                if (const add_result refusal = add_companions(e, word, own); !succeeded(refusal))
                    throw std::invalid_argument("what comes with " + name_of_component(word.as_entity()) +
                                                " is refused: " + std::string(ecs::to_string(refusal)));
            }
    } catch (...) {
        for (const entity e : all) despawn(e);
        throw;
    }
}

void store::require_whole(std::span<const id> words) const {
    for (const id word : words) {
        const rules& own = rules_of(word);
        if (own.any_of(rule::singleton))
            throw std::invalid_argument(std::string(name_of_component(word.as_entity())) +
                                        " is a singleton, and nobody has it but its own entity");
        if ((own.bits & rules_of_parts) == 0) continue;
        throw std::invalid_argument(std::string(name_of_component(word.as_entity())) +
                                    (own.any_of(rule::target_only)
                                         ? " is a target, and nobody has it without a relation"
                                         : " is a relation, and nobody has it without a target"));
    }
}

bool store::needs_any(id word, std::span<const id> others) const {
    return std::ranges::any_of(rules_of(word).needs, [&](entity needed) {
        return std::ranges::find(others, beside(word, needed)) != others.end();
    });
}

} // namespace ecs
