// SPDX-License-Identifier: MIT
// What a component described at run time says of its members. Code that reads a value relies on it: what does
// not fit the value, or never ends, is refused before there is a value.
module ecs.world;
import ecs.std;
import ecs.component;
import ecs.storage;

namespace ecs {

namespace {

/// Whether a number of the type can have the value.
template <class T> bool can_hold(std::int64_t value) {
    if constexpr (!std::integral<T>)
        return true;
    else
        return static_cast<std::int64_t>(static_cast<T>(value)) == value &&
               (value >= 0 || std::is_signed_v<T>);
}

struct number_kind {
    std::string_view name;
    std::size_t bytes;
    bool (*can_hold)(std::int64_t value);
};

constexpr auto known_numbers =
    number_types::each([]<class T> { return number_kind{type_name<T>, sizeof(T), &can_hold<T>}; });

/// Null for a name of another type.
const number_kind* number_named(std::string_view name) {
    const auto* const found = std::ranges::find(known_numbers, name, &number_kind::name);
    return found == known_numbers.end() ? nullptr : found;
}

/// The size of types that are read by their names.
std::optional<std::size_t> size_of_type(std::string_view type) {
    if (is_text_type(type)) return sizeof(std::string);
    if (type == type_name<entity>) return sizeof(entity);
    const number_kind* const number = number_named(type);
    return number ? std::optional(number->bytes) : std::nullopt;
}

/// Whether such a value is copied and moved as bytes, and ends without a call.
bool is_bytes(const value_operations& ops) { return !ops.copy && !ops.relocate && !ops.destroy; }

/// Whether each operation that may be used is a function of its own.
bool is_complete(const value_operations& ops) {
    return (ops.construct || !ops.constructible) && (ops.copy || !ops.copyable) &&
           (ops.relocate || !ops.movable) && ops.destroy;
}

/// Checks one description of a component that does not exist yet.
class member_check {
  public:
    member_check(const world& in, const component_description& described)
        : in_(&in), described_(&described) {}

    void check() const { check(described_->members, described_->size); }

  private:
    [[noreturn]] void refuse(const member& m, const std::string& why) const {
        throw std::invalid_argument("component \"" + std::string(described_->name) + "\": member \"" +
                                    m.name + "\" " + why);
    }

    void check(const std::vector<member>& members, std::size_t size) const {
        for (const member& m : members) {
            if (m.name.empty()) refuse(m, "has no name");
            if (std::ranges::count(members, m.name, &member::name) != 1) refuse(m, "is there twice");
            if (m.size > size || m.offset > size - m.size) refuse(m, "is not within the value");
            check_enumerators(m);
            check_parts(m);
        }
    }

    void check_enumerators(const member& m) const {
        const number_kind* const numbers = number_named(m.number_type);
        for (const auto& [name, value] : m.enumerators) {
            if (std::ranges::count(m.enumerators, name, &enumerator::name) != 1)
                refuse(m, "has more than one enumerator \"" + name + "\"");
            if (numbers && !numbers->can_hold(value))
                refuse(m, "has the enumerator \"" + name + "\", whose number " + std::to_string(value) +
                              " is no " + m.number_type);
        }
    }

    /// The elements of an array have no names.
    void check_parts(const member& m) const {
        check_type(m);
        if (m.count == 0) return check(m.members, m.size);
        if (m.members.size() != 1 || m.members.front().size > m.size / m.count)
            refuse(m, "is a list, and needs one member that stands for each element and fits " +
                          std::to_string(m.count) + " times");
        check_parts(m.members.front());
    }

    void check_type(const member& m) const {
        if (m.count != 0) return;
        const std::string& type = m.number_type.empty() ? m.type : m.number_type;
        const entity component = in_->component_named(type);
        std::optional<std::size_t> size = size_of_type(type);
        if (!size && component) size = in_->get<component_info>(component).size;
        if (size && *size != m.size)
            refuse(m, "is of " + std::to_string(m.size) + " bytes, and a " + type + " of " +
                          std::to_string(*size));
        if (type == described_->name || leads_here(component))
            refuse(m, "has values that have such a member again");
        const bool is_object =
            is_text_type(type) || (component && !is_bytes(in_->get<component_info>(component).operations));
        if (is_object && !is_complete(described_->operations))
            refuse(m, "is more than bytes, and the component needs operations that construct, copy, "
                      "relocate and destroy its values");
    }

    /// Whether values of the component have members of the component that is described.
    [[nodiscard]] bool leads_here(entity component) const {
        const reflection* const known = component ? in_->reflection_of(component) : nullptr;
        return known && leads_here(known->members);
    }
    [[nodiscard]] bool leads_here(const std::vector<member>& members) const {
        return std::ranges::any_of(members, [&](const member& m) {
            return m.type == described_->name || leads_here(m.members) ||
                   leads_here(in_->component_named(m.type));
        });
    }

    const world* in_;
    const component_description* described_;
};

} // namespace

void require_sound_members(const world& in, const component_description& described) {
    member_check(in, described).check();
}

} // namespace ecs
