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

/// A type that people spell in another way than compilers do.
struct spelling {
    std::string_view written;
    std::string_view known_as;
};

constexpr std::array spellings{spelling{"ecs::entity", type_name<entity>},
                               spelling{"std::int8_t", type_name<signed char>},
                               spelling{"std::uint8_t", type_name<std::uint8_t>},
                               spelling{"std::int16_t", type_name<short>},
                               spelling{"std::uint16_t", type_name<std::uint16_t>},
                               spelling{"std::int32_t", type_name<int>},
                               spelling{"std::uint32_t", type_name<std::uint32_t>},
                               spelling{"std::int64_t", type_name<std::int64_t>},
                               spelling{"std::uint64_t", type_name<std::uint64_t>},
                               spelling{"std::size_t", type_name<std::size_t>},
                               spelling{"std::string", type_name<std::string>},
                               spelling{"signed", type_name<int>},
                               spelling{"unsigned", type_name<unsigned>},
                               spelling{"short int", type_name<short>},
                               spelling{"unsigned short int", type_name<unsigned short>},
                               spelling{"long int", type_name<long>},
                               spelling{"unsigned long int", type_name<unsigned long>},
                               spelling{"long long int", type_name<long long>},
                               spelling{"unsigned long long int", type_name<unsigned long long>}};

/// Whether the text is the other one, perhaps without the namespace in front.
bool is_spelled(std::string_view text, std::string_view whole) {
    const std::size_t end = whole.find("::");
    return text == whole || (end != std::string_view::npos && text == whole.substr(end + 2));
}

/// The name by which values of the type are read.
std::string_view known_name(std::string_view type) {
    const auto* const found =
        std::ranges::find_if(spellings, [&](const spelling& s) { return is_spelled(type, s.written); });
    return found == spellings.end() ? type : found->known_as;
}

/// The type as people write it.
std::string shown(std::string_view type) {
    return std::string(type == type_name<entity> ? "ecs::entity" : type);
}

/// The size of types that are read by their names.
std::optional<std::size_t> size_of_type(std::string_view type) {
    if (is_text_type(type)) return sizeof(std::string);
    if (type == type_name<entity>) return sizeof(entity);
    const number_kind* const number = number_named(type);
    return number ? std::optional(number->bytes) : std::nullopt;
}

/// What a value is read and written through has to lie where the processor may expect it; numbers are copied.
std::size_t alignment_of_type(std::string_view type) {
    if (is_text_type(type)) return alignof(std::string);
    return type == type_name<entity> ? alignof(entity) : 1;
}

/// The component whose values members of the type are; null for types that are read by their names.
entity component_of_members(const world& in, std::string_view type) {
    return size_of_type(type) ? entity{} : in.component_named(type);
}

/// Whether each operation that may be used is a function of its own.
bool is_complete(const value_operations& ops) {
    return (ops.construct || !ops.constructible) && (ops.copy || !ops.copyable) &&
           (ops.relocate || !ops.movable) && ops.destroy;
}

/// How deep values may be nested: deeper than people nest them, and code that reads them needs no large
/// stack.
constexpr std::size_t deepest_nesting = 64;

std::string nested_too_deep() { return "nested more than " + std::to_string(deepest_nesting) + " deep"; }

/// Goes through the components that the members of values are of, each once.
class component_nesting {
  public:
    component_nesting(const world& in, std::string_view name) : in_(&in), name_(name) {}

    /// How deep the values of the component are nested; deepest_nesting at most.
    std::size_t depth_of(entity component) {
        const reflection* const described = component ? in_->reflection_of(component) : nullptr;
        if (!described) return 0;
        if (const auto known = std::ranges::find(known_, component, &depth::of); known != known_.end())
            return known->levels;
        const std::size_t place = known_.size();
        known_.push_back({component, deepest_nesting}); // So that what leads back to itself is too deep.
        return known_[place].levels = depth_of(described->members);
    }
    /// Whether members of the name's type were met.
    [[nodiscard]] bool leads_to_name() const { return leads_to_name_; }

  private:
    struct depth {
        entity of;
        std::size_t levels;
    };

    std::size_t depth_of(const std::vector<member>& members) {
        std::size_t levels = 0;
        for (const member& m : members) {
            leads_to_name_ = leads_to_name_ || m.type == name_;
            const std::size_t below =
                std::max(depth_of(m.members), depth_of(component_of_members(*in_, m.type)));
            levels = std::max(levels, below + 1);
        }
        return std::min(levels, deepest_nesting);
    }

    const world* in_;
    std::string_view name_;
    std::vector<depth> known_;
    bool leads_to_name_{};
};

/// Checks what one description says of members.
class member_check {
  public:
    /// `info` has what the values of the component are, or will be.
    member_check(const world& in, std::string_view name, const component_info& info)
        : in_(&in), name_(name), info_(&info) {}

    void check(const std::vector<member>& members) const { check(members, info_->size, 0); }

  private:
    [[noreturn]] void refuse(const member& m, const std::string& why) const {
        throw std::invalid_argument("component \"" + std::string(name_) + "\": member \"" + m.name + "\" " +
                                    why);
    }

    /// `start` is where the members' whole begins in the value.
    void check(const std::vector<member>& members, std::size_t size, std::size_t start) const {
        for (const member& m : members) {
            if (m.name.empty()) refuse(m, "has no name");
            if (std::ranges::count(members, m.name, &member::name) != 1) refuse(m, "is there twice");
            if (m.size == 0) refuse(m, "has no bytes");
            if (m.size > size || m.offset > size - m.size) refuse(m, "is not within the value");
            check_enumerators(m);
            check_bounds(m);
            check_parts(m, start + m.offset);
            for (const member& other : members) check_apart(m, other);
        }
    }

    /// Numbers may share bytes, as those of a union do. What has operations would be changed by writing to
    /// the other one, and what is a component of its own could be read 2^n times.
    void check_apart(const member& m, const member& other) const {
        const bool is_apart = m.size == 0 || other.size == 0 || m.offset + m.size <= other.offset ||
                              other.offset + other.size <= m.offset;
        if (&m != &other && !is_apart && is_whole_for_itself(m))
            refuse(m, "shares bytes with member \"" + other.name +
                          "\": that is for numbers, and for structures and lists of them");
    }
    [[nodiscard]] bool is_whole_for_itself(const member& m) const {
        return is_text_type(m.type) || component_of_members(*in_, m.type) ||
               std::ranges::any_of(m.members, [&](const member& part) { return is_whole_for_itself(part); });
    }

    /// Bounds are for numbers, and for each element of an array of numbers.
    void check_bounds(const member& m) const {
        if (m.minimum == -std::numeric_limits<double>::infinity() &&
            m.maximum == std::numeric_limits<double>::infinity())
            return;
        const member* of = &m;
        while (of->count != 0 && of->members.size() == 1) of = &of->members.front();
        if (!number_named(of->number_type.empty() ? of->type : of->number_type))
            refuse(m, "has bounds, and values of type " + shown(of->type) + " are no numbers");
        if (!(m.minimum <= m.maximum))
            refuse(m, "has bounds that no number is within: from " + std::to_string(m.minimum) + " to " +
                          std::to_string(m.maximum));
    }

    void check_enumerators(const member& m) const {
        const number_kind* const numbers = number_named(m.number_type);
        if (!m.number_type.empty() && !numbers)
            refuse(m, "has the number_type \"" + m.number_type +
                          "\", which is no type of numbers: write one such as \"unsigned char\"");
        if (!m.enumerators.empty() && !numbers)
            refuse(m, "has enumerators, and no number_type that says how its numbers are kept: write one "
                      "such as \"unsigned char\"");
        for (const auto& [name, value] : m.enumerators) {
            if (std::ranges::count(m.enumerators, name, &enumerator::name) != 1)
                refuse(m, "has more than one enumerator \"" + name + "\"");
            if (numbers && !numbers->can_hold(value))
                refuse(m, "has the enumerator \"" + name + "\", whose number " + std::to_string(value) +
                              " is no " + m.number_type);
        }
    }

    /// The elements of an array have no names.
    void check_parts(const member& m, std::size_t start) const {
        check_type(m, start);
        if (m.count == 0) return check(m.members, m.size, start);
        if (size_of_type(m.type)) refuse(m, "is a list, and its type is one that is read by its name");
        if (!m.number_type.empty()) refuse(m, "is a list, and has a number_type, which is for its element");
        if (m.members.size() != 1 || m.members.front().size > m.size / m.count)
            refuse(m, "is a list, and needs one member that stands for each element and fits " +
                          std::to_string(m.count) + " times");
        if (m.members.front().size == 0) refuse(m, "is a list of elements that have no bytes");
        check_enumerators(m.members.front());
        check_parts(m.members.front(), start);
        if (m.count > 1) check_place(m, m.members.front(), start + m.members.front().size);
    }

    /// Whether the value lies where a value of its type may; `what` is the member or its element.
    void check_place(const member& named, const member& what, std::size_t start) const {
        const std::size_t alignment = alignment_of_type(what.type);
        if (start % alignment == 0 && info_->alignment % alignment == 0) return;
        refuse(named, "is of type " + shown(what.type) + ", which has to begin at a multiple of " +
                          std::to_string(alignment) + " bytes, in a component of at least that alignment");
    }

    void check_type(const member& m, std::size_t start) const {
        if (m.count != 0) return;
        check_place(m, m, start);
        if (!m.number_type.empty() && size_of_type(m.type)) // Each reader would go by one of the two.
            refuse(m, "has a number_type, and its type is one that is read by its name");
        const std::string& type = m.number_type.empty() ? m.type : m.number_type;
        const entity component = in_->component_named(type);
        std::optional<std::size_t> size = size_of_type(type);
        if (!size && component) size = in_->get<component_info>(component).size;
        if (size && *size != m.size)
            refuse(m, "is of " + std::to_string(m.size) + " bytes, and values of type " + shown(type) +
                          " of " + std::to_string(*size));
        component_nesting within(*in_, name_);
        const std::size_t depth = within.depth_of(component);
        if (type == name_ || within.leads_to_name()) refuse(m, "has values that have such a member again");
        if (depth >= deepest_nesting) refuse(m, "has values that are " + nested_too_deep());
        const bool is_object = is_text_type(type) ||
                               (component && !in_->get<component_info>(component).operations.are_of_bytes());
        if (is_object && !is_complete(info_->operations))
            refuse(m, "is more than bytes, and the component needs operations that construct, copy, "
                      "relocate and destroy its values");
    }

    const world* in_;
    std::string_view name_;
    const component_info* info_;
};

void require_shallow(std::string_view name, const std::vector<member>& members, std::size_t depth = 1) {
    if (depth > deepest_nesting && !members.empty())
        throw std::invalid_argument("component \"" + std::string(name) + "\": member \"" +
                                    members.front().name + "\" is " + nested_too_deep());
    for (const member& m : members) require_shallow(name, m.members, depth + 1);
}

/// Puts the names of types as the library knows them; those of components stay.
void spell_types(const world& in, std::vector<member>& members) {
    for (member& m : members) {
        if (!in.component_named(m.type)) m.type = known_name(m.type);
        m.number_type = known_name(m.number_type);
        spell_types(in, m.members);
    }
}

} // namespace

std::vector<member> sound_members(const world& in, const component_description& described,
                                  const component_info& info) {
    require_shallow(described.name, described.members);
    std::vector<member> members = described.members;
    spell_types(in, members);
    member_check(in, described.name, info).check(members);
    return members;
}

} // namespace ecs
