// SPDX-License-Identifier: MIT
// What a failed import gives back; see import_undo.cppm.
module ecs.json;
import ecs.std;
import ecs.world;

namespace ecs {

void import_undo::note_pair(entity to, id word) {
    const entity relation = in_->relation_of(word);
    if (in_->owns(relation, single_source)) // That of a base is none.
        for (const entity source : in_->sources_of_pair(word))
            if (source != to) keep(source, word);
    if (!word.is_pair()) return;
    const entity target = in_->target_of(word);
    if (in_->owns(relation, exclusive) && in_->owns(relation, symmetric)) note_partners(relation, target);
    for (const entity required : in_->targets(relation, with)) note_pair(to, pair(required, target));
}

void import_undo::note_partners(entity relation, entity e) {
    for (const entity partner : in_->targets(e, relation)) {
        keep(e, pair(relation, partner));
        keep(partner, pair(relation, e));
    }
}

void import_undo::note_singleton(entity component) { keep(component, component); }

/// What is inherited stays with the base, and is not kept.
void import_undo::keep(entity owner, id word) {
    const std::vector<id>& own = words_before(owner);
    if (std::ranges::find(own, word) == own.end()) return;
    values_.push_back({owner, word, in_->is_enabled(owner, word), copy_of(owner, word)});
}

const std::vector<id>& import_undo::words_before(entity owner) {
    const auto known = places_.find(owner);
    if (known != places_.end()) return owners_[known->second].words;
    owners_.push_back({owner, in_->ids(owner)});
    places_.emplace(owner, owners_.size() - 1);
    return owners_.back().words;
}

std::unique_ptr<detached_value> import_undo::copy_of(entity owner, id word) const {
    const entity type = in_->value_type_of(word);
    const auto* const value = static_cast<const std::byte*>(in_->try_get(owner, word));
    if (!type || !value) return nullptr;
    const component_info info = in_->get<component_info>(type);
    return info.operations.copyable ? std::make_unique<detached_value>(info, value) : nullptr;
}

namespace {

/// Makes a change in spite of observers who throw: they are told of what has been made.
void make(const auto& change) {
    try {
        change();
    } catch (...) { // Why the text is refused is thrown.
    }
}

} // namespace

void import_undo::give_back() const {
    std::ranges::for_each(values_.rbegin(), values_.rend(),
                          [&](const known_value& known) { give_back(known); });
    for (const known_owner& known : owners_) take_what_came(known);
}

void import_undo::give_back(const known_value& known) const {
    const auto& [owner, word, was_enabled, value] = known;
    make([&] { return value ? in_->set(owner, word, value->get()) : in_->add(owner, word); });
    if (in_->is_enabled(owner, word) == was_enabled) return;
    make([&] { return was_enabled ? in_->enable(owner, word) : in_->disable(owner, word); });
}

/// What something else needs cannot be removed before that.
void import_undo::take_what_came(const known_owner& known) const {
    std::vector<id> left = in_->ids(known.owner);
    std::erase_if(left, [&](id word) { return std::ranges::find(known.words, word) != known.words.end(); });
    const auto takes = [&](id word) {
        make([&] { in_->remove(known.owner, word); });
        return !in_->owns(known.owner, word);
    };
    while (std::erase_if(left, takes) != 0) {
    }
}

} // namespace ecs
