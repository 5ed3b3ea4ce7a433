// SPDX-License-Identifier: MIT
// Makes an engine from what a saver wrote, beside the world for which it is. Everything is checked before it
// is used: numbers before room is made for them, identifiers before they are added, and at the end what the
// traits of relations say of the whole.
export module ecs.world:loader;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :snapshot_format;

namespace ecs {

/// See the head of this file. Made for one loading.
class loader {
  public:
    loader(const engine& world, std::span<const std::byte> bytes)
        : world_(&world),
          from_(bytes),
          has_late_components_here_(world.rows().entities().has_late_components()) {}

    /// Makes a replica of the world with the components of the world and everything else from the bytes.
    /// Throws snapshot_error, and what a function that loads values throws.
    [[nodiscard]] std::unique_ptr<engine> load();

  private:
    struct part {
        std::vector<std::uint64_t> raw_words; ///< As the file has them.
        std::vector<id> words;                ///< The same words, as they are in this world.
        std::span<const std::byte> owners;    ///< Their indices, as the file has them.
        bool known_everywhere{};              ///< The owners are components and built-in entities.

        [[nodiscard]] inline std::size_t rows() const { return owners.size() / sizeof(std::uint32_t); }
        [[nodiscard]] inline std::uint32_t owner(std::size_t row) const {
            std::uint32_t index = 0;
            std::memcpy(&index, owners.data() + row * sizeof(index), sizeof(index));
            return index;
        }
    };

    void read_header();
    void read_indices();
    std::uint64_t read_run(std::uint64_t earliest);
    [[nodiscard]] run_form read_form();
    [[nodiscard]] std::size_t read_count_of_alike();
    void write_listed(std::uint64_t first, std::uint64_t end);
    void write_alike(std::uint64_t first, std::uint64_t end);
    void for_each_page_between(std::uint64_t first, std::uint64_t end, const auto& visit);
    void require_sound(std::uint32_t index, index_state state) const;
    void require_no_component(std::uint32_t index) const;
    void read_components();
    void check_component(entity component, std::string_view text, const saved_component& saved) const;
    void read_heads();
    [[nodiscard]] part read_head();
    [[nodiscard]] bool is_known_everywhere(std::uint32_t index) const;
    void note_traits(const part& p);
    [[nodiscard]] entity entity_at(std::uint32_t index) const;
    [[nodiscard]] id word_of(std::uint64_t bits) const;
    [[nodiscard]] id sound(id word, std::uint64_t bits) const;
    void check_type(const std::vector<id>& type) const;
    void check_values_of_links(const std::vector<id>& type, id key) const;
    void check_exclusive(const std::vector<id>& type) const;
    void read_columns(part& p);
    void fill(table& in, const part& p);
    void settle(std::span<entity> owners, location first, const part& p, std::size_t row,
                entity_index::near_places& places);
    [[nodiscard]] snapshot_reader read_values(const column& c, std::size_t rows);
    [[nodiscard]] snapshot_reader read_nothing();
    std::uint32_t make_values(const column& c, std::byte* to, std::uint32_t rows,
                              snapshot_reader& from) const;
    void make_value(const column& c, std::byte* to, snapshot_reader& from) const;
    void read_hidden(table& in, const part& p, std::size_t first_row);
    void merge(table& extra);
    [[nodiscard]] bool is_replaced(id known, const table& by) const;
    void merge_row(table& extra, row_ref row);
    void read_sparse_sets();
    void read_sparse_set();
    void read_lists();
    void read_list(entity relation);
    void link_source(entity relation, entity target, entity source);
    void name_entities();
    void name_entity(entity e);
    void check_all_settled() const;
    void refuse_to_settle(std::uint32_t index) const;
    void check_links() const;
    void check_bases() const;
    void check_all_traits() const;
    void check_pairs(std::uint32_t relation, const traits& own) const;
    void check_acyclic(std::uint32_t relation, const traits& own) const;
    void check_required_pairs(entity what, const traits& own) const;
    [[nodiscard]] bool is_had_with_number(entity relation) const;
    [[nodiscard]] bool has_targets_of_group(std::uint32_t relation, entity group) const;
    [[nodiscard]] bool has_single_sources(std::uint32_t relation) const;
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_of(std::uint32_t relation) const;
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>>
    inherited_edges_of(std::uint32_t relation) const;
    [[noreturn]] static void refuse(const std::string& text);
    [[noreturn]] void refuse_for(entity what, const std::string& why) const;

    const engine* world_;
    snapshot_reader from_;
    std::unique_ptr<engine> made_;
    std::unordered_map<std::uint32_t, entity> components_; ///< The components by their index in the file.
    bool has_late_components_{};                           ///< A component of the file has an ordinary index,
    bool has_late_components_here_{};                      ///< or one of the world has, or had.
    std::uint32_t version_{};                              ///< The version of the bytes.
    std::uint64_t alike_{};                                ///< Entities that live in runs of one state,
    std::uint64_t living_{};                               ///< and all that live,
    std::uint64_t settled_{};                              ///< of which that many have got their place.
    std::vector<part> parts_;
    std::size_t links_{}; ///< Rows that have got their target.
};

} // namespace ecs
