// SPDX-License-Identifier: MIT
// Giving names. A name is unique among the children of a parent, and among the entities without one.
module ecs.structure;
import ecs.std;

namespace ecs {

void structure::set_name(entity e, std::string_view text) {
    require_sound_name(text);
    events_.as_one([&] { change_name(e, text); });
}

void structure::change_name(entity e, std::string_view text) {
    const row_ref at = rows_.locate(e);
    if (!at) reads_.refuse_access(e, rows_.registered<name>(), "name");
    const entity scope = rows_.parent_of(e);
    const entity holder = rows_.find_name(scope, text);
    if (holder == e) return;
    if (holder) refuse_name(text);
    rows_.names().reserve_one();
    name fresh{std::string(text)};
    const std::uint64_t hash = hash_of_name(scope, text); // The text may be the name of a row that moves now.
    const id word = rows_.registered<name>();
    value_write writing(events_, e, {&word, 1});
    rows_.forget_name(at);
    if (at.block->owner->named) {
        *reinterpret_cast<name*>(store::value_at(at, word)) = std::move(fresh);
        rows_.names().insert(hash, e);
    } else {
        give_name(at, std::move(fresh), hash);
    }
    writing.tell();
}

/// There is room for the name. It is entered before observers are told that the row has it: they may look the
/// entity up.
void structure::give_name(row_ref at, name&& fresh, std::uint64_t hash) {
    const move_plan& along = adding(*at.block->owner, rows_.registered<name>());
    const column& added = *along.added.front();
    const entity e = at.owner();
    move(at, along, [&](row_ref to) {
        ::new (added.value(to)) name(std::move(fresh));
        rows_.names().insert(hash, e);
    });
}

} // namespace ecs
