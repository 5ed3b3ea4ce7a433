// SPDX-License-Identifier: MIT
// The observer behind world::record_history.
module ecs.world;
import ecs.std;
import ecs.storage;
import ecs.structure;

namespace ecs {

namespace {

change_kind kind_of(event what) {
    switch (what) {
    case event::spawned: return change_kind::spawned;
    case event::despawned: return change_kind::despawned;
    case event::added: return change_kind::added;
    case event::removed: return change_kind::removed;
    default: return change_kind::set;
    }
}

class history_body final : public observer_body {
  public:
    explicit history_body(store& rows) : rows_(&rows) {}

    /// Changes of components themselves are not written down: they concern the library alone.
    void see(const event_context& what) override {
        change_history* const history = rows_->history();
        if (history && !rows_->is_fixture(what.subject))
            history->record(kind_of(what.what), what.subject, what.word);
    }

  private:
    store* rows_;
};

} // namespace

std::shared_ptr<observer_record> make_history_observer(store& rows) {
    auto made = make_record({event::spawned, event::despawned, event::added, event::removed, event::set}, {},
                            std::make_unique<history_body>(rows));
    // As a hook it is told first: a change is written before those that observers make because of it.
    made->hook = true;
    return made;
}

void world::record_history(std::size_t last) {
    store& rows = engine_.rows();
    auto fresh = std::make_unique<change_history>(last);
    if (last == 0)
        history_observer_.end();
    else if (!history_observer_.active())
        history_observer_ = engine_.events().observe(make_history_observer(rows));
    rows.keep_history(std::move(fresh));
}

std::vector<recorded_change> world::history() const {
    const change_history* const kept = engine_.rows().history();
    return kept ? kept->all() : std::vector<recorded_change>();
}

} // namespace ecs
