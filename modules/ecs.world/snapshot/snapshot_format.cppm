// SPDX-License-Identifier: MIT
// The format of the bytes of a saved world; docs/snapshots.md draws it.
//
//   header | indices | components | heads of tables | columns of tables | sets | lists
//
// Numbers are written as the machine keeps them: the header says how, and another machine refuses it. An
// entity is written as its index, an identifier as its word; components are known by name, and the reader
// gives them the indices they have there.
export module ecs.world:snapshot_format;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;

namespace ecs {

struct snapshot_header {
    static constexpr std::uint32_t current = 6;
    static constexpr std::uint32_t formless = 5;   ///< As the current one, but components have no form.
    static constexpr std::uint32_t all_listed = 4; ///< The same as formless, but every index has a state.
    static constexpr std::uint32_t earliest = 3;   ///< The same as all_listed, but for the body's checksum.

    std::array<char, 8> magic{'e', 'c', 's', '-', 's', 'a', 'v', 'e'};
    std::uint32_t version = current;
    std::uint32_t byte_order = 0x0102'0304;
    std::uint64_t layouts{};
    std::uint64_t body_bytes{};
    std::uint64_t body_checksum{};
    std::uint64_t header_checksum{}; ///< FNV-1a of the bytes before it.

    bool operator==(const snapshot_header&) const = default;
};
static_assert(sizeof(snapshot_header) == 48);

/// A change of any one byte changes the result, since each step maps different states to different ones.
[[nodiscard]] std::uint64_t fnv1a_of(std::span<const std::byte> bytes);

/// The checksum of a body in that version of the format: XXH3 in 64 bits; in earlier versions FNV-1a, which
/// takes each byte by itself.
[[nodiscard]] std::uint64_t checksum_of(std::span<const std::byte> body, std::uint32_t version);

/// The checksum of a body of the current version, part by part: of parts that are in the cache still.
class body_checksum {
  public:
    body_checksum();
    ~body_checksum();
    body_checksum(const body_checksum&) = delete;
    body_checksum& operator=(const body_checksum&) = delete;

    void add(std::span<const std::byte> part);
    [[nodiscard]] std::uint64_t value() const;

  private:
    struct state; ///< xxHash's.

    std::unique_ptr<state> state_;
};

/// How the states of a run of indices are written: one for each, or one for all entities, which live then. As
/// a live entity is written with its table, too, there are at most as many such entities as four bytes fit in
/// the file.
enum class run_form : std::uint8_t { listed, alike };

/// A fingerprint of everything that gives words and raw values their meaning.
[[nodiscard]] consteval std::uint64_t fingerprint_of_layouts() {
    fnv1a hash;
    for (const std::uint64_t layout :
         {fingerprint<layouts::entity>, fingerprint<layouts::pair>, fingerprint<layouts::flagged_entity>,
          fingerprint<layouts::flagged_pair>, fingerprint<layouts::link>, fingerprint<layouts::value_pair>,
          fingerprint<layouts::wildcard_pair>})
        hash.add(layout);
    for (const auto& part : world_partitions::parts) hash.add(part.name).add(part.first).add(part.last);
    return hash.add(sizeof(void*)).add(alignof(std::max_align_t)).value();
}

/// A fingerprint of what a component's values are made of, members of members included, as far as it was told
/// or the compiler has found it; 0 when nothing is known. Earlier versions have only what was told, and no
/// members of members.
[[nodiscard]] std::uint64_t fingerprint_of_members(const reflection* told, const component_info& info,
                                                   std::uint32_t version = snapshot_header::current);

/// How the values of a component are written: nothing for a tag, their bytes, or what a function writes.
enum class value_form : std::uint8_t { none, bytes, written, unknown };

/// A component as it is in the file.
struct saved_component {
    std::uint32_t index{};
    storage kept_in{};
    value_form form{};
    std::uint64_t size{};
    std::uint64_t alignment{};
    std::uint64_t members{}; ///< The fingerprint; 0 when nothing is known of the members.
};

[[nodiscard]] inline value_form form_of(std::size_t size, const value_operations& operations) {
    if (size == 0) return value_form::none;
    if (operations.save && operations.load) return value_form::written;
    return operations.copyable && operations.are_of_bytes() ? value_form::bytes : value_form::unknown;
}

/// Calls visit with the index of every entity that the identifier is made of.
void for_each_part(id word, auto&& visit) {
    if (word.is_entity() || word.kind() == id_kind::flagged_entity) return visit(word.target_index());
    if (word.has_relation() || word.kind() == id_kind::flagged_pair) visit(word.relation_index());
    const bool has_target = word.kind() == id_kind::pair || word.kind() == id_kind::flagged_pair;
    if (has_target) visit(word.target_index());
}

} // namespace ecs
