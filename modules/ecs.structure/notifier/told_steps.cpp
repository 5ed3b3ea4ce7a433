// SPDX-License-Identifier: MIT
// What is told of rows that go the same way is looked up, and noted beside the plan or the table.
module ecs.structure;
import ecs.std;

namespace ecs {

/// Whether the type of the table alone decides which observers are told of its entities.
bool notifier::is_told_in_steps(const table& of) const {
    return !of.linked && !observers_->tells_entities_apart() && !observers_->asks(event::matching);
}

/// The same of a set. The value of a relation that keeps its targets in a column is that of a pair.
bool notifier::is_told_in_steps(const sparse_set& of) const {
    return !rows_.traits_of(of.word).any_of(trait::non_fragmenting) && !observers_->tells_entities_apart() &&
           !observers_->asks(event::matching);
}

std::vector<told_step> notifier::steps(event what, const table& in,
                                       std::span<const std::uint32_t> positions) {
    std::vector<told_step> found;
    for (const std::uint32_t position : positions) {
        const id word = in.type()[position];
        const column* const values = in.column_at(position);
        if (what == event::set && !values) continue;
        told_step& step = found.emplace_back(what, position, word, values);
        if (!in.tracks(position))
            continue; // The step is for an observer that begins in the midst of a change.
        const told_list& all = observers_->of_anybody(what, word);
        if (!all.observers.empty()) step.told = &all;
    }
    return found;
}

void notifier::announce_rest(std::span<const told_step> steps, row_ref at, entity e) noexcept {
    for (const told_step& step : steps) announce_at(step.what, at, step.position, e);
}

void notifier::announce_rest(std::span<const told_step> steps, entity e) noexcept {
    for (const told_step& step : steps) announce(step.what, e, step.word);
}

/// The steps of rows that come to a table with what stands at these positions, or leave another.
std::unique_ptr<told_steps> notifier::make_steps(const table& from, std::span<const std::uint32_t> lost,
                                                 const table& to, std::span<const std::uint32_t> gained) {
    const auto disables = [](const table& in) {
        return [&in](std::uint32_t position) { return is_disabled_tag(in.type()[position]); };
    };
    auto made = std::make_unique<told_steps>();
    made->version = observers_->version();
    made->is_complete = is_told_in_steps(from) && is_told_in_steps(to) &&
                        !std::ranges::any_of(lost, disables(from)) &&
                        !std::ranges::any_of(gained, disables(to));
    if (!made->is_complete) return made;
    made->leaving.all = steps(event::removed, from, lost);
    made->leaving.link();
    made->coming.all = steps(event::added, to, gained);
    made->gained = made->coming.all.size();
    const std::vector<told_step> written = steps(event::set, to, gained);
    made->coming.all.insert(made->coming.all.end(), written.begin(), written.end());
    made->coming.link();
    return made;
}

const told_steps& notifier::note_steps(const move_plan& along) {
    const row_changes& all = along.changes();
    std::unique_ptr<told_steps> made = make_steps(*along.from, all.lost, *along.to, all.gained);
    const told_steps& noted = *made;
    along.note = std::move(made);
    return noted;
}

const told_steps& notifier::note_steps(const table& in) {
    std::vector<std::uint32_t> all;
    for (std::uint32_t position = 0; position != in.type().size(); ++position) all.push_back(position);
    std::unique_ptr<told_steps> made = make_steps(in, all, in, all);
    const told_steps& noted = *made;
    in.note = std::move(made);
    return noted;
}

const told_steps& notifier::note_steps(const sparse_set& of) {
    auto made = std::make_unique<told_steps>();
    made->version = observers_->version();
    made->is_complete = is_told_in_steps(of);
    if (made->is_complete) {
        const auto step = [&](event what) {
            const told_list& all = observers_->of_anybody(what, of.word);
            return told_step{.what = what, .word = of.word, .told = all.observers.empty() ? nullptr : &all};
        };
        made->leaving.all = {step(event::removed)};
        made->leaving.link();
        made->coming.all = {step(event::added)};
        made->gained = 1;
        if (of.info().size != 0) made->coming.all.push_back(step(event::set));
        made->coming.link();
    }
    const told_steps& noted = *made;
    of.note = std::move(made);
    return noted;
}

/// What note finds; nullptr where it has to be looked up for each, or no memory is left: then it is looked up
/// again.
static const told_steps* find_or_forget(const auto& note) noexcept {
    try {
        const told_steps& found = note();
        return found.is_complete ? &found : nullptr;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

const told_steps* notifier::find_steps_of(const table& in) noexcept {
    if (in.togglable()) return nullptr;
    return find_or_forget([&]() -> const told_steps& { return note_steps(in); });
}

const told_steps* notifier::find_steps_of(const sparse_set& of) noexcept {
    return find_or_forget([&]() -> const told_steps& { return note_steps(of); });
}

} // namespace ecs
