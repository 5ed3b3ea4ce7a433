// SPDX-License-Identifier: MIT
// What is told of every row that goes the same way, looked up once: moves repeat, and so does what observers
// are told of them.
//
//   move plan --- note ---> steps:  removed  position  list of observers
//                                   added    position  list of observers
//                                   set      position  list of observers
export module ecs.structure:told_steps;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.storage;
import :observer;
import :observer_index;

export namespace ecs {

/// An event of an identifier, and who is told of it.
struct told_step {
    event what{};
    std::uint32_t position{}; ///< Where the identifier stands in the type of the row's table.
    id word{};
    const column* values{};  ///< Null for a tag.
    const told_list* told{}; ///< Null for nobody. Good while observer_index::version is that of the steps.
};

/// What is told of rows that go along one plan, or come to one table or end there.
class told_steps final : public floor_note {
  public:
    std::uint64_t version{};        ///< That of the observers when all this was looked up.
    bool is_complete{};             ///< Otherwise, what is told depends on the entity, and nothing is here.
    std::vector<told_step> leaving; ///< What the row is about to lose.
    std::vector<told_step> coming;  ///< What it has got, and then the values among that, which are set.
    std::size_t gained{};           ///< How many of the steps say what it has got.
};

} // namespace ecs
