// SPDX-License-Identifier: MIT
// From the properties of a relation to the bits of its rules, and back.
module ecs.component;
import ecs.std;
import :rules;

namespace ecs {

namespace {

constexpr end_policy policy_of(std::uint32_t index) {
    if (index == delete_it.index()) return end_policy::destroy;
    return index == refuse_it.index() ? end_policy::refuse : end_policy::remove;
}

std::size_t refusals_in(const rules& own) {
    return std::size_t{own.on_end == end_policy::refuse} +
           std::size_t{own.on_target_end == end_policy::refuse};
}

std::size_t copies_in(const rules& own) { return std::size_t{own.any_of(rule::auto_overridden)}; }
std::size_t restrictions_in(const rules& own) {
    return own.any_of(rule::relation_only, rule::target_only) ? 1 : 0;
}

std::size_t laws_of_heirs_in(const rules& own) {
    const bool has_steps = own.any_of(rule::acyclic) && own.any_of(rule::inheritable);
    return std::size_t{has_steps || own.any_of(rule::excludes)};
}

/// The targets of a property that may have several; nullptr for any other.
std::vector<entity>* targets_of(rules& own, rule property) {
    if (property == rule::with) return &own.with;
    if (property == rule::needs) return &own.needs;
    if (property == rule::needed) return &own.dependents;
    return property == rule::excludes ? &own.rivals : nullptr;
}

} // namespace

rules& rule_book::change(std::uint32_t index) {
    if (const std::unique_ptr<rules>* const known = by_index_.find(index)) return **known;
    auto fresh = std::make_unique<rules>();
    return *(by_index_[index] = std::move(fresh));
}

void rule_book::discount(const rules& own) noexcept {
    refusals_ -= refusals_in(own);
    copies_ -= copies_in(own);
    restrictions_ -= restrictions_in(own);
    laws_of_heirs_ -= laws_of_heirs_in(own);
}

void rule_book::count(const rules& own) noexcept {
    refusals_ += refusals_in(own);
    copies_ += copies_in(own);
    restrictions_ += restrictions_in(own);
    laws_of_heirs_ += laws_of_heirs_in(own);
}

void rule_book::enter(std::uint32_t index, rule property, entity target) {
    rules& own = change(index);
    discount(own);
    own.bits |= bits_of(property);
    const auto policy = policy_of(static_cast<std::uint32_t>(target.value()));
    if (property == rule::one_of) own.group = target;
    if (std::vector<entity>* const targets = targets_of(own, property)) targets->push_back(target);
    if (property == rule::on_end) own.on_end = policy;
    if (property == rule::on_target_end) own.on_target_end = policy;
    count(own);
}

void rule_book::strike(std::uint32_t index, rule property, entity target) noexcept {
    rules& own = change(index);
    discount(own);
    std::vector<entity>* const targets = targets_of(own, property);
    if (targets) std::erase(*targets, target);
    if (!targets || targets->empty()) own.bits &= ~bits_of(property);
    if (property == rule::on_end) own.on_end = end_policy::remove;
    if (property == rule::on_target_end) own.on_target_end = end_policy::remove;
    count(own);
}

void rule_book::forget(std::uint32_t index) noexcept {
    const rules& own = of(index);
    discount(own);
    for (const entity needed : own.needs) {
        rules& others = change(static_cast<std::uint32_t>(needed.index()));
        std::erase_if(others.dependents, [=](entity e) { return e.index() == index; });
        if (others.dependents.empty()) others.bits &= ~bits_of(rule::needed);
    }
    by_index_.erase(index);
}

} // namespace ecs
