// SPDX-License-Identifier: MIT
module ecs.world;
import ecs.std;
import :flusher;

namespace ecs {

namespace {

/// A recording in the hands of the flush, so that commands may record commands: those come at the next one.
class taken_recording {
  public:
    explicit taken_recording(recorder& from)
        : from_(&from), taken_(std::exchange(from.now, std::make_unique<recording>())) {
        taken_->recent_number = 0;
    }
    taken_recording(taken_recording&&) = default;
    /// What could not be applied because memory ran out is left for the next flush.
    ~taken_recording() {
        if (taken_ && from_->now->empty()) from_->now = std::move(taken_);
    }
    [[nodiscard]] recording& operator*() const { return *taken_; }

  private:
    recorder* from_;
    std::unique_ptr<recording> taken_;
};

/// The order of the components' identifiers, as positions in their list.
column_order sorted_order(const std::vector<id>& words) {
    column_order order(words.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::uint32_t i) { return words[i]; });
    return order;
}

std::vector<id> in_order(const std::vector<id>& words, const column_order& order) {
    std::vector<id> sorted;
    for (const std::uint32_t i : order) sorted.push_back(words[i]);
    return sorted;
}

/// For each column of the rows, the column of the same component in the table.
std::vector<const column*> columns_for(spawn_block& born, const std::vector<id>& words, const table& home) {
    std::vector<const column*> columns;
    for (const std::uint32_t component : born.order())
        if (const column* const there = home.column_of(words[component])) columns.push_back(there);
    return columns;
}

/// Leaves a block as it has to be for the next recording, whether or not all of its rows have come.
struct tidied_block {
    spawn_block* block;
    ~tidied_block() { block->tidy(); }
};

} // namespace

flush_report flusher::flush() {
    in_->require_still();
    hub_->require_nobody_asked();
    const command_hub::flushing now(*hub_);
    std::vector<taken_recording> all;
    for (recorder* const r : hub_->recorded()) all.emplace_back(*r);
    for (const taken_recording& taken : all) settle((*taken).batches.front());
    for (const taken_recording& taken : all) replay(*taken);
    for (const taken_recording& taken : all) (*taken).reset();
    all.clear();
    hub_->retire_closed();
    in_->entities().share_free();
    hub_->deal_lanes();
    hub_->stock_chunk_numbers(*in_);
    tell_queued();
    if (!failures_.empty()) throw flush_error(std::move(failures_), std::move(report_));
    return std::move(report_);
}

void flusher::tell_queued() {
    try {
        in_->dispatch();
    } catch (...) {
        failures_.push_back({command_kind::dispatch, {}, std::current_exception()});
    }
}

void flusher::replay(recording& from) {
    current_ = &from;
    batch_ = 0;
    while (command_run* const run = from.stream.first()) {
        run->what->apply(*this, *run);
        from.stream.pop_first();
    }
}

void flusher::settle(spawn_batch& born) {
    for (const std::uint32_t bundle : born.order)
        if (born.used[bundle] && !settle(bundle, *born.used[bundle])) {
            born.used[bundle] = nullptr;
            born.kept[bundle].reset();
        }
}

/// What an observer throws is as if the command had thrown it.
void flusher::announce(const table& home, const std::vector<entity>& come) {
    try {
        if (!come.empty()) in_->announce_spawns(home, come);
    } catch (...) {
        failures_.push_back({command_kind::spawn, come.front(), std::current_exception()});
    }
}

void flusher::bring_companions(const std::vector<entity>& all, const std::vector<id>& words) {
    for (const entity& e : all) {
        try {
            in_->as_one([&] { in_->bring_companions({&e, 1}, words); });
        } catch (...) {
            failures_.push_back({command_kind::spawn, e, std::current_exception()});
        }
    }
}

/// Whether the rows were laid out as the table is.
bool flusher::settle(std::uint32_t bundle, spawn_block& born) {
    const std::size_t entities = born.size();
    if (entities == 0) return true;
    std::vector<id> words;
    for (const component_source& component : born.components()) words.push_back(component.resolve(*in_));
    column_order order = sorted_order(words);
    table& home = in_->table_of(in_order(words, order));
    const std::vector<id> attended = in_->words_with_companions(words);
    const std::vector<entity> attended_ones =
        attended.empty() ? std::vector<entity>() : owners_of(born.chunks());
    const tidied_block tidied{&born};
    const std::vector<entity> come =
        in_->adopt(home, born.chunks(), born.layout(), columns_for(born, words, home));
    in_->entities().count_issued(entities);
    report_.count_spawned(entities);
    announce(home, come);
    bring_companions(attended_ones, attended);
    if (order == born.order()) return true;
    hub_->learn_order(bundle, std::move(order));
    return false;
}

} // namespace ecs
