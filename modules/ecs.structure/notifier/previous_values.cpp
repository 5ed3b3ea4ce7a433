// SPDX-License-Identifier: MIT
// Copies of values that are about to be written.
module ecs.structure;
import ecs.std;
import ecs.relation;
import ecs.storage;

namespace ecs {

previous_values::kept_value::kept_value(entity of, id under, const component_info& info, const void* value)
    : owner(of), word(under), copy(info, [&](std::byte* to) { column_like(under, info).copy(to, value); }) {}

void previous_values::keep(entity owner, id word, const component_info& info, const void* value) {
    kept_.emplace_back(owner, word, info, value);
}

const void* previous_values::find(entity owner, id pattern) const {
    const auto is_asked = [&](const kept_value& v) { return v.owner == owner && matches(pattern, v.word); };
    const auto found = std::ranges::find_if(kept_, is_asked);
    return found == kept_.end() ? nullptr : found->copy.get();
}

const void* event_context::previous(id pattern) const {
    if (!before) return nullptr;
    return before->find(subject, !pattern || matches(pattern, word) ? word : pattern);
}

/// Identifiers without a value that could be copied are left out.
std::shared_ptr<const previous_values> notifier::values_before(entity e, std::span<const id> words) const {
    if (!observers_ || !observers_->asks_previous() || !rows_.entities().alive(e)) return {};
    std::shared_ptr<previous_values> kept;
    for (const id word : words) {
        const held_value at = reads_.held(e, word);
        const id told = told_as(at.holder, at.word);
        if (!told || !observers_->asks_previous(told, at.holder)) continue;
        const void* const value = reads_.own_value_of(at.holder, at.word);
        const component_info info = rows_.info_of_id(at.word);
        if (!value || !info.operations.copyable) continue;
        if (!kept) kept = shared<previous_values>();
        kept->keep(at.holder, told, info, value);
    }
    return kept;
}

/// Refuses an observer of values that cannot be copied: it would never be told what they were.
void notifier::require_previous(const observer_record& to) const {
    for (const observed_pattern& t : to.terms) {
        const component_info info = t.pattern.is_wildcard() ? component_info{} : rows_.info_of_id(t.pattern);
        if (info.size != 0 && !info.operations.copyable)
            throw std::invalid_argument("the old value is kept as a copy, and values of " +
                                        reads_.text_of_component(t.pattern) +
                                        " cannot be copied: ask for no `previous`");
    }
}

} // namespace ecs
