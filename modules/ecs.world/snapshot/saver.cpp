// SPDX-License-Identifier: MIT
// A world as bytes, section by section; see snapshot_format.cppm.
module;
#include <cstddef> // offsetof
module ecs.world;
import ecs.std;

namespace ecs {

namespace {

/// The entries of a directory in the order of indices, so that equal worlds are saved as equal bytes.
template <class Entry> [[nodiscard]] auto in_order(const auto& directory) {
    std::vector<std::pair<std::uint32_t, const Entry*>> all;
    directory.for_each([&](std::uint32_t index, const Entry& entry) { all.emplace_back(index, &entry); });
    std::ranges::sort(all, {}, [](const auto& one) { return one.first; });
    return all;
}

/// Whether the word is a property of a component or relation.
[[nodiscard]] bool is_property_word(id word) {
    if (word.is_entity()) return is_property(word.target_index());
    return word.kind() == id_kind::pair && is_property(word.relation_index());
}

} // namespace

saver::saver(const engine& of, std::span<const entity> without) : of_(&of) {
    for (const entity which : without) left_out_.push_back(index_of(which));
    std::ranges::sort(left_out_);
}

bool saver::is_left_out_index(std::uint32_t index) const {
    return std::ranges::binary_search(left_out_, index);
}

/// Whether the word is of a component, tag or relation that is not saved.
bool saver::is_left_out(id word) const {
    if (left_out_.empty()) return false;
    const bool has_relation = word.has_relation() || word.kind() == id_kind::flagged_pair;
    return is_left_out_index(has_relation ? word.relation_index() : word.target_index());
}

bool saver::is_saved(const sparse_set& set) const { return set.size() != 0 && !is_left_out(set.word); }

std::vector<std::byte> saver::save(std::vector<std::byte> memory) {
    bytes_ = std::move(memory);
    bytes_.clear();
    note_fixtures();
    gather_tables();
    reserve();
    bytes_.resize(sizeof(snapshot_header));
    settled_ = bytes_.size();
    write_indices();
    write_components();
    to_.write(std::uint64_t{parts_.size()});
    for (const part& p : parts_) write_head(p);
    for (const part& p : parts_) write_columns(p);
    write_sparse_sets();
    write_lists();
    write_header();
    return std::move(bytes_);
}

/// Makes room for the rows, and for values that are bytes: that is most of what is written.
void saver::reserve() {
    std::size_t bytes = of_->rows().entities().live_count() * sizeof(index_state);
    for (const part& p : parts_) {
        std::size_t row = sizeof(std::uint32_t);
        for (const id word : p.words)
            if (const column* const c = p.archetype->column_of(word)) row += c->size;
        bytes += row * p.rows;
    }
    bytes_.reserve(bytes + bytes / 16);
}

/// Adds what has been written to the checksum: it does not change any more.
void saver::settle() {
    sum_.add(std::span(bytes_).subspan(settled_));
    settled_ = bytes_.size();
}

void saver::write_header() {
    settle();
    snapshot_header header;
    header.layouts = fingerprint_of_layouts();
    header.body_bytes = bytes_.size() - sizeof(header);
    header.body_checksum = sum_.value();
    const auto raw = std::as_bytes(std::span(&header, 1));
    header.header_checksum = fnv1a_of(raw.first(offsetof(snapshot_header, header_checksum)));
    std::memcpy(bytes_.data(), &header, sizeof(header));
}

bool saver::is_component(std::uint32_t index) const { return is_component(of_->rows().entities().at(index)); }

/// Most entities can be decided by their index.
bool saver::is_component(entity e) const {
    return of_->rows().entities().may_be_component(e) && of_->rows().is_component(e);
}

/// Notes a component that the saved data uses. Only these are written, so that the reader need not know the
/// others.
void saver::use_index(std::uint32_t index) {
    if (!is_component(index)) return;
    const auto at = std::ranges::lower_bound(components_, index);
    if (at != components_.end() && *at == index) return;
    components_.insert(at, index);
    found_.push_back(index);
}

void saver::use(id word) {
    if (object_table::concerns(word))
        throw snapshot_error(snapshot_refusal::not_savable,
                             "entities are linked to an object of the program, which only the program has");
    for_each_part(word, [&](std::uint32_t index) { use_index(index); });
}

/// What rows of the table have that is saved: without what a component says of itself.
std::vector<id> saver::saved_words_of(const table& t) const {
    const id info = of_->rows().registered<component_info>();
    const id members = of_->rows().registered<reflection>();
    std::vector<id> words;
    std::ranges::copy_if(t.type(), std::back_inserter(words),
                         [&](id word) { return word != info && word != members && !is_left_out(word); });
    return words;
}

/// Components with nothing but properties come last: who loads need not know those of them that nothing else
/// uses.
void saver::gather_tables() {
    std::vector<table*> of_properties;
    for (const auto& t : of_->rows().tables()) {
        const std::vector<id> words = saved_words_of(*t);
        gather_rows(*t, words, true);
        if (words.empty()) continue;
        if (std::ranges::all_of(words, is_property_word))
            of_properties.push_back(t.get());
        else
            gather_rows(*t, words, false);
    }
    use_what_is_outside_tables();
    use_what_properties_name();
    for (table* const t : of_properties) gather_rows(*t, saved_words_of(*t), false);
    std::ranges::sort(parts_, {}, &part::place);
}

void saver::use_what_is_outside_tables() {
    of_->rows().records().for_each([&](const component_record& record) {
        if (record.sparse && is_saved(*record.sparse)) use_set(*record.sparse);
    });
    of_->rows().lists().for_each([&](std::uint32_t relation, const source_lists& lists) {
        if (lists.targets() == 0 || is_left_out_index(relation)) return;
        use_index(relation);
        lists.for_each([&](std::uint32_t target, const auto&) { use_index(target); });
    });
}

/// Uses what the properties name that are saved, of built-in entities and of used components: that has
/// properties, too.
void saver::use_what_properties_name() {
    for (std::uint32_t index = low_ids; index < entity_index::first_ordinary; ++index)
        use_what_properties_name(index);
    std::size_t next = 0;
    while (next != found_.size()) use_what_properties_name(found_[next++]); // Which finds more.
}

void saver::use_what_properties_name(std::uint32_t owner) {
    const entity e = of_->rows().entities().at(owner);
    if (!e || is_left_out_index(owner)) return;
    for (const id word : of_->rows().locate(e).block->owner->type())
        if (is_property_word(word) && !is_left_out(word)) use(word);
}

/// Uses the component of the set, and those owners that are components: these have an index of their own in
/// what is saved.
void saver::use_set(const sparse_set& set) {
    use(set.word);
    if (of_->rows().entities().has_late_components())
        for (const std::uint32_t index : owners_of(set)) use_index(index);
    else
        for (std::uint32_t index = 0; index < entity_index::first_ordinary; ++index)
            if (set.contains(index)) use_index(index);
}

void saver::gather_rows(table& in, const std::vector<id>& words, bool ordinary) {
    const bool properties_alone = std::ranges::all_of(words, is_property_word);
    part made{&in, words, {}, 0, ordinary, properties_alone, parts_.size()};
    for (chunk* const block : of_->rows().chunks_of(in)) add_rows(made, *block);
    if (made.rows == 0) return;
    if (!ordinary) put_in_order(made);
    for (const id word : words) use(word);
    parts_.push_back(std::move(made));
}

/// Puts the rows of components in the order of their indices: their order in the table is that in which the
/// world has met them.
void saver::put_in_order(part& of) {
    const auto index_at = [](const row_run& run) {
        return index_of(run.first.block->entities()[run.first.row]);
    };
    std::vector<row_run> one_by_one;
    for (const row_run& run : of.runs)
        for (std::uint32_t i = 0; i < run.rows; ++i)
            one_by_one.push_back({{run.first.block, run.first.row + i}, 1});
    std::ranges::sort(one_by_one, {}, index_at);
    of.place = std::uint64_t{1} << 32 | index_at(one_by_one.front());
    of.runs = std::move(one_by_one);
}

void saver::add_run(part& to, row_ref first, std::uint32_t rows) {
    if (rows == 0) return;
    to.runs.push_back({first, rows});
    to.rows += rows;
}

/// Notes the chunks with fixtures. These are few, unless there are late components, and most chunks have none
/// of them.
void saver::note_fixtures() {
    for (std::uint32_t index = 0; index < entity_index::first_ordinary; ++index)
        if (const entity e = of_->rows().entities().at(index))
            fixtures_.push_back(of_->rows().locate(e).block);
    std::ranges::sort(fixtures_);
}

bool saver::has_fixtures(const chunk& in) const {
    if (of_->rows().entities().has_late_components()) return true;
    if (in.count == 0) return false;
    if (in.owner->is_rowless()) // Their order is that of their indices.
        return index_of(in.entities()[0]) < entity_index::first_ordinary;
    return std::ranges::binary_search(fixtures_, &in);
}

bool saver::is_row_of(const part& p, entity e) const {
    if (of_->rows().is_fixture(e) == p.ordinary) return false;
    return p.ordinary || !p.properties_alone || are_properties_saved(e);
}

/// Whoever loads need not know a component that is left out, or that nothing saved has, for the properties
/// that its type declares.
bool saver::are_properties_saved(entity e) const {
    return !is_left_out(e) && (!is_component(e) || std::ranges::binary_search(components_, index_of(e)));
}

void saver::add_rows(part& to, chunk& in) {
    if (!has_fixtures(in)) {
        if (to.ordinary) add_run(to, {&in, 0}, in.count);
        return;
    }
    const std::span<const entity> all(in.entities(), in.count);
    const auto is_wanted = [&](entity e) { return is_row_of(to, e); };
    for (auto first = std::ranges::find_if(all, is_wanted); first != all.end();) {
        const auto end = std::ranges::find_if(first, all.end(), [&](entity e) { return !is_wanted(e); });
        if (!to.ordinary)
            for (const entity e : std::span(first, end)) use(e);
        add_run(to, {&in, static_cast<std::uint32_t>(first - all.begin())},
                static_cast<std::uint32_t>(end - first));
        first = std::ranges::find_if(end, all.end(), is_wanted);
    }
}

/// Writes the states of indices that follow each other, through a buffer.
class saver::run_writer {
  public:
    explicit run_writer(snapshot_writer& to) : to_(to) {}

    void add(std::uint32_t index, std::uint32_t count, index_state state) {
        if (index != end_ || state != like_) begin_alike(index, state);
        alike_ += count;
        end_ += count;
    }
    /// Returns how many runs there were.
    [[nodiscard]] std::uint64_t end() {
        end_alike();
        end_list();
        return runs_;
    }

  private:
    static constexpr std::uint32_t worth_a_run = 8;

    void begin_alike(std::uint32_t index, index_state state) {
        end_alike();
        if (index != end_) end_list();
        end_ = index;
        like_ = state;
    }
    void end_alike() {
        const std::uint32_t count = std::exchange(alike_, 0);
        if (count < worth_a_run || like_.live == 0) return list(end_ - count, count);
        end_list();
        write_head(end_ - count, run_form::alike, count);
        to_.write(like_);
    }
    void list(std::uint32_t first, std::uint32_t count) {
        if (listed_ == 0 && count != 0) write_head(first, run_form::listed, 0);
        listed_ += count;
        while (count-- != 0) {
            states_[waiting_++] = like_;
            if (waiting_ == states_.size()) flush();
        }
    }
    void end_list() {
        flush();
        if (listed_ != 0) to_.correct(place_of_count_, std::exchange(listed_, 0));
    }
    void write_head(std::uint32_t first, run_form form, std::uint64_t count) {
        to_.write(first);
        to_.write(static_cast<std::uint32_t>(form));
        place_of_count_ = to_.size();
        to_.write(count);
        ++runs_;
    }
    void flush() { to_.write_bytes(std::as_bytes(std::span(states_).first(std::exchange(waiting_, 0)))); }

    snapshot_writer& to_;
    index_state like_;      ///< The state of the last indices,
    std::uint32_t alike_{}; ///< which are that many,
    std::uint32_t end_{};   ///< and end here: at 0, which is no index that is written, before the first.
    std::uint64_t listed_{};
    std::array<index_state, 512> states_{}; ///< States of a list that are not written yet.
    std::size_t waiting_{};
    std::uint64_t runs_{};
    std::size_t place_of_count_{};
};

/// Writes runs of those indices that were ever used.
void saver::write_indices() {
    const std::size_t place = to_.size();
    to_.write(std::uint64_t{});
    run_writer runs(to_);
    const bool has_late_components = of_->rows().entities().has_late_components();
    of_->rows().for_each_state([&](std::uint32_t index, std::uint32_t count, index_state state) {
        const std::uint32_t end = index + count;
        index = std::max(index, entity_index::first_ordinary);
        if (index >= end || state.is_unused()) return;
        if (!has_late_components) return runs.add(index, end - index, state);
        for (; index != end; ++index)
            runs.add(index, 1, is_component(index) ? index_state{0, state.next} : state);
    });
    to_.correct(place, runs.end());
}

void saver::write_components() {
    to_.write(std::uint64_t{components_.size()});
    for (const std::uint32_t index : components_) write_component(of_->rows().entities().at(index));
}

void saver::write_component(entity component) {
    const std::string text = of_->rows().name_of_component(component);
    if (text.empty())
        throw snapshot_error(
            snapshot_refusal::not_savable,
            "component " + std::to_string(index_of(component)) +
                " has no name by which whoever loads it would know it: two other components "
                "have the name of its type already. Give the type another name, or a namespace");
    const component_info& info = of_->rows().records().find(component)->info;
    const auto* const members =
        reinterpret_cast<const reflection*>(of_->find(component, of_->rows().registered<reflection>()));
    to_.write_text(text);
    to_.write(index_of(component));
    to_.write(info.kept_in);
    to_.write(form_of(info.size, info.operations));
    to_.write(std::uint64_t{info.size});
    to_.write(std::uint64_t{info.alignment});
    to_.write(fingerprint_of_members(members, info));
}

void saver::write_head(const part& p) {
    to_.write(std::uint64_t{p.words.size()});
    for (const id word : p.words) to_.write(word.value());
    to_.write(std::uint64_t{p.rows});
    std::vector<std::uint32_t> owners; // The owners of one run: a few cache lines.
    for (const row_run& run : p.runs) {
        owners.resize(run.rows);
        const entity* const entities = run.first.block->entities() + run.first.row;
        for (std::uint32_t row = 0; row < run.rows; ++row) owners[row] = index_of(entities[row]);
        to_.write_bytes(std::as_bytes(std::span(owners)));
        settle();
    }
}

void saver::write_columns(const part& p) {
    for (const id word : p.words)
        if (const column* const c = word.is_wildcard() ? nullptr : p.archetype->column_of(word))
            write_column(*c, p);
    write_hidden(p);
}

/// Values that are bytes are written as they lie in memory.
void saver::write_column(const column& c, const part& p) {
    if (form_of(c.size, c.operations) != value_form::bytes) return write_values(c, p);
    to_.write(std::uint64_t{p.rows * c.size});
    for (const row_run& run : p.runs) {
        to_.write_bytes({c.value(run.first), std::size_t{run.rows} * c.size});
        settle();
    }
}

void saver::write_values(const column& c, const part& p) {
    const std::size_t place = to_.size();
    to_.write(std::uint64_t{});
    const component_info like{c.size, c.alignment, storage::table, c.operations};
    for (const row_run& run : p.runs)
        for (std::uint32_t i = 0; i < run.rows; ++i)
            write_value(c.component, like, c.value({run.first.block, run.first.row + i}));
    to_.correct(place, to_.size() - place - sizeof(std::uint64_t));
}

void saver::write_value(id word, const component_info& like, const std::byte* value) {
    switch (form_of(like.size, like.operations)) {
    case value_form::none: return;
    case value_form::bytes: return to_.write_bytes({value, like.size});
    case value_form::written: return like.operations.save(value, to_);
    case value_form::unknown:
        throw snapshot_error(snapshot_refusal::not_savable,
                             "component " + of_->reads().text_of_component(word) +
                                 ": its values are more than bytes, and nothing says how to save them: "
                                 "specialise ecs::snapshot_traits, or describe the component with the "
                                 "operations save and load, or leave " +
                                 (word.has_relation() ? "out the relation with all its pairs" : "it out") +
                                 ": save_options::without");
    }
}

/// Writes what is disabled in one row; returns how many.
std::uint64_t saver::write_hidden(const part& p, std::uint32_t number, row_ref at) {
    std::uint64_t hidden = 0;
    for (std::uint32_t i = 0; i < p.words.size(); ++i) {
        if (!p.archetype->is_disabled(p.archetype->position_of(p.words[i]), at)) continue;
        to_.write(number);
        to_.write(i);
        ++hidden;
    }
    return hidden;
}

/// Writes pairs of (row, position in the words) of what is disabled.
void saver::write_hidden(const part& p) {
    const std::size_t place = to_.size();
    std::uint64_t hidden = 0;
    to_.write(hidden);
    if (!p.archetype->togglable()) return;
    std::uint32_t number = 0; // The number of the row in the part.
    for (const row_run& run : p.runs)
        for (std::uint32_t row = 0; row < run.rows; ++row, ++number)
            hidden += write_hidden(p, number, {run.first.block, run.first.row + row});
    to_.correct(place, hidden);
}

void saver::write_sparse_sets() {
    std::vector<const sparse_set*> sets;
    std::ranges::copy_if(of_->rows().all_sparse_sets(), std::back_inserter(sets),
                         [&](const sparse_set* sparse) { return is_saved(*sparse); });
    std::ranges::sort(sets, {}, [](const sparse_set* sparse) { return sparse->word.value(); });
    to_.write(std::uint64_t{sets.size()});
    for (const sparse_set* const sparse : sets) write_sparse_set(*sparse);
}

/// The owners in the order of their rows.
std::vector<std::uint32_t> saver::owners_of(const sparse_set& sparse) const {
    std::vector<std::uint32_t> owners;
    for (const auto& t : of_->rows().tables())
        of_->rows().for_each_entity(*t, [&](entity e) {
            if (sparse.contains(index_of(e))) owners.push_back(index_of(e));
        });
    return owners;
}

void saver::write_sparse_set(const sparse_set& sparse) {
    const std::vector<std::uint32_t> owners = owners_of(sparse);
    to_.write(index_of(sparse.word.as_entity()));
    to_.write(std::uint64_t{owners.size()});
    for (const std::uint32_t index : owners) {
        to_.write(index);
        to_.write(static_cast<std::uint8_t>(sparse.enabled(index)));
    }
    const std::size_t place = to_.size();
    to_.write(std::uint64_t{});
    for (const std::uint32_t index : owners) write_value(sparse.word, sparse.info(), sparse.find(index));
    to_.correct(place, to_.size() - place - sizeof(std::uint64_t));
}

void saver::write_lists() {
    auto all = in_order<source_lists>(of_->rows().lists());
    // There may have been targets, and be none now.
    std::erase_if(all, [&](const auto& known) {
        return known.second->targets() == 0 || is_left_out_index(known.first);
    });
    to_.write(std::uint64_t{all.size()});
    for (const auto& [relation, lists] : all) {
        to_.write(relation);
        to_.write(std::uint64_t{lists->targets()});
        for (const auto& [target, sources] : in_order<std::vector<entity>>(*lists)) {
            to_.write(target);
            to_.write(std::uint64_t{sources->size()});
            for (const entity source : *sources) to_.write(index_of(source));
        }
    }
}

} // namespace ecs
