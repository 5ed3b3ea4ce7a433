// SPDX-License-Identifier: MIT
// What does it cost to write a world as JSON, and to read it? The floor writes and reads the same numbers
// under the same names, in a form that it knows, without a line for each.
#include "compare.hpp"
#include "shape.hpp"
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>
#ifdef ECS_BENCH_FLECS
#include <flecs.h>
#endif

import ecs.world;
import ecs.json;

namespace {

class plain_text {
  public:
    static constexpr const char* name = "floor";

    void spawn(std::size_t count) {
        const samples all(count);
        positions_ = all.positions;
        velocities_ = all.velocities;
        healths_ = all.healths;
    }
    [[nodiscard]] std::string write() const {
        std::string text = "[";
        for (std::size_t i = 0; i != positions_.size(); ++i) {
            write(text, "{\"position\":{\"x\":", positions_[i].x);
            write(text, ",\"y\":", positions_[i].y);
            write(text, "},\"velocity\":{\"x\":", velocities_[i].x);
            write(text, ",\"y\":", velocities_[i].y);
            write(text, "},\"health\":{\"points\":", healths_[i].points);
            text += i + 1 == positions_.size() ? "}}]" : "}},";
        }
        return text;
    }
    void read(std::string_view text) {
        while (text.find(R"("x":)") != std::string_view::npos) {
            position& p = positions_.emplace_back();
            velocity& v = velocities_.emplace_back();
            for (float* const value : {&p.x, &p.y, &v.x, &v.y}) read(text, *value);
            read(text, healths_.emplace_back().points);
        }
    }
    [[nodiscard]] double sum_of_all() const {
        double sum = 0;
        for (std::size_t i = 0; i != positions_.size(); ++i)
            sum += positions_[i].x + positions_[i].y + velocities_[i].x + velocities_[i].y +
                   static_cast<float>(healths_[i].points);
        return sum;
    }

  private:
    template <class Number> static void write(std::string& to, std::string_view before, Number value) {
        char digits[32];
        const char* const end = std::to_chars(digits, digits + sizeof digits, value).ptr;
        to.append(before).append(digits, static_cast<std::size_t>(end - digits));
    }
    /// Reads the number behind the next name that has one.
    template <class Number> static void read(std::string_view& from, Number& value) {
        std::size_t at = from.find(':');
        if (from[at + 1] == '{') at = from.find(':', at + 1);
        const char* const end = std::from_chars(from.data() + at + 1, from.data() + from.size(), value).ptr;
        from.remove_prefix(static_cast<std::size_t>(end - from.data()));
    }

    std::vector<position> positions_;
    std::vector<velocity> velocities_;
    std::vector<health> healths_;
};

class our_text {
  public:
    static constexpr const char* name = "ecs";

    our_text() {
        world_.component<position>();
        world_.component<velocity>();
        world_.component<health>();
    }
    void spawn(std::size_t count) {
        for (std::size_t i = 0; i != count; ++i)
            world_.spawn(start_position(i), start_velocity(i), start_health(i));
    }
    [[nodiscard]] std::string write() const { return ecs::export_json(world_); }
    void read(std::string_view text) { ecs::import_json(world_, text); }
    [[nodiscard]] double sum_of_all() {
        double sum = 0;
        world_.query<const position, const velocity, const health>().each(
            [&](const position& p, const velocity& v, const health& h) {
                sum += p.x + p.y + v.x + v.y + static_cast<float>(h.points);
            });
        return sum;
    }

  private:
    ecs::world world_;
};

#ifdef ECS_BENCH_FLECS
class flecs_text {
  public:
    static constexpr const char* name = "flecs";

    flecs_text() {
        world_.component<position>().member<float>("x").member<float>("y");
        world_.component<velocity>().member<float>("x").member<float>("y");
        world_.component<health>().member<int>("points");
    }
    void spawn(std::size_t count) {
        for (std::size_t i = 0; i != count; ++i)
            world_.entity().set(start_position(i)).set(start_velocity(i)).set(start_health(i));
    }
    [[nodiscard]] std::string write() const { return world_.to_json().c_str(); }
    void read(const std::string& text) { world_.from_json(text.c_str()); }
    [[nodiscard]] double sum_of_all() {
        double sum = 0;
        world_.each([&](const position& p, const velocity& v, const health& h) {
            sum += p.x + p.y + v.x + v.y + static_cast<float>(h.points);
        });
        return sum;
    }

  private:
    flecs::world world_;
};
#endif

inline constexpr contender_list<plain_text, our_text
#ifdef ECS_BENCH_FLECS
                                ,
                                flecs_text
#endif
                                >
    writers;

template <class Store> std::string text_of(std::size_t count) {
    Store store;
    store.spawn(count);
    return store.write();
}

/// What a store has that has read the text.
template <class Store> double sum_in(const std::string& text) {
    Store store;
    store.read(text);
    return store.sum_of_all();
}

const bool written =
    compare(writers, "export_json_100000", goal{4.0}, []<class Store>(benchmark::State& state) {
        const std::size_t count = bench_size(100'000);
        Store store;
        store.spawn(count);
        std::string text;
        for (auto _ : state) benchmark::DoNotOptimize(text = store.write());
        count_items(state, count);
        return sum_in<Store>(text);
    });

const bool read =
    compare(writers, "import_json_100000", goal{20.0}, []<class Store>(benchmark::State& state) {
        const std::size_t count = bench_size(100'000);
        const std::string text = text_of<Store>(count);
        const double sum = time_on_fresh_stores<Store>(
            state, [](Store&) {}, [&](Store& store) { store.read(text); },
            [](Store& store) { return store.sum_of_all(); });
        count_items(state, count);
        return sum;
    });

} // namespace
