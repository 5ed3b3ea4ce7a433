// SPDX-License-Identifier: MIT
// Giving names. A name is unique among the children of a parent, and among the entities without one.
module ecs.world;
import ecs.std;
import :structure;

namespace ecs {

void require_sound_name(std::string_view text) {
    if (text.empty() || text.find('/') != std::string_view::npos)
        throw name_error("\"" + std::string(text) +
                         "\" cannot be a name: a name is not empty and has no '/'");
}

void structure::set_name(entity e, std::string_view text) {
    require_sound_name(text);
    if (!is_still()) [[unlikely]]
        return defer([this, e, later = std::string(text)] { set_name(e, later); });
    as_one([&] { change_name(e, text); });
}

void structure::name_or_end(entity e, std::string_view text) {
    try {
        require_sound_name(text);
        if (!is_still()) [[unlikely]]
            return defer([this, e, later = std::string(text)] { name_or_end(e, later); });
        set_name(e, text);
    } catch (...) {
        despawn(e);
        throw;
    }
}

void structure::change_name(entity e, std::string_view text) {
    const row_ref at = locate(e);
    if (!at) refuse_access(e, registered<name>(), "name");
    const entity scope = parent_of(e);
    const entity holder = find_name(scope, text);
    if (holder == e) return;
    if (holder)
        throw name_error("another entity has the name \"" + std::string(text) + "\" in the same scope");
    names().reserve_one();
    name fresh{std::string(text)};
    forget_name(at);
    if (at.block->owner->named)
        *reinterpret_cast<name*>(value_at(at, registered<name>())) = std::move(fresh);
    else
        give_name(at, std::move(fresh));
    names().insert(hash_of_name(scope, text), e);
    if (is_attended()) written(e, registered<name>());
}

void structure::give_name(row_ref at, name&& fresh) {
    const transition& along = adding(*at.block->owner, registered<name>());
    const column& added = *along.added.front();
    move(at, along, [&](row_ref to) { ::new (added.value(to)) name(std::move(fresh)); });
}

} // namespace ecs
