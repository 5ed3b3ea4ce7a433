// SPDX-License-Identifier: MIT
// A world as bytes, to be kept in a file or sent: docs/snapshots.md draws them.
export module ecs.world:persistence;
import ecs.std;
import :world;

namespace ecs {

/// What save and export_json leave out.
export struct save_options {
    /// Components, tags and relations that nothing in the saved world has: textures, caches, what the other
    /// side of a connection must not see. For a relation these are all its pairs. Who loads need not know
    /// them, unless they are targets of pairs, or of properties, of something that is saved.
    std::vector<entity> without;

    /// Why nothing of the world can be saved so, in words: what is to be left out is not alive, every world
    /// has it, or something that an entity has and that is not left out needs it: nobody could load that.
    /// Empty when all is well.
    [[nodiscard]] std::string refusal(const world& of) const;
};

/// The entities of the world with everything they have; names, relations and their order; which handles have
/// ended. Components are written by name; a component that nothing saved has or names is left out, and so are
/// its properties. Throws snapshot_error, naming the component, when values are more than bytes and no
/// ecs::snapshot_traits says how to save them, and for a refusal of the options. Entities that other threads
/// have spawned since the last flush are not saved; when such an entity is in a pair of another, it throws,
/// too. Throws iteration_error in an observer that is told of a change, which may be half made. Linear in the
/// world, and in its entities for each component that is kept outside tables.
export [[nodiscard]] std::vector<std::byte> save(const world& from, const save_options& options = {});

/// The same, in the memory of a vector, which is emptied first: a program that saves again and again gives
/// the vector of the last time, and pays for new memory no more. When it throws, the vector is empty.
export void save(const world& from, std::vector<std::byte>& into, const save_options& options = {});

/// Makes the world what the saved one was. Its entities end; those of the snapshot live under the handles
/// they had, but for the number of the world. So a handle of this world is the saved entity of its index and
/// generation, if there is one, whatever it stood for before; every other handle is dead for ever. Drop the
/// handles of before, unless this world saved the bytes: docs/snapshots.md says how to find entities again.
/// Components of the world stay what they are, with their properties: the snapshot must not contradict them.
/// Queries, commands objects and systems stay good; no hook or observer is called. Entities within values
/// keep the number of the world they were saved in. Throws snapshot_error when the bytes are damaged, cut
/// off, of another kind of machine, or say what cannot be; when the world does not know a component or knows
/// it otherwise; when commands wait for the flush: iteration_error inside a loop or an observer; and what a
/// function throws that loads values. Then nothing has changed. Room is made for what there are bytes for,
/// whatever the bytes announce. The bytes may come from anywhere, except that values that are loaded as bytes
/// are what the bytes say. Linear in both worlds, but for n log n in relations that are acyclic or symmetric.
/// No other thread may be recording or using the world meanwhile.
export void load(world& into, std::span<const std::byte> from);

} // namespace ecs
