// SPDX-License-Identifier: MIT
// Command buffers are opened, closed, taken for a flush and made idle, in the order of their keys.
module ecs.world;
import ecs.std;
import ecs.component;
import ecs.structure;

namespace ecs {

/// Finds the key first: when that throws, no command buffer has been taken.
command_buffer& command_queue::open(std::uint64_t key) {
    const std::uint32_t lane_key = lane_key_of(key);
    command_buffer& opened = buffers_.open();
    opened.key = key;
    opened.lane_key = lane_key;
    opened.sequence = sequence_.take();
    return opened;
}

/// Gives the lane back first: what is closed belongs to the world. Nobody is left to carry out what was
/// recorded after the end of the world.
void command_queue::close(command_buffer& ended) noexcept {
    give_back(ended);
    if (!entities_) ended.now->discard();
    buffers_.close(ended);
}

void command_queue::give_back(command_buffer& from) noexcept {
    if (entities_ && from.lane) entities_->leave_lane(*from.lane, from.lane_key);
    from.lane = nullptr;
}

void command_queue::restock(command_buffer& into) {
    if (!entities_) throw world_ended_error("the world of these commands has ended");
    if (!into.lane) into.lane = &entities_->enter_lane();
    if (entities_->refill(*into.lane, into.lane_key)) return;
    if (into.lane_key == entity_index::no_key) entities_->refuse();
    throw std::length_error("every index of the world that the key can have before the next flush is taken");
}

bool command_queue::restock_more(command_buffer& into) noexcept {
    try {
        return into.lane_key == entity_index::no_key && entities_->refill(*into.lane, into.lane_key);
    } catch (const std::bad_alloc&) {
        return false;
    }
}

std::uint32_t command_queue::take_chunk_number() { return chunk_numbers_.take(chunk_directory::pending); }

void command_queue::stock_chunk_numbers(engine& of) noexcept {
    chunk_numbers_ahead_ = std::max(chunk_numbers_ahead_, 2 * chunk_numbers_.settle());
    try {
        of.rows().lend_numbers(chunk_numbers_.numbers(), chunk_numbers_ahead_);
    } catch (const std::bad_alloc&) { // Then there are fewer numbers.
    }
}

column_order command_queue::order_of(std::uint32_t bundle,
                                     std::span<const component_source> components) const {
    if (bundle < orders_.size() && orders_[bundle].size() == components.size()) return orders_[bundle];
    return usual_order(components);
}

void command_queue::learn_order(std::uint32_t bundle, const column_order& order) noexcept {
    try {
        if (orders_.size() <= bundle) orders_.resize(bundle + 1);
        orders_[bundle] = order;
    } catch (const std::bad_alloc&) { // Then rows are copied the next time, too.
    }
}

void command_queue::take_findings(flush_report& report, std::vector<failed_command>& failures) {
    if (findings_.capacity() < flushes_) findings_.reserve(flushes_);
    failures.swap(room_for_failures_);
    if (findings_.empty()) return;
    std::size_t count = 0;
    for (const findings& one : findings_) count += one.failures.size();
    failures.reserve(count); // From here on nothing fails.
    report = std::move(findings_.front().report);
    for (const findings& later : std::span(findings_).subspan(1)) report.add(later.report);
    for (const findings& one : findings_)
        failures.insert(failures.end(), one.failures.begin(), one.failures.end());
    findings_.clear();
}

/// Only buffers of this thread are in question: no other thread records.
void command_queue::require_nobody_asked() const {
    bool is_asking = false;
    buffers_.for_each_in_use([&](const command_buffer& r) { is_asking = is_asking || r.now->asking != 0; });
    if (is_asking)
        throw iteration_error("a function or a constructor that commands have called cannot flush the world "
                              "they are recorded for: flush after the spawn has returned");
}

/// Those of the buffers in use, in the order in which they are applied, with nothing taken yet.
std::vector<taken_recording> command_queue::buffers_with(auto something) {
    std::vector<taken_recording> found = std::move(room_for_taken_);
    buffers_.for_each_in_use([&](command_buffer& r) {
        if (something(r)) found.push_back({&r, nullptr});
    });
    if (found.size() > 1)
        std::ranges::sort(found, {},
                          [](const taken_recording& t) { return std::tuple(t.from->key, t.from->sequence); });
    return found;
}

std::vector<taken_recording> command_queue::take_recorded() {
    auto taken = buffers_with([](const command_buffer& r) { return !r.now->empty(); });
    ecs::take_recorded(taken);
    return taken;
}

std::vector<taken_recording> command_queue::take_left() {
    auto taken = ecs::take_left(buffers_with([](const command_buffer& r) { return r.left != nullptr; }));
    has_left_ = false;
    return taken;
}

/// Threads and systems use the same buffers again and again: the memory that more buffers have taken is not
/// kept.
void command_queue::retire_closed(std::uint64_t issued) noexcept {
    constexpr std::size_t memories_kept = 256;
    std::size_t kept = 0;
    bool is_settled = true;
    buffers_.retire([&](command_buffer& r, bool is_closed) {
        const bool is_spent = !r.has_recorded();
        is_settled = is_settled && is_spent;
        if (!is_closed || !is_spent) return false;
        if (r.now->memory_bytes() != 0 && ++kept > memories_kept) {
            r.now->release();
            r.spare.reset();
        }
        return true;
    });
    settled_ = is_settled ? issued : none_known;
}

bool command_queue::has_recorded() const {
    bool found = false;
    buffers_.for_each_in_use([&](const command_buffer& r) { found = found || r.has_recorded(); });
    return found;
}

/// Others may record meanwhile: what they have recorded is not looked at.
void command_queue::require_settled_targets(const store& rows) const {
    const bool all_settled = entities_->issued_by_others() == settled_;
    const entity waiting = all_settled ? entity{} : rows.waiting_target();
    if (waiting)
        throw snapshot_error(
            snapshot_refusal::commands_pending,
            "entity " + std::to_string(waiting.index()) +
                ", which commands have spawned, is in a pair: flush before the world is kept");
}

column_orders command_queue::orders() const { return orders_; }

void command_queue::recall_stocks(column_orders known) noexcept {
    ++returns_;
    settled_ = 0; // Going back, the identifiers of others are counted anew.
    orders_ = std::move(known);
    buffers_.for_each([](command_buffer& r) {
        r.lane = nullptr;
        r.now->discard(); // Nothing is recorded: chunks may have been begun.
        r.spare.reset();
    });
    chunk_numbers_.settle();
    chunk_numbers_.numbers().clear();
}

void command_queue::make_deterministic(std::uint32_t keys) {
    require_nobody_asked(); // Whoever is in the midst of a spawn goes on to use the lane that it has.
    entity_index::require_keys(keys);
    flat_map<std::uint32_t> known = lane_keys_;
    const auto know = [&](std::uint64_t key) {
        const auto number = static_cast<std::uint32_t>(known.size());
        if (!known.find(1 + key)) known[1 + key] = number;
    };
    for (std::uint64_t key = 0; key < keys; ++key) know(key);
    buffers_.for_each([&](const command_buffer& r) {
        if (r.key >= first_system_key && r.key != no_key) know(r.key);
    });
    entities_->make_keys(static_cast<std::uint32_t>(known.size()));
    lane_keys_ = std::move(known); // From here on nothing fails.
    deterministic_ = true;
    buffers_.for_each([this](command_buffer& r) {
        give_back(r);
        r.lane_key = lane_key_of(r.key);
    });
}

/// The registry's number of the key; systems get one when they are first asked for.
std::uint32_t command_queue::lane_key_of(std::uint64_t key) {
    if (!deterministic_ || key == no_key) return entity_index::no_key;
    if (const std::uint32_t* const known = lane_keys_.find(1 + key)) return *known;
    return key < first_system_key ? entity_index::no_key : make_lane_key(key);
}

std::uint32_t command_queue::make_lane_key(std::uint64_t key) {
    const auto number = static_cast<std::uint32_t>(lane_keys_.size());
    entities_->make_keys(number + 1);
    lane_keys_[1 + key] = number;
    return number;
}

void command_queue::deal() noexcept {
    if (!deterministic_) return;
    try {
        call_home();
    } catch (const std::bad_alloc&) { // Then the identifiers stay where they are, and count as used.
    }
    entities_->deal();
}

/// Gives the lanes back in an order that does not depend on which command buffer a key happened to get.
void command_queue::call_home() {
    std::vector<command_buffer*> holders;
    buffers_.for_each([&](command_buffer& r) {
        if (r.lane_key != entity_index::no_key && r.lane) holders.push_back(&r);
    });
    std::ranges::sort(holders, {}, [](const command_buffer* r) { return std::tuple(r->key, r->sequence); });
    for (command_buffer* const r : holders) give_back(*r);
}

void command_queue::end_world() noexcept {
    buffers_.for_each([](command_buffer& r) {
        for (recording* left = r.left.get(); left; left = left->next.get()) left->discard();
        r.left.reset();
        r.spare.reset();
        r.now->discard();
        r.lane = nullptr;
    });
    entities_ = nullptr;
}

} // namespace ecs
