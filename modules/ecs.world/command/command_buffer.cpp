// SPDX-License-Identifier: MIT
// Blocks of rows, batches and recordings: how they are begun, laid out, taken and used again.
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

/// That many chunks of a block find memory that has been used before; a hundred thousand rows fill thirteen.
constexpr std::size_t chunks_stocked = 16;

/// Components under stand-in identifiers that sort as the real identifiers are expected to.
std::vector<typed_id> expected_type(std::span<const component_source> components, const column_order& order) {
    std::vector<typed_id> type;
    for (const std::uint32_t component : order)
        type.push_back({id::assume_word(type.size() + 1), components[component].info});
    return type;
}

} // namespace

std::span<const component_source> source_list(const component_source* first, std::size_t count) {
    return {first, count};
}

column_order usual_order(std::span<const component_source> components) {
    column_order order(components.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t c) { return ~components[c].number(); });
    return order;
}

spawn_block::spawn_block(std::span<const component_source> components, column_order order)
    : components_(components),
      order_(std::move(order)),
      layout_(expected_type(components_, order_), directory_) {
    layout_.start_full();
}

spawn_block::~spawn_block() {
    for (const unique_chunk& in : chunks_)
        for (std::uint32_t row = 0; in && row < in->count; ++row) layout_.destroy_values({in.get(), row});
}

std::size_t spawn_block::size() const {
    std::size_t rows = 0;
    for (const unique_chunk& in : chunks_)
        if (in) rows += in->count;
    return rows;
}

std::size_t spawn_block::memory_bytes() const {
    return chunks_.size() * layout_.chunk_bytes() + directory_.pool().memory_bytes();
}

chunk& spawn_block::begin_chunk() {
    unique_chunk fresh = layout_.make_loose_chunk();
    fresh->set_number(chunk_directory::pending);
    open_ = chunks_.emplace_back(std::move(fresh)).get();
    return *open_;
}

void spawn_block::tidy(chunk_pool& of_world) noexcept {
    open_ = nullptr;
    const std::size_t gone = std::erase(chunks_, nullptr);
    for (unique_chunk& in : chunks_)
        if (in->count == 0) directory_.pool().give(in.release());
    std::erase(chunks_, nullptr);
    if (gone != 0) layout_.stock(of_world, std::min(gone, chunks_stocked));
}

const column* spawn_block::column_of(std::uint32_t component) const {
    const auto place = std::ranges::find(order_, component) - order_.begin();
    return layout_.column_at(static_cast<std::uint32_t>(place));
}

/// Tables, and what comes along, are asked for again when the store says so, as for a spawn by the world.
const block_home& spawn_block::home_in(engine& in) {
    if (home_.whole && cache_version_ == in.rows().cache_version()) return home_;
    home_.whole = nullptr;
    find_type(in);
    require_alive(in, type_.components);
    home_.in = &in.core().table_of(type_.type);
    find_columns();
    home_.constrained_ids = in.checks().ids_with_required(type_.components);
    home_.whole =
        home_.constrained_ids.empty() ? home_.in : &in.spawns().whole_table(*home_.in, type_.components);
    cache_version_ = in.rows().cache_version();
    return home_;
}

/// Where memory runs out half-way, the type has not all identifiers, and is found again.
void spawn_block::find_type(engine& in) {
    auto& [components, order, type] = type_;
    components.resize(components_.size());
    for (std::size_t c = 0; c != components_.size(); ++c) {
        const id word = components_[c].resolve(in);
        if (std::exchange(components[c], word) != word) type.clear();
    }
    if (type.size() == components.size()) return;
    type.clear();
    order.resize(components.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, {}, [&](std::uint32_t c) { return components[c]; });
    for (const std::uint32_t c : order) type.push_back(components[c]);
}

void spawn_block::find_columns() {
    home_.columns.clear();
    for (const std::uint32_t component : order_)
        if (const column* const there = home_.in->column_of(type_.components[component]))
            home_.columns.push_back(there);
}

void spawn_batch::reset() noexcept {
    std::ranges::fill(used, nullptr);
    order.clear();
}

bool spawn_batch::keeps(std::uint32_t number) const { return number < kept.size() && kept[number]; }

void spawn_batch::keep(std::uint32_t number, std::unique_ptr<spawn_block> block) {
    if (number >= kept.size()) kept.resize(number + 1);
    kept[number] = std::move(block);
}

spawn_block& spawn_batch::use(std::uint32_t number) {
    used.resize(kept.size());
    if (!used[number]) {
        order.push_back(number);
        used[number] = kept[number].get();
    }
    return *used[number];
}

bool spawn_batch::has_rows() const {
    return std::ranges::any_of(order, [&](std::uint32_t n) { return used[n] && used[n]->size() != 0; });
}

bool recording::empty() const {
    return stream.empty() && !std::ranges::any_of(batches, &spawn_batch::has_rows);
}

void recording::reset() noexcept {
    stream.reset();
    batches.resize(1);
    batches.front().reset();
    unwanted.clear();
    recent_number = 0;
    barrier_due = false;
}

void recording::discard() noexcept {
    stream.discard();
    for (spawn_batch& batch : batches) batch = {};
    reset();
}

void recording::release() noexcept {
    stream.release();
    batches.front() = {};
    std::vector<entity>().swap(unwanted);
}

void taken_recording::recycle() noexcept {
    what->reset();
    if (from->now->empty()) what.swap(from->now);
    if (what->keeps_blocks()) what->discard(); // A chunk may have begun, though nothing was recorded.
    from->spare = std::move(what);
}

void taken_recording::leave() noexcept {
    if (what->empty() && what->unwanted.empty()) return recycle();
    what->next = std::move(from->left);
    from->left = std::move(what);
}

void take_recorded(std::span<taken_recording> from) {
    for (const taken_recording& t : from)
        if (!t.from->spare) t.from->spare = std::make_unique<recording>();
    for (taken_recording& t : from) t.what = std::exchange(t.from->now, std::move(t.from->spare));
}

std::vector<taken_recording> take_left(std::span<const taken_recording> from) {
    std::size_t count = 0;
    for (const taken_recording& t : from)
        for (const recording* one = t.from->left.get(); one; one = one->next.get()) ++count;
    std::vector<taken_recording> taken;
    taken.reserve(count);
    for (const taken_recording& t : from)
        while (t.from->left) {
            std::unique_ptr<recording> rest = std::move(t.from->left->next);
            taken.push_back({t.from, std::exchange(t.from->left, std::move(rest))});
        }
    return taken;
}

std::size_t recording::memory_bytes() const {
    std::size_t bytes = stream.memory_bytes() + unwanted.capacity() * sizeof(entity);
    for (const spawn_batch& batch : batches)
        for (const std::unique_ptr<spawn_block>& block : batch.kept)
            if (block) bytes += block->memory_bytes();
    return bytes;
}

} // namespace ecs
