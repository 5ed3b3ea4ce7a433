// SPDX-License-Identifier: MIT
// A flush: first the new rows, then the commands, batch by batch; see command_applier.cppm.
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

/// Leaves a block ready for the next recording, whether or not all of its rows have come.
struct tidied_block {
    spawn_block* block;
    chunk_pool* of_world;
    ~tidied_block() { block->tidy(*of_world); }
};

} // namespace

/// Rows to which settle gives their place in a table.
struct command_applier::settled_rows {
    const block_home* to;
    std::vector<entity> all; ///< Empty when no observer has to be told of them.
};

flush_report command_applier::flush(engine& in, command_queue& queue) {
    in.changes().require_open();
    queue.require_nobody_asked();
    const command_queue::flushing now(queue);
    flush_report report;
    command_applier(in, queue, report).run();
    return report;
}

void command_applier::run() {
    queue_->take_findings(*report_, failures_); // First of all: when it throws, nothing is lost.
    try {
        make_room(1);
        if (queue_->has_left()) apply(queue_->take_left());
        apply(queue_->take_recorded());
        finish();
        if (!failures_.empty()) throw flush_error(failures_, *report_);
    } catch (const flush_error&) {
        throw;
    } catch (...) {
        queue_->keep_findings({std::move(*report_), std::move(failures_)});
        throw;
    }
    queue_->keep_room(std::move(failures_));
}

/// When it throws, the first recordings are left last, so that they are the first to be taken again.
void command_applier::apply(std::vector<taken_recording> all) {
    try {
        for (const taken_recording& taken : all) taken.what->recent_number = 0;
        for (const taken_recording& taken : all) {
            const change_history::acting by(in_->rows().history(), taken.from->key);
            settle(taken.what->batches.front());
        }
        for (const taken_recording& taken : all) {
            const change_history::acting by(in_->rows().history(), taken.from->key);
            replay(*taken.what);
        }
    } catch (...) {
        for (auto taken = all.rbegin(); taken != all.rend(); ++taken) taken->leave();
        queue_->note_left();
        throw;
    }
    for (taken_recording& taken : all) taken.recycle();
    all.clear();
    queue_->keep_room(std::move(all));
}

void command_applier::finish() {
    queue_->retire_closed(in_->rows().entities().share());
    queue_->deal();
    queue_->stock_chunk_numbers(*in_);
    tell_queued();
}

void command_applier::tell_queued() {
    try {
        in_->events().dispatch();
    } catch (...) {
        failures_.push_back({command_kind::dispatch, {}, std::current_exception()});
    }
}

/// Makes room, so that a failure can be noted without memory.
void command_applier::make_room(std::size_t failures) {
    if (failures_.capacity() - failures_.size() < failures)
        failures_.reserve(std::max(failures_.size() + failures, 2 * failures_.size()));
}

/// Notes a failure. When the next failure could not be noted, what comes after this one waits for the next
/// flush.
void command_applier::note_failure(command_run& run, command_kind kind, std::uint32_t number) {
    failures_.push_back({kind, run.target(number), std::current_exception()});
    try {
        make_room(1);
    } catch (...) {
        run.forget_first(number + 1);
        throw;
    }
}

void command_applier::replay(recording& from) {
    current_ = &from;
    while (command_run* const run = from.stream.first()) {
        if (run->is_in_turn()) {
            if (!can_part(*run)) {
                replay_rows(from.stream);
                continue;
            }
            for_each_in_turn(*run, [](command_run& each) { each.turn = &each; });
        }
        run->what->apply(*this, *run);
        from.stream.pop_first();
    }
    while (!from.unwanted.empty()) {
        const entity e = from.unwanted.back();
        from.unwanted.pop_back();
        try {
            in_->despawn(e);
        } catch (...) {
            failures_.push_back({command_kind::despawn, e, std::current_exception()});
            make_room(1);
        }
    }
}

/// See operation::about; the null identifier also where a command may do other things.
id command_applier::component_of(const command_run& run) const {
    return run.what->about ? run.what->about(*in_, run) : id{};
}

/// Whether runs that were recorded in turn may be applied one after the other: what they change has nothing
/// to do with each other, and nobody is told of it.
bool command_applier::can_part(command_run& first) const {
    if (in_->rows().history()) return false;
    std::array<id, command_stream::turns_max> words{};
    std::size_t known = 0;
    bool apart = true;
    for_each_in_turn(first, [&](const command_run& each) {
        const id word = component_of(each);
        apart = apart && word && in_->stands_alone(word) &&
                std::ranges::count(std::span(words).first(known), word) == 0;
        words[known++] = word;
    });
    return apart;
}

/// Applies runs that were recorded in turn command by command, in the order in which they were recorded.
void command_applier::replay_rows(command_stream& of) {
    command_run& first = *of.first();
    std::size_t runs = 0;
    std::size_t commands = 0;
    for_each_in_turn(first, [&](const command_run& each) {
        ++runs;
        commands += each.count;
    });
    make_room(commands + 1); // So that none of them ends the flush in the middle of a row.
    for (std::uint32_t row = 0; row < first.count; ++row)
        for_each_in_turn(first, [&](const command_run& each) {
            if (row >= each.count) return;
            command_run one = each.only(row);
            one.what->apply(*this, one);
        });
    while (runs-- != 0) of.pop_first();
}

std::uint32_t command_applier::move_some(edge_kind kind, const command_run& run, std::uint32_t first) {
    const id word = component_of(run);
    return word ? static_cast<std::uint32_t>(in_->move_some(kind, run.targets(first), word)) : 0;
}

void command_applier::settle(spawn_batch& born) {
    for (const std::uint32_t bundle : born.order)
        if (born.used[bundle] && !settle(bundle, *born.used[bundle])) {
            born.used[bundle] = nullptr;
            born.kept[bundle].reset();
        }
}

/// What an observer throws is noted as if the command that spawned the entity had thrown it.
void command_applier::note_told(entity fresh) {
    if (std::exception_ptr cause = in_->events().take_failure())
        failures_.push_back({command_kind::spawn, fresh, std::move(cause)});
}

/// Notes what keeps an entity from being, rather than what observers have thrown who were told of it.
void command_applier::note_taken_back(entity fresh) {
    static_cast<void>(in_->events().take_failure());
    failures_.push_back({command_kind::spawn, fresh, std::current_exception()});
    report_->take_back_spawned();
}

void command_applier::announce(const table& home, std::span<const entity> come) {
    for (const entity e : come) {
        in_->events().announce_spawns(home, e);
        note_told(e);
    }
}

void command_applier::bring_required(std::span<const entity> all, const std::vector<id>& words) {
    for (const entity& e : all) {
        if (!in_->rows().locate(e)) continue; // Somebody has ended it.
        try {
            in_->events().as_one([&] { in_->spawns().bring_required({&e, 1}, words); });
            note_told(e);
        } catch (...) {
            note_taken_back(e);
        }
    }
}

/// Moves the entities to the table in which they are whole. One for which that fails has not been.
void command_applier::complete(settled_rows& all) {
    std::erase_if(all.all, [&](entity e) {
        try {
            in_->events().reserve_ticks(e);
            in_->spawns().complete_or_take_back(e, *all.to->whole);
            return false;
        } catch (...) {
            note_taken_back(e);
            return true;
        }
    });
}

/// Counts and announces that many rows, which have come. Room to note what fails has been made. What
/// observers ask for is done when the entities are whole, as in world::spawn.
void command_applier::welcome(settled_rows& all, std::size_t rows) {
    in_->rows().entities().count_issued(rows);
    report_->count_spawned(rows);
    const auto& [home, whole, constrained_ids, columns] = *all.to;
    if (whole != home) complete(all);
    try {
        const auto tell = [&] {
            if (whole->tells_of_spawns) announce(*whole, all.all);
            if (!constrained_ids.empty()) bring_required(all.all, constrained_ids);
        };
        constrained_ids.empty() ? in_->events().as_one(tell) : in_->events().as_one_occasion(tell);
    } catch (...) { // What the changes throw that observers asked for meanwhile.
        failures_.push_back({command_kind::dispatch, {}, std::current_exception()});
    }
}

/// Gives the rows of a block their place. Returns whether the rows were laid out as the table is.
bool command_applier::settle(std::uint32_t bundle, spawn_block& born) {
    const std::size_t entities = born.size();
    if (entities == 0) return true;
    const block_home& home = born.home_in(*in_);
    settled_rows coming{&home, {}};
    if (home.in->tells_of_spawns || !home.constrained_ids.empty()) coming.all = owners_of(born.chunks());
    make_room(2 + 2 * coming.all.size());
    const tidied_block tidied{&born, &in_->rows().chunk_memory()};
    try {
        in_->spawns().adopt(*home.in, born.chunks(), coming.all, born.layout(), home.columns);
    } catch (...) { // The entities that have their rows stay.
        std::erase_if(coming.all, [&](entity e) { return !in_->rows().locate(e); });
        welcome(coming, entities - born.size());
        throw;
    }
    welcome(coming, entities);
    if (born.is_in_order()) return true;
    queue_->learn_order(bundle, born.order_found());
    return false;
}

} // namespace ecs
