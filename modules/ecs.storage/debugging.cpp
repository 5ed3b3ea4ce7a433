// SPDX-License-Identifier: MIT
// The symbol that scripts for debuggers look for, and what they are told of the rows of worlds.
module;
#include <bit>
module ecs.storage;
import ecs.std;
import ecs.id;
import ecs.relation;
import ecs.component;

namespace ecs {

/// A number that a script asks for by name.
struct debugger_field {
    const char* name;
    std::uint64_t value;
};

/// Where a world has its rows, and the slots of its entities; null where these are in pages.
struct debugger_world {
    const store* rows;
    const void* slots;
};

constexpr std::size_t debugger_fields_max = 64; ///< More than there are fields.
constexpr std::size_t worlds_end = capacity<layouts::entity, "world">;

struct debugger_data {
    std::uint64_t version; ///< The version of the meaning of the fields.
    std::uint64_t fields;  ///< The number of fields.
    std::uint64_t worlds;
    std::array<debugger_field, debugger_fields_max> field;
    std::array<debugger_world, worlds_end> world; ///< The worlds by their number.
};

/// The symbol is found by its name, in programs without debug information, too.
extern "C" {
[[gnu::used]] constinit debugger_data ecs_debugger_view{1, 0, worlds_end, {}, {}};
}

std::uint64_t show_number(const char* name, std::uint64_t value) noexcept {
    if (ecs_debugger_view.fields != debugger_fields_max)
        ecs_debugger_view.field[ecs_debugger_view.fields++] = {name, value};
    return value;
}

template struct shown_member<"store.directory", &store::directory_>;
template struct shown_member<"store.tables", &store::tables_>;
template struct shown_member<"store.components", &store::components_>;
template struct shown_member<"store.sparse_sets", &store::sparse_sets_>;
template struct shown_member<"directory.chunks", &chunk_directory::chunks_>;
template struct shown_number<"directory.entry_size", sizeof(chunk_directory::entry)>;
template struct shown_member<"directory.begun_rowless", &chunk_directory::begun_rowless_>;
template struct shown_member<"directory.ended_rowless", &chunk_directory::ended_rowless_>;
template struct shown_member<"table.rowless", &table::rowless_>;
template struct shown_member<"tables.all", &table_index::tables_>;
template struct shown_member<"components.by_name", &component_registry::by_name_>;
template struct shown_member<"sparse_sets.all", &sparse_sets::all_>;

template struct shown_member<"chunk.owner", &chunk::owner>;
template struct shown_member<"chunk.count", &chunk::count>;
template struct shown_member<"chunk.disabled", &chunk::disabled>;
template struct shown_number<"chunk.size", sizeof(chunk)>;
template struct shown_member<"toggles.words_per_position", &toggle_bits::words_per_position_>;
template struct shown_member<"toggles.words", &toggle_bits::words_>;

template struct shown_member<"table.type", &table::type_>;
template struct shown_member<"table.columns", &table::columns_>;
template struct shown_member<"table.chunks", &table::chunks_>;
template struct shown_member<"column.component", &column::component>;
template struct shown_member<"column.offset", &column::offset>;
template struct shown_member<"column.value_size", &column::size>;
template struct shown_number<"column.size", sizeof(column)>;

template struct shown_member<"sparse.word", &sparse_set::word>;
template struct shown_member<"sparse.is_bits", &sparse_set::is_bits_>;
template struct shown_member<"sparse.info", &sparse_set::info_>;
template struct shown_member<"sparse.size", &sparse_set::size_>;
template struct shown_member<"sparse.places", &sparse_set::places_>;
template struct shown_member<"sparse.blocks", &sparse_set::blocks_>;
template struct shown_member<"sparse.block_bits", &sparse_set::block_bits_>;
template struct shown_member<"sparse.present", &sparse_set::present_>;
template struct shown_member<"sparse.hidden", &sparse_set::hidden_>;
template struct shown_member<"sparse.beside", &sparse_set::beside_>;
static_assert(sizeof(std::unique_ptr<in_place_columns>) == sizeof(void*), "no more than where they are");
template struct shown_member<"info.size", &component_info::size>;

template struct shown_member<"in_place.by_chunk", &in_place_columns::by_chunk_>;
template struct shown_member<"beside.bits", &in_place_columns::beside_chunk::bits>;
template struct shown_member<"beside.values", &in_place_columns::beside_chunk::values>;
template struct shown_number<"beside.size", sizeof(in_place_columns::beside_chunk)>;

void show_to_debuggers(const store& rows, const entity_index& entities) noexcept {
    const auto slots = entities.slots_at_hand();
    static_assert(sizeof slots == sizeof(const void*), "no more than where the slots begin");
    ecs_debugger_view.world[entities.world()] = {&rows, std::bit_cast<const void*>(slots)};
}

void hide_from_debuggers(const entity_index& entities) noexcept {
    ecs_debugger_view.world[entities.world()] = {};
}

} // namespace ecs
