// SPDX-License-Identifier: MIT
// The floor: what bare memory allows when a program is written for one workload. Plain arrays, identifiers
// that are an index and a generation, no component that is not known beforehand.
#pragma once
#include "shape.hpp"
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

class plain_arrays {
  public:
    static constexpr const char* name = "floor";
    using handle = std::uint64_t;
    struct sparse {};
    using bit = frozen;
    using in_place = frozen;
    using tag_in_place = frozen;

    // Identifiers.

    void create(std::span<handle> out) {
        for (handle& e : out) e = create_one();
    }
    void create_bulk(std::span<handle> out) {
        std::iota(out.begin(), out.end(), first_generation | records_.size());
        records_.resize(records_.size() + out.size(), first_generation);
    }
    void destroy(std::span<const handle> ids) {
        for (const handle e : ids)
            if (alive(e)) destroy_one(e);
    }
    [[nodiscard]] std::size_t count_alive(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += alive(e);
        return count;
    }

    // Three components and a record of the row for each entity.

    void spawn_3(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = create_one();
            append(out[i], start_position(i), start_velocity(i), start_health(i));
        }
    }
    void spawn_3_bulk(std::span<handle> out, const samples& from) {
        create_bulk(out);
        entities_.assign(out.begin(), out.end());
        positions_.assign(from.positions.begin(), from.positions.end());
        velocities_.assign(from.velocities.begin(), from.velocities.end());
        healths_.assign(from.healths.begin(), from.healths.end());
        for (const handle e : out) records_[index(e)] = e;
    }
    void spawn_then_add_3(std::span<handle> out) { spawn_3(out); }
    void clone_3(handle original, std::span<handle> out) {
        for (handle& e : out) {
            e = create_one();
            const std::size_t row = index(records_[index(original)]);
            append(e, position(positions_[row]), velocity(velocities_[row]), health(healths_[row]));
        }
    }
    void despawn(std::span<const handle> ids) {
        for (const handle e : ids) {
            if (!alive(e)) continue;
            remove_row(index(records_[index(e)]));
            destroy_one(e);
        }
    }
    void despawn_bulk(std::span<const handle> ids) {
        destroy(ids);
        entities_.clear();
        positions_.clear();
        velocities_.clear();
        healths_.clear();
    }
    void despawn_by_query(std::span<const handle> ids) { despawn_bulk(ids); }
    [[nodiscard]] double sum_of_all() const {
        double sum = 0;
        for (const position& p : positions_) sum += p.x + p.y;
        for (const health& h : healths_) sum += h.points;
        return sum;
    }

    // Adding to entities that have a position: a value in a dense array and an index to it, or a flag.

    void spawn_1(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = create_one();
            positions_.push_back(start_position(i));
        }
        health_of_.resize(records_.size());
        is_frozen_.resize(records_.size());
    }
    void add_health_later(std::span<const handle> ids) {
        for (const handle e : ids) later_.emplace_back(e, health{1});
        for (const auto& [e, value] : later_) {
            if (!alive(e)) continue;
            health_of_[index(e)] = static_cast<std::uint32_t>(healths_.size());
            healths_.push_back(value);
            entities_.push_back(e);
        }
        later_.clear();
    }
    void add_both_later(std::span<const handle> ids) {
        add_health_later(ids);
        add_tag(ids);
    }
    void set_each_later(std::span<const handle> ids) {
        for (const handle e : ids) {
            positions_later_.emplace_back(e, position{1, 1});
            for (const auto& [of, value] : positions_later_)
                if (alive(of)) positions_[index(of)] = value;
            positions_later_.clear();
        }
    }
    template <class Then> void spawn_each_later(std::size_t n, Then then) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle made = create_one();
            movers_later_.emplace_back(made, start_position(i), start_velocity(i));
            for (const auto& [e, p, v] : movers_later_) append(e, p, v);
            movers_later_.clear();
            then(made);
        }
    }
    void end_mover(handle e) {
        if (!alive(e)) return;
        remove_mover(index(records_[index(e)]));
        destroy_one(e);
    }
    void add_health(std::span<const handle> ids) {
        for (const handle e : ids) {
            if (!alive(e)) continue;
            health_of_[index(e)] = static_cast<std::uint32_t>(healths_.size());
            healths_.push_back({1});
            entities_.push_back(e);
        }
    }
    void remove_health(std::span<const handle> ids) {
        for (const handle e : ids) {
            if (!alive(e)) continue;
            const std::uint32_t hole = health_of_[index(e)];
            health_of_[index(entities_.back())] = hole;
            take_last(healths_, hole);
            take_last(entities_, hole);
        }
    }
    void add_sparse(std::span<const handle> ids) { add_health(ids); }
    void remove_sparse(std::span<const handle> ids) { remove_health(ids); }
    void disable(std::span<const handle> ids) { mark(ids, true); }
    void enable(std::span<const handle> ids) { mark(ids, false); }
    void add_bit(std::span<const handle> ids) { add_tag(ids); }
    void remove_bit(std::span<const handle> ids) { remove_tag(ids); }
    void add_in_place(std::span<const handle> ids) {
        seconds_.resize(records_.size());
        for (const handle e : ids) {
            if (!alive(e)) continue;
            is_frozen_[index(e)] = true;
            seconds_[index(e)] = 1;
        }
    }
    void remove_in_place(std::span<const handle> ids) { mark(ids, false); }
    void add_tag_in_place(std::span<const handle> ids) { add_tag(ids); }
    void remove_tag_in_place(std::span<const handle> ids) { remove_tag(ids); }
    void smoulder() {
        for (std::size_t i = 0; i < positions_.size(); ++i)
            if (is_frozen_[i]) positions_[i].x += seconds_[i];
    }
    void add_tag(std::span<const handle> ids) { mark(ids, true); }
    void remove_tag(std::span<const handle> ids) { mark(ids, false); }

    // Reading. The row of an entity is its index.

    [[nodiscard]] double get_1(std::span<const handle> ids) const {
        float sum = 0;
        for (const handle e : ids) sum += positions_[index(e)].x;
        return sum;
    }
    [[nodiscard]] double get_1_held(std::span<const handle> ids) const { return get_1(ids); }
    [[nodiscard]] double get_2_held(std::span<const handle> ids) const { return get_2(ids); }
    [[nodiscard]] double get_1_batch(std::span<const handle> ids) const { return get_1(ids); }
    [[nodiscard]] double get_2_batch(std::span<const handle> ids) const { return get_2(ids); }
    [[nodiscard]] double get_2(std::span<const handle> ids) const {
        float sum = 0;
        for (const handle e : ids) sum += positions_[index(e)].x + velocities_[index(e)].x;
        return sum;
    }

    // Loops.

    void step_all() { step_rows(positions_, velocities_); }
    void step_all_by_chunk() { step_all(); }
    void step_all_in_a_range() { step_all(); }

    // Groups of entities that differ in what else they have.

    void spawn_letters(std::size_t n) { spawn_groups(n, letters); }
    void spawn_tags(std::size_t n, std::size_t archetypes) { spawn_groups(n, archetypes); }
    void spawn_mixed(std::size_t n) {
        groups_.resize(3);
        for (std::size_t i = 0; i < n; ++i) {
            group& in = groups_[is_frozen(i) ? 2 : has_health(i) ? 0 : 1];
            in.positions.push_back(start_position(i));
            in.velocities.push_back(start_velocity(i));
            if (has_health(i)) in.healths.push_back(start_health(i));
        }
    }
    void advance_all() {
        for (group& g : groups_) {
            position* const p = g.positions.data();
            for (std::size_t i = 0, rows = g.positions.size(); i < rows; ++i) advance(p[i]);
        }
    }
    void step_groups() {
        for (group& g : groups_) step_rows(g.positions, g.velocities);
    }
    void step_mixed() {
        group &with = groups_[0], &without = groups_[1];
        for (std::size_t i = 0, rows = with.positions.size(); i < rows; ++i)
            step(with.positions[i], with.velocities[i], &with.healths[i]);
        for (std::size_t i = 0, rows = without.positions.size(); i < rows; ++i)
            step(without.positions[i], without.velocities[i], nullptr);
    }
    [[nodiscard]] double sum_of_positions() const {
        double sum = 0;
        for (const group& g : groups_)
            for (const position& p : g.positions) sum += p.x + p.y;
        return sum;
    }

    /// Who has changed since the last question: a list.
    void change(handle e) {
        positions_[index(e)].x += 1;
        changed_.push_back(e);
    }
    [[nodiscard]] std::size_t count_changed() {
        const std::size_t count = changed_.size();
        changed_.clear();
        return count;
    }

    // Systems are functions on a list.

    void add_systems(std::size_t count) {
        systems_.assign(count, [](plain_arrays& of) {
            for (const position& p : of.positions_) of.sum_ += p.y;
        });
    }
    void run_systems() {
        for (const auto system : systems_) system(*this);
    }
    double take_sum() { return std::exchange(sum_, 0); }

    // What is told is told by a call.

    void observe_health() {}
    void observe_health_ten_times() { times_ = 10; }
    void observe_sparse() {}
    void observe_in_place() {}
    void observe_positions() {}
    void observe_sparse_writes() {}
    void observe_velocities() {}
    std::size_t take_told() { return std::exchange(told_, 0); }
    void add_health_heard(std::span<const handle> ids) {
        add_health(ids);
        tell(ids.size());
    }
    void remove_health_heard(std::span<const handle> ids) {
        tell(ids.size());
        remove_health(ids);
    }
    void add_sparse_heard(std::span<const handle> ids) { add_health_heard(ids); }
    void remove_sparse_heard(std::span<const handle> ids) { remove_health_heard(ids); }
    void add_in_place_heard(std::span<const handle> ids) {
        add_in_place(ids);
        tell(ids.size());
    }
    void remove_in_place_heard(std::span<const handle> ids) {
        tell(ids.size());
        remove_in_place(ids);
    }
    void spawn_3_heard(std::span<handle> out) {
        spawn_3(out);
        tell(out.size());
    }
    void despawn_heard(std::span<const handle> ids) {
        tell(ids.size());
        despawn(ids);
    }
    void set_positions(std::span<const handle> ids) {
        for (const handle e : ids)
            if (alive(e)) positions_[index(e)] = {1, 1};
    }
    void set_sparse_heard(std::span<const handle> ids) { set_positions_heard(ids); }
    void set_positions_heard(std::span<const handle> ids) {
        set_positions(ids);
        tell(ids.size());
    }

    /// A flag says who has what; but a value that comes and goes is in an array of its own.
    template <class T> [[nodiscard]] std::size_t count_with(std::span<const handle> ids) const {
        if constexpr (std::is_same_v<T, sparse>) return healths_.size();
        std::size_t count = 0;
        for (const handle e : ids) count += alive(e) && is_frozen_[index(e)];
        return count;
    }
    [[nodiscard]] std::size_t count_disabled(std::span<const handle> ids) const {
        return count_with<frozen>(ids);
    }

    void sort_positions() {
        order_.resize(positions_.size());
        std::iota(order_.begin(), order_.end(), 0U);
        std::ranges::sort(order_, {}, [&](std::uint32_t i) { return positions_[i].x; });
    }
    void sort_rows() {
        std::ranges::sort(positions_, {}, &position::x);
        std::iota(order_.begin(), order_.end(), 0U);
    }
    [[nodiscard]] double sum_in_order() const {
        double sum = 0;
        for (const std::uint32_t i : order_) sum += positions_[i].x;
        return sum;
    }
    [[nodiscard]] double sum_of_enabled() const {
        double sum = 0;
        for (std::size_t i = 0; i < positions_.size(); ++i)
            if (!is_frozen_[i]) sum += positions_[i].x + positions_[i].y;
        return sum;
    }

    auto arrays() { return std::tie(records_, entities_, positions_, velocities_, healths_); }

    // A state, as arrays and as bytes.
    void keep() { kept_ = arrays(); }
    void go_back() { arrays() = kept_; }
    void save() {
        saved_.clear();
        std::apply([&](const auto&... each) { (append_bytes(each), ...); }, arrays());
    }
    void load() {
        const std::byte* from = saved_.data();
        std::apply([&](auto&... each) { ((from = take_bytes(each, from)), ...); }, arrays());
    }

  private:
    using all_arrays = std::tuple<std::vector<std::uint64_t>, std::vector<handle>, std::vector<position>,
                                  std::vector<velocity>, std::vector<health>>;
    template <class T> void append_bytes(const std::vector<T>& from) {
        const auto bytes = std::as_bytes(std::span(from));
        saved_.insert(saved_.end(), bytes.begin(), bytes.end());
    }
    template <class T> static const std::byte* take_bytes(std::vector<T>& to, const std::byte* from) {
        std::vector<T> fresh(to.size());
        std::memcpy(fresh.data(), from, fresh.size() * sizeof(T));
        to.swap(fresh);
        return from + to.size() * sizeof(T);
    }
    struct group {
        std::vector<position> positions;
        std::vector<velocity> velocities;
        std::vector<health> healths;
    };

    static void step_rows(std::vector<position>& positions, const std::vector<velocity>& velocities) {
        position* const p = positions.data();
        const velocity* const v = velocities.data();
        for (std::size_t i = 0, rows = positions.size(); i < rows; ++i) step(p[i], v[i]);
    }
    void spawn_groups(std::size_t n, std::size_t groups) {
        groups_.resize(groups);
        for (std::size_t i = 0; i < n; ++i) {
            groups_[i % groups].positions.push_back(start_position(i));
            groups_[i % groups].velocities.push_back(start_velocity(i));
        }
    }

    static constexpr unsigned generation_shift = 32;
    static constexpr std::uint64_t first_generation = std::uint64_t{1} << generation_shift;

    static std::uint32_t index(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

    [[nodiscard]] bool alive(handle e) const {
        return index(e) < records_.size() && (records_[index(e)] ^ e) >> generation_shift == 0;
    }
    handle create_one() {
        if (free_.empty()) {
            records_.push_back(first_generation);
            return first_generation | (records_.size() - 1);
        }
        const std::uint32_t i = free_.back();
        free_.pop_back();
        return (records_[i] & ~std::uint64_t{0xFFFF'FFFF}) | i;
    }
    void destroy_one(handle e) {
        records_[index(e)] += first_generation;
        free_.push_back(index(e));
    }
    void append(handle e, position p, velocity v, health h) {
        append(e, p, v);
        healths_.push_back(h);
    }
    void append(handle e, position p, velocity v) {
        records_[index(e)] = (e & ~std::uint64_t{0xFFFF'FFFF}) | entities_.size();
        entities_.push_back(e);
        positions_.push_back(p);
        velocities_.push_back(v);
    }
    void remove_row(std::uint32_t hole) {
        remove_mover(hole);
        take_last(healths_, hole);
    }
    void remove_mover(std::uint32_t hole) {
        std::uint64_t& moved = records_[index(entities_.back())];
        moved = (moved & ~std::uint64_t{0xFFFF'FFFF}) | hole;
        take_last(entities_, hole);
        take_last(positions_, hole);
        take_last(velocities_, hole);
    }
    template <class T> static void take_last(std::vector<T>& column, std::uint32_t hole) {
        column[hole] = column.back();
        column.pop_back();
    }
    void tell(std::size_t entities) {
        for (std::size_t calls = entities * times_; calls != 0; --calls) hear_(*this);
    }
    void mark(std::span<const handle> ids, bool value) {
        for (const handle e : ids)
            if (alive(e)) is_frozen_[index(e)] = value;
    }

    std::vector<std::uint64_t> records_; ///< Generation and row of each index.
    std::vector<std::uint32_t> free_;
    std::vector<handle> entities_;
    std::vector<position> positions_;
    std::vector<velocity> velocities_;
    std::vector<health> healths_;
    std::vector<std::pair<handle, health>> later_;
    std::vector<std::pair<handle, position>> positions_later_;
    std::vector<std::tuple<handle, position, velocity>> movers_later_;
    std::vector<std::uint32_t> health_of_;
    std::vector<std::uint8_t> is_frozen_;
    std::vector<float> seconds_; ///< Of those that smoulder.
    std::vector<std::uint32_t> order_;
    std::vector<void (*)(plain_arrays&)> systems_;
    double sum_{};
    std::size_t told_{};
    std::size_t times_ = 1; ///< How many hear of one entity.
    void (*volatile hear_)(plain_arrays&) = [](plain_arrays& of) { ++of.told_; };
    std::vector<handle> changed_;
    all_arrays kept_;
    std::vector<std::byte> saved_;
    std::vector<group> groups_;
};
