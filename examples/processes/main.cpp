// SPDX-License-Identifier: MIT
// The processes of this machine as a world. A pid is an index that the kernel uses again; together with the
// time the process started, as its generation, it is an identifier that means one process for ever.
#include "process_table.hpp"
#include <algorithm>
#include <chrono>
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

import ecs;

namespace {

// Linux numbers processes up to 2^22; 2^42 clock ticks are more than a thousand years.
using process_layout =
    ecs::layout<std::uint64_t, ecs::index<"pid", 21, 0>, ecs::generation<"started", 63, 22>>;
static_assert(ecs::valid_layout<process_layout> && ecs::fully_owned<process_layout>);
using process_id = ecs::basic_id<process_layout>;

struct Process {
    process_id id;
};
struct Usage {
    std::uint64_t cpu;      ///< Clock ticks so far.
    std::uint64_t recent;   ///< Clock ticks between the two looks.
    std::uint64_t resident; ///< Bytes.
};
struct Command {
    std::string text;
};
struct OwnedBy {};

class process_world {
  public:
    /// Takes over a look at the table: processes that are new appear, those that are gone end, with their
    /// handles.
    void update(const std::vector<processes::process_row>& rows) {
        end_missing(rows);
        for (const auto& row : rows) see(row);
        for (const auto& row : rows) put_below_parent(row);
    }

    void print_tree() {
        std::vector<std::pair<ecs::entity, int>> stack;
        world_.query<const Process>().each([&](ecs::entity e, const Process&) {
            if (!world_.parent(e)) stack.emplace_back(e, 0);
        });
        while (!stack.empty()) {
            const auto [e, depth] = stack.back();
            stack.pop_back();
            print_line(e, depth);
            for (const ecs::entity child : world_.children(e)) stack.emplace_back(child, depth + 1);
        }
    }

    void print_top(std::size_t most) {
        std::vector<std::pair<Usage, ecs::entity>> all;
        world_.each([&](ecs::entity e, const Usage& usage) { all.emplace_back(usage, e); });
        std::ranges::sort(all, std::ranges::greater{},
                          [](const auto& p) { return std::pair(p.first.recent, p.first.resident); });
        std::printf("\n%8s %12s %10s  %s\n", "pid", "recent ticks", "MiB", "command");
        for (const auto& [usage, e] : all) {
            if (most-- == 0) break;
            std::printf("%8llu %12llu %10.1f  %s\n", number(world_.get<Process>(e).id.index()),
                        number(usage.recent), static_cast<double>(usage.resident) / 1048576,
                        world_.get<Command>(e).text.c_str());
        }
    }

    void print_users() {
        std::printf("\n%-16s %9s\n", "user", "processes");
        for (const auto& [number, user] : users_) {
            const std::size_t owned =
                world_.query().with(ecs::pair(world_.component<OwnedBy>(), user)).count();
            if (owned != 0) std::printf("%-16s %9zu\n", processes::user_name(number).c_str(), owned);
        }
    }

    [[nodiscard]] std::size_t ended() const { return ended_; }
    [[nodiscard]] std::size_t size() { return world_.query<const Process>().count(); }

  private:
    static unsigned long long number(std::uint64_t value) { return value; }

    /// Generations count from 1, and the first process started at tick 0.
    static process_id id_of(const processes::process_row& row) {
        return ecs::build<process_layout>().id().with<"pid">(row.pid).with<"started">(row.started + 1);
    }

    void end_missing(const std::vector<processes::process_row>& rows) {
        std::unordered_map<process_id, bool> seen;
        for (const auto& row : rows) seen[id_of(row)] = true;
        std::vector<process_id> missing;
        for (const auto& [id, e] : entities_)
            if (!seen.contains(id)) missing.push_back(id);
        for (const process_id id : missing) end(id);
    }

    /// Its children live on, as the kernel lets them: they are handed to another parent when they are seen
    /// again.
    void end(process_id id) {
        const ecs::entity e = entities_.at(id);
        std::vector<ecs::entity> orphans;
        for (const ecs::entity child : world_.children(e)) orphans.push_back(child);
        for (const ecs::entity child : orphans) world_.remove(child, ecs::pair(ecs::child_of, e));
        world_.despawn(e);
        pids_.destroy(id);
        entities_.erase(id);
        ++ended_;
    }

    void see(const processes::process_row& row) {
        const process_id id = id_of(row);
        if (!pids_.alive(id)) begin(id, row);
        const ecs::entity e = entities_.at(id);
        const Usage& before = world_.get<Usage>(e);
        world_.set(e, Usage{row.cpu, row.cpu - before.cpu, row.resident});
    }

    void begin(process_id id, const processes::process_row& row) {
        if (!pids_.claim(id)) throw std::runtime_error("pid " + std::to_string(row.pid) + " is in use twice");
        const ecs::entity e = world_.spawn(Process{id}, Usage{row.cpu, 0, 0}, Command{row.command});
        world_.add(e, ecs::pair(world_.component<OwnedBy>(), user(row.user)));
        entities_.emplace(id, e);
        by_pid_[row.pid] = e;
    }

    ecs::entity user(std::uint32_t number) {
        ecs::entity& known = users_[number];
        if (!known) known = world_.spawn();
        return known;
    }

    void put_below_parent(const processes::process_row& row) {
        const auto parent = by_pid_.find(row.parent);
        if (row.parent == 0 || parent == by_pid_.end() || !world_.alive(parent->second)) return;
        world_.add(entities_.at(id_of(row)), ecs::pair(ecs::child_of, parent->second));
    }

    void print_line(ecs::entity e, int depth) {
        const Process& process = world_.get<Process>(e);
        std::printf("%*s%s (%llu)\n", 2 * depth, "", world_.get<Command>(e).text.c_str(),
                    number(process.id.index()));
    }

    ecs::world world_;
    ecs::basic_registry<process_layout> pids_;
    std::unordered_map<process_id, ecs::entity> entities_;
    std::unordered_map<std::uint32_t, ecs::entity> by_pid_;
    std::unordered_map<std::uint32_t, ecs::entity> users_;
    std::size_t ended_{};
};

void run(unsigned milliseconds, std::size_t top) {
    process_world machine;
    machine.update(processes::read_process_table());
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    machine.update(processes::read_process_table());
    machine.print_tree();
    machine.print_top(top);
    machine.print_users();
    std::printf("\n%zu processes; %zu ended between the two looks\n", machine.size(), machine.ended());
}

} // namespace

int main(int argc, char** argv) {
    unsigned milliseconds = 200;
    unsigned top = 10;
    CLI::App app("The processes of this machine as a world: a tree, users, and who uses most");
    app.add_option("--wait", milliseconds, "milliseconds between two looks")->capture_default_str();
    app.add_option("--top", top, "how many consumers to print")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    try {
        run(milliseconds, top);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "processes: %s\n", e.what());
        return 1;
    }
    return 0;
}
