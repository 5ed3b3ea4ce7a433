// SPDX-License-Identifier: MIT
// What is the same for every query, whatever its types: the terms, the tables that satisfy them, and which of
// their rows do. Tables are looked at once, when they appear. Where a component may be disabled or is kept
// outside tables, rows are tested 64 at a time.
export module ecs.query:query_core;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import ecs.component;
import ecs.storage;
import ecs.structure;
import :chunk_list;
import :condition;
import :found_row;
import :joins;
import :matcher;
import :row_order;
import :term;

export namespace ecs {

/// The loops over a query that run, most of them one within the other. A copy of the query has none.
struct running_loops {
    running_loops() = default;
    running_loops(const running_loops&) noexcept {}
    running_loops& operator=(const running_loops&) noexcept { return *this; }

    int loops{};
    int on_list{};         ///< How many of them go over the rows on the query's list.
    change_tick looking{}; ///< When the outermost began to look.
};

/// A group of a query that is grouped. each_in_group takes the number where there is one, and else the
/// target.
struct query_group {
    entity target{};                       ///< Null for the entities without a target, and for a number.
    std::optional<std::uint32_t> number{}; ///< What the function returned, or the number that is the target.
    std::size_t entities{};                ///< How many entities it has, as count counts them.
};

/// What is the same for every query: terms, matching, and which rows are hidden.
class query_core {
  public:
    using comparison = row_order::comparison;

    // Not inline, like other functions that copy and end a dozen containers: importers would compile those
    // with each query.
    explicit query_core(engine& of);
    query_core(const query_core& other);
    query_core(query_core&& other) noexcept;
    /// Throws iteration_error while a loop over the query runs.
    query_core& operator=(const query_core& other);
    query_core& operator=(query_core&& other) noexcept;
    ~query_core();

    /// Throws iteration_error while a loop over the query runs.
    void add_term(term t);
    /// Adds a term unless there is an equal one. Throws std::invalid_argument for null, too, as all that
    /// follow.
    void add_filter(term_kind kind, id word);
    void add_filter(term_kind kind, id relation, entity target);

    /// A term whose value is handed out: to be written, and as one of a certain type.
    void add_fetch(id word, term_kind kind, bool written, bool valued);

    struct term_above {
        id word;
        id relation;
        bool itself{}; ///< The entity itself comes first.
        bool fetched{};
        bool written{};
        bool may_be_missing{};
    };
    /// Adds a term about the nearest entity along the relation. Throws std::invalid_argument when that is
    /// none.
    void add_term_above(const term_above& asked);

    /// Adds a condition that has to hold beside the terms. Throws std::invalid_argument for a question about
    /// null, or about changes of what is not the row's own.
    void add_condition(const query_condition& asked);
    /// Throws std::invalid_argument for a question that no condition may ask.
    void require_question(const single_condition& asked) const { std::ignore = term_of(asked); }

    /// Keeps what has_news needs. Throws std::invalid_argument when the query hands out the component to be
    /// written.
    void watch(id component);
    /// Whether something has happened to the entity, which has the component, since the query last looked: a
    /// loop that runs is not over yet. Throws std::invalid_argument when the component is not watched.
    [[nodiscard]] bool has_news(term_kind kind, id component, entity e) const;

    /// Adds a term about a component and its kinds. Throws std::invalid_argument when the word is no entity.
    void add_kinds(id word, term_kind kind);
    /// Whether an entity that a term names has ended: the type may have another entity by now.
    [[nodiscard]] bool names_ended() const;
    /// Whether an entity that has nothing that the terms name may satisfy them.
    [[nodiscard]] bool may_find_bare() const;
    [[nodiscard]] inline bool asks_for_kinds() const {
        return std::ranges::any_of(terms_, [](const term& t) { return t.kinds; });
    }

    /// Looks at the tables that have appeared since; starts again when what was learned no longer holds.
    inline void refresh() {
        if (seen_ != engine_->rows().tables().size() || cache_version_ != engine_->rows().cache_version() ||
            inheritance_version_ != engine_->rows().inheritance_version() || looks_each_time_) [[unlikely]]
            look_at_new_tables();
        if (asks_for_news_) [[unlikely]]
            look_for_news();
    }

    /// Whether sparse sets and ticks are where they were when the query looked at tables.
    [[nodiscard]] inline bool knows_world_of_now() const {
        return cache_version_ == engine_->rows().cache_version();
    }

    /// Whether the query finds the same entities as long as no row of the world changes.
    [[nodiscard]] bool asks_tables_alone();

    [[nodiscard]] inline std::span<const match> matches() const { return matches_; }
    [[nodiscard]] inline const fetched_term* fetched(const match& m) const {
        return fetched_.data() + m.first_fetched;
    }
    [[nodiscard]] inline engine& of() const { return *engine_; }
    /// Throws std::invalid_argument when the query is of another world.
    void require_world(const engine& in) const;
    /// Throws iteration_error while a loop over the query runs.
    void require_no_loop() const;

    /// Whether some rows of the table may be hidden, so that row_mask has to be asked.
    [[nodiscard]] inline bool has_hidden_rows(const match& m) const {
        return filters_rows_ || m.archetype->togglable() || m.open || m.partial;
    }

    /// Whether the rows that are not hidden have each value in the same column, or all of them from the same
    /// base. An optional value may be disabled in a row that is not hidden.
    [[nodiscard]] inline bool has_values_in_step(const match& m) const {
        return !m.by_target && !(m.archetype->togglable() && hands_out_optional());
    }
    /// The same where all values are the rows' own.
    [[nodiscard]] inline bool has_values_at_hand(const match& m) const {
        return !m.open && has_values_in_step(m);
    }
    [[nodiscard]] inline bool hands_out_optional() const {
        return std::ranges::any_of(terms_,
                                   [](const term& t) { return t.fetched && t.kind == term_kind::optional; });
    }

    /// Which of the 64 rows from row 64 * block on satisfy the terms.
    [[nodiscard]] std::uint64_t row_mask(const match& m, chunk& in, std::uint32_t block,
                                         std::uint64_t among = ~std::uint64_t{0}) const;

    /// The same, found at once where rows have only values of a base beside their own.
    [[nodiscard]] inline std::uint64_t rows_in_step(const match& m, chunk& in, std::uint32_t block) const {
        const bool asks = (filters_rows_ && !only_marks_) || m.archetype->togglable() || m.by_row ||
                          m.by_target || m.partial;
        return asks ? row_mask(m, in, block) : all_rows(in, block);
    }

    /// The same, found at once when no row is hidden.
    [[nodiscard]] inline std::uint64_t rows(const match& m, chunk& in, std::uint32_t block) const {
        return has_hidden_rows(m) ? row_mask(m, in, block) : all_rows(in, block);
    }

    /// What an optional term has for one row: nothing where the component is disabled, or the row has another
    /// target. What a row has to have was asked before: a loop may have disabled it since, and hands it out.
    [[nodiscard]] inline static fetched_term at_row(const fetched_term& f, row_ref at) {
        const bool hidden =
            f.position != table::absent && (at.block->owner->is_disabled(f.position, at) || !f.counts(at));
        return hidden ? fetched_term{.sparse = f.sparse} : f;
    }

    /// Where the value of the term is, for a value of tables; not null for a tag that is there.
    [[nodiscard]] inline std::byte* value_in_row(const fetched_term& f, row_ref at) const {
        if (f.base) return inherited_value(f);
        if (f.values) return f.values->value(at);
        return f.position != table::absent ? at.block->bytes() : nullptr;
    }

    /// How many of the rows, from the first on, have the same optional values: rows of a table in which
    /// something is disabled may differ.
    [[nodiscard]] inline std::uint32_t rows_alike(const match& m, row_ref first, std::uint32_t count) const {
        return m.archetype->togglable() ? rows_hidden_alike(m, first, count) : count;
    }

    /// The chunks of all matches, with the values of the first `handed` fetched terms; the number is the same
    /// in each call. Nothing changes the list while a loop runs. Throws std::bad_alloc.
    [[nodiscard]] inline const chunk_list& chunks(std::size_t handed) {
        if (!chunks_.is_of(version_of_chunks())) [[unlikely]]
            list_chunks(handed);
        return chunks_;
    }

    /// The chunks of one match, for code that does not visit all of them with `each`. See
    /// row_store::chunks_of.
    [[nodiscard]] inline std::span<chunk* const> chunks_of(const match& m) const {
        return engine_->rows().chunks_of(*m.archetype);
    }

    /// The value that all rows of the match inherit.
    [[nodiscard]] inline std::byte* inherited_value(const fetched_term& f) const {
        return engine_->find(f.base, f.word);
    }

    /// The number of matches: of entities when no fetched term is a wildcard.
    [[nodiscard]] std::size_t count();

    /// The entity's row if it satisfies the terms, with the first match when there are several.
    [[nodiscard]] found_row find(entity e);
    /// The same; when there are several matches, with the match in which a wildcard stands for the word, if
    /// there is one.
    [[nodiscard]] found_row find(entity e, id word);
    /// The same after prepare_to_find, for several threads at once. The row of an entity without one is good
    /// until the next call in the same thread, or as long as `room`, in which it is made.
    [[nodiscard]] found_row find_known(entity e) const;
    [[nodiscard]] found_row find_known(entity e, rowless_chunk& room) const;
    /// The next match of the same row, as where a wildcard is handed out; no row when there is none.
    [[nodiscard]] inline found_row next_match(const found_row& behind) const {
        const match* const next = behind.found_in + 1;
        const bool is_last =
            next == matches_.data() + matches_.size() || next->archetype != behind.found_in->archetype;
        return is_last ? found_row{} : first_from(next, behind.at());
    }
    /// How many matches the entity has, after prepare_to_find.
    [[nodiscard]] std::size_t count_known(entity e) const;
    /// Whether there may be entities with several matches, in the tables that the query has looked at.
    [[nodiscard]] inline bool may_match_often() const { return may_match_often_; }
    /// Looks for new tables, and numbers the matches.
    void prepare_to_find();

    [[nodiscard]] inline std::span<const term> terms() const { return terms_; }
    /// What the terms are about, without optional terms.
    [[nodiscard]] std::vector<id> patterns() const;

    /// Throws access_error: the entity does not satisfy the query.
    [[noreturn]] void refuse(entity e) const;

    using group_function = std::function<std::uint32_t(std::span<const id>)>;
    /// Groups of entities have the numbers of their indices; groups of numbers come behind them.
    static constexpr std::uint64_t first_numbered_group = std::uint64_t{1} << 32;

    /// Throws std::invalid_argument for a component without values.
    void sort_by(id component, comparison less);
    void sort_by(row_order::entity_comparison less);
    void group_by(id relation);
    void group_by(group_function group);
    /// The group of a target; for null, the group of entities without a target; nothing when the target is
    /// not alive. Throws std::invalid_argument when the query is not grouped by a relation, or by one that
    /// keeps its targets in a column by now.
    [[nodiscard]] std::optional<std::uint64_t> group_behind(entity target) const;
    /// The group with a number: of a function, or of the pairs with that number. Throws
    /// std::invalid_argument when the query is not grouped.
    [[nodiscard]] std::uint64_t group_numbered(std::uint32_t number) const;
    /// See query::groups.
    [[nodiscard]] std::vector<query_group> groups();
    /// Throws std::invalid_argument when two of the entities are the same. Quadratic in their number.
    static void require_distinct(std::span<const entity> all);
    /// Throws std::invalid_argument for null, which no entity has.
    [[nodiscard]] static id require_asked(id word);
    /// Throws std::invalid_argument when the word is no entity.
    [[nodiscard]] static entity require_relation(id word);
    inline void forget_between_loops() { uncached_ = looks_each_time_ = true; }

    /// Loops visit parents before children, along a relation that is acyclic. Throws std::invalid_argument
    /// when it is not.
    void cascade(id relation);

    /// Puts the rows of each table in the order of loops. See query::sort_rows.
    void sort_rows();

    /// Whether loops go over a list of rows: because it has an order, because some relation keeps a list of
    /// all entities that can satisfy a term, or because little has changed of what a term asks for.
    [[nodiscard]] inline bool is_listed() const { return has_order() || is_found_by_list(); }
    /// Whether matches of one entity may be apart on the list: what is new is listed match by match.
    [[nodiscard]] bool lists_matches_apart() const;
    [[nodiscard]] inline bool has_order() const { return static_cast<bool>(in_order_); }
    /// Throws std::invalid_argument when there is an order.
    void require_no_order() const;
    /// The same for a query that gets variables.
    void require_no_order_of_answers() const;

    /// Throws std::invalid_argument when a value that is handed out to be written is one that rows share, or
    /// that others inherit and read.
    void require_own_values() const;

    /// The first of the matches from there on that belongs to another table.
    [[nodiscard]] inline const match* end_of_table(const match* first) const {
        const match* const end = matches_.data() + matches_.size();
        return std::ranges::find_if(first, end,
                                    [&](const match& m) { return m.archetype != first->archetype; });
    }

    /// Terms to come are fetched until that many terms are about wildcards.
    inline void expect_wildcards(std::size_t count) {
        wanted_wildcards_ = std::max(wanted_wildcards_, count);
    }

    /// The fetched term of the n-th wildcard among the terms. Throws std::invalid_argument when there are
    /// fewer.
    [[nodiscard]] const fetched_term& wildcard(const match& m, std::size_t n) const {
        if (n >= wildcards_.size()) refuse_wildcard(n);
        return fetched(m)[wildcards_[n]];
    }
    [[nodiscard]] inline const term& term_at(std::size_t position) const { return terms_[position]; }
    /// Whether the row answers that term with yes, which may be one of several alternatives.
    [[nodiscard]] bool answers(std::size_t position, const found_row& at) const;
    [[nodiscard]] inline std::span<const query_condition::step> conditions() const { return conditions_; }
    [[nodiscard]] inline entity cascades_along() const { return in_order_.descends(); }
    /// The terms and conditions as text, which world::query reads again unless there are more of them than a
    /// text may have; not the order and not the groups.
    [[nodiscard]] std::string text() const;

    /// The number of entities that satisfy the query, however often each matches.
    [[nodiscard]] std::size_t count_entities();

    /// Whether what the query hands out may be written while another query tracks.
    [[nodiscard]] inline bool marks_writes() const { return marks_writes_; }
    /// Notes that the values of the row have been handed out to be written.
    void mark_written(const match& m, row_ref at);

    /// Rows of a chunk of which a loop hands out values: what is to be written is marked, and marked again at
    /// the end where a query has looked meanwhile.
    class handed_rows {
      public:
        /// Those of the 64 rows from row 64 * block on that satisfy the terms.
        inline handed_rows(query_core& in, const match& m, chunk& of, std::uint32_t block)
            : handed_rows(in, m, {&of, block * 64}, 64, in.rows_in_step(m, of, block)) {}
        /// All of that many rows.
        inline handed_rows(query_core& in, const match& m, row_ref first, std::uint32_t count)
            : handed_rows(in, m, first, count, ~std::uint64_t{0}) {}
        handed_rows(const handed_rows&) = delete;
        handed_rows& operator=(const handed_rows&) = delete;
        inline ~handed_rows() {
            if (in_->marks_writes_) [[unlikely]]
                end();
        }

        /// The rows of a block, by their bits.
        [[nodiscard]] inline std::uint64_t rows() const { return rows_; }

      private:
        inline handed_rows(query_core& in, const match& m, row_ref first, std::uint32_t count,
                           std::uint64_t rows)
            : in_(&in), found_in_(&m), first_(first), count_(count), rows_(rows) {
            if (in.marks_writes_) [[unlikely]]
                begin();
        }
        void begin();
        void end() noexcept;
        void mark();

        query_core* in_;
        const match* found_in_;
        row_ref first_;
        std::uint32_t count_;
        std::uint64_t rows_; ///< Which of them, where they are of one block.
        change_tick begun_{};
    };

    /// Notes that what was written until now has been seen.
    void mark_seen();

    /// While it lives, the tables and the query's memory of them stay as they are. A loop that looks has seen
    /// the changes when it ends, whether or not it has come to all of them.
    class loop {
      public:
        inline explicit loop(query_core& over, bool looks = false) : lock_(over.of().rows()), over_(&over) {
            if (over_->running_.loops++ != 0) return;
            looks_ = looks && over_->filters_rows_;
            if (looks_) over_->begin_to_look();
        }
        loop(const loop&) = delete;
        inline loop(loop&& other) noexcept
            : lock_(std::move(other.lock_)),
              over_(std::exchange(other.over_, nullptr)),
              looks_(other.looks_),
              is_on_list_(other.is_on_list_) {}
        loop& operator=(const loop&) = delete;
        inline loop& operator=(loop&& other) noexcept {
            lock_ = std::move(other.lock_);
            std::swap(over_, other.over_);
            std::swap(looks_, other.looks_);
            std::swap(is_on_list_, other.is_on_list_);
            return *this;
        }
        inline ~loop() {
            if (!over_) return;
            --over_->running_.loops;
            over_->running_.on_list -= static_cast<int>(is_on_list_);
            if (looks_ && over_->seen_until_ < over_->running_.looking)
                over_->seen_until_ = over_->running_.looking;
        }
        /// The loop ends before it has come to a row: it has looked at nothing.
        inline void forget_look() noexcept { looks_ = false; }

      private:
        friend class query_core;

        store::iteration_lock lock_;
        query_core* over_; ///< Null when another has taken the loop over.
        bool looks_{};
        bool is_on_list_{}; ///< It goes over the rows on the list, which stays as it is meanwhile.
    };

    /// The list over which the loop goes from now on. Sorting is linear when the order of the last time still
    /// holds.
    [[nodiscard]] listed_rows rows_on_list(loop& looping);

  private:
    void add_filter(term asked);
    void list_rows();
    void list_chunks(std::size_t handed);
    inline void forget_lists() noexcept {
        chunks_.forget();
        order_.forget();
    }
    /// Changes whenever the list has to be made again.
    [[nodiscard]] inline std::uint64_t version_of_chunks() const {
        const store& rows = engine_->rows();
        return rows.chunk_changes() + (finds_rowless_ ? rows.rowless_changes() : 0);
    }
    [[nodiscard]] std::uint32_t rows_hidden_alike(const match& m, row_ref first, std::uint32_t count) const;
    void look_at_new_tables();
    [[nodiscard]] const table* home_of(const term& t) const;
    [[nodiscard]] bool is_stale() const;
    [[nodiscard]] term term_of(const single_condition& asked) const;
    void note_relation(entity asked);
    [[nodiscard]] bool other_has(const term& t) const;
    [[nodiscard]] std::uint64_t rows_that_answer(const term& t, const match& m, chunk& in,
                                                 std::uint32_t block, std::uint64_t among) const;
    [[nodiscard]] std::uint64_t rows_of_conditions(const match& m, chunk& in, std::uint32_t block,
                                                   std::uint64_t among) const;
    void forget();
    void forget_matches();
    void look_up(term& t);
    [[nodiscard]] matcher matching() const { return {*engine_, terms_, conditions_}; }
    void consider_new_tables();
    void consider_next(table& candidate);
    [[nodiscard]] id rarest_word(std::size_t new_tables) const;
    [[nodiscard]] std::vector<table*> new_tables_with(id word) const;
    void consider(table& candidate);
    [[nodiscard]] std::uint64_t rows_with_kinds(const term& t, const match& m, chunk& in, std::uint32_t block,
                                                std::uint64_t among) const;
    [[nodiscard]] std::uint32_t only_choice(const term& t, const table& candidate) const;
    [[nodiscard]] std::vector<fetched_term> choices_of(const term& t, table& candidate) const;
    void add_matches(table& candidate, std::size_t next, std::vector<fetched_term>& chosen);
    void note_anchors();
    [[nodiscard]] inline bool is_found_by_list() const { return !anchors_.empty() || lists_news_; }
    [[nodiscard]] const change_ticks* ticks_to_list() const;
    void look_for_news();
    void gather_news(std::vector<found_row>& found);
    void gather_at(entity e, std::vector<found_row>& found);
    void number_matches();
    [[nodiscard]] const match* first_match_in(const table& in) const;
    [[nodiscard]] bool satisfies(const match& m, row_ref at) const;
    [[nodiscard]] found_row first_from(const match* m, row_ref at) const;
    void gather(std::vector<found_row>& found);
    [[nodiscard]] bool lists_whole_tables() const;
    [[nodiscard]] std::vector<std::vector<std::size_t>> rows_in_order();
    void gather_sources(std::span<const entity> sources, std::vector<found_row>& found);
    [[noreturn]] void refuse_wildcard(std::size_t n) const;
    [[nodiscard]] bool only_looks_above(const table& candidate) const;
    [[nodiscard]] std::uint64_t group_of(const table& candidate) const;
    [[nodiscard]] query_group group_like(std::uint64_t key) const;
    [[nodiscard]] std::size_t count_in(const match& m) const;
    [[nodiscard]] bool shares(const fetched_term& f, const table& in) const;
    [[nodiscard]] bool is_written_at_base(const fetched_term& f) const;
    [[noreturn]] void refuse_to_share(const fetched_term& f) const;
    void add_match(table& candidate, const std::vector<fetched_term>& chosen);
    [[nodiscard]] bool is_stale_by_heirs_alone() const;
    void look_again_at_heirs();
    inline void note_inheritance() {
        inheritance_version_ = engine_->rows().inheritance_version();
        heirs_version_ = engine_->rows().heirs_version();
    }
    [[nodiscard]] bool is_stale_by_drops_alone() const;
    void follow_drops();
    [[nodiscard]] std::vector<table*> forget_dropped();
    void replace_heirs(std::vector<table*> heirs);
    void sort_matches();
    template <class Drop> void drop_matches(const Drop& is_dropped);
    [[nodiscard]] bool others_have_changed() const;
    [[nodiscard]] std::uint64_t news(const term& t, const match& m, chunk& in, std::uint32_t block,
                                     std::uint64_t among) const;
    void begin_to_look();
    void note_look(change_tick until) const noexcept;
    [[nodiscard]] bool was_looked_at_since(change_tick when) const;
    [[nodiscard]] change_tick time_of_writes(const term& t) const;
    void mark_rows(const match& m, chunk& in, std::uint32_t block, std::uint64_t rows);
    void mark_value(const term& t, const fetched_term& f, row_ref at, change_tick when);
    void mark_held(entity e, id word, change_tick when);
    [[nodiscard]] std::uint64_t rows_with(const term& t, const match& m, chunk& in, std::uint32_t block,
                                          std::uint64_t among) const;
    [[nodiscard]] std::uint64_t rows_hiding(const term& t, const match& m, chunk& in,
                                            std::uint32_t block) const;
    [[nodiscard]] std::uint64_t rows_asked_for(const term& t, const match& m, chunk& in, std::uint32_t block,
                                               std::uint64_t among) const;
    [[nodiscard]] std::uint64_t rows_in_place(const chunk& in, std::uint32_t block) const;
    [[nodiscard]] std::uint64_t rows_not_disabled(const match& m, const chunk& in, std::uint32_t block) const;
    [[nodiscard]] std::uint64_t rows_that_satisfy(const term& t, const fetched_term* own, const match& m,
                                                  chunk& in, std::uint32_t block, std::uint64_t among) const;
    [[nodiscard]] std::uint64_t rows_of_choice(const term& t, const fetched_term& f, table& of, chunk& in,
                                               std::uint32_t block, std::uint64_t among) const;
    [[nodiscard]] std::uint64_t rows_with_others(const term& t, const match& m, chunk& in,
                                                 std::uint32_t block, std::uint64_t among) const;
    [[nodiscard]] std::uint64_t rows_linked(const term& t, chunk& in, std::uint32_t block,
                                            std::uint64_t among) const;
    [[nodiscard]] std::uint64_t rows_by_rule(const term& t, chunk& in, std::uint32_t block,
                                             std::uint64_t among) const;

    engine* engine_;
    std::vector<term> terms_;
    std::vector<query_condition::step> conditions_; ///< The conditions, about terms by their numbers.
    std::vector<match> matches_;
    std::size_t matches_of_heirs_{}; ///< The number of matches in tables that inherit.
    bool may_match_often_{};         ///< Some table had several matches.
    std::vector<fetched_term> fetched_;
    chunk_list chunks_;
    bool finds_rowless_{}; ///< The list has chunks of entities without a row.
    std::size_t seen_{};
    std::uint64_t cache_version_{};
    std::uint64_t inheritance_version_{};
    std::uint64_t heirs_version_{};
    std::uint64_t drops_{}; ///< The drops of tables that the query knows.
    running_loops running_;
    bool filters_rows_{}; ///< Rows are looked at one by one, for what is outside tables, or for changes.
    bool marks_writes_{};
    bool only_marks_{};               ///< Rows are looked at one by one for no other reason.
    bool asks_for_news_{};            ///< A term asks what has happened since the query last looked.
    bool lists_news_{};               ///< So little has happened that loops go over a list of it.
    std::vector<std::uint32_t> news_; ///< The first index of each 64 to which something has happened.
    change_tick seen_until_{};        ///< What was written until then has been seen.
    bool uncached_{};
    bool looks_each_time_{}; ///< Nothing is remembered, or something may have moved unnoticed.
    id grouped_by_;
    group_function group_function_;      ///< Used instead of that.
    std::vector<std::size_t> wildcards_; ///< The numbers of fetched terms.
    std::size_t wanted_wildcards_{};
    std::vector<id> anchors_;                   ///< Terms whose relation keeps a list of its sources.
    std::vector<std::uint32_t> match_of_table_; ///< By ordinal of the table; made when it is needed.
    row_order in_order_;
    row_list order_; ///< The rows that the loop goes over, or the last one went over.
};

/// Steps over the rows of a query, in its order if it has one.
class row_iterator {
  public:
    explicit row_iterator(query_core& over, bool looks = false);

    /// Goes to the next row; false when there is none.
    [[nodiscard]] bool next();

    struct run {
        std::uint32_t rows{};
        bool is_whole{}; ///< All rows of the chunk, none of which is hidden.
    };
    /// Goes to the first of the next rows: those of a chunk, where none is hidden, or else a single one. No
    /// rows when there is none. Must not be mixed with next.
    [[nodiscard]] run next_rows();

    /// Passes over that many rows. Linear in their number / 64, constant for a sorted query.
    void skip(std::size_t count);

    [[nodiscard]] inline const found_row& here() const { return here_; }
    /// See query_core::loop::forget_look.
    inline void forget_look() noexcept { looping_.forget_look(); }

  private:
    [[nodiscard]] bool next_block();
    [[nodiscard]] bool next_chunk();

    query_core* over_;
    query_core::loop looping_;
    listed_rows sorted_;
    std::size_t match_{};
    std::size_t chunk_{};
    std::uint32_t block_{};
    std::uint64_t rows_{};
    found_row here_;
};

/// Owns the steps of a loop elsewhere in memory, so that what a program holds of it can be in registers. As
/// the functions are not inline, importers compile none of it.
class kept_rows {
  public:
    inline explicit kept_rows(query_core& over) : rows_(begin(over)) {}
    kept_rows(const kept_rows&) = delete;
    inline kept_rows(kept_rows&& other) noexcept : rows_(std::exchange(other.rows_, nullptr)) {}
    kept_rows& operator=(const kept_rows&) = delete;
    inline kept_rows& operator=(kept_rows&& other) noexcept {
        std::swap(rows_, other.rows_);
        return *this;
    }
    inline ~kept_rows() {
        if (rows_) end(rows_);
    }

    [[nodiscard]] inline row_iterator& operator*() const { return *rows_; }

  private:
    [[nodiscard]] static row_iterator* begin(query_core& over);
    static void end(row_iterator* rows) noexcept;

    row_iterator* rows_; ///< Null when another has taken them over.
};

} // namespace ecs
