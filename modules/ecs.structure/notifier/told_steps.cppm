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
    std::uint32_t next{};    ///< The number of the next step that tells somebody.
};

/// Steps in their order. Most tell nobody, and are stepped over as long as no observer has begun meanwhile.
struct step_list {
    std::vector<told_step> all;
    std::uint32_t first{}; ///< The number of the first step that tells somebody,
    std::uint32_t count{}; ///< and of all steps.

    /// Notes which steps tell somebody; behind the last of them comes the number of steps.
    void link() noexcept {
        count = static_cast<std::uint32_t>(all.size());
        std::uint32_t next = count;
        for (std::size_t n = all.size(); n-- != 0;) {
            all[n].next = next;
            if (all[n].told) next = static_cast<std::uint32_t>(n);
        }
        first = next;
    }
};

/// What is told of rows that go along one plan, or come to one table or end there.
class told_steps final : public floor_note {
  public:
    std::uint64_t version{}; ///< That of the observers when all this was looked up.
    bool is_complete{};      ///< Otherwise, what is told depends on the entity, and nothing is here.
    step_list leaving;       ///< What the row is about to lose.
    step_list coming;        ///< What it has got, and then the values among that, which are set.
    std::size_t gained{};    ///< How many of the steps say what it has got.
};

} // namespace ecs
