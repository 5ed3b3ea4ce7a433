// SPDX-License-Identifier: MIT
// Objects of the host program that entities are linked to: what the numbers in the words of links stand for.
//
//   slot    ->  { object, type, words of its links }
//   address ->  slots of the objects there: one for each type
//
// A slot is given to one object and to no other later, so that a link that outlives its object stands for
// nothing. An object is known by its address and its type, and not by a hash of them. 2^31 objects can be
// linked in the life of a world; the slots below are the caller's, for tables of his own.
export module ecs.storage:objects;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.core;

export namespace ecs {

/// See the head of this file. Not thread-safe.
class object_table {
  public:
    static constexpr std::uint32_t first_slot = 0x8000'0000;

    struct object {
        std::shared_ptr<void> held; ///< Without an owner when the object is borrowed.
        std::uint32_t type{};
        std::vector<id> words; ///< The links to the object, one for each relation.
    };

    /// Whether the word is a link to an object that is, or was, in such a table.
    [[nodiscard]] static constexpr bool concerns(id word) {
        return word.is_link() && word.number() >= first_slot;
    }

    /// nullptr when the object has left.
    [[nodiscard]] const object* find(std::uint32_t slot) const { return by_slot_.find(slot); }

    /// Whether the link is one that enter has made, and its object is there.
    [[nodiscard]] bool knows(id word) const;

    /// Links the same object in another relation. Returns the link, which may be added from now on. Throws
    /// std::bad_alloc.
    id relate(id known, id relation);

    /// 0 when no entity is linked to the object.
    [[nodiscard]] std::uint32_t slot_of(const void* address, std::uint32_t type) const;

    /// The link to the object, which gets a slot if it has none. A borrowed object may become owned. Throws
    /// std::bad_alloc, and std::length_error when there are no more slots: then nothing has changed, except
    /// that the object may have a slot without a link.
    id enter(std::shared_ptr<void> held, std::uint32_t type, id relation);

    /// Takes the object out. The caller has to end it when the table is whole again.
    [[nodiscard]] std::shared_ptr<void> take(std::uint32_t slot) noexcept;

    /// Gives out no slot that the other table has given out.
    void go_on_after(const object_table& other) noexcept { next_ = std::max(next_, other.next_); }

  private:
    [[nodiscard]] std::uint32_t new_slot(const std::shared_ptr<void>& held, std::uint32_t type);

    flat_map<object> by_slot_;
    flat_map<std::vector<std::uint32_t>> by_address_;
    std::uint64_t next_ = first_slot;
};

} // namespace ecs
