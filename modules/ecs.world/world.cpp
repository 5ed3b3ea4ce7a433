// SPDX-License-Identifier: MIT
// The parts of the facade that need no types.
module ecs.world;
import ecs.std;
import ecs.core;
import ecs.relation;
import ecs.storage;

namespace ecs {

namespace {

constexpr std::size_t alignment_max = 4096;
constexpr std::size_t value_bytes_max = std::size_t{1} << 28;

/// The largest power of two that divides the size, at most 16: what malloc would promise.
std::size_t natural_alignment(std::size_t size) {
    return size == 0 ? 1 : std::size_t{1} << std::min(4, std::countr_zero(size));
}

} // namespace

world::world(const id_space& space)
    : entity_graph(space), queue_(shared<command_queue>(engine_.rows().entities())) {
    engine_.events().set_owner(owner_ref(*this));
    queue_->stock_chunk_numbers(engine_);
}

world::~world() {
    engine_.events().announce_world_end();
    queue_->end_world();
}

namespace {

[[noreturn]] void refuse(const component_description& described, const std::string& why) {
    throw std::invalid_argument("component \"" + std::string(described.name) + "\": " + why);
}

/// What the values of the described component will be: a component that exists keeps its operations.
component_info info_in_force(const world& in, component_info fresh, const component_description& described) {
    const auto* const old = in.try_get<component_info>(in.component_named(described.name));
    if (!old) return fresh;
    const auto differs = [](auto given, auto kept) { return given && !kept; };
    const value_operations& given = fresh.operations;
    const value_operations& kept = old->operations;
    if (differs(given.construct, kept.construct) || differs(given.copy, kept.copy) ||
        differs(given.relocate, kept.relocate) || differs(given.destroy, kept.destroy))
        refuse(described, "it exists without some of these operations, and the values that there are do not "
                          "count on them");
    fresh.operations = kept;
    return fresh;
}

} // namespace

entity world::at(std::uint32_t index) const {
    const entity found = engine_.rows().entities().at(index);
    return alive(found) ? found : entity{};
}

std::vector<table_summary> world::tables() const {
    std::vector<table_summary> all;
    for (const auto& table : engine_.rows().tables()) {
        std::size_t capacity = 0;
        for (const chunk* const c : table->chunks()) capacity += c->capacity;
        if (table->is_rowless()) capacity = engine_.rows().size_of(*table);
        all.push_back({{table->type().begin(), table->type().end()},
                       engine_.rows().size_of(*table),
                       capacity,
                       table->memory_bytes()});
    }
    return all;
}

namespace {

/// The names of a path. Throws name_error when one of them cannot be a name.
std::vector<std::string_view> names_in(std::string_view path) {
    std::vector<std::string_view> names;
    std::size_t end = 0;
    for (std::size_t begin = 0; begin <= path.size(); begin = end + 1) {
        end = std::min(path.find('/', begin), path.size());
        names.push_back(path.substr(begin, end - begin));
        require_sound_name(names.back());
    }
    return names;
}

} // namespace

entity world::find_or_spawn(entity scope, std::string_view path) {
    if (const entity found = lookup(scope, path)) return found;
    if (scope && !alive(scope)) engine_.reads().refuse_access(scope, {}, "children");
    const std::string kept(path); // The path may be the name of an entity, whose row moves.
    const std::vector<std::string_view> names = names_in(kept);
    std::size_t known = 0;
    for (entity next = scope; known != names.size(); ++known) {
        next = engine_.rows().find_name(next, names[known]);
        if (!next) break;
        scope = next;
    }
    return engine_.events().as_one([&] { return spawn_path(scope, std::span(names).subspan(known)); });
}

/// Names are given last: whoever cannot have its name ends, and then those below it are its children already.
entity world::spawn_path(entity parent, std::span<const std::string_view> names) {
    std::vector<entity> made;
    made.reserve(names.size());
    try {
        while (made.size() != names.size()) {
            made.push_back(spawner_.spawn());
            if (parent) engine_.changes().adopt_fresh(parent, {&made.back(), 1});
            parent = made.back();
        }
        for (std::size_t i = 0; i != made.size(); ++i) engine_.changes().name_or_despawn(made[i], names[i]);
    } catch (...) {
        engine_.changes().discard(made);
        throw;
    }
    return parent;
}

/// A query of another world finds no entity here.
std::size_t world::despawn_whole_tables(query_core& of) {
    std::size_t ended = 0;
    if (&of.of() != &engine_ || !of.asks_tables_alone()) return ended;
    for (const match& m : of.matches()) {
        table& next = *m.archetype;
        if (next.size() == 0 && !next.is_rowless()) continue;
        const std::size_t whole = engine_.despawn_whole(next);
        if (whole == 0) return ended; // What is behind it in the order of loops ends behind it.
        ended += whole;
    }
    return ended;
}

std::size_t world::despawn_ordinary(std::vector<entity> found) {
    std::erase_if(found, [&](entity e) { return engine_.rows().is_fixture(e); });
    return despawn(found);
}

void world::discard(std::span<const entity> made) {
    engine_.changes().require_open();
    engine_.despawns().despawn_alone(made);
}

namespace {

/// What is hidden at one entity is hidden at the other, and what is shown there is shown.
void hide_alike(engine& in, entity from, entity onto, std::span<const id> words) {
    for (const id word : words) {
        const bool hidden = in.reads().is_hidden(from, word);
        if (hidden != in.reads().is_hidden(onto, word)) in.set_enabled(onto, word, !hidden);
    }
}

/// All values are copied before the first change.
add_result copy_onto(engine& in, entity from, entity onto) {
    const std::vector<id> words = in.copies().words_for(from, onto);
    editor copy(in, onto);
    for (const id word : words) {
        if (const void* const value = in.reads().own_value_of(from, word))
            copy.set(word, value);
        else
            copy.add(word);
    }
    const add_result result = copy.commit();
    if (succeeded(result)) hide_alike(in, from, onto, words);
    return result;
}

} // namespace

add_result world::clone(entity from, entity onto) {
    if (!alive(from)) return add_result::not_alive;
    if (!engine_.changes().is_open())
        return engine_.changes().later(onto, [this, from, onto] { clone(from, onto); });
    if (!engine_.rows().locate(from) || !engine_.rows().locate(onto)) return add_result::not_alive;
    if (from == onto) return add_result::already_there;
    return engine_.events().as_one_occasion([&] { return copy_onto(engine_, from, onto); });
}

std::vector<entity> world::clone_n(entity e, std::size_t count) {
    std::vector<entity> made;
    made.reserve(count);
    engine_.events().as_one([&] { // What an observer throws comes when all entities are there.
        try {
            while (made.size() != count) made.push_back(clone(e));
        } catch (...) {
            engine_.changes().discard(made);
            throw;
        }
    });
    return made;
}

/// Several identifiers are checked together, and made while nothing has changed that could not be left
/// undone.
add_result world::add_together(entity e, std::uint64_t key, std::initializer_list<id> words) {
    const std::span list(words.begin(), words.size());
    const bool waits = engine_.changes().defers() && !engine_.rows().locate(e);
    if (!waits && (!engine_.rows().locate(e) || engine_.reads().move_plainly(list)))
        return engine_.changes().add_all(e, key, list);
    editor all(engine_, e);
    for (const id word : words) all.add(word);
    return all.commit();
}

add_result world::remove_together(entity e, std::uint64_t key, std::initializer_list<id> words) {
    return engine_.changes().remove_all(e, key, {words.begin(), words.size()});
}

add_result world::disable(entity e) {
    const add_result result = engine_.add(e, disabled);
    return result == add_result::added ? add_result::disabled : result;
}

add_result world::enable(entity e) {
    const add_result result = engine_.remove(e, disabled);
    if (result == add_result::removed) return add_result::enabled;
    return result == add_result::not_there ? add_result::already_there : result;
}

bool world::emit(id own_event, entity e, propagation along) {
    return emit(own_event, std::span(&e, 1), along) == 1;
}

std::size_t world::emit(id own_event, std::span<const entity> all, propagation along) {
    event_context what;
    what.what = event::custom;
    what.word = engine_.rows().resolve(own_event);
    return engine_.events().emit(all, what, along.relation);
}

void world::clear() { engine_.changes().clear(); }

std::string world::explain(entity e) const {
    const id_status now = status(e);
    if (now == id_status::null) return "null is no identifier";
    std::string text = ecs::to_string(e) + " is ";
    text += to_string(now);
    if (now == id_status::foreign_world)
        return text + ": it is of world " + std::to_string(e.world()) + ", and this is world " +
               std::to_string(engine_.rows().entities().world());
    if (now == id_status::retired) return text + engine_.reads().end_of(e);
    if (now == id_status::live) return text + engine_.reads().wait_of(e);
    if (now != id_status::stale && now != id_status::never_issued) return text;
    const entity living = engine_.rows().entities().at(index_of(e));
    text += ": index " + std::to_string(e.index());
    text += living ? " is in use under generation " + std::to_string(living.generation()) : " is free";
    return text + engine_.reads().end_of(e);
}

void world::restore(const ecs::snapshot& then) { go_back(then, generations_after_return::later); }

void world::rewind(const ecs::snapshot& then) { go_back(then, generations_after_return::same); }

void world::go_back(const ecs::snapshot& then, generations_after_return generations) {
    engine_.changes().require_open();
    if (!snapshot_access::is_of(then, queue_))
        throw snapshot_error(snapshot_refusal::foreign_world,
                             "a world can go back to a snapshot of itself alone");
    const engine& past = snapshot_access::engine_of(then);
    // In most cases the identifiers of the snapshot can be used as they are. When the copy has to be told of
    // more, it needs its own.
    const bool as_they_are = !engine_.has_news_for(past);
    const std::unique_ptr<engine> replica = as_they_are ? past.replica_of_rows() : past.replica();
    become(*replica, (as_they_are ? past : *replica).rows().entities(), snapshot_access::orders_of(then),
           generations);
}

void world::become(engine& replica, const entity_index& identifiers, column_orders orders,
                   generations_after_return generations) {
    queue_->require_nobody_asked();
    if (queue_->is_flushing())
        throw snapshot_error(snapshot_refusal::commands_pending,
                             "a flush is going on: the world cannot go back before it has ended");
    if (queue_->has_recorded())
        throw snapshot_error(snapshot_refusal::commands_pending,
                             "commands are recorded: flush them before the world goes back");
    // Identifiers that are not the copy's belong to the snapshot, which already knows all components.
    if (&identifiers == &replica.rows().entities()) {
        engine_.teach(replica);
        engine_.carry_ticks(replica);
    }
    entity_index::return_plan plan = engine_.rows().entities().plan_return(identifiers, generations);
    queue_->recall_stocks(std::move(orders));
    engine_.exchange(replica, identifiers, std::move(plan));
    queue_->stock_chunk_numbers(engine_);
}

const reflection* world::reflection_of(entity component) const {
    if (const auto* const told = try_get<reflection>(component)) return told;
    const auto* const info = try_get<component_info>(component);
    return info && info->facts ? &ecs::reflection_of(*info->facts) : nullptr;
}

entity world::component(const component_description& described) {
    const std::size_t size = described.size;
    const std::size_t alignment = described.alignment ? described.alignment : natural_alignment(size);
    if (!std::has_single_bit(alignment) || alignment > alignment_max)
        refuse(described, "alignment " + std::to_string(alignment) + " is no power of two up to " +
                              std::to_string(alignment_max));
    if (size > value_bytes_max)
        refuse(described,
               "a value may take " + std::to_string(value_bytes_max) + " bytes, not " + std::to_string(size));
    if (size % alignment != 0)
        refuse(described,
               "size " + std::to_string(size) + " is no multiple of alignment " + std::to_string(alignment));
    if (described.kept_in > storage::in_place) refuse(described, "kept_in is none of the storages");
    if (described.kept_in == storage::bits && size != 0) refuse(described, "bits take tags only");
    if (moves_with_rows(described.kept_in) && !described.operations.movable)
        refuse(described, "tables, and what is in place beside them, take values that can be moved only: "
                          "keep it sparse");
    if (described.name.empty()) refuse(described, "a component needs a name");
    const component_info info =
        info_in_force(*this, {size, alignment, described.kept_in, described.operations}, described);
    std::vector<member> members = sound_members(*this, described, info);
    const entity made = engine_.types().register_component(described.name, info);
    if (!members.empty()) engine_.types().describe(made, {std::move(members)});
    return made;
}

} // namespace ecs
