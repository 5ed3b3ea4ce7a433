// SPDX-License-Identifier: MIT
// The beginnings of entities, in tables that are known: an operation, see engine.cppm.
export module ecs.structure:row_spawner;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;
import ecs.component;
import ecs.storage;
import :constraints;
import :despawner;
import :lookup;
import :notifier;
import :structure;

export namespace ecs {

/// See the head of this file.
class row_spawner {
  public:
    row_spawner(store& rows, const constraints& checks, notifier& events, structure& core,
                despawner& despawns)
        : rows_(rows), checks_(checks), events_(events), core_(core), despawns_(despawns) {}
    row_spawner(const row_spawner&) = delete;
    row_spawner& operator=(const row_spawner&) = delete;

    // Entities.

    /// A new entity without components. Throws std::bad_alloc.
    entity spawn();
    /// A new entity in the table; construct(row) makes its values. Throws what construct throws, and then
    /// there is no entity.
    entity spawn_with_care(table& in, row_constructor construct);

    /// The table in which new entities of that table are when they have what comes with the components, as
    /// far as that is plain: see constraints::plain_companions.
    [[nodiscard]] table& whole_table(table& in, std::span<const id> components);
    /// Moves a new entity to that table; the rest gets default values. Nobody has been told of the entity
    /// yet. Throws what a constructor throws, and then nothing has changed.
    void complete(entity e, table& whole);
    /// The same; when it throws, the entity has not been.
    void complete_or_take_back(entity e, table& whole);
    /// The same as spawn_with_care, but nobody is told before the entity is in the other table.
    entity spawn_whole(table& in, table& whole, row_constructor construct);
    /// The same, and nobody is told before announce. The caller has opened the change.
    entity spawn_untold(table& in, table& whole, row_constructor construct);
    /// Tells of the entity, which is in that table, and of what it has in the sets: an array of so many, of
    /// which some may be null.
    void announce(const table& in, entity e, sparse_set* const* outside, std::size_t count);

    /// Makes new entities in the table, one for each place of `out`, in one step for each chunk. make(first,
    /// i, count) makes the values of `count` entities from the i-th on, in rows that follow each other: all,
    /// or none when it throws. Then none of the entities has been.
    template <callable_with<row_ref, std::size_t, std::uint32_t> Make>
    void spawn_many(table& in, table& whole, std::span<entity> out, Make&& make) {
        spawn_many(in, whole, out, std::forward<Make>(make), [](std::span<const entity>) noexcept {});
    }

    /// The same, and calls settled(entities), which cannot fail, with the entities of each chunk.
    template <class Make, class Settled>
    void spawn_many(table& in, table& whole, std::span<entity> out, Make&& make, const Settled& settled) {
        rows_.entities().require(out.size());
        std::size_t done = 0;
        try {
            while (done != out.size()) {
                const row_ref at = in.reserve_row();
                const auto run =
                    out.subspan(done, std::min<std::size_t>(out.size() - done, at.block->capacity - at.row));
                const auto prepare = [&](std::span<const entity> all) {
                    if (whole.tells_of_spawns) [[unlikely]]
                        for (const entity e : all) events_.reserve_ticks(e);
                };
                rows_.spawn_run(at, run, prepare,
                                [&](row_ref first, std::uint32_t count) { make(first, done, count); });
                settled(run);
                done += run.size();
            }
            if (&whole != &in) [[unlikely]]
                for (const entity e : out) complete(e, whole);
        } catch (...) {
            for (const entity made : out.first(done)) take_back(made);
            std::ranges::fill(out, entity{});
            throw;
        }
        if (whole.tells_of_spawns) [[unlikely]]
            events_.announce_spawns(whole, out);
    }

    /// See world::claim.
    entity claim(entity elsewhere);

    /// Gives a pending entity its first row. Throws what making the values throws.
    void materialize(entity e, table& in, row_constructor construct);
    /// The same for an entity that goes to the other table before anybody is told of it.
    void materialize(entity e, table& in, table& whole, row_constructor construct);
    /// The same, and nobody is told before announce.
    void materialize_untold(entity e, table& in, table& whole, row_constructor construct);

    /// Takes over the rows of pending entities; see table::adopt. `coming` names them when the table
    /// tells of spawns. When memory runs out, some have come and the others are where they were.
    void adopt(table& home, std::span<unique_chunk> rows, std::span<const entity> coming, const table& layout,
               std::span<const column* const> columns);
    /// Adds what comes with the components, which the fresh entities have. Throws std::invalid_argument when
    /// it is refused, and what a constructor throws: then all of the entities have ended.
    void bring_required(std::span<const entity> all, std::span<const id> words);

    // Relations.

    /// The table of the children of the entity that have the components of another table; null when there is
    /// more to being its child than a place on its list.
    [[nodiscard]] table* home_of_children(entity parent, table& without);

    /// New children of the entity in a table that home_of_children gave; see spawn_many.
    template <callable_with<row_ref, std::size_t, std::uint32_t> Make>
    void spawn_children(entity parent, table& in, std::span<entity> out, Make&& make) {
        source_lists& lists = rows_.lists().of(child_of.index());
        const column& links = *in.column_of(pair(child_of, any));
        const std::uint32_t first = lists.reserve(index_of(parent), out.size());
        rows_.entities().mark_used_as_id(index_of(parent));
        try {
            spawn_many(
                in, in, out,
                [&](row_ref at, std::size_t i, std::uint32_t count) {
                    auto position = first + static_cast<std::uint32_t>(i);
                    for (std::uint32_t n = 0; n < count; ++n)
                        ::new (links.value({at.block, at.row + n})) link{parent, position++};
                    make(at, i, count);
                },
                [&](std::span<const entity> run) noexcept { lists.append_reserved(index_of(parent), run); });
        } catch (...) {
            lists.trim(index_of(parent));
            throw;
        }
        if (out.empty()) lists.trim(index_of(parent));
    }

    /// Makes room for that many more entities in the table, whose rows may move. Throws std::bad_alloc, or
    /// std::length_error when there cannot be so many.
    void reserve(table& in, std::size_t more);

    /// Ends a fresh entity of which no observer has been told.
    void take_back(entity e) noexcept;

  private:
    store& rows_;
    const constraints& checks_;
    notifier& events_;
    structure& core_;
    despawner& despawns_;
};

} // namespace ecs
