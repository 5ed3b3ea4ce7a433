// SPDX-License-Identifier: MIT
// Structural changes repeat: what was planned for the first row that went from one table to another is kept,
// and so is which identifier leads along it.
//
//   table --edge (adding, word)--> move plan --> table
//
// An edge is a promise that the traits need not be asked again. A move plan lists the edges that lead along
// it, and its destination knows where it comes from, so that nothing leads to a table that is gone.
export module ecs.storage:move_plan;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import :byte_column;
import :chunk;
import :column;

export namespace ecs {

class source_lists;

/// What leads along a move plan: an identifier that is added or removed, or, where the target of a pair is
/// kept in a column, a pair of the relation.
enum class edge_kind : std::uint8_t { adding, removing, linking };

/// What a row gets and what it loses on its way, as positions in the types of the two tables. Columns of
/// targets are left out: a row may have them without a target.
struct row_changes {
    std::vector<std::uint32_t> gained; ///< Positions in the table to which it goes.
    std::vector<std::uint32_t> lost;   ///< Positions in the table from which it comes.
};

/// What another floor has looked up for a plan, a table or a sparse set, and keeps there.
class floor_note {
  public:
    floor_note() = default;
    floor_note(const floor_note&) = delete;
    floor_note& operator=(const floor_note&) = delete;
    virtual ~floor_note() = default;
};

/// How a row goes from one table to another: which columns go along, which appear, and which hold values to
/// be destroyed. When only bytes have to be moved, the move plan is bare: table::give_row does it.
struct move_plan {
    struct kept_column {
        const column* from;
        const column* to;
    };
    table* from{};
    table* to{};
    bool tracked{};                ///< Something of one of the two tables is tracked or observed,
    bool told{};                   ///< and a move itself has to be told: see review.
    bool bare{};                   ///< Only bytes have to be moved,
    bool bare_words{};             ///< and every value has eight or four bytes.
    bool trivial{};                ///< The plan is bare, and nothing has to be told: see review.
    bool in_words{};               ///< The plan is trivial, and every value has eight or four bytes,
    bool in_words_alone{};         ///< and nothing is made in the new row.
    bool from_no_row{};            ///< The plan is trivial, and there is no row yet.
    std::uint32_t added_start{};   ///< Where the first column of `added` begins in a chunk, in bytes.
    source_lists* lists{};         ///< For the relation that comes, when its traits ask for little.
    std::vector<kept_column> kept; ///< All kept columns, those of plain bytes first.
    std::vector<const column*> added;
    std::vector<const column*> dropped;
    std::vector<std::pair<edge_kind, id>> led_by; ///< The edges that lead here.

    /// Moves what the row keeps. The rows have different tables.
    inline void move_kept(row_ref at, row_ref there) const noexcept {
        plain.copy(at, there);
        for (std::size_t c = plain.size(); c < kept.size(); ++c)
            kept[c].to->relocate(kept[c].to->value(there), kept[c].from->value(at));
    }

    /// Decides anew what is true of the two tables now: where their columns begin, whether somebody has to be
    /// told of what a row gets or loses, and whether more than bytes has to be moved. A function that changes
    /// one of the tables in this respect calls it.
    void review() noexcept;

    /// What a row gets and loses. Linear in the number of identifiers at the first call, for which memory may
    /// not suffice: std::bad_alloc. Not thread-safe.
    [[nodiscard]] inline const row_changes& changes() const {
        if (!changes_) [[unlikely]]
            note_changes();
        return *changes_;
    }

    word_moves words;   ///< For a plan in words: `plain` and `stays`.
    byte_columns plain; ///< The columns of plain bytes, which are the first of `kept`.
    byte_columns stays; ///< Columns of plain bytes that do not go along: `from` alone has them.
    mutable std::unique_ptr<floor_note> note; ///< Of the floor that tells observers.

  private:
    void measure() noexcept;
    [[nodiscard]] bool has_to_be_told() const;
    void note_changes() const;

    mutable std::unique_ptr<const row_changes> changes_; ///< Null until somebody is told of a move.
};

/// How rows have left one table before: the plans of their moves, and the identifiers whose edges lead along
/// them. Also the tables from which a plan leads here.
class table_edges {
  public:
    /// nullptr when no such edge is known. The key is an identifier's word, or one that no identifier has.
    /// Constant time.
    [[nodiscard]] inline const move_plan* find(edge_kind kind, id key) const {
        const move_plan* const* const known = edges(kind).find(key.value());
        return known ? *known : nullptr;
    }

    /// The same for an edge of an identifier that is added or removed. The edges that were found last are at
    /// hand, by the low bits of the word, so that a change that is made over and over asks no map.
    [[nodiscard]] inline const move_plan* find_again(edge_kind kind, id word) {
        const shortcut& last = at_hand(kind, word);
        return last.word == word ? last.along : look_up(kind, word);
    }

    /// An edge that was found before, with the table to which it leads. The null identifier has none.
    struct shortcut {
        id word;
        const move_plan* along{};
        const move_plan* words_alone{}; ///< The same, if it moves words and nothing is made in the new row.
        table* to{};
    };

    /// The edge that was found last among those with the same low bits: it may be of another word.
    [[nodiscard, gnu::always_inline]] inline const shortcut& at_hand(edge_kind kind, id word) const {
        return shortcuts_[static_cast<std::size_t>(kind)][word.value() % shortcuts_of_a_kind];
    }

    /// The plan of moves to another table; nullptr when no row went there yet.
    [[nodiscard]] move_plan* to(const table& there) const;

    /// Keeps a new plan from this table to another, or to itself. Throws std::bad_alloc, and then
    /// nothing has changed.
    move_plan& open(std::unique_ptr<move_plan> made);

    /// From now on the key leads along a plan of this table. Throws std::bad_alloc, and then nothing has
    /// changed.
    const move_plan& add_edge(edge_kind kind, id key, move_plan& along);

    /// How many plans lead from this table and to it.
    [[nodiscard]] inline std::size_t plan_count() const { return plans_.size() + arrivals_.size(); }

    /// Forgets which identifiers lead where; the plans stay.
    void forget_edges() noexcept;

    /// This table ends: no plan leads to it any more.
    void close(const table& gone) noexcept;

    /// Something has changed about this table; see move_plan::review.
    void review(const table& changed) noexcept;

  private:
    void for_each(auto&& visit) const {
        plans_.for_each([&](std::uint64_t, const std::unique_ptr<move_plan>& plan) { visit(*plan); });
    }

    using edge_map = flat_map<const move_plan*>;

    [[nodiscard]] inline const edge_map& edges(edge_kind kind) const {
        return edges_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] inline edge_map& edges(edge_kind kind) { return edges_[static_cast<std::size_t>(kind)]; }
    void forget(const table& gone) noexcept;

    static constexpr std::size_t shortcuts_of_a_kind = 4;
    [[nodiscard]] inline shortcut& shortcut_of(edge_kind kind, id word) {
        return shortcuts_[static_cast<std::size_t>(kind)][word.value() % shortcuts_of_a_kind];
    }
    [[nodiscard]] const move_plan* look_up(edge_kind kind, id word);

    std::array<std::array<shortcut, shortcuts_of_a_kind>, 2> shortcuts_; ///< For adding and removing.
    std::array<edge_map, 3> edges_;
    flat_map<std::unique_ptr<move_plan>> plans_; ///< By address of the destination.
    flat_map<table*> arrivals_;                  ///< The tables with a plan that leads here, by address.
};

} // namespace ecs
