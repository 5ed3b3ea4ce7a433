// SPDX-License-Identifier: MIT
// Writes a world as bytes; snapshot_format says how.
export module ecs.world:saver;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :snapshot_format;

namespace ecs {

/// See the head of this file. Made for one saving.
class saver {
  public:
    /// Leaves out what entities have of those components, tags and relations.
    saver(const engine& of, std::span<const entity> without);

    /// Writes to that memory, as far as there is enough. Throws snapshot_error when a value cannot be saved,
    /// and what a function that saves values throws.
    [[nodiscard]] std::vector<std::byte> save(std::vector<std::byte> memory);

  private:
    /// Rows of one chunk that follow each other.
    struct row_run {
        row_ref first;
        std::uint32_t rows{};
    };

    /// Rows of one table that are written together: those of ordinary entities, or those of components and
    /// built-in entities, which every world has already.
    struct part {
        table* archetype{};
        std::vector<id> words; ///< Without what a component says of itself.
        std::vector<row_run> runs;
        std::size_t rows{};      ///< The number of rows in all runs.
        bool ordinary{};         ///< Whose rows these are.
        bool properties_alone{}; ///< The words are properties, such as a component declares.
        /// Ordinary entities have the order of their tables, which is that of loops. A world that has loaded
        /// others has the tables of components earlier than a world that has not: these parts have an order
        /// of their own, behind the others.
        std::uint64_t place{};
    };

    class run_writer;

    [[nodiscard]] bool is_left_out(id word) const;
    [[nodiscard]] bool is_left_out_index(std::uint32_t index) const;
    [[nodiscard]] bool is_saved(const sparse_set& set) const;
    [[nodiscard]] bool is_row_of(const part& p, entity e) const;
    [[nodiscard]] bool are_properties_saved(entity e) const;
    [[nodiscard]] std::vector<id> saved_words_of(const table& t) const;
    void gather_tables();
    static void put_in_order(part& of);
    void gather_rows(table& in, const std::vector<id>& words, bool ordinary);
    void add_rows(part& to, chunk& in);
    static void add_run(part& to, row_ref first, std::uint32_t rows);
    void note_fixtures();
    [[nodiscard]] bool has_fixtures(const chunk& in) const;
    void reserve();
    void settle();
    void use_what_is_outside_tables();
    void use_what_properties_name();
    void use_what_properties_name(std::uint32_t owner);
    void use_set(const sparse_set& set);
    void use_index(std::uint32_t index);
    void use(id word);
    [[nodiscard]] bool is_component(std::uint32_t index) const;
    [[nodiscard]] bool is_component(entity e) const;
    void write_indices();
    void write_components();
    void write_component(entity component);
    void write_head(const part& p);
    void write_columns(const part& p);
    void write_column(const column& c, const part& p);
    void write_values(const column& c, const part& p);
    void write_hidden(const part& p);
    std::uint64_t write_hidden(const part& p, std::uint32_t number, row_ref at);
    void write_sparse_sets();
    void write_sparse_set(const sparse_set& sparse);
    [[nodiscard]] std::vector<std::uint32_t> owners_of(const sparse_set& sparse) const;
    void write_lists();
    void write_value(id word, const component_info& like, const std::byte* value);
    void write_header();

    const engine* of_;
    std::vector<std::byte> bytes_;
    snapshot_writer to_{bytes_};
    std::vector<std::uint32_t> left_out_; ///< Ascending indices of what is not saved.
    body_checksum sum_;                   ///< Checksum of the body up to settled_.
    std::size_t settled_{};
    std::vector<const chunk*> fixtures_; ///< Ascending: chunks with rows of components and built-in entities.
    std::vector<part> parts_;
    /// Indices, ascending, of the components of which something that is saved is made.
    std::vector<std::uint32_t> components_;
    std::vector<std::uint32_t> found_; ///< The same in the order in which they were found.
};

} // namespace ecs
