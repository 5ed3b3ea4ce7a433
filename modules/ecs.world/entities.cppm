// SPDX-License-Identifier: MIT
// Which entities live, and where their components are, in one word for each index:
//
//    63                       32 31             12  11   10        0
//   +---------------------------+-----------------+----+-----------+
//   | upper half of the handle  |  chunk number   | R  |    row    |   live: the chunk number is not 0
//   +---------------------------+-----------------+----+-----------+
//
// The upper half is the handle's own, generation, world and kind, so that "live and of this world?" is one
// load and one comparison. R, referred, says that the entity is used as a component, a relation or a target,
// and its end concerns others.
//
// Free: marked by the top bit, see index_chain; the generation is the next use's, or 0 when nobody has used
// the index. Never used and never given back: 0. Retired: marked as free, and equal to no word that is.
export module ecs.world:entities;
import ecs.std;
import ecs.id;
import ecs.registry;
import ecs.relation;
import :chunk;
import :flat_map;
import :id_supply;
import :index_chain;
import :slot_pages;
import :slot_word;

namespace ecs {

/// The index of an entity in the width that arrays want.
[[nodiscard]] constexpr std::uint32_t index_of(entity e) { return static_cast<std::uint32_t>(e.value()); }

/// What is known of an index besides its place.
struct index_state {
    std::uint32_t live{}; ///< Generation of its entity; 0 when there is none.
    std::uint32_t next{}; ///< Generation of its next entity; 0 when there will be none.

    [[nodiscard]] constexpr bool is_unused() const { return live == 0 && next == 1; }
};

/// Which identifiers a world gives out to entities other than components: the indices from `first` to `last`,
/// each from that generation on. Several programs that exchange entities give each world a space of its own,
/// and take those of others over with world::claim. A first generation above 1 keeps handles dead that an
/// earlier run gave out.
export struct id_space {
    static constexpr std::uint32_t first_index = 512; ///< Those before it are for components and the library.
    static constexpr std::uint32_t last_index = id_supply::indices_max - 1;
    static constexpr std::uint32_t last_generation =
        static_cast<std::uint32_t>(field_of<layouts::entity, "generation">.max());

    std::uint32_t first = first_index;
    std::uint32_t last = last_index;
    std::uint32_t first_generation = 1;

    [[nodiscard]] constexpr bool contains(std::uint32_t index) const {
        return first <= index && index <= last;
    }

    friend bool operator==(const id_space&, const id_space&) = default;
};

/// The space that a partition of a map is, as far as worlds have indices: space_of<my_partitions,
/// "clients">().
export template <valid_partitions Map, fixed_string Name>
    requires std::same_as<typename Map::layout_type, layouts::entity> && has_partition<Map, Name>
[[nodiscard]] consteval id_space space_of() {
    constexpr partition_description part =
        *std::ranges::find(Map::parts, Name.view(), &partition_description::name);
    static_assert(part.first >= id_space::first_index && part.first <= id_space::last_index,
                  "the indices of a world's space are from id_space::first_index, 512, to last_index: those "
                  "before it are for components");
    return {static_cast<std::uint32_t>(part.first),
            static_cast<std::uint32_t>(std::min<std::uint64_t>(part.last, id_space::last_index))};
}

/// Under which generations a world that went back to an earlier state issues indices.
enum class generations_after_return : std::uint8_t {
    later, ///< Such as no handle has had.
    same,  ///< Those of the first time.
};

/// What becomes of the indices of a world that goes back to an earlier state: made before anything changes.
struct return_plan {
    generations_after_return generations;
    std::vector<std::uint32_t> free; ///< In the order in which the world's thread takes them.
    fresh_run fresh;                 ///< And what it takes next.
    supply_state supply;
    flat_map<std::uint64_t> later; ///< By index: see entity_index.
};

/// Issues the entities of one world and remembers where their rows are. For one thread, except the functions
/// that are for any thread, at any time.
class entity_index : slot_word {
  public:
    /// Issues components alone before begin. Throws std::bad_alloc.
    explicit entity_index(std::uint8_t world);

    /// Issues identifiers of that space from now on; nobody is alive. Throws std::invalid_argument when there
    /// is no such space.
    void begin(const id_space& space);
    [[nodiscard]] inline const id_space& space() const { return space_; }

    /// A new entity, in limbo until place. Throws std::bad_alloc, or std::length_error when every index is
    /// spent.
    [[nodiscard]] inline entity create() {
        if (stock_.empty()) [[unlikely]]
            restock();
        ++live_;
        return issue(stock_.take(slots_));
    }

    /// As create, for a component for which the partition of components has no index left.
    [[nodiscard]] entity create_late_component();

    /// Whether the entity may be a component: certainly not, where this says no. For any thread.
    [[nodiscard]] inline bool may_be_component(entity e) const {
        // Relaxed: who despawns a component was told of it by the thread that registered it.
        return index_of(e) < first_ordinary ||
               (late_components_.load(std::memory_order_relaxed) && is_referred(e));
    }

    /// The entity of that index of the component or built-in partition; null when it is taken or retired.
    [[nodiscard]] entity create_at(std::uint32_t index);

    /// The entity of that index, which must be free: how built-in entities get the index they are known by.
    inline entity claim(std::uint32_t index) {
        ++live_;
        return issue_as(index, next_generation(slots_.known(index)), {chunk_directory::limbo, 0});
    }

    /// The entity that has the index and the generation of one from elsewhere, in limbo until place; null
    /// when the index is in use, or had that generation before. Throws std::invalid_argument when it is no
    /// entity, or not outside the space, and std::bad_alloc.
    [[nodiscard]] entity claim_outside(entity elsewhere);
    /// The claimed entity has not been, and can be claimed again.
    void take_back_claim(entity e) noexcept;

    /// Whether the entity has been issued and has not ended. Wait-free, for any thread.
    [[nodiscard]] inline bool alive(entity e) const { return is_of(slots_.read(index_of(e)), e); }

    /// Where the entity's row is: nowhere when the entity is not alive.
    [[nodiscard]] inline location locate(entity e) const { return location_in(slot_of(e)); }

    /// For any thread.
    [[nodiscard]] id_status status(entity e) const;

    /// The live entity of an index; null when there is none. For any thread.
    [[nodiscard]] inline entity at(std::uint32_t index) const {
        const std::uint64_t slot = slots_.read(index);
        return has_entity(slot) ? handle(index, slot) : entity{};
    }

    inline void place(std::uint32_t index, location where) noexcept {
        slots_.write(index, word_of(where), upper_half | referred_bit);
    }

    /// An index for a new entity, which is the caller's until issue_at or give_back. Throws as create does.
    [[nodiscard]] inline std::uint32_t take_index() {
        if (stock_.empty()) [[unlikely]]
            restock();
        return stock_.take(slots_);
    }
    inline void give_back(std::uint32_t index) noexcept { stock_.free.give_back(slots_, index); }

    /// The entity that an index from take_index will be.
    [[nodiscard]] inline entity promise(std::uint32_t index) const {
        return entity::assume_word(constant_ | generation_to_issue(index) | index);
    }

    /// The new entity of an index that take_index gave, with its row.
    inline entity issue_at(std::uint32_t index, location where) noexcept {
        ++live_;
        const std::uint64_t upper = constant_ | generation_to_issue(index);
        slots_.write(index, upper | word_of(where));
        return entity::assume_word(upper | index);
    }

    /// The same for many: takes the indices and says who they will be. Throws as create does, and then has
    /// taken none.
    void promise_all(std::span<entity> out);
    /// All that were promised are alive, in rows one behind the other.
    void issue_all(std::span<const entity> promised, location first) noexcept;

    /// Makes sure that so many more entities can be created without asking for memory. Throws as create does.
    void reserve(std::size_t more);
    /// Throws std::length_error unless the space has so many more.
    inline void require(std::size_t more) {
        if (stock_.size() < more && !supply_.surely_has(more)) [[unlikely]]
            reserve(more);
    }

    /// Ends the entity, which is alive. The index is used again under the next generation, or retired.
    inline void destroy(entity e) noexcept {
        --live_;
        end(slots_, e, [this](std::uint32_t index, std::uint64_t next) { free(index, next); });
    }

    /// The same for an entity that is referred to, whose index may have had later entities before the world
    /// went back to this one.
    void destroy_referred(entity e) noexcept;

    /// Ends the entity, which is alive, and never uses its index again.
    inline void retire(entity e) noexcept {
        slots_.write(index_of(e), retired);
        --live_;
    }

    [[nodiscard]] inline bool is_referred(entity e) const {
        return (slots_.read(index_of(e)) & (index_chain::unused_mark | referred_bit)) == referred_bit;
    }
    inline void set_referred(std::uint32_t index) { slots_.write(index, slots_.known(index) | referred_bit); }

    /// Reads a stand-in, which is an entity of world 0 such as a built-in one, as this world's of the same
    /// index. For any thread.
    [[nodiscard]] inline entity localize(entity e) const { return e.world() == 0 ? at(index_of(e)) : e; }

    /// Ends every entity; no handle comes back to life. No other thread holds a stock, and there are no
    /// lanes.
    void clear() noexcept;

    /// Whether each built-in entity has a generation left, so that a world can begin when all have ended.
    [[nodiscard]] bool can_begin() const;

    [[nodiscard]] inline std::size_t live_count() const { return live_; }
    [[nodiscard]] inline std::size_t memory_bytes() const { return slots_.memory_bytes(); }
    [[nodiscard]] inline std::uint8_t world() const {
        return static_cast<std::uint8_t>(entity::assume_word(constant_).world());
    }

    // Entities issued by other threads.

    /// Where stocks come from, for any thread.
    [[nodiscard]] inline id_supply& supply() { return supply_; }

    /// A new entity of an index from a stock of the caller's: alive at once, and in limbo while no chunk of
    /// that number is in the world. For any thread.
    inline entity issue(std::uint32_t index, location where = {chunk_directory::limbo, 0}) noexcept {
        return issue_as(index, generation_to_issue(index), where);
    }

    /// The same for entities that promise has named, in rows one behind the other. For any thread.
    inline void issue_run(std::span<const entity> promised, location first) noexcept {
        std::uint64_t place = word_of(first);
        for (const entity e : promised) slots_.write(index_of(e), (e.value() & upper_half) | place++);
    }

    /// Entities that other threads issued have come, and get their rows.
    inline void count_issued(std::size_t entities) { live_ += entities; }

    /// Lets other threads use what has ended.
    void share_free() noexcept;

    // Copies, for worlds that go back to an earlier state. A copy has the same entities alive, in limbo until
    // place, and hands out the same indices in the same order.

    /// Becomes a copy; nothing has been issued yet. Entities that are in limbo, because their row is not in
    /// those chunks, are not alive in the copy. Throws std::bad_alloc.
    void mirror(const entity_index& other, const chunk_directory& rows);

    /// Makes the entity, whose index is free, alive in this copy. Throws std::bad_alloc.
    void adopt(entity e);

    /// Calls visit(index) for every index that has a page, but 0, in ascending order.
    void for_each_index(auto&& visit) const {
        for (std::uint32_t block = 0, end = supply_.pages_end(); block < end; ++block) {
            if (!slots_.exists(block)) continue;
            for (std::uint32_t i = block == 0; i < id_supply::block_size; ++i)
                visit(block * id_supply::block_size + i);
        }
    }

    [[nodiscard]] index_state state_of(std::uint32_t index, const chunk_directory& rows) const;
    /// Of an index of a copy for which there is room. An entity that lives is in limbo.
    void set_state(std::uint32_t index, index_state state);
    /// Every index of a copy that has a page is its own.
    inline void take_pages() noexcept { supply_.take_pages(); }
    /// Makes room for the index in a copy. Throws std::bad_alloc.
    inline void make_page(std::uint32_t index) { supply_.make_page(index / id_supply::block_size); }

    /// Whether the index has an entity that has a row in those chunks.
    [[nodiscard]] inline bool is_settled(std::uint32_t index, const chunk_directory& rows) const {
        const std::uint64_t slot = slots_.read(index);
        return has_entity(slot) && rows[location_in(slot).chunk_number]->owner != nullptr;
    }
    /// The same in a copy, where nobody is on the way to a row.
    [[nodiscard]] inline bool is_settled(std::uint32_t index) const {
        const std::uint64_t slot = slots_.read(index);
        return has_entity(slot) && (slot & chunk_mask) > word_of({chunk_directory::limbo, 0});
    }

    /// What it takes to go back to a copy. Throws std::bad_alloc, and then nothing has changed.
    [[nodiscard]] return_plan plan_return(const entity_index& past, generations_after_return generations);

    /// The entities and their places are those of the copy, and indices are handed out as they were then.
    /// Everybody else is dead, for ever if generations are later: an index goes on behind the latest it ever
    /// had. No other thread holds a stock.
    void return_to(const entity_index& past, return_plan&& plan) noexcept;

    static constexpr std::uint32_t first_ordinary = id_space::first_index;

  private:
    [[nodiscard]] static constexpr std::uint64_t world_bits(std::uint8_t world) {
        return constant_bits<layouts::entity> |
               (std::uint64_t{world} << field_of<layouts::entity, "world">.low);
    }
    [[nodiscard]] inline bool belongs(entity e) const {
        return (e.value() & upper_half & ~generation_mask) == constant_;
    }

    /// The slot of a handle whose generation, world and kind are right; 0, which is nowhere, for any other.
    [[nodiscard]] inline std::uint64_t slot_of(entity e) const {
        const std::uint64_t slot = slots_.read(index_of(e));
        // A word that is no handle may have the upper half of a free slot.
        return ((slot ^ e.value()) & upper_half) == 0 && !is_unused(e.value()) ? slot : 0;
    }
    inline entity issue_as(std::uint32_t index, std::uint64_t generation, location where) noexcept {
        slots_.write(index, constant_ | generation | word_of(where));
        return entity::assume_word(constant_ | generation | index);
    }
    /// Of an index of the space.
    [[nodiscard]] inline std::uint64_t generation_to_issue(std::uint32_t index) const {
        return std::max(slots_.known(index) & generation_mask, least_generation_);
    }
    [[nodiscard]] inline entity handle(std::uint32_t index, std::uint64_t slot) const {
        return entity::assume_word(constant_ | (slot & generation_mask) | index);
    }
    /// The generation of the index's next entity; 0 when there will be none.
    [[nodiscard]] std::uint64_t generation_after(std::uint32_t index) const;
    void require_outside(entity elsewhere) const;
    [[nodiscard]] static std::uint64_t free_slot(std::uint64_t next);
    [[nodiscard]] static std::uint64_t later_of(std::uint64_t one, std::uint64_t other);
    /// A free index of the space is used again; one of a component, or of somebody else's space, when it is
    /// asked for.
    inline void free(std::uint32_t index, std::uint64_t next) noexcept {
        if (space_.contains(index)) [[likely]]
            stock_.free.push(slots_, index, next);
        else
            slots_.write(index, index_chain::unused_mark | next);
    }
    [[nodiscard]] std::vector<std::uint32_t> next_free() const;
    [[nodiscard]] std::uint64_t generation_after(const entity_index& past, std::uint32_t index,
                                                 generations_after_return generations) const;
    [[nodiscard]] bool is_free_after(const entity_index& past, const return_plan& plan,
                                     std::uint32_t index) const;
    void keep_free(return_plan& plan, const entity_index& past) const;
    void add_unlisted(return_plan& plan, const entity_index& past) const;
    void restock();
    [[nodiscard]] inline bool has_page(std::uint32_t index) const {
        return slots_.exists(index / slot_pages::page_size);
    }

    std::uint64_t constant_; ///< Kind and world, as in every handle.
    std::uint64_t least_generation_ = first_generation;
    id_space space_;
    slot_pages slots_;
    id_supply supply_{slots_};
    chained_stock stock_;
    /// In a copy: what the original would use again, the first first. Copies have no chains: an index may be
    /// taken out of their midst.
    std::vector<std::uint32_t> kept_free_;
    std::size_t live_{};
    std::atomic<bool> late_components_{}; ///< Whether components have ordinary indices.
    /// The next generations of live entities to which the world went back from later ones: not theirs + 1.
    /// They count as referred to, so that the usual end need not look here.
    flat_map<std::uint64_t> later_;
};

} // namespace ecs
