// SPDX-License-Identifier: MIT
// From the properties of a relation to the bits of its traits, and back.
module ecs.component;
import ecs.std;

namespace ecs {

namespace {

constexpr end_policy policy_of(std::uint32_t index) {
    if (index == delete_it.index()) return end_policy::destroy;
    return index == refuse_it.index() ? end_policy::refuse : end_policy::remove;
}

std::size_t refusals_in(const traits& own) {
    return std::size_t{own.on_delete == end_policy::refuse} +
           std::size_t{own.on_delete_target == end_policy::refuse};
}

std::size_t copies_in(const traits& own) { return std::size_t{own.any_of(trait::auto_overridden)}; }
std::size_t restrictions_in(const traits& own) {
    return own.any_of(trait::relation_only, trait::target_only) ? 1 : 0;
}

std::size_t instance_traits_in(const traits& own) {
    const bool has_steps = own.any_of(trait::acyclic) && own.any_of(trait::inheritable);
    return std::size_t{has_steps || own.any_of(trait::excludes)};
}

/// The targets of a property that may have several targets; nullptr for any other property.
std::vector<entity>* targets_of(traits& own, trait property) {
    if (property == trait::with) return &own.with;
    if (property == trait::needs) return &own.needs;
    if (property == trait::needed) return &own.dependents;
    return property == trait::excludes ? &own.conflicts : nullptr;
}

} // namespace

traits& trait_index::change(std::uint32_t index) {
    if (const std::unique_ptr<traits>* const known = by_index_.find(index)) return **known;
    auto fresh = std::make_unique<traits>();
    return *(by_index_[index] = std::move(fresh));
}

void trait_index::discount(const traits& own) noexcept {
    refusals_ -= refusals_in(own);
    copies_ -= copies_in(own);
    restrictions_ -= restrictions_in(own);
    instance_traits_ -= instance_traits_in(own);
}

void trait_index::count(const traits& own) noexcept {
    refusals_ += refusals_in(own);
    copies_ += copies_in(own);
    restrictions_ += restrictions_in(own);
    instance_traits_ += instance_traits_in(own);
}

void trait_index::enter(std::uint32_t index, trait property, entity target) {
    traits& own = change(index);
    discount(own);
    own.bits |= bits_of(property);
    const auto policy = policy_of(static_cast<std::uint32_t>(target.value()));
    if (property == trait::one_of) own.group = target;
    if (std::vector<entity>* const targets = targets_of(own, property)) targets->push_back(target);
    if (property == trait::on_delete) own.on_delete = policy;
    if (property == trait::on_delete_target) own.on_delete_target = policy;
    count(own);
}

void trait_index::strike(std::uint32_t index, trait property, entity target) noexcept {
    traits& own = change(index);
    discount(own);
    std::vector<entity>* const targets = targets_of(own, property);
    if (targets) std::erase(*targets, target);
    if (!targets || targets->empty()) own.bits &= ~bits_of(property);
    if (property == trait::on_delete) own.on_delete = end_policy::remove;
    if (property == trait::on_delete_target) own.on_delete_target = end_policy::remove;
    count(own);
}

void trait_index::forget(std::uint32_t index) noexcept {
    const traits& own = of(index);
    discount(own);
    for (const entity needed : own.needs) {
        traits& others = change(static_cast<std::uint32_t>(needed.index()));
        std::erase_if(others.dependents, [=](entity e) { return e.index() == index; });
        if (others.dependents.empty()) others.bits &= ~bits_of(trait::needed);
    }
    by_index_.erase(index);
}

} // namespace ecs
