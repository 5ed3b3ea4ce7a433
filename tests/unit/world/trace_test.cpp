// SPDX-License-Identifier: MIT
// What a schedule writes of its runs, and what it tells a profiler.
#include "support/sanitized.hpp"
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>
#include <sys/resource.h>

import ecs.world;

namespace {

using json = nlohmann::json;

struct position {
    float x, y;
};
struct health {
    int points;
};

/// A path in the folder for temporary files, which is free at the end.
class scratch_file {
  public:
    scratch_file()
        : path_((std::filesystem::temp_directory_path() /
                 ("trace_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) +
                  ".json"))
                    .string()) {
        std::filesystem::remove(path_);
    }
    scratch_file(const scratch_file&) = delete;
    scratch_file& operator=(const scratch_file&) = delete;
    ~scratch_file() { std::filesystem::remove(path_); }

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] json read() const { return json::parse(std::ifstream(path_)); }

  private:
    std::string path_;
};

/// The titles of what began, by what it is; also checks that each thread ended what it began, the last first.
std::map<std::string, std::vector<std::string>> begun_in(const json& events) {
    std::map<std::string, std::vector<std::string>> begun;
    std::map<int, std::vector<std::string>> open;
    std::map<int, double> last;
    for (const json& e : events) {
        if (e["ph"] == "M") continue;
        const int track = e["tid"].get<int>();
        const auto when = e["ts"].get<double>();
        EXPECT_GE(when, last[track]);
        last[track] = when;
        if (e["ph"] == "B") {
            open[track].push_back(e["name"].get<std::string>());
            begun[e["cat"].get<std::string>()].push_back(e["name"].get<std::string>());
        } else {
            EXPECT_TRUE(e["ph"] == "E");
            EXPECT_FALSE(open[track].empty()) << e.dump();
            if (open[track].empty()) continue;
            EXPECT_EQ(open[track].back(), e["name"].get<std::string>());
            open[track].pop_back();
        }
    }
    for (const auto& [track, left] : open) EXPECT_TRUE(left.empty()) << track;
    return begun;
}

std::vector<std::string> sorted(std::vector<std::string> names) {
    std::ranges::sort(names);
    return names;
}

using names = std::vector<std::string>;

/// No file of the process grows beyond so many bytes as long as the object lives.
class file_limit {
  public:
    explicit file_limit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &now);
    }
    file_limit(const file_limit&) = delete;
    file_limit& operator=(const file_limit&) = delete;
    ~file_limit() {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

  private:
    rlimit before_{};
    void (*handler_)(int);
};

/// The process can open no file as long as the object lives.
class no_more_files {
  public:
    no_more_files() {
        getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit now{0, before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &now);
    }
    no_more_files(const no_more_files&) = delete;
    no_more_files& operator=(const no_more_files&) = delete;
    ~no_more_files() { setrlimit(RLIMIT_NOFILE, &before_); }

  private:
    rlimit before_{};
};

/// Two threads that wait for each other; not for ever, where there is but one.
class meeting {
  public:
    void attend() {
        std::unique_lock lock(guard_);
        ++here_;
        arrival_.notify_all();
        arrival_.wait_for(lock, std::chrono::seconds(20), [&] { return here_ == 2; });
    }

  private:
    std::mutex guard_;
    std::condition_variable arrival_;
    int here_{};
};

class recorder final : public ecs::profiler {
  public:
    void begin(ecs::activity what, std::string_view name) noexcept override { note("begin ", what, name); }
    void end(ecs::activity what, std::string_view name) noexcept override { note("end ", what, name); }

    std::vector<std::string> told;

  private:
    void note(std::string_view how, ecs::activity what, std::string_view name) {
        const std::lock_guard lock(guard_);
        told.push_back(std::string(how) + std::string(to_string(what)) + " " + std::string(name));
    }
    std::mutex guard_;
};

} // namespace

TEST(traces, have_systems_waits_flushes_and_phases) {
    const scratch_file file;
    ecs::world world;
    ecs::schedule schedule;
    schedule.phase("input").add("poll", [](ecs::world&) {});
    schedule.phase("update").add("move", [](position& p) { p.x += 1; }).add("heal", [](health& h) {
        ++h.points;
    });
    schedule.trace_to(file.path());
    schedule.run(world, 1);
    schedule.run(world, 1);
    schedule.trace_to({});
    auto begun = begun_in(file.read());
    EXPECT_EQ(begun["run"], (names{"run", "run"}));
    EXPECT_EQ(begun["phase"], (names{"input", "update", "input", "update"}));
    EXPECT_EQ(begun["system"], (names{"poll", "move", "heal", "poll", "move", "heal"}));
    EXPECT_EQ(begun["wait"],
              (names{"wait for input", "wait for update", "wait for input", "wait for update"}));
    EXPECT_EQ(begun["flush"],
              (names{"flush after input", "flush after update", "flush after input", "flush after update"}));
}

TEST(traces, have_a_track_for_each_thread) {
    const scratch_file file;
    ecs::world world;
    ecs::schedule schedule;
    meeting of_two; // Neither ends before both have begun: they are on two threads.
    schedule.add("one", [&](position&) {}).add("left", [&](const ecs::tick&) { of_two.attend(); });
    schedule.add("right", [&](const ecs::tick&) { of_two.attend(); });
    schedule.trace_to(file.path());
    schedule.run(world, 2);
    schedule.trace_to({});
    const json events = file.read();
    EXPECT_EQ(sorted(begun_in(events)["system"]), (names{"left", "one", "right"}));
    std::map<std::string, int> tracks;
    std::set<int> named;
    for (const json& e : events) {
        if (e["ph"] == "B") tracks[e["name"].get<std::string>()] = e["tid"].get<int>();
        if (e["name"] == "thread_name") named.insert(e["tid"].get<int>());
    }
    EXPECT_NE(tracks["left"], tracks["right"]);
    EXPECT_TRUE(named.contains(tracks["left"]) && named.contains(tracks["right"]) &&
                named.contains(tracks["run"]));
}

TEST(traces, are_complete_when_the_schedule_ends_and_when_systems_throw) {
    const scratch_file file;
    ecs::world world;
    {
        ecs::schedule schedule;
        schedule.add("fail \"badly\"\n", [](ecs::world&) { throw std::runtime_error("no"); });
        schedule.trace_to(file.path());
        EXPECT_THROW(schedule.run(world, 1), ecs::schedule_error);
    }
    EXPECT_EQ(begun_in(file.read())["system"], names{"fail \"badly\"\n"});
}

TEST(traces, have_what_runs_while_they_are_on) {
    const scratch_file file;
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("before", [](ecs::world&) {});
    schedule.run(world, 1);
    EXPECT_FALSE(std::filesystem::exists(file.path()));
    schedule.trace_to(file.path()).trace_to({});
    schedule.run(world, 1);
    EXPECT_TRUE(begun_in(file.read()).empty());
    schedule.disable("before");
    schedule.trace_to(file.path());
    schedule.run(world, 1);
    schedule.trace_to({});
    EXPECT_TRUE(begun_in(file.read())["system"].empty()); // What is passed over takes no time.
}

TEST(traces, begin_anew_in_the_same_file) {
    const scratch_file file;
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("move", [](position& p) { p.x += 1; });
    schedule.trace_to(file.path());
    for (int i = 0; i < 10; ++i) schedule.run(world, 1); // Longer than the second trace.
    schedule.trace_to(file.path());
    schedule.run(world, 1);
    const auto folder = std::filesystem::path(file.path()).parent_path();
    const auto same = folder / "." / std::filesystem::path(file.path()).filename();
    schedule.trace_to(same.string());
    schedule.run(world, 1);
    schedule.trace_to({});
    EXPECT_EQ(begun_in(file.read())["system"], names{"move"});
}

/// Bytes that begin no character, half of one, one that is too long, half of a pair, and what lies beyond
/// all.
constexpr std::string_view strange =
    "a\xFFz \xC3 \xC0\x80 \xED\xA0\x80 \xF4\x90\x80\x80 \xC3\xA9 \xF0\x9F\x8E\xB2 \xEF\xBF\xBE";

TEST(traces, and_drawings_have_names_of_systems_in_utf_8) {
    const scratch_file file;
    ecs::world world;
    ecs::schedule schedule;
    schedule.add(strange, [](ecs::world&) {});
    schedule.trace_to(file.path());
    schedule.run(world, 1);
    schedule.trace_to({});
    const std::string r = "\xEF\xBF\xBD";
    const std::string shown = "a" + r + "z " + r + " " + r + r + " " + r + r + r + " " + r + r + r + r +
                              " \xC3\xA9 \xF0\x9F\x8E\xB2 " + r + r + r;
    EXPECT_EQ(begun_in(file.read())["system"], names{shown});
    EXPECT_NE(schedule.svg(world).find(shown), std::string::npos);
}

TEST(traces, say_which_file_cannot_be_made_and_go_on) {
    const scratch_file file;
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("move", [](position& p) { p.x += 1; });
    schedule.trace_to(file.path());
    const std::string nowhere = file.path() + "/trace.json";
    try {
        schedule.trace_to(nowhere);
        ADD_FAILURE() << "a file within a file";
    } catch (const ecs::trace_error& refused) {
        EXPECT_EQ(std::string(refused.what()).find("the trace \"" + nowhere + "\" cannot be written: "), 0U);
    }
    schedule.run(world, 1);
    schedule.trace_to({});
    EXPECT_EQ(begun_in(file.read())["system"], names{"move"});
}

TEST(traces, go_on_in_a_file_that_cannot_be_opened_again) {
    if (test::is_sanitized) GTEST_SKIP() << "a sanitizer opens files of its own to look at an object";
    const scratch_file file;
    ecs::world world;
    ecs::schedule schedule;
    schedule.add("move", [](position& p) { p.x += 1; });
    schedule.trace_to(file.path());
    schedule.run(world, 1);
    {
        const no_more_files now;
        EXPECT_THROW(schedule.trace_to(file.path()), ecs::trace_error);
    }
    schedule.run(world, 1);
    schedule.trace_to({});
    EXPECT_EQ(begun_in(file.read())["system"], (names{"move", "move"}));
}

TEST(traces, end_with_an_error_when_the_disk_is_full) {
    if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full here";
    ecs::world world;
    ecs::schedule schedule;
    EXPECT_THROW(schedule.trace_to("/dev/full"), ecs::trace_error);
    int runs = 0;
    schedule.add("count", [&](ecs::world&) { ++runs; });
    schedule.run(world, 1);
    EXPECT_EQ(runs, 1);
}

TEST(traces, end_with_an_error_when_the_file_takes_no_more) {
    const scratch_file file;
    const file_limit limit(4096);
    ecs::world world;
    ecs::schedule schedule;
    std::size_t runs = 0;
    schedule.add("count", [&](ecs::world&) { ++runs; });
    schedule.trace_to(file.path());
    std::size_t complete = 0;
    EXPECT_THROW(for (; complete < 1000; ++complete) schedule.run(world, 1), ecs::trace_error);
    EXPECT_GT(complete, 0U);
    EXPECT_EQ(runs, complete + 1); // The run that throws has done all else.
    schedule.run(world, 1);
    schedule.trace_to({});
    EXPECT_EQ(runs, complete + 2);
}

TEST(traces, neither_begin_nor_end_within_a_run) {
    const scratch_file file;
    ecs::world world;
    ecs::schedule schedule;
    recorder told;
    schedule.add("change", [&](ecs::world&) {
        EXPECT_THROW(schedule.trace_to(file.path()), ecs::schedule_setup_error);
        EXPECT_THROW(schedule.profile_with(&told), ecs::schedule_setup_error);
    });
    schedule.run(world, 1);
    EXPECT_FALSE(std::filesystem::exists(file.path()));
}

TEST(profilers, are_told_what_begins_and_what_ends) {
    ecs::world world;
    ecs::schedule schedule;
    recorder told;
    schedule.add("move", [](position& p) { p.x += 1; });
    schedule.profile_with(&told);
    schedule.run(world, 1);
    EXPECT_EQ(told.told, (names{"begin run ", "begin phase update", "begin system move", "end system move",
                                "begin wait update", "end wait update", "end phase update",
                                "begin flush update", "end flush update", "end run "}));
    schedule.profile_with(nullptr);
    schedule.run(world, 1);
    EXPECT_EQ(told.told.size(), 10U);
}

TEST(profilers, are_told_beside_a_trace) {
    const scratch_file file;
    ecs::world world;
    ecs::schedule schedule;
    recorder told;
    schedule.add("fail", [](ecs::world&) { throw std::runtime_error("no"); });
    schedule.profile_with(&told).trace_to(file.path());
    EXPECT_THROW(schedule.run(world, 1), ecs::schedule_error);
    schedule.trace_to({});
    EXPECT_EQ(begun_in(file.read())["system"], names{"fail"});
    EXPECT_EQ(told.told.back(), "end run ");
}
