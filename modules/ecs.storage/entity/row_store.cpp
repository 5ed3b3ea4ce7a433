// SPDX-License-Identifier: MIT
// A world that ends gives its number back, and a change during a loop is refused.
module ecs.storage;
import ecs.std;
import ecs.component;

namespace ecs {

void release_of_world::operator()(entity_index* index) const noexcept {
    std::unique_ptr<entity_index> owned(index);
    if (!is_replica) release_world(std::move(owned));
}

void row_store::refuse_to_change() {
    throw iteration_error(
        "the structure of the world cannot change while a loop walks over it, an observer is told, or a "
        "system runs that does not take world&: record commands and flush them after the loop, or go over "
        "query.entities(), which is a list; a system takes commands&, which are flushed after its phase");
}

row_ref row_store::locate_elsewhere(entity e) const { return row_at(entities_->locate(e), e); }

} // namespace ecs
