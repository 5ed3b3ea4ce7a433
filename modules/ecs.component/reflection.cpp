// SPDX-License-Identifier: MIT
// How what the compiler knows of a type is made readable at run time.
module ecs.component;
import ecs.std;
import ecs.relation;

namespace ecs {

namespace {

std::vector<member> members_in(const type_facts& of);

/// Adds everything that the type of a member says of it.
void add_type(member& to, const type_facts& of) {
    to.type = of.name;
    to.size = of.size;
    to.is_bytes = of.is_bytes;
    to.members = members_in(of);
    if (of.form == type_form::array) to.count = of.count;
    if (of.form != type_form::enumeration) return;
    to.number_type = of.element->name;
    for_each_enumerator(of, [&](std::string_view name, std::int64_t value) {
        to.enumerators.push_back({std::string(name), value});
    });
}

void add_notes(member& to, const type_facts& whole) {
    for (const member_note& note : std::span(whole.notes, whole.note_count)) {
        if (note.member != to.name) continue;
        to.units = note.units;
        to.description = note.description;
        to.minimum = note.minimum;
        to.maximum = note.maximum;
    }
}

/// One member that stands for all elements.
std::vector<member> elements_of(const type_facts& array) {
    std::vector<member> made(1);
    add_type(made.front(), *array.element);
    return made;
}

std::vector<member> members_in(const type_facts& of) {
    if (of.form == type_form::array) return elements_of(of);
    std::vector<member> made;
    for (std::size_t i = 0; of.form == type_form::aggregate && i < of.count; ++i) {
        if (of.parts[i].type->size == 0) continue; // The part has nothing to tell.
        member& last = made.emplace_back();
        last.name = name_of_part(of, i);
        last.offset = of.parts[i].offset;
        add_type(last, *of.parts[i].type);
        add_notes(last, of);
    }
    return made;
}

/// The members of an aggregate, or one that is the whole value.
reflection made_of(const type_facts& known) {
    if (known.form == type_form::aggregate) return {members_in(known)};
    reflection made{std::vector<member>(1)};
    add_type(made.members.front(), known);
    return made;
}

} // namespace

std::string_view member::written_type() const {
    if (is_text_type(type)) return "std::string";
    return type == type_name<entity> ? std::string_view("ecs::entity") : std::string_view(type);
}

const reflection& reflection_of(const type_facts& known) {
    static std::mutex guard;
    static std::unordered_map<const type_facts*, reflection> made;
    const std::lock_guard lock(guard);
    const auto found = made.find(&known);
    return found != made.end() ? found->second : made.try_emplace(&known, made_of(known)).first->second;
}

} // namespace ecs
