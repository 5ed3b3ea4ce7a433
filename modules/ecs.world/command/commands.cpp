// SPDX-License-Identifier: MIT
// The commands whose values have no type of their own: names, pairs, ends, barriers.
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

void apply_adds_of_ids(command_applier& to, command_run& run) {
    engine& in = to.in();
    to.each(
        run, command_kind::add, [&](entity e, std::uint32_t) { return in.add(e, run.word); },
        [&](std::uint32_t first) { return to.move_some(edge_kind::adding, run, first); });
}
void apply_removals_of_ids(command_applier& to, command_run& run) {
    engine& in = to.in();
    to.each(
        run, command_kind::remove, [&](entity e, std::uint32_t) { return in.remove(e, run.word); },
        [&](std::uint32_t first) { return to.move_some(edge_kind::removing, run, first); });
}
template <bool Enabled> void apply_toggles_of_ids(command_applier& to, command_run& run) {
    engine& in = to.in();
    to.each(run, Enabled ? command_kind::enable : command_kind::disable,
            [&](entity e, std::uint32_t) { return in.set_enabled(e, run.word, Enabled); });
}
/// A pair is about its target, too.
id component_that_is_named(const engine& in, const command_run& run) {
    const id word = in.rows().resolve(run.word);
    return word.is_entity() && !word.is_wildcard() ? word : id{};
}
void apply_clears(command_applier& to, command_run& run) {
    engine& in = to.in();
    to.each(run, command_kind::clear, [&](entity e, std::uint32_t) { return in.changes().clear(e); });
}

} // namespace

const operation add_id_operation{&apply_adds_of_ids, nullptr, &component_that_is_named};
const operation remove_id_operation{&apply_removals_of_ids, nullptr, &component_that_is_named};
const operation enable_id_operation{&apply_toggles_of_ids<true>, nullptr};
const operation disable_id_operation{&apply_toggles_of_ids<false>, nullptr};
const operation clear_operation{&apply_clears, nullptr};

namespace {

/// Sets a value of which the bytes were recorded.
add_result set_bytes(engine& in, entity e, id word, std::span<const std::byte> value) {
    if (!in.rows().entities().alive(e)) return add_result::not_alive;
    if (const add_result refusal = in.checks().check_addable(word); !succeeded(refusal)) return refusal;
    const component_info info = in.rows().info_of_id(word);
    if (info.size == 0 || info.size != value.size()) return add_result::no_value;
    const value_operations& operations = info.operations;
    if (!operations.copyable || operations.copy || operations.destroy) return add_result::not_copyable;
    return in.changes().set(e, word, value.data());
}

} // namespace

const operation set_bytes_operation{
    [](command_applier& to, command_run& run) {
        engine& in = to.in();
        to.each(run, command_kind::set, [&](entity e, std::uint32_t i) {
            const spent_value<std::vector<std::byte>> spent{&run.value<std::vector<std::byte>>(i)};
            return set_bytes(in, e, in.rows().resolve(run.word), *spent.value);
        });
    },
    &discard_values<std::vector<std::byte>>};

const operation add_pair_operation{[](command_applier& to, command_run& run) {
                                       engine& in = to.in();
                                       to.each(run, command_kind::add, [&](entity e, std::uint32_t i) {
                                           const auto [relation, target] = run.value<recorded_pair>(i);
                                           return in.add(e, in.rows().entities().pair_to(relation, target));
                                       });
                                   },
                                   nullptr};

const operation remove_pair_operation{[](command_applier& to, command_run& run) {
                                          engine& in = to.in();
                                          to.each(run, command_kind::remove, [&](entity e, std::uint32_t i) {
                                              const auto [relation, target] = run.value<recorded_pair>(i);
                                              return in.remove(
                                                  e, in.rows().entities().pair_to(relation, target));
                                          });
                                      },
                                      nullptr};

const operation despawn_operation{[](command_applier& to, command_run& run) {
                                      engine& in = to.in();
                                      to.each(run, command_kind::despawn,
                                              [&](entity e, std::uint32_t) { return in.despawn(e); });
                                  },
                                  nullptr};

namespace {

/// Asks first: an observer may ask for something that throws name_error, when the entity has its name.
add_result set_free_name(engine& in, entity e, std::string_view text) {
    const store& rows = in.rows();
    if (!rows.locate(e)) return add_result::not_alive;
    const entity holder = rows.find_name(rows.parent_of(e), text);
    if (holder && holder != e) return add_result::name_taken;
    in.changes().set_name(e, text);
    return add_result::added;
}

} // namespace

const operation name_operation{[](command_applier& to, command_run& run) {
                                   engine& in = to.in();
                                   to.each(run, command_kind::name, [&](entity e, std::uint32_t i) {
                                       const spent_value<std::string> spent{&run.value<std::string>(i)};
                                       return set_free_name(in, e, *spent.value);
                                   });
                               },
                               &discard_values<std::string>};

const operation barrier_operation{[](command_applier& to, command_run& run) {
                                      to.pass_barrier(static_cast<std::size_t>(run.word.value()));
                                  },
                                  nullptr, nullptr, false};

void commands::set(entity e, id word, const void* value, std::size_t bytes) {
    if (!value && bytes != 0) throw std::invalid_argument("commands.set: the address of the value is null");
    const auto* const first = static_cast<const std::byte*>(value);
    stream().record_value<std::vector<std::byte>>(set_bytes_operation, word, e, first, first + bytes);
}

void commands::set_name(entity e, std::string_view text) {
    require_sound_name(text);
    stream().record_value<std::string>(name_operation, {}, e, text);
}

/// Ends an entity whose name cannot be recorded.
void commands::give_name(entity fresh, std::string_view text) {
    try {
        set_name(fresh, text);
    } catch (...) {
        take_back(fresh);
        throw;
    }
}

void commands::expect_to_take_back() {
    std::vector<entity>& unwanted = into_->now->unwanted;
    reserve_one(unwanted);
}

void commands::expect_to_take_back(std::size_t entities) {
    std::vector<entity>& unwanted = into_->now->unwanted;
    const std::size_t needed = unwanted.size() + entities;
    if (needed > unwanted.capacity()) unwanted.reserve(std::max(needed, 2 * unwanted.capacity()));
}

void commands::take_back(entity fresh) { into_->now->unwanted.push_back(fresh); }

void commands::add(entity e, entity relation, entity target) {
    stream().record_value<recorded_pair>(add_pair_operation, {}, e, relation, target);
}

void commands::remove(entity e, entity relation, entity target) {
    stream().record_value<recorded_pair>(remove_pair_operation, {}, e, relation, target);
}

void commands::despawn(entity e) {
    stream().record(despawn_operation, {}, e);
    // The entity may be a component: entities that are spawned with it from now on have to get it anew.
    if (queue_->entities() && queue_->entities()->may_be_component(e)) into_->now->ask_for_barrier();
}

void commands::despawn(std::span<const entity> all) {
    for (const entity e : all) despawn(e);
}

/// Begins a batch: what is spawned from now on comes after what was recorded so far.
void commands::begin_batch() {
    recording& now = *into_->now;
    reserve_one(now.batches);
    now.stream.record(barrier_operation, id::assume_word(now.batches.size()), {});
    now.batches.emplace_back();
    now.barrier_due = false;
    now.recent_number = 0;
}

void commands::begin_chunk(spawn_block& in) { in.begin_chunk().set_number(queue_->take_chunk_number()); }

/// When a source throws, what a key has in its lane comes back to it: so no more than that is taken at once.
std::size_t commands::take_identifiers(std::span<entity> out) {
    std::size_t taken = 0;
    const auto take = [&] {
        const auto give = [to = out.data() + taken](std::uint32_t n, std::uint64_t word) {
            to[n] = entity::assume_word(word);
        };
        taken += into_->lane->take_many(out.size() - taken, give);
    };
    for (take(); taken != out.size() && queue_->restock_more(*into_);) take();
    return taken;
}

void commands::filling::take_back() noexcept {
    for (auto at = out_.rbegin(); at != out_.rend(); ++at)
        of_->queue_->entities()->put_back(*of_->into_->lane, *at);
}

void commands::filling::commit() noexcept {
    of_->queue_->entities()->issue_run(out_, {first_.block->number(), first_.row});
    std::ranges::copy(out_, first_.block->entities() + first_.row);
    first_.block->count += static_cast<std::uint32_t>(out_.size());
}

} // namespace ecs
