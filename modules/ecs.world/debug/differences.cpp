// SPDX-License-Identifier: MIT
// What entities have is written as texts with names, in the order of the names, and the texts are compared:
// those that tell entities of one name apart. They are shown only where the names are alike.
module ecs.world;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

constexpr const char* not_there = "not there";

/// A member of a value.
struct leaf {
    std::string name; ///< `.goal.x`; empty for a value without known members.
    std::string text;
    std::string exact{}; ///< Of a member that is an entity: a text that no other entity has.

    bool operator==(const leaf&) const = default;
};

/// One thing that an entity has.
struct part {
    std::string name;
    std::string exact; ///< A name that nothing else has.
    std::string whole; ///< The value, or a text that says that it is there.
    bool enabled{};
    std::vector<leaf> leaves;
};

bool comes_before(const part& a, const part& b) {
    return a.name == b.name ? a.exact < b.exact : a.name < b.name;
}

class parts_reader {
  public:
    parts_reader(const world& in, bool generations)
        : world_(in), words_(in, generations), exact_words_(in, generations, true) {}

    /// Everything that an entity, which is alive, has.
    [[nodiscard]] std::vector<part> parts_of(entity e) const;
    /// The component and its value, when it was added to itself.
    [[nodiscard]] std::vector<part> singleton(entity component) const;

  private:
    [[nodiscard]] part part_of(entity e, id word) const;
    void add_value(part& to, entity component, const std::byte* value) const;
    // `in_bytes`: what the members are part of is no more than its bytes.
    void add_leaves(std::vector<leaf>& to, const std::string& path, const std::vector<member>& members,
                    bool in_bytes, const std::byte* value) const;
    void add_leaf(std::vector<leaf>& to, const std::string& path, const member& m, bool in_bytes,
                  const std::byte* value) const;
    void add_elements(std::vector<leaf>& to, const std::string& path, const member& m, bool in_bytes,
                      const std::byte* value) const;
    [[nodiscard]] const store& rows() const { return world_access::engine_of(world_).rows(); }

    const world& world_;
    dumper words_;
    dumper exact_words_;
};

/// The value as it would be saved; empty when nothing says how.
std::string saved_text(const component_info& info, const std::byte* value) {
    std::vector<std::byte> bytes;
    snapshot_writer to(bytes);
    switch (form_of(info.size, info.operations)) {
    case value_form::bytes: to.write_bytes({value, info.size}); break;
    case value_form::written: info.operations.save(value, to); break;
    default: return {};
    }
    return "bytes " + hexadecimal(bytes);
}

void parts_reader::add_elements(std::vector<leaf>& to, const std::string& path, const member& m,
                                bool in_bytes, const std::byte* value) const {
    const member& each = m.members.front();
    for (std::size_t i = 0; i != m.count; ++i)
        add_leaf(to, path + "[" + std::to_string(i) + "]", each, in_bytes, value + i * each.size);
}

/// Adds a member without a text where nothing but its size is known.
void parts_reader::add_leaf(std::vector<leaf>& to, const std::string& path, const member& m, bool in_bytes,
                            const std::byte* value) const {
    if (m.count != 0) return add_elements(to, path, m, in_bytes, value);
    const entity type = words_.component_of(m, in_bytes);
    const reflection* const known = words_.members_of(type);
    if (m.members.empty() && known && !whole_of(*known))
        return add_leaves(to, path, known->members, words_.is_bytes(type), value);
    if (!m.members.empty()) return add_leaves(to, path, m.members, in_bytes, value);
    const std::string text = words_.text_of_member(m, in_bytes, value);
    if (m.type == type_name<entity>) {
        to.push_back({path, text, exact_words_.text_of_member(m, in_bytes, value)});
        return;
    }
    if (!text.starts_with('{')) {
        to.push_back({path, text});
        return;
    }
    to.push_back({path, m.is_bytes ? "bytes " + hexadecimal({value, m.size}) : ""});
}

void parts_reader::add_leaves(std::vector<leaf>& to, const std::string& path,
                              const std::vector<member>& members, bool in_bytes,
                              const std::byte* value) const {
    for (const member& m : members) add_leaf(to, path + "." + m.name, m, in_bytes, value + m.offset);
}

void parts_reader::add_value(part& to, entity component, const std::byte* value) const {
    const component_info info = rows().info_of_id(component);
    const reflection* const known = words_.members_of(component);
    to.whole = words_.text_of_value(component, info.size, value);
    const bool in_bytes = words_.is_bytes(component);
    if (const member* const whole = known ? whole_of(*known) : nullptr)
        add_leaf(to.leaves, "", *whole, in_bytes, value);
    else if (known)
        add_leaves(to.leaves, "", known->members, in_bytes, value);
    if (!known || std::ranges::any_of(to.leaves, &std::string::empty, &leaf::text))
        to.leaves.push_back({"", saved_text(info, value)});
}

part parts_reader::part_of(entity e, id word) const {
    part made{words_.name_of(word), exact_words_.name_of(word), "there", world_.is_enabled(e, word), {}};
    const entity type = world_.value_type_of(word);
    const void* const value = type ? world_.try_get(e, word) : nullptr;
    if (value) add_value(made, type, static_cast<const std::byte*>(value));
    return made;
}

std::vector<part> parts_reader::parts_of(entity e) const {
    std::vector<part> found;
    for (const id word : world_.ids(e))
        if (word != id(rows().registered<name>())) found.push_back(part_of(e, word));
    if (const std::string_view own = rows().name_of(e); !own.empty()) {
        const bool is_enabled = world_.is_enabled(e, rows().registered<name>());
        found.push_back({"name", "name", in_quotes(own), is_enabled, {{"", in_quotes(own)}}});
    }
    std::ranges::sort(found, comes_before);
    return found;
}

std::vector<part> parts_reader::singleton(entity component) const {
    if (!world_.has(component, component)) return {};
    return {part_of(component, component)};
}

/// Collects differences until there are enough.
class comparison {
  public:
    explicit comparison(std::size_t most) : most_(most) {}

    [[nodiscard]] bool is_full() const { return found_.size() >= most_; }
    void note(entity subject, std::string where, std::string first, std::string second) {
        if (!is_full()) found_.push_back({subject, std::move(where), std::move(first), std::move(second)});
    }
    void compare(entity subject, const std::vector<part>& first, const std::vector<part>& second);
    [[nodiscard]] std::vector<difference> take() { return std::move(found_); }

  private:
    void compare_part(entity subject, const part& first, const part& second);
    void compare_leaf(entity subject, const std::string& where, const leaf& first, const leaf& second);

    std::size_t most_;
    std::vector<difference> found_;
};

std::string state_of(const part& p) { return p.enabled ? "enabled" : "disabled"; }

void comparison::compare_leaf(entity subject, const std::string& where, const leaf& first,
                              const leaf& second) {
    if (first.text != second.text)
        note(subject, where, first.text, second.text);
    else if (first.exact != second.exact)
        note(subject, where, first.exact, second.exact);
}

void comparison::compare_part(entity subject, const part& first, const part& second) {
    if (first.enabled != second.enabled) note(subject, first.name, state_of(first), state_of(second));
    if (!std::ranges::equal(first.leaves, second.leaves, {}, &leaf::name, &leaf::name)) {
        if (first.leaves != second.leaves) note(subject, first.name, first.whole, second.whole);
        return;
    }
    for (std::size_t i = 0; i != first.leaves.size(); ++i)
        compare_leaf(subject, first.name + first.leaves[i].name, first.leaves[i], second.leaves[i]);
}

/// The name of a part that these, which are in order, lack: it says which one is meant where they have
/// another of the name.
const std::string& name_beside(const part& p, const std::vector<part>& others) {
    return std::ranges::binary_search(others, p.name, {}, &part::name) ? p.exact : p.name;
}

/// Compares two lists that are in order.
void comparison::compare(entity subject, const std::vector<part>& first, const std::vector<part>& second) {
    auto a = first.begin();
    auto b = second.begin();
    while (a != first.end() || b != second.end()) {
        if (b == second.end() || (a != first.end() && comes_before(*a, *b))) {
            note(subject, name_beside(*a, second), a->whole, not_there);
            ++a;
        } else if (a == first.end() || comes_before(*b, *a)) {
            note(subject, name_beside(*b, first), not_there, b->whole);
            ++b;
        } else {
            compare_part(subject, *a++, *b++);
        }
    }
}

std::string state_of(const world& in, entity e) { return in.alive(e) ? "alive" : in.explain(e); }

/// The indices of entities that live in one of the worlds or in both.
std::vector<std::uint32_t> indices_in(const world& first, const world& second) {
    std::vector<std::uint32_t> indices;
    for (const world* const in : {&first, &second})
        for (const entity e : in->entities()) indices.push_back(index_of(e));
    std::ranges::sort(indices);
    const auto twice = std::ranges::unique(indices);
    indices.erase(twice.begin(), twice.end());
    return indices;
}

class comparison_of_worlds {
  public:
    comparison_of_worlds(const world& first, const world& second, std::size_t most)
        : first_(first), second_(second), of_first_(first, false), of_second_(second, false), found_(most) {}

    [[nodiscard]] std::vector<difference> run() {
        compare_singletons();
        for (const std::uint32_t index : indices_in(first_, second_))
            if (!found_.is_full()) compare_at(index);
        return found_.take();
    }

  private:
    void compare_singletons();
    void compare_at(std::uint32_t index);

    const world& first_;
    const world& second_;
    parts_reader of_first_;
    parts_reader of_second_;
    comparison found_;
};

void comparison_of_worlds::compare_singletons() {
    const store& others = world_access::engine_of(second_).rows();
    const store& own = world_access::engine_of(first_).rows();
    for (const entity e : first_.components())
        if (const entity other = others.component_named(own.name_of_component(e)))
            found_.compare(e, of_first_.singleton(e), of_second_.singleton(other));
        else
            found_.compare(e, of_first_.singleton(e), {});
    for (const entity e : second_.components())
        if (!own.component_named(others.name_of_component(e))) found_.compare(e, {}, of_second_.singleton(e));
}

void comparison_of_worlds::compare_at(std::uint32_t index) {
    const entity a = first_.at(index);
    const entity b = second_.at(index);
    if (a && b) return found_.compare(a, of_first_.parts_of(a), of_second_.parts_of(b));
    if (a) found_.note(a, "", "alive", not_there);
    if (b) found_.note(b, "", not_there, "alive");
}

} // namespace

std::string to_string(const difference& d) {
    const std::string where = d.where.empty() ? "" : " " + d.where;
    return to_string(d.subject) + where + ": " + d.first + " against " + d.second;
}

std::vector<difference> differences(const world& in, entity first, entity second) {
    comparison found(std::numeric_limits<std::size_t>::max());
    const parts_reader read(in, true);
    if (in.alive(first) && in.alive(second))
        found.compare(first, read.parts_of(first), read.parts_of(second));
    else if (first != second)
        found.note(first, "", state_of(in, first), state_of(in, second));
    return found.take();
}

std::vector<difference> differences(const world& first, const world& second, std::size_t most) {
    return comparison_of_worlds(first, second, most).run();
}

} // namespace ecs
