// SPDX-License-Identifier: MIT
// Names and paths. A name is unique among the children of a parent, and among the entities without one; the
// names of components are asked last, so that they are in nobody's way.
module ecs.world;
import ecs.std;
import :store;

namespace ecs {

namespace {

/// Takes the text up to the first '/' off the path.
std::string_view take_segment(std::string_view& path) {
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view segment = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    return segment;
}

/// Empty when the row has no name.
std::string_view text_at(const store& in, row_ref at) {
    const std::byte* const found = store::value_at(at, in.registered<name>());
    return found ? std::string_view(reinterpret_cast<const name*>(found)->text()) : std::string_view();
}

} // namespace

void require_sound_name(std::string_view text) {
    if (text.empty() || text.find('/') != std::string_view::npos)
        throw name_error("\"" + std::string(text) +
                         "\" cannot be a name: a name is not empty and has no '/'");
}

std::string_view store::name_of(entity e) const {
    const row_ref at = locate(e);
    return at && at.block->owner->named ? text_at(*this, at) : std::string_view();
}

entity store::find_name(entity scope, std::string_view text) const {
    return names_.find(hash_of_name(scope, text), [&](entity candidate) {
        return parent_of(candidate) == scope && name_of(candidate) == text;
    });
}

void store::set_name(entity e, std::string_view text) {
    require_sound_name(text);
    if (!is_still()) [[unlikely]]
        return defer([e, later = std::string(text)](store& in) { in.set_name(e, later); });
    as_one([&] { change_name(e, text); });
}

void store::name_or_end(entity e, std::string_view text) {
    try {
        require_sound_name(text);
        if (!is_still()) [[unlikely]]
            return defer([e, later = std::string(text)](store& in) { in.name_or_end(e, later); });
        set_name(e, text);
    } catch (...) {
        despawn(e);
        throw;
    }
}

void store::change_name(entity e, std::string_view text) {
    const row_ref at = locate(e);
    if (!at) refuse_access(e, registered<name>(), "name");
    const entity scope = parent_of(e);
    const entity holder = find_name(scope, text);
    if (holder == e) return;
    if (holder)
        throw name_error("another entity has the name \"" + std::string(text) + "\" in the same scope");
    names_.reserve_one();
    name fresh{std::string(text)};
    forget_name(at);
    if (at.block->owner->named)
        *reinterpret_cast<name*>(value_at(at, registered<name>())) = std::move(fresh);
    else
        give_name(at, std::move(fresh));
    names_.insert(hash_of_name(scope, text), e);
    if (attended_) written(e, registered<name>());
}

void store::give_name(row_ref at, name&& fresh) {
    const transition& along = adding(*at.block->owner, registered<name>());
    const column& added = *along.added.front();
    move(at, along, [&](row_ref to) { ::new (added.value(to)) name(std::move(fresh)); });
}

void store::forget_name(row_ref at) noexcept {
    if (const std::string_view text = text_at(*this, at); !text.empty())
        names_.erase(
            hash_of_name(at.block->owner->linked ? linked_target(at, pair(child_of, any)) : entity{}, text),
            at.owner());
}

/// The entity keeps its name and takes it to another scope, in which the name is free. Room for it is there:
/// the entry that goes makes it.
void store::rescope_name(entity e, entity from, entity to) noexcept {
    const std::string_view text = name_of(e);
    if (text.empty()) return;
    names_.erase(hash_of_name(from, text), e);
    names_.insert(hash_of_name(to, text), e);
}

entity store::lookup(std::string_view path, entity scope) const {
    const bool outermost = !scope;
    for (std::string_view rest = path; !rest.empty();) {
        scope = find_name(scope, take_segment(rest));
        if (!scope) break;
    }
    if (scope || !outermost) return path.empty() ? entity{} : scope;
    return components_.named(path);
}

std::string store::path_of(entity e) const {
    std::vector<std::string_view> segments;
    for (; !name_of(e).empty(); e = parent_of(e)) segments.push_back(name_of(e));
    std::string path;
    while (!segments.empty()) {
        path += segments.back();
        segments.pop_back();
        if (!segments.empty()) path += '/';
    }
    return path;
}

} // namespace ecs
