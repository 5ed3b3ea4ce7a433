// SPDX-License-Identifier: MIT
// Tables are found by their type, entered, and removed.
module ecs.storage;
import ecs.std;

namespace ecs {

namespace {

std::uint64_t hash_of(std::span<const id> type) {
    std::uint64_t hash = 0x9E37'79B9'7F4A'7C15U;
    for (const id word : type) hash = (hash ^ word.value()) * 0x100'0000'01B3U + (hash >> 29);
    return hash | 1; // Keys of a flat_map are not zero.
}

} // namespace

table* table_index::find(std::span<const id> type) const {
    if (const std::vector<table*>* const candidates = by_hash_.find(hash_of(type)))
        for (table* const t : *candidates)
            if (std::ranges::equal(t->type(), type)) return t;
    return nullptr;
}

/// Makes room first: from then on nothing can fail half-way.
table& table_index::enter(std::unique_ptr<table> fresh, const component_index& records) {
    std::vector<table*>& same_hash = by_hash_[hash_of(fresh->type())];
    fresh->indexed.slots.reserve(fresh->type().size());
    for (const id word : fresh->type()) reserve_one(records.find(word)->tables);
    reserve_one(same_hash);
    reserve_one(tables_);
    table& made = *tables_.emplace_back(std::move(fresh));
    made.indexed.ordinal = static_cast<std::uint32_t>(tables_.size() - 1);
    same_hash.push_back(&made);
    for (const id word : made.type()) {
        std::vector<table*>& having = records.find(word)->tables;
        made.indexed.slots.push_back(static_cast<std::uint32_t>(having.size()));
        having.push_back(&made);
    }
    return made;
}

void table_index::erase(table& gone, const component_index& records) noexcept {
    for (std::size_t position = 0; position < gone.indexed.slots.size(); ++position)
        strike(gone, position, records);
    const std::uint64_t hash = hash_of(gone.type());
    std::vector<table*>& same_hash = *by_hash_.find(hash);
    std::erase(same_hash, &gone);
    if (same_hash.empty()) by_hash_.erase(hash);
    gone.edges.close(gone);
    const std::size_t hole = gone.indexed.ordinal;
    std::swap(tables_[hole], tables_.back());
    tables_[hole]->indexed.ordinal = static_cast<std::uint32_t>(hole);
    tables_.pop_back();
}

/// Takes the table out of the record of one of its identifiers; the last one there moves into the hole.
void table_index::strike(const table& gone, std::size_t position, const component_index& records) noexcept {
    std::vector<table*>& having = records.find(gone.type()[position])->tables;
    table* const last = having.back();
    const std::uint32_t hole = gone.indexed.slots[position];
    having[hole] = last;
    last->indexed.slots[last->position_of(gone.type()[position])] = hole;
    having.pop_back();
}

/// A loop over the tables, or over a list of them, goes over the copies in the same order.
void table_index::mirror(const table_index& other, const component_index& others_records,
                         const component_index& records, chunk_directory& directory) {
    for (const auto& known : other.tables_) {
        std::vector<typed_id> typed;
        for (const id word : known->type()) typed.push_back({word, &records.find(word)->info});
        table& made = *tables_.emplace_back(std::make_unique<table>(typed, directory));
        const table_traits& traits = *known;
        static_cast<table_traits&>(made) = traits;
        made.indexed = known->indexed;
        made.copy_rows(*known);
    }
    const auto counterparts = [&](const std::vector<table*>& list) {
        std::vector<table*> made;
        made.reserve(list.size());
        for (const table* const known : list) made.push_back(tables_[known->indexed.ordinal].get());
        return made;
    };
    others_records.for_each([&](const component_record& known) {
        records.find(known.word)->tables = counterparts(known.tables);
    });
    other.by_hash_.for_each(
        [&](std::uint64_t hash, const std::vector<table*>& same) { by_hash_[hash] = counterparts(same); });
}

} // namespace ecs
