// SPDX-License-Identifier: MIT
// Writes down the changes of a world: an observer of everything, which exists only while it is needed.
export module ecs.world:history;
import ecs.std;
import ecs.storage;
import ecs.structure;

namespace ecs {

/// An observer that writes what it is told of into the history of the store.
[[nodiscard]] std::shared_ptr<observer_record> make_history_observer(store& rows);

} // namespace ecs
