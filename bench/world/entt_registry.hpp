// SPDX-License-Identifier: MIT
// EnTT with its default identifiers of 32 bits.
#pragma once
#include "shape.hpp"
#include <array>
#include <cstddef>
#include <cstring>
#include <entt/core/hashed_string.hpp>
#include <entt/entity/registry.hpp>
#include <entt/entity/snapshot.hpp>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

class entt_registry {
  public:
    static constexpr const char* name = "EnTT";
    using handle = entt::entity;
    using sparse = burning;
    using bit = frozen;
    using in_place = smouldering;
    using tag_in_place = frozen;

    void create(std::span<handle> out) {
        for (handle& e : out) e = registry_.create();
    }
    void create_bulk(std::span<handle> out) { registry_.create(out.begin(), out.end()); }
    void destroy(std::span<const handle> ids) {
        for (const handle e : ids) registry_.destroy(e);
    }
    [[nodiscard]] std::size_t count_alive(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += registry_.valid(e);
        return count;
    }

    void spawn_3(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = registry_.create();
            registry_.emplace<position>(out[i], start_position(i));
            registry_.emplace<velocity>(out[i], start_velocity(i));
            registry_.emplace<health>(out[i], start_health(i));
        }
    }
    void spawn_3_bulk(std::span<handle> out, const samples& from) {
        registry_.create(out.begin(), out.end());
        registry_.insert<position>(out.begin(), out.end(), from.positions.begin());
        registry_.insert<velocity>(out.begin(), out.end(), from.velocities.begin());
        registry_.insert<health>(out.begin(), out.end(), from.healths.begin());
    }
    void spawn_then_add_3(std::span<handle> out) { spawn_3(out); }
    /// As its documentation copies entities: through all storages.
    void clone_3(handle original, std::span<handle> out) {
        for (handle& e : out) {
            e = registry_.create();
            for (auto [id, storage] : registry_.storage())
                if (storage.contains(original)) storage.push(e, storage.value(original));
        }
    }
    void despawn(std::span<const handle> ids) { destroy(ids); }
    void despawn_bulk(std::span<const handle> ids) { registry_.destroy(ids.begin(), ids.end()); }
    void despawn_by_query(std::span<const handle>) {
        const auto all = registry_.view<const position, const velocity, const health>();
        registry_.destroy(all.begin(), all.end());
    }
    [[nodiscard]] double sum_of_all() {
        double sum = 0;
        for (auto [e, p] : registry_.view<const position>().each()) sum += p.x + p.y;
        for (auto [e, h] : registry_.view<const health>().each()) sum += h.points;
        return sum;
    }

    void spawn_1(std::span<handle> out) {
        for (std::size_t i = 0; i < out.size(); ++i) {
            out[i] = registry_.create();
            registry_.emplace<position>(out[i], start_position(i));
        }
    }
    void add_health(std::span<const handle> ids) {
        for (const handle e : ids) registry_.emplace<health>(e, 1);
    }
    /// It has no commands: programs keep a list of their own.
    void add_health_later(std::span<const handle> ids) {
        for (const handle e : ids) later_.emplace_back(e, health{1});
        for (const auto& [e, value] : later_)
            if (registry_.valid(e)) registry_.emplace<health>(e, value);
        later_.clear();
    }
    void add_both_later(std::span<const handle> ids) {
        for (const handle e : ids) later_.emplace_back(e, health{1});
        for (const auto& [e, value] : later_) {
            if (!registry_.valid(e)) continue;
            registry_.emplace<health>(e, value);
            registry_.emplace<frozen>(e);
        }
        later_.clear();
    }
    void set_each_later(std::span<const handle> ids) {
        for (const handle e : ids) {
            positions_later_.emplace_back(e, position{1, 1});
            for (const auto& [of, value] : positions_later_)
                if (registry_.valid(of)) registry_.replace<position>(of, value);
            positions_later_.clear();
        }
    }
    template <class Then> void spawn_each_later(std::size_t n, Then then) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle made = registry_.create();
            movers_later_.emplace_back(made, start_position(i), start_velocity(i));
            for (const auto& [e, p, v] : movers_later_) {
                registry_.emplace<position>(e, p);
                registry_.emplace<velocity>(e, v);
            }
            movers_later_.clear();
            then(made);
        }
    }
    void end_mover(handle e) { registry_.destroy(e); }
    void remove_health(std::span<const handle> ids) {
        for (const handle e : ids) registry_.remove<health>(e);
    }
    void add_sparse(std::span<const handle> ids) {
        for (const handle e : ids) registry_.emplace<burning>(e, 1.F);
    }
    void remove_sparse(std::span<const handle> ids) {
        for (const handle e : ids) registry_.remove<burning>(e);
    }
    /// There is no switch: a tag says it.
    void disable(std::span<const handle> ids) { add_tag(ids); }
    void enable(std::span<const handle> ids) { remove_tag(ids); }
    void add_bit(std::span<const handle> ids) { add_tag(ids); }
    void remove_bit(std::span<const handle> ids) { remove_tag(ids); }
    void add_in_place(std::span<const handle> ids) {
        for (const handle e : ids) registry_.emplace<smouldering>(e, 1.F);
    }
    void remove_in_place(std::span<const handle> ids) {
        for (const handle e : ids) registry_.remove<smouldering>(e);
    }
    void add_tag_in_place(std::span<const handle> ids) { add_tag(ids); }
    void remove_tag_in_place(std::span<const handle> ids) { remove_tag(ids); }
    void smoulder() {
        registry_.view<position, const smouldering>().each(
            [](position& p, const smouldering& s) { p.x += s.seconds; });
    }
    void add_tag(std::span<const handle> ids) {
        for (const handle e : ids) registry_.emplace<frozen>(e);
    }
    void remove_tag(std::span<const handle> ids) {
        for (const handle e : ids) registry_.remove<frozen>(e);
    }

    [[nodiscard]] double get_1(std::span<const handle> ids) {
        float sum = 0;
        for (const handle e : ids) sum += registry_.get<position>(e).x;
        return sum;
    }
    [[nodiscard]] double get_2(std::span<const handle> ids) {
        float sum = 0;
        for (const handle e : ids) sum += registry_.get<position>(e).x + registry_.get<velocity>(e).x;
        return sum;
    }
    [[nodiscard]] double get_1_held(std::span<const handle> ids) {
        const auto& positions = registry_.storage<position>();
        float sum = 0;
        for (const handle e : ids) sum += positions.get(e).x;
        return sum;
    }
    [[nodiscard]] double get_2_held(std::span<const handle> ids) {
        const auto& positions = registry_.storage<position>();
        const auto& velocities = registry_.storage<velocity>();
        float sum = 0;
        for (const handle e : ids) sum += positions.get(e).x + velocities.get(e).x;
        return sum;
    }
    [[nodiscard]] double get_1_batch(std::span<const handle> ids) { return get_1_held(ids); }
    [[nodiscard]] double get_2_batch(std::span<const handle> ids) { return get_2_held(ids); }

    void step_all() {
        registry_.view<position, const velocity>().each([](position& p, const velocity& v) { step(p, v); });
    }

    void step_all_in_a_range() {
        for (auto [e, p, v] : registry_.view<position, const velocity>().each()) step(p, v);
    }

    /// An owning group sorts both pools alike; their pages are then arrays in step.
    void step_all_by_chunk() {
        const auto movers = registry_.group<position, velocity>();
        constexpr std::size_t page = entt::component_traits<position>::page_size;
        position* const* const positions = movers.storage<position>()->raw();
        velocity* const* const velocities = movers.storage<velocity>()->raw();
        for (std::size_t first = 0; first < movers.size(); first += page) {
            position* const p = positions[first / page];
            const velocity* const v = velocities[first / page];
            for (std::size_t i = 0, rows = std::min(page, movers.size() - first); i < rows; ++i)
                step(p[i], v[i]);
        }
    }

    void spawn_letters(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = spawn_mover(i);
            for_letter(i % letters, [&]<class Letter> { registry_.emplace<Letter>(e); });
        }
    }
    void spawn_tags(std::size_t n, std::size_t archetypes) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = spawn_mover(i);
            for_tags(i % archetypes, [&]<class Tag> { registry_.emplace<Tag>(e); });
        }
    }
    void spawn_mixed(std::size_t n) {
        for (std::size_t i = 0; i < n; ++i) {
            const handle e = spawn_mover(i);
            if (has_health(i)) registry_.emplace<health>(e, start_health(i));
            if (is_frozen(i)) registry_.emplace<frozen>(e);
        }
    }
    void advance_all() {
        registry_.view<position>().each([](position& p) { advance(p); });
    }
    void step_groups() { step_all(); }
    void step_mixed() {
        const auto& healths = registry_.storage<health>();
        registry_.view<position, const velocity>(entt::exclude<frozen>)
            .each([&](handle e, position& p, const velocity& v) {
                step(p, v, healths.contains(e) ? &healths.get(e) : nullptr);
            });
    }
    [[nodiscard]] double sum_of_positions() {
        double sum = 0;
        for (auto [e, p] : registry_.view<const position>().each()) sum += p.x + p.y;
        return sum;
    }

    /// A storage that notes who was patched.
    void change(handle e) {
        registry_.patch<position>(e, [](position& p) { p.x += 1; });
    }
    [[nodiscard]] std::size_t count_changed() {
        if (!changed_) {
            changed_ = &registry_.storage<entt::reactive>(entt::hashed_string{"changed"});
            changed_->on_update<position>();
        }
        std::size_t count = 0;
        for ([[maybe_unused]] const handle e : *changed_) ++count;
        changed_->erase(changed_->begin(), changed_->end()); // clear() would visit the index of every entity.
        return count;
    }

    // The registry as bytes, by its snapshot and an archive that copies.
    void save() {
        saved_.clear();
        const auto write = [&](const auto& value) {
            const std::size_t end = saved_.size();
            saved_.resize(end + sizeof value);
            std::memcpy(saved_.data() + end, &value, sizeof value);
        };
        entt::snapshot{registry_}.get<handle>(write).get<position>(write).get<velocity>(write).get<health>(
            write);
    }
    void load() {
        registry_ = entt::registry{};
        const std::byte* from = saved_.data();
        const auto read = [&](auto& value) {
            std::memcpy(&value, from, sizeof value);
            from += sizeof value;
        };
        entt::snapshot_loader{registry_}
            .get<handle>(read)
            .get<position>(read)
            .get<velocity>(read)
            .get<health>(read);
    }

    template <class T> void observe_what_comes() {
        registry_.on_construct<T>().template connect<&entt_registry::hear>(*this);
        registry_.on_destroy<T>().template connect<&entt_registry::hear>(*this);
    }
    void observe_health() { observe_what_comes<health>(); }
    void observe_sparse() { observe_what_comes<burning>(); }
    void observe_in_place() { observe_what_comes<smouldering>(); }
    /// A signal knows a listener once, so that each of the ten is an object of its own.
    void observe_health_ten_times() {
        for (listener& one : listeners_) {
            one.of = this;
            registry_.on_construct<health>().connect<&listener::hear>(one);
            registry_.on_destroy<health>().connect<&listener::hear>(one);
        }
    }
    void observe_positions() { registry_.on_update<position>().connect<&entt_registry::hear>(*this); }
    void observe_sparse_writes() { registry_.on_update<burning>().connect<&entt_registry::hear>(*this); }
    void observe_velocities() { registry_.on_update<velocity>().connect<&entt_registry::hear>(*this); }
    std::size_t take_told() { return std::exchange(told_, 0); }
    void add_health_heard(std::span<const handle> ids) { add_health(ids); }
    void remove_health_heard(std::span<const handle> ids) { remove_health(ids); }
    void add_sparse_heard(std::span<const handle> ids) { add_sparse(ids); }
    void remove_sparse_heard(std::span<const handle> ids) { remove_sparse(ids); }
    void add_in_place_heard(std::span<const handle> ids) { add_in_place(ids); }
    void remove_in_place_heard(std::span<const handle> ids) { remove_in_place(ids); }
    void spawn_3_heard(std::span<handle> out) { spawn_3(out); }
    void despawn_heard(std::span<const handle> ids) { despawn(ids); }
    void set_positions(std::span<const handle> ids) {
        for (const handle e : ids) registry_.replace<position>(e, 1.F, 1.F);
    }
    void set_positions_heard(std::span<const handle> ids) { set_positions(ids); }
    void set_sparse_heard(std::span<const handle> ids) {
        for (const handle e : ids) registry_.replace<burning>(e, 2.F);
    }

    template <class T> [[nodiscard]] std::size_t count_with(std::span<const handle> ids) const {
        std::size_t count = 0;
        for (const handle e : ids) count += registry_.all_of<T>(e);
        return count;
    }
    [[nodiscard]] std::size_t count_disabled(std::span<const handle> ids) const {
        return count_with<frozen>(ids);
    }

    /// It does not know whether the order still holds: programs sort again, by insertion.
    void sort_positions() {
        registry_.sort<position>([](const position& a, const position& b) { return a.x < b.x; },
                                 entt::insertion_sort{});
    }
    [[nodiscard]] double sum_in_order() {
        sort_positions();
        double sum = 0;
        for (auto [e, p] : registry_.view<const position>().each()) sum += p.x;
        return sum;
    }
    [[nodiscard]] double sum_of_enabled() {
        double sum = 0;
        for (auto [e, p] : registry_.view<const position>(entt::exclude<frozen>).each()) sum += p.x + p.y;
        return sum;
    }

  private:
    struct listener {
        entt_registry* of{};
        void hear(entt::registry&, entt::entity) { ++of->told_; }
    };
    void hear(entt::registry&, entt::entity) { ++told_; }
    handle spawn_mover(std::size_t i) {
        const handle e = registry_.create();
        registry_.emplace<position>(e, start_position(i));
        registry_.emplace<velocity>(e, start_velocity(i));
        return e;
    }

    entt::registry registry_;
    std::size_t told_{};
    std::array<listener, 10> listeners_{};
    std::vector<std::pair<handle, health>> later_;
    std::vector<std::pair<handle, position>> positions_later_;
    std::vector<std::tuple<handle, position, velocity>> movers_later_;
    entt::storage_for_t<entt::reactive>* changed_{};
    std::vector<std::byte> saved_;
};
